"""The result of a tool: each fact has its place, and the record obeys its schema."""

from __future__ import annotations

import asyncio
import signal
import threading
from typing import Any

import jsonschema
import pytest

from adapters.sessions import facts, run
from keysh import Limits
from keysh.adapters.agent import (
    BaseTool,
    KeyshSession,
    ShellManager,
    ToolParameter,
    ToolRegistry,
    ToolResult,
    tools_for,
)
from keysh.adapters.agent.bash_session import BashSession
from keysh.adapters.tool_result import RESULT_SCHEMA


def results(calls: list[tuple[str, dict[str, Any]]], **options: Any) -> list[ToolResult]:
    """Return the results of calls of one session, whose records are valid."""
    with ShellManager(KeyshSession(**options)) as manager:
        tools = tools_for(manager)
        made = [tools.execute_sync(name, arguments) for name, arguments in calls]
    for result in made:
        jsonschema.validate(result.record(), RESULT_SCHEMA)
    return made


def result_of(command: str, **options: Any) -> ToolResult:
    return results([("Bash", {"command": command})], **options)[0]


def test_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(RESULT_SCHEMA)
    assert set(ToolResult(True).record()) == set(RESULT_SCHEMA["required"])


def test_record_of_each_tool() -> None:
    made = results(
        [
            ("Bash", {"command": "seq 9000 > a; cat a; cat a; x=1"}),
            ("Bash", {"command": "sleep 60", "run_in_background": True}),
            ("BashOutput", {"bash_id": "none"}),
            ("Write", {"path": "b", "content": "1"}),
            ("Read", {"path": "b"}),
            ("Snapshot", {}),
            ("Reset", {}),
            ("Restore", {}),
            ("Bash", {}),
        ],
        journal=True,
    )
    assert [result.success for result in made] == [
        True, True, False, True, True, True, True, True, False,
    ]  # fmt: skip
    first, background, _, write, *_ = (result.record() for result in made)
    assert first["cut"]["file"] == "/v/output/1"
    assert first["changes"]["session"] == ["variable x"]
    assert (background["exit_code"], background["is_running"]) == (None, True)
    assert write["changes"]["files"] == [{"path": "/b", "kind": "created"}]


def test_limit_says_what_was_used() -> None:
    result = result_of("while :; do :; done", limits=Limits(steps=1000))
    assert (result.success, result.exit_code) == (False, 125)
    assert result.limit == {"kind": "steps", "used": 1001, "allowed": 1000, "place": "bash:1:1"}


def test_timeout_is_a_limit() -> None:
    [result] = results([("Bash", {"command": "sleep 60", "timeout": 1000})])
    assert result.limit is not None
    assert (result.limit["kind"], result.limit["allowed"]) == ("seconds", 1)
    assert result.limit["used"] >= 1


def test_limit_of_the_real_bash(env: dict[str, str]) -> None:
    with ShellManager(BashSession(env=env)) as manager:
        done = run(manager, "sleep 60", 0.1)
    assert (done.stop, done.limit["kind"], done.limit["allowed"]) == ("timeout", "seconds", 0.1)
    assert done.limit["used"] >= 0.1


@pytest.mark.parametrize("in_background", [False, True])
def test_lost_bytes_are_counted(in_background: bool) -> None:
    lines = 3_000_000 if not in_background else 200_000  # beyond what is kept of either
    written = len("".join(f"{number}\n" for number in range(1, lines + 1)))
    with ShellManager(KeyshSession()) as manager:
        tools = tools_for(manager)
        result = tools.execute_sync(
            "Bash", {"command": f"seq {lines}", "run_in_background": in_background}
        )
        if in_background:
            shell = manager.list_shells()[0]
            assert shell.wait(20)
            result = tools.execute_sync("BashOutput", {"bash_id": shell.id})
        assert result.cut is not None
        kept = tools.execute_sync("Bash", {"command": f"wc -c < {result.cut['file']}"})
    mark = len(f"\n[... {result.cut['lost_bytes']} bytes dropped ...]\n")
    assert written - result.cut["lost_bytes"] + mark == int(kept.output)


