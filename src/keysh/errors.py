"""The exceptions of keysh, each with one meaning."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.diagnostics import Diagnostic


class KeyshError(Exception):
    """Anything keysh raises on purpose."""


class ScriptError(KeyshError):
    """A text is not a script; `diagnostics` say where and why, at most five."""

    def __init__(self, diagnostics: list[Diagnostic]) -> None:
        super().__init__("\n".join(str(diagnostic) for diagnostic in diagnostics))
        self.diagnostics = diagnostics


class Incomplete(ScriptError):
    """A text is the beginning of a script: more lines may complete it."""
