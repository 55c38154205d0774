"""dd: tables and random calls against the real tool, in two copies of one directory."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.command_runner import Answer, run_in_copies, run_keysh
from commands.conformance import EVERY_BYTE
from commands.directory_tree import tree


def fill(root: Path, content: bytes) -> None:
    (root / "d").mkdir()
    for name, data in {"f": content, "o": b"0123456789" * 3, "every": EVERY_BYTE, "empty": b"",
                       "\udcff": b"odd"}.items():  # fmt: skip
        (root / name).write_bytes(data)


def untimed(answer: Answer) -> Answer:
    """Remove the duration."""
    lines = [line.partition(" copied, ")[0] for line in answer.err.split("\n")]
    return answer._replace(err="\n".join(lines))


def both(
    folder: Path, words: list[str], stdin: bytes = b"", content: bytes = b"hello world\nabc"
) -> None:
    """Run both and assert equal answers and results."""
    fill_both = partial(fill, content=content)
    answer, expected = run_in_copies(folder, "dd", words, fill_both, stdin=stdin)
    assert untimed(answer) == untimed(expected)
    assert tree(folder / "here") == tree(folder / "there")


# Not here: conv=noerror with an input that never reads, on which the real tool does not end.
@pytest.mark.parametrize(
    "words",
    [
        "", "if=f", "if=x", "if=d", "if=d of=new", "if=f of=d", "if=f of=x/y", "if=x of=new",
        "if=f of=o", "if=f of=new", "if=every", "if=empty", "if=empty of=o", "if=", "of=",
        "if=\udcff of=new", "if=f bs=4", "if=f ibs=4 obs=3", "if=f ibs=3 obs=7 of=new",
        "if=f bs=4 conv=sync of=o", "if=f ibs=4 conv=sync", "if=f bs=1", "if=f bs=1kB",
        "if=f bs=2x3", "if=f bs=1KiB", "if=f bs=1c", "if=f bs=2w", "if=f bs=1b", "if=f bs=0",
        "if=f bs=x", "if=f bs=1k4", "if=f bs=1x", "if=f bs=", "if=f bs=99999999999999999999",
        "if=f bs=9E", "if=f skip=99 status=none", "if=f bs=-1", "if=f count=-1",
        "if=f count=0", "if=f count=2 bs=4", "if=f count=3B", "if=f count=6B bs=4",
        "if=f count=3 iflag=count_bytes", "if=f bs=4 skip=1", "if=f bs=4 iseek=1 count=1",
        "if=f skip=3B bs=4", "if=f skip=3 iflag=skip_bytes bs=4", "if=f skip=100",
        "if=f skip=15 bs=1", "if=f skip=4 bs=4", "skip=1 bs=2", "skip=9 bs=2", "seek=1 bs=1",
        "if=f of=o seek=2 bs=4", "if=f of=o seek=2 bs=4 conv=notrunc", "if=f of=o seek=9 bs=9",
        "if=f of=o oseek=3B bs=4 conv=notrunc", "if=f of=o conv=notrunc", "if=empty of=o seek=1",
        "if=f of=o seek=5 oflag=seek_bytes", "if=f of=o conv=excl", "if=f of=new conv=excl",
        "if=f of=new conv=nocreat", "if=f of=o conv=nocreat", "if=f of=o oflag=append",
        "if=f of=o oflag=append conv=notrunc", "if=f conv=ucase", "if=f conv=lcase bs=4",
        "if=f conv=swab,ucase", "if=f conv=swab bs=5", "if=f ibs=3 conv=swab", "if=every conv=swab",
        "if=f conv=fsync of=new", "if=f status=none", "if=f status=noxfer", "if=f status=none of=o",
        "foo", "foo=1", "-", "--foo", "-x", "-- if=f count=0", "if=f if=x", "if=f conv=foo",
        "if=f conv=", "if=f conv=lcase,ucase", "if=f conv=excl,nocreat", "if=f iflag=foo",
        "if=f oflag=fullblock", "if=f status=foo", "if=f iflag=fullblock bs=4",
        "if=f of=f conv=notrunc",
    ],
)  # fmt: skip
def test_calls_match_gnu(tmp_path: Path, words: str) -> None:
    both(tmp_path, [word for word in words.split(" ") if word], b"typed in")


SIZES = st.integers(1, 9)
OPERANDS = st.one_of(
    st.tuples(st.sampled_from(["bs", "ibs", "obs", "count", "skip", "seek"]), SIZES).map(
        lambda pair: f"{pair[0]}={pair[1]}"
    ),
    st.sampled_from(["conv=swab", "conv=ucase", "conv=sync", "conv=notrunc", "count=5B", "skip=3B",
                     "status=noxfer", "oflag=append", "iflag=count_bytes"]),
)  # fmt: skip


@settings(max_examples=80, derandomize=True)
@given(
    content=st.one_of(
        st.binary(max_size=60), st.text(alphabet="a \n", max_size=60).map(str.encode)
    ),
    operands=st.lists(OPERANDS, max_size=5),
)
def test_random_calls_match_gnu(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, operands: list[str]
) -> None:
    both(tmp_path_factory.mktemp("dd"), ["if=f", "of=o", *operands], content=content)


@pytest.mark.parametrize("size", [1, 999, 1000, 1023, 1024, 9960, 3_000_000])
def test_sizes_match_gnu(tmp_path: Path, size: int) -> None:
    both(tmp_path, ["if=f", "of=o", "bs=1M"], content=bytes(size))


@pytest.mark.parametrize("word", ["cbs=4", "conv=ebcdic", "conv=swab,block", "conv=unblock"])
def test_records_and_ebcdic_are_refused(word: str) -> None:
    answer = run_keysh("dd", "if=f", word)
    assert answer.err == f"dd: {word}: EBCDIC and fixed-length records are not supported\n"
    assert answer.status == 1


def test_help_is_printed() -> None:
    assert run_keysh("dd", "--help").out.startswith(b"Usage: dd [WORD]...\n")
