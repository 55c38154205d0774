"""KeyshSandbox: the files and the commands of a session, as Deep Agents calls them."""

from __future__ import annotations

from functools import partial
from uuid import uuid4

from deepagents.backends import protocol
from deepagents.backends.utils import (
    InvalidGlobPatternError,
    compile_grep_include_glob,
    perform_string_replacement,
)

from keysh.adapters.agent.frameworks.sandbox import SearchFailure, SessionSandbox, path_below
from keysh.adapters.agent.keysh_session import MAX_COMMAND_SECONDS
from keysh.adapters.agent.prompt.system_prompt import sandbox_prompt
from keysh.adapters.deepagents.records import (
    FILE_ERRORS,
    error_code,
    error_text,
    file_info,
    read_result,
    response_of,
)
from keysh.adapters.thread import run_coroutine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Self

    from keysh.adapters.agent import Guard
    from keysh.adapters.agent.frameworks.tools import ToolSession


class KeyshSandbox(protocol.SandboxBackendProtocol):
    """Files and commands of a session.

    `close`, or the end of a `with`, ends the session if `sandbox` has opened it.
    """

    def __init__(self, session: ToolSession, guard: Guard | None, options: dict[str, Any]) -> None:
        self._sandbox = SessionSandbox(session, guard, options)
        self._id = f"keysh-{uuid4().hex[:8]}"

    @property
    def id(self) -> str:
        """The name of this sandbox."""
        return self._id

    def system_prompt(self) -> str:
        """Return what a model should know about the session, in about ten lines."""
        return sandbox_prompt(self._sandbox.manager.session, self._sandbox.guard, "execute")

    def execute(self, command: str, *, timeout: int | None = None) -> protocol.ExecuteResponse:
        """Run a command; a timeout of 0 is an hour."""
        seconds = MAX_COMMAND_SECONDS if timeout == 0 else timeout
        return response_of(run_coroutine(lambda: self._sandbox.execute(command, seconds)))

    async def aexecute(
        self, command: str, *, timeout: int | None = None
    ) -> protocol.ExecuteResponse:
        """Run a command. Cancelling the task cancels it."""
        seconds = MAX_COMMAND_SECONDS if timeout == 0 else timeout
        return response_of(await self._sandbox.execute(command, seconds))

    def read(self, file_path: str, offset: int = 0, limit: int = 2000) -> protocol.ReadResult:
        """Return lines of a file; one that is no text in base64."""
        try:
            return read_result(file_path, self._sandbox.read(file_path), offset, limit)
        except FILE_ERRORS as error:
            return protocol.ReadResult(error=error_text(file_path, error))

    def write(self, file_path: str, content: str) -> protocol.WriteResult:
        """Write a file, and make its directories."""
        try:
            self._sandbox.write(file_path, content)
        except FILE_ERRORS as error:
            return protocol.WriteResult(error=error_text(file_path, error))
        return protocol.WriteResult(path=file_path)

    def edit(
        self, file_path: str, old_string: str, new_string: str, replace_all: bool = False
    ) -> protocol.EditResult:
        """Replace a text in a file."""
        try:
            text = self._sandbox.read(file_path).decode()
            replaced = perform_string_replacement(text, old_string, new_string, replace_all)
            if isinstance(replaced, str):
                return protocol.EditResult(error=replaced)
            self._sandbox.write(file_path, replaced[0])
        except (*FILE_ERRORS, UnicodeDecodeError) as error:
            return protocol.EditResult(error=error_text(file_path, error))
        return protocol.EditResult(path=file_path, occurrences=replaced[1])

    def delete(self, file_path: str) -> protocol.DeleteResult:
        """Remove a file, or a directory with all that is in it."""
        if error := self._sandbox.remove(file_path):
            return protocol.DeleteResult(error=error)
        return protocol.DeleteResult(path=file_path)

    def ls(self, path: str) -> protocol.LsResult:
        """Return the entries of a directory."""
        try:
            files = self._sandbox.find(path, "-mindepth 1 -maxdepth 1")
        except SearchFailure as failure:
            return protocol.LsResult(error=str(failure))
        return protocol.LsResult(entries=[*map(file_info, files)])

    def glob(self, pattern: str, path: str | None = None) -> protocol.GlobResult:
        """Return the files below a directory whose names match."""
        root = path or self._sandbox.manager.session.cwd
        try:
            is_match = compile_grep_include_glob(pattern)
            files = self._sandbox.find(root, "-type f")
        except (SearchFailure, InvalidGlobPatternError) as failure:
            return protocol.GlobResult(error=str(failure))
        matches = [file_info(file) for file in files if is_match(path_below(root, file.path))]
        return protocol.GlobResult(matches=matches)

    def grep(
        self, pattern: str, path: str | None = None, glob: str | None = None,
        *, max_count: int | None = None,
    ) -> protocol.GrepResult:  # fmt: skip
        """Return the lines of files that contain a text."""
        root = path or self._sandbox.manager.session.cwd
        try:
            is_match = compile_grep_include_glob(glob or "**")
            lines = (
                line
                for line in self._sandbox.grep(pattern, root)
                if is_match(path_below(root, line[0]))
            )
            matches: list[protocol.GrepMatch] = [
                {"path": name, "line": number, "text": text} for name, number, text in lines
            ]
        except (SearchFailure, InvalidGlobPatternError) as failure:
            return protocol.GrepResult(error=str(failure))
        is_cut = max_count is not None and len(matches) > max_count
        return protocol.GrepResult(matches=matches[:max_count], truncated=is_cut)

    def upload_files(self, files: list[tuple[str, bytes]]) -> list[protocol.FileUploadResponse]:
        """Write files; the answers are in the same order."""
        return [
            protocol.FileUploadResponse(
                path, error_code(path, partial(self._sandbox.write, path, data))
            )
            for path, data in files
        ]

    def download_files(self, paths: list[str]) -> list[protocol.FileDownloadResponse]:
        """Read files; the answers are in the same order."""
        return [self._download(path) for path in paths]

    def _download(self, path: str) -> protocol.FileDownloadResponse:
        answer = protocol.FileDownloadResponse(path)

        def read() -> None:
            answer.content = self._sandbox.read(path)

        answer.error = error_code(path, read)
        return answer

    def close(self) -> None:
        """End the session if `sandbox` has opened it."""
        self._sandbox.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()
