"""The history of entered commands, in memory and in a file.

Each line of the file is an entry in JSON: text, cwd, time, status, seconds. Prompts that run at the
same time only append whole lines, each in one write, and read the lines that others appended.
"""

from __future__ import annotations

import json
import os

from keysh.values import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

MAX_ENTRIES = 10_000  # entries in memory, the newest
MAX_READ_BYTES = 2 << 20  # bytes read from the end of the file
MAX_ENTRY_CHARACTERS = 1 << 16  # longer texts are not kept


class HistoryEntry:
    """A command that was entered: where, when, and how it ended."""

    __slots__ = ("cwd", "seconds", "status", "text", "time")

    def __init__(self, text: str, cwd: str, time: float, status: int, seconds: float) -> None:
        self.text, self.cwd, self.time = text, cwd, time
        self.status, self.seconds = status, seconds

    def line(self) -> bytes:
        """Return the entry as a line of the file."""
        record = {
            "text": self.text, "cwd": self.cwd, "time": round(self.time, 3),
            "status": self.status, "seconds": round(self.seconds, 3),
        }  # fmt: skip
        return (json.dumps(record) + "\n").encode("ascii")


def entry_of(line: bytes) -> HistoryEntry | None:
    """Parse a line of the file; return None if it is not an entry."""
    try:
        record = json.loads(line)
        text, cwd = record["text"], record["cwd"]
        time, status, seconds = record["time"], record["status"], record["seconds"]
        if isinstance(text, str) and isinstance(cwd, str):
            return HistoryEntry(text, cwd, float(time), int(status), float(seconds))
    except (ValueError, KeyError, TypeError, RecursionError):
        pass
    return None


class History:
    """The entries, the oldest first. Without a usable file it lasts for this session only."""

    __slots__ = ("_offset", "_path", "entries", "problem")

    def __init__(self, path: str) -> None:
        self._path = path
        self._offset = -1  # the file was read up to here; -1 before the first read
        self.entries: list[HistoryEntry] = []
        self.problem = ""  # why the file cannot be written, until it is reported

    def add(self, entry: HistoryEntry) -> None:
        """Add an entry, unless it is private: it starts with a blank."""
        if entry.text[:1] in " \t" or len(entry.text) > MAX_ENTRY_CHARACTERS:
            return
        entry.text = entry.text.rstrip("\n")
        if not self._path:
            self._keep([entry])
            return
        self.read()
        try:
            fd = open_history(self._path)
            try:
                os.write(fd, entry.line())
            finally:
                os.close(fd)
        except OSError as error:
            self.problem = f"{self._path}: {error.strerror}"
            self._path = ""
            self._keep([entry])
            return
        self.read()

    def read(self) -> None:
        """Read the lines appended to the file since the last read."""
        if not self._path:
            return
        try:
            with open(self._path, "rb") as file:
                size = file.seek(0, os.SEEK_END)
                is_new = self._offset < 0 or size < self._offset
                begin = max(0, size - MAX_READ_BYTES) if is_new else self._offset
                file.seek(begin)
                data = file.read(MAX_READ_BYTES)
        except OSError:
            return
        whole = data.rfind(b"\n") + 1  # the rest is still being written
        lines = data[:whole].split(b"\n")[:-1]
        if is_new and begin:
            del lines[:1]  # the first line may be incomplete
        self._offset = begin + whole
        entries = (entry_of(line) for line in lines[-MAX_ENTRIES:])
        self._keep([entry for entry in entries if entry is not None])

    def _keep(self, entries: list[HistoryEntry]) -> None:
        self.entries += entries
        del self.entries[:-MAX_ENTRIES]


def open_history(path: str) -> int:
    """Open the file for appending; create it and its directories if they are missing."""
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC
    try:
        return os.open(path, flags, 0o600)
    except FileNotFoundError:
        os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
        return os.open(path, flags, 0o600)


def history_path(variables: Mapping[str, object]) -> str:
    """Return `$KEYSH_HISTORY`, empty for no file, or a path in the user's data directory."""
    configured = variables.get("KEYSH_HISTORY")
    if configured is not None:
        return text_of(configured)
    data = text_of(variables.get("XDG_DATA_HOME"))
    home = text_of(variables.get("HOME"))
    if not data and not home:
        return ""
    return f"{data or f'{home}/.local/share'}/keysh/history.jsonl"
