"""Terms, the operands of operators: `.a[0]?`, `{a: 1}`, strings, calls."""

from __future__ import annotations

from keysh.tools.jq.compile.failure import JqProgramError, located_message
from keysh.tools.jq.parse.cursor import TokenCursor
from keysh.tools.jq.parse.lexer import KEYWORDS
from keysh.tools.jq.parse.operator import optional_node
from keysh.tools.jq.parse.syntax import (
    ArrayConstruction,
    BreakTo,
    Format,
    Identity,
    Index,
    InterpolatedString,
    Invoke,
    Iteration,
    JqNode,
    Literal,
    Negative,
    ObjectConstruction,
    Pipe,
    Slice,
    Try,
    Variable,
)
from keysh.tools.jq.values.number import number_of
from keysh.tools.jq.values.value import abbreviated_json, type_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import NoReturn

    from keysh.tools.jq.parse.lexer import JqToken

CONSTANTS = {"true": True, "false": False, "null": None}
BARE_KEY_HINT = "May need parentheses around object key expression"
UNUSUAL_FIELD_HINT = 'try .["field"] instead of .field for unusually named fields'


class TermParser(TokenCursor):
    """Parses terms. The subclass JqParser parses the queries in their brackets."""

    __slots__ = ()

    def query(self, *, is_top: bool = False) -> JqNode:
        """Parse a query; implemented by the subclass."""
        raise NotImplementedError

    def keyword_term(self, *, is_value: bool = False) -> JqNode | None:
        """Parse a term that begins with a keyword, if one is next; implemented by the subclass."""
        raise NotImplementedError

    # ------------------------------------------------------------ terms

    def term(self) -> JqNode:
        """Parse a primary and its suffixes: `.a[0]?."b"[]`"""
        is_group = self.kind == "'('"  # `?` after a group catches every error in it
        node = self.primary()
        while True:
            if self.kind == "FIELD":
                node = Index(Literal(self.take().value), node)
            elif self.kind == "'['":
                node = self.bracket_suffix(node)
            elif self.kind == "'.'":
                self.take()
                if self.kind == "'['":
                    node = self.bracket_suffix(node)
                elif self.kind in ("QQSTRING_START", "FORMAT"):
                    node = Index(self.string(), node)
                else:
                    self.refuse("FORMAT or QQSTRING_START or '['")
            elif self.accept("'?'"):
                node = Try(node, None) if is_group else optional_node(node)
            else:
                return node
            is_group = False

    def bracket_suffix(self, term: JqNode) -> JqNode:
        """`[]`, `[key]`, `[start:end]` after a term."""
        self.expect("'['")
        if self.accept("']'"):
            return Iteration(term)
        if self.accept("':'"):
            end = self.query()
            self.expect("']'")
            return Slice(end, None, term)
        key = self.query()
        if not self.accept("':'"):
            self.expect("']'")
            return Index(key, term)
        last = None if self.kind == "']'" else self.query()
        self.expect("']'")
        return Slice(last, key, term)

    def primary(self) -> JqNode:
        """Parse a term without suffixes."""
        token = self.tokens[self.at]
        simple = TERM_PARSERS.get(token.kind)
        if simple is not None:
            self.take()
            return simple(self, token)
        if token.kind in ("QQSTRING_START", "FORMAT"):
            return self.string()
        return self.refuse()

    def dot(self, token: JqToken) -> JqNode:
        """`.`, and `."key"`"""
        if self.kind == "QQSTRING_START":
            return Index(self.string(), Identity())
        if self.kind == "IDENT":
            self.fail(UNUSUAL_FIELD_HINT, token.at)
        return Identity()

    def group(self, token: JqToken) -> JqNode:
        """`(query)`"""
        node = self.query()
        self.expect("')'")
        return node

    def array(self, token: JqToken) -> JqNode:
        """`[query]`, `[]`"""
        if self.accept("']'"):
            return Literal([])
        body = self.query()
        self.expect("']'")
        return ArrayConstruction(body)

    def call(self, token: JqToken) -> JqNode:
        """`name`, `name(argument; …)`"""
        if self.kind != "'('":
            if token.value in CONSTANTS:
                return Literal(CONSTANTS[token.value])
            return Invoke([], token.at, token.value)
        self.take()
        arguments = [self.query()]
        while self.accept("';'"):
            arguments.append(self.query())
        self.expect("')'", "';' or ')'")
        return Invoke(arguments, token.at, token.value)

    def location(self, token: JqToken) -> JqNode:
        """`$__loc__`"""
        line = self.text.count("\n", 0, token.at) + 1
        return Literal({"file": "<top-level>", "line": line})

    def number(self, token: JqToken) -> JqNode:
        return Literal(number_of(token.value))

    def variable(self, token: JqToken) -> JqNode:
        return Variable(token.at, token.value)

    def recursion(self, token: JqToken) -> JqNode:
        return Invoke([], token.at, "recurse")

    def break_to(self, token: JqToken) -> JqNode:
        """`break $name`"""
        if self.kind != "BINDING":
            self.fail("break requires a label to break to", token.at)
        return BreakTo(token.at, self.take().value)

    def string(self) -> JqNode:
        """`"…"`, `@format "…"`, and `@format` alone."""
        format_name = self.take().value if self.kind == "FORMAT" else "text"
        if not self.accept("QQSTRING_START"):
            return Format(format_name)
        parts: list[str | JqNode] = []
        while not self.accept("QQSTRING_END"):
            if self.kind == "QQSTRING_TEXT":
                parts.append(self.take().value)
            elif self.accept("QQSTRING_INTERP_START"):
                self.enter()
                parts.append(self.query())
                self.depth -= 1
                self.expect("QQSTRING_INTERP_END")
            else:
                self.refuse("QQSTRING_TEXT or QQSTRING_INTERP_START or QQSTRING_END")
        if all(isinstance(part, str) for part in parts):
            return Literal("".join(str(part) for part in parts))
        return InterpolatedString(format_name, parts)

    # ------------------------------------------------------------ objects

    def object(self, token: JqToken) -> JqNode:
        """`{pair, …}`"""
        pairs: list[tuple[JqNode, JqNode]] = []
        start = self.at
        while self.kind != "'}'":
            pairs.append(self.pair())
            if not self.accept("','"):
                break
        if not self.accept("'}'"):
            self.refuse_pair(start, "'}'")
        return ObjectConstruction(pairs)

    def refuse_pair(self, start: int, expecting: str = "") -> NoReturn:
        """Fail: the next token is not allowed in a pair. If a `:` follows, blame the key too."""
        try:
            self.refuse(expecting)
        except JqProgramError as error:
            later = [token.kind for token in self.tokens[self.at :]]
            if "':'" in later[:-2]:
                error.messages.append(
                    located_message(self.text, BARE_KEY_HINT, self.tokens[start].at)
                )
            raise

    def pair(self) -> tuple[JqNode, JqNode]:
        """`key: value`, `$name`, `key`, `"key"`, `(query): value`"""
        token = self.tokens[self.at]
        if token.kind == "BINDING":
            self.take()
            key: JqNode = Variable(token.at, token.value)
            return (key, self.value()) if self.accept("':'") else (Literal(token.value), key)
        if token.kind == "$__loc__":
            self.take()
            return Literal("__loc__"), self.location(token)
        if token.kind == "IDENT" or token.kind in KEYWORDS:
            key = Literal(self.take().value)
        elif token.kind in ("QQSTRING_START", "FORMAT"):
            key = self.string()
            if isinstance(key, Format):
                self.refuse("QQSTRING_START")
        elif self.accept("'('"):
            key = self.query()
            self.expect("')'")
            self.expect("':'", "':'")
            value = self.value()
            if isinstance(key, Literal) and key.value.__class__ is not str:
                shown_key = f"{type_name(key.value)} ({abbreviated_json(key.value)})"
                self.fail(f"Cannot use {shown_key} as object key", token.at)
            return key, value
        else:
            self.refuse_pair(self.at)
        return key, self.value() if self.accept("':'") else Index(key, Identity())

    def value(self) -> JqNode:
        """The value of a pair: terms joined by pipes, without other operators."""
        self.enter()
        if self.accept("'-'"):
            node: JqNode = Negative(self.value())
        else:
            node = self.keyword_term(is_value=True) or self.term()
        if self.accept("'|'"):
            node = Pipe([node, self.value()])
        self.depth -= 1
        return node


TERM_PARSERS: dict[str, Callable[[TermParser, JqToken], JqNode]] = {
    "'.'": TermParser.dot, "'('": TermParser.group, "'['": TermParser.array,
    "'{'": TermParser.object, "IDENT": TermParser.call, "LITERAL": TermParser.number,
    "BINDING": TermParser.variable, "$__loc__": TermParser.location, "..": TermParser.recursion,
    "break": TermParser.break_to,
    "FIELD": lambda parser, token: Index(Literal(token.value), Identity()),
}  # fmt: skip
