"""The checker: errors in a script that are certain before its first command runs.

One walk over the tree gathers facts (commands called, functions, variables) and reports what is
wrong with a node by itself. Then rules judge the facts, since a function may be defined after its
first call. What cannot be known is not reported.
"""

from __future__ import annotations

from keysh.check.commands import CommandRules
from keysh.check.report import CheckReport
from keysh.check.walk import ScriptWalk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Mapping

    from keysh.check.commands import KnownCommands
    from keysh.diagnostics.diagnostic import Diagnostic
    from keysh.syntax.ast import Function, Script
    from keysh.syntax.lexer.cursor import Tick

NO_SEVERITIES: Mapping[str, str] = {}
NO_FUNCTIONS: Mapping[str, Function] = {}


def check(
    script: Script,
    registry: KnownCommands,
    *,
    severities: Mapping[str, str] = NO_SEVERITIES,
    variables: Container[str] = (),
    functions: Mapping[str, Function] = NO_FUNCTIONS,
    tick: Tick | None = None,
) -> list[Diagnostic]:
    """Return all diagnostics in source order; an error keeps the script from running.

    severities  "error", "warn" or "off" by code
    variables   variables that have a value before the script runs
    functions   functions that are defined before the script runs
    tick        called again and again; it may end the check by an exception
    """
    if script.body is None:
        return []
    report = CheckReport(script, severities, tick)
    walk = ScriptWalk(report)
    walk.script(script.body)
    if functions:
        from keysh.check.known_functions import add_function_effects  # noqa: PLC0415 - only in sessions

        add_function_effects(walk.facts, functions, script, tick)
    CommandRules(walk.facts, registry, report, script.source).check_calls()
    if walk.facts.reads:
        from keysh.check.variables import VariableRules  # noqa: PLC0415 - some scripts read no variable

        VariableRules(walk.facts, variables, report).check()
    if walk.facts.assignments or walk.facts.expansions:
        from keysh.check.splitting.splitting_rule import SplittingRule  # noqa: PLC0415 - some scripts expand nothing

        SplittingRule(walk.facts, variables, report).check()
    return report.sorted_diagnostics() if report.diagnostics else []
