"""The owners of files, by number and name.

Files of this machine have the owners and names that the machine knows. All other files, such as
those in memory, belong to the shell's user: its name is the variable USER, or else `user`, and
its numbers are 1000 and 1000.
"""

from __future__ import annotations

from keysh.vfs.mounts import FIRST_DEVICE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.vfs.api import Stat

SHELL_USER_NUMBER = 1000


def user_name(sh: Call) -> str:
    """Return the name of the shell's user."""
    return sh.env.get("USER") or sh.env.get("LOGNAME") or "user"


class Owners:
    """Looks up each name once."""

    __slots__ = ("_groups", "_own_name", "_users")

    def __init__(self, sh: Call) -> None:
        self._own_name = user_name(sh)
        self._users: dict[int, str | None] = {}
        self._groups: dict[int, str | None] = {}

    def user_number(self, stat: Stat) -> int:
        return SHELL_USER_NUMBER if is_of_shell(stat) else stat.owner

    def group_number(self, stat: Stat) -> int:
        return SHELL_USER_NUMBER if is_of_shell(stat) else stat.group

    def user(self, stat: Stat) -> str | None:
        """Return the name of a file's owner; None if the number has no name."""
        if is_of_shell(stat):
            return self._own_name
        if stat.owner not in self._users:
            self._users[stat.owner] = name_of_user(stat.owner)
        return self._users[stat.owner]

    def group(self, stat: Stat) -> str | None:
        """Return the name of a file's group; None if the number has no name."""
        if is_of_shell(stat):
            return self._own_name
        if stat.group not in self._groups:
            self._groups[stat.group] = name_of_group(stat.group)
        return self._groups[stat.group]

    def number_of_user(self, name: str) -> int | None:
        """Return a user's number; None if the name is unknown."""
        if name == self._own_name:
            return SHELL_USER_NUMBER
        from pwd import getpwnam  # noqa: PLC0415 - few commands need it

        try:
            return getpwnam(name).pw_uid
        except (KeyError, ValueError):
            return None

    def number_of_group(self, name: str) -> int | None:
        """Return a group's number; None if the name is unknown."""
        if name == self._own_name:
            return SHELL_USER_NUMBER
        from grp import getgrnam  # noqa: PLC0415 - few commands need it

        try:
            return getgrnam(name).gr_gid
        except (KeyError, ValueError):
            return None


def is_of_shell(stat: Stat) -> bool:
    """Whether a file belongs to the shell's user: its file system has no device number."""
    return not stat.device or stat.device >= FIRST_DEVICE


def name_of_user(number: int) -> str | None:
    from pwd import getpwuid  # noqa: PLC0415 - few commands need it

    try:
        return getpwuid(number).pw_name
    except (KeyError, OverflowError):
        return None


def name_of_group(number: int) -> str | None:
    from grp import getgrgid  # noqa: PLC0415 - few commands need it

    try:
        return getgrgid(number).gr_name
    except (KeyError, OverflowError):
        return None
