"""The prompt at a real terminal: keys are typed, and the screen is read."""

from __future__ import annotations

import os
import select
import sys
from pathlib import Path

import pytest

from repl.conftest import Sits
from repl.terminal_user import CTRL, ENTER, ESCAPE, PROMPT, RIGHT, TAB, UP, Person

MAX_WAIT_SECONDS = 30.0


def test_state_is_kept_between_lines(person: Person) -> None:
    person.runs("x=5; cd /")
    person.runs("echo $((x + 1)) $PWD")
    assert person.screen.endswith(f"6 /\n{PROMPT}")


def test_several_lines_are_one_text(person: Person) -> None:
    person.writes("for x in a b; do")
    person.types(ENTER)
    person.waits(lambda: person.line == ">", "the next line")
    person.writes("echo got-$x")
    person.types(ENTER)
    person.waits(lambda: person.line == ">", "the next line")
    person.types(f"done{ENTER}")
    person.sees_prompt()
    assert person.screen.endswith(f"got-a\ngot-b\n{PROMPT}")


def test_pasting_500_lines_gives_one_text(person: Person) -> None:
    lines = "".join(f"n=$((n + {number}))\n" for number in range(500))
    person.types(f"\x1b[200~{lines}echo sum=$n\x1b[201~")
    person.waits(lambda: person.line.endswith("echo sum=$n"), "the last line")
    person.types(ENTER)
    person.sees("sum=124750")


def test_diagnostic_shows_its_location(person: Person) -> None:
    person.runs("echo )")
    assert "keysh:1:6: E105 no `(` is open: `)`\n  echo )\n       ^\nfix: " in person.screen
    person.runs("echo status $?")
    assert "\nstatus 2\n" in person.screen


def test_unknown_command_suggests_the_nearest(person: Person) -> None:
    person.runs("hed x")
    assert "keysh: hed: command not found; did you mean `head`?" in person.screen


@pytest.mark.parametrize(
    "script", ["while true; do :; done", "sleep 100", "cat", "/bin/sleep 100", "yes >/dev/null"]
)
def test_ctrl_c_ends_the_running_command(script: str, person: Person) -> None:
    person.writes(f"echo begun; {script}")
    person.types(ENTER)
    person.sees("\nbegun\n")
    person.types(CTRL["C"])
    person.sees_prompt()
    person.runs("echo status $?")
    assert "\nstatus 130\n" in person.screen


def test_ctrl_c_abandons_the_line(person: Person) -> None:
    person.writes("echo never")
    person.types(CTRL["C"])
    person.sees_prompt()
    person.runs("echo after")
    assert "\nnever" not in person.screen


def test_ctrl_d_exits_with_the_last_status(person: Person) -> None:
    person.runs("false")
    assert person.leaves() == 1


def test_exit_trap_runs_only_on_exit(person: Person) -> None:
    person.runs("trap 'echo bye' EXIT")
    person.runs("(exit 3)")
    assert "\nbye" not in person.screen
    person.types(f"exit 4{ENTER}")
    person.sees("\nbye")
    assert person.ends() == 4


def test_unset_variable_ends_only_the_line(person: Person) -> None:
    person.runs("set -u; echo $nothing")
    person.runs("echo still here")
    assert "\nstill here\n" in person.screen


def test_output_without_newline_is_kept(person: Person) -> None:
    person.runs("printf abc")
    assert f"\nabc%\n{PROMPT}" in person.screen


def test_standard_prompt(sits: Sits, home: Path) -> None:
    (home / ".git").mkdir()
    (home / ".git" / "HEAD").write_text("ref: refs/heads/topic/one\n")
    (home / "init.ksh").write_text("unset PS1\n")
    person = sits(KEYSH_INIT="init.ksh", USER="amy")
    sign = "#" if os.geteuid() == 0 else "$"
    person.sees_prompt(sign)
    assert person.screen == f"~ topic/one\n{sign}"
    person.runs("mkdir sub; cd sub; false", sign)
    assert person.screen.endswith(f"~/sub topic/one 1\n{sign}")
    assert person.style("~/sub")[0] == "blue"


def test_user_prompt_and_hooks(sits: Sits, home: Path) -> None:
    (home / "init.ksh").write_text(
        'keysh_prompt() { echo -n "<$(basename $PWD)> "; }\n'
        'keysh_before() { echo "before: $1"; }\n'
        'keysh_after() { echo "after: $1 $2"; }\n'
    )
    person = sits(KEYSH_INIT="init.ksh")
    person.sees_prompt("<home>")
    person.runs("cd /; false", "</>")
    assert "\nbefore: cd /; false\nafter: cd /; false 1\n" in person.screen
    person.runs("echo $?", "</>")
    assert "\n1\nafter" in person.screen


