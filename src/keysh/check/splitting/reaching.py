"""Reaching: which assignments may have given a variable what it holds where it is read."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from keysh.check.facts import Assignment, Facts, UnquotedExpansion, VariableRead


class ReachingAssignments:
    """Assignments of one variable, as far as they reach one place.

    `made` are those that run before it, or behind it in a loop around both; `elsewhere` are those
    of functions, or what a function may find, of which nobody knows when they run. `is_begun` says
    that one of `made` stands before the place, `is_set` that it runs before it for sure, so that
    nothing older is left.
    """

    __slots__ = ("function_assignments", "has_earlier", "is_surely_set", "assignments")

    def __init__(
        self,
        made: Sequence[Assignment],
        elsewhere: Sequence[Assignment],
        *,
        is_begun: bool,
        is_set: bool,
    ) -> None:
        self.assignments, self.function_assignments = made, elsewhere
        self.has_earlier, self.is_surely_set = is_begun, is_set


def reaching_assignments(
    facts: Facts, name: str, place: VariableRead | UnquotedExpansion | Assignment
) -> ReachingAssignments:
    """The assignments of a variable that reach a place."""
    scopes = scopes_around(facts, place.scope)
    regions = regions_around(facts, place.region)
    before: list[Assignment] = []
    behind: list[Assignment] = []
    elsewhere: list[Assignment] = []
    last = -1  # where the last of those begins that run for sure
    for one in facts.assignments.get(name, ()):
        if one.kind == "declared" or ends_with_fork(facts, one.scope, scopes):
            continue
        if one.scope not in scopes:
            elsewhere.append(one)
        elif one.end > place.start:
            is_called = is_function_between(facts, place.scope, one.scope)
            (elsewhere if is_called else behind).append(one)
        else:
            before.append(one)
            if (
                one.kind != "added"
                and certain_region(facts, one.region) in regions
                and not is_function_between(facts, place.scope, one.scope)
            ):
                last = max(last, one.start)
    made = [one for one in before if one.start >= last]
    if behind:
        loops = {one for one in regions if is_later_loop(facts, one, last)}
        made += [one for one in behind if not loops.isdisjoint(regions_around(facts, one.region))]
    return ReachingAssignments(made, elsewhere, is_begun=bool(before), is_set=last >= 0)


def scopes_around(facts: Facts, scope: int) -> set[int]:
    """A scope, and those that it stands in."""
    found = {scope}
    while scope:
        scope = facts.enclosing_scopes[scope]
        found.add(scope)
    return found


def regions_around(facts: Facts, region: int) -> set[int]:
    """A region, and those that it stands in."""
    found = {region}
    while region:
        region = facts.regions[region].around
        found.add(region)
    return found


def certain_region(facts: Facts, region: int) -> int:
    """The region that a part of the script runs with."""
    while facts.regions[region].is_certain:
        region = facts.regions[region].around
    return region


def is_later_loop(facts: Facts, region: int, start: int) -> bool:
    """Whether a region is a loop that begins behind a place."""
    found = facts.regions[region]
    return found.repeats and found.start > start


def ends_with_fork(facts: Facts, scope: int, scopes: set[int]) -> bool:
    """Whether what a scope assigns ends with a fork that is not around the place."""
    while scope not in scopes:
        if scope in facts.fork_scopes:
            return True
        scope = facts.enclosing_scopes[scope]
    return False


def is_function_between(facts: Facts, scope: int, outer: int) -> bool:
    """Whether a place stands in a function, of which the other scope is the outside."""
    while scope != outer:
        if scope not in facts.fork_scopes:
            return True
        scope = facts.enclosing_scopes[scope]
    return False
