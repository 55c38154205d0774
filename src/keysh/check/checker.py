"""The checker: what can be known to be wrong with a script before its first command runs.

One walk over the tree gathers facts (commands called, functions, variables) and reports what is
wrong with a node by itself; then the facts are judged, since a function may be defined behind its
first call. What cannot be known is left alone.
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

NO_SEVERITIES: Mapping[str, str] = {}
NO_FUNCTIONS: Mapping[str, Function] = {}


def check(
    script: Script,
    registry: KnownCommands,
    *,
    severities: Mapping[str, str] = NO_SEVERITIES,
    variables: Container[str] = (),
    functions: Mapping[str, Function] = NO_FUNCTIONS,
) -> list[Diagnostic]:
    """Everything found, in the order of the source; only a diagnostic that is an error refuses.

    `severities` says "error", "warn" or "off" for a code; `variables` are those that have a value
    before the script runs, `functions` those that are defined.
    """
    if script.body is None:
        return []
    report = CheckReport(script, severities)
    walk = ScriptWalk(report)
    walk.script(script.body)
    if functions:
        from keysh.check.known_functions import add_function_effects  # noqa: PLC0415 - only where there are

        add_function_effects(walk.facts, functions, script)
    CommandRules(walk.facts, registry, report, script.source).check_calls()
    if walk.facts.reads:
        from keysh.check.variables import VariableRules  # noqa: PLC0415 - as above

        VariableRules(walk.facts, variables, report).check()
    if walk.facts.assignments or walk.facts.expansions:
        from keysh.check.splitting.rule import SplittingRule  # noqa: PLC0415 - as above

        SplittingRule(walk.facts, variables, report).check()
    return report.sorted_diagnostics() if report.diagnostics else []
