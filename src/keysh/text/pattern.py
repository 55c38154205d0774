"""Shell patterns: `*`, `?`, `[…]` and the extended `@(a|b) ?() *() +() !()`, as bash matches them.

A set of places in the subject is one integer, bit i standing for the place before character i. Each
part of a pattern takes the places where it may begin to those where it may end; a few operations on
long integers do that for all places at once, and nothing is ever tried twice. So a star costs the
same however many there are, and the worst of patterns takes time that is a power of the subject's
length, never an exponential.
"""

from __future__ import annotations

from keysh.text.pattern_parser import (
    AnyCharacter,
    AnyText,
    BracketExpression,
    PatternGroup,
    PatternParser,
    backward_parts,
    literal_texts,
    lower_text,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from keysh.text.pattern_parser import Part

ESCAPABLE_CHARACTERS = "\\*?[]!^-()|@+"  # what a backslash keeps from meaning more than itself


class Pattern:
    """A pattern that is read once and matched often."""

    __slots__ = ("_backward", "_forward", "_ignores_case", "_literals")

    def __init__(self, text: str, *, extended: bool = True, ignore_case: bool = False) -> None:
        """Read a pattern; without `extended` a parenthesis is always itself, as in fnmatch."""
        self._forward = PatternParser(text, extended, ignore_case).parse_parts(0, len(text), False)
        self._ignores_case = ignore_case
        self._backward: list[Part] | None = None
        # (x,) for a pattern without special characters, (x, y) for `x*y`.
        self._literals: tuple[str, ...] | None = literal_texts(self._forward)

    @property
    def literal(self) -> str | None:
        """The only text that it matches, if there is one."""
        if not self._forward:
            return ""
        if self._ignores_case or self._literals is None or len(self._literals) > 1:
            return None
        return self._literals[0]

    def matches(self, subject: str) -> bool:
        """Whether the whole subject is as the pattern says."""
        if self._ignores_case:
            subject = lower_text(subject)
        if self._literals is not None:
            first = self._literals[0]
            if len(self._literals) == 1:
                return subject == first
            last = self._literals[1]
            is_long = len(subject) >= len(first) + len(last)
            return is_long and subject.startswith(first) and subject.endswith(last)
        return bool(PatternMatcher(subject).ends(self._forward, 1) >> len(subject))

    def matches_hidden(self, subject: str) -> bool:
        """Whether it matches a hidden name by a dot of its own: `@(*|.x)` matches `.x` only."""
        if self._ignores_case:
            subject = lower_text(subject)
        return bool(HiddenNameMatcher(subject).ends(self._forward, 1) >> len(subject))

    def prefix(self, subject: str, longest: bool) -> int | None:
        """The length of the shortest or longest prefix that matches (`${x#p}`, `${x##p}`)."""
        subject = lower_text(subject) if self._ignores_case else subject
        return extreme_position(PatternMatcher(subject).ends(self._forward, 1), longest)

    def suffix(self, subject: str, longest: bool) -> int | None:
        """The length of the shortest or longest suffix that matches (`${x%p}`, `${x%%p}`)."""
        subject = lower_text(subject) if self._ignores_case else subject
        return extreme_position(
            PatternMatcher(subject[::-1]).ends(self._backward_parts(), 1), longest
        )

    def find_all(self, subject: str) -> Iterator[tuple[int, int]]:
        """The places of the matches from left to right, each as long as can be (`${x//p/r}`)."""
        subject = lower_text(subject) if self._ignores_case else subject
        count = len(subject)
        behind = PatternMatcher(subject[::-1])
        starts = behind.ends(self._backward_parts(), behind.all_positions)  # counted from the end
        matching = PatternMatcher(subject)
        at = 0
        while at <= count:
            if starts >> (count - at) & 1:
                end = extreme_position(matching.ends(self._forward, 1 << at), True)
                assert end is not None  # matched backward, so it matches forward
                yield at, end
                at = max(end, at + 1)
            else:
                at += 1

    def _backward_parts(self) -> list[Part]:
        if self._backward is None:
            self._backward = backward_parts(self._forward)
        return self._backward


def pattern_text(pieces: Iterable[tuple[str, bool]]) -> str:
    """One text for pieces of (text, is active)."""
    texts: list[str] = []
    for text, is_active in pieces:
        if not is_active:
            text = escaped_pattern(text)
        elif (len(text) - len(text.rstrip("\\"))) % 2:
            text += "\\"  # it has nothing to escape in the next piece
        texts.append(text)
    return "".join(texts)


def escaped_pattern(text: str) -> str:
    """The pattern that matches a text only."""
    return "".join(f"\\{char}" if char in ESCAPABLE_CHARACTERS else char for char in text)


def extreme_position(places: int, longest: bool) -> int | None:
    """The first or last place of a set."""
    if not places:
        return None
    return (places if longest else places & -places).bit_length() - 1


class PatternMatcher:
    """One subject: the sets of places that parts of a pattern lead to."""

    __slots__ = ("_bodies", "_masks", "all_positions", "subject")
    adds_runs = True  # whether a run of single characters is one addition

    def __init__(self, subject: str) -> None:
        self.subject = subject
        self.all_positions = (1 << (len(subject) + 1)) - 1
        self._masks: dict[object, int] = {}
        self._bodies: dict[tuple[int, int], int] = {}

    def ends(self, parts: list[Part], starts: int) -> int:
        """Where the parts, one behind the other, may end."""
        for part in parts:
            if not starts:
                break
            if isinstance(part, str):
                starts = self.literal_ends(part, starts)
            elif isinstance(part, AnyText):
                starts = self.all_positions & -(starts & -starts)  # from the first place on
            elif isinstance(part, AnyCharacter):
                starts = starts << 1 & self.all_positions
            elif isinstance(part, BracketExpression):
                starts = (starts & self.positions_of(part)) << 1
            else:
                starts = self.group_ends(part, starts)
        return starts

    def literal_ends(self, text: str, starts: int) -> int:
        if starts & (starts - 1) == 0:
            at = starts.bit_length() - 1
            return starts << len(text) if self.subject.startswith(text, at) else 0
        return (starts & self.positions_of(text)) << len(text)

    def positions_of(self, part: str | BracketExpression) -> int:
        """The places where a literal text begins, or before one of some characters."""
        made = self._masks.get(part)
        if made is None:
            subject = self.subject
            if isinstance(part, BracketExpression):
                table = {ord(char): "01"[part.matches(char)] for char in set(subject)}
                made = int(subject.translate(table)[::-1] or "0", 2)
            else:
                made, at = 0, subject.find(part)
                marks = bytearray(len(subject) // 8 + 1)
                while at >= 0:
                    marks[at >> 3] |= 1 << (at & 7)
                    at = subject.find(part, at + 1)
                made = int.from_bytes(marks, "little")
            self._masks[part] = made
        return made

    def group_ends(self, group: PatternGroup, starts: int) -> int:
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
        """Where any of the alternatives may end."""
        ends = 0
        for parts in group.alternatives:
            ends |= self.ends(parts, starts)
        return ends

    def body_ends_from(self, group: PatternGroup, start: int) -> int:
        """Where any of the alternatives may end that begins at one place; worked out once."""
        key = (id(group), start)
        ends = self._bodies.get(key)
        if ends is None:
            ends = self._bodies[key] = self.body_ends(group, start)
        return ends

    def repeated_ends(self, group: PatternGroup, starts: int) -> int:
        """Where any number of the alternatives may end, none included."""
        if group.is_single_character and self.adds_runs:
            mask = 0
            for (part,) in group.alternatives:
                if isinstance(part, str | BracketExpression):
                    mask |= self.positions_of(part)
                else:
                    mask |= self.all_positions >> 1
            # The carry runs through each stretch of ones that a place stands in:
            #   mask 0111100, starts 0000100: the sum 1000000, what changed 1111100
            return (((starts & mask) + mask) ^ mask) | starts
        reached = new = starts
        while new:
            if group.is_inner:  # asked for again and again, so each place is kept
                first = new & -new
                ends = self.body_ends_from(group, first)
                new ^= first
            else:
                ends, new = self.body_ends(group, new), 0
            new |= ends & ~reached
            reached |= ends
        return reached

    def negated_ends(self, group: PatternGroup, starts: int) -> int:
        """Where what no alternative matches may end: from each place, all that they do not."""
        ends = 0
        while starts:
            first = starts & -starts
            starts ^= first
            ends |= self.all_positions & -first & ~self.body_ends_from(group, first)
        return ends


class HiddenNameMatcher(PatternMatcher):
    """A name that begins with a dot, which nothing but a literal dot leads past."""

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
