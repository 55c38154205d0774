"""Archive: the members that an archive has and gets, and how it is written.

It is written beside the old one, whose members are copied as they are, and then takes its place.
"""

from __future__ import annotations

from keysh.archive import zip as zip_format
from keysh.archive.byte_source import Damaged
from keysh.archive.zip import DEFLATED, DESCRIBED, STORED, Entry
from keysh.interp.state.call import why
from keysh.text.chunks import decoded, encoded, text_of_bytes
from keysh.text.pattern import Pattern
from keysh.tools.unzip.members import modified, one_line
from keysh.tools.zip.maker import Maker, Unreadable, result_of, share
from keysh.vfs.api import identity
from keysh.vfs.paths import join, last_step

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any

    from keysh.interp.state.call import Call
    from keysh.tools.zip.file import File
    from keysh.vfs.api import Stream

NO_ARCHIVE, UNSOUND, FULL, NOT_WRITTEN, NOT_READ = 3, 8, 14, 15, 18
INVALID = "Zip file invalid, could not spawn unzip, or wrong unzip (original files unmodified)"
WRITE_FAILURE = "Output file write failure (write error on zip file)"
MODES = {True: 0o40755, False: 0o100644}  # where a file has none of its own
SPEEDS = {1: 6, 2: 4, 8: 2, 9: 2}  # flags of DEFLATE by level
WIDE = 0xFF00_0000  # bytes of a file whose member may have 4 GiB, packed or not
LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Archive:
    """One archive. `shown` is its name with .zip, `identity` its file where it is there."""

    def __init__(self, sh: Call, target: str, options: Mapping[str, Any], level: int) -> None:
        self.sh, self.target, self.options, self.level = sh, target, options, level
        self.shown = target if target == "-" or "." in last_step(target) else f"{target}.zip"
        self.identity: tuple[int, int] | None = None
        self.is_there = False
        self.status = 0
        self.comment = b""
        self.out = str(options.get("output_file") or self.shown)
        self._old: dict[bytes, Entry] = {}
        self._new: dict[bytes, File] = {}
        self._stream: Stream | None = None  # of the old archive
        self._entries: list[Entry] = []  # as they are written
        self._done: list[File] = []
        self._gone: set[bytes] = set()  # members of the old archive that are not copied
        self._maker = Maker(sh, options, level, self.say)
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
        self.is_there = True
        try:
            self._stream = self.sh.open(self.shown)
            entries = zip_format.directory(self._stream, self.sh.tick)
            self.comment = zip_format.end_in(self._stream)[2]
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
        return [text_of_bytes(name) for name in self._old]

    def sizes(self) -> Iterator[tuple[str, int]]:
        """The members that are there, and their sizes."""
        for name, entry in self._old.items():
            yield text_of_bytes(name), entry.size

    def keep_only(self, names: Iterable[str]) -> bool:
        """Take out the members of other names; whether there are any."""
        self._gone = self._old.keys() - {encoded(name) for name in names}
        return bool(self._gone)

    def add(self, files: Iterable[File]) -> bool:
        """Note the files that are to be put in; whether there are any."""
        for file in files:
            self._new.setdefault(encoded(file.name), file)
        return bool(self._new)

    def tell_empty(self) -> None:
        """Tell of an archive in which there is nothing to change."""
        if not self._old:
            self.say(f"\tzip warning: {self.shown} not found or empty\n")

    def delete(self, patterns: Sequence[str]) -> bool:
        """Take members out; whether there were any of these."""
        count = len(self._old)
        chosen: set[bytes] = set()
        self.tell_empty()
        for text in patterns if count else ():
            pattern = Pattern(text, extended=False)
            gone = [name for name in self._old
                    if pattern.matches(text_of_bytes(name))]  # fmt: skip
            if not gone:
                self.say(f"\tzip warning: name not matched: {text}\n")
            chosen.update(gone)
        for name in [name for name in self._old if name in chosen]:
            self._drop(name)
        return len(self._old) < count

    def _drop(self, name: bytes) -> None:
        self.say(f"deleting: {one_line(text_of_bytes(name))}\n")
        del self._old[name]

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
        fs, path = self.sh.fs, self.sh.path(self.out)
        folder = path.rpartition("/")[0] or "/"
        letters = "".join(self.sh.random.choices(LETTERS, k=8))
        beside = join(folder, f"zi{letters}")
        try:
            stream = fs.open(beside, "x", 0o666 & ~self.sh.state.umask)
        except OSError as error:
            self.complain(f"zip I/O error: {why(error)}")
            self.complain(f"zip error: Could not create output file ({self.shown})")
            self.status = NOT_WRITTEN
            return
        is_whole = False
        try:
            with stream:
                self._fill(stream)
            if self.options.get("test") and not self._is_sound(beside):
                self._done.clear()
                return
            if self._mode is not None:
                fs.set_mode(beside, self._mode)
            if not self._entries:
                self.say("\tzip warning: zip file empty\n")
            fs.rename(beside, fs.resolve(path))
            is_whole = True
            if self.options.get("latest_time"):
                self._take_latest(path)
        except OSError as error:
            self.complain(f"\nzip I/O error: {why(error)}\nzip error: {WRITE_FAILURE}")
            self.status = FULL
            self._done.clear()  # in no archive, so they stay
        finally:
            if not is_whole:
                fs.remove(beside)

    def _fill(self, stream: Stream) -> None:
        """All members and the directory, into a file in which one can go back."""
        for name, entry in [*self._old.items()]:
            if name in self._gone:
                self._drop(name)
                continue
            file = self._new.pop(name, None)
            if file is None:
                self._copy(stream, entry)
            else:
                verb = "freshening" if self.options.get("freshen") else "updating"
                self._put(stream, file, verb, entry.comment)
        for file in self._new.values():
            self._put(stream, file, "  adding")
        start = stream.tell()
        length = 0
        for entry in self._entries:
            line = zip_format.central(entry, has_extra=self._maker.has_extra)
            length += stream.write(line)
        stream.write(zip_format.end(len(self._entries), length, start, self.comment))
        self._say_totals()

    def _say_totals(self) -> None:
        """With -v, how much smaller all has become."""
        if self.options.get("verbose"):
            size = sum(entry.size for entry in self._entries)
            packed = sum(entry.packed for entry in self._entries)
            self.say(f"total bytes={size}, compressed={packed} -> {share(size, packed)}% savings\n")

    def is_sound(self) -> bool:
        """Whether all members of the archive that is there are whole; it is told."""
        return self._is_sound(self.sh.path(self.shown))

    def _is_sound(self, path: str) -> bool:
        try:
            with self.sh.fs.open(path) as stream:
                for entry in zip_format.directory(stream, self.sh.tick):
                    for piece in zip_format.data(stream, entry):
                        self.sh.unpacked(len(piece))
        except Damaged:
            self.say(f"test of {self.shown} FAILED\n")
            self.complain(f"\nzip error: {INVALID}")
            self.status = UNSOUND
            return False
        self.say(f"test of {self.shown} OK\n")
        return True

    def _take_latest(self, path: str) -> None:
        """Give the archive the time of its newest file."""
        times = [
            modified(entry, self._maker.zone) for entry in self._entries if not entry.is_directory
        ]
        if times:
            self.sh.fs.set_times(path, self.sh.now(), max(times))

    def _copy(self, stream: Stream, entry: Entry) -> None:
        """A member of the old archive, packed as it is."""
        if self._stream is None:
            return
        try:
            source = zip_format.raw(self._stream, entry)
            entry.flags &= ~DESCRIBED
            entry.offset = stream.tell()
            stream.write(zip_format.local(entry, has_extra=self._maker.has_extra))
            for piece in zip_format.limited(source, entry.packed):
                self.sh.tick()
                stream.write(piece)
        except Damaged:
            raise self.sh.fail(f"{self.shown}: the archive is damaged", NO_ARCHIVE) from None
        self._entries.append(entry)

    def _put(self, stream: Stream, file: File, verb: str, comment: bytes = b"") -> None:
        """A file; stored where deflating does not make it smaller."""
        start = stream.tell()
        is_wide = file.found is not None and file.found.size >= WIDE
        self.say(f"{verb}: {one_line(file.name)}")
        for method in dict.fromkeys((self._maker.method(file), STORED)):
            stream.seek(start)
            stream.truncate(start)
            entry = self._maker.entry(file)
            entry.offset, entry.method, entry.comment = start, method, comment
            if method == DEFLATED:
                entry.flags |= SPEEDS.get(self.level, 0)
            # Room for the sizes, which are not known yet.
            before = zip_format.local(entry, has_extra=self._maker.has_extra, is_wide=is_wide)
            stream.write(before)
            try:
                for piece in self._maker.packed(entry, self._maker.contents(file)):
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
        header = zip_format.local(entry, has_extra=self._maker.has_extra, is_wide=is_wide)
        if len(header) != len(before):
            says = f"{file.name} has become larger than 4 GiB while it was read"
            raise self.sh.fail(says, NOT_WRITTEN)
        stream.seek(start)
        stream.write(header)
        stream.seek(0, 2)
        self._entries.append(entry)
        self._done.append(file)
        self._say_result(entry)

    def _say_result(self, entry: Entry) -> None:
        sizes = f"\t(in={entry.size}) (out={entry.packed})" * bool(self.options.get("verbose"))
        self.say(f"{sizes} ({result_of(entry)})\n")

    def _streamed(self) -> Iterator[bytes]:
        """All members and the directory, with the sizes behind each member."""
        at = 0
        for file in self._new.values():
            self.say(f"  adding: {one_line(file.name)}")
            entry = self._maker.entry(file)
            entry.method, entry.offset = self._maker.method(file), at
            is_stream = not entry.is_directory
            entry.flags |= DESCRIBED * is_stream
            parts = [zip_format.local(entry, has_extra=self._maker.has_extra)]
            at += len(parts[0])
            yield parts[0]
            try:
                for piece in self._maker.packed(entry, self._maker.contents(file)):
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
            self._say_result(entry)
        lines = [
            zip_format.central(entry, has_extra=self._maker.has_extra) for entry in self._entries
        ]
        yield from lines
        yield zip_format.end(len(lines), sum(map(len, lines)), at, self.comment)
        self._say_totals()
