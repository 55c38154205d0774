"""Follow files: print what is added to them."""

from __future__ import annotations

from keysh.interp.run.control_flow import STATUS_INTERRUPTED, STATUS_READER_GONE
from keysh.interp.state.call import os_error_text
from keysh.text.chunks import bytes_of_text
from keysh.text.gnu_quoting import message_name, quoted_name
from keysh.vfs.api import identity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from keysh.interp.state.call import Call
    from keysh.interp.state.call_input import CommandInput
    from keysh.vfs.stream import Stream


class FollowedFile:
    """One file: its name, its stream if open, and the offset up to which it has been read."""

    __slots__ = ("identity", "name", "offset", "stream")

    def __init__(self, name: str) -> None:
        self.name, self.offset = name, 0
        self.stream: Stream | None = None
        self.identity = (0, 0)

    def close(self) -> None:
        if self.stream is not None:
            self.stream.close()
            self.stream = None


class FileFollower:
    """The files that are followed, in order."""

    __slots__ = ("_files", "_sh")

    def __init__(self, sh: Call, names: Sequence[str]) -> None:
        self._sh = sh
        self._files = [FollowedFile(name) for name in names]

    def tracked_chunks(self, source: CommandInput, offset: int = 0) -> Iterator[str]:
        """Yield an input's text from `offset` on and record how far it has been read."""
        files = [file for file in self._files if file.name == source.name]
        for file in files:
            file.offset = offset
        for chunk in source.chunks():
            for file in files:
                file.offset += len(bytes_of_text(chunk))
            yield chunk

    def appended_text(
        self, mode: str, retries: bool, has_headers: bool, interval: float, pid: int | None
    ) -> Iterator[str]:
        """Yield new text until no file is left, the job ends or the run is cancelled."""
        sh = self._sh
        last_name = self._files[-1].name
        try:
            self._files = [file for file in self._files if self._open_first(file, retries)]
            while self._files:
                is_over = pid is not None and self._has_ended(pid)
                for file in list(self._files):
                    sh.tick()
                    if (mode == "name" or file.stream is None) and not self._reopen_if_replaced(
                        file, retries
                    ):
                        self._files.remove(file)
                        continue
                    for chunk in self._new_chunks(file):
                        heads = has_headers and file.name != last_name
                        yield f"\n==> {file.name} <==\n{chunk}" if heads else chunk
                        last_name = file.name
                if is_over:
                    return
                if not sh.out.is_read:
                    sh.status = STATUS_READER_GONE
                    return
                if self._files and not sh.sleep(interval):
                    sh.status = STATUS_INTERRUPTED
                    return
            sh.warn("no files remaining")
        finally:
            for file in self._files:
                file.close()

    def _has_ended(self, pid: int) -> bool:
        """Tell whether a job of this shell has ended."""
        has_ended = self._sh.has_job_ended(pid)
        if has_ended is None:
            raise self._sh.fail(f"--pid: {pid} is not a job of this shell")
        return has_ended

    def _open_first(self, file: FollowedFile, retries: bool) -> bool:
        """Open a file; return whether to follow it. A missing one has been reported."""
        try:
            self._open(file)
        except IsADirectoryError:
            message = "cannot follow end of this type of file"
            message += "" if retries else "; giving up on this name"
            self._sh.warn(f"{message_name(file.name)}: {message}")
            return retries
        except OSError:
            return retries
        return True

    def _open(self, file: FollowedFile) -> None:
        sh = self._sh
        stat = sh.fs.stat(sh.path(file.name), follow=True)
        file.stream = sh.open(file.name)
        file.identity = identity(stat)

    def _reopen_if_replaced(self, file: FollowedFile, retries: bool) -> bool:
        """Check what a name refers to now; return whether to go on following it."""
        sh, previous = self._sh, file.identity if file.stream is not None else None
        try:
            stat = sh.fs.stat(sh.path(file.name), follow=True)
            if previous == identity(stat):
                return True
            file.close()
            self._open(file)
        except OSError as error:
            if previous is not None:
                file.close()
                sh.warn(f"{quoted_name(file.name)} has become inaccessible: {os_error_text(error)}")
            return retries
        file.offset = 0
        what = "appeared" if previous is None else "been replaced"
        sh.note(f"{quoted_name(file.name)} has {what};  following new file")
        return True

    def _new_chunks(self, file: FollowedFile) -> Iterator[str]:
        """Yield the text after the last offset; all of a truncated file."""
        if file.stream is None:
            return
        if file.stream.seek(0, 2) < file.offset:
            self._sh.note(f"{message_name(file.name)}: file truncated")
            file.offset = 0
        file.stream.seek(file.offset)
        for chunk in self._sh.reader_of(file.stream).chunks():
            file.offset += len(bytes_of_text(chunk))
            yield chunk
