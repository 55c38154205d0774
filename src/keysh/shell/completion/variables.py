"""Variables and the keys of what they hold."""

from __future__ import annotations

from keysh.diagnostics.diagnostic import shortened, visible
from keysh.interp.jobs.names import known
from keysh.shell.completion.candidate import Candidate
from keysh.values import name_of, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.state import State
    from keysh.shell.completion.spot import Spot


# Jobs by their numbers: `%1`.


def jobs(state: State, found: Spot) -> list[Candidate]:
    """The jobs whose numbers go on so."""
    return [
        Candidate(f"%{job.number}", found.word.start, "job", visible(f"{job.state}: {job.text}"))
        for job in known(state)
        if f"%{job.number}".startswith(found.word.text)
    ]


MOST_SHOWN = 50  # characters of a value
MOST_READ = 1000  # characters of a text that are looked at for that


def variables(state: State, found: Spot) -> list[Candidate]:
    """The variables whose names go on so."""
    assert found.variable is not None
    start, begin = found.variable
    return [
        Candidate(name, start, "variable", summary(value))
        for name, value in sorted(state.variables.items())
        if name.startswith(begin)
    ]


def keys(state: State, found: Spot) -> list[Candidate]:
    """The keys of the record that a path leads to, or the places of the list."""
    assert found.path is not None
    start, name, path, begin = found.path
    value = state.variables.get(name)
    for key in path:
        value = element(value, key)
    if isinstance(value, dict):
        offered = [(str(key), inner) for key, inner in value.items()]
    elif isinstance(value, list):
        offered = [(str(index), inner) for index, inner in enumerate(value)]
    else:
        return []
    return [
        Candidate(key, start, "key", summary(inner))
        for key, inner in offered
        if key.startswith(begin)
    ]


def element(value: object, key: str) -> object:
    """What a key leads to; None where nothing is known."""
    if isinstance(value, dict):
        return value.get(key)
    if isinstance(value, list) and key.lstrip("-").isdecimal():
        index = int(key)
        return value[index] if -len(value) <= index < len(value) else None
    return None


def summary(value: object) -> str:
    """A value in a line."""
    if isinstance(value, list | dict):
        return f"{name_of(value)} of {len(value)}"
    return shortened(visible(text_of(value)[:MOST_READ]), MOST_SHOWN)
