"""Lines that stages pass on as blocks: pipelines print the same as in bash."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from keysh import LocalFS, Shell
from keysh.interp.streams.stage_reader import StageReader
from keysh.text import chunks as lines
from keysh.text.chunks import LineBlock, bytes_of_text

STAGES = r"""
grep a
grep -v b
grep -i A
grep -w a
grep -a é
grep 'a.*b\|é'
cut -d ' ' -f 2
cut -d ' ' -f 1,3-
cut -c 2-4
cut -z -c 1-9
sort
sort -r
sort -u
sort -z
sort -k 2
uniq
uniq -c
uniq -d
uniq -z
wc
wc -l
wc -c
tail -n 3
tail -n +2
tail -c 5
tail -z -n 1
head -n 3
head -c 7
cat
tr a-c A-C
sed 's/a/<&>/'
sed -n '$='
awk '{ print NR, $1 }'
tac
while IFS= read -r line; do printf '%s\n' "<$line>"; done
(read -r line; printf '%s\n' "$line"; sort)
""".strip().splitlines()
LINES = st.lists(
    st.sampled_from(
        [b"a", b"b a", b"", b"a b", b"A  b a c", "é a".encode(), "naïve b".encode(), b"b\xff a",
         b"long " * 5, b"a\tb"]
    ),
    max_size=24,
)  # fmt: skip


@settings(max_examples=200)
@given(
    stages=st.lists(st.sampled_from(STAGES), min_size=2, max_size=4),
    given_lines=LINES,
    is_ended=st.booleans(),
)
def test_pipelines_agree_with_bash(
    tmp_path_factory: pytest.TempPathFactory,
    stages: list[str],
    given_lines: list[bytes],
    is_ended: bool,
) -> None:
    folder = tmp_path_factory.mktemp("lines")
    text = b"\n".join([*given_lines, b""]) if is_ended else b"\n".join(given_lines)
    (folder / "text").write_bytes(text)
    script = " | ".join(["cat text", *stages])
    expected = in_bash(script, folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "FIRST_CHUNK_BYTES", 8)
        patch.setattr(lines, "MAX_CHUNK_BYTES", 16)
        result = Shell({"/": LocalFS(str(folder))}).run(script)
    assert result.stdout_bytes == expected


def in_bash(script: str, folder: Path) -> bytes:
    """Return the output of bash and the GNU tools."""
    done = subprocess.run(
        ["bash", "-c", script],
        cwd=folder,
        env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"},
        capture_output=True,
        check=False,
    )
    return done.stdout


CHUNKS = st.lists(
    st.sampled_from(["a", "\n", "é\nb", "c\n", "\udcff\n"])
    | st.lists(st.sampled_from(["", "x", "\xc3\xa9", "\xff"]), min_size=1, max_size=3).map(
        LineBlock
    )
    | st.sampled_from(["\xc3\xa9\n", "a\n\n"]).map(LineBlock),
    max_size=5,
)


@given(chunks=CHUNKS, taken=st.integers(0, 4))
def test_all_ways_to_read_agree(chunks: list[str | LineBlock], taken: int) -> None:
    """Also after another reader has read and pushed back."""

    def reader() -> StageReader:
        made = StageReader(iter(chunks))
        made.push_back(made.read_part(taken))
        return made

    text = reader().read()
    data = bytes_of_text(text)
    octets = data.decode("latin-1")
    assert b"".join(reader().data()) == data
    assert "".join(reader().octets()) == octets
    assert sum(reader().newlines()) == text.count("\n")
    assert "".join(lines.text_of_chunk(chunk) for chunk in reader().countable_chunks()) == text
    bare = [
        line for some in lines.bare_lines(reader().line_blocks(), lines.no_limit) for line in some
    ]
    assert bare == (octets.removesuffix("\n").split("\n") if octets else [])


MANY = "\n".join(f"{number} {'foo' * (number % 7 == 0)} bar" for number in range(9000))


@pytest.mark.parametrize("pattern", ["foo", "7", "bar", "-e foo -e 77", "none", "-v foo"])
@pytest.mark.parametrize(
    "behind",
    [
        "wc -l",
        "wc",
        "tail -n 2",
        "sort | tail -n 1",
        "cut -c 1-3 | uniq | wc -l",
        "{ read x; wc; }",
    ],
)
def test_counting_and_reading_select_the_same_lines(
    pattern: str, behind: str, tmp_path: Path
) -> None:
    (tmp_path / "f").write_text(MANY)
    script = f"grep {pattern} f | {behind}"
    assert Shell({"/": LocalFS(str(tmp_path))}).run(script).stdout_bytes == in_bash(
        script, tmp_path
    )
