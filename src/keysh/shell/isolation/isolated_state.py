"""IsolatedState: what a host reads and sets of a shell in a worker, between its runs."""

from __future__ import annotations

from keysh.diagnostics.exceptions import KeyshError, UndoRefused
from keysh.shell.isolation.isolated_history import IsolatedEntry, IsolatedRecording
from keysh.shell.isolation.isolated_variables import (
    IsolatedVariables,
    checked_list,
    checked_string,
)
from keysh.shell.isolation.remote_files import RemoteFS
from keysh.shell.isolation.result_records import diagnostic_of_record
from keysh.shell.isolation.worker_use import WorkerUse
from keysh.shell.run_options import refuse_text
from keysh.vfs.router import Router

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.diagnostics.diagnostic import Diagnostic
    from keysh.shell.completion.candidate import Candidate
    from keysh.shell.run_options import ShellSettings


class IsolatedState(WorkerUse):
    """The methods of an isolated shell that are requests to its worker."""

    _host_options: ShellSettings

    def check(self, text: str) -> list[Diagnostic]:
        """Return what is wrong with a script, without running it."""
        refuse_text(text)
        found = self._request("check", {"text": text})[0]
        return [diagnostic_of_record(one) for one in checked_list(found)]

    def complete(self, text: str, at: int | None = None) -> list[Candidate]:
        """Return what the word before a position can become, as `Shell.complete` does."""
        from keysh.shell.completion.candidate import Candidate  # noqa: PLC0415 - only editors ask

        refuse_text(text)
        found = []
        for one in checked_list(self._request("complete", {"text": text, "at": at})[0]):
            match one:
                case [str(word), int(start), str(kind), str(help)]:
                    found.append(Candidate(word, start, kind, help))
                case _:
                    raise KeyshError("worker: it has sent a completion that is none")
        return found

    @property
    def vars(self) -> IsolatedVariables:
        """The variables, for reading and setting from Python."""
        return IsolatedVariables(self._request)

    @property
    def fs(self) -> Router:
        """The files, as scripts see them."""

        def request(verb: str, words: list[Any], data: bytes) -> tuple[Any, bytes]:
            return self._request("file", {"verb": verb, "words": words}, data)

        return Router({"/": RemoteFS(request, "files of an isolated shell")})

    @property
    def cwd(self) -> str:
        """The directory that scripts run in."""
        return checked_string(self._request("cwd")[0])

    def switch(self, option: str, is_on: bool) -> None:
        """Turn an option on or off, as `set -o` does."""
        self._request("switch", {"option": option, "is_on": is_on})

    def reset(self) -> None:
        """Begin anew: what scripts have made of the state goes, files stay."""
        self._request("reset")

    # ------------------------------------------------------------ the runs

    @property
    def history(self) -> tuple[IsolatedEntry, ...]:
        """The runs that the journal of the worker has, as `Shell.history`."""
        return tuple(self._entries_of(self._request("entries")[0]))

    def undo(self, n: int = 1, *, partial: bool = False) -> list[IsolatedEntry]:
        """Take back the last `n` runs that changed something, as `Shell.undo` does."""
        return self._entries_of(self._request("undo", {"count": n, "partial": partial})[0])

    def redo(self, n: int = 1) -> list[IsolatedEntry]:
        """Repeat the effects of the last `n` runs that were taken back."""
        return self._entries_of(self._request("redo", {"count": n})[0])

    def checkout(self, number: int, *, partial: bool = False) -> list[IsolatedEntry]:
        """Go to the moment after a run of the history, 0 for the beginning."""
        request = {"number": number, "partial": partial}
        return self._entries_of(self._request("checkout", request)[0])

    def recording(self, text: str) -> IsolatedRecording:
        """Make what the host itself does in a `with` block a run of the history.

        The thread of the block uses `fs` and `vars`; no script can run there.
        """
        refuse_text(text)
        if self._host_options.journal is None:
            raise UndoRefused("this shell has no journal: Shell(journal=True) makes one")
        return IsolatedRecording(self, text)

    def _entries_of(self, numbers: Any) -> list[IsolatedEntry]:
        entries = []
        for number in checked_list(numbers):
            record, text = self._request("entry", {"number": number})
            entries.append(IsolatedEntry(record, text, self._diff))
        return entries

    def _diff(self, number: int, context: int) -> str:
        text = self._request("diff", {"number": number, "context": context})[1]
        return text.decode("utf-8", "surrogateescape")
