"""The file that a patch is about: its lines, and what becomes of it."""

from __future__ import annotations

from keysh.interp.state.call import why
from keysh.tools.patch.applying import Fit, Target
from keysh.tools.patch.ed_script import ScriptError, edited
from keysh.tools.patch.names import chosen, outside, says_missing, stripped, told_time
from keysh.tools.patch.rejects import text_of
from keysh.tools.patch.telling import (
    CUT,
    hunks,
    ignored,
    kind_of,
    leading,
    lost,
    margins,
    one_by_one,
)
from keysh.vfs.access import may

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.tools.patch.folder import Folder
    from keysh.tools.patch.hunk import Hunk
    from keysh.tools.patch.reading import FilePatch
    from keysh.tools.patch.rules import Rules

TROUBLE = 2
WRITING = 2  # the bit that asks whether a file may be written
UNREVERSED = "Unreversed patch detected!"
REVERSED = "Reversed (or previously applied) patch detected!"
PRIVATE = 0o600  # what -o makes is nobody else's to read, as the file may be


class PatchedFile:
    """One file and the patch for it; `before` keeps what files were that git's patches change."""

    __slots__ = (
        "_before", "_fits", "_folder", "_has_turned", "_is_exact", "_is_first", "_is_new",
        "_is_reversed", "_made", "_name", "_new_name", "_patch", "_rules", "_sh", "_source",
        "lines",
    )  # fmt: skip

    def __init__(
        self, sh: Call, patch: FilePatch, rules: Rules, folder: Folder, before: dict[str, list[str]]
    ) -> None:
        self._sh, self._patch, self._rules, self._folder = sh, patch, rules, folder
        self._before = before
        self._is_reversed = self._is_new = self._has_turned = self._is_first = False
        self._is_exact = self._fits = True  # as far as it is applied, and whether a part of it is
        self._name = self._new_name = self._source = ""
        self._made = ""  # how the file comes by its new name
        self.lines: list[str] = []

    def reverse(self) -> None:
        """Take the patch for the one that takes it back."""
        self._patch, self._is_reversed = self._patch.reversed(), not self._is_reversed

    # ------------------------------------------------------------ which file

    def find(self, name: str | None) -> bool:
        """Find the file, which may be named, and read it; whether there is one to change."""
        patch, git, strip = self._patch, self._patch.git, self._rules.strip
        self._name = name or ""
        if not self._name and not self._has_safe_names():
            return False
        if not self._name and git is not None and git.makes:
            self._made = {"rename": "renamed", "copy": "copied"}[git.makes]
            self._name = stripped(patch.names.get("old", git.old), strip)
            self._new_name = stripped(patch.names.get("new", git.new), strip)
            is_same = self._name == self._new_name
            if is_same and git.makes == "copy":
                self._made = self._new_name = ""
            elif (is_same or not self._folder.has(self._name)) and self._folder.has(self._new_name):
                self._made = f"already {self._made}"
                self._source, self._name, self._new_name = self._name, self._new_name, ""
        self._name = self._name or chosen(patch, strip, self._folder, is_posix=self._rules.is_posix)
        if not self._name:
            self._tell_lost()
            return False
        kept = self._before.get(self._name) if self._is_copy else None
        try:
            self.lines = self._folder.lines(self._name) if kept is None else kept
        except FileNotFoundError:
            self._is_new = True
        except IsADirectoryError:
            pass  # it is refused before it is changed
        except OSError as error:
            says = f"**** Can't open file {self._shown} : {why(error)}"
            raise self._sh.fail(says, TROUBLE) from None
        return True

    def _has_safe_names(self) -> bool:
        """Tell of names that lead out of the folder; whether the patch may be for another one."""
        git = self._patch.git
        dangerous = outside(self._patch, self._rules.strip, self._folder)
        for name, is_told in dangerous.items():
            if is_told:
                self._say(f"Ignoring potentially dangerous file name {self._rules.shown(name)}\n")
        if git is None or not (git.makes and dangerous):
            return True
        self._say(f"Cannot {git.makes} file without two valid file names\n")
        self._sh.status = max(self._sh.status, 1)
        return False

    @property
    def _shown(self) -> str:
        return self._rules.shown(self._name)

    def introduce(self, *, is_first: bool) -> None:
        """Begin to say which kind of patch it is."""
        self._is_first = is_first
        if self._rules.is_verbose:
            self._say("Hmm...")

    @property
    def _is_copy(self) -> bool:
        return self._patch.git is not None and self._patch.git.makes == "copy"

    def _tell_lost(self) -> None:
        """Say that the patch is for no file that is there."""
        kind = kind_of(self._patch, self._rules, is_first=self._is_first)
        self._sh.out.write(
            kind + margins(self._patch, self._rules) + lost(self._patch, self._rules)
        )
        self._sh.status = max(self._sh.status, 1)

    # ------------------------------------------------------------ changing it

    def change(self) -> None:
        """Apply the hunks, tell of them, and write the file."""
        if not self._may_begin():
            return
        kind = kind_of(self._patch, self._rules, is_first=self._is_first)
        before = leading(self._patch) if self._rules.is_verbose else ""
        self._say(kind + margins(self._patch, self._rules) + before)
        if self._patch.git is not None and self._patch.git.is_binary:
            self._say(f"File {self._shown}: git binary diffs are not supported.\n")
            self._sh.status = max(self._sh.status, 1)
            return
        if self._is_refused():
            return
        if self._patch.form == "ed":
            self._edit()
            return
        self._tell_name()
        if not (self._rules.is_forced or self._has_turned) and self._is_applied():
            if not self._may_reverse(UNREVERSED if self._is_reversed else REVERSED):
                self._reject([(hunk, 0) for hunk in self._patch.hunks], "ignored")
                return
            self.reverse()
            self._is_exact = False
        self._apply(self._target())

    def _is_refused(self) -> bool:
        """Whether the file is one that is not changed."""
        rules, sh = self._rules, self._sh
        path = self._folder.path(self._name)
        try:
            stat = sh.fs.stat(path, follow=rules.follows_links)
        except FileNotFoundError:
            return False
        if not stat.is_file:
            self._say(f"File {self._shown} is not a regular file -- refusing to patch\n")
        elif rules.read_only == "ignore" or may(sh.fs, path, stat, WRITING):
            return False
        else:
            is_tried = rules.read_only == "warn"
            does = "trying to patch anyway" if is_tried else "refusing to patch"
            self._say(f"File {self._shown} is read-only; {does}\n")
            if is_tried:
                return False
        self._reject([(hunk, 0) for hunk in self._patch.hunks], "ignored")
        return True

    def _edit(self) -> None:
        """Run a script for ed, of which nothing is told."""
        if self._rules.is_dry:
            return
        if self.lines and not self.lines[-1].endswith("\n"):
            self._say("Newline appended\n")
            self.lines[-1] += "\n"
        try:
            made = edited(self.lines, self._patch.script, self._sh.tick)
        except ScriptError:
            if self._rules.output:
                self._folder.go_on(self._rules.output, "")
            self._say("?\n")
            raise self._sh.fail("**** ed FAILED", TROUBLE) from None
        self._write(made)

    def _target(self) -> Target:
        """The lines, to apply hunks to."""
        rules, conditions = self._rules, None
        if rules.define:
            conditions = f"#ifndef {rules.define}\n", f"#ifdef {rules.define}\n"
        return Target(self.lines, rules.fuzz, rules.blanks_match, self._sh.tick, conditions)

    def _tell_name(self) -> None:
        """Say which file is changed."""
        rules = self._rules
        if rules.is_silent:
            return
        name = self._rules.shown(self._new_name or self._name)
        if rules.output:
            name = f"{rules.output} ({self._made or 'read'} from {self._name})"
        elif self._made:
            name = f"{name} ({self._made} from {self._source or self._name})"
        self._say(f"{'checking' if rules.is_dry else 'patching'} file {name}\n")
        if rules.is_verbose:
            self._say("Using Plan A...\n")

    def _apply(self, target: Target) -> None:
        is_in_the_way = bool(self.lines) and says_missing(self._patch, "old") == 2
        failed: list[tuple[Hunk, int]] = []  # each with how far the result is ahead of the file
        for number, hunk in enumerate(self._patch.hunks, 1):
            self._sh.tick()
            if hunk.is_cut:
                self._say(CUT)
            fit = Fit(0) if is_in_the_way else target.apply(hunk)
            if not fit.line:
                failed.append((hunk, target.ahead))
                if not self._rules.is_silent:
                    line = hunk.old_start + target.ahead
                    ends = " (different line endings)" * target.has_other_ends(hunk, line)
                    self._say(f"Hunk #{number} FAILED at {line}{ends}.\n")
                continue
            self._is_exact = self._is_exact and not (fit.fuzz or fit.offset)
            is_told = fit.fuzz or fit.offset or self._rules.is_verbose
            if is_told and not self._rules.is_silent:
                fuzz = f" with fuzz {fit.fuzz}" if fit.fuzz else ""
                lines = "line" if fit.offset == 1 else "lines"
                offset = f" (offset {fit.offset} {lines})" if fit.offset else ""
                self._say(f"Hunk #{number} succeeded at {fit.line}{fuzz}{offset}.\n")
        hunks_fit = len(failed) < len(self._patch.hunks) or not self._patch.hunks
        if hunks_fit or not self._is_new or self._rules.output:
            self._is_exact, self._fits = self._is_exact and not failed, hunks_fit
            self._write(target.finished())
        if failed:
            self._reject(failed, "FAILED")

    def _say(self, text: str) -> None:
        """Print what is done, beside the file where that is printed itself."""
        (self._sh.err if self._rules.output == "-" else self._sh.out).write(text)

    # ------------------------------------------------------------ patches that are applied already

    def _may_begin(self) -> bool:
        """Whether the file is or is not there as the patch says, or it is to be taken back."""
        is_empty = not self.lines
        side = "new" if is_empty else "old"
        old, new = says_missing(self._patch, "old"), says_missing(self._patch, "new")
        if (not is_empty) >= (new if is_empty else old):
            return True
        ahead = (old, new) if not self._is_new else (new, old)
        if is_empty and ahead == (1, 2):
            return True
        does, what = ("create", "already exists")
        if side == "new":
            does, what = ("empty out", "is already empty")
        if self._is_new:
            does, what = ("delete", "does not exist")
        turned = ", when reversed," if self._is_reversed else ""
        says = f"The next patch{turned} would {does} the file {self._shown},\nwhich {what}!"
        if self._rules.is_forced and not self._rules.is_forward:
            self._say("" if self._rules.is_silent else f"{says}  Applying it anyway.\n")
            return True
        if self._may_reverse(says):
            self.reverse()
            self._has_turned = True
            return True
        self._tell_ignored()
        return False

    def _may_reverse(self, says: str) -> bool:
        """Whether to apply the patch the other way: nobody can be asked, but -t says so."""
        turned = "-R" if self._is_reversed else ""
        if self._rules.is_forward:
            self._say(f"{says}  Skipping patch.\n")
        elif self._rules.is_batch:
            self._say(f"{says}  {'Ignoring' if turned else 'Assuming'} -R.\n")
            return True
        else:
            asks = "Ignore" if turned else "Assume"
            self._say(f"{says}  {asks} -R? [n] \nApply anyway? [n] \n")
            if not self._rules.is_silent:
                self._say("Skipping patch.\n")
        return False

    def _is_applied(self) -> bool:
        """Whether the first hunk fits nowhere, but taken back it would."""
        if not self._patch.hunks:
            return False
        return self._target().seems_applied(self._patch.hunks[0])

    # ------------------------------------------------------------ what is written

    def _write(self, lines: list[str]) -> None:
        """Write the file, or take it away where nothing is left of it."""
        rules, sh = self._rules, self._sh
        text = "".join(lines)
        may_delete = rules.output is None and not rules.is_posix
        says_deleted = may_delete and says_missing(self._patch, "new") == 2
        if says_deleted and text:
            if not rules.is_silent:
                self._say(f"Not deleting file {self._shown} as content differs from patch\n")
            sh.status = max(sh.status, 1)
        if rules.is_dry:
            return
        if rules.output == "-":
            sh.out.write(text)
            return
        name = rules.output or self._new_name or self._name
        self._folder.make_way(name)
        if rules.output is None:
            if self._patch.git is not None:
                self._before.setdefault(self._name, self.lines)
            self._keep(name)
            if not self._fits:
                return
            if not text and (rules.removes_empty or says_deleted):
                self._folder.remove(name)
                self._remove_source()
                return
        times = self._times() if self._fits else None
        mode = PRIVATE if rules.output and not self._folder.has(name) else self._mode()
        if rules.follows_links and rules.output is None:
            self._folder.remove_link(name)
        (self._folder.go_on if rules.output else self._folder.write)(name, text)
        if mode:
            sh.fs.set_mode(self._folder.path(name), mode)
        if times is not None:
            sh.fs.set_times(self._folder.path(name), times, times)
        if rules.output is None:
            self._remove_source()

    def _times(self) -> int | None:
        """The time that the file is to have, as the patch tells it; None for that which it has."""
        rules, patch = self._rules, self._patch
        wanted = told_time(patch, "new", self._sh.now(), rules.time_zone)
        if wanted is None or rules.is_forced:
            return wanted
        known = told_time(patch, "old", self._sh.now(), rules.time_zone)
        if not self._is_new and known is not None and says_missing(patch, "old") != 2:
            path = self._folder.path(self._name)
            if self._sh.fs.stat(path, follow=True).modified != known:
                self._say(f"Not setting time of file {self._shown} (time mismatch)\n")
                return None
        if not self._is_exact:
            self._say(f"Not setting time of file {self._shown} (contents mismatch)\n")
            return None
        return wanted

    def _remove_source(self) -> None:
        """Take away what has been renamed."""
        if self._new_name and not self._is_copy:
            self._keep(self._name)
            self._folder.remove(self._name)

    def _keep(self, name: str) -> None:
        """Make a backup of a file as it was; of one that is only now made, an empty one."""
        rules = self._rules
        if rules.keeps or (rules.keeps_mismatch and not self._is_exact):
            lines = self.lines if name == self._name else []
            self._folder.keep(name, "".join(lines), is_changed=self._fits)

    def _mode(self) -> int:
        """The mode that the file is to have; 0 for that which it has."""
        git = self._patch.git
        if git is not None and git.new_mode and git.new_mode != git.old_mode:
            return git.new_mode & ~self._sh.state.umask if self._is_new else git.new_mode
        if self._new_name or (self._rules.follows_links and self._folder.has(self._name)):
            path = self._folder.path(self._name)
            return self._sh.fs.stat(path, follow=True).mode & 0o7777
        return 0

    def _reject(self, failed: list[tuple[Hunk, int]], what: str) -> None:
        """Tell of the hunks that fit nowhere and write them to a file of their own."""
        sh, rules, count = self._sh, self._rules, len(self._patch.hunks)
        sh.status = max(sh.status, 1)
        name = rules.rejects or f"{rules.output or self._new_name or self._name}.rej"
        if what == "ignored":
            self._say(one_by_one(self._patch, self._rules))
        if not count:
            return
        says = f"{len(failed)} out of {count} {hunks(count)} {what}"
        if rules.is_dry or name == "-":
            self._say(f"{says}\n")
            return
        self._say(f"{says} -- saving rejects to file {self._rules.shown(name)}\n")
        text = text_of(self._patch, failed, rules.reject_form, rules.strip)
        self._folder.go_on(name, text)

    def _tell_ignored(self) -> None:
        """Say that no hunk has been tried."""
        if self._patch.hunks:
            self._say(ignored(self._patch, self._rules))
        self._sh.status = max(self._sh.status, 1)
