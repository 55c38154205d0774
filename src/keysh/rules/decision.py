"""The decisions that rules make, and what they decide about."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

    Decision: TypeAlias = Literal["allow", "ask", "deny"]
    # What is decided: a command runs, a file is read, written or removed, a request is sent, a
    # variable reaches a program.
    Action: TypeAlias = Literal["command", "read", "write", "remove", "request", "env"]

DECISIONS: tuple[Decision, ...] = ("allow", "ask", "deny")  # the strictest last
ACTIONS: tuple[Action, ...] = ("command", "read", "write", "remove", "request", "env")
FILE_ACTIONS: tuple[Action, ...] = ("read", "write", "remove")
STRICTNESS = {decision: at for at, decision in enumerate(DECISIONS)}
DECISION_WORDS = {"allow": "allowed", "ask": "to be asked", "deny": "denied"}
DEFAULT_ASK_SECONDS = 30.0  # half of the time that a run of an embedded shell has
