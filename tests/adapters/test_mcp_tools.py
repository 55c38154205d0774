"""Tools of a server of the Model Context Protocol as commands: `weather forecast city=Berlin`."""

from __future__ import annotations

import os
import re
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

import keysh
from keysh import Limits, Policy, Rules, Shell
from keysh.adapters.agent import KeyshSession, ShellManager, tools_for
from keysh.adapters.tools import McpServer
from keysh.adapters.tools.mcp_server import name_of_program, name_of_url

SERVER = [sys.executable, "-S", "-E", str(Path(__file__).parent / "raw_mcp_server.py")]


def server(*words: str, name: str = "weather", **options: object) -> McpServer:
    return McpServer([*SERVER, *words], name=name, **options)  # type: ignore[arg-type]


@pytest.fixture
def shell() -> Iterator[Shell]:
    with Shell(tools=[server()]) as made:
        yield made


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


CALLS = {
    "weather forecast city=Berlin days=3": '{"tool":"forecast","city":"Berlin","days":3}',
    "weather forecast Berlin": '{"tool":"forecast","city":"Berlin"}',
    "weather forecast 5 --days=2": '{"tool":"forecast","city":"5","days":2}',
    "x=5; weather forecast $x days=$x": '{"tool":"forecast","city":"5","days":5}',
    "weather forecast B tags=a tags=b": '{"tool":"forecast","city":"B","tags":["a","b"]}',
    "weather forecast B tags=[a, b] sizes=[1, 2]":
        '{"tool":"forecast","city":"B","tags":["a","b"],"sizes":[1,2]}',
    "weather forecast B --raw": '{"tool":"forecast","city":"B","raw":true}',
    "weather forecast B near={km: 2}": '{"tool":"forecast","city":"B","near":{"km":2}}',
    "weather forecast B near=null": '{"tool":"forecast","city":"B","near":null}',
    "weather forecast B start_date=now": '{"tool":"forecast","city":"B","start-date":"now"}',
    "weather forecast -- a=b": '{"tool":"forecast","city":"a=b"}',
    "x=$(weather forecast B); echo ${x[city]}": "B",
    "weather forecast B | jq -r .city": "B",
    "weather rm": '{"tool":"rm"}',
    "weather x_y": '{"tool":"../x y"}',
    "weather x-y": '{"tool":"x-y"}',
    "weather free": '{"tool":"free"}',
    "weather picture": '[{"type":"image","data":"AA==","mimeType":"image/png"}]',
    "weather bombs x=1 y=2": '{"tool":"bombs","x":1,"y":2}',
    "weather twins a_b=1": '{"tool":"twins","a-b":"1"}',
}  # fmt: skip
REFUSALS = {
    "weather forecast city=B days=11": "E303 weather: days must be at most 10, but is '11'",
    "weather forecast city=B days=x": "E303 weather: days must be a whole number from 1 to 10",
    "weather forecast B unit=K": "E303 weather: unit must be one of C, F, but is 'K'",
    "weather forecast B sizes=[1, x]": "sizes[1] must be a whole number, but is 'x'",
    "weather forecast B near={m: 2}": "near must be a record with km, but has m",
    "weather forecast B near={km: x}": "near.km must be a number, but is 'x'",
    "weather forecast B start-date=now": "fix: write `start_date=`",
    "weather forecast citty=B": "fix: did you mean `city=`?",
    "weather forecast --citty B": "E302",
    "weather forcast city=B": "fix: did you mean `forecast`?",
    "weather forecast": "E304 weather: missing operand",
    "weather forecast A B": "E305",
}


def test_calls_are_bound_by_the_schema_and_give_values(shell: Shell) -> None:
    for script, output in CALLS.items():
        result = shell.run(script)
        assert (result.stdout, result.stderr) == (f"{output}\n", ""), script


def test_arguments_are_checked_before_the_run(shell: Shell) -> None:
    for script, message in REFUSALS.items():
        result = shell.run(f"echo begun; {script}")
        assert result.code == 2, script
        assert message in result.stderr
        assert result.stdout == ""
    assert shell.check("weather forecast city=B days=0")[0].code == "E303"


def test_the_bash_dialect_takes_names_too() -> None:
    with Shell(tools=[server()], dialect="bash") as shell:
        result = shell.run('c="New York"; weather forecast city="$c" days=2 tags=a tags=b')
        assert result.stdout == '{"tool":"forecast","city":"New York","days":2,"tags":["a","b"]}\n'
        refused = shell.run("weather forecast city=B days=$((5 * 5))")
        assert refused.code == 1
        assert refused.stderr == "weather: days must be at most 10, but is '25'\n"


def test_failures_have_the_message_of_the_server(shell: Shell) -> None:
    failed = shell.run("weather fail why='no such city' || echo $?; weather refuse")
    assert failed.stdout == "1\n"
    assert failed.stderr == "weather: no such city\nweather: not \\x07 now (-32602)\n"


