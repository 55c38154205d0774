"""Names in a listing: indicators, headers and hyperlinks."""

from __future__ import annotations

import stat as kinds
from string import ascii_letters, digits

from keysh.diagnostics.display import display_width
from keysh.text.chunks import bytes_of_text
from keysh.text.gnu_quoting import c_escaped_name, message_name, styled_name

URL_UNRESERVED = frozenset(f"{ascii_letters}{digits}-._~/")
TYPE_INDICATORS = {kinds.S_IFDIR: "/", kinds.S_IFLNK: "@", kinds.S_IFIFO: "|", kinds.S_IFSOCK: "="}


def name_width(text: str) -> int:
    """Return the width of a name; control characters have none."""
    if text.isascii() and text.isprintable():
        return len(text)
    return display_width("".join(char for char in text if char >= " " and char != "\x7f"))


def type_indicator(mode: int, style: str) -> str:
    """Return the indicator of a file type, such as / or *."""
    kind = kinds.S_IFMT(mode)
    if style == "none" or (style == "slash" and kind != kinds.S_IFDIR):
        return ""
    if kind == kinds.S_IFREG:
        return "*" if style == "classify" and mode & 0o111 else ""
    return TYPE_INDICATORS.get(kind, "")


def directory_header(path: str, style: str, hides_controls: bool) -> str:
    """Return the path of a directory as the header of its listing."""
    if style in ("shell", "shell-escape") and ":" in path:
        return message_name(path)
    if style == "escape":  # this style does not escape blanks here
        return c_escaped_name(path, False, special=":")
    return styled_name(path, style, hides_controls, ":" if style in ("c", "locale") else "")


def hyperlink(text: str, host: str, path: str) -> str:
    """Return text as a terminal hyperlink to a file."""
    return f"\x1b]8;;file://{host}{url_path(path)}\a{text}\x1b]8;;\a"


def url_path(path: str) -> str:
    """Return a path in percent-encoding."""
    return "".join(
        chr(byte) if chr(byte) in URL_UNRESERVED else f"%{byte:02x}" for byte in bytes_of_text(path)
    )
