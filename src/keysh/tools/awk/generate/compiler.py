"""Compile a tree to one Python function, which is the whole program.

    def program(m):                 m is the AwkMachine
        v_x = UNSET                 the program's variables, its arrays `a_…`
        def f_name(v_a, a_b): …     its functions
        try:
            …                       BEGIN
            while m.input.more():
                for line in m.input.lines:
                    …               the rules
        except Exit: …
        …                           END

If the program prints from its functions or runs commands, it writes its output itself (it
pushes). Otherwise the function is a generator that yields the output (it is pulled).
"""

from __future__ import annotations

import math
from operator import itemgetter

import keysh.tools.awk.generate.substitution as substitution
import keysh.tools.awk.parse.tree as tree
import keysh.tools.awk.run.array_order as sorting
import keysh.tools.awk.run.functions as functions
import keysh.tools.awk.run.named_function as named_function
import keysh.tools.awk.run.numbers as numbers
import keysh.tools.awk.run.times as times
import keysh.tools.awk.run.values as values
from keysh.text import letter_case as letters
from keysh.tools.awk.generate.record_code import RecordCoder
from keysh.tools.awk.generate.sieve import Sieve
from keysh.tools.awk.generate.table import ConstantTable
from keysh.tools.awk.parse.lexer import AwkProgramError
from keysh.tools.awk.parse.names import NameAnalysis
from keysh.tools.awk.parse.needs import must_push_output, required_match
from keysh.tools.awk.parse.problem import Exit, NextFile, NextRecord
from keysh.tools.awk.run.fields import field_at
from keysh.tools.awk.run.machine import GENERATED_FILE
from keysh.tools.awk.run.registers import MAX_UNCHECKED_TURNS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any

CALLS_PER_STACK = 500  # nested calls before a switch to a fresh stack
CALLS_ON_FIRST_STACK = 200  # fewer, since the host has used part of it

# Python compiles it in one native call, at 0.5 s for a million, in which no other thread runs. Most
# programs make six characters of each of their own.
MAX_CODE_CHARACTERS = 400_000

# All names that generated code can refer to, besides those it defines.
PYTHON_BUILTINS = {"float": float, "int": int, "len": len, "str": str}
RUNTIME_NAMES: dict[str, object] = {
    "__builtins__": PYTHON_BUILTINS,
    "EMPTY": "", "SPACE": " ", "NEWLINE": "\n", "INFINITY": math.inf,
    "Exit": Exit, "NextFile": NextFile, "NextRecord": NextRecord,
    "Sieve": Sieve, "atan2": math.atan2, "field_at": field_at,
    **{
        name: getattr(module, name)
        for module, names in (
            (values, ("UNSET", "Array", "RegexValue", "compare", "compare_input",
                      "number_of", "input_value", "truth", "truth_of_input", "type_name",
                      "type_of_field")),
            (functions, ("change_case", "gensub", "increment_element",
                         "length", "match", "patsplit", "set_element", "split", "strtonum",
                         "subarray", "substr")),
            (named_function, ("NamedFunction", "function_of")),
            (letters, ("to_lower", "to_upper")),
            (numbers, ("bit_and", "bit_or", "bit_xor", "complement", "cosine", "divide",
                       "exit_status", "exponential", "logarithm", "modulo", "power", "root",
                       "shift_left", "shift_right", "sine", "integer_part")),
            (sorting, ("asort", "asorti")),
            (substitution, ("gsub", "sub")),
            (times, ("mktime", "strftime", "systime")),
        )
        for name in names
    },
}  # fmt: skip


class CompiledProgram:
    """A compiled program and what the machine must know of it.

    `source_lines` maps each line of generated code to its line of awk. `warnings` are printed
    before the run, each with its line.
    """

    __slots__ = ("function", "is_pulled", "one_by_one", "source_lines", "warnings")

    def __init__(
        self, function: Callable[..., Any], coder: ProgramCoder, warnings: list[tuple[int, str]]
    ) -> None:
        self.function, self.warnings, self.source_lines = function, warnings, coder.source_lines
        self.is_pulled, self.one_by_one = coder.is_pulled, coder.one_by_one


def compile_program(
    program: tree.Program, open_names: Iterable[str] = (), *, edits: bool = False
) -> CompiledProgram:
    """Compile a program. `open_names` are variables assigned from outside.

    With `edits` the program may replace the files that it reads.
    """
    names = NameAnalysis(program, open_names)
    table = ConstantTable()
    try:
        coder = ProgramCoder(names, table, edits=edits)
        coder.write()
        # No text of the program is in the code: its constants are in the table.
        text = "\n".join(coder.lines) + "\n"
        if len(text) > MAX_CODE_CHARACTERS:
            more = f"{len(text)} characters of code, {MAX_CODE_CHARACTERS} allowed"
            raise AwkProgramError(f"fatal: the program is too long: {more}")
        code = compile(text, GENERATED_FILE, "exec")
    except (RecursionError, MemoryError, SyntaxError):
        raise AwkProgramError("fatal: the program nests too deeply") from None
    space = {**RUNTIME_NAMES, **table.values}
    exec(code, space)
    function: Any = space["program"]
    return CompiledProgram(
        function, coder, sorted([*program.warnings, *table.warnings], key=itemgetter(0))
    )


