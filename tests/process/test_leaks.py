"""After many processes there is nothing more than before: the `make` fixture looks."""

from __future__ import annotations

import signal
from concurrent.futures import ThreadPoolExecutor

from keysh.process import NotStarted, run, start
from process.conftest import Make
from process.leftovers import children, descriptors


def test_one_after_the_other(make: Make) -> None:
    spec = make("true", stdin=b"x" * 5000)
    before = descriptors()
    for _ in range(300):
        assert run(spec).code == 0
    assert descriptors() == before
    assert children() == []


def test_side_by_side(make: Make) -> None:
    def one(number: int) -> bytes:
        return run(make("sh", "-c", "cat; echo $0", str(number), stdin=b"x" * 100_000)).stdout

    with ThreadPoolExecutor(8) as pool:
        outputs = list(pool.map(one, range(80)))
    assert outputs == [b"x" * 100_000 + b"%d\n" % number for number in range(80)]


def test_starts_that_fail(make: Make) -> None:
    before = descriptors()
    for _ in range(50):
        for spec in (make("no-such"), make("true", directory="/no"), make("/etc", stdin=b"x" * 9)):
            try:
                start(spec)
            except NotStarted:
                continue
            raise AssertionError(spec.argv)
    assert descriptors() == before


def test_host_that_ignores_its_children(make: Make) -> None:
    """The kernel then tells nobody how a process ended, and that is said."""
    previous = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        result = run(make("sh", "-c", "echo hi; exit 3"))
    finally:
        signal.signal(signal.SIGCHLD, previous)
    assert (result.stdout, result.code, result.exit_code, result.signal) == (
        b"hi\n",
        125,
        None,
        None,
    )
