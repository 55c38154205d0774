"""Progress: a line on the terminal that shows how far a long command has come.

    progress = Progress(sh)
    with progress.of(name, total):
        progress.add(len(piece))

It is drawn on standard error once the command has taken a second, but never into a pipe or file.
The host's `on_progress` learns the same, wherever standard error goes.
"""

from __future__ import annotations

from keysh.diagnostics.display import display_width, visible
from keysh.gnu.sizes import human_size
from keysh.text.table import aligned_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator

    from keysh.interp.state.call import Call
    from keysh.interp.state.call_input import CommandInput

SECOND = 1_000_000_000
FIRST_UPDATE_NANOSECONDS = SECOND
UPDATE_NANOSECONDS = SECOND // 10
MIN_BAR_COLUMNS = 10  # with its brackets
COLUMN_GAP = "  "


class Progress:
    """The progress of a command, which may process several things in turn."""

    __slots__ = (
        "_start",
        "_done",
        "_drawn_columns",
        "_host",
        "_measure",
        "_name",
        "_next",
        "_sh",
        "_total",
    )

    def __init__(self, sh: Call) -> None:
        self._sh = sh
        self._start = sh.now()
        self._next = self._start + FIRST_UPDATE_NANOSECONDS
        self._drawn_columns = 0  # of the current line
        self._name, self._done = "", 0
        self._host = sh.progress
        self._total: int | None = None
        self._measure: Callable[[], int | None] | None = None

    def of(self, name: str, total: int | Callable[[], int | None] | None = None) -> Progress:
        """Start something of `total` bytes; a function is called only when it is shown."""
        self._name, self._done, self._start = name, 0, self._sh.now()
        self._total, self._measure = (None, total) if callable(total) else (total, None)
        return self

    def __enter__(self) -> Progress:
        return self

    def __exit__(self, *exception: object) -> None:
        self.wipe()
        if self._host is not None and self._done:
            self._host.tell(self._done, self._known_total(), self._name, is_last=True)

    def add(self, count: int, *, is_drawn: bool = True) -> None:
        """Count more bytes, tell the host, and redraw the line if it is due."""
        self._done += count
        if self._host is not None:
            self._host.tell(self._done, self._known_total(), self._name)
        if not is_drawn:
            return
        now = self._sh.now()
        if now < self._next:
            return
        self._next = now + UPDATE_NANOSECONDS
        columns = self._sh.err.width
        if not columns:
            return
        total = self._known_total()
        seconds = (now - self._start) / SECOND
        text = progress_line(columns - 1, self._name, self._done, total, seconds)
        size = display_width(text)
        self._sh.err.write(f"\r{text}{' ' * (self._drawn_columns - size)}")
        self._drawn_columns = size

    def _known_total(self) -> int | None:
        if self._measure is not None:
            self._total, self._measure = self._measure(), None
        return self._total

    def count_chunks(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        """Yield chunks and count them."""
        for piece in pieces:
            yield piece
            self.add(len(piece))

    def read_input(self, source: CommandInput) -> Iterator[bytes]:
        """Yield the chunks of an input and count them."""
        with self.of(source.title, lambda: file_size(self._sh, source.name)):
            yield from self.count_chunks(source.data())

    def wipe(self) -> None:
        """Erase the line, so that something else can be printed."""
        if self._drawn_columns:
            self._sh.err.write(f"\r{' ' * self._drawn_columns}\r")
            self._drawn_columns = 0


def progress_line(columns: int, name: str, done: int, total: int | None, seconds: float) -> str:
    """Return `name  [====>    ]  45%  12M/27M  5.1M/s  0:03`, as far as there is room."""
    speed = done / seconds if seconds > 0 else 0.0
    parts = [human_size(done), f"{human_size(int(speed))}/s"]
    if total:
        done = min(done, total)  # the file may have grown
        parts[0] = f"{done * 100 // total:3}%{COLUMN_GAP}{parts[0]}/{human_size(total)}"
        if speed:
            minutes, rest = divmod(int((total - done) / speed), 60)
            parts.append(f"{minutes}:{rest:02}")
    figures = COLUMN_GAP.join(parts)[:columns]
    room = columns - len(figures) - len(COLUMN_GAP)
    shown = visible(name)
    space = min(display_width(shown), room if not total else room // 2)
    if space < 1:
        return figures
    title = aligned_text(shown, space, to_right=False)
    room -= space + len(COLUMN_GAP)
    if not total or room < MIN_BAR_COLUMNS:
        return f"{title}{COLUMN_GAP}{figures}"
    full = (room - 2) * done // total
    bar = ("=" * full)[:-1] + ">" if full else ""
    return f"{title}{COLUMN_GAP}[{bar:<{room - 2}}]{COLUMN_GAP}{figures}"


def file_size(sh: Call, file: str) -> int | None:
    """Return the size of a file; None if it is unknown."""
    if file == "-":
        return None
    try:
        return sh.fs.stat(sh.path(file), follow=True).size
    except OSError:
        return None
