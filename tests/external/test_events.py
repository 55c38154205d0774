"""Events about programs that a host receives: the decision and the end."""

from __future__ import annotations

from pathlib import Path

import pytest

from external.conftest import Open
from keysh import Cancel, Limits, Policy

Event = dict[str, object]


@pytest.mark.parametrize("text", ["{}", "{} | cat", "x=$({})", "{} & wait", "spawn command={}"])
def test_decisions_and_endings_are_reported(shell: Open, text: str) -> None:
    events: list[Event] = []
    sh = shell(external=Policy(deny=["ls"]), on_event=events.append, clock=7.5)
    sh.run(text.format("/bin/true"))
    sh.run(text.format("/bin/ls"))
    allowed, ended, denied = events
    assert allowed["pid"] == ended["pid"] != 0
    assert {**allowed, "pid": 0} == {
        "event": "program", "time": 7.5, "allowed": True, "started": True, "rule": "",
        "reason": "", "path": "/usr/bin/true", "argv": ["/bin/true"], "cwd": "/work", "pid": 0,
    }  # fmt: skip
    assert {**ended, "pid": 0, "duration_ms": 0} == {
        "event": "ended", "time": 7.5, "pid": 0, "path": "/usr/bin/true", "code": 0,
        "signal": None, "stop": "", "limit": "", "survivors": [], "duration_ms": 0,
    }  # fmt: skip
    assert {key: denied[key] for key in ("allowed", "started", "rule", "reason", "pid")} == {
        "allowed": False, "started": False, "rule": "deny", "reason": "/usr/bin/ls is denied",
        "pid": 0,
    }  # fmt: skip


ENDS = {
    "exit 3": {"code": 3, "signal": None},
    "kill -9 $$": {"code": 137, "signal": 9},
}


@pytest.mark.parametrize("script", ENDS)
def test_ending_is_reported(shell: Open, script: str) -> None:
    events: list[Event] = []
    shell(on_event=events.append).run(f"/bin/sh -c '{script}'")
    assert {key: events[1][key] for key in ("code", "signal")} == ENDS[script]


def test_reason_for_stopping_is_reported(shell: Open) -> None:
    events: list[Event] = []
    sh = shell(on_event=events.append)
    sh.run("/bin/sleep 60", timeout=0.05)
    cancel = Cancel()
    cancel.cancel()
    sh.run("/bin/sleep 60 | cat", timeout=0.05)
    sh = shell(on_event=events.append, limits=Limits(processes=2))
    sh.run("/bin/sh -c 'sleep 60 & sleep 60 & sleep 60 & wait'")
    ends = [(event["stop"], event["limit"]) for event in events if event["event"] == "ended"]
    assert ends == [("timeout", ""), ("timeout", ""), ("limit", "max_processes")]


def test_failed_start(shell: Open, tmp_path: Path) -> None:
    tool = tmp_path / "tool"
    tool.write_text("#!/no/such/interpreter\n")
    tool.chmod(0o755)
    events: list[Event] = []
    shell(on_event=events.append).run("./tool")
    (event,) = events
    assert (event["allowed"], event["started"], event["rule"], event["reason"]) == (
        True, False, "", "its interpreter was not found",
    )  # fmt: skip


def test_refusals_by_the_shell(shell: Open) -> None:
    events: list[Event] = []
    sh = shell(on_event=events.append, limits=Limits(processes=1))
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
    with shell(on_event=events.append) as sh:
        sh.run("/usr/bin/yes | /bin/cat | head -n 1 > /dev/null; /bin/sleep 60 & /bin/true")
        sh.run("/bin/sleep 60 | exit 3")  # which may end before `sleep` begins
    started = sorted(str(event["pid"]) for event in events if event["event"] == "program")
    assert len(started) in (4, 5)
    assert sorted(str(event["pid"]) for event in events if event["event"] == "ended") == started


def test_end_is_reported_although_a_message_is_over_the_limit(shell: Open) -> None:
    events: list[Event] = []
    sh = shell(in_memory=True, on_event=events.append, limits=Limits(output=1))
    assert sh.run("/bin/sh -c 'echo x >file'").limit is not None
    assert [event["event"] for event in events] == ["program", "ended"]


@pytest.mark.parametrize("kind", ["program", "ended"])
def test_program_ends_if_its_event_handler_fails(shell: Open, kind: str) -> None:
    def fail(event: Event) -> None:
        if event["event"] == kind:
            raise KeyError(kind)

    result = shell(on_event=fail).run(
        "/bin/sh -c 'sleep 60 & exec sleep 60'" if kind == "program" else "/bin/true"
    )
    assert isinstance(result.error, KeyError)
