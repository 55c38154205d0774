"""Create or extend an archive: turn files into members (-c, -r, -u)."""

from __future__ import annotations

import stat as kinds

from keysh.archive import tar_reader as tar
from keysh.archive.byte_source import READ_CHUNK_BYTES, DamagedData
from keysh.archive.tar_reader import BLOCK_BYTES, TarMember, TarReader, end_of_archive
from keysh.archive.tar_writer import HeaderOverflow, encode_header
from keysh.gnu.modes import changed_mode
from keysh.gnu.owners import Owners
from keysh.gnu.progress import Progress
from keysh.interp.state.call import os_error_text
from keysh.text.chunks import bytes_of_text, decode_chunks
from keysh.text.gnu_quoting import locale_quoted_text
from keysh.tools.tar.archive_stream import COMPRESSORS, REFUSAL, ArchiveInput, open_archive
from keysh.tools.tar.listing import MemberListing, name_text
from keysh.tools.tar.name_patterns import Exclusion
from keysh.tools.tar.safe_names import FATAL_STATUS, TARGETS, SafeNames, fatal_error, shown_name
from keysh.tools.tar.settings import check_folder
from keysh.tools.tar.tags import DirectoryTags
from keysh.tools.tar.totals import ByteTotals
from keysh.tools.tar.transform import HARD_LINK_SCOPE, MEMBER_SCOPE, SYMLINK_SCOPE, transformed_name
from keysh.vfs.api import Identity, identity
from keysh.vfs.paths import join, without_slash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.call import Call
    from keysh.tools.tar.settings import TarSettings
    from keysh.vfs.api import Stat
    from keysh.vfs.stream import Stream

SPECIAL_FILE_TYPES = {
    kinds.S_IFCHR: tar.CHARACTER, kinds.S_IFBLK: tar.DEVICE, kinds.S_IFIFO: tar.FIFO,
}  # fmt: skip
SHRUNK_STATUS = 1
OPTIONS_TOO_LATE = (
    "The following options were used after any non-optional arguments in archive create or update "
    "mode.  These options are positional and affect only arguments that follow them.  Please, "
    "rearrange them properly."
)


