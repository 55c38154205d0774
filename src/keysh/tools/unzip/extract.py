"""Extract, print or test members."""

from __future__ import annotations

import errno

from keysh.archive.byte_source import DamagedData
from keysh.archive.zip import BZIP2, DECOMPRESSORS, DEFLATED, ENCRYPTED, STORED, member_data
from keysh.gnu.directories import make_parents
from keysh.interp.state.call import os_error_text
from keysh.text.chunks import decode_chunks, text_of_bytes
from keysh.text.dates.time_zone import find_zone
from keysh.tools.unzip.members import (
    CARETS,
    HOST_DOS,
    entry_name,
    modified_nanoseconds,
    padded_name,
    permissions,
    printable_entry_name,
)
from keysh.vfs.api import failure, identity
from keysh.vfs.paths import join, last_step, without_slash

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Mapping, Sequence
    from typing import Any

    from keysh.archive.zip import ZipEntry
    from keysh.interp.state.call import Call
    from keysh.vfs.stream import Stream

WARNING_STATUS, BAD_MEMBER_STATUS, NO_SPACE_STATUS = 1, 2, 50
UNSUPPORTED_STATUS, ENCRYPTED_STATUS = 81, 82
QUESTION = "replace {}? [y]es, [n]o, [A]ll, [N]one, [r]ename: "
METHOD_VERBS = {STORED: " extracting", DEFLATED: "  inflating", BZIP2: " bunzipping"}
UNPRINTED = dict.fromkeys((*range(32), 127))  # Info-ZIP drops these from file names too
MAX_LINK_TARGET_BYTES = 4096
# The format version that each method needs.
METHOD_VERSIONS = {14: "6.3", 9: "2.1", 95: "6.3", 98: "6.3"}


