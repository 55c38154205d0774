"""Copy a file or tree, with the rules and messages of GNU's cp 9.1."""

from __future__ import annotations

import errno
import stat as kinds

from keysh.diagnostics.exceptions import failure
from keysh.gnu.copy.maker import CopyMaker, CopyRefused, copy_error
from keysh.gnu.copy.same_file import NOTHING_TO_DO, compare_files
from keysh.gnu.questions import ask_yes_no, overwrite_question
from keysh.text.gnu_quoting import quoted_name
from keysh.vfs.api import Identity, identity
from keysh.vfs.paths import join, last_step, normal_path, without_slash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.gnu.copy.rules import CopyRules
    from keysh.interp.state.call import Call
    from keysh.vfs.api import Stat


class Copier:
    """One run of copying, which remembers what it created.

    Throughout, `stat` is the source's status, and `existing` that of the target, None
    for nothing.
    """

    __slots__ = (
        "_copies", "_folders", "_is_reported", "_maker", "_operand_copies", "_operand_names",
        "_operands", "_rules", "_sh",
    )  # fmt: skip

    def __init__(self, sh: Call, rules: CopyRules) -> None:
        self._sh, self._rules = sh, rules
        self._maker = CopyMaker(sh, rules)
        self._operands: set[tuple[str, Identity]] = set()
        self._operand_copies: set[tuple[str, Identity]] = set()  # copies of operands
        self._folders: set[Identity] = set()  # created ones
        self._copies: dict[Identity, str] = {}  # of files with several links
        self._operand_names, self._is_reported = ("", ""), False

    def copy(self, source: str, target: str) -> bool:
        """Copy an operand. Return whether it was not refused."""
        self._operand_names, self._is_reported = (source, target), False
        self._folders.clear()
        return self._copy(source, target, (), 0)

    def _copy(self, source: str, target: str, above: tuple[Identity, ...], device: int) -> bool:
        """Copy a file or tree, reporting refusals; `above` are its parent directories."""
        self._sh.tick()
        try:
            self._copy_or_refuse(source, target, above, device)
        except CopyRefused as refusal:
            if refusal.args:
                self._sh.warn(refusal.args[0])
                return False
        return True

    def _copy_or_refuse(
        self, source: str, target: str, above: tuple[Identity, ...], device: int
    ) -> None:
        """Copy a file or tree. Raises CopyRefused."""
        rules, fs, path = self._rules, self._sh.fs, self._sh.path
        is_operand = not above
        try:
            stat = fs.stat(path(source), follow=self._follows(is_operand))
        except OSError as error:
            raise copy_error("cannot stat {}", error, source) from None
        if stat.is_directory and not rules.recursive:
            raise CopyRefused(f"-r not specified; omitting directory {quoted_name(source)}")
        is_once = rules.backups is None and not rules.allows_repeats
        if is_operand and is_once and not stat.is_directory:
            self._refuse_repeated(source, stat)
        existing = self._existing_target(source, target, stat, is_operand)
        if stat.is_directory:
            if not (device and rules.stay and stat.device != device):
                self._copy_folder(source, target, stat, existing, above)
            return
        backup = self._put_aside(source, target) if existing is not None else ""
        if rules.verbose:
            self._report_copy(source, target, backup)
        try:
            self._copy_file(source, target, stat, None if backup else existing, is_operand)
        except CopyRefused:
            if rules.backups is not None and backup:
                rules.backups.put_back(backup, target)
            raise

    def _follows(self, is_operand: bool) -> bool:
        """Whether links are followed."""
        return self._rules.follow in ("always", "operands" if is_operand else "always")

    def _copy_file(
        self, source: str, target: str, stat: Stat, existing: Stat | None, is_operand: bool
    ) -> None:
        """Copy a file that is no directory."""
        rules, fs, path = self._rules, self._sh.fs, self._sh.path
        if self._linked_to_copy(target, stat, existing):
            return
        if rules.symbolic_link:
            self._maker.link_symbolically(source, target)
        elif rules.hard_link:
            follows = self._follows(is_operand)
            self._maker.link(fs.resolve(path(source)) if follows else path(source), source, target)
        elif stat.is_link:
            self._maker.copy_link(source, target)
        elif kinds.S_ISFIFO(stat.mode) and rules.recursive:
            self._maker.make_fifo(target, stat)
        else:
            self._maker.write(source, target, stat, existing)
        if is_operand:
            copy = fs.stat(path(target))
            self._operand_copies.add((normal_path(path(target)), identity(copy)))
        if not rules.hard_link:
            self._maker.preserve_attributes(
                stat, target, is_link=stat.is_link or rules.symbolic_link
            )

    def copy_with_parents(self, source: str, folder: str) -> None:
        """Copy an operand and the directories of its path into a directory."""
        relative = without_slash(source)
        fs, path = self._sh.fs, self._sh.path
        parents: list[tuple[str, Stat, bool]] = []
        current = "/" if source.startswith("/") else ""
        for step in relative.split("/")[:-1]:
            current = join(current, step) if current else step
            target = join(folder, current.lstrip("/"))
            try:
                is_new = not fs.stat(path(target), follow=True).is_directory
                if is_new:
                    self._sh.warn(f"{quoted_name(target)} exists but is not a directory")
                    return
            except OSError:
                is_new = True
            message, name = "failed to get attributes of {}", current
            try:
                stat = fs.stat(path(current), follow=True)
                if not stat.is_directory:
                    raise failure(errno.ENOTDIR, current)
                if is_new:
                    message, name = "cannot make directory {}", target
                    self.make_folder(target, stat)
            except OSError as error:
                self._sh.warn(str(copy_error(message, error, name)))
                return
            if is_new and self._rules.verbose:
                self._sh.tell(f"{current} -> {target}\n")
            parents.append((target, stat, is_new))
        self.copy(source, join(folder, relative.lstrip("/")))
        for target, stat, is_new in reversed(parents):
            self.finish_folder(target, stat, is_new=is_new)

    # ------------------------------------------------------------ existing targets

    def _refuse_repeated(self, source: str, stat: Stat) -> None:
        """Refuse an operand that was already given."""
        key = (normal_path(self._sh.path(source)), identity(stat))
        if key in self._operands:
            kind = "directory" if stat.is_directory else "file"
            message = f"warning: source {kind} {quoted_name(source)} specified more than once"
            self._sh.note(message)
            raise CopyRefused
        self._operands.add(key)

    def _existing_target(
        self, source: str, target: str, stat: Stat, is_operand: bool
    ) -> Stat | None:
        """Return the status of what the copy would replace; None for nothing."""
        rules, fs, path = self._rules, self._sh.fs, self._sh.path
        is_name = rules.symbolic_link or rules.hard_link or rules.remove_first
        follows = not (is_name or rules.backups is not None or stat.is_directory or stat.is_link)
        try:
            existing = fs.stat(path(target), follow=follows)
        except FileNotFoundError:
            return None
        except OSError as error:
            if error.errno != errno.ELOOP or not rules.force:
                raise copy_error("cannot stat {}", error, target) from None
            try:
                return fs.stat(path(target))  # a link loop, which --force removes
            except OSError:
                raise copy_error("cannot remove {}", error, target) from None
        if rules.asks != "never":
            self._refuse_same(source, target, stat, existing)
        if not stat.is_directory:
            if rules.update and existing.modified >= stat.modified:
                raise CopyRefused
            if rules.asks == "never" or (rules.asks and not self._may_overwrite(target, existing)):
                raise CopyRefused
        if stat.is_directory and not existing.is_directory:
            names = f"{quoted_name(target)} with directory {quoted_name(source)}"
            raise CopyRefused(f"cannot overwrite non-directory {names}")
        if existing.is_directory and not stat.is_directory:
            raise CopyRefused(
                f"cannot overwrite directory {quoted_name(target)} with non-directory"
            )
        key = (normal_path(path(target)), identity(existing))
        keeps_all = rules.backups is not None and rules.backups.method == "numbered"
        if is_operand and key in self._operand_copies and not keeps_all:
            names = f"{quoted_name(target)} with {quoted_name(source)}"
            raise CopyRefused(f"will not overwrite just-created {names}")
        is_shared = rules.keeps_links and existing.links > 1
        is_replaced = is_shared or (rules.follow == "never" and not stat.is_file)
        is_removed = rules.remove_first or (is_replaced and not rules.only_attributes)
        if is_removed and not existing.is_directory and rules.backups is None:
            self._maker.remove(target)
            return None
        return existing

    def _may_overwrite(self, target: str, existing: Stat) -> bool:
        """Ask whether the target may be replaced."""
        rules = self._rules
        question = overwrite_question(
            self._sh, target, existing, removes=rules.force or rules.remove_first
        )
        return ask_yes_no(self._sh, question)

    def _put_aside(self, source: str, target: str) -> str:
        """Back up the target if the rules say so; return the backup's path or ""."""
        backups = self._rules.backups
        if backups is None:
            return ""
        if backups.takes_place_of(source, target):
            raise CopyRefused(backups.refusal(source, target, "copied"))
        try:
            return backups.put_aside(target)
        except OSError as error:
            raise copy_error("cannot backup {}", error, target) from None

    def _refuse_same(self, source: str, target: str, stat: Stat, existing: Stat) -> None:
        """Refuse to copy a file to itself."""
        verdict = compare_files(self._sh, self._rules, (source, target), (stat, existing))
        if verdict:
            message = f"{quoted_name(source)} and {quoted_name(target)} are the same file"
            raise CopyRefused(*([] if verdict == NOTHING_TO_DO else [message]))

    # ------------------------------------------------------------ directories

    def _copy_folder(
        self,
        source: str,
        target: str,
        stat: Stat,
        existing: Stat | None,
        above: tuple[Identity, ...],
    ) -> None:
        """Copy a directory with its contents."""
        rules, fs, path = self._rules, self._sh.fs, self._sh.path
        if not above:
            self._refuse_repeated(source, stat)
        if identity(stat) in self._folders:
            quoted_source, quoted_target = map(quoted_name, self._operand_names)
            self._is_reported = True
            raise CopyRefused(
                f"cannot copy a directory, {quoted_source}, into itself, {quoted_target}"
            )
        if identity(stat) in above:
            raise CopyRefused(f"cannot copy cyclic symbolic link {quoted_name(source)}")
        if existing is None:
            try:
                self.make_folder(target, stat)
            except OSError as error:
                self._operands.discard((normal_path(path(source)), identity(stat)))
                raise copy_error("cannot create directory {}", error, target) from None
            if rules.verbose:
                self._report_copy(source, target)
        try:
            names = sorted(entry.name for entry in fs.list(path(source)))
        except OSError as error:
            self._sh.warn(str(copy_error("cannot access {}", error, source)))
            names = []
        for name in names:
            inner = join(without_slash(source), name), join(without_slash(target), name)
            self._copy(*inner, (*above, identity(stat)), stat.device)
            if self._is_reported:
                break
        self.finish_folder(target, stat, is_new=existing is None)

    def make_folder(self, target: str, stat: Stat) -> None:
        """Create a directory like another one, writable until it is complete."""
        path = self._sh.path(without_slash(target))
        self._sh.fs.make_directory(path, self._mode_of_folder(stat) | 0o700)
        self._folders.add(identity(self._sh.fs.stat(path)))

    def _mode_of_folder(self, stat: Stat) -> int:
        """Return the mode for a new directory like another one."""
        mode = 0o777 if self._rules.plain_mode else stat.mode & 0o1777
        return mode & ~self._sh.umask

    def finish_folder(self, target: str, stat: Stat, *, is_new: bool) -> None:
        """Set the final mode and times of a complete directory."""
        missing = 0o700 & ~self._mode_of_folder(stat)
        if is_new and missing and not self._rules.keeps_mode:
            path = self._sh.path(target)
            self._sh.fs.set_mode(path, self._sh.fs.stat(path).mode & 0o7777 & ~missing)
        self._maker.preserve_attributes(stat, target)

    # ------------------------------------------------------------ files

    def _linked_to_copy(self, target: str, stat: Stat, existing: Stat | None) -> bool:
        """Link to an earlier copy of the same file, if there is one."""
        if not self._rules.keeps_links or (stat.links < 2 and self._rules.follow == "never"):
            return False
        earlier = self._copies.setdefault(identity(stat), target)
        if earlier == target:
            return False
        if existing is not None:
            self._maker.remove(target)
        self._maker.link(self._sh.path(earlier), earlier, target)
        return True

    def _report_copy(self, source: str, target: str, backup: str = "") -> None:
        shown_backup = f" (backup: {quoted_name(backup)})" if backup else ""
        self._sh.tell(f"{quoted_name(source)} -> {quoted_name(target)}{shown_backup}\n")


def path_in_folder(folder: str, source: str) -> str:
    """Return where an operand goes in a directory. A copy of `x/..` is the directory itself."""
    name = last_step(source)
    return join(folder, "." if name == ".." else "" if name == "/" else name)
