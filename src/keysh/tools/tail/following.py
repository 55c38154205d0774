"""Following: what is added to files after their ends were printed."""

from __future__ import annotations

from keysh.interp.jobs.names import job_of
from keysh.interp.run.control_flow import INTERRUPTED, READER_GONE
from keysh.interp.state.call import why
from keysh.interp.state.state_of_call import state_of
from keysh.interp.streams.streams import reader_of
from keysh.text.chunks import encoded
from keysh.text.gnu_quoting import quoted, shown
from keysh.vfs.api import identity

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from keysh.interp.state.call import Call, Input
    from keysh.vfs.api import Stream


class Followed:
    """One file: its name, its stream where it is open, and up to which byte it has been read."""

    __slots__ = ("at", "identity", "name", "stream")

    def __init__(self, name: str) -> None:
        self.name, self.at = name, 0
        self.stream: Stream | None = None
        self.identity = (0, 0)

    def close(self) -> None:
        """Let go of the stream."""
        if self.stream is not None:
            self.stream.close()
            self.stream = None


class Following:
    """The files that are followed, in their order."""

    __slots__ = ("_files", "_sh")

    def __init__(self, sh: Call, names: Sequence[str]) -> None:
        self._sh = sh
        self._files = [Followed(name) for name in names]

    def counted(self, source: Input, at: int = 0) -> Iterator[str]:
        """The text of an input from a byte on; behind its last byte the following begins."""
        found = [file for file in self._files if file.name == source.name]
        for file in found:
            file.at = at
        for chunk in source.chunks():
            for file in found:
                file.at += len(encoded(chunk))
            yield chunk

    def added(
        self, way: str, retries: bool, shows: bool, interval: float, pid: int | None
    ) -> Iterator[str]:
        """What comes, until no file is left, the job has ended, or the run is cancelled."""
        sh = self._sh
        last = self._files[-1].name
        try:
            self._files = [file for file in self._files if self._begins(file, retries)]
            while self._files:
                is_over = pid is not None and self._has_ended(pid)
                for file in list(self._files):
                    sh.tick()
                    if (way == "name" or file.stream is None) and not self._look(file, retries):
                        self._files.remove(file)
                        continue
                    for chunk in self._news(file):
                        heads = shows and file.name != last
                        yield f"\n==> {file.name} <==\n{chunk}" if heads else chunk
                        last = file.name
                if is_over:
                    return
                if not sh.out.is_read:
                    sh.status = READER_GONE
                    return
                if self._files and not sh.state.sleep(interval):
                    sh.status = INTERRUPTED
                    return
            sh.warn("no files remaining")
        finally:
            for file in self._files:
                file.close()

    def _has_ended(self, pid: int) -> bool:
        """Whether a job of this shell has."""
        job = job_of(state_of(self._sh), str(pid))
        if job is None:
            raise self._sh.fail(f"--pid: {pid} is no job of this shell")
        return job.status is not None

    def _begins(self, file: Followed, retries: bool) -> bool:
        """Open a file; whether there is anything to wait for. That it is missing has been told."""
        try:
            self._open(file)
        except IsADirectoryError:
            says = "cannot follow end of this type of file"
            says += "" if retries else "; giving up on this name"
            self._sh.warn(f"{shown(file.name)}: {says}")
            return retries
        except OSError:
            return retries
        return True

    def _open(self, file: Followed) -> None:
        sh = self._sh
        stat = sh.fs.stat(sh.path(file.name), follow=True)
        file.stream = sh.open(file.name)
        file.identity = identity(stat)

    def _look(self, file: Followed, retries: bool) -> bool:
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
                sh.warn(f"{quoted(file.name)} has become inaccessible: {why(error)}")
            return retries
        file.at = 0
        what = "appeared" if before is None else "been replaced"
        sh.note(f"{quoted(file.name)} has {what};  following new file")
        return True

    def _news(self, file: Followed) -> Iterator[str]:
        """What stands behind the last byte that was read; of a shortened file, all of it."""
        if file.stream is None:
            return
        if file.stream.seek(0, 2) < file.at:
            self._sh.note(f"{shown(file.name)}: file truncated")
            file.at = 0
        file.stream.seek(file.at)
        for chunk in reader_of(file.stream).chunks():
            file.at += len(encoded(chunk))
            yield chunk
