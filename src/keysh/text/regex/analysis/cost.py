"""Estimate what `re` spends on a pattern, and whether its first match is the longest.

`re` tries one path after another. If at most one path continues for each next character, the
pattern is deterministic: `re` never backtracks, needs one pass from each start position, and
finds the longest match first. Otherwise each unbounded repetition multiplies the paths by the
text's length, and a nested one makes them exponential.
"""

from __future__ import annotations

import re
from itertools import zip_longest

from keysh.text.regex.analysis.anchors import is_anchored
from keysh.text.regex.analysis.determinism import deterministic_end, is_deterministic
from keysh.text.regex.regex_tree import (
    Alternation,
    Assertion,
    AtomicGroup,
    BackReference,
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
    from keysh.text.regex.regex_tree import Node

MAX_NATIVE_ALTERNATIVES = 40  # `re` tries them one by one; with more, the automaton is faster
MANY_REPETITIONS = 16  # a larger bound counts as unbounded
COMPARED_PER_STEP = 64  # characters that `re` compares in the time of a step
EXPONENTIAL_POWER = 99  # stands for exponential cost
UNBOUNDED_STEPS = 1 << 62  # more than any limit


class RepetitionFork:
    """A repetition that can end at many positions, each a path of its own.

    `sets` are the characters that it consumes; `next_literal` is a string that must follow, if any.
    With `is_scanned` it has only one end, and each path scans what it consumes. With `is_compared`
    it is what a back reference compares on each path.
    """

    __slots__ = ("is_compared", "is_scanned", "next_literal", "sets")

    def __init__(
        self,
        sets: list[CharacterSet],
        next_literal: str = "",
        *,
        is_scanned: bool = False,
        is_compared: bool = False,
    ) -> None:
        self.sets, self.next_literal = sets, next_literal
        self.is_scanned, self.is_compared = is_scanned, is_compared

    def count_steps(self, text: str) -> int:
        """Return how many steps it takes at most in a run of its characters."""
        longest = longest_run(self.sets, text)
        return 1 + (longest // COMPARED_PER_STEP if self.is_compared else longest)

    def count_ends(self, text: str) -> int:
        """Return at how many positions of a string it can end, from one start."""
        if self.is_compared:
            return self.count_steps(text)
        if not self.next_literal:
            return longest_run(self.sets, text) + 1
        count, position = 1, text.find(self.next_literal)
        while (position := text.find(self.next_literal, position + 1)) > 0:
            count += 1
        return count


class MatchCost:
    """The steps for a string of n characters: `factor` * n ** `power`.

    `forks` are the repetitions behind these powers, if all are known. Then there are no more paths
    through a string than its runs allow.
    """

    __slots__ = ("factor", "forks", "power")

    def __init__(
        self, power: int = 0, factor: int = 1, forks: list[RepetitionFork] | None = None
    ) -> None:
        self.power, self.factor = power, factor
        self.forks = forks if forks is not None or power else []

    def steps(self, length: int) -> int:
        """Return the steps for a string of some length."""
        if self.power >= EXPONENTIAL_POWER:
            return UNBOUNDED_STEPS
        return min(int(self.factor * max(length, 1) ** self.power), UNBOUNDED_STEPS)

    def steps_from(self, text: str) -> int:
        """Return the maximum of steps from each position of a string, if only runs matter."""
        steps = UNBOUNDED_STEPS if self.forks is None else self.factor
        for fork in self.forks or ():
            steps = min(steps * fork.count_steps(text), UNBOUNDED_STEPS)
        return steps

    def passes_from(self, text: str) -> int:
        """Return the same if the text between repetitions is rare: `(.*) - "(.*)" (.*)`."""
        passes = UNBOUNDED_STEPS if self.forks is None else self.factor * (len(text) + 1)
        for fork in self.forks or ():
            passes = min(
                passes * (1 if fork.is_scanned else fork.count_ends(text)), UNBOUNDED_STEPS
            )
        return passes


def longest_run(charsets: list[CharacterSet], text: str) -> int:
    """Return the length of the longest run of characters in some sets."""
    alternatives = "|".join({one.re_text(text.isascii()): None for one in charsets})
    return max(map(len, re.findall(f"(?:{alternatives})+", text)), default=0)


def search_cost(node: Node) -> MatchCost:
    """Return the cost of searching with `re`."""
    forks = compared_forks(node)
    cost = matching_cost(node)
    if forks:
        cost = product_cost([cost, MatchCost(1, 1, forks)])
    return MatchCost(cost.power + (not is_anchored(node)), cost.factor, cost.forks)


def compared_forks(node: Node) -> list[RepetitionFork]:
    """Return what back references compare on each path, if it may be long."""
    numbers = {one.number for one in nodes(node) if isinstance(one, BackReference)}
    return [
        RepetitionFork(characters_in(group), is_compared=True)
        for group in (nodes(node) if numbers else ())
        if isinstance(group, CaptureGroup) and group.number in numbers
        if any(isinstance(one, Repeat) and is_unbounded(one) for one in nodes(group))
    ]


def matching_cost(node: Node, *, is_last: bool = True) -> MatchCost:
    """Return the cost of matching at one position, beyond one pass over the matched text.

    The last part is not retried. Any other part is retried, for the sake of what follows, at each
    position where it can end.
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
        costs = [matching_cost(alternative, is_last=is_last) for alternative in node.alternatives]
        power, factor = max(cost.power for cost in costs), sum(cost.factor for cost in costs)
        return MatchCost(power, factor, merged_forks(costs))
    if isinstance(node, Repeat):
        return repeat_cost(node)
    return MatchCost()


def sequence_cost(parts: list[Node], *, is_last: bool) -> MatchCost:
    """Return the cost of a sequence.

    A deterministic part such as `a*b` multiplies no paths, but each path before it may scan all
    that it consumes. A part that forks the paths costs as much, so what is scanned before one
    counts as consumed by it.
    """
    if is_last:
        while parts and cannot_fail(parts[-1]):  # so nothing is retried for it
            parts.pop()
        if parts and cannot_fail_late(parts[-1]):  # only its first character can fail
            parts.pop()
            is_last = False
    costs: list[MatchCost] = []
    scanned_sets: list[CharacterSet] = []
    position = 0
    while position < len(parts):
        end = deterministic_end(parts, position)
        if end > position:
            for one in nodes(Concatenation(parts[position:end])):
                if isinstance(one, Repeat) and is_unbounded(one):
                    scanned_sets += characters_in(one)
            position = end
            continue
        position += 1
        part = parts[position - 1]
        cost = matching_cost(part, is_last=is_last and position == len(parts))
        if cost.forks and is_deterministic(part):  # one path leads to each end
            cost.forks[-1].next_literal = literal_at(parts, position)
        if cost.forks and scanned_sets:
            cost.forks[0].sets += scanned_sets
            scanned_sets = []
        costs.append(cost)
    if scanned_sets:
        costs.append(MatchCost(1, 1, [RepetitionFork(scanned_sets, is_scanned=True)]))
    return product_cost(costs)


def literal_at(parts: list[Node], position: int) -> str:
    """Return the literal text at the start of the parts from an index on."""
    text = ""
    for part in parts[position:]:
        char = part.characters.single if isinstance(part, CharacterNode) else ""
        if not char:
            break
        text += char
    return text


def product_cost(costs: list[MatchCost]) -> MatchCost:
    """Return the cost of parts that are tried for each path of those before them."""
    known = [cost.forks for cost in costs if cost.forks is not None]
    forks = [one for each in known for one in each] if len(known) == len(costs) else None
    return MatchCost(
        sum(cost.power for cost in costs), product(cost.factor for cost in costs), forks
    )


def merged_forks(costs: list[MatchCost]) -> list[RepetitionFork] | None:
    """Merge the forks of alternatives pairwise."""
    known = [cost.forks for cost in costs if cost.forks is not None]
    if len(known) < len(costs):
        return None
    alike = zip_longest(*known, fillvalue=RepetitionFork([]))
    return [RepetitionFork([char for one in each for char in one.sets]) for each in alike]


def characters_in(node: Node) -> list[CharacterSet]:
    """Return all sets in a node."""
    return [one.characters for one in nodes(node) if isinstance(one, CharacterNode)]


def cannot_fail(node: Node) -> bool:
    """Whether it matches at any position, possibly nothing, in at most one pass."""
    if isinstance(node, CaptureGroup):
        return cannot_fail(node.body)
    return isinstance(node, Repeat) and not node.least and is_single(node.body)


def cannot_fail_late(node: Node) -> bool:
    """Whether it matches, in one pass, wherever its first character does: `a+`."""
    if isinstance(node, CaptureGroup):
        return cannot_fail_late(node.body)
    return isinstance(node, Repeat) and node.least < 2 and is_single(node.body)


def ends_cost(node: Node) -> MatchCost:
    """Return the factor by which a deterministic part multiplies paths: the number of its ends."""
    repeats = [one for one in nodes(node) if isinstance(one, Repeat)]
    if any(is_unbounded(one) for one in repeats):
        return MatchCost(1, 1, [RepetitionFork(characters_in(node))])
    return MatchCost(0, product((one.most or 0) - one.least + 1 for one in repeats))


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
    body_cost = matching_cost(body, is_last=False)
    if not is_unbounded(node):
        times = node.most or 1
        return MatchCost(
            body_cost.power * times, min((body_cost.factor + 1) ** times, UNBOUNDED_STEPS)
        )
    if is_nullable(body):
        return MatchCost(EXPONENTIAL_POWER)
    turns = MatchCost(1, 1, [RepetitionFork(characters_in(body))])
    if isinstance(body, AtomicGroup):  # each turn has one end
        return product_cost([body_cost, turns])
    return turns if is_deterministic(Repeat(body, 0, None)) else MatchCost(EXPONENTIAL_POWER)


def product(factors: Iterable[int]) -> int:
    made = 1
    for factor in factors:
        made = min(made * factor, UNBOUNDED_STEPS)
    return made


def is_single(node: Node) -> bool:
    """Whether it always matches exactly one character."""
    return isinstance(node, CharacterNode) or (
        isinstance(node, CaptureGroup) and is_single(node.body)
    )


# ---------------------------------------------------------------- the longest match


def finds_longest(node: Node) -> bool:
    """Whether the first match that `re` finds at a position is the longest there.

    This is true for a sequence of single characters with any repetitions. If another match were
    longer, its path would have to overtake the first one within some repetition, but that
    repetition could then have continued as far. Parts of fixed length keep the distance and change
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
    """Return the parts of a sequence, including those of groups that are not repeated."""
    if isinstance(node, CaptureGroup):
        return flat_parts(node.body)
    if isinstance(node, Concatenation):
        return [inner for part in node.parts for inner in flat_parts(part)]
    return [node]


def fixed_length(node: Node) -> int | None:
    """Return the number of characters it always matches; None if that varies."""
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
    """Reorder a final choice of fixed-length alternatives, longest first.

    None if there is no such choice, or anything before it varies in length.
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
