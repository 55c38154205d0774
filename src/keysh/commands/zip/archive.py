"""Archive: the members that an archive has and gets, and how it is written.

It is written beside the old one, whose members are copied as they are, and then takes its place.
"""

from __future__ import annotations

import zlib

from keysh.archive import zip_format
from keysh.archive.deflate import deflater
from keysh.archive.source import Damaged, chunks_of
from keysh.archive.zip_format import DEFLATED, DESCRIBED, STORED, UTF8, Entry
from keysh.runtime.call import why
from keysh.runtime.identity import identity
from keysh.text.lines import decoded, encoded
from keysh.text.moment import Moment
from keysh.text.pattern import Pattern
from keysh.text.time_zone import zone_named
from keysh.vfs.paths import join, last_step

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from keysh.commands.zip.file import File
    from keysh.runtime.call import Call
    from keysh.vfs.api import Stat, Stream

SECOND = 1_000_000_000
NO_ARCHIVE, FULL, NOT_WRITTEN, NOT_READ = 3, 14, 15, 18
WRITE_FAILURE = "Output file write failure (write error on zip file)"
MODES = {True: 0o40755, False: 0o100644}  # where a file has none of its own
SPEEDS = {1: 6, 2: 4, 8: 2, 9: 2}  # flags of DEFLATE by level
WIDE = 0xFF00_0000  # bytes of a file whose member may have 4 GiB, packed or not
LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Unreadable(Exception):
    """A file that was to be put in cannot be read; the message says why."""


