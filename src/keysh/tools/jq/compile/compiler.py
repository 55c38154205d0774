"""The compiler: a program's tree becomes Code, by one function for each kind of node.

Each is told whether its node is the last thing that a function does: a call there is handed to
whoever drives the function.
"""

from __future__ import annotations

import keysh.tools.jq.compile.binding as binding
import keysh.tools.jq.compile.combine as combine
import keysh.tools.jq.compile.construct as construct
from keysh.tools.jq.compile.assignment import assign
from keysh.tools.jq.compile.call import argument, called
from keysh.tools.jq.compile.code import Code, native
from keysh.tools.jq.compile.failure import Break, ProgramError, located
from keysh.tools.jq.compile.scope import Function, Scope, value_at
from keysh.tools.jq.library.format import format_named
from keysh.tools.jq.library.library import builtin
from keysh.tools.jq.parse.parser import parse
from keysh.tools.jq.parse.syntax import (
    ArrayPattern,
    Assign,
    Binary,
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
    Otherwise,
    Pattern,
    Pipe,
    Record,
    RecordPattern,
    Reduce,
    Slice,
    Text,
    Try,
    Variable,
    names_of,
)
from keysh.tools.jq.values.arithmetic import negative

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from keysh.tools.jq.compile.code import Env, Value


class Compiler:
    """One program on its way to Code."""

    __slots__ = ("messages", "prelude", "text", "variables")

    def __init__(self, text: str) -> None:
        self.text = text
        self.messages: list[str] = []
        self.variables: list[tuple[str, int]] = []  # that come from outside, and where
        self.prelude: dict[str, Function] = {}  # functions of the library, in jq's own language

    def compile(self, node: Node, scope: Scope, *, is_last: bool = False) -> Code:
        """The code of a node."""
        return KINDS[node.__class__](self, node, scope, is_last)

    def whole(self, root: Scope) -> Code:
        """The code of the whole program; ProgramError."""
        code = self.compile(parse(self.text), root)
        if self.messages:
            raise ProgramError(self.messages)
        return code

    def undefined(self, what: str, at: int) -> Code:
        """A name that means nothing: all of them are told at once."""
        self.messages.append(located(self.text, f"{what} is not defined", at))
        return combine.EMPTY

    # ------------------------------------------------------------ names

    def variable(self, node: Any, scope: Scope, is_last: bool) -> Code:
        found = scope.find(f"${node.name}")
        if found is not None:
            take = value_at(scope.depth - found.depth)
            return Code(one=lambda value, env: take(env))
        name = node.name
        self.variables.append((name, node.at))
        return Code(one=lambda value, env: env[2].variable(name))

    def invoke(self, node: Any, scope: Scope, is_last: bool) -> Code:
        name = f"{node.name}/{len(node.arguments)}"
        arguments = [self.compile(one, scope) for one in node.arguments]
        found = scope.find(name)
        if found is not None and found.function is None:
            return argument(value_at(scope.depth - found.depth))
        if found is None:
            made = builtin(name, arguments)
            if isinstance(made, Code):
                return made
            if made is None:
                return self.undefined(name, node.at)
            function, depth = self.from_prelude(name, made), 0
        else:
            assert found.function is not None
            function, depth = found.function, found.function.scope.depth
        return called(function, arguments, scope.depth - depth, is_last=is_last)

    def from_prelude(self, name: str, definition: str) -> Function:
        """A function of the library, compiled when a program first calls it."""
        function = self.prelude.get(name)
        if function is None:
            inner = Compiler(definition)
            inner.prelude = self.prelude
            node: Any = parse(definition)
            function = Function(node.name, node.parameters, node.body, Scope(None, ""))
            self.prelude[name] = function
            inner.define_function(function)
        return function

    def define(self, node: Any, scope: Scope, is_last: bool) -> Code:
        function = Function(node.name, node.parameters, node.body, scope)
        self.define_function(function)
        return self.compile(node.rest, Scope(scope, function.key, function), is_last=is_last)

    def define_function(self, function: Function) -> None:
        """Compile a function's body, which knows the function and its parameters."""
        inner = Scope(function.scope, function.key, function)
        for parameter in function.parameters:
            inner = Scope(inner, f"{parameter.lstrip('$')}/0")
        for parameter in function.parameters:
            if parameter[0] == "$":
                inner = Scope(inner, parameter)
        function.code = self.compile(function.body, inner, is_last=True)

    # ------------------------------------------------------------ variables

    def binder(self, patterns: list[Pattern], scope: Scope) -> tuple[binding.Binder, Scope]:
        """How patterns take values apart, and the scope that knows their variables."""
        names: list[str] = []
        for pattern in patterns:
            names += [name for name in names_of(pattern) if name not in names]
        takers = [self.taker(pattern, scope) for pattern in patterns]
        is_plain = len(patterns) == 1 and isinstance(patterns[0], NamePattern)
        for name in names:
            scope = Scope(scope, f"${name}")
        return binding.Binder(names, takers, is_plain=is_plain), scope

    def taker(self, pattern: Pattern, scope: Scope) -> binding.Taker:
        if isinstance(pattern, NamePattern):
            return binding.name_taker(pattern.name)
        if isinstance(pattern, ArrayPattern):
            return binding.array_taker([self.taker(item, scope) for item in pattern.items])
        assert isinstance(pattern, RecordPattern)
        return binding.record_taker(
            [
                (
                    name,
                    self.compile(key, scope),
                    None if inner is None else self.taker(inner, scope),
                )
                for name, key, inner in pattern.items
            ]
        )

    def bind(self, node: Any, scope: Scope, is_last: bool) -> Code:
        source = self.compile(node.source, scope)
        binder, inner = self.binder(node.patterns, scope)
        body = self.compile(node.body, inner, is_last=is_last and binder.is_plain)
        return binding.bind(source, binder, body)

    def reduce(self, node: Any, scope: Scope, is_last: bool) -> Code:
        source, start = self.compile(node.source, scope), self.compile(node.start, scope)
        binder, inner = self.binder(node.patterns, scope)
        return binding.reduced(source, binder, start, self.compile(node.update, inner))

    def foreach(self, node: Any, scope: Scope, is_last: bool) -> Code:
        source, start = self.compile(node.source, scope), self.compile(node.start, scope)
        binder, inner = self.binder(node.patterns, scope)
        update = self.compile(node.update, inner)
        extract = combine.IDENTITY if node.extract is None else self.compile(node.extract, inner)
        return binding.iterated(source, binder, start, update, extract)

    def label(self, node: Any, scope: Scope, is_last: bool) -> Code:
        return combine.labelled(self.compile(node.body, Scope(scope, f"*label-{node.name}")))

    def break_to(self, node: Any, scope: Scope, is_last: bool) -> Code:
        found = scope.find(f"*label-{node.name}")
        if found is None:
            return self.undefined(f"$*label-{node.name}", node.at)
        take = value_at(scope.depth - found.depth)

        def leave(value: Value, env: Env) -> Value:
            raise Break(take(env))

        return Code(maybe=leave, paths=lambda path, value, env: leave(value, env))

    # ------------------------------------------------------------ the rest

    def pipe(self, node: Any, scope: Scope, is_last: bool) -> Code:
        *before, last = node.parts
        codes = [self.compile(part, scope) for part in before]
        # Only what follows a single result is the last thing that is done.
        is_single = all(code.one is not None for code in codes)
        made = self.compile(last, scope, is_last=is_last and is_single)
        for code in reversed(codes):
            made = combine.piped(code, made)
        return made

    def comma(self, node: Any, scope: Scope, is_last: bool) -> Code:
        *before, last = node.parts
        codes = [self.compile(part, scope) for part in before]
        return combine.one_by_one([*codes, self.compile(last, scope, is_last=is_last)])

    def condition(self, node: Any, scope: Scope, is_last: bool) -> Code:
        test = self.compile(node.condition, scope)
        is_last = is_last and test.one is not None
        return combine.branch(
            test,
            self.compile(node.yes, scope, is_last=is_last),
            self.compile(node.no, scope, is_last=is_last),
        )

    def attempt(self, node: Any, scope: Scope, is_last: bool) -> Code:
        handler = None if node.handler is None else self.compile(node.handler, scope)
        return combine.attempt(self.compile(node.body, scope), handler)

    def binary(self, node: Any, scope: Scope, is_last: bool) -> Code:
        left, right = self.compile(node.left, scope), self.compile(node.right, scope)
        if node.operator in ("and", "or"):
            return construct.logic(node.operator, left, right)
        return construct.operation(node.operator, left, right)

    def slice(self, node: Any, scope: Scope, is_last: bool) -> Code:
        none = construct.literal(None)
        start = none if node.start is None else self.compile(node.start, scope)
        end = none if node.end is None else self.compile(node.end, scope)
        return construct.indexed(self.compile(node.term, scope), construct.slice_key(start, end))

    def record(self, node: Any, scope: Scope, is_last: bool) -> Code:
        return construct.record(
            [(self.compile(key, scope), self.compile(item, scope)) for key, item in node.pairs]
        )

    def interpolated(self, node: Any, scope: Scope, is_last: bool) -> Code:
        parts = [
            part if isinstance(part, str) else self.compile(part, scope) for part in node.parts
        ]
        return construct.text(format_named(node.format), parts)

    def negated(self, node: Any, scope: Scope, is_last: bool) -> Code:
        term = self.compile(node.term, scope)
        if term.constant.__class__ in (int, float):
            return construct.literal(negative(term.constant))
        return native(lambda _, value: negative(value), [term])


