"""Functions that `scatter` runs: what they assign is lost, since each item has a fork."""

from __future__ import annotations

from keysh.syntax import ast
from keysh.syntax.constants import constant_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.check.facts import Facts
    from keysh.check.report import CheckReport

LOCAL_DECLARATIONS = ("declare", "local", "typeset")


def check_scattered(facts: Facts, report: CheckReport, name: str, word: ast.Argument) -> None:
    """Report W312 for each variable that a scattered function assigns and that others read."""
    for function in facts.functions[name]:
        for variable in lost_variables(facts, function):
            report.add(
                "W312", word.start, word.end,
                f"what `{name}` assigns to this variable is lost: each item runs in a fork",
                f"`{variable}`", "print it, and take the output of `gather`",
            )  # fmt: skip


def lost_variables(facts: Facts, function: ast.Function) -> Iterator[str]:
    """Return the variables that a function assigns, not as its own, and others read."""
    within = range(function.start, function.end)
    own = {*own_variables(function)}
    elsewhere = {read.name for read in facts.reads if read.start not in within}
    for name, assignments in facts.assignments.items():
        if (
            name in elsewhere
            and name not in own
            and any(one.start in within for one in assignments)
        ):
            yield name


def own_variables(function: ast.Function) -> Iterator[str]:
    """Return the parameters of a function, and the variables that it declares."""
    for parameter in function.parameters or ():
        yield parameter.name
    for node in function.walk():
        words = node.arguments if isinstance(node, ast.Simple) else ()
        if words and constant_text(words[0]) in LOCAL_DECLARATIONS:
            for word in words[1:]:
                yield word.key if isinstance(word, ast.Named) else constant_text(word) or ""
