"""The status of a pipeline, which is a number as any other and knows those of its stages.

`$PIPESTATUS` finds them in the state's status until the next command leaves its own there. `+`
makes a plain number of it, as where a function ends: for its caller it is one command.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


class PipeStatus(int):
    """A status, and those of the stages."""

    stages: Sequence[int]


def pipe_status(status: int, stages: Sequence[int]) -> PipeStatus:
    """A status with those of the stages."""
    made = PipeStatus(status)
    made.stages = stages
    return made


def stage_statuses(status: int) -> list[int]:
    """The statuses that `$PIPESTATUS` shows; a command alone is a pipeline of one."""
    return [+one for one in status.stages] if isinstance(status, PipeStatus) else [status]


def fresh_pipe_status(status: int) -> PipeStatus:
    """A status as an object of its own, which is there until something leaves another."""
    return pipe_status(status, stage_statuses(status))


INITIAL_STATUS = pipe_status(0, ())  # before the first command
FAILED_BEFORE = pipe_status(0, [1])
INVERTED_STATUSES = (pipe_status(1, [0]), FAILED_BEFORE)


def inverted_status(status: int) -> int:
    """The status of `! command`."""
    if status.__class__ is int and status < len(INVERTED_STATUSES):
        return INVERTED_STATUSES[status]
    return pipe_status(0 if status else 1, stage_statuses(status))
