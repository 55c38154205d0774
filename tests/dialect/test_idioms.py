"""Idioms of real scripts that a shell is easily wrong about; real bash is the judge."""

from __future__ import annotations

import pytest
from dialect.dialect_oracle import bash_answer, dialect_answer
from real_tools import needs

pytestmark = needs("bash")

IDIOMS = {
    "a brace touches a parenthesis": "f() {(\n echo in\n)}; f; {(echo a); echo b; }",
}


@pytest.mark.parametrize("script", IDIOMS.values(), ids=IDIOMS)
def test_idiom(script, tmp_path):
    """The output and the status are bash's."""
    (tmp_path / "bash").mkdir()
    (tmp_path / "keysh").mkdir()
    expected = bash_answer(script, tmp_path / "bash")
    assert dialect_answer(script, tmp_path / "keysh") == expected


def test_bytes_that_are_not_utf_8(tmp_path):
    """A script in Latin-1 runs, and its bytes come out as they are."""
    script = "# Fran\udce7ois\nx=Fran\udce7ois; echo \"${x#*\udce7}\" '\udce7'; cat <<E\n\udce7 $x\nE\n"
    assert dialect_answer(script, tmp_path) == ("ois \udce7\n\udce7 Fran\udce7ois\n", 0)
