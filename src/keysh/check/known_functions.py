"""Earlier: what the functions of earlier scripts make, as far as a script calls them."""

from __future__ import annotations

from keysh.check.report import CheckReport
from keysh.check.walk import ScriptWalk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from keysh.check.facts import Facts
    from keysh.syntax import ast


def add_function_effects(
    facts: Facts, functions: Mapping[str, ast.Function], script: ast.Script
) -> None:
    """Add the functions and variables that known functions make, and those that these call."""
    waiting = [use.name for use in facts.command_uses]
    seen = set(facts.functions)
    while waiting:
        name = waiting.pop()
        if name in seen or name not in functions:
            continue
        seen.add(name)
        walk = ScriptWalk(
            CheckReport(script, {})
        )  # what is wrong in it was said when it was defined
        walk.function(functions[name])
        made = walk.facts
        for inner, nodes in made.functions.items():
            if inner != name:
                facts.functions.setdefault(inner, nodes)
        for variable in made.assignments:
            facts.add_assignment(variable, "unknown", 0, 0)
        facts.hides_commands |= made.hides_commands
        facts.hides_variables |= made.hides_variables
        waiting.extend(use.name for use in made.command_uses)
