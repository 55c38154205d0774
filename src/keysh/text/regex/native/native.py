"""The patterns of `re` for a tree, wherever `re` is cheap enough."""

from __future__ import annotations

import re

from keysh.text.regex.analysis.anchors import is_anchored
from keysh.text.regex.analysis.cost import MatchCost, longest_run, search_cost
from keysh.text.regex.analysis.loops import scanning_loops
from keysh.text.regex.native.to_re import ReTranslation
from keysh.text.regex.regex_errors import TOO_BIG, RegexLimit
from keysh.text.regex.regex_tree import AtomicGroup, BackReference, Lookaround, nodes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.text.regex.regex_tree import Node

MAX_STEPS = 1_000_000  # of `re` for one line or text
MAX_STEPS_ALONE = 100_000_000  # if no other engine can replace `re`
MAX_STEPS_PER_START = 16  # at any number of start positions
MAX_STEPS_PER_START_ALONE = 512
MAX_RESCANNED_CHARACTERS = 50_000_000  # plain rescanning is faster than other steps
SHORT_TEXT_CHARACTERS = 2048  # rescanning is always allowed in texts this short
SHORT_HEAVY_CHARACTERS = 512  # the same for heavy loops
SHORT_LINE_CHARACTERS = 128  # the same for each line of a string
# These prefer the first match to the longest, and have constructs that only `re` supports.
PERL_SYNTAXES = ("perl", "oniguruma")


class NativeEngine:
    """The patterns of `re` for a tree: one for each kind of text and of question.

    With `takes_all` the pattern starts with `.*`: if it does not match at the start, it matches
    nowhere.
    """

    __slots__ = (
        "_is_anchored", "_is_heavy", "_is_only_engine", "_loops", "_node", "_patterns",
        "_scanned", "_syntax", "_takes_all", "cost",
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
        self._scanned: tuple[tuple[int, int], bool] | None = None  # the last text's key and answer
        self._patterns: dict[tuple[bool | str, ...], re.Pattern[str]] = {}

    def is_cheap(self, length: int, *, at_once: bool = False) -> bool:
        """Whether `re` may search a string of some length, or match at one position (`at_once`)."""
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
        """Whether `re` may search this text."""
        if self.is_cheap(len(text), at_once=self.matches_only_at_start(text)):
            return True
        return self._has_short_runs(text)

    def is_cheap_by_line(self, text: str) -> bool:
        """Whether `re` may search all lines of a string at once."""
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
        """Whether runs in the text are short enough to be scanned in vain."""
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
        """Whether the only match in this text, or in each line, can be at the start.

        Invalid UTF-8 and newlines stop `.*`, so that a match may start after them.
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
        """Return the pattern for texts like this one.

        With `by_line` each line is matched on its own; with `is_inside` the text is preceded by
        another; `rest` is a pattern for what follows a match.
        """
        key = (text.isascii(), by_line, captures, is_inside, at_once, rest)
        pattern = self._patterns.get(key)
        if pattern is None:
            pattern = self._patterns[key] = self._compile(
                ReTranslation(
                    only_ascii=text.isascii(), by_line=by_line, captures=captures,
                    is_inside=is_inside,
                ),
                rest,
                at_once=at_once,
            )  # fmt: skip
        return pattern

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
    """Whether no line of a string is longer than `short` characters."""
    position = 0
    while len(text) - position > short:
        position = text.rfind("\n", position, position + short + 1) + 1
        if not position:
            return False
    return True
