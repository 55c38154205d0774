"""What `re` would spend on a pattern, and whether what it finds first is also the longest.

`re` tries one way after the other. Where for each next character at most one way leads on, it never
turns back: such a pattern is *steady*, costs one pass from each place it starts at, and finds the
longest match first. Elsewhere each repetition without bound multiplies the ways by the length of
the text, and one that stands inside another makes them exponential.
"""

from __future__ import annotations

import re
from itertools import zip_longest

from keysh.text.regex.analysis.determinism import deterministic_end, is_deterministic
from keysh.text.regex.charset import ASCII_MASK, NON_ASCII_BIT
from keysh.text.regex.tree import (
    Alternation,
    Assertion,
    AtomicGroup,
    CaptureGroup,
    CharacterNode,
    Concatenation,
    Lookaround,
    Repeat,
    is_nullable,
    nodes,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from keysh.text.regex.charset import CharacterSet
    from keysh.text.regex.tree import Node

MAX_NATIVE_ALTERNATIVES = 40  # that `re` tries one by one faster than the automaton all at once
NEWLINE_BIT = 1 << 10
MANY_REPETITIONS = 16  # repetitions with a bound above this count as those without
EXPONENTIAL_POWER = 99  # the power that stands for an exponential
UNBOUNDED_STEPS = 1 << 62  # more than anybody takes


class RepetitionFork:
    """A repetition that may end at many places, each a way of its own.

    `taken` are the characters that it takes; `behind` is a text that must follow, if there is one.
    What `is_passed` has but one end, and each way passes over what it takes.
    """

    __slots__ = ("next_literal", "needs_literal", "sets")

    def __init__(
        self, taken: list[CharacterSet], behind: str = "", *, is_passed: bool = False
    ) -> None:
        self.sets, self.next_literal, self.needs_literal = taken, behind, is_passed

    def count_ends(self, text: str) -> int:
        """How many places of a text it may end at, where it begins at one place."""
        if not self.next_literal:
            return longest_run(self.sets, text) + 1
        count, at = 1, text.find(self.next_literal)
        while (at := text.find(self.next_literal, at + 1)) > 0:
            count += 1
        return count


class MatchCost:
    """The steps for a text of n characters: `factor` * n ** `power`.

    `forks` are the repetitions that make up these powers, where all are known: then there are no
    more ways through a text than it has room for.
    """

    __slots__ = ("factor", "forks", "power")

    def __init__(
        self, power: int = 0, factor: int = 1, forks: list[RepetitionFork] | None = None
    ) -> None:
        self.power, self.factor = power, factor
        self.forks = forks if forks is not None or power else []

    def steps(self, length: int) -> int:
        """The steps for a text."""
        if self.power >= EXPONENTIAL_POWER:
            return UNBOUNDED_STEPS
        return min(int(self.factor * max(length, 1) ** self.power), UNBOUNDED_STEPS)

    def steps_from(self, text: str) -> int:
        """The steps from each place of a text at the most, where runs are all that matters."""
        made = UNBOUNDED_STEPS if self.forks is None else self.factor
        for fork in self.forks or ():
            made = min(made * (longest_run(fork.sets, text) + 1), UNBOUNDED_STEPS)
        return made

    def passes_from(self, text: str) -> int:
        """The same, where what stands between repetitions is rare: `(.*) - "(.*)" (.*)`."""
        made = UNBOUNDED_STEPS if self.forks is None else self.factor * (len(text) + 1)
        for fork in self.forks or ():
            made = min(made * (1 if fork.needs_literal else fork.count_ends(text)), UNBOUNDED_STEPS)
        return made


def longest_run(taken: list[CharacterSet], text: str) -> int:
    """The length of the longest part of a text that has only such characters."""
    sets = "|".join({one.re_text(text.isascii()): None for one in taken})
    return max(map(len, re.findall(f"(?:{sets})+", text)), default=0)


def search_cost(node: Node) -> MatchCost:
    """What searching costs `re`."""
    cost = matching_cost(node)
    return MatchCost(cost.power + (not is_anchored(node)), cost.factor, cost.forks)


def matching_cost(node: Node, *, is_last: bool = True) -> MatchCost:
    """What matching at one place costs, above one pass over the text that is matched.

    What stands last is not tried again. Anything else is, for the sake of what follows, at each
    place where it may end.
    """
    if isinstance(node, CaptureGroup):
        return matching_cost(node.body, is_last=is_last)
    if isinstance(node, AtomicGroup | Lookaround):
        return matching_cost(node.body)
    if is_deterministic(node):
        return MatchCost() if is_last else ends_cost(node)
    if isinstance(node, Concatenation):
        return sequence_cost(flat_parts(node), is_last=is_last)
    if isinstance(node, Alternation):
        if len(node.alternatives) > MAX_NATIVE_ALTERNATIVES:
            return MatchCost(EXPONENTIAL_POWER)
        costs = [matching_cost(one, is_last=is_last) for one in node.alternatives]
        power, factor = max(cost.power for cost in costs), sum(cost.factor for cost in costs)
        return MatchCost(power, factor, merged_forks(costs))
    if isinstance(node, Repeat):
        return repeat_cost(node)
    return MatchCost()


def sequence_cost(parts: list[Node], *, is_last: bool) -> MatchCost:
    """What a sequence costs.

    What matches in one way only, as `a*b` does, multiplies no ways, but each way before it may pass
    over all that it takes. A part that forks the ways costs as much; so what is passed in front of
    one counts as what that one takes.
    """
    if is_last:
        while parts and cannot_fail(parts[-1]):  # so nothing is tried again for its sake
            parts.pop()
        if parts and cannot_fail_late(parts[-1]):  # for its first character only
            parts.pop()
            is_last = False
    costs: list[MatchCost] = []
    passed: list[CharacterSet] = []
    at = 0
    while at < len(parts):
        end = deterministic_end(parts, at)
        if end > at:
            for one in nodes(Concatenation(parts[at:end])):
                if isinstance(one, Repeat) and is_unbounded(one):
                    passed += characters_in(one)
            at = end
            continue
        at += 1
        part = parts[at - 1]
        cost = matching_cost(part, is_last=is_last and at == len(parts))
        if cost.forks and is_deterministic(part):  # one way leads to each end
            cost.forks[-1].next_literal = literal_at(parts, at)
        if cost.forks and passed:
            cost.forks[0].sets += passed
            passed = []
        costs.append(cost)
    if passed:
        costs.append(MatchCost(1, 1, [RepetitionFork(passed, is_passed=True)]))
    return product_cost(costs)


def literal_at(parts: list[Node], at: int) -> str:
    """The text that the parts from one on begin with."""
    text = ""
    for part in parts[at:]:
        char = part.characters.single if isinstance(part, CharacterNode) else ""
        if not char:
            break
        text += char
    return text


def product_cost(costs: list[MatchCost]) -> MatchCost:
    """What parts cost of which each is tried for each way of those before it."""
    known = [cost.forks for cost in costs if cost.forks is not None]
    forks = [one for each in known for one in each] if len(known) == len(costs) else None
    return MatchCost(
        sum(cost.power for cost in costs), product(cost.factor for cost in costs), forks
    )


def merged_forks(costs: list[MatchCost]) -> list[RepetitionFork] | None:
    """The forks of alternatives, each with its like in the others."""
    known = [cost.forks for cost in costs if cost.forks is not None]
    if len(known) < len(costs):
        return None
    alike = zip_longest(*known, fillvalue=RepetitionFork([]))
    return [RepetitionFork([char for one in each for char in one.sets]) for each in alike]


def characters_in(node: Node) -> list[CharacterSet]:
    """All sets of a node."""
    return [one.characters for one in nodes(node) if isinstance(one, CharacterNode)]


def cannot_fail(node: Node) -> bool:
    """Whether it matches wherever it is tried, be it nothing, and takes one pass at most."""
    if isinstance(node, CaptureGroup):
        return cannot_fail(node.body)
    return isinstance(node, Repeat) and not node.least and is_single(node.body)


def cannot_fail_late(node: Node) -> bool:
    """Whether it matches, in one pass, wherever its first character does: `a+`."""
    if isinstance(node, CaptureGroup):
        return cannot_fail_late(node.body)
    return isinstance(node, Repeat) and node.least < 2 and is_single(node.body)


def ends_cost(node: Node) -> MatchCost:
    """What a steady part multiplies the ways by: the number of places it may end at."""
    below = [one for one in nodes(node) if isinstance(one, Repeat)]
    if any(is_unbounded(one) for one in below):
        return MatchCost(1, 1, [RepetitionFork(characters_in(node))])
    return MatchCost(0, product((one.most or 0) - one.least + 1 for one in below))


def is_unbounded(node: Repeat) -> bool:
    return node.most is None or node.most > MANY_REPETITIONS


def repeat_cost(node: Repeat) -> MatchCost:
    body = node.body
    if is_single(body):
        if is_unbounded(node):
            return MatchCost(1, 1, [RepetitionFork(characters_in(body))])
        return MatchCost(0, (node.most or 0) - node.least + 1)
    if not node.most and node.most is not None:
        return MatchCost()
    inside = matching_cost(body, is_last=False)
    if not is_unbounded(node):
        times = node.most or 1
        return MatchCost(inside.power * times, min((inside.factor + 1) ** times, UNBOUNDED_STEPS))
    if is_nullable(body):
        return MatchCost(EXPONENTIAL_POWER)
    turns = MatchCost(1, 1, [RepetitionFork(characters_in(body))])
    if isinstance(body, AtomicGroup):  # each turn ends where it ends
        return product_cost([inside, turns])
    return turns if is_deterministic(Repeat(body, 0, None)) else MatchCost(EXPONENTIAL_POWER)


def product(factors: Iterable[int]) -> int:
    made = 1
    for factor in factors:
        made = min(made * factor, UNBOUNDED_STEPS)
    return made


def is_single(node: Node) -> bool:
    """Whether it is always one character."""
    return isinstance(node, CharacterNode) or (
        isinstance(node, CaptureGroup) and is_single(node.body)
    )


# ---------------------------------------------------------------- the longest match


def finds_longest(node: Node) -> bool:
    """Whether the first match that `re` finds at a place is the longest there.

    Of a sequence of single characters, each repeated as may be, that is so: were another match
    longer, its way would have to overtake the first one's inside of some repetition, and then this
    repetition could have gone on as far. Parts of fixed length keep the distance, and change
    nothing.
    """
    if is_deterministic(node):
        return True
    parts = flat_parts(node)
    return all(
        fixed_length(part) is not None
        or (isinstance(part, Repeat) and is_single(part.body) and not part.is_lazy)
        for part in parts
    )


def flat_parts(node: Node) -> list[Node]:
    """The parts of a sequence and of the groups in it that are not repeated."""
    if isinstance(node, CaptureGroup):
        return flat_parts(node.body)
    if isinstance(node, Concatenation):
        return [inner for part in node.parts for inner in flat_parts(part)]
    return [node]


def fixed_length(node: Node) -> int | None:
    """How many characters it always has; None where that varies."""
    if isinstance(node, CharacterNode):
        return 1
    if isinstance(node, Assertion | Lookaround):
        return 0
    if isinstance(node, CaptureGroup | AtomicGroup):
        return fixed_length(node.body)
    if isinstance(node, Repeat):
        body = fixed_length(node.body)
        return body * node.least if body is not None and node.least == node.most else None
    if isinstance(node, Concatenation):
        lengths = [fixed_length(part) for part in node.parts]
    elif isinstance(node, Alternation):
        lengths = [fixed_length(one) for one in node.alternatives]
        if len(set(lengths)) > 1:
            return None
        return lengths[0]
    else:
        return None
    return None if None in lengths else sum(length or 0 for length in lengths)


def longest_first(node: Node) -> Node | None:
    """A pattern that ends in a choice of fixed texts, with the longest of them first.

    All in front of the choice is of fixed length too. None where that is not so.
    """
    if isinstance(node, CaptureGroup):
        body = longest_first(node.body)
        return None if body is None else CaptureGroup(node.number, body)
    if isinstance(node, Concatenation) and node.parts:
        last = longest_first(node.parts[-1])
        is_fixed = all(fixed_length(part) is not None for part in node.parts[:-1])
        return Concatenation([*node.parts[:-1], last]) if is_fixed and last is not None else None
    if not isinstance(node, Alternation):
        return None
    lengths = [length for one in node.alternatives if (length := fixed_length(one)) is not None]
    if len(lengths) < len(node.alternatives):
        return None
    order = sorted(range(len(lengths)), key=lambda i: -lengths[i])
    return Alternation([node.alternatives[i] for i in order])


def is_anchored(node: Node) -> bool:
    """Whether it can match at the start of the text only."""
    if isinstance(node, Concatenation):
        return bool(node.parts) and is_anchored(node.parts[0])
    if isinstance(node, Alternation):
        return all(map(is_anchored, node.alternatives))
    if isinstance(node, CaptureGroup):
        return is_anchored(node.body)
    return isinstance(node, Assertion) and node.kind == "text start"


def matches_once(node: Node) -> bool:
    """Whether a line has one match at most, which no empty one can follow.

    It begins at the start of the line, or ends at its end and is not empty, or is that end.
    """
    if is_anchored(node) or is_end(node):
        return True
    ends = isinstance(node, Concatenation) and bool(node.parts) and is_end(node.parts[-1])
    return ends and not is_nullable(node)


def is_end(node: Node) -> bool:
    """Whether it is the end of the text and nothing else."""
    return isinstance(node, Assertion) and node.kind == "text end"


def takes_all_before(node: Node) -> bool:
    """Whether it begins with `.*`: where it does not match at the start, it does nowhere.

    And behind its longest match it does not match again.
    """
    if isinstance(node, Concatenation):
        return bool(node.parts) and takes_all_before(node.parts[0])
    if isinstance(node, CaptureGroup):
        return takes_all_before(node.body)
    if not isinstance(node, Repeat) or node.least or node.most is not None or node.is_lazy:
        return False
    body = node.body
    return (
        isinstance(body, CharacterNode)
        and body.characters.mask | NEWLINE_BIT == ASCII_MASK | NON_ASCII_BIT
    )
