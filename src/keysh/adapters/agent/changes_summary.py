"""The changes of a command as a model gets them: short, with the rest counted."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh import Changes

DIRECTORY_VARIABLES = ("PWD", "OLDPWD")  # the directory itself is listed
MAX_LISTED_CHANGES = 20  # of files, and as many of the session


def changes_summary(changes: Changes) -> dict[str, Any]:
    """Return the paths with what became of them, and the names of variables and so on."""
    files = changes.files
    facts = [fact for fact in changes.state if fact.name not in DIRECTORY_VARIABLES]
    summary: dict[str, Any] = {
        "files": [
            {"path": change.path, "kind": change.kind}
            | ({} if change.moved_from is None else {"moved_from": change.moved_from})
            for change in files[:MAX_LISTED_CHANGES]
        ],
        "session": [f"{fact.kind} {fact.name}".strip() for fact in facts[:MAX_LISTED_CHANGES]],
        "is_complete": changes.is_complete,
    }
    more = max(0, len(files) - MAX_LISTED_CHANGES) + max(0, len(facts) - MAX_LISTED_CHANGES)
    if more:
        summary["more"] = more
    if not changes.is_complete:
        summary["reasons"] = changes.reasons[:MAX_LISTED_CHANGES]
    return summary
