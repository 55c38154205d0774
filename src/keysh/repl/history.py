"""History: what has been entered, on disk and in memory.

A line of the file is one entry as JSON: text, cwd, time, status, seconds. Prompts that run at once
only ever append whole lines, each by one write, and read what the others have appended.
"""

from __future__ import annotations

import json
import os

from keysh.values import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

MOST = 10_000  # entries in memory, the newest
MOST_READ = 2 << 20  # bytes of the file that are read, its end
MOST_TEXT = 1 << 16  # characters of an entry; a longer one is not kept


class Entry:
    """One text that was entered, where and when, and how it ended."""

    __slots__ = ("cwd", "seconds", "status", "text", "time")

    def __init__(self, text: str, cwd: str, time: float, status: int, seconds: float) -> None:
        self.text, self.cwd, self.time = text, cwd, time
        self.status, self.seconds = status, seconds

    def line(self) -> bytes:
        """The entry as the file has it."""
        record = {
            "text": self.text, "cwd": self.cwd, "time": round(self.time, 3),
            "status": self.status, "seconds": round(self.seconds, 3),
        }  # fmt: skip
        return (json.dumps(record) + "\n").encode("ascii")


def entry_of(line: bytes) -> Entry | None:
    """The entry of a line; None where it is none."""
    try:
        record = json.loads(line)
        text, cwd = record["text"], record["cwd"]
        time, status, seconds = record["time"], record["status"], record["seconds"]
        if isinstance(text, str) and isinstance(cwd, str):
            return Entry(text, cwd, float(time), int(status), float(seconds))
    except (ValueError, KeyError, TypeError, RecursionError):
        pass
    return None


class History:
    """`entries`, the oldest first. Without a path, or where that fails, it is of this session."""

    __slots__ = ("_at", "_path", "entries", "problem")

    def __init__(self, path: str) -> None:
        self._path = path
        self._at = -1  # up to where the file is read; nothing is yet
        self.entries: list[Entry] = []
        self.problem = ""  # why the file cannot be written, until that is told

    def add(self, entry: Entry) -> None:
        """Remember an entry, unless it is private: it begins with a blank."""
        if entry.text[:1] in " \t" or len(entry.text) > MOST_TEXT:
            return
        entry.text = entry.text.rstrip("\n")
        if not self._path:
            self._keep([entry])
            return
        self.read()
        try:
            fd = opened(self._path)
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
        """Take over what has been appended to the file since it was read last."""
        if not self._path:
            return
        try:
            with open(self._path, "rb") as file:
                size = file.seek(0, os.SEEK_END)
                is_new = self._at < 0 or size < self._at
                begin = max(0, size - MOST_READ) if is_new else self._at
                file.seek(begin)
                data = file.read(MOST_READ)
        except OSError:
            return
        whole = data.rfind(b"\n") + 1  # the rest is still being written
        lines = data[:whole].split(b"\n")[:-1]
        if is_new and begin:
            del lines[:1]  # it begins in the middle
        self._at = begin + whole
        found = (entry_of(line) for line in lines[-MOST:])
        self._keep([entry for entry in found if entry is not None])

    def _keep(self, entries: list[Entry]) -> None:
        self.entries += entries
        del self.entries[:-MOST]


def opened(path: str) -> int:
    """The file, to be appended to; with its directories where there are none."""
    flags = os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC
    try:
        return os.open(path, flags, 0o600)
    except FileNotFoundError:
        os.makedirs(os.path.dirname(path), 0o700, exist_ok=True)
        return os.open(path, flags, 0o600)


def history_path(variables: Mapping[str, object]) -> str:
    """Where it is: `$KEYSH_HISTORY`, which may be empty for none, or among the user's data."""
    given = variables.get("KEYSH_HISTORY")
    if given is not None:
        return text_of(given)
    data = text_of(variables.get("XDG_DATA_HOME"))
    home = text_of(variables.get("HOME"))
    if not data and not home:
        return ""
    return f"{data or f'{home}/.local/share'}/keysh/history.jsonl"
