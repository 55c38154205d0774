"""The parser: a program's tokens become a tree, by precedence climbing.

program <- definition* query?
query   <- definition query / term "as" patterns "|" query / "label" $name "|" query / operators
"""

from __future__ import annotations

from keysh.tools.jq.compile.failure import ProgramError, located
from keysh.tools.jq.parse.lexer import KEYWORDS
from keysh.tools.jq.parse.operator import NONE, OPERATORS, RIGHT, joined
from keysh.tools.jq.parse.syntax import (
    ArrayPattern,
    Bind,
    Comma,
    Define,
    Foreach,
    Identity,
    If,
    Label,
    Literal,
    NamePattern,
    Negative,
    Node,
    Pattern,
    Pipe,
    RecordPattern,
    Reduce,
    Try,
)
from keysh.tools.jq.parse.terms import TermParser

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


class Parser(TermParser):
    """Reads programs: queries, patterns, and what keywords begin."""

    __slots__ = ()

    # ------------------------------------------------------------ the program

    def program(self) -> Node:
        """The whole program."""
        if self.kind == "module":
            self.fail("modules are not supported", self.found[self.at].at)
        if self.kind in ("import", "include"):
            token = self.found[self.at]
            self.fail(f"{token.kind} is not supported: there are no modules", token.at)
        node = self.query(is_top=True)
        if self.kind != "end of file":
            self.refuse("end of file")
        return node

    def query(self, *, is_top: bool = False) -> Node:
        """Definitions, and then the operators that bind least; at the top there may be none."""
        definitions: list[tuple[str, list[str], Node]] = []
        while self.kind == "def":
            definitions.append(self.definition())
        self.enter()
        is_empty = is_top and self.kind == "end of file"
        node: Node = Identity() if is_empty else self.operators(1)
        self.depth -= 1
        for name, parameters, body in reversed(definitions):
            node = Define(body, name, parameters, node)
        return node

    def definition(self) -> tuple[str, list[str], Node]:
        """`def name(parameters): body;`"""
        self.take()
        name = self.expect("IDENT", "IDENT").value
        parameters: list[str] = []
        if self.passes("'('"):
            while True:
                is_value = self.kind == "BINDING"
                token = self.take() if is_value else self.expect("IDENT", "IDENT or BINDING")
                parameters.append(f"${token.value}" if is_value else token.value)
                if not self.passes("';'"):
                    break
            self.expect("')'", "';' or ')'")
        self.expect("':'", "':'" if parameters else "'(' or ':'")
        body = self.query()
        self.expect("';'")
        return name, parameters, body

    def operators(self, least: int) -> Node:
        """Operands and the operators between them that bind at least so tightly."""
        left = self.operand()
        most = 9
        while self.kind in OPERATORS:
            binds, side = OPERATORS[self.kind]
            if binds < least:
                break
            if binds > most:
                self.refuse()
            operator = self.take().kind.strip("'")
            if operator in "|,":
                left = self.listed(left, f"'{operator}'", binds)
                continue
            self.enter()
            right = self.operators(binds if side == RIGHT else binds + 1)
            self.depth -= 1
            left = joined(left, operator, right)
            most = binds - 1 if side == NONE else 9
        return left

    def listed(self, first: Node, operator: str, binds: int) -> Node:
        """The parts of a pipe or of a comma, behind the first operator."""
        self.enter()
        parts = [first]
        while True:
            is_definition = operator == "'|'" and self.kind == "def"
            parts.append(self.query() if is_definition else self.operators(binds + 1))
            if not self.passes(operator):
                break
        self.depth -= 1
        return Pipe(parts) if operator == "'|'" else Comma(parts)

    def operand(self) -> Node:
        """A term with what stands in front of it and behind it."""
        token = self.found[self.at]
        if token.kind == "'-'":
            self.take()
            self.enter()
            node: Node = Negative(self.operators(9))
            self.depth -= 1
            return node
        begun = self.begun()
        if begun is not None:
            return begun
        node = self.term()
        if self.kind == "as":
            return self.binding(node)
        return node

    def binding(self, source: Node) -> Node:
        """`source as patterns | body`"""
        patterns = self.patterns()
        self.expect("'|'", "'|'")
        return Bind(self.query(), patterns, source)

    # ------------------------------------------------------------ patterns

    def patterns(self) -> list[Pattern]:
        """`as pattern ?// pattern`"""
        self.expect("as", "FIELD or as or '.' or '['")
        found = [self.pattern()]
        while self.passes("?//"):
            found.append(self.pattern())
        return found

    def pattern(self) -> Pattern:
        """`$name`, `[pattern, …]`, `{…}`"""
        self.enter()
        found: Pattern
        if self.kind == "BINDING":
            found = NamePattern(self.take().value)
        elif self.passes("'['"):
            items = [self.pattern()]
            while self.passes("','"):
                items.append(self.pattern())
            self.expect("']'", "',' or ']'")
            found = ArrayPattern(items)
        elif self.passes("'{'"):
            pairs = [self.record_pattern()]
            while self.passes("','"):
                pairs.append(self.record_pattern())
            self.expect("'}'", "',' or '}'")
            found = RecordPattern(pairs)
        else:
            self.refuse("BINDING or '[' or '{'")
        self.depth -= 1
        return found

    def record_pattern(self) -> tuple[str | None, Node, Pattern | None]:
        """`$name`, `$name: pattern`, `key: pattern`"""
        token = self.found[self.at]
        if token.kind == "BINDING":
            self.take()
            inner = self.pattern() if self.passes("':'") else None
            return token.value, Literal(token.value), inner
        if token.kind == "IDENT" or token.kind in KEYWORDS:
            key: Node = Literal(self.take().value)
        elif token.kind in ("QQSTRING_START", "FORMAT"):
            key = self.string()
        elif self.passes("'('"):
            key = self.query()
            self.expect("')'")
        else:
            self.refuse()
        self.expect("':'", "':'")
        return None, key, self.pattern()

    # ------------------------------------------------------------ what a keyword begins

    def begun(self, *, is_value: bool = False) -> Node | None:
        """What a keyword begins, if one is next; the value of a pair cannot be a label."""
        prefix = PREFIXES.get(self.kind)
        if prefix is None or (is_value and self.kind == "label"):
            return None
        self.enter()
        node = prefix(self)
        self.depth -= 1
        return node

    def condition(self) -> Node:
        """`if … then … elif … then … else … end`, of which `else` may be left out."""
        start = self.take()
        test = self.query()
        self.expect("then")
        yes = self.query()
        no: Node = Identity()
        if self.kind == "elif":
            return If(test, self.condition_behind(), yes)
        if self.passes("else"):
            no = self.query()
        if self.kind == "end of file":
            at = self.found[self.at].at
            says = "syntax error, unexpected end of file (Unix shell quoting issues?)"
            unterminated = located(self.text, "Possibly unterminated 'if' statement", start.at)
            raise ProgramError([located(self.text, says, at), unterminated])
        self.expect("end")
        return self.suffixed(If(test, no, yes))

    def condition_behind(self) -> Node:
        """`elif …` is an `if …` of its own."""
        self.enter()
        node = self.condition()
        self.depth -= 1
        return node

    def suffixed(self, node: Node) -> Node:
        """`?` behind what a keyword has begun."""
        while self.passes("'?'"):
            node = Try(node, None)
        return node

    def attempt(self) -> Node:
        """`try body catch handler`, each of them one operand."""
        self.take()
        body = self.suffixed(self.operand())
        handler = self.suffixed(self.operand()) if self.passes("catch") else None
        return Try(body, handler)

    def reduction(self) -> Node:
        """`reduce source as patterns (start; update)`"""
        self.take()
        source, patterns = self.term(), self.patterns()
        self.expect("'('", "'('")
        start = self.query()
        self.expect("';'")
        update = self.query()
        self.expect("')'")
        return self.suffixed(Reduce(patterns, source, start, update))

    def iteration(self) -> Node:
        """`foreach source as patterns (start; update; extract)`"""
        self.take()
        source, patterns = self.term(), self.patterns()
        self.expect("'('", "'('")
        start = self.query()
        self.expect("';'")
        update = self.query()
        extract = self.query() if self.passes("';'") else None
        self.expect("')'")
        return self.suffixed(Foreach(extract, patterns, source, start, update))

    def label(self) -> Node:
        """`label $name | body`"""
        self.take()
        name = self.expect("BINDING", "BINDING").value
        self.expect("'|'", "'|'")
        return Label(self.query(), name)

    def local(self) -> Node:
        """`def …; query` where an operand stands."""
        return self.query()


PREFIXES: dict[str, Callable[[Parser], Node]] = {
    "if": Parser.condition, "try": Parser.attempt, "reduce": Parser.reduction,
    "foreach": Parser.iteration, "label": Parser.label, "def": Parser.local,
}  # fmt: skip


def parse(text: str) -> Node:
    """A program's tree; ProgramError."""
    return Parser(text).program()
