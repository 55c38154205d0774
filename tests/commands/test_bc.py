"""bc: programs and messages compared with GNU bc, and limits."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import keysh
from commands.bc_random import DIGITS, program
from commands.command_runner import Answer, run_gnu, run_keysh
from commands.comparison import assert_agreement
from fake_shell import FakeShell
from keysh.interp.engine.invoke import invoke
from keysh.interp.state.call import Call
from keysh.interp.streams.streams import Reader, Writer
from keysh.shell.command_listing import command_named
from keysh.vfs.memory.filesystem import MemoryFS
from keysh.vfs.router import Router

TEXT = (Path(__file__).parent / "bc_programs.txt").read_text()
PROGRAMS = re.split(r"(?m)^%%", TEXT)[1:]
FUNCTIONS = [("e", 40), ("l", 10**6), ("s", 1000), ("c", 1000), ("a", 1000), ("j", 30)]
WIDEST = {"BC_LINE_LENGTH": "0"}


def both(text: str, *words: str, folder: Path, **env: str) -> tuple[Answer, Answer]:
    """Run a program with both; byte-code addresses are removed from GNU bc's messages."""
    data = text.encode()
    expected = run_gnu("bc", *words, cwd=folder, stdin=data, **env)
    return run_keysh("bc", *words, stdin=data, env=env), without_addresses(expected)


def without_addresses(answer: Answer) -> Answer:
    return answer._replace(err=re.sub(r"(func=\S+), adr=\d+\)", r"\1)", answer.err))


@pytest.mark.parametrize("block", PROGRAMS)
def test_programs_match_gnu(tmp_path: Path, block: str) -> None:
    words, _, text = block.partition("\n")
    mine, expected = both(text, *words.split(), folder=tmp_path)
    assert mine == expected