def test_a_server_that_died_is_started_again(shell: Shell) -> None:
    first = int(shell.run("weather pid").stdout)
    died = shell.run("weather die")
    assert died.code == 1
    assert died.stderr.startswith("weather: the server ended with status 3: cannot open ")
    assert SERVER[-1] not in died.stderr  # a path of the host that no script sees
    assert int(shell.run("weather pid").stdout) != first


def test_a_call_that_times_out_is_cancelled_at_the_server(shell: Shell) -> None:
    assert shell.run("timeout 0.1 weather wait 60").code == 124
    assert shell.run("weather cancelled").stdout == "1\n"


def test_several_calls_wait_at_once(shell: Shell) -> None:
    script = "weather wait 0.2 & for i in 1 2 3; do weather pid; done; wait"
    assert shell.run(script).stdout.splitlines()[-1] == "waited"


def test_the_connection_is_made_late_and_ends_with_the_last_shell() -> None:
    shell = Shell(tools=[server()])
    connection = shell.registry.plugins["weather"].load.__self__  # type: ignore[attr-defined]
    shell.run("echo a")
    assert connection._channel is None
    pid = int(shell.run("weather pid").stdout)
    fork = shell.fork()
    shell.close()
    assert int(fork.run("weather pid").stdout) == pid
    fork.close()
    assert not is_alive(pid)


def test_rules_and_on_command_decide_about_calls() -> None:
    rules = Rules([{"command": "weather", "arguments": ["wait", "..."], "decision": "deny"}])
    asked: list[object] = []
    records: list[dict[str, object]] = []

    def ask(name: str, arguments: list[object], place: object) -> None:
        asked.append((name, *map(str, arguments)))

    with Shell(tools=[server()], rules=rules, on_command=ask, audit=records.append) as shell:
        assert shell.run("weather forecast city=B").code == 0
        assert "denied by rule 1" in shell.run("weather wait 0").stderr
    assert asked[0] == ("weather", "forecast", "city=B")
    assert any("forecast" in str(record) for record in records)


def test_limits_hold_for_answers() -> None:
    with Shell(tools=[server(max_bytes=200_000)], limits=Limits(seconds=20)) as shell:
        assert len(shell.run("weather large 90000").stdout) == 90001
        for call in ("weather large 300000", "weather endless"):
            result = shell.run(call)
            assert result.code == 1
            assert "more than 200000 bytes" in result.stderr
        assert shell.run("weather deep | head -c 3").stdout == "[[["


def test_an_answer_that_never_comes() -> None:
    with Shell(tools=[server(seconds=0.3), server("silent", name="silent", seconds=0.2)]) as shell:
        assert shell.run("weather mute").stderr == "weather: the server did not answer in time\n"
        assert shell.run("silent x").stderr == "silent: the server did not answer in time\n"


def test_a_program_that_is_not_there() -> None:
    with Shell(tools=[McpServer("/nowhere/server --port 5", name="gone")]) as shell:
        result = shell.run("echo begun; gone x")
        assert (result.code, result.stdout) == (1, "begun\n")
        assert result.stderr.startswith("gone: the server cannot be started: ")
    policy = Policy(["git"])
    with Shell(tools=[server(policy=policy)]) as shell:
        assert "cannot be started" in shell.run("weather pid").stderr


def test_a_changed_list_of_tools_is_read_again(shell: Shell) -> None:
    assert shell.run("weather fresh").code == 2
    assert shell.run("weather change").code == 0
    assert shell.run("weather fresh").stdout == '{"tool":"fresh"}\n'


def test_help_and_completion_show_what_the_server_offers(shell: Shell) -> None:
    listing = shell.run("weather").stdout
    assert "forecast   The forecast of a city.\n" in listing
    assert "note: the tool '__' is left out: it has no name for a script" in listing
    assert "note: the tool 'x-y' is left out: another tool has the name x-y" in listing
    assert "'a.b' is left out: 'a-b' has its name" in listing
    assert "\x1b" not in listing
    assert "\u202e" not in listing
    text = shell.run("weather forecast --help").stdout
    assert text.startswith("Usage: weather forecast [OPTION]... CITY\nThe forecast of a city.\n")
    assert "days=  [optional] a whole number from 1 to 10  how many\n" in text
    assert [one.text for one in shell.complete("weather fo")] == ["forecast"]
    assert [one.text for one in shell.complete("weather forecast da")] == ["days="]
    assert [one.text for one in shell.complete("weather forecast unit=")] == ["C", "F"]


def test_words_of_a_schema_are_shown_without_controls_and_cut(shell: Shell) -> None:
    texts = [shell.run("weather traps --help").stdout]
    texts += [shell.run(f"w=b; weather traps {word}").stderr for word in (
        "word=$w", "near={a: 1}", "text=$w",
    )]  # fmt: skip
    for text in texts:
        assert "\\x1b" in text
        assert "\x1b" not in text
        assert len(text) < 1000
    assert [one.text for one in shell.complete("weather traps word=")] == ["b" * 1000, "plain"]
    assert shell.run("weather traps x=5").stdout == '{"tool":"traps","x":5}\n'


