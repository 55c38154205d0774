"""What `re` would spend on a pattern, and whether what it finds first is also the longest.

`re` tries one way after the other. Where for each next character at most one way leads on, it never
turns back: such a pattern is *steady* (one-unambiguous, its Glushkov automaton is deterministic),
costs one pass from each place it starts at, and finds the longest match first. Elsewhere each
repetition without bound multiplies the ways by the length of the text, and one that stands inside
another makes them exponential.
"""

from __future__ import annotations

from keysh.text.regular.characters import ASCII, OTHERS
from keysh.text.regular.node import (
    Assertion,
    Choice,
    Group,
    Kept,
    Look,
    One,
    Repeat,
    Sequence,
    Words,
    is_nullable,
    nodes,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from keysh.text.regular.node import Node

MOST_PLACES = 150  # of a pattern that is looked at for being steady
MOST_ALTERNATIVES = 40  # that `re` tries one by one faster than the automaton all at once
NEWLINE_BIT = 1 << 10
MANY = 16  # repetitions with a bound above this count as those without
ENDLESS = 99  # the power that stands for an exponential


class Unsteady(Exception):
    """Two ways lead on from one place, or the pattern is too long to tell."""


class Cost:
    """The steps for a text of n characters: `factor` * n ** `power`."""

    __slots__ = ("factor", "power")

    def __init__(self, power: int = 0, factor: int = 1) -> None:
        self.power, self.factor = power, factor

    def steps(self, length: int) -> int:
        """The steps for a text."""
        if self.power >= ENDLESS:
            return 1 << 62
        return min(int(self.factor * max(length, 1) ** self.power), 1 << 62)


def cost_of(node: Node) -> Cost:
    """What searching costs `re`."""
    cost = matching_cost(node)
    return Cost(cost.power + (not is_anchored(node)), cost.factor)


def matching_cost(node: Node) -> Cost:
    """What matching at one place costs, above one pass over the text that is matched."""
    if is_steady(node):
        return Cost()
    if isinstance(node, Sequence):
        parts = list(node.parts)
        while parts and cannot_fail(parts[-1]):  # so nothing is tried again for its sake
            parts.pop()
        costs = [cost_of_part(part) for part in parts]
        return Cost(sum(cost.power for cost in costs), product(cost.factor for cost in costs))
    if isinstance(node, Choice):
        if len(node.alternatives) > MOST_ALTERNATIVES:
            return Cost(ENDLESS)
        costs = [matching_cost(one) for one in node.alternatives]
        return Cost(max(cost.power for cost in costs), sum(cost.factor for cost in costs))
    if isinstance(node, Group | Kept | Look):
        return matching_cost(node.body)
    if isinstance(node, Repeat):
        return repeat_cost(node)
    return Cost()


def cannot_fail(node: Node) -> bool:
    """Whether it matches wherever it is tried, be it nothing, and takes one pass at most."""
    if isinstance(node, Group):
        return cannot_fail(node.body)
    return isinstance(node, Repeat) and not node.least and is_single(node.body)


def cost_of_part(node: Node) -> Cost:
    """What a part multiplies the cost of a sequence by: the number of places it may end at."""
    if not is_steady(node):
        return matching_cost(node)
    below = [one for one in nodes(node) if isinstance(one, Repeat)]
    if any(is_endless(one) for one in below):
        return Cost(1)
    return Cost(0, product((one.most or 0) - one.least + 1 for one in below))


def is_endless(node: Repeat) -> bool:
    return node.most is None or node.most > MANY


def repeat_cost(node: Repeat) -> Cost:
    body = node.body
    if is_single(body):
        return Cost(1) if is_endless(node) else Cost(0, (node.most or 0) - node.least + 1)
    if not node.most and node.most is not None:
        return Cost()
    inside = matching_cost(body)
    if not is_endless(node):
        times = node.most or 1
        return Cost(inside.power * times, min((inside.factor + 1) ** times, 1 << 62))
    is_looping = is_steady(Repeat(body, 0, None)) and not is_nullable(body)
    return Cost(1) if is_looping else Cost(ENDLESS)


def product(factors: Iterable[int]) -> int:
    made = 1
    for factor in factors:
        made = min(made * factor, 1 << 62)
    return made


def is_single(node: Node) -> bool:
    """Whether it is always one character."""
    return isinstance(node, One) or (isinstance(node, Group) and is_single(node.body))


# ---------------------------------------------------------------- steadiness


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
            found = self.places(part)
            self.link(made.last, found.first)
            if made.is_nullable:
                made.first = made.first + found.first
                self.check(made.first)
            made.last = found.last + made.last if found.is_nullable else found.last
            made.is_nullable = made.is_nullable and found.is_nullable
        return made

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


# ---------------------------------------------------------------- the longest match


def finds_longest(node: Node) -> bool:
    """Whether the first match that `re` finds at a place is the longest there.

    Of a sequence of single characters, each repeated as may be, that is so: were another match
    longer, its way would have to overtake the first one's inside of some repetition, and then this
    repetition could have gone on as far. Parts of fixed length keep the distance, and change
    nothing.
    """
    if is_steady(node):
        return True
    parts = flattened(node)
    return all(
        fixed_length(part) is not None
        or (isinstance(part, Repeat) and is_single(part.body) and not part.is_lazy)
        for part in parts
    )


def flattened(node: Node) -> list[Node]:
    """The parts of a sequence and of the groups in it that are not repeated."""
    if isinstance(node, Group):
        return flattened(node.body)
    if isinstance(node, Sequence):
        return [inner for part in node.parts for inner in flattened(part)]
    return [node]


def fixed_length(node: Node) -> int | None:
    """How many characters it always has; None where that varies."""
    if isinstance(node, One):
        return 1
    if isinstance(node, Assertion):
        return 0
    if isinstance(node, Group):
        return fixed_length(node.body)
    if isinstance(node, Repeat):
        body = fixed_length(node.body)
        return body * node.least if body is not None and node.least == node.most else None
    if isinstance(node, Sequence):
        lengths = [fixed_length(part) for part in node.parts]
    elif isinstance(node, Choice):
        lengths = [fixed_length(one) for one in node.alternatives]
        if len(set(lengths)) > 1:
            return None
        return lengths[0]
    else:
        return None
    return None if None in lengths else sum(length or 0 for length in lengths)


def by_length(node: Node) -> Node | None:
    """A pattern that ends in a choice of fixed texts, with the longest of them first.

    All in front of the choice is of fixed length too. None where that is not so.
    """
    if isinstance(node, Group):
        body = by_length(node.body)
        return None if body is None else Group(node.number, body)
    if isinstance(node, Sequence) and node.parts:
        last = by_length(node.parts[-1])
        is_fixed = all(fixed_length(part) is not None for part in node.parts[:-1])
        return Sequence([*node.parts[:-1], last]) if is_fixed and last is not None else None
    if not isinstance(node, Choice):
        return None
    lengths = [length for one in node.alternatives if (length := fixed_length(one)) is not None]
    if len(lengths) < len(node.alternatives):
        return None
    order = sorted(range(len(lengths)), key=lambda i: -lengths[i])
    return Choice([node.alternatives[i] for i in order])


def is_anchored(node: Node) -> bool:
    """Whether it can match at the start of the text only."""
    if isinstance(node, Sequence):
        return bool(node.parts) and is_anchored(node.parts[0])
    if isinstance(node, Choice):
        return all(map(is_anchored, node.alternatives))
    if isinstance(node, Group):
        return is_anchored(node.body)
    return isinstance(node, Assertion) and node.kind == "text start"


def matches_once(node: Node) -> bool:
    """Whether a line has one match at most, which no empty one can follow.

    It begins at the start of the line, or ends at its end and is not empty, or is that end.
    """
    if is_anchored(node) or is_end(node):
        return True
    ends = isinstance(node, Sequence) and bool(node.parts) and is_end(node.parts[-1])
    return ends and not is_nullable(node)


def is_end(node: Node) -> bool:
    """Whether it is the end of the text and nothing else."""
    return isinstance(node, Assertion) and node.kind == "text end"


def takes_all_before(node: Node) -> bool:
    """Whether it begins with `.*`: where it does not match at the start, it does nowhere.

    And behind its longest match it does not match again.
    """
    if isinstance(node, Sequence):
        return bool(node.parts) and takes_all_before(node.parts[0])
    if isinstance(node, Group):
        return takes_all_before(node.body)
    if not isinstance(node, Repeat) or node.least or node.most is not None or node.is_lazy:
        return False
    body = node.body
    return isinstance(body, One) and body.characters.mask | NEWLINE_BIT == ASCII | OTHERS
