"""What became of a fork, and how its shell takes that over: files and state, or nothing at all."""

from __future__ import annotations

from keysh.diagnostics.exceptions import KeyshError, MergeConflict, UndoConflict
from keysh.shell.history.file_merge import FileMerge
from keysh.shell.history.fork_base import ForkBase, bases_of_mounts
from keysh.shell.history.fork_mounts import OverlaidMount, mounts_of_fork, without_owner
from keysh.shell.history.run_changes import Changes
from keysh.shell.history.state_facts import FACT_KINDS
from keysh.shell.history.state_version import StateVersion
from keysh.shell.history.version_difference import SAME, difference
from keysh.vfs.journal.changes import FileChanges
from keysh.vfs.journal.content_store import ContentStore
from keysh.vfs.journal.file_undo import restore_versions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.interp.state.state import State
    from keysh.shell.history.fork_base import ForkOrigin
    from keysh.shell.history.fork_mounts import ForkMount
    from keysh.shell.history.run_journal import RunJournal
    from keysh.vfs.journal.version import FileVersion
    from keysh.vfs.router import Router

# What is overwritten is only kept in case that something fails in the middle.
MAX_KEPT_BYTES = 1 << 62


def changes_of_fork(origin: ForkOrigin, state: State | None, router: Router | None) -> Changes:
    """Return what has changed since the beginning of a fork; None for what it has not used yet."""
    before: dict[str, FileVersion | None] = {}
    after: dict[str, FileVersion | None] = {}
    for mount in fork_mounts(origin, router, None):
        for inner in mount.changed_paths():
            was, now = mount.base_version(inner), mount.fork_version(inner)
            if difference(was, now) != SAME:
                if now is not None:
                    without_owner(now, was)
                path = mount.path(inner)
                before[path], after[path] = was, now
    reasons = [f"{job} still runs" for job in running_jobs(state)]
    base = origin.base.state
    present = base if state is None else StateVersion(state)
    return Changes(FileChanges(before, after, reasons), base, present)


def merge_fork(
    shell: object,
    origin: ForkOrigin,
    own: tuple[State, Router],
    fork: tuple[State | None, Router | None],
    journal: RunJournal | None,
) -> None:
    """Take over what has changed in a fork since its base; then its base is what it is now.

    MergeConflict if both sides have changed the same thing differently; then nothing is taken.
    KeyshError if the fork could write to files that the merge takes away from it. In the history a
    merge is an entry, which can be taken back.
    """
    (own_state, own_router), (state, router) = own, fork
    for job in running_jobs(state):
        raise KeyshError(f"{job} of the fork still runs")
    was = origin.base.state
    theirs = was if state is None else StateVersion(state)
    ours = StateVersion(own_state)
    facts, conflicts = merged_facts(was, theirs, ours)
    mounts = [*fork_mounts(origin, router, own_router)]
    for mount in mounts:
        if mount.has_open_files():
            raise KeyshError(f"the fork has open files in {mount.point}")
    merges = [FileMerge(mount) for mount in mounts]
    paths = [merge.mount.path(inner) for merge in merges for inner in merge.conflicts]
    if paths or conflicts:
        raise MergeConflict(sorted(paths), conflicts)
    if journal is not None:
        journal.begin("merge")
    try:
        write_files(own_router, merges)
        for kind, name, fact in facts:
            FACT_KINDS[kind].put(own_state, name, fact)
    finally:
        if journal is not None:
            journal.end(None)
    bases, made = origin.base.mounts, origin.mounts
    if made is not None:
        for mount in mounts:
            if isinstance(mount, OverlaidMount):
                made[mount.point].reset()  # type: ignore[attr-defined]
        views = bases_of_mounts(made)
        for point, base in views.items():
            base.fs = bases[point].fs
        bases = views
    origin.base = ForkBase(shell, theirs, bases)


def running_jobs(state: State | None) -> list[str]:
    """Return the jobs of a shell that are not at their end."""
    if state is None or not state.session.has_jobs:
        return []
    return [f"job {job.number} ({job.text})" for job in state.session.unfinished_jobs()]


def write_files(router: Router, merges: list[FileMerge]) -> None:
    """Write the files of all file systems, or of none."""
    target: dict[str, FileVersion | None] = {}
    expected: dict[str, FileVersion | None] = {}
    for merge in merges:
        for inner in merge.target:
            path = merge.mount.path(inner)
            target[path], expected[path] = merge.target[inner], merge.expected[inner]
    try:
        restore_versions(router, target, expected, ContentStore(MAX_KEPT_BYTES))
    except UndoConflict as conflict:  # somebody has changed them just now
        raise MergeConflict(conflict.paths, {}) from None
    except BaseException:
        for merge in merges:
            merge.mount.recognise_taken_back(merge.expected)
        raise


def fork_mounts(
    origin: ForkOrigin, router: Router | None, own_router: Router | None
) -> list[ForkMount]:
    """Return the file systems that a fork may have changed, if it has used any."""
    if router is None or origin.mounts is None:
        return []
    own = {point: base.fs for point, base in origin.base.mounts.items()}
    return [*mounts_of_fork(origin, router.mounts, own_router.mounts if own_router else own)]


def merged_facts(
    was: StateVersion, theirs: StateVersion, ours: StateVersion
) -> tuple[list[tuple[str, str, Any]], dict[str, list[str]]]:
    """Return the facts to be taken over with their kinds and names, and the names in conflict."""
    facts: list[tuple[str, str, Any]] = []
    conflicts: dict[str, list[str]] = {}
    for kind in FACT_KINDS.values():
        for name in sorted(kind.differing_names(was, theirs)):
            fact, own = kind.fact(theirs, name), kind.fact(ours, name)
            if kind.is_same(kind.fact(was, name), own):
                facts.append((kind.name, name, fact))
            elif not kind.is_same(fact, own):
                conflicts.setdefault(kind.name, []).append(name)
    return facts, conflicts
