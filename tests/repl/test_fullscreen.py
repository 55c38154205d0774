"""Full-screen programs get the keys, can be stopped, and continue."""

from __future__ import annotations

from pathlib import Path

from real_tools import needs
from repl.terminal_user import CTRL, ENTER, ESCAPE, PROMPT, UP, Person

VIM = "vim -u NONE -i NONE -n"


def opens(person: Person, command: str) -> None:
    """Start vim, and wait until it has drawn its screen: the lines after the end of the file."""
    person.writes(command)
    person.types(ENTER)
    person.waits(lambda: person.screen.count("\n~") > 5, "the program's screen")


@needs("vim")
def test_vim_edits_a_file_and_quits(person: Person, home: Path) -> None:
    (home / "file").write_text("first\n")
    opens(person, f"{VIM} file")
    person.types("osecond")
    person.sees("\nsecond\n")
    person.types(f"{ESCAPE}:wq{ENTER}")
    person.sees_prompt()
    assert (home / "file").read_text() == "first\nsecond\n"
    person.runs("echo status $?")
    assert "\nstatus 0\n" in person.screen


@needs("vim")
def test_vim_is_stopped_and_continued(person: Person, home: Path) -> None:
    opens(person, f"{VIM} file")
    person.types("ikept")
    person.sees("kept\n~")
    person.types(f"{ESCAPE}{CTRL['Z']}")
    person.sees("Stopped")
    person.sees_prompt()
    person.runs("echo between")
    person.writes("fg")
    person.types(ENTER)
    person.waits(lambda: person.screen.startswith("kept\n~"), "the program's screen")
    person.types(f":wq{ENTER}")
    person.sees_prompt()
    assert (home / "file").read_text() == "kept\n"


@needs("vim")
def test_vim_follows_window_resizes(person: Person, home: Path) -> None:
    size = home / "size"
    tells = "au VimResized * call writefile([&lines . ' ' . &columns], 'size')"
    opens(person, f'{VIM} -c "{tells}"')
    person.resizes(50, 12)
    person.waits(lambda: size.exists() and size.read_text() == "12 50\n", "the program's size")
    person.types(f":q!{ENTER}")
    person.sees_prompt()
    person.runs("/bin/stty size")
    assert "\n12 50\n" in person.screen


@needs("less")
def test_less_at_the_end_of_a_pipeline(person: Person) -> None:
    """It reads keys from the terminal, and its input from a command of the shell."""
    person.writes("seq 1000 | less")
    person.types(ENTER)
    person.waits(lambda: person.line == ":", "the pager's prompt")
    person.types("G")
    person.sees("\n1000\n")
    person.types("q")
    person.sees_prompt()
    person.runs("echo status $?")
    assert "\nstatus 0\n" in person.screen


@needs("top")
def test_top_quits_on_a_key(person: Person) -> None:
    # Where top begins before the terminal is its own, its handler of SIGTTOU makes it give up: so
    # something starts first that is then stopped, and continues later.
    person.writes("/bin/sh -c 'stty echo; exec top'")
    person.types(ENTER)
    person.sees("PID", hides_cursor=True)
    person.types("q")
    person.sees_prompt()


def test_nested_shell_owns_the_terminal(person: Person) -> None:
    person.writes("PS1='inner> ' /bin/sh -i")
    person.types(ENTER)
    person.sees_prompt("inner>")
    person.types(f"echo in$((1))ner{ENTER}")
    person.sees("\nin1ner\n")
    person.types(CTRL["D"])
    person.sees_prompt()
    person.types(UP)
    person.waits(lambda: person.line.endswith(" /bin/sh -i"), "the shell's own last line")


@needs("vim")
def test_line_is_edited_in_the_real_editor(person: Person) -> None:
    person.runs(f"export EDITOR='{VIM}'")
    person.writes("echo one")
    person.types(f"{CTRL['X']}{CTRL['E']}")
    person.waits(lambda: person.screen.count("\n~") > 5, "the editor")
    person.types(f"A two{ESCAPE}:wq{ENTER}")
    person.waits(lambda: person.line == f"{PROMPT} echo one two", "the changed line")
    person.types(ENTER)
    person.sees("\none two\n")
