"""The request of a `ps` call: BSD-style letters, selections and columns."""

from __future__ import annotations

from keysh.gnu.owners import SHELL_USER_NUMBER, user_name
from keysh.text.shell_numbers import bounded_number, is_digits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from keysh.builtins.ps.process import ProcessEntry
    from keysh.interp.state.call import Call

IGNORED_LETTERS = "axTrgweSnXcm"  # without effect here
COLUMN_SET_LETTERS = "ujlv"


class PsRefused(Exception):
    """The call is invalid; the message says why."""


class PsRequest:
    """The letters and lists of a call: which processes and columns, in which order."""

    def __init__(self, sh: Call, words: Sequence[str]) -> None:
        self._sh = sh
        self.formats: list[str] = []
        self.sorts: list[str] = []
        self.is_forest = self.has_no_headings = False
        self._column_set: str | None = None
        self._criteria: dict[str, list[str | int]] = {}
        remaining = list(words)
        while remaining:
            word = remaining.pop(0)
            if word[:1].isdecimal():
                self.select("pid", self.numbers([word], "process ID list"))
            else:
                self._read_letters(word, remaining)

    def set_name(self) -> str:
        """Return the set of columns that the letters select, or "" without letters."""
        return "" if self._column_set is None else f"bsd {self._column_set}".rstrip()

    def _read_letters(self, word: str, remaining: list[str]) -> None:
        """Read a word of letters; some take the rest of the word or the next word."""
        if self._column_set is None:
            self._column_set = ""
        for index, letter in enumerate(word):
            if letter in "opkUtC":
                value = word[index + 1 :] or (remaining.pop(0) if remaining else "")
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
        """Apply a letter with its value."""
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
        """Split lists at commas and blanks; None stays None."""
        if texts is None:
            return None
        return [word for text in texts for word in text.replace(",", " ").split()]

    def numbers(self, texts: Iterable[str] | None, what: str) -> list[str | int] | None:
        """Split lists of numbers."""
        words = self.values(texts)
        if words is None:
            return None
        if not words or not all(is_digits(str(word)) for word in words):
            raise PsRefused(f"{what} syntax error")
        return [bounded_number(str(word)) for word in words]

    def owners(self, texts: Iterable[str] | None, what: str) -> list[str | int] | None:
        """Split lists of users or groups, of which only one exists."""
        words, own_name = self.values(texts), user_name(self._sh)
        for word in words or ():
            if word != own_name and not str(word).isdecimal():
                raise PsRefused(f"{what} name does not exist")
        return (
            None
            if words is None
            else [own_name if word == str(SHELL_USER_NUMBER) else word for word in words]
        )

    def select(self, what: str, values: list[str | int] | None) -> None:
        """Select the processes whose property `what` is one of `values`."""
        if values is not None:
            self._criteria.setdefault(what, []).extend(values)

    def wants(self, process: ProcessEntry) -> bool:
        """Tell whether a process is selected; without criteria all are."""
        properties = {
            "pid": process.pid, "ppid": process.parent, "session": process.session,
            "name": process.name, "user": user_name(self._sh), "group": user_name(self._sh),
            "tty": None,
        }  # fmt: skip
        criteria = self._criteria.items()
        return not criteria or any(properties[what] in values for what, values in criteria)
