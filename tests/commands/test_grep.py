"""grep: tables and random calls against the real tool, and keysh's own features."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from commands.command_runner import Answer, command_named, on_disk, run_gnu, run_keysh
from commands.comparison import assert_agreement
from fake_shell import FakeShell
from keysh import LocalFS, Shell
from keysh.interp.engine.invoke import invoke
from keysh.interp.state.call import Call
from keysh.interp.streams.streams import Reader, Writer
from keysh.vfs.memory.filesystem import MemoryFS
from keysh.vfs.router import Router

FILES = {
    "a": b"one\ntwo foo\nthree\nfoo bar foo\nx\n",
    "open": b"foo\nno end foo",
    "bin": b"foo\0bar\nfoo2\n",
    "enc": b"foo\n\xff foo\nfoo3\n",
    "utf8": "straße foo\nÉté\n".encode(),
    "ä": "ä foo\nbar\nfoo é\n".encode(),
    "nul": b"foo\nfoo\0\xc3\xa9 foo\0two\nfoo\n\0\xc3\xa9\0",
    "empty": b"",
    "bad": b"foo\n(\n",
    "globs": b"\n*.h \n\n",
    "lines": b"foo\r\nfoo bar\r\nbar\r\n",
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


def in_order(answer: Answer) -> Answer:
    out, err = sorted(answer.out.splitlines(True)), sorted(answer.err.splitlines(True))
    return Answer(answer.status, b"".join(out), "".join(err))


def agrees(folder: Path, words: list[str], stdin: bytes = STDIN) -> None:
    with on_disk(folder) as fs:
        answer = run_keysh("grep", *words, fs=fs, stdin=stdin)
    real_answer = run_gnu("grep", *words, cwd=folder, stdin=stdin)
    # The real tool reads a directory in the file system's order, keysh in order of names.
    if any(word.startswith(("-r", "-R", "-sr", "recurse")) for word in words):
        answer, real_answer = in_order(answer), in_order(real_answer)
    assert answer == real_answer


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
-P b$ a;-P o$ a;-cP ^x$ a;-nP o\b a;-oP o\b a open;-vP o$ a;-P ^foo a;-c -f empty a;-v -f empty a
-vx -e -n a;-L -f empty a;-f bad a;-E -f bad a;-E -e x -f bad a;-E -f bad -e ( a;-P -f bad a
-E -e ( -f bad a;-T foo a open;-nT foo a;-nT foo;-bT foo a;-HT foo a open;-nbHT foo a;-vnT foo a
-oT foo a;-onT foo a;-T x empty;-on o a;-onH o a;-onb o a;-oh o a open;-oZH o a;-nA1 two a open
-nbC1 three a;-HnB1 x a;-HZA1 two a;-vnA1 o a;-ovA1 foo a;-ovnC2 two a;-onA1 two a;-m1 -nA2 foo a
-r --include=*.c --exclude=f.c foo d;-r --exclude=f.c --include=*.c foo d
-r --exclude=f.c --include=*.h foo d;-r --include=*.h --exclude=f.c foo d;foo d/f.c --exclude=d*
foo d/f.c --exclude=*/f.c;foo d/e/g.h --exclude=e/g.h;-r foo d --exclude=e/g.h
foo d/f.c --include=d/f.c;foo d/f.c --include=x --exclude=y;-r foo d --exclude-dir=d/e
-r foo d --exclude-dir=d;-r foo d --exclude-dir=*;-r foo . --exclude-dir=.;-r foo --exclude-from=a d
-i straSSE utf8;-i É utf8;-ic é utf8 a;-iw FOO a utf8;-ix FOO open;-iv FOO a;-in F.*O a;-io FO a
-Fx -f a a;-vFxf a a open;-Fxi -f a a;-wFf a open;-Ff a -e no open;-E foo|two|x|three|none a
-E foo|two|x|three|none|one|bar a;-oE fo|foo|two|t|tw|bar|b|ba a;-E fo(o|x)?.* a;-Ew fo*|two a
-E ^*foo a;-E f(*) a;-E (x|^*) a;-E x|^+ a;-E t$*w a;-E t$+w a;-E ^{a a;-c ^^ a;^^t a;\\(^*t\\) a
-oP (?<=one|foo).* a;-P (?<!foo|t)o a;-oP (?<=^|foo.)b.* a;-P (?<=o*)b a;-P (?<=(a|bc))b a;-P ^* a
-P o** a;-P \\b+ a;-oP (?<=fo{1}|w)o a;-P o+? a;-P o++ a
-c foo d;-c foo d a nox;-cs foo d;-hc foo d;-L foo d a;-l foo d a;-o foo d;--include=x foo d
--exclude=* foo d;--exclude-dir=d foo d a;-r --exclude-dir=d foo d/;-r --exclude-dir=d foo ./d
-r --exclude-from=globs foo d;-A1 foo bin a;-C1 foo a bin open;-c -A1 foo bin a
-H foo ä;-aHn foo ä a;-nv foo ä;-c foo ä;-vc foo ä;-Zn foo ä utf8;-ni FOO ä;-c é ä;-nw foo ä enc
-zc foo nul;-zvc foo nul;-zc ^foo nul;-zl two nul;-zL é nul;-zn foo nul;-c foo nul;-zq x nul
-c -E foo|two a;-ci -E FOO|TWO a;-n -E foo.*bar|two a;-C1 -E two|x a;-vE foo|two|x a
"""


