"""Commands that describe the system answer the same on every machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from commands.command_runner import Answer, command_named, run_gnu, run_keysh
from fake_shell import FakeShell
from keysh.interp.engine.invoke import invoke
from keysh.interp.state.call import Call
from keysh.interp.streams.streams import Reader, Writer
from keysh.schema.arguments import GlobArgument
from keysh.vfs.memory.filesystem import MemoryFS
from keysh.vfs.router import Router

pytestmark = pytest.mark.quick


@pytest.mark.parametrize(
    ("call", "out"),
    [
        ("whoami", "user"), ("logname", "user"), ("hostname", "localhost"),
        ("hostname -s", "localhost"), ("uname", "Linux"), ("uname -n", "localhost"),
        ("uname -m", "x86_64"), ("arch", "x86_64"), ("uname -sm", "Linux x86_64"),
        ("uname -pi", "unknown unknown"), ("uname -o", "GNU/Linux"),
        ("uname -a", "Linux localhost 6.1.0-keysh #1 SMP keysh x86_64 GNU/Linux"), ("nproc", "1"),
        ("id", "uid=1000(user) gid=1000(user) groups=1000(user)"), ("id -u", "1000"),
        ("id -un", "user"), ("id -G user", "1000"), ("id -gn 1000", "user"),
        ("getconf PAGE_SIZE", "4096"), ("getconf PATH_MAX /", "4096"),
        ("uptime -p", "up 0 minutes"), ("uptime -s", "2023-11-14 22:13:20"),
        ("uptime", " 22:13:20 up 0 min,  0 users,  load average: 0.00, 0.00, 0.00"),
        ("who -H", "NAME     LINE         TIME             COMMENT"), ("who -q", "\n# users=0"),
        ("hostname -i", "127.0.0.1"), ("hostname -I", ""), ("hostname -sf", "localhost"),
    ],
)  # fmt: skip
def test_nothing_about_the_host_is_revealed(call: str, out: str) -> None:
    name, *words = call.split(" ")
    assert run_keysh(name, *words) == Answer(0, f"{out}\n".encode(), "")


def test_environment_names_user_and_machine() -> None:
    env = {"USER": "amy", "HOSTNAME": "box.example.org", "OMP_NUM_THREADS": "4"}
    assert run_keysh("whoami", env=env).out == b"amy\n"
    assert run_keysh("id", "-un", env=env).out == b"amy\n"
    assert run_keysh("hostname", env=env).out == b"box.example.org\n"
    assert run_keysh("hostname", "-s", env=env).out == b"box\n"
    assert run_keysh("hostname", "-d", env=env).out == b"example.org\n"
    assert run_keysh("nproc", "--ignore", "1", env=env).out == b"3\n"
    assert run_keysh("nproc", "--all", env=env).out == b"1\n"


@pytest.mark.parametrize(
    "call",
    ["arch x", "whoami x", "uname x", "uname -Z", "id nope", "id -z", "id -n", "id -u -g", "tty x",
     "nproc --ignore=x", "printenv nope", "printenv -x", "getconf", "getconf NOPE", "sleep",
     "sleep x", "sleep 0 y z", "sync nope", "hostname -x y", "users", "who", "tty", "tty -s",
     "sleep 0 0s 0m 0.0h 0d", "sync", "logname x", "id -Z", "id -Zn", "who a b c", "who -a",
     "who -Ha", "who -HT", "who -Hu", "who -HTus", "who -Hb", "who -Hbs", "who -Hds", "who -Hr",
     "who -Hqa", "who --mesg -H", "who am i", "who --lo", "who -z"],
)  # fmt: skip
def test_refusals_match_gnu(tmp_path: Path, call: str) -> None:
    name, *words = call.split(" ")
    if name == "hostname":
        assert run_keysh(name, *words).status == 255
    else:
        assert run_keysh(name, *words) == run_gnu(name, *words, cwd=tmp_path)


def test_environment_is_printed() -> None:
    env = {"A": "1", "B": "x\ny"}
    assert run_keysh("printenv", env=env).out == b"A=1\nB=x\ny\n"
    assert run_keysh("printenv", "-0", "B", env=env).out == b"x\ny\0"
    assert run_keysh("printenv", "B", "C", env=env) == Answer(1, b"x\ny\n", "")


@pytest.mark.parametrize(
    ("words", "seconds"),
    [(("1",), 1.0), (("1", "2m"), 121.0), (("250ms",), 0.25), (("1h", "1d"), 90000.0),
     (("infinity",), float("inf"))],
)  # fmt: skip
def test_sleep_adds_up_its_operands(words: tuple[str, ...], seconds: float) -> None:
    around = FakeShell(Router(MemoryFS()))
    call = Call("sleep", around, Reader(()), Writer(print), Writer(print))
    assert invoke(command_named("sleep"), call, words) == 0
    assert around.slept == [seconds]


def test_glob_prints_matching_paths() -> None:
    word = GlobArgument("*.c", lambda: ["a.c", "b c.c"])
    files = {"/x": ""}
    assert run_keysh("glob", word, "x", "nope", files=files) == Answer(0, b"a.c\nb c.c\nx\n", "")
    assert run_keysh("glob", "-0", word).out == b"a.c\0b c.c\0"
    assert run_keysh("glob", GlobArgument("*.d", list)) == Answer(1, b"", "")
