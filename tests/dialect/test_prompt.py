"""What is typed in the bash dialect: drafts, highlighting, completion, the prompt itself."""

from __future__ import annotations

from pathlib import Path
from shutil import rmtree

import pytest

from dialect.dialect_oracle import bash_answer, dialect_answer
from keysh import Shell
from keysh.diagnostics.dialect import BASH, KEYSH
from keysh.interp.variables.prompt_text import decoded_prompt
from keysh.repl.hooks import expanded_text
from keysh.syntax.draft import Draft
from real_tools import needs
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
        (r"\\$x", "$x"), (r"\044x", "a b"), ("${> ", "${> "), ("$(exit 3)", ""),
        ("plain> ", "plain> "),
    ],
)  # fmt: skip
def test_ps1_is_expanded_but_not_what_its_escapes_stand_for(ps1: str, shown: str) -> None:
    shell = Shell(files={"/$x`y/file": ""}, cwd="/$x`y", dialect="bash")
    shell.run("x='a b'; false")
    text = decoded_prompt(shell.state, ps1)
    assert expanded_text(shell.state, text, 100, 5) == shown
    assert shell.run("echo $?").stdout == "1\n"


@pytest.mark.parametrize(
    "script",
    [
        r"""for x in '\v|\j|\!|\[a\]|\l' '\D{%Y}}' '\D' '\1\12\101\0101' '\777' '\8' \
            '\e\a\n\r' '\q' '\' '\\' '\\$x' '\`' '\"' \
            'a$HOME"b"' '\044HOME' '\134x' '\0\400' '\303\251' '\\\\' '${#x}'
        do echo "${x@P}"; done""",
        r"""mkdir -p $'d/a\e\nb\'$x"`c\\'; cd d/a*; x='${PWD#d} \W'; echo "${x@P}" | tail -c 20""",
        r"""mkdir -p h/one/two/three; cd h; HOME=$PWD; x='\w \W'
        for PROMPT_DIRTRIM in '' 0 1 2 3 9 x; do
            for d in . one one/two one/two/three; do
                cd "$HOME/$d"; echo "${x@P}"
            done
            for d in /usr/share/doc /usr / /tmp; do cd $d; echo "${x@P}"; done
        done""",
        r"""HOME=/; cd /usr; x='\w'; echo "${x@P}"; cd /; echo "${x@P}"
        HOME=/usr/; cd /usr; echo "${x@P}" """,
    ],
)  # fmt: skip
@needs("bash")
def test_prompt_text_as_in_bash(script: str, tmp_path: Path) -> None:
    folder = tmp_path / "work"
    answers = []
    for answer in (bash_answer, dialect_answer):
        folder.mkdir()
        answers.append(answer(script, folder))
        rmtree(folder)
    assert answers[0] == answers[1]


@pytest.mark.quick
@pytest.mark.parametrize(
    "text", ["$(echo 1)", r"\\\\$(echo 1)", "`echo 1`", "$((echo a); (echo b))", "${x:-$(echo 1)}"]
)
def test_prompt_text_runs_no_command(text: str) -> None:
    shell = Shell(dialect="bash", env={"text": text})
    result = shell.run('echo "${text@P}"')
    assert result.stdout == ""
    assert "E208" in result.stderr


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
