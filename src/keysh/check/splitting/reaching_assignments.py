"""Reaching assignments: those that may have set the value of a variable at a read."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from keysh.check.facts import Assignment, Facts, UnquotedExpansion, VariableRead


class ReachingAssignments:
    """The assignments of a variable that reach a node.

    assignments           those that run before it, or after it in a loop around both
    function_assignments  those whose time is unknown, since a function is involved
    has_earlier           one of `assignments` precedes the node
    is_surely_set         one of them certainly runs before it, so that no older value is left
    """

    __slots__ = ("function_assignments", "has_earlier", "is_surely_set", "assignments")

    def __init__(
        self,
        assignments: Sequence[Assignment],
        function_assignments: Sequence[Assignment],
        *,
        has_earlier: bool,
        is_surely_set: bool,
    ) -> None:
        self.assignments, self.function_assignments = assignments, function_assignments
        self.has_earlier, self.is_surely_set = has_earlier, is_surely_set


def reaching_assignments(
    facts: Facts, name: str, reader: VariableRead | UnquotedExpansion | Assignment
) -> ReachingAssignments:
    """Return the assignments of a variable that reach a node."""
    scopes = scopes_around(facts, reader.scope)
    regions = regions_around(facts, reader.region)
    earlier: list[Assignment] = []
    later: list[Assignment] = []
    in_functions: list[Assignment] = []
    last = -1  # the offset of the last assignment that certainly runs
    for assignment in facts.assignments.get(name, ()):
        if assignment.kind == "declared" or ends_with_fork(facts, assignment.scope, scopes):
            continue
        if assignment.scope not in scopes:
            in_functions.append(assignment)
        elif assignment.end > reader.start:
            is_called = is_function_between(facts, reader.scope, assignment.scope)
            (in_functions if is_called else later).append(assignment)
        else:
            earlier.append(assignment)
            if (
                assignment.kind != "added"
                and certain_region(facts, assignment.region) in regions
                and not is_function_between(facts, reader.scope, assignment.scope)
            ):
                last = max(last, assignment.start)
    reaching = [assignment for assignment in earlier if assignment.start >= last]
    if later:
        loops = {region for region in regions if is_later_loop(facts, region, last)}
        reaching += [
            assignment
            for assignment in later
            if not loops.isdisjoint(regions_around(facts, assignment.region))
        ]
    return ReachingAssignments(
        reaching, in_functions, has_earlier=bool(earlier), is_surely_set=last >= 0
    )


def scopes_around(facts: Facts, scope: int) -> set[int]:
    """Return a scope and all around it."""
    scopes = {scope}
    while scope:
        scope = facts.enclosing_scopes[scope]
        scopes.add(scope)
    return scopes


def regions_around(facts: Facts, region: int) -> set[int]:
    """Return a region and all around it."""
    regions = {region}
    while region:
        region = facts.regions[region].around
        regions.add(region)
    return regions


def certain_region(facts: Facts, region: int) -> int:
    """Return the region that a certain region belongs to."""
    while facts.regions[region].is_certain:
        region = facts.regions[region].around
    return region


def is_later_loop(facts: Facts, region: int, start: int) -> bool:
    """Whether a region is a loop that begins after an offset."""
    found = facts.regions[region]
    return found.repeats and found.start > start


def ends_with_fork(facts: Facts, scope: int, scopes: set[int]) -> bool:
    """Whether a scope's assignments end with a fork that is not among `scopes`."""
    while scope not in scopes:
        if scope in facts.fork_scopes:
            return True
        scope = facts.enclosing_scopes[scope]
    return False


def is_function_between(facts: Facts, scope: int, outer: int) -> bool:
    """Whether a function lies between a scope and an outer one."""
    while scope != outer:
        if scope not in facts.fork_scopes:
            return True
        scope = facts.enclosing_scopes[scope]
    return False
