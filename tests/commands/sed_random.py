"""Random scripts of sed, with the inputs they run on."""

from __future__ import annotations

from random import Random

PATTERNS = ["a", "b", "^", "$", "x*", "^a", "b$", "a.*b", "[ab]", "\\(a\\)\\(b*\\)", "c\\|ab", "A",
            "\\n", "^$", "[^a]", "\\<.", "a\\{2\\}", ".", "\\(.\\)\\1", "\\W"]  # fmt: skip
PIECES = ["X", "&", "-", "\\1", "\\n", "\\U", "\\L", "\\E", "\\u", "\\l", "\\t", "é", "\\&", "b"]
FLAGS = ["", "", "", "g", "2", "2g", "p", "gp", "I", "M", "Mg", "w out", "3"]
ALONE = ["p", "d", "D", "n", "N", "g", "G", "h", "H", "x", "P", "=", "l", "l 5", "z"]
LINES = ["a", "b", "ab", "aab", "", "c", "ba", "a b", "abc", "xax", "B", "aa bb"]
NUMBERS = ["1", "2", "3", "4", "5"]


def pattern(chance: Random) -> str:
    """Draw an expression, rarely the empty one, which repeats the last."""
    return "" if chance.random() < 0.05 else chance.choice(PATTERNS)


def address(chance: Random, *, is_second: bool = False) -> str:
    kind = chance.randrange(8)
    if kind < 3:
        return chance.choice(NUMBERS)
    if kind == 3:
        return "$"
    if kind < 6 or not is_second:
        result = pattern(chance)
        if kind == 7 and not is_second:
            return f"{chance.randrange(3)}~{chance.randint(1, 4)}"
        return f"/{result}/{chance.choice(['', '', '', 'I']) if result else ''}"
    return f"{chance.choice('+~')}{chance.randrange(5)}"


def addresses(chance: Random) -> str:
    """No address, one, or a range."""
    kind = chance.randrange(6)
    if kind < 2:
        return ""
    made = address(chance)
    if kind > 3:
        second = address(chance, is_second=True)
        made = f"{'0' if second[0] == '/' and chance.random() < 0.2 else made},{second}"
    return made + chance.choice(["", "", "", "!"])


def substitution(chance: Random) -> str:
    result = pattern(chance)
    count = chance.randint(0, 4)
    pieces = [chance.choice(PIECES) for _ in range(count)]
    if "\\(" not in result:
        pieces = [piece for piece in pieces if piece != "\\1"]
    flags = chance.choice(FLAGS)
    return f"s/{result}/{''.join(pieces)}/{'' if not result and flags[:1] in ('I', 'M') else flags}"


def step(chance: Random, labels: list[str], depth: int = 0) -> str:
    """Draw a command with its addresses, on separate lines."""
    kind = chance.randrange(14)
    where = addresses(chance)
    if kind < 5:
        return where + chance.choice(ALONE)
    if kind < 8:
        return where + substitution(chance)
    if kind == 8 and labels:
        # Only forwards: a branch backwards could loop for ever.
        return where + chance.choice("btT") + " " + chance.choice(["", *labels])
    if kind == 9:
        text = chance.choice(["one", "two\\\nlines", "  blank", "\\  kept"])
        return f"{where}{chance.choice('aic')}\\\n{text}"
    if kind == 10 and depth < 2:
        body = "\n".join(step(chance, labels, depth + 1) for _ in range(chance.randint(1, 3)))
        return f"{where}{{\n{body}\n}}"
    if kind == 11:
        return where + chance.choice(["r b", "R b", "w out", "W out", "r nox"])
    if kind == 12:
        if "," in where:
            where = where.partition(",")[0]
        return where + chance.choice(["q", "Q", "q3", "Q4"])
    return where + chance.choice(["y/ab/xy/", "y/a\\n/\\nb/", "y/é/e/"])


def script(chance: Random) -> str:
    """Draw a few commands; labels come after the branches to them."""
    labels = ["one", "two"]
    parts: list[str] = []
    for _ in range(chance.randint(1, 5)):
        parts.append(step(chance, labels))
        if labels and chance.random() < 0.2:
            parts.append(f":{labels.pop(0)}")
    return "\n".join([*parts, *(f":{label}" for label in labels)])


def text(chance: Random) -> str:
    """Draw some lines; the last may lack its newline."""
    lines = "".join(f"{chance.choice(LINES)}\n" for _ in range(chance.randint(0, 7)))
    return lines.removesuffix("\n") if chance.random() < 0.3 else lines
