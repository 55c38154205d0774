"""column: calls against the real tool, from a table and at random."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.command_runner import run_gnu, run_keysh
from commands.comparison import assert_agreement

FILES = {
    "x": b"a b c\nfoo   bar\n\nx:y z\n", "n": b"1\n2\n3\n4\n5\n6\n7\n",
    "t": b"a bb c\ndddd e ffffff\nx\n1 2 3 4\n",
    "u": b"\xc3\xa9\tb\nccc\td\n", "empty": b"", "pages": b"\n".join(b"%d" % i for i in range(60)),
    "tree": b'1 0 root\n2 1 a"\\\x01\n3 1 b\n4 2 c\n5 9 lone\n6 5 kid\n4 3 again\n7\n',
    "bytes": b"\xff\\x41 a\xe9\\\n\xe2\x82 \\x41\n\\x41 \xc3\xa9\n",
    "crlf": b"a b\r\n\r\nc\r\n \v\f\nd",
    "rings": b"1 2\n2 1\n3 3\n4 5\n5 6\n6 4\n1 2\n",
    "long": b"a b\nc d\ne one_that_does_not_count x\none_that_does_not_count f\n" + b"g h\n" * 9,
}  # fmt: skip


@pytest.mark.parametrize(
    "words",
    [
        "x", "-t x", "-t -s: x", "-t -o+ x", "-c 20 n", "-x -c 20 n", "-t -N A,B x", "-t -R 1 x",
        "-t -L x", "-t -d -N a,b x", "-t -s: -o :: x", "-t -l 2 x", "-t u", "no", "n u", "",
        "-t -x x", "-t -N a,b -R b x",
        "-t -N A,B,C -H B t", "-t -H 2 t", "-t -N A,B,C -O C,A t", "-t -O 3,1 t", "-t -H - t",
        "-t -N A,B,C -H - t", "-t -N A,B,C -H 0 t", "-t -H A t", "-t -N A,B -H A t", "-t -R 0 t",
        "-t -N A,B -R B,A t", "-t -N A,B,C -R - t", "-t -O 0 t", "-t -H 2,2 t", "-t -O 9 t",
        "-t -H 1 -O 3,1 t", "-t -H 3,4 t", "-t -N A,B,C,D,E -H C -d t", "-t -H 1x t", "-t -H -1 t",
        "-t -N 2,1 -H 1 t", "-t -N A -N B t", "-t -H 1 -H 2 t", "-H 1 t", "-O 1 t", "-N 1 t",
        "-t -N A,B,C,D -H A,-,C -R 4 -O D t",
        "-t -c 20 -T 2 t", "-t -c 9 -W 3 t", "-t -c 9 -T 0 -R 1 t", "-t -c 9 -N A,B -W A,3 t",
        "-t -c 12 -E 2 long", "-t -c 12 -E 0 long", "-t -c 12 -E 1 -R 1 long", "-t -e -N A pages",
        "-t -r 3 -i 1 -p 2 tree", "-r 3 -i 1 -p 2 -H 1,2 tree", "-t -r 1 tree", "-r 1 -i 2 tree",
        "-t -r 3 -i 1 -p 2 -N id,up,name -O name tree", "-t -r 9 -i 1 -p 2 tree", "-i 1 -p 2 tree",
        "-J -N id,up,name -r name -i id -p up tree", "-J -N id,up,NAME -n people -H up tree",
        "-J -N a,b,c,d t", "-J -N a tree", "-J t", "-J -x -N a t", "-J -N a,b empty", "-T 1 t",
        "-t -r 2 -i 1 -p 2 rings", "bytes", "-t bytes", "-t -T nosuch t", "-t -T nosuch empty",
        "-e t", "-n x t", "crlf", "-t crlf", "-L crlf", "-c x t",
        "--table-t 1 -t -c 9 t", "--tree", "--tr 1", "--table-x",
    ],
)  # fmt: skip
def test_calls_match_gnu(tmp_path: Path, words: str) -> None:
    assert_agreement("column", words.split(), tmp_path, FILES, b"a\nb\n")


CONTENT = st.lists(
    st.sampled_from(
        [b"a", b"bb", b"\n", b"ccc\n", b"\xc3\xa9", b" ", b"  ", b":", b"\t", b"dddddddd"]
    ),
    max_size=25,
).map(b"".join)
WORDS = st.lists(st.sampled_from(["-t", "-L", "-c20", "-s:", "-o+"]), max_size=3)


@settings(max_examples=60)
@given(x=CONTENT, y=CONTENT, stdin=CONTENT, words=WORDS)
def test_random_calls_match_gnu(
    tmp_path_factory: pytest.TempPathFactory, x: bytes, y: bytes, stdin: bytes, words: list[str]
) -> None:
    folder = tmp_path_factory.mktemp("column")
    assert_agreement("column", [*words, "x", "y"], folder, {"x": x, "y": y}, stdin)


def test_wide_character_in_a_narrow_column() -> None:
    """The real tool never ends here."""
    answer = run_keysh("column", "-t", "-c3", "-W1", files={}, stdin="\u65e5\u672c a\n".encode())
    assert answer.out.decode() == "   a\n\u65e5  \n\u672c  \n"


def test_width_comes_from_the_environment(tmp_path: Path) -> None:
    (tmp_path / "t").write_bytes(FILES["t"])
    words = ["-t", "-T", "0", "t"]
    for columns in ("9", "", "x"):
        mine = run_keysh("column", *words, files=FILES, env={"COLUMNS": columns})
        assert mine == run_gnu("column", *words, cwd=tmp_path, COLUMNS=columns)


TREES = st.lists(
    st.tuples(*[st.sampled_from([b"1", b"2", b"3", b"a_long_name", b"x"])] * 3), max_size=7
)
LOOKS = st.lists(
    st.sampled_from(
        ["-T1", "-T2,3", "-W2", "-W0", "-E1", "-E0", "-R3", "-O2", "-H1", "-e", "-J", "-c9"]
    ),
    max_size=4, unique=True,
)  # fmt: skip


@settings(max_examples=60)
@given(rows=TREES, looks=LOOKS, is_named=st.booleans(), is_tree=st.booleans())
def test_tables_match_the_real_tool(
    tmp_path_factory: pytest.TempPathFactory,
    rows: list[tuple[bytes, ...]],
    looks: list[str],
    is_named: bool,
    is_tree: bool,
) -> None:
    folder = tmp_path_factory.mktemp("column")
    words = [*looks, *(["-N", "A,B,C"] if is_named else [])]
    if is_tree and "-W0" not in looks:  # the real tool omits a part of the tree there
        words += ["-r3", "-i1", "-p2"]
    content = b"".join(b"%b %b %b\n" % row for row in rows)
    assert_agreement("column", ["-t", *words, "x"], folder, {"x": content})


@settings(max_examples=60)
@given(
    x=CONTENT,
    hidden=st.lists(st.sampled_from(["1", "2", "A", "-", "5"]), max_size=2),
    first=st.sets(st.sampled_from(["1", "2", "3", "B", "5"]), max_size=2),
    right=st.lists(st.sampled_from(["1", "B", "4"]), max_size=2),
)
def test_column_choice_matches_the_real_tool(
    tmp_path_factory: pytest.TempPathFactory,
    x: bytes,
    hidden: list[str],
    first: set[str],
    right: list[str],
) -> None:
    folder = tmp_path_factory.mktemp("column")
    lists = {"-H": hidden, "-O": sorted(first), "-R": right}
    words = [word for option, names in lists.items() if names for word in (option, ",".join(names))]
    assert_agreement("column", ["-t", "-N", "A,B,C", *words, "x"], folder, {"x": x})


def test_unnamed_field_is_refused_in_json() -> None:
    answer = run_keysh("column", "-J", "-N", "a", files={}, stdin=b"1\n2 3\n")
    assert answer.err == "column: line 3: for JSON the name of the column 2 is required\n"
    assert (answer.status, answer.out) == (1, b"")
