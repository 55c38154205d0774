"""Parse shell patterns: `*`, `?`, `[…]` and `@(a|b)` become a list of parts."""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    Tick: TypeAlias = Callable[[], object]
    Part: TypeAlias = "str | AnyCharacter | AnyText | BracketExpression | PatternGroup"

PLAIN_CHARACTERS = re.compile(r"[^*?+@!\[\\]*+")  # that stand for themselves
MAX_GROUP_DEPTH = 100  # groups inside groups; each takes some calls of Python's thousand
CHARACTERS_PER_TICK = 4096

# Bracket expressions, `[a-z[:digit:]_]` and `[!…]`.

# As in the C.UTF-8 locale: a no-break space is no blank and no space, but a graphic character.
BLANK_CHARACTERS = (
    "\t \u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2008\u2009\u200a\u205f\u3000"
)
SPACE_CHARACTERS = BLANK_CHARACTERS + "\n\v\f\r\u2028\u2029"
SEPARATORS = "\u2028\u2029"  # of lines and paragraphs: Unicode's, and control characters here


def is_in_print_class(char: str) -> bool:
    """Whether a character is printed, or formats what is, as a zero-width joiner does."""
    if char.isprintable() or char < "\x80":
        return char.isprintable()
    return has_category(char, "Zs", "Cf", "Co")


def is_alphanumeric(char: str) -> bool:
    """Whether a character is a letter, a digit or, as the Roman Ⅷ, a number made of letters."""
    if char.isalpha() or char.isdecimal():
        return True
    return char.isnumeric() and has_category(char, "Nl")


def has_category(char: str, *names: str) -> bool:
    """Whether a character has one of these of Unicode's general categories."""
    from unicodedata import category  # noqa: PLC0415 - few patterns need it

    return category(char) in names


CHARACTER_CLASSES: dict[str, Callable[[str], bool]] = {
    "alnum": is_alphanumeric,
    "alpha": lambda char: is_alphanumeric(char) and not "0" <= char <= "9",
    "ascii": str.isascii,
    "blank": lambda char: char in BLANK_CHARACTERS,
    "cntrl": lambda char: char < " " or "\x7f" <= char < "\xa0" or char in SEPARATORS,
    "digit": lambda char: "0" <= char <= "9",
    "graph": lambda char: is_in_print_class(char) and char not in SPACE_CHARACTERS,
    "lower": lambda char: char.islower() or char in "ǅǈǋǲ",
    "print": is_in_print_class,
    "punct": lambda char: (
        is_in_print_class(char) and char not in SPACE_CHARACTERS and not is_alphanumeric(char)
    ),
    "space": lambda char: char in SPACE_CHARACTERS,
    "upper": lambda char: char.isupper() or char.istitle(),
    "word": lambda char: is_alphanumeric(char) or char == "_",
    "xdigit": lambda char: char in "0123456789abcdefABCDEF",
}


class BracketExpression:
    """The characters that a bracket expression matches."""

    __slots__ = ("classes", "is_negated", "ranges", "singles")

    def __init__(self, is_negated: bool) -> None:
        self.is_negated = is_negated
        self.singles: set[str] = set()
        self.ranges: list[tuple[str, str]] = []
        self.classes: list[Callable[[str], bool]] = []

    def matches(self, char: str) -> bool:
        """Whether it matches a character."""
        is_member = (
            char in self.singles
            or any(first <= char <= last for first, last in self.ranges)
            or any(test(char) for test in self.classes)
        )
        return is_member != self.is_negated


