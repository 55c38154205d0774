"""What is typed in the bash dialect: drafts, highlighting, completion, the prompt itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from keysh import Shell
from keysh.diagnostics.dialect import BASH, KEYSH
from keysh.repl.hooks import expanded_text
from keysh.repl.prompt import PromptFacts, expand_ps1
from keysh.syntax.draft import Draft
from repl.terminal_user import ENTER, PROMPT, Person


@pytest.mark.quick
@pytest.mark.parametrize(
    ("text", "is_wrong", "is_incomplete"),
    [
        ("select x in a b; do", False, True), ("echo $[1 + 2]", False, False),
        ("echo $[1 +", False, True), ("x=[1", False, False), ("x={", False, False),
        ("echo )", True, False),
    ],
)  # fmt: skip
def test_draft(text: str, is_wrong: bool, is_incomplete: bool) -> None:
    draft = Draft(text, BASH)
    assert (bool(draft.error_spans) and not draft.is_incomplete) == is_wrong
    assert draft.is_incomplete == is_incomplete


@pytest.mark.quick
def test_drafts_of_both_dialects_differ() -> None:
    assert Draft("x=[1, 2", KEYSH).is_incomplete
    assert not Draft("x=[1, 2", BASH).is_incomplete


@pytest.mark.quick
def test_parameters_are_not_offered_by_name() -> None:
    for dialect, kinds in (("keysh", {"option", "parameter"}), ("bash", {"option"})):
        shell = Shell(dialect=dialect)
        found = {one.kind for word in ("li", "--li") for one in shell.complete(f"head {word}")}
        assert found - {"file"} == kinds


@pytest.mark.quick
@pytest.mark.parametrize(
    ("ps1", "shown"),
    [
        ("$x> ", "a b> "), ("$(echo $((1 + 2)))> ", "3> "), (r"\w \$ ", "/$x`y $ "),
        (r"\\$x", r"\a b"), ("${> ", "${> "), ("$(exit 3)", ""), ("plain> ", "plain> "),
    ],
)  # fmt: skip
def test_ps1_is_expanded_but_not_what_its_escapes_stand_for(ps1: str, shown: str) -> None:
    shell = Shell(dialect="bash")
    shell.run("x='a b'; false")
    facts = PromptFacts(cwd="/$x`y", home="/home/me")
    text = expand_ps1(ps1, facts, guards_expansions=True)
    assert expanded_text(shell.state, text, 100, 5) == shown
    assert shell.run("echo $?").stdout == "1\n"


def test_prompt_in_the_bash_dialect(tmp_path: Path) -> None:
    with Person(tmp_path / "home", "--dialect", "bash", PS1=f"${{x}}{PROMPT} ") as person:
        person.sees_prompt()
        person.runs('y="a b"; set -- $y; echo $#; z=[7]; echo ${z[0]} $[1 + 2]')
        assert person.screen.endswith(f"2\n[7] 3\n{PROMPT}")
        person.writes("for i in $y; do")
        person.types(ENTER)
        person.waits(lambda: person.line == ">", "the next line")
        person.types(f"echo got-$i; done{ENTER}")
        person.sees_prompt()
        assert person.screen.endswith(f"got-a\ngot-b\n{PROMPT}")
