"""Compare: the members of an archive beside the files of their names."""

from __future__ import annotations

import errno

from keysh.archive import tar_reader as tar
from keysh.gnu.owners import Owners
from keysh.interp.state.call import why
from keysh.text.gnu_quoting import locale_quoted
from keysh.tools.tar.listing import decoded_name
from keysh.tools.tar.names import FATAL, TARGETS, shown_name
from keysh.vfs.api import failure, identity
from keysh.vfs.paths import bare, join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.archive.tar_reader import Member, Reader
    from keysh.interp.state.call import Call
    from keysh.tools.tar.names import Safety
    from keysh.tools.tar.settings import Settings
    from keysh.vfs.api import Stat

DIFFERENT = 1


class Comparison:
    """Tells how files differ from members, a line each."""

    __slots__ = ("_owners", "_safety", "_settings", "_sh")

    def __init__(self, sh: Call, settings: Settings, safety: Safety) -> None:
        self._sh, self._settings, self._safety = sh, settings, safety
        self._owners = Owners(sh)

    def lines(self, member: Member, name: str, folder: str, reader: Reader) -> Iterator[str]:
        """The lines of one member."""
        for difference in self._differences(member, name, folder, reader):
            self._sh.status = max(self._sh.status, DIFFERENT)
            yield f"{shown_name(bare(name))}: {difference}\n"

    def _differences(self, member: Member, name: str, folder: str, reader: Reader) -> Iterator[str]:
        path = join(folder, bare(name))
        is_link = member.kind == tar.SYMLINK
        if member.kind == tar.LINK:
            target = self._safety.inside(decoded_name(member.link), TARGETS)
        verb = "readlink" if is_link else "stat"
        found = self._found(path, bare(name), verb)
        if found is None:
            return
        if is_link:
            if not found.is_link:
                self._missing(bare(name), verb, "Invalid argument")
            elif self._sh.fs.read_link(path) != decoded_name(member.link):
                yield "Symlink differs"
        elif member.kind == tar.LINK:
            other = self._found(join(folder, target), target, verb)
            if other is not None and identity(other) != identity(found):
                yield f"Not linked to {locale_quoted(target)[1:-1]}"
        elif member.is_directory:
            if not found.is_directory:
                yield "File type differs"
            elif found.mode & 0o7777 != member.mode:
                yield "Mode differs"
        elif not member.is_file or not found.is_file:
            yield "File type differs"
        else:
            yield from self._traits(member, found)
            yield from self._contents(member, name, path, found, reader)

    def _found(self, path: str, name: str, verb: str) -> Stat | None:
        """The file of a member; what is missing is told of."""
        try:
            if not name:
                raise failure(errno.ENOENT, name)
            return self._sh.fs.stat(path, follow=self._settings.has("dereference"))
        except FileNotFoundError as error:
            self._missing(name, verb, why(error))
        except OSError as error:
            self._sh.warn(f"{shown_name(name)}: Cannot {verb}: {why(error)}", FATAL)
        return None

    def _missing(self, name: str, verb: str, reason: str) -> None:
        self._sh.warn(f"{shown_name(name)}: Warning: Cannot {verb}: {reason}", DIFFERENT)

    def _traits(self, member: Member, found: Stat) -> Iterator[str]:
        """What differs beside the bytes."""
        if found.mode & 0o7777 != member.mode:
            yield "Mode differs"
        if self._owners.user_number(found) != member.owner_number:
            yield "Uid differs"
        if self._owners.group_number(found) != member.group_number:
            yield "Gid differs"
        has_fraction = bool(member.modified % tar.SECOND)
        step = 1 if has_fraction else tar.SECOND
        if found.modified // step != member.modified // step:
            yield "Mod time differs"

    def _contents(
        self, member: Member, name: str, path: str, found: Stat, reader: Reader
    ) -> Iterator[str]:
        """What differs in the bytes."""
        if found.size != member.size:
            yield "Size differs"
            return
        try:
            with self._sh.fs.open(path) as stream:
                for piece in reader.data(member):
                    self._sh.tick()
                    there = stream.read(len(piece))
                    while len(there) < len(piece) and (
                        more := stream.read(len(piece) - len(there))
                    ):
                        there += more
                    if there != piece:
                        yield "Contents differ"
                        return
        except OSError as error:
            self._sh.warn(f"{shown_name(bare(name))}: Cannot open: {why(error)}", FATAL)
