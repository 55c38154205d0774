"""Outputs of commands: the model gets long ones without the middle, and files keep them whole.

/v/output/N     what a model has seen only a part of: standard output, then standard error
/v/results/N    the standard output of each command, a value for later ones: `$(result N)`
"""

from __future__ import annotations

from _thread import allocate_lock

from keysh.diagnostics.exceptions import refuse
from keysh.text.chunks import bytes_of_text
from keysh.tools.result import RESULT_DIRECTORY, result_numbers
from keysh.vfs.memory.filesystem import MemoryFS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.adapters.tool_result import CutRecord
    from keysh.vfs.router import Router

OUTPUT_DIRECTORY = "/v/output"
MAX_SHOWN_CHARACTERS = 30_000  # of a result, unless the host says otherwise
MIN_SHOWN_CHARACTERS = 1000
NOTE_CHARACTERS = 100  # of them for the note in place of the middle
MAX_OUTPUT_FILES, MAX_STORED_BYTES = 100, 64 << 20  # beyond these the oldest are removed


def check_max_shown(max_shown: object) -> None:
    """Raise TypeError for what cannot be the length of a result."""
    if not isinstance(max_shown, int) or max_shown < MIN_SHOWN_CHARACTERS:
        must_be = f"a number from {MIN_SHOWN_CHARACTERS}"
        refuse("max_shown", must_be, max_shown, "max_shown=8000")


class NumberedFiles:
    """Files 1, 2 and so on below a directory, in memory; those already there stay.

    Frameworks call tools on several threads at once.
    """

    __slots__ = ("_fs", "_lock", "_number", "_sizes")

    def __init__(self, fs: Router, directory: str) -> None:
        if directory not in fs.mounts:
            fs.mount(directory, MemoryFS())
        self._fs, self._lock = fs.mounts[directory], allocate_lock()
        numbers = result_numbers(self._fs.list("/"))
        self._number = numbers[-1] if numbers else 0
        self._sizes = {str(number): self._fs.stat(f"/{number}").size for number in numbers}

    def keep(self, data: bytes) -> int:
        """Write data to a new file; return its number. The oldest ones make room.

        What a script has made in the directory stays.
        """
        with self._lock:
            return self._keep(data)

    def _keep(self, data: bytes) -> int:
        while True:
            self._number += 1
            name = str(self._number)
            try:
                with self._fs.open(f"/{name}", "x") as stream:
                    stream.write(data)
                break
            except FileExistsError:
                continue
        self._sizes[name] = len(data)
        while len(self._sizes) > MAX_OUTPUT_FILES or sum(self._sizes.values()) > MAX_STORED_BYTES:
            oldest = next(iter(self._sizes))
            if oldest == name:
                break
            del self._sizes[oldest]
            try:
                self._fs.remove(f"/{oldest}")
            except OSError:
                continue  # a script has removed or replaced it
        return self._number


class Outputs:
    """The outputs of a session. `max_shown` are the characters of a result that a model gets."""

    __slots__ = ("_outputs", "_results", "max_shown")

    def __init__(self, fs: Router, max_shown: int = MAX_SHOWN_CHARACTERS) -> None:
        self._outputs = NumberedFiles(fs, OUTPUT_DIRECTORY)
        self._results = NumberedFiles(fs, RESULT_DIRECTORY)
        self.max_shown = max_shown

    def keep_result(self, stdout: bytes) -> int | None:
        """Keep the standard output of a command; return its number, None if there is none."""
        return self._results.keep(stdout) if stdout else None

    def preview(self, text: str, lost_bytes: int = 0) -> tuple[str, CutRecord | None]:
        """Return a text as the model gets it, and what it lacks; a file keeps all of it.

        `lost_bytes` are missing already.
        """
        if len(text) <= self.max_shown:
            if not lost_bytes:
                return text, None
            return text, {"characters": 0, "file": None, "lost_bytes": lost_bytes}
        path = f"{OUTPUT_DIRECTORY}/{self._outputs.keep(bytes_of_text(text))}"
        characters = len(text) - self.max_shown + NOTE_CHARACTERS
        cut: CutRecord = {"characters": characters, "file": path, "lost_bytes": lost_bytes}
        return self.cut_middle(text, f"; the whole is in {path}"), cut

    def cut_middle(self, text: str, remark: str = "") -> str:
        """Replace the middle of a text that is too long by a note about how much is missing."""
        if len(text) <= self.max_shown:
            return text
        rest = self.max_shown - NOTE_CHARACTERS
        head, tail = rest // 2, rest - rest // 2
        note = f"\n[... {len(text) - rest} characters are left out{remark} ...]\n"
        return text[:head] + note + text[len(text) - tail :]
