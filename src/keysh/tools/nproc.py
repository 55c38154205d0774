"""nproc - how many processors there are."""

from __future__ import annotations

from keysh.schema.declare import Refusals, command
from keysh.text.shell_numbers import bounded_number, is_digits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call


@command(refusals=Refusals(invalid_values={"ignore": "invalid number"}))
def nproc(sh: Call, *, all: bool = False, ignore: int = 0) -> str:
    """Print how many processors there are: $OMP_NUM_THREADS, else 1. The host's are not told.

    --all           whatever the variables OMP_NUM_THREADS and OMP_THREAD_LIMIT say
    --ignore COUNT  so many fewer, but one at least
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
    """A number above zero; 0 for what is none."""
    text = text.strip()
    return bounded_number(text) if is_digits(text) else 0
