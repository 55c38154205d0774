"""Names as a listing writes them: quoted in a style, with a sign behind them, as links."""

from __future__ import annotations

import stat as kinds
from string import ascii_letters, digits

from keysh.runtime.quoting import is_printed, quoted, shown
from keysh.text.lines import encoded
from keysh.text.width import display_width

C_ESCAPES = {
    "\a": "\\a", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\v": "\\v",
    "\\": "\\\\",
}  # fmt: skip
CLOSING = "\N{RIGHT SINGLE QUOTATION MARK}"  # with which the locale ends a quotation
SHELL_SPECIAL = frozenset(" !\"$&'()*;<=>?[\\^`|\t\n")
UNRESERVED = frozenset(f"{ascii_letters}{digits}-._~/")
SIGNS = {kinds.S_IFDIR: "/", kinds.S_IFLNK: "@", kinds.S_IFIFO: "|", kinds.S_IFSOCK: "="}


def written(name: str, style: str, hides_controls: bool) -> str:
    """A name in a style of quoting."""
    if style in ("c", "escape"):
        return escaped(name, style == "c", special='"' if style == "c" else " ")
    if style == "locale":
        return f"\N{LEFT SINGLE QUOTATION MARK}{escaped(name, False, special=CLOSING)}{CLOSING}"
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


def width_of(text: str) -> int:
    """The columns a name takes; control characters none."""
    if text.isascii() and text.isprintable():
        return len(text)
    return display_width("".join(char for char in text if char >= " " and char != "\x7f"))


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


def shown_header(path: str, style: str, hides_controls: bool) -> str:
    """A directory's path in front of its listing."""
    if style in ("shell", "shell-escape") and ":" in path:
        return shown(path)
    if style in ("c", "escape"):
        return escaped(path, style == "c", special='":' if style == "c" else ":")
    return written(path, style, hides_controls)


def linked(text: str, host: str, path: str) -> str:
    """A text that leads to a file, for terminals that follow such links."""
    return f"\x1b]8;;file://{host}{quoted_url(path)}\a{text}\x1b]8;;\a"


def quoted_url(path: str) -> str:
    """A path as a URL has it."""
    return "".join(
        chr(byte) if chr(byte) in UNRESERVED else f"%{byte:02x}" for byte in encoded(path)
    )
