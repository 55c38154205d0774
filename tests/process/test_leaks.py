"""Many processes leave nothing behind, which the `make` fixture checks."""

from __future__ import annotations

import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest

from keysh.process import MERGE, OPEN, NotStarted, run, start
from process.conftest import Make
from process.leaked_processes import children, descriptors


def test_one_after_the_other(make: Make) -> None:
    spec = make("true", stdin=b"x" * 5000)
    before, children_before = descriptors(), children()
    for _ in range(300):
        assert run(spec).code == 0
    assert not descriptors() - before
    assert children() == children_before


def test_side_by_side(make: Make) -> None:
    def one(number: int) -> bytes:
        return run(make("sh", "-c", "cat; echo $0", str(number), stdin=b"x" * 100_000)).stdout

    with ThreadPoolExecutor(8) as pool:
        outputs = list(pool.map(one, range(80)))
    assert outputs == [b"x" * 100_000 + b"%d\n" % number for number in range(80)]


def test_two_hundred_at_once(make: Make) -> None:
    """All of them are alive before the first may end."""
    before = len(children())
    with ExitStack() as stack:
        running = [
            stack.enter_context(
                start(make("sh", "-c", "read x; echo $0 $x", str(number), stdin=OPEN, stderr=MERGE))
            )
            for number in range(200)
        ]
        assert len(children()) == before + 200
        for process in running:
            process.send(b"go\n")
        outputs = [process.wait().stdout for process in running]
    assert outputs == [b"%d go\n" % number for number in range(200)]


def test_failed_starts(make: Make) -> None:
    before = descriptors()
    for _ in range(50):
        for spec in (make("no-such"), make("true", directory="/no"), make("/etc", stdin=b"x" * 9)):
            try:
                start(spec)
            except NotStarted:
                continue
            raise AssertionError(spec.argv)
    assert not descriptors() - before


CLOSED = """\
import os, sys
log = os.open(sys.argv[1], os.O_WRONLY | os.O_CREAT)
high = os.dup(log) if log > 2 else log
for fd in map(int, sys.argv[2].split()):
    os.close(fd)
from keysh.process import OPEN, STREAM, ProcessSpec, run, start
def spec(*argv, **given): return ProcessSpec(argv, env={"PATH": "/usr/bin:/bin"}, **given)
done = run(spec("sh", "-c", "cat; echo err >&2", stdin=b"in", directory="/"))
with start(spec("cat", stdin=OPEN, stdout=STREAM)) as process:
    process.send(b"sent")
    process.finish_input()
    said = b"".join(process.output())
held = os.open("/usr", os.O_PATH)
place = run(spec("pwd", "-P", directory=held)).stdout
os.write(high, repr((done.stdout, done.stderr, said, place)).encode())
"""


@pytest.mark.parametrize("closed", ["0", "1", "2", "0 1", "0 2", "0 1 2"])
def test_host_with_closed_streams(closed: str, tmp_path: Path) -> None:
    """New descriptors then get their numbers, here and in the process."""
    log = tmp_path / "log"
    argv = [sys.executable, "-c", CLOSED, str(log), closed]
    subprocess.run(argv, check=True, timeout=60)
    assert log.read_text() == repr((b"in", b"err\n", b"sent", b"/usr\n"))