@pytest.mark.parametrize("words", [line for line in CALLS.replace("\n", ";").split(";") if line])
def test_calls_match_gnu(folder: Path, words: str) -> None:
    agrees(folder, words.split(" "))


@pytest.mark.parametrize("words", [["", "a"], ["-c", "", "a"], ["-v", "", "a"], ["one\nx", "a"],
                                   ["-F", "one\nx", "a"], ["-w", "", "a"], ["-E", "a\n(", "a"],
                                   ["-L", "-v", "", "a"], ["-e", "", "-o", "a"]])  # fmt: skip
def test_patterns_may_be_empty_or_many(folder: Path, words: list[str]) -> None:
    agrees(folder, words)


@pytest.mark.parametrize("words", ["-R foo", "-Rs foo", "-R foo .", "-Rc foo", "-R foo d", "-r foo",
                                   "-R --include=*.c foo", "-R --exclude=no* foo .",
                                   "-R foo none", "-r foo up"])  # fmt: skip
def test_dangling_and_looping_links_are_reported(tmp_path: Path, words: str) -> None:
    fill(tmp_path)
    (tmp_path / "none").symlink_to("nothing")
    (tmp_path / "d" / "e" / "up").symlink_to("..")
    agrees(tmp_path, words.split())


PIECES = ["a", "b", "ab", "foo", " ", ".", "\n", "\n", "\n", "é", "A", "x_y", "\n\n", "FOO",
          "bar", "K", "k", "\u017f", "s", "\u0131", "I", "i", "日本", "-"]  # fmt: skip
OPTIONS = ["-v", "-c", "-n", "-b", "-o", "-i", "-w", "-x", "-l", "-L", "-h", "-H", "-m1", "-m2",
    "-A1",
           "-B1", "-C2", "-z", "-a", "-I", "-q", "-1", "-E", "-F", "--color=always", "-i", "-n",
           "-A2", "-B3", "-T", "-Z", "-s", "-U", "--line-buffered", "--label=zz", "-m3",
           "--no-group-separator", "--group-separator=XX", "--binary-files=text",
           "--binary-files=without-match"]  # fmt: skip
PATTERNS = ["a", "b", "ab", "foo", ".", "a*", "^a", "a$", "^$", "a\\|b", "a|b", "[ab]", "\\<a", "é",
            "a\\>", "(a)", "\\(a\\)\\1", "a\nb", "A", ".b", "\\w", "[^a]", "fo*",
            "foo.*bar", ".*foo", "fo\\?b*", "foo\\|bar\\|k", "foo|bar|ab|s|i",
            "a\nb\nk\ns\n-\nfoo\nbar", "[[:alpha:]]*o", "k", "is", "\\bf", "(foo|a)(b|bar)?",
            "^foo$", "é*", "日"]  # fmt: skip


@pytest.mark.parametrize("seed", range(6))
def test_random_calls_match_gnu(tmp_path: Path, seed: int) -> None:
    chance = Random(seed)

    def text() -> bytes:
        made = "".join(chance.choices(PIECES, k=chance.choice([5, 40, 40, 400, 3000]))).encode()
        return made + chance.choice([b"", b"", b"", b"\n\xff a\n", b"\0", b"\xff"])

    for _ in range(60):
        for name in "pq":
            (tmp_path / name).write_bytes(text())
        words = chance.choices(OPTIONS, k=chance.randrange(4))
        if "-E" in words and "-F" in words:
            continue
        if any(word[1] in "ABC1" for word in words):  # GNU's are lost around lines that they hide
            for name in "pq":
                content = (tmp_path / name).read_bytes()
                (tmp_path / name).write_bytes(content.replace(b"\0", b"").replace(b"\xff", b""))
        pattern = chance.choice(PATTERNS)
        if chance.random() < 0.2:
            (tmp_path / "patterns").write_text(f"{pattern}\n")
            words += ["-f", "patterns"]
        else:
            words += ["-e", pattern]
        files = chance.choice([["p"], ["p", "q"], ["-"], ["p", "-", "q"], []])
        stdin = text().replace(b"\0", b"").replace(b"\xff", b"")
        agrees(tmp_path, [*words, *files], stdin)


