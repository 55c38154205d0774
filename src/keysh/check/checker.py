"""The checker: what can be known to be wrong with a script before its first command runs.

One walk over the tree gathers facts (commands called, functions, variables) and reports what is
wrong with a node by itself; then the facts are judged, since a function may be defined behind its
first call. What cannot be known is left alone.
"""

from __future__ import annotations

from keysh.check.commands import Commands
from keysh.check.report import Report
from keysh.check.walk import Walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Mapping

    from keysh.check.commands import Registry
    from keysh.diagnostics.diagnostic import Diagnostic
    from keysh.syntax.ast import Function, Script

NO_SEVERITIES: Mapping[str, str] = {}
NO_FUNCTIONS: Mapping[str, Function] = {}


def check(
    script: Script,
    registry: Registry,
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
    report = Report(script, severities)
    walk = Walk(report)
    walk.script(script.body)
    if functions:
        from keysh.check.known_functions import add_what_they_make  # noqa: PLC0415 - only where there are

        add_what_they_make(walk.facts, functions, script)
    Commands(walk.facts, registry, report, script.source).judge()
    if walk.facts.reads:
        from keysh.check.variables import Variables  # noqa: PLC0415 - as above

        Variables(walk.facts, variables, report).judge()
    if walk.facts.assigned or walk.facts.expansions:
        from keysh.check.splitting.rule import Splitting  # noqa: PLC0415 - as above

        Splitting(walk.facts, variables, report).judge()
    return report.in_order() if report.found else []
