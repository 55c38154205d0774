"""Random programs of awk, on which its dialects agree."""

from __future__ import annotations

from random import Random

NUMBERS = ["0", "1", "2", "3", "10", "0.5", "1.5", "100", "NR", "NF", "x", "y", "$1", "$2", "$3",
           "$NF", "length($1)", "-1"]  # fmt: skip
TEXTS = ['"a"', '"b"', '"abc"', '""', '"10"', '"1"', '" "', "$1", "$2", "$0", "x", "y", "z", '"A"']
PATTERNS = ["a", "^1", "b|c", "[0-9]+", ".", "$", "[^a-z]", "(a|b)c?"]
CHANGES = ["x++", "++y", "z--", "a[NR]++", "(x += 2)", "(y = $1)", '(z = $2 "")', "(x = a[1])",
           "($2 += 1)", "($3 = x)"]  # fmt: skip
ALONE = ["NF = 2", "$0 = x", "delete a", "delete a[1]", "x++", "a[$1]++", "next",
         "match($0, /[0-9]+/); print RSTART, RLENGTH"]  # fmt: skip


def expression(chance: Random, depth: int = 0) -> str:
    """An expression of bounded depth."""

    def inner() -> str:
        return expression(chance, depth + 1)

    if depth > 3 or chance.random() < 0.25:
        return chance.choice(chance.choice([NUMBERS, TEXTS]))
    return chance.choice(
        [
            lambda: f"({inner()} {chance.choice('+-*')} {inner()})",
            lambda: f"({inner()} % {chance.choice('237')})",
            lambda: f"({inner()} / {chance.choice('248')})",
            lambda: f"({inner()} {chance.choice(['<', '<=', '==', '!=', '>', '>='])} {inner()})",
            lambda: f"({inner()} {chance.choice(['~', '!~'])} /{chance.choice(PATTERNS)}/)",
            lambda: f"({inner()} {chance.choice(['&&', '||'])} {inner()})",
            lambda: f"({inner()} ? {inner()} : {inner()})",
            lambda: f"({inner()} {inner()})",
            lambda: f"substr({inner()}, {chance.choice(['1', '2', '3', '1, 2', '2, 1', '3, 9'])})",
            lambda: f"{chance.choice(['length', 'toupper', 'tolower', 'int'])}({inner()})",
            lambda: f"index({inner()}, {chance.choice(TEXTS[:7])})",
            lambda: f"a[{inner()}]",
            lambda: f"({inner()} in a)",
            lambda: f"(!{inner()})",
            lambda: f"split({inner()}, b)",
            lambda: f'sprintf("%{chance.choice(["d", "s", "5.2f", "x", "g", "05d"])}", {inner()})',
        ]
    )()


def statement(chance: Random, depth: int = 0) -> str:
    kind = chance.randrange(9 if depth < 2 else 7)
    if kind < 2:
        return "print " + ", ".join(expression(chance) for _ in range(chance.randint(1, 3)))
    if kind == 2:
        return f"{chance.choice('xyz')} {chance.choice(['=', '+=', '-='])} {expression(chance)}"
    if kind == 3:
        return f"a[{expression(chance, 2)}] {chance.choice(['=', '+='])} {expression(chance)}"
    if kind == 4:
        place = chance.choice(["1", "2", "3", "NF", "(NF + 1)"])
        return f"${place} = {expression(chance)}"
    if kind == 5:
        return f'printf "%s|%d|%s\\n", {expression(chance)}, {chance.choice(CHANGES)}, $0'
    if kind == 6:
        name, text = chance.choice(["sub", "gsub"]), chance.choice(TEXTS[:7])
        return f"{name}(/{chance.choice(PATTERNS)}/, {text}); " + chance.choice(ALONE[:-1])
    body = statement(chance, depth + 1)
    if kind == 7:
        return f"if ({expression(chance)}) {{ {body} }} else {{ {statement(chance, depth + 1)} }}"
    return f"for (i = 1; i <= 3; i++) {{ {body} }}"


def program(chance: Random) -> str:
    """Draw a few rules, one per line."""
    rules = []
    for _ in range(chance.randint(1, 3)):
        pattern = chance.choice(["", "BEGIN", "END", "NR == 2", "/1/", "NR == 1, /b/"])
        body = "; ".join(statement(chance) for _ in range(chance.randint(1, 3)))
        if pattern in ("BEGIN", "END"):
            body = body.replace("next", "x++")
        rules.append(f"{pattern or expression(chance)} {{ {body} }}")
    return "\n".join(rules)