def test_failing_init_file_reports_its_location(sits: Sits, home: Path) -> None:
    (home / "init.ksh").write_text("x=1\necho ${x[\n")
    person = sits(KEYSH_INIT="init.ksh")
    person.sees_prompt()
    assert f"{home}/init.ksh:2:" in person.screen.replace("\n", "")


def test_missing_init_file(sits: Sits) -> None:
    person = sits(KEYSH_INIT="/no/such")
    person.sees_prompt()
    assert person.screen == f"keysh: /no/such: No such file or directory\n{PROMPT}"


# ---------------------------------------------------------------- editing


def test_completion_inserts_the_common_prefix(person: Person, home: Path) -> None:
    (home / "a dir").mkdir()
    (home / "a dir" / "file.txt").write_text("content\n")
    person.writes("cat a")
    person.types(TAB)
    person.waits(lambda: person.line.endswith("cat a\\ dir/"), "the directory")
    person.types(TAB)
    person.waits(lambda: person.line.endswith("cat a\\ dir/file.txt"), "the file")
    person.types(ENTER)
    person.sees("\ncontent\n")


def test_menu_shows_options_with_their_help(person: Person) -> None:
    person.writes("head --")
    person.types(TAB)
    person.sees("--bytes            print the first NUM bytes")
    person.types(TAB)
    person.waits(lambda: person.line.endswith("head --lines"), "the first option")


def test_highlighting(person: Person) -> None:
    person.writes('if head -n 1 "a"; then nosuch; fi; echo $HOME | cat )')
    person.sees_style("if", "magenta")
    person.sees_style("head", "blue")
    person.sees_style("-n", "brown")  # which pyte calls yellow
    person.sees_style('"a"', "green")
    person.sees_style("nosuch", "red")
    person.sees_style("$HOME", "cyan")
    person.sees_style(")", "red", is_underlined=True)


def test_suggestion_comes_from_history(person: Person) -> None:
    person.runs("echo remembered")
    person.types("ec")
    person.waits(lambda: person.line == f"{PROMPT} echo remembered", "the suggestion")
    person.types(RIGHT + ENTER)
    person.waits(lambda: person.screen.count("\nremembered") == 2, "the second run")


def test_history_search(person: Person) -> None:
    person.runs("echo apple")
    person.runs("echo pear")
    person.types(f"{CTRL['R']}appl")
    person.sees("I-search backward: appl")
    person.types(ENTER)
    person.waits(lambda: person.line == f"{PROMPT} echo apple", "the found line")
    person.types(ENTER)
    person.waits(lambda: person.screen.count("\napple") == 2, "the second run")


def test_two_prompts_share_their_history(sits: Sits, home: Path) -> None:
    one, other = sits(), sits()
    one.sees_prompt()
    other.sees_prompt()
    one.runs("echo first")
    one.runs(" echo private")
    other.runs("echo second")
    one.runs("echo third")
    other.runs("true")
    other.types(UP + UP)
    other.waits(lambda: other.line == f"{PROMPT} echo third", "the other's line")
    other.types(UP + UP)
    other.waits(lambda: other.line == f"{PROMPT} echo first", "the first line")
    kept = (home / ".local/share/keysh/history.jsonl").read_text()
    assert kept.count("\n") == 4
    assert "private" not in kept


def test_help_of_the_command_at_the_cursor(person: Person) -> None:
    person.writes("head -n 3 | wc")
    person.types(f"{ESCAPE}?")
    person.sees("Usage: wc [OPTION]... [FILE]...")
    person.types(f"{ESCAPE}?")
    person.waits(lambda: "Usage" not in person.screen, "the end of the panel")


def test_vi_keys(person: Person) -> None:
    person.runs("set -o vi")
    person.writes("echo one two")
    person.types(f"{ESCAPE}0wcesix")
    person.waits(lambda: person.line == f"{PROMPT} echo six two", "the change")
    person.types(f"{ESCAPE}{ENTER}")
    person.sees("\nsix two\n")
    person.sees_prompt()
    person.runs("set -o emacs")
    person.writes("echo xx")
    person.types("\x01\x0b")  # Ctrl-A, Ctrl-K
    person.sees_prompt()


def test_user_editor(person: Person, home: Path) -> None:
    editor = home / "editor"
    editor.write_text("#!/bin/sh\necho 'echo edited' > $1\n")
    editor.chmod(0o755)
    person.runs("EDITOR=$HOME/editor")
    person.writes("echo x")
    person.types(f"{CTRL['X']}{CTRL['E']}")
    person.waits(lambda: person.line == f"{PROMPT} echo edited", "the edited text")
    person.types(ENTER)
    person.sees("\nedited\n")


