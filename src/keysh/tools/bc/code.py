"""Generate the Python code of bc's expressions.

Variables are `v_…` and arrays `a_…`: globals of the code, or locals of a function if no function
that it calls can refer to them (in bc a function sees the variables of its callers). Constants
are `k_…`, whose values follow ibase; a function copies them to `c_…` if ibase may change while
it runs.
"""

from __future__ import annotations

import keysh.tools.bc.tree as tree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from keysh.tools.bc.function_links import Signature

MIN_CHAINED_OPERATORS = 6  # a longer chain is one tuple of steps, not nested calls
OPERATOR_FUNCTIONS = {"*": "product", "/": "quotient", "%": "remainder", "^": "power"}


class BcExpressionCoder:
    """Generates the expressions of an item or a function.

    `signatures` holds those of the functions defined so far.
    """

    def __init__(self, signatures: Mapping[str, Signature]) -> None:
        self.signatures = signatures
        self.local_names: set[str] = set()  # generated names that are Python locals
        self.assigned_globals: set[str] = set()
        self.temporaries = 0
        self.keeps_constants = False  # whether constants keep their values during a call
        self.kept_constants: set[str] = set()
        self.depth_code = "0"  # the code of the depth that a call passes on

    def temporary(self) -> str:
        """Return a new name for an intermediate value."""
        self.temporaries += 1
        return f"t{self.temporaries}"

    def variable(self, name: str) -> str:
        """Return the generated name of a variable that is assigned, and record the assignment."""
        code = f"v_{name}"
        if code not in self.local_names:
            self.assigned_globals.add(code)
        return code

    # ------------------------------------------------------------ forms

    def value(self, node: tree.Node) -> str:
        """Return the code of an expression as a number."""
        if isinstance(node, tree.Logical) and node.operator == "&&":
            return self.logical_and(node)
        if isinstance(node, CONDITION_NODES):
            return f"(ONE if {self.truth(node)} else ZERO)"
        code: str = getattr(self, EXPRESSION_METHODS[node.__class__])(node)
        return code

    def logical_and(self, node: tree.Logical) -> str:
        """Return the code of `a && b` as a number: 1, or the operand that is 0 with its scale."""
        name = self.temporary()
        right = f"(ONE if ({name} := {self.value(node.right)}) else {name})"
        return f"({right} if ({name} := {self.value(node.left)}) else {name})"

    def truth(self, node: tree.Node) -> str:
        """Return the code of an expression as a condition."""
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
        """Return the code of `a && b && c` without redundant parentheses."""
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
        return f"a_{node.name}[{self.index(node)}]"

    def index(self, node: tree.Element) -> str:
        """Return the code of an index, which checks its bounds."""
        if isinstance(node.index, tree.Constant) and node.index.text in ("0", "1"):
            return node.index.text
        return f"index({self.value(node.index)}, {node.name!r})"

    def of_group(self, node: tree.Group) -> str:
        return self.value(node.inner)

    def of_negation(self, node: tree.Negation) -> str:
        return f"minus({self.value(node.operand)})"

    # ------------------------------------------------------------ operators

    def of_arithmetic(self, node: tree.Arithmetic) -> str:
        chain = [node]
        while isinstance(chain[-1].left, tree.Arithmetic):
            chain.append(chain[-1].left)
        code = self.value(chain[-1].left)
        if len(chain) < MIN_CHAINED_OPERATORS:
            for operation in reversed(chain):
                code = self.calculation(operation.operator, code, operation.right)
            return code
        name = self.temporary()
        steps = [f"{name} := {code}"]
        steps += [
            f"{name} := {self.calculation(operation.operator, name, operation.right)}"
            for operation in reversed(chain)
        ]
        return f"({', '.join(steps)})[-1]"

    def calculation(self, operator: str, left: str, right: tree.Node) -> str:
        """Return the code of an arithmetic operation."""
        if operator in "+-":
            return f"{'add' if operator == '+' else 'subtract'}({left}, {self.value(right)})"
        return f"{OPERATOR_FUNCTIONS[operator]}({left}, {self.value(right)}, scale)"

    def of_assign(self, node: tree.Assign) -> str:
        target = node.target
        if isinstance(target, tree.Element):
            if not node.operator:
                key = self.value(target.index)
                value = self.value(node.value)
                return f"put(a_{target.name}, {key}, {value}, {target.name!r})"
            name = self.temporary()
            key = f"({name} := {self.index(target)})"
            old = f"a_{target.name}[{name}]"
            return self.put(target, key, self.calculation(node.operator, old, node.value))
        value = self.assigned_value(node)
        if isinstance(target, tree.SpecialVariable):
            return f"m.assign({target.name!r}, {value})"
        assert isinstance(target, tree.Name)
        return f"({self.variable(target.name)} := {value})"

    def assigned_value(self, node: tree.Assign) -> str:
        """Return the code of the value that is assigned to a variable."""
        if not node.operator:
            return self.value(node.value)
        return self.calculation(node.operator, self.value(node.target), node.value)

    def put(self, target: tree.Element, key: str, value: str) -> str:
        """Return the code that sets an element."""
        return f"a_{target.name}.put({key}, {value})"

    def of_increment(self, node: tree.Increment) -> str:
        target = node.target
        function = "add" if node.operator == "+" else "subtract"
        if isinstance(target, tree.SpecialVariable):
            return f"m.step({target.name!r}, {node.operator!r}, {node.is_prefix})"
        if isinstance(target, tree.Element):
            name = self.temporary()
            key = f"({name} := {self.index(target)})"
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
            return f"root({argument}, scale)"
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
        forms = ["[]" if isinstance(each, tree.WholeArray) else "" for each in node.arguments]
        if signature is None or [form.removeprefix("*") for form in signature] != forms:
            arguments = "".join(f"{code}, " for code in codes)
            message = call_mismatch(node.name, signature, forms)
            return f"refuse({message!r}, ({arguments}))"
        return f"f_{node.name}({', '.join([self.depth_code, *codes])})"


def call_mismatch(name: str, signature: Signature | None, forms: list[str]) -> str:
    """Return the message for a call whose arguments have the wrong forms."""
    if signature is None:
        return f"Function {name} not defined."
    for i, (parameter, form) in enumerate(zip(signature, forms, strict=False)):
        if parameter.removeprefix("*") != form:
            return f"Parameter type mismatch, parameter {i + 1}."
    return "Parameter number mismatch"


CONDITION_NODES = (tree.Comparison, tree.Not, tree.Logical)
EXPRESSION_METHODS = {
    tree.Constant: "of_constant", tree.Name: "of_name", tree.SpecialVariable: "of_special",
    tree.Element: "of_element", tree.Arithmetic: "of_arithmetic", tree.Negation: "of_negation",
    tree.Group: "of_group", tree.Assign: "of_assign", tree.Increment: "of_increment",
    tree.Call: "of_call", tree.Builtin: "of_builtin",
}  # fmt: skip
