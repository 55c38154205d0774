"""Color: the lines of a form, marked for a terminal in the colors of a palette."""

from __future__ import annotations

from keysh.text.ls_colors import BadColors, read_color

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

DEFAULT_CODES = {
    "rs": "0", "hd": "1", "ad": "32", "de": "31", "ln": "36", "lc": "\x1b[", "rc": "m",
}  # fmt: skip
PALETTE_KEYS = {*DEFAULT_CODES, "ec"}  # of which the last is read and not written
SIDE_COLORS = {"<": "de", ">": "ad"}  # the marks of lines that stand on one side only


class Palette:
    """The colors: `hd` of a file's name, `ln` of a place, `de` and `ad` of lines, `rs` of none.

    `lc` and `rc` stand before and behind the code of each.
    """

    __slots__ = ("_codes",)

    def __init__(self, text: str = "") -> None:
        """`text` is as `--palette` takes it: `ad=1:de=2`."""
        self._codes = dict(DEFAULT_CODES)
        at = 0
        while at < len(text):
            if text[at] == ":":
                at += 1
                continue
            name, at = text[at : at + 2], at + 2
            says = f"unrecognized prefix: {name}" if text[at : at + 1] == "=" else ""
            if says and name not in PALETTE_KEYS:
                raise BadColors(says)
            try:
                self._codes[name], at = read_color(text, at)
            except BadColors:
                raise BadColors(says) from None

    def paint(self, name: str, text: str) -> str:
        """A text in a color, if it has one."""
        return self._sequence(name) + text + self._sequence("rs") if name else text

    def _sequence(self, name: str) -> str:
        known = self._codes
        return known["lc"] + known[name] + known["rc"]

    def paint_header(self, line: str) -> str:
        """A line that names a file."""
        return self.paint("hd", line.removesuffix("\n")) + "\n"

    def paint_lines(self, form: str, lines: Iterable[str]) -> Iterable[str]:
        """The lines of the normal, the unified and the context form; others stay as they are."""
        if form == "context":
            return self._paint_context(lines)
        color_of = {"normal": normal_color, "unified": unified_color}.get(form)
        if color_of is None:
            return lines
        return (self._paint_line(color_of(line), line) for line in lines)

    def _paint_line(self, name: str, line: str) -> str:
        """A line in a color, but for its newline and for a function it names."""
        # What is said of a missing newline begins with that newline.
        end = len(line.removesuffix("\n")) if line[0] != "\n" else 0
        if name == "ln" and line[0] == "@":
            end = line.index("@@", 2) + 2
        return self.paint(name if end else "", line[:end]) + line[end:]

    def _paint_context(self, lines: Iterable[str]) -> Iterator[str]:
        """The context form: all lines of one side have its color."""
        side = ""
        for line in lines:
            if line.startswith("***************"):
                yield line
            elif line.startswith(("*** ", "--- ")):  # behind the mark of a line stands no second
                side = "de" if line[0] == "*" else "ad"
                yield self._paint_line("ln", line)
            else:
                yield self._paint_line(side, line)


def normal_color(line: str) -> str:
    """The color of a line of the normal form."""
    return "" if line == "---\n" else SIDE_COLORS.get(line[0], "ln")


def unified_color(line: str) -> str:
    """The color of a line of the unified form."""
    return {"@": "ln", "-": "de", "+": "ad"}.get(line[0], "")