class BracketReader:
    """Reads the bracket expressions of one range of a pattern, in time linear in its length.

    A `[` that is never closed is literal, and so is each of a million of them. Reading from a
    position depends on nothing before it, so one that has led to no `]` never does.
    """

    __slots__ = (
        "_begin", "_end", "_ignores_case", "_is_tried", "_next_ends", "_text", "_tick",
        "_tick_position",
    )  # fmt: skip

    def __init__(
        self, text: str, begin: int, end: int, ignore_case: bool, tick: Tick | None
    ) -> None:
        self._text, self._begin, self._end, self._ignores_case = text, begin, end, ignore_case
        self._tick, self._tick_position = tick, begin + CHARACTERS_PER_TICK
        # A byte for each position, made for the first `[`: whether a reading has come by. If that
        # found its `]`, no other begins before that.
        self._is_tried = bytearray()
        # For `:]` and `.]`: from where it was searched last, and where it is.
        self._next_ends: dict[str, tuple[int, int]] = {}

    def read(self, position: int) -> tuple[BracketExpression, int] | None:
        """Parse the expression after a `[`; return it and where it ends, or None if unclosed."""
        text, begin, end = self._text, self._begin, self._end
        if not self._is_tried:
            self._is_tried = bytearray(end - begin + 1)
        is_tried = self._is_tried
        expression = BracketExpression(text[position : position + 1] in ("!", "^"))
        first = position = position + expression.is_negated
        while position < end and not is_tried[position - begin]:
            if position > first:
                if text[position] == "]":
                    return expression, position + 1
                is_tried[position - begin] = 1
            if position >= self._tick_position:
                self._tick_position = position + CHARACTERS_PER_TICK
                if self._tick is not None:
                    self._tick()
            position = self._read_members(expression, position)
        return None

    def _read_members(self, expression: BracketExpression, position: int) -> int:
        """Add what stands at a position, a class, a range or a character; return its end."""
        text, end, ignores_case = self._text, self._end, self._ignores_case
        if text.startswith("[:", position) and (close := self._find(":]", position + 2)) >= 0:
            add_class(expression, text[position + 2 : close], ignores_case)
            return close + 2
        if (
            text[position] == "["
            and text[position + 1 : position + 2] == "="
            and text[position + 3 : position + 5] == "=]"
        ):
            expression.singles.add(text[position + 2])
            return position + 5
        low, position = self._read_member(position)
        if (
            text[position : position + 1] == "-"
            and position + 1 < end
            and text[position + 1] != "]"
        ):
            high, position = self._read_member(position + 1)
            if low and high:
                if ignores_case:
                    low, high = low.lower(), high.lower()
                expression.ranges.append((low, high))
        elif low:
            expression.singles.add(low.lower() if ignores_case and len(low.lower()) == 1 else low)
        return position

    def _read_member(self, position: int) -> tuple[str, int]:
        """Parse one character, possibly escaped or `[.x.]`; "" for an unknown symbol."""
        text = self._text
        if text.startswith("[.", position) and (close := self._find(".]", position + 3)) >= 0:
            symbol = text[position + 2 : close]
            return (symbol if len(symbol) == 1 else ""), close + 2
        if text[position] == "\\" and position + 1 < self._end:
            position += 1
        return text[position], position + 1

    def _find(self, mark: str, position: int) -> int:
        """Return where a mark is from a position on; -1 if it is nowhere. It is searched once."""
        start, found = self._next_ends.get(mark, (-1, 0))
        if start < 0 or not start <= position <= (found if found >= 0 else self._end):
            found = self._text.find(mark, position, self._end)
            self._next_ends[mark] = position, found
        return found


def add_class(expression: BracketExpression, name: str, ignore_case: bool) -> None:
    """Add a named class. An unknown name matches nothing."""
    if ignore_case and name in ("lower", "upper"):
        expression.classes.append(lambda char: char.lower() != char.upper())
    elif name in CHARACTER_CLASSES:
        expression.classes.append(CHARACTER_CLASSES[name])


class AnyCharacter:
    """`?`"""

    __slots__ = ()


class AnyText:
    """`*`"""

    __slots__ = ()


class PatternGroup:
    """`@(a|b)` and the like: the operator, and the parts of each alternative."""

    __slots__ = ("alternatives", "is_inner", "is_single_character", "operator")

    def __init__(self, operator: str, alternatives: list[list[Part]], is_inner: bool) -> None:
        self.operator, self.alternatives, self.is_inner = operator, alternatives, is_inner
        # Whether each alternative is one character: a run of them is then a single addition.
        self.is_single_character = all(
            len(parts) == 1
            and isinstance(parts[0], AnyCharacter | BracketExpression | str)
            and (not isinstance(parts[0], str) or len(parts[0]) == 1)
            for parts in alternatives
        )


