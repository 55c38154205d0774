"""The Python code of bc's expressions.

Variables are `v_…` and arrays `a_…`: globals of the code, or locals of a function where nothing
that it calls can see them (in bc a function sees the variables of its callers). Constants are
`k_…`, whose values follow ibase; a function keeps them as `c_…` where that may change meanwhile.
A place where something may go wrong has a number, its site.
"""

from __future__ import annotations

import keysh.tools.bc.tree as tree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from keysh.tools.bc.linking import Signature

MIN_CHAINED_OPERATORS = 6  # operators in a row, from which on each has a step of its own
OPERATOR_FUNCTIONS = {"*": "product", "/": "quotient", "%": "remainder", "^": "power"}


class BcExpressionCoder:
    """Makes the code of the expressions of an item or a function.

    `sites` has for each site its node and what is done there. `signatures` are those of the
    functions that are defined.
    """

    def __init__(self, signatures: Mapping[str, Signature]) -> None:
        self.signatures = signatures
        self.sites: list[tuple[tree.Node, str]] = []
        self.local_names: set[str] = set()  # names of the function's own, which are Python's locals
        self.assigned_globals: set[str] = set()  # globals that the code assigns
        self.temporaries = 0
        self.keeps_constants = False  # as they are when a function is called
        self.kept_constants: set[str] = set()
        self.depth_code = "0"  # of functions inside each other that a call makes

    def temporary(self) -> str:
        """A new name for a value in passing."""
        self.temporaries += 1
        return f"t{self.temporaries}"

    def site(self, node: tree.Node, deed: str = "") -> int:
        """The number of a place where something may go wrong."""
        self.sites.append((node, deed))
        return len(self.sites) - 1

    def variable(self, name: str) -> str:
        """The name of a variable that is assigned."""
        code = f"v_{name}"
        if code not in self.local_names:
            self.assigned_globals.add(code)
        return code

    # ------------------------------------------------------------ forms

    def value(self, node: tree.Node) -> str:
        """The code of an expression as a number."""
        if isinstance(node, tree.Logical) and node.operator == "&&":
            return self.logical_and(node)
        if isinstance(node, CONDITION_NODES):
            return f"(ONE if {self.truth(node)} else ZERO)"
        code: str = getattr(self, EXPRESSION_METHODS[node.__class__])(node)
        return code

    def logical_and(self, node: tree.Logical) -> str:
        """The code of `a && b` as a number: where it is 0 it is the one that is, with its scale."""
        name = self.temporary()
        right = f"(ONE if ({name} := {self.value(node.right)}) else {name})"
        return f"({right} if ({name} := {self.value(node.left)}) else {name})"

    def truth(self, node: tree.Node) -> str:
        """The code of an expression as a condition."""
        while isinstance(node, tree.Group):
            node = node.inner
        if isinstance(node, tree.Comparison):
            return f"{self.value(node.left)} {node.operator} {self.value(node.right)}"
        if isinstance(node, tree.Not):
            return f"not ({self.truth(node.operand)})"
        if isinstance(node, tree.Logical):
            return f"({self.logical_chain(node)})"
        return self.value(node)

    def logical_chain(self, node: tree.Logical) -> str:
        """`a && b && c` without the parentheses that it does not need."""
        parts = [node.right]
        left: tree.Node = node.left
        while isinstance(left, tree.Logical) and left.operator == node.operator:
            parts.append(left.right)
            left = left.left
        parts.append(left)
        word = " and " if node.operator == "&&" else " or "
        return word.join(f"({self.truth(part)})" for part in reversed(parts))

    # ------------------------------------------------------------ operands

    def of_constant(self, node: tree.Constant) -> str:
        if node.text in ("0", "1"):
            return "ONE" if node.text == "1" else "ZERO"
        name = node.text.replace(".", "p")
        if not self.keeps_constants:
            return f"k_{name}"
        self.kept_constants.add(name)
        return f"c_{name}"

    def of_name(self, node: tree.Name) -> str:
        return f"v_{node.name}"

    def of_special(self, node: tree.SpecialVariable) -> str:
        return "Decimal(scale)" if node.name == "scale" else f"m.special({node.name!r})"

    def of_element(self, node: tree.Element) -> str:
        return f"a_{node.name}[{self.index(node, 'load')}]"

    def index(self, node: tree.Element, deed: str) -> str:
        """The code of an index, which is in bounds."""
        if isinstance(node.index, tree.Constant) and node.index.text in ("0", "1"):
            return node.index.text
        return f"index({self.value(node.index)}, {self.site(node, deed)})"

    def of_group(self, node: tree.Group) -> str:
        return self.value(node.inner)

    def of_minus(self, node: tree.Negation) -> str:
        return f"minus({self.value(node.operand)})"

    # ------------------------------------------------------------ operators

    def of_arithmetic(self, node: tree.Arithmetic) -> str:
        row = [node]
        while isinstance(row[-1].left, tree.Arithmetic):
            row.append(row[-1].left)
        code = self.value(row[-1].left)
        if len(row) < MIN_CHAINED_OPERATORS:
            for one in reversed(row):
                code = self.calculation(one.operator, code, one.right, one)
            return code
        name = self.temporary()
        steps = [f"{name} := {code}"]
        steps += [
            f"{name} := {self.calculation(one.operator, name, one.right, one)}"
            for one in reversed(row)
        ]
        return f"({', '.join(steps)})[-1]"

    def calculation(self, operator: str, left: str, right: tree.Node, node: tree.Node) -> str:
        """The code of an operation."""
        if operator in "+-":
            return f"{'add' if operator == '+' else 'subtract'}({left}, {self.value(right)})"
        second = self.value(right)
        return f"{OPERATOR_FUNCTIONS[operator]}({left}, {second}, scale, {self.site(node, 'calculate')})"

    def of_assign(self, node: tree.Assign) -> str:
        target = node.target
        if isinstance(target, tree.Element):
            if not node.operator:
                key = self.value(target.index)
                value = self.value(node.value)
                return f"put(a_{target.name}, {key}, {value}, {self.site(node, 'store')})"
            name = self.temporary()
            key = f"({name} := {self.index(target, 'load')})"
            old = f"a_{target.name}[{name}]"
            return self.put(target, key, self.calculation(node.operator, old, node.value, node))
        value = self.assigned_value(node)
        if isinstance(target, tree.SpecialVariable):
            return f"m.assign({target.name!r}, {value}, {self.site(node, 'store')})"
        assert isinstance(target, tree.Name)
        return f"({self.variable(target.name)} := {value})"

    def assigned_value(self, node: tree.Assign) -> str:
        """The code of what is assigned to a variable."""
        if not node.operator:
            return self.value(node.value)
        return self.calculation(node.operator, self.value(node.target), node.value, node)

    def put(self, target: tree.Element, key: str, value: str) -> str:
        """The code that sets an element."""
        return f"a_{target.name}.put({key}, {value})"

    def of_step(self, node: tree.Increment) -> str:
        target = node.target
        function = "add" if node.operator == "+" else "subtract"
        if isinstance(target, tree.SpecialVariable):
            return (
                f"m.step({target.name!r}, {node.operator!r}, {node.is_prefix}, {self.site(node)})"
            )
        if isinstance(target, tree.Element):
            name = self.temporary()
            key = f"({name} := {self.index(target, 'load')})"
            if node.is_prefix:
                return self.put(target, key, f"{function}(a_{target.name}[{name}], ONE)")
            value = self.temporary()
            new = self.put(target, name, f"{function}({value}, ONE)")
            return f"(({value} := a_{target.name}[{key}]), {new})[0]"
        assert isinstance(target, tree.Name)
        code = self.variable(target.name)
        step = f"({code} := {function}({code}, ONE))"
        return step if node.is_prefix else f"({code}, {step})[0]"

    # ------------------------------------------------------------ calls

    def of_builtin(self, node: tree.Builtin) -> str:
        if node.argument is None:
            return f"m.{node.name}()"
        argument = self.value(node.argument)
        if node.name == "sqrt":
            return f"root({argument}, scale, {self.site(node)})"
        return f"{'length' if node.name == 'length' else 'places'}({argument})"

    def of_call(self, node: tree.Call) -> str:
        signature = self.signatures.get(node.name)
        codes = []
        for i, argument in enumerate(node.arguments):
            if not isinstance(argument, tree.WholeArray):
                codes.append(self.value(argument))
            elif signature is not None and i < len(signature) and signature[i] == "[]":
                codes.append(f"a_{argument.name}.copy()")
            else:
                codes.append(f"a_{argument.name}")
        forms = ["[]" if isinstance(one, tree.WholeArray) else "" for one in node.arguments]
        if signature is None or [form.removeprefix("*") for form in signature] != forms:
            given = "".join(f"{code}, " for code in codes)
            message, deed = refusal(node.name, signature, forms)
            return f"refuse({message!r}, {self.site(node, deed)}, ({given}))"
        return f"f_{node.name}({', '.join([self.depth_code, *codes])})"


def refusal(name: str, signature: Signature | None, forms: list[str]) -> tuple[str, str]:
    """Why there can be no call with arguments of these forms, and where that shows."""
    if signature is None:
        return f"Function {name} not defined.", "call"
    for i, (due, form) in enumerate(zip(signature, forms, strict=False)):
        if due.removeprefix("*") != form:
            return f"Parameter type mismatch, parameter {i + 1}.", f"argument {i}"
    return "Parameter number mismatch", f"argument {min(len(signature), len(forms))}"


CONDITION_NODES = (tree.Comparison, tree.Not, tree.Logical)
EXPRESSION_METHODS = {
    tree.Constant: "of_constant", tree.Name: "of_name", tree.SpecialVariable: "of_special",
    tree.Element: "of_element", tree.Arithmetic: "of_arithmetic", tree.Negation: "of_minus",
    tree.Group: "of_group", tree.Assign: "of_assign", tree.Increment: "of_step", tree.Call: "of_call",
    tree.Builtin: "of_builtin",
}  # fmt: skip
