"""Commands of the host that run scripts in the calling shell, with its state and budget."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from keysh import Call, Limits, Result, Shell, command


class Host:
    """A shell with commands that run their argument in that same shell."""

    def __init__(self, limits: Limits | None = None) -> None:
        self.shell = Shell(limits=limits, check=False)
        self.results: list[Result] = []
        shell = self.shell

        @command
        def host(sh: Call, script: str, *, timeout: float | None = None) -> str:
            """Run a script in the shell that runs this.

            script         the script
            --timeout NUM  seconds
            """
            result = shell.run(script, timeout=timeout)
            self.results.append(result)
            return f"<{result.stdout.strip()}>\n"

        @command
        def thrice(sh: Call, script: str) -> Iterator[str]:
            """Run a script three times.

            script  the script
            """
            for _ in range(3):
                yield f"<{shell.run(script).stdout.strip()}>\n"

        @command
        async def awaiting(sh: Call, script: str) -> str:
            """Run a script and wait for it.

            script  the script
            """
            result = await shell.arun(script)
            both = await asyncio.gather(shell.arun("echo 1"), shell.arun("echo 2"))
            return f"<{result.stdout.strip()} {''.join(one.stdout.strip() for one in both)}>\n"

        @command
        async def blocking(sh: Call, script: str) -> str:
            """Run a script on the loop.

            script  the script
            """
            return f"<{shell.run(script).stdout.strip()}>\n"

        for function in (host, thrice, awaiting, blocking):
            shell.add(function)


@pytest.mark.parametrize(
    ("script", "output"),
    [
        ("x=1; host 'echo $x; x=2'; echo $x", "<1>\n2\n"),
        ("for i in 1 2 3; do host 'echo $i'; break; done; echo $i", "<1>\n1\n"),
        (
            "for i in 1 2; do host 'for j in a; do break; done'; continue; done; echo $i",
            "<>\n<>\n2\n",
        ),
        ("f() { host 'echo $1; return 3'; return 4; }; f arg; echo $?", "<arg>\n4\n"),
        ("host 'exit 3'; echo after", "<>\nafter\n"),
        ("trap 'echo bye' EXIT; host 'trap \"echo in\" EXIT'; echo after", "<in>\nafter\nbye\n"),
        ("if host 'set +e; false'; then echo then; fi", "<>\nthen\n"),
        ("set -e; if ! { host 'echo in'; false; }; then echo on; fi; echo end", "<in>\non\nend\n"),
        ("host 'echo a' | cat | host 'cat'; echo x | host 'cat'", "<<a>>\n<x>\n"),
        ("{ host 'echo a'; seq 99999; } | { head -1; host 'echo b'; }", "<a>\n<b>\n"),
        ("thrice 'echo a' | head -2; thrice 'echo b' | host cat", "<a>\n<a>\n<<b>\n<b>\n<b>>\n"),
        ("host 'echo a >&1; echo b >/dev/stdout; { echo c; } 2>&1'", "<a\nb\nc>\n"),
        ("host 'echo a' > /o; host 'echo b > /p; cat /p' >> /o; cat /o", "<a>\n<b>\n"),
        ("echo \"$(host 'echo a')$(host 'host \"echo b\"')\"", "<a><<b>>\n"),
        ("host 'exec > /q; echo hidden'; echo seen; cat /q", "<>\nseen\nhidden\n"),
        ("for i in 1 2 3 4 5; do host 'echo a' & done; wait; echo b", "<a>\n" * 5 + "b\n"),
        ("host 'if'; host 'echo a'", "<>\n<a>\n"),
        ("awaiting 'echo a; host \"echo b\"'; echo after", "<a\n<b> 12>\nafter\n"),
        ("blocking 'echo a' | cat; echo after", "<a>\nafter\n"),
        ("awaiting 'awaiting \"echo a\"'", "<<a 12> 12>\n"),
    ],
)
def test_nested_run_does_not_change_the_outer_one(script: str, output: str) -> None:
    result = Host().shell.run(script)
    assert (result.stdout, result.error) == (output, None), result.stderr
    result = asyncio.run(asyncio.wait_for(Host().shell.arun(script), 30))
    assert (result.stdout, result.error) == (output, None), result.stderr


@pytest.mark.parametrize("limits", [Limits(steps=3000), Limits(seconds=0.5), Limits(output=50)])
def test_budget_is_shared(limits: Limits) -> None:
    host = Host(limits)
    result = host.shell.run("f() { while :; do host 'echo 1234567890'; done; }; f; echo no")
    assert result.limit is not None
    assert "no" not in result.stdout
    assert host.shell.run("echo ok").stdout == "ok\n"


def test_nested_run_may_have_its_own_limit() -> None:
    host = Host(Limits(value=1000))
    result = host.shell.run("f() { host 'x=$(yes)'; local y=1; echo $y; }; f; echo after")
    assert (result.code, result.limit, result.stdout) == (0, None, "<>\n1\nafter\n")
    assert host.results[0].limit is not None
    result = host.shell.run("host --timeout 0.02 'while :; do :; done'; echo after")
    assert (result.limit, result.stdout) == (None, "<>\nafter\n")
    assert host.results[1].code == 124


def test_each_result_has_its_own_error() -> None:
    host = Host()

    @command
    def bad(sh: Call) -> None:
        """Raise."""
        raise ValueError("bad")

    host.shell.add(bad)
    result = host.shell.run("host bad; host 'echo fine'")
    assert isinstance(result.error, ValueError)
    assert [type(one.error) for one in host.results] == [ValueError, type(None)]


def test_a_script_of_a_host_command_runs_in_the_subshell_that_calls_it() -> None:
    shell = Shell(files={"/d/f": ""})

    @shell.add
    def change(sh: Call) -> None:
        """Change the state of the shell that runs this."""
        shell.run("x=inner; cd /d")

    assert shell.run("x=outer; ( change; echo $x $PWD ); echo $x $PWD").stdout == (
        "inner /d\nouter /\n"
    )
    assert shell.run("y=$(change; echo $x); echo $y $x").stdout == "inner outer\n"
    assert shell.run("change; echo $x").stdout == "inner\n"
