"""diff: calls against the real tool, from tables and at random; directories; rows."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.command_runner import on_disk, run_gnu, run_keysh
from commands.comparison import assert_agreement
from keysh.vfs.memory.filesystem import MemoryFS

LONG = [f"line {i}\n" for i in range(60)]
CHANGED = [*LONG[:10], "new\n", *LONG[10:30], *LONG[31:50], "other\n", *LONG[51:]]
FILES = {
    "x": b"a\nb\nc\n", "y": b"a\nB\nc\nd\n", "torn": b"a\nb\nc", "e": b"", "zero": b"a\0b\n",
    "blanks": b"a \n b\n\nc\t\n", "crlf": b"a\r\nb\r\nc\r\n", "late": b"x" * 5000 + b"\0\n",
    "long": "".join(LONG).encode(), "changed": "".join(CHANGED).encode(),
    "c": b"int main()\n{\n  a\n  b\n  c\n  d\n  e\n}\n",
    "dots": b"a\n.\n.\nc", "gaps": b"\n1\n\n2\n\n\n", "gaps2": b"\n1\n\n3\n\n\n\n",
    "c2": b"int main()\n{\n  a\n  b\n  c\n  d\n}\n",
    "wide": "a\tb\tc\n日本語日本語日本\nlong enough a line\r\nx\b\b_y\f\n".encode() + b"\xff\ta\n",
}  # fmt: skip
SAME_TITLES = ("--label=1", "--label=2")


@pytest.mark.parametrize(
    "words",
    [
        "x y", "x x", "-s x x", "-q x y", "-qs x y", "-u x y", "-c x y", "-U1 long changed",
        "-C 2 long changed", "-U0 long changed", "--unified=9 long changed", "long changed",
        "x torn", "-u x torn", "-c torn x", "-b x torn", "x e", "-u e x", "-N x no", "-N no x",
        "no x", "x no", "no nope", "-N no nope", "-P no x", "-P x no", "zero x", "-a zero x",
        "-q zero x", "late x", "-i x y", "-w x blanks", "-b x blanks", "-Z x blanks",
        "-B x blanks", "-E x blanks", "-wB x blanks", "--strip-trailing-cr x crlf", "x crlf",
        "-Ia x y", "-I [bB] x y", "-I [ x y", "-p c c2", "-F ^int -U1 c c2", "-F a x y", "-T x y",
        "-tT -u x y", "-t -c x crlf", "-y x y", "-y -W20 x y", "-y -W1 x y",
        "-y --left-column x y", "-y --suppress-common-lines x y", "-y x x", "-y -t blanks x",
        "-d long changed", "-u -c x y", "-u -u x y", "-U x x y", "-W0 x y", "x", "", "x y x",
        "- x", "x -", "-s - x", "x d", "d -", "--normal x y", "-L a -u x y -L b",
        "--color=always x y", "--color=always -u x torn", "--color=always -u torn y", "--color x y",
        "--color=always -p -U1 c c2", "--color=always torn y", "--color=never -u x y",
        "--from-file=x y torn x", "--to-file x y torn", "--from-file x --to-file y x",
        "--from-file=x", "--from-file=no x y", "--to-file=y x no", "--horizon-lines=3 x y",
        "--horizon-lines=x x y", "--color=always -y x x",
        "-e x y", "-e y dots", "-e dots long", "-e x torn", "-e torn torn", "-se torn x",
        "-qe torn x", "-e torn -", "-ebi torn x", "-ae zero x", "-e zero torn", "-f y dots",
        "-f changed long", "-n x y", "-n torn dots", "-n changed long", "-e -n x y", "-en x y",
        "-D A x y", "-D A x x", "-D A torn dots", "-D A e x", "-D A -D A x y", "-D A -D B x y",
        "--ifdef=A -t x blanks", "-D A -u x y", "-sD A x x", "-qD A x y",
        "--color=always -c torn y", "--color=always -c -p -U9 c c2", "--color=always -c c c2",
        "--color=always -y -W30 torn dots", "--color=always -y -W30 y torn",
        "--color=always -e x y", "--color=always -D A x y",
        "--suppress-blank-empty -u gaps gaps2", "--suppress-blank-empty -c gaps gaps2",
        "--suppress-blank-empty -T gaps gaps2", "--suppress-blank-empty -uT gaps gaps2",
        "--suppress-blank-empty -cT gaps gaps2", "--suppress-blank-empty -y gaps gaps2",
        "-u5 long changed", "-5 x y", "-1 -u long changed", "-0 -U2 long changed", "-9pc2 c c2",
        "-1 -p c c2", "-12 -c long changed", "-U9 -1 long changed", "--binary -H x y",
        "-L 1 -L 2 -L 3 x y", "--color=no x y", "-X no -r d d", "--context= x y",
        "--horizon-lines= x y",
        "-y -W20 wide x", "-y -W40 x wide", "-yt -W40 x wide", "-yt -W21 wide c2", "-yW1 wide wide",
        "-y -W36 wide wide", "-U0 -F. -F^int long changed", "-pF. -U1 c c2", "-U1 -F^{ -F^int c c2",
        "-cF^[^l] -p long changed", "-u -F [ x y",
        "-y zero zero", "-sy zero zero", "-D A zero zero", "-U0 -F^$ gaps gaps2",
    ],
)  # fmt: skip
def test_calls_match_gnu(tmp_path: Path, words: str) -> None:
    titles = () if "-L" in words or not words else SAME_TITLES
    assert_agreement("diff", [*words.split(), *titles], tmp_path, FILES, b"a\n")


LINE = st.sampled_from(
    ["a\n", "b\n", "c\n", "A\n", "\n", "a b\n", "a  b \n", " a\n", "\tb\n", "c\r\n", "d\n", "e\n"]
)
OPTION = st.sampled_from(
    ["-u", "-c", "-U1", "-C0", "-i", "-w", "-b", "-B", "-E", "-Z", "-q", "-s", "-T", "-t", "-Ia",
     "-y", "-d", "-U0", "--strip-trailing-cr", "-e", "-f", "-n", "-DX", "--suppress-blank-empty",
     "--color=always", "-1", "-7"]
)  # fmt: skip


@settings(max_examples=150)
@given(
    start=st.lists(LINE, max_size=30),
    edits=st.lists(st.tuples(st.integers(0, 30), st.integers(0, 2), LINE), max_size=5),
    words=st.lists(OPTION, max_size=2),
    torn=st.tuples(st.booleans(), st.booleans()),
)
def test_random_calls_match_gnu(
    tmp_path_factory: pytest.TempPathFactory,
    start: list[str],
    edits: list[tuple[int, int, str]],
    words: list[str],
    torn: tuple[bool, bool],
) -> None:
    lines = list(start)
    for at, kind, line in edits:
        lines[at : at + (kind > 0)] = [line] if kind < 2 else []
    sides = ["".join(start), "".join(lines)]
    x, y = (
        side.removesuffix("\n").encode() if is_torn else side.encode()
        for side, is_torn in zip(sides, torn, strict=True)
    )
    assert_agreement(
        "diff", [*words, *SAME_TITLES, "x", "y"], tmp_path_factory.mktemp("diff"), {"x": x, "y": y}
    )


@pytest.fixture
def folders(tmp_path: Path) -> Path:
    """Two directories that have some files in common."""
    for path, text in {
        "d1/same": "s\n", "d2/same": "s\n", "d1/f": "a\n", "d2/f": "b\n", "d1/s/g": "x\n",
        "d2/s/g": "y\n", "d1/s/only": "o\n", "d2/new": "n\n", "d1/kind": "k\n", "d2/kind/z": "",
        "d1/a b": "1\n", "d2/a b": "2\n", "d2/fresh/h": "h\n", "d3/f": "a \n", "d3/s/g": " x\n",
    }.items():  # fmt: skip
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    os.symlink("nowhere", tmp_path / "d1/link")
    os.symlink("nowhere", tmp_path / "d2/link")
    for name, target in {"d1/to": "f", "d2/to": "same", "d1/kin": "f", "d2/f2": "f"}.items():
        os.symlink(target, tmp_path / name)
    for name in ("d1/ab", "d1/aB", "d1/Ab", "d2/aB", "d2/AB", "d2/KIN"):
        (tmp_path / name).write_text(name)
    return tmp_path


@pytest.mark.parametrize(
    "words",
    [
        "d1 d2", "-r d1 d2", "-rq d1 d2", "-rs d1 d2", "-rN d1 d2", "-rP d2 d1", "-r d1/ d2/",
        "-x f -r d1 d2", "-rx *n* d1 d2", "-r . .", "d1 d1", "d1 d2/f", "d1/f d2", "-N d1 no",
        "-rN no d2", "-r -w d1 d2", "-rU1 --label=1 --label=2 d1 d2", "-re d1 d2", "-rD X d1 d2",
        "-r --no-dereference d1 d2", "-rN --no-dereference d1 d2", "-S f d1 d2", "-rS ab d1 d2",
        "-D X d1 d1", "-rs --no-dereference d1 d2", "--no-dereference d1/to d2/to",
        "-s --no-dereference d1/to d1/kin",
        "--no-dereference d1/to d1/f", "-N --no-dereference d1/to no",
        "d1/kind d2", "d2 d1/kind", "-r d2 d1/kind", "-rsb d1 d3", "-rsw d1 d3", "-rsyW30 d1 d3",
        "--ignore-file-name-case d1 d2", "-r --ignore-file-name-case -x F -S Ab d1 d2",
    ],
)  # fmt: skip
def test_directory_comparison_matches_gnu(folders: Path, words: str) -> None:
    with on_disk(folders) as fs:
        answer = run_keysh("diff", *words.split(), fs=fs)
    real = run_gnu("diff", *words.split(), cwd=folders)
    # How options were written is not known: the lines that name them may differ.
    assert bare(answer.out) == bare(real.out)
    assert (answer.status, answer.err) == (real.status, real.err)


def bare(out: bytes) -> list[bytes]:
    """Return the lines of an output except those that show options."""
    return [line for line in out.split(b"\n") if not line.startswith(b"diff ")]


def test_headers_have_the_times_of_the_files(folders: Path) -> None:
    with on_disk(folders) as fs:
        answer = run_keysh("diff", "-u", "d1/f", "d2/f", fs=fs)
        also = run_keysh("diff", "-c", "d1/a b", "d2/f", fs=fs)
    assert answer == run_gnu("diff", "-u", "d1/f", "d2/f", cwd=folders)
    assert also == run_gnu("diff", "-c", "d1/a b", "d2/f", cwd=folders)


def test_directory_headings_show_the_options() -> None:
    answer = run_keysh(
        "diff", "-r", "-u", "--tabsize=4", "a", "b", files={"/a/f": "1\n", "/b/f": "2\n"}
    )
    assert answer.out.split(b"\n")[0] == b"diff -ru '--tabsize=4' a/f b/f"


def test_rows_are_changes() -> None:
    answer = run_keysh("diff", "--json", "x", "y", files={"/x": "a\nb\n", "/y": "a\nc\nd\n"})
    assert answer.status == 1
    assert json.loads(answer.out) == {
        "old": "x", "new": "y", "what": "changed",
        "old_line": 2, "old_text": ["b"], "new_line": 2, "new_text": ["c", "d"],
    }  # fmt: skip


def test_rows_of_directories_name_files() -> None:
    answer = run_keysh(
        "diff", "-r", "--json", "a", "b", files={"/a/f": "1\n", "/a/g": "", "/b/f": "2\n"}
    )
    rows = [json.loads(line) for line in answer.out.splitlines()]
    assert [row["what"] for row in rows] == ["changed", "only"]


def test_directory_loop_is_reported() -> None:
    files = {"/a/f": "1\n", "/b/f": "1\n"}
    fs = MemoryFS(dict(files))
    fs.make_link("/a", "/a/self")
    fs.make_link("/b", "/b/self")
    answer = run_keysh("diff", "-r", "a", "b", fs=fs)
    assert answer.status == 2
    assert answer.err == "diff: a/self: recursive directory loop\n"
