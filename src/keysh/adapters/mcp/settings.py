"""What a host sets of a server: how much is shown, what moves, how many sessions there are."""

from __future__ import annotations

from keysh.adapters.agent import ShellManager, tools_for
from keysh.adapters.agent.bash import check_promote_after
from keysh.adapters.agent.outputs import MAX_SHOWN_CHARACTERS, check_max_shown
from keysh.diagnostics.exceptions import refuse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.adapters.agent import BashSession, Guard, KeyshSession, SessionTools

MAX_SESSIONS = 100
IDLE_SECONDS = 1800.0


class ServerSettings:
    """Settings of a server.

    max_shown      characters of an output that a client gets; files have the rest
    promote_after  milliseconds after which a command moves to the background; never by default
    max_sessions   sessions at the same time, over HTTP
    idle_seconds   how long a session lasts without a request, over HTTP
    """

    __slots__ = ("idle_seconds", "max_sessions", "max_shown", "promote_after")

    def __init__(
        self,
        *,
        max_shown: int = MAX_SHOWN_CHARACTERS,
        promote_after: float | None = None,
        max_sessions: int = MAX_SESSIONS,
        idle_seconds: float = IDLE_SECONDS,
    ) -> None:
        for option, number in (("max_sessions", max_sessions), ("idle_seconds", idle_seconds)):
            if not isinstance(number, int | float) or not 0 < number < float("inf"):
                refuse(option, "a number above 0", number, f"{option}=10")
        check_max_shown(max_shown)
        check_promote_after(promote_after)
        self.max_shown, self.promote_after = max_shown, promote_after
        self.max_sessions, self.idle_seconds = max_sessions, idle_seconds

    def manager_of(self, session: KeyshSession | BashSession) -> ShellManager:
        """Return the manager of a session."""
        return ShellManager(session, max_shown=self.max_shown)

    def tools_of(self, manager: ShellManager, guard: Guard | None = None) -> SessionTools:
        """Return the tools of a session."""
        return tools_for(manager, guard, promote_after=self.promote_after)