class Archive:
    """One archive. `shown` is its name with .zip, `identity` its file where it is there."""

    def __init__(self, sh: Call, target: str, options: Mapping[str, Any], level: int) -> None:
        self.sh, self.target, self.options, self.level = sh, target, options, level
        self.shown = target if target == "-" or "." in last_step(target) else f"{target}.zip"
        self.identity: tuple[int, int] | None = None
        self.status = 0
        self._old: dict[bytes, Entry] = {}
        self._new: dict[bytes, File] = {}
        self._stream: Stream | None = None  # of the old archive
        self._entries: list[Entry] = []  # as they are written
        self._done: list[File] = []
        self._zone = zone_named(sh.env.get("TZ"))
        self._mode: int | None = None

    def say(self, text: str) -> None:
        """Print what is done."""
        if not self.options.get("quiet"):
            (self.sh.err if self.target == "-" else self.sh.out).write(text)

    def complain(self, message: str) -> None:
        """Print what has gone wrong, where zip prints it."""
        (self.sh.err if self.target == "-" else self.sh.out).write(f"{message}\n")

    def read(self) -> bool:
        """Read the directory of the archive that is there; whether it is one."""
        if self.target == "-":
            return True
        path = self.sh.path(self.shown)
        try:
            found = self.sh.fs.stat(path, follow=True)
        except FileNotFoundError:
            return True
        self.identity, self._mode = identity(found), found.mode & 0o777
        try:
            self._stream = self.sh.open(self.shown)
            entries = zip_format.directory(self._stream, self.sh.tick)
        except Damaged:
            self.complain(f"\nzip error: Zip file structure invalid ({self.shown})")
            return False
        self._old = {entry.name: entry for entry in entries}
        return True

    def member(self, name: str) -> Entry | None:
        """The member of a name that is there."""
        return self._old.get(encoded(name))

    def names(self) -> list[str]:
        """The names of the members that are there."""
        return [name.decode("utf-8", "surrogateescape") for name in self._old]

    def add(self, files: Iterable[File]) -> bool:
        """Note the files that are to be put in; whether there are any."""
        for file in files:
            self._new.setdefault(encoded(file.name), file)
        return bool(self._new)

    def delete(self, patterns: Sequence[str]) -> bool:
        """Take members out; whether there were any of these."""
        count = len(self._old)
        if not count:
            self.say(f"\tzip warning: {self.shown} not found or empty\n")
            return False
        for text in patterns:
            pattern = Pattern(text, extended=False)
            gone = [name for name in self._old
                    if pattern.matches(name.decode("utf-8", "surrogateescape"))]  # fmt: skip
            if not gone:
                self.say(f"\tzip warning: name not matched: {text}\n")
            for name in gone:
                self.say(f"deleting: {name.decode('utf-8', 'surrogateescape')}\n")
                del self._old[name]
        return len(self._old) < count

    def remove_sources(self) -> None:
        """Remove the files that are in the archive now."""
        for file in reversed(self._done):
            if file.found is None:
                continue
            path = self.sh.path(file.path)
            try:
                if file.found.is_directory:
                    self.sh.fs.remove_directory(path)
                else:
                    self.sh.fs.remove(path)
            except OSError as error:
                self.say(f"\tzip warning: error deleting {file.path}: {why(error)}\n")

    # ------------------------------------------------------------ writing

    def written(self) -> Iterator[str]:
        """Write all; what goes to standard output comes from here."""
        if self.target == "-":
            data = self._streamed()
            yield from decoded(lambda size: next(data, b""))
        else:
            self._replace()

    def close(self) -> None:
        """Nothing more will be read from the old archive."""
        if self._stream is not None:
            self._stream.close()

    def _replace(self) -> None:
        """Write a new file and give it the archive's name."""
        fs, path = self.sh.fs, self.sh.path(self.shown)
        folder = path.rpartition("/")[0] or "/"
        letters = "".join(self.sh.random.choices(LETTERS, k=8))
        beside = join(folder, f"zi{letters}")
        try:
            stream = fs.open(beside, "x", 0o666)
        except OSError as error:
            self.complain(f"zip I/O error: {why(error)}")
            self.complain(f"zip error: Could not create output file ({self.shown})")
            self.status = NOT_WRITTEN
            return
        is_whole = False
        try:
            with stream:
                self._fill(stream)
            if self._mode is not None:
                fs.set_mode(beside, self._mode)
            if not self._entries:
                self.say("\tzip warning: zip file empty\n")
            fs.rename(beside, fs.resolve(path))
            is_whole = True
        except OSError as error:
            self.complain(f"\nzip I/O error: {why(error)}\nzip error: {WRITE_FAILURE}")
            self.status = FULL
            self._done.clear()  # in no archive, so they stay
        finally:
            if not is_whole:
                fs.remove(beside)

    def _fill(self, stream: Stream) -> None:
        """All members and the directory, into a file in which one can go back."""
        for name, entry in self._old.items():
            file = self._new.pop(name, None)
            if file is None:
                self._copy(stream, entry)
            else:
                verb = "freshening" if self.options.get("freshen") else "updating"
                self._put(stream, file, verb)
        for file in self._new.values():
            self._put(stream, file, "  adding")
        start = stream.tell()
        length = 0
        for entry in self._entries:
            line = zip_format.central(entry, has_extra=self._has_extra)
            length += stream.write(line)
        stream.write(zip_format.end(len(self._entries), length, start))

    @property
    def _has_extra(self) -> bool:
        return not self.options.get("no_extra")

    def _copy(self, stream: Stream, entry: Entry) -> None:
        """A member of the old archive, packed as it is."""
        if self._stream is None:
            return
        try:
            source = zip_format.raw(self._stream, entry)
            entry.flags &= ~DESCRIBED
            entry.offset = stream.tell()
            stream.write(zip_format.local(entry, has_extra=self._has_extra))
            for piece in zip_format.limited(source, entry.packed):
                self.sh.tick()
                stream.write(piece)
        except Damaged:
            raise self.sh.fail(f"{self.shown}: the archive is damaged", NO_ARCHIVE) from None
        self._entries.append(entry)

    def _entry(self, file: File) -> Entry:
        """The member that a file makes, without its sizes."""
        entry = Entry(encoded(file.name))
        try:
            if not file.name.isascii():
                file.name.encode("utf-8")
                entry.flags |= UTF8
        except UnicodeEncodeError:
            pass  # bytes that are no text
        found: Stat | None = file.found
        time = self.sh.now() if found is None else found.modified
        if self._has_extra:
            entry.modified = time // SECOND
        # DOS counts seconds in twos, and from 1980 on.
        local = Moment(time + time // SECOND % 2 * SECOND, self._zone)
        year = min(max(local.year, 1980), 2107)
        entry.date = (year - 1980) << 9 | local.month << 5 | local.day
        entry.time = local.hour << 11 | local.minute << 5 | local.second // 2
        if local.year < 1980:
            entry.date, entry.time = 1 << 5 | 1, 0
        mode = found.mode if found is not None else 0o10600
        entry.external = mode << 16 | (0x10 if entry.is_directory else 0)
        return entry

    def _contents(self, file: File) -> Iterator[bytes]:
        """The bytes that a file holds, or the text of a link."""
        found = file.found
        try:
            if found is None:
                yield from (encoded(chunk) for chunk in self.sh.stdin.chunks())
            elif found.is_link:
                yield encoded(self.sh.fs.read_link(self.sh.path(file.path)))
            elif found.is_file:
                with self.sh.open(file.path) as stream:
                    for piece in chunks_of(stream.read):
                        self.sh.tick()
                        yield piece
        except OSError as error:
            raise Unreadable(why(error)) from None

    def _packed(self, entry: Entry, contents: Iterator[bytes]) -> Iterator[bytes]:
        """The bytes as they are stored; the entry learns its sizes."""
        packer = deflater(self.level) if entry.method == DEFLATED else None
        for piece in contents:
            entry.crc = zlib.crc32(piece, entry.crc)
            entry.size += len(piece)
            data = piece if packer is None else packer.compress(piece)
            entry.packed += len(data)
            if data:
                yield data
        if packer is not None:
            data = packer.flush()
            entry.packed += len(data)
            yield data

    def _method(self, file: File) -> int:
        """How a file is tried to be packed."""
        found = file.found
        is_empty = found is not None and not found.size
        return STORED if not self.level or is_empty or file.name.endswith("/") else DEFLATED

    def _put(self, stream: Stream, file: File, verb: str) -> None:
        """A file; stored where deflating does not make it smaller."""
        start = stream.tell()
        is_wide = file.found is not None and file.found.size >= WIDE
        self.say(f"{verb}: {file.name}")
        for method in dict.fromkeys((self._method(file), STORED)):
            stream.seek(start)
            stream.truncate(start)
            entry = self._entry(file)
            entry.offset, entry.method = start, method
            if method == DEFLATED:
                entry.flags |= SPEEDS.get(self.level, 0)
            # Room for the sizes, which are not known yet.
            before = zip_format.local(entry, has_extra=self._has_extra, is_wide=is_wide)
            stream.write(before)
            try:
                for piece in self._packed(entry, self._contents(file)):
                    stream.write(piece)
            except Unreadable as unreadable:
                stream.seek(start)
                stream.truncate(start)
                self.say("\n")
                self.sh.err.write(f"zip warning: could not open for reading: {file.path}\n")
                self.sh.err.write(f"zip warning: {unreadable}\n")
                self.status = NOT_READ
                return
            if method == STORED or entry.packed < entry.size or file.found is None:
                break
        header = zip_format.local(entry, has_extra=self._has_extra, is_wide=is_wide)
        if len(header) != len(before):
            says = f"{file.name} has become larger than 4 GiB while it was read"
            raise self.sh.fail(says, NOT_WRITTEN)
        stream.seek(start)
        stream.write(header)
        stream.seek(0, 2)
        self._entries.append(entry)
        self._done.append(file)
        self.say(f" ({result_of(entry)})\n")

    def _streamed(self) -> Iterator[bytes]:
        """All members and the directory, with the sizes behind each member."""
        at = 0
        for file in self._new.values():
            self.say(f"  adding: {file.name}")
            entry = self._entry(file)
            entry.method, entry.offset = self._method(file), at
            is_stream = not entry.is_directory
            entry.flags |= DESCRIBED * is_stream
            parts = [zip_format.local(entry, has_extra=self._has_extra)]
            at += len(parts[0])
            yield parts[0]
            try:
                for piece in self._packed(entry, self._contents(file)):
                    at += len(piece)
                    yield piece
            except Unreadable as unreadable:
                raise self.sh.fail(f"{file.path}: {unreadable}", NOT_READ) from None
            if is_stream:
                tail = zip_format.descriptor(entry)
                at += len(tail)
                yield tail
            self._entries.append(entry)
            self._done.append(file)
            self.say(f" ({result_of(entry)})\n")
        lines = [zip_format.central(entry, has_extra=self._has_extra) for entry in self._entries]
        yield from lines
        yield zip_format.end(len(lines), sum(map(len, lines)), at)


def result_of(entry: Entry) -> str:
    """How a member was packed, and how much smaller it has become."""
    if entry.method == STORED:
        return "stored 0%"
    less = entry.size - entry.packed
    share = (200 * abs(less) // max(entry.size, 1) + 1) // 2
    return f"deflated {share if less >= 0 else -share}%"
