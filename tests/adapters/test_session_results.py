"""Results as values, commands that move to the background, Edit, and tools that tell what is."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator

import jsonschema
import pytest

import keysh
from keysh.adapters.agent import KeyshSession, ShellManager, ToolRegistry, ToolResult, tools_for
from keysh.adapters.agent.outputs import Outputs
from keysh.adapters.tool_result import RESULT_SCHEMA

FILES = {
    "/a": "one\ntwo\none\n",
    "/crlf": "a\r\nb\r\n",
    "/blanks": "  x = 1\n",
    "/raw": b"\xff one\n",
}


@pytest.fixture
def tools() -> Iterator[ToolRegistry]:
    session = KeyshSession(files=FILES, journal=True)
    with ShellManager(session, max_shown=2000) as manager:
        yield tools_for(manager)


def call(tools: ToolRegistry, name: str, **arguments: object) -> ToolResult:
    return tools.execute_sync(name, arguments)


def bash(tools: ToolRegistry, command: str) -> ToolResult:
    return call(tools, "Bash", command=command)


def test_results_are_values_for_later_commands(tools: ToolRegistry) -> None:
    first = bash(tools, """echo '{"ages":[3,5]}'""")
    assert (first.metadata["result"], first.metadata["result_file"]) == (1, "/v/results/1")
    assert bash(tools, "result | jq -c .ages").output == "[3,5]\n"
    assert bash(tools, "x=$(result 1); echo $x; cat /v/results/2").output == (
        '{"ages":[3,5]}\n[3,5]\n'
    )
    assert "result" not in bash(tools, "true").metadata
    assert call(tools, "Read", path="/v/results/2").output == "[3,5]\n"
    for number in range(110):
        bash(tools, f"echo {number}")
    gone = bash(tools, "result 1")
    assert "there is no result 1: 14 to 113 are kept" in gone.output


def test_what_a_script_makes_among_the_results_is_left_alone(tools: ToolRegistry) -> None:
    made = "cd /v/results; mkdir 1 3; ln -s /a 4; echo x > 007; echo y > /v/output/1; echo a"
    assert bash(tools, made).metadata["result"] == 2
    assert bash(tools, "echo b").metadata["result"] == 5
    assert "2 to 5 are kept" in bash(tools, "result 7").output
    assert bash(tools, "result 2; result").output == "a\nb\n"
    assert bash(tools, "rm 2; mkdir 2; echo c").metadata["result"] == 7
    for number in range(110):
        assert bash(tools, f"echo {number}").output == f"{number}\n"
    cut = bash(tools, "seq 10000").cut
    assert cut is not None
    assert cut["file"] == "/v/output/2"


def test_the_host_says_how_much_of_an_output_is_shown(tools: ToolRegistry) -> None:
    result = bash(tools, "seq 10000")
    assert len(result.output) < 2100
    assert "the whole is in /v/output/1" in result.output
    assert result.cut is not None
    assert result.cut["file"] == "/v/output/1"
    assert bash(tools, "result | tail -n 1").output == "10000\n"
    with pytest.raises(TypeError, match="max_shown must be a number from 1000"):
        ShellManager(max_shown=5)


def test_a_command_that_takes_long_moves_to_the_background() -> None:
    with ShellManager(KeyshSession()) as manager:
        tools = tools_for(manager, promote_after=50)
        moved = bash(tools, "sleep 0.2; echo done")
        assert moved.metadata["moved_to_background"] is True
        assert "was still running after 50 ms" in moved.output
        shell = manager.get_shell(moved.metadata["bash_id"])
        assert shell is not None
        assert shell.wait(20)
        assert call(tools, "BashOutput", bash_id=shell.id).output == "done\n"
        assert bash(tools, "echo quick").output == "quick\n"
        assert "A command that takes long continues in the background." in tools.system_prompt()
    with pytest.raises(TypeError, match="promote_after must be milliseconds above 0"):
        tools_for(manager, promote_after=0)


EDITS = {
    "once": ({"path": "/a", "old_string": "two", "new_string": "2"}, "", "one\n2\none\n"),
    "all": (
        {"path": "/a", "old_string": "one", "new_string": "1", "replace_all": True},
        "",
        "1\ntwo\n1\n",
    ),
    "twice": (
        {"path": "/a", "old_string": "one", "new_string": "1"},
        "/a: old_string occurs 2 times, in lines 1, 3: add lines around it, or set replace_all",
        "one\ntwo\none\n",
    ),
    "missing": (
        {"path": "/a", "old_string": "three", "new_string": "1"},
        "/a: old_string is not in the file",
        "one\ntwo\none\n",
    ),
    "blanks": (
        {"path": "/blanks", "old_string": "x = 1\ny", "new_string": "1"},
        "/blanks: old_string is not in the file, but line 1 is like its first one: see the blanks",
        "  x = 1\n",
    ),
    "line ends": (
        {"path": "/crlf", "old_string": "a\nb", "new_string": "1"},
        "/crlf: old_string is not in the file, whose lines end in CR LF",
        "a\r\nb\r\n",
    ),
    "empty": (
        {"path": "/a", "old_string": "", "new_string": "1"},
        "Edit: old_string is empty; Write makes a new file",
        "one\ntwo\none\n",
    ),
    "same": (
        {"path": "/a", "old_string": "two", "new_string": "two"},
        "Edit: new_string is the same as old_string",
        "one\ntwo\none\n",
    ),
    "bytes": ({"path": "/raw", "old_string": "one", "new_string": "1"}, "", b"\xff 1\n"),
    "no file": (
        {"path": "/none", "old_string": "a", "new_string": "b"},
        "/none: No such file or directory",
        None,
    ),
}


@pytest.mark.parametrize("edit", EDITS)
def test_edits(tools: ToolRegistry, edit: str) -> None:
    arguments, error, content = EDITS[edit]
    result = call(tools, "Edit", **arguments)
    assert (result.error or "") == error
    manager = tools.manager  # type: ignore[attr-defined]
    if content is not None:
        wanted = content if isinstance(content, bytes) else content.encode()
        with manager.session.fs.open(arguments["path"]) as stream:
            assert stream.read() == wanted
    if not error:
        assert result.changes == {
            "files": [{"path": arguments["path"], "kind": "changed"}],
            "session": [],
            "is_complete": True,
        }
        assert "Took back" in call(tools, "Undo").output


def test_changes_are_listed(tools: ToolRegistry) -> None:
    bash(tools, "rm /a")
    bash(tools, "ls")
    bash(tools, "x=1")
    result = call(tools, "Changes")
    assert result.output == "x=1: variable x\nrm /a: /a removed\n"
    assert call(tools, "Changes", count=1).output == "x=1: variable x\n"


def test_commands_and_their_help_are_listed(tools: ToolRegistry) -> None:
    listed = call(tools, "ListCommands", pattern="?zcat").output
    assert [line.split(" - ")[0] for line in listed.splitlines()] == ["bzcat", "lzcat", "xzcat"]
    assert call(tools, "ListCommands").metadata["count"] > 150
    assert call(tools, "Help", command="wc").output.startswith("Usage: wc [OPTION]... [FILE]...\n")
    error = call(tools, "Help", command="grpe").error
    assert error == "there is no command 'grpe'; did you mean grep?"


def test_records_obey_their_schema(tools: ToolRegistry) -> None:
    calls = [
        ("Bash", {"command": "seq 5000; x=1; rm /a"}),
        ("Bash", {"command": "exit 3"}),
        ("Bash", {"command": "while :; do :; done", "timeout": 1000}),
        ("Read", {"path": "/a"}),
        ("Edit", {"path": "/blanks", "old_string": "1", "new_string": "2"}),
        ("Changes", {}),
        ("Help", {"command": "wc"}),
        ("Nope", {}),
    ]
    for name, arguments in calls:
        record = tools.execute_sync(name, arguments).record()
        jsonschema.validate(record, RESULT_SCHEMA)


def test_threads_that_keep_outputs_get_each_their_own_number() -> None:
    shell = keysh.Shell()
    outputs = Outputs(shell.state.session.fs)
    kept: list[tuple[int | None, bytes]] = []

    def keep(thread: int) -> None:
        for number in range(20):
            data = b"%d of %d" % (number, thread)
            kept.append((outputs.keep_result(data), data))

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        threads = [threading.Thread(target=keep, args=(number,)) for number in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(interval)
    assert len(kept) == 80
    for number, data in kept:
        with shell.state.session.fs.open(f"/v/results/{number}") as stream:
            assert stream.read() == data


def test_lines_are_counted_as_commands_count_them(tools: ToolRegistry) -> None:
    call(tools, "Write", path="/odd", content="a\x0cb\u2028c\x85d\r\nx\ny")
    read = call(tools, "Read", path="/odd", offset=2, limit=1)
    assert (read.output, read.metadata["lines"], read.metadata["more"]) == ("x\n", 3, 1)
    assert call(tools, "Bash", command="grep -n x /odd").output == "2:x\n"
    error = call(tools, "Edit", path="/odd", old_string=" x", new_string="z").error
    assert "line 2 is like its first one" in str(error)
