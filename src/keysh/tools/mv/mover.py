"""Move a single file or tree with the rules and messages of GNU mv 9.1."""

from __future__ import annotations

import errno

from keysh.gnu.copy.copier import Copier
from keysh.gnu.copy.rules import CopyRules
from keysh.gnu.copy.same_file import is_same_entry
from keysh.gnu.questions import ask_yes_no, overwrite_question
from keysh.gnu.removal import Remover
from keysh.interp.state.call import os_error_text
from keysh.text.gnu_quoting import quoted_name
from keysh.vfs.api import Identity, identity
from keysh.vfs.paths import normal_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.gnu.backups import Backups
    from keysh.interp.state.call import Call
    from keysh.vfs.api import Stat


class Mover:
    """One run of mv, which remembers what it has created. `asks` is "", "ask" or "never"."""

    __slots__ = ("_created", "_refused_sources", "_sh", "asks", "backups", "update", "verbose")

    def __init__(self, sh: Call, backups: Backups) -> None:
        self._sh, self.backups = sh, backups
        self._created: set[str] = set()
        # Directories that would have moved into themselves.
        self._refused_sources: set[tuple[str, Identity]] = set()
        self.asks = ""
        self.update = self.verbose = False

    def move(self, source: str, target: str) -> None:
        """Move one operand."""
        sh, fs, path = self._sh, self._sh.fs, self._sh.path
        sh.tick()
        try:
            source_stat = fs.stat(path(source))
        except OSError as error:
            sh.warn(f"cannot stat {quoted_name(source)}: {os_error_text(error)}")
            return
        try:
            existing: Stat | None = fs.stat(path(target))
        except FileNotFoundError:
            existing = None
        except OSError as error:
            sh.warn(f"cannot stat {quoted_name(target)}: {os_error_text(error)}")
            return
        if existing is not None and not self._may_replace(source, target, source_stat, existing):
            return
        key = (normal_path(path(source)), identity(source_stat))
        if key in self._refused_sources:
            message = f"warning: source directory {quoted_name(source)} specified more than once"
            sh.note(message)
            return
        backup = ""
        try:
            backup = self.backups.put_aside(target) if existing is not None else ""
        except OSError as error:
            sh.warn(f"cannot backup {quoted_name(target)}: {os_error_text(error)}")
            return
        try:
            fs.rename(path(source), path(target))
        except OSError as error:
            if error.errno == errno.EXDEV:
                is_copied = self._copy_and_remove(source, target, existing if not backup else None)
                if backup and not is_copied:
                    self.backups.put_back(backup, target)
            else:
                # Like GNU, keep the backup if a directory would have moved into itself.
                if backup and error.errno != errno.EINVAL:
                    self.backups.put_back(backup, target)
                if error.errno == errno.EINVAL:
                    self._refused_sources.add(key)
                self._report_failure(source, target, error)
            return
        self._created.add(normal_path(path(target)))
        if self.verbose:
            backup_note = f" (backup: {quoted_name(backup)})" if backup else ""
            sh.tell(f"renamed {quoted_name(source)} -> {quoted_name(target)}{backup_note}\n")

    def _may_replace(self, source: str, target: str, source_stat: Stat, existing: Stat) -> bool:
        """Tell whether the existing file may be replaced; report if not."""
        sh, is_kept = self._sh, self.backups.method != "none"
        if self.asks == "never":
            return False
        fault = ""
        if self._is_same(source, target, source_stat, existing):
            fault = f"{quoted_name(source)} and {quoted_name(target)} are the same file"
        elif not self._may_overwrite(target, source_stat, existing):
            return False
        elif source_stat.is_directory and not existing.is_directory and not is_kept:
            names = f"{quoted_name(target)} with directory {quoted_name(source)}"
            fault = f"cannot overwrite non-directory {names}"
        elif existing.is_directory and not source_stat.is_directory and not is_kept:
            fault = f"cannot overwrite directory {quoted_name(target)} with non-directory"
        elif normal_path(sh.path(target)) in self._created and self.backups.method != "numbered":
            fault = (
                f"will not overwrite just-created {quoted_name(target)} with {quoted_name(source)}"
            )
        elif is_kept and self.backups.takes_place_of(source, target):
            fault = self.backups.refusal(source, target, "moved")
        if fault:
            sh.warn(fault)
        return not fault

    def _may_overwrite(self, target: str, source_stat: Stat, existing: Stat) -> bool:
        """Tell whether -u and the answer to -i allow it."""
        if (
            self.update
            and not source_stat.is_directory
            and existing.modified >= source_stat.modified
        ):
            return False
        sh = self._sh
        return not self.asks or ask_yes_no(
            sh, overwrite_question(sh, target, existing, removes=True)
        )

    def _is_same(self, source: str, target: str, source_stat: Stat, existing: Stat) -> bool:
        """Tell whether the move would lose the file because both paths lead to it."""
        fs, path = self._sh.fs, self._sh.path
        is_one_path = is_same_entry(self._sh, source, target)
        if (source_stat.is_link and existing.is_link) or self.backups.method != "none":
            is_one_file = identity(source_stat) == identity(existing)
            return is_one_path or (is_one_file and source_stat.links == 1)
        if existing.is_link:
            return False
        if source_stat.is_link:
            try:
                source_stat = fs.stat(path(source), follow=True)
            except OSError:
                return False
        return identity(source_stat) == identity(existing)

    def _report_failure(self, source: str, target: str, error: OSError) -> None:
        names = f"{quoted_name(source)} to"
        if error.errno == errno.EINVAL:
            names = f"{names} a subdirectory of itself, {quoted_name(target)}"
            self._sh.warn(f"cannot move {names}")
        else:
            self._sh.warn(f"cannot move {names} {quoted_name(target)}: {os_error_text(error)}")

    def _copy_and_remove(self, source: str, target: str, existing: Stat | None) -> bool:
        """Move to another file system: copy everything, then remove the source.

        Return whether the copy is complete.
        """
        sh, fs, path = self._sh, self._sh.fs, self._sh.path
        if existing is not None:
            try:
                if existing.is_directory:
                    fs.remove_directory(path(target))
                else:
                    fs.remove(path(target))
            except OSError as error:
                names = f"{quoted_name(source)} to {quoted_name(target)}"
                failed = f"inter-device move failed: {names}; unable to remove target"
                sh.warn(f"{failed}: {os_error_text(error)}")
                return False
        rules = CopyRules()
        rules.recursive = rules.keeps_links = rules.keeps_mode = rules.keeps_times = True
        rules.follow = "never"
        previous_status, sh.status = sh.status, 0
        Copier(sh, rules).copy(source, target)
        is_whole = not sh.status
        if is_whole:
            self._created.add(normal_path(path(target)))
            if self.verbose:
                sh.tell(f"copied {quoted_name(source)} -> {quoted_name(target)}\n")
            remover = Remover(sh)
            remover.recursive, remover.verbose = True, self.verbose
            remover.remove(source)
        sh.status = max(sh.status, previous_status)
        return is_whole
