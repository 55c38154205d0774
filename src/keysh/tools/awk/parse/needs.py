"""What a program needs of the machine: which records, and whether it must push its output."""

from __future__ import annotations

import keysh.tools.awk.parse.tree as tree

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.tools.awk.parse.names import NameAnalysis

COUNTING_VARIABLES = frozenset({"NR", "FNR", "RT"})  # these reveal the number of records


PUSHING_FUNCTIONS = frozenset({"close", "exp", "fflush", "gensub", "log", "sqrt", "system"})


def required_match(names: NameAnalysis) -> tuple[tree.RegexLiteral, bool] | None:
    """Return the pattern that a record must match, or with False must not, for any rule to act.

    None means that the program needs all records.
    """
    program = names.program
    if len(program.rules) != 1 or program.begin_file or program.end_file or program.functions:
        return None
    if COUNTING_VARIABLES & names.mentioned or names.is_open or names.is_dynamic:
        return None
    blocks = [*program.begin, *program.rules, *program.end]
    if any(isinstance(node, tree.Getline) for block in blocks for node in block.walk()):
        return None
    if any(uses_record(node) for block in program.end for node in block.walk()):
        return None
    rule = program.rules[0]
    return (
        None if rule.pattern is None or rule.last is not None else first_record_match(rule.pattern)
    )


def uses_record(node: tree.Node) -> bool:
    """Return whether a node uses the record, which in END is the last one."""
    if isinstance(node, tree.Name):
        return node.name == "NF"
    if isinstance(node, tree.Builtin):
        return node.name == "length" and not node.arguments
    if isinstance(node, tree.Print):
        return not node.values
    return isinstance(node, tree.Field | tree.RegexLiteral)


def first_record_match(pattern: tree.Node) -> tuple[tree.RegexLiteral, bool] | None:
    """Return the first test of a condition if it matches the record, and its outcome."""
    while True:
        if isinstance(pattern, tree.Group):
            pattern = pattern.inner
        elif isinstance(pattern, tree.Logical) and pattern.operator == "&&":
            pattern = pattern.left
        else:
            break
    must_match = True
    while isinstance(pattern, tree.Group) or (
        isinstance(pattern, tree.Unary) and pattern.operator == "!"
    ):
        if isinstance(pattern, tree.Group):
            pattern = pattern.inner
        else:
            pattern, must_match = pattern.operand, not must_match
    if isinstance(pattern, tree.RegexLiteral) and not pattern.is_typed:
        return pattern, must_match
    return None


def must_push_output(program: tree.Program) -> bool:
    """Return whether a program prints where it cannot yield, runs commands, or may warn."""
    inner = [*program.functions, *program.begin_file, *program.end_file]
    prints = any(isinstance(node, tree.Print) for part in inner for node in part.walk())
    return prints or any(
        (isinstance(node, tree.Builtin) and node.name in PUSHING_FUNCTIONS)
        or (isinstance(node, tree.Print) and node.destination is not None)
        or (isinstance(node, tree.Getline) and node.kind in ("command", "coprocess"))
        for node in program.walk()
    )
