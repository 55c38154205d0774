"""ToolConnection: a server of tools, as the commands of a shell and of its forks.

ToolSource ──open──> ToolConnection ──load──> members of a CommandGroup ──call──> the server

A connection is made when a script, a check or a completion first needs the tools. It ends when the
last of its shells is closed or dropped.
"""

from __future__ import annotations

from time import monotonic

from keysh.adapters.tools.call_wait import CallWait, budget_of
from keysh.adapters.tools.remote_tool import RemoteTool, tool_command
from keysh.adapters.tools.shell_names import COMMAND_NAME, shown_lines, word_of
from keysh.diagnostics.exceptions import refuse
from keysh.interp.run.turn import in_turn
from keysh.interp.state.call import CommandFailure
from keysh.interp.state.state_of_call import state_of
from keysh.schema.command_group import CommandGroup

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping
    from typing import Any

    from keysh.interp.run.turn import Turn
    from keysh.interp.state.call import Call
    from keysh.interp.state.state import State
    from keysh.schema.command import Command

CALL_SECONDS = 60.0  # of a call, unless the host says otherwise
CONNECT_SECONDS = 20.0  # until the tools are known
MAX_ANSWER_BYTES = 16 << 20
MAX_TOOLS = 1000
RETRY_SECONDS = 1.0  # after a server could not be reached, it is asked again


class ToolSource:
    """What a host passes in `Shell(tools=…)`: where tools come from, and the name of their group.

    shadows  whether the group may have the name of a command of keysh, and hides it
    only     the tools to offer, by the server's names; all without it
    """

    def __init__(
        self, name: str, *, seconds: float, max_bytes: int, shadows: bool,
        only: Iterable[str] | None,
    ) -> None:  # fmt: skip
        if not isinstance(name, str) or not COMMAND_NAME.fullmatch(name):
            refuse("name", "the name of a command: letters, digits, _ . -", name, "name='weather'")
        for option, number in (("seconds", seconds), ("max_bytes", max_bytes)):
            is_number = isinstance(number, int | float) and not isinstance(number, bool)
            if not is_number or not number > 0:
                refuse(option, "a number above 0", number, f"{option}=30")
        self.name, self.seconds, self.max_bytes, self.shadows = name, seconds, max_bytes, shadows
        self.only = None if only is None else frozenset(only)

    def offers(self, name: str) -> bool:
        """Whether a tool that the server calls by this name is offered."""
        return self.only is None or name in self.only

    def open(self) -> ToolConnection:
        """Return a connection, which is not made yet."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.name}>"


class ToolConnection:
    """One connection to a source of tools. Subclasses define `_list`, `_call` and `_end`."""

    def __init__(self, source: ToolSource, summary: str) -> None:
        self.source = source
        self.command = CommandGroup(source.name, summary, self.load)
        self.faults: list[str] = []  # what the server offers and no script can use
        self._members: Mapping[str, Command] | None = None
        self._turn: Turn = {}
        self._failure, self._failed_at = "", -RETRY_SECONDS

    @property
    def shadows(self) -> bool:
        """Whether its name may hide a command of keysh."""
        return self.source.shadows

    def load(self, state: State) -> Mapping[str, Command]:
        """Return the tools as commands by name; raise CommandFailure if they cannot be had."""
        members = self._members
        if members is not None and not self._is_stale():
            return members
        budget = budget_of(state)
        wait = CallWait(budget, min(CONNECT_SECONDS, self.source.seconds), state)
        return in_turn(self._turn, budget, lambda: self._loaded(wait))

    def _loaded(self, wait: CallWait) -> Mapping[str, Command]:
        """Return the tools once it is this thread's turn to ask."""
        members = self._members
        if members is not None and not self._is_stale():  # another thread has asked
            return members
        if monotonic() < self._failed_at + RETRY_SECONDS:
            raise CommandFailure(self._failure)
        try:
            self._members = members = self._commands(wait)
        except CommandFailure as failure:
            self._failure, self._failed_at = failure.message, monotonic()
            raise
        return members

    def _commands(self, wait: CallWait) -> dict[str, Command]:
        """Return the tools as commands; the first of those that would have one name."""
        found: dict[str, Command] = {}
        self.faults.clear()
        for number, tool in enumerate(self._list(wait)):
            wait.tick()
            if wait.seconds_left() <= 0:
                raise CommandFailure("the tools of the server take too long to read")
            name = word_of(tool.name)
            shown = repr(shown_lines(tool.name, 60))
            if number >= MAX_TOOLS:
                self.faults.append(
                    f"the tool {shown} and more are left out: {MAX_TOOLS} are enough"
                )
                break
            if not name or name in found:
                why = f"another tool has the name {name}" if name else "it has no name for a script"
                self.faults.append(f"the tool {shown} is left out: {why}")
            else:
                full_name = f"{self.source.name} {name}"
                found[name] = tool_command(full_name, tool, self.call, self.faults)
        group = self.command
        group.help = "\n".join([group.summary, *(f"note: {fault}" for fault in self.faults[:20])])
        return found

    def call(self, sh: Call, tool: RemoteTool, arguments: dict[str, Any]) -> object:
        """Call a tool; return its value, or raise CommandFailure with the server's message."""
        state = state_of(sh)
        state.budget.check()
        return self._call(CallWait(state.budget, self.source.seconds, state), tool, arguments)

    def close(self) -> None:
        """End the connection. A later call makes it again."""
        self._members = None
        self._end()

    def _is_stale(self) -> bool:
        """Whether the server has said that its tools are others now."""
        return False

    def _list(self, wait: CallWait) -> Iterable[RemoteTool]:
        """Yield the tools that the source offers, after connecting if need be.

        What no script can use is added to `faults`.
        """
        raise NotImplementedError

    def _call(self, wait: CallWait, tool: RemoteTool, arguments: dict[str, Any]) -> object:
        """Call a tool."""
        raise NotImplementedError

    def _end(self) -> None:
        """End the connection."""
        raise NotImplementedError
