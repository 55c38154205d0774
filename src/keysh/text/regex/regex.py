"""Regular expressions for scripts: POSIX basic and extended, awk's, and Perl's. None can hang.

    match = regex_of("(a+)b", "extended").search(line)
    if match is not None:
        print(match.start, match.group(1))

`re` matches a pattern that is cheap for the text; otherwise an automaton reads each character
once. POSIX wants the longest of the leftmost matches: where `re` may stop at a shorter one, it
only finds the start. Groups are those of the first path, in the order of `re`, to that end, as
in the C library. docs/internals/regex.md shows how an engine is chosen.
"""

from __future__ import annotations

from keysh.text.cache import TextCache
from keysh.text.regex.analysis.anchors import matches_once, takes_all_before
from keysh.text.regex.analysis.cost import (
    finds_longest,
    longest_first,
)
from keysh.text.regex.analysis.reduce import without_references
from keysh.text.regex.engines.backtrack import Backtracker
from keysh.text.regex.engines.linear import LinearEngine
from keysh.text.regex.engines.pike import PikeEngine
from keysh.text.regex.engines.program import RegexProgram
from keysh.text.regex.native.native import PERL_SYNTAXES, NativeEngine
from keysh.text.regex.native.tester import MatchTester, all_texts_of, only_text_of
from keysh.text.regex.parse.fixed import are_words, fixed_text, whole_match
from keysh.text.regex.parse.oniguruma import OnigurumaParser
from keysh.text.regex.parse.perl import PerlParser
from keysh.text.regex.parse.posix import PosixParser
from keysh.text.regex.regex_errors import TOO_BIG, RegexError, RegexLimit
from keysh.text.regex.regex_tree import (
    Alternation,
    AtomicGroup,
    BackReference,
    CaptureGroup,
    LiteralAlternation,
    Lookaround,
    Repeat,
    automaton_size,
    is_nullable,
)
from keysh.text.regex.regex_tree import nodes as all_nodes

TYPE_CHECKING = False
if TYPE_CHECKING:
    import re
    from collections.abc import Iterator

    from keysh.text.regex.engines.linear import Tick
    from keysh.text.regex.engines.pike import Slots
    from keysh.text.regex.regex_tree import Node

# Characters that may be rescanned for the ends of all matches in a string: a constant, and more for
# each character of the text.
MAX_SCANNED_CHARACTERS, SCANNED_PER_CHARACTER = 30_000_000, 200
THREAD_COST_CHARACTERS = 20  # the cost of moving one thread
MAX_PATTERN_CHARACTERS = 300_000  # `re` takes seconds to compile longer ones
# By pattern and options. A regex may make four programs of as many steps as its automaton has
# positions; the states of automata are counted by STATE_MEMORY.
REGEXES = TextCache(200)
BYTES_PER_POSITION = 500

__all__ = ["Regex", "RegexError", "RegexLimit", "RegexMatch", "regex_of"]


class RegexMatch:
    """A match: its bounds and those of its groups."""

    __slots__ = ("_groups", "_native", "_regex", "_tick", "end", "start", "text")

    def __init__(
        self, regex: Regex, text: str, start: int, end: int,
        native: re.Match[str] | None = None, groups: Slots | None = None, tick: Tick | None = None,
    ) -> None:  # fmt: skip
        self.text, self.start, self.end = text, start, end
        self._regex, self._native, self._groups, self._tick = regex, native, groups, tick

    def span(self, number: int = 0) -> tuple[int, int] | None:
        """Return the bounds of a group; None if it did not match."""
        if not number:
            return self.start, self.end
        if self._native is not None:
            bounds = self._native.span(number)
        else:
            if self._groups is None:
                self._groups = self._regex.groups_of(self, self._tick)
            bounds = self._groups[2 * number], self._groups[2 * number + 1]
        return bounds if bounds[1] >= 0 else None

    def group(self, number: int = 0) -> str | None:
        """Return the text of a group; None if it did not match."""
        bounds = self.span(number)
        return None if bounds is None else self.text[bounds[0] : bounds[1]]


