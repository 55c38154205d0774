"""Following: what is added to files after their ends were printed."""

from __future__ import annotations

from keysh.interp.run.control_flow import STATUS_INTERRUPTED, STATUS_READER_GONE
from keysh.interp.state.call import os_error_text
from keysh.interp.streams.streams import reader_of
from keysh.text.chunks import bytes_of_text
from keysh.text.gnu_quoting import message_name, quoted_name
from keysh.vfs.api import identity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from keysh.interp.state.call import Call
    from keysh.interp.state.call_input import CommandInput
    from keysh.vfs.api import Stream


class FollowedFile:
    """One file: its name, its stream where it is open, and up to which byte it has been read."""

    __slots__ = ("offset", "identity", "name", "stream")

    def __init__(self, name: str) -> None:
        self.name, self.offset = name, 0
        self.stream: Stream | None = None
        self.identity = (0, 0)

    def close(self) -> None:
        """Let go of the stream."""
        if self.stream is not None:
            self.stream.close()
            self.stream = None


class FileFollower:
    """The files that are followed, in their order."""

    __slots__ = ("_files", "_sh")

    def __init__(self, sh: Call, names: Sequence[str]) -> None:
        self._sh = sh
        self._files = [FollowedFile(name) for name in names]

    def tracked_chunks(self, source: CommandInput, at: int = 0) -> Iterator[str]:
        """The text of an input from a byte on; behind its last byte the following begins."""
        found = [file for file in self._files if file.name == source.name]
        for file in found:
            file.offset = at
        for chunk in source.chunks():
            for file in found:
                file.offset += len(bytes_of_text(chunk))
            yield chunk

    def appended_text(
        self, way: str, retries: bool, shows: bool, interval: float, pid: int | None
    ) -> Iterator[str]:
        """What comes, until no file is left, the job has ended, or the run is cancelled."""
        sh = self._sh
        last = self._files[-1].name
        try:
            self._files = [file for file in self._files if self._open_first(file, retries)]
            while self._files:
                is_over = pid is not None and self._has_ended(pid)
                for file in list(self._files):
                    sh.tick()
                    if (way == "name" or file.stream is None) and not self._reopen_if_replaced(
                        file, retries
                    ):
                        self._files.remove(file)
                        continue
                    for chunk in self._new_chunks(file):
                        heads = shows and file.name != last
                        yield f"\n==> {file.name} <==\n{chunk}" if heads else chunk
                        last = file.name
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
        """Whether a job of this shell has."""
        has_ended = self._sh.has_job_ended(pid)
        if has_ended is None:
            raise self._sh.fail(f"--pid: {pid} is no job of this shell")
        return has_ended

    def _open_first(self, file: FollowedFile, retries: bool) -> bool:
        """Open a file; whether there is anything to wait for. That it is missing has been told."""
        try:
            self._open(file)
        except IsADirectoryError:
            says = "cannot follow end of this type of file"
            says += "" if retries else "; giving up on this name"
            self._sh.warn(f"{message_name(file.name)}: {says}")
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
        """See what a name stands for now; whether it is still followed."""
        sh, before = self._sh, file.identity if file.stream is not None else None
        try:
            stat = sh.fs.stat(sh.path(file.name), follow=True)
            if before == identity(stat):
                return True
            file.close()
            self._open(file)
        except OSError as error:
            if before is not None:
                file.close()
                sh.warn(f"{quoted_name(file.name)} has become inaccessible: {os_error_text(error)}")
            return retries
        file.offset = 0
        what = "appeared" if before is None else "been replaced"
        sh.note(f"{quoted_name(file.name)} has {what};  following new file")
        return True

    def _new_chunks(self, file: FollowedFile) -> Iterator[str]:
        """What stands behind the last byte that was read; of a shortened file, all of it."""
        if file.stream is None:
            return
        if file.stream.seek(0, 2) < file.offset:
            self._sh.note(f"{message_name(file.name)}: file truncated")
            file.offset = 0
        file.stream.seek(file.offset)
        for chunk in reader_of(file.stream).chunks():
            file.offset += len(bytes_of_text(chunk))
            yield chunk
