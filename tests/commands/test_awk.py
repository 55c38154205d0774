"""awk: programs compared with gawk, messages, and limits."""

from __future__ import annotations

import random
import subprocess
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

import pytest

from commands.awk_random import program
from commands.command_runner import Answer, command_named, on_disk, run_gnu, run_keysh
from commands.comparison import assert_agreement
from fake_shell import NOW, FakeShell
from keysh.interp.engine.invoke import call_command, invoke
from keysh.interp.state.call import Call
from keysh.interp.streams.streams import Reader, Writer
from keysh.text.chunks import bytes_of_text
from keysh.vfs.memory.filesystem import MemoryFS
from keysh.vfs.router import Router
from real_tools import needs

PROGRAMS = (Path(__file__).parent / "awk_programs.txt").read_text().splitlines()
INPUTS = {
    "staff": b"Beth 4.00 0\nDan 3.75 0\nKathy 4.00 10\nMark 5.00 20\nMary 5.50 22\nSusie 4.25 18\n",
    "odd": b"  lead  and trail \n\n\ttab\tsep\t\nx=1 y=2 z=3\n10 9 8\n-1 +2 .5\n1e3 0x10 011\n"
    b"abc ABC aBc\nfoo:bar:baz\n\xc3\xa9\xc3\xa8 \xe2\x82\xac\nlast",
    "table": b"id,name,amount\n1,apple,10.5\n2,banana,3\n3,cherry,-7e2\n4,,0x1A\n5,a b , 12 \n",
    "blocks": b"\n\none two\nthree\n\n\nfour\nfive six\n\nseven\n",
    "digits": b"12 7\n\n3\n0042 9 1\n  5 \n99999999999999999999 2\n",
    "mixed": b"1 2 3\na b c\n10 9.50 abc\n\n 1e2 x1 \n-3 +4 0x5\n2 2 2 2\nabc 10 b\n",
}
needs_gawk = needs("gawk")


class WithShell(FakeShell):
    """A fake shell that runs commands with the machine's own shell."""

    folder: Path

    def run_words(
        self,
        call: Call,
        words: Sequence[object],
        env: Mapping[str, str] | None,
        cwd: str | None,
        launch_error: str = "",
    ) -> int:
        done = subprocess.run(
            [str(word) for word in words],
            cwd=self.folder,
            input=bytes_of_text(call.stdin.read()),
            capture_output=True,
            timeout=20,
            check=False,
        )
        call.out.write(done.stdout.decode("utf-8", "surrogateescape"))
        call.err.write(done.stderr.decode("utf-8", "surrogateescape"))
        return done.returncode


def in_folder(folder: Path, *words: str, stdin: bytes = b"") -> Answer:
    """Run our awk in a directory on disk."""
    out: list[str] = []
    err: list[str] = []
    with on_disk(folder) as fs:
        around = WithShell(Router(fs), "/", {"HOME": str(folder)})
        around.folder = folder
        text = stdin.decode("utf-8", "surrogateescape")
        call = Call("awk", around, Reader([text]), Writer(out.append), Writer(err.append))
        status = invoke(command_named("awk"), call, words)
    return Answer(status, bytes_of_text("".join(out)), "".join(err))


def theirs(folder: Path, *words: str, stdin: bytes = b"") -> Answer:
    answer = run_gnu("gawk", *words, cwd=folder, stdin=stdin)
    return answer._replace(err=answer.err.replace("gawk: ", "awk: "))


def filled(folder: Path) -> Path:
    folder.mkdir()
    for name, content in INPUTS.items():
        (folder / name).write_bytes(content)
    (folder / "data").write_bytes(INPUTS["staff"])
    return folder


@pytest.fixture
def folders(tmp_path: Path) -> tuple[Path, Path]:
    """Return two equal directories, for programs that write files."""
    return filled(tmp_path / "ours"), filled(tmp_path / "theirs")


