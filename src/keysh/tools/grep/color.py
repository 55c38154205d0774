"""The colors of the output, set by GREP_COLORS."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

# Matches in selected lines and in context lines, the lines themselves, file names, line numbers,
# byte offsets and separators. `mt` sets both `ms` and `mc`.
DEFAULT_COLORS = {
    "ms": "01;31", "mc": "01;31", "sl": "", "cx": "", "fn": "35", "ln": "32", "bn": "32",
    "se": "36",
}  # fmt: skip
COLOR_CHARACTERS = "0123456789;"  # allowed in a color; others could be harmful to a terminal


class GrepColors:
    """The colors in use; `is_reversed` swaps those of selected and context lines with `-v`."""

    __slots__ = ("_starts", "end", "is_reversed")

    def __init__(self, asked: str = "") -> None:
        """Parse a setting such as `mt=01;32:fn=34:ne`; unknown names are ignored."""
        codes, clears, self.is_reversed = dict(DEFAULT_COLORS), "\x1b[K", False
        for part in asked.split(":"):
            name, equals, value = part.partition("=")
            if equals and (not name or value.strip(COLOR_CHARACTERS)):
                break  # the rest after an error is ignored
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
        """Return the escape sequence that starts a color."""
        return self._starts[name]

    def paint(self, name: str, text: str) -> str:
        """Return colored text."""
        start = self._starts[name]
        return f"{start}{text}{self.end}" if start else text


def environment_colors(environment: Mapping[str, str]) -> tuple[GrepColors, str]:
    """Return the colors set by the environment, and a warning if GREP_COLOR is set."""
    asked, old = environment.get("GREP_COLORS", ""), environment.get("GREP_COLOR", "")
    if not old or old.strip(COLOR_CHARACTERS):
        return GrepColors(asked), ""
    warning = f"GREP_COLOR='{old}' is deprecated; use GREP_COLORS='mt={old}'"
    return GrepColors(f"mt={old}:{asked}"), warning
