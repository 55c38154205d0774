"""ToolResult: what a tool has answered a host or a model."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class ToolResult:
    """Its output, or what went wrong; `metadata` has what a program wants to know beside."""

    __slots__ = ("error", "metadata", "output", "success")

    def __init__(
        self,
        success: bool,
        output: str = "",
        error: str | None = None,
        metadata: dict[str, Any] | None = None,
    ) -> None:
        self.success, self.output, self.error = success, output, error
        self.metadata = metadata or {}

    @classmethod
    def ok(cls, output: str, **metadata: Any) -> ToolResult:
        """An answer."""
        return cls(True, output, None, metadata)

    @classmethod
    def fail(cls, error: str, output: str = "", **metadata: Any) -> ToolResult:
        """A refusal or a failure, with the output there was."""
        return cls(False, output, error, metadata)

    def __repr__(self) -> str:
        return (
            f"<ToolResult {self.output[:60]!r}>" if self.success else f"<ToolResult {self.error}>"
        )
