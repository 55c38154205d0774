"""Compile an item or a function of a bc program to a Python function.

def item():                     def f_name(v_x, a_y):
    global v_s, left                …
    v_s = add(v_s, k_12)            return ZERO
    show(v_s)
"""

from __future__ import annotations

import keysh.tools.bc.tree as tree
from keysh.text.cache import TextCache
from keysh.tools.bc.code import BcExpressionCoder
from keysh.tools.bc.function_links import generated_name, generated_parameter_name
from keysh.tools.bc.problem import AbandonProgram

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from types import CodeType

    from keysh.tools.bc.function_links import FunctionTable, Signature

CALLS_PER_STACK = 300  # nested calls that one Python stack has room for
CODES = TextCache(20)  # by generated text
GENERATED_FILE = "<bc>"  # the file name that tracebacks show for generated code


class CompiledUnit:
    """The code of an item or a function, the constants in it, and the names of its variables."""

    __slots__ = ("code", "constants", "names")

    def __init__(
        self, node: tree.Item | tree.Function, nodes: list[tree.Node], lines: list[str]
    ) -> None:
        """`nodes` are the node and all its descendants; `lines` is the generated code."""
        self.names = set(map(generated_name, nodes)) - {""}
        if isinstance(node, tree.Function):
            declared = (*node.parameters, *node.autos)
            self.names |= {generated_parameter_name(parameter) for parameter in declared}
        self.constants = [each for each in nodes if isinstance(each, tree.Constant)]
        text = "\n".join(lines)
        self.code = CODES.get_or_make(text, lambda: compile_code(text))


def compile_code(text: str) -> CodeType:
    """Compile generated code."""
    try:
        return compile(text, GENERATED_FILE, "exec")
    except (RecursionError, MemoryError, SyntaxError):
        raise AbandonProgram("the program nests too deeply") from None


def compile_item(
    item: tree.Item, nodes: list[tree.Node], signatures: Mapping[str, Signature]
) -> CompiledUnit:
    """Compile the statements of an item, whose nodes are given."""
    coder = BcStatementCoder(signatures)
    coder.write_item(item)
    return CompiledUnit(item, nodes, coder.lines)


def compile_function(function: tree.Function, functions: FunctionTable) -> CompiledUnit:
    """Compile a function."""
    coder = BcStatementCoder(functions.signatures)
    coder.keeps_constants = functions.keeps_constants(function.name)
    coder.write_function(function, functions.shared_variables(function.name))
    return CompiledUnit(function, list(function.walk()), coder.lines)


