"""The compiler: turns the tree of a program into a Filter, with one function per type of node.

`is_last` says whether a node is in tail position, where a call becomes a TailCall.
"""

from __future__ import annotations

import keysh.tools.jq.compile.binding as binding
import keysh.tools.jq.compile.combine as combine
import keysh.tools.jq.compile.construct as construct
from keysh.tools.jq.compile.assignment import compile_assignment
from keysh.tools.jq.compile.call import compile_argument, compile_call
from keysh.tools.jq.compile.code import Filter, native_filter
from keysh.tools.jq.compile.failure import JqProgramError, LabelBreak, located_message
from keysh.tools.jq.compile.scope import JqFunction, JqScope, value_getter
from keysh.tools.jq.library.format import formatter_for
from keysh.tools.jq.library.library import bounded_filter, builtin_filter
from keysh.tools.jq.parse.parser import parse_program
from keysh.tools.jq.parse.syntax import (
    Alternative,
    ArrayConstruction,
    ArrayPattern,
    Assign,
    Binary,
    Bind,
    BreakTo,
    Comma,
    Define,
    DestructuringPattern,
    Foreach,
    Format,
    Identity,
    If,
    Index,
    InterpolatedString,
    Invoke,
    Iteration,
    JqNode,
    Label,
    Literal,
    NamePattern,
    Negative,
    ObjectConstruction,
    ObjectPattern,
    Pipe,
    Reduce,
    Slice,
    Try,
    Variable,
    pattern_names,
)
from keysh.tools.jq.values.arithmetic import negate

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from keysh.tools.jq.compile.code import Env, Value