class Creator:
    """One run of -c, -r or -u."""

    def __init__(self, sh: Call, settings: TarSettings) -> None:
        self.sh, self.settings = sh, settings
        self.safety = SafeNames(sh, is_off=settings.has("absolute_names"))
        self.exclusion = Exclusion([])  # for the current operand
        self.tags = DirectoryTags(sh, settings)
        self.totals = ByteTotals(sh)
        self.owners = Owners(sh)
        self.listing = MemberListing(sh, settings, self.safety)
        self.progress = Progress(sh)
        self.archive_identity: Identity | None = None
        self.device = 0  # of the current operand
        self.first_names: dict[Identity, str] = {}  # the member of each file with several links
        self.missing_links: dict[Identity, int] = {}  # how many links were not stored yet
        self.stored_times: dict[bytes, int] = {}  # for -u: the newest time of each member
        # For --remove-files: names, paths, and whether each is a directory.
        self.stored_files: list[tuple[str, str, bool]] = []

    # ------------------------------------------------------------ the archive

    def run(self) -> Iterator[str]:
        """Write the archive."""
        settings, name = self.settings, self.settings.archive
        if settings.mode in ("r", "u"):
            self.append(name)
        elif name == "-":
            if self.sh.out.width:
                raise fatal_error(self.sh, REFUSAL.format("write", "to"))
            data = self.compress(self.archive(0))
            yield from decode_chunks(lambda size: next(data, b""))
        else:
            with open_archive(self.sh, name, "w") as stream:
                self.write(name, stream, self.compress(self.archive(0)))

    def write(self, name: str, stream: Stream, data: Iterator[bytes]) -> None:
        """Write the data to the archive's file."""
        stat = self.sh.fs.stat(self.sh.path(name), follow=True)
        self.archive_identity = identity(stat)
        for piece in data:
            try:
                stream.write(piece)
            except OSError as error:
                message = f"{shown_name(name)}: Cannot write: {os_error_text(error)}"
                raise fatal_error(self.sh, message) from None

    def compress(self, data: Iterator[bytes]) -> Iterator[bytes]:
        packing = self.settings.packing
        return COMPRESSORS[packing](data, self.settings.level) if packing else data

    def append(self, name: str) -> None:
        """Write new members after the last one of an archive, which may be new or empty."""
        end = 0
        try:
            is_new = not self.sh.fs.stat(self.sh.path(name), follow=True).size
        except FileNotFoundError:
            is_new = True
        if not is_new:
            end = self.end_of(name)
        with open_archive(self.sh, name, "rw") as stream:
            stream.seek(end)
            stream.truncate(end)
            self.write(name, stream, self.archive(end))

    def end_of(self, name: str) -> int:
        """Return where the archive's last member ends; note the members' times for -u."""
        archive = ArchiveInput(self.sh, self.settings)
        reader = TarReader(archive.source)
        try:
            for member in reader.members():
                self.sh.tick()
                known = self.stored_times.get(bare_name(member.name), member.modified)
                self.stored_times[bare_name(member.name)] = max(known, member.modified)
        except DamagedData:
            raise fatal_error(self.sh, "Unexpected EOF in archive") from None
        finally:
            archive.close()
        if self.sh.fs.stat(self.sh.path(name), follow=True).size and archive.is_packed:
            raise fatal_error(self.sh, "Cannot update compressed archives")
        if failures := [message for message, is_failure in reader.warnings if is_failure]:
            # Members appended after unreadable blocks could not be found again.
            raise fatal_error(self.sh, failures[0])
        return reader.header_offset

    def archive(self, size: int) -> Iterator[bytes]:
        """Yield the bytes of all members, the archive's end and the padding of the last record."""
        folder = self.sh.cwd
        for operand in self.settings.operands:
            if operand.folder != folder:
                folder = operand.folder
                check_folder(self.sh, self.settings, folder)
            self.exclusion = Exclusion(self.settings.excluded[: operand.excluded])
            for data in self.tree_data(operand.name, operand.folder, goes_down=operand.goes_down):
                self.sh.tick()
                size += len(data)
                yield data
        settings = self.settings
        if settings.folder != folder:
            check_folder(self.sh, settings, settings.folder)
        if settings.late_options:
            self.report_note(OPTIONS_TOO_LATE)
            for option in settings.late_options:
                self.sh.warn(f"{option} has no effect", FATAL_STATUS)
        last = end_of_archive(size, settings.record_size)
        yield last
        self.remove_files()
        if settings.has("check_links"):
            for file_identity, count in self.missing_links.items():
                if count:
                    self.report_note(
                        f"Missing links to {locale_quoted_text(self.first_names[file_identity])}."
                    )
        if settings.has("totals"):
            self.totals.size = size + len(last)
            self.totals.report("written")

    # ------------------------------------------------------------ members

    def tree_data(self, name: str, folder: str, *, goes_down: bool) -> Iterator[bytes]:
        """Yield the bytes of an operand and of all files below it, walked with a stack."""
        stack = [without_slash(name) or name]
        while stack:
            current = stack.pop()
            if self.exclusion.covers(current):
                continue
            path = join(folder, current)
            try:
                stat = self.sh.fs.stat(path, follow=self.settings.has("dereference"))
            except OSError as error:
                self.report_unreadable(current, f"Cannot stat: {os_error_text(error)}")
                continue
            if identity(stat) == self.archive_identity:
                self.report_note(f"{shown_name(current)}: file is the archive; not dumped")
                continue
            if self.is_old(current, stat) or not self.is_on_device(current, name, stat):
                continue
            kept_names = self.tags.kept_names(current, path) if stat.is_directory else None
            if kept_names is not None and "" not in kept_names:
                continue
            try:
                yield from self.member_data(current, path, stat)
            except HeaderOverflow as error:
                slash = "/" if stat.is_directory else ""
                self.sh.warn(f"{shown_name(current)}{slash}: {error}", FATAL_STATUS)
                continue
            if kept_names is not None:
                stack += [join(current, entry) for entry in kept_names if entry]
            elif stat.is_directory and goes_down:
                try:
                    names = sorted(bytes_of_text(entry.name) for entry in self.sh.fs.list(path))
                except OSError as error:
                    self.report_unreadable(current, f"Cannot open: {os_error_text(error)}")
                    continue
                stack += [join(current, name_text(entry)) for entry in reversed(names)]

    def is_old(self, name: str, stat: Stat) -> bool:
        """Whether a file is older than -N allows."""
        newer = self.settings.newer_than
        if newer is None or stat.is_directory or stat.modified >= newer:
            return False
        if self.settings.uses_change_time and stat.changed >= newer:
            return False
        if self.settings.verbosity:
            self.report_note(f"{shown_name(name)}: file is unchanged; not dumped")
        return True

    def is_on_device(self, name: str, operand: str, stat: Stat) -> bool:
        """Whether --one-file-system allows a file."""
        if name == (without_slash(operand) or operand):
            self.device = stat.device
        return stat.device == self.device or not self.settings.has("one_file_system")

    def report_note(self, message: str) -> None:
        """Print a message that is no failure."""
        self.sh.note(message)

    def report_unreadable(self, name: str, fault: str) -> None:
        """Report an unreadable file. With --ignore-failed-read it is only a warning."""
        if self.settings.has("ignore_failed_read"):
            self.report_note(f"{shown_name(name)}: Warning: {fault}")
        else:
            self.sh.warn(f"{shown_name(name)}: {fault}", FATAL_STATUS)

    def member_data(self, name: str, path: str, stat: Stat) -> Iterator[bytes]:
        """Yield the bytes of one member."""
        slash = "/" if stat.is_directory and not name.endswith("/") else ""
        new_name = self.transform_name(name, MEMBER_SCOPE)
        slash = "" if new_name.endswith("/") else slash
        stored = self.safety.inside(new_name + slash)
        if self.settings.mode == "u" and not self.is_newer(stored, stat):
            return
        member = self.member_of(name, bytes_of_text(stored), path, stat)
        if member is None:
            self.report_note(f"{shown_name(name)}: socket ignored")
            return
        if not member.is_file:
            yield self.announce_member(member, name + slash)
            self.remove_later(name, path, is_directory=stat.is_directory)
            return
        try:
            stream = self.sh.fs.open(path)
        except OSError as error:
            self.report_unreadable(name, f"Cannot open: {os_error_text(error)}")
            return
        with stream:
            yield self.announce_member(member, name)
            with self.progress.of(name, member.size) as progress:
                for piece in self.file_data(name, stream, member.size):
                    progress.add(len(piece))
                    yield piece
        self.remove_later(name, path, is_directory=False)

    def transform_name(self, name: str, scope: str) -> str:
        """Apply --transform to a name."""
        return transformed_name(self.sh, self.settings.transforms, name, scope)

    def announce_member(self, member: TarMember, name: str) -> bytes:
        """Return a member's header; with -v also list the member. Raises HeaderOverflow."""
        header = encode_header(member, self.settings.options.get("format", "gnu"))
        if self.settings.verbosity:
            out = self.sh.err if self.settings.archive == "-" else self.sh.out
            if self.settings.has("show_transformed_names"):
                name = name_text(member.name)
            out.write(self.listing.line(member, name, is_long=self.settings.verbosity > 1))
        return header

    def remove_later(self, name: str, path: str, *, is_directory: bool) -> None:
        """With --remove-files, remember to remove a stored file when the archive is written."""
        if self.settings.has("remove_files"):
            self.stored_files.append((name, path, is_directory))

    def remove_files(self) -> None:
        """Remove the stored files."""
        for name, path, is_directory in reversed(self.stored_files):
            self.sh.tick()
            try:
                if is_directory:
                    self.sh.fs.remove_directory(path)
                else:
                    self.sh.fs.remove(path)
            except FileNotFoundError:
                continue  # it was stored twice
            except OSError as error:
                verb = "rmdir" if is_directory else "unlink"
                self.sh.warn(
                    f"{shown_name(name)}: Cannot {verb}: {os_error_text(error)}", FATAL_STATUS
                )

    def file_data(self, name: str, stream: Stream, size: int) -> Iterator[bytes]:
        """Yield as many bytes of a file as its header announced, and the padding."""
        missing = size
        while missing:
            try:
                piece = stream.read(min(missing, READ_CHUNK_BYTES))
            except OSError as error:
                self.sh.warn(
                    f"{shown_name(name)}: Cannot read: {os_error_text(error)}", FATAL_STATUS
                )
                piece = b""
            if not piece:
                message = f"File shrank by {missing} bytes; padding with zeros"
                self.sh.warn(f"{shown_name(name)}: {message}", SHRUNK_STATUS)
                while missing:
                    piece = bytes(min(missing, READ_CHUNK_BYTES))
                    missing -= len(piece)
                    yield piece
                break
            missing -= len(piece)
            yield piece
        if size % BLOCK_BYTES:
            yield bytes(-size % BLOCK_BYTES)

    def is_newer(self, stored: str, stat: Stat) -> bool:
        """Whether a file is newer than the member of its name."""
        known = self.stored_times.get(bare_name(bytes_of_text(stored)))
        return known is None or stat.modified // tar.SECOND > known // tar.SECOND

    def member_of(self, name: str, stored: bytes, path: str, stat: Stat) -> TarMember | None:
        """Return the member for a file; None for a socket."""
        settings = self.settings
        member = TarMember(stored)
        member.mode = stat.mode & 0o7777
        if settings.mode_changes is not None:
            umask = self.sh.umask
            is_directory = stat.is_directory
            member.mode = changed_mode(
                member.mode, settings.mode_changes, umask, is_directory=is_directory
            )
        member.modified = self.time_of(stat)
        member.owner_number = self.owners.user_number(stat)
        member.group_number = self.owners.group_number(stat)
        member.owner = bytes_of_text(self.owners.user(stat) or "")
        member.group = bytes_of_text(self.owners.group(stat) or "")
        if settings.owner is not None:
            member.owner, number = bytes_of_text(settings.owner[0]), settings.owner[1]
            member.owner_number = member.owner_number if number is None else number
        if settings.group is not None:
            member.group, number = bytes_of_text(settings.group[0]), settings.group[1]
            member.group_number = member.group_number if number is None else number
        if settings.has("numeric_owner"):
            member.owner = member.group = b""
        file_identity = identity(stat)
        if stat.is_directory:
            member.kind = tar.DIRECTORY
        elif file_identity in self.first_names:
            self.missing_links[file_identity] -= 1
            member.kind, member.link = tar.LINK, bytes_of_text(self.first_names[file_identity])
        elif stat.is_link:
            link = self.transform_name(self.sh.fs.read_link(path), SYMLINK_SCOPE)
            member.kind, member.link = tar.SYMLINK, bytes_of_text(link)
        elif stat.is_file:
            member.size = stat.size
        else:
            kind = SPECIAL_FILE_TYPES.get(kinds.S_IFMT(stat.mode))
            if kind is None:
                return None
            member.kind = kind
        is_alone = len(settings.operands) < 2 and not settings.has("dereference")
        has_links = stat.links > is_alone and not stat.is_directory
        if (
            has_links
            and file_identity not in self.first_names
            and not settings.has("hard_dereference")
        ):
            link = self.transform_name(name, HARD_LINK_SCOPE)
            self.first_names[file_identity] = self.safety.inside(link, TARGETS)
            self.missing_links[file_identity] = stat.links - 1
        return member

    def time_of(self, stat: Stat) -> int:
        """Return the modification time of a file's member."""
        wanted = self.settings.modified
        if wanted is None or (self.settings.has("clamp_mtime") and stat.modified < wanted):
            return stat.modified
        return wanted


def bare_name(name: bytes) -> bytes:
    """Return a member's name without a directory's trailing slash."""
    return name.rstrip(b"/")
