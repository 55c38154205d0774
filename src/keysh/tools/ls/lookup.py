"""Look up operands and the entries of directories."""

from __future__ import annotations

import stat as kinds

from keysh.interp.state.call import os_error_text
from keysh.interp.streams.files import stat_path
from keysh.text.gnu_quoting import quoted_name
from keysh.tools.ls.entry import LsEntry
from keysh.tools.ls.entry import sort_entries as ordered
from keysh.tools.ls.names import name_width
from keysh.vfs.api import Stat
from keysh.vfs.api import identity as identity_of
from keysh.vfs.paths import join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.tools.ls.settings import LsOptions


class EntryLookup:
    """Looks up files, and reports those that cannot be accessed."""

    __slots__ = ("_settings", "_sh")

    def __init__(self, sh: Call, settings: LsOptions) -> None:
        self._sh, self._settings = sh, settings

    def operand_entry(self, path: str) -> LsEntry | None:
        settings, fs, place = self._settings, self._sh.fs, self._sh.path
        try:
            found = fs.stat(place(path), follow=settings.follow in ("operands", "always"))
            if found.is_link and settings.follow == "folders":
                try:
                    behind = fs.stat(place(path), follow=True)
                    found = behind if behind.is_directory else found
                except FileNotFoundError:
                    pass  # a dangling link
        except OSError as error:
            self._sh.warn(f"cannot access {quoted_name(path)}: {os_error_text(error)}", 2)
            return None
        return self._entry(path, path, found)

    def _entry(self, name: str, path: str, found: Stat) -> LsEntry:
        entry = LsEntry(name, path, found)
        if found.is_link:
            fs, place = self._sh.fs, self._sh.path(path)
            try:
                entry.target = fs.read_link(place)
                entry.target_mode = fs.stat(place, follow=True).mode
            except OSError:
                pass  # a dangling link
        return entry

    def directory_entries(self, path: str, is_operand: bool) -> list[LsEntry] | None:
        """Return the sorted entries of a directory, or None if it cannot be read."""
        settings, fs = self._settings, self._sh.fs
        try:
            names = [entry.name for entry in fs.list(self._sh.path(path))]
        except OSError as error:
            status = 2 if is_operand else 1
            self._sh.warn(
                f"cannot open directory {quoted_name(path)}: {os_error_text(error)}", status
            )
            return None
        if settings.dot_files == "all":
            names += [".", ".."]
        entries = []
        for name in names:
            self._sh.tick()
            if self._is_ignored(name):
                continue
            inner = name if path == "." else join(path, name)
            try:
                entries.append(self._child_entry(name, inner))
            except OSError as error:
                self._sh.warn(f"cannot access {quoted_name(inner)}: {os_error_text(error)}")
        return self.sort(entries)

    def directory_identity(self, path: str) -> tuple[int, int]:
        """Return what identifies a directory, to detect loops."""
        there = stat_path(self._sh, path)
        return identity_of(there) if there is not None else (0, 0)

    def _child_entry(self, name: str, path: str) -> LsEntry:
        """Return an entry of a directory, which may be a dangling link."""
        settings, fs, place = self._settings, self._sh.fs, self._sh.path(path)
        found = fs.stat(place)
        if not found.is_link or settings.follow != "always":
            return self._entry(name, path, found)
        try:
            return self._entry(name, path, fs.stat(place, follow=True))
        except OSError as error:
            entry = LsEntry(name, path, Stat(kinds.S_IFLNK))
            entry.is_dangling = True
            if settings.needs_stat:
                self._sh.warn(f"cannot access {quoted_name(path)}: {os_error_text(error)}")
            return entry

    def _is_ignored(self, name: str) -> bool:
        settings = self._settings
        if name.startswith(".") and not settings.dot_files:
            return True
        return any(matches(name) for matches in settings.ignore_matchers)

    def sort(self, entries: list[LsEntry]) -> list[LsEntry]:
        settings = self._settings
        return ordered(
            entries, settings.sort, settings.time, reverse=settings.has("reverse"),
            folders_first=settings.has("group_directories_first"),
            width=lambda entry: name_width(settings.quoted_name(entry.name)),
        )  # fmt: skip
