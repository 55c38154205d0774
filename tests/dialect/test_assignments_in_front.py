"""Arrays and elements in front of a command, as in `B=(1 2) cmd`; real bash is the judge."""

from __future__ import annotations

import pytest

from dialect.dialect_oracle import bash_answer, dialect_answer
from real_tools import needs

pytestmark = needs("bash")

SCRIPTS = {
    "the words as a text": r"""
x="p q"
B=($x "r s" `echo t` \$y 'u v' *zz {1,2}) printenv B
B=([k]=v [j]=$x) printenv B
B=(1
 2) printenv B; B=() printenv B; B+=(4 5) printenv B
declare -p B; echo $?""",
    "a function sees a text": """
f() { declare -p B; echo "${B[0]}|$B"; }
declare -a B=(8 9)
B=(1 2) f
declare -p B""",
    "no words are left": "B=(1 2) a[3]=x $none; declare -p a B",
    "an element": "a[0]=3 printenv a; echo $?; f() { echo ran; }; a[0]=3 f; declare -p a; echo $?",
}


@pytest.mark.parametrize("script", SCRIPTS.values(), ids=SCRIPTS)
def test_assignment(script, tmp_path):
    """The output and the status are bash's."""
    assert dialect_answer(script, tmp_path) == bash_answer(script, tmp_path)
