"""The colours of grep's output, as GREP_COLORS sets them."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

# What is coloured: the matches in selected lines and in those around, the lines themselves, names,
# numbers, offsets and separators. `mt` sets the matches of both.
DEFAULT_COLORS = {
    "ms": "01;31", "mc": "01;31", "sl": "", "cx": "", "fn": "35", "ln": "32", "bn": "32",
    "se": "36",
}  # fmt: skip
COLOR_CHARACTERS = "0123456789;"  # the characters of a colour; others could harm a terminal


class GrepColors:
    """The colours in use; `is_reversed` swaps those of lines where `-v` selects them."""

    __slots__ = ("_starts", "end", "is_reversed")

    def __init__(self, asked: str = "") -> None:
        """Read a text like `mt=01;32:fn=34:ne`. What it does not know it passes over."""
        codes, clears, self.is_reversed = dict(DEFAULT_COLORS), "\x1b[K", False
        for part in asked.split(":"):
            name, equals, value = part.partition("=")
            if equals and (not name or value.strip(COLOR_CHARACTERS)):
                break  # where it is wrong, the rest is not read
            if equals and name in DEFAULT_COLORS:
                codes[name] = value
            elif name == "mt":
                codes["ms"] = value if equals else codes["ms"]
                codes["mc"] = codes["ms"]
            elif name == "rv":
                self.is_reversed = True
            elif name == "ne":
                clears = ""
        self.end = f"\x1b[m{clears}"
        self._starts = {name: f"\x1b[{code}m{clears}" * bool(code) for name, code in codes.items()}

    def start_code(self, name: str) -> str:
        """What switches a colour on."""
        return self._starts[name]

    def paint(self, name: str, text: str) -> str:
        """A text in a colour."""
        start = self._starts[name]
        return f"{start}{text}{self.end}" if start else text


def environment_colors(environment: Mapping[str, str]) -> tuple[GrepColors, str]:
    """The colours that the environment asks for, and a warning about the old way to ask."""
    asked, old = environment.get("GREP_COLORS", ""), environment.get("GREP_COLOR", "")
    if not old or old.strip(COLOR_CHARACTERS):
        return GrepColors(asked), ""
    warning = f"GREP_COLOR='{old}' is deprecated; use GREP_COLORS='mt={old}'"
    return GrepColors(f"mt={old}:{asked}"), warning
