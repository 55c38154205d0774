"""Compare the members of an archive with the files of their names (-d)."""

from __future__ import annotations

import errno

from keysh.archive import tar_reader as tar
from keysh.gnu.owners import Owners
from keysh.interp.state.call import os_error_text
from keysh.text.gnu_quoting import locale_quoted_text
from keysh.tools.tar.listing import name_text
from keysh.tools.tar.safe_names import FATAL_STATUS, TARGETS, shown_name
from keysh.vfs.api import failure, identity
from keysh.vfs.paths import join, without_slash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.archive.tar_reader import TarMember, TarReader
    from keysh.interp.state.call import Call
    from keysh.tools.tar.safe_names import SafeNames
    from keysh.tools.tar.settings import TarSettings
    from keysh.vfs.api import Stat

DIFFERENT_STATUS = 1


class Comparison:
    """Reports differences between members and files, one a line."""

    __slots__ = ("_owners", "_safety", "_settings", "_sh")

    def __init__(self, sh: Call, settings: TarSettings, safety: SafeNames) -> None:
        self._sh, self._settings, self._safety = sh, settings, safety
        self._owners = Owners(sh)

    def lines(self, member: TarMember, name: str, folder: str, reader: TarReader) -> Iterator[str]:
        """Yield the lines for one member."""
        for difference in self._differences(member, name, folder, reader):
            self._sh.status = max(self._sh.status, DIFFERENT_STATUS)
            yield f"{shown_name(without_slash(name))}: {difference}\n"

    def _differences(
        self, member: TarMember, name: str, folder: str, reader: TarReader
    ) -> Iterator[str]:
        path = join(folder, without_slash(name))
        is_link = member.kind == tar.SYMLINK
        if member.kind == tar.LINK:
            target = self._safety.inside(name_text(member.link), TARGETS)
        verb = "readlink" if is_link else "stat"
        stat = self._find_file(path, without_slash(name), verb)
        if stat is None:
            return
        if is_link:
            if not stat.is_link:
                self._report_missing(without_slash(name), verb, "Invalid argument")
            elif self._sh.fs.read_link(path) != name_text(member.link):
                yield "Symlink differs"
        elif member.kind == tar.LINK:
            target_stat = self._find_file(join(folder, target), target, verb)
            if target_stat is not None and identity(target_stat) != identity(stat):
                yield f"Not linked to {locale_quoted_text(target)[1:-1]}"
        elif member.is_directory:
            if not stat.is_directory:
                yield "File type differs"
            elif stat.mode & 0o7777 != member.mode:
                yield "Mode differs"
        elif not member.is_file or not stat.is_file:
            yield "File type differs"
        else:
            yield from self._metadata_differences(member, stat)
            yield from self._content_differences(member, name, path, stat, reader)

    def _find_file(self, path: str, name: str, verb: str) -> Stat | None:
        """Return the status of a member's file; report a missing one and return None."""
        try:
            if not name:
                raise failure(errno.ENOENT, name)
            return self._sh.fs.stat(path, follow=self._settings.has("dereference"))
        except FileNotFoundError as error:
            self._report_missing(name, verb, os_error_text(error))
        except OSError as error:
            self._sh.warn(
                f"{shown_name(name)}: Cannot {verb}: {os_error_text(error)}", FATAL_STATUS
            )
        return None

    def _report_missing(self, name: str, verb: str, reason: str) -> None:
        self._sh.warn(f"{shown_name(name)}: Warning: Cannot {verb}: {reason}", DIFFERENT_STATUS)

    def _metadata_differences(self, member: TarMember, stat: Stat) -> Iterator[str]:
        """Yield differences in mode, owner, group and time."""
        if stat.mode & 0o7777 != member.mode:
            yield "Mode differs"
        if self._owners.user_number(stat) != member.owner_number:
            yield "Uid differs"
        if self._owners.group_number(stat) != member.group_number:
            yield "Gid differs"
        has_fraction = bool(member.modified % tar.SECOND)
        step = 1 if has_fraction else tar.SECOND
        if stat.modified // step != member.modified // step:
            yield "Mod time differs"

    def _content_differences(
        self, member: TarMember, name: str, path: str, stat: Stat, reader: TarReader
    ) -> Iterator[str]:
        """Yield differences in size and contents."""
        if stat.size != member.size:
            yield "Size differs"
            return
        try:
            with self._sh.fs.open(path) as stream:
                for piece in reader.data(member):
                    self._sh.tick()
                    current = stream.read(len(piece))
                    while len(current) < len(piece) and (
                        more := stream.read(len(piece) - len(current))
                    ):
                        current += more
                    if current != piece:
                        yield "Contents differ"
                        return
        except OSError as error:
            self._sh.warn(
                f"{shown_name(without_slash(name))}: Cannot open: {os_error_text(error)}",
                FATAL_STATUS,
            )
