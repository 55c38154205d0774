"""The LALR(1) driver: runs the tables that grammar/build_tables.py generates from the grammar."""

from __future__ import annotations

from keysh.syntax import _tables

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from keysh.syntax.lexer.cursor import Token

    Builder = Callable[..., object]

LIMIT = _tables.LIMIT
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


class LalrParser:
    """The tables, with a builder for each production that receives the production's parts."""

    __slots__ = ("_action", "_goto", "_operations", "_rules")

    def __init__(self, builders: Mapping[str, Builder]) -> None:
        self._action, self._goto = LazyRows(_tables.ACTION), LazyRows(_tables.GOTO)
        self._rules = [
            (length, origin, builders.get(builder, pass_through))
            for origin, length, builder in _tables.RULES
        ]
        self._operations = [
            (
                top,
                self._rules[node][2] if node >= 0 else pass_through,
                self._rules[join][2] if join >= 0 else None,
                state,
            )
            for top, node, join, state in _tables.OPERATIONS
        ]

    def parse(self, tokens: Iterable[Token], start: str = "script") -> object:
        """Parse tokens; return what the start symbol's builder returns."""
        action, goto, default = self._action, self._goto, _tables.DEFAULT
        rules, operations = self._rules, self._operations
        state = START_STATES[start]
        states: list[int] = [state]
        values: list[object] = []
        push, add, drop = states.append, values.append, values.pop
        for token in tokens:
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
