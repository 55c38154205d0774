"""A file and the patch for it: find it, apply the hunks, write the result."""

from __future__ import annotations

from keysh.interp.state.call import os_error_text
from keysh.tools.patch.hunk_fitter import HunkFit, PatchTarget
from keysh.tools.patch.messages import (
    TRUNCATED_MESSAGE,
    format_message,
    hunk_noun,
    ignored_hunk_lines,
    ignored_message,
    leading_text_message,
    margin_message,
    not_found_message,
)
from keysh.tools.patch.names import (
    choose_name,
    header_time,
    side_absence,
    strip_directories,
    unsafe_names,
)
from keysh.tools.patch.rejects import rejects_text
from keysh.vfs.real_paths import is_access_allowed

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.tools.patch.folder import PatchDirectory
    from keysh.tools.patch.hunk import PatchHunk
    from keysh.tools.patch.patch_reader import FilePatch
    from keysh.tools.patch.rules import PatchOptions

EXIT_TROUBLE = 2
WRITE_PERMISSION = 2  # for access checks
UNREVERSED_MESSAGE = "Unreversed patch detected!"
REVERSED_MESSAGE = "Reversed (or previously applied) patch detected!"
PRIVATE_MODE = 0o600  # the file may be private, so the output of -o is too


class PatchedFile:
    """A file and its patch; `original_lines` has the files that git patches change."""

    __slots__ = (
        "_any_hunk_fits", "_directory", "_has_swapped_direction", "_is_exact", "_is_first",
        "_is_new", "_is_reversed", "_name", "_new_name", "_origin_verb", "_original_lines",
        "_patch", "_rules", "_sh", "_source", "lines",
    )  # fmt: skip

    def __init__(
        self,
        sh: Call,
        patch: FilePatch,
        rules: PatchOptions,
        directory: PatchDirectory,
        original_lines: dict[str, list[str]],
    ) -> None:
        self._sh, self._patch, self._rules, self._directory = sh, patch, rules, directory
        self._original_lines = original_lines
        self._is_reversed = self._is_new = self._has_swapped_direction = self._is_first = False
        self._is_exact = True  # no fuzz or offset so far
        self._any_hunk_fits = True
        self._name = self._new_name = self._source = ""
        self._origin_verb = ""  # "renamed", "copied" or "already …"
        self.lines: list[str] = []

    def reverse(self) -> None:
        """Reverse the patch."""
        self._patch, self._is_reversed = self._patch.inverse(), not self._is_reversed

    # ------------------------------------------------------------ which file

    def locate(self, name: str | None) -> bool:
        """Find and read the file, which may be given; return whether there is one to patch."""
        patch, git, strip = self._patch, self._patch.git, self._rules.strip
        self._name = name or ""
        if not self._name and not self._has_safe_names():
            return False
        if not self._name and git is not None and git.operation:
            self._origin_verb = {"rename": "renamed", "copy": "copied"}[git.operation]
            self._name = strip_directories(patch.names.get("old", git.old), strip)
            self._new_name = strip_directories(patch.names.get("new", git.new), strip)
            is_same = self._name == self._new_name
            if is_same and git.operation == "copy":
                self._origin_verb = self._new_name = ""
            elif (is_same or not self._directory.has(self._name)) and self._directory.has(
                self._new_name
            ):
                self._origin_verb = f"already {self._origin_verb}"
                self._source, self._name, self._new_name = self._name, self._new_name, ""
        self._name = self._name or choose_name(
            patch, strip, self._directory, is_posix=self._rules.is_posix
        )
        if not self._name:
            self._report_not_found()
            return False
        copied_lines = self._original_lines.get(self._name) if self._is_copy else None
        try:
            self.lines = self._directory.lines(self._name) if copied_lines is None else copied_lines
        except FileNotFoundError:
            self._is_new = True
        except IsADirectoryError:
            pass  # `apply` refuses it
        except OSError as error:
            message = f"**** Can't open file {self._quoted_name} : {os_error_text(error)}"
            raise self._sh.fail(message, EXIT_TROUBLE) from None
        return True

    def _has_safe_names(self) -> bool:
        """Warn about unsafe names; return whether another name may be used."""
        git = self._patch.git
        unsafe = unsafe_names(self._patch, self._rules.strip, self._directory)
        for name, is_reported in unsafe.items():
            if is_reported:
                self._report(
                    f"Ignoring potentially dangerous file name {self._rules.quoted_name(name)}\n"
                )
        if git is None or not (git.operation and unsafe):
            return True
        self._report(f"Cannot {git.operation} file without two valid file names\n")
        self._sh.status = max(self._sh.status, 1)
        return False

    @property
    def _quoted_name(self) -> str:
        return self._rules.quoted_name(self._name)

    def announce(self, *, is_first: bool) -> None:
        """Start the message about the format of the patch."""
        self._is_first = is_first
        if self._rules.is_verbose:
            self._report("Hmm...")

    @property
    def _is_copy(self) -> bool:
        return self._patch.git is not None and self._patch.git.operation == "copy"

    def _report_not_found(self) -> None:
        """Report that the file to patch does not exist."""
        patch, rules, out = self._patch, self._rules, self._sh.out
        out.write(format_message(patch, rules, is_first=self._is_first))
        out.write(margin_message(patch, rules) + not_found_message(patch, rules))
        self._sh.status = max(self._sh.status, 1)

    # ------------------------------------------------------------ changing it

    def apply(self) -> None:
        """Apply the hunks, report on them, and write the file."""
        if not self._may_start():
            return
        kind = format_message(self._patch, self._rules, is_first=self._is_first)
        before = leading_text_message(self._patch) if self._rules.is_verbose else ""
        self._report(kind + margin_message(self._patch, self._rules) + before)
        if self._patch.git is not None and self._patch.git.is_binary:
            self._report(f"File {self._quoted_name}: git binary diffs are not supported.\n")
            self._sh.status = max(self._sh.status, 1)
            return
        if self._is_refused():
            return
        self._report_name()
        if not (self._rules.is_forced or self._has_swapped_direction) and self._is_applied():
            if not self._may_reverse(UNREVERSED_MESSAGE if self._is_reversed else REVERSED_MESSAGE):
                self._reject_hunks([(hunk, 0) for hunk in self._patch.hunks], "ignored")
                return
            self.reverse()
            self._is_exact = False
        self._apply_hunks(self._target())

    def _is_refused(self) -> bool:
        """Whether the file must not be patched; report it."""
        rules, sh = self._rules, self._sh
        path = self._directory.path(self._name)
        try:
            stat = sh.fs.stat(path, follow=rules.follows_links)
        except FileNotFoundError:
            return False
        if not stat.is_file:
            self._report(f"File {self._quoted_name} is not a regular file -- refusing to patch\n")
        elif rules.read_only == "ignore" or is_access_allowed(sh.fs, path, stat, WRITE_PERMISSION):
            return False
        else:
            is_tried = rules.read_only == "warn"
            action = "trying to patch anyway" if is_tried else "refusing to patch"
            self._report(f"File {self._quoted_name} is read-only; {action}\n")
            if is_tried:
                return False
        self._reject_hunks([(hunk, 0) for hunk in self._patch.hunks], "ignored")
        return True

    def _target(self) -> PatchTarget:
        """Return the lines as a target for hunks."""
        rules = self._rules
        return PatchTarget(self.lines, rules.fuzz, rules.blanks_match, self._sh.tick)

    def _report_name(self) -> None:
        """Report which file is patched."""
        rules = self._rules
        if rules.is_silent:
            return
        name = self._rules.quoted_name(self._new_name or self._name)
        if rules.output:
            name = f"{rules.output} ({self._origin_verb or 'read'} from {self._name})"
        elif self._origin_verb:
            name = f"{name} ({self._origin_verb} from {self._source or self._name})"
        self._report(f"{'checking' if rules.is_dry else 'patching'} file {name}\n")
        if rules.is_verbose:
            self._report("Using Plan A...\n")

    def _apply_hunks(self, target: PatchTarget) -> None:
        is_in_the_way = bool(self.lines) and side_absence(self._patch, "old") == 2
        failed: list[tuple[PatchHunk, int]] = []  # each with the line shift at that point
        for number, hunk in enumerate(self._patch.hunks, 1):
            self._sh.tick()
            if hunk.is_truncated:
                self._report(TRUNCATED_MESSAGE)
            fit = HunkFit(0) if is_in_the_way else target.apply(hunk)
            if not fit.line:
                failed.append((hunk, target.line_shift))
                if not self._rules.is_silent:
                    line = hunk.old_start + target.line_shift
                    ends = " (different line endings)" * target.has_different_line_end(hunk, line)
                    self._report(f"Hunk #{number} FAILED at {line}{ends}.\n")
                continue
            self._is_exact = self._is_exact and not (fit.fuzz or fit.offset)
            is_reported = fit.fuzz or fit.offset or self._rules.is_verbose
            if is_reported and not self._rules.is_silent:
                fuzz = f" with fuzz {fit.fuzz}" if fit.fuzz else ""
                lines = "line" if fit.offset == 1 else "lines"
                offset = f" (offset {fit.offset} {lines})" if fit.offset else ""
                self._report(f"Hunk #{number} succeeded at {fit.line}{fuzz}{offset}.\n")
        any_fits = len(failed) < len(self._patch.hunks) or not self._patch.hunks
        if any_fits or not self._is_new or self._rules.output:
            self._is_exact, self._any_hunk_fits = self._is_exact and not failed, any_fits
            self._write(target.result_lines())
        if failed:
            self._reject_hunks(failed, "FAILED")

    def _report(self, text: str) -> None:
        """Write to stdout, or to stderr if stdout has the patched file."""
        (self._sh.err if self._rules.output == "-" else self._sh.out).write(text)

    # ------------------------------------------------------------ patches that are applied already

    def _may_start(self) -> bool:
        """Check that the file exists or is missing as expected, else offer to reverse the patch."""
        is_empty = not self.lines
        side = "new" if is_empty else "old"
        old, new = side_absence(self._patch, "old"), side_absence(self._patch, "new")
        if (not is_empty) >= (new if is_empty else old):
            return True
        absences = (old, new) if not self._is_new else (new, old)
        if is_empty and absences == (1, 2):
            return True
        action, outcome = ("create", "already exists")
        if side == "new":
            action, outcome = ("empty out", "is already empty")
        if self._is_new:
            action, outcome = ("delete", "does not exist")
        reversal = ", when reversed," if self._is_reversed else ""
        message = f"The next patch{reversal} would {action} the file {self._quoted_name},\n"
        message += f"which {outcome}!"
        if self._rules.is_forced and not self._rules.is_forward:
            self._report("" if self._rules.is_silent else f"{message}  Applying it anyway.\n")
            return True
        if self._may_reverse(message):
            self.reverse()
            self._has_swapped_direction = True
            return True
        self._report_ignored()
        return False

    def _may_reverse(self, message: str) -> bool:
        """Whether to reverse the patch: patch cannot ask, but -t agrees."""
        reversal = "-R" if self._is_reversed else ""
        if self._rules.is_forward:
            self._report(f"{message}  Skipping patch.\n")
        elif self._rules.is_batch:
            self._report(f"{message}  {'Ignoring' if reversal else 'Assuming'} -R.\n")
            return True
        else:
            question = "Ignore" if reversal else "Assume"
            self._report(f"{message}  {question} -R? [n] \nApply anyway? [n] \n")
            if not self._rules.is_silent:
                self._report("Skipping patch.\n")
        return False

    def _is_applied(self) -> bool:
        """Whether the first hunk seems to be applied already."""
        if not self._patch.hunks:
            return False
        return self._target().seems_applied(self._patch.hunks[0])

    # ------------------------------------------------------------ what is written

    def _write(self, lines: list[str]) -> None:
        """Write the file, or remove it if it is now empty and should be."""
        rules, sh = self._rules, self._sh
        text = "".join(lines)
        can_delete = rules.output is None and not rules.is_posix
        is_deleted = can_delete and side_absence(self._patch, "new") == 2
        if is_deleted and text:
            if not rules.is_silent:
                self._report(
                    f"Not deleting file {self._quoted_name} as content differs from patch\n"
                )
            sh.status = max(sh.status, 1)
        if rules.is_dry:
            return
        if rules.output == "-":
            sh.out.write(text)
            return
        name = rules.output or self._new_name or self._name
        self._directory.make_parents(name)
        if rules.output is None:
            if self._patch.git is not None:
                self._original_lines.setdefault(self._name, self.lines)
            self._back_up(name)
            if not self._any_hunk_fits:
                return
            if not text and (rules.removes_empty or is_deleted):
                self._directory.remove(name)
                self._remove_source()
                return
        times = self._times() if self._any_hunk_fits else None
        mode = PRIVATE_MODE if rules.output and not self._directory.has(name) else self._mode()
        if rules.follows_links and rules.output is None:
            self._directory.remove_link(name)
        (self._directory.append if rules.output else self._directory.write)(name, text)
        if mode:
            sh.fs.set_mode(self._directory.path(name), mode)
        if times is not None:
            sh.fs.set_times(self._directory.path(name), times, times)
        if rules.output is None:
            self._remove_source()

    def _times(self) -> int | None:
        """Return the time from the patch to set on the file, or None."""
        rules, patch = self._rules, self._patch
        new_time = header_time(patch, "new", self._sh.now(), rules.time_zone)
        if new_time is None or rules.is_forced:
            return new_time
        old_time = header_time(patch, "old", self._sh.now(), rules.time_zone)
        if not self._is_new and old_time is not None and side_absence(patch, "old") != 2:
            path = self._directory.path(self._name)
            if self._sh.fs.stat(path, follow=True).modified != old_time:
                self._report(f"Not setting time of file {self._quoted_name} (time mismatch)\n")
                return None
        if not self._is_exact:
            self._report(f"Not setting time of file {self._quoted_name} (contents mismatch)\n")
            return None
        return new_time

    def _remove_source(self) -> None:
        """Remove the old name of a renamed file."""
        if self._new_name and not self._is_copy:
            self._back_up(self._name)
            self._directory.remove(self._name)

    def _back_up(self, name: str) -> None:
        """Back up the original of a file; a new file has an empty backup."""
        rules = self._rules
        if rules.makes_backups or (rules.backs_up_mismatch and not self._is_exact):
            lines = self.lines if name == self._name else []
            self._directory.back_up(name, "".join(lines), is_changed=self._any_hunk_fits)

    def _mode(self) -> int:
        """Return the mode to set on the file, or 0."""
        git = self._patch.git
        if git is not None and git.new_mode and git.new_mode != git.old_mode:
            return git.new_mode & ~self._sh.umask if self._is_new else git.new_mode
        if self._new_name or (self._rules.follows_links and self._directory.has(self._name)):
            path = self._directory.path(self._name)
            return self._sh.fs.stat(path, follow=True).mode & 0o7777
        return 0

    def _reject_hunks(self, failed: list[tuple[PatchHunk, int]], outcome: str) -> None:
        """Report rejected hunks and write them to a reject file."""
        sh, rules, count = self._sh, self._rules, len(self._patch.hunks)
        sh.status = max(sh.status, 1)
        name = rules.reject_file or f"{rules.output or self._new_name or self._name}.rej"
        if outcome == "ignored":
            self._report(ignored_hunk_lines(self._patch, self._rules))
        if not count:
            return
        message = f"{len(failed)} out of {count} {hunk_noun(count)} {outcome}"
        if rules.is_dry or name == "-":
            self._report(f"{message}\n")
            return
        self._report(f"{message} -- saving rejects to file {self._rules.quoted_name(name)}\n")
        text = rejects_text(self._patch, failed, rules.reject_format, rules.strip)
        self._directory.append(name, text)

    def _report_ignored(self) -> None:
        """Report that the hunks were ignored."""
        if self._patch.hunks:
            self._report(ignored_message(self._patch, self._rules))
        self._sh.status = max(self._sh.status, 1)