@needs_gawk
@pytest.mark.parametrize("name", INPUTS)
def test_programs_match_gawk(folders: tuple[Path, Path], name: str) -> None:
    """Run every program on one of the inputs; all of them together use all inputs."""
    here, there = folders
    start = [*INPUTS].index(name)
    differing = []
    for text in PROGRAMS[start :: len(INPUTS)] + PROGRAMS[(start + 2) % len(INPUTS) :: len(INPUTS)]:
        real = theirs(there, text, stdin=INPUTS[name])
        if in_folder(here, text, stdin=INPUTS[name]) != real:
            differing.append(text)
    assert not differing


@needs_gawk
@pytest.mark.parametrize("seed", range(4))
def test_random_programs_match_gawk(folders: tuple[Path, Path], seed: int) -> None:
    chance = random.Random(seed)
    here, there = folders
    for _ in range(60):
        text = program(chance)
        real = theirs(there, text, stdin=INPUTS["mixed"])
        assert in_folder(here, text, stdin=INPUTS["mixed"])[:2] == real[:2], text


@needs_gawk
@pytest.mark.parametrize(
    "words",
    [
        ["-F:", "{print $2}"], ["-F", ":", "{print $2}"], ["-Ft", "{print $2}"],
        ["-F\\t", "{print $2}"], ["-F,", "-v", "OFS=;", "{$1=$1}1", "table"],
        ["-v", "x=5", "BEGIN{print x+1, x y}"], ["-vx=a\\tb", "BEGIN{print x}"],
        ["-vx=a\\", "-vy=\\\\\\", 'BEGIN{print x "|" y}'],
        ["--assign=x=010", "BEGIN{print x, x+0, (x==10)}"], ["--", "{print $1}", "staff"],
        ["{print FILENAME, FNR, NR}", "staff", "table"],
        ["{print x $1}", "x=1", "staff", "x=2", "-"],
        ["{print}", "FS=,", "table", "OFS=-"], ["{print $2}", "FS=,", "table", "FS= ", "staff"],
        ["BEGIN{for(i=1;i<ARGC;i++)print ARGV[i]}", "a", "b=c", "-x", "--"],
        ['BEGIN{ARGV[1]=""}{print}', "nowhere", "staff"],
        ['BEGIN{ARGV[1]="n=7"}{print n, $1}', "x", "staff"],
        ["BEGIN{ARGC=2}{print}", "staff", "table"], ["END{print NR}", "nowhere"],
        ["{print}", "nowhere", "staff"], ["NR>1", "staff", "nowhere"],
        ["BEGIN{x=1}{print}", "nowhere"], ["BEGIN{getline}", "nowhere"],
        ["FNR==2{nextfile}{print FILENAME, $1}", "staff", "odd"],
        ["BEGINFILE{print FILENAME, ERRNO; if(ERRNO)nextfile}{n++}ENDFILE{print n}", "no", "staff"],
        ["--re-interval", "/a{2}|[0-9]{4}/", "odd"], ["-rOs", "/[0-9]{2}/", "odd"],
        ["-f", "nowhere"], ["-e", "BEGIN{x=1}", "-e", "BEGIN{print x}"],
        ["NR==FNR{a[$1];next}$1 in a", "staff", "mixed", "staff"],
        ['{f=FILENAME ".out";print > f}END{close(f);while((getline l<f)>0)print l}', "staff"],
    ],
)  # fmt: skip
def test_calls_match_gawk(folders: tuple[Path, Path], words: list[str]) -> None:
    here, there = folders
    real = theirs(there, *words, stdin=INPUTS["odd"])
    assert in_folder(here, *words, stdin=INPUTS["odd"]) == real


SYNTAX = "awk: cmd. line:1: {0}\nawk: cmd. line:1: {1}^ {2}\n"


