"""Names as a listing writes them: quoted in a style, and in color."""

from __future__ import annotations

import stat as kinds

from keysh.runtime.quoting import is_printed, quoted, shown
from keysh.text.lines import encoded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.commands.ls.entry import Entry

C_ESCAPES = {
    "\a": "\\a", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\v": "\\v",
    "\\": "\\\\",
}  # fmt: skip
SHELL_SPECIAL = frozenset(" !\"$&'()*;<=>?[\\^`|\t\n")
SIGNS = {kinds.S_IFDIR: "/", kinds.S_IFLNK: "@", kinds.S_IFIFO: "|", kinds.S_IFSOCK: "="}

# What GNU's own table says where LS_COLORS is not set.
COLORS = {
    "rs": "0", "di": "01;34", "ln": "01;36", "pi": "33", "so": "01;35", "bd": "01;33",
    "cd": "01;33", "ex": "01;32", "su": "37;41", "sg": "30;43", "st": "37;44", "ow": "34;42",
    "tw": "30;42",
}  # fmt: skip
BY_KIND = {
    kinds.S_IFDIR: "di", kinds.S_IFLNK: "ln", kinds.S_IFIFO: "pi", kinds.S_IFSOCK: "so",
    kinds.S_IFBLK: "bd", kinds.S_IFCHR: "cd",
}  # fmt: skip


def written(name: str, style: str, hides_controls: bool) -> str:
    """A name in a style of quoting."""
    if style in ("c", "escape"):
        return escaped(name, style == "c", special='"' if style == "c" else " ")
    if style == "shell-escape":
        # The message's style also quotes what is only odd there.
        return quoted(name) if needs_quotes(name) else name
    if style == "shell-escape-always":
        return quoted(name)
    if hides_controls:
        name = "".join(char if is_printed(char) else "?" * len(encoded(char)) for char in name)
    if style == "shell-always" or (style == "shell" and needs_quotes(name)):
        return quoted_plainly(name)
    return name


def needs_quotes(name: str) -> bool:
    """Whether a shell would read a name as anything but itself."""
    if not name or name[0] in "#~" or name in ("{", "}"):
        return True
    return any(char in SHELL_SPECIAL or not is_printed(char) for char in name)


def quoted_plainly(name: str) -> str:
    """A name between quotes, control characters as they are."""
    if "'" not in name:
        return f"'{name}'"
    if not any(char in '"$`\\!' for char in name):
        return f'"{name}"'
    return "'" + name.replace("'", "'\\''") + "'"


def escaped(name: str, has_quotes: bool, *, special: str) -> str:
    """A name with the escapes of C and those of what is special, maybe between double quotes."""
    made = []
    for char in name:
        if char in C_ESCAPES:
            made.append(C_ESCAPES[char])
        elif char in special:
            made.append(f"\\{char}")
        elif is_printed(char):
            made.append(char)
        else:
            made.append("".join(f"\\{byte:03o}" for byte in encoded(char)))
    text = "".join(made)
    return f'"{text}"' if has_quotes else text


def sign_of(mode: int, style: str) -> str:
    """The sign behind a name that tells of its kind."""
    kind = kinds.S_IFMT(mode)
    if style == "none" or (style == "slash" and kind != kinds.S_IFDIR):
        return ""
    if kind == kinds.S_IFREG:
        return "*" if style == "classify" and mode & 0o111 else ""
    return SIGNS.get(kind, "")


class Colors:
    """The colors of LS_COLORS: by kinds of file, and by what names end with."""

    __slots__ = ("_by_kind", "_endings", "is_used")

    def __init__(self, text: str | None) -> None:
        self._by_kind = dict(COLORS)
        self._endings: dict[str, str] = {}
        self.is_used = False
        for pair in (text or "").split(":"):
            key, equals, color = pair.partition("=")
            if equals and key.startswith("*"):
                self._endings[key[1:].lower()] = color
            elif equals:
                self._by_kind[key] = color

    @property
    def look_behind_links(self) -> bool:
        """Whether there is a color for links that lead nowhere, or links have that of their end."""
        return bool(self._by_kind.get("or")) or self._by_kind["ln"] == "target"

    def colored(self, text: str, entry: Entry, *, is_target: bool = False) -> str:
        """A name in the color of its file."""
        color = self._color(entry.target_mode if is_target else entry.mode, entry, is_target)
        if not color or color in ("0", "00"):
            return text
        left, right = self._by_kind.get("lc", "\x1b["), self._by_kind.get("rc", "m")
        return f"{left}{color}{right}{text}{self._reset}"

    @property
    def _reset(self) -> str:
        known = self._by_kind
        return f"{known.get('lc', chr(27) + '[')}{known['rs']}{known.get('rc', 'm')}"

    def begun(self, text: str) -> str:
        """What is printed, with the terminal's own color set anew before the first other one."""
        at = -1 if self.is_used else text.find(self._by_kind.get("lc", "\x1b["))
        if at < 0:
            return text
        self.is_used = True
        return text[:at] + self._reset + text[at:]

    def _color(self, mode: int | None, entry: Entry, is_target: bool) -> str:
        known = self._by_kind
        if mode is None:
            return known.get("mi", "") if is_target else known.get("or", "")
        kind = kinds.S_IFMT(mode)
        if kind == kinds.S_IFLNK:
            is_lost = entry.target_mode is None
            if is_lost and known.get("or"):
                return known["or"]
            if known["ln"] != "target":
                return known["ln"]
            return self._color(entry.target_mode, entry, True)
        if kind == kinds.S_IFDIR:
            special = {0o1002: "tw", 0o0002: "ow", 0o1000: "st"}.get(mode & 0o1002)
            return known.get(special or "di") or known["di"]
        if kind != kinds.S_IFREG:
            return known.get(BY_KIND.get(kind, ""), "")
        for bits, key in ((0o4000, "su"), (0o2000, "sg"), (0o111, "ex")):
            if mode & bits and known.get(key):
                return known[key]
        return self._by_ending(entry.target if is_target else entry.name) or known.get("fi", "")

    def _by_ending(self, name: str) -> str:
        name = name.lower()
        for at, char in enumerate(name):
            if (char == "." or not at) and name[at:] in self._endings:
                return self._endings[name[at:]]
        found = [end for end in self._endings if name.endswith(end)]
        return self._endings[found[-1]] if found else ""


def shown_header(path: str, style: str, hides_controls: bool) -> str:
    """A directory's path in front of its listing."""
    if style in ("shell", "shell-escape") and ":" in path:
        return shown(path)
    if style in ("c", "escape"):
        return escaped(path, style == "c", special='":' if style == "c" else ":")
    return written(path, style, hides_controls)
