"""Functions of earlier scripts: the functions and variables that they define when called."""

from __future__ import annotations

from keysh.check.report import CheckReport
from keysh.check.walk import ScriptWalk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from keysh.check.facts import Facts
    from keysh.syntax import ast
    from keysh.syntax.lexer.cursor import Tick


def add_function_effects(
    facts: Facts, functions: Mapping[str, ast.Function], script: ast.Script, tick: Tick | None
) -> None:
    """Add what known functions define that a script calls, directly or indirectly."""
    waiting = [use.name for use in facts.command_uses]
    seen = set(facts.functions)
    while waiting:
        name = waiting.pop()
        if name in seen or name not in functions:
            continue
        seen.add(name)
        # Its errors were reported when it was defined.
        walk = ScriptWalk(CheckReport(script, {}, tick))
        walk.function(functions[name])
        effects = walk.facts
        for inner, nodes in effects.functions.items():
            if inner != name:
                facts.functions.setdefault(inner, nodes)
        for variable in effects.assignments:
            facts.add_assignment(variable, "unknown", 0, 0)
        facts.hides_commands |= effects.hides_commands
        facts.hides_variables |= effects.hides_variables
        waiting.extend(use.name for use in effects.command_uses)
