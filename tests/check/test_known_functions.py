"""The checker knows what functions of earlier scripts assign and define."""

from __future__ import annotations

import pytest

from keysh.shell.shell import Shell


def codes(earlier: str, text: str) -> list[str]:
    """The codes that a shell reports for a text, once it has run another."""
    with Shell() as shell:
        assert shell.run(earlier).ok
        return [diagnostic.code for diagnostic in shell.check(text)]


@pytest.mark.parametrize(
    ("earlier", "text", "expected"),
    [
        ("outer() { inner() { :; }; x=1; }", "outer; inner; echo $x", []),
        ("outer() { inner() { :; }; x=1; }", "inner; echo $x", ["E301", "W301"]),
        ("outer() { middle; }; middle() { x=1; }", "outer; echo $x", []),
        ("one() { two; }; two() { one; x=1; }", "one; echo $x $y", ["W301"]),
        ("make() { eval :; }", "make; whatever; echo $x", []),
        ("outer() { inner(a, b: int = 1) { :; }; }", "outer; inner; inner x b=y",
         ["E304", "E303"]),
        ("outer() { words='a b'; }", "outer; for x in $words; do :; done", []),
        ("outer() { nosuch || :; }", "outer", []),
    ],
)  # fmt: skip
def test_effects_of_earlier_functions(earlier: str, text: str, expected: list[str]) -> None:
    assert codes(earlier, text) == expected
