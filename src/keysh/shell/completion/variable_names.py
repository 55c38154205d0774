"""Completion of variables, of the keys of their values, and of jobs."""

from __future__ import annotations

import re

from keysh.diagnostics.display import shorten, visible
from keysh.interp.jobs.names import named_jobs
from keysh.shell.completion.candidate import Candidate
from keysh.values import text_of, type_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.state import State
    from keysh.shell.completion.spot import CompletionSpot


# ---------------------------------------------------------------- jobs


def job_candidates(state: State, spot: CompletionSpot) -> list[Candidate]:
    """Return the jobs whose `%1` begins with the word."""
    return [
        Candidate(f"%{job.number}", spot.word.start, "job", visible(f"{job.state}: {job.text}"))
        for job in named_jobs(state)
        if f"%{job.number}".startswith(spot.word.text)
    ]


INDEX = re.compile(r"-?[0-9]{1,18}")
MAX_SUMMARY_LENGTH = 50  # characters of a value
MAX_SUMMARIZED_LENGTH = 1000  # characters of a string that are read for that


def variable_candidates(state: State, spot: CompletionSpot) -> list[Candidate]:
    """Return the variables whose names begin with the word."""
    assert spot.variable is not None
    start, beginning = spot.variable
    return [
        Candidate(name, start, "variable", value_summary(value))
        for name, value in sorted(state.variables.items())
        if name.startswith(beginning)
    ]


def key_candidates(state: State, spot: CompletionSpot) -> list[Candidate]:
    """Return the keys of a record, or the indexes of a list, at the end of a path."""
    assert spot.path is not None
    start, name, path, beginning = spot.path
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
        if key.startswith(beginning)
    ]


def element_at(value: object, key: str) -> object:
    """Return the element at a key; None if there is none."""
    if isinstance(value, dict):
        return value.get(key)
    if isinstance(value, list) and INDEX.fullmatch(key):
        index = int(key)
        return value[index] if -len(value) <= index < len(value) else None
    return None


def value_summary(value: object) -> str:
    """Return a value in one line."""
    if isinstance(value, list | dict):
        return f"{type_name(value)} of {len(value)}"
    return shorten(visible(text_of(value)[:MAX_SUMMARIZED_LENGTH]), MAX_SUMMARY_LENGTH)
