"""Texts of thousands of lines, which commands process in chunks, against the real tools.

A fast path for many lines must give the same bytes as the one for single lines. Every text mixes
stretches where all lines match, where few do and where none does, and ends without a newline or
with one.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.command_runner import run_keysh
from commands.comparison import assert_agreement
from keysh.text.regex.native.line_search import SAMPLE_MATCHES, select_lines
from keysh.text.regex.regex import regex_of

CHANCE = random.Random(7)
WORDS = ["foo", "bar", "a", "x y", "", "  two", "né", "7", "42", "-3", "tab\tbed", "e.g.", "foofoo"]


def stretch(words: list[str], count: int) -> list[str]:
    """Lines of a few of the words each."""
    return [" ".join(CHANCE.choices(words, k=CHANCE.randrange(1, 6))) for _ in range(count)]


MIXED = [
    *stretch(["bar", "x"], 700), *stretch(["foo"], 300), *stretch(WORDS, 900),
    *stretch(["é", ""], 200), *stretch(["foo", "7"], 400), *stretch(["none"], 600),
]  # fmt: skip
NUMBERS = [str(CHANCE.randrange(-50, 5000)) for _ in range(3000)]
TABLE = [f"{i % 97}:{CHANCE.choice(WORDS)}:{i}:end" for i in range(2000)]
SORTED = sorted(CHANCE.choices(NUMBERS, k=2500))
OTHER = sorted(CHANCE.choices(NUMBERS, k=1500))
KEYS = sorted(f"{CHANCE.choice('abcdef')}{CHANCE.randrange(40)}  {one}" for one in NUMBERS[:900])
FILES = {
    "mixed": "\n".join(MIXED).encode() + b"\n",
    "open": "\n".join(MIXED[::-1]).encode(),
    "odd": b"\n".join(b"a\xff \r\x01\tb" * (i % 4) + b"\r" * (i % 2) for i in range(900)) + b"\n",
    "numbers": "\n".join(NUMBERS).encode() + b"\n",
    "table": "\n".join(TABLE).encode() + b"\n",
    "sorted": "\n".join(SORTED).encode() + b"\n",
    "other": "\n".join(OTHER).encode(),
    "keys": "\n".join(KEYS).encode() + b"\n",
}
CALLS = """
grep foo mixed open
grep -v foo open
grep -h foo open mixed
grep foo open mixed
grep -HnZ foo mixed open
grep -E ^(foo|7) mixed
grep -vE o+$ open
grep -x foo mixed
grep -w 7 mixed
grep -i FOO mixed
grep -n foo open
grep -nv foo open
grep -c o mixed
grep -c o+ -E open
grep -a b odd
sed s/foo/<&>/ mixed
sed s/foo/<&>/g open
sed s/$/;/ open
sed s/^/>/g mixed
sed s/\\ *$// mixed
sed s/5*/-/g keys
sed s/o*/-/ mixed
sed s/\\(o\\)\\(o\\)*/[\\2\\1]/g mixed
sed s/[ao]/\\n/g;s/a/b/ open
sed s/a/\\n/ open mixed
sed /foo/d mixed
sed /foo/!d open
sed -n /7/p mixed
sed y/fo/gp/;s/gp/fo/ open
sed s/foo$/end/;s/^bar/start/ open
sort mixed
sort -u open
sort -n numbers
sort -rn numbers
sort -k2 mixed
sort -k2,2 -k1,1n mixed
sort -t : -k1,1n -k3,3nr table
sort -t : -k2n table
sort -k1,1 -k3n open
cut -d : -f 1,3- table
cut -d : -f 2- table
cut -d : -f 1,3 table
cut -d : -f 1,3- --output-delimiter=, table
cut -d : -f 2-3,300 -s table mixed
cut -f 1 --complement mixed
uniq -c sorted
uniq -d sorted
uniq -u sorted
uniq -c mixed
uniq -ci open
uniq -cw1 sorted
cat -n mixed open numbers
cat -b open mixed
cat -A odd mixed
cat -sn mixed
cat -E odd
cat -vT odd
fold -w 7 mixed
fold -sw 9 open
fold -bw 5 odd
fold -w 6 odd
unexpand -a mixed
unexpand -a keys
unexpand -t 3 open
unexpand -a odd
paste -s mixed
paste -sd ,; open
paste -d ,; mixed numbers
comm sorted other
comm -12 sorted other
comm --total -3 other sorted
comm mixed sorted
join sorted other
join keys keys
join -a 1 -a 2 sorted other
join -t : -1 1 -2 1 table table
join -i keys keys
join -e - -o 0,1.2,2.2 keys keys
join -2 2 keys keys
tac mixed open odd
tac -b open mixed
tac -s foo open
tac -bs foo mixed
wc mixed open odd
wc -L mixed open odd
wc -m mixed odd
sum mixed odd
sum -s mixed odd
od mixed
od -c odd
od -t x1z -t d2 -w12 open
od -A x -t u4 -t o1 -j 3 odd
""".strip().split("\n")


@pytest.mark.parametrize("call", CALLS)
def test_long_texts_match_gnu(tmp_path: Path, call: str) -> None:
    name, *words = call.split(" ")
    assert_agreement(name, words, tmp_path, FILES)


@pytest.mark.parametrize("call", ["odd", "-g 1 mixed", "-c 7 -g 3 open", "-e odd", "-b open"])
def test_long_dumps_match_xxd(tmp_path: Path, call: str) -> None:
    assert_agreement("xxd", call.split(" "), tmp_path, FILES)


@pytest.mark.parametrize(
    "words",
    ["12345", "0 1000", "998 2003", "-w 2000", "-w 9990 10020", "-s, 3500", "99998 100001", "-w 7",
     "1 1 1500", "100000000000000000000 100000000000000000003", "-w 0 1000", "-3 1200"],
)  # fmt: skip
def test_line_numbers_match_gnu(tmp_path: Path, words: str) -> None:
    assert_agreement("seq", words.split(" "), tmp_path, {})


LINES = st.lists(st.sampled_from(["foo", "x", "", "bar foo", "ofo", "é", "  7 "]), max_size=12)
TEXT = st.tuples(LINES, st.integers(1, 2 * SAMPLE_MATCHES), LINES, st.sampled_from(["", "\n"])).map(
    lambda made: "\n".join(made[0] * made[1] + made[2]) + made[3]
)
PATTERN = st.sampled_from(["foo", "o", "^f", "o$", "^$", "[a-f]+o", "", "(x|o)*", ".*o.*7", "é"])


@settings(max_examples=150)
@given(text=TEXT, pattern=PATTERN, keeps=st.booleans())
def test_lines_are_selected_in_bulk_as_one_by_one(text: str, pattern: str, keeps: bool) -> None:
    regex = regex_of(pattern)
    lines = text.split("\n")
    last = lines.pop()
    wanted = [f"{line}\n" for line in lines if regex.is_in(line) is keeps]
    if last and regex.is_in(last) is keeps:
        wanted.append(last)
    assert select_lines(regex, text, keeps=keeps) == "".join(wanted)


SCRIPT = st.sampled_from(
    [
        "s/o/0/", "s/o/0/g", "s/foo/&&/", "s/$/;/", "s/^/>/g", "s/ *$//", "s/o*/-/g", "s/o*/-/",
        "s/x*$/!/g", "s/\\b/|/g", "s/\\(f\\)\\(o*\\)/\\2\\1/g", "s/.*/[&]/", "s/é/e\\\\/",
        "s/f/\\n/g", "y/fo/gp/", "y/o/\\n/", "/o/d", "/foo/!d", "s/[^o]*/_/g", "s/7\\?$/ /",
    ]
)  # fmt: skip


@settings(max_examples=150)
@given(text=TEXT, scripts=st.lists(SCRIPT, min_size=1, max_size=3))
def test_sed_edits_chunks_as_it_edits_lines(text: str, scripts: list[str]) -> None:
    """With -s each line has its own cycle, whatever the script."""
    words = [part for script in scripts for part in ("-e", script)]
    by_chunk = run_keysh("sed", *words, stdin=text.encode())
    by_line = run_keysh("sed", "-s", *words, stdin=text.encode())
    assert by_chunk == by_line


ADDRESSED = """
1d mixed open
-n 5p mixed
2,4d open mixed
-n 2,1400p mixed
3q mixed
2,+1s/^/>/ open
1~2d;3d open
2!d mixed
5,~4d open
7,3d mixed
-s 1d mixed open
-n 1500=;3= open
-i 1d mixed open
3a\\text open
$d open
-s $d open mixed
-n $= mixed
-z 1d mixed
1{p;d} open
9999d open
1,2{s/x/y/} mixed
N;P;D open
2,3c\\new mixed
""".strip().split("\n")


@pytest.mark.parametrize("call", ADDRESSED)
def test_lines_after_the_last_address_match_gnu(tmp_path: Path, call: str) -> None:
    assert_agreement("sed", call.split(" "), tmp_path, FILES)
