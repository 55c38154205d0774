"""Whether a pattern is deterministic: at most one path continues from each position.

The literature calls these patterns one-unambiguous: their Glushkov automaton is deterministic.
"""

from __future__ import annotations

from keysh.text.regex.regex_tree import (
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
    from keysh.text.regex.regex_tree import Node

MAX_POSITIONS = 150  # longer patterns count as nondeterministic


class Nondeterministic(Exception):
    """Two paths continue from one position, or the pattern is too long to tell."""


class PositionSets:
    """The positions of a node in its Glushkov automaton: those it starts and ends with. A position
    is the mask of its characters.
    """

    __slots__ = ("first", "is_nullable", "last")

    def __init__(self, first: list[int], last: list[int], is_nullable: bool) -> None:
        self.first, self.last, self.is_nullable = first, last, is_nullable


class FollowTable:
    """Which positions follow which, collected while a tree is walked."""

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
        raise Nondeterministic  # back references and lookarounds

    def sequence_positions(self, parts: list[Node]) -> PositionSets:
        sequence = PositionSets([], [], True)
        for part in parts:
            self.append_positions(sequence, part)
        return sequence

    def append_positions(self, sequence: PositionSets, part: Node) -> None:
        """Append a part to a sequence."""
        positions = self.positions_of(part)
        self.link(sequence.last, positions.first)
        if sequence.is_nullable:
            sequence.first = sequence.first + positions.first
            self.check(sequence.first)
        sequence.last = positions.last + sequence.last if positions.is_nullable else positions.last
        sequence.is_nullable = sequence.is_nullable and positions.is_nullable

    def alternation_positions(self, node: Alternation) -> PositionSets:
        """Only the last alternative may be empty, because `re` takes the first that matches."""
        alternatives = [self.positions_of(positions) for positions in node.alternatives]
        if any(positions.is_nullable for positions in alternatives[:-1]):
            raise Nondeterministic
        union = PositionSets(
            [place for positions in alternatives for place in positions.first],
            [place for positions in alternatives for place in positions.last],
            alternatives[-1].is_nullable,
        )
        self.check(union.first)
        return union

    def repeat_positions(self, node: Repeat) -> PositionSets:
        if node.most == 0:
            return PositionSets([], [], True)
        if node.most is None and node.least < 2:
            positions = self.positions_of(node.body)
            if positions.is_nullable:
                raise Nondeterministic
            self.link(positions.last, positions.first)
            return PositionSets(positions.first, positions.last, node.least == 0)
        most = node.least + 1 if node.most is None else node.most
        if most * 2 > MAX_POSITIONS:
            raise Nondeterministic
        optional = most - node.least
        parts: list[Node] = [node.body] * node.least
        if node.most is None:
            return self.sequence_positions([*parts, Repeat(node.body, 0, None)])
        required = self.sequence_positions(parts)
        tail = PositionSets([], [], True)
        for _ in range(optional):  # from the inside: (x(x(x)?)?)?
            positions = self.positions_of(node.body)
            if positions.is_nullable:
                raise Nondeterministic
            self.link(positions.last, tail.first)
            tail = PositionSets(positions.first, positions.last + tail.last, True)
        self.link(required.last, tail.first)
        first = required.first + tail.first if required.is_nullable else required.first
        self.check(first)
        return PositionSets(first, required.last + tail.last, required.is_nullable)

    def link(self, last: list[int], first: list[int]) -> None:
        """Let positions follow others."""
        for place in last:
            self.follow[place] = self.follow[place] + first
            self.check(self.follow[place])

    def check(self, places: list[int]) -> None:
        """Raise Nondeterministic if two positions share a character."""
        used = 0
        for place in places:
            if used & self.masks[place]:
                raise Nondeterministic
            used |= self.masks[place]


def is_deterministic(node: Node) -> bool:
    """Whether at most one path continues from each position. Assertions only remove paths."""
    if isinstance(node, LiteralAlternation):  # written as a tree that forks by character
        return True
    try:
        FollowTable().positions_of(node)
    except Nondeterministic:
        return False
    return True


def deterministic_end(parts: list[Node], start: int) -> int:
    """Return where the parts from `start` on end that match in one way and end at one position.

    The last of them is a single character, after which nothing continues by itself: `a*b`, not
    `a*`.
    """
    follows, sequence, end = FollowTable(), PositionSets([], [], True), start
    try:
        for index in range(start, len(parts)):
            follows.append_positions(sequence, parts[index])
            if isinstance(parts[index], CharacterNode):
                end = index + 1
    except Nondeterministic:
        pass
    return end
