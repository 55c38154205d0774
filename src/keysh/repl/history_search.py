"""Remembering: the history, as the editor walks through it and suggests from it."""

from __future__ import annotations

from prompt_toolkit.auto_suggest import AutoSuggest, Suggestion
from prompt_toolkit.history import History as EditorHistory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterable

    from prompt_toolkit.buffer import Buffer
    from prompt_toolkit.document import Document

    from keysh.repl.history import Entry, History

MOST_WALKED = 5000  # entries that the arrow keys and Ctrl-R reach
MOST_SUGGESTED = 5000  # entries that are looked through for each key


class Walk(EditorHistory):
    """The entries, the newest first, each text once in a row."""

    def __init__(self, history: History) -> None:
        super().__init__()
        self._history = history

    async def load(self) -> AsyncGenerator[str, None]:
        self._history.read()
        last = None
        for entry in reversed(self._history.entries[-MOST_WALKED:]):
            if entry.text != last:
                last = entry.text
                yield last

    def load_history_strings(self) -> Iterable[str]:
        return ()

    def store_string(self, string: str) -> None:
        """The loop does, when it knows how it has ended."""

    def append_string(self, string: str) -> None:
        """As above."""


class Suggest(AutoSuggest):
    """The newest entry that goes on as what is written; one from this directory before others."""

    def __init__(self, history: History, cwd: str) -> None:
        self._history, self.cwd = history, cwd

    def get_suggestion(self, buffer: Buffer, document: Document) -> Suggestion | None:
        text = document.text
        if not text.strip() or "\n" in text:
            return None
        found = suggested(self._history.entries[-MOST_SUGGESTED:], text, self.cwd)
        return None if found is None else Suggestion(found)


def suggested(entries: list[Entry], text: str, cwd: str) -> str | None:
    """How the fitting entry goes on; failed ones are no suggestion where another is."""
    other = failed = None
    for entry in reversed(entries):
        if not entry.text.startswith(text) or entry.text == text:
            continue
        rest = entry.text[len(text) :]
        if entry.status:
            failed = failed or rest
        elif entry.cwd == cwd:
            return rest
        else:
            other = other or rest
    return other or failed