@pytest.mark.parametrize("seed", range(6))
def test_random_programs(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(40):
        text = program(chance)
        words = ["-l"] if chance.random() < 0.2 else []
        mine, expected = both(text, *words, folder=tmp_path)
        assert mine == expected, text


def argument(chance: random.Random, largest: int) -> str:
    """Return a random argument for a function."""
    sign = "-" if chance.random() < 0.35 else ""
    digits = chance.randrange(1, 25)
    return sign + chance.choice(
        [
            str(chance.randrange(largest)),
            f"{chance.random() * largest:.{digits % 14}f}",
            f".{chance.randrange(10**digits):0{digits}}",
            str(chance.randrange(3)),
            f"{chance.random() * 10 ** chance.randrange(-8, 4):.12f}",
        ]
    )


@pytest.mark.parametrize(("name", "largest"), FUNCTIONS)
def test_mathematical_functions_match_gnu(tmp_path: Path, name: str, largest: int) -> None:
    chance = random.Random(largest)
    lines = []
    for _ in range(250):
        given = argument(chance, largest)
        if name == "j":
            given = f"{chance.randrange(-6, 8)}, {given}"
        scale = chance.choice([0, 1, 2, 3, 5, 10, 20, 20, 20, 25, 30, 41, 50, 61, 80])
        lines.append(f"scale={scale}; {name}({given})\n")
    mine, expected = both("".join(lines), "-l", folder=tmp_path, **WIDEST)
    assert mine == expected


def test_arithmetic_in_all_scales(tmp_path: Path) -> None:
    chance = random.Random(7)
    lines = []
    for _ in range(1500):
        left, right = (
            f"{chance.choice(['', '-'])}{chance.randrange(10 ** chance.randrange(1, 20))}"
            f".{'0' * chance.randrange(3)}{chance.randrange(10 ** chance.randrange(1, 12))}"
            for _ in range(2)
        )
        power = chance.randrange(-9, 12)
        lines.append(
            f"scale={chance.randrange(25)}; {left} {chance.choice('+-*/%')} {right}; "
            f"{left} ^ {power}; sqrt({right.removeprefix('-')})\n"
        )
    mine, expected = both("".join(lines), folder=tmp_path, **WIDEST)
    assert mine == expected


def test_numbers_in_all_bases(tmp_path: Path) -> None:
    chance = random.Random(8)
    lines = []
    for _ in range(150):
        base = chance.randrange(2, 37)
        digits = "".join(chance.choices(DIGITS[:base], k=chance.randrange(1, 30)))
        part = "".join(chance.choices(DIGITS, k=chance.randrange(9)))
        written = chance.choice([2, 3, 7, 8, 10, 16, 17, 36, 100, 1000, 12345, 2**31 - 1])
        lines.append(
            f"obase={written}; ibase={base}; {digits}.{part}; -.{digits}; {digits}/11; ibase=A\n"
        )
    mine, expected = both("scale=7\n" + "".join(lines), folder=tmp_path)
    assert mine == expected


@pytest.mark.parametrize("base", [3, 16, 1000])
def test_long_numbers_in_other_bases(tmp_path: Path, base: int) -> None:
    text = f"obase={base}; 7^3000; scale=2000; 1/7; ibase=7; {'1234560' * 300}.{'654321' * 50}\n"
    mine, expected = both(text, folder=tmp_path)
    assert mine == expected


@pytest.mark.parametrize("width", ["0", "1", "2", "3", "4", "10", "70", "71", "-5", "x", " 12", ""])
def test_long_lines_are_broken(tmp_path: Path, width: str) -> None:
    text = '2^300; "a text\nof two lines"; obase=100; 3^90; print 2^200, "and so on", "\\n"; 1/3\n'
    mine, expected = both(text, folder=tmp_path, BC_LINE_LENGTH=width)
    assert mine == expected


@pytest.mark.parametrize(
    "words",
    [
        "one", "one two", "two one -l", "-q one", "--mathlib one", "missing one", "one missing",
        "one half", "half one", "stops one", "reads", "-w two", "-s two", "-- one", "-lq one",
    ],
)  # fmt: skip
def test_files_come_first(tmp_path: Path, words: str) -> None:
    files = {
        "one": b"x = 3\nx\n2 +\n", "two": b"x += 1; x\n(\nif (1) 2 else 3\n", "half": b"1 + 1",
        "stops": b"7\nquit\n8\n", "reads": b"read() + 1; read() - read()\n",
    }  # fmt: skip
    assert_agreement("bc", words.split(), tmp_path, files, b"5 FF\n-1.5\n\n")


@pytest.mark.parametrize("given", ["-l", "-lw one", "one", "--standard", "-q -w"])
def test_arguments_from_the_environment(tmp_path: Path, given: str) -> None:
    text = b"x + 1; scale; a = b = 2; c || d\n"
    (tmp_path / "one").write_bytes(b"x = 3\n")
    expected = run_gnu("bc", cwd=tmp_path, stdin=text, BC_ENV_ARGS=given)
    mine = run_keysh("bc", stdin=text, files={"/one": b"x = 3\n"}, env={"BC_ENV_ARGS": given})
    assert mine == expected


def test_result_is_printed_before_the_next_line_is_read() -> None:
    out: list[str] = []

    def lines() -> Iterator[str]:
        yield "2 * 3\nx = 5; "
        assert out == ["6\n"]
        yield "x\nprint x"
        assert out == ["6\n", "5\n"]
        yield "\n"
        assert out == ["6\n", "5\n", "5"]

    around = FakeShell(Router(MemoryFS()))
    call = Call("bc", around, Reader(lines()), Writer(out.append), Writer(out.append))
    assert invoke(command_named("bc"), call, []) == 0
    assert out == ["6\n", "5\n", "5"]


def run(text: str, seconds: float | None = None) -> keysh.Result:
    """Run a program in a shell."""
    return keysh.Shell(limits=keysh.Limits(seconds=seconds)).run("bc -l", stdin=text)


ENDLESS = [
    "while (1) {}", "for (;;) x++", "x = 2; while (1) x = x * x % 10^1000 + 2", "while (1) a[1]++",
    "scale = 20000; e(1)", "scale = 9000; l(2)", "j(10^9, 1)", "obase = 3; 2^1600000",
    "scale = 400000; x = 1/3; y = 1/7; scale = 0; while (1) z = x / y",
    "scale = 300000; while (1) x = sqrt(2 + i++)", "x = 10^400000 + 1; while (1) y = x / 3",
    "define f(n) { if (n < 2) return n; return f(n - 1) + f(n - 2) }\nf(90)",
]  # fmt: skip


@pytest.mark.parametrize("text", ENDLESS)
def test_run_ends_at_the_timeout(text: str) -> None:
    answer = run(text + "\n", seconds=0.05)
    assert answer.limit is not None
    assert answer.limit.kind == "seconds"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("2^(10^9)", "(func=(main)): number of more than 500000 digits"),
        ("3^-(10^9) + 10^600000", "(func=(main)): number of more than 500000 digits"),
        ("scale = 10^9; 1/3", "(func=(main)): number of more than 500000 digits"),
        ("x = 2; while (1) x *= x", "(func=(main)): number of more than 500000 digits"),
        ("e(10^9)", "(func=(main)): number of more than 500000 digits"),
        ("x = 10^400000; while (1) a[i++] = x + i", "(func=(main)): memory exhausted"),
        ("define f(x) { return f(x + 1) }\nf(1)",
         "(func=f): function calls nest too deeply"),
    ],
)  # fmt: skip
def test_too_large_numbers_are_reported(text: str, says: str) -> None:
    answer = run(f"{text}\n7\n")
    assert answer.stderr == f"Runtime error {says}\n"
    assert answer.stdout == "7\n"


@pytest.mark.parametrize("text", ["(" * 500 + "1" + ")" * 500, "{" * 500, "if (1) " * 500 + "1"])
def test_too_deep_nesting_is_reported(text: str) -> None:
    assert run(text + "\n").stderr == "(standard_in) 1: memory exhausted\n"


def test_powers_are_computed_to_the_needed_precision() -> None:
    answer = run("1.0000001^1000000\n.5^100000\n(-1.00001)^3000001\nscale = 5; 1.01^-100000\n")
    assert answer.stdout.split() == [
        "1.10517091254979341663", "0", "-10684978589956.26559180913047422129", "0",
    ]  # fmt: skip


@pytest.mark.parametrize("depth", [250, 301, 2000, 20_000])
def test_deep_function_calls(depth: int) -> None:
    define = "define f(n) { if (n < 1) return 0; return n + f(n - 1) }\n"
    assert run(f"{define}f({depth})\n").stdout == f"{depth * (depth + 1) // 2}\n"


def test_consecutive_numbers() -> None:
    numbers = range(1, 5001)
    assert run("+".join(map(str, numbers)) + "\n").stdout == f"{sum(numbers)}\n"
    assert run("*1+".join(map(str, numbers)) + "\n").stdout == f"{sum(numbers)}\n"


def test_fractional_scale_is_truncated() -> None:
    """GNU bc treats a fraction as a number that is too large."""
    assert run("scale = .5; 2/3; scale = 1.5; 2/3\n").stdout == "0\n.6\n"
