"""Run a command on hostile input, and tell an ordinary failure from a defect."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from fuzz.fields import Unfit
from hostile.harness import PYTHON_ERROR
from keysh import Limits, Result, Shell

LIMIT_SECONDS = 20
# Deterministic: whatever loops is stopped by the number of its steps, long before the seconds.
LIMITS = Limits(
    steps=20_000, seconds=LIMIT_SECONDS,
    output=4 << 20, value=4 << 20, memory=512 << 20, unpacked=16 << 20,
    file_bytes=32 << 20, files=2000, depth=100,
)  # fmt: skip
CLOCK = 1_700_000_000.0


# Its second number: the nanoseconds for which the machine had no processor for this thread.
SCHEDULING = Path("/proc/thread-self/schedstat")
NANOSECONDS = 1e9


def seconds_without_processor() -> float:
    """Return how long this thread has waited for a processor so far."""
    try:
        return int(SCHEDULING.read_text("ascii").split()[1]) / NANOSECONDS
    except (OSError, IndexError):
        return 0.0


def run(script: str, files: Mapping[str, bytes | str], **more: object) -> Result:
    """Run a script over files in memory; a defect of keysh is an AssertionError."""
    shell = Shell(files=dict(files), limits=LIMITS, clock=CLOCK, random=1, **more)  # type: ignore[arg-type]
    began = seconds_without_processor()
    with shell:
        result = shell.run(script)
    refuse_defect(result, seconds_without_processor() - began)
    return result


def refuse_defect(result: Result, delay: float = 0.0) -> None:
    """Raise AssertionError where a message is a Python exception, or time alone ended a run.

    `delay`: the seconds for which the machine did something else. A run that had less than half of
    its time says nothing.
    """
    if result.error is not None:
        raise result.error
    assert "E299" not in result.stderr, result.stderr
    assert not PYTHON_ERROR.search(result.stderr), result.stderr
    if result.limit is not None and result.limit.kind == "seconds":
        if delay > LIMIT_SECONDS / 2:
            raise Unfit
        raise AssertionError("it hangs")
