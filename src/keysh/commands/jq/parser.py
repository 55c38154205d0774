"""The parser: a program's tokens become a tree, by precedence climbing.

program <- definition* query?
query   <- definition query / term "as" patterns "|" query / "label" $name "|" query / operators
"""

from __future__ import annotations

from keysh.commands.jq.failure import ProgramError, located
from keysh.commands.jq.lexer import KEYWORDS, BadText, Token, tokens
from keysh.commands.jq.number import number_of
from keysh.commands.jq.operator import NONE, OPERATORS, RIGHT, joined, optional
from keysh.commands.jq.syntax import (
    ArrayPattern,
    Bind,
    BreakTo,
    Collect,
    Comma,
    Define,
    Each,
    Foreach,
    Format,
    Identity,
    If,
    Index,
    Invoke,
    Label,
    Literal,
    NamePattern,
    Negative,
    Node,
    Pattern,
    Pipe,
    Record,
    RecordPattern,
    Reduce,
    Slice,
    Text,
    Try,
    Variable,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn

MOST_DEPTH = 150  # of expressions in each other

CONSTANTS = {"true": True, "false": False, "null": None}
UNUSUAL = 'try .["field"] instead of .field for unusually named fields'


class Parser:
    """The tokens of one program, and how many of them are read."""

    __slots__ = ("at", "depth", "found", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = self.depth = 0
        try:
            self.found = tokens(text)
        except BadText as error:
            raise ProgramError([located(text, error.message, error.at)]) from None

    @property
    def kind(self) -> str:
        """The next token's kind."""
        return self.found[self.at].kind

    def take(self) -> Token:
        """The next token, which is read now."""
        token = self.found[self.at]
        self.at += 1
        return token

    def passes(self, kind: str) -> bool:
        """Read a token if it is next."""
        if self.found[self.at].kind != kind:
            return False
        self.at += 1
        return True

    def expect(self, kind: str, expecting: str = "") -> Token:
        """Read a token that must be next."""
        if self.kind != kind:
            self.refuse(expecting)
        return self.take()

    def refuse(self, expecting: str = "") -> NoReturn:
        """The next token cannot stand here."""
        token = self.found[self.at]
        says = f"syntax error, unexpected {token.kind}"
        if expecting:
            says += f", expecting {expecting}"
        message = f"{says} (Unix shell quoting issues?)"
        raise ProgramError([located(self.text, message, token.at)])

    def fail(self, message: str, at: int) -> NoReturn:
        raise ProgramError([located(self.text, message, at)])

    def enter(self) -> None:
        """One expression more stands in another."""
        self.depth += 1
        if self.depth > MOST_DEPTH:
            self.fail(f"more than {MOST_DEPTH} expressions in each other", self.found[self.at].at)

    # ------------------------------------------------------------ the program

    def program(self) -> Node:
        """All of it."""
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
        self.expect("':'", "':'")
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
        prefix = PREFIXES.get(token.kind)
        if prefix is not None:
            self.enter()
            node = prefix(self)
            self.depth -= 1
            return node
        node = self.term()
        if self.kind == "as":
            return self.binding(node)
        return node

    def binding(self, source: Node) -> Node:
        """`source as patterns | body`"""
        patterns = self.patterns()
        self.expect("'|'", "?// or '|'")
        return Bind(self.query(), patterns, source)

    # ------------------------------------------------------------ patterns

    def patterns(self) -> list[Pattern]:
        """`as pattern ?// pattern`"""
        self.expect("as", "as")
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

    # ------------------------------------------------------------ terms

    def term(self) -> Node:
        """A primary and its suffixes: `.a[0]?."b"[]`"""
        node = self.primary()
        while True:
            if self.kind == "FIELD":
                node = Index(Literal(self.take().value), node)
            elif self.kind == "'['":
                node = self.bracketed(node)
            elif self.kind == "'.'":
                self.take()
                if self.kind == "'['":
                    node = self.bracketed(node)
                elif self.kind in ("QQSTRING_START", "FORMAT"):
                    node = Index(self.string(), node)
                else:
                    self.refuse()
            elif self.passes("'?'"):
                node = optional(node)
            else:
                return node

    def bracketed(self, term: Node) -> Node:
        """`[]`, `[key]`, `[start:end]` behind a term."""
        self.expect("'['")
        if self.passes("']'"):
            return Each(term)
        if self.passes("':'"):
            end = self.query()
            self.expect("']'")
            return Slice(end, None, term)
        key = self.query()
        if not self.passes("':'"):
            self.expect("']'")
            return Index(key, term)
        last = None if self.kind == "']'" else self.query()
        self.expect("']'")
        return Slice(last, key, term)

    def primary(self) -> Node:
        """A term without suffixes."""
        token = self.found[self.at]
        simple = SIMPLE.get(token.kind)
        if simple is not None:
            self.take()
            return simple(self, token)
        if token.kind in ("QQSTRING_START", "FORMAT"):
            return self.string()
        return self.refuse()

    def dot(self, token: Token) -> Node:
        """`.`, and `."key"`"""
        if self.kind == "QQSTRING_START":
            return Index(self.string(), Identity())
        if self.kind == "IDENT":
            self.fail(UNUSUAL, token.at)
        return Identity()

    def group(self, token: Token) -> Node:
        """`(query)`"""
        node = self.query()
        self.expect("')'")
        return node

    def array(self, token: Token) -> Node:
        """`[query]`, `[]`"""
        if self.passes("']'"):
            return Literal([])
        body = self.query()
        self.expect("']'")
        return Collect(body)

    def call(self, token: Token) -> Node:
        """`name`, `name(argument; …)`"""
        if self.kind != "'('":
            if token.value in CONSTANTS:
                return Literal(CONSTANTS[token.value])
            return Invoke([], token.at, token.value)
        self.take()
        arguments = [self.query()]
        while self.passes("';'"):
            arguments.append(self.query())
        self.expect("')'", "';' or ')'")
        return Invoke(arguments, token.at, token.value)

    def place(self, token: Token) -> Node:
        """`$__loc__`"""
        line = self.text.count("\n", 0, token.at) + 1
        return Literal({"file": "<top-level>", "line": line})

    def number(self, token: Token) -> Node:
        return Literal(number_of(token.value))

    def variable(self, token: Token) -> Node:
        return Variable(token.at, token.value)

    def recursion(self, token: Token) -> Node:
        return Invoke([], token.at, "recurse")

    def break_to(self, token: Token) -> Node:
        """`break $name`"""
        if self.kind != "BINDING":
            self.fail("break requires a label to break to", token.at)
        return BreakTo(token.at, self.take().value)

    def string(self) -> Node:
        """`"…"`, `@format "…"`, and `@format` alone."""
        form = self.take().value if self.kind == "FORMAT" else "text"
        if not self.passes("QQSTRING_START"):
            return Format(form)
        parts: list[str | Node] = []
        while not self.passes("QQSTRING_END"):
            if self.kind == "QQSTRING_TEXT":
                parts.append(self.take().value)
            elif self.passes("QQSTRING_INTERP_START"):
                self.enter()
                parts.append(self.query())
                self.depth -= 1
                self.expect("QQSTRING_INTERP_END")
            else:
                self.refuse("QQSTRING_TEXT or QQSTRING_INTERP_START or QQSTRING_END")
        if all(isinstance(part, str) for part in parts):
            return Literal("".join(str(part) for part in parts))
        return Text(form, parts)

    # ------------------------------------------------------------ objects

    def record(self, token: Token) -> Node:
        """`{pair, …}`"""
        pairs: list[tuple[Node, Node]] = []
        while self.kind != "'}'":
            pairs.append(self.pair())
            if not self.passes("','"):
                break
        self.expect("'}'", "'}'")
        return Record(pairs)

    def pair(self) -> tuple[Node, Node]:
        """`key: value`, `$name`, `key`, `"key"`, `(query): value`"""
        token = self.found[self.at]
        if token.kind == "BINDING":
            self.take()
            key: Node = Variable(token.at, token.value)
            return (key, self.value()) if self.passes("':'") else (Literal(token.value), key)
        if token.kind == "$__loc__":
            self.take()
            return Literal("__loc__"), self.place(token)
        if token.kind == "IDENT" or token.kind in KEYWORDS:
            key = Literal(self.take().value)
        elif token.kind in ("QQSTRING_START", "FORMAT"):
            key = self.string()
            if isinstance(key, Format):
                self.refuse("QQSTRING_START")
        elif token.kind == "LITERAL":
            self.take()
            key = Literal(number_of(token.value))
            if self.kind != "':'":
                self.refuse("':'")
        elif self.passes("'('"):
            key = self.query()
            self.expect("')'")
            self.expect("':'", "':'")
            return key, self.value()
        else:
            self.refuse()
        return key, self.value() if self.passes("':'") else Index(key, Identity())

    def value(self) -> Node:
        """The value of a pair: terms with pipes between them, but no other operators."""
        self.enter()
        if self.passes("'-'"):
            node: Node = Negative(self.value())
        elif self.kind in PREFIXES and self.kind != "label":
            node = PREFIXES[self.kind](self)
        else:
            node = self.term()
        if self.passes("'|'"):
            node = Pipe([node, self.value()])
        self.depth -= 1
        return node

    # ------------------------------------------------------------ what a keyword begins

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
        self.expect("'('", "?// or '('")
        start = self.query()
        self.expect("';'")
        update = self.query()
        self.expect("')'")
        return self.suffixed(Reduce(patterns, source, start, update))

    def iteration(self) -> Node:
        """`foreach source as patterns (start; update; extract)`"""
        self.take()
        source, patterns = self.term(), self.patterns()
        self.expect("'('", "?// or '('")
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
SIMPLE: dict[str, Callable[[Parser, Token], Node]] = {
    "'.'": Parser.dot, "'('": Parser.group, "'['": Parser.array, "'{'": Parser.record,
    "IDENT": Parser.call, "LITERAL": Parser.number, "BINDING": Parser.variable,
    "$__loc__": Parser.place, "..": Parser.recursion, "break": Parser.break_to,
    "FIELD": lambda parser, token: Index(Literal(token.value), Identity()),
}  # fmt: skip


def parse(text: str) -> Node:
    """A program's tree; ProgramError."""
    return Parser(text).program()