COLORS = ["sl=1", "sl=1:cx=2", "mt=", "mt=7:ne", "rv:sl=1:cx=2", "sl=1:mt=", "mt=x", "mt",
          "sl:ms=1", "ms=1:mc=2:fn=3:ln=4:bn=5:se=6", "sl=1:foo=3:mt=2", "ms=4:mt", "mt=1=2:ms=3",
          "=3:ms=2", "ne=3", "rv=3:sl=1"]  # fmt: skip


@pytest.mark.parametrize("colors", COLORS)
@pytest.mark.parametrize("options", ["", "-v -A1", "-nbH -A1", "-o -v -A1", "-on", "-c", "-nbT"])
def test_colors_match_gnu(folder: Path, colors: str, options: str) -> None:
    words = ["--color=always", *options.split(), "foo", "a", "open", "lines"]
    with on_disk(folder) as fs:
        answer = run_keysh("grep", *words, fs=fs, env={"GREP_COLORS": colors})
    assert answer == run_gnu("grep", *words, cwd=folder, GREP_COLORS=colors)


def test_obsolete_color_variable_has_a_warning(folder: Path) -> None:
    with on_disk(folder) as fs:
        answer = run_keysh("grep", "--color=always", "foo", "a", fs=fs, env={"GREP_COLOR": "1"})
    words = ("--color=always", "foo", "a")
    assert answer == run_gnu("grep", *words, cwd=folder, GREP_COLOR="1")


def test_chunk_borders_do_not_matter() -> None:
    text = "one foo\ntwo\n\nfoo three\nfoo\nlast"
    for words in (("-n", "foo"), ("-c", "o"), ("-v", "foo"), ("-A1", "-n", "two"), ("-B2", "last"),
                  ("-b", "three"), ("-o", "o."), ("-C1", "-nb", "three"),
                  ("-A1", "-m2", "foo"), ("-nv", "o"), ("-B1", "-nb", "st")):  # fmt: skip
        whole = fed([text], words)
        assert fed(list(text), words) == whole
        assert fed([text[i : i + 7] for i in range(0, len(text), 7)], words) == whole


def fed(chunks: Iterator[str] | list[str], words: tuple[str, ...]) -> str:
    out: list[str] = []
    call = Call("grep", FakeShell(Router(MemoryFS())), Reader(chunks), Writer(out.append),
                Writer(out.append))  # fmt: skip
    invoke(command_named("grep"), call, words)
    return "".join(out)


@pytest.mark.parametrize("words", [("-m", "3", "a"), ("-q", "a"), ("-l", "a"), ("-m1", "-A2", "a")])
def test_endless_input_is_read_no_further_than_needed(words: tuple[str, ...]) -> None:
    requests = 0

    def endless() -> Iterator[str]:
        nonlocal requests
        while True:
            requests += 1
            yield "ab\n"

    fed(endless(), words)
    assert requests <= 5


