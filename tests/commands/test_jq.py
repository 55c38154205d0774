"""jq: answers of jq 1.7.1, options, all kinds of input, and programs that must not hang."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.command_runner import Answer, command_named, run_keysh
from fake_shell import FakeShell
from keysh.interp.engine.invoke import invoke
from keysh.interp.state.call import Call
from keysh.interp.streams.streams import Reader, Writer
from keysh.schema.arguments import UNKNOWN, UNKNOWN_WORDS, GlobArgument, NamedArgument
from keysh.schema.binder import InvalidArguments, bind
from keysh.text.cache import MAX_SHARED_TEXT_CHARS
from keysh.tools.jq.compile.failure import JqProgramError
from keysh.tools.jq.compile.program import program_of
from keysh.tools.jq.parse.parser import parse_program
from keysh.tools.jq.run.variables import USAGE_HINT
from keysh.tools.jq.values.number import as_float, number_of, number_text
from keysh.vfs.memory.filesystem import MemoryFS
from keysh.vfs.router import Router


def read_cases() -> Iterator[tuple[str, str, str, str, int]]:
    """The cases of the table: program, input, output, errors, status."""
    text = (Path(__file__).parent / "jq_cases.txt").read_text("utf-8")
    for block in text.split("\n\n"):
        lines = block.strip("\n").split("\n")
        if len(lines) < 2 or lines[0].startswith("What jq "):
            continue
        status = int(lines.pop()[8:-1]) if lines[-1].startswith("[status ") else 0
        err = "".join(f"{line[2:]}\n" for line in lines if line.startswith("! "))
        out = "".join(f"{line}\n" for line in lines[2:] if not line.startswith("! "))
        yield lines[0], lines[1], out, err, status


CASES = list(read_cases())


def test_there_are_cases() -> None:
    assert len(CASES) > 500


@pytest.mark.parametrize(("program", "stdin", "out", "err", "status"), CASES)
def test_programs_match_jq(program: str, stdin: str, out: str, err: str, status: int) -> None:
    answer = run_keysh("jq", "-c", program, stdin=f"{stdin}\n".encode())
    halted = program.partition("|")[2].startswith("halt_error") and program[0] == '"'
    assert answer == Answer(status, out.encode(), err.rstrip("\n") if halted else err)


def jq(*words: object, stdin: str = "", **files: str) -> Answer:
    return run_keysh(
        "jq", *words, stdin=stdin.encode(), files=files and {f"/{k}": v for k, v in files.items()}
    )


# ---------------------------------------------------------------- options


COLOURED = (
    '\x1b[1;39m[\x1b[0;39m1\x1b[0m\x1b[1;39m,\x1b[0;32m"a"\x1b[0m\x1b[1;39m,\x1b[0;90mnull\x1b[0m'
    '\x1b[1;39m,\x1b[1;39m{\x1b[0m\x1b[1;34m"k"\x1b[0m\x1b[1;39m:\x1b[0m\x1b[0;39mtrue\x1b[0m'
    "\x1b[1;39m\x1b[1;39m}\x1b[0m\x1b[1;39m\x1b[1;39m]\x1b[0m\n"
)


@pytest.mark.parametrize(
    ("words", "stdin", "out"),
    [
        (["."], '{"a":[1,{}],"b":[]}', '{\n  "a": [\n    1,\n    {}\n  ],\n  "b": []\n}\n'),
        (["--tab", "."], "[1]", "[\n\t1\n]\n"),
        (["--indent", "1", "."], "[1]", "[\n 1\n]\n"),
        (["--indent", "0", "."], "[1,2]", "[1,2]\n"),
        ([], "[1]", "[\n  1\n]\n"),
        (["-c", "-S", "."], '{"b":{"d":1,"c":2},"a":0}', '{"a":0,"b":{"c":2,"d":1}}\n'),
        (["-S", "."], '{"b":1,"a":0}', '{\n  "a": 0,\n  "b": 1\n}\n'),
        (["-r", ".[]"], '["a\\nb",1,["c"]]', 'a\nb\n1\n[\n  "c"\n]\n'),
        (["-j", ".[]"], '["a","b",1]', "ab1"),
        (["-ra", "."], '"é\U0001f600"', '"\\u00e9\\ud83d\\ude00"\n'),
        (["-ac", "."], '["é\x7f"]', '["\\u00e9\\u007f"]\n'),
        (["--raw-output0", ".[]"], '["a","b"]', "a\0b\0"),
        (["-n", "."], "1 2", "null\n"),
        (["-nc", "[inputs]"], "1 2", "[1,2]\n"),
        (["-cs", "."], "1 2\n[3]", "[1,2,[3]]\n"),
        (["-s", "."], "", "[]\n"),
        (["-R", "."], "a\nb", '"a"\n"b"\n'),
        (["-Rr", "."], "x\n\ny\n", "x\n\ny\n"),
        (["-Rs", "."], "a\nb", '"a\\nb"\n'),
        (["-nR", "[inputs]", "-c"], "a\nb\n", '["a","b"]\n'),
        (["-c", "--stream", "."], '[1,{"a":[]}] 2',
         '[[0],1]\n[[1,"a"],[]]\n[[1,"a"]]\n[[1]]\n[[],2]\n'),
        (["--seq", "."], "\x1e1", "\x1e1\n"),
        (["-n", "--arg", "x", "1", "$x"], "", '"1"\n'),
        (["-n", "--argjson", "x", "[1]", "-c", "$x,$ARGS.named"], "", '[1]\n{"x":[1]}\n'),
        (["-nc", "$ARGS", "--args", "a", "b"], "", '{"positional":["a","b"],"named":{}}\n'),
        (["-nc", "$ARGS.positional", "--jsonargs", "1", "[2]"], "", "[1,[2]]\n"),
        (["-n", "--arg", "x", "1", "--arg", "x", "2", "$x"], "", '"1"\n'),
        (["-n", "--arg", "x", "1", "--rawfile", "x", "missing", "$x"], "", '"1"\n'),
        (["-c", "[., $ARGS.positional]", "-", "--args", "a", "--jsonargs", "1", "--args", "1"], "0",
         '[0,["a",1,"1"]]\n'),
        (["-c", "--args", "[., $ARGS.positional]", "a"], "0", '[0,["a"]]\n'),
        (["--tab", "-c", "."], "[1]", "[1]\n"),
        (["-c", "--indent", "1", "."], "[1]", "[\n 1\n]\n"),
        (["--indent", "-1", "."], "[1]", "[\n\t1\n]\n"),
        (["-1"], "0", "-1\n"),
        (["-(1)"], "0", "-1\n"),
        (["--", "-1"], "0", "-1\n"),
        (["-C", "-c", "."], '[1,"a",null,{"k":true}]',
         COLOURED),
        (["-CM", "."], "1", "1\n"),
        (["-V"], "", "jq-1.7.1\n"),
    ],
)  # fmt: skip
def test_options(words: list[str], stdin: str, out: str) -> None:
    assert jq(*words, stdin=stdin) == Answer(0, out.encode(), "")


@pytest.mark.parametrize(
    ("program", "stdin", "status"),
    [(".", "null", 1), (".", "false", 1), (".", "1", 0), ("empty", "1", 4), (".", "", 4),
     (".", "1 null", 1), (".", "null 1", 0), (".a", "[]", 5), ("empty,.", "1 false", 1)],
)  # fmt: skip
def test_status_depends_on_the_last_result(program: str, stdin: str, status: int) -> None:
    assert jq("-e", program, stdin=stdin).status == status


def test_files_form_one_input() -> None:
    answer = jq("-c", "[., input_filename]", "a", "-", "b", stdin="2\n", a="1\n", b="[3]")
    assert answer.out == b'[1,"a"]\n[2,"<stdin>"]\n[[3],"b"]\n'


def test_lines_are_counted_in_each_file() -> None:
    answer = jq("-c", "input_line_number", "a", "b", a="1\n2\n", b="3\n\n4")
    assert answer.out == b"1\n2\n1\n2\n"
    assert jq(".x", "a", "b", a="null\nnull\n", b="\n[]").err.startswith("jq: error (at b:1):")


def test_a_file_without_a_last_newline_keeps_its_name() -> None:
    """As jq 1.6 has them: a number ends where the next file begins."""
    names = ("x1", "n1", "x2", "l1", "e", "x3")
    files = {"x1": '{"a":1}', "n1": "1", "x2": '{"a":2}', "l1": '"a"\n3 false null', "e": "",
             "x3": "[3]\n"}  # fmt: skip
    answer = jq("-c", "[., input_filename, input_line_number]", *names, **files)
    assert answer.out.decode().splitlines() == [
        '[{"a":1},"x1",0]', '[1,"x2",0]', '[{"a":2},"x2",0]', '["a","l1",1]', '[3,"l1",1]',
        '[false,"l1",1]', '[null,"x3",1]', '[[3],"x3",1]',
    ]  # fmt: skip
    reported = jq("error", "x1", "x2", x1='"one"', x2='"two"').err
    assert reported == "jq: error (at x1:0): one\njq: error (at x2:0): two\n"


def test_rs_separates_values() -> None:
    text = '\x1e{"a":1}\n\x1e[2]\n'
    assert jq("-c", "--seq", ".", stdin=text) == Answer(0, b'\x1e{"a":1}\n\x1e[2]\n', "")
    reported = "jq: parse error: Invalid numeric literal at line 1, column 2\n"
    assert jq("-c", ".", stdin=text) == Answer(5, b"", reported)


@pytest.mark.parametrize(
    ("text", "out"),
    [
        ("[1,2", "[[0],1]\n"), ("[1,2,", "[[0],1]\n[[1],2]\n"), ("[1,[2", "[[0],1]\n"), ("[[1", ""),
        ('{"a":1,"b', '[["a"],1]\n'), ('{"a":[1,2}', '[["a",0],1]\n'), ("[1,x]", "[[0],1]\n"),
        ('[[],{"a":"],}" ,', '[[0],[]]\n[[1,"a"],"],}"]\n'),
        ('{"a":{"b":[]},', '[["a","b"],[]]\n[["a","b"]]\n'), ("[[1],{ [2]", "[[0,0],1]\n[[0,0]]\n"),
    ],
)  # fmt: skip
def test_values_before_an_error_are_printed(text: str, out: str) -> None:
    answer = jq("-c", "--stream", ".", stdin=text)
    assert (answer.status, answer.out.decode()) == (5, out)
    assert jq("-c", "--stream", "-n", "first(inputs)", stdin=text).out.decode() in out


def test_a_missing_file_ends_the_run() -> None:
    answer = jq(".", "missing", "a", a="1 2")
    expected = "jq: error: Could not open file missing: No such file or directory\n"
    assert answer == Answer(2, b"1\n", expected)


def test_a_program_and_variables_come_from_files() -> None:
    words = ["-f", "p", "-c", "--slurpfile", "s", "v", "--rawfile", "r", "v"]
    answer = jq(*words, "v", p="# three\n[., $s, $r]", v="1 2\n")
    assert answer.out == b'[1,[1,2],"1 2\\n"]\n[2,[1,2],"1 2\\n"]\n'


NEEDS_TWO = f"jq: option '--arg' requires an argument\n{USAGE_HINT}\n"
NOT_GIVEN = "jq: error: $x is not defined at <top-level>, line 1:\n$x\njq: 1 compile error\n"
HAS_NUL = (
    "jq: error (at <unknown>): Cannot dump a string containing NUL with --raw-output0 option\n"
)


@pytest.mark.parametrize(
    ("words", "status", "err"),
    [
        (["--argjson", "x", "{", "."], 2,
         f"jq: invalid JSON text passed to --argjson\n{USAGE_HINT}\n"),
        (["--jsonargs", ".", "{"], 2,
         f"jq: invalid JSON text passed to --jsonargs\n{USAGE_HINT}\n"),
        (["-f", "no"], 2, "jq: Could not open no: No such file or directory\n"),
        (["--indent", "9", "."], 2,
         f"jq: --indent takes a number between -1 and 7\n{USAGE_HINT}\n"),
        (["--arg", "x"], 2, NEEDS_TWO),
        (["--bogus", "."], 2, f"jq: Unknown option --bogus\n{USAGE_HINT}\n"),
        (["-cZ", "."], 2, f"jq: Unknown option -cZ\n{USAGE_HINT}\n"),
        (["-n", "$x"], 3, NOT_GIVEN),
        (["-n", "--raw-output0", '"a\\u0000"'], 5,
         HAS_NUL),
    ],
)  # fmt: skip
def test_invalid_call_is_reported(words: list[str], status: int, err: str) -> None:
    assert jq(*words) == Answer(status, b"", err)


@pytest.mark.parametrize(
    ("program", "place"),
    [
        (".a b", "syntax error, unexpected IDENT, expecting end of file (Unix shell quoting"),
        (".[", "syntax error, unexpected end of file (Unix shell quoting issues?)"),
        ("1 as x|2", "syntax error, unexpected IDENT, expecting BINDING or '[' or '{'"),
        ("{a:1+2}", "syntax error, unexpected '+', expecting '}'"),
        ("'a'", "syntax error, unexpected INVALID_CHARACTER"),
        ('"abc', "expecting QQSTRING_TEXT or QQSTRING_INTERP_START or QQSTRING_END"),
        ('"\\x"', "Invalid escape at line 1, column 4 (while parsing '\"\\x\"')"),
        ("foo(1)", "foo/1 is not defined"),
        ("break $x", "$*label-x is not defined"),
        ("break", "break requires a label to break to"),
        ('import "a" as a; 1', "import is not supported: there are no modules"),
        ('include "a"; 1', "include is not supported: there are no modules"),
        ("(" * 400 + "1" + ")" * 400, "nested more than"),
    ],
)  # fmt: skip
def test_invalid_program_is_reported(program: str, place: str) -> None:
    answer = jq(program)
    assert (answer.status, answer.out) == (3, b"")
    assert place in answer.err
    assert answer.err.endswith("jq: 1 compile error\n")


def test_all_unknown_names_are_reported() -> None:
    err = jq("-n", "foo(1;2) |\n bar").err
    first = "jq: error: foo/2 is not defined at <top-level>, line 1:\nfoo(1;2) |\n"
    second = "jq: error: bar/0 is not defined at <top-level>, line 2:\n bar \n"
    assert err == f"{first}{second}jq: 2 compile errors\n"


# ---------------------------------------------------------------- the program as a parameter


def test_literal_program_is_checked_before_the_run() -> None:
    command = command_named("jq")
    with pytest.raises(InvalidArguments, match="syntax error") as caught:
        bind(command, [".a b", "file"])
    assert (caught.value.index, caught.value.is_value, caught.value.status) == (0, True, 3)
    for words in ([".a", UNKNOWN], [UNKNOWN], ["--arg", "x", UNKNOWN, "$x"], ["-f", "f", ".a b"],
                  ["--arg", UNKNOWN_WORDS], ["$x"]):  # fmt: skip
        bind(command, words)


def test_glob_is_read_as_a_program() -> None:
    assert jq("-c", GlobArgument(".[]", lambda: ["no"]), stdin="[1]").out == b"1\n"


def test_named_options() -> None:
    compact = NamedArgument("compact_output", True, "compact_output=true")
    assert jq(".", compact, stdin="[1]").out == b"[1]\n"
    behind = jq("-n", "$ARGS.positional[]", "--args", compact)
    assert behind == Answer(0, b'"compact_output=true"\n', "")


def test_programs_are_cached() -> None:
    assert program_of(".a") is program_of(".a")
    long_text = f'"{"a" * MAX_SHARED_TEXT_CHARS}"'
    assert program_of(long_text) is not program_of(long_text)


# ---------------------------------------------------------------- growing in place

PLACES = st.sampled_from(
    [".a", ".b", ".a.b", ".b.a", '.["\\($x)"]', ".a[0]", ".", ".a[$x]", ".[]?"]
)
WORTHS = st.sampled_from(
    ["$x", ".", ".a", ".b", "[.a]", "{a: .b}", "[$x]", "{}", "[]", "{a: {b: $x}}", "null", ".b.a",
     "[.a, .b]", "empty", "reduce .a as $y (.b; .a = $y)", "[range(70)]", "{b: [[.]]}", ". + {}"]
)  # fmt: skip
CHANGES = st.one_of(
    st.tuples(PLACES, st.sampled_from(["=", "|=", "+=", "//="]), WORTHS).map(" ".join),
    WORTHS.map(". + {}".format),
)


@settings(max_examples=400, derandomize=True, deadline=None)
@given(
    changes=st.lists(CHANGES, min_size=1, max_size=3).map(" | ".join),
    start=st.sampled_from(["{}", "null", ".", "[]", "{a: {b: 1}}"]),
)
def test_reduce_in_place_equals_copying(changes: str, start: str) -> None:
    loop = "reduce {} ({}; {})"
    grown = loop.format("range(5) as $x", start, changes)
    # With a pattern that is more than a name, nothing is changed in place.
    copied = loop.format("(range(5) | [.]) as [$x]", start, changes)
    program = '[., try {} catch "bad", .]'
    document = '{"a":{"b":[1,{}],"a":{}},"b":[[2]]}'
    expected = jq("-c", program.format(copied), stdin=document)
    assert jq("-c", program.format(grown), stdin=document) == expected
    assert expected.status == 0


# ---------------------------------------------------------------- inputs

CONTROL = "Invalid string: control characters from U+0000 through U+001F must be escaped"


@pytest.mark.parametrize(
    ("text", "err"),
    [
        ('{"a":1', "Unfinished JSON term at EOF at line 1, column 6"),
        ("[1,\n2", "Unfinished JSON term at EOF at line 2, column 1"),
        ("{'a'}", "Invalid numeric literal at line 1, column 5"),
        ("[1,]", "Expected another array element at line 1, column 4"),
        ('{"a":1,}', "Expected another key-value pair at line 1, column 8"),
        ('{"a" 1}', "Expected separator between values at line 1, column 7"),
        ('{"a"}', "Objects must consist of key:value pairs at line 1, column 5"),
        ("{1:2}", "Object keys must be strings at line 1, column 3"),
        ("]", "Unmatched ']' at line 1, column 1"),
        ("[}", "Unmatched '}' at line 1, column 2"),
        (",", "Expected value before ',' at line 1, column 1"),
        ("1,2", "Expected value before ',' at line 1, column 2"),
        ("[:]", "Expected string key before ':' at line 1, column 2"),
        ('["a":1]', "':' not as part of an object at line 1, column 5"),
        ('"a', "Unfinished string at EOF at line 1, column 2"),
        ("tru", "Invalid literal at EOF at line 1, column 3"),
        ('{"a": b"}', "Invalid numeric literal at line 1, column 8"),
        ('1x"a', "Invalid numeric literal at line 1, column 3"),
        ("truefalse", "Invalid literal at EOF at line 1, column 9"),
        ("é x\n", "Invalid numeric literal at line 1, column 3"),
        ('"\\ud83d"', "Invalid \\uXXXX\\uXXXX surrogate pair escape at line 1, column 8"),
        ('"\\q"', "Invalid escape at line 1, column 4"),
        ('"\\u12"', "Invalid \\uXXXX escape at line 1, column 6"),
        ('"\\u12xx"', "Invalid characters in \\uXXXX escape at line 1, column 8"),
        ('"a\tb"',
         f"{CONTROL} at line 1, column 5"),
    ],
)  # fmt: skip
def test_invalid_json_is_reported(text: str, err: str) -> None:
    answer = jq(".", stdin=text)
    assert (answer.status, answer.err) == (5, f"jq: parse error: {err}\n")
    assert jq(".", stdin=f'{{"b":[]}}\n{text}').out == b'{\n  "b": []\n}\n'


@pytest.mark.parametrize(
    ("text", "out"),
    [("nan NaN -nan", "null\nnull\nnull\n"), ("01 1. .5 +1", "1\n1\n0.5\n1\n"),
     ('1 2"a"3[4]5{"b":1}true', '1\n2\n"a"\n3\n[4]\n5\n{"b":1}\ntrue\n'),
     ('"\\udc00"', '"\ufffd"\n'), ("\ufeff[1]", "[1]\n"), ("-0 [-0]", "-0\n[-0]\n"),
     ('{"a":1,"b":2,"a":3}', '{"a":3,"b":2}\n'), ("\r\n\t 1 \r\n", "1\n"),
     ("1" * 5000, "1.7976931348623157e+308\n"), ("Infinity", "1.7976931348623157e+308\n")],
)  # fmt: skip
def test_jq_extensions_of_json_are_accepted(text: str, out: str) -> None:
    if text == "1" * 5000:
        assert jq("-c", ".", stdin=text).status == 0
    else:
        assert jq("-c", ".", stdin=text) == Answer(0, out.encode(), "")


def test_undecodable_bytes_are_replaced() -> None:
    assert run_keysh("jq", ".", stdin=b'"a\xffb"').out == '"a\ufffdb"\n'.encode()


def fed(chunks: Iterator[str] | list[str], *words: str) -> Answer:
    """Run jq on chunks."""
    out: list[str] = []
    err: list[str] = []
    surroundings = FakeShell(Router(MemoryFS()))
    call = Call("jq", surroundings, Reader(chunks), Writer(out.append), Writer(err.append))
    status = invoke(command_named("jq"), call, words)
    return Answer(status, "".join(out).encode("utf-8", "surrogateescape"), "".join(err))


BORDERS = '{"a":[1.50,-0,"x\\ud83d\\ude00\\n"]} 12 true "s" [] nan\n3e5 {"b":{}}\n'


@pytest.mark.parametrize("size", [1, 2, 3, 7, 20])
def test_chunk_borders_do_not_matter(size: int) -> None:
    chunks = [BORDERS[i : i + size] for i in range(0, len(BORDERS), size)]
    assert fed(chunks, "-c", ".") == fed([BORDERS], "-c", ".")
    broken = [*chunks, "[1,\n", "2"]
    assert fed(broken, "-c", ".") == fed([f"{BORDERS}[1,\n2"], "-c", ".")


def test_endless_input_is_read_no_further_than_needed() -> None:
    requests = 0

    def endless() -> Iterator[str]:
        nonlocal requests
        while True:
            requests += 1
            yield '{"a":1}\n' * 100

    assert fed(endless(), "-n", "first(inputs).a").out == b"1\n"
    assert requests <= 6


def test_a_long_document_is_read_in_chunks() -> None:
    text = json.dumps(list(range(50_000)))
    chunks = [text[i : i + 1000] for i in range(0, len(text), 1000)]
    assert fed(chunks, "length").out == b"50000\n"


VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(st.characters(codec="utf-8"))
    | st.floats(allow_nan=False, allow_infinity=False),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(
        st.text(st.characters(codec="utf-8"), max_size=5), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


@settings(max_examples=150, derandomize=True)
@given(VALUES)
def test_json_round_trips(value: object) -> None:
    answer = jq(".", stdin=json.dumps(value))
    assert answer.status == 0
    assert json.loads(answer.out, parse_int=float) == json.loads(json.dumps(value), parse_int=float)
    again = jq("-c", "., (tojson | fromjson)", stdin=json.dumps(value)).out.splitlines()
    assert again[0] == again[1]


@settings(max_examples=300, derandomize=True)
@given(st.floats(allow_nan=False, allow_infinity=False))
def test_numbers_round_trip(value: float) -> None:
    text = number_text(value)
    assert float(text) == value
    read = number_of(text)
    assert read is not None
    assert as_float(read) == value
    assert float(number_text(read)) == value


TOKENS = st.sampled_from(
    [".", ".a", "[", "]", "(", ")", "{", "}", "|", ",", "+", "-", "//", "as", "$x", "if", "then",
     "else", "end", "try", "catch", "reduce", "foreach", "def", "f", ":", ";", '"', "\\(", "1",
     "..", "?", "==", "and", "label", "break", "@csv", "$__loc__", "=", "|=", "?//", " ", "\n"]
)  # fmt: skip


@settings(max_examples=300, derandomize=True)
@given(st.lists(TOKENS, max_size=15).map(" ".join) | st.text(max_size=20))
def test_any_text_parses_or_is_refused(text: str) -> None:
    try:
        parse_program(text)
    except JqProgramError as error:
        messages = error.messages
    else:
        messages = []
    assert all(message.startswith("jq: error: ") for message in messages)


# ---------------------------------------------------------------- programs that must not hang


class Cancelled(Exception):
    """The run was stopped."""


class Impatient(FakeShell):
    """A tick that stops a run after a given number of calls."""

    def __init__(self, patience: int) -> None:
        super().__init__(Router(MemoryFS()))
        self.patience = patience

    def tick(self) -> None:
        self.patience -= 1
        if not self.patience:
            raise Cancelled


@pytest.mark.parametrize(
    "program",
    ["def f: f; f", "def f: .+1|f; f", "last(repeat(1))", "until(false;.+1)", "last(range(1e18))",
         "reduce repeat(1) as $x (0;.)", "[recurse(.+1)]|length", "last(while(true;.+1))",
         "isempty(range(1e18)|empty)", "last([range(9)]|combinations(9))"],
)  # fmt: skip
def test_endless_program_can_be_stopped(program: str) -> None:
    call = Call("jq", Impatient(500), Reader(["0"]), Writer(str), Writer(str))
    with pytest.raises(Cancelled):
        invoke(command_named("jq"), call, [program])


@pytest.mark.parametrize(
    ("program", "err"),
    [
        ("def f: [f]; f", "the program calls itself too deeply"),
        ("def f: 1+f; f", "the program calls itself too deeply"),
        (".[1e9]=1", "Array index too large"),
        ("def f: f,1; first(f)", "the program calls itself too deeply"),
        ('("a"*100000)|test("(a|b)*(a|b)*c\\\\1")', "steps"),
    ],
)  # fmt: skip
def test_unbounded_growth_is_reported(program: str, err: str) -> None:
    answer = jq("-n", program)
    assert answer.status == 5
    assert err in answer.err


def test_deep_values_are_read_and_printed() -> None:
    text = "[" * 5000 + "]" * 5000
    assert jq("length", stdin=text).out == b"1\n"
    assert jq("-c", ".", stdin=text).out == b"[" * 257 + b"<skipped: too deep>" + b"]" * 257 + b"\n"
    assert "Exceeds depth limit for parsing" in jq(".", stdin="[" * 20_000).err


def test_tail_call_needs_no_stack() -> None:
    program = "def f(n): if . >= 30000 then . else .+1|f(n) end; 0|f(1)"
    assert jq("-n", program).out == b"30000\n"


def test_costly_patterns_end_in_time() -> None:
    assert jq("-n", '("a"*20000+"!")|test("^(a+)+$")').out == b"false\n"
