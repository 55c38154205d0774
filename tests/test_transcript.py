"""The transcript format, its runner for bash, and `--accept`."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bash import Bash, is_reference_machine, read_recording, run_in_bash, write_recording
from keysh.testing.transcript import (
    SHOWN_HOME,
    Answer,
    CannotRun,
    ConsoleFence,
    FileFence,
    Outcome,
    Page,
    PageError,
    accept,
    parse_answer,
    parse_page,
    render_answer,
    run_page,
    verdict,
)
from real_tools import needs

pytestmark = pytest.mark.quick

needs_bash = needs("bash")

PAGE = """\
# Words

```file in/a.txt
one

two
```

```sh
not run
```

```console gnu
$ printf 'a\\n' \\
>   b
a
\\$ c
! oops
[3]
$ true
```

```console gnu differs="values stay whole"
$ echo x
x
```
"""


class Canned:
    """A runner that gives the same answer to every command."""

    def __init__(self, answer: Answer) -> None:
        self.answer = answer

    def run(self, fence: ConsoleFence, directory: Path) -> list[Answer]:
        return [self.answer for _ in fence.steps]


class Obedient:
    """A runner that gives the answers of the page."""

    def run(self, fence: ConsoleFence, directory: Path) -> list[Answer]:
        return [step.answer for step in fence.steps]


def real_bash(fence: ConsoleFence, directory: Path) -> list[Answer]:
    return run_in_bash(fence.commands, directory)


def console(*lines: str, info: str = "console gnu") -> Page:
    return parse_page("\n".join([f"```{info}", *lines, "```", ""]), "page")


def judge(page: Page, tmp_path: Path, ours: Answer | None = None) -> list[str]:
    keysh = Canned(ours) if ours else Obedient()
    outcomes = run_page(page, keysh, real_bash, tmp_path)
    return [verdict(fence, out) for fence, out in zip(page.consoles, outcomes, strict=True)]


# Reading


def test_page_is_read() -> None:
    page = parse_page(PAGE, "lang/words")
    file, first, second = page.fences
    assert file == FileFence(3, "in/a.txt", "one\n\ntwo\n")
    assert isinstance(first, ConsoleFence)
    assert first.line == 13
    assert first.gnu
    assert first.commands == ["printf 'a\\n' \\\n  b", "true"]
    assert [step.answer for step in first.steps] == [Answer("a\n$ c\n", "oops\n", 3), Answer()]
    assert isinstance(second, ConsoleFence)
    assert second.differs == "values stay whole"


@pytest.mark.parametrize(
    ("lines", "answer"),
    [
        ([], Answer()),
        (["", " x "], Answer("\n x \n")),
        (["a", "[no newline]"], Answer("a")),
        (["! a", "! [no newline]", "[1]"], Answer("", "a", 1)),
        (["!", "!x"], Answer("!x\n", "\n")),
        (["\\[1]", "\\! a", "\\> b", "\\\\$ c", "\\d", "\\```"],
         Answer("[1]\n! a\n> b\n\\$ c\n\\d\n```\n")),
        (["! \\$ a", "! \\[no newline]"], Answer("", "$ a\n[no newline]\n")),
    ],
)  # fmt: skip
def test_answer_is_read(lines: list[str], answer: Answer) -> None:
    assert parse_answer(lines) == answer


output = st.text(st.sampled_from("\\$>![]0 `nx\t\n")) | st.lists(
    st.sampled_from(["$ a", "> a", ">", "!", "[1]", "[no newline]", "```", "\\", "\\$ a", ""])
).map("\n".join)


@given(st.builds(Answer, output, output, st.integers(0, 255)))
def test_answer_is_read_back(answer: Answer) -> None:
    lines = render_answer(answer)
    assert parse_answer(lines) == answer
    page = console("$ cmd", *lines)
    assert [step.answer for step in page.consoles[0].steps] == [answer]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("```console\nout\n```\n", r"page.md:2: a command must come here: 'out'"),
        ("```console\n$ \n```\n", "a command must come here"),
        ("```console\n```\n", "holds no command"),
        ("```console\n$ a\n", "page.md:1: a fence is not closed"),
        ("```consle\n$ a\n```\n", "unknown fence: consle"),
        ('```console differs="x"\n$ a\n```\n', "unknown fence"),
        ('```console gnu differs=""\n$ a\n```\n', "unknown fence"),
        (" ```console\n $ a\n ```\n", "indented"),
        ("```file ../x\n```\n", "outside the page"),
        ("```file /x\n```\n", "outside the page"),
        ("```file x cr\n```\n", "unknown fence"),
        ("```console\n$ a\n[1]\nb\n```\n", "a status must end the answer"),
        ("```console\n$ a\n[0]\n```\n", "status 0 is not written"),
        ("```console\n$ a\nb\n> c\n```\n", "a mark stands where output is"),
        ("```console\n$ a\n[no newline]\n```\n", "must stand behind the last line"),
        ("```console\n$ a\nb\n[no newline]\nc\n```\n", "must stand behind the last line"),
    ],
)
def test_broken_page_is_refused(text: str, problem: str) -> None:
    with pytest.raises(PageError, match=problem):
        parse_page(text, "page")


def test_longer_fence_holds_a_shorter_one() -> None:
    page = parse_page("````text\n```console\n$ a\n```\n````\n", "page")
    assert page.fences == ()


def test_file_may_have_windows_line_endings() -> None:
    page = parse_page("```file a.txt crlf\none\n\n```\n", "page")
    assert page.fences == (FileFence(1, "a.txt", "one\r\n\r\n"),)


# Judging


def test_keysh_must_agree(tmp_path: Path) -> None:
    page = console("$ echo b", "a", info="console")
    assert judge(page, tmp_path, Answer("b\n", "", 1)) == [
        "--- page\n+++ keysh\n@@ -1,2 +1,3 @@\n $ echo b\n-a\n+b\n+[1]"
    ]


@needs_bash
def test_bash_must_agree(tmp_path: Path) -> None:
    page = console("$ echo b", "a")
    assert judge(page, tmp_path) == ["--- page\n+++ bash\n@@ -1,2 +1,2 @@\n $ echo b\n-a\n+b"]


@needs_bash
@pytest.mark.parametrize(
    ("command", "lines", "agrees"),
    [
        ("nope", ["! keysh: nope: command not found; did you mean `nop`?", "[127]"], True),
        ("nope", ["! keysh:1:1: E301 unknown command: `nope`", "[127]"], True),
        ("nope", ["! nope: unknown", "[127]"], False),
        ("nope", ["! keysh: nope: command not found", "[1]"], False),
        ("true", ["! keysh: true: command not found"], False),
    ],
)
def test_message_of_keysh_requires_a_message_of_bash(
    command: str, lines: list[str], agrees: bool, tmp_path: Path
) -> None:
    [problem] = judge(console(f"$ {command}", *lines), tmp_path)
    assert agrees == (problem == "")


@needs_bash
@pytest.mark.parametrize(
    ("command", "lines"),
    [
        ("echo out; echo err >&2; false", ["out", "! err", "[1]"]),
        ("exit 4", ["[4]"]),
        ("kill -TERM $$", ["[143]"]),
        ("trap 'echo bye; echo err >&2' EXIT", ["bye", "! err"]),
        ("printf a", ["a", "[no newline]"]),
        ("cat", []),
        ("pwd; echo ~", [SHOWN_HOME, SHOWN_HOME]),
        ("set -x; echo $(echo a)", ["a", "! ++ echo a", "! + echo a"]),
        ("nope", ["! nope: command not found", "[127]"]),
        ("declare -F", []),
        ("env | cut -d= -f1 | sort | tr '\\n' ' '", ["HOME LC_ALL PATH PWD SHLVL _ ",
                                                     "[no newline]"]),
    ],
)  # fmt: skip
def test_answer_of_bash(command: str, lines: list[str], tmp_path: Path) -> None:
    assert judge(console(f"$ {command}", *lines), tmp_path) == [""]


@needs_bash
def test_state_lasts_for_a_block_and_files_for_a_page(tmp_path: Path) -> None:
    text = """\
