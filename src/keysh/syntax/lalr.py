"""The LALR(1) driver: runs the tables that grammar/build_tables.py generates from the grammar."""

from __future__ import annotations

from keysh.syntax import _tables

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from keysh.syntax.lexer.cursor import Tick, Token

    Builder = Callable[..., Any]
    Rule = tuple[int, str, Builder]
    Operation = tuple[int, Builder, Builder | None, int]

LIMIT = _tables.LIMIT
TOKENS_PER_TICK = 2048
START_STATES = {"script": 0, "arithmetic": 1, "path": 2, "value": 3}


class ParseFailure(Exception):
    """A token that no rule allows here."""

    def __init__(self, token: Token) -> None:
        super().__init__(token)
        self.token = token


class LazyRows(dict[int, dict[str, int]]):
    """The rows of a table by state, each built when the parser first reaches its state."""

    __slots__ = ("_numbers",)

    def __init__(self, numbers: Sequence[int]) -> None:
        self._numbers = numbers

    def __missing__(self, state: int) -> dict[str, int]:
        symbols, targets = _tables.ROWS[self._numbers[state]]
        row = self[state] = dict(zip(symbols.split(), targets, strict=True))
        return row


class LazyRules(dict[int, "Rule"]):
    """The rules by number: length, origin and builder, looked up when a rule first applies."""

    __slots__ = ("_builder_of",)

    def __init__(self, builder_of: Callable[[str], Builder]) -> None:
        self._builder_of = builder_of

    def __missing__(self, number: int) -> Rule:
        origin, length, production = _tables.RULES[number]
        build = self._builder_of(production) if production else pass_through
        rule = self[number] = length, origin, build
        return rule


class LazyOperations(dict[int, "Operation"]):
    """The operations, each a shift and the reductions of one token after it, by number."""

    __slots__ = ("_rules",)

    def __init__(self, rules: LazyRules) -> None:
        self._rules = rules

    def __missing__(self, number: int) -> Operation:
        top, node, join, state = _tables.OPERATIONS[number]
        build = self._rules[node][2] if node >= 0 else pass_through
        operation = self[number] = top, build, self._rules[join][2] if join >= 0 else None, state
        return operation


class LalrParser:
    """The tables, with a builder for each production that receives the production's parts."""

    __slots__ = ("_action", "_goto", "_operations", "_rules")

    def __init__(self, builder_of: Callable[[str], Builder]) -> None:
        self._action, self._goto = LazyRows(_tables.ACTION), LazyRows(_tables.GOTO)
        self._rules = LazyRules(builder_of)
        self._operations = LazyOperations(self._rules)

    def parse(
        self, tokens: Sequence[Token], start: str = "script", tick: Tick | None = None
    ) -> object:
        """Parse tokens; return what the start symbol's builder returns."""
        action, goto, default = self._action, self._goto, _tables.DEFAULT
        rules, operations = self._rules, self._operations
        state = START_STATES[start]
        states: list[int] = [state]
        values: list[object] = []
        push, add, drop = states.append, values.append, values.pop
        for first in range(0, len(tokens), TOKENS_PER_TICK):
            if first and tick is not None:
                tick()
            for token in tokens[first : first + TOKENS_PER_TICK]:
                symbol = token[0]
                while True:
                    act = default[state] or action[state].get(symbol)
                    if act is None:
                        raise ParseFailure(token)
                    if act >= LIMIT:
                        top, build, join, target = operations[act - LIMIT]
                        if join is not None:
                            values[-1] = join(values[-1], build(token))
                            break
                        if top >= 0:
                            states[-1] = top
                        add(build(token))
                        push(target)
                        state = target
                        break
                    if act >= 0:
                        add(token)
                        push(act)
                        state = act
                        break
                    length, origin, build = rules[~act]
                    if length == 1:
                        values[-1] = build(values[-1])
                        state = states[-1] = goto[states[-2]][origin]
                    elif length == 2:
                        last = drop()
                        values[-1] = build(values[-1], last)
                        del states[-1]
                        state = states[-1] = goto[states[-2]][origin]
                    elif length:
                        parts = values[-length:]
                        del values[1 - length :]
                        values[-1] = build(*parts)
                        del states[1 - length :]
                        state = states[-1] = goto[states[-2]][origin]
                    else:
                        add(build())
                        state = goto[state][origin]
                        push(state)
        return values[0]


def pass_through(part: object) -> object:
    """Build a rule that only renames its one part; the tables skip most of these."""
    return part
