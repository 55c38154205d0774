"""Parse Perl's regular expressions, as in grep -P: PCRE2 without Unicode properties."""

from __future__ import annotations

from keysh.text.regex.analysis.cost import fixed_length
from keysh.text.regex.case_folding import case_insensitive_set
from keysh.text.regex.charset import ANY_CHARACTER, NOT_NEWLINE, CharacterSet
from keysh.text.regex.parse.perl_characters import (
    DIGITS,
    NOT_HERE,
    VERTICAL_SPACE,
    PerlCharacterParser,
)
from keysh.text.regex.parse.posix import MAX_AUTOMATON_SIZE, OPERATORS
from keysh.text.regex.regex_errors import RegexError
from keysh.text.regex.regex_tree import (
    MAX_TREE_DEPTH,
    Alternation,
    Assertion,
    AtomicGroup,
    BackReference,
    CaptureGroup,
    CharacterNode,
    Concatenation,
    Lookaround,
    Repeat,
    automaton_size,
    concatenate,
)
from keysh.text.shell_numbers import bounded_number, is_digits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import ClassVar

    from keysh.text.regex.regex_tree import Node

ASSERTION_ESCAPES = {
    "b": "boundary", "B": "no boundary", "A": "text start", "z": "text end", "Z": "last newline",
}  # fmt: skip
LOOKAROUND_OPENINGS = ("(?=", "(?!", "(?<=", "(?<!")
MAX_REPETITIONS = 65535

NO_CLOSE = "missing closing parenthesis"
NOT_FIXED = "lookbehind assertion is not fixed length"
NO_ITEM = "quantifier does not follow a repeatable item"
NO_GROUP = "reference to non-existent subpattern"
BAD_GROUP = "unrecognized character after (? or (?-"


