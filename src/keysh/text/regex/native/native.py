"""A tree as `re` matches it, wherever that is cheap enough."""

from __future__ import annotations

import re

from keysh.text.regex.analysis.cost import MatchCost, is_anchored, longest_run, search_cost
from keysh.text.regex.analysis.loops import scanning_loops
from keysh.text.regex.errors import TOO_BIG, RegexLimit
from keysh.text.regex.native.to_re import ReTranslation
from keysh.text.regex.tree import AtomicGroup, BackReference, Lookaround, nodes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.text.regex.tree import Node

MAX_STEPS = 1_000_000  # that `re` may take for one line or text
MAX_STEPS_ALONE = 100_000_000  # the same where no other engine would be as quick
MAX_STEPS_PER_START = 16  # steps from each place, however many places there are
MAX_STEPS_PER_START_ALONE = 512
MAX_RESCANNED_CHARACTERS = (
    50_000_000  # characters that it may look at again and again, which is quicker
)
SHORT_TEXT_CHARACTERS = 2048  # characters of a text in which it may do so anyway
SHORT_HEAVY_CHARACTERS = 512  # the same where each of them takes long
SHORT_LINE_CHARACTERS = 128  # the same of a line among many
PERL_SYNTAXES = (
    "perl",
    "oniguruma",
)  # what finds the first match, and has what only `re` can match


class NativeEngine:
    """The patterns of `re` that a tree becomes: one for each kind of text and of question.

    One that `takes_all` begins with `.*`: where it does not match at the start, it does nowhere.
    """

    __slots__ = (
        "_is_only_engine", "_is_anchored", "_is_heavy", "_loops", "_patterns", "_node", "_scanned", "_syntax",
        "_takes_all", "cost",
    )  # fmt: skip

    def __init__(self, node: Node, syntax: str, *, takes_all: bool = False) -> None:
        self._node, self._syntax, self._takes_all = node, syntax, takes_all
        self.cost = search_cost(node)
        self._is_anchored = is_anchored(node)
        self._is_only_engine = any(
            isinstance(one, BackReference | Lookaround | AtomicGroup) for one in nodes(node)
        )
        self._loops = scanning_loops(node) if self.cost.power < 2 else []
        self._is_heavy = any(loop.weight > 1 for loop in self._loops)
        self._scanned: tuple[tuple[int, int], bool] | None = None  # what was found out last
        self._patterns: dict[tuple[bool | str, ...], re.Pattern[str]] = {}

    def is_cheap(self, length: int, *, at_once: bool = False) -> bool:
        """Whether `re` can be let loose on a text of a length; `at_once`, at one place only."""
        return self._is_cheap(
            length, MAX_STEPS_ALONE if self._is_only_engine else MAX_STEPS, at_once=at_once
        )

    def _is_cheap(self, length: int, most: int, *, at_once: bool) -> bool:
        power, factor = self.cost.power - at_once, self.cost.factor
        if (
            self._loops
            and not at_once
            and length > (SHORT_HEAVY_CHARACTERS if self._is_heavy else SHORT_TEXT_CHARACTERS)
        ):
            return False
        return (power < 2 and factor == 1) or MatchCost(power, factor).steps(length) <= most

    def is_cheap_in(self, text: str) -> bool:
        """Whether `re` can be let loose on this text."""
        if self.is_cheap(len(text), at_once=self.matches_only_at_start(text)):
            return True
        return self._has_short_runs(text)

    def is_cheap_by_line(self, text: str) -> bool:
        """Whether `re` can look through all lines of a text at once."""
        at_once = self.matches_only_at_start(text, by_line=True)
        if self._is_cheap(len(text), MAX_STEPS, at_once=at_once):
            return True
        if self._loops:
            short = SHORT_LINE_CHARACTERS if self._is_heavy else SHORT_TEXT_CHARACTERS
            is_short = has_short_lines(text, short) or self._has_short_runs(text)
            return is_short and self.cost.factor == 1
        longest = max(map(len, text.split("\n")))
        return self._is_cheap(longest, MAX_STEPS, at_once=at_once) or self._has_short_runs(text)

    def _has_short_runs(self, text: str) -> bool:
        """Whether what repetitions can take is short enough everywhere to be taken in vain."""
        key = (len(text), hash(text))
        if self._scanned is None or self._scanned[0] != key:
            self._scanned = key, self._is_short_enough(text)
        return self._scanned[1]

    def _is_short_enough(self, text: str) -> bool:
        if self._loops:
            longest = sum(loop.weight * longest_run(loop.sets, text) for loop in self._loops)
            return self.cost.factor == 1 and longest * len(text) <= MAX_RESCANNED_CHARACTERS
        starts = 1 if self._is_anchored or self.matches_only_at_start(text) else len(text)
        if self.cost.passes_from(text) * starts <= MAX_STEPS:
            return True
        each = self.cost.steps_from(text)
        if self._is_only_engine:
            return each <= MAX_STEPS_PER_START_ALONE or each * len(text) <= MAX_STEPS_ALONE
        return each <= MAX_STEPS_PER_START

    def matches_only_at_start(self, text: str, *, by_line: bool = False) -> bool:
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
        made = self._patterns.get(key)
        if made is None:
            made = self._patterns[key] = self._compile(
                ReTranslation(
                    only_ascii=text.isascii(), by_line=by_line, captures=captures,
                    is_inside=is_inside,
                ),
                rest,
                at_once=at_once,
            )  # fmt: skip
        return made

    def _compile(self, translation: ReTranslation, rest: str, *, at_once: bool) -> re.Pattern[str]:
        pattern = translation.text(self._node)
        if at_once:
            pattern = f"{'(?m:^)' if translation.by_line else chr(92) + 'A'}(?:{pattern})"
        try:
            return re.compile(
                f"(?:{pattern}){rest}" if rest else pattern,
                re.ASCII if self._syntax == "perl" else 0,
            )
        except (re.error, OverflowError, RecursionError) as error:
            raise RegexLimit(str(error) if self._syntax in PERL_SYNTAXES else TOO_BIG) from None


def has_short_lines(text: str, short: int) -> bool:
    """Whether no line of a text is longer than that."""
    at = 0
    while len(text) - at > short:
        at = text.rfind("\n", at, at + short + 1) + 1
        if not at:
            return False
    return True
