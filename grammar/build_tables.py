"""Generate src/keysh/syntax/_tables.py, the LALR tables of the grammar.

    python grammar/build_tables.py

Lark's numbering of states depends on the hash seed. Here they are renumbered breadth-first from
the start symbols, in sorted symbol order, so that the same grammar always gives the same file.
Decisions that do not depend on the input are made here, not by the driver (syntax/lalr.py) for each
token.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from lark import Lark, Token
from lark.lexer import Lexer
from lark.parsers.lalr_analysis import Shift

HERE = Path(__file__).parent
GRAMMAR = HERE / "keysh.lark"
TARGET = HERE.parent / "src" / "keysh" / "syntax" / "_tables.py"
STARTS = ("script", "arithmetic", "path", "value")
END = "$END"


class Rule(NamedTuple):
    """A production: its symbol, its length, its builder ('' for none), and whether it joins a list.

    One that joins has the form `list: list item`.
    """

    origin: str
    length: int
    builder: str
    joins: bool


class NoLexer(Lexer):
    """A lexer without tokens: Lark requires a lexer, but keysh has its own scanner."""

    def __init__(self, conf: object) -> None:
        pass

    def lex(self, lexer_state: object, parser_state: object) -> Iterator[Token]:
        """Return no tokens."""
        return iter(())


class Automaton:
    """Lark's parse table with canonical state numbers."""

    def __init__(self, grammar: str) -> None:
        lark = Lark(grammar, parser="lalr", lexer=NoLexer, strict=True, start=list(STARTS))
        table = lark.parser.parser._parse_table  # Lark has no public access to it
        self.rules: list[Rule] = []
        numbers: dict[object, int] = {}
        origins = {rule.origin.name for rule in lark.rules}
        raw: dict[int, dict[str, tuple[bool, Any]]] = {
            state: {str(symbol): (kind is Shift, arg) for symbol, (kind, arg) in row.items()}
            for state, row in table.states.items()
        }
        order = {table.start_states[start]: i for i, start in enumerate(STARTS)}
        queue = list(order)
        for state in queue:
            for symbol in sorted(raw[state]):
                is_shift, arg = raw[state][symbol]
                if is_shift and arg not in order:
                    order[arg] = len(order)
                    queue.append(arg)
        self.action: list[dict[str, int]] = []
        self.goto: list[dict[str, int]] = []
        for state in queue:
            action, goto = {}, {}
            for symbol in sorted(raw[state]):
                is_shift, arg = raw[state][symbol]
                if not is_shift:
                    if arg not in numbers:
                        numbers[arg] = len(self.rules)
                        self.rules.append(rule_of(arg))
                    action[symbol] = ~numbers[arg]
                elif symbol in origins or symbol.startswith("$root"):
                    goto[symbol] = order[arg]
                else:
                    action[symbol] = order[arg]
            self.action.append(action)
            self.goto.append(goto)
        for start in STARTS:
            accepting = order[table.end_states[start]]
            self.action[accepting] = {END: accepting}


def rule_of(rule: Any) -> Rule:
    """Convert one of Lark's rules."""
    origin, symbols = str(rule.origin.name), rule.expansion
    alias, options = rule.alias, rule.options
    length = len(symbols)
    joins = length == 2 and symbols[0].name == origin
    if origin.startswith("_"):
        if joins:
            return Rule(origin, length, "append", joins)
        nested = bool(symbols) and symbols[0].name.startswith("_")
        return Rule(origin, length, "extend" if nested else "begin", joins)
    if options.expand1 and not alias and length == 1:
        return Rule(origin, 1, "", joins)
    return Rule(origin, length, str(alias or origin), joins)


