"""The checker on scripts in the bash dialect, and what the pages of its codes say."""

from __future__ import annotations

from pathlib import Path

import pytest

from keysh.check.report import BASH_SEVERITIES
from keysh.shell.shell import Shell

pytestmark = pytest.mark.quick

PAGES = Path(__file__).parent.parent / "spec" / "errors"
MARK = "In the bash dialect "


@pytest.mark.parametrize(
    ("script", "found"),
    [
        ("grpe x", ["E301 warning"]), ("ls --wrong", ["E302 warning"]),
        ("head -n x", ["E303 warning"]), ("basename", ["E304 warning"]),
        ("cd a b c", ["E305 warning"]), ("break; local x; return", ["E306 warning"] * 3),
        ("history", ["E111 warning"]), ("[[ a =~ '(' ]]; [[ a =~ a{2,1} ]]", ["E309 warning"]),
        ('x="a b"; ls $x; set -- $x; for y in $x; do :; done', []),
        ("a=(1 2); echo $a; a=3", []), ("shopt -s extglob lastpipe; shopt -q globstar", []),
        ("shopt -s posix", ["W308 warning"]), ("echo $nmae", ["W301 warning"]),
        ("if", ["E102 error"]), ("coproc x { ls; }", []),
    ],
)  # fmt: skip
def test_severities(script: str, found: list[str]) -> None:
    shell = Shell(dialect="bash")
    assert [f"{one.code} {one.severity}" for one in shell.check(script)] == found


def test_host_may_be_stricter_than_bash() -> None:
    result = Shell(dialect="bash", check={"E301": "error"}).run("echo one; grpe x")
    assert (result.stdout, result.rejected) == ("", True)


@pytest.mark.parametrize("code", sorted(BASH_SEVERITIES))
def test_page_of_a_code_says_what_it_is_in_bash(code: str) -> None:
    last = (PAGES / f"{code}.md").read_text("utf-8").rstrip().rpartition("\n\n")[2]
    assert last.startswith(MARK)
    is_warning = " is a warning of `keysh check` alone" in last.replace("\n", " ")
    assert is_warning == (BASH_SEVERITIES[code] == "warn")