class PerlParser(PerlCharacterParser):
    """Parses one pattern. `flags` holds the active ones of imsx."""

    __slots__ = ("flags", "groups", "match_start_group", "names", "group_names", "users")

    # grep -P asks PCRE for the end alone (PCRE2_DOLLAR_ENDONLY); `\Z` also takes a last newline.
    dollar: ClassVar[str] = "text end"
    stacks: ClassVar[bool] = False  # whether repetitions and assertions may be repeated

    def __init__(self, text: str, ignore_case: bool, multiline: bool) -> None:
        super().__init__(text)
        self.flags = frozenset("i" * ignore_case + "m" * multiline)
        self.groups = self.match_start_group = 0
        self.users = [0]  # the internal number of each group, because `\K` takes one too
        self.group_names = [""]  # and its name
        self.names: dict[str, int] = {}

    def read(self) -> Node:
        node = self.choice(0)
        if self.position < len(self.text):
            raise RegexError("unmatched closing parenthesis", self.position)
        if automaton_size(node) > MAX_AUTOMATON_SIZE:
            raise RegexError("regular expression is too large")
        return node

    # ------------------------------------------------------------ structure

    def choice(self, depth: int) -> Node:
        if depth > MAX_TREE_DEPTH:
            raise RegexError("parentheses are too deeply nested", self.position)
        flags = self.flags
        alternatives = [self.branch(depth)]
        while self.skip_text("|"):
            alternatives.append(self.branch(depth))
        self.flags = flags
        return alternatives[0] if len(alternatives) == 1 else Alternation(alternatives)

    def branch(self, depth: int) -> Node:
        parts: list[Node] = []
        while self.position < len(self.text):
            if self.is_quoting:
                self.read_quoted(parts)
            elif self.text[self.position] in "|)":
                break
            elif not self.skip_ignored():
                part = self.atom(depth)
                if part is not None:
                    parts.append(self.read_repetition(part))
        return concatenate(parts) if parts else Concatenation([])

    def skip_ignored(self) -> bool:
        r"""Skip a comment, an insignificant blank, `\Q` or `\E`. Return whether there was one."""
        text = self.text
        if self.skip_text("(?#"):
            self.position = self.find_close(")", NO_CLOSE)
            return True
        if self.skip_text("\\Q"):
            self.is_quoting = True
            return True
        if self.skip_text("\\E"):
            return True
        if "x" in self.flags and (text[self.position].isspace() or text[self.position] == "#"):
            end = text.find("\n", self.position) if text[self.position] == "#" else self.position
            self.position = len(text) if end < 0 else end + 1
            return True
        return False

    def read_quoted(self, parts: list[Node]) -> None:
        r"""Read one character between `\Q` and `\E`, or the `\E`."""
        if self.text.startswith("\\E", self.position):
            self.is_quoting = False
            self.position += 2
            return
        self.position += 1
        node: Node = self.character_node(self.text[self.position - 1])
        if self.text.startswith("\\E", self.position):  # a repetition follows the \E
            self.is_quoting = False
            self.position += 2
            node = self.read_repetition(node)
        parts.append(node)

    def atom(self, depth: int) -> Node | None:
        """Parse one part without its repetition; None if it only changes the flags."""
        char = self.text[self.position]
        if char == "(":
            return self.group(depth)
        self.position += 1
        if char == "\\":
            return self.escape()
        if char == "[":
            return CharacterNode(self.with_case(self.bracket()))
        if char == ".":
            return CharacterNode(ANY_CHARACTER if "s" in self.flags else NOT_NEWLINE)
        if char == "^":
            return Assertion("line start" if "m" in self.flags else "text start")
        if char == "$":
            return Assertion("line end" if "m" in self.flags else self.dollar)
        if char in "*+?":
            raise RegexError(NO_ITEM, self.position)
        return self.character_node(char)

    def character_node(self, char: str) -> Node:
        return CharacterNode(self.with_case(CharacterSet(char)))

    def with_case(self, original: CharacterSet) -> CharacterSet:
        return case_insensitive_set(original) if "i" in self.flags else original

    # ------------------------------------------------------------ groups

    def group(self, depth: int) -> Node | None:
        """Parse what a parenthesis opens."""
        for look in LOOKAROUND_OPENINGS:
            if self.skip_text(look):
                body = self.read_group_body(depth)
                return self.lookbehind(look, body) if "<" in look else Lookaround(look, body)
        if self.skip_text("(?>"):
            return AtomicGroup(self.read_group_body(depth))
        for opening, close in (("(?P=", ")"), ("(?P<", ">"), ("(?<", ">"), ("(?'", "'")):
            if self.skip_text(opening):
                start = self.position
                self.position = self.find_close(
                    close, "syntax error in subpattern name (missing terminator?)"
                )
                name = self.text[start : self.position - len(close)]
                if opening == "(?P=":
                    return self.reference(self.names.get(name, 0))
                self.names[name] = len(self.users)
                return self.read_capture_group(depth, name)
        if self.skip_text("(?"):
            return self.read_flags(depth)
        self.position += 1
        return self.read_capture_group(depth)

    def read_capture_group(self, depth: int, name: str = "") -> Node:
        self.groups += 1
        number = self.groups
        self.users.append(number)
        self.group_names.append(name)
        return CaptureGroup(number, self.read_group_body(depth))

    def read_group_body(self, depth: int) -> Node:
        """Parse up to the closing parenthesis."""
        node = self.choice(depth + 1)
        if not self.skip_text(")"):
            raise RegexError(NO_CLOSE, len(self.text))
        return node

    def read_flags(self, depth: int) -> Node | None:
        """Parse `(?i)`, `(?i-s:…)` or `(?:…)`."""
        flags, is_set = set(self.flags), True
        while self.position < len(self.text):
            char = self.text[self.position]
            self.position += 1
            if char == "-":
                is_set = False
            elif char in "imsx":
                (flags.add if is_set else flags.discard)(char)
            elif char == ")":
                self.flags = frozenset(flags)
                return None
            elif char == ":":
                outer_flags, self.flags = self.flags, frozenset(flags)
                node = self.read_group_body(depth)
                self.flags = outer_flags
                return Concatenation([node])
            else:
                raise RegexError(
                    NOT_HERE if char in "R0123456789&+|(" else BAD_GROUP, self.position
                )
        raise RegexError(NO_CLOSE, len(self.text))

    def reference(self, number: int) -> Node:
        if not 0 < number < len(self.users):
            raise RegexError(NO_GROUP, self.position)
        return BackReference(self.users[number], "i" in self.flags)

    # ------------------------------------------------------------ escapes

    def escape(self) -> Node:
        """Parse what follows a backslash outside brackets."""
        if self.position == len(self.text):
            raise RegexError("\\ at end of pattern", self.position)
        char = self.text[self.position]
        if char in "123456789":
            digits = self.digits(DIGITS, 2)
            return self.reference(int(digits))
        self.position += 1
        if char in ASSERTION_ESCAPES:
            return Assertion(ASSERTION_ESCAPES[char], is_ascii=self.is_ascii)
        if char == "K":
            self.groups += 1
            self.match_start_group = self.groups
            return CaptureGroup(self.groups, Concatenation([]))
        if char in "gk":
            return self.named_reference()
        if char == "R":
            ends = CharacterNode(CharacterSet(VERTICAL_SPACE))
            both: Node = Concatenation(
                [CharacterNode(CharacterSet("\r")), CharacterNode(CharacterSet("\n"))]
            )
            return AtomicGroup(Alternation([both, ends]))
        if char == "N":
            return CharacterNode(NOT_NEWLINE)
        self.position -= 1
        class_set = self.escaped_class()
        return (
            CharacterNode(self.with_case(class_set))
            if class_set is not None
            else self.character_node(self.escaped_char())
        )

    def lookbehind(self, look: str, body: Node) -> Node:
        """Return the lookbehind for texts of one length, or for alternatives of fixed lengths."""
        alternatives = body.alternatives if isinstance(body, Alternation) else [body]
        if any(fixed_length(alternative) is None for alternative in alternatives):
            raise RegexError(NOT_FIXED, self.position)
        looks: list[Node] = [Lookaround(look, alternative) for alternative in alternatives]
        if fixed_length(body) is not None:
            return Lookaround(look, body)
        return Alternation(looks) if look == "(?<=" else Concatenation(looks)

    def named_reference(self) -> Node:
        r"""Parse `\g1`, `\g{-1}`, `\g{name}` or `\k<name>`."""
        closes = {"{": "}", "<": ">", "'": "'"}
        opening = self.text[self.position : self.position + 1]
        if opening in closes and opening:
            self.position += 1
            start = self.position
            self.position = self.find_close(closes[opening], NO_GROUP)
            name = self.text[start : self.position - 1]
        else:
            name = self.digits(DIGITS, 2)
        if is_digits(name.removeprefix("-")):
            number = int(name[:6])
            return self.reference(number if number > 0 else len(self.users) + number)
        return self.reference(self.names.get(name, 0))

    # ------------------------------------------------------------ repetition

    def read_repetition(self, part: Node) -> Node:
        """Apply the repetitions that follow a part: greedy, lazy (`?`) or possessive (`+`)."""
        count = 0
        while (bounds := self.bounds()) is not None:
            if not self.stacks and (count or isinstance(part, Assertion)):
                raise RegexError(NO_ITEM, self.position)
            count += 1
            if count > MAX_TREE_DEPTH // 2:
                raise RegexError("regular expression is too large", self.position)
            part = Repeat(part, *bounds, is_lazy=self.skip_text("?"))
            if not part.is_lazy and self.skip_text("+"):
                part = AtomicGroup(part)
        return part

    def bounds(self) -> tuple[int, int | None] | None:
        """Parse a repetition; None if there is none. An invalid interval is literal text."""
        for operator, bounds in OPERATORS.items():
            if self.skip_text(operator):
                return bounds
        end = self.text.find("}", self.position)
        if self.is_quoting or not self.text.startswith("{", self.position) or end < 0:
            return None
        low, comma, high = self.text[self.position + 1 : end].partition(",")
        if not is_digits(low) or (high and not is_digits(high)):
            return None
        least = bounded_number(low)
        most = bounded_number(high) if high else None if comma else least
        if max(least, most or 0) > MAX_REPETITIONS:
            raise RegexError("number too big in {} quantifier", self.position)
        if most is not None and most < least:
            raise RegexError("numbers out of order in {} quantifier", self.position)
        self.position = end + 1
        return least, most