class JqCompiler:
    """Compiles one program."""

    __slots__ = ("messages", "prelude", "text", "variables")

    def __init__(self, text: str) -> None:
        self.text = text
        self.messages: list[str] = []
        self.variables: list[tuple[str, int]] = []  # the external variables it reads, and where
        self.prelude: dict[str, JqFunction] = {}  # library functions written in jq

    def compile(self, node: JqNode, scope: JqScope, *, is_last: bool = False) -> Filter:
        """Compile a node."""
        return NODE_COMPILERS[node.__class__](self, node, scope, is_last)

    def compile_program(self, tree: JqNode, root: JqScope) -> Filter:
        """Compile the whole program; raises JqProgramError."""
        code = self.compile(tree, root)
        if self.messages:
            raise JqProgramError(self.messages)
        return code

    def report_undefined(self, name: str, offset: int) -> Filter:
        """Note an undefined name; the compiler reports all of them at once."""
        self.messages.append(located_message(self.text, f"{name} is not defined", offset))
        return combine.EMPTY

    # ------------------------------------------------------------ names

    def variable(self, node: Any, scope: JqScope, is_last: bool) -> Filter:
        definition = scope.find(f"${node.name}")
        if definition is not None:
            take = value_getter(scope.depth - definition.depth)
            return Filter(one=lambda value, env: take(env))
        name = node.name
        self.variables.append((name, node.at))
        return Filter(one=lambda value, env: env[2].variable(name))

    def invoke(self, node: Any, scope: JqScope, is_last: bool) -> Filter:
        name = f"{node.name}/{len(node.arguments)}"
        arguments = [self.compile(one, scope) for one in node.arguments]
        definition = scope.find(name)
        if definition is not None and definition.function is None:
            return compile_argument(value_getter(scope.depth - definition.depth))
        if definition is None:
            library_filter = builtin_filter(name, arguments)
            if isinstance(library_filter, Filter):
                return library_filter
            if library_filter is None:
                return self.report_undefined(name, node.at)
            function, depth = self.prelude_function(name, library_filter), 0
        else:
            assert definition.function is not None
            function, depth = definition.function, definition.function.scope.depth
        return compile_call(function, arguments, scope.depth - depth, is_last=is_last)

    def prelude_function(self, name: str, definition: str) -> JqFunction:
        """Return a library function written in jq, compiled when the program first calls it."""
        function = self.prelude.get(name)
        if function is None:
            inner = JqCompiler(definition)
            inner.prelude = self.prelude
            node: Any = parse_program(definition)
            function = JqFunction(node.name, node.parameters, node.body, JqScope(None, ""))
            self.prelude[name] = function
            inner.define_function(function)
        return function

    def define(self, node: Any, scope: JqScope, is_last: bool) -> Filter:
        function = JqFunction(node.name, node.parameters, node.body, scope)
        self.define_function(function)
        return self.compile(node.rest, JqScope(scope, function.key, function), is_last=is_last)

    def define_function(self, function: JqFunction) -> None:
        """Compile a function's body, in which the function and its parameters are in scope."""
        inner = JqScope(function.scope, function.key, function)
        for parameter in function.parameters:
            inner = JqScope(inner, f"{parameter.lstrip('$')}/0")
        for parameter in function.parameters:
            if parameter[0] == "$":
                inner = JqScope(inner, parameter)
        function.code = self.compile(function.body, inner, is_last=True)

    # ------------------------------------------------------------ variables

    def binder(
        self, patterns: list[DestructuringPattern], scope: JqScope
    ) -> tuple[binding.Binder, JqScope]:
        """Compile destructuring patterns; returns them with the scope of their variables."""
        names: list[str] = []
        for pattern in patterns:
            names += [name for name in pattern_names(pattern) if name not in names]
        destructurers = [self.destructurer(pattern, scope) for pattern in patterns]
        is_plain = len(patterns) == 1 and isinstance(patterns[0], NamePattern)
        for name in names:
            scope = JqScope(scope, f"${name}")
        return binding.Binder(names, destructurers, is_plain=is_plain), scope

    def destructurer(self, pattern: DestructuringPattern, scope: JqScope) -> binding.Destructurer:
        if isinstance(pattern, NamePattern):
            return binding.name_destructurer(pattern.name)
        if isinstance(pattern, ArrayPattern):
            return binding.array_destructurer(
                [self.destructurer(item, scope) for item in pattern.items]
            )
        assert isinstance(pattern, ObjectPattern)
        return binding.object_destructurer(
            [
                (
                    name,
                    self.compile(key, scope),
                    None if inner is None else self.destructurer(inner, scope),
                )
                for name, key, inner in pattern.items
            ]
        )

    def bind(self, node: Any, scope: JqScope, is_last: bool) -> Filter:
        source = self.compile(node.source, scope)
        binder, inner = self.binder(node.patterns, scope)
        body = self.compile(node.body, inner, is_last=is_last and binder.is_plain)
        return binding.compile_bind(source, binder, body)

    def reduce(self, node: Any, scope: JqScope, is_last: bool) -> Filter:
        source, start = self.compile(node.source, scope), self.compile(node.start, scope)
        binder, inner = self.binder(node.patterns, scope)
        return binding.compile_reduce(source, binder, start, self.compile(node.update, inner))

    def foreach(self, node: Any, scope: JqScope, is_last: bool) -> Filter:
        source, start = self.compile(node.source, scope), self.compile(node.start, scope)
        binder, inner = self.binder(node.patterns, scope)
        update = self.compile(node.update, inner)
        extract = combine.IDENTITY if node.extract is None else self.compile(node.extract, inner)
        return binding.compile_foreach(source, binder, start, update, extract)

    def label(self, node: Any, scope: JqScope, is_last: bool) -> Filter:
        return combine.compile_label(self.compile(node.body, JqScope(scope, f"*label-{node.name}")))

    def break_to(self, node: Any, scope: JqScope, is_last: bool) -> Filter:
        definition = scope.find(f"*label-{node.name}")
        if definition is None:
            return self.report_undefined(f"$*label-{node.name}", node.at)
        take = value_getter(scope.depth - definition.depth)

        def leave(value: Value, env: Env) -> Value:
            raise LabelBreak(take(env))

        return Filter(maybe=leave, paths=lambda path, value, env: leave(value, env))

    # ------------------------------------------------------------ operators and terms

    def pipe(self, node: Any, scope: JqScope, is_last: bool) -> Filter:
        *before, last = node.parts
        codes = [self.compile(part, scope) for part in before]
        # The last part is in tail position only if nothing before it can have more results.
        is_single = all(code.one is not None for code in codes)
        result = self.compile(last, scope, is_last=is_last and is_single)
        for code in reversed(codes):
            result = combine.compile_pipe(code, result)
        return result

    def comma(self, node: Any, scope: JqScope, is_last: bool) -> Filter:
        *before, last = node.parts
        codes = [self.compile(part, scope) for part in before]
        return combine.compile_comma([*codes, self.compile(last, scope, is_last=is_last)])

    def condition(self, node: Any, scope: JqScope, is_last: bool) -> Filter:
        test = self.compile(node.condition, scope)
        is_last = is_last and test.one is not None
        return combine.compile_if(
            test,
            self.compile(node.yes, scope, is_last=is_last),
            self.compile(node.no, scope, is_last=is_last),
        )

    def attempt(self, node: Any, scope: JqScope, is_last: bool) -> Filter:
        handler = None if node.handler is None else self.compile(node.handler, scope)
        return combine.compile_try(self.compile(node.body, scope), handler)

    def binary(self, node: Any, scope: JqScope, is_last: bool) -> Filter:
        left, right = self.compile(node.left, scope), self.compile(node.right, scope)
        if node.operator in ("and", "or"):
            return construct.compile_logic(node.operator, left, right)
        return construct.compile_operation(node.operator, left, right)

    def slice(self, node: Any, scope: JqScope, is_last: bool) -> Filter:
        none = construct.compile_literal(None)
        start = none if node.start is None else self.compile(node.start, scope)
        end = none if node.end is None else self.compile(node.end, scope)
        return construct.compile_index(
            self.compile(node.term, scope), construct.compile_slice_key(start, end)
        )

    def object(self, node: Any, scope: JqScope, is_last: bool) -> Filter:
        return construct.compile_object(
            [(self.compile(key, scope), self.compile(item, scope)) for key, item in node.pairs]
        )

    def interpolation(self, node: Any, scope: JqScope, is_last: bool) -> Filter:
        parts = [
            part if isinstance(part, str) else self.compile(part, scope) for part in node.parts
        ]
        return construct.compile_string(formatter_for(node.format), parts)

    def negation(self, node: Any, scope: JqScope, is_last: bool) -> Filter:
        term = self.compile(node.term, scope)
        if term.constant.__class__ in (int, float):
            return construct.compile_literal(negate(term.constant))
        return native_filter(lambda _, value: negate(value), [term])