@pytest.mark.parametrize(
    ("text", "column", "message"),
    [
        ("BEGIN { print 1 + }", 18, "syntax error"),
        ("BEGIN{", 6, "unexpected newline or end of string"),
        ("{print $}", 8, "syntax error"),
        ('BEGIN{print "abc}', 12, "unterminated string"),
        ("BEGIN{x = /abc}", 11, "unterminated regexp"),
        ("/[a/", 1, "unterminated regexp"),
        ("BEGIN{return 1}", 6, "`return' used outside function context"),
        ("{ print 1,, 2 }", 10, "syntax error"),
        ("BEGIN{if(x){};else y}", 14, "syntax error"),
        ("BEGIN{do{};while(x)}", 10, "syntax error"),
        ("BEGIN{a < b < c}", 12, "syntax error"),
        ("BEGIN{print#}", 13, "unexpected newline or end of string"),
        ("BEGIN{print `x`}", 12, "invalid char '`' in expression"),
        ("BEGIN{print x.y}", 13, "syntax error"),
        ("function length(){}", 9, "`length' is a built-in function, it cannot be redefined"),
    ],
)
def test_syntax_error_shows_its_position(text: str, column: int, message: str) -> None:
    answer = run_keysh("awk", text)
    assert answer == (1, b"", SYNTAX.format(text, " " * column, message))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("BEGIN{f(1)}", "1: fatal: function `f' not defined"),
        ("function f(){} function f(){}", "1: error: function name `f' previously defined"),
        ("function f(a,a){}", "1: error: function `f': parameter #2, `a', duplicates parameter #1"),
        ("function NR(){}", "1: error: function name `NR' previously defined"),
        (
            "function f(NR){}",
            "1: error: function `f': cannot use special variable `NR' as a function parameter",
        ),
        (
            "function f(){print f}BEGIN{f()}",
            """1: error: function `f' called with space between name and `(',
or used as a variable or an array""",
        ),
        ("{1 +\n}", "2: {1 +\nawk: cmd. line:2:     ^ unexpected newline or end of string"),
        ("{print \2}", "1: fatal: error: invalid character '\\002' in source code"),
        ("BEGIN{next}", "1: error: `next' used in BEGIN action"),
        ("\nBEGIN{break}", "2: error: `break' is not allowed outside a loop or switch"),
        ("/a(b/", "1: error: Unmatched ( or \\(: /a(b/"),
        ('BEGIN{r="(";print "a" ~ r}', "1: fatal: invalid regexp: Unmatched ( or \\(: /(/"),
        ("BEGIN{a=1;a[1]=1}", "1: fatal: attempt to use scalar `a' as an array"),
        ("BEGIN{a[1]=1;print a}", "1: fatal: attempt to use array `a' in a scalar context"),
        ("BEGIN{a[1][2]=1\nprint a[1]}", "2: fatal: attempt to use array in a scalar context"),
        ("BEGIN{print 1\nprint 1 / 0}", "2: error: division by zero attempted"),
        ("BEGIN{print 1 % -0.0}", "1: error: division by zero attempted in `%'"),
        ("BEGIN{x=0\n\nprint 1/x}", "3: fatal: division by zero attempted"),
        ("BEGIN{x=0;print 1%x}", "1: fatal: division by zero attempted in `%'"),
        ("BEGIN{print $-1}", "1: fatal: attempt to access field -1"),
        ("BEGIN{NF=-1}", "1: fatal: NF set to negative value"),
        ('BEGIN{print > ""}', "1: fatal: expression for `>' redirection has null string value"),
        ("function f(){next}BEGIN{f()}", "1: fatal: `next' cannot be called from a `BEGIN' rule"),
    ],
)  # fmt: skip
def test_runtime_error_has_its_line(text: str, message: str) -> None:
    status = 2 if "fatal" in message else 1
    assert run_keysh("awk", text) == (status, b"", f"awk: cmd. line:{message}\n")


def test_error_outside_the_program_has_no_position() -> None:
    says = "awk: fatal: invalid regexp: Unmatched ( or \\(: /((/\n"
    assert run_keysh("awk", "-F((", "{ print $2 }") == (2, b"", says)
    says = "awk: warning: escape sequence `\\|' treated as plain `|'\n"
    assert run_keysh("awk", "-F", "\\|", "{ print $2 }", stdin=b"a|b\n") == (0, b"b\n", says)


