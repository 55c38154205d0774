"""KeyshSandboxSession: the files and the commands of a session, as a SandboxAgent uses them."""

from __future__ import annotations

from io import BytesIO
from typing import Any
from uuid import uuid4

from agents.sandbox import Manifest
from agents.sandbox.errors import (
    ExecTimeoutError,
    WorkspaceArchiveReadError,
    WorkspaceArchiveWriteError,
    WorkspaceReadNotFoundError,
)
from agents.sandbox.session import BaseSandboxSession, SandboxSessionState
from agents.sandbox.snapshot import NoopSnapshot
from agents.sandbox.types import ExecResult

from keysh import quote
from keysh.adapters.agent.frameworks.sandbox import SessionSandbox, message_of
from keysh.adapters.agent.prompt.system_prompt import workspace_prompt
from keysh.adapters.thread import on_thread
from keysh.interp.state.call import CommandFailure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from io import IOBase
    from pathlib import Path

    from keysh.adapters.agent import Guard
    from keysh.adapters.agent.frameworks.tools import ToolSession
    from keysh.adapters.agent.task import FinishedCommand

ARCHIVE_SECONDS = 600  # to pack or unpack the workspace


class KeyshSandboxSession(BaseSandboxSession):
    """A live session of keysh. Each command runs in a shell of its own, as in other sandboxes.

    The workspace is the directory of the session, or /workspace if that is the root. The end of the
    `async with` ends the session if `sandbox` has opened it.
    """

    def __init__(self, session: ToolSession, guard: Guard | None, options: dict[str, Any]) -> None:
        self._sandbox = SessionSandbox(session, guard, options)
        cwd = self._sandbox.manager.session.cwd
        manifest = Manifest() if cwd == "/" else Manifest(root=cwd)
        self.state = SandboxSessionState(
            type="keysh", snapshot=NoopSnapshot(id="keysh"), manifest=manifest
        )
        self._is_running = True

    def system_prompt(self) -> str:
        """Return what a model should know about the session, in about ten lines."""
        sandbox, root = self._sandbox, self.state.manifest.root
        session, guard = sandbox.manager.session, sandbox.guard
        return workspace_prompt(session, guard, "exec_command", root, "yield_time_ms")

    async def running(self) -> bool:
        """Whether commands can run."""
        return self._is_running

    async def read(self, path: Path, *, user: object = None) -> IOBase:
        """Return a file as a stream."""
        try:
            return BytesIO(await self._use(self._sandbox.read, path))
        except FileNotFoundError:
            raise WorkspaceReadNotFoundError(path=path) from None
        except (OSError, CommandFailure) as error:
            raise WorkspaceArchiveReadError(path=path, cause=error) from error

    async def write(self, path: Path, data: IOBase, *, user: object = None) -> None:
        """Write a file, and make its directories."""
        content = data.read()
        try:
            await self._use(lambda text: self._sandbox.write(text, content), path)
        except (OSError, CommandFailure) as error:
            raise WorkspaceArchiveWriteError(path=path, cause=error) from error

    async def _use(self, act: Callable[[str], Any], path: Path) -> Any:
        """Call with the text of a path within the workspace."""
        text = str(self.normalize_path(path))
        return await on_thread(lambda _: act(text))

    async def persist_workspace(self) -> IOBase:
        """Return the workspace as a tar archive."""
        archive = f"/tmp/keysh-{uuid4().hex}.tar"
        root = self.state.manifest.root
        try:
            await self._pack(f"tar -C {quote(root)} -cf {archive} .", WorkspaceArchiveReadError)
            return BytesIO(await on_thread(lambda _: self._sandbox.content(archive)))
        except OSError as error:
            raise WorkspaceArchiveReadError(
                path=self._workspace_root_path(), cause=error
            ) from error
        finally:
            await on_thread(lambda _: self._sandbox.discard(archive))

    async def hydrate_workspace(self, data: IOBase) -> None:
        """Unpack a tar archive into the workspace."""
        archive = f"/tmp/keysh-{uuid4().hex}.tar"
        content = data.read()
        session, root = self._sandbox.manager.session, quote(self.state.manifest.root)
        try:
            await on_thread(lambda _: session.write_file(archive, content))
            await self._pack(
                f"mkdir -p {root} && tar -C {root} -xf {archive}", WorkspaceArchiveWriteError
            )
        except OSError as error:
            path = self._workspace_root_path()
            raise WorkspaceArchiveWriteError(path=path, cause=error) from error
        finally:
            await on_thread(lambda _: self._sandbox.discard(archive))

    async def _pack(
        self,
        command: str,
        failure: type[WorkspaceArchiveReadError | WorkspaceArchiveWriteError],
    ) -> None:
        done = await on_thread(lambda stop: self._sandbox.run(command, ARCHIVE_SECONDS, stop))
        if done.exit_code:
            path = self._workspace_root_path()
            raise failure(path=path, context={"stderr": message_of(done)})

    async def _prepare_backend_workspace(self) -> None:
        root = quote(self.state.manifest.root)
        await self._pack(f"mkdir -p {root}", WorkspaceArchiveWriteError)

    async def _exec_internal(
        self, *command: str | Path, timeout: float | None = None
    ) -> ExecResult:
        words = " ".join(quote(str(word)) for word in command)
        text = f"(cd {quote(self.state.manifest.root)} && {words})"
        done: FinishedCommand = await self._sandbox.execute(text, timeout)
        if done.stop == "timeout":
            raise ExecTimeoutError(command=command, timeout_s=timeout)
        return ExecResult(stdout=done.stdout, stderr=done.stderr, exit_code=done.exit_code)

    async def _shutdown_backend(self) -> None:
        self._is_running = False
        await on_thread(lambda _: self._sandbox.close())
