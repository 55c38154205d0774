"""Backups: rename an existing file before it is replaced (--backup, -S)."""

from __future__ import annotations

import re
from contextlib import suppress

from keysh.gnu.option_values import choice_of
from keysh.interp.state.call import os_error_text
from keysh.text.gnu_quoting import quoted_name
from keysh.vfs.api import identity
from keysh.vfs.paths import last_step

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call

BACKUP_METHODS = {
    "none": "none", "off": "none", "simple": "simple", "never": "simple", "existing": "existing",
    "nil": "existing", "numbered": "numbered", "t": "numbered",
}  # fmt: skip
BACKUP_OPTIONS = ("backup", "backup_plainly", "suffix")
NUMBERED_SUFFIX = re.compile(r"\.~([1-9][0-9]*)~")


def wants_backups(sh: Call) -> bool:
    """Whether any option asks for backups."""
    return any(name in BACKUP_OPTIONS and value is not False for name, value in sh.given)


def backups_of(sh: Call, suffix: str | None) -> Backups:
    """Return the backups that the options ask for. The last method named wins."""
    named = [value for name, value in sh.given if name == "backup" and isinstance(value, str)]
    return Backups(sh, named[-1] if named else None, wants_backups(sh), suffix)


class Backups:
    """Makes backups. `method` is "none", "simple", "existing" or "numbered"."""

    __slots__ = ("_sh", "_suffix", "method")

    def __init__(self, sh: Call, control: str | None, is_asked: bool, suffix: str | None) -> None:
        self._sh = sh
        backup_suffix = sh.env.get("SIMPLE_BACKUP_SUFFIX", "") if suffix is None else suffix
        self._suffix = backup_suffix if backup_suffix and "/" not in backup_suffix else "~"
        self.method = "none"
        if control is not None:
            self.method = backup_method("backup type", control)
        elif is_asked:
            named = sh.env.get("VERSION_CONTROL")
            self.method = backup_method("$VERSION_CONTROL", named) if named else "existing"

    def name_for(self, path: str) -> str:
        """Return the path of a file's backup."""
        highest = 0
        if self.method != "simple":
            name = last_step(path)
            folder = path[: len(path) - len(name)] or "."
            with suppress(OSError):  # an unreadable directory shows none
                for entry in self._sh.fs.list(self._sh.path(folder)):
                    if entry.name.startswith(name):
                        numbered = NUMBERED_SUFFIX.fullmatch(entry.name, len(name))
                        highest = max(highest, int(numbered[1]) if numbered else 0)
        if self.method == "numbered" or highest:
            return f"{path}.~{highest + 1}~"
        return path + self._suffix

    def takes_place_of(self, source: str, target: str) -> bool:
        """Whether the target's backup would replace the source."""
        backup = target + self._suffix
        if self.method == "numbered" or last_step(source) != last_step(backup):
            return False
        fs, place = self._sh.fs, self._sh.path
        try:
            return identity(fs.stat(place(source))) == identity(fs.stat(place(backup)))
        except OSError:
            return False

    def refusal(self, source: str, target: str, done: str) -> str:
        """Return the message for that case; `done` is "copied" or "moved"."""
        danger = f"backing up {quoted_name(target)} might destroy source"
        return f"{danger};  {quoted_name(source)} not {done}"

    def put_aside(self, path: str) -> str:
        """Rename a file to its backup, if it exists; return the backup's path or ""."""
        fs, place = self._sh.fs, self._sh.path
        if self.method == "none":
            return ""
        backup = self.name_for(path)
        try:
            fs.rename(place(path), place(backup))
        except FileNotFoundError:
            return ""
        return backup

    def put_back(self, backup: str, path: str) -> None:
        """Rename a backup to its old path, because its replacement could not be created."""
        try:
            self._sh.fs.rename(self._sh.path(backup), self._sh.path(path))
        except OSError as error:
            self._sh.warn(f"cannot un-backup {quoted_name(path)}: {os_error_text(error)}")


def backup_method(option: str, word: str) -> str:
    """Return the method that a word names."""
    return choice_of(option, word, BACKUP_METHODS)
