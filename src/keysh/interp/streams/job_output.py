"""JobWriter: passes the output of a job on, and records it for /v/jobs."""

from __future__ import annotations

from keysh.interp.streams.streams import Writer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.interp.jobs.jobs import ShellJob

    Record = Callable[[str], None]

MAX_JOB_OUTPUT_CHARS = 1 << 20  # the newest output of a job
# A job may start a job without end. What it prints belongs to the nearest of those it comes from.
MAX_RECORDS = 32


class JobWriter(Writer):
    """Writes to `target` and into the record of a job, and of the running jobs that it came from.

    It never writes through the writer of another job, or a chain of jobs would nest them.
    """

    __slots__ = ("_records", "target")

    def __init__(self, job: ShellJob, record: Record, out: Writer) -> None:
        """`out` is the output of whoever starts the job."""
        records = [(job, record)]
        self.target = out
        if isinstance(out, JobWriter):
            self.target = out.target
            records += [pair for pair in out._records if pair[0].status is None]
        self._records: list[tuple[ShellJob, Record]] = records[:MAX_RECORDS]
        super().__init__(self._record_and_put, self.target.flush)

    def _record_and_put(self, text: str) -> None:
        for _, record in self._records:
            record(text)
        self.target.put(text)


def list_record(texts: list[str]) -> Record:
    """Return a function that keeps the newest part of what it gets in a list."""
    size = 0

    def record(text: str) -> None:
        nonlocal size
        texts.append(text)
        size += len(text)
        while size > MAX_JOB_OUTPUT_CHARS and len(texts) > 1:
            size -= len(texts.pop(0))

    return record