def test_gawk_is_an_alias() -> None:
    says = "gawk: cmd. line:1: fatal: division by zero attempted\n"
    assert run_keysh("gawk", "BEGIN { print ARGV[0]; print 1 / x }") == (2, b"gawk\n", says)


def test_mixed_file_and_text_programs() -> None:
    files = {"/double.awk": "function double(x) { return 2 * x }\n"}
    answer = run_keysh("awk", "-f", "double.awk", "-e", "BEGIN { print double(4) }", files=files)
    assert answer == (0, b"8\n", "")


def test_format_with_too_few_values_is_quoted() -> None:
    says = "awk: cmd. line:1: fatal: not enough arguments to satisfy format string\n"
    answer = run_keysh("awk", 'BEGIN{printf "%d %s", 1}')
    assert answer == (2, b"", f"{says}\t`%d %s'\n\t    ^ ran out for this one\n")


def test_runtime_error_names_its_record() -> None:
    answer = run_keysh("awk", "{ print 6 / $1 }", stdin=b"1\n2\n0\n3\n")
    says = "awk: cmd. line:1: (FILENAME=- FNR=3) fatal: division by zero attempted\n"
    assert answer == (2, b"6\n3\n", says)
    lines = b"y 1\nx 1\n" * 30_000 + b"x 0\n"
    answer = run_keysh("awk", "/x/ { s += 1 / $2 } END { print s }", stdin=lines)
    assert answer.err == says.replace("FNR=3", "FNR=60001")


def test_program_file_has_its_own_positions() -> None:
    answer = run_keysh(
        "awk", "-f", "p.awk", files={"/p.awk": "BEGIN {\n  x = 0\n  print 1 / x\n}\n"}
    )
    assert answer == (2, b"", "awk: p.awk:3: fatal: division by zero attempted\n")
    answer = run_keysh("awk", "-f", "p.awk", files={"/p.awk": "BEGIN {\n"})
    assert answer.err.startswith("awk: p.awk:")


DEEP = [
    "BEGIN{print " + "(" * 5000 + "1" + ")" * 5000 + "}",
    "BEGIN{" + "{" * 5000 + "}" * 5000 + "}",
    "BEGIN{print " + "- " * 5000 + "1}",
    "BEGIN{print " + "0?1:" * 5000 + "0}",
    "BEGIN{print " + "+".join("1" * 20000) + "}",
    "BEGIN{" + "while(1)" * 30 + "exit}",
]


@pytest.mark.parametrize("text", DEEP, ids=lambda text: text[6:16])
def test_too_deep_nesting_is_refused(text: str) -> None:
    answer = run_keysh("awk", text)
    assert answer.status in (1, 2)
    assert "deep" in answer.err


@pytest.mark.parametrize(
    ("text", "out"),
    [
        ("BEGIN{print " + " ".join("1" * 3000) + "}", b"1" * 3000 + b"\n"),
        ("BEGIN{print " + "+".join("1" * 500) + "}", b"500\n"),
        ("BEGIN{x=500;if(x==0)print 0;" + "".join(f"else if(x=={i})print {i};" for i in range(600))
         + "}", b"500\n"),
        ("BEGIN{print 1" + "0" * 400 + ", 2^1024, 2^70}", b"+inf +inf 1180591620717411303424\n"),
        ("BEGIN{x=1e999-1e999;exit x}", b""),
    ],
    ids=["concatenation", "sum", "else if", "numbers", "nan"],
)  # fmt: skip
def test_long_and_large_programs_are_accepted(text: str, out: bytes) -> None:
    answer = run_keysh("awk", text)
    assert answer == (0, out, "")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("function f(x){return f(x+1)}BEGIN{f(1)}", "function calls nest too deeply"),
        ("BEGIN{$1e999=1}", "attempt to access field -9223372036854775808"),
        ("BEGIN{x=1e999-1e999;$x=1}", "attempt to access field -9223372036854775808"),
        ("BEGIN{print $1e999}", "attempt to access field -9223372036854775808"),
        ("BEGIN{NF=1e999}", "NF set to negative value"),
        ("BEGIN{NF=1e999-1e999}", "NF set to negative value"),
        ('BEGIN{printf "%999999999d",1}', "a field of 999999999 characters"),
        ('BEGIN{printf "%' + "9" * 5000 + 'd",1}', "a field of 9999999999 characters"),
        (
            'BEGIN{printf "%' + "9" * 5000 + '$d",1}',
            "argument index 999999999 greater than total number of supplied arguments",
        ),
        ('BEGIN{while(1)print > ("f" i++)}', "more than 1000 files and commands are open"),
    ],
)
def test_unbounded_growth_is_stopped(text: str, message: str) -> None:
    assert run_keysh("awk", text) == (2, b"", f"awk: cmd. line:1: fatal: {message}\n")


