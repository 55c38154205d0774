"""Names of members: quote them, keep them inside the directory, refuse `..`, strip components."""

from __future__ import annotations

import re

from keysh.text.escapes import C_ESCAPES, byte_character
from keysh.text.gnu_quoting import locale_quoted_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call

FATAL_STATUS = 2
ESCAPE_SEQUENCE = re.compile(r"\\([0-7]{1,3}|.)", re.DOTALL)
ESCAPED_CHARACTERS = {**C_ESCAPES, "?": "\x7f"}
MEMBERS, TARGETS = "member names", "hard link targets"


def shown_name(name: str) -> str:
    """Return a name with C escapes for backslashes and unprintable characters."""
    if name.isprintable() and "\\" not in name:
        return name
    return "'".join(locale_quoted_text(part)[1:-1] for part in name.split("'"))


def unquoted_name(name: str) -> str:
    """Return a name with the escapes of `shown_name` decoded."""
    return (
        ESCAPE_SEQUENCE.sub(lambda found: unescaped_character(found[1]), name)
        if "\\" in name
        else name
    )


def unescaped_character(escape: str) -> str:
    """Return the character for what follows a backslash; keep unknown escapes."""
    if escape in ESCAPED_CHARACTERS:
        return ESCAPED_CHARACTERS[escape]
    is_octal = escape.isdecimal()
    return byte_character(int(escape, 8) & 0xFF) if is_octal else f"\\{escape}"


def fatal_error(sh: Call, message: str) -> Exception:
    """Report a message and return the failure to raise: `raise fatal_error(sh, "…")`."""
    sh.warn(message, FATAL_STATUS)
    return sh.fail("Error is not recoverable: exiting now", FATAL_STATUS)


class SafeNames:
    """Removes from names what leads out of the directory, and reports each removed prefix once."""

    __slots__ = ("_sh", "_reported", "is_off")

    def __init__(self, sh: Call, *, is_off: bool) -> None:
        self._sh, self.is_off = sh, is_off
        self._reported: set[tuple[str, str]] = set()

    def inside(self, name: str, kind: str = MEMBERS) -> str:
        """Return a name without leading slashes and without everything up to its last `..`."""
        if self.is_off:
            return name
        end = position = 0
        for step in name.split("/"):
            if step == "..":
                end = position + 2
            position += len(step) + 1
        while name[end : end + 1] == "/":
            end += 1
        if end:
            prefix = name[:end]
            if (prefix, kind) not in self._reported:
                self._reported.add((prefix, kind))
                self._sh.note(f"Removing leading `{shown_name(prefix)}' from {kind}")
        return name[end:] or "."

    def refuses(self, name: str) -> bool:
        """Whether a member must not be extracted because of a `..` in its name; report it."""
        if self.is_off or ".." not in name.split("/"):
            return False
        self._sh.warn(f"{shown_name(name)}: Member name contains '..'", FATAL_STATUS)
        return True


def without_steps(name: str, count: int) -> str:
    """Return a name without its first `count` components; empty if it has no more."""
    for _ in range(count):
        name = name.lstrip("/").partition("/")[2]
    return name.lstrip("/") if count else name
