"""tail: the conformance of text commands, tables and random calls against the real tool."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.command_runner import command_named
from commands.comparison import assert_agreement
from commands.conformance import TextCommandConformance
from commands.sample_texts import FILES, texts
from fake_shell import FakeShell
from keysh import Limits, Shell
from keysh.interp.engine.invoke import invoke
from keysh.interp.state.call import Call
from keysh.interp.streams.streams import Reader, Writer
from keysh.text.chunks import bytes_of_text
from keysh.vfs.memory.filesystem import MemoryFS
from keysh.vfs.router import Router


class TestTail(TextCommandConformance):
    name = "tail"


class TestTailFromALineOn(TextCommandConformance):
    name = "tail"
    arguments = ("-n", "+3")


@pytest.mark.parametrize(
    "words",
    [
        "f", "-n1 f", "-n 2 f g", "-2 f", "-n +2 f", "-n +0 f", "-c3 f", "-c+3 u", "-c 1 u",
        "-q f g", "-v f", "-z -n1 z", "-n0 f", "-n0 missing", "missing f", "d", "-n x f", "-c x f",
        "-n -x f", "-n +x f",
        "-c -5x f",
        "-n 1K f", "-n 1c f", "f -", "", "-n -1 f", "-n +2 -c 3 f",
        "--retry f", "--pid 1 f", "--follow=x f", "--pid=x f", "-s x f", "-F -", "-f missing",
        "--follow=name missing d", "--max-unchanged-stats=x f", "-f d",
        "+2 f", "+2", "+0 f", "+1c f", "+3b f", "+1l f", "+ f", "-2c f", "-1b f", "-1l f",
        "+2 nosuch", "-n 99999999999999999999 f", "--pid=-1 f", "-s -1 f",
    ],
)  # fmt: skip
def test_calls_match_gnu(tmp_path: Path, words: str) -> None:
    assert_agreement("tail", words.split(" ") if words else [], tmp_path, FILES, b"in\nput\n")


CONTENT = texts()
WORDS = st.lists(
    st.sampled_from(["-n 2", "-n +2", "-c 3", "-c +3", "-q", "-v", "-z", "-n 1", "-n 0", "x", "y"]),
    max_size=4,
)


@settings(max_examples=80)
@given(x=CONTENT, y=CONTENT, stdin=CONTENT, words=WORDS)
def test_random_calls_match_gnu(
    tmp_path_factory: pytest.TempPathFactory, x: bytes, y: bytes, stdin: bytes, words: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("tail")
    given_words = [part for word in words for part in word.split(" ")]
    assert_agreement("tail", given_words, folder, {"x": x, "y": y}, stdin)


class Stopped(Exception):
    """The run is cancelled."""


class Changing(FakeShell):
    """The shell around a call; at each wait it makes the next change to the files."""

    changes: list[Callable[[Router], object]]

    def sleep(self, seconds: float) -> bool:
        goes_on = super().sleep(seconds)
        if not self.changes:
            raise Stopped
        self.changes.pop(0)(self.fs)
        return goes_on


def write(path: str, data: bytes, access: Literal["a", "w"] = "a") -> Callable[[Router], object]:
    def change(fs: Router) -> None:
        with fs.open(path, access) as stream:
            stream.write(data)

    return change


def followed(
    *words: str, changes: list[Callable[[Router], object]], text: bytes = b"1\n2\n"
) -> tuple[str, str, list[float]]:
    """Return the output until the run is cancelled after the last change of the files."""
    out: list[str] = []
    err: list[str] = []
    fs = Router(MemoryFS({"/a": text, "/b": "x"}))
    stands = Changing(fs)
    stands.changes = changes
    call = Call("tail", stands, Reader([]), Writer(out.append), Writer(err.append))
    with pytest.raises(Stopped):
        invoke(command_named("tail"), call, words)
    return "".join(out), "".join(err), stands.slept


def test_appended_text_is_printed() -> None:
    changes = [write("/a", b"3\n"), write("/a", b"\xc3"), write("/a", b"\xa9\n")]
    out, err, slept = followed("-n1", "-s0.5", "-f", "a", changes=changes)
    assert (bytes_of_text(out), err, slept) == ("2\n3\né\n".encode(), "", [0.5] * 4)


def test_two_files_have_headings() -> None:
    changes = [write("/a", b"3\n"), write("/b", b"y"), write("/b", b"z")]
    out = followed("-fn1", "a", "b", changes=changes)[0]
    assert out == "==> a <==\n2\n\n==> b <==\nx\n==> a <==\n3\n\n==> b <==\nyz"


def test_truncated_file_is_read_from_the_start() -> None:
    out, err, _ = followed("-fn1", "a", changes=[write("/a", b"9\n", "w")])
    assert (out, err) == ("2\n9\n", "tail: a: file truncated\n")


def test_renamed_file_is_followed_by_descriptor() -> None:
    changes = [lambda fs: fs.rename("/a", "/c"), write("/c", b"3\n")]
    assert followed("-fn1", "a", changes=changes)[:2] == ("2\n3\n", "")


def test_name_is_followed_to_a_new_file() -> None:
    changes = [lambda fs: fs.rename("/a", "/c"), write("/c", b"lost\n"), write("/a", b"new\n")]
    out, err, _ = followed("-Fn1", "a", changes=changes)
    assert out == "2\nnew\n"
    assert err == (
        "tail: 'a' has become inaccessible: No such file or directory\n"
        "tail: 'a' has appeared;  following new file\n"
    )
    out, err, _ = followed("-Fn1", "a", changes=[lambda fs: fs.rename("/b", "/a")])
    assert (out, err) == ("2\nx", "tail: 'a' has been replaced;  following new file\n")


def test_missing_file_is_awaited() -> None:
    out, err, _ = followed("-F", "new", changes=[write("/new", b"here\n")])
    assert out == "here\n"
    assert err == (
        "tail: cannot open 'new' for reading: No such file or directory\n"
        "tail: 'new' has appeared;  following new file\n"
    )


def test_following_ends_with_a_process() -> None:
    script = "{ echo 2 >>f; } & tail -n+1 -s 0.01 --pid=$! -f f; tail --pid=99 -f f"
    result = Shell(files={"/f": "1\n"}).run(script)
    assert result.stdout == "1\n2\n1\n2\n"
    assert result.stderr.endswith("tail: --pid: 99 is not a job of this shell\n")


@pytest.mark.parametrize(
    "script",
    [
        "tail -f f | head -n 1", "{ tail -s 0.01 -f f; } | head -n 1", "tail -F f | sed q",
        "tail -f f | { read x; echo $x; }",
    ],
)  # fmt: skip
def test_closed_reader_ends_the_following(script: str) -> None:
    """The end is noticed before the next line, which may never come."""
    with Shell(files={"/f": "1\n2\n"}, limits=Limits(seconds=20)) as shell:
        result = shell.run(f"{script}; echo ${{PIPESTATUS[0]}}")
    assert (result.code, result.stdout, result.stderr) == (0, "1\n141\n", "")


def test_waiting_can_be_cancelled() -> None:
    job = Shell(files={"/f": "1\n"}).start("tail -s 3600 -f f")
    job.cancel()
    assert not job.wait().ok


LARGE_TEXTS = {
    "lines": b"".join(b"%d\n" % number for number in range(60_000)),
    "no end": b"x\n" * 100_000 + b"\xc3\xa9 last",
    "long": (b"a" * 70_000 + b"\n") * 3 + b"b" * 150_000 + b"\n\n",
    "one": b"\xc3\xa9" * 100_000,
    "nul": b"a\n\0b\0" * 50_000,
}


@pytest.mark.parametrize("title", LARGE_TEXTS)
def test_large_file_is_read_from_its_end(tmp_path: Path, title: str) -> None:
    """Counts of lines and bytes within a block, over several, and beyond the start."""
    files = {"f": LARGE_TEXTS[title], "g": b"small\n"}
    for count in ("1", "2", "3", "4", "9999", "20000", "65537", "131073", "1M"):
        assert_agreement("tail", ["-n", count, "f", "g"], tmp_path, files, b"")
        assert_agreement("tail", ["-c", count, "f"], tmp_path, files, b"")
    assert_agreement("tail", ["-z", "-n", "30000", "f"], tmp_path, files, b"")


def test_large_file_is_followed_from_its_end() -> None:
    changes = [write("/a", b"!\n")]
    assert followed("-fn1", "a", changes=changes, text=LARGE_TEXTS["no end"])[0] == "é last!\n"
