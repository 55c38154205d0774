"""How grep prints what it has found: heads, colours, matches, rows."""

from __future__ import annotations

from keysh.text.chunks import bytes_of_text, octets_of_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator
    from typing import Any, TypeAlias

    from keysh.interp.state.call import Call
    from keysh.tools.grep.color import GrepColors
    from keysh.tools.grep.rules import GrepOptions

    Group: TypeAlias = tuple[int, int, bool]  # the lines from one to another, and is it apart


class GrepReport:
    """The lines of one file after the other, whose `path` is set from outside.

    `mark` is `:` for a selected line and `-` for one around it.
    """

    __slots__ = ("_colors", "_rules", "_sh", "has_printed", "path", "width")

    def __init__(self, sh: Call, rules: GrepOptions) -> None:
        self._sh, self._rules, self._colors, self.path = sh, rules, rules.colors, ""
        self.width = 0  # of numbers that line up
        self.has_printed = False  # a line, of whatever file, with those around it

    def line_output(
        self, text: str, mark: str, number: int, offset: int
    ) -> Iterator[str | dict[str, Any]]:
        """One line, or the matches in it."""
        rules = self._rules
        if rules.is_json and mark == ":":
            yield from self.json_rows(text, number, offset)
        elif rules.is_json:
            return
        elif rules.only_matching:
            yield from self.matches(text, mark, number, offset)
        else:
            head = self.line_prefix(mark, number, offset, bool(text))
            colors = self._colors
            shown = text if colors is None else self.highlight(colors, text, mark)
            yield f"{head}{shown}{rules.end}"

    @property
    def is_simple(self) -> bool:
        """Whether lines are printed as they are, with no more than a head."""
        rules = self._rules
        is_odd = rules.is_json or rules.aligns_tabs or rules.only_matching
        return not is_odd and self._colors is None

    def plain_lines(
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
        head = f"{self.path}{rules.path_end or ':'}" if rules.shows_path else ""
        head = octets_of_text(head) if in_octets else head
        if starts is not None and rules.shows_number:
            return "".join([f"{head}{number + i}:{starts[i]}:{lines[i]}{end}" for i in chosen])
        if starts is not None:
            return "".join([f"{head}{starts[i]}:{lines[i]}{end}" for i in chosen])
        if rules.shows_number:
            return "".join([f"{head}{number + i}:{lines[i]}{end}" for i in chosen])
        return "".join([f"{head}{lines[i]}{end}" for i in chosen])

    def context_lines(
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
        is_bare = starts is None and not (rules.shows_path or rules.shows_number)
        gap, has_printed = self.separator_line, self.has_printed
        paths = {mark: f"{self.path}{rules.path_end or mark}" * rules.shows_path for mark in ":-"}
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
                counted = f"{number + i}{mark}" if rules.shows_number else ""
                offset = f"{starts[i]}{mark}" if starts is not None else ""
                made.append(f"{paths[mark]}{counted}{offset}{lines[i]}{end}")
        return "".join(made)

    def match_lines(self, found: Iterator[re.Match[str]], text: str, number: int) -> list[str]:
        """The matches in a text of lines, each behind its file and the number of its line."""
        rules = self._rules
        head = f"{self.path}{rules.path_end or ':'}" if rules.shows_path else ""
        if rules.shows_number:
            return [f"{head}{match}" for match in numbered_matches(found, text, number)]
        return [f"{head}{match.group()}" for match in found]

    def json_rows(self, text: str, number: int, offset: int) -> Iterator[dict[str, Any]]:
        row: dict[str, Any] = {"path": self.path, "line": number}
        if self._rules.shows_offset:
            row["offset"] = offset
        if not self._rules.only_matching:
            yield {**row, "text": text}
        elif not self._rules.inverts:
            for start, end in self.match_spans(text):
                place = (
                    {"offset": offset + byte_length(text[:start])}
                    if self._rules.shows_offset
                    else {}
                )
                yield {**row, **place, "text": text[start:end]}

    def matches(self, text: str, mark: str, number: int, offset: int) -> Iterator[str]:
        """Each match on a line of its own; where `-v` selects lines, those of lines around them."""
        rules = self._rules
        if (mark == "-") != rules.inverts:
            return
        for start, end in self.match_spans(text):
            head = ""
            if rules.shows_path or rules.shows_number or rules.shows_offset:
                place = offset + byte_length(text[:start]) if rules.shows_offset else 0
                head = self.line_prefix(mark, number, place, True)
            match = text[start:end]
            yield f"{head}{self.paint('ms' if mark == ':' else 'mc', match)}{rules.end}"

    def match_spans(self, text: str) -> list[tuple[int, int]]:
        """The matches in a line that are not empty."""
        regex = self._rules.regex
        native = None if regex.match_start_group else regex.native(text)
        if native is not None:
            return [match.span() for match in native.finditer(text) if match.group()]
        found = regex.find_all(text, self._sh.tick)
        return [(match.start, match.end) for match in found if match.end > match.start]

    def highlight(self, colors: GrepColors, text: str, mark: str) -> str:
        """A line with its matches in colour, and what is between them, if that has one."""
        inverts = self._rules.inverts
        line = "sl" if (mark == ":") != (inverts and colors.is_reversed) else "cx"
        match = "ms" if mark == ":" else "mc"
        pieces, at = [], 0
        if (mark == ":") != inverts and colors.start_code(match):
            for start, end in self.match_spans(text):
                pieces += [colors.start_code(line), text[at:start]]
                pieces.append(colors.paint(match, text[start:end]))
                at = end
        rest = text[at:].removesuffix("\r")
        return "".join([*pieces, colors.paint(line, rest) if rest else "", text[at + len(rest) :]])

    def paint(self, name: str, text: str) -> str:
        """A text in a colour, if there are any."""
        return text if self._colors is None else self._colors.paint(name, text)

    def line_prefix(self, mark: str, number: int, offset: int, has_text: bool) -> str:
        """What stands before a line."""
        rules = self._rules
        behind = self.paint("se", mark)
        pieces = []
        if rules.shows_path:
            pieces += [self.paint("fn", self.path), rules.path_end or behind]
        width = self.width if rules.aligns_tabs else 0
        if rules.shows_number:
            pieces += [self.paint("ln", f"{number:{width}}"), behind]
        if rules.shows_offset:
            pieces += [self.paint("bn", f"{offset:{width}}"), behind]
        if rules.aligns_tabs and pieces and has_text:
            pieces.append("\t")
        return "".join(pieces)

    def name_line(self) -> str | dict[str, Any]:
        """The file alone."""
        if self._rules.is_json:
            return {"path": self.path}
        return f"{self.paint('fn', self.path)}{self._rules.path_end or chr(10)}"

    def count_line(self, number: int) -> str | dict[str, Any]:
        """How many lines are selected."""
        rules = self._rules
        if rules.is_json:
            return {"path": self.path, "count": number}
        path = self.paint("fn", self.path)
        head = f"{path}{rules.path_end or self.paint('se', ':')}" if rules.shows_path else ""
        return f"{head}{number}\n"

    @property
    def separator_line(self) -> str:
        """What stands between groups of lines that do not touch."""
        rules = self._rules
        if rules.separator is None or rules.is_json:
            return ""
        return f"{self.paint('se', rules.separator)}\n"

    def report_binary(self) -> None:
        """Say that a file matches whose lines are nothing to look at."""
        self._sh.note(f"{self.path}: binary file matches")


def numbered_matches(found: Iterator[re.Match[str]], text: str, number: int) -> Iterator[str]:
    """The matches in a text of lines, each behind the number of its line."""
    at = 0
    for match in found:
        start, end = match.span()
        number += text.count("\n", at, start)
        at = start
        yield f"{number}:{text[start:end]}"


def byte_length(text: str) -> int:
    return len(text) if text.isascii() else len(bytes_of_text(text))


def is_valid_utf8(text: str, *, in_octets: bool = False) -> bool:
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
