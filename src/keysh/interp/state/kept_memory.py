"""What a shell holds between two runs, in bytes: all that a script can make and that lives on."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from sys import getsizeof
from time import monotonic

from keysh.interp.run.budget import MIN_RUN_MEMORY_BYTES
from keysh.interp.run.control_flow import LimitReached
from keysh.interp.state.session import RUNS_PER_LOOK
from keysh.process.memory_use import resident_bytes
from keysh.values import ARRAYS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.interp.run.budget import Budget
    from keysh.interp.state.state import State

NOTICEABLE_BYTES = 1 << 20  # a run that has grown more is looked at
# The tree of a function and what is compiled of it, for each node: 120 to 160, and up to 600 once
# it was called; and its text, in a literal and in the source.
BYTES_PER_NODE, BYTES_PER_LITERAL_CHARACTER = 600, 3
# The same for each character of a trap, whose tree is not kept. A long word is one node.
BYTES_PER_CODE_CHARACTER = 200
LONG_WORDS = re.compile(r"\w{20,}")
LOOK_PAUSES = 20  # times as long as a look takes: the time without one, if nothing has grown
SURELY_SHARED_BYTES = 1000  # what is smaller is counted wherever it occurs
PLAIN_KINDS = frozenset((str, int, float, bool, type(None)))  # of values that hold no others


def limit_growth(state: State, budget: Budget) -> None:
    """Let a run grow by what is left for the shell, or by a little, so that it can clear up.

    A shell that is too large even so runs nothing until its host has cleared up.
    """
    session = state.session
    most = session.limits.session_memory or 0
    if session.kept_memory > most + MIN_RUN_MEMORY_BYTES:
        kept = session.kept_memory = kept_bytes(state, most + MIN_RUN_MEMORY_BYTES)
        if kept > most + MIN_RUN_MEMORY_BYTES:
            raise LimitReached("session_memory", kept, most)
    budget.count_kept(session.kept_memory, most)


def measure_kept(state: State, budget: Budget) -> None:
    """Measure what a shell keeps for its next run, after one that took long or met this limit."""
    session = state.session
    most = session.limits.session_memory
    if most is None:
        return
    began = monotonic()
    is_due = began >= session.next_look_at_memory or not session.runs % RUNS_PER_LOOK
    if is_due or session.kept_memory or resident_bytes() - budget.first_memory > NOTICEABLE_BYTES:
        kept = kept_bytes(state, most + MIN_RUN_MEMORY_BYTES)
        session.kept_memory = kept if kept > NOTICEABLE_BYTES else 0
        ended = monotonic()
        session.next_look_at_memory = ended + LOOK_PAUSES * (ended - began)


def kept_bytes(state: State, most: int) -> int:
    """Return the bytes of the state of a shell and of its files in memory.

    A look ends where there are more than `most`: how many more does not matter.
    """
    mounts = state.session.fs.mounts if state.session.has_files else {}
    files = sum(getattr(fs, "bytes_used", 0) for fs in mounts.values())
    total = files + code_bytes(state, most)
    todo: list[Collection[Any]] = [kept_values(state)]  # whose values are not counted yet
    counted: set[int] = set()
    while todo and total <= most:
        values = todo.pop()
        sizes = [*map(getsizeof, values)]
        if PLAIN_KINDS.issuperset(map(type, values)) and max(sizes) < SURELY_SHARED_BYTES:
            total += sum(sizes)
            continue
        for value, size in zip(values, sizes, strict=True):
            if size >= SURELY_SHARED_BYTES:
                if id(value) in counted:
                    continue
                counted.add(id(value))
            total += size
            if value.__class__ not in PLAIN_KINDS:
                todo += parts_of(value)
            if total > most:
                break
    return total


def parts_of(value: object) -> list[Collection[Any]]:
    """Return the collections of what a value holds; empty ones are left out."""
    parts: list[Collection[Any]] = []
    if isinstance(value, dict):  # in any order: bash's own takes a hash of each key
        parts = [[*dict.keys(value)], [*dict.values(value)]]
    elif isinstance(value, (list, tuple, *ARRAYS)):
        parts = [[*value]]
    elif isinstance(value, Mapping):
        parts = [[*value.keys()], [*value.values()]]
    return [part for part in parts if part]


def code_bytes(state: State, most: int) -> int:
    """Return the bytes of all functions and traps."""
    total = 0
    for trap in state.traps.values():
        if trap is not None:
            code = len(LONG_WORDS.sub("", trap.text))
            total += code * BYTES_PER_CODE_CHARACTER
            total += len(trap.text) * BYTES_PER_LITERAL_CHARACTER
    for function in state.functions.values():
        if not function.held_bytes:
            node = function.node
            function.held_bytes = BYTES_PER_NODE * sum(1 for _ in node.walk())
            function.held_bytes += BYTES_PER_LITERAL_CHARACTER * (node.end - node.start)
        total += function.held_bytes
        if total > most:
            break
    return total


def kept_values(state: State) -> list[Any]:
    """Return what holds the texts of a state, without its functions."""
    session = state.session
    values: list[Any] = [
        state.variables, [*state.attributes], state.arguments, state.aliases, state.directories,
        [*state.functions], state.last_words, session.script_files, state.name,
    ]  # fmt: skip
    values += [[name, spec.texts] for name, spec in state.completions.items()]
    if state.hashed_files is not None:
        values += state.hashed_files.paths()
    readers = [descriptor.reader for descriptor in state.descriptors.values()]
    values += [reader.unread_text() for reader in readers if reader is not None]
    jobs = [*session.jobs.jobs.values()] if session.has_jobs else []
    if state.background_job is not None:
        jobs.append(state.background_job)
    values += [[job.text, job.output, job.errors] for job in jobs]
    return values
