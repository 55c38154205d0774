"""Shell patterns within the limits of a run."""

from __future__ import annotations

from keysh.diagnostics.display import shorten
from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic
from keysh.text.pattern import Pattern
from keysh.text.regex.regex_errors import RegexLimit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.state import State


def shell_pattern(state: State, text: str, *, ignore_case: bool = False) -> Pattern:
    """Parse a pattern; E213 if its groups nest too deeply."""
    try:
        return Pattern(text, ignore_case=ignore_case, tick=state.tick)
    except RegexLimit as limit:
        fix = "take the inner part out"
        raise RuntimeDiagnostic("E213", limit.message, shorten(text), fix) from None
