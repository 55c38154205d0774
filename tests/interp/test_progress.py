"""Progress: a line on a terminal after a second of the shell's clock, and nothing elsewhere."""

from __future__ import annotations

import os
import tty
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from io import FileIO
from pathlib import Path
from threading import Thread

import pyte
import pytest

from fake_shell import FakeShell
from keysh import LocalFS, Network, Shell
from keysh.diagnostics.display import display_width
from keysh.gnu.progress import Progress, progress_line
from keysh.interp.state.call import Call
from keysh.interp.streams.open_files import FileWriter
from keysh.interp.streams.streams import Reader, Writer
from keysh.vfs.memory.filesystem import MemoryFS
from keysh.vfs.router import Router

MEGABYTE = 1 << 20
COLUMNS = 60


class Screen(Writer):
    """A terminal of some columns, and all that is written to it."""

    __slots__ = ("columns", "written")

    def __init__(self, columns: int = COLUMNS) -> None:
        self.columns = columns
        self.written: list[str] = []
        super().__init__(self.written.append)

    @property
    def width(self) -> int:
        return self.columns

    @property
    def shown(self) -> str:
        screen = pyte.Screen(COLUMNS, 3)
        pyte.Stream(screen).feed("".join(self.written))
        return "\n".join(row.rstrip() for row in screen.display).rstrip()


class Clocked(FakeShell):
    """A shell whose clock the test advances."""

    seconds = 0.0

    def now(self) -> int:
        return round(self.seconds * 1e9)


class Made:
    """The progress of one command."""

    def __init__(self) -> None:
        self.shell = Clocked(Router(MemoryFS({"/file": "x" * 1000})))
        self.screen = Screen()
        self.call = Call("tool", self.shell, Reader(["data"]), Writer(str), self.screen)
        self.progress = Progress(self.call)

    def after(self, seconds: float, count: int = 0) -> str:
        """Advance the clock and the byte count; return what the screen shows."""
        self.shell.seconds += seconds
        self.progress.add(count)
        return self.screen.shown


@pytest.fixture
def made() -> Made:
    return Made()


def test_no_progress_within_the_first_second(made: Made) -> None:
    with made.progress.of("file", 100):
        assert made.after(0.99, 99) == ""
    assert not made.screen.written


def test_progress_line_appears_and_is_erased_at_the_end(made: Made) -> None:
    with made.progress.of("file", 4 * MEGABYTE):
        shown = made.after(1.0, MEGABYTE)
        assert shown == "file  [====>               ]   25%  1.0M/4.0M  1.0M/s  0:03"
        assert made.after(0.05, MEGABYTE) == shown  # too soon to draw again
        assert made.after(0.95, MEGABYTE).endswith(" 75%  3.0M/4.0M  1.5M/s  0:00")
    assert made.screen.shown == ""


def test_delay_counts_from_the_start_of_the_command(made: Made) -> None:
    with made.progress.of("one", 10):
        made.after(0.7, 10)
    with made.progress.of("two", 10):
        assert made.after(0.5, 5).startswith("two  [")


def test_progress_line_is_erased_when_the_command_fails(made: Made) -> None:
    def fail() -> None:
        with made.progress.of("file", 10):
            made.after(2, 5)
            raise KeyError

    with pytest.raises(KeyError):
        fail()
    assert made.screen.written
    assert made.screen.shown == ""


def test_size_is_looked_up_when_first_shown(made: Made) -> None:
    requests = []
    with made.progress.of("file", lambda: requests.append("size")):
        made.after(0.5, 1)
        assert not requests
        assert made.after(0.6, 2047) == "file  2.0K  1.9K/s"
        made.after(0.6, 1)
    assert requests == ["size"]


def test_input_is_counted_in_bytes(made: Made) -> None:
    made.call.source = Reader(["é" * 500, "x" * 24])
    [source] = made.call.inputs([])
    pieces = made.progress.read_input(source)
    assert next(pieces) == "é".encode() * 500
    made.shell.seconds = 2
    assert next(pieces) == b"x" * 24
    assert made.screen.shown.startswith("standard input  1000  ")
    assert list(pieces) == []
    assert made.screen.shown == ""


