"""Asking: a question on standard error, answered by a line of standard input."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.runtime.call import Call


def agrees(sh: Call, question: str) -> bool:
    """Whether the answer begins with y; no answer is no."""
    sh.err.write(f"{sh.name}: {question} ")
    return sh.stdin.read_line()[:1] in ("y", "Y")