class Extraction:
    """One run over the selected members."""

    def __init__(
        self, sh: Call, stream: Stream, archive: str, options: Mapping[str, Any], quietness: int
    ) -> None:
        self.sh, self.stream, self.archive, self.options = sh, stream, archive, options
        self.quietness = quietness
        self.folder: str = options.get("directory") or ""
        self.zone = find_zone(sh.env.get("TZ"))
        self.status = self.tested_count = 0
        self.is_partial = False  # whether only some members were selected
        self.answer = "N" if self.has("never_overwrite") else "A" if self.has("backup") else ""
        if self.has("overwrite"):
            self.answer = "A"
        # Path, target, and identity of the placeholder.
        self.delayed_links: list[tuple[str, str, tuple[int, int]]] = []
        self.folders: list[tuple[str, ZipEntry]] = []

    def has(self, option: str) -> bool:
        return bool(self.options.get(option))

    def raise_status(self, status: int) -> None:
        """Raise the exit status to `status`."""
        self.status = max(self.status, status)

    def say(self, text: str) -> None:
        """Print progress, unless -q or -p was given."""
        if not self.quietness and not self.has("to_stdout"):
            self.sh.out.write(text)

    def has_folder(self) -> bool:
        """Whether the directory of -d exists; create it unless -f was given."""
        if not self.folder or any(self.has(key) for key in ("test", "to_stdout", "print_all")):
            return True
        fs, path = self.sh.fs, self.sh.path(self.folder)
        try:
            try:
                if fs.stat(path, follow=True).is_directory:
                    return True
            except FileNotFoundError:
                pass
            if not self.has("freshen"):
                fs.make_directory(path, 0o777 & ~self.sh.umask)
        except OSError as error:
            message = f"cannot create extraction directory: {self.folder}"
            self.sh.complain(f"checkdir:  {message}\n           {os_error_text(error)}")
            return False
        return True

    def run(self, entries: Sequence[ZipEntry]) -> Generator[str, None, int]:
        """Test, print or extract members; yield standard output and return the status."""
        for entry in entries:
            self.sh.tick()
            if not self._can_read(entry):
                continue
            if self.has("test"):
                self._test(entry)
            elif self.has("to_stdout"):
                if not entry.is_directory:
                    yield from self._print(entry)
            elif self.has("print_all"):
                if not self.quietness:
                    name = padded_name(printable_entry_name(entry))
                    yield f"{METHOD_VERBS[entry.method]}: {name}  {self._tag(entry)}\n"
                yield from self._print(entry)
                if not self.quietness:
                    yield "\n"
            else:
                self._extract(entry)
        self._finish()
        if self.has("test") and self.quietness < 2:
            yield self._test_summary()
        return self.status

    def _test_summary(self) -> str:
        if self.status in (UNSUPPORTED_STATUS, ENCRYPTED_STATUS):
            return f"Caution:  zero files tested in {self.archive}.\n"
        if self.status > WARNING_STATUS:
            return f"At least one error was detected in {self.archive}.\n"
        if self.is_partial:
            files = f"{self.tested_count} file{'s' * (self.tested_count != 1)}"
            return f"No errors detected in {self.archive} for the {files} tested.\n"
        return f"No errors detected in compressed data of {self.archive}.\n"

    def _can_read(self, entry: ZipEntry) -> bool:
        """Whether a member can be decompressed; report it if not."""
        if entry.flags & ENCRYPTED:
            problem, status = "unable to get password", ENCRYPTED_STATUS
        elif entry.method not in DECOMPRESSORS:
            version = METHOD_VERSIONS.get(entry.method)
            problem = f"unsupported compression method {entry.method}"
            if version is not None:
                problem = f"need PK compat. v{version} (can do v4.6)"
            status = UNSUPPORTED_STATUS
        else:
            return True
        self.sh.err.write(f"   skipping: {padded_name(printable_entry_name(entry))}  {problem}\n")
        self.raise_status(status)
        return False

    def _pieces(self, entry: ZipEntry, faults: list[str]) -> Iterator[bytes]:
        """Yield a member's contents; if it is damaged, add unzip's message to `faults`."""
        size = 0
        try:
            for piece in member_data(self.stream, entry):
                self.sh.tick()
                size += len(piece)
                self.sh.unpacked(len(piece))
                if size > entry.size:
                    raise DamagedData("length")
                yield piece
        except DamagedData as damaged:
            faults.append(damage_message(damaged, entry))

    # ------------------------------------------------------------ one member

    def _test(self, entry: ZipEntry) -> None:
        self.tested_count += 1
        self.say(f"    testing: {padded_name(printable_entry_name(entry))}  ")
        faults: list[str] = []
        for _ in self._pieces(entry, faults):
            pass
        if faults:
            name = "" if not self.quietness else f"{padded_name(printable_entry_name(entry))} "
            self.sh.out.write(f"{name}{faults[0]}\n")
            self.raise_status(BAD_MEMBER_STATUS)
        else:
            self.say(" OK\n")

    def _print(self, entry: ZipEntry) -> Iterator[str]:
        faults: list[str] = []
        pieces = self._converted_text(entry, self._pieces(entry, faults))
        yield from decode_chunks(lambda size: next(pieces, b""))
        if faults:
            self.sh.err.write(f"{padded_name(printable_entry_name(entry))} {faults[0]}\n")
            self.raise_status(BAD_MEMBER_STATUS)

    def _safe_name(self, entry: ZipEntry) -> str:
        """Return a member's name without what leads out of the directory."""
        name, shown = entry_name(entry).translate(UNPRINTED), printable_entry_name(entry)
        depth = self.options.get("lower", 0)
        if depth > 1 or (depth and entry.made_by >> 8 == HOST_DOS):
            name = name.lower()
        if name.startswith("/"):
            self.sh.complain(f"warning:  stripped absolute path spec from {shown}")
            self.raise_status(WARNING_STATUS)
        steps = [step for step in name.split("/") if step not in ("", ".")]
        if ".." in steps:
            self.sh.out.write(f'warning:  skipped "../" path component(s) in {shown}\n')
            self.raise_status(WARNING_STATUS)
        safe_steps = [step for step in steps if step != ".."]
        if self.has("junk_paths"):
            safe_steps = [] if entry.is_directory else safe_steps[-1:]
        return "/".join(safe_steps)

    def _extract(self, entry: ZipEntry) -> None:
        name = self._safe_name(entry)
        if not name:
            return
        shown = join(self.folder, name) if self.folder else name
        try:
            if entry.is_directory:
                self._folder(entry, shown)
            else:
                self._file(entry, shown)
        except OSError as error:
            self.sh.complain(f"error:  cannot create {shown}\n        {os_error_text(error)}")
            self.raise_status(NO_SPACE_STATUS)

    def _folder(self, entry: ZipEntry, shown: str) -> None:
        fs, path = self.sh.fs, self.sh.path(shown)
        try:
            if fs.stat(path, follow=True).is_directory:
                return
        except FileNotFoundError:
            make_parents(self.sh, path)
        if self.has("freshen"):
            return
        fs.make_directory(path, 0o777 & ~self.sh.umask)
        self.say(f"   creating: {shown}/\n")
        self.folders.append((path, entry))

    def _file(self, entry: ZipEntry, shown: str) -> None:
        fs = self.sh.fs
        target = self._free_path(entry, shown)
        if not target:
            return
        path = self.sh.path(target)
        faults: list[str] = []
        pieces = self._converted_text(entry, self._pieces(entry, faults))
        if entry.is_link:
            self._link(target, path, pieces)
        else:
            self.say(f"{METHOD_VERBS[entry.method]}: {padded_name(target)}  {self._tag(entry)}")
            with fs.open(path, "x", 0o600) as stream:
                for piece in pieces:
                    stream.write(piece)
            fs.set_mode(path, self._mode(entry))
            if self.options.get("no_times", 0) < 2:
                fs.set_times(path, self.sh.now(), modified_nanoseconds(entry, self.zone))
            self.say("" if faults else "\n")
        if faults:
            name = "" if not self.quietness else f"{padded_name(target)} "
            self.sh.err.write(f"{name}{faults[0]}\n")
            self.raise_status(BAD_MEMBER_STATUS)

    def _link(self, target: str, path: str, pieces: Iterator[bytes]) -> None:
        """Create a placeholder for a symbolic link, so that nothing is written through it."""
        data = b""
        for piece in pieces:
            data += piece
            if len(data) > MAX_LINK_TARGET_BYTES:
                raise failure(errno.ENAMETOOLONG, path)
        text = text_of_bytes(data)
        self.say(f"    linking: {padded_name(target)}  -> {text.translate(CARETS)} \n")
        self.sh.fs.open(path, "x", 0).close()
        stat = self.sh.fs.stat(path)
        self.delayed_links.append((target, text, identity(stat)))

    def _finish(self) -> None:
        """Create the delayed links, and set the modes and times of directories."""
        fs = self.sh.fs
        if self.delayed_links:
            self.say("finishing deferred symbolic links:\n")
        for target, text, placeholder in self.delayed_links:
            path = self.sh.path(target)
            shown = text.translate(CARETS)
            try:
                stat = fs.stat(path)
                if identity(stat) != placeholder or stat.size:
                    continue  # another member replaced it
                self.say(f"  {padded_name(target)} -> {shown}\n")
                fs.remove(path)
                fs.make_link(text, path)
            except OSError as error:
                reason = os_error_text(error)
                self.sh.complain(f"error:  cannot create {target}\n        {reason}")
                self.raise_status(NO_SPACE_STATUS)
        for path, entry in reversed(self.folders):
            fs.set_mode(path, self._mode(entry))
            if not self.has("no_times"):
                fs.set_times(path, self.sh.now(), modified_nanoseconds(entry, self.zone))

    def _mode(self, entry: ZipEntry) -> int:
        return permissions(entry, self.sh.umask, lends=self.has("keep_modes"))

    # ------------------------------------------------------------ line ends

    def _is_text(self, entry: ZipEntry) -> bool:
        """Whether a member's line ends are converted."""
        if self.has("binary") or entry.is_link:
            return False
        depth = self.options.get("text", 0)
        return depth > 1 or bool(depth and entry.is_text)

    def _tag(self, entry: ZipEntry) -> str:
        """Return what -a prints after a member's name."""
        if self.options.get("text", 0) != 1:
            return ""
        if not entry.size:
            return "[empty] "
        return "[text]  " if self._is_text(entry) else "[binary]"

    def _converted_text(self, entry: ZipEntry, pieces: Iterator[bytes]) -> Iterator[bytes]:
        return unix_text(pieces) if self._is_text(entry) else pieces

    # ------------------------------------------------------------ existing files

    def _free_path(self, entry: ZipEntry, shown: str) -> str:
        """Make room for a file and return its path; empty if it is skipped."""
        fs = self.sh.fs
        while True:
            path = self.sh.path(shown)
            try:
                stat = fs.stat(path)
            except FileNotFoundError:
                if self.has("freshen"):
                    return ""
                make_parents(self.sh, path)
                return shown
            is_newer = modified_nanoseconds(entry, self.zone) > stat.modified
            if (self.has("freshen") or self.has("update")) and not is_newer:
                return ""
            if stat.is_directory:
                self.sh.complain(f"error:  {shown} exists but is not a file")
                self.raise_status(BAD_MEMBER_STATUS)
                return ""
            answer = self.answer or self._ask_overwrite(shown)
            if answer in ("n", "N"):
                return ""
            if answer != "r":
                self._remove(path)
                return shown
            self.sh.err.write("new name: ")
            name = self.sh.stdin.read_line().removesuffix("\n")
            shown = last_step(name)
            if self.folder:
                shown = join(self.folder, last_step(without_slash(name)))
            if shown in ("", ".", ".."):
                return ""

    def _remove(self, path: str) -> None:
        """Remove an existing file, or rename it with -B."""
        if not self.has("backup"):
            self.sh.fs.remove(path)
            return
        number = 0
        while not self.has("overwrite") and self.sh.exists(f"{path}~{number or ''}", follow=False):
            number += 1
            self.sh.tick()
        self.sh.fs.rename(path, f"{path}~{number or ''}")

    def _ask_overwrite(self, shown: str) -> str:
        """Ask what to do with an existing file and return the answer."""
        while True:
            self.sh.err.write(QUESTION.format(shown))
            line = self.sh.stdin.read_line()
            if not line:
                message = ' NULL\n(EOF or read error, treating as "[N]one" ...)\n'
                self.sh.err.write(message)
                self.raise_status(WARNING_STATUS)
                self.answer = "N"
                return "N"
            answer = line[:1]
            if answer in ("A", "N"):
                self.answer = answer
            if answer in ("y", "Y", "n", "A", "N", "r", "R"):
                return answer.lower() if answer in "YR" else answer
            self.sh.complain(f"error:  invalid response [{line.rstrip()}]")


def unix_text(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Convert DOS text to Unix text, without the end-of-file mark."""
    pending = b""
    for piece in pieces:
        text = pending + piece
        pending = b"\r" if text.endswith(b"\r") else b""
        text = text.removesuffix(pending).replace(b"\r\n", b"\n").replace(b"\r", b"\n")
        yield text.replace(b"\x1a", b"")
    yield pending.replace(b"\r", b"\n")


def damage_message(damaged: DamagedData, entry: ZipEntry) -> str:
    """Return unzip's message for a damaged member."""
    if damaged.fault == "crc":
        return f" bad CRC {damaged.detail}  (should be {entry.crc:08x})"
    if damaged.fault == "local":
        return " error:  bad zipfile offset (local header sig)"
    if damaged.fault in ("length", "end"):
        return " error:  the member's size differs from the directory"
    return " error:  invalid compressed data to inflate"
