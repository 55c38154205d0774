"""How grep prints what it has found: heads, colours, matches, rows."""

from __future__ import annotations

from keysh.commands.grep.rules import HIGHLIGHT, NUMBER, PATH, SEPARATOR
from keysh.text.lines import encoded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from keysh.commands.grep.rules import Rules
    from keysh.runtime.call import Call


class Report:
    """The lines of one file after the other, whose `path` is set from outside.

    `mark` is `:` for a selected line and `-` for one around it.
    """

    __slots__ = ("_rules", "_sh", "has_printed", "path")

    def __init__(self, sh: Call, rules: Rules) -> None:
        self._sh, self._rules, self.path = sh, rules, ""
        self.has_printed = False  # a line, of whatever file, with those around it

    def line(
        self, text: str, mark: str, number: int, offset: int
    ) -> Iterator[str | dict[str, Any]]:
        """One line, or the matches in it."""
        rules = self._rules
        if rules.is_json and mark == ":":
            yield from self.rows(text, number, offset)
        elif rules.is_json:
            return
        elif rules.only_matching:
            yield from self.matches(text, mark, number, offset)
        else:
            head = self.head(mark, number, offset, bool(text))
            # Colour marks the matches, whatever lines are selected.
            is_marked = rules.is_colored and (mark == ":") != rules.inverts
            yield f"{head}{self.highlighted(text) if is_marked else text}{rules.end}"

    def rows(self, text: str, number: int, offset: int) -> Iterator[dict[str, Any]]:
        row: dict[str, Any] = {"path": self.path, "line": number}
        if self._rules.offsets:
            row["offset"] = offset
        if not self._rules.only_matching:
            yield {**row, "text": text}
        elif not self._rules.inverts:
            for start, end in self.found(text):
                place = {"offset": offset + bytes_of(text[:start])} if self._rules.offsets else {}
                yield {**row, **place, "text": text[start:end]}

    def matches(self, text: str, mark: str, number: int, offset: int) -> Iterator[str]:
        """Each match on a line of its own; of lines around it, nothing."""
        rules = self._rules
        if mark == "-" or rules.inverts:
            return
        for start, end in self.found(text):
            head = ""
            if rules.heads or rules.numbers or rules.offsets:
                place = offset + bytes_of(text[:start]) if rules.offsets else 0
                head = self.head(mark, number, place, True)
            match = text[start:end]
            yield f"{head}{colored(match, HIGHLIGHT) if rules.is_colored else match}{rules.end}"

    def found(self, text: str) -> Iterator[tuple[int, int]]:
        """The matches in a line that are not empty."""
        for match in self._rules.regex.found(text, self._sh.tick):
            if match.end > match.start:
                yield match.start, match.end

    def highlighted(self, text: str) -> str:
        pieces, at = [], 0
        for start, end in self.found(text):
            pieces += [text[at:start], colored(text[start:end], HIGHLIGHT)]
            at = end
        return "".join([*pieces, text[at:]])

    def head(self, mark: str, number: int, offset: int, has_text: bool) -> str:
        """What stands before a line."""
        rules = self._rules
        behind = colored(mark, SEPARATOR) if rules.is_colored else mark
        pieces = []
        if rules.heads:
            pieces += [self.shown_path(), rules.path_end or behind]
        for is_wanted, value in ((rules.numbers, number), (rules.offsets, offset)):
            if is_wanted:
                shown = f"{value:2}" if rules.takes_tab else str(value)
                pieces += [colored(shown, NUMBER) if rules.is_colored else shown, behind]
        if rules.takes_tab and pieces and has_text:
            pieces.append("\t")
        return "".join(pieces)

    def shown_path(self) -> str:
        return colored(self.path, PATH) if self._rules.is_colored else self.path

    def name(self) -> str | dict[str, Any]:
        """The file alone."""
        if self._rules.is_json:
            return {"path": self.path}
        return f"{self.shown_path()}{self._rules.path_end or chr(10)}"

    def count(self, number: int) -> str | dict[str, Any]:
        """How many lines are selected."""
        rules = self._rules
        if rules.is_json:
            return {"path": self.path, "count": number}
        behind = colored(":", SEPARATOR) if rules.is_colored else ":"
        head = f"{self.shown_path()}{rules.path_end or behind}" if rules.heads else ""
        return f"{head}{number}\n"

    def gap(self) -> Iterator[str]:
        """What stands between groups of lines that do not touch."""
        rules = self._rules
        if rules.separator is not None and not rules.is_json:
            shown = colored(rules.separator, SEPARATOR) if rules.is_colored else rules.separator
            yield f"{shown}\n"

    def tell_binary(self) -> None:
        """Say that a file matches whose lines are nothing to look at."""
        self._sh.err.write(f"{self._sh.name}: {self.path}: binary file matches\n")


def colored(text: str, color: str) -> str:
    return f"\x1b[{color}m\x1b[K{text}\x1b[m\x1b[K"


def bytes_of(text: str) -> int:
    return len(text) if text.isascii() else len(encoded(text))
