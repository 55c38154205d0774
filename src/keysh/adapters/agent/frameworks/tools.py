"""FrameworkTools: the tools of a session in the form of a framework, which an adapter makes.

    with pydantic_ai.toolset(files={"/notes": "…"}) as tools:
        agent = Agent(model, tools=tools, instructions=tools.system_prompt())

All adapters have the same `toolset`: a class that says what one tool becomes.
"""

from __future__ import annotations

from keysh import Shell
from keysh.adapters.agent.bash_session import BashSession
from keysh.adapters.agent.keysh_session import KeyshSession
from keysh.adapters.agent.session_tools import SessionTools
from keysh.adapters.agent.shell_session import ShellSession
from keysh.adapters.agent.shells import ShellManager

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, NoReturn, Self, TypeAlias, TypeVar

    from keysh.adapters.agent.guard import Guard
    from keysh.adapters.agent.tool import BaseTool
    from keysh.adapters.tool_result import ToolResult

    T = TypeVar("T")
    ToolSession: TypeAlias = Shell | KeyshSession | BashSession | ShellManager | None
    OnResult: TypeAlias = Callable[[str, ToolResult], object]


class FrameworkTools(list["T"]):
    """The tools of a session, a Shell, or a new session with the options of `Shell`.

    They are a list of a framework's own tools.

    registry   the tools as keysh has them
    session    what runs the commands
    on_result  called with the name of the tool and the ToolResult of each call

    `close`, or the end of a `with`, ends background shells, and the session if it was opened
    here: a Shell or a session of the host stays open.
    """

    __slots__ = ("_close", "on_result", "registry", "session")

    def __init__(
        self,
        session: ToolSession = None,
        *,
        guard: Guard | None = None,
        on_timeout: str = "kill",
        promote_after: float | None = None,
        on_result: OnResult | None = None,
        **options: Any,
    ) -> None:
        manager, self._close = managed_session(session, options)
        self.session, self.on_result = manager.session, on_result
        try:
            self.registry = SessionTools(
                manager, guard, on_timeout=on_timeout, promote_after=promote_after
            )
            super().__init__(self.framework_tool(tool) for tool in self.registry.list())
        except BaseException:
            self._close()
            raise

    def framework_tool(self, tool: BaseTool) -> T:
        """Return a tool as the framework takes it."""
        raise NotImplementedError

    def system_prompt(self) -> str:
        """Return what a model should know about the session, in about ten lines."""
        return self.registry.system_prompt()

    def call(self, name: str, arguments: Mapping[str, Any]) -> ToolResult:
        """Run a tool, and wait for it."""
        return self._noted(name, self.registry.execute_sync(name, arguments))

    async def acall(self, name: str, arguments: Mapping[str, Any]) -> ToolResult:
        """Run a tool. Cancelling the task cancels its command."""
        return self._noted(name, await self.registry.execute(name, arguments))

    def _noted(self, name: str, result: ToolResult) -> ToolResult:
        if self.on_result is not None:
            self.on_result(name, result)
        return result

    def close(self) -> None:
        """End background shells, and what was opened for these tools. It can be called again."""
        self._close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exception: object) -> None:
        from keysh.adapters.thread import on_thread  # noqa: PLC0415 - only with an event loop

        await on_thread(lambda _: self.close())


def managed_session(
    session: ToolSession, options: Mapping[str, Any]
) -> tuple[ShellManager, Callable[[], None]]:
    """Return a session with its background shells, and what ends the part that is not the host's.

    Without a session one is opened with the options of `KeyshSession`, which are those of `Shell`.
    """
    if session is None:
        manager = ShellManager(KeyshSession(**options))
        return manager, manager.close
    if options:
        names = ", ".join(options)
        raise TypeError(f"a session has its own options, so these have no effect: {names}")
    if isinstance(session, ShellManager):
        return session, lambda: None
    if isinstance(session, KeyshSession | BashSession):
        manager = ShellManager(session)
        return manager, manager.kill_shells
    manager = ShellManager(ShellSession(session))
    return manager, manager.close


def refuse_missing(error: ModuleNotFoundError, package: str, extra: str) -> NoReturn:
    """Raise the error of an import anew: with the fix, if the package itself is missing."""
    if (error.name or "").partition(".")[0] != package:
        raise error
    raise ModuleNotFoundError(
        f"{package} is not installed: pip install 'keysh[{extra}]'", name=package
    ) from None