class Cancelled(Exception):
    """Raised by the engine to end the run."""


class Impatient(FakeShell):
    def tick(self) -> None:
        self.ticks = getattr(self, "ticks", 0) + 1
        if self.ticks > 20:
            raise Cancelled


@pytest.mark.parametrize(
    "text",
    [
        "BEGIN{while(1);}", "BEGIN{for(;;)x++}", "BEGIN{do x++;while(1)}",
        "function f(){while(1);}BEGIN{f()}", "function f(n){if(n){f(n-1);f(n-1)}}BEGIN{f(40)}",
        "BEGIN{a[1];while(1)for(k in a)x++}", 'BEGIN{while((getline l<"f")>=0)close("f")}',
        "BEGIN{while(1){switch(1){case 1:continue}}}",
    ],
)  # fmt: skip
def test_endless_program_can_be_cancelled(text: str) -> None:
    call = called(Impatient(Router(MemoryFS({"/f": "x\n"}))), [], Reader(()))
    with pytest.raises(Cancelled):
        invoke(command_named("awk"), call, [text])


def called(around: FakeShell, out: list[str], stdin: Reader) -> Call:
    return Call("awk", around, stdin, Writer(out.append), Writer(out.append))


def endless(requests: list[int]) -> Iterator[str]:
    while True:
        requests.append(1)
        yield "a b\nc d\n"


def test_input_is_read_no_further_than_needed() -> None:
    requests: list[int] = []
    out: list[str] = []
    call = called(FakeShell(Router(MemoryFS())), out, Reader(endless(requests)))
    assert invoke(command_named("awk"), call, ["NR==3{print;exit}"]) == 0
    assert "".join(out) == "a b\n"
    assert len(requests) < 4


@pytest.mark.parametrize("text", ["{print $2}", 'BEGIN{while(1)print "b"}'])
def test_output_is_produced_on_demand(text: str) -> None:
    call = called(FakeShell(Router(MemoryFS())), [], Reader(endless([])))
    chunks: Iterator[str] = call_command(command_named("awk"), call, [text])  # type: ignore[assignment]
    assert next(chunks).startswith("b\n")


@pytest.mark.parametrize(
    "words",
    [
        ["{print NR, $2, NF}"], ['BEGIN{RS=""}{print NR ":" $0}'],
        ["-vRS=[ \\n]+", "{print NR $0 RT}"],
        ["-vRS=e", "{print}"], ['BEGIN{RS="e "}{print RT $1}'], ['NR==2{RS="o"}{print}'],
    ],
)  # fmt: skip
@pytest.mark.parametrize("size", [1, 3, 7])
def test_chunk_borders_do_not_matter(words: list[str], size: int) -> None:
    text = "\none two  three\nfo\u00fcr\n\n\nfive\r\n six e e\n\nseven" * 3
    whole = run_keysh("awk", *words, stdin=text.encode())
    out: list[str] = []
    pieces = [text[i : i + size] for i in range(0, len(text), size)]
    call = called(FakeShell(Router(MemoryFS())), out, Reader(pieces))
    assert invoke(command_named("awk"), call, words) == 0
    assert bytes_of_text("".join(out)) == whole.out


