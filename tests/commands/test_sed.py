"""sed: a table of scripts, each with several sets of options, against the real tool."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest

from commands import sed_random
from commands.command_runner import Answer, command_named, on_disk, run_gnu, run_keysh
from fake_shell import FakeShell
from keysh.interp.engine.invoke import invoke
from keysh.interp.run.control_flow import LimitReached
from keysh.interp.state.call import Call
from keysh.interp.streams.streams import Reader, Writer
from keysh.schema.binder import InvalidArguments, bind
from keysh.tools.sed import substitutions, whole_chunks
from keysh.vfs.memory.filesystem import MemoryFS
from keysh.vfs.router import Router
from vfs.timeout import hang_guard  # noqa: F401 - a fixture

FILES = {
    "a": b"hello world\nfoo bar\nbaz\n\nfoo foo foo\nlast line\n",
    "b": b"x\ny\nno end",
    "e": b"",
}
STDIN = b"one foo\ntwo\nfoo three\n"
SCRIPTS = [
    "k",
    "p;p x",
    "{p",
    "p}",
    "s/a/b",
    "s/a/b/gg",
    "s/a/b/pp",
    "s/a/b/0",
    "s/a/b/2 3",
    "s/o/b/2",
    "s/a/b/k",
    "y/a/bc/",
    "y/a/b",
    ":",
    "b foo",
    "1,p",
    "1,2=",
    "1,2q",
    "5!!p",
    "a",
    "a\\",
    "r",
    "w",
    "+1p",
    "1~0p",
    "/a",
    "\\",
    "s/\\(a/b/",
    "s/a/\\1/",
    "}",
    "0p",
    "0,/foo/d",
    "0,5p",
    "x;;p",
    "p p",
    "#n",
    "q5x",
    "s",
    "sx",
    "//p",
    "s//x/",
    "1!{p",
    "v 9.0",
    "v 4.2",
    "s/[/x/",
    "s/a\\{/x/",
    "s/x/\\c",
    "s/o/\\x26/",
    "y/abc/\\n\\t\\\\/",
    "\\,a,Id",
    "/A/Id",
    "/a/X",
    "s/a/b/w",
    "c",
    "$!N",
    "1,/a",
    "2,+1p",
    "2,~4p",
    "s/o/b/I2",
    "!",
    "1",
    "1,2",
    "p",
    "d",
    "=",
    "$p",
    "$d",
    "1d",
    "2,3d",
    "/foo/,/last/d",
    "/foo/,+1d",
    "1~2d",
    "0~2d",
    "2q",
    "2Q",
    "q5",
    "2{p;d}",
    "a foo",
    "i foo",
    "c foo",
    "2a\\\nfoo\\\nbar",
    "2i\\  foo",
    "2c\\\n  foo",
    "2,4c XX",
    "$!{2,4c XX\n}",
    "2!c X",
    "a\\",
    "1a\\  hello",
    "1a   hello",
    "a hello\\nworld",
    "a a\\\nb",
    "s/foo/[&]/",
    "s/foo/[&]/g",
    "s/o/0/3g",
    "s/\\(f\\)\\(o*\\)/\\2\\1/g",
    "s/x*/-/g",
    "s/b*/-/2",
    "s/foo/\\n/",
    "s/foo/a\\\nb/",
    "s/\\w\\+/\\u&/g",
    "s/\\w\\+/\\U&/2",
    "s/\\(.*\\) \\(.*\\)/\\U\\1\\E \\2/",
    "s/foo/\\u\\L&X/",
    "s/^/> /",
    "s/$/!/",
    "s/./\\&/g",
    "s|o|/|g",
    "s,o\\,,x,",
    "N;s/\\n/+/",
    "N;P;D",
    "$!N;P;D",
    "n;d",
    "$!{h;d};G",
    "G",
    "H;$!d;x",
    "x;p;x",
    "1!G;h;$!d",
    "h;G;G",
    "l",
    "l 10",
    "l 1",
    "y/abc/xyz/",
    "y/\\hl\\o/e\\.\\w/",
    "s/l/x\\c/",
    "s/l/\\c\\\\x/",
    ":a;N;$!ba;s/\\n/,/g",
    ":a;s/o/0/;ta",
    ":x;$!{N;bx};s/\\n/ /g",
    "s/o/0/;T;s/$/!/",
    "s/o/0/;tx;d;:x",
    "r b",
    "r .",
    "2R .",
    "1r b",
    "$r b",
    "R b",
    "1R b;1R b",
    "w out",
    "/foo/w out",
    "s/foo/bar/w out",
    "W out",
    "F",
    "z",
    "z;s/^$/x/",
    "2{s/foo/X/;s/bar/Y/}",
    "/^$/d",
    "/foo/!d",
    "s/\\bfoo\\b/X/g",
    "s/[[:space:]]\\+/_/g",
    "s/a\\|o/#/g",
    "1{N;N;s/^b.*$/X/M}",
    "N;N;s/^/>/Mg",
    "N;s/a$/X/M",
    "N;N;s/\\`./X/Mg",
    "2{=;l}",
    "n;n;s/./X/",
    "$=",
    "1,3{/foo/s//bar/}",
    "s/foo/bar/;s//baz/",
    "/hello/{n;s/foo/X/}",
    "p;p",
    "1p;$p",
    "y/o/\\n/",
    "s/\\t/x/",
    "s/\\x66/X/",
    "s/\\./X/",
    "s/.\\{3\\}/&-/",
    "s/\\(o\\)\\1/X/",
    "D",
    "N;D",
    "2,1p",
    "/foo/,/foo/d",
    "2,/foo/d",
    "/baz/,2d",
    "4,/x/d",
    "2,4!d",
    "1,3p;2,3d",
    "$!d",
    "i\\",
    "c\\",
    "1c\\",
    "a\\\n",
    "$a end",
    "1i\\\n\\  lead",
    "a\\text",
    "a\\\ttext",
    "a \\  text",
    "{p};p",
    "{p;};p",
    "{;p}",
    "1{2{p}}",
    "2{q}",
    "b;p",
    ":a;b",
    "t",
    "y/ab/\\//",
    "s/a/\\//",
    "s/[/]/x/",
    "s/[a/]/x/",
    "s/a/b/;# c",
    "p # c",
    "p;# c",
    "#c\np",
    "p\n\np",
    "1,2{\np\n}",
    "s/a/x/g;s/b/y/g",
    "P",
    "W out;w out",
    "/last/q7",
    "$q3",
    "2Q4",
    "s/o/X/gp",
    "s/o/X/2p",
    "1~3d",
    "2~0p",
    "$~2p",
    "2,$d",
    "$,1p",
    "0,/hello/d",
    "0~3p",
    "2,3!s/o/X/",
    "s/\\(a\\|b\\)*/X/g",
    "s/'/x/",
    's/"/x/',
    "s/a*\\(b\\)/[\\1]/",
    "s/\\cA/x/",
    "s/\\o146/X/",
    "s/\\d102/X/",
    "s/[\\n]/X/",
    "N;s/[\\n]/X/",
    "N;s/.*\\n//",
    "s/\\n/X/",
    "N;N;s/\\n/,/2",
    "s/a/\\t|/",
    "s/foo/x\\/y/",
    "s/foo/\\q/",
    "s/\\//x/",
    "s_foo_b\\_r_",
    "s|a\\|o|X|g",
    "s+o\\+o+X+",
    "s/*/x/",
    "s/\\+/x/",
    "s/^*/x/",
    "/x\\/y/p",
    "ia\\\nb",
    "/foo/{i\\\nX\n}",
    "$!{$!N};P;D",
    "/a/,/b/{//!d}",
    "/foo/bx;s/$/ no/;:x;s/^/-/",
    's/.*/"&"/',
    "s/a/b/i",
    "s/A/b/I",
    "s/./X/6",
    "/./,/^$/!d",
    "/./,$!d",
    ":a;/^\\n*$/{$d;N;ba}",
    "$!N;/^\\(.*\\)\\n\\1$/!P;D",
    "s/^[ \\t]*//",
    "s/[ \\t]*$//",
    ":a;s/^.\\{1,20\\}$/ &/;ta",
    "/\\n/!G;s/\\(.\\)\\(.*\\n\\)/&\\2\\1/;//D;s/.//",
    ":a;s/\\B[0-9]\\{3\\}\\>/,&/;ta",
    "n;n;n;s/^/x/",
    "$!N;$!D",
    "s/\\(.*\\)foo/\\1bar/",
    "/baz/s/foo/bar/g",
    "/AAA/b;/foo/b;d",
    "=;N",
    "s/foo/\\L&/;s/f/\\u&/",
    "s/\\(h\\)\\(e\\)/\\u\\1\\U\\2x\\Ey/",
    "s/foo/\\Uab\\ncd/",
    "s/foo/x\\ny/\na end\nP;D",
    "s/o/0/;n;T;s/$/!/",
    "s/o/0/;$!N;t;s/$/!/",
    "N;N;2,4p",
    "N;N;2,+2p",
    "n;n;2,4p",
    "4,~4p",
    "2~2,~3=",
    "/foo/,+1{p;n}",
    "/last/,$c X",
    "n;1,2c X",
    "5,$!{N;N};2,4!d",
    "G",
    "h;$!d;x;G",
    "p;//d",
    "2{h;d};3{x;p;x}",
    "s/\\<./\\u&/g;s/o*$/\\U&!/",
    "1!{/baz/{n;:a;s/o/0/;ta}}",
    "/foo/{:a;N;/last/!ba;s/\\n/-/g}",
    "bx;:y;p;bz;:x;s/f/F/;by;:z;=",
    "ry;r nox",
    "s/a/b/;:",
    "s/\\(.\\)\\(.\\)/\\2\\1/g",
    "s/[^o]/&&/2g",
    "s/./\\\\&/g",
    "/o/s//<&>/2",
    "s/[a-z]*/\\u&/2;s/o*/<&>/3",
    "s/\\(.\\)o/[\\1]/2;s/\\b/|/4",
    "s/o/0/2p;ta;s/$/!/;:a",
    "N;P;D",
    "/foo/{P};D",
    "/o/{N;P};D",
    "$!N;{P;D}",
    "N;ba;P;:a;D",
    "N;P;!D",
    "N;P;/o/D",
    "a\\\\\np",
    "a\\\\\\\np",
    "i\\ \np",
    "a\\ ",
    "i one\\x5c&two",
    "s/.\\x2e/X/",
    "s/\\x5ef/X/",
    "s/[\\x5d]/X/",
    "s/o\\x5c.*/X/",
    "s/[ol]/\\\\/gp",
    "b e p;:e",
    "{b e};:e",
    "t e#x\n:e#y\np",
    "#no\np",
    "/o/,3~2p",
    "2,0~2d",
    "5,2~3s/^/>/",
    "0r b",
    "0r b\n1d",
    "1i x\n0r b\n1i y",
    "0!r b",
    "0R b",
    "0,1r b",
    "2i\\",
    "2c\\",
    "s/end$/&\\n/",
    "/o/s//\\1/",
]


def fill(folder: Path) -> None:
    for path in folder.iterdir():
        path.unlink()
    for name, content in FILES.items():
        (folder / name).write_bytes(content)


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def agrees(folder: Path, words: list[str]) -> Answer:
    """Run both on the same files, and assert that they print and write the same."""
    fill(folder)
    with on_disk(folder) as fs:
        answer = run_keysh("sed", *words, fs=fs, stdin=STDIN)
    made = contents(folder)
    fill(folder)
    assert (answer, made) == (
        run_gnu("sed", *words, cwd=folder, stdin=STDIN),
        contents(folder),
    )
    return answer


@pytest.mark.parametrize("script", SCRIPTS)
def test_scripts_match_gnu(tmp_path: Path, script: str) -> None:
    agrees(tmp_path, [script, "a"])
    if len(script) > 1:
        options = [["-n"], ["-s"], ["-i.bak"], ["-E"], ["-z"]][len(script) % 5]
        agrees(tmp_path, [*options, script, "b", "a"])


@pytest.mark.parametrize(
    "words",
    [
        "-n -e p -e p a", "-e p", "-e i\\ -e foo a", "-e {p -e } a", "-f nox a", "p nox a", "p nox",
        "-i p", "-i s/foo/X/ a b", "-i.old s/foo/X/ a", "-ibak/* p a", "--in-place=~ d a",
        "-i -n /foo/p a b e", "-i 2q a b", "-i $d a b", "-n $= a b", "-ns $= a b", "-s F a -",
        "--expression=p --quiet a", "--expression=k a", "-e p -e k a", "-l 5 l a", "-l 1 l a",
        "--posix s/a/b/ a", "-u p a", "-E s/(o)\\1/<\\1>/ a", "-r s/o+/0/g a", "-nE /^(foo)/p a",
        "--sandbox rx a", "--sandbox p a", "p e", "$d e", "-s $!d a b", "-n $p a e", "R/nox a",
        "-f a a", "--line-length=10 l a", "-n l;P;D a", "--regexp-extended s/(a|b)+/X/g a",
        "-z s/\\n/,/g a", "-z $!d a", "-s 1F a b", "wout a b", "-n wout a",
        "-n /foo/w/dev/stdout a", "-i w/dev/stdout a b", "--posix n a b", "--posix N a b",
        "--posix s/fo\\+/X/ a", "--posix s/\\w/X/ a", "--posix s/o\\{2\\}/X/g a",
        "--posix s/foo/\\U&/ a", "--posix s/[\\n]/X/g a", "--posix s/o/x/I a", "--posix F a",
        "--posix z a", "--posix 1~2p a", "--posix 0,/foo/p a", "--posix 1,2= a", "--posix q5 a",
        "--posix ax a", "--posix /foo/Ip a", "--posix -E s/(o)\\1/X/ a", "-s 2,$p b a",
        "-z s/o$/X/ a", "-n s/é/k/;k a", "-e a -e foo a", "--sandbox Rnox a",
        "--sandbox s/a/b/wf a", "-i p -", "-i p .", "-b p a", "q5 nox a", "-n Q7 nox a",
        "--follow-symlinks p nox a", "-n s/[ol]/\\\\/gp a",
    ],
)  # fmt: skip
def test_options_match_gnu(tmp_path: Path, words: str) -> None:
    agrees(tmp_path, words.split(" "))


@pytest.mark.parametrize("options", [[], ["-n"], ["-s"], ["-i"], ["-z"], ["--posix"]])
def test_random_scripts_match_gnu(tmp_path: Path, options: list[str]) -> None:
    chance = Random(" ".join(options))
    for _ in range(25):
        program = sed_random.script(chance)
        if "-z" in options:
            program = program.replace("/M", "/")  # GNU's anchors match at NUL there
        files = {"a": sed_random.text(chance), "b": sed_random.text(chance)}
        answers = []
        for run in (ours_in, gnu_in):
            for path in tmp_path.iterdir():
                path.unlink()
            for name, content in files.items():
                (tmp_path / name).write_text(content)
            answers.append((run(tmp_path, [*options, "--", program, "a", "b"]), contents(tmp_path)))
        (answer, made), (real, really_made) = answers
        if real.err:  # some mistakes are found in another order; files of a wrong script are left
            assert answer.status == real.status, (program, files)
        else:
            assert (answer, made) == (real, really_made), (program, files)


def ours_in(folder: Path, words: list[str]) -> Answer:
    with on_disk(folder) as fs:
        return run_keysh("sed", *words, fs=fs)


def gnu_in(folder: Path, words: list[str]) -> Answer:
    return run_gnu("sed", *words, cwd=folder)


@pytest.mark.parametrize("more", [[], ["-e", "p"]])
@pytest.mark.parametrize(
    "script",
    ["a\\\n", "a\n", "a foo\\\n", "p;a", "s/x\n", "{\n", "p\nk\n", "1,\n", "p\n1\n", "p\nr\n", "1,",
     "p\ns/\\(/x/\n", "p\n/a\n", "#no\np\n", "", "p\n1!\n", "a\\\nx\\\n", "s/l/b\\\nc/\n",
     "p\n//p\n", "s///", "/l/s//\\1/\n", "{\n1}\n"],
)  # fmt: skip
def test_end_of_a_script_file_matches_gnu(tmp_path: Path, script: str, more: list[str]) -> None:
    fill(tmp_path)
    (tmp_path / "script").write_text(script)
    words = ["-f", "script", *more, "a"]
    assert ours_in(tmp_path, words) == gnu_in(tmp_path, words)


@pytest.mark.parametrize("words", ["-i s/a/b/", "-i.old s/a/b/", "F", "-i --follow-symlinks s/a/b/",
                                   "--follow-symlinks F", "--follow-symlinks -s F"])  # fmt: skip
def test_links_are_followed_on_request(tmp_path: Path, words: str) -> None:
    answers = []
    for run in (ours_in, gnu_in):
        folder = tmp_path / run.__name__
        (folder / "d").mkdir(parents=True)
        (folder / "d" / "file").write_text("a\n")
        (folder / "d" / "near").symlink_to("file")
        (folder / "link").symlink_to("d/near")
        (folder / "round").symlink_to("round")
        answer = run(folder, [*words.split(), "link", "round", "d/file"])
        after = {path.name: (path.is_symlink(), path.read_text()) for path in folder.rglob("[!r]*")
                 if path.is_file()}  # fmt: skip
        answers.append((answer, after))
    assert answers[0] == answers[1]


def test_script_is_read_from_a_file(tmp_path: Path) -> None:
    script = "#!/bin/sed -f\n# a comment\n1{\n  s/hello/bye/\n}\na\\\n  two\\\nlines\n"
    for text, status in ((script, 0), ("#n\np\np\n", 0), ("p\nk\n", 1), ("p\n\n{\n", 1)):
        fill(tmp_path)
        (tmp_path / "script").write_text(text)
        with on_disk(tmp_path) as fs:
            answer = run_keysh("sed", "-f", "script", "a", fs=fs)
        assert answer == run_gnu("sed", "-f", "script", "a", cwd=tmp_path)
        assert answer.status == status


def fed(chunks: Iterator[str] | list[str], *words: str) -> str:
    out: list[str] = []
    call = Call("sed", FakeShell(Router(MemoryFS())), Reader(chunks), Writer(out.append),
                Writer(out.append))  # fmt: skip
    invoke(command_named("sed"), call, words)
    return "".join(out)


@pytest.mark.parametrize(
    "script", ["s/o/0/", "s/o/0/g", "/foo/d", "y/ab/xy/", "$!N;P;D", "$p", "2d"]
)
def test_chunk_borders_do_not_matter(script: str) -> None:
    text = "one foo\ntwo\n\nfoo three\nö\udcff\nlast"
    whole = fed([text], script)
    assert fed(list(text), script) == whole
    assert fed([text[i : i + 7] for i in range(0, len(text), 7)], script) == whole


@pytest.mark.parametrize("script", ["3q", "2Q", "s/a/b/;2q"])
def test_endless_input_is_read_no_further_than_needed(script: str) -> None:
    requests = 0

    def endless() -> Iterator[str]:
        nonlocal requests
        while True:
            requests += 1
            yield "a\nb\n"

    fed(endless(), script)
    assert requests <= 3


def test_input_after_quit_is_left_for_the_next_reader() -> None:
    stdin = Reader(["a\nb\nc", "\nd\n", "e"])
    out: list[str] = []
    call = Call("sed", FakeShell(Router(MemoryFS())), stdin, Writer(out.append), Writer(str))
    assert invoke(command_named("sed"), call, ["2q"]) == 0
    assert "".join(out) == "a\nb\n"
    assert stdin.read() == "c\nd\ne"


def test_unaddressed_lines_are_counted_and_kept() -> None:
    text = "".join(f"{number}\n" for number in range(1, 5001))
    chunks = [text[i : i + 700] for i in range(0, len(text), 700)]
    assert fed(chunks, "-n", "$=") == "5000\n"
    assert fed(chunks, "1d;$d") == text[2:-5]
    assert fed(chunks, "-n", "10,12p") == "10\n11\n12\n"
    assert fed(chunks, "2s/$/!/") == text.replace("\n2\n", "\n2!\n", 1)
    assert fed(chunks, "$a end") == f"{text}end\n"


def test_hold_space_grows_in_linear_time() -> None:
    text = "a line\n" * 200_000
    assert fed([text], ":a;N;$!ba;s/\\n/,/g") == text[:-1].replace("\n", ",") + "\n"
    assert fed([text], "-n", "H;${x;s/\\n//;p}") == text


CHANGES = ["s/o/0/", "s/o/0/g", "s/o\\(.\\)/<\\1>/", "s/f\\|oo/[&]/", "s/f\\|oo/[&]/g", "s/.*o/x/",
           "s/[^ ]*/X/", "s/o$/!/", "s/^f/F/g", "s/o*/X/g", "y/of/xy/", "/o/d", "/^f/!d",
           "s/\\n/X/",
           "s/ö\\(.\\)/\\1ö/", "s/o/\\\\1/", "s/o/\\\n/", "s/\\(o\\)\\1/=/"]  # fmt: skip


@pytest.mark.parametrize("script", CHANGES)
def test_whole_chunks_and_single_lines_come_out_the_same(script: str) -> None:
    """A script that works on whole chunks does the same with a step that prevents that."""
    text = "foo\nfoo oo f\n\nof off\n\udcffoo ö.\nbar\noo no end"
    assert fed([text], script) == fed([text], f"{script}\n1!{{}}")


def test_e_is_refused() -> None:
    for script in ("e", "1e ls", "s/a/b/e"):
        answer = run_keysh("sed", script, stdin=b"a\n")
        assert (answer.status, answer.out) == (1, b"")
        assert "disabled in sandbox mode" in answer.err


def test_invalid_script_is_found_before_anything_runs() -> None:
    with pytest.raises(InvalidArguments, match=r"char 7: unknown option to `s'"):
        bind(command_named("sed"), ["s/a/b/k", "file"])
    bind(
        command_named("sed"), ["s/(a)/\\1/", "-E"]
    )  # extended, because of an option that comes later


@pytest.mark.usefixtures("hang_guard")
@pytest.mark.parametrize("script", [":a;s/.*/&&/;ta", ":a;G;h;ba"])
def test_a_space_is_no_longer_than_a_value(script: str) -> None:
    with pytest.raises(LimitReached, match="value"):
        run_keysh("sed", script, stdin=b"abc\n")


@pytest.mark.usefixtures("hang_guard")
def test_queued_output_is_limited() -> None:
    answer = run_keysh("sed", ":a;R/x\na y\nba", stdin=b"abc\n")
    assert (answer.status, answer.err) == (
        4,
        "sed: more than 1000000 texts wait for the end of a line\n",
    )


def test_loop_can_be_stopped() -> None:
    class Stopped(Exception):
        """The exception of a cancelled run."""

    class Stopping(FakeShell):
        left = 100

        def tick(self) -> None:
            self.left -= 1
            if not self.left:
                raise Stopped

    call = Call("sed", Stopping(Router(MemoryFS())), Reader(["x\n"]), Writer(str), Writer(str))
    with pytest.raises(Stopped):
        invoke(command_named("sed"), call, [":a;ba"])


def test_version_may_have_any_number_of_digits() -> None:
    answer = run_keysh("sed", f"v {'9' * 5000}", stdin=b"a\n")
    assert (answer.status, answer.out) == (1, b"")
    assert answer.err.endswith(": expected newer version of sed\n")


@pytest.mark.parametrize(
    ("words", "written"),
    [
        (["-i", "s/a/bbb/", "/f"], ""),
        (["-i.old", "s/a/bbb/", "/f"], ""),
        (["w /new", "/f"], "/new"),
    ],
)
def test_full_disk_leaves_the_file_unchanged(words: list[str], written: str) -> None:
    fs = MemoryFS({"/f": "a\n" * 50}, max_bytes=150)
    answer = run_keysh("sed", *words, fs=fs)
    assert answer.err.startswith(f"sed: couldn't flush {written}")
    assert answer.err.endswith(": No space left on device\n")
    assert (answer.status, fs.open("/f").read()) == (4, b"a\n" * 50)
    left = {entry.name for entry in fs.list("/")}
    assert left == {"f", *(["new"] if written else [])}


@pytest.mark.parametrize(
    "script",
    ["s/a/x/g", r"s/[ab]/\\/g", "s/^a/x/g", "s/^a/x/", "s/a$/y/g", "s/[^b]//g", "s/b*a/-/g"],
)
@pytest.mark.parametrize(
    "text", ["", "a", "aabbaabb\n", "ab\nba\n\naaaaaaaaab\nb", "\n\n\na\n\n", "abab"]
)
def test_long_chunks_are_edited_in_parts(
    monkeypatch: pytest.MonkeyPatch, script: str, text: str
) -> None:
    expected = run_keysh("sed", script, stdin=text.encode())
    for size in (3, 4, 7):
        monkeypatch.setattr(whole_chunks, "MAX_SLICE_CHARACTERS", size)
        monkeypatch.setattr(substitutions, "MAX_SLICE_CHARACTERS", size)
        assert run_keysh("sed", script, stdin=text.encode()) == expected
        assert run_keysh("sed", "-n", f"{script};p", stdin=text.encode()) == expected
