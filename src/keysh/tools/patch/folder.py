"""The directory of the files to patch: read, write and back up files by name."""

from __future__ import annotations

from contextlib import suppress

from keysh.gnu.directories import make_parents
from keysh.interp.state.call import os_error_text
from keysh.text.chunks import bytes_of_text, lines, no_limit
from keysh.text.gnu_quoting import message_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.gnu.backups import Backups
    from keysh.interp.state.call import Call
    from keysh.vfs.api import Access


class PatchDirectory:
    """`base` is the path of the directory with a slash, or "".

    `prefixes` are prepended to the path of a backup, and to the last part of its name.
    """

    __slots__ = (
        "_appended_files", "_backups", "_base", "_changed_files", "_prefixes", "_sh",
        "removed_files",
    )  # fmt: skip

    def __init__(self, sh: Call, base: str, backups: Backups, prefixes: tuple[str, str]) -> None:
        self._sh, self._base, self._backups, self._prefixes = sh, base, backups, prefixes
        self._appended_files: set[str] = set()  # files that `append` has written to
        self._changed_files: set[str] = set()  # files that this run has changed
        # Each file comes with the directories that became empty and were removed.
        self.removed_files: list[tuple[str, list[str]]] = []

    def path(self, name: str) -> str:
        """Return the path of a file."""
        return self._sh.path(self._base + name)

    def lines(self, name: str) -> list[str]:
        """Return the lines of a file with their newlines."""
        return list(lines([read_text(self._sh, self._base + name)], no_limit))

    def has(self, name: str) -> bool:
        """Whether a file exists."""
        return self._sh.fs.stat_or_none(self.path(name)) is not None

    def may_contain(self, name: str) -> bool:
        """Whether a name from a patch stays inside the directory."""
        is_outside = name.startswith("/") or ".." in name.split("/")
        return not is_outside or self.path(self._base or ".") == "/"

    def missing_parents(self, name: str) -> int:
        """Return the number of missing parent directories."""
        parts = name.split("/")[:-1]
        return sum(not self.has("/".join(parts[: index + 1])) for index in range(len(parts)))

    def write(self, name: str, text: str) -> None:
        """Write a file."""
        self._write_text(self._base + name, text, "w")
        self._changed_files.add(name)

    def append(self, name: str, text: str) -> None:
        """Append to what this run has written to a file; the first call truncates it."""
        self._write_text(self._base + name, text, "a" if name in self._appended_files else "w")
        self._appended_files.add(name)

    def remove(self, name: str) -> None:
        """Remove a file if it exists, and the parent directories that become empty."""
        if not self.has(name):
            return
        self._sh.fs.remove(self.path(name))
        self._changed_files.add(name)
        empty_parents: list[str] = []
        self.removed_files.append((name, empty_parents))
        while (name := name.rpartition("/")[0]) and base_name(name) not in (".", ".."):
            try:
                self._sh.fs.remove_directory(self.path(name))
            except OSError:
                return
            empty_parents.append(name)

    def remove_link(self, name: str) -> None:
        """Remove a symbolic link."""
        path = self.path(name)
        try:
            if self._sh.fs.stat(path).is_link:
                self._sh.fs.remove(path)
        except FileNotFoundError:
            pass

    def back_up(self, name: str, text: str, *, is_changed: bool) -> None:
        """Write a backup of a file; of a changed file, only its state before this run.

        The backup has the mode of the file and, if it replaces the file, its times.
        """
        if is_changed and name in self._changed_files:
            return
        before, step = self._prefixes
        if before or step:
            base = base_name(name)
            backup = f"{before}{name[: len(name) - len(base)]}{step}{base}"
            self.make_parents(backup)
            backup = self._base + backup
        else:
            backup = self._backups.name_for(self._base + name)
        self._write_text(backup, text, "w")
        if self.has(name):
            stat = self._sh.fs.stat(self.path(name), follow=True)
            self._sh.fs.set_mode(self._sh.path(backup), stat.mode & 0o7777)
            if is_changed:
                self._sh.fs.set_times(self._sh.path(backup), stat.accessed, stat.modified)

    def make_parents(self, name: str) -> None:
        """Make the parent directories of a file."""
        make_parents(self._sh, self.path(name))

    def _write_text(self, path: str, text: str, access: Access) -> None:
        is_there = self._sh.fs.stat_or_none(self._sh.path(path)) is not None
        try:
            before = read_text(self._sh, path) if is_there else None
            output = self._sh.open(path, access)
        except OSError as error:
            name = message_name(path.removeprefix(self._base))
            raise self._sh.fail(
                f"**** Can't create file {name} : {os_error_text(error)}", 2
            ) from None
        try:
            with output as stream:
                stream.write(bytes_of_text(text))
        except OSError as error:
            self._restore(path, before)
            raise self._sh.fail(f"**** write error : {os_error_text(error)}", 2) from None

    def _restore(self, path: str, before: str | None) -> None:
        """Restore a file after a write failed, rather than leave half a file."""
        with suppress(OSError):
            if before is None:
                self._sh.fs.remove(self._sh.path(path))
                return
            with self._sh.open(path, "w") as stream:
                stream.write(bytes_of_text(before))


def base_name(name: str) -> str:
    """Return the last part of a name."""
    return name.rpartition("/")[2]


def read_text(sh: Call, path: str) -> str:
    """Return the text of a file."""
    reader = sh.open_reader(path)
    try:
        return "".join(reader.chunks())
    finally:
        reader.close()
