"""The result of a tool for a host or a language model."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


class ToolResult:
    """The output of a tool, or its error; `metadata` is for programs."""

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
        """Return a success."""
        return cls(True, output, None, metadata)

    @classmethod
    def fail(cls, error: str, output: str = "", **metadata: Any) -> ToolResult:
        """Return a refusal or a failure, with the output so far."""
        return cls(False, output, error, metadata)

    def __repr__(self) -> str:
        return (
            f"<ToolResult {self.output[:60]!r}>" if self.success else f"<ToolResult {self.error}>"
        )
