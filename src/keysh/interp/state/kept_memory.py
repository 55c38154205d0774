"""What the variables and files of a shell hold between two runs, in bytes."""

from __future__ import annotations

from sys import getsizeof

from keysh.process.memory_use import resident_bytes
from keysh.values import ARRAYS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.run.budget import Budget
    from keysh.interp.state.state import State

NOTICEABLE_BYTES = 1 << 20  # a run that has grown less keeps nothing worth a look


def measure_kept(state: State, budget: Budget) -> None:
    """Measure what a shell keeps for its next run, after one that took long or met this limit."""
    session = state.session
    most = session.limits.session_memory
    if most is None:
        return
    if session.kept_memory or resident_bytes() - budget.first_memory > NOTICEABLE_BYTES:
        kept = kept_bytes(state, most)
        session.kept_memory = kept if kept > NOTICEABLE_BYTES else 0


def kept_bytes(state: State, most: int) -> int:
    """Return the bytes of all variables, arguments and files in memory.

    A look ends where there are more than `most`: how many more does not matter.
    """
    session = state.session
    files = sum(getattr(fs, "bytes_used", 0) for fs in session.fs.mounts.values())
    total, todo = files, [*state.variables.values(), *state.arguments]
    while todo and total <= most:
        value = todo.pop()
        total += getsizeof(value)
        if isinstance(value, dict):
            todo += value.keys()
            todo += value.values()
        elif isinstance(value, (list, tuple, *ARRAYS)):
            todo += value
    return total
