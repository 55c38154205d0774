"""Jobs by their numbers: `%1`."""

from __future__ import annotations

from keysh.completion.candidate import Candidate
from keysh.diagnostics import visible
from keysh.runtime.job_names import known

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.completion.spot import Spot
    from keysh.runtime.state import State


def jobs(state: State, found: Spot) -> list[Candidate]:
    """The jobs whose numbers go on so."""
    return [
        Candidate(f"%{job.number}", found.word.start, "job", visible(f"{job.state}: {job.text}"))
        for job in known(state)
        if f"%{job.number}".startswith(found.word.text)
    ]