class ProgramCoder(RecordCoder):
    """Generates the whole program."""

    def __init__(self, names: NameAnalysis, table: ConstantTable, *, edits: bool) -> None:
        program = names.program
        late = [*program.rules, *program.begin_file, *program.end_file, *program.functions]
        in_rules = names.assigned_names(node for part in late for node in part.walk())
        everything = names.mentioned | names.assigned_outside
        is_fast = not names.changes_record() and "NF" not in names.assigned_outside
        is_fast = is_fast and in_rules.isdisjoint({"FS", "FIELDWIDTHS", "FPAT", "IGNORECASE"})
        self.one_by_one = "RS" in in_rules or "RT" in everything
        super().__init__(
            names, table, is_fast=is_fast, is_pulled=not (edits or must_push_output(program))
        )
        self.edits = edits

    def write(self) -> None:
        """Write `def program(m)`."""
        self.emit("def program(m):")
        self.depth += 1
        self.write_head()
        for function in self.names.program.functions:
            self.write_function(function)
        self.write_sections()
        if self.names.open_names:
            self.write_assign()
        if self.names.calls_by_name:
            for name, function in self.names.functions.items():
                key = self.table.text(name)
                arrays = [
                    (name, parameter) in self.names.arrays for parameter in function.parameters
                ]
                self.emit(f"m.functions[{key}] = NamedFunction({key}, f_{name}, {tuple(arrays)})")
        self.emit("for assigned in m.assignments: m.assign_text(*assigned)")
        if self.names.recursive:
            self.emit("try:")
            self.depth += 1
            self.write_run()
            self.depth -= 1
            # A function that calls itself refers to itself: only a collector would find it.
            functions = " = ".join(f"f_{name}" for name in sorted(self.names.recursive))
            self.emit(f"finally: {functions} = None")
        else:
            self.write_run()
        self.depth -= 1

    def write_head(self) -> None:
        """Write the definitions that all code shares."""
        names = self.names
        self.emit("out, texts, text, rec = m.out, m.texts, m.text, m.record")
        self.emit("write, print_text, print_texts = out.append, m.print_text, m.print_texts")
        self.emit(f"turns = {MAX_UNCHECKED_TURNS}")
        self.emit("free, tick = m.free_characters, m.sh.tick")
        if names.recursive:
            self.emit("depth = 0")
        if self.is_fast:
            self.emit("line, F = EMPTY, None")
            self.emit_chunk_setup()
        requirement = required_match(names)
        if requirement is not None:
            pattern, keeps = requirement
            regex = self.constant_regex(pattern.pattern, pattern)
            self.emit(f"m.input.sieve = Sieve({regex}, {keeps}, tick)")
        for name in sorted(names.variables):
            self.emit(f"v_{name} = UNSET")
        for scope, name in sorted(names.arrays):
            if not scope and name not in ("ARGV", "ENVIRON", "PROCINFO"):
                self.emit(f"a_{name} = Array()")
        for i in range(len(self.ranges())):
            self.emit(f"r_{i} = False")

    def ranges(self) -> list[tree.Rule]:
        """Return the rules with a range of records."""
        return [rule for rule in self.names.program.rules if rule.last is not None]

    # ------------------------------------------------------------ functions

    def declare_shared(self, parameters: tuple[str, ...] = ()) -> None:
        """Write the `nonlocal` statement of a function."""
        shared = [f"v_{name}" for name in sorted(self.names.variables - {*parameters})]
        shared += ["F"] if self.is_fast else []
        self.emit(f"nonlocal {', '.join(['turns', *shared])}")

    def write_function(self, function: tree.Function) -> None:
        self.source_line = function.line
        self.scope = function.name
        arrays = [
            name for name in function.parameters if (function.name, name) in self.names.arrays
        ]
        parameters = [
            f"a_{name}=None" if name in arrays else f"v_{name}=UNSET"
            for name in function.parameters
        ]
        self.emit(f"def f_{function.name}({', '.join(parameters)}):")
        self.depth += 1
        self.declare_shared(function.parameters)
        is_recursive = function.name in self.names.recursive
        if is_recursive:
            arguments = [each.partition("=")[0] for each in parameters]
            call = ", ".join(["depth", f"f_{function.name}", *arguments])
            self.emit("nonlocal depth")
            self.emit("depth += 1")
            self.emit("try:")
            self.depth += 1
            is_full = f"depth % {CALLS_PER_STACK} == {CALLS_ON_FIRST_STACK}"
            self.emit(f"if {is_full}: return m.call_on_fresh_stack({call})")
        self.emit("turns += 1")
        self.emit(f"if turns > {MAX_UNCHECKED_TURNS}: turns = m.checkpoint()")
        for name in arrays:
            self.emit(f"if a_{name} is None: a_{name} = Array()")
        if self.uses_fields(function.body):
            self.split_if_needed()
        self.statement(function.body)
        self.emit("return UNSET")
        self.depth -= 1
        if is_recursive:
            self.emit("finally: depth -= 1")
            self.depth -= 1
        self.scope = ""

    def write_sections(self) -> None:
        """Write BEGINFILE and ENDFILE as functions, which the input calls."""
        program = self.names.program
        for name, blocks in (("begin_file", program.begin_file), ("end_file", program.end_file)):
            if not blocks:
                continue
            self.emit(f"def {name}():")
            self.depth += 1
            self.declare_shared()
            self.scope = ""
            self.emit("try:")
            self.depth += 1
            if any(self.uses_fields(block) for block in blocks):
                self.split_if_needed()
            pulled, self.is_pulled = self.is_pulled, False  # a function of its own cannot yield
            for block in blocks:
                self.statement(block)
            self.is_pulled = pulled
            self.emit("return False")
            self.depth -= 1
            self.emit("except NextFile: return True")
            self.depth -= 1
            self.emit(f"m.input.{name} = {name}")

    def write_assign(self) -> None:
        """Write the function through which operands and options assign to variables."""
        self.emit("def assign(name, value):")
        self.depth += 1
        self.declare_shared()
        for name in sorted(self.names.open_names):
            self.emit(f"if name == {self.table.text(name)}: v_{name} = value")
        self.depth -= 1
        self.emit("m.assign = assign")

    # ------------------------------------------------------------ the run

    def write_run(self) -> None:
        """Write BEGIN, the loop over the records, and END."""
        program = self.names.program
        self.emit("try:")
        self.depth += 1
        if program.begin:
            self.emit("m.input.has_begun = True")
        for block in program.begin:
            self.write_part(block)
        if program.rules or program.end or program.begin_file or program.end_file:
            self.write_records()
        self.emit("pass")
        self.depth -= 1
        self.emit("except Exit: pass")
        if self.edits:
            self.emit("m.input.in_place.end()")
        if program.end:
            self.emit("try:")
            self.depth += 1
            for block in program.end:
                self.write_part(block)
            self.emit("pass")
            self.depth -= 1
            self.emit("except Exit: pass")
        if self.is_pulled:
            self.yield_output()

    def write_part(self, block: tree.Block) -> None:
        """Write a block outside the loop over the records."""
        if self.uses_fields(block):
            self.split_if_needed()
        self.statement(block)
        if self.is_pulled:
            self.yield_output()

    def write_records(self) -> None:
        rules = self.names.program.rules
        nodes = [node for rule in rules for node in rule.walk()]
        nodes += [node for function in self.names.program.functions for node in function.walk()]
        jumps = {node.kind for node in nodes if isinstance(node, tree.Jump)}
        self.emit("while m.input.more():")
        self.depth += 1
        if self.is_fast:
            self.emit_chunk_setup()
        # END can use the last record, because Python's `for` keeps its variable.
        self.emit("for line in m.input.lines:" if self.is_fast else "for loaded in m.input.lines:")
        self.depth += 1
        for name in sorted(self.names.mentioned & {"NR", "FNR"}):
            self.emit(f"m.{name} += 1.0")
        if not self.is_fast:
            self.emit("rec.line, rec.fields = loaded, None")
        elif self.uses_fields_at_all():
            self.is_split = False
            if not rules or not self.needs_fields_first(rules[0]):
                self.emit("F = None")
        self.in_records = True
        if jumps & {"next", "nextfile"}:
            self.emit("try:")
            self.depth += 1
        self.emit("pass")
        ranges = 0
        for i, rule in enumerate(rules):
            self.write_rule(rule, ranges, is_first=not i)
            ranges += rule.last is not None
        if jumps & {"next", "nextfile"}:
            self.depth -= 1
            self.emit("except NextRecord: pass")
            self.emit("except NextFile: m.input.leave_file()")
        self.in_records = False
        self.depth -= 1
        if self.is_pulled:
            self.yield_output()
        self.depth -= 1

    def write_rule(self, rule: tree.Rule, number: int, *, is_first: bool) -> None:
        """Write a rule: its pattern, or the two of a range, and its action."""
        self.source_line = rule.line
        if self.needs_fields_first(rule) and not self.is_split:
            self.emit(f"F = {self.split_code()}") if is_first else self.split_if_needed()
            self.is_split = True
        if rule.pattern is None:
            self.write_action(rule)
            return
        if rule.last is None:
            self.emit(f"if {self.truth(rule.pattern)}:")
        else:
            self.emit(f"if r_{number} or {self.truth(rule.pattern)}:")
            self.emit(f" r_{number} = not {self.truth(rule.last)}")
        self.depth += 1
        if self.is_fast and not self.is_split and rule.action and self.uses_fields(rule.action):
            self.split_if_needed()
        self.write_action(rule)
        self.depth -= 1

    def write_action(self, rule: tree.Rule) -> None:
        if rule.action is None:
            self.write_print(tree.Print(rule.line, [], "", None, False))
            return
        self.emit("pass")
        self.statement(rule.action)
