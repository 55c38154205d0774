"""Whether at most one way leads on from each place of a pattern.

Such a pattern is *steady*: one-unambiguous, its Glushkov automaton is deterministic.
"""

from __future__ import annotations

from keysh.text.regex.tree import Assertion, Choice, Group, One, Repeat, Sequence, Words

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.text.regex.tree import Node

MOST_PLACES = 150  # of a pattern that is looked at for being steady


class Unsteady(Exception):
    """Two ways lead on from one place, or the pattern is too long to tell."""


class Places:
    """The characters of a node as an automaton's places: those it begins with, ends with, and how
    they follow each other. A place is the mask of its characters."""

    __slots__ = ("first", "is_nullable", "last")

    def __init__(self, first: list[int], last: list[int], is_nullable: bool) -> None:
        self.first, self.last, self.is_nullable = first, last, is_nullable


class Follows:
    """Which places follow which, while a tree is walked."""

    __slots__ = ("follow", "masks")

    def __init__(self) -> None:
        self.masks: list[int] = []
        self.follow: list[list[int]] = []

    def places(self, node: Node) -> Places:
        if isinstance(node, One):
            if len(self.masks) >= MOST_PLACES:
                raise Unsteady
            self.masks.append(node.characters.mask)
            self.follow.append([])
            return Places([len(self.masks) - 1], [len(self.masks) - 1], False)
        if isinstance(node, Assertion):
            return Places([], [], True)
        if isinstance(node, Group):
            return self.places(node.body)
        if isinstance(node, Sequence):
            return self.joined(node.parts)
        if isinstance(node, Choice):
            return self.choice(node)
        if isinstance(node, Repeat) and not node.is_lazy:
            return self.repeat(node)
        raise Unsteady  # references and what looks around

    def joined(self, parts: list[Node]) -> Places:
        made = Places([], [], True)
        for part in parts:
            self.extend(made, part)
        return made

    def extend(self, made: Places, part: Node) -> None:
        """Let a part stand behind others."""
        found = self.places(part)
        self.link(made.last, found.first)
        if made.is_nullable:
            made.first = made.first + found.first
            self.check(made.first)
        made.last = found.last + made.last if found.is_nullable else found.last
        made.is_nullable = made.is_nullable and found.is_nullable

    def choice(self, node: Choice) -> Places:
        """Only the last alternative may be empty, for `re` takes the first that matches."""
        found = [self.places(one) for one in node.alternatives]
        if any(one.is_nullable for one in found[:-1]):
            raise Unsteady
        made = Places(
            [place for one in found for place in one.first],
            [place for one in found for place in one.last],
            found[-1].is_nullable,
        )
        self.check(made.first)
        return made

    def repeat(self, node: Repeat) -> Places:
        if node.most == 0:
            return Places([], [], True)
        if node.most is None and node.least < 2:
            found = self.places(node.body)
            if found.is_nullable:
                raise Unsteady
            self.link(found.last, found.first)
            return Places(found.first, found.last, node.least == 0)
        most = node.least + 1 if node.most is None else node.most
        if most * 2 > MOST_PLACES:
            raise Unsteady
        optional = most - node.least
        parts: list[Node] = [node.body] * node.least
        if node.most is None:
            return self.joined([*parts, Repeat(node.body, 0, None)])
        made = self.joined(parts)
        tail = Places([], [], True)
        for _ in range(optional):  # from the inside: (x(x(x)?)?)?
            found = self.places(node.body)
            if found.is_nullable:
                raise Unsteady
            self.link(found.last, tail.first)
            tail = Places(found.first, found.last + tail.last, True)
        self.link(made.last, tail.first)
        first = made.first + tail.first if made.is_nullable else made.first
        self.check(first)
        return Places(first, made.last + tail.last, made.is_nullable)

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
                raise Unsteady
            taken |= self.masks[place]


def is_steady(node: Node) -> bool:
    """Whether at most one way leads on from each place. An assertion may shut a way, never fork."""
    if isinstance(node, Words):  # which are written as a tree that forks by characters
        return True
    try:
        Follows().places(node)
    except Unsteady:
        return False
    return True


def straight_end(parts: list[Node], start: int) -> int:
    """Where the parts from one on end that match in one way only, and so end at one place only.

    The last of them is a single character, behind which nothing goes on by itself: `a*b`, not `a*`.
    """
    follows, made, end = Follows(), Places([], [], True), start
    try:
        for at in range(start, len(parts)):
            follows.extend(made, parts[at])
            if isinstance(parts[at], One):
                end = at + 1
    except Unsteady:
        pass
    return end