def test_only_the_tools_that_the_host_names_are_offered() -> None:
    with Shell(tools=[server(only=["pid", "../x y"])]) as shell:
        listing = shell.run("weather").stdout
        assert re.findall(r"^(\S+)(?:  |$)", listing, re.MULTILINE) == ["pid", "x_y"]
        assert "there is no tool 'rm'" in shell.run("weather rm").stderr


def test_isolated_shells_call_their_hosts_tools() -> None:
    with Shell(tools=[server()], isolated=True) as shell:
        script = "x=$(weather forecast city=B days=2); echo ${x[days]}; weather forecast B | wc -l"
        assert shell.run(script).stdout == "2\n1\n"
        assert "days must be at most 10" in shell.run("weather forecast B days=12").stderr


def test_a_shell_of_many_threads_has_one_connection(shell: Shell) -> None:
    forks = [shell.fork() for _ in range(8)]
    outputs: list[str] = []
    threads = [
        threading.Thread(target=lambda fork=fork: outputs.append(fork.run("weather pid").stdout))
        for fork in forks
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({*outputs}) == 1
    assert len(outputs) == 8
    for fork in forks:
        fork.close()


def test_items_of_a_scatter_are_arguments_of_a_tool(shell: Shell) -> None:
    for engine in ("threads", "processes"):
        script = "w=[weather, forecast]; x=[{city: A}, B]; scatter $w ...$x workers=2"
        script += f" engine={engine}"
        result = shell.run(f"{script} | gather | jq -r .city")
        assert (result.stdout, result.stderr) == ("A\nB\n", "")
    refused = shell.run("w=[weather, forecast]; x=[{city: A, days: 12}]; scatter $w ...$x")
    assert "days must be at most 10" in refused.stderr


def test_agents_have_the_tools_of_their_session() -> None:
    with ShellManager(KeyshSession(tools=[server()])) as manager:
        tools = tools_for(manager)
        assert "Commands of this host: weather." in tools.system_prompt()
        pid = tools.execute_sync("Bash", {"command": "weather pid"}).output
        begun = tools.execute_sync("Bash", {"command": "weather pid", "run_in_background": True})
        background = manager.get_shell(begun.metadata["bash_id"])
        assert background is not None
        assert background.wait(20)
        assert background.get_new_output() == (pid, "")
        text = tools.execute_sync("Help", {"command": "weather forecast"}).output
        assert text.startswith("Usage: weather forecast [OPTION]... CITY\n")
        assert tools.execute_sync("Help", {"command": "weather nope"}).error is not None
    assert not is_alive(int(pid))


def test_plain_functions_are_tools() -> None:
    def double(sh: keysh.Call, number: int) -> int:
        """Double a number.

        number  the number
        """
        sh.out.write(f"{number * 2}\n")
        return 0

    with Shell(tools=[double]) as shell:
        assert shell.run("double 4").stdout == "8\n"


@pytest.mark.parametrize(
    ("tools", "message"),
    [
        ("npx server", "tools must be a list of servers and functions"),
        ([5], "a tool must be a server of tools or a function"),
        ([server(name="grep")], "grep is a command of keysh"),
        ([server(), server()], "two servers have the name weather"),
    ],
)
def test_mistakes_of_a_host(tools: object, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        Shell(tools=tools)


def test_a_host_may_hide_a_command_of_keysh() -> None:
    with Shell(tools=[server(name="grep", shadows=True)]) as shell:
        assert shell.run("grep free").stdout == '{"tool":"free"}\n'


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: McpServer(5), "a server must be a URL, a command line or a list of words"),
        (lambda: McpServer(""), "a server must have a program"),
        (lambda: McpServer("x", name="a b"), "name must be the name of a command"),
        (lambda: McpServer("x", seconds=0), "seconds must be a number above 0"),
        (lambda: McpServer("http://", name="a"), "URL"),
        (lambda: McpServer("http://a:b@example.org/"), "must have no user name"),
        (lambda: McpServer("http://example.org/", headers={"A": "b\n"}), "cannot be sent"),
        (lambda: McpServer("http://example.org/", auth=5), "auth must be a token"),
    ],
)
def test_mistakes_in_a_server(make: object, message: str) -> None:
    with pytest.raises((TypeError, ValueError), match=message):
        make()  # type: ignore[operator]


def test_names_are_those_of_programs_and_hosts() -> None:
    words = {
        "uvx mcp-server-git --repository .": "git",
        "npx -y @modelcontextprotocol/server-weather@1.2": "weather",
        "python server/tools.py": "tools",
        "/opt/weather-mcp": "weather",
    }
    assert {line: name_of_program(line.split()) for line in words} == words
    assert name_of_url("https://api.weather.gov/mcp") == "weather"
    assert name_of_url("http://localhost:80/") == "localhost"
