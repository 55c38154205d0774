"""Input and output of processes."""

from __future__ import annotations

import io
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from time import monotonic

import pytest

from keysh.process import CAPTURE, DISCARD, MERGE, OPEN, STREAM, run, start
from process.conftest import Make
from process.leaked_processes import kill_marked

LARGE = bytes(range(256)) * 4096  # more than a pipe holds, and no UTF-8


def test_output_and_status(make: Make) -> None:
    result = run(make("sh", "-c", "echo out; echo err >&2; exit 3"))
    assert (result.stdout, result.stderr) == (b"out\n", b"err\n")
    assert (result.code, result.exit_code, result.signal) == (3, 3, None)


def test_argument_is_neither_split_nor_expanded(make: Make) -> None:
    result = run(make("printf", "<%s>", "a b", "$HOME;`x`", "*", "", "'\"\n"))
    assert result.stdout == b"<a b><$HOME;`x`><*><><'\"\n>"


@pytest.mark.parametrize("size", [0, 1, 4096, 4097, 65536, len(LARGE)])
def test_bytes_pass_unchanged(make: Make, size: int) -> None:
    result = run(make("cat", stdin=LARGE[:size], max_output=2 * len(LARGE)))
    assert result.stdout == LARGE[:size]


def test_text_is_encoded_as_utf_8_with_stray_bytes(make: Make) -> None:
    assert run(make("cat", stdin="ä\udcff")).stdout == b"\xc3\xa4\xff"


def test_iterator_is_read_on_demand(make: Make) -> None:
    def source() -> Iterator[bytes | str]:
        yield ""
        for number in range(20_000):
            yield f"{number}\n"
        yield b"end"

    result = run(make("cat", stdin=source()))
    assert result.stdout == "".join(f"{n}\n" for n in range(20_000)).encode() + b"end"


def test_endless_iterator_stops_with_the_process(make: Make) -> None:
    closed = []

    def source() -> Iterator[bytes]:
        try:
            while True:
                yield b"y\n" * 1000
        finally:
            closed.append(True)

    result = run(make("head", "-n", "2", stdin=source()))
    assert (result.stdout, result.code, closed) == (b"y\ny\n", 0, [True])


def test_failing_iterator_raises_and_kills_the_process(make: Make) -> None:
    def source() -> Iterator[bytes]:
        yield b"x" * 100_000
        raise LookupError("upstream")

    with pytest.raises(LookupError, match="upstream"):
        run(make("cat", stdin=source()))


@pytest.mark.parametrize("size", [10, len(LARGE)])
def test_process_that_does_not_read_is_not_an_error(make: Make, size: int) -> None:
    assert run(make("true", stdin=LARGE[:size])).code == 0


def test_iterator_that_fails_on_close_raises(make: Make) -> None:
    def source() -> Iterator[bytes]:
        try:
            while True:
                yield b"x" * 100_000
        finally:
            raise LookupError("closing")

    for spec in (make("head", "-c", "1", stdin=source()), make("cat", stdin=source(), timeout=20)):
        with pytest.raises(LookupError, match="closing"):
            run(spec)


def test_invalid_input_is_refused(make: Make) -> None:
    with pytest.raises(TypeError):
        run(make("cat", stdin=1.5))


def test_process_that_closes_its_input_is_not_an_error(make: Make) -> None:
    result = run(make("sh", "-c", "exec <&-; echo closed", stdin=LARGE))
    assert (result.stdout, result.code) == (b"closed\n", 0)


def test_input_is_empty_by_default(make: Make) -> None:
    assert run(make("cat")).stdout == b""


def test_process_reads_a_real_file_directly(make: Make, tmp_path: Path) -> None:
    path = tmp_path / "in"
    path.write_bytes(LARGE)
    with path.open("rb") as file:
        assert run(make("wc", "-c", stdin=file)).stdout.strip() == str(len(LARGE)).encode()
        os.lseek(file.fileno(), -3, os.SEEK_END)
        assert run(make("cat", stdin=file.fileno())).stdout == LARGE[-3:]


def test_file_in_memory_is_fed_to_the_process(make: Make) -> None:
    assert run(make("cat", stdin=io.BytesIO(b"a\nb"))).stdout == b"a\nb"


def test_undecodable_output(make: Make) -> None:
    result = run(make("printf", "\\303\\244\\377"))
    assert (result.stdout, result.code, result.issue) == (b"\xc3\xa4\xff", 0, "EENCODING")
    assert run(make("echo", "ä")).issue == ""


def test_output_to_a_file(make: Make, tmp_path: Path) -> None:
    with (tmp_path / "out").open("wb") as file:
        result = run(make("sh", "-c", "echo a; echo b >&2", stdout=file.fileno(), stderr=MERGE))
    assert (tmp_path / "out").read_bytes() == b"a\nb\n"
    assert result.stdout == result.stderr == b""


def test_merged_output_keeps_its_order(make: Make) -> None:
    result = run(make("sh", "-c", "echo 1; echo 2 >&2; echo 3", stderr=MERGE))
    assert (result.stdout, result.stderr) == (b"1\n2\n3\n", b"")


