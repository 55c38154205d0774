"""Programs as records: what a worker asks its host to run, and how that has ended."""

from __future__ import annotations

from keysh.process.result import ProcessResult
from keysh.process.rlimits import RESOURCE_LIMITS, current_limit
from keysh.shell.isolation.file_calls import checked_path
from keysh.shell.isolation.frames import FrameError
from keysh.shell.isolation.word_records import checked_environment, checked_texts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Literal, TypeAlias

    # Where standard input comes from: nowhere, the worker, or a descriptor that cannot be read.
    InputKind: TypeAlias = Literal["none", "pull", "closed", "directory"]

INPUT_KINDS = ("none", "pull", "closed", "directory")
MODE_BITS = 0o777
RESULT_FIELDS = ("path", "pid", "code", "exit_code", "signal", "stop", "limit", "survivors")


class HostedRequest:
    """What a worker asks its host to run."""

    __slots__ = (
        "cwd", "directory", "env", "input", "is_job", "is_merged", "path", "place", "search",
        "span", "tells_start", "timeout", "ulimits", "umask", "words",
    )  # fmt: skip

    def __init__(self, record: dict[str, Any]) -> None:
        """Read a record; raise FrameError if it is none."""
        match record:
            case {
                "words": list(words), "path": str(path), "env": dict(env), "cwd": str(cwd),
                "directory": None | str() as directory, "search": None | str() as search,
                "input": str(kind), "timeout": None | int() | float() as timeout,
                "umask": None | int() as umask, "ulimits": dict(ulimits), "span": int(span),
                "place": [str(source), int(line), int(column)],
                "merged": bool(is_merged), "job": bool(is_job), "tells_start": bool(tells_start),
            } if words and kind in INPUT_KINDS:  # fmt: skip
                pass
            case _:
                raise FrameError("a program that is none")
        self.words, self.path, self.env = checked_texts(words), path, checked_environment(env)
        self.cwd = checked_path(cwd)
        self.directory = None if directory is None else checked_path(directory)
        self.search, self.input, self.timeout, self.span = search, kind, timeout, span
        self.place = source, line, column
        self.umask = None if umask is None else umask & MODE_BITS
        self.ulimits = checked_ulimits(ulimits)
        self.is_merged, self.is_job, self.tells_start = is_merged, is_job, tells_start
        if any("\0" in text for text in (*self.words, path, search or "")):
            raise FrameError("a program with a NUL")
        if timeout is not None and not timeout > 0:
            raise FrameError("a time that is none")


def checked_ulimits(record: dict[str, Any]) -> dict[str, tuple[int, int]]:
    """Return what a script has set by `ulimit`: nothing above what this process itself has."""
    limits = {}
    for name, pair in record.items():
        match pair:
            case [int(soft), int(hard)] if name in RESOURCE_LIMITS:
                most = current_limit(name)[1]
                limits[name] = (lower_limit(soft, most), lower_limit(hard, most))
            case _:
                raise FrameError("a limit of no kind")
    return limits


def lower_limit(limit: int, most: int) -> int:
    """Return the lower one of two limits; a negative one is none."""
    if limit < 0 or most < 0:
        return max(limit, most)
    return min(limit, most)


def record_of_process_result(result: ProcessResult) -> dict[str, Any]:
    """Return what a script learns of the end of a program."""
    record = {name: getattr(result, name) for name in RESULT_FIELDS}
    return {**record, "ms": result.duration_ms, "reaped": result.is_reaped}


def process_result_of_record(words: list[str], record: dict[str, Any]) -> ProcessResult:
    """Return the end of a program that the host tells."""
    result = ProcessResult(words)
    for name in RESULT_FIELDS:
        setattr(result, name, record[name])
    result.duration_ms, result.is_reaped = record["ms"], record["reaped"]
    return result
