"""PipeStatus: an exit status that also carries the statuses of the stages of a pipeline.

`$PIPESTATUS` reads them from the state's status. `+status` is a plain int, for example at the end
of a function, which is one command for its caller.
"""

from __future__ import annotations

from keysh.diagnostics.exceptions import refuse, shown_value

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


MAX_STATUS = 255


class MarkedStatus(int):
    """A status that tells the shell more than a number."""


class PipeStatus(MarkedStatus):
    """A status with the statuses of the stages."""

    stages: Sequence[int]


class TrappedStatus(MarkedStatus):
    """The status of a command for which the ERR trap has run."""


def pipe_status(status: int, stages: Sequence[int]) -> PipeStatus:
    """Return a status that carries the statuses of the stages."""
    carrier = PipeStatus(status)
    carrier.stages = stages
    return carrier


def stage_statuses(status: int) -> list[int]:
    """Return the value of `$PIPESTATUS`; a single command is a pipeline of one stage."""
    return [+one for one in status.stages] if isinstance(status, PipeStatus) else [status]


def fresh_pipe_status(status: int) -> PipeStatus:
    """Return the status as a distinct object, so that a later assignment can be detected."""
    return pipe_status(status, stage_statuses(status))


INITIAL_STATUS = pipe_status(0, ())  # before the first command
FAILED_BEFORE = pipe_status(0, [1])
INVERTED_STATUSES = (pipe_status(1, [0]), FAILED_BEFORE)


def inverted_status(status: int) -> int:
    """Return the status of `! command`."""
    if status.__class__ is int and status < len(INVERTED_STATUSES):
        return INVERTED_STATUSES[status]
    return pipe_status(0 if status else 1, stage_statuses(status))


def valid_status(status: object) -> int:
    """Return the status of a command; raise TypeError or ValueError for what is none."""
    if not isinstance(status, int):
        refuse("a status", "a whole number", status)
    if not 0 <= status <= MAX_STATUS:
        raise ValueError(f"a status must be 0 to {MAX_STATUS}, but is {shown_value(status)}")
    return status