def test_bytes_are_preserved() -> None:
    data = bytes(range(256)).replace(b"\n", b"") * 3 + b"\n"
    assert run_keysh("awk", "1", stdin=data).out == data
    assert run_keysh("awk", "{$1=$1;print length($0) > 0}", stdin=data).status == 0
    assert run_keysh("awk", '{print "\u00e9" $1}', stdin=b"\xff\n").out == b"\xc3\xa9\xff\n"


def test_invalid_assignment_is_refused() -> None:
    says = "awk: `x' argument to `-v' not in `var=value' form\n"
    assert run_keysh("awk", "-v", "x", "1") == (1, b"", says)
    says = "awk: fatal: `1x' is not a legal variable name\n"
    assert run_keysh("awk", "-v", "1x=1", "1") == (2, b"", says)
    says = "awk: fatal: cannot use gawk builtin `length' as variable name\n"
    assert run_keysh("awk", "-v", "length=1", "1") == (2, b"", says)


@pytest.mark.parametrize(
    "seed", ["1", "0", "42", "-1", "3.9", "2147483648", "4294967297", "1e10", '"x"', "1e20"]
)
def test_random_numbers_are_those_of_gawk(seed: str, tmp_path: Path) -> None:
    text = f"""BEGIN {{
        for (i = 0; i < 3; i++) printf "%.15f ", rand()
        srand({seed})
        for (i = 0; i < 700; i++) s += rand()
        printf "%.15f %.15f %d %d", rand(), s, srand(7), srand(8)
    }}"""
    assert_agreement("awk", [text], tmp_path, {})


def test_clock_and_randomness_come_from_the_shell() -> None:
    assert run_keysh("awk", "BEGIN{print systime()}").out == f"{NOW // 10**9}\n".encode()
    assert run_keysh("awk", 'BEGIN{print strftime("%F %T")}').out == b"2023-11-14 22:13:20\n"
    zone = {"TZ": "CET-1"}
    assert run_keysh("awk", 'BEGIN{print strftime("%H %Z", 0)}', env=zone).out == b"01 CET\n"
    assert run_keysh("awk", 'BEGIN{print mktime("1970 1 1 1 0 0")}', env=zone).out == b"0\n"
    twice = [run_keysh("awk", "BEGIN{print rand(), rand()}").out for _ in range(2)]
    assert twice[0] == twice[1]
    assert run_keysh("awk", "BEGIN{srand();print srand()}").out == f"{NOW // 10**9}\n".encode()


def test_full_disk_is_reported_at_the_write() -> None:
    fs = MemoryFS({"/old": "o" * 80, "/line": "l" * 30}, max_bytes=150)
    says = "awk: {}fatal: {} failed: No space left on device\n"
    answer = run_keysh("awk", '{ print $0 $0 > "/new" } END { print NR > "/more" }', "line", fs=fs)
    assert answer == (2, b"", says.format("", 'flush to "/new"'))
    answer = run_keysh("awk", '{ print $0 $0 > "new"; print close("new") }', "line", fs=fs)
    place = "cmd. line:1: (FILENAME=line FNR=1) "
    assert answer == (2, b"", says.format(place, 'flush to "new"'))
    answer = run_keysh("awk", '{ print "out"; print $0 $0 > "new"; fflush() }', "line", fs=fs)
    assert answer == (2, b"out\n", says.format(place, "file flush of `new'"))
    answer = run_keysh(
        "awk", 'BEGIN { while (n < 10) print n++, sprintf("%9999d", n) > "new" }', fs=fs
    )
    assert answer == (2, b"", says.format("cmd. line:1: ", 'print to "new"'))


def test_coprocess_answers_once() -> None:
    run: Callable[..., int] = lambda words, **_: 0  # noqa: E731
    text = 'BEGIN { c = "x"; print 1 |& c; print (c |& getline y); print 2 |& c }'
    says = "awk: cmd. line:1: fatal: print to `x', which has already run\n"
    assert run_keysh("awk", text, run=run) == (2, b"0\n", says)


