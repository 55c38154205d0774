"""How grep prints what it has found: heads, colours, matches, rows."""

from __future__ import annotations

from keysh.text.chunks import encoded, octets

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator
    from typing import Any, TypeAlias

    from keysh.interp.state.call import Call
    from keysh.tools.grep.color import Colors
    from keysh.tools.grep.rules import Rules

    Group: TypeAlias = tuple[int, int, bool]  # the lines from one to another, and is it apart


class Report:
    """The lines of one file after the other, whose `path` is set from outside.

    `mark` is `:` for a selected line and `-` for one around it.
    """

    __slots__ = ("_colors", "_rules", "_sh", "has_printed", "path", "width")

    def __init__(self, sh: Call, rules: Rules) -> None:
        self._sh, self._rules, self._colors, self.path = sh, rules, rules.colors, ""
        self.width = 0  # of numbers that line up
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
            colors = self._colors
            shown = text if colors is None else self.highlighted(colors, text, mark)
            yield f"{head}{shown}{rules.end}"

    @property
    def is_simple(self) -> bool:
        """Whether lines are printed as they are, with no more than a head."""
        rules = self._rules
        is_odd = rules.is_json or rules.takes_tab or rules.only_matching
        return not is_odd and self._colors is None

    def simply(
        self,
        lines: list[str],
        chosen: list[int],
        number: int,
        starts: list[int] | None,
        *,
        in_octets: bool = False,
    ) -> str | None:
        """Selected lines at once; None where each needs more than a head."""
        rules, end = self._rules, self._rules.end
        if not self.is_simple:
            return None
        head = f"{self.path}{rules.path_end or ':'}" if rules.heads else ""
        head = octets(head) if in_octets else head
        if starts is not None and rules.numbers:
            return "".join([f"{head}{number + i}:{starts[i]}:{lines[i]}{end}" for i in chosen])
        if starts is not None:
            return "".join([f"{head}{starts[i]}:{lines[i]}{end}" for i in chosen])
        if rules.numbers:
            return "".join([f"{head}{number + i}:{lines[i]}{end}" for i in chosen])
        return "".join([f"{head}{lines[i]}{end}" for i in chosen])

    def around(
        self,
        lines: list[str],
        groups: list[Group],
        chosen: set[int],
        number: int,
        starts: list[int] | None,
    ) -> str | None:
        """Groups of lines at once; None where each line needs more than a head."""
        rules, end = self._rules, self._rules.end
        if not self.is_simple:
            return None
        made: list[str] = []
        is_bare = starts is None and not (rules.heads or rules.numbers)
        gap, has_printed = self.gap, self.has_printed
        paths = {mark: f"{self.path}{rules.path_end or mark}" * rules.heads for mark in ":-"}
        for start, stop, is_new in groups:
            if is_new and has_printed:
                made.append(gap)
            has_printed = True
            if is_bare:
                made.append(end.join(lines[start:stop]))
                made.append(end)
                continue
            for i in range(start, stop):
                mark = ":" if i in chosen else "-"
                counted = f"{number + i}{mark}" if rules.numbers else ""
                offset = f"{starts[i]}{mark}" if starts is not None else ""
                made.append(f"{paths[mark]}{counted}{offset}{lines[i]}{end}")
        return "".join(made)

    def headed(self, found: Iterator[re.Match[str]], text: str, number: int) -> list[str]:
        """The matches in a text of lines, each behind its file and the number of its line."""
        rules = self._rules
        head = f"{self.path}{rules.path_end or ':'}" if rules.heads else ""
        if rules.numbers:
            return [f"{head}{match}" for match in numbered(found, text, number)]
        return [f"{head}{match.group()}" for match in found]

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
        """Each match on a line of its own; where `-v` selects lines, those of lines around them."""
        rules = self._rules
        if (mark == "-") != rules.inverts:
            return
        for start, end in self.found(text):
            head = ""
            if rules.heads or rules.numbers or rules.offsets:
                place = offset + bytes_of(text[:start]) if rules.offsets else 0
                head = self.head(mark, number, place, True)
            match = text[start:end]
            yield f"{head}{self.painted('ms' if mark == ':' else 'mc', match)}{rules.end}"

    def found(self, text: str) -> list[tuple[int, int]]:
        """The matches in a line that are not empty."""
        regex = self._rules.regex
        native = None if regex.kept_from else regex.native(text)
        if native is not None:
            return [match.span() for match in native.finditer(text) if match.group()]
        found = regex.found(text, self._sh.tick)
        return [(match.start, match.end) for match in found if match.end > match.start]

    def highlighted(self, colors: Colors, text: str, mark: str) -> str:
        """A line with its matches in colour, and what is between them, if that has one."""
        inverts = self._rules.inverts
        line = "sl" if (mark == ":") != (inverts and colors.is_reversed) else "cx"
        match = "ms" if mark == ":" else "mc"
        pieces, at = [], 0
        if (mark == ":") != inverts and colors.start(match):
            for start, end in self.found(text):
                pieces += [colors.start(line), text[at:start]]
                pieces.append(colors.painted(match, text[start:end]))
                at = end
        rest = text[at:].removesuffix("\r")
        return "".join(
            [*pieces, colors.painted(line, rest) if rest else "", text[at + len(rest) :]]
        )

    def painted(self, name: str, text: str) -> str:
        """A text in a colour, if there are any."""
        return text if self._colors is None else self._colors.painted(name, text)

    def head(self, mark: str, number: int, offset: int, has_text: bool) -> str:
        """What stands before a line."""
        rules = self._rules
        behind = self.painted("se", mark)
        pieces = []
        if rules.heads:
            pieces += [self.painted("fn", self.path), rules.path_end or behind]
        width = self.width if rules.takes_tab else 0
        if rules.numbers:
            pieces += [self.painted("ln", f"{number:{width}}"), behind]
        if rules.offsets:
            pieces += [self.painted("bn", f"{offset:{width}}"), behind]
        if rules.takes_tab and pieces and has_text:
            pieces.append("\t")
        return "".join(pieces)

    def name(self) -> str | dict[str, Any]:
        """The file alone."""
        if self._rules.is_json:
            return {"path": self.path}
        return f"{self.painted('fn', self.path)}{self._rules.path_end or chr(10)}"

    def count(self, number: int) -> str | dict[str, Any]:
        """How many lines are selected."""
        rules = self._rules
        if rules.is_json:
            return {"path": self.path, "count": number}
        path = self.painted("fn", self.path)
        head = f"{path}{rules.path_end or self.painted('se', ':')}" if rules.heads else ""
        return f"{head}{number}\n"

    @property
    def gap(self) -> str:
        """What stands between groups of lines that do not touch."""
        rules = self._rules
        if rules.separator is None or rules.is_json:
            return ""
        return f"{self.painted('se', rules.separator)}\n"

    def tell_binary(self) -> None:
        """Say that a file matches whose lines are nothing to look at."""
        self._sh.note(f"{self.path}: binary file matches")


def numbered(found: Iterator[re.Match[str]], text: str, number: int) -> Iterator[str]:
    """The matches in a text of lines, each behind the number of its line."""
    at = 0
    for match in found:
        start, end = match.span()
        number += text.count("\n", at, start)
        at = start
        yield f"{number}:{text[start:end]}"


def bytes_of(text: str) -> int:
    return len(text) if text.isascii() else len(encoded(text))


def is_clean(text: str, *, in_octets: bool = False) -> bool:
    """Whether a text, or the one that has these octets, holds no bytes that are no UTF-8."""
    if text.isascii():
        return True
    try:
        if in_octets:
            text.encode("latin-1").decode()
        else:
            text.encode()
    except UnicodeError:
        return False
    return True