class Regex:
    """A parsed pattern."""

    __slots__ = (
        "_linear", "_native", "_node", "_program", "_tester", "_testing", "_whole_lines", "groups",
        "has_references", "is_linear", "is_longest", "is_nullable", "is_perl", "keeps_groups",
        "literal", "match_start_group", "matches_at_most_once", "named_groups", "pattern", "size",
        "syntax", "warnings",
    )  # fmt: skip

    def __init__(
        self, pattern: str, syntax: str = "extended", *, ignore_case: bool = False,
        multiline: bool = False, whole: str = "",
    ) -> None:  # fmt: skip
        self.pattern, self.syntax, self.is_perl = pattern, syntax, syntax in PERL_SYNTAXES
        # The pattern is a list of literal lines.
        is_list = whole == "line" and syntax == "fixed" and not ignore_case
        if len(pattern) > MAX_PATTERN_CHARACTERS and not is_list:
            raise RegexError(TOO_BIG)
        self.groups, self.warnings = 0, list[str]()
        self.named_groups: list[tuple[int, str]] = []  # Perl's groups: numbers and names, or ""
        self.match_start_group = 0  # Perl's \K: the match starts at this group
        node = self._parse(ignore_case, multiline)
        if isinstance(node, Alternation) and not self.is_perl and are_words(node.alternatives):
            node = LiteralAlternation(node.alternatives)
        self._whole_lines = all_texts_of(node) if whole == "line" else None
        node = whole_match(node, whole, is_ascii=syntax == "perl")
        below = all_nodes(node)
        self.has_references = any(isinstance(part, BackReference) for part in below)
        # Whether the linear engines can match it.
        self.is_linear = not any(
            isinstance(part, BackReference | Lookaround | AtomicGroup) for part in below
        )
        self.is_longest = self.is_perl or finds_longest(node)
        if not self.is_longest and (ordered := longest_first(node)) is not None:
            node, self.is_longest = ordered, True
        # In `(a*)*`, `re` takes one more empty turn and loses what the group matched.
        self.keeps_groups = self.is_perl or not any(
            isinstance(part, Repeat) and (part.least, part.most) != (1, 1)
            and is_nullable(part.body)
            and any(isinstance(nested, CaptureGroup) for nested in all_nodes(part.body))
            for part in below
        )  # fmt: skip
        self._node, self.size = node, automaton_size(node)
        takes_all = self.is_longest and not self.is_perl and takes_all_before(node)
        self._native = NativeEngine(node, syntax, takes_all=takes_all)
        self.literal = only_text_of(node)
        self.is_nullable, self.matches_at_most_once = is_nullable(node), matches_once(node)
        self._linear: LinearEngine | None = None
        self._testing: LinearEngine | None = None
        self._tester: MatchTester | None = None
        self._program: RegexProgram | None = None

    def _parse(self, ignore_case: bool, multiline: bool) -> Node:
        """Return the tree of the pattern; for grep, of one pattern a line."""
        if self.is_perl:
            reading = PerlParser if self.syntax == "perl" else OnigurumaParser
            perl = reading(self.pattern, ignore_case, multiline)
            node, self.groups, self.match_start_group = (
                perl.read(),
                perl.groups,
                perl.match_start_group,
            )
            self.named_groups = list(zip(perl.users[1:], perl.group_names[1:], strict=True))
            return node
        alternatives: list[Node] = []
        by_line = self.syntax in ("fixed", "grep", "egrep")
        for pattern in self.pattern.split("\n") if by_line else (self.pattern,):
            if self.syntax == "fixed":
                alternatives.append(fixed_text(pattern, ignore_case))
                continue
            reader = PosixParser(pattern, self.syntax, ignore_case, multiline, self.groups)
            alternatives.append(reader.read())
            self.groups = reader.groups
            self.warnings += reader.warnings
        return alternatives[0] if len(alternatives) == 1 else Alternation(alternatives)

    @property
    def is_literal(self) -> bool:
        """Whether it matches only one text, `literal`."""
        return self.literal is not None

    # ------------------------------------------------------------ searching

    def match(self, text: str, start: int = 0, tick: Tick | None = None) -> RegexMatch | None:
        """Return the match that starts at a position."""
        if self._native.is_cheap(len(text) - start, at_once=True):
            native = self._native.pattern(text).match(text, start)
            return None if native is None else self._extend_native_match(text, native, tick)
        if not self.is_linear:
            if self.is_perl:
                raise RegexLimit
            groups = Backtracker(self._group_program(), text, tick).longest_match(
                start, self.groups
            )
            return (
                None if groups is None else RegexMatch(self, text, start, groups[1], None, groups)
            )
        return self._match_at(text, start, tick)

    def search(
        self, text: str, start: int = 0, tick: Tick | None = None, not_bol: bool = False
    ) -> RegexMatch | None:
        """Return the first match from a position on. With `not_bol` the text has begun before."""
        at_once = not start and self._native.matches_only_at_start(text)
        is_cheap = self._native.is_cheap(len(text) - start, at_once=at_once)
        if is_cheap or self._native.is_cheap_in(text):
            pattern = self._native.pattern(text, is_inside=not_bol, at_once=at_once)
            native = pattern.search(text, start)
            return (
                None if native is None else self._extend_native_match(text, native, tick, not_bol)
            )
        starts = self._starts(text, start, tick, not_bol)
        return self._next_match(text, starts, start, tick, not_bol)

    def find_all(self, text: str, tick: Tick | None = None) -> Iterator[RegexMatch]:
        """Yield the matches from left to right. None is empty at the end of another."""
        native_pattern = self.native(text)
        if native_pattern is not None:
            last = -1
            for native in native_pattern.finditer(text):
                start, end = native.span()
                if self.match_start_group:
                    start = max(native.start(self.match_start_group), start)
                if end > start or start != last:
                    yield RegexMatch(self, text, start, end, native)
                last = end
            return
        is_cheap = self._native.is_cheap_in(text)
        starts = None if is_cheap else self._starts(text, 0, tick)
        position, last = 0, -1
        budget = MAX_SCANNED_CHARACTERS + SCANNED_PER_CHARACTER * len(text)
        while position <= len(text):
            match = (
                self.search(text, position, tick)
                if starts is None
                else self._next_match(text, starts, position, tick)
            )
            if match is None:
                return
            budget -= 0 if self._linear is None else self._linear.scanned_characters
            if budget < 0:
                raise RegexLimit
            if match.end > match.start or match.start != last:
                yield match
            last = match.end
            # What stands before Perl's \K is over, so that the search may go on where it ends.
            is_over = bool(self.match_start_group) and match.end > position
            position = match.end + (match.end == match.start and not is_over)

    def _starts(self, text: str, start: int, tick: Tick | None, not_bol: bool = False) -> list[int]:
        """Return the positions where a match starts, or may start, in reverse order.

        Perl's lookarounds and back references are left to `re` alone.
        """
        if self.is_perl and not self.is_linear:
            raise RegexLimit
        return self._automata.match_starts(text, start, tick, not_bol=not_bol)

    def _next_match(
        self, text: str, starts: list[int], position: int, tick: Tick | None, not_bol: bool = False
    ) -> RegexMatch | None:
        """Return the match at the next of these positions that has one."""
        backtracker = None if self.is_linear else Backtracker(self._group_program(), text, tick)
        while starts:
            start = starts.pop()
            if start < position:
                continue
            if backtracker is None:
                return self._match_at(text, start, tick, not_bol)
            groups = backtracker.longest_match(start, self.groups, not_bol)
            if groups is not None:
                return RegexMatch(self, text, start, groups[1], None, groups)
        return None

    def is_in(self, text: str, tick: Tick | None = None) -> bool:
        """Whether there is a match anywhere in a string."""
        if self.literal is not None:
            return self.literal in text
        if self.tester.native.is_cheap_in(text):
            pattern = self.tester.native.pattern(text, captures=self.has_references)
            return pattern.search(text) is not None
        if self.is_linear:
            if self._testing is None:
                self._testing = LinearEngine(self.tester.node)
            return self._testing.has_match(text, tick)
        return self._next_match(text, self._starts(text, 0, tick), 0, tick) is not None

    # ------------------------------------------------------------ engines

    @property
    def tester(self) -> MatchTester:
        """The tester for callers who only ask whether there is a match."""
        if self._tester is None:
            self._tester = MatchTester(
                self._node, self.syntax, has_references=self.has_references,
                lines=self._whole_lines,
            )  # fmt: skip
        return self._tester

    def is_cheap(self, length: int) -> bool:
        """Whether `re` may search a string of some length."""
        return self._native.is_cheap(length)

    def native(
        self, text: str, *, by_line: bool = False, to_end: bool = False
    ) -> re.Pattern[str] | None:
        """Return a pattern of `re` that finds exactly the same matches and groups, or None.

        With `by_line` each line is matched on its own. With `to_end` one more group
        captures the rest of the line, so that each line has one match.
        """
        if not self.is_longest or not self.keeps_groups or (by_line and self.match_start_group):
            return None
        # Where the preferred match is empty, `re` goes on with a longer one at the same position.
        if self.is_perl and self.is_nullable and not finds_longest(self._node):
            return None
        native = self._native
        if not (native.is_cheap_by_line(text) if by_line else native.is_cheap_in(text)):
            return None
        return native.pattern(
            text, by_line=by_line, at_once=native.matches_only_at_start(text, by_line=by_line),
            rest="([^\\n]*)" if to_end else "",
        )  # fmt: skip

    @property
    def _automata(self) -> LinearEngine:
        if self._linear is None:
            self._linear = LinearEngine(
                self._node if self.is_linear else without_references(self._node)
            )
        return self._linear

    def _group_program(self) -> RegexProgram:
        """The program that captures groups."""
        if self._program is None:
            self._program = RegexProgram(self._node, saves=True)
        return self._program

    def _extend_native_match(
        self, text: str, native: re.Match[str], tick: Tick | None, not_bol: bool = False
    ) -> RegexMatch:
        """Return the match that starts where `re` found one."""
        start, end = native.span()
        if self.is_longest or end == len(text):
            if self.match_start_group:
                start = max(native.start(self.match_start_group), start)
            native_groups = native if self.keeps_groups else None
            return RegexMatch(self, text, start, end, native_groups, tick=tick)
        if self.has_references:
            groups = Backtracker(self._group_program(), text, tick).longest_match(
                start, self.groups, not_bol
            )
            if groups is not None:
                return RegexMatch(self, text, start, groups[1], None, groups)
        end = self._automata.longest_end(text, start, tick, not_bol=not_bol)
        return RegexMatch(self, text, start, end, tick=tick)

    def _match_at(
        self, text: str, start: int, tick: Tick | None, not_bol: bool = False
    ) -> RegexMatch | None:
        """Return the match at a position: the longest, or for Perl the preferred one."""
        if not self.is_perl:
            end = self._automata.longest_end(text, start, tick, not_bol=not_bol)
            return None if end < 0 else RegexMatch(self, text, start, end, tick=tick)
        threads = PikeEngine(self._group_program(), text, start)
        groups = threads.first_match(self.groups, tick)
        self._automata.scanned_characters = THREAD_COST_CHARACTERS * threads.moves
        if groups is None:
            return None
        if self.match_start_group and groups[2 * self.match_start_group] >= 0:
            start = groups[2 * self.match_start_group]
        return RegexMatch(self, text, start, groups[1], None, groups)

    def groups_of(self, match: RegexMatch, tick: Tick | None) -> Slots:
        """Return the groups of a match whose bounds are known."""
        return PikeEngine(self._group_program(), match.text, match.start, match.end).match_slots(
            self.groups, tick
        )


def regex_of(
    pattern: str, syntax: str = "extended", *, ignore_case: bool = False, multiline: bool = False,
    whole: str = "",
) -> Regex:  # fmt: skip
    """Return the parsed pattern, cached. Raises RegexError with the C library's message.

    `syntax` is "basic", "extended", "awk", "perl" or "oniguruma"; or "sed", extended except that a
    lone `)` is an error; or "grep", "egrep" or "fixed", with one pattern a line. With `multiline`,
    `^` and `$` match at each line, and `.` and `[^a]` match no newline. `whole` requires a match of
    a whole "word" or "line".
    """
    key = (pattern, syntax, ignore_case, multiline, whole)
    known: Regex | None = REGEXES.get(key)
    if known is None:
        known = Regex(pattern, syntax, ignore_case=ignore_case, multiline=multiline, whole=whole)
        REGEXES.store(key, known, known.size * BYTES_PER_POSITION)
    return known
