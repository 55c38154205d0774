"""Names: what each name of a program stands for, found out before it is compiled.

A name is an array where it is used as one, or where it is passed to a function that uses it so.
A variable or an array is *numeric* where all that is ever assigned to it are numbers: the compiler
then does arithmetic with it as it stands. Unset, such a variable holds UNSET, which is a float.
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

    Key: TypeAlias = tuple[str, str]  # the function whose parameter it is, or none; the name

ARRAY_ARGUMENTS = {"split": (1, 3), "match": (2,), "patsplit": (1, 3), "asort": (0, 1),
                "asorti": (0, 1), "isarray": ()}  # fmt: skip
TEXT_ARGUMENTS = {"index": (0, 1), "match": (0,), "split": (0,), "substr": (0,), "tolower": (0,),
               "toupper": (0,)}  # fmt: skip
TEXT_FUNCTIONS = {"gensub", "sprintf", "strftime", "substr", "tolower", "toupper", "typeof"}
INDIRECT_CALLERS = (tree.IndirectCall, tree.Builtin, tree.ForIn)  # if anything does so
NUMERIC_NODES = (tree.Number, tree.Arithmetic, tree.Increment, tree.Unary, tree.Comparison, tree.Match,
            tree.Membership, tree.Logical, tree.Getline, tree.RegexLiteral)  # fmt: skip


class NameAnalysis:
    """What the names of a program stand for. `open_names` may be assigned from outside."""

    def __init__(self, program: tree.Program, open_names: Iterable[str]) -> None:
        self.program, self.assigned_outside = program, frozenset(open_names)
        self.functions = {function.name: function for function in program.functions}
        self.mentioned: set[str] = set()
        self.arrays: set[Key] = {("", name) for name in ARRAY_VARIABLES}
        self.variables: set[str] = set()  # global ones, without the special ones
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
        """Every node, with the function it stands in."""
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
        """Which of the variables of this name is meant in a function."""
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
        both = self.variables & self.functions.keys()
        if both:
            name = min(both)
            line = self.functions[name].line
            says = f"error: function `{name}' called with space between name and `(',"
            raise AwkProgramError(f"cmd. line:{line}: {says}\nor used as a variable or an array")
        self.is_dynamic = "IGNORECASE" in self.mentioned | self.assigned_outside
        self.compares_by_machine = (
            self.is_dynamic or "CONVFMT" in self.mentioned | self.assigned_outside
        )

    def check_call(self, scope: str, call: tree.Call) -> None:
        place = f"cmd. line:{call.line}: fatal: "
        function = self.functions.get(call.name)
        if scope and call.name in self.functions[scope].parameters:
            says = f"error: attempt to use non-function `{call.name}' in function call"
            raise AwkProgramError(f"cmd. line:{call.line}: {says}")
        if function is None:
            raise AwkProgramError(f"{place}function `{call.name}' not defined")
        if len(call.arguments) > len(function.parameters):
            raise AwkProgramError(
                f"{place}function `{call.name}' called with more arguments than declared"
            )

    def find_arrays(self) -> None:
        """Names that are used as arrays; then those that are passed where an array is due, or
        that receive one, until there are no more.
        """
        passed: list[tuple[Key, Key]] = []
        for scope, node in self._nodes:
            if isinstance(node, tree.Call):
                parameters = self.functions[node.name].parameters
                for argument, parameter in zip(node.arguments, parameters, strict=False):
                    if isinstance(argument, tree.Name):
                        passed.append((self.key(scope, argument.name), (node.name, parameter)))
            self.arrays.update(
                self.key(scope, one.name) for one in arrays_of(node) if isinstance(one, tree.Name)
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
        """What is wrong with a name that stands for both: its first use says what it is."""
        key = self.key(function, name)
        of_arrays = {id(one) for _, node in self._nodes for one in arrays_of(node)}
        is_array = next(
            id(node) in of_arrays
            for scope, node in self._nodes
            if isinstance(node, tree.Name) and self.key(scope, node.name) == key
        )
        says = "attempt to use array `{}' in a scalar context"
        if not is_array:
            says = "attempt to use scalar `{}' as an array"
        return AwkProgramError(f"cmd. line:{line}: fatal: {says.format(name)}")

    # ------------------------------------------------------------ numbers

    def find_numeric(self) -> None:
        """All are taken for numeric first, and dropped where something else is assigned."""
        assigned: list[tuple[Key, str, tree.Node | None]] = []  # None: something unknown
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
        """Names whose values nobody asks for more than their text: it does not matter whether a
        field that is assigned to them looks like a number.
        """
        seen: set[int] = set()  # nodes that are no use of a value, or the use of its text only
        for _, node in self._nodes:
            for one in texts_of(node):
                while isinstance(one, tree.Group):
                    one = one.inner
                seen.add(id(one))
        used: set[Key] = set()
        found: set[Key] = set()
        for scope, node in self._nodes:
            base = node
            while isinstance(base, tree.Element):
                base = base.array
            if isinstance(base, tree.Name):
                key = self.key(scope, base.name)
                found.add(key)
                if id(node) not in seen:
                    used.add(key)
        yield from found - used

    # ------------------------------------------------------------ what is passed

    def may_call_by_name(self) -> bool:
        """Whether a function may be called by a name that only the run knows: by `@name()`, or
        to compare the elements of an array.
        """
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
        """Parameters that some call gives a value."""
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
        """The functions that may come to call themselves."""
        called: dict[str, set[str]] = {name: set() for name in ("", *self.functions)}
        for scope, node in self._nodes:
            if isinstance(node, tree.Call):
                called[scope].add(node.name)
            elif self.calls_by_name and isinstance(node, INDIRECT_CALLERS):
                called[scope].update(self.functions)
        count = -1
        while count != (count := sum(map(len, called.values()))):
            for found in called.values():
                found.update(*[called[name] for name in found])
        return {name for name, found in called.items() if name in found}

    def assignments(
        self, scope: str, node: tree.Node
    ) -> Iterator[tuple[Key, str, tree.Node | None]]:
        """What a node assigns, and to which names; an array's elements count as the array."""
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
        """Whether a node names an array, or an element that may be one."""
        if isinstance(node, tree.Name):
            return self.key(scope, node.name) in self.arrays
        return isinstance(node, tree.Element)

    def kind(self, scope: str, node: tree.Node) -> str:
        """What an expression yields: "number", "text", "field", "any"."""
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

    # ------------------------------------------------------------ what a program does

    def targets(self, node: tree.Node) -> list[tree.Node]:
        """What a node assigns to, $0 included where it says so without a word."""
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
        """The names that some code assigns to."""
        return {
            target.name
            for node in nodes
            for target in self.targets(node)
            if isinstance(target, tree.Name)
        }

    def changes_record(self) -> bool:
        """Whether fields, $0 or NF are ever assigned to."""
        return any(
            isinstance(target, tree.Field)
            or (isinstance(target, tree.Name) and target.name == "NF")
            for _, node in self._nodes
            for target in self.targets(node)
        )


def arrays_of(node: tree.Node) -> list[tree.Node]:
    """What a node uses as an array."""
    if isinstance(node, tree.Element | tree.Membership | tree.ForIn | tree.Delete):
        return [node.array]
    if isinstance(node, tree.Builtin):
        places = ARRAY_ARGUMENTS.get(node.name, ())
        return [node.arguments[i] for i in places if i < len(node.arguments)]
    return []


def texts_of(node: tree.Node) -> list[tree.Node]:
    """What a node asks for nothing but its text; and what it assigns to, or uses as an array."""
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
        made = node.expression
        return [made.target] if isinstance(made, tree.Assign) and not made.operator else []
    return []
