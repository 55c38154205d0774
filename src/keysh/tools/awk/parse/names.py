"""Find out what each name of a program stands for before it is compiled.

A name is an array if it is used as one, or passed to a function that uses it as one.
A variable or an array is *numeric* if only numbers are ever assigned to it. The compiler then does
arithmetic without conversions. An unset variable holds UNSET, which is a float.
"""

from __future__ import annotations

import keysh.tools.awk.parse.tree as tree
from keysh.tools.awk.parse.lexer import AwkProgramError
from keysh.tools.awk.run.registers import (
    ARRAY_VARIABLES,
    NUMBER_VARIABLES,
    SCALAR_VARIABLES,
    TEXT_VARIABLES,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import TypeAlias

    Key: TypeAlias = tuple[str, str]  # the function if it is a parameter, else empty; and the name

# The positions of arguments that are arrays, and of those used as text only.
ARRAY_ARGUMENTS = {
    "split": (1, 3), "match": (2,), "patsplit": (1, 3), "asort": (0, 1), "asorti": (0, 1),
    "isarray": (),
}  # fmt: skip
TEXT_ARGUMENTS = {
    "index": (0, 1), "match": (0,), "split": (0,), "substr": (0,), "tolower": (0,), "toupper": (0,),
}  # fmt: skip
TEXT_FUNCTIONS = {"gensub", "sprintf", "strftime", "substr", "tolower", "toupper", "typeof"}
INDIRECT_CALLERS = (tree.IndirectCall, tree.Builtin, tree.ForIn)  # nodes that may call by name
NUMERIC_NODES = (
    tree.Number, tree.Arithmetic, tree.Increment, tree.Unary, tree.Comparison, tree.Match,
    tree.Membership, tree.Logical, tree.Getline, tree.RegexLiteral,
)  # fmt: skip


class NameAnalysis:
    """What the names of a program stand for. `open_names` may be assigned from outside."""

    def __init__(self, program: tree.Program, open_names: Iterable[str]) -> None:
        self.program, self.assigned_outside = program, frozenset(open_names)
        self.functions = {function.name: function for function in program.functions}
        self.mentioned: set[str] = set()
        self.arrays: set[Key] = {("", name) for name in ARRAY_VARIABLES}
        self.variables: set[str] = set()  # global ones except special variables
        self._nodes = list(self.nodes_by_scope())
        self.collect_names()
        self.find_arrays()
        self.is_open = "ARGV" in self.mentioned
        self.open_names = self.variables & self.assigned_outside
        if self.is_open:
            self.open_names = set(self.variables)
        self.calls_by_name = self.may_call_by_name()
        self.numeric: set[Key] = set()
        self.find_numeric()
        self.textual = set(self.find_textual())
        self.recursive = self.find_recursive()

    def nodes_by_scope(self) -> Iterator[tuple[str, tree.Node]]:
        """Yield every node with the function that contains it."""
        program = self.program
        parts: list[tree.Node] = [
            *program.begin, *program.begin_file, *program.rules, *program.end_file, *program.end,
        ]  # fmt: skip
        for part in parts:
            for node in part.walk():
                yield "", node
        for function in program.functions:
            for node in function.body.walk():
                yield function.name, node

    def key(self, function: str, name: str) -> Key:
        """Return the key of the variable that a name refers to in a function."""
        is_local = function and name in self.functions[function].parameters
        return (function, name) if is_local else ("", name)

    # ------------------------------------------------------------ kinds

    def collect_names(self) -> None:
        for scope, node in self._nodes:
            if isinstance(node, tree.Name):
                key = self.key(scope, node.name)
                if not key[0]:
                    self.mentioned.add(node.name)
                    if node.name not in SCALAR_VARIABLES and node.name not in ARRAY_VARIABLES:
                        self.variables.add(node.name)
            elif isinstance(node, tree.Call):
                self.check_call(scope, node)
        conflicts = self.variables & self.functions.keys()
        if conflicts:
            name = min(conflicts)
            line = self.functions[name].line
            message = f"error: function `{name}' called with space between name and `(',"
            raise AwkProgramError(f"cmd. line:{line}: {message}\nor used as a variable or an array")
        self.is_dynamic = "IGNORECASE" in self.mentioned | self.assigned_outside
        self.compares_by_machine = (
            self.is_dynamic or "CONVFMT" in self.mentioned | self.assigned_outside
        )

    def check_call(self, scope: str, call: tree.Call) -> None:
        prefix = f"cmd. line:{call.line}: fatal: "
        function = self.functions.get(call.name)
        if scope and call.name in self.functions[scope].parameters:
            message = f"error: attempt to use non-function `{call.name}' in function call"
            raise AwkProgramError(f"cmd. line:{call.line}: {message}")
        if function is None:
            raise AwkProgramError(f"{prefix}function `{call.name}' not defined")
        if len(call.arguments) > len(function.parameters):
            raise AwkProgramError(
                f"{prefix}function `{call.name}' called with more arguments than declared"
            )

    def find_arrays(self) -> None:
        """Find names used as arrays, then names that exchange values with these in calls.

        Both directions count: an argument of an array parameter is an array, and a parameter that
        receives an array is one. Repeat until nothing changes.
        """
        passed: list[tuple[Key, Key]] = []
        for scope, node in self._nodes:
            if isinstance(node, tree.Call):
                parameters = self.functions[node.name].parameters
                for argument, parameter in zip(node.arguments, parameters, strict=False):
                    if isinstance(argument, tree.Name):
                        passed.append((self.key(scope, argument.name), (node.name, parameter)))
            self.arrays.update(
                self.key(scope, array.name)
                for array in arrays_of(node)
                if isinstance(array, tree.Name)
            )
        count = -1
        while count != len(self.arrays):
            count = len(self.arrays)
            for pair in passed:
                if not self.arrays.isdisjoint(pair):
                    self.arrays.update(pair)
        self.variables -= {name for function, name in self.arrays if not function}
        for name in SCALAR_VARIABLES:
            if ("", name) in self.arrays:
                raise AwkProgramError(f"fatal: attempt to use scalar `{name}' as an array")

    def kind_conflict(self, function: str, name: str, line: int) -> AwkProgramError:
        """Return the error for a name used both ways. Its first use decides what it is."""
        key = self.key(function, name)
        array_nodes = {id(array) for _, node in self._nodes for array in arrays_of(node)}
        is_array = next(
            id(node) in array_nodes
            for scope, node in self._nodes
            if isinstance(node, tree.Name) and self.key(scope, node.name) == key
        )
        message = "attempt to use array `{}' in a scalar context"
        if not is_array:
            message = "attempt to use scalar `{}' as an array"
        return AwkProgramError(f"cmd. line:{line}: fatal: {message.format(name)}")

    # ------------------------------------------------------------ numbers

    def find_numeric(self) -> None:
        """Assume that all names are numeric, and drop those assigned anything else."""
        assigned: list[tuple[Key, str, tree.Node | None]] = []  # None: unknown
        keys: set[Key] = set()
        received = self.passed_parameters()
        for scope, node in self._nodes:
            if isinstance(node, tree.Name):
                keys.add(self.key(scope, node.name))
            assigned += self.assignments(scope, node)
        numeric = {
            key
            for key in keys
            if key not in received
            and not (
                not key[0] and key[1] in (*SCALAR_VARIABLES, *ARRAY_VARIABLES, *self.open_names)
            )
        }
        self.numeric = numeric
        count = -1
        while count != len(numeric):
            count = len(numeric)
            for key, scope, value in assigned:
                if key in numeric and (value is None or self.kind(scope, value) != "number"):
                    numeric.discard(key)

    # ------------------------------------------------------------ texts

    def find_textual(self) -> Iterator[Key]:
        """Yield the names whose values are used only as text.

        For these it does not matter whether an assigned field looks like a number.
        """
        harmless: set[int] = set()  # nodes that use no value, or only its text
        for _, node in self._nodes:
            for child in texts_of(node):
                while isinstance(child, tree.Group):
                    child = child.inner
                harmless.add(id(child))
        valued: set[Key] = set()
        keys: set[Key] = set()
        for scope, node in self._nodes:
            base = node
            while isinstance(base, tree.Element):
                base = base.array
            if isinstance(base, tree.Name):
                key = self.key(scope, base.name)
                keys.add(key)
                if id(node) not in harmless:
                    valued.add(key)
        yield from keys - valued

    # ------------------------------------------------------------ calls

    def may_call_by_name(self) -> bool:
        """Return whether functions may be called by name, by `@name()` or as a comparison."""
        return "PROCINFO" in self.mentioned or any(
            isinstance(node, tree.IndirectCall)
            or (
                isinstance(node, tree.Builtin)
                and node.name in ("asort", "asorti")
                and len(node.arguments) > 2
            )
            for _, node in self._nodes
        )

    def passed_parameters(self) -> set[Key]:
        """Return the parameters that some call passes a value for."""
        if self.calls_by_name:
            return {(name, one) for name, f in self.functions.items() for one in f.parameters}
        return {
            (node.name, parameter)
            for _, node in self._nodes
            if isinstance(node, tree.Call)
            for _, parameter in zip(
                node.arguments, self.functions[node.name].parameters, strict=False
            )
        }

    def find_recursive(self) -> set[str]:
        """Return the functions that may call themselves, directly or not."""
        calls: dict[str, set[str]] = {name: set() for name in ("", *self.functions)}
        for scope, node in self._nodes:
            if isinstance(node, tree.Call):
                calls[scope].add(node.name)
            elif self.calls_by_name and isinstance(node, INDIRECT_CALLERS):
                calls[scope].update(self.functions)
        count = -1
        while count != (count := sum(map(len, calls.values()))):
            for callees in calls.values():
                callees.update(*[calls[name] for name in callees])
        return {name for name, callees in calls.items() if name in callees}

    def assignments(
        self, scope: str, node: tree.Node
    ) -> Iterator[tuple[Key, str, tree.Node | None]]:
        """Yield the names that a node assigns to, with the values. Elements count as arrays."""
        targets: list[tuple[tree.Node | None, tree.Node | None]] = []
        if isinstance(node, tree.Assign):
            targets.append((node.target, tree.Number(0, 0.0) if node.operator else node.value))
        elif isinstance(node, tree.Getline):
            targets.append((node.target, None))
        elif isinstance(node, tree.ForIn):
            targets.append((node.variable, None))
        elif isinstance(node, tree.Builtin):
            if node.name in ("sub", "gsub") and len(node.arguments) > 2:
                targets.append((node.arguments[2], None))
            places = ARRAY_ARGUMENTS.get(node.name, ())
            targets += [(node.arguments[i], None) for i in places if i < len(node.arguments)]
        elif isinstance(node, tree.Call | tree.IndirectCall):
            targets += [
                (argument, None) for argument in node.arguments if self.is_array(scope, argument)
            ]
        elif isinstance(node, tree.Element) and isinstance(node.array, tree.Element):
            targets.append((node.array, None))
        for target, value in targets:
            while isinstance(target, tree.Element):
                target = target.array
            if isinstance(target, tree.Name):
                yield self.key(scope, target.name), scope, value

    def is_array(self, scope: str, node: tree.Node) -> bool:
        """Return whether a node is an array, or an element that may be one."""
        if isinstance(node, tree.Name):
            return self.key(scope, node.name) in self.arrays
        return isinstance(node, tree.Element)

    def kind(self, scope: str, node: tree.Node) -> str:
        """Return the kind of an expression: "number", "text", "field" or "any"."""
        while isinstance(node, tree.Group):
            node = node.inner
        if isinstance(node, NUMERIC_NODES):
            is_typed = isinstance(node, tree.RegexLiteral) and node.is_typed
            return "any" if is_typed else "number"
        if isinstance(node, tree.String | tree.Concatenation):
            return "text"
        if isinstance(node, tree.Field):
            return "field"
        if isinstance(node, tree.Builtin):
            return "text" if node.name in TEXT_FUNCTIONS else "number"
        if isinstance(node, tree.Assign):
            return (
                "number" if node.operator else self.kind(scope, node.value).replace("field", "any")
            )
        if isinstance(node, tree.Conditional):
            kinds = {self.kind(scope, node.yes), self.kind(scope, node.no)}
            return kinds.pop() if len(kinds) == 1 else "any"
        if isinstance(node, tree.Element):
            array = node.array
            return self.kind_of_name(scope, array.name) if isinstance(array, tree.Name) else "any"
        return self.kind_of_name(scope, node.name) if isinstance(node, tree.Name) else "any"

    def kind_of_name(self, scope: str, name: str) -> str:
        key = self.key(scope, name)
        if not key[0]:
            if name in NUMBER_VARIABLES or name == "NF":
                return "number"
            if name in TEXT_VARIABLES:
                return "text"
        return "number" if key in self.numeric else "any"

    # ------------------------------------------------------------ assignments

    def targets(self, node: tree.Node) -> list[tree.Node]:
        """Return the targets that a node assigns to, including an implicit $0."""
        record = tree.Field(node.line, tree.Number(node.line, 0.0))
        if isinstance(node, tree.Assign | tree.Increment):
            return [node.target]
        if isinstance(node, tree.Getline):
            return [node.target or record]
        if isinstance(node, tree.ForIn):
            return [node.variable]
        if isinstance(node, tree.Builtin) and node.name in ("sub", "gsub"):
            return node.arguments[2:] or [record]
        return []

    def assigned_names(self, nodes: Iterable[tree.Node]) -> set[str]:
        """Return the names that nodes assign to."""
        return {
            target.name
            for node in nodes
            for target in self.targets(node)
            if isinstance(target, tree.Name)
        }

    def changes_record(self) -> bool:
        """Return whether the program assigns to fields, $0 or NF."""
        return any(
            isinstance(target, tree.Field)
            or (isinstance(target, tree.Name) and target.name == "NF")
            for _, node in self._nodes
            for target in self.targets(node)
        )


def arrays_of(node: tree.Node) -> list[tree.Node]:
    """Return the operands that a node uses as arrays."""
    if isinstance(node, tree.Element | tree.Membership | tree.ForIn | tree.Delete):
        return [node.array]
    if isinstance(node, tree.Builtin):
        places = ARRAY_ARGUMENTS.get(node.name, ())
        return [node.arguments[i] for i in places if i < len(node.arguments)]
    return []


def texts_of(node: tree.Node) -> list[tree.Node]:
    """Return the operands that a node uses only as text, or not at all."""
    if isinstance(node, tree.Print) and not node.is_formatted:
        return node.values
    if isinstance(node, tree.Concatenation):
        return node.parts
    if isinstance(node, tree.Element | tree.Delete):
        is_inner = isinstance(node.array, tree.Element)
        return node.keys if is_inner else [*node.keys, node.array]
    if isinstance(node, tree.Membership):
        return [*node.keys, node.array]
    if isinstance(node, tree.ForIn):
        return [node.array]
    if isinstance(node, tree.Builtin):
        return [node.arguments[i] for i in TEXT_ARGUMENTS.get(node.name, ())]
    if isinstance(node, tree.ExpressionStatement):
        expression = node.expression
        return (
            [expression.target]
            if isinstance(expression, tree.Assign) and not expression.operator
            else []
        )
    return []
