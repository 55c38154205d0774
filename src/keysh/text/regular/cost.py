"""What `re` would spend on a pattern, and whether what it finds first is also the longest.

`re` tries one way after the other. Where for each next character at most one way leads on, it never
turns back: such a pattern is *steady*, costs one pass from each place it starts at, and finds the
longest match first. Elsewhere each repetition without bound multiplies the ways by the length of
the text, and one that stands inside another makes them exponential.
"""

from __future__ import annotations

import re
from itertools import zip_longest

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
    is_nullable,
    nodes,
)
from keysh.text.regular.steadiness import is_steady

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from keysh.text.regular.characters import Characters
    from keysh.text.regular.node import Node

MOST_ALTERNATIVES = 40  # that `re` tries one by one faster than the automaton all at once
NEWLINE_BIT = 1 << 10
MANY = 16  # repetitions with a bound above this count as those without
ENDLESS = 99  # the power that stands for an exponential
MANY_STEPS = 1 << 62  # more than anybody takes


class Cost:
    """The steps for a text of n characters: `factor` * n ** `power`.

    `taken` are the characters that each repetition among these powers takes, where that is known:
    then no longer run of them in a text counts for more than there is.
    """

    __slots__ = ("factor", "power", "taken")

    def __init__(
        self, power: int = 0, factor: int = 1, taken: list[list[Characters]] | None = None
    ) -> None:
        self.power, self.factor = power, factor
        self.taken = taken if taken is not None or power else []

    def steps(self, length: int) -> int:
        """The steps for a text."""
        if self.power >= ENDLESS:
            return MANY_STEPS
        return min(int(self.factor * max(length, 1) ** self.power), MANY_STEPS)

    def steps_from(self, text: str) -> int:
        """The steps from each place of a text at the most, where runs are all that matters."""
        made = MANY_STEPS if self.taken is None else self.factor
        for taken in self.taken or ():
            made = min(made * (longest_run(taken, text) + 1), MANY_STEPS)
        return made


def longest_run(taken: list[Characters], text: str) -> int:
    """The length of the longest part of a text that has only such characters."""
    sets = "|".join({one.text(text.isascii()): None for one in taken})
    return max(map(len, re.findall(f"(?:{sets})+", text)), default=0)


def cost_of(node: Node) -> Cost:
    """What searching costs `re`."""
    cost = matching_cost(node)
    return Cost(cost.power + (not is_anchored(node)), cost.factor, cost.taken)


def matching_cost(node: Node) -> Cost:
    """What matching at one place costs, above one pass over the text that is matched."""
    if is_steady(node):
        return Cost()
    if isinstance(node, Sequence):
        parts = list(node.parts)
        while parts and cannot_fail(parts[-1]):  # so nothing is tried again for its sake
            parts.pop()
        return one_after_another([cost_of_part(part) for part in parts])
    if isinstance(node, Choice):
        if len(node.alternatives) > MOST_ALTERNATIVES:
            return Cost(ENDLESS)
        costs = [matching_cost(one) for one in node.alternatives]
        power, factor = max(cost.power for cost in costs), sum(cost.factor for cost in costs)
        return Cost(power, factor, joined(costs))
    if isinstance(node, Group | Kept | Look):
        return matching_cost(node.body)
    if isinstance(node, Repeat):
        return repeat_cost(node)
    return Cost()


def one_after_another(costs: list[Cost]) -> Cost:
    """What parts cost of which each is tried for each way of those before it."""
    known = [cost.taken for cost in costs if cost.taken is not None]
    taken = [one for each in known for one in each] if len(known) == len(costs) else None
    return Cost(sum(cost.power for cost in costs), product(cost.factor for cost in costs), taken)


def joined(costs: list[Cost]) -> list[list[Characters]] | None:
    """What the repetitions of alternatives take, each with its like in the others."""
    known = [cost.taken for cost in costs if cost.taken is not None]
    if len(known) < len(costs):
        return None
    return [[char for one in each for char in one] for each in zip_longest(*known, fillvalue=[])]


def characters_in(node: Node) -> list[Characters]:
    """All sets of a node."""
    return [one.characters for one in nodes(node) if isinstance(one, One)]


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
        return Cost(1, 1, [characters_in(node)])
    return Cost(0, product((one.most or 0) - one.least + 1 for one in below))


def is_endless(node: Repeat) -> bool:
    return node.most is None or node.most > MANY


def repeat_cost(node: Repeat) -> Cost:
    body = node.body
    if is_single(body):
        if is_endless(node):
            return Cost(1, 1, [characters_in(body)])
        return Cost(0, (node.most or 0) - node.least + 1)
    if not node.most and node.most is not None:
        return Cost()
    inside = matching_cost(body)
    if not is_endless(node):
        times = node.most or 1
        return Cost(inside.power * times, min((inside.factor + 1) ** times, MANY_STEPS))
    if is_nullable(body):
        return Cost(ENDLESS)
    turns = Cost(1, 1, [characters_in(body)])
    if isinstance(body, Kept):  # each turn ends where it ends
        return one_after_another([inside, turns])
    return turns if is_steady(Repeat(body, 0, None)) else Cost(ENDLESS)


def product(factors: Iterable[int]) -> int:
    made = 1
    for factor in factors:
        made = min(made * factor, MANY_STEPS)
    return made


def is_single(node: Node) -> bool:
    """Whether it is always one character."""
    return isinstance(node, One) or (isinstance(node, Group) and is_single(node.body))


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
    if isinstance(node, Assertion | Look):
        return 0
    if isinstance(node, Group | Kept):
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