def test_discarded_output(make: Make) -> None:
    result = run(make("sh", "-c", "echo 1; echo 2 >&2", stdout=DISCARD, stderr=CAPTURE))
    assert (result.stdout, result.stderr) == (b"", b"2\n")


@pytest.mark.parametrize("wrong", [{"stdout": MERGE}, {"stdout": OPEN}, {"stderr": STREAM}])
def test_invalid_redirection_is_refused(make: Make, wrong: dict[str, object]) -> None:
    with pytest.raises(ValueError, match="cannot be"):
        run(make("true", **wrong))


def test_callback_gets_every_piece(make: Make) -> None:
    pieces: list[bytes] = []
    errors: list[bytes] = []
    script = "head -c 300000 /dev/zero; echo e >&2"
    result = run(make("sh", "-c", script, stdout=pieces.append, stderr=errors.append))
    assert (b"".join(pieces), b"".join(errors)) == (bytes(300_000), b"e\n")
    assert result.stdout == b""


def test_failing_callback_raises_and_kills_the_process(make: Make) -> None:
    def fail(_: bytes) -> None:
        raise LookupError("callback")

    with pytest.raises(LookupError, match="callback"):
        run(make("yes", stdout=fail))


def test_callback_may_turn_the_loop(make: Make) -> None:
    """The outer turn has seen the same output, and must not wait for it."""
    seen: list[bytes] = []

    def turn(data: bytes) -> None:
        seen.append(data)
        process.turn(monotonic())

    reading, writing = os.pipe()
    script = "echo out; echo err >&2; echo ready >&9; read line"
    spec = make("sh", "-c", script, stdin=OPEN, stdout=turn, stderr=turn, descriptors={9: writing})
    with start(spec) as process:
        assert os.read(reading, 10) == b"ready\n"
        process.turn(None)
        assert sorted(seen) == [b"err\n", b"out\n"]
    os.close(reading)
    os.close(writing)


def test_stream_yields_pieces(make: Make) -> None:
    spec = make("sh", "-c", "while read x; do echo got $x; done", stdin=OPEN, stdout=STREAM)
    with start(spec) as process:
        output = process.output()
        for word in (b"a", b"b"):
            assert process.send(word + b"\n")
            assert next(output) == b"got " + word + b"\n"
        process.finish_input()
        assert list(output) == []
        assert process.wait().code == 0
        assert not process.send(b"too late")


def test_stream_blocks_a_fast_writer(make: Make) -> None:
    """Output that is not requested is not read: the process can write only what two pipes hold."""
    script = "i=0; while [ $i -lt 100 ]; do head -c 65536 /dev/zero; i=$((i+1)); echo >&2; done"
    message: list[bytes] = []
    with start(make("sh", "-c", script, stdout=STREAM, stderr=message.append)) as process:
        output = process.output()
        read = len(next(output))
        assert len(b"".join(message)) <= 2
        read += sum(map(len, output))
        assert process.wait().code == 0
    assert (read, len(b"".join(message))) == (100 * 65536, 100)


def test_closed_reader_ends_the_writer(make: Make) -> None:
    with start(make("yes", stdout=STREAM)) as process:
        for piece in process.output():
            assert piece.startswith(b"y\n")
            break
        result = process.wait()
    assert (result.signal, result.code) == (13, 141)


def test_abandoned_stream_ends_the_writer(make: Make) -> None:
    with start(make("yes", stdout=STREAM)) as process:
        assert process.wait().code == 141


def test_slow_reader_gets_the_last_output(make: Make) -> None:
    """The process has ended and the drain is over before anything is read."""
    with start(make("head", "-c", "60000", "/dev/zero", stdout=STREAM, drain=0)) as process:
        while process.is_running:
            process.turn(None)
        assert sum(map(len, process.output())) == 60_000


def test_process_feeds_process(make: Make) -> None:
    with (
        start(make("seq", "100000", stdout=STREAM)) as first,
        start(make("grep", "7", stdin=first, stdout=STREAM)) as second,
        start(make("wc", "-l", stdin=second)) as third,
    ):
        assert third.wait().stdout == b"40951\n"
        assert second.wait().code == first.wait().code == 0


def test_chain_stops_early(make: Make) -> None:
    with (
        start(make("yes", stdout=STREAM)) as first,
        start(make("head", "-n", "1", stdin=first)) as second,
    ):
        assert second.wait().stdout == b"y\n"
        assert first.wait().code == 141


def test_noisy_first_process_does_not_block_the_chain(make: Make) -> None:
    """Waiting for the last process also reads the standard error of those before it."""
    script = "head -c 300000 /dev/zero >&2; echo done"
    with (
        start(make("sh", "-c", script, stdout=STREAM)) as first,
        start(make("cat", stdin=first)) as second,
    ):
        assert second.wait().stdout == b"done\n"
        assert len(first.wait().stderr) == 300_000


