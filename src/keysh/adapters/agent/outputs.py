"""Long outputs: the model gets them without the middle, and files keep them whole."""

from __future__ import annotations

from keysh.text.chunks import bytes_of_text
from keysh.vfs.memory.filesystem import MemoryFS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.adapters.tool_result import CutRecord
    from keysh.vfs.router import Router

OUTPUT_DIRECTORY = "/v/output"
MAX_SHOWN_CHARACTERS = 30_000
NOTE_CHARACTERS = 100  # of them for the note in place of the middle
MAX_OUTPUT_FILES, MAX_STORED_BYTES = 100, 64 << 20  # beyond these the oldest are removed


class Outputs:
    """The files /v/output/1, /v/output/2 and so on, in memory; those already there stay."""

    __slots__ = ("_fs", "_number", "_sizes")

    def __init__(self, fs: Router) -> None:
        if OUTPUT_DIRECTORY not in fs.mounts:
            fs.mount(OUTPUT_DIRECTORY, MemoryFS())
        self._fs = fs.mounts[OUTPUT_DIRECTORY]
        numbers = sorted(int(entry.name) for entry in self._fs.list("/") if entry.name.isdecimal())
        self._number = numbers[-1] if numbers else 0
        self._sizes = {str(number): self._fs.stat(f"/{number}").size for number in numbers}

    def preview(self, text: str, lost_bytes: int = 0) -> tuple[str, CutRecord | None]:
        """Return a text as the model gets it, and what it lacks; a file keeps all of it.

        `lost_bytes` are missing already.
        """
        if len(text) <= MAX_SHOWN_CHARACTERS:
            if not lost_bytes:
                return text, None
            return text, {"characters": 0, "file": None, "lost_bytes": lost_bytes}
        path = f"{OUTPUT_DIRECTORY}/{self._keep(text)}"
        characters = len(text) - MAX_SHOWN_CHARACTERS + NOTE_CHARACTERS
        cut: CutRecord = {"characters": characters, "file": path, "lost_bytes": lost_bytes}
        return cut_middle(text, f"; the whole is in {path}"), cut

    def _keep(self, text: str) -> str:
        """Write a text to a new file; return its name."""
        data = bytes_of_text(text)
        self._number += 1
        name = str(self._number)
        with self._fs.open(f"/{name}", "w") as stream:
            stream.write(data)
        self._sizes[name] = len(data)
        while len(self._sizes) > MAX_OUTPUT_FILES or sum(self._sizes.values()) > MAX_STORED_BYTES:
            oldest = next(iter(self._sizes))
            if oldest == name:
                break
            del self._sizes[oldest]
            try:
                self._fs.remove(f"/{oldest}")
            except FileNotFoundError:
                continue  # a script removed it
        return name


def cut_middle(text: str, remark: str = "") -> str:
    """Replace the middle of a text that is too long by a note about how much is missing."""
    if len(text) <= MAX_SHOWN_CHARACTERS:
        return text
    rest = MAX_SHOWN_CHARACTERS - NOTE_CHARACTERS
    head, tail = rest // 2, rest - rest // 2
    note = f"\n[... {len(text) - rest} characters are left out{remark} ...]\n"
    return text[:head] + note + text[len(text) - tail :]
