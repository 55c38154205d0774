"""The result of a tool, for a language model and for its host.

All tools return it, and all adapters pass it on: its `text` to the model, the rest to the host.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypedDict

    class CutRecord(TypedDict):
        """What the output of a tool lacks.

        characters  how many characters were left out of the middle
        file        the file of the session that has them, or None
        lost_bytes  how many bytes of the command's output no file has, since there were too many
        """

        characters: int
        file: str | None
        lost_bytes: int

    class LimitRecord(TypedDict):
        """The limit that ended a command.

        kind     its name, such as seconds or steps; cancelled if somebody stopped the command
        used     how much of it was used, in its unit, or what happened
        allowed  how much of it was allowed; None for what has no amount
        place    where the command was, as file:line:column, or an empty text
        """

        kind: str
        used: Any
        allowed: Any
        place: str


NULLABLE_INTEGER = {"type": ["integer", "null"]}
CUT_SCHEMA = {
    "type": ["object", "null"],
    "description": "What the output lacks: characters of its middle, the file that has them, and "
    "how many bytes no file has",
    "properties": {
        "characters": {"type": "integer"},
        "file": {"type": ["string", "null"]},
        "lost_bytes": {"type": "integer"},
    },
    "required": ["characters", "file", "lost_bytes"],
}
LIMIT_SCHEMA = {
    "type": ["object", "null"],
    "description": "The limit that ended the command: its kind, what was used and allowed, and "
    "the place in the command",
    "properties": {"kind": {"type": "string"}, "place": {"type": "string"}},
    "required": ["kind", "used", "allowed", "place"],
}
CHANGES_SCHEMA = {
    "type": ["object", "null"],
    "description": "What the call changed in files and in the session, if the session has a "
    "journal; the first of them, and how many more",
    "properties": {
        "files": {"type": "array", "items": {"type": "object"}},
        "session": {"type": "array", "items": {"type": "string"}},
        "is_complete": {"type": "boolean"},
        "more": {"type": "integer"},
        "reasons": {"type": "array", "items": {"type": "string"}},
    },
    "required": ["files", "session", "is_complete"],
}
# Of the record of each result. A tool may have more facts.
RESULT_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "success": {"type": "boolean", "description": "Whether the tool did what it was asked to"},
        "output": {"type": "string", "description": "Standard output, then standard error"},
        "error": {"type": ["string", "null"], "description": "Why it failed"},
        "exit_code": {**NULLABLE_INTEGER, "description": "The status of a command that has ended"},
        "changes": CHANGES_SCHEMA,
        "limit": LIMIT_SCHEMA,
        "cut": CUT_SCHEMA,
        "duration_ms": {"type": ["number", "null"], "description": "How long the call took"},
    },
    "required": [
        "success", "output", "error", "exit_code", "changes", "limit", "cut", "duration_ms",
    ],
}  # fmt: skip


class ToolResult:
    """What a tool has done.

    success      whether it did what it was asked to; for a command, whether its status is 0
    output       what it found: of a command standard output and then standard error, of a file its
                 lines; the middle of a long text is left out
    error        why it failed, in a line or a few; None after a success
    exit_code    the status of the command that it ran or was asked about; None while that runs, and
                 for tools that run none
    changes      what it changed in files and in the session; None where the session has no journal
    limit        the limit that ended the command, or None
    cut          what `output` lacks and where it is, or None
    duration_ms  how long the call took, in milliseconds; None before it has ended
    metadata     all facts by their names, as JSON values: those above and the tool's own, such as
                 `command`, `cwd`, `stderr`, `bash_id`, `is_running`, `path`
    """

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

    @property
    def exit_code(self) -> int | None:
        """The status of the command, or None."""
        return self.metadata.get("exit_code")

    @property
    def changes(self) -> dict[str, Any] | None:
        """What was changed, as `changes_summary` returns it, or None."""
        return self.metadata.get("changes")

    @property
    def limit(self) -> LimitRecord | None:
        """The limit that ended the command, or None."""
        return self.metadata.get("limit")

    @property
    def cut(self) -> CutRecord | None:
        """What the output lacks, or None."""
        return self.metadata.get("cut")

    @property
    def duration_ms(self) -> float | None:
        """How long the call took, or None before it has ended."""
        return self.metadata.get("duration_ms")

    @property
    def text(self) -> str:
        """What a model reads: the error, the output, and in brackets what else it should know."""
        notes = []
        if self.success and (notice := self.metadata.get("notice")):
            notes.append(f"[{notice}]")
        if self.changes is not None:
            notes.append(f"[changed: {changes_text(self.changes)}]")
        body = "\n".join(part for part in (self.error, self.output) if part)
        joint = "\n" if body and notes and not body.endswith("\n") else ""
        return f"{body}{joint}{chr(10).join(notes)}"

    def record(self) -> dict[str, Any]:
        """Return all of it as JSON values, as `RESULT_SCHEMA` describes it."""
        return {
            "success": self.success, "output": self.output, "error": self.error,
            "exit_code": None, "changes": None, "limit": None, "cut": None, "duration_ms": None,
            **self.metadata,
        }  # fmt: skip

    def __repr__(self) -> str:
        return (
            f"<ToolResult {self.output[:60]!r}>" if self.success else f"<ToolResult {self.error}>"
        )


def changes_text(changes: dict[str, Any]) -> str:
    """Return a summary of changes in a line: `/a created, /b removed, variable x`."""
    parts = []
    for change in changes["files"]:
        origin = f" from {change['moved_from']}" if "moved_from" in change else ""
        parts.append(f"{change['path']} {change['kind']}{origin}")
    parts += changes["session"]
    if more := changes.get("more"):
        parts.append(f"{more} more")
    if not changes["is_complete"]:
        parts.append(f"and perhaps more, since {'; '.join(changes['reasons'])}")
    return ", ".join(parts) or "nothing"
