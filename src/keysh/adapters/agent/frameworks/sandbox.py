"""SessionSandbox: the files and the commands of a session, for frameworks with their own tools."""

from __future__ import annotations

from errno import EFBIG, EPERM
from os import strerror

from keysh import quote
from keysh.adapters.agent.bash import BashTool
from keysh.adapters.agent.frameworks.tools import managed_session
from keysh.adapters.agent.guard import Guard
from keysh.adapters.agent.keysh_session import MAX_COMMAND_SECONDS
from keysh.adapters.agent.task import FinishedCommand
from keysh.adapters.thread import Stop, on_thread, run_coroutine
from keysh.diagnostics.exceptions import failure
from keysh.interp.run.control_flow import STATUS_NOT_EXECUTABLE
from keysh.interp.state.call import CommandFailure, os_error_text
from keysh.vfs.paths import join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from keysh.adapters.agent.frameworks.tools import ToolSession
    from keysh.rules.decision import Action

MAX_CONTENT_BYTES = 256 << 20  # of a file, which is read into the host's memory
PIECE_BYTES = 1 << 20
SEARCH_SECONDS = 30  # for a search through files
FIND_FORMAT = "%Y\\t%s\\t%T@\\t%p\\0"
FIND_OPERATORS = ("-", "(", ")", "!", ",")  # a path that begins with one would be a test or an act
NO_MATCH = 1  # the status of grep


class FoundFile:
    """A file that `find` has found; `kind` is one of its letters, `modified` in seconds."""

    __slots__ = ("kind", "modified", "path", "size")

    def __init__(self, record: str) -> None:
        self.kind, size, modified, self.path = record.split("\t", 3)
        self.size, self.modified = int(size), float(modified)


class SearchFailure(Exception):
    """A search has failed; the message says why."""


class SessionSandbox:
    """Runs commands, and reads, writes and finds files, as commands of the session would.

    `close` ends the session if this has opened it.
    """

    def __init__(
        self, session: ToolSession, guard: Guard | None, options: Mapping[str, Any]
    ) -> None:
        self.manager, self.close = managed_session(session, options)
        self.guard = guard or Guard()

    async def execute(self, command: str, seconds: float | None) -> FinishedCommand:
        """Run a command that the guard allows, for 120 s unless `seconds` says otherwise."""
        session = self.manager.session
        refusal = await self.guard.judge(
            command, session.cwd, resolve_path=self.manager.resolve_path, dialect=session.dialect
        )
        if refusal:
            return FinishedCommand(STATUS_NOT_EXECUTABLE, b"", f"{refusal}\n".encode())
        seconds = BashTool.DEFAULT_TIMEOUT / 1000 if seconds is None else seconds
        return await on_thread(lambda stop: self.run(command, seconds, stop))

    def run(self, command: str, seconds: float, stop: Stop) -> FinishedCommand:
        """Run a command of this adapter's own."""
        done = self.manager.session.run(command, min(seconds, MAX_COMMAND_SECONDS), stop)
        assert isinstance(done, FinishedCommand)
        return done

    def read(self, path: str) -> bytes:
        """Return the content of a file that the guard allows to read."""
        return self.content(self._permitted_path("read", path))

    def content(self, path: str) -> bytes:
        """Return the content of a file of this adapter's own; OSError if it is too large."""
        pieces: list[bytes] = []
        size = 0
        with self.manager.session.open_file(path) as stream:
            while piece := stream.read(PIECE_BYTES):
                size += len(piece)
                if size > MAX_CONTENT_BYTES:  # as of /dev/zero, or of a file that is a hole
                    raise failure(EFBIG, path)
                pieces.append(piece)
        return b"".join(pieces)

    def write(self, path: str, content: str | bytes) -> None:
        """Write a file that the guard allows to write, and make its directories."""
        self.manager.session.write_file(self._permitted_path("write", path), content)

    def _permitted_path(self, action: Action, path: str) -> str:
        """Return a path without links, on which the guard allows an action.

        Raise PermissionError if it is outside the guard's directories, and CommandFailure if a rule
        refuses it.
        """
        resolve_path = self.manager.resolve_path
        if action == "remove":  # of a link itself, not of what it leads to
            parent, _, name = join(self.manager.session.cwd, path).rstrip("/").rpartition("/")
            place = resolve_path(parent or "/")
            real = join(place, name)
        else:
            place = real = resolve_path(path)
        if not self.guard.is_inside(place, resolve_path):
            raise PermissionError(EPERM, strerror(EPERM), real)
        if self.guard.has_rules and (
            refusal := run_coroutine(lambda: self.guard.judge_file(action, real))
        ):
            raise CommandFailure(refusal)
        return real

    def remove(self, path: str) -> str:
        """Remove a file, or a directory with what is in it; return why that is not possible."""
        try:
            self._permitted_path("remove", path)
        except PermissionError as error:
            return f"{path}: {os_error_text(error)}"
        except CommandFailure as refusal:
            return f"{path}: {refusal}"
        return self.discard(path)

    def discard(self, path: str) -> str:
        """Remove a file of this adapter's own; return why that is not possible."""
        with Stop() as stop:
            done = self.run(f"command rm -r -- {quote(path)}", MAX_COMMAND_SECONDS, stop)
        return message_of(done) if done.exit_code else ""

    def find(self, path: str, tests: str) -> list[FoundFile]:
        """Return the files below a path that pass tests of `find`, sorted; SearchFailure if not."""
        root = f"./{path}" if path.startswith(FIND_OPERATORS) else path
        command = f"command find {quote(root)} {tests} -printf {quote(FIND_FORMAT)}"
        records = self._search(path, command, 0).split("\0")[:-1]
        return sorted(map(FoundFile, records), key=lambda file: file.path)

    def grep(self, text: str, path: str) -> Iterator[tuple[str, int, str]]:
        """Yield the lines of text files that contain a text: path, number, line."""
        if "\n" in text:  # no line contains one, but grep takes several texts
            return
        command = f"command grep -rIFnZ -e {quote(text)} -- {quote(path)}"
        latest = None
        for record in self._search(path, command, NO_MATCH).split("\n")[:-1]:
            name, _, rest = record.partition("\0")
            if name != latest:
                self._permit_search(name)
                latest = name
            number, _, line = rest.partition(":")
            yield name, int(number), line

    def _permit_search(self, path: str) -> None:
        try:
            self._permitted_path("read", path)
        except PermissionError as error:
            raise SearchFailure(f"{path}: {os_error_text(error)}") from None
        except CommandFailure as refusal:
            raise SearchFailure(f"{path}: {refusal}") from None

    def _search(self, root: str, command: str, allowed_status: int) -> str:
        self._permit_search(root)
        with Stop() as stop:
            done = self.run(command, SEARCH_SECONDS, stop)
        if done.exit_code not in (0, allowed_status) or done.lost_bytes:
            raise SearchFailure(message_of(done) or "there are too many files; narrow the path")
        return done.stdout.decode("utf-8", "surrogateescape")


def message_of(done: FinishedCommand) -> str:
    """Return what a command has said about its failure."""
    return done.stderr.decode("utf-8", "replace").strip()


def path_below(root: str, path: str) -> str:
    """Return a path relative to the root of a search; the name if it is the root itself."""
    return path.removeprefix(root).lstrip("/") or path.rpartition("/")[2]
