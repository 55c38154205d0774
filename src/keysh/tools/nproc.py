"""nproc - print the number of processors."""

from __future__ import annotations

from keysh.schema.declare import Refusals, command
from keysh.text.shell_numbers import bounded_number, is_digits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call


@command(
    compatible="GNU coreutils 9.1", refusals=Refusals(invalid_values={"ignore": "invalid number"})
)
def nproc(sh: Call, *, all: bool = False, ignore: int = 0) -> str:
    """Print the number of processors: $OMP_NUM_THREADS or 1, never that of the host.

    --all           ignore the variables OMP_NUM_THREADS and OMP_THREAD_LIMIT
    --ignore COUNT  subtract COUNT, but print at least 1
    """
    count, limit = sh.machine.processor_count, 0
    if not all:
        count = (
            thread_count(sh.env.get("OMP_NUM_THREADS", "").partition(",")[0])
            or sh.machine.processor_count
        )
        limit = thread_count(sh.env.get("OMP_THREAD_LIMIT", ""))
    return f"{max(min(count, limit or count) - ignore, 1)}\n"


def thread_count(text: str) -> int:
    """Return a positive number, or 0 for any other text."""
    text = text.strip()
    return bounded_number(text) if is_digits(text) else 0
