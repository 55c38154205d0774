"""Names of functions: any word for bash, which refuses some when the definition runs."""

from __future__ import annotations

import pytest

from dialect.dialect_oracle import bash_answer, dialect_answer
from real_tools import needs

pytestmark = needs("bash")

SCRIPTS = {
    "with punctuation": """
a+b() { echo plus; }; a/b() { echo slash; }; @() { echo at; }; a~b() { echo tilde; }
1() { echo one; }
a+b; a/b; @; a~b; 1
a{b() { echo brace; }; a]() { echo bracket; }; -() { echo dash; }; a!b() { echo bang; }
a{b; a]; -; a!b""",
    "patterns": "a*() { echo star; }; a*; ?() { echo mark; }; ?; [x]() { echo set; }; [x]",
    "after the word function": "function a*b { echo s; }; 'a*b'; function a=b { :; }; type -t a=b",
    "with an expansion": "$foo-bar() { ls; }; echo $?; f$x() { :; }; echo $?",
    "with quotes": r"""'a b'() { :; }; echo $?; "q"() { :; }; echo $?; a\ b() { :; }; echo $?""",
    "with the word and an expansion": "function $x { :; }; echo $?; function a$b() { :; }; echo $?",
    "in commands": "if true; then $x() { :; }; echo in; fi; f() { $x() { :; }; echo f; }; f",
    "under set -e": "set -e; $x() { :; }; echo no",
}


@pytest.mark.parametrize("script", SCRIPTS.values(), ids=SCRIPTS)
def test_function_name(script, tmp_path):
    """The output and the status are bash's."""
    assert dialect_answer(script, tmp_path) == bash_answer(script, tmp_path)
