"""Generate the code of statements."""

from __future__ import annotations

import keysh.tools.awk.parse.tree as tree
from keysh.tools.awk.generate.calls import CallCoder
from keysh.tools.awk.generate.code import literal
from keysh.tools.awk.generate.text_parts import (
    MAX_UNASKED_RECORDS,
    UNBOUNDED,
    TextPart,
    checked_code,
    fstring_code,
    joined_code,
    records_of,
    text_part,
)
from keysh.tools.awk.parse.effects import has_effects
from keysh.tools.awk.run.registers import MAX_UNCHECKED_TURNS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.tools.awk.generate.table import ConstantTable
    from keysh.tools.awk.parse.names import NameAnalysis


class LoopContext:
    """A loop or switch around a statement. `resume` writes what `continue` does first in a loop.

    A `continue` inside a switch sets `continue_flag` and leaves the Python loop of the switch.
    """

    __slots__ = ("is_switch", "continue_flag", "resume")

    def __init__(self, resume: Callable[[], None], *, is_switch: bool = False) -> None:
        self.resume, self.is_switch, self.continue_flag = resume, is_switch, ""


class AwkStatementCoder(CallCoder):
    """Writes lines of Python, and records the line of awk that each comes from."""

    def __init__(
        self, names: NameAnalysis, table: ConstantTable, *, is_fast: bool, is_pulled: bool
    ) -> None:
        super().__init__(names, table, is_fast=is_fast)
        self.is_pulled = is_pulled
        self.lines: list[str] = []
        self.source_lines: list[int] = []
        self.depth = 0
        self.source_line = 0
        self.loops: list[LoopContext] = []
        self.printed_records = 0  # by prints that do not ask how large the text is
        self.in_records = False  # whether Python's `continue` does what `next` does

    def emit(self, code: str) -> None:
        """Write a line."""
        self.lines.append(" " * self.depth + code)
        self.source_lines.append(self.source_line)

    def write_body(self, node: tree.Node | None) -> None:
        """Write a statement as the body of the previous line."""
        self.depth += 1
        count = len(self.lines)
        if node is not None:
            self.statement(node)
        if len(self.lines) == count:
            self.emit("pass")
        self.depth -= 1

    def statement(self, node: tree.Node) -> None:
        self.source_line = node.line
        getattr(self, STATEMENT_WRITERS[node.__class__])(node)

    # ------------------------------------------------------------ simple statements

    def write_block(self, node: tree.Block) -> None:
        for statement in node.body:
            self.statement(statement)

    def write_simple(self, node: tree.ExpressionStatement) -> None:
        """Write an expression whose value is not used."""
        expression = node.expression
        while isinstance(expression, tree.Group):
            expression = expression.inner
        if isinstance(expression, tree.Increment):
            self.write_step(expression.target, literal(expression.amount))
        elif isinstance(expression, tree.Assign) and (
            expression.operator and has_effects(expression.value)
        ):
            self.emit(self.code(expression)[1])
        elif isinstance(expression, tree.Assign) and isinstance(expression.target, tree.Element):
            self.assign_element(expression, expression.target)
        elif isinstance(expression, tree.Assign) and self.is_variable(expression.target):
            rest = self.appended_parts(expression)
            if rest:
                self.write_append(expression.target, rest)
                return
            if expression.operator:
                old = self.number(expression.target)
                code = self.calculation(old, expression.operator, expression.value)
            else:
                code = self.assigned_value(expression)[1]
            self.emit(f"{self.code(expression.target)[1]} = {code}")
        else:
            self.emit(self.code(expression)[1])

    def appended_parts(self, node: tree.Assign) -> list[tree.Node]:
        """Return x and y in `s = s x y`, unless they refer to s or have effects."""
        if node.operator or not isinstance(node.value, tree.Concatenation):
            return []
        first, *rest = node.value.parts
        name = getattr(node.target, "name", "")
        if not isinstance(first, tree.Name) or first.name != name or any(map(has_effects, rest)):
            return []
        names = {getattr(node, "name", "") for part in rest for node in part.walk()}
        return [] if name in names else rest

    def write_append(self, target: tree.Node, rest: list[tree.Node]) -> None:
        """Write the code that appends to a variable. CPython does that in place if it can."""
        name, old = self.code(target)[1], self.text(target)
        if old != name:
            self.emit(f"{name} = {old}")
        code = self.concatenation(rest)
        if records_of([*map(self.part, rest)]):
            added = self.temporary()
            self.emit(f"{added} = {code}")
            self.emit(f"if len({name}) + len({added}) > free: m.check_join({name}, {added})")
            code = added
        else:
            self.emit(f"if len({name}) > free: m.check_join({name})")
        self.emit(f"{name} += {code}")

    def is_variable(self, node: tree.Node) -> bool:
        """Return whether a node is a variable other than the special ones."""
        return isinstance(node, tree.Name) and self.code(node)[1] == f"v_{node.name}"

    def write_step(self, target: tree.Node, amount: str) -> None:
        """Write `x++` whose value is not used."""
        if self.is_variable(target):
            self.emit(f"{self.code(target)[1]} = {self.number(target)} + {amount}")
        elif isinstance(target, tree.Element):
            array, key = self.element_names(target)
            kind = self.names.kind(self.scope, target)
            self.emit(f"{array}[{key}] = {self.as_number(kind, f'{array}[{key}]')} + {amount}")
        else:
            self.emit(self.update_code(target, lambda old: f"{old} + {amount}"))

    def element_names(self, target: tree.Element) -> tuple[str, str]:
        """Bind the array and the key of an element to names, and return these."""
        key, array = self.temporary(), self.array(target.array)
        if not array.isidentifier():
            name = self.temporary()
            self.emit(f"{name} = {array}")
            array = name
        self.emit(f"{key} = {self.key(target.keys)}")
        return array, key

    def assign_element(self, node: tree.Assign, target: tree.Element) -> None:
        if not node.operator:
            code = self.assigned_value(node)[1]
            self.emit(f"{self.array(target.array)}[{self.key(target.keys)}] = {code}")
            return
        array, key = self.element_names(target)
        old = self.as_number(self.names.kind(self.scope, target), f"{array}[{key}]")
        self.emit(f"{array}[{key}] = {self.calculation(old, node.operator, node.value)}")

    def write_delete(self, node: tree.Delete) -> None:
        array = self.array(node.array)
        self.emit(f"{array}.remove({self.key(node.keys)})" if node.keys else f"{array}.clear()")

    def write_print(self, node: tree.Print) -> None:
        if node.is_formatted:
            code = self.sprintf_code(node.values)
        else:
            mentioned = self.names.mentioned | self.names.assigned_outside
            separator = "m.OFS" if "OFS" in mentioned else "SPACE"
            terminator = "m.ORS" if "ORS" in mentioned else "NEWLINE"
            between = self.register_part("OFS", separator)
            parts: list[TextPart] = []
            for each in node.values:
                parts += [between, *self.printed_parts(each)] if parts else self.printed_parts(each)
            parts = parts or [TextPart(self.whole_record(), 1 if self.is_fast else UNBOUNDED)]
            parts.append(self.register_part("ORS", terminator))
            if node.destination is None:
                self.write_output(parts)
                return
            code = joined_code(self, parts, fstring_code, checked_code)
        if node.destination is None:
            self.emit(f"write({code})")
        else:
            kind = self.table.text(node.redirection)
            self.emit(f"m.streams.put({kind}, {self.text(node.destination)})({code})")

    def printed_parts(self, node: tree.Node) -> list[TextPart]:
        """Return the texts that print a value; a concatenation need not become one before."""
        inner = node
        while isinstance(inner, tree.Group):
            inner = inner.inner
        if isinstance(inner, tree.Concatenation):
            return [*map(self.part, inner.parts)]
        return [text_part(self, node, self.printed_text(node))]

    def write_output(self, parts: list[TextPart]) -> None:
        """Write the code that prints texts. Those that are together large are not joined."""
        self.printed_records += records_of(parts)
        if self.loops or self.scope or self.printed_records > MAX_UNASKED_RECORDS:
            for part in parts:
                part.records *= UNBOUNDED
        self.emit(
            joined_code(
                self, parts, lambda codes: f"write({fstring_code(codes)})",
                lambda codes: f"m.put_large({', '.join(codes)})",
            )
        )  # fmt: skip

    # ------------------------------------------------------------ control

    def write_if(self, node: tree.If) -> None:
        word = "if"
        branch: tree.Node | None = node
        while isinstance(branch, tree.If):
            self.source_line = branch.line
            self.emit(f"{word} {self.truth(branch.condition)}:")
            self.write_body(branch.yes)
            word, branch = "elif", branch.no
        if branch is not None:
            self.emit("else:")
            self.write_body(branch)

    def count_turn(self) -> None:
        """Write the code that counts an iteration and may call the checkpoint."""
        self.emit("turns += 1")
        self.emit(f"if turns > {MAX_UNCHECKED_TURNS}:")
        self.depth += 1
        self.emit("turns = m.checkpoint()")
        if self.is_pulled and not self.scope:
            self.yield_output()
        self.depth -= 1

    def yield_output(self) -> None:
        """Write the code that yields the output so far."""
        self.emit("if m.has_large_output:")
        self.emit(" yield from m.take_output()")
        self.emit("elif out:")
        self.emit(" yield EMPTY.join(out)")
        self.emit(" out.clear()")

    def write_loop(self, condition: str, body: tree.Node, resume: Callable[[], None]) -> None:
        """Write a loop."""
        self.emit(f"while {condition}:")
        self.depth += 1
        self.count_turn()
        self.depth -= 1
        self.loops.append(LoopContext(resume))
        self.write_body(body)
        self.loops.pop()

    def write_while(self, node: tree.While) -> None:
        self.write_loop(self.truth(node.condition), node.body, lambda: None)

    def write_do(self, node: tree.Do) -> None:
        def resume() -> None:
            self.emit(f"if not {self.truth(node.condition)}: break")

        self.write_loop("True", node.body, resume)
        self.depth += 1
        resume()
        self.depth -= 1

    def write_for(self, node: tree.For) -> None:
        if node.first is not None:
            self.statement(node.first)

        def resume() -> None:
            if node.step is not None:
                self.statement(node.step)

        condition = "True" if node.condition is None else self.truth(node.condition)
        self.write_loop(condition, node.body, resume)
        self.depth += 1
        resume()
        self.depth -= 1

    def write_for_in(self, node: tree.ForIn) -> None:
        """Write `for (k in a)`. The keys are those present when the loop begins."""
        array = self.array(node.array)
        is_ordered = "PROCINFO" in self.names.mentioned
        keys = f"m.key_order({array})" if is_ordered else f"{array}.order(tick)"
        name = self.temporary()
        self.emit(f"for {name} in {keys}:")
        self.depth += 1
        self.count_turn()
        self.emit(self.store_code(node.variable, name))
        self.depth -= 1
        self.loops.append(LoopContext(lambda: None))
        self.write_body(node.body)
        self.loops.pop()

    def write_switch(self, node: tree.Switch) -> None:
        """Write a switch: find the index of the matching case, and run the bodies from there."""
        subject, chosen = self.temporary(), self.temporary()
        self.emit(f"{subject} = {self.value(node.subject)}")
        word = "if"
        cases = [case for case in node.cases if isinstance(case, tree.Case)]
        default = len(cases)
        for i, case in enumerate(cases):
            if case.label is None:
                default = i
                continue
            self.emit(f"{word} {self.case_test(subject, case.label)}: {chosen} = {i}")
            word = "elif"
        self.emit(f"{chosen} = {default}" if word == "if" else f"else: {chosen} = {default}")
        loop = LoopContext(lambda: None, is_switch=True)
        leaves = self.temporary()
        loop.continue_flag = leaves
        self.emit(f"{leaves} = False")
        self.emit("while True:")
        self.loops.append(loop)
        self.depth += 1
        for i, case in enumerate(cases):
            self.emit(f"if {chosen} <= {i}:")
            self.write_body(tree.Block(case.line, case.body))
        self.emit("break")
        self.depth -= 1
        self.loops.pop()
        if any(not loop.is_switch for loop in self.loops):
            self.emit(f"if {leaves}:")
            self.depth += 1
            self.write_continue()
            self.depth -= 1

    def case_test(self, subject: str, label: tree.Node) -> str:
        """Return the code that tests whether a case matches the subject."""
        if isinstance(label, tree.RegexLiteral):
            return self.match_code(f"text({subject})", label)
        return f"(m.compare({subject}, {self.value(label)}) == 0)"

    def write_continue(self) -> None:
        """Write `continue`, which in a switch concerns the loop around it."""
        loop = self.loops[-1]
        if loop.is_switch:
            self.emit(f"{loop.continue_flag} = True")
            self.emit("break")
        else:
            loop.resume()
            self.emit("continue")

    def write_jump(self, node: tree.Jump) -> None:
        if node.kind == "break":
            self.emit("break")
        elif node.kind == "continue":
            self.write_continue()
        elif node.kind == "next":
            is_near = self.in_records and not self.loops and not self.scope
            self.emit("continue" if is_near else "raise NextRecord")
        else:
            self.emit("raise NextFile")

    def write_exit_or_return(self, node: tree.ExitOrReturn) -> None:
        if node.kind == "return":
            self.emit(f"return {'UNSET' if node.value is None else self.value(node.value)}")
            return
        if node.value is not None:
            self.emit(f"m.status = exit_status({self.number(node.value)})")
        self.emit("raise Exit")


STATEMENT_WRITERS = {
    tree.Block: "write_block", tree.ExpressionStatement: "write_simple",
    tree.Delete: "write_delete", tree.Print: "write_print", tree.If: "write_if",
    tree.While: "write_while", tree.Do: "write_do", tree.For: "write_for",
    tree.ForIn: "write_for_in", tree.Switch: "write_switch", tree.Jump: "write_jump",
    tree.ExitOrReturn: "write_exit_or_return",
}  # fmt: skip
