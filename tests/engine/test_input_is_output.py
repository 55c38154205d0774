"""Commands that read the file they write: cat and grep refuse, all others end."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from bash import PATH, is_reference_machine
from keysh import LocalFS, MemoryFS, OverlayFS, Shell
from keysh.vfs.api import FileSystem

LONGEST = 60  # seconds, after which a run that does not end is a failure
TEXT = b"a\nb\n"

SCRIPTS = [
    "cat f >> f", "cat f > f", "cat e >> e", "cat - < f >> f", "cat < f >> f", "cat < f 1<> f",
    "cat f 1<> f", "{ read x; cat; } < f >> f", "{ read x; read y; cat; } < f >> f",
    "cat f e f g >> f", "cat -n f >> f", "cat f f > e", "cat f 2>> f", "cat f 1>> f 2>&1",
    "cat f >> f 3>&1 1>&2", "cat e - f < f >> f", "exec 3>> f; cat f >&3",
    "exec 3< f; cat <&3 >> f", "{ cat f; sed p f; } >> f", 'x=$(cat f) >> f; echo "$x"',
    "ln f h; cat h >> f", "ln -s f h; cat h >> f", "ln -s f h; cat f >> h",
    "grep . f >> f", "grep . f > f", "grep . < f >> f", "grep . < f > f", "grep . - < f >> f",
    "grep . f 1<> f", "grep . < f 1<> f", "grep -q . f >> f", "grep -q x f >> f",
    "grep -l . f >> f", "grep -L x f >> f", "grep -c . f >> f", "grep -c . < f >> f",
    "grep -m0 . f >> f", "grep -m1 . f >> f", "grep -m2 . f >> f", "grep -s . f >> f",
    "grep -r . f >> f", "grep x e >> e", "grep --label=x . < f >> f", "grep . g f g >> f",
    "sed -n p f >> f", "sed p < f >> f", "awk 1 f >> f", "awk '{ print >> FILENAME }' f",
    "nl f >> f", "tail f >> f", "head f >> f", "sort f >> f", "tac f >> f", "wc f >> f",
    "cut -c1 f >> f", "tr a b < f >> f", "rev f >> f", "paste f >> f", "uniq f >> f",
    "fold f >> f", "od -c f >> f",
    # Only real tools whose last stage writes at its end: with `cat` there is a race.
    "cat f | sed s/a/x/ >> f", "cat f | sed p | nl >> f", "cat f | { sed p; } >> f",
    "sort f | uniq >> f",
]  # fmt: skip


@pytest.fixture(params=["memory", "local", "overlay"])
def fs(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[FileSystem]:
    folder = tmp_path / "here"
    folder.mkdir()
    if request.param == "memory":
        yield MemoryFS()
        return
    with LocalFS(folder, read_only=request.param == "overlay") as local:
        yield OverlayFS(local) if request.param == "overlay" else local


def content(fs: FileSystem, path: str) -> bytes:
    with fs.open(path) as stream:
        return stream.read()


def put(fs: FileSystem, path: str, data: bytes) -> None:
    with fs.open(path, "w") as stream:
        stream.write(data)


@pytest.mark.skipif(not is_reference_machine(), reason="the real tools of that machine judge")
@pytest.mark.parametrize("script", SCRIPTS)
def test_agrees_with_bash(script: str, fs: FileSystem, tmp_path: Path) -> None:
    there = tmp_path / "there"
    there.mkdir()
    for name, data in {"f": TEXT, "e": b"", "g": b"c\n"}.items():
        (there / name).write_bytes(data)
        put(fs, f"/{name}", data)
    bash = subprocess.run(
        ["bash", "-c", script], cwd=there, env={"PATH": PATH, "LC_ALL": "C.UTF-8"},
        input="", capture_output=True, text=True, check=False, timeout=LONGEST,
    )  # fmt: skip
    with Shell(fs=fs) as shell:
        result = shell.run(script, stdin="", timeout=LONGEST)
    assert (result.stdout, result.stderr, result.code) == (
        bash.stdout,
        bash.stderr,
        bash.returncode,
    )
    for name in "feg":
        assert content(fs, f"/{name}") == (there / name).read_bytes()


@pytest.mark.parametrize(
    ("script", "copies"),
    [("sed p f >> f", 3), ("sed p < f >> f", 3), ("awk 1 f >> f", 2), ("cat f | sed p >> f", 3),
     ("{ cat f | cat; } >> f", 2), ("while read -r x; do echo $x; done < g >> f", 2)],
)  # fmt: skip
def test_file_of_many_chunks_is_read_in_its_old_state(
    script: str, copies: int, fs: FileSystem
) -> None:
    lines = b"".join(b"%d\n" % number for number in range(20_000))
    put(fs, "/f", lines)
    put(fs, "/g", lines)
    assert Shell(fs=fs).run(script, timeout=LONGEST).ok
    result = content(fs, "/f")
    assert result.startswith(lines)
    assert len(result) == copies * len(lines)
    assert sorted(result.split()) == sorted(lines.split() * copies)


def test_text_appended_by_another_writer_is_read(fs: FileSystem) -> None:
    """Only output of the pipeline itself is ignored: others may extend a file while it is read."""
    put(fs, "/f", b"1\n")
    script = "exec 3< f; read -r a <&3; echo 2 >> f; read -r b <&3; echo $a $b; cat f | wc -l"
    with Shell(fs=fs) as shell:
        result = shell.run(script, timeout=LONGEST)
    assert result.stdout == "1 2\n2\n"


def test_output_of_the_program_is_recognised(tmp_path: Path) -> None:
    """`keysh -c 'cat f' >> f`, where the shell has not opened the file itself."""
    file = tmp_path / "f"
    for script, message in {
        "cat f": "cat: f: input file is output file\n",
        "grep . f": "grep: f: input file is also the output\n",
        "sed p f": "",
    }.items():
        file.write_bytes(TEXT)
        with file.open("ab") as out:
            done = subprocess.run(
                [sys.executable, "-m", "keysh", "-c", script], cwd=tmp_path, stdout=out,
                stderr=subprocess.PIPE, text=True, check=False, timeout=LONGEST,
            )  # fmt: skip
        assert done.stderr == message
        assert file.read_bytes() == (TEXT if message else TEXT + b"a\na\nb\nb\n")