def test_no_progress_without_a_terminal(made: Made) -> None:
    made.screen.columns = 0
    with made.progress.of("file", 100):
        made.after(5, 50)
        made.screen.columns = COLUMNS  # a job that is brought to the foreground
        assert made.after(1, 10)


@pytest.mark.parametrize("total", [None, 10, 10**9])
@pytest.mark.parametrize("columns", [1, 5, 20, 30, 79])
def test_progress_line_fits_the_terminal(columns: int, total: int | None) -> None:
    for done in (0, 5, 10**8, 2 * 10**9):
        shown = progress_line(columns, "a long 字 name\x1b[1m of a file", done, total, 1.5)
        assert display_width(shown) <= columns
        assert "\x1b" not in shown


# ---------------------------------------------------------------- commands on a real terminal


@pytest.fixture
def terminal() -> Iterator[tuple[int, int]]:
    """Both ends of a terminal: the one a person sees, and the one a program has."""
    ours, expected = os.openpty()
    tty.setraw(expected)
    yield ours, expected
    os.close(ours)
    os.close(expected)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "big").write_bytes(bytes(2 * MEGABYTE))
    return tmp_path


def run(folder: Path, script: str, fd: int) -> None:
    """Run a script that writes its errors to an open file; each look at the clock takes 0.3 s."""
    seconds = iter(range(10**6))
    network = Network(["127.0.0.1:*"], ["GET"])
    with Shell(LocalFS(folder), clock=lambda: next(seconds) * 0.3, network=network) as shell:
        shell.attach(Reader(()), Writer(str), FileWriter(FileIO(fd, "wb", closefd=False)))
        assert shell.run(script).code == 0


# Commands that show progress. The archive is created without a terminal.
PACK = "tar -cf a.tar big 2>/dev/null; rm big"
SCRIPTS = {
    "cp big copy": "big",
    "sha256sum big": "big",
    "cksum <big": "standard input",
    "tar -cf a.tar big": "big",
    f"{PACK}; tar -xf a.tar": "big",
}


@pytest.mark.parametrize("script", SCRIPTS)
def test_commands_show_their_progress(script: str, folder: Path, terminal: tuple[int, int]) -> None:
    ours, expected = terminal
    run(folder, script, expected)
    os.write(expected, b"end")
    text = b""
    while not text.endswith(b"end"):
        text += os.read(ours, 1 << 16)
    first, *lines, blank, end = text.decode().split("\r")
    assert (first, blank.strip(), end) == ("", "", "end")
    assert lines
    assert all(each.startswith(SCRIPTS[script]) for each in lines)


@pytest.mark.parametrize("script", SCRIPTS)
def test_commands_write_no_progress_to_files(script: str, folder: Path) -> None:
    with (folder / "errors").open("wb") as file:
        run(folder, script, file.fileno())
    assert (folder / "errors").read_bytes() == b""


class Quiet(SimpleHTTPRequestHandler):
    """Return the files of a directory, without progress."""

    def log_message(self, format: str, *arguments: object) -> None:
        pass


@pytest.fixture
def url(folder: Path) -> Iterator[str]:
    """Where a server has the files."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    thread = Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    server.server_close()
    thread.join()


@pytest.mark.parametrize(
    ("options", "is_drawn"), [("-o copy", True), ("", True), ("-s -o copy", False)]
)
def test_transfers_show_their_progress(
    options: str, is_drawn: bool, url: str, folder: Path, terminal: tuple[int, int]
) -> None:
    pytest.importorskip("httpcore")
    ours, expected = terminal
    run(folder, f"curl {options} {url}/big", expected)
    os.write(expected, b"end")
    text = b""
    while not text.endswith(b"end"):
        text += os.read(ours, 1 << 16)
    assert (b"\rbig  [" in text and b"/2.0M  " in text) is is_drawn
    assert is_drawn or text == b"end"


def test_file_has_no_width(folder: Path, terminal: tuple[int, int]) -> None:
    with (folder / "big").open("rb+", buffering=0) as file:
        assert FileWriter(file).width == 0
    assert FileWriter(FileIO(terminal[1], "wb", closefd=False)).width == 80
