"""Doubles of programs: what the test learns of a call, and what the script of the double."""

from __future__ import annotations

import os
import threading
from typing import Any

import pytest

from keysh import Audit, Cancel, Events, Policy, Shell
from keysh.testing import Answer, FakePrograms, ProgramCall


def echo(call: ProgramCall) -> int:
    """Print the arguments and the input, on both streams."""
    call.stdout.write(f"{call.args} {call.stdin.read()}")
    call.stderr.write("note\n")
    return len(call.args)


def test_words_environment_directory_and_streams() -> None:
    with FakePrograms({"tool": echo}) as programs:
        shell = Shell(external=programs.policy, env={**programs.env, "KEY": "a\nb"})
        result = shell.run("echo in | tool a 'b c' | cat; echo ${PIPESTATUS[@]}", dialect="bash")
        assert (result.stdout, result.stderr) == ("['a', 'b c'] in\n0 2 0\n", "note\n")
        (call,) = programs.calls
        assert (call.name, call.args, call.env["KEY"]) == ("tool", ["a", "b c"], "a\nb")
        assert (call.status, call.gone.wait(60)) == (2, True)
        assert "LC_CTYPE" not in call.env
        assert os.path.isabs(call.cwd)


@pytest.mark.parametrize(
    ("double", "answer"),
    [
        ("text\n", ("text\n", "", 0)), (3, ("", "", 3)), (Answer("o", "e", 4), ("o", "e", 4)),
        (lambda call: None, ("", "", 0)), (lambda call: "\udcff\r\n", ("\udcff\r\n", "", 0)),
    ],
)  # fmt: skip
def test_answers(double: Any, answer: tuple[str, str, int]) -> None:
    with FakePrograms({"tool": double}) as programs:
        result = Shell(external=programs.policy, env=programs.env).run("tool")
        assert (result.stdout, result.stderr, result.code) == answer


def wait_until_killed(started: threading.Event) -> Any:
    def wait(call: ProgramCall) -> None:
        started.set()
        assert call.gone.wait(60)

    return wait


def test_timeout_and_cancel_end_a_double() -> None:
    started = threading.Event()
    with FakePrograms({"tool": wait_until_killed(started)}) as programs:
        shell = Shell(external=programs.policy, env=programs.env)
        assert shell.run("tool | cat; echo never", timeout=0.5).code == 124
        started.clear()
        cancel = Cancel()
        job = shell.start("tool; echo never", cancel=cancel)
        assert started.wait(30)
        cancel.cancel()
        assert (job.wait().code, job.wait().stdout) == (130, "")
    assert all(call.gone.is_set() for call in programs.calls)  # the block waits for that


def test_policy_rules_events_and_audit_see_a_double() -> None:
    events: list[dict[str, Any]] = []
    records: list[dict[str, Any]] = []
    with FakePrograms({"tool": "x\n", "other": "y\n"}) as programs:
        with Audit(records.append) as audit:
            shell = Shell(
                external=programs.policy, env=programs.env, audit=audit,
                on_event=Events(events.append, only=["program"]),
            )  # fmt: skip
            assert shell.run("tool -v; /bin/echo no").code == 126
        allowed, ended, refused = events
        assert (allowed["argv"], ended["status"], refused["allowed"]) == (["tool", "-v"], 0, False)
        assert allowed["pid"] == programs.calls[0].pid
        assert ["tool", "-v"] in [one.get("argv") for one in records]
        denied = Policy(deny=[f"{programs.path}/other"])
        result = Shell(external=denied, env=programs.env).run("other || tool")
        assert (result.stdout, [call.name for call in programs.calls]) == ("x\n", ["tool", "tool"])


def test_isolated_shell_runs_doubles() -> None:
    with FakePrograms({"tool": echo}) as programs:
        with Shell(external=programs.policy, env=programs.env, isolated=True) as shell:
            result = shell.run("echo in | tool a; echo $?")
        assert result.stdout == "['a'] in\n1\n"


def test_exception_is_raised_where_the_block_ends() -> None:
    def fail(call: ProgramCall) -> None:
        assert call.args == ["b"]

    results = []

    def run() -> None:
        with FakePrograms({"tool": fail}) as programs:
            results.append(Shell(external=programs.policy, env=programs.env).run("tool a"))

    with pytest.raises(AssertionError, match="'a'"):
        run()
    assert results[0].code == 1
    assert results[0].stderr.startswith("tool: AssertionError: assert ['a'] == ['b']")


def test_answer_that_is_none_ends_the_double_and_the_test() -> None:
    programs = FakePrograms({"tool": lambda call: b"text"})  # type: ignore[dict-item, return-value]

    def run() -> None:
        with programs:
            assert Shell(external=programs.policy, env=programs.env).run("tool").code == 1

    with pytest.raises(TypeError, match=r"must return a status, a text.* has returned b'text'"):
        run()


def test_failure_after_the_end_of_a_process_is_raised_too() -> None:
    started, cancel = threading.Event(), Cancel()

    def fail_at_end(call: ProgramCall) -> None:
        started.set()
        assert call.gone.wait(60)
        raise AssertionError("too late")

    def run() -> None:
        with FakePrograms({"tool": fail_at_end}) as programs:
            shell = Shell(external=programs.policy, env=programs.env)
            job = shell.start("tool", cancel=cancel)
            assert started.wait(30)
            cancel.cancel()
            assert job.wait().code == 130

    with pytest.raises(AssertionError, match="too late"):
        run()


def test_processes_that_live_at_the_end_of_the_block_end() -> None:
    doubles = FakePrograms({"tool": lambda call: 0 if call.gone.wait(60) else 1})
    for _ in range(2):
        with doubles as programs, Shell(external=programs.policy, env=programs.env) as shell:
            shell.run("for i in {1..5}; do tool & done")
    assert all(call.gone.is_set() for call in doubles.calls)


def test_names_are_no_paths() -> None:
    for name in ("", "a/b"):
        with pytest.raises(ValueError, match="without /"):
            FakePrograms({name: 0})


def test_nothing_is_left() -> None:
    with FakePrograms({"tool": 0}) as programs:
        Shell(external=programs.policy, env=programs.env).run("tool & tool; wait")
        path = programs.path
    assert not os.path.exists(os.path.dirname(path))
    assert not [one for one in threading.enumerate() if "_serve" in one.name or "_run" in one.name]
