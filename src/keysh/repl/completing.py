"""Completing: the shell's candidates, as the editor shows them."""

from __future__ import annotations

from prompt_toolkit.completion import Completer, Completion

from keysh.diagnostics import shortened

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from prompt_toolkit.completion import CompleteEvent
    from prompt_toolkit.document import Document

    from keysh.shell import Shell

MOST_HELP = 60  # columns beside a candidate


class KeyshCompleter(Completer):
    """Hands the question on."""

    def __init__(self, shell: Shell) -> None:
        self._shell = shell

    def get_completions(self, document: Document, event: CompleteEvent) -> Iterator[Completion]:
        at = document.cursor_position
        for found in self._shell.complete(document.text, at):
            meta = shortened(found.help.partition("\n")[0], MOST_HELP)
            yield Completion(found.text, found.start - at, display_meta=meta or found.kind)
