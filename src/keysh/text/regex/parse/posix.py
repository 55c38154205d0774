"""Parse POSIX regular expressions, basic and extended, as the C library and GNU's tools do."""

from __future__ import annotations

from keysh.text.regex import regex_errors as error
from keysh.text.regex.case_folding import case_insensitive_set
from keysh.text.regex.charset import ANY_CHARACTER, CharacterSet
from keysh.text.regex.parse.bracket import BracketParser, awk_escape
from keysh.text.regex.regex_errors import RegexError
from keysh.text.regex.regex_tree import (
    MAX_TREE_DEPTH,
    Alternation,
    Assertion,
    BackReference,
    CaptureGroup,
    CharacterNode,
    Concatenation,
    Repeat,
    automaton_size,
    concatenate,
)
from keysh.text.shell_numbers import bounded_number, is_digits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from keysh.text.regex.regex_tree import Node

MAX_REPETITIONS = 32767  # RE_DUP_MAX
OPERATORS: Mapping[str, tuple[int, int | None]] = {"*": (0, None), "+": (1, None), "?": (0, 1)}
MAX_AUTOMATON_SIZE = 100_000  # positions of a pattern's automaton
ASSERTION_ESCAPES = {
    "b": "boundary", "B": "no boundary", "<": "word start", ">": "word end", "`": "text start",
    "'": "text end",
}  # fmt: skip
BORDER_KINDS = ("line start", "line end", "text start", "text end")
CLASS_ESCAPES = {
    "w": CharacterSet("_", classes=[("alnum", False)]),
    "W": CharacterSet("_", classes=[("alnum", False)], is_negated=True),
    "s": CharacterSet(classes=[("space", False)]),
    "S": CharacterSet(classes=[("space", False)], is_negated=True),
}


class PosixDialect:
    """How the tools differ.

    `star` says what a repetition without anything to repeat is: "error", "itself" or "skipped".
    With `is_strict` an invalid interval is an error; otherwise it is literal.
    """

    __slots__ = ("has_escapes", "is_basic", "is_strict", "star", "takes_close")

    def __init__(
        self, *, is_basic: bool = False, star: str = "error", is_strict: bool = True,
        takes_close: bool = False, has_escapes: bool = False,
    ) -> None:  # fmt: skip
        self.is_basic, self.star, self.is_strict = is_basic, star, is_strict
        self.takes_close, self.has_escapes = takes_close, has_escapes


POSIX_DIALECTS = {
    "basic": PosixDialect(is_basic=True, star="itself"),
    "extended": PosixDialect(takes_close=True),
    "sed": PosixDialect(),  # extended, as in sed -E
    "grep": PosixDialect(is_basic=True, star="itself", is_strict=True),
    "egrep": PosixDialect(star="skipped", is_strict=False, takes_close=True),
    "awk": PosixDialect(star="itself", is_strict=False, takes_close=True, has_escapes=True),
}


