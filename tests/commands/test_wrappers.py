"""nice, nohup, setsid, stdbuf: where real programs run, the machine's own wrapper starts them."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

import keysh
from commands.command_runner import run_keysh
from fake_shell import FakeShell
from keysh.interp.engine.invoke import invoke
from keysh.interp.state.call import Call
from keysh.interp.streams.streams import Reader, Writer
from keysh.shell.command_listing import command_named
from keysh.vfs.memory.filesystem import MemoryFS
from keysh.vfs.router import Router
from real_tools import need


def test_arguments_arrive_as_they_are() -> None:
    for name, options in (
        ("nice", ["-n", "3"]),
        ("nohup", []),
        ("stdbuf", ["-oL"]),
        ("setsid", []),
    ):
        seen: list[object] = []

        def note(words: list[object], seen: list[object] = seen) -> int:
            seen.extend(words)
            return 7

        assert run_keysh(name, *options, "cmd", "-n", [1], "--help", run=note).status == 7
        assert seen == ["cmd", "-n", [1], "--help"]


def test_nohup_redirects_a_terminal() -> None:
    class Terminal(Writer):
        width = 80

    fs = Router(MemoryFS())
    errors: list[str] = []

    class Printing(FakeShell):
        def run_words(
            self, call: Call, words: object, env: object, cwd: object, launch_error: str = ""
        ) -> int:
            call.out.write("hello\n")
            return 0

    call = Call("nohup", Printing(fs), Reader(()), Terminal(print), Writer(errors.append))
    assert invoke(command_named("nohup"), call, ["cmd"]) == 0
    assert errors == ["nohup: ignoring input and appending output to 'nohup.out'\n"]
    with fs.open("/nohup.out") as stream:
        assert stream.read() == b"hello\n"


def shell_at(folder: Path, external: object) -> keysh.Shell:
    """A shell on the machine's files."""
    env = {"PATH": os.environ["PATH"]}
    return keysh.Shell(keysh.LocalFS("/"), cwd=str(folder), env=env, external=external)


@pytest.fixture
def shell(tmp_path: Path) -> keysh.Shell:
    return shell_at(tmp_path, True)


def test_a_program_gets_its_niceness(shell: keysh.Shell) -> None:
    need("nice")
    shell.run("command -v python3").check()
    out = shell.run("nice -n 5 python3 -c 'import os; print(os.nice(0))'").stdout
    assert int(out) == os.nice(0) + 5


def test_a_program_ignores_hangups(shell: keysh.Shell) -> None:
    need("nohup")
    code = "import signal; print(signal.getsignal(signal.SIGHUP) is signal.SIG_IGN)"
    assert shell.run(f"nohup python3 -c '{code}'").stdout == "True\n"


def test_a_program_leads_a_session(shell: keysh.Shell) -> None:
    need("setsid")
    code = "import os; print(os.getsid(0) == os.getpid())"
    assert shell.run(f"setsid -w python3 -c '{code}'").stdout == "True\n"


def test_a_policy_is_asked_about_the_program_alone(tmp_path: Path) -> None:
    """`nice` is keysh's own then, so a program that it runs cannot escape the policy."""
    python = os.path.realpath(sys.executable)
    policy = keysh.Policy(allow=[python], allow_writable=True)
    other = tmp_path / "other"
    other.write_text(f"#!{python}\nprint(2)\n")
    other.chmod(0o755)
    with shell_at(tmp_path, policy) as shell:
        for wrapper in ("nice -n 5", "nohup", "stdbuf -oL", "setsid"):
            assert shell.run(f"{wrapper} {python} -c 'print(1)'").stdout == "1\n"
            assert shell.run(f"{wrapper} ./other").code == 126