KINDS: dict[type[Node], Callable[[Compiler, Any, Scope, bool], Code]] = {
    Identity: lambda make, node, scope, is_last: combine.IDENTITY,
    Literal: lambda make, node, scope, is_last: construct.literal(node.value),
    Format: lambda make, node, scope, is_last: native(format_named(node.name), []),
    Index: lambda make, node, scope, is_last: construct.indexed(
        make.compile(node.term, scope), make.compile(node.key, scope)
    ),
    Each: lambda make, node, scope, is_last: construct.iterated(make.compile(node.term, scope)),
    Collect: lambda make, node, scope, is_last: construct.collected(
        make.compile(node.body, scope)
    ),
    Otherwise: lambda make, node, scope, is_last: combine.otherwise(
        make.compile(node.left, scope), make.compile(node.right, scope)
    ),
    Assign: lambda make, node, scope, is_last: assign(
        node.operator, make.compile(node.left, scope), make.compile(node.right, scope)
    ),
    Binary: Compiler.binary, Bind: Compiler.bind, BreakTo: Compiler.break_to,
    Comma: Compiler.comma, Define: Compiler.define, Foreach: Compiler.foreach,
    If: Compiler.condition, Invoke: Compiler.invoke, Label: Compiler.label,
    Negative: Compiler.negated, Pipe: Compiler.pipe, Record: Compiler.record,
    Reduce: Compiler.reduce, Slice: Compiler.slice, Text: Compiler.interpolated,
    Try: Compiler.attempt, Variable: Compiler.variable,
}  # fmt: skip
