"""Run a command on hostile input, and tell an ordinary failure from a defect."""

from __future__ import annotations

from collections.abc import Mapping

from hostile.harness import PYTHON_ERROR
from keysh import Limits, Result, Shell

# Deterministic: whatever loops is stopped by the number of its steps, long before the seconds.
LIMITS = Limits(
    steps=20_000, seconds=20, output=4 << 20, value=4 << 20, memory=512 << 20, unpacked=16 << 20,
    file_bytes=32 << 20, files=2000, depth=100,
)  # fmt: skip
CLOCK = 1_700_000_000.0


def run(script: str, files: Mapping[str, bytes | str], **more: object) -> Result:
    """Run a script over files in memory; a defect of keysh is an AssertionError."""
    shell = Shell(files=dict(files), limits=LIMITS, clock=CLOCK, random=1, **more)  # type: ignore[arg-type]
    with shell:
        result = shell.run(script)
    refuse_defect(result)
    return result


def refuse_defect(result: Result) -> None:
    """Raise AssertionError where a message is a Python exception, or time alone ended a run."""
    if result.error is not None:
        raise result.error
    assert "E299" not in result.stderr, result.stderr
    assert not PYTHON_ERROR.search(result.stderr), result.stderr
    assert result.limit is None or result.limit.kind != "seconds", "it hangs"