def test_output_is_flushed_before_a_command_runs() -> None:
    order: list[object] = []
    run: Callable[..., int] = lambda words, **_: order.append(words) or 3  # type: ignore[func-returns-value]  # noqa: E731
    answer = run_keysh("awk", 'BEGIN{print "a";print system("b c")}', run=run)
    assert answer.out == b"a\n3\n"
    assert order == [["sh", "-c", "b c"]]


def test_assignments_reach_a_compiled_program() -> None:
    """The same text is compiled separately when variables are assigned from outside."""
    text = "BEGIN { n += 1; print n, (n < 10) }"
    assert run_keysh("awk", text).out == b"1 1\n"
    assert run_keysh("awk", "-v", "n=abc", text).out == b"1 1\n"
    assert run_keysh("awk", "{ print n < 9; n++ }", "n=10", "-", stdin=b"x\n").out == b"0\n"
    assert run_keysh("awk", "{ print n < 9; n++ }", "n=x10", "-", stdin=b"x\n").out == b"0\n"


# Each table of gawk's, from small to one that has grown three times, and tables within tables.
KEY_SETS = {
    "few": ["host", "port", "workers", "pool_size", "level", "format"],
    "text": [f"key {i * 7919 % 5000}" for i in range(4000)],
    "bytes": ["é", "日本", "naïve", "x" * 500, "ß" * 40, ""],
    "decimals": [f"{i % 50}.{i % 7}" for i in range(200)],
    "integers": [str(i * 7919 % 1000) for i in range(300)],
    "zeros": ["1", "01", "10", "+1", "-0", "1e2", "0x10", "-5", "0"],
    "text, then integers": ["x", "10", "9", "1", "y", "-3"],
    "integers, then text": ["3", "10", "a", "1", "01", "b", "-2"],
    "sparse": [str(i * 99991 % 10_000_019) for i in range(60)],
    "wide": [str(2**i + j) for i in range(34) for j in (0, 1)],
    "negative": [str(-i * 37) for i in range(500)],
    "negative, then text": ["-1", "x", "5", "y", "-7", "3.5", "z"],
}


@pytest.mark.parametrize("keys", KEY_SETS.values(), ids=KEY_SETS)
def test_keys_are_visited_in_the_order_of_gawk(keys: list[str], tmp_path: Path) -> None:
    text = '{ a[$0] } END { for (key in a) print key; for (key in a) if (key ~ "^.?[3-7]")'
    text += ' delete a[key]; delete a["host"]; a["new"]; a[3]; for (key in a) n++; print n }'
    assert_agreement("awk", [text, "keys"], tmp_path, {"keys": "\n".join([*keys, ""]).encode()})


def test_keys_keep_their_order_when_others_are_deleted(tmp_path: Path) -> None:
    text = """BEGIN {
        n = split("x host 10 port 9 workers -3 pool size level 1", words)
        for (i = 1; i <= n; i++) a[words[i]]
        delete a["x"]; delete a["port"]; a["later"]; a[2]
        for (key in a) print key
        for (key in a) delete a[key]
        a[2]; a["y"]; a[1]
        for (key in a) print key
    }"""
    assert_agreement("awk", [text], tmp_path, {})


def test_each_array_has_its_own_order() -> None:
    text = (
        'BEGIN { a["x"]; a[2]; delete a; a[2]; a[1]; b[1][9]; b[1][8]; for (k in a) print k;'
        ' for (k in b[1]) print k; PROCINFO["sorted_in"] = "@unsorted"; for (k in a) print k }'
    )
    assert run_keysh("awk", text).out.split() == [b"1", b"2", b"8", b"9", b"1", b"2"]


def test_keys_added_during_a_loop_are_not_visited() -> None:
    text = "BEGIN { a[1]; a[2]; for (k in a) { a[k + 2]; print k } print length(a) }"
    assert run_keysh("awk", text).out == b"1\n2\n4\n"