class BcStatementCoder(BcExpressionCoder):
    """Generates the statements of an item or a function."""

    def __init__(self, signatures: Mapping[str, Signature]) -> None:
        super().__init__(signatures)
        self.lines: list[str] = []
        self.depth = 0
        self.loops: list[Callable[[], None]] = []  # writes what `continue` must do first

    def emit(self, code: str) -> None:
        """Write a line."""
        self.lines.append(" " * self.depth + code)

    def write_body(self, *body: tree.Node) -> None:
        """Write statements as the body of the previous line."""
        self.depth += 1
        count = len(self.lines)
        for node in body:
            self.statement(node)
        if len(self.lines) == count:
            self.emit("pass")
        self.depth -= 1

    def statement(self, node: tree.Node) -> None:
        getattr(self, STATEMENT_WRITERS[node.__class__])(node)

    # ------------------------------------------------------------ units

    def write_item(self, item: tree.Item) -> None:
        self.emit("def item():")
        self.emit(" left = 0")
        self.write_body(*item.body)
        self.declare_globals()

    def declare_globals(self) -> None:
        """Insert the `global` statement after the first line."""
        if self.assigned_globals:
            self.lines.insert(1, f" global {', '.join(sorted(self.assigned_globals))}")

    def write_function(self, function: tree.Function, shared: frozenset[str]) -> None:
        """Write a function. Variables that its callees may refer to are `shared`: globals."""
        parameters = [generated_parameter_name(each) for each in function.parameters]
        autos = [generated_parameter_name(each) for each in function.autos]
        self.local_names = {*parameters, *autos} - shared
        self.assigned_globals = {"left", *shared}
        self.depth_code = "d + 1"
        names = [name if name in self.local_names else f"p_{name}" for name in parameters]
        code = f"f_{function.name}"
        self.emit(f"def {code}({', '.join(['d', *names])}):")
        self.depth += 1
        self.emit(f"if d > {CALLS_PER_STACK}: return deeper({', '.join([code, *names])})")
        self.count_turn()
        head = len(self.lines)
        for name in sorted(shared):
            self.emit(f"o_{name} = {name}")
        for name in parameters:
            if name in shared:
                self.emit(f"{name} = p_{name}")
        for name in autos:
            self.emit(f"{name} = {'Array()' if name.startswith('a_') else 'ZERO'}")
        if shared:
            self.emit("try:")
            self.write_body(*function.body)
            self.emit("finally:")
            for name in sorted(shared):
                self.emit(f" {name} = o_{name}")
        else:
            self.depth -= 1
            self.write_body(*function.body)
            self.depth += 1
        self.emit("return ZERO")
        self.lines[head:head] = [f" c_{name} = k_{name}" for name in sorted(self.kept_constants)]
        self.declare_globals()

    def count_turn(self) -> None:
        """Count a loop iteration or a call toward the next check of the clock."""
        self.emit("left -= 1")
        self.emit("if left < 0: left = turn()")

    # ------------------------------------------------------------ simple statements

    def write_simple(self, node: tree.ExpressionStatement) -> None:
        if node.prints_value:
            self.emit(f"show({self.value(node.expression)})")
        else:
            self.write_effect(node.expression)

    def write_effect(self, node: tree.Node) -> None:
        """Write an expression whose value is not used."""
        while isinstance(node, tree.Group):
            node = node.inner
        target = getattr(node, "target", None)
        if isinstance(target, tree.Name):
            name = self.variable(target.name)
            if isinstance(node, tree.Assign):
                self.emit(f"{name} = {self.assigned_value(node)}")
            elif isinstance(node, tree.Increment):
                function = "add" if node.operator == "+" else "subtract"
                self.emit(f"{name} = {function}({name}, ONE)")
        else:
            self.emit(self.value(node))

    def write_text(self, node: tree.String) -> None:
        self.emit(f"write({node.text!r})")

    def write_print(self, node: tree.Print) -> None:
        for part in node.parts:
            if isinstance(part, tree.String):
                self.emit(f"write({unescape_print(part.text)!r})")
            else:
                self.emit(f"show({self.value(part)}, '')")

    def write_notice(self, node: tree.Notice) -> None:
        self.emit(f"m.notice({node.name!r})")

    def write_block(self, node: tree.Block) -> None:
        for statement in node.body:
            self.statement(statement)

    # ------------------------------------------------------------ control

    def write_if(self, node: tree.If) -> None:
        word = "if"
        branch: tree.Node | None = node
        while isinstance(branch, tree.If):
            self.emit(f"{word} {self.truth(branch.condition)}:")
            self.write_body(branch.yes)
            word, branch = "elif", branch.no
        if branch is not None:
            self.emit("else:")
            self.write_body(branch)

    def write_loop(self, condition: str, body: tree.Node, resume: Callable[[], None]) -> None:
        """Write a loop. `resume` writes the code that ends each iteration."""
        self.emit(f"while {condition}:")
        self.depth += 1
        self.count_turn()
        self.depth -= 1
        self.loops.append(resume)
        self.write_body(body)
        self.loops.pop()
        self.depth += 1
        resume()
        self.depth -= 1

    def write_while(self, node: tree.While) -> None:
        self.write_loop(self.truth(node.condition), node.body, lambda: None)

    def write_for(self, node: tree.For) -> None:
        if node.first is not None:
            self.write_effect(node.first)
        condition = self.truth(node.condition) if node.condition is not None else "True"

        def resume() -> None:
            if node.step is not None:
                self.write_effect(node.step)

        self.write_loop(condition, node.body, resume)

    def write_break(self, node: tree.Break) -> None:
        self.emit("break")

    def write_continue(self, node: tree.Continue) -> None:
        self.loops[-1]()
        self.emit("continue")

    def write_return(self, node: tree.Return) -> None:
        self.emit(f"return {self.value(node.value) if node.value is not None else 'ZERO'}")

    def write_halt(self, node: tree.Halt) -> None:
        self.emit("m.halt()")


PRINT_ESCAPES = {
    "a": "\a", "b": "\b", "f": "\f", "n": "\n", "q": '"', "r": "\r", "t": "\t",
}  # fmt: skip


def unescape_print(text: str) -> str:
    """Return a string as `print` writes it. Unknown escapes are dropped."""
    first, *rest = text.split("\\")
    parts = [first]
    following = iter(rest)
    for part in following:
        if part:
            parts.append(PRINT_ESCAPES.get(part[0], "") + part[1:])
        else:  # two backslashes: the second one begins no escape
            second = next(following, None)
            parts.append("" if second is None else "\\" + second)
    return "".join(parts)


STATEMENT_WRITERS = {
    tree.ExpressionStatement: "write_simple", tree.String: "write_text", tree.Print: "write_print",
    tree.Notice: "write_notice", tree.Block: "write_block", tree.If: "write_if",
    tree.While: "write_while", tree.For: "write_for", tree.Break: "write_break",
    tree.Continue: "write_continue", tree.Return: "write_return", tree.Halt: "write_halt",
}  # fmt: skip
