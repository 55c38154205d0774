"""Reading Perl's regular expressions, as grep -P has them: PCRE2 without Unicode properties."""

from __future__ import annotations

from keysh.text.regex.analysis.cost import fixed_length
from keysh.text.regex.charset import ANY, NOT_NEWLINE, Characters, without_size
from keysh.text.regex.errors import RegexError
from keysh.text.regex.parse.perl_characters import DIGITS, NOT_HERE, VERTICAL, PerlCharacters
from keysh.text.regex.parse.posix import LARGEST, OPERATORS
from keysh.text.regex.tree import (
    DEEPEST,
    Assertion,
    Choice,
    Group,
    Kept,
    Look,
    One,
    Reference,
    Repeat,
    Sequence,
    sequence,
    size,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import ClassVar

    from keysh.text.regex.tree import Node

PLACES = {
    "b": "boundary", "B": "no boundary", "A": "text start", "z": "text end", "Z": "last newline",
}  # fmt: skip
LOOKS = ("(?=", "(?!", "(?<=", "(?<!")
MOST_TIMES = 65535

NO_CLOSE = "missing closing parenthesis"
NOT_FIXED = "lookbehind assertion is not fixed length"
NO_ITEM = "quantifier does not follow a repeatable item"
NO_GROUP = "reference to non-existent subpattern"
BAD_GROUP = "unrecognized character after (? or (?-"


class PerlReader(PerlCharacters):
    """One pattern while it is read. `flags` holds those of imsx that are set."""

    __slots__ = ("flags", "groups", "kept_from", "names", "titles", "users")

    stacks: ClassVar[bool] = False  # whether what repeats may be repeated, and a place

    def __init__(self, text: str, ignore_case: bool, multiline: bool) -> None:
        super().__init__(text)
        self.flags = frozenset("i" * ignore_case + "m" * multiline)
        self.groups = self.kept_from = 0
        self.users = [0]  # our number of each group of the pattern's, for `\K` is one of ours
        self.titles = [""]  # and the name of each
        self.names: dict[str, int] = {}

    def read(self) -> Node:
        node = self.choice(0)
        if self.at < len(self.text):
            raise RegexError("unmatched closing parenthesis", self.at)
        if size(node) > LARGEST:
            raise RegexError("regular expression is too large")
        return node

    # ------------------------------------------------------------ structure

    def choice(self, depth: int) -> Node:
        if depth > DEEPEST:
            raise RegexError("parentheses are too deeply nested", self.at)
        flags = self.flags
        alternatives = [self.branch(depth)]
        while self.took("|"):
            alternatives.append(self.branch(depth))
        self.flags = flags
        return alternatives[0] if len(alternatives) == 1 else Choice(alternatives)

    def branch(self, depth: int) -> Node:
        parts: list[Node] = []
        while self.at < len(self.text):
            if self.is_quoting:
                self.quoted(parts)
            elif self.text[self.at] in "|)":
                break
            elif not self.passed_over():
                part = self.atom(depth)
                if part is not None:
                    parts.append(self.repeated(part))
        return sequence(parts) if parts else Sequence([])

    def passed_over(self) -> bool:
        """Go behind a comment, a blank that does not count, `\\Q`, `\\E`."""
        text = self.text
        if self.took("(?#"):
            self.at = self.until(")", NO_CLOSE)
            return True
        if self.took("\\Q"):
            self.is_quoting = True
            return True
        if self.took("\\E"):
            return True
        if "x" in self.flags and (text[self.at].isspace() or text[self.at] == "#"):
            end = text.find("\n", self.at) if text[self.at] == "#" else self.at
            self.at = len(text) if end < 0 else end + 1
            return True
        return False

    def quoted(self, parts: list[Node]) -> None:
        """One character between `\\Q` and `\\E`, or the end of these."""
        if self.text.startswith("\\E", self.at):
            self.is_quoting = False
            self.at += 2
            return
        self.at += 1
        one: Node = self.one(self.text[self.at - 1])
        if self.text.startswith("\\E", self.at):  # what repeats it stands behind
            self.is_quoting = False
            self.at += 2
            one = self.repeated(one)
        parts.append(one)

    def atom(self, depth: int) -> Node | None:
        """One part without its repetition; None for what only changes the flags."""
        char = self.text[self.at]
        if char == "(":
            return self.group(depth)
        self.at += 1
        if char == "\\":
            return self.escape()
        if char == "[":
            return One(self.sized(self.bracket()))
        if char == ".":
            return One(ANY if "s" in self.flags else NOT_NEWLINE)
        if char == "^":
            return Assertion("line start" if "m" in self.flags else "text start")
        if char == "$":
            return Assertion("line end" if "m" in self.flags else "last newline")
        if char in "*+?":
            raise RegexError(NO_ITEM, self.at)
        return self.one(char)

    def one(self, char: str) -> Node:
        return One(self.sized(Characters(char)))

    def sized(self, made: Characters) -> Characters:
        return without_size(made) if "i" in self.flags else made

    # ------------------------------------------------------------ groups

    def group(self, depth: int) -> Node | None:
        """What a parenthesis opens."""
        for look in LOOKS:
            if self.took(look):
                inside = self.inside(depth)
                return self.behind(look, inside) if "<" in look else Look(look, inside)
        if self.took("(?>"):
            return Kept(self.inside(depth))
        for opening, close in (("(?P=", ")"), ("(?P<", ">"), ("(?<", ">"), ("(?'", "'")):
            if self.took(opening):
                start = self.at
                self.at = self.until(close, "syntax error in subpattern name (missing terminator?)")
                name = self.text[start : self.at - len(close)]
                if opening == "(?P=":
                    return self.reference(self.names.get(name, 0))
                self.names[name] = len(self.users)
                return self.numbered(depth, name)
        if self.took("(?"):
            return self.flagged(depth)
        self.at += 1
        return self.numbered(depth)

    def numbered(self, depth: int, name: str = "") -> Node:
        self.groups += 1
        number = self.groups
        self.users.append(number)
        self.titles.append(name)
        return Group(number, self.inside(depth))

    def inside(self, depth: int) -> Node:
        """What stands up to the closing parenthesis."""
        node = self.choice(depth + 1)
        if not self.took(")"):
            raise RegexError(NO_CLOSE, len(self.text))
        return node

    def flagged(self, depth: int) -> Node | None:
        """`(?i)`, `(?i-s:…)`, `(?:…)`."""
        flags, is_set = set(self.flags), True
        while self.at < len(self.text):
            char = self.text[self.at]
            self.at += 1
            if char == "-":
                is_set = False
            elif char in "imsx":
                (flags.add if is_set else flags.discard)(char)
            elif char == ")":
                self.flags = frozenset(flags)
                return None
            elif char == ":":
                before, self.flags = self.flags, frozenset(flags)
                node = self.inside(depth)
                self.flags = before
                return Sequence([node])
            else:
                raise RegexError(NOT_HERE if char in "R0123456789&+|(" else BAD_GROUP, self.at)
        raise RegexError(NO_CLOSE, len(self.text))

    def reference(self, number: int) -> Node:
        if not 0 < number < len(self.users):
            raise RegexError(NO_GROUP, self.at)
        return Reference(self.users[number], "i" in self.flags)

    # ------------------------------------------------------------ escapes

    def escape(self) -> Node:
        """What follows a backslash outside of brackets."""
        if self.at == len(self.text):
            raise RegexError("\\ at end of pattern", self.at)
        char = self.text[self.at]
        if char in "123456789":
            digits = self.digits(DIGITS, 2)
            return self.reference(int(digits))
        self.at += 1
        if char in PLACES:
            return Assertion(PLACES[char])
        if char == "K":
            self.groups += 1
            self.kept_from = self.groups
            return Group(self.groups, Sequence([]))
        if char in "gk":
            return self.named_reference()
        if char == "R":
            ends = One(Characters(VERTICAL))
            both: Node = Sequence([One(Characters("\r")), One(Characters("\n"))])
            return Kept(Choice([both, ends]))
        if char == "N":
            return One(NOT_NEWLINE)
        self.at -= 1
        made = self.escaped_class()
        return One(self.sized(made)) if made is not None else self.one(self.escaped_char())

    def behind(self, look: str, body: Node) -> Node:
        """What looks back: at texts of one length, or at several of these."""
        alternatives = body.alternatives if isinstance(body, Choice) else [body]
        if any(fixed_length(one) is None for one in alternatives):
            raise RegexError(NOT_FIXED, self.at)
        looks: list[Node] = [Look(look, one) for one in alternatives]
        if fixed_length(body) is not None:
            return Look(look, body)
        return Choice(looks) if look == "(?<=" else Sequence(looks)

    def named_reference(self) -> Node:
        """`\\g1`, `\\g{-1}`, `\\g{name}`, `\\k<name>`."""
        closes = {"{": "}", "<": ">", "'": "'"}
        opening = self.text[self.at : self.at + 1]
        if opening in closes and opening:
            self.at += 1
            start = self.at
            self.at = self.until(closes[opening], NO_GROUP)
            name = self.text[start : self.at - 1]
        else:
            name = self.digits(DIGITS, 2)
        if name.lstrip("-").isdecimal():
            number = int(name[:6])
            return self.reference(number if number > 0 else len(self.users) + number)
        return self.reference(self.names.get(name, 0))

    # ------------------------------------------------------------ repetition

    def repeated(self, part: Node) -> Node:
        """A part with what repeats it: greedy, lazy (`?`) or possessive (`+`)."""
        stacked = 0
        while (bounds := self.bounds()) is not None:
            if not self.stacks and (stacked or isinstance(part, Assertion)):
                raise RegexError(NO_ITEM, self.at)
            stacked += 1
            if stacked > DEEPEST // 2:
                raise RegexError("regular expression is too large", self.at)
            part = Repeat(part, *bounds, is_lazy=self.took("?"))
            if not part.is_lazy and self.took("+"):
                part = Kept(part)
        return part

    def bounds(self) -> tuple[int, int | None] | None:
        """How often; None where nothing repeats. An interval that is none is plain text."""
        for operator, bounds in OPERATORS.items():
            if self.took(operator):
                return bounds
        end = self.text.find("}", self.at)
        if self.is_quoting or not self.text.startswith("{", self.at) or end < 0:
            return None
        low, comma, high = self.text[self.at + 1 : end].partition(",")
        if not (low.isascii() and low.isdigit()) or (high and not high.isdigit()):
            return None
        if max(int(low[:9]), int(high[:9] or 0)) > MOST_TIMES:
            raise RegexError("number too big in {} quantifier", self.at)
        if high and int(high) < int(low):
            raise RegexError("numbers out of order in {} quantifier", self.at)
        self.at = end + 1
        return int(low), int(high) if high else None if comma else int(low)
