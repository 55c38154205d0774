"""Create a single link with the rules and messages of GNU ln 9.1."""

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

# These errors concern the link's location, so the message names only the link.
LINK_PATH_ERRORS = (errno.EEXIST, errno.ENOSPC, errno.EROFS, errno.EDQUOT)


class Linker:
    """One run of ln, which remembers the links it has made."""

    __slots__ = (
        "_created", "_sh", "allows_directories", "asks", "backups", "follows", "relative",
        "replaces", "symbolic", "verbose",
    )  # fmt: skip

    def __init__(self, sh: Call) -> None:
        self._sh, self.backups = sh, Backups(sh, None, False, None)
        self._created: set[str] = set()
        self.asks = self.replaces = self.follows = self.symbolic = self.relative = False
        self.allows_directories = self.verbose = False

    def link(self, source: str, target: str) -> None:
        """Create the link `target` to `source`."""
        sh, fs, path = self._sh, self._sh.fs, self._sh.path
        sh.tick()
        source_stat: Stat | None = None
        try:
            source_stat = fs.stat(path(source), follow=self.symbolic or self.follows)
        except OSError as error:
            if not self.symbolic:
                sh.warn(f"failed to access {quoted_name(source)}: {os_error_text(error)}")
                return
        if (
            source_stat is not None
            and source_stat.is_directory
            and not (self.symbolic or self.allows_directories)
        ):
            sh.warn(f"{message_name(source)}: hard link not allowed for directory")
            return
        text = self._relative_source(source, target) if self.relative else source
        backup = ""
        if self.replaces or self.backups.method != "none":
            try:
                existing = fs.stat(path(target))
            except FileNotFoundError:
                existing = None
            except OSError as error:
                sh.warn(f"failed to access {quoted_name(target)}: {os_error_text(error)}")
                return
            if existing is not None:
                if not self._may_replace(source, target, source_stat, existing):
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
            backup_note = f"{quoted_name(backup)} ~ " if backup else ""
            sh.tell(f"{backup_note}{quoted_name(target)} {arrow} {quoted_name(text)}\n")

    def _may_replace(
        self, source: str, target: str, source_stat: Stat | None, existing: Stat
    ) -> bool:
        """Tell whether the existing file may be replaced; report if not."""
        sh = self._sh
        if existing.is_directory:
            sh.warn(f"{message_name(target)}: cannot overwrite directory")
            return False
        is_one_path = normal_path(sh.path(source)) == normal_path(sh.path(target))
        is_one_file = source_stat is not None and identity(source_stat) == identity(existing)
        loses = not self.asks if self.backups.method == "none" else not self.symbolic
        if is_one_file and loses and (existing.links == 1 or is_one_path):
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
        fs, link_path = self._sh.fs, self._sh.path(target)

        def make(link_path: str) -> None:
            if self.symbolic:
                if not source:
                    raise FileNotFoundError(errno.ENOENT, "", target)
                fs.make_link(source, link_path)
            else:
                existing = self._sh.path(source)
                fs.link(fs.resolve(existing) if self.follows else existing, link_path)

        try:
            make(link_path)
        except FileExistsError:
            if not self.replaces:
                raise
            # Make a temporary link and rename it, so that nothing is lost if making it fails.
            number = self._sh.random.randrange(10**9)
            temporary = f"{parent(normal_path(link_path))}/.ln-{number:09}"
            make(temporary)
            try:
                fs.rename(temporary, link_path)
            finally:
                with suppress(FileNotFoundError):  # it remains if the rename did nothing
                    fs.remove(temporary)

    def _relative_source(self, source: str, target: str) -> str:
        """Return the path of the source relative to the link's directory."""
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
            names_source = error.errno == errno.ENAMETOOLONG or not source
            names = f"symbolic link {quoted_name(target)}" + (
                f" -> {quoted_name(source)}" if names_source else ""
            )
        else:
            names = f"hard link {quoted_name(target)}" + (
                "" if error.errno in LINK_PATH_ERRORS else f" => {quoted_name(source)}"
            )
        self._sh.warn(f"failed to create {names}: {os_error_text(error)}")
