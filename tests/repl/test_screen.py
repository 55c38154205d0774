"""The screen after editing, and with values, listings and errors."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from repl.conftest import Sits
from repl.terminal_user import CTRL, ENTER, ESCAPE, PROMPT, TAB, UP, Person

LEFT, DOWN = "\x1b[D", "\x1b[B"


def output(person: Person, command: str) -> str:
    """Run a command on an empty screen; return what it shows."""
    person.types(CTRL["L"])
    person.waits(lambda: person.screen == PROMPT, "an empty screen")
    person.runs(command)
    return person.screen.removeprefix(f"{PROMPT} {command}\n").removesuffix(f"\n{PROMPT}")


# ---------------------------------------------------------------- editing


def test_line_in_the_middle_of_a_text_can_be_edited(person: Person) -> None:
    person.types(f"for x in a b; do{ENTER}echo one $x{ENTER}")
    person.waits(lambda: person.screen.endswith("> echo one $x\n>"), "three lines")
    person.types(f"{UP}{CTRL['E']}\x7f\x7fwas $x{UP}{CTRL['E']}")
    person.types(f"{LEFT * 4} c{DOWN}{DOWN}done")
    person.waits(lambda: person.screen.endswith("> done"), "the last line")
    assert person.screen == f"{PROMPT} for x in a b c; do\n> echo one was $x\n> done"
    person.types(ENTER)
    person.sees("\none was a\none was b\none was c\n")


def test_multi_line_text_is_one_history_entry(person: Person) -> None:
    person.types(f"if true; then{ENTER}echo yes{ENTER}fi{ENTER}")
    person.sees("\nyes\n")
    person.sees_prompt()
    person.types(UP)
    person.waits(lambda: person.screen.endswith("> echo yes\n> fi"), "the whole text")
    person.types(ENTER)
    person.waits(lambda: person.screen.count("\nyes") == 2, "the second run")


def test_line_survives_a_window_resize(person: Person) -> None:
    person.writes("echo one two three four five six seven eight")
    person.resizes(30, 10)
    person.types(" nine")
    person.sees("nine")
    person.types(ENTER)
    person.waits(lambda: person.line == PROMPT, "the prompt")
    assert "one two three four five six se\nven eight nine" in person.screen


def test_completion_knows_functions_variables_and_names(person: Person) -> None:
    person.runs("greeting=hi; greet_all() { echo to $1; }")
    for typed, completed in (
        ("greet_", "greet_all"), ("echo $greetin", "echo $greeting"),
        ("head --lin", "head --lines"),
    ):  # fmt: skip
        person.writes(typed)
        person.types(TAB)
        person.sees_line(f"{PROMPT} {completed}")
        person.types(CTRL["C"])
        person.sees_prompt()


def test_vi_keys_of_the_shell(person: Person) -> None:
    person.runs("set -o vi")
    person.writes("head x")
    person.types(f"{ESCAPE}0?")
    person.sees("Usage: head")
    person.types("?")
    person.waits(lambda: "Usage" not in person.screen, "the end of the panel")
    person.types("ddiecho done" + ENTER)
    person.sees("\ndone\n")


def test_function_key_opens_the_help(person: Person) -> None:
    person.writes("nosuch")
    person.types("\x1bOP")
    person.sees("nosuch: no help is known")


def test_escapes_of_the_prompt(sits: Sits, home: Path) -> None:
    (home / "init.ksh").write_text(
        "PS1='\\[\\e[31m\\]\\u\\[\\e[0m\\] \\W \\j \\s\\n\\$ '\nmkdir sub\n"
    )
    person = sits(KEYSH_INIT="init.ksh", USER="amy")
    sign = "#" if os.geteuid() == 0 else "$"
    person.sees_prompt(sign)
    assert person.screen == f"amy ~ 0 keysh\n{sign}"
    assert person.style("amy")[0] == "red"
    person.runs("cd sub; sleep 100 &", sign)
    assert person.screen.endswith(f"amy sub 1 keysh\n{sign}")


def test_failing_prompt_function_falls_back_to_the_standard_prompt(person: Person) -> None:
    person.runs("keysh_prompt() { echo never; nosuch; }")
    person.runs("echo $?")
    assert "\n0\n" in person.screen
    assert "never" not in person.screen.replace("echo never", "")


# ---------------------------------------------------------------- history


def test_two_prompts_write_history_concurrently(sits: Sits, home: Path) -> None:
    people = [sits(), sits()]
    for person in people:
        person.sees_prompt()
    for number in range(15):
        for name, person in enumerate(people):
            person.types(f": {name}-{number}{ENTER}")
    for person in people:
        person.types(f"echo end{ENTER}")
        person.sees("\nend\n")
        person.sees_prompt()
    lines = (home / ".local/share/keysh/history.jsonl").read_text().splitlines()
    texts = [json.loads(line)["text"] for line in lines]
    for name in range(2):
        mine = [text for text in texts if text.startswith(f": {name}-")]
        assert mine == [f": {name}-{number}" for number in range(15)]
    assert len(texts) == 32


def test_history_records_directory_and_status(person: Person, home: Path) -> None:
    person.runs("cd /; false")
    person.runs("true")
    lines = (home / ".local/share/keysh/history.jsonl").read_text().splitlines()
    first, second = map(json.loads, lines)
    assert (first["text"], first["cwd"], first["status"]) == ("cd /; false", str(home), 1)
    assert (second["text"], second["cwd"], second["status"]) == ("true", "/", 0)


# ---------------------------------------------------------------- values


def test_values_are_shown_as_tables_and_trees(person: Person) -> None:
    person.runs("user={name: amy, home: {city: Paris, lines: [1, 2]}}")
    tree = output(person, "table $user")
    assert tree == "name  amy\nhome\n  city   Paris\n  lines  [1,2]"
    assert output(person, "table $user | cat") == tree
    assert output(person, "fromjson '[[1, [2]], {}]'") == "0\n  0  1\n  1  [2]\n1  {}"
    assert output(person, "fromjson '[[1, [2]], {}]' | cat") == "[[1,[2]],{}]"


def test_tables_fit_the_window_but_pipes_get_everything(sits: Sits) -> None:
    person = sits(columns=30)
    person.sees_prompt()
    person.runs("rows=[{a: abcdefghijklmnopqrstuvwxyz012345, b: 1}]")
    displayed = output(person, "table $rows")
    assert displayed == "a" + " " * 28 + "b\nabcdefghijklmnopqrstuvwxyz…  1"
    assert output(person, "table $rows | wc -L") == "35"


def test_listing_fits_the_terminal_as_in_gnu_ls(person: Person, home: Path) -> None:
    for name in ("a b", "tab\there", "plain", "it's"):
        (home / name).write_text("")
    (home / "tool").write_text("")
    (home / "tool").chmod(0o755)
    (home / "folder").mkdir()
    (home / "link").symlink_to("folder")
    ours = output(person, "ls")
    styles = [person.style(name) for name in ("folder", "tool", "link", "plain")]
    expected = output(person, "/bin/ls --color=auto")
    assert ours == expected
    assert styles == [person.style(name) for name in ("folder", "tool", "link", "plain")]
    assert styles[0][0] == "blue"
    assert output(person, "ls | head -n 1") == "a b"


def test_listing_without_colors(sits: Sits, home: Path) -> None:
    (home / "folder").mkdir()
    person = sits(NO_COLOR="1")
    person.sees_prompt()
    assert output(person, "ls") == "folder"
    assert person.style("folder")[0] == "default"


# ---------------------------------------------------------------- errors


def test_errors_are_colored(person: Person) -> None:
    person.runs("echo )")
    assert person.style("E105")[0] == "red"
    assert person.style("^")[0] == "red"
    assert person.style("fix:")[0] == "green"
    person.runs("echo $((1 / 0))")
    assert person.style("E206")[0] == "red"


@pytest.mark.parametrize(("terminal", "no_color"), [("linux", "1"), ("dumb", "")])
def test_errors_are_plain_without_colors(sits: Sits, terminal: str, no_color: str) -> None:
    person = sits(TERM=terminal, NO_COLOR=no_color)
    person.sees_prompt()
    person.types(f"echo ){ENTER}")
    person.sees("\nfix: ")
    assert person.style("E105")[0] == "default"
    assert "\x1b" not in person.screen


def test_scripts_use_colors_only_on_a_terminal(person: Person, home: Path) -> None:
    (home / "bad.ksh").write_text("echo )\n")
    run = f"{sys.executable} -m keysh"
    for command in (f"{run} bad.ksh", f"{run} check bad.ksh"):
        person.runs(command)
        assert person.style("E105")[0] == "red"
        person.runs(f"{command} 2>errors")
        assert "\x1b" not in (home / "errors").read_text()
        assert "E105" in (home / "errors").read_text()


def test_error_excerpt_fits_the_window(sits: Sits) -> None:
    person = sits(columns=30)
    person.sees_prompt()
    person.types(f"echo {'x' * 40} ){ENTER}")
    person.sees("fix:")
    person.sees_prompt()
    rows = person.screen.split("\n")
    [carets] = [row for row in rows if row.strip() == "^"]
    assert rows[rows.index(carets) - 1][len(carets) - 1] == ")"


def test_scripts_can_ask_for_a_terminal(person: Person, home: Path) -> None:
    script = """\
        test -t 0; echo $?; [[ -t 1 ]]; echo $?; [ -t 1 ] | cat; echo ${PIPESTATUS[0]}
        exec 5>&1; [ -t 5 ]; echo $?; [ -t 6 ]; echo $?; test -t 0 < /dev/null; echo $?
        echo "$([ -t 1 ] || echo captured)"; tty | sed 's/[0-9]*$//'
    """
    (home / "asks").write_text(script)
    for shell in ("bash", f"{sys.executable} -m keysh"):
        person.runs(f"clear; {shell} asks")
        displayed = person.screen.split("\n")
        assert [line for line in displayed if len(line) == 1] == ["0", "0", "1", "0", "1", "1"], (
            shell
        )
        assert "captured\n/dev/pts/\n" in person.screen


# ---------------------------------------------------------------- where little is there


def test_home_is_not_a_directory(sits: Sits) -> None:
    person = sits(HOME="/dev/null")
    person.sees_prompt()
    person.runs("echo fine")
    assert "\nfine\n" in person.screen
    assert person.screen.count("keysh: no history is kept: /dev/null/") == 1


def test_home_is_unset(sits: Sits) -> None:
    person = sits(HOME="")
    person.sees_prompt()
    person.runs("cd /; echo fine")
    assert "\nfine\n" in person.screen
    assert person.leaves() == 0


def test_prompt_works_in_20_columns(sits: Sits, home: Path) -> None:
    (home / "init.ksh").write_text("unset PS1\nmkdir a-rather-long-name; cd a-rather-long-name\n")
    sign = "#" if os.geteuid() == 0 else "$"
    person = sits(columns=20, rows=12, KEYSH_INIT="init.ksh")
    person.sees_prompt(sign)
    assert person.screen == f"…a-rather-long-name\n{sign}"
    person.runs("nosuch", sign)
    person.types("head --" + TAB)
    person.sees("--lines")
    person.types(CTRL["C"])
    person.waits(lambda: person.line == sign, "the prompt")
    person.types(f"head{ESCAPE}?")
    person.sees("Usage: head")


def test_non_terminal_input_is_a_script(person: Person) -> None:
    person.runs(f"echo 'echo from the input' | {sys.executable} -m keysh")
    assert "\nfrom the input\n" in person.screen
    person.runs(f"{sys.executable} -m keysh </dev/null; echo status $?")
    assert "\nstatus 0\n" in person.screen
