"""grep: tables and random calls against the real tool, and what it does not have."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from commands.conformance import plain
from commands.running import command_named, gnu, on_disk, ours
from keysh.runtime.call import Call
from keysh.runtime.invoke import invoke
from keysh.runtime.streams import Reader, Writer
from keysh.vfs.memory import MemoryFS
from keysh.vfs.router import Router
from surroundings import Surroundings

FILES = {
    "a": b"one\ntwo foo\nthree\nfoo bar foo\nx\n",
    "open": b"foo\nno end foo",
    "bin": b"foo\0bar\nfoo2\n",
    "enc": b"foo\n\xff foo\nfoo3\n",
    "utf8": "straße foo\nÉté\n".encode(),
    "empty": b"",
}
STDIN = b"one foo\ntwo\nfoo three\n"


def fill(folder: Path) -> None:
    for name, content in FILES.items():
        (folder / name).write_bytes(content)
    (folder / "d" / "e").mkdir(parents=True)
    (folder / "d" / "f.c").write_bytes(b"foo\n")
    (folder / "d" / "e" / "g.h").write_bytes(b"a foo\n")
    (folder / "d" / "link").symlink_to("f.c")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("grep")
    fill(made)
    return made


def agrees(folder: Path, words: list[str], stdin: bytes = STDIN) -> None:
    with on_disk(folder) as fs:
        answer = ours("grep", *words, fs=fs, stdin=stdin)
    theirs = plain(gnu("grep", *words, cwd=folder, stdin=stdin))
    # The order in which a directory is read is the file system's; ours is that of the names.
    if any(word.startswith(("-r", "-R", "-sr", "recurse")) for word in words):
        answer = answer._replace(out=b"".join(sorted(answer.out.splitlines(True))))
        theirs = theirs._replace(out=b"".join(sorted(theirs.out.splitlines(True))))
    assert answer == theirs


CALLS = """
foo a;-c foo a open;-v foo a;-vc foo a;-n foo a;-b foo a;-nb foo a;-o foo a;-on foo a;-ob foo a
-h foo a open;-H foo a;-l foo a open empty;-L foo a x empty;-L x a empty;-q foo a;-q foo nox a
-s foo nox;foo nox;foo nox a;foo d;foo d a;-i FOO a;-y FOO a;-w foo open a;-x foo open a;-wo fo* a
-x -E fo|foo open;-m1 foo a;-m1 -c foo a;-m2 -v foo a;-m0 foo a;-m1 -A1 foo a;-A1 foo a;-B1 foo a
-C1 x a open;-1 three a;-n -A1 one a a;-A0 o a;-C1 --no-group-separator o a;-vA1 foo a
--group-separator=XX -A0 foo a;-z foo a;-zc foo bin;-zo fo a;foo bin;-c foo bin;-vc foo bin
-o foo bin;-a foo bin;-I foo bin;-A1 foo bin;foo enc;-n foo enc;-o . enc;-ao . enc;-v x enc
-I foo enc;-a foo enc;-A1 foo3 enc;-B1 foo3 enc;--binary-files=text foo bin
--binary-files=x foo bin;-E fo+|x a;-E (a)\\1 a;\\(o\\)\\1 a;-E (foo).*\\1 a;-Eo (foo).*\\1 a
-F o. a;-F . a;-F foo a;-Fx one a;-Fw foo a;-Fi ONE a;-P foo\\b a;-oP fo\\Ko a;-oP (?<=f)o+ a
-P ( a;-E ( a;\\( a;[ a;[[:foo:]] a;[:space:] a;a\\{1 a;-E a{1 a;-E *x a;-E a|*x a;*x a;-E ) a
a\\ a;\\1 a;-E (a)\\2 a;[b-a] a;-e one -e x a;-e one -e two -n a;-F -e one -e x a;-f a a
-f empty a;-vf empty a;-f nox a;-f a -e x a;-o ß utf8;-i é utf8;-io É utf8;-b foo utf8
\\w\\w\\w\\w\\w\\w utf8;-r foo d;-R foo d;-rl foo .;-rn foo d;-rh foo d;-rc foo d
-r --include=*.c foo .;-r --exclude=*.c foo d;-r --exclude-dir=e foo d;-r foo a;-r foo d a
-d skip foo d a;-d recurse foo d;--include=*.c foo a d/f.c;--exclude=a foo a open;foo -;-H foo -
foo - a;--label=zz -H foo;-lH foo;-cH foo -;-Z foo a open;-lZ foo a open;-cZ foo a open
--color=always foo a;--color=always -n foo a open;--color=always -v foo a;--color=always -A1 two a
--color=always -o foo a;--color=always -l foo a;--color=always -c foo a a;--color=never foo a
-A -1 foo a;-A x foo a;--context=x foo a;-D skip foo a open;-D x foo a;-D read foo a;
-E -P foo a;-E -F foo a;-T foo a a;-q foo;-q zzz;-vn foo a;^ a;-o ^ a;-c ^$ a;-w o a
-E x* a;-Eo x* a;-Ev x* a;-wv foo open a;-xv one a;-c x;-vq foo a;-no foo a -i;--line-number foo a
--regexp=foo a;--max-count=1 foo a a;--count foo a;--invert-match foo a;-vo foo a;-lv foo a
-Lv foo a;--null -l foo a;--no-messages foo nox a;-U foo a;--line-buffered foo a;-rq foo .
-sr foo nox d
"""


@pytest.mark.parametrize("words", [line for line in CALLS.replace("\n", ";").split(";") if line])
def test_a_call_does_what_gnu_does(folder: Path, words: str) -> None:
    agrees(folder, words.split(" "))


@pytest.mark.parametrize("words", [["", "a"], ["-c", "", "a"], ["-v", "", "a"], ["one\nx", "a"],
                                   ["-F", "one\nx", "a"], ["-w", "", "a"], ["-E", "a\n(", "a"],
                                   ["-L", "-v", "", "a"], ["-e", "", "-o", "a"]])  # fmt: skip
def test_patterns_may_be_empty_or_many(folder: Path, words: list[str]) -> None:
    agrees(folder, words)


PIECES = ["a", "b", "ab", "foo", " ", ".", "\n", "\n", "\n", "é", "A", "x_y", "\n\n"]
OPTIONS = ["-v", "-c", "-n", "-b", "-o", "-i", "-w", "-x", "-l", "-L", "-h", "-H", "-m1", "-m2",
    "-A1",
           "-B1", "-C2", "-z", "-a", "-I", "-q", "-1", "-E", "-F", "--color=always"]  # fmt: skip
PATTERNS = ["a", "b", "ab", "foo", ".", "a*", "^a", "a$", "^$", "a\\|b", "a|b", "[ab]", "\\<a", "é",
            "a\\>", "(a)", "\\(a\\)\\1", "a\nb", "A", ".b", "\\w", "[^a]", "fo*"]  # fmt: skip


@pytest.mark.parametrize("seed", range(6))
def test_random_calls_do_what_gnu_does(tmp_path: Path, seed: int) -> None:
    chance = Random(seed)

    def text() -> bytes:
        made = "".join(chance.choices(PIECES, k=chance.randrange(40))).encode()
        return made + chance.choice([b"", b"", b"", b"\n\xff a\n", b"\0", b"\xff"])

    for _ in range(60):
        for name in "pq":
            (tmp_path / name).write_bytes(text())
        words = chance.choices(OPTIONS, k=chance.randrange(4))
        if "-E" in words and "-F" in words:
            continue
        if any(word[1] in "ABC1" for word in words):  # of a file it hides, GNU prints the separator
            for name in "pq":
                (tmp_path / name).write_bytes((tmp_path / name).read_bytes().replace(b"\0", b""))
        files = chance.choice([["p"], ["p", "q"], ["-"], ["p", "-", "q"], []])
        agrees(tmp_path, [*words, chance.choice(PATTERNS), *files], text().replace(b"\0", b""))


def test_borders_of_chunks_do_not_matter() -> None:
    text = "one foo\ntwo\n\nfoo three\nfoo\nlast"
    for words in (("-n", "foo"), ("-c", "o"), ("-v", "foo"), ("-A1", "-n", "two"), ("-B2", "last"),
                  ("-b", "three"), ("-o", "o.")):  # fmt: skip
        whole = fed([text], words)
        assert fed(list(text), words) == whole
        assert fed([text[i : i + 7] for i in range(0, len(text), 7)], words) == whole


def fed(chunks: Iterator[str] | list[str], words: tuple[str, ...]) -> str:
    out: list[str] = []
    call = Call("grep", Surroundings(Router(MemoryFS())), Reader(chunks), Writer(out.append),
                Writer(out.append))  # fmt: skip
    invoke(command_named("grep"), call, words)
    return "".join(out)


@pytest.mark.parametrize("words", [("-m", "3", "a"), ("-q", "a"), ("-l", "a"), ("-m1", "-A2", "a")])
def test_endless_input_is_read_no_further_than_needed(words: tuple[str, ...]) -> None:
    asked = 0

    def endless() -> Iterator[str]:
        nonlocal asked
        while True:
            asked += 1
            yield "ab\n"

    fed(endless(), words)
    assert asked <= 5


def rows(*words: str) -> list[object]:
    files = {f"/{name}": content for name, content in FILES.items()}
    return [
        json.loads(line) for line in ours("grep", "--json", *words, files=files).out.splitlines()
    ]


def test_rows() -> None:
    assert rows("-b", "foo", "a") == [
        {"path": "a", "line": 2, "offset": 4, "text": "two foo"},
        {"path": "a", "line": 4, "offset": 18, "text": "foo bar foo"},
    ]
    assert rows("-o", "o+", "open", "-E", "-A1")[1] == {"path": "open", "line": 2, "text": "o"}
    assert rows("-c", "foo", "a", "empty") == [
        {"path": "a", "count": 2}, {"path": "empty", "count": 0},
    ]  # fmt: skip
    assert rows("-l", "foo", "a", "empty") == [{"path": "a"}]


def test_the_name_chooses_the_syntax() -> None:
    assert ours("egrep", "y|one", stdin=b"one\ny|o\n").out == b"one\ny|o\n"
    assert ours("fgrep", "y|o", stdin=b"one\ny|o\n").out == b"y|o\n"


def test_a_pattern_that_costs_too_much_is_refused() -> None:
    answer = ours("grep", "-E", "(a*)(a*)(a*)\\1\\2\\3b", stdin=b"a" * 300)
    assert (answer.status, answer.out) == (2, b"")
    assert "too many steps" in answer.err
