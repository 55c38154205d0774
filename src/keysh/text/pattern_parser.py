"""Parse shell patterns: `*`, `?`, `[…]` and `@(a|b)` become a list of parts."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    Part: TypeAlias = "str | AnyCharacter | AnyText | BracketExpression | PatternGroup"


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


def parse_bracket(
    text: str, position: int, end: int, ignore_case: bool
) -> tuple[BracketExpression, int] | None:
    """Parse the expression after a `[`; return it and where it ends, or None if unclosed."""
    expression = BracketExpression(text[position : position + 1] in ("!", "^"))
    position += expression.is_negated
    is_first = True
    while position < end:
        if text[position] == "]" and not is_first:
            return expression, position + 1
        is_first = False
        if text.startswith("[:", position) and (close := text.find(":]", position + 2, end)) >= 0:
            add_class(expression, text[position + 2 : close], ignore_case)
            position = close + 2
            continue
        if (
            text[position] == "["
            and text[position + 1 : position + 2] == "="
            and text[position + 3 : position + 5] == "=]"
        ):
            expression.singles.add(text[position + 2])
            position += 5
            continue
        low, position = parse_member(text, position, end)
        if (
            text[position : position + 1] == "-"
            and position + 1 < end
            and text[position + 1] != "]"
        ):
            high, position = parse_member(text, position + 1, end)
            if low and high:
                if ignore_case:
                    low, high = low.lower(), high.lower()
                expression.ranges.append((low, high))
        elif low:
            expression.singles.add(low.lower() if ignore_case and len(low.lower()) == 1 else low)
    return None


def parse_member(text: str, position: int, end: int) -> tuple[str, int]:
    """Parse one character, possibly escaped or `[.x.]`; "" for an unknown symbol."""
    if text.startswith("[.", position) and (close := text.find(".]", position + 3, end)) >= 0:
        symbol = text[position + 2 : close]
        return (symbol if len(symbol) == 1 else ""), close + 2
    if text[position] == "\\" and position + 1 < end:
        position += 1
    return text[position], position + 1


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
    """Parses one pattern."""

    __slots__ = ("extended", "ignore_case", "text")

    def __init__(self, text: str, extended: bool, ignore_case: bool) -> None:
        self.text, self.extended, self.ignore_case = text, extended, ignore_case

    def parse_parts(self, position: int, end: int, is_inner: bool) -> list[Part]:
        """Parse a range of the pattern."""
        text = self.text
        parts: list[Part] = []
        while position < end:
            char = text[position]
            if (
                self.extended
                and char in "?*+@!"
                and text[position + 1 : position + 2] == "("
                and position + 1 < end
            ):
                bounds = alternative_ends(text, position + 2, end)
                if bounds is None:  # like bash, take the rest literally
                    self.add_literal(parts, text[position:end])
                    break
                parts.append(self.parse_group(char, position + 2, bounds, is_inner))
                position = bounds[-1] + 1
                continue
            position += 1
            if char == "*":
                if not (parts and isinstance(parts[-1], AnyText)):
                    parts.append(AnyText())
            elif char == "?":
                parts.append(AnyCharacter())
            elif (
                char == "["
                and (parsed := parse_bracket(text, position, end, self.ignore_case)) is not None
            ):
                expression, position = parsed
                parts.append(expression)
            else:
                if char == "\\" and position < end:
                    char = text[position]
                    position += 1
                self.add_literal(parts, char)
        return parts

    def parse_group(
        self, operator: str, position: int, bounds: list[int], is_inner: bool
    ) -> PatternGroup:
        """Parse a group whose alternatives end at the bounds."""
        alternatives = []
        for bound in bounds:
            alternatives.append(self.parse_parts(position, bound, operator != "@" or is_inner))
            position = bound + 1
        return PatternGroup(operator, alternatives, is_inner)

    def add_literal(self, parts: list[Part], text: str) -> None:
        """Append literal text, merging it with a preceding one."""
        if self.ignore_case:
            text = lower_text(text)
        if parts and isinstance(parts[-1], str):
            parts[-1] += text
        elif text:
            parts.append(text)


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
