"""Variables and the keys of what they hold."""

from __future__ import annotations

from keysh.diagnostics.diagnostic import shorten
from keysh.diagnostics.display import visible
from keysh.interp.jobs.names import named_jobs
from keysh.shell.completion.candidate import Candidate
from keysh.values import text_of, type_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.state import State
    from keysh.shell.completion.spot import CompletionSpot


# Jobs by their numbers: `%1`.


def job_candidates(state: State, found: CompletionSpot) -> list[Candidate]:
    """The jobs whose numbers go on so."""
    return [
        Candidate(f"%{job.number}", found.word.start, "job", visible(f"{job.state}: {job.text}"))
        for job in named_jobs(state)
        if f"%{job.number}".startswith(found.word.text)
    ]


MAX_SUMMARY_LENGTH = 50  # characters of a value
MAX_SUMMARIZED_LENGTH = 1000  # characters of a text that are looked at for that


def variable_candidates(state: State, found: CompletionSpot) -> list[Candidate]:
    """The variables whose names go on so."""
    assert found.variable is not None
    start, begin = found.variable
    return [
        Candidate(name, start, "variable", value_summary(value))
        for name, value in sorted(state.variables.items())
        if name.startswith(begin)
    ]


def key_candidates(state: State, found: CompletionSpot) -> list[Candidate]:
    """The keys of the record that a path leads to, or the places of the list."""
    assert found.path is not None
    start, name, path, begin = found.path
    value = state.variables.get(name)
    for key in path:
        value = element_at(value, key)
    if isinstance(value, dict):
        offered = [(str(key), inner) for key, inner in value.items()]
    elif isinstance(value, list):
        offered = [(str(index), inner) for index, inner in enumerate(value)]
    else:
        return []
    return [
        Candidate(key, start, "key", value_summary(inner))
        for key, inner in offered
        if key.startswith(begin)
    ]


def element_at(value: object, key: str) -> object:
    """What a key leads to; None where nothing is known."""
    if isinstance(value, dict):
        return value.get(key)
    if isinstance(value, list) and key.lstrip("-").isdecimal():
        index = int(key)
        return value[index] if -len(value) <= index < len(value) else None
    return None


def value_summary(value: object) -> str:
    """A value in a line."""
    if isinstance(value, list | dict):
        return f"{type_name(value)} of {len(value)}"
    return shorten(visible(text_of(value)[:MAX_SUMMARIZED_LENGTH]), MAX_SUMMARY_LENGTH)
