"""Random programs of bc."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
NAMES = ["a", "b", "c", "x", "y", "long_name"]
ODD = ["0", "1", "00", "01.10", "0.0", "5.", "A", "F.F", ".A"]


def drawn(chance: Random, *makers: Callable[[], str]) -> str:
    """Draw from one of these strategies."""
    return chance.choice(makers)()


def number(chance: Random) -> str:
    """Draw a number in the notation of programs."""
    kind = chance.random()
    if kind < 0.4:
        return str(chance.randrange(chance.choice([3, 10, 100, 10**6])))
    if kind < 0.7:
        return f"{chance.randrange(chance.choice([3, 10**5]))}.{chance.randrange(10**5)}"
    if kind < 0.8:
        return f".{chance.randrange(10**8)}"
    if kind < 0.85:
        return str(chance.randrange(10 ** chance.randrange(20, 60)))
    if kind < 0.92:
        digits = DIGITS[: chance.choice([10, 16, 36])]
        return "".join(chance.choices(digits, k=chance.randrange(1, 7)))
    return chance.choice(ODD)


def variable(chance: Random) -> str:
    """Draw something that can be assigned to."""
    kind = chance.random()
    if kind < 0.7:
        return chance.choice(NAMES)
    if kind < 0.95:
        index = expression(chance, 0) if chance.random() < 0.3 else chance.randrange(4)
        return f"{chance.choice(NAMES)}[{index}]"
    return chance.choice(["last", "."])


def expression(chance: Random, depth: int) -> str:
    """An expression of bounded depth."""

    def inner() -> str:
        return expression(chance, depth - 1)

    if depth <= 0 or chance.random() < 0.25:
        kind = chance.random()
        if kind < 0.05:
            return chance.choice(["scale", "ibase", "obase"])
        return number(chance) if kind < 0.6 else variable(chance)
    blank = chance.choice([" ", ""])
    return drawn(
        chance,
        *[lambda: f"{inner()}{blank}{chance.choice('+-*/%')}{blank}{inner()}"] * 6,
        lambda: f"{inner()}^{chance.choice(['2', '3', '0', '-1', '-2', '5'])}",
        lambda: f"({inner()})",
        lambda: f"-{inner()}",
        lambda: f"{chance.choice(['length', 'scale', 'sqrt'])}({inner()})",
        lambda: f"({variable(chance)} {chance.choice(['', *'+-*/%'])}= {inner()})",
        lambda: chance.choice(["{}++", "++{}", "{}--", "--{}"]).format(chance.choice(NAMES)),
        lambda: f"({inner()} {chance.choice(['<', '<=', '==', '!=', '>', '>='])} {inner()})",
        lambda: f"({inner()} {chance.choice(['&&', '||'])} {inner()})",
        lambda: f"!{inner()}",
        lambda: f"{chance.choice('fg')}({inner()})",
    )


def statement(chance: Random, depth: int) -> str:
    """A statement of bounded depth."""

    def inner() -> str:
        return statement(chance, depth - 1)

    def value() -> str:
        return expression(chance, 2)

    if depth <= 0 or chance.random() < 0.5:
        return expression(chance, chance.randrange(1, 4))
    leave = chance.choice(["break", "continue"])
    return drawn(
        chance,
        *[lambda: f"{variable(chance)} = {value()}"] * 2,
        lambda: f"if ({value()}) {inner()}",
        lambda: f"if ({value()}) {inner()} else {inner()}",
        lambda: f"for (i{depth}=0; i{depth}<{chance.randrange(4)}; i{depth}++) {inner()}",
        lambda: f"{{ {inner()}; {inner()}\n {inner()} }}",
        lambda: (
            f"w{depth}=0; while (w{depth}++<3) {{ {inner()}; if (w{depth}==2) {leave}; {inner()} }}"
        ),
        lambda: f'print "t\\n", {value()}, "\\t"',
        lambda: '"str"',
        lambda: f"ibase={chance.choice(['2', '8', 'A', 'G', '10'])}",
        lambda: f"obase={chance.choice(['2', '8', 'A', '16', '100'])}",
        lambda: f"scale={chance.randrange(12)}",
    )


def function(chance: Random, name: str) -> str:
    """Draw a function; `f` may call `g`, which calls no function, so that both end."""
    body = [f"auto {chance.choice(['a', 'b,c[]', 'y[]'])}"] if chance.random() < 0.5 else []
    body += [statement(chance, 2) for _ in range(chance.randrange(3))]
    body.append(f"return({expression(chance, 2)})")
    text = "\n".join(body)
    text = re.sub(r"\bf\(", "g(", text) if name == "f" else re.sub(r"\b[fg]\(", "length(", text)
    return f"define {name}({chance.choice('xay')}) {{\n{text}\n}}"


def program(chance: Random) -> str:
    """A program of a few lines."""
    lines = [f"scale={chance.choice([0, 0, 2, 5, 10, 20])}"]
    if chance.random() < 0.6:
        lines += [function(chance, name) for name in "fg"]
    lines += [statement(chance, 2) for _ in range(chance.randrange(1, 8))]
    return "\n".join(lines) + "\n"