def test_editor_removes_the_file(person: Person, home: Path) -> None:
    editor = home / "editor"
    editor.write_text("#!/bin/sh\nrm -- $1\n")
    editor.chmod(0o755)
    person.runs("EDITOR=$HOME/editor")
    person.writes("echo kept")
    person.types(f"{CTRL['X']}{CTRL['E']}")
    person.sees("line.ksh: No such file or directory\n")
    person.waits(lambda: person.line == f"{PROMPT} echo kept", "the text as it was")
    person.types(ENTER)
    person.sees("\nkept\n")


# ---------------------------------------------------------------- values


def test_values_are_shown_as_tables(person: Person) -> None:
    person.runs('fromjson \'[{"name": "amy", "size": 5}, {"name": "bo", "size": 120}]\'')
    assert "\nname  size\namy      5\nbo     120\n" in person.screen
    person.runs("fromjson '{\"a\": 1}' | cat")
    assert '\n{"a":1}\n' in person.screen


def test_undecodable_bytes_are_shown(person: Person) -> None:
    person.runs("printf 'a\\xff\\033[1mb\\n'")
    assert "\na\\xff\\x1b[1mb\n" in person.screen


# ---------------------------------------------------------------- jobs and programs


def test_job_output_appears_above_the_line(person: Person, home: Path) -> None:
    person.runs("{ until [ -e gate ]; do sleep 0.01; done; echo the job; } &")
    person.writes("echo half")
    (home / "gate").touch()
    person.sees("the job")
    person.waits(lambda: person.line == f"{PROMPT} echo half", "the line that is written")
    person.types(ENTER)
    person.sees("\nhalf\n")


def test_program_is_stopped_and_continued(person: Person) -> None:
    person.starts("/bin/sh -c 'echo begun; exec /bin/cat'")
    person.types(f"one{ENTER}")
    person.waits(lambda: person.screen.count("one") == 2, "the program's answer")
    person.types(CTRL["Z"])
    person.sees("[1]+  Stopped ")
    person.sees_prompt()
    person.runs("jobs -s | wc -l")
    assert person.screen.endswith(f"\n1\n{PROMPT}")
    person.starts("fg", "/bin/sh -c echo begun")
    person.types(f"two{ENTER}")
    person.waits(lambda: person.screen.count("two") == 2, "the answer after `fg`")
    person.types(CTRL["D"])
    person.sees_prompt()
    person.runs("echo status $?")
    assert "\nstatus 0\n" in person.screen


def test_stopped_pipeline_is_one_job(person: Person) -> None:
    person.starts("/bin/sh -c 'echo begun; exec /bin/cat' | /bin/cat")
    person.types(CTRL["Z"])
    person.sees("exec /bin/cat | /bin/cat\n")
    person.sees_prompt()
    person.runs("jobs -s | wc -l")
    assert person.screen.endswith(f"\n1\n{PROMPT}")
    person.runs("kill %1; wait %1; echo status $?")
    assert "\nstatus 143\n" in person.screen


def test_keys_go_to_the_program(person: Person, home: Path) -> None:
    (home / "catch.py").write_text(
        "import signal, sys, time\n"
        "signal.signal(signal.SIGINT, lambda *_: sys.exit(3))\n"
        "print('begun', flush=True)\n"
        "while True:\n"
        "    time.sleep(0.05)\n"
    )
    person.starts(f"{sys.executable} catch.py")
    person.types(CTRL["C"])
    person.sees_prompt()
    person.runs("echo status $?")
    assert "\nstatus 3\n" in person.screen


def test_terminal_is_restored_after_a_crash(person: Person) -> None:
    person.runs("/bin/sh -c 'stty -echo -icanon; kill -9 $$'")
    person.starts("/bin/sh -c 'echo begun; exec /bin/cat'")
    person.types(f"seen{ENTER}")
    person.waits(lambda: person.screen.count("seen") == 2, "the echo of the terminal")
    person.types(CTRL["D"])
    person.sees_prompt()


def test_exit_warns_once_about_running_jobs(person: Person) -> None:
    person.runs("sleep 100 &")
    person.types(CTRL["D"])
    person.sees("There are running jobs: 1")
    person.sees_prompt()
    assert person.leaves() == 0


