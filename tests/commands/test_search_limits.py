"""A search that costs too much is an error of the command, whichever it is."""

from __future__ import annotations

import pytest

from keysh import Shell

EXPENSIVE = "(a{1,30}){1,30}{1,30}b"
REFERENCES = "^(a*)(a*)(a*)\\1\\2\\3$"


@pytest.mark.parametrize(
    "script",
    [
        f"find / -regextype posix-extended -regex '.*{EXPENSIVE}'",
        f"grep -E '{REFERENCES}' /f",
        f"sed -E '/{REFERENCES}/d' /f",
        f"[[ $(cat /f) =~ .*{EXPENSIVE} ]]",
        "expr $(cat /f) : '\\(a*\\)\\(a*\\)\\(a*\\)\\1\\2\\3$'",
    ],
)
def test_a_search_that_costs_too_much_is_an_error(script: str) -> None:
    result = Shell(files={"/f": "a" * 3000 + "cb"}).run(f"{script} > /dev/null; echo on")
    assert result.stdout == "on\n"
    assert "too big" in result.stderr or "too many steps" in result.stderr
    assert result.error is None
    assert "RegexLimit" not in result.stderr
