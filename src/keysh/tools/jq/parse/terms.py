"""Terms: what stands between operators, with its suffixes: `.a[0]?`, `{a: 1}`, texts, calls."""

from __future__ import annotations

from keysh.tools.jq.compile.failure import ProgramError, located
from keysh.tools.jq.parse.cursor import Cursor
from keysh.tools.jq.parse.lexer import KEYWORDS
from keysh.tools.jq.parse.operator import optional
from keysh.tools.jq.parse.syntax import (
    BreakTo,
    Collect,
    Each,
    Format,
    Identity,
    Index,
    Invoke,
    Literal,
    Negative,
    Node,
    Pipe,
    Record,
    Slice,
    Text,
    Try,
    Variable,
)
from keysh.tools.jq.values.number import number_of
from keysh.tools.jq.values.value import kind, shown

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn

    from keysh.tools.jq.parse.lexer import Token

CONSTANTS = {"true": True, "false": False, "null": None}
BARE_KEY = "May need parentheses around object key expression"
UNUSUAL = 'try .["field"] instead of .field for unusually named fields'


class TermParser(Cursor):
    """Reads terms. What stands in their brackets is read by the parser of queries, a subclass."""

    __slots__ = ()

    def query(self, *, is_top: bool = False) -> Node:
        """Read what may stand in brackets: a whole query. A subclass knows how."""
        raise NotImplementedError

    def begun(self, *, is_value: bool = False) -> Node | None:
        """What a keyword begins, if one is next."""
        raise NotImplementedError

    # ------------------------------------------------------------ terms

    def term(self) -> Node:
        """A primary and its suffixes: `.a[0]?."b"[]`"""
        is_group = self.kind == "'('"  # all that fails in it is left out
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
                    self.refuse("FORMAT or QQSTRING_START or '['")
            elif self.passes("'?'"):
                node = Try(node, None) if is_group else optional(node)
            else:
                return node
            is_group = False

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
        begins = self.at
        while self.kind != "'}'":
            pairs.append(self.pair())
            if not self.passes("','"):
                break
        if not self.passes("'}'"):
            self.refuse_pair(begins, "'}'")
        return Record(pairs)

    def refuse_pair(self, begins: int, expecting: str = "") -> NoReturn:
        """The next token cannot stand in a pair; with a value behind it, its key may be why."""
        try:
            self.refuse(expecting)
        except ProgramError as error:
            later = [token.kind for token in self.found[self.at :]]
            if "':'" in later[:-2]:
                error.messages.append(located(self.text, BARE_KEY, self.found[begins].at))
            raise

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
        elif self.passes("'('"):
            key = self.query()
            self.expect("')'")
            self.expect("':'", "':'")
            value = self.value()
            if isinstance(key, Literal) and key.value.__class__ is not str:
                says = f"Cannot use {kind(key.value)} ({shown(key.value)}) as object key"
                self.fail(says, token.at)
            return key, value
        else:
            self.refuse_pair(self.at)
        return key, self.value() if self.passes("':'") else Index(key, Identity())

    def value(self) -> Node:
        """The value of a pair: terms with pipes between them, but no other operators."""
        self.enter()
        if self.passes("'-'"):
            node: Node = Negative(self.value())
        else:
            node = self.begun(is_value=True) or self.term()
        if self.passes("'|'"):
            node = Pipe([node, self.value()])
        self.depth -= 1
        return node


SIMPLE: dict[str, Callable[[TermParser, Token], Node]] = {
    "'.'": TermParser.dot, "'('": TermParser.group, "'['": TermParser.array,
    "'{'": TermParser.record, "IDENT": TermParser.call, "LITERAL": TermParser.number,
    "BINDING": TermParser.variable, "$__loc__": TermParser.place, "..": TermParser.recursion,
    "break": TermParser.break_to,
    "FIELD": lambda parser, token: Index(Literal(token.value), Identity()),
}  # fmt: skip
