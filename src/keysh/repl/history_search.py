"""The history as the editor uses it: the arrow keys, searching, and suggestions."""

from __future__ import annotations

from prompt_toolkit.auto_suggest import AutoSuggest, Suggestion
from prompt_toolkit.history import History as EditorHistory

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import AsyncGenerator, Iterable

    from prompt_toolkit.buffer import Buffer
    from prompt_toolkit.document import Document

    from keysh.repl.history import History, HistoryEntry

MAX_WALKED_ENTRIES = 5000  # entries within reach of the arrow keys and Ctrl-R
MAX_SEARCHED_ENTRIES = 5000  # entries searched at each key


class HistoryWalk(EditorHistory):
    """The entries, the newest first, without repeated texts in a row."""

    def __init__(self, history: History) -> None:
        super().__init__()
        self._history = history

    async def load(self) -> AsyncGenerator[str, None]:
        self._history.read()
        last = None
        for entry in reversed(self._history.entries[-MAX_WALKED_ENTRIES:]):
            if entry.text != last:
                last = entry.text
                yield last

    def load_history_strings(self) -> Iterable[str]:
        return ()

    def store_string(self, string: str) -> None:
        """Do nothing: ReadLoop adds the entry when the command has ended."""

    def append_string(self, string: str) -> None:
        """Do nothing: ReadLoop adds the entry when the command has ended."""


class HistorySuggestions(AutoSuggest):
    """Suggests the newest entry that starts with the line, first those from this directory."""

    def __init__(self, history: History, cwd: str) -> None:
        self._history, self.cwd = history, cwd

    def get_suggestion(self, buffer: Buffer, document: Document) -> Suggestion | None:
        text = document.text
        if not text.strip() or "\n" in text:
            return None
        suffix = suggestion_for(self._history.entries[-MAX_SEARCHED_ENTRIES:], text, self.cwd)
        return None if suffix is None else Suggestion(suffix)


def suggestion_for(entries: list[HistoryEntry], text: str, cwd: str) -> str | None:
    """Return the rest of the best entry; entries that failed come last."""
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
