"""Whether at most one way leads on from each place of a pattern.

Such a pattern is *steady*: one-unambiguous, its Glushkov automaton is deterministic.
"""

from __future__ import annotations

from keysh.text.regex.tree import (
    Alternation,
    Assertion,
    CaptureGroup,
    CharacterNode,
    Concatenation,
    LiteralAlternation,
    Repeat,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.text.regex.tree import Node

MAX_POSITIONS = 150  # of a pattern that is looked at for being steady


class Nondeterministic(Exception):
    """Two ways lead on from one place, or the pattern is too long to tell."""


class PositionSets:
    """The characters of a node as an automaton's places: those it begins with, ends with, and how
    they follow each other. A place is the mask of its characters."""

    __slots__ = ("first", "is_nullable", "last")

    def __init__(self, first: list[int], last: list[int], is_nullable: bool) -> None:
        self.first, self.last, self.is_nullable = first, last, is_nullable


class FollowTable:
    """Which places follow which, while a tree is walked."""

    __slots__ = ("follow", "masks")

    def __init__(self) -> None:
        self.masks: list[int] = []
        self.follow: list[list[int]] = []

    def positions_of(self, node: Node) -> PositionSets:
        if isinstance(node, CharacterNode):
            if len(self.masks) >= MAX_POSITIONS:
                raise Nondeterministic
            self.masks.append(node.characters.mask)
            self.follow.append([])
            return PositionSets([len(self.masks) - 1], [len(self.masks) - 1], False)
        if isinstance(node, Assertion):
            return PositionSets([], [], True)
        if isinstance(node, CaptureGroup):
            return self.positions_of(node.body)
        if isinstance(node, Concatenation):
            return self.sequence_positions(node.parts)
        if isinstance(node, Alternation):
            return self.alternation_positions(node)
        if isinstance(node, Repeat) and not node.is_lazy:
            return self.repeat_positions(node)
        raise Nondeterministic  # references and what looks around

    def sequence_positions(self, parts: list[Node]) -> PositionSets:
        made = PositionSets([], [], True)
        for part in parts:
            self.append_positions(made, part)
        return made

    def append_positions(self, made: PositionSets, part: Node) -> None:
        """Let a part stand behind others."""
        found = self.positions_of(part)
        self.link(made.last, found.first)
        if made.is_nullable:
            made.first = made.first + found.first
            self.check(made.first)
        made.last = found.last + made.last if found.is_nullable else found.last
        made.is_nullable = made.is_nullable and found.is_nullable

    def alternation_positions(self, node: Alternation) -> PositionSets:
        """Only the last alternative may be empty, for `re` takes the first that matches."""
        found = [self.positions_of(one) for one in node.alternatives]
        if any(one.is_nullable for one in found[:-1]):
            raise Nondeterministic
        made = PositionSets(
            [place for one in found for place in one.first],
            [place for one in found for place in one.last],
            found[-1].is_nullable,
        )
        self.check(made.first)
        return made

    def repeat_positions(self, node: Repeat) -> PositionSets:
        if node.most == 0:
            return PositionSets([], [], True)
        if node.most is None and node.least < 2:
            found = self.positions_of(node.body)
            if found.is_nullable:
                raise Nondeterministic
            self.link(found.last, found.first)
            return PositionSets(found.first, found.last, node.least == 0)
        most = node.least + 1 if node.most is None else node.most
        if most * 2 > MAX_POSITIONS:
            raise Nondeterministic
        optional = most - node.least
        parts: list[Node] = [node.body] * node.least
        if node.most is None:
            return self.sequence_positions([*parts, Repeat(node.body, 0, None)])
        made = self.sequence_positions(parts)
        tail = PositionSets([], [], True)
        for _ in range(optional):  # from the inside: (x(x(x)?)?)?
            found = self.positions_of(node.body)
            if found.is_nullable:
                raise Nondeterministic
            self.link(found.last, tail.first)
            tail = PositionSets(found.first, found.last + tail.last, True)
        self.link(made.last, tail.first)
        first = made.first + tail.first if made.is_nullable else made.first
        self.check(first)
        return PositionSets(first, made.last + tail.last, made.is_nullable)

    def link(self, last: list[int], first: list[int]) -> None:
        """Let some places follow others."""
        for place in last:
            self.follow[place] = self.follow[place] + first
            self.check(self.follow[place])

    def check(self, places: list[int]) -> None:
        """Refuse two places for one character, and two ways to one place."""
        taken = 0
        for place in places:
            if taken & self.masks[place]:
                raise Nondeterministic
            taken |= self.masks[place]


def is_deterministic(node: Node) -> bool:
    """Whether at most one way leads on from each place. An assertion may shut a way, never fork."""
    if isinstance(node, LiteralAlternation):  # which are written as a tree that forks by characters
        return True
    try:
        FollowTable().positions_of(node)
    except Nondeterministic:
        return False
    return True


def deterministic_end(parts: list[Node], start: int) -> int:
    """Where the parts from one on end that match in one way only, and so end at one place only.

    The last of them is a single character, behind which nothing goes on by itself: `a*b`, not `a*`.
    """
    follows, made, end = FollowTable(), PositionSets([], [], True), start
    try:
        for at in range(start, len(parts)):
            follows.append_positions(made, parts[at])
            if isinstance(parts[at], CharacterNode):
                end = at + 1
    except Nondeterministic:
        pass
    return end