```file a.txt
hello
```

```console gnu
$ x=1; mkdir d; cd d
$ false
[1]
$ echo "$?" "$x" >../b.txt
$ set -e
$ basename "$PWD"
d
```

```console gnu
$ cat a.txt b.txt; echo "[$x]"
hello
1 1
[]
```
"""
    assert judge(parse_page(text, "page"), tmp_path) == ["", ""]


@needs_bash
def test_command_after_an_exit_is_reported(tmp_path: Path) -> None:
    page = console("$ exit", "$ echo a", "a")
    assert judge(page, tmp_path) == ["bash had ended before this command: echo a"]


@needs_bash
def test_declared_difference_must_differ(tmp_path: Path) -> None:
    text = '```console gnu differs="why"\n$ echo a\n{}\n```\n'
    (tmp_path / "1").mkdir()
    (tmp_path / "2").mkdir()
    assert judge(parse_page(text.format("b"), "page"), tmp_path / "1") == [""]
    assert judge(parse_page(text.format("a"), "page"), tmp_path / "2") == [
        "bash agrees with the page, so this must go: why"
    ]


@needs_bash
def test_nothing_is_left_running(tmp_path: Path) -> None:
    fifo = tmp_path / "held"
    os.mkfifo(fifo)
    reader = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
    hold = f"exec 9>{fifo}; sleep 1000 & "
    if shutil.which("setsid"):
        hold += "setsid sleep 1000 & "
    with pytest.raises(CannotRun, match=r"stopped after 0\.5 seconds"):
        run_in_bash([hold + "wait"], tmp_path, timeout=0.5)
    assert run_in_bash([hold + "echo started"], tmp_path) == [Answer("started\n")]
    # The pipe ends when the last process that holds its other end has ended.
    os.set_blocking(reader, True)
    assert os.read(reader, 1) == b""
    os.close(reader)


# Accepting


def test_accept_changes_only_what_differs(tmp_path: Path) -> None:
    text = (
        "# Title  \n\n```console\n$ a\n! first\nsecond\n$ b \\\n>  c\nold\n[1]\n$ e\n```\n\n"
        "```text\n$ a\n```\nend"
    )
    page = parse_page(text, "page")
    outcome = Outcome([Answer("second\n", "first\n"), Answer("$ new", "no\n", 2), Answer("x\n")])
    accepted = accept(page, [outcome])
    assert accepted == text.replace("old\n[1]\n$ e\n", "\\$ new\n[no newline]\n! no\n[2]\n$ e\nx\n")
    again = parse_page(accepted, "page")
    assert accept(again, [outcome]) == accepted
    assert verdict(again.consoles[0], outcome) == ""


def test_accept_keeps_a_block_that_could_not_run() -> None:
    page = console("$ a", "old")
    assert accept(page, [Outcome(error="no")]) == "\n".join(page.lines)


@pytest.mark.parametrize("output", ["\x1b[0m", "a\r\n", "\0", "\udcff"])
def test_accept_refuses_output_that_a_page_cannot_show(output: str) -> None:
    page = console("$ a", info="console")
    with pytest.raises(PageError, match="the output of 'a' holds U"):
        accept(page, [Outcome([Answer(output)])])


# Recording


@needs_bash
@pytest.mark.skipif(not is_reference_machine(), reason="bash 5.2 and GNU coreutils are not here")
def test_recorded_answers_stand_in_for_bash(tmp_path: Path) -> None:
    page = parse_page("```console gnu\n$ cat f; echo a >>f\n```\n" * 2, "page")
    recording = tmp_path / "deep" / "page.json"
    for name in ("live", "replayed"):
        (tmp_path / name).mkdir()
    live = Bash(recording, live=True)
    outcomes = run_page(page, Obedient(), live, tmp_path / "live")
    assert [outcome.bash[0].stdout for outcome in outcomes] == ["", "a\n"]
    write_recording(recording, live.answered)
    assert read_recording(recording) == live.answered
    replayed = run_page(page, Obedient(), Bash(recording, live=False), tmp_path / "replayed")
    assert replayed == outcomes
    write_recording(recording, [])
    assert not recording.exists()


def test_missing_bash_without_a_recording_is_reported(tmp_path: Path) -> None:
    bash = Bash(tmp_path / "none.json", live=False)
    [outcome] = run_page(console("$ a"), Obedient(), bash, tmp_path)
    assert outcome.error == "bash 5.2 is not here and its answers are not recorded"


@needs_bash
def test_missing_tool_is_answered_from_the_recording(tmp_path: Path) -> None:
    recording = tmp_path / "page.json"
    blocks = [(["no-such-tool"], [Answer("from the tool\n")])]
    write_recording(recording, blocks)
    page = console("$ no-such-tool", "from the tool")
    [outcome] = run_page(page, Obedient(), Bash(recording, live=True), tmp_path)
    assert verdict(page.consoles[0], outcome) == ""


def test_reference_machine_is_recognised_by_its_tools() -> None:
    if not shutil.which("bash", path="/usr/bin:/bin"):
        assert not is_reference_machine()
        return
    version = subprocess.run(
        ["/usr/bin/env", "bash", "-c", "echo ${BASH_VERSINFO[0]}.${BASH_VERSINFO[1]}"],
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    assert is_reference_machine() <= (version == "5.2\n")
