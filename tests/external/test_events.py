"""Events about programs that a host receives: the decision and the end."""

from __future__ import annotations

from pathlib import Path

import pytest

from external.conftest import Open, told
from keysh import Cancel, Events, Limits, Policy

Event = dict[str, object]


@pytest.mark.parametrize("text", ["{}", "{} | cat", "x=$({})", "{} & wait", "spawn command={}"])
def test_decisions_and_endings_are_reported(shell: Open, text: str) -> None:
    events: list[Event] = []
    sh = shell(external=Policy(deny=["ls"]), on_event=told(events), clock=7.5)
    sh.run(text.format("/bin/true"))
    sh.run(text.format("/bin/ls"))
    allowed, ended, denied = events
    assert allowed["pid"] == ended["pid"] != 0
    assert {**allowed, "pid": 0, "parent": 0} == {
        "seq": 1, "event": "program", "time": 7.5, "span": allowed["span"], "parent": 0,
        "allowed": True, "started": True, "rule": "",
        "reason": "", "path": "/usr/bin/true", "argv": ["/bin/true"], "cwd": "/work", "pid": 0,
    }  # fmt: skip
    assert {**ended, "pid": 0, "parent": 0, "ms": 0} == {
        "seq": 2, "event": "end", "of": "program", "time": 7.5, "span": allowed["span"],
        "parent": 0, "pid": 0, "path": "/usr/bin/true", "status": 0,
        "signal": None, "stop": "", "limit": "", "survivors": [], "ms": 0,
    }  # fmt: skip
    assert {key: denied[key] for key in ("allowed", "started", "rule", "reason", "pid")} == {
        "allowed": False, "started": False, "rule": "deny", "reason": "/usr/bin/ls is denied",
        "pid": 0,
    }  # fmt: skip


ENDS = {
    "exit 3": {"status": 3, "signal": None},
    "kill -9 $$": {"status": 137, "signal": 9},
}


@pytest.mark.parametrize("script", ENDS)
def test_ending_is_reported(shell: Open, script: str) -> None:
    events: list[Event] = []
    shell(on_event=told(events)).run(f"/bin/sh -c '{script}'")
    assert {key: events[1][key] for key in ("status", "signal")} == ENDS[script]


def test_reason_for_stopping_is_reported(shell: Open) -> None:
    events: list[Event] = []
    sh = shell(on_event=told(events))
    sh.run("/bin/sleep 60", timeout=0.05)
    cancel = Cancel()
    cancel.cancel()
    sh.run("/bin/sleep 60 | cat", timeout=0.05)
    sh = shell(on_event=told(events), limits=Limits(processes=2))
    sh.run("/bin/sh -c 'sleep 60 & sleep 60 & sleep 60 & wait'")
    ends = [(event["stop"], event["limit"]) for event in events if event["event"] == "end"]
    assert ends == [("timeout", ""), ("timeout", ""), ("limit", "max_processes")]


def test_failed_start(shell: Open, tmp_path: Path) -> None:
    tool = tmp_path / "tool"
    tool.write_text("#!/no/such/interpreter\n")
    tool.chmod(0o755)
    events: list[Event] = []
    shell(on_event=told(events)).run("./tool")
    (event,) = events
    assert (event["allowed"], event["started"], event["rule"], event["reason"]) == (
        True, False, "", "its interpreter was not found",
    )  # fmt: skip


def test_refusals_by_the_shell(shell: Open) -> None:
    events: list[Event] = []
    sh = shell(on_event=told(events), limits=Limits(processes=1))
    sh.run("/bin/sleep 60 | /bin/cat")
    sh.run("x=$'\\xff' /bin/true")
    reported = [
        (event["allowed"], event["rule"], event["reason"])
        for event in events
        if event["event"] == "program" and not event["started"]
    ]
    assert reported == [
        (False, "processes", "programs already running: 1"),
        (True, "", "E202 $x is not UTF-8, as a program's environment must be"),
    ]


def test_every_attempt_has_events(shell: Open) -> None:
    """Also those of programs that the run itself has ended."""
    events: list[Event] = []
    with shell(on_event=told(events)) as sh:
        sh.run("/usr/bin/yes | /bin/cat | head -n 1 > /dev/null; /bin/sleep 60 & /bin/true")
        sh.run("/bin/sleep 60 | exit 3")  # which may end before `sleep` begins
    started = sorted(str(event["pid"]) for event in events if event["event"] == "program")
    assert len(started) in (4, 5)
    assert sorted(str(event["pid"]) for event in events if event["event"] == "end") == started


def test_end_is_reported_although_a_message_is_over_the_limit(shell: Open) -> None:
    events: list[Event] = []
    sh = shell(in_memory=True, on_event=told(events), limits=Limits(output=1))
    assert sh.run("/bin/sh -c 'echo x >file'").limit is not None
    assert [event["event"] for event in events] == ["program", "end"]


@pytest.mark.parametrize("kind", ["program", "end"])
def test_exception_of_the_host_is_reported_and_the_program_goes_on(shell: Open, kind: str) -> None:
    def fail(event: Event) -> None:
        if event["event"] == kind:
            raise KeyError(kind)

    result = shell(on_event=Events(fail, only=["program"])).run("/bin/echo on; /bin/echo also")
    assert isinstance(result.error, KeyError)
    assert (result.code, result.stdout) == (0, "on\nalso\n")
    assert result.stderr == f"keysh: on_event: KeyError: '{kind}'\n"  # once