NODE_COMPILERS: dict[type[JqNode], Callable[[JqCompiler, Any, JqScope, bool], Filter]] = {
    Identity: lambda make, node, scope, is_last: combine.IDENTITY,
    Literal: lambda make, node, scope, is_last: construct.compile_literal(node.value),
    Format: lambda make, node, scope, is_last: bounded_filter(formatter_for(node.name), []),
    Index: lambda make, node, scope, is_last: construct.compile_index(
        make.compile(node.term, scope), make.compile(node.key, scope)
    ),
    Iteration: lambda make, node, scope, is_last: construct.compile_iteration(
        make.compile(node.term, scope)
    ),
    ArrayConstruction: lambda make, node, scope, is_last: construct.compile_array(
        make.compile(node.body, scope)
    ),
    Alternative: lambda make, node, scope, is_last: combine.compile_alternative(
        make.compile(node.left, scope), make.compile(node.right, scope)
    ),
    Assign: lambda make, node, scope, is_last: compile_assignment(
        node.operator, make.compile(node.left, scope), make.compile(node.right, scope)
    ),
    Binary: JqCompiler.binary, Bind: JqCompiler.bind, BreakTo: JqCompiler.break_to,
    Comma: JqCompiler.comma, Define: JqCompiler.define, Foreach: JqCompiler.foreach,
    If: JqCompiler.condition, Invoke: JqCompiler.invoke, Label: JqCompiler.label,
    Negative: JqCompiler.negation, Pipe: JqCompiler.pipe, ObjectConstruction: JqCompiler.object,
    Reduce: JqCompiler.reduce, Slice: JqCompiler.slice,
    InterpolatedString: JqCompiler.interpolation,
    Try: JqCompiler.attempt, Variable: JqCompiler.variable,
}  # fmt: skip