def test_closing_the_terminal_ends_jobs(person: Person, home: Path) -> None:
    person.runs("/bin/sh -c 'echo $$ >pid.new; mv pid.new pid; exec sleep 1000' &")
    person.runs("until [ -s pid ]; do sleep 0.01; done; cat pid")
    held = os.pidfd_open(int((home / "pid").read_text()))
    try:
        person.process.close(force=False)
        assert select.select([held], [], [], MAX_WAIT_SECONDS)[0]
    finally:
        os.close(held)


# ---------------------------------------------------------------- where little is there


def test_narrow_window(sits: Sits) -> None:
    person = sits(columns=20, rows=6)
    person.sees_prompt()
    person.types("echo a line that is longer than that" + ENTER)
    person.sees("\nr than that\n")
    person.sees_prompt()
    assert person.leaves() == 0


def test_output_follows_window_resizes(person: Person) -> None:
    person.resizes(40, 10)
    person.runs("/bin/stty size")
    assert "\n10 40\n" in person.screen


def test_dumb_terminal(sits: Sits) -> None:
    person = sits(TERM="dumb")
    person.sees_prompt()
    person.types(f"if true; then{ENTER}")
    person.waits(lambda: person.line == ">", "the next line")
    person.types(f"echo plain; fi{ENTER}")
    person.sees("\nplain\n")
    assert person.leaves() == 0


def test_closed_output_is_reported(sits: Sits) -> None:
    person = sits()
    person.sees_prompt()
    person.runs(f"/bin/sh -c 'exec {sys.executable} -m keysh >&-'")
    assert "keysh: standard output: Bad file descriptor\n" in person.screen


def test_closed_standard_error_falls_back_to_the_output(sits: Sits) -> None:
    person = sits(PS1="[$LEVEL] ")
    person.sees_prompt("[$LEVEL]")
    person.runs(f"/bin/sh -c 'PS1=inner exec {sys.executable} -m keysh 2>&-'", "inner")
    person.types(f"nosuch{ENTER}")
    person.sees("keysh: nosuch: command not found")


def test_c_locale(sits: Sits) -> None:
    person = sits(LANG="C", LC_ALL="C")
    person.sees_prompt()
    person.runs("echo é")
    assert "\né\n" in person.screen


def test_unwritable_home(sits: Sits) -> None:
    person = sits(KEYSH_HISTORY="/proc/no/such")
    person.sees_prompt()
    person.runs("echo fine")
    assert "\nkeysh: no history is kept: /proc/no/such: " in person.screen
    assert person.screen.count("/proc/no/such") == 1
    person.types(UP)
    person.waits(lambda: person.line == f"{PROMPT} echo fine", "the line of this session")


def test_without_prompt_toolkit(sits: Sits, home: Path) -> None:
    (home / "prompt_toolkit.py").write_text("raise ModuleNotFoundError(name='prompt_toolkit')\n")
    person = sits(PYTHONPATH=str(home))
    person.sees_prompt()
    assert person.screen.startswith("keysh: no line editing without prompt_toolkit")
    person.types(f"echo plain{ENTER}")
    person.sees("\nplain\n")
    assert person.leaves() == 0


def test_sandbox_prompt(sits: Sits) -> None:
    person = sits("--memory", "--keep-env", "PS1")
    person.sees_prompt()
    person.runs("echo data > f; ls")
    assert "\nbin  dev  f  usr\n" in person.screen or "\nbin\ndev\nf\nusr\n" in person.screen


def test_a_line_is_taken_back(sits: Sits, home: Path) -> None:
    """At a prompt a run is a line; `undo` takes back the one before, files and state alike."""
    person = sits("--journal=journal")
    person.sees_prompt()
    person.runs("echo one > f; x=1")
    person.runs("rm f; x=2; cd /")
    person.runs("undo")
    assert "undone 2: rm f; x=2; cd /" in person.screen
    person.runs('echo "$x $(cat f) $([[ $PWD == $HOME ]] && echo home)"')
    assert "\n1 one home\n" in person.screen
    person.runs("redo; ls")
    assert not (home / "f").exists()
    person.runs("changes -l")
    assert "rm f; x=2; cd /" in person.screen


def test_a_prompt_is_written_to_an_image(sits: Sits, home: Path) -> None:
    person = sits("snapshot", "shell.img", "--memory", "--keep-env", "PS1")
    person.sees_prompt()
    person.runs("x=kept; echo text > /f")
    person.types(f"exit{ENTER}")
    person.waits(lambda: (home / "shell.img").exists(), "the image")
    person = sits("restore", "shell.img")
    person.sees_prompt()
    person.runs('echo "[$x $(cat /f)]"')
    assert "\n[kept text]\n" in person.screen