def test_failure_in_a_chain_leaves_no_process(make: Make) -> None:
    """The callback of one fails again and again, while the other is killed in the same loop."""

    def fail(_: bytes) -> None:
        raise LookupError("callback")

    script = "while :; do echo e >&2; done"
    with (
        pytest.raises(LookupError, match="callback"),
        start(make("sh", "-c", script, stdout=STREAM, stderr=fail)) as first,
        start(make("cat", stdin=first)) as second,
    ):
        second.wait()
    assert first.result is not None
    assert second.result is not None


def test_failing_source_in_a_chain_leaves_no_process(make: Make) -> None:
    def source() -> Iterator[bytes]:
        yield b"x"
        raise LookupError("upstream")

    with (
        pytest.raises(LookupError, match="upstream"),
        start(make("cat", stdin=source(), stdout=STREAM)) as first,
        start(make("cat", stdin=first)) as second,
    ):
        second.wait()
    assert first.result is not None
    assert second.result is not None


def test_generator_between_processes(make: Make) -> None:
    with start(make("seq", "3", stdout=STREAM)) as first:
        doubled = (piece * 2 for piece in first.output())
        assert run(make("cat", stdin=doubled)).stdout == b"1\n2\n3\n" * 2


def test_extra_descriptors(make: Make, tmp_path: Path) -> None:
    with (tmp_path / "a").open("wb") as a, (tmp_path / "b").open("wb") as b:
        same = a.fileno()
        script = f"echo a >&{same}; echo b >&3; echo a9 >&9; ls /proc/self/fd"
        result = run(make("bash", "-c", script, descriptors={same: same, 3: b.fileno(), 9: same}))
    assert (tmp_path / "a").read_text() == "a\na9\n"
    assert (tmp_path / "b").read_text() == "b\n"
    displayed = {int(name) for name in result.stdout.split()}
    assert {same, 3, 9} <= displayed
    assert len(displayed - {0, 1, 2, same, 3, 9}) <= 1  # the directory that ls reads


def test_descriptors_of_the_host_are_not_inherited(make: Make, tmp_path: Path) -> None:
    with (tmp_path / "host").open("wb") as file:
        os.set_inheritable(file.fileno(), True)
        result = run(make("ls", "/proc/self/fd"))
    assert result.stdout == b"0\n1\n2\n3\n"


def test_grandchild_with_the_pipe_does_not_delay(make: Make, mark: str) -> None:
    result = run(make("sh", "-c", "sleep 60 & echo done"))
    assert (result.stdout, result.code, kill_marked(mark)) == (b"done\n", 0, 1)


def test_grandchild_flooding_the_pipe_does_not_delay(make: Make, mark: str) -> None:
    assert run(make("sh", "-c", "yes & echo $$")).code == 0
    kill_marked(mark)  # it may have died of the closed pipe already


def test_head_and_tail_are_kept(make: Make) -> None:
    result = run(make("seq", "100000", max_output=1000))
    head, mark, tail = result.stdout.partition(b"\n[... 587895 bytes dropped ...]\n")
    assert (len(head), bool(mark), len(tail)) == (500, True, 500)
    assert head.startswith(b"1\n2\n")
    assert tail.endswith(b"\n99999\n100000\n")
    assert (result.stdout_dropped, result.stderr_dropped) == (587_895, 0)
    assert result.issue == "EMAXBUFFER"


def test_gigabyte_needs_constant_memory(make: Make) -> None:
    program = (
        "import resource, sys\n"
        "from keysh.process import ProcessSpec, run\n"
        "def peak(): return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss\n"
        "run(ProcessSpec(['/bin/true']))\n"
        "before = peak()\n"
        "result = run(ProcessSpec(['/usr/bin/head', '-c', '1073741824', '/dev/zero']))\n"
        "print(result.stdout_dropped, peak() - before)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    dropped, grown = map(int, done.stdout.split())
    assert dropped == (1 << 30) - (1 << 20)
    assert grown < 16 * 1024  # KiB


def test_terminal(make: Make) -> None:
    result = run(make("sh", "-c", "tty; stty size; test -t 2 && echo yes", terminal=(100, 30)))
    first, *rest = result.stdout.decode().splitlines()
    assert first.startswith("/dev/pts/")
    assert rest == ["30 100", "yes"]


def test_terminal_passes_keys(make: Make) -> None:
    spec = make("cat", terminal=(80, 24), stdin=OPEN, stdout=STREAM)
    with start(spec) as process:
        output = process.output()
        process.send(b"word\n")
        seen = b""
        while seen.count(b"word") < 2:  # once as typed, and once as printed
            seen += next(output)
        process.send(b"\x03")
        assert process.wait().signal == 2


def test_end_of_input_on_a_terminal(make: Make) -> None:
    assert run(make("wc", "-l", terminal=(80, 24))).stdout == b"0\r\n"
    result = run(make("wc", "-l", terminal=(80, 24), stdin="a\n"))
    assert result.stdout.endswith(b"1\r\n")


def test_sending_is_bounded(make: Make) -> None:
    with start(make("sleep", "60", stdin=OPEN)) as process:
        assert process.send(bytes(1 << 20))
        with pytest.raises(BlockingIOError, match="does not read"):
            process.send(bytes(100_000))
