"""A tree as `re` matches it, wherever that is cheap enough."""

from __future__ import annotations

import re

from keysh.text.regex.analysis.cost import Cost, cost_of, is_anchored, longest_run
from keysh.text.regex.analysis.loops import scanning_loops
from keysh.text.regex.errors import TOO_BIG, RegexLimit
from keysh.text.regex.native.to_re import Translation
from keysh.text.regex.tree import Kept, Look, Reference, nodes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.text.regex.tree import Node

MOST_STEPS = 1_000_000  # that `re` may take for one line or text
MOST_ALONE = 100_000_000  # the same where no other engine would be as quick
MOST_EACH = 16  # steps from each place, however many places there are
MOST_EACH_ALONE = 512
MOST_SCANNED = 50_000_000  # characters that it may look at again and again, which is quicker
SHORT = 2048  # characters of a text in which it may do so anyway
SHORT_HEAVY = 512  # the same where each of them takes long
SHORT_LINE = 128  # the same of a line among many
PERLISH = ("perl", "oniguruma")  # what finds the first match, and has what only `re` can match


class Native:
    """The patterns of `re` that a tree becomes: one for each kind of text and of question.

    One that `takes_all` begins with `.*`: where it does not match at the start, it does nowhere.
    """

    __slots__ = (
        "_is_alone", "_is_anchored", "_is_heavy", "_loops", "_made", "_node", "_scanned", "_syntax",
        "_takes_all", "cost",
    )  # fmt: skip

    def __init__(self, node: Node, syntax: str, *, takes_all: bool = False) -> None:
        self._node, self._syntax, self._takes_all = node, syntax, takes_all
        self.cost = cost_of(node)
        self._is_anchored = is_anchored(node)
        self._is_alone = any(isinstance(one, Reference | Look | Kept) for one in nodes(node))
        self._loops = scanning_loops(node) if self.cost.power < 2 else []
        self._is_heavy = any(loop.weight > 1 for loop in self._loops)
        self._scanned: tuple[tuple[int, int], bool] | None = None  # what was found out last
        self._made: dict[tuple[bool | str, ...], re.Pattern[str]] = {}

    def is_cheap(self, length: int, *, at_once: bool = False) -> bool:
        """Whether `re` can be let loose on a text of a length; `at_once`, at one place only."""
        return self._is_cheap(length, MOST_ALONE if self._is_alone else MOST_STEPS, at_once=at_once)

    def _is_cheap(self, length: int, most: int, *, at_once: bool) -> bool:
        power, factor = self.cost.power - at_once, self.cost.factor
        if self._loops and not at_once and length > (SHORT_HEAVY if self._is_heavy else SHORT):
            return False
        return (power < 2 and factor == 1) or Cost(power, factor).steps(length) <= most

    def is_cheap_in(self, text: str) -> bool:
        """Whether `re` can be let loose on this text."""
        if self.is_cheap(len(text), at_once=self.is_at_once(text)):
            return True
        return self._has_short_runs(text)

    def is_cheap_by_line(self, text: str) -> bool:
        """Whether `re` can look through all lines of a text at once."""
        at_once = self.is_at_once(text, by_line=True)
        if self._is_cheap(len(text), MOST_STEPS, at_once=at_once):
            return True
        if self._loops:
            short = SHORT_LINE if self._is_heavy else SHORT
            is_short = has_short_lines(text, short) or self._has_short_runs(text)
            return is_short and self.cost.factor == 1
        longest = max(map(len, text.split("\n")))
        return self._is_cheap(longest, MOST_STEPS, at_once=at_once) or self._has_short_runs(text)

    def _has_short_runs(self, text: str) -> bool:
        """Whether what repetitions can take is short enough everywhere to be taken in vain."""
        key = (len(text), hash(text))
        if self._scanned is None or self._scanned[0] != key:
            self._scanned = key, self._is_short_enough(text)
        return self._scanned[1]

    def _is_short_enough(self, text: str) -> bool:
        if self._loops:
            longest = sum(loop.weight * longest_run(loop.taken, text) for loop in self._loops)
            return self.cost.factor == 1 and longest * len(text) <= MOST_SCANNED
        starts = 1 if self._is_anchored or self.is_at_once(text) else len(text)
        if self.cost.passes_from(text) * starts <= MOST_STEPS:
            return True
        each = self.cost.steps_from(text)
        if self._is_alone:
            return each <= MOST_EACH_ALONE or each * len(text) <= MOST_ALONE
        return each <= MOST_EACH

    def is_at_once(self, text: str, *, by_line: bool = False) -> bool:
        """Whether a match begins at the start of this text, or of a line in it, or nowhere.

        A byte that is no UTF-8 stops `.*`, and so may a newline; what is behind is a start again.
        """
        return self._takes_all and text.isascii() and (by_line or "\n" not in text)

    def pattern(
        self,
        text: str,
        *,
        by_line: bool = False,
        captures: bool = True,
        is_inside: bool = False,
        at_once: bool = False,
        rest: str = "",
    ) -> re.Pattern[str]:
        """The pattern for such a text as this one.

        With `by_line` each line of it is one by itself; with `is_inside` it has begun before. A
        `rest` is what follows a match.
        """
        key = (text.isascii(), by_line, captures, is_inside, at_once, rest)
        made = self._made.get(key)
        if made is None:
            made = self._made[key] = self._compiled(
                Translation(
                    only_ascii=text.isascii(), by_line=by_line, captures=captures,
                    is_inside=is_inside,
                ),
                rest,
                at_once=at_once,
            )  # fmt: skip
        return made

    def _compiled(self, translation: Translation, rest: str, *, at_once: bool) -> re.Pattern[str]:
        pattern = translation.text(self._node)
        if at_once:
            pattern = f"{'(?m:^)' if translation.by_line else chr(92) + 'A'}(?:{pattern})"
        try:
            return re.compile(
                f"(?:{pattern}){rest}" if rest else pattern,
                re.ASCII if self._syntax == "perl" else 0,
            )
        except (re.error, OverflowError, RecursionError) as error:
            raise RegexLimit(str(error) if self._syntax in PERLISH else TOO_BIG) from None


def has_short_lines(text: str, short: int) -> bool:
    """Whether no line of a text is longer than that."""
    at = 0
    while len(text) - at > short:
        at = text.rfind("\n", at, at + short + 1) + 1
        if not at:
            return False
    return True
