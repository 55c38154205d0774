"""Format the output of grep: prefixes, colors, matches, JSON rows."""

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

    Group: TypeAlias = tuple[int, int, bool]  # start, end, needs a separator


class GrepReport:
    """Formats the output of the files; the caller sets `path` for each file.

    `mark` is `:` for a selected line and `-` for a line of context.
    """

    __slots__ = ("_colors", "_rules", "_sh", "has_printed", "path", "width")

    def __init__(self, sh: Call, rules: GrepOptions) -> None:
        self._sh, self._rules, self._colors, self.path = sh, rules, rules.colors, ""
        self.width = 0  # of aligned numbers, for -T
        self.has_printed = False  # whether a group of lines was printed, of any file

    def line_output(
        self, text: str, mark: str, number: int, offset: int
    ) -> Iterator[str | dict[str, Any]]:
        """Yield the output for one line, or for the matches in it."""
        rules = self._rules
        if rules.is_json and mark == ":":
            yield from self.json_rows(text, number, offset)
        elif rules.is_json:
            return
        elif rules.only_matching:
            yield from self.matches(text, mark, number, offset)
        else:
            prefix = self.line_prefix(mark, number, offset, bool(text))
            colors = self._colors
            shown = text if colors is None else self.highlight(colors, text, mark)
            yield f"{prefix}{shown}{rules.line_end}"

    @property
    def is_simple(self) -> bool:
        """Whether lines are printed unchanged, after a simple prefix."""
        rules = self._rules
        is_odd = rules.is_json or rules.aligns_tabs or rules.only_matching
        return not is_odd and self._colors is None

    def plain_lines(
        self,
        lines: list[str],
        selected: list[int],
        number: int,
        starts: list[int] | None,
        *,
        in_octets: bool = False,
    ) -> str | None:
        """Format all selected lines at once; None if they need more than a simple prefix."""
        rules, line_end = self._rules, self._rules.line_end
        if not self.is_simple:
            return None
        prefix = f"{self.path}{rules.path_end or ':'}" if rules.shows_path else ""
        prefix = octets_of_text(prefix) if in_octets else prefix
        if starts is not None and rules.shows_number:
            return "".join(
                [f"{prefix}{number + i}:{starts[i]}:{lines[i]}{line_end}" for i in selected]
            )
        if starts is not None:
            return "".join([f"{prefix}{starts[i]}:{lines[i]}{line_end}" for i in selected])
        if rules.shows_number:
            return "".join([f"{prefix}{number + i}:{lines[i]}{line_end}" for i in selected])
        return "".join([f"{prefix}{lines[i]}{line_end}" for i in selected])

    def context_lines(
        self,
        lines: list[str],
        groups: list[Group],
        chosen: set[int],
        number: int,
        starts: list[int] | None,
    ) -> str | None:
        """Format all groups of lines at once; None if they need more than a simple prefix."""
        rules, line_end = self._rules, self._rules.line_end
        if not self.is_simple:
            return None
        pieces: list[str] = []
        is_bare = starts is None and not (rules.shows_path or rules.shows_number)
        separator, has_printed = self.separator_line, self.has_printed
        paths = {mark: f"{self.path}{rules.path_end or mark}" * rules.shows_path for mark in ":-"}
        for start, stop, is_new in groups:
            if is_new and has_printed:
                pieces.append(separator)
            has_printed = True
            if is_bare:
                pieces.append(line_end.join(lines[start:stop]))
                pieces.append(line_end)
                continue
            for i in range(start, stop):
                mark = ":" if i in chosen else "-"
                counted = f"{number + i}{mark}" if rules.shows_number else ""
                offset = f"{starts[i]}{mark}" if starts is not None else ""
                pieces.append(f"{paths[mark]}{counted}{offset}{lines[i]}{line_end}")
        return "".join(pieces)

    def match_lines(self, matches: Iterator[re.Match[str]], text: str, number: int) -> list[str]:
        """Return the matches in a chunk of lines, each after the file name and line number."""
        rules = self._rules
        prefix = f"{self.path}{rules.path_end or ':'}" if rules.shows_path else ""
        if rules.shows_number:
            return [f"{prefix}{match}" for match in numbered_matches(matches, text, number)]
        return [f"{prefix}{match.group()}" for match in matches]

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
        """Yield each match on a line of its own; with `-v`, the matches in context lines."""
        rules = self._rules
        if (mark == "-") != rules.inverts:
            return
        for start, end in self.match_spans(text):
            prefix = ""
            if rules.shows_path or rules.shows_number or rules.shows_offset:
                match_offset = offset + byte_length(text[:start]) if rules.shows_offset else 0
                prefix = self.line_prefix(mark, number, match_offset, True)
            match = text[start:end]
            yield f"{prefix}{self.paint('ms' if mark == ':' else 'mc', match)}{rules.line_end}"

    def match_spans(self, text: str) -> list[tuple[int, int]]:
        """Return the spans of the non-empty matches in a line."""
        regex = self._rules.regex
        native = None if regex.match_start_group else regex.native(text)
        if native is not None:
            return [match.span() for match in native.finditer(text) if match.group()]
        matches = regex.find_all(text, self._sh.tick)
        return [(match.start, match.end) for match in matches if match.end > match.start]

    def highlight(self, colors: GrepColors, text: str, mark: str) -> str:
        """Color a line: the matches, and the text between them if that has a color."""
        inverts = self._rules.inverts
        line = "sl" if (mark == ":") != (inverts and colors.is_reversed) else "cx"
        match = "ms" if mark == ":" else "mc"
        pieces, offset = [], 0
        if (mark == ":") != inverts and colors.start_code(match):
            for start, end in self.match_spans(text):
                pieces += [colors.start_code(line), text[offset:start]]
                pieces.append(colors.paint(match, text[start:end]))
                offset = end
        rest = text[offset:].removesuffix("\r")
        return "".join(
            [*pieces, colors.paint(line, rest) if rest else "", text[offset + len(rest) :]]
        )

    def paint(self, name: str, text: str) -> str:
        """Return colored text, if colors are used."""
        return text if self._colors is None else self._colors.paint(name, text)

    def line_prefix(self, mark: str, number: int, offset: int, has_text: bool) -> str:
        """Return the prefix of a line: file name, line number and byte offset."""
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
        """Return the output for `-l` and `-L`."""
        if self._rules.is_json:
            return {"path": self.path}
        return f"{self.paint('fn', self.path)}{self._rules.path_end or chr(10)}"

    def count_line(self, number: int) -> str | dict[str, Any]:
        """Return the output for `-c`."""
        rules = self._rules
        if rules.is_json:
            return {"path": self.path, "count": number}
        path = self.paint("fn", self.path)
        prefix = f"{path}{rules.path_end or self.paint('se', ':')}" if rules.shows_path else ""
        return f"{prefix}{number}\n"

    @property
    def separator_line(self) -> str:
        """The line between groups of lines that are not adjacent."""
        rules = self._rules
        if rules.separator is None or rules.is_json:
            return ""
        return f"{self.paint('se', rules.separator)}\n"

    def report_binary(self) -> None:
        """Report that a binary file matches."""
        self._sh.note(f"{self.path}: binary file matches")


def numbered_matches(matches: Iterator[re.Match[str]], text: str, number: int) -> Iterator[str]:
    """Yield the matches in a chunk of lines, each after the number of its line."""
    offset = 0
    for match in matches:
        start, end = match.span()
        number += text.count("\n", offset, start)
        offset = start
        yield f"{number}:{text[start:end]}"


def byte_length(text: str) -> int:
    return len(text) if text.isascii() else len(bytes_of_text(text))


def is_valid_utf8(text: str, *, in_octets: bool = False) -> bool:
    """Whether a string, or the one these octets encode, contains no invalid UTF-8."""
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
