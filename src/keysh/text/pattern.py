"""Shell patterns: `*`, `?`, `[…]` and the extended `@(a|b) ?() *() +() !()`, as in bash.

A set of positions in the subject is one integer; bit i is the position before character i. Each
part of a pattern maps the positions where it may start to those where it may end, with a few
operations on long integers for all positions at once. Nothing is tried twice, so time is
polynomial in the subject's length for any pattern, never exponential. A tick is called again and
again where it may be long, and ends the work by an exception.
"""

from __future__ import annotations

from keysh.text.pattern_parser import (
    AnyCharacter,
    AnyText,
    BracketExpression,
    PatternGroup,
    PatternParser,
    backward_parts,
    fixed_length,
    literal_texts,
    lower_text,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator
    from typing import TypeAlias

    from keysh.text.pattern_parser import Part, Tick

    NameMatcher: TypeAlias = Callable[[str], bool]

# An operation on the positions of this many characters costs as much as calling it.
CHARACTERS_PER_OPERATION = 4096
OPERATIONS_PER_TICK = 4096
UNCOUNTED_OPERATIONS = 64
MAX_CACHED_POSITION_BYTES = 16 << 20  # of one match, before all are dropped
PIECE_CHARACTERS = 1 << 18  # translated at once: nothing else runs meanwhile
# `find_all` looks for the end of a match in windows, the first of this size, unless the whole
# subject is hardly longer.
FIRST_WINDOW_CHARACTERS, MAX_WHOLE_CHARACTERS = 64, 4096

ESCAPABLE_CHARACTERS = "\\*?[]!^-()|@+"


class Pattern:
    """A parsed pattern."""

    __slots__ = ("_backward", "_forward", "_ignores_case", "_literals")

    def __init__(
        self,
        text: str,
        *,
        extended: bool = True,
        ignore_case: bool = False,
        tick: Tick | None = None,
    ) -> None:
        """Parse a pattern; without `extended`, parentheses are literal, as in fnmatch.

        RegexLimit if its groups nest too deeply.
        """
        self._forward = PatternParser(text, extended, ignore_case, tick).parse()
        self._ignores_case = ignore_case
        self._backward: list[Part] | None = None
        # (x,) for a literal pattern, (x, y) for `x*y`.
        self._literals: tuple[str, ...] | None = literal_texts(self._forward)

    @property
    def literal(self) -> str | None:
        """The only string that it matches, or None."""
        if not self._forward:
            return ""
        if self._ignores_case or self._literals is None or len(self._literals) > 1:
            return None
        return self._literals[0]

    def matches(self, subject: str, tick: Tick | None = None) -> bool:
        """Whether it matches the whole subject."""
        if self._ignores_case:
            subject = lower_text(subject)
        if self._literals is not None:
            first = self._literals[0]
            if len(self._literals) == 1:
                return subject == first
            last = self._literals[1]
            is_long = len(subject) >= len(first) + len(last)
            return is_long and subject.startswith(first) and subject.endswith(last)
        return bool(PatternMatcher(subject, tick).ends(self._forward, 1) >> len(subject))

    def matches_hidden(self, subject: str, tick: Tick | None = None) -> bool:
        """Whether it matches a hidden name by a literal dot: `@(*|.x)` matches `.x` only."""
        if self._ignores_case:
            subject = lower_text(subject)
        return bool(HiddenNameMatcher(subject, tick).ends(self._forward, 1) >> len(subject))

    def prefix(self, subject: str, longest: bool, tick: Tick | None = None) -> int | None:
        """Return the length of the shortest or longest matching prefix (`${x#p}`, `${x##p}`)."""
        subject = lower_text(subject) if self._ignores_case else subject
        return extreme_position(PatternMatcher(subject, tick).ends(self._forward, 1), longest)

    def suffix(self, subject: str, longest: bool, tick: Tick | None = None) -> int | None:
        """Return the length of the shortest or longest matching suffix (`${x%p}`, `${x%%p}`)."""
        subject = lower_text(subject) if self._ignores_case else subject
        return extreme_position(
            PatternMatcher(subject[::-1], tick).ends(self._backward_parts(), 1), longest
        )

    def find_all(self, subject: str, tick: Tick | None = None) -> Iterator[tuple[int, int]]:
        """Yield the bounds of all matches from left to right, each the longest (`${x//p/r}`)."""
        subject = lower_text(subject) if self._ignores_case else subject
        count = len(subject)
        backward = PatternMatcher(subject[::-1], tick)
        # These positions count from the end; as binary digits they stand in the subject's order.
        starts = backward.ends(self._backward_parts(), backward.all_positions)
        digits = f"{starts:0{count + 1}b}"
        length = fixed_length(self._forward)
        whole = PatternMatcher(subject, tick) if count <= MAX_WHOLE_CHARACTERS else None
        position = digits.find("1")
        while position >= 0:
            if length is not None:
                end = position + length
            elif whole is None:
                end = self._longest_end(subject, position, tick)
            else:
                end = whole.ends(self._forward, 1 << position).bit_length() - 1
            assert end >= position  # it matched backward
            yield position, end
            position = digits.find("1", max(end, position + 1))

    def _longest_end(self, subject: str, start: int, tick: Tick | None) -> int:
        """Return where the longest match at a position ends, which is known to have one.

        The subject is looked at no further than the match needs it: a window that a match might
        leave is made larger. So all matches of a long subject take time linear in its length,
        unless a match is tried far beyond the end of the one that is found.
        """
        size = FIRST_WINDOW_CHARACTERS
        while True:
            window = WindowMatcher(subject[start : start + size], tick)
            ends = window.ends(self._forward, 1)
            if not window.is_left or start + size >= len(subject):
                return start + ends.bit_length() - 1
            size *= 4

    def _backward_parts(self) -> list[Part]:
        if self._backward is None:
            self._backward = backward_parts(self._forward)
        return self._backward


def name_matcher(pattern: str, tick: Tick, *, ignore_case: bool = False) -> NameMatcher:
    """Return the test whether a pattern without groups matches a name, as tools like find take."""
    parsed = Pattern(pattern, extended=False, ignore_case=ignore_case, tick=tick)
    return lambda name: parsed.matches(name, tick)


def pattern_text(pieces: Iterable[tuple[str, bool]]) -> str:
    """Join pieces of (text, is active) to one pattern."""
    texts: list[str] = []
    for text, is_active in pieces:
        if not is_active:
            text = escaped_pattern(text)
        elif (len(text) - len(text.rstrip("\\"))) % 2:
            text += "\\"  # it must not escape the next piece
        texts.append(text)
    return "".join(texts)


def escaped_pattern(text: str) -> str:
    """Escape a string, so that the pattern matches only that."""
    return "".join(f"\\{char}" if char in ESCAPABLE_CHARACTERS else char for char in text)


def extreme_position(positions: int, longest: bool) -> int | None:
    """Return the first or last position in a set."""
    if not positions:
        return None
    return (positions if longest else positions & -positions).bit_length() - 1


class PatternMatcher:
    """Matches parts of a pattern against one subject."""

    __slots__ = (
        "_bodies", "_cached_bytes", "_cost", "_masks", "_max_parts", "_operations", "_tick",
        "all_positions", "subject",
    )  # fmt: skip
    adds_runs = True  # whether a run of single characters is one addition

    def __init__(self, subject: str, tick: Tick | None = None) -> None:
        self.subject, self._tick = subject, tick
        self._cost = 1 + len(subject) // CHARACTERS_PER_OPERATION
        self._max_parts = UNCOUNTED_OPERATIONS // self._cost or 1
        self._operations = self._cached_bytes = 0
        self.all_positions = (1 << (len(subject) + 1)) - 1
        self._masks: dict[object, int] = {}
        self._bodies: dict[tuple[int, int], int] = {}

    def spend(self, operations: int) -> None:
        """Count operations, and call the tick after many."""
        self._operations += operations
        if self._operations >= OPERATIONS_PER_TICK:
            self._operations = 0
            if self._tick is not None:
                self._tick()

    def ends(self, parts: list[Part], starts: int) -> int:
        """Return where a sequence of parts may end."""
        # Few short parts are not counted: it would take 15 % of a match.
        if len(parts) > self._max_parts:
            return self.counted_ends(parts, starts)
        for part in parts:
            if not starts:
                break
            if isinstance(part, str):
                starts = self.literal_ends(part, starts)
            elif isinstance(part, AnyText):
                starts = self.all_positions & -(starts & -starts)  # from the first position on
            elif isinstance(part, AnyCharacter):
                starts = starts << 1 & self.all_positions
            elif isinstance(part, BracketExpression):
                starts = (starts & self.positions_of(part)) << 1
            else:
                starts = self.group_ends(part, starts)
        return starts

    def counted_ends(self, parts: list[Part], starts: int) -> int:
        """Return where many parts may end, or parts that are matched with a long subject."""
        size = self._max_parts
        for start in range(0, len(parts), size):
            if not starts:
                break
            self.spend(size * self._cost)
            starts = self.ends(parts[start : start + size], starts)
        return starts

    def literal_ends(self, text: str, starts: int) -> int:
        if starts & (starts - 1) == 0:
            position = starts.bit_length() - 1
            return starts << len(text) if self.subject.startswith(text, position) else 0
        return (starts & self.positions_of(text)) << len(text)

    def positions_of(self, part: str | BracketExpression) -> int:
        """Return the positions before a literal text or before a matching character."""
        positions = self._masks.get(part)
        if positions is None:
            subject = self.subject
            if isinstance(part, BracketExpression):
                positions = self.positions_of_bracket(part)
            else:
                positions, position = 0, subject.find(part)
                marks = bytearray(len(subject) // 8 + 1)
                cost = 1 + len(part) // CHARACTERS_PER_OPERATION
                while position >= 0:
                    self.spend(cost)
                    marks[position >> 3] |= 1 << (position & 7)
                    position = subject.find(part, position + 1)
                positions = int.from_bytes(marks, "little")
            self._masks[part] = positions
        return positions

    def positions_of_bracket(self, part: BracketExpression) -> int:
        """Return the positions before a character that a bracket expression matches."""
        digits: list[str] = []
        table: dict[int, str] = {}
        for start in range(0, len(self.subject), PIECE_CHARACTERS):
            piece = self.subject[start : start + PIECE_CHARACTERS]
            for char in set(piece):
                if ord(char) not in table:
                    self.spend(1 + len(part.ranges))
                    table[ord(char)] = "01"[part.matches(char)]
            self.spend(OPERATIONS_PER_TICK if start else 1)
            digits.append(piece.translate(table))
        return int("".join(digits)[::-1] or "0", 2)

    def group_ends(self, group: PatternGroup, starts: int) -> int:
        self._operations += self._cost * len(group.alternatives)
        if self._operations >= OPERATIONS_PER_TICK:
            self.spend(0)
        operator = group.operator
        if operator == "@":
            return self.body_ends(group, starts)
        if operator == "?":
            return starts | self.body_ends(group, starts)
        if operator == "!":
            return self.negated_ends(group, starts)
        if operator == "*":
            return self.repeated_ends(group, starts)
        return self.repeated_ends(group, self.body_ends(group, starts)) if starts else 0

    def body_ends(self, group: PatternGroup, starts: int) -> int:
        """Return where any alternative may end."""
        ends = 0
        for parts in group.alternatives:
            ends |= self.ends(parts, starts)
        return ends

    def body_ends_from(self, group: PatternGroup, start: int) -> int:
        """Return where any alternative may end that starts at one position. Cached."""
        key = (id(group), start)
        ends = self._bodies.get(key)
        if ends is None:
            ends = self.body_ends(group, start)
            self._cached_bytes += ends.bit_length() // 8
            if self._cached_bytes > MAX_CACHED_POSITION_BYTES:
                self._bodies.clear()
                self._cached_bytes = 0
            self._bodies[key] = ends
        return ends

    def repeated_ends(self, group: PatternGroup, starts: int) -> int:
        """Return where any number of alternatives, including none, may end."""
        if group.is_single_character and self.adds_runs:
            mask = 0
            for (part,) in group.alternatives:
                if isinstance(part, str | BracketExpression):
                    mask |= self.positions_of(part)
                else:
                    mask |= self.all_positions >> 1
            # The carry runs through each run of ones that contains a start:
            #   mask 0111100, starts 0000100: the sum is 1000000, the changed bits 1111100
            return (((starts & mask) + mask) ^ mask) | starts
        reached = new = starts
        while new:
            self.spend(self._cost)
            if group.is_inner:  # it is queried repeatedly, so each position is cached
                first = new & -new
                ends = self.body_ends_from(group, first)
                new ^= first
            else:
                ends, new = self.body_ends(group, new), 0
            new |= ends & ~reached
            reached |= ends
        return reached

    def negated_ends(self, group: PatternGroup, starts: int) -> int:
        """Return where a string may end that matches no alternative."""
        ends = 0
        while starts:
            self.spend(self._cost)  # also where what follows is known
            first = starts & -starts
            starts ^= first
            ends |= self.all_positions & -first & ~self.body_ends_from(group, first)
        return ends


class WindowMatcher(PatternMatcher):
    """Matches against the beginning of a subject.

    `is_left` says that more of the subject might give more ends.
    """

    __slots__ = ("is_left",)

    def __init__(self, subject: str, tick: Tick | None = None) -> None:
        super().__init__(subject, tick)
        self.is_left = False

    def ends(self, parts: list[Part], starts: int) -> int:
        size = len(self.subject)
        for part in parts:
            if not starts:
                break
            # A literal leaves the window if it begins less than its length before the border.
            length = len(part) if isinstance(part, str) else 1
            if isinstance(part, AnyText) or starts >> max(size + 1 - length, 0):
                self.is_left = True
            starts = super().ends([part], starts)
        return starts

    def repeated_ends(self, group: PatternGroup, starts: int) -> int:
        ends = super().repeated_ends(group, starts)
        if ends >> len(self.subject):  # a run up to the border
            self.is_left = True
        return ends

    def negated_ends(self, group: PatternGroup, starts: int) -> int:
        self.is_left = True
        return super().negated_ends(group, starts)


class HiddenNameMatcher(PatternMatcher):
    """Matches a name that starts with a dot, which only a literal dot matches."""

    __slots__ = ()
    adds_runs = False

    def ends(self, parts: list[Part], starts: int) -> int:
        for part in parts:
            stays = 0
            if starts & 1 and not isinstance(part, str):
                stays = int(isinstance(part, AnyText))
                if not isinstance(part, PatternGroup) or part.operator == "!":
                    starts ^= 1
            starts = super().ends([part], starts) | stays
        return starts
