"""nproc - how many processors there are."""

from __future__ import annotations

from keysh.interp.run.machine import PROCESSORS
from keysh.schema.declare import command
from keysh.text.shell_numbers import is_digits, known_number

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call


@command(invalid={"ignore": "invalid number"})
def nproc(sh: Call, *, all: bool = False, ignore: int = 0) -> str:
    """Print how many processors there are: $OMP_NUM_THREADS, else 1. The host's are not told.

    --all           whatever the variables OMP_NUM_THREADS and OMP_THREAD_LIMIT say
    --ignore COUNT  so many fewer, but one at least
    """
    count, limit = PROCESSORS, 0
    if not all:
        count = number(sh.env.get("OMP_NUM_THREADS", "").partition(",")[0]) or PROCESSORS
        limit = number(sh.env.get("OMP_THREAD_LIMIT", ""))
    return f"{max(min(count, limit or count) - ignore, 1)}\n"


def number(text: str) -> int:
    """A number above zero; 0 for what is none."""
    text = text.strip()
    return known_number(text) if is_digits(text) else 0