class PatternParser:
    """Parses one pattern, in time linear in its length for any depth of groups that is allowed."""

    __slots__ = ("extended", "ignore_case", "text", "tick")

    def __init__(self, text: str, extended: bool, ignore_case: bool, tick: Tick | None) -> None:
        self.text, self.extended, self.ignore_case = text, extended, ignore_case
        self.tick = tick

    def parse(self) -> list[Part]:
        """Parse the whole pattern; RegexLimit if its groups nest too deeply."""
        return self.parse_parts(0, len(self.text), 0, False)

    def parse_parts(self, position: int, end: int, depth: int, is_inner: bool) -> list[Part]:
        """Parse a range of the pattern, inside of `depth` groups."""
        text, tick = self.text, self.tick
        brackets = BracketReader(text, position, end, self.ignore_case, tick)
        parts: list[Part] = []
        literal: list[str] = []  # the pieces of the literal text before the position
        tick_position = position + CHARACTERS_PER_TICK
        while position < end:
            if position >= tick_position:
                tick_position = position + CHARACTERS_PER_TICK
                if tick is not None:
                    tick()
            char = text[position]
            if (
                self.extended
                and char in "?*+@!"
                and text[position + 1 : position + 2] == "("
                and position + 1 < end
            ):
                bounds = alternative_ends(text, position + 2, end)
                if bounds is None:  # like bash, take the rest literally
                    literal.append(text[position:end])
                    break
                self.end_literal(parts, literal)
                parts.append(self.parse_group(char, position + 2, bounds, depth, is_inner))
                position = bounds[-1] + 1
                continue
            position += 1
            if char == "*":
                self.end_literal(parts, literal)
                if not (parts and isinstance(parts[-1], AnyText)):
                    parts.append(AnyText())
            elif char == "?":
                self.end_literal(parts, literal)
                parts.append(AnyCharacter())
            elif char == "[" and (parsed := brackets.read(position)) is not None:
                self.end_literal(parts, literal)
                expression, position = parsed
                parts.append(expression)
            elif char == "\\" and position < end:
                literal.append(text[position])
                position += 1
            else:
                plain = PLAIN_CHARACTERS.match(text, position, end)
                assert plain is not None  # it may be empty
                literal.append(text[position - 1 : plain.end()])
                position = plain.end()
        self.end_literal(parts, literal)
        return parts

    def parse_group(
        self, operator: str, position: int, bounds: list[int], depth: int, is_inner: bool
    ) -> PatternGroup:
        """Parse a group whose alternatives end at the bounds."""
        if depth == MAX_GROUP_DEPTH:
            from keysh.text.regex.regex_errors import RegexLimit  # noqa: PLC0415 - only for an error

            raise RegexLimit(f"groups of a pattern nest more than {MAX_GROUP_DEPTH} deep")
        alternatives = []
        is_inner = operator != "@" or is_inner
        for bound in bounds:
            alternatives.append(self.parse_parts(position, bound, depth + 1, is_inner))
            position = bound + 1
        return PatternGroup(operator, alternatives, is_inner)

    def end_literal(self, parts: list[Part], literal: list[str]) -> None:
        """Append the literal text that ends here, if there is any."""
        if literal:
            text = "".join(literal)
            parts.append(lower_text(text) if self.ignore_case else text)
            literal.clear()


def alternative_ends(text: str, position: int, end: int) -> list[int] | None:
    """Return where the alternatives of a group end, the last at its parenthesis, or None."""
    ends: list[int] = []
    depth, bracket_start, class_mark = 0, -1, ""  # bracket_start: where its first member is
    while position < end:
        char = text[position]
        if char == "\\":
            position += 1
        elif char == "[":
            if bracket_start < 0:
                bracket_start = position + 1 + (text[position + 1 : position + 2] in ("!", "^"))
            elif text[position + 1 : position + 2] in (":", ".", "="):
                class_mark = text[position + 1]
        elif char == "]" and bracket_start >= 0:
            if class_mark:
                if text[position - 1] == class_mark:
                    class_mark = ""
            elif position > bracket_start:
                bracket_start = -1
        elif bracket_start < 0:
            if char == "(":
                depth += 1
            elif char == "|" and not depth:
                ends.append(position)
            elif char == ")":
                if not depth:
                    return [*ends, position]
                depth -= 1
        position += 1
    return None


def literal_texts(parts: list[Part]) -> tuple[str, ...] | None:
    """Return the literal texts of a pattern that has at most one star and nothing else special."""
    texts = [part for part in parts if isinstance(part, str)]
    stars = [index for index, part in enumerate(parts) if isinstance(part, AnyText)]
    if len(texts) + len(stars) < len(parts) or len(stars) > 1:
        return None
    if not stars:
        return ("".join(texts),)
    return "".join(texts[: stars[0]]), "".join(texts[stars[0] :])


def backward_parts(parts: list[Part]) -> list[Part]:
    """Return the parts that match a reversed subject."""
    reversed_parts: list[Part] = []
    for part in reversed(parts):
        if isinstance(part, str):
            reversed_parts.append(part[::-1])
        elif isinstance(part, PatternGroup):
            alternatives = [backward_parts(alternative) for alternative in part.alternatives]
            reversed_parts.append(PatternGroup(part.operator, alternatives, part.is_inner))
        else:
            reversed_parts.append(part)
    return reversed_parts


def lower_text(text: str) -> str:
    """Convert to lower case, one character for one."""
    lower = text.lower()
    if len(lower) == len(text):
        return lower
    return "".join(char.lower() if len(char.lower()) == 1 else char for char in text)


def fixed_length(parts: list[Part]) -> int | None:
    """Return the length of everything that parts match; None if it varies."""
    length = 0
    for part in parts:
        if isinstance(part, AnyText | PatternGroup):
            return None
        length += len(part) if isinstance(part, str) else 1
    return length