def rows(*words: str) -> list[object]:
    files = {f"/{name}": content for name, content in FILES.items()}
    return [
        json.loads(line)
        for line in run_keysh("grep", "--json", *words, files=files).out.splitlines()
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


def test_command_name_selects_the_syntax() -> None:
    assert run_keysh("egrep", "y|one", stdin=b"one\ny|o\n").out == b"one\ny|o\n"
    assert run_keysh("fgrep", "y|o", stdin=b"one\ny|o\n").out == b"y|o\n"


def test_too_costly_pattern_is_refused() -> None:
    answer = run_keysh("grep", "-E", "(a*)(a*)(a*)\\1\\2\\3b", stdin=b"a" * 300 + b"xb")
    assert (answer.status, answer.out) == (2, b"")
    assert "too many steps" in answer.err


def test_long_pattern_lists() -> None:
    lines = [f"{number * 7919 % 100_003} line" for number in range(2000)]
    files = {"/list": "\n".join(lines), "/text": f"{lines[5]}\nx\n{lines[7]}{lines[8]}\n"}
    assert run_keysh("grep", "-vxFf", "list", "text", files=files).out.count(b"\n") == 2
    assert run_keysh("grep", "-vFf", "list", "text", files=files).out == b"x\n"
    files["/list"] = "\n".join(["x" * 100_000] * 4)
    answer = run_keysh("grep", "-Ff", "list", "text", files=files)
    assert (answer.status, answer.err) == (2, "grep: Regular expression too big\n")


LETTERS = (
    "KkSsIiÅå\u00df\u0130\u0131\u017f\u01c4\u01c5\u01c6\u0345"
    "\u03a9\u03c2\u03c3\u1e9e\u1fbe\u2126\u212a\u212b"
)


@pytest.mark.parametrize("letter", LETTERS)
def test_case_folding_beyond_ascii(letter: str, tmp_path: Path) -> None:
    """The long s is an s where sizes do not matter, but the Kelvin sign, a capital, is no k."""
    lines = "\n".join([*LETTERS, "\xe2\x84\xaa", "\xc5\xbf", "none", ""]) * 20
    for words in (["-i", letter], ["-iv", letter], ["-io", letter], ["-i", f"[{letter}]$"]):
        assert_agreement("grep", [*words, "f"], tmp_path, {"f": lines.encode()})


@pytest.mark.parametrize(
    "words",
    ["-m1 two", "-m1 -A1 one", "-m1 -c o", "-m2 -n o", "-m1 -v one", "-m1 -o o", "-m0 one", "-m9 o",
     "-m6 ''", "-m1 open", "-m2 -A9 o", "-m1 five", "-m1 none", "-m1 -L o", "-m1 -q o", "-m1 -l o",
     "-m3 -c ''"],
)  # fmt: skip
@pytest.mark.parametrize("text", [b"one\ntwo\nthree\nfour\nfive\nopen", b"a\0\none\ntwo\n", b""])
def test_input_after_the_last_match_is_left(tmp_path: Path, words: str, text: bytes) -> None:
    """A file on standard input is left at the line where -m stops."""
    (tmp_path / "f").write_bytes(text)
    script = f"{{ grep {words}; echo; cat; }} < f"
    result = Shell({"/": LocalFS(str(tmp_path))}).run(script)
    expected = run_gnu("bash", "-c", script, cwd=tmp_path)
    assert (result.code, result.stdout_bytes) == (expected.status, expected.out)


@pytest.mark.parametrize(
    "pattern",
    [
        r"\p{Lu}", r"\pL", r"\PL", r"\p{^L}", r"\P{^L}", r"\p{L&}", r"\p{ l u }", r"\p{Han}+",
        r"[\p{L}\d]", r"[^\p{L}]", r"[\P{L}a]", r"^\p{L}+$", r"\p{Any}", r"\p{Script=Greek}",
        r"\p{Sc}", r"\p{Lu}\p{Ll}+|\d", r"\p{C}", r"\p{Z}", r"\p{Foo}", r"\p{Letter}", r"\p",
        r"\p{L", r"\p{}",
    ],
)  # fmt: skip
def test_properties_of_characters(pattern: str, tmp_path: Path) -> None:
    text = "a\nB\n5\nβ\n日本\n😀\nǅ\n \u00a0\n€\nab1\nÄrger\u200b\n".encode() + b"\xff\n"
    assert_agreement("grep", ["-anoP", "--", pattern, "text"], tmp_path, {"text": text})


@pytest.mark.parametrize(
    "words",
    [
        "zgrep banana a.gz plain", "zgrep -c a a.gz plain", "zgrep -Hn an a.gz",
        "zgrep -h an a.gz plain", "zgrep -l apple a.gz plain", "zgrep -L apple a.gz plain",
        "zgrep -v a a.gz", "zgrep zz a.gz", "zgrep an missing", "zgrep an missing.gz a.gz",
        "zgrep an d", "zgrep an cut.gz", "zgrep an a", "zegrep ap|x a.gz plain", "zfgrep a. a.gz",
        "zgrep -q apple a.gz", "zgrep -A1 app a.gz", "bzgrep an b.bz2 plain",
        "bzgrep -c an b.bz2", "bzgrep an missing", "xzgrep an c.xz a.gz b.bz2 plain",
        "xzgrep an missing", "zgrep -e apple -e ban -o a.gz",
    ],
)  # fmt: skip
def test_compressed_files(words: str, tmp_path: Path) -> None:
    text = b"apple\nbanana\n"
    packed = gzip.compress(text, mtime=0)
    files = {
        "a.gz": packed, "cut.gz": packed[:20], "plain": b"banana\nx\n", "d/x": b"",
        "b.bz2": bz2.compress(text), "c.xz": lzma.compress(text),
    }  # fmt: skip
    name, *rest = words.split()
    assert_agreement(name, rest, tmp_path, files)


def test_compressed_input(tmp_path: Path) -> None:
    stdin = gzip.compress(b"apple\nbanana\n", mtime=0)
    assert_agreement("zgrep", ["-c", "an"], tmp_path, {}, stdin)
    assert_agreement("zgrep", ["-H", "an", "-"], tmp_path, {}, stdin)
    assert run_keysh("zgrep", "-r", "an", ".").status == 2


def test_no_break_spaces_are_not_blank(tmp_path: Path) -> None:
    text = "\n".join(
        f"a{char}b" for char in "\u00a0\u2003\u2007\u200b\u2028\u202f\u3000\t"
    ).encode()
    for pattern in (r"\s", "[[:space:]]", "[[:blank:]]", "[[:print:]]*", r"[^[:graph:]]"):
        assert_agreement("grep", ["-no", pattern, "text"], tmp_path, {"text": text + b"\n"})