class Tables:
    """The tables of the driver: the automaton, with steps that always follow each other combined.

    A unit rule `?a: b` only changes the state, so a goto leads directly to the end of a chain of
    unit rules. If the end depends on the next token, the goto leads to an additional state, whose
    row contains the actions of the chain's possible ends. A token that is a node by itself (WORD,
    VARIABLE …) is shifted and reduced in one step; if the node then only joins a list
    (`call: call argument`), it does so without touching the stack.

    An action is ~rule to reduce, a state to shift to, or LIMIT + the index of an operation. An
    operation is `(new state of the stack's top or -1, rule that makes the token a node or -1, rule
    by which the node joins a list or -1, state to shift to)`.
    """

    def __init__(self, automaton: Automaton) -> None:
        self.rules = automaton.rules
        self.action = [dict(row) for row in automaton.action]
        self.goto: list[dict[str, int]] = [{} for _ in automaton.goto]
        self.operations: list[tuple[int, int, int, int]] = []
        self.limit = 4096
        self._automaton = automaton
        self._rows: dict[object, int] = {}
        self._known: dict[tuple[int, int, int, int], int] = {}
        for state, row in enumerate(automaton.goto):
            for origin in row:
                self.goto[state][origin] = self._target(state, row[origin])
        for state in range(len(automaton.action)):
            for token, action in automaton.action[state].items():
                self.action[state][token] = self._shift(-1, state, action)
        self.default = [only_reduction(row) for row in self.action]
        self.action = [{} if d else row for row, d in zip(self.action, self.default, strict=True)]

    def _is_unit(self, action: int) -> bool:
        return action < 0 and not self.rules[~action].builder

    def _target(self, below: int, state: int) -> int:
        """Return the state that a goto leads to after chains of unit rules."""
        action, goto = self._automaton.action, self._automaton.goto
        while self._is_unit(first := only_reduction(action[state])):
            state = goto[below][self.rules[~first].origin]
        if not any(self._is_unit(a) for a in action[state].values()):
            return state
        row: dict[str, int] = {}
        for token in action[state]:
            end, act = state, action[state].get(token)
            while act is not None and self._is_unit(act):
                end = goto[below][self.rules[~act].origin]
                act = action[end].get(token)
            if act is not None:  # an LALR row may have tokens that the end of the chain refuses
                row[token] = act if act < 0 else self._shift(-1 if end == state else end, end, act)
        key = (state, *sorted(row.items()))
        if key not in self._rows:
            self._rows[key] = len(self.action)
            self.action.append(row)
            self.goto.append(self.goto[state])
        return self._rows[key]

    def _shift(self, top: int, state: int, action: int) -> int:
        """Return a shift from a state, combined with the reductions that always follow it.

        `top` is the state if it is not yet on the stack, because the goto stopped at the beginning
        of a chain of unit rules; otherwise -1.
        """
        if action < 0:
            return action
        automaton = self._automaton
        node, join, target = -1, -1, action
        reduction = only_reduction(automaton.action[action])
        if reduction and self.rules[~reduction].length == 1 and self.rules[~reduction].builder:
            node = ~reduction
            target = self._target(state, automaton.goto[state][self.rules[node].origin])
        if top < 0:
            if node < 0:
                return action
            if target < len(automaton.action):
                reduction = only_reduction(automaton.action[target])
                if reduction and self.rules[~reduction].joins:
                    join, target = ~reduction, 0
        operation = (top, node, join, target)
        if operation not in self._known:
            self._known[operation] = len(self.operations)
            self.operations.append(operation)
        return self.limit + self._known[operation]


def only_reduction(row: dict[str, int]) -> int:
    """Return the reduction (negative) that a state makes for every token, or 0."""
    actions = set(row.values())
    return actions.pop() if len(actions) == 1 and min(actions) < 0 else 0


def render(tables: Tables) -> str:
    """Return the text of the module; equal rows are written once."""
    rows: dict[object, int] = {}
    unique: list[object] = []

    def number(row: dict[str, int]) -> int:
        key = (" ".join(sorted(row)), tuple(row[symbol] for symbol in sorted(row)))
        if key not in rows:
            rows[key] = len(unique)
            unique.append(key)
        return rows[key]

    action = tuple(number(row) for row in tables.action)
    goto = tuple(number(row) for row in tables.goto)
    lines = [
        '"""The LALR tables of grammar/keysh.lark."""',
        f"LIMIT = {tables.limit}",
        f"DEFAULT = {tuple(tables.default)}",
        f"ACTION = {action}",
        f"GOTO = {goto}",
        f"BUILDERS = {tuple(sorted({rule.builder for rule in tables.rules} - {''}))}",
        *tuple_lines("RULES", [rule[:3] for rule in tables.rules]),
        *tuple_lines("OPERATIONS", tables.operations),
        *tuple_lines("ROWS", unique),
    ]
    return "# generated by grammar/build_tables.py\n" + "\n".join(lines) + "\n"


def tuple_lines(name: str, items: Sequence[object]) -> list[str]:
    """Return the lines of a tuple, one for each item."""
    return [f"{name} = (", *(f"    {item!r}," for item in items), ")"]


def main() -> None:
    """Write the tables into the package."""
    TARGET.write_text(render(Tables(Automaton(GRAMMAR.read_text()))), encoding="utf-8")


if __name__ == "__main__":
    main()