# ---------------------------------------------------------------- what a model reads


def test_text_of_a_failure() -> None:
    assert result_of("echo out; grpe x").text == (
        "Exit code 127\nout\nbash: line 1: grpe: command not found; did you mean `grep`?\n"
    )


def test_text_with_changes() -> None:
    assert result_of("echo out", journal=True).text == "out\n"
    assert result_of("x=1; cd /; echo a > /f; printf a", journal=True, files={"/g": ""}).text == (
        "a\n[changed: /f created, variable x]"
    )
    assert result_of("mv /g /h", journal=True, files={"/g": "long enough\n"}).text == (
        "[changed: /h moved from /g]"
    )
    assert result_of("touch f{1..25}", journal=True).text.endswith(" created, 5 more]")


def test_text_with_reasons() -> None:
    result = ToolResult.ok(
        "", changes={"files": [], "session": [], "is_complete": False, "reasons": ["a", "b"]}
    )
    assert result.text == "[changed: and perhaps more, since a; b]"


def test_text_with_a_notice() -> None:
    assert ToolResult.ok("out\n", notice="look").text == "out\n[look]"
    assert ToolResult.fail("no; look", notice="look").text == "no; look"


# ---------------------------------------------------------------- without coroutines


class Odd(BaseTool):
    """A tool of a host with a defect."""

    name = "Odd"

    async def _execute(self, context: object, arguments: object) -> ToolResult:
        raise ValueError("oops")


def test_defect_is_an_error_of_the_tool() -> None:
    result = ToolRegistry(Odd()).execute_sync("Odd", {})
    assert str(result.error).startswith("Odd: E299 an unexpected error: ValueError: oops")


def test_call_without_coroutines_within_a_loop() -> None:
    async def main() -> ToolResult:
        return results([("Bash", {"command": "echo in"})])[0]

    result = asyncio.run(main())
    assert (result.output, facts(result)["cwd"]) == ("in\n", "/")


class Interrupted(Exception):
    """Raised by a signal handler."""


def test_interrupt_of_a_call_within_a_loop_cancels_its_command() -> None:
    def interrupt(*_: object) -> None:
        raise Interrupted

    def strike() -> None:
        """Interrupt the thread that waits."""
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGUSR1)

    async def main() -> None:
        with ShellManager(KeyshSession(prepare=lambda shell: shell.add(strike))) as manager:
            tools = tools_for(manager)
            with pytest.raises(Interrupted):
                tools.execute_sync("Bash", {"command": "x=1; strike; sleep 20; x=2"})
            assert tools.execute_sync("Bash", {"command": "echo $x"}).output == "1\n"

    before = signal.signal(signal.SIGUSR1, interrupt)
    try:
        asyncio.run(main())
    finally:
        signal.signal(signal.SIGUSR1, before)


def test_machine_without_threads(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise RuntimeError("can't start new thread")

    async def main() -> None:
        with pytest.raises(RuntimeError, match="the machine has no more of them"):
            results([("Bash", {"command": "echo in"})])

    monkeypatch.setattr("keysh.interp.engine.thread_handoff.start_new_thread", refuse)
    asyncio.run(main())


def test_types_of_parameters() -> None:
    ratio = ToolParameter("ratio", "number", "a share", minimum=0, maximum=1)
    assert [ratio.error_in(value) for value in (0, 0.5, 1)] == ["", "", ""]
    assert ratio.error_in(1.5) == "ratio must be 1 at most, but is 1.5"
    assert ratio.error_in(True) == "ratio must be of type number, but is True"
    with pytest.raises(ValueError, match="type must be one of string, integer"):
        ToolParameter("words", "array", "some words")
