"""Linking: one link to one file, with the rules and the messages of GNU's ln 9.1."""

from __future__ import annotations

import errno
from contextlib import suppress

from keysh.gnu.backups import Backups
from keysh.gnu.questions import ask_yes_no
from keysh.interp.state.call import os_error_text
from keysh.text.gnu_quoting import message_name, quoted_name
from keysh.vfs.api import identity
from keysh.vfs.paths import normal_path, parent
from keysh.vfs.real_paths import real_path, relative_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.vfs.api import Stat

# With these it is the link's place that is to blame, and only that is named.
LINK_PATH_ERRORS = (errno.EEXIST, errno.ENOSPC, errno.EROFS, errno.EDQUOT)


class Linker:
    """One run of linking, which remembers the links it has made."""

    __slots__ = (
        "_created", "_sh", "asks", "backups", "follows", "relative", "replaces", "symbolic",
        "allows_directories", "verbose",
    )  # fmt: skip

    def __init__(self, sh: Call) -> None:
        self._sh, self.backups = sh, Backups(sh, None, False, None)
        self._created: set[str] = set()
        self.asks = self.replaces = self.follows = self.symbolic = self.relative = False
        self.allows_directories = self.verbose = False

    def link(self, source: str, target: str) -> None:
        """Make the link `target` to what `source` names."""
        sh, fs, path = self._sh, self._sh.fs, self._sh.path
        sh.tick()
        found: Stat | None = None
        try:
            found = fs.stat(path(source), follow=self.symbolic or self.follows)
        except OSError as error:
            if not self.symbolic:
                sh.warn(f"failed to access {quoted_name(source)}: {os_error_text(error)}")
                return
        if (
            found is not None
            and found.is_directory
            and not (self.symbolic or self.allows_directories)
        ):
            sh.warn(f"{message_name(source)}: hard link not allowed for directory")
            return
        text = self._relative_source(source, target) if self.relative else source
        backup = ""
        if self.replaces or self.backups.method != "none":
            try:
                there = fs.stat(path(target))
            except FileNotFoundError:
                there = None
            except OSError as error:
                sh.warn(f"failed to access {quoted_name(target)}: {os_error_text(error)}")
                return
            if there is not None:
                if not self._may_replace(source, target, found, there):
                    return
                try:
                    backup = self.backups.put_aside(target)
                except OSError as error:
                    sh.warn(f"cannot backup {quoted_name(target)}: {os_error_text(error)}")
                    return
        try:
            self._make_link(text, target)
        except OSError as error:
            self._report_failure(text, target, error)
            if backup:
                self.backups.put_back(backup, target)
            return
        self._created.add(normal_path(path(target)))
        if self.verbose:
            arrow = "->" if self.symbolic else "=>"
            before = f"{quoted_name(backup)} ~ " if backup else ""
            sh.tell(f"{before}{quoted_name(target)} {arrow} {quoted_name(text)}\n")

    def _may_replace(self, source: str, target: str, found: Stat | None, there: Stat) -> bool:
        """Whether what is in the link's place may go; else that has been told."""
        sh = self._sh
        if there.is_directory:
            sh.warn(f"{message_name(target)}: cannot overwrite directory")
            return False
        is_one_path = normal_path(sh.path(source)) == normal_path(sh.path(target))
        is_one_file = found is not None and identity(found) == identity(there)
        loses = not self.asks if self.backups.method == "none" else not self.symbolic
        if is_one_file and loses and (there.links == 1 or is_one_path):
            sh.warn(f"{quoted_name(source)} and {quoted_name(target)} are the same file")
            return False
        guards = self.replaces and not self.symbolic and self.backups.method != "numbered"
        if guards and normal_path(sh.path(target)) in self._created:
            sh.warn(
                f"will not overwrite just-created {quoted_name(target)} with {quoted_name(source)}"
            )
            return False
        return not self.asks or ask_yes_no(sh, f"replace {quoted_name(target)}?")

    def _make_link(self, source: str, target: str) -> None:
        fs, place = self._sh.fs, self._sh.path(target)

        def make(place: str) -> None:
            if self.symbolic:
                if not source:
                    raise FileNotFoundError(errno.ENOENT, "", target)
                fs.make_link(source, place)
            else:
                existing = self._sh.path(source)
                fs.link(fs.resolve(existing) if self.follows else existing, place)

        try:
            make(place)
        except FileExistsError:
            if not self.replaces:
                raise
            # Made beside it and then put in its place, so that nothing is lost where making fails.
            number = self._sh.random.randrange(10**9)
            beside = f"{parent(normal_path(place))}/.ln-{number:09}"
            make(beside)
            try:
                fs.rename(beside, place)
            finally:
                with suppress(FileNotFoundError):  # it is there where renaming has done nothing
                    fs.remove(beside)

    def _relative_source(self, source: str, target: str) -> str:
        """The path of the source as seen from the link's directory."""
        sh = self._sh
        try:
            folder = parent(normal_path(sh.path(target)))
            return relative_path(
                real_path(sh.fs, sh.path(source), "all"), real_path(sh.fs, sh.path(folder), "all")
            )
        except OSError:
            return source

    def _report_failure(self, source: str, target: str, error: OSError) -> None:
        if self.symbolic:
            is_of_text = error.errno == errno.ENAMETOOLONG or not source
            names = f"symbolic link {quoted_name(target)}" + (
                f" -> {quoted_name(source)}" if is_of_text else ""
            )
        else:
            names = f"hard link {quoted_name(target)}" + (
                "" if error.errno in LINK_PATH_ERRORS else f" => {quoted_name(source)}"
            )
        self._sh.warn(f"failed to create {names}: {os_error_text(error)}")
