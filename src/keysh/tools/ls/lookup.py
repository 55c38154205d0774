"""Look up operands and the entries of directories."""

from __future__ import annotations

import stat as kinds

from keysh.interp.state.call import os_error_text
from keysh.text.gnu_quoting import quoted_name
from keysh.tools.ls.entry import LsEntry, sort_entries
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

    __slots__ = ("_options", "_sh")

    def __init__(self, sh: Call, options: LsOptions) -> None:
        self._sh, self._options = sh, options

    def operand_entry(self, path: str) -> LsEntry | None:
        options, fs, path_of = self._options, self._sh.fs, self._sh.path
        try:
            file_status = fs.stat(path_of(path), follow=options.follow in ("operands", "always"))
            if file_status.is_link and options.follow == "folders":
                try:
                    target = fs.stat(path_of(path), follow=True)
                    file_status = target if target.is_directory else file_status
                except FileNotFoundError:
                    pass  # a dangling link
        except OSError as error:
            self._sh.warn(f"cannot access {quoted_name(path)}: {os_error_text(error)}", 2)
            return None
        return self._entry(path, path, file_status)

    def _entry(self, name: str, path: str, file_status: Stat) -> LsEntry:
        entry = LsEntry(name, path, file_status)
        if file_status.is_link:
            fs, real_path = self._sh.fs, self._sh.path(path)
            try:
                entry.target = fs.read_link(real_path)
                entry.target_mode = fs.stat(real_path, follow=True).mode
            except OSError:
                pass  # a dangling link
        return entry

    def directory_entries(self, path: str, is_operand: bool) -> list[LsEntry] | None:
        """Return the sorted entries of a directory, or None if it cannot be read."""
        options, fs = self._options, self._sh.fs
        try:
            names = [entry.name for entry in fs.list(self._sh.path(path))]
        except OSError as error:
            status = 2 if is_operand else 1
            self._sh.warn(
                f"cannot open directory {quoted_name(path)}: {os_error_text(error)}", status
            )
            return None
        if options.dot_files == "all":
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
        stat_ = self._sh.stat(path)
        return identity_of(stat_) if stat_ is not None else (0, 0)

    def _child_entry(self, name: str, path: str) -> LsEntry:
        """Return an entry of a directory, which may be a dangling link."""
        options, fs, real_path = self._options, self._sh.fs, self._sh.path(path)
        file_status = fs.stat(real_path)
        if not file_status.is_link or options.follow != "always":
            return self._entry(name, path, file_status)
        try:
            return self._entry(name, path, fs.stat(real_path, follow=True))
        except OSError as error:
            entry = LsEntry(name, path, Stat(kinds.S_IFLNK))
            entry.is_dangling = True
            if options.needs_stat:
                self._sh.warn(f"cannot access {quoted_name(path)}: {os_error_text(error)}")
            return entry

    def _is_ignored(self, name: str) -> bool:
        options = self._options
        if name.startswith(".") and not options.dot_files:
            return True
        return any(matches(name) for matches in options.ignore_matchers)

    def sort(self, entries: list[LsEntry]) -> list[LsEntry]:
        options = self._options
        return sort_entries(
            entries, options.sort, options.time, reverse=options.has("reverse"),
            folders_first=options.has("group_directories_first"),
            width=lambda entry: name_width(options.quoted_name(entry.name)),
        )  # fmt: skip
