"""Owners: by what names the owners of files are shown.

Files of this machine have owners that the machine knows, and are shown with the names it has for
them. All other files, those in memory for example, are the shell's own: they belong to its user,
who is called as the variable USER says, else `user`, and has the numbers 1000 and 1000.
"""

from __future__ import annotations

from keysh.vfs.mounts import FIRST_DEVICE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.vfs.api import Stat

SHELL_USER_NUMBER = 1000


def user_name(sh: Call) -> str:
    """The name of the shell's user."""
    return sh.env.get("USER") or sh.env.get("LOGNAME") or "user"


class Owners:
    """The names, each looked up once."""

    __slots__ = ("_groups", "_own_name", "_users")

    def __init__(self, sh: Call) -> None:
        self._own_name = user_name(sh)
        self._users: dict[int, str | None] = {}
        self._groups: dict[int, str | None] = {}

    def user_number(self, found: Stat) -> int:
        return SHELL_USER_NUMBER if is_of_shell(found) else found.owner

    def group_number(self, found: Stat) -> int:
        return SHELL_USER_NUMBER if is_of_shell(found) else found.group

    def user(self, found: Stat) -> str | None:
        """The name of a file's owner; None for a number that has none."""
        if is_of_shell(found):
            return self._own_name
        if found.owner not in self._users:
            self._users[found.owner] = name_of_user(found.owner)
        return self._users[found.owner]

    def group(self, found: Stat) -> str | None:
        """The name of a file's group; None for a number that has none."""
        if is_of_shell(found):
            return self._own_name
        if found.group not in self._groups:
            self._groups[found.group] = name_of_group(found.group)
        return self._groups[found.group]

    def number_of_user(self, name: str) -> int | None:
        """The number that a user's name stands for; None where nobody is called so."""
        if name == self._own_name:
            return SHELL_USER_NUMBER
        from pwd import getpwnam  # noqa: PLC0415 - only where owners are asked for

        try:
            return getpwnam(name).pw_uid
        except (KeyError, ValueError):
            return None

    def number_of_group(self, name: str) -> int | None:
        """The number that a group's name stands for."""
        if name == self._own_name:
            return SHELL_USER_NUMBER
        from grp import getgrnam  # noqa: PLC0415 - as above

        try:
            return getgrnam(name).gr_gid
        except (KeyError, ValueError):
            return None


def is_of_shell(found: Stat) -> bool:
    """Whether a file is none of this machine's: its file system numbers no device."""
    return not found.device or found.device >= FIRST_DEVICE


def name_of_user(number: int) -> str | None:
    from pwd import getpwuid  # noqa: PLC0415 - as above

    try:
        return getpwuid(number).pw_name
    except (KeyError, OverflowError):
        return None


def name_of_group(number: int) -> str | None:
    from grp import getgrgid  # noqa: PLC0415 - as above

    try:
        return getgrgid(number).gr_name
    except (KeyError, OverflowError):
        return None
