"""Requests: what `ps` is asked for, in letters as BSD has them, and by lists."""

from __future__ import annotations

from keysh.gnu.owners import SHELL_USER_NUMBER, user_name
from keysh.text.shell_numbers import bounded_number, is_digits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from keysh.builtins.ps.process import ProcessEntry
    from keysh.interp.state.call import Call

IGNORED_LETTERS = "axTrgweSnXcm"  # letters that change nothing here
COLUMN_SET_LETTERS = "ujlv"


class PsRefused(Exception):
    """Something is no part of a call; the message says what."""


class PsRequest:
    """The letters and lists of one call: which processes, which columns, in which order."""

    def __init__(self, sh: Call, words: Sequence[str]) -> None:
        self._sh = sh
        self.formats: list[str] = []
        self.sorts: list[str] = []
        self.is_forest = self.has_no_headings = False
        self._column_set: str | None = None
        self._criteria: dict[str, list[str | int]] = {}
        left = list(words)
        while left:
            word = left.pop(0)
            if word[:1].isdecimal():
                self.select("pid", self.numbers([word], "process ID list"))
            else:
                self._read_letters(word, left)

    def set_name(self) -> str:
        """The set of columns that the letters mean; empty without letters."""
        return "" if self._column_set is None else f"bsd {self._column_set}".rstrip()

    def _read_letters(self, word: str, left: list[str]) -> None:
        """Take the letters of a word; some take the rest of it, or the next word."""
        if self._column_set is None:
            self._column_set = ""
        for at, letter in enumerate(word):
            if letter in "opkUtC":
                value = word[at + 1 :] or (left.pop(0) if left else "")
                self._read_value(letter, value)
                return
            if letter in COLUMN_SET_LETTERS:
                self._column_set = letter
            elif letter == "f":
                self.is_forest = True
            elif letter == "h":
                self.has_no_headings = True
            elif letter not in IGNORED_LETTERS:
                raise PsRefused("unsupported option (BSD syntax)")

    def _read_value(self, letter: str, value: str) -> None:
        """Take a letter with its value."""
        if not value:
            raise PsRefused(f"a list must follow {letter}")
        if letter == "o":
            self.formats.append(value)
        elif letter == "k":
            self.sorts.append(value)
        elif letter == "p":
            self.select("pid", self.numbers([value], "process ID list"))
        elif letter == "U":
            self.select("user", self.owners([value], "user"))
        else:
            self.select("tty", [])

    # ------------------------------------------------------------ lists

    def values(self, texts: Iterable[str] | None) -> list[str | int] | None:
        """The words of lists with commas or blanks; None where there are none."""
        if texts is None:
            return None
        return [word for text in texts for word in text.replace(",", " ").split()]

    def numbers(self, texts: Iterable[str] | None, what: str) -> list[str | int] | None:
        """The numbers of such lists; Refused where a word is none."""
        found = self.values(texts)
        if found is None:
            return None
        if not found or not all(is_digits(str(word)) for word in found):
            raise PsRefused(f"{what} syntax error")
        return [bounded_number(str(word)) for word in found]

    def owners(self, texts: Iterable[str] | None, what: str) -> list[str | int] | None:
        """The users or groups of such lists; Refused for any but the one that there is."""
        found, own = self.values(texts), user_name(self._sh)
        for word in found or ():
            if word != own and not str(word).isdecimal():
                raise PsRefused(f"{what} name does not exist")
        return (
            None
            if found is None
            else [own if word == str(SHELL_USER_NUMBER) else word for word in found]
        )

    def select(self, what: str, values: list[str | int] | None) -> None:
        """Ask for the processes of which something is one of some values."""
        if values is not None:
            self._criteria.setdefault(what, []).extend(values)

    def wants(self, process: ProcessEntry) -> bool:
        """Whether a process is asked for; each is where nothing is."""
        known = {
            "pid": process.pid, "ppid": process.parent, "session": process.session,
            "name": process.name, "user": user_name(self._sh), "group": user_name(self._sh),
            "tty": None,
        }  # fmt: skip
        chosen = self._criteria.items()
        return not chosen or any(known[what] in values for what, values in chosen)
