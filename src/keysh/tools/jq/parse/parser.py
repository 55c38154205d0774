"""The parser: builds the tree of a program, by precedence climbing.

program <- definition* query?
query   <- definition query / term "as" patterns "|" query / "label" $name "|" query / operators
"""

from __future__ import annotations

from keysh.tools.jq.compile.failure import JqProgramError, located_message
from keysh.tools.jq.parse.lexer import KEYWORDS
from keysh.tools.jq.parse.operator import NONE, OPERATOR_PRECEDENCE, RIGHT, operator_node
from keysh.tools.jq.parse.syntax import (
    ArrayPattern,
    Bind,
    Comma,
    Define,
    DestructuringPattern,
    Foreach,
    Identity,
    If,
    JqNode,
    Label,
    Literal,
    NamePattern,
    Negative,
    ObjectPattern,
    Pipe,
    Reduce,
    Try,
)
from keysh.tools.jq.parse.terms import TermParser

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable


class JqParser(TermParser):
    """Parses programs: queries, patterns, and terms that begin with a keyword."""

    __slots__ = ()

    # ------------------------------------------------------------ the program

    def program(self) -> JqNode:
        """Parse the whole program."""
        if self.kind == "module":
            self.fail("modules are not supported", self.tokens[self.at].at)
        if self.kind in ("import", "include"):
            token = self.tokens[self.at]
            self.fail(f"{token.kind} is not supported: there are no modules", token.at)
        node = self.query(is_top=True)
        if self.kind != "end of file":
            self.refuse("end of file")
        return node

    def query(self, *, is_top: bool = False) -> JqNode:
        """Parse definitions and an expression, which is optional at the top level."""
        definitions: list[tuple[str, list[str], JqNode]] = []
        while self.kind == "def":
            definitions.append(self.definition())
        self.enter()
        is_empty = is_top and self.kind == "end of file"
        node: JqNode = Identity() if is_empty else self.operators(1)
        self.depth -= 1
        for name, parameters, body in reversed(definitions):
            node = Define(body, name, parameters, node)
        return node

    def definition(self) -> tuple[str, list[str], JqNode]:
        """`def name(parameters): body;`"""
        self.take()
        name = self.expect("IDENT", "IDENT").value
        parameters: list[str] = []
        if self.accept("'('"):
            while True:
                is_value = self.kind == "BINDING"
                token = self.take() if is_value else self.expect("IDENT", "IDENT or BINDING")
                parameters.append(f"${token.value}" if is_value else token.value)
                if not self.accept("';'"):
                    break
            self.expect("')'", "';' or ')'")
        self.expect("':'", "':'" if parameters else "'(' or ':'")
        body = self.query()
        self.expect("';'")
        return name, parameters, body

    def operators(self, min_precedence: int) -> JqNode:
        """Parse operands and operators of at least this precedence."""
        left = self.operand()
        max_precedence = 9
        while self.kind in OPERATOR_PRECEDENCE:
            precedence, side = OPERATOR_PRECEDENCE[self.kind]
            if precedence < min_precedence:
                break
            if precedence > max_precedence:
                self.refuse()
            operator = self.take().kind.strip("'")
            if operator in "|,":
                left = self.operator_list(left, f"'{operator}'", precedence)
                continue
            self.enter()
            right = self.operators(precedence if side == RIGHT else precedence + 1)
            self.depth -= 1
            left = operator_node(left, operator, right)
            max_precedence = precedence - 1 if side == NONE else 9
        return left

    def operator_list(self, first: JqNode, operator: str, precedence: int) -> JqNode:
        """Parse the remaining parts of a pipe or a comma, after the first operator."""
        self.enter()
        parts = [first]
        while True:
            is_definition = operator == "'|'" and self.kind == "def"
            parts.append(self.query() if is_definition else self.operators(precedence + 1))
            if not self.accept(operator):
                break
        self.depth -= 1
        return Pipe(parts) if operator == "'|'" else Comma(parts)

    def operand(self) -> JqNode:
        """Parse a term, with a `-` before it or an `as` after it."""
        token = self.tokens[self.at]
        if token.kind == "'-'":
            self.take()
            self.enter()
            node: JqNode = Negative(self.operators(9))
            self.depth -= 1
            return node
        keyword_term = self.keyword_term()
        if keyword_term is not None:
            return keyword_term
        node = self.term()
        if self.kind == "as":
            return self.binding(node)
        return node

    def binding(self, source: JqNode) -> JqNode:
        """`source as patterns | body`"""
        patterns = self.patterns()
        self.expect("'|'", "'|'")
        return Bind(self.query(), patterns, source)

    # ------------------------------------------------------------ patterns

    def patterns(self) -> list[DestructuringPattern]:
        """`as pattern ?// pattern`"""
        self.expect("as", "FIELD or as or '.' or '['")
        patterns = [self.pattern()]
        while self.accept("?//"):
            patterns.append(self.pattern())
        return patterns

    def pattern(self) -> DestructuringPattern:
        """`$name`, `[pattern, …]`, `{…}`"""
        self.enter()
        pattern: DestructuringPattern
        if self.kind == "BINDING":
            pattern = NamePattern(self.take().value)
        elif self.accept("'['"):
            items = [self.pattern()]
            while self.accept("','"):
                items.append(self.pattern())
            self.expect("']'", "',' or ']'")
            pattern = ArrayPattern(items)
        elif self.accept("'{'"):
            pairs = [self.object_pattern()]
            while self.accept("','"):
                pairs.append(self.object_pattern())
            self.expect("'}'", "',' or '}'")
            pattern = ObjectPattern(pairs)
        else:
            self.refuse("BINDING or '[' or '{'")
        self.depth -= 1
        return pattern

    def object_pattern(self) -> tuple[str | None, JqNode, DestructuringPattern | None]:
        """`$name`, `$name: pattern`, `key: pattern`"""
        token = self.tokens[self.at]
        if token.kind == "BINDING":
            self.take()
            inner = self.pattern() if self.accept("':'") else None
            return token.value, Literal(token.value), inner
        if token.kind == "IDENT" or token.kind in KEYWORDS:
            key: JqNode = Literal(self.take().value)
        elif token.kind in ("QQSTRING_START", "FORMAT"):
            key = self.string()
        elif self.accept("'('"):
            key = self.query()
            self.expect("')'")
        else:
            self.refuse()
        self.expect("':'", "':'")
        return None, key, self.pattern()

    # ------------------------------------------------------------ keywords

    def keyword_term(self, *, is_value: bool = False) -> JqNode | None:
        """Parse a term that begins with a keyword, if one is next; a pair's value is no `label`."""
        prefix = KEYWORD_PARSERS.get(self.kind)
        if prefix is None or (is_value and self.kind == "label"):
            return None
        self.enter()
        node = prefix(self)
        self.depth -= 1
        return node

    def condition(self) -> JqNode:
        """`if … then … elif … then … else … end`; the `else` is optional."""
        start = self.take()
        test = self.query()
        self.expect("then")
        yes = self.query()
        no: JqNode = Identity()
        if self.kind == "elif":
            return If(test, self.elif_condition(), yes)
        if self.accept("else"):
            no = self.query()
        if self.kind == "end of file":
            offset = self.tokens[self.at].at
            message = "syntax error, unexpected end of file (Unix shell quoting issues?)"
            unterminated = located_message(
                self.text, "Possibly unterminated 'if' statement", start.at
            )
            raise JqProgramError([located_message(self.text, message, offset), unterminated])
        self.expect("end")
        return self.optional_suffixes(If(test, no, yes))

    def elif_condition(self) -> JqNode:
        """`elif …`, which is parsed as a nested `if`."""
        self.enter()
        node = self.condition()
        self.depth -= 1
        return node

    def optional_suffixes(self, node: JqNode) -> JqNode:
        """Parse any `?` after a keyword term."""
        while self.accept("'?'"):
            node = Try(node, None)
        return node

    def attempt(self) -> JqNode:
        """`try body catch handler`; both are single operands."""
        self.take()
        body = self.optional_suffixes(self.operand())
        handler = self.optional_suffixes(self.operand()) if self.accept("catch") else None
        return Try(body, handler)

    def reduction(self) -> JqNode:
        """`reduce source as patterns (start; update)`"""
        self.take()
        source, patterns = self.term(), self.patterns()
        self.expect("'('", "'('")
        start = self.query()
        self.expect("';'")
        update = self.query()
        self.expect("')'")
        return self.optional_suffixes(Reduce(patterns, source, start, update))

    def iteration(self) -> JqNode:
        """`foreach source as patterns (start; update; extract)`"""
        self.take()
        source, patterns = self.term(), self.patterns()
        self.expect("'('", "'('")
        start = self.query()
        self.expect("';'")
        update = self.query()
        extract = self.query() if self.accept("';'") else None
        self.expect("')'")
        return self.optional_suffixes(Foreach(extract, patterns, source, start, update))

    def label(self) -> JqNode:
        """`label $name | body`"""
        self.take()
        name = self.expect("BINDING", "BINDING").value
        self.expect("'|'", "'|'")
        return Label(self.query(), name)

    def local_definition(self) -> JqNode:
        """`def …; query` as an operand."""
        return self.query()


KEYWORD_PARSERS: dict[str, Callable[[JqParser], JqNode]] = {
    "if": JqParser.condition, "try": JqParser.attempt, "reduce": JqParser.reduction,
    "foreach": JqParser.iteration, "label": JqParser.label, "def": JqParser.local_definition,
}  # fmt: skip


def parse_program(text: str) -> JqNode:
    """Parse a program; raises JqProgramError."""
    return JqParser(text).program()
