"""Names: how tar shows, shortens and selects the names of members."""

from __future__ import annotations

import re

from keysh.text.escapes import byte_character
from keysh.text.gnu_quoting import locale_quoted_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call

FATAL_STATUS = 2  # the status of what is not done
ESCAPE_SEQUENCE = re.compile(r"\\([0-7]{1,3}|.)", re.DOTALL)
ESCAPED_CHARACTERS = {
    "a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "?": "\x7f",
    "\\": "\\",
}  # fmt: skip
MEMBERS, TARGETS = "member names", "hard link targets"


def shown_name(name: str) -> str:
    """A name with the escapes of C for what is not printed, and for backslashes."""
    if name.isprintable() and "\\" not in name:
        return name
    return "'".join(locale_quoted_text(part)[1:-1] for part in name.split("'"))


def unquoted_name(name: str) -> str:
    """A name without the escapes that `shown_name` writes."""
    return (
        ESCAPE_SEQUENCE.sub(lambda found: unescaped_character(found[1]), name)
        if "\\" in name
        else name
    )


def unescaped_character(escape: str) -> str:
    """The character that stands behind a backslash, or for it with digits; others stay."""
    if escape in ESCAPED_CHARACTERS:
        return ESCAPED_CHARACTERS[escape]
    is_octal = escape.isdecimal()
    return byte_character(int(escape, 8) & 0xFF) if is_octal else f"\\{escape}"


def fatal_error(sh: Call, message: str) -> Exception:
    """The failure that ends all: `raise fatal(sh, "…")`."""
    sh.warn(message, FATAL_STATUS)
    return sh.fail("Error is not recoverable: exiting now", FATAL_STATUS)


class SafeNames:
    """Takes from names what would lead out of the directory, and tells of each such beginning."""

    __slots__ = ("_sh", "_reported", "is_off")

    def __init__(self, sh: Call, *, is_off: bool) -> None:
        self._sh, self.is_off = sh, is_off
        self._reported: set[tuple[str, str]] = set()

    def inside(self, name: str, what: str = MEMBERS) -> str:
        """The name without a slash at its front, and without all up to its last `..`."""
        if self.is_off:
            return name
        end = at = 0
        for step in name.split("/"):
            if step == "..":
                end = at + 2
            at += len(step) + 1
        while name[end : end + 1] == "/":
            end += 1
        if end:
            prefix = name[:end]
            if (prefix, what) not in self._reported:
                self._reported.add((prefix, what))
                says = f"Removing leading `{shown_name(prefix)}' from {what}"
                self._sh.note(says)
        return name[end:] or "."


def without_steps(name: str, count: int) -> str:
    """A name without its first steps; empty where it has no more."""
    for _ in range(count):
        name = name.lstrip("/").partition("/")[2]
    return name.lstrip("/") if count else name
