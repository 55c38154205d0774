"""awk: a `for` comes by the keys of an array in gawk's order."""

from __future__ import annotations

import shutil
from pathlib import Path
from random import Random

import pytest

from commands.agreeing import agree
from commands.running import ours

KEYS = ["{ a[$0] } END { for (key in a) print key }"]
ODD = ["", "a", "bc", "x y", "é", "01", "1e3", "-0", "+1", "0x1", "1.5", "4294967296", "2147483647",
       "2147483648", "-2147483648", "-2147483649"]  # fmt: skip

pytestmark = pytest.mark.skipif(shutil.which("gawk") is None, reason="gawk is not installed")


def check(folder: Path, keys: list[str]) -> None:
    agree("awk", KEYS, folder, {}, "".join([f"{key}\n" for key in keys]).encode())


@pytest.mark.parametrize("count", [1, 13, 38, 39, 380, 381, 3000, 3062, 3063, 30_000])
def test_texts(tmp_path: Path, count: int) -> None:
    chance = Random(count)
    check(tmp_path, ["".join(chance.choices("abcdeé 0", k=chance.randint(0, 12))) + "x"
                     for _ in range(count)])  # fmt: skip


@pytest.mark.parametrize("size", [255, 256, 257, 512, 5000])
def test_long_texts(tmp_path: Path, size: int) -> None:
    chance = Random(size)
    check(tmp_path, ["".join(chance.choices("abcdeé", k=size)) for _ in range(60)])


@pytest.mark.parametrize("power", range(1, 41))
def test_natural_numbers(tmp_path: Path, power: int) -> None:
    chance = Random(power)
    for least in (0, 1 << power - 1):
        check(tmp_path, [str(chance.randint(least, 1 << power)) for _ in range(600)])


@pytest.mark.parametrize("step", [1, 2, 16, 31, 32, 33, 36, 64, 1000])
@pytest.mark.parametrize("power", [0, 8, 10, 11, 17, 19, 20, 21, 25, 29])
def test_numbers_at_a_distance(tmp_path: Path, power: int, step: int) -> None:
    check(tmp_path, [str((1 << power) + at * step) for at in range(1500)])


@pytest.mark.parametrize("first", ["0", "1", "7", "-1", "a", ""])
@pytest.mark.parametrize("count", [5, 40, 400])
def test_integers_and_others(tmp_path: Path, first: str, count: int) -> None:
    chance = Random(count)
    check(tmp_path, [first, *(chance.choice([*ODD, str(chance.randint(-count, count))])
                              for _ in range(count))])  # fmt: skip


def test_each_array_has_its_own_order(tmp_path: Path) -> None:
    text = (
        "BEGIN { a[3]; a[1]; a[2]; b[2]; b[-1]; b[0]; c[1][9]; c[1][8]; c[1][-8]; delete d; d[5];"
        ' delete d; d["x"]; d[5]; for (k in a) print k; for (k in b) print k;'
        ' for (k in c[1]) print k; for (k in d) print k; n = split("z y x", a);'
        ' PROCINFO["sorted_in"] = "@unsorted"; for (k in a) print k, a[k] }'
    )
    agree("awk", [text], tmp_path, {})


def test_keys_that_come_meanwhile_are_not_walked() -> None:
    text = "BEGIN { a[1]; a[2]; for (k in a) { a[k + 2]; print k } print length(a) }"
    assert ours("awk", text).out == b"1\n2\n4\n"
