"""The colors of LS_COLORS, by file type and by the end of names."""

from __future__ import annotations

import stat as kinds

from keysh.text.gnu_quoting import quoted_name
from keysh.text.ls_colors import BadColors, read_color, read_color_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from keysh.tools.ls.entry import LsEntry

ESCAPE_START = "\x1b["  # of an escape sequence
ERASE_TO_LINE_END = "\x1b[K"  # erases the rest of a line
# GNU's defaults where LS_COLORS is not set.
DEFAULT_COLORS = {
    "rs": "0", "di": "01;34", "ln": "01;36", "pi": "33", "so": "01;35", "bd": "01;33",
    "cd": "01;33", "ex": "01;32", "su": "37;41", "sg": "30;43", "st": "37;44", "ow": "34;42",
    "tw": "30;42",
}  # fmt: skip
COLOR_KEYS = {*DEFAULT_COLORS, "lc", "rc", "ec", "no", "fi", "mi", "or", "do", "ca", "mh", "cl"}
TYPE_COLOR_KEYS = {
    kinds.S_IFDIR: "di", kinds.S_IFLNK: "ln", kinds.S_IFIFO: "pi", kinds.S_IFSOCK: "so",
    kinds.S_IFBLK: "bd", kinds.S_IFCHR: "cd",
}  # fmt: skip


class FileColors:
    """The colors of a setting such as `di=01;34:*.py=33`."""

    __slots__ = ("_codes", "_endings", "_is_exact", "is_used")

    def __init__(
        self, text: str = "", default: Mapping[str, str] = DEFAULT_COLORS, *, is_exact: bool = False
    ) -> None:
        """`default` has the defaults, `rs` at least.

        With `is_exact`, as tree has it, color 0 is written like any other, and the case of name
        endings matters.
        """
        self._is_exact = is_exact
        self._codes = dict(default)
        self._endings: list[tuple[str, str]] = []  # the last match counts
        self.is_used = False
        position = 0
        while position < len(text):
            if text[position] == ":":
                position += 1
            elif text[position] == "*":
                name, position = read_color_value(text, position + 1, "=")
                color, position = read_color(text, position)
                self._endings.append((name if is_exact else name.lower(), color))
            else:
                name, position = text[position : position + 2], position + 2
                if name not in COLOR_KEYS and text[position : position + 1] == "=":
                    raise BadColors(f"unrecognized prefix: {quoted_name(name)}")
                self._codes[name], position = read_color(text, position)

    @property
    def colors_link_targets(self) -> bool:
        """Whether the color of a link depends on its target."""
        stands_for_target = self._codes.get("ln") == "target" and self._has_color("ex")
        return stands_for_target or self._has_color("or") or self._has_color("mi")

    @property
    def normal_sequence(self) -> str:
        """The sequence before each line if `no` sets a color for everything but names."""
        return self._sequence(self._codes["no"]) if self._has_color("no") else ""

    def color_name(
        self, text: str, entry: LsEntry, *, is_target: bool = False, wraps: bool = False
    ) -> str:
        """Return a name in the color of its file, or the target of a link in that target's color.

        `wraps` means that the text reaches the next line of the terminal: then the background
        color is erased from the rest of that line.
        """
        color = self._color(entry.target_mode if is_target else entry.mode, entry, is_target)
        if color is None:
            return self.plain_name(text, wraps=wraps)
        start = (self._sequence("") if self.normal_sequence else "") + self._sequence(color)
        return start + text + self._end(wraps)

    def plain_name(self, text: str, *, wraps: bool) -> str:
        """Return a name that has no color of its own."""
        return text + self._end(wraps) if self.normal_sequence else text

    def _has_color(self, name: str) -> bool:
        """Whether a key has a color that differs from the terminal's default."""
        return self._codes.get(name, "0") not in ("", "0", "00")

    def _sequence(self, color: str) -> str:
        codes = self._codes
        return f"{codes.get('lc', ESCAPE_START)}{color}{codes.get('rc', 'm')}"

    def _end(self, wraps: bool = False) -> str:
        """Return what follows a colored name."""
        codes = self._codes
        end = codes.get("ec", self._sequence(codes["rs"]))
        return end + codes.get("cl", ERASE_TO_LINE_END) if wraps else end

    def with_initial_reset(self, text: str) -> str:
        """Return output with a reset before its first color."""
        position = -1 if self.is_used else text.find(self._codes.get("lc", ESCAPE_START))
        if position < 0:
            return text
        self.is_used = True
        return text[:position] + self._end() + text[position:]

    @property
    def final_sequence(self) -> str:
        """What ends the output if the sequences are not the usual ones."""
        default = self._sequence("")
        return default if self.is_used and default != f"{ESCAPE_START}m" else ""

    def _color(self, mode: int | None, entry: LsEntry, is_target: bool) -> str | None:
        """Return the color of a mode, where None is a missing target; None if it has no color."""
        codes = self._codes
        if mode is None:
            return codes.get("mi" if is_target and self._has_color("mi") else "or")
        kind = kinds.S_IFMT(mode)
        if kind == kinds.S_IFLNK:
            stands_for_target = codes.get("ln") == "target"
            if entry.target_mode is None and (stands_for_target or self._has_color("or")):
                return codes.get("or")
            if stands_for_target:
                return self._color(entry.target_mode, entry, True)
            return codes.get("ln")
        if kind == kinds.S_IFDIR:
            special = {0o1002: "tw", 0o0002: "ow", 0o1000: "st"}.get(mode & 0o1002, "")
            return codes.get(special if self._has_color(special) else "di")
        if kind != kinds.S_IFREG:
            return codes.get(TYPE_COLOR_KEYS.get(kind, ""))
        for bits, key in ((0o4000, "su"), (0o2000, "sg"), (0o111, "ex")):
            if mode & bits and self._has_color(key):
                return codes[key]
        if entry.stat.links > 1 and not is_target and self._has_color("mh"):
            return codes["mh"]
        return self._by_ending(entry.target if is_target else entry.name, codes.get("fi"))

    def _by_ending(self, name: str, default: str | None) -> str | None:
        name = name if self._is_exact else name.lower()
        colors = (color for end, color in reversed(self._endings) if name.endswith(end))
        return next(colors, default)