class PosixParser:
    """Parses one pattern."""

    __slots__ = (
        "before", "closed_groups", "dialect", "groups", "ignore_case", "multiline", "name",
        "position", "text", "warnings",
    )  # fmt: skip

    def __init__(
        self, text: str, name: str, ignore_case: bool, multiline: bool, groups: int = 0
    ) -> None:
        self.text, self.name, self.dialect = text, name, POSIX_DIALECTS[name]
        self.ignore_case, self.multiline = ignore_case, multiline
        self.position, self.before = 0, groups  # the number of groups in preceding patterns
        self.groups = groups
        self.closed_groups: set[int] = set()  # groups that can be referenced
        self.warnings: list[str] = []

    def read(self) -> Node:
        """Parse the whole pattern."""
        node = self.choice(0)
        if self.position < len(self.text):
            raise RegexError(error.CLOSED_GROUP, self.position)
        if automaton_size(node) > MAX_AUTOMATON_SIZE:
            raise RegexError(error.TOO_BIG)
        return node

    # ------------------------------------------------------------ tokens

    def peek(self, operator: str) -> bool:
        """Whether an operator is next, in the dialect's spelling."""
        text, position = self.text, self.position
        if self.dialect.is_basic:
            return text.startswith("\\", position) and text.startswith(operator, position + 1)
        return text.startswith(operator, position)

    def skip(self) -> None:
        """Skip the next operator."""
        self.position += 2 if self.dialect.is_basic else 1

    def peek_repetition(self) -> str:
        """Return the repetition that is next: `*`, `+`, `?`, `{`, or ""."""
        if self.text.startswith("*", self.position):
            return "*"
        for operator in "+?{":
            if self.peek(operator):
                return operator
        return ""

    # ------------------------------------------------------------ structure

    def choice(self, depth: int) -> Node:
        """Parse alternatives up to the end, or to the closing parenthesis."""
        if depth > MAX_TREE_DEPTH:
            raise RegexError(error.TOO_BIG, self.position)
        closed_before, closed = frozenset(self.closed_groups), set(self.closed_groups)
        alternatives = [self.branch(depth)]
        while self.peek("|"):  # groups of one alternative cannot be referenced in another
            self.skip()
            closed |= self.closed_groups
            self.closed_groups = set(closed_before)
            alternatives.append(self.branch(depth))
        self.closed_groups |= closed
        return alternatives[0] if len(alternatives) == 1 else Alternation(alternatives)

    def branch(self, depth: int) -> Node:
        parts: list[Node] = []
        is_start = is_bare = True  # `^` is an anchor; there is nothing to repeat
        while self.position < len(self.text) and not self.peek("|"):
            if self.peek(")"):
                if depth:
                    break
                if not self.dialect.takes_close:
                    raise RegexError(error.CLOSED_GROUP, self.position)
                self.skip()
                part: Node = self.character_node(")")
            elif self.is_anchor_start(is_start):
                self.position += 1
                parts.append(Assertion("line start" if self.multiline else "text start"))
                is_start, is_bare = False, True
                continue
            elif is_bare and (operator := self.peek_repetition()):
                if self.skip_leading_repetition(operator, parts):
                    if depth and operator != "{" and self.peek(")"):
                        # GNU's parser takes the `)` as a character, so the group stays open.
                        raise RegexError(error.OPEN_GROUP, self.position)
                    continue
                part = self.character_node(operator)
            else:
                part = self.atom(depth)
            is_start, is_bare = False, isinstance(part, Assertion)
            parts.append(part if is_bare else self.read_repetitions(part))
        return concatenate(parts) if parts else Concatenation([])

    def is_anchor_start(self, is_start: bool) -> bool:
        """Whether a `^` is an anchor; in basic syntax only at the start."""
        return self.text.startswith("^", self.position) and (is_start or not self.dialect.is_basic)

    def skip_leading_repetition(self, operator: str, parts: list[Node]) -> bool:
        """Handle a repetition of nothing or of an assertion. Return False if it is a literal."""
        start = self.position
        if self.dialect.star == "error" or (operator == "{" and self.name == "basic"):
            raise RegexError(error.BAD_REPEAT, start)
        if self.dialect.star == "skipped":
            return self.skip_optional_anchor(operator, parts)
        self.position += 1 if operator == "*" else 2 if self.dialect.is_basic else 1
        return False

    def skip_optional_anchor(self, operator: str, parts: list[Node]) -> bool:
        """Drop a repetition of an anchor; an anchor that may occur zero times is dropped too."""
        is_empty = self.text.startswith("{}", self.position)  # an error elsewhere, as in `a{}`
        bounds = None if is_empty else self.bounds(operator)
        if bounds is None:
            self.position += 1
            return False
        if all(isinstance(node, Assertion | Concatenation) for node in parts):
            shown = "{...}" if operator == "{" else operator
            self.warnings.append(f"{shown} at start of expression")
        last = parts[-1] if parts else None
        if isinstance(last, Assertion) and last.kind in BORDER_KINDS and not bounds[0]:
            parts[-1] = Concatenation([])
        return True

    def atom(self, depth: int) -> Node:
        """Parse one part without its repetition."""
        text, position = self.text, self.position
        if self.peek("("):
            self.skip()
            self.groups += 1
            number = self.groups
            body = self.choice(depth + 1)
            if not self.peek(")"):
                raise RegexError(error.OPEN_GROUP, position)
            self.skip()
            self.closed_groups.add(number)
            return CaptureGroup(number, body)
        char = text[position]
        self.position += 1
        if char == "\\":
            return self.escape()
        if char == "[":
            return self.bracket()
        if char == ".":
            return CharacterNode(
                ANY_CHARACTER.without_newline() if self.multiline else ANY_CHARACTER
            )
        if char == "$" and self.is_anchor_end():
            return Assertion("line end" if self.multiline else "text end")
        return self.character_node(char)

    def is_anchor_end(self) -> bool:
        """Whether a `$` that was just read is an anchor; in basic syntax only at an end."""
        if not self.dialect.is_basic or self.position == len(self.text):
            return True
        return self.peek(")") or self.peek("|")

    def escape(self) -> Node:
        """Parse what follows a backslash."""
        if self.position == len(self.text):
            raise RegexError(error.BAD_ESCAPE, self.position)
        char = self.text[self.position]
        if self.dialect.has_escapes:
            return self.awk_escape(char)
        self.position += 1
        if char in "123456789":
            number = self.before + int(char)
            if number not in self.closed_groups:
                raise RegexError(error.BAD_REFERENCE, self.position)
            return BackReference(number, self.ignore_case)
        if char in ASSERTION_ESCAPES:
            return Assertion(ASSERTION_ESCAPES[char])
        if char in CLASS_ESCAPES:
            return CharacterNode(CLASS_ESCAPES[char])
        return self.character_node(char)

    def awk_escape(self, char: str) -> Node:
        r"""Parse a gawk escape: `\y` is a boundary, because `\b` is a backspace."""
        kind = "boundary" if char == "y" else "" if char == "b" else ASSERTION_ESCAPES.get(char, "")
        if kind or char in CLASS_ESCAPES:
            self.position += 1
            return Assertion(kind) if kind else CharacterNode(CLASS_ESCAPES[char])
        char, self.position = awk_escape(self.text, self.position)
        return self.character_node(char)

    def bracket(self) -> Node:
        bracket = BracketParser(self.text, self.position, self.dialect.has_escapes)
        members = bracket.read()
        content = self.text[self.position : bracket.position - 1]
        if len(content) > 2 and content[0] == content[-1] == ":" and self.name != "extended":
            raise RegexError("character class syntax is [[:space:]], not [:space:]", self.position)
        self.position = bracket.position
        if self.ignore_case:
            members = case_insensitive_set(members)
        return CharacterNode(
            members.without_newline() if self.multiline and members.is_negated else members
        )

    def character_node(self, char: str) -> Node:
        """Return the node for a literal character."""
        members = CharacterSet(char)
        return CharacterNode(case_insensitive_set(members) if self.ignore_case else members)

    # ------------------------------------------------------------ repetition

    def read_repetitions(self, part: Node) -> Node:
        """Apply the repetitions that follow a part."""
        count = 0
        while operator := self.peek_repetition():
            start = self.position
            bounds = self.bounds(operator)
            if bounds is None:
                break
            least, most = bounds
            count += 1
            if count > 1 and self.name == "basic" and operator in "*{":
                raise RegexError(error.BAD_REPEAT, start)
            if count > MAX_TREE_DEPTH // 2:
                raise RegexError(error.TOO_BIG, start)
            part = repeat_node(part, least, most)
        return part

    def bounds(self, operator: str) -> tuple[int, int | None] | None:
        """Parse the bounds of the next repetition; None if it is literal text."""
        if operator == "{":
            return self.interval(self.position)
        self.position += 1 if operator == "*" else 2 if self.dialect.is_basic else 1
        return OPERATORS[operator]

    def interval(self, start: int) -> tuple[int, int | None] | None:
        """Parse `{n}`, `{n,}`, `{,m}` or `{n,m}`; None, and nothing read, if it is literal."""
        text = self.text
        close = "\\}" if self.dialect.is_basic else "}"
        self.skip()
        end = text.find(close, self.position)
        content = text[self.position : end if end >= 0 else len(text)]
        low, comma, high = content.partition(",")
        is_number = all(not digits or is_digits(digits) for digits in (low, high))
        if end < 0 or not is_number or not (low or comma):
            self.position = start
            if not self.dialect.is_strict and (content or end < 0):
                return None
            raise RegexError(error.OPEN_INTERVAL if end < 0 else error.BAD_INTERVAL, start)
        self.position = end + len(close)
        least = interval_number(low or "0", start)
        most = None if comma and not high else interval_number(high, start) if comma else least
        if most is not None and most < least:
            raise RegexError(error.BAD_INTERVAL, start)
        return least, most


def interval_number(digits: str, position: int) -> int:
    value = bounded_number(digits)
    if value > MAX_REPETITIONS:
        raise RegexError(error.TOO_BIG, position)
    return value


def repeat_node(part: Node, least: int, most: int | None) -> Node:
    """Repeat a part. Stars of stars become one, or they would nest without limit."""
    if isinstance(part, Repeat) and not isinstance(part.body, CaptureGroup):
        if (part.least, part.most, least, most) == (0, None, 0, None):
            return part
        if part.least < 2 and least < 2 and part.most is None and most is None:
            return Repeat(part.body, part.least * least, None)
    return Repeat(part, least, most)
