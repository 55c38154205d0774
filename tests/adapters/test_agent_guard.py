"""Which commands the guard allows an agent to run, also inside wrappers and nested scripts."""

from __future__ import annotations

import asyncio

import pytest

from keysh.adapters.agent import Guard, without_secrets
from keysh.diagnostics.dialect import BASH
from keysh.rules.planned_programs import MAX_COMMAND_NESTING, PlannedScript

CWD = "/home/amy/work"


@pytest.fixture(autouse=True)
def mark() -> None:
    """These tests start no process."""


def judged(command: str, guard: Guard | None = None, cwd: str = CWD) -> str:
    return asyncio.run((guard or Guard()).judge(command, cwd))


@pytest.mark.parametrize(
    "command",
    [
        "rm -rf /",
        "rm -r -f /",
        '"rm" -rf /',
        "r'm' -fr '/'",
        "/bin/rm -rf /",
        "sudo rm -rf /",
        "sudo -u root -- rm -rf /*",
        "rm --recursive --force /",
        "rm --rec /",
        "rm -rf --no-preserve-root -- /",
        "rm -rf //",
        "rm -rf /.",
        "rm -rf /tmp/..",
        "rm -rf ../../..",
        "rm -rf /usr /tmp/x",
        "rm -rf /{bin,usr}",
        "rm -rf /e*",
        "rm -rf ~",
        'rm -rf "$HOME"/',
        "rm -rf ~/*",
        "rm -rf /home/*",
        "cd / && rm -rf *",
        "cd /etc; rm -rf .",
        "bash -c 'rm -rf /'",
        "sh -ec 'rm -rf /'",
        "bash -lc 'sh -c \"rm -rf /\"'",
        "bash <<< 'rm -rf /'",
        "bash <<E\nrm -rf /\nE",
        "eval rm -rf /",
        "trap 'rm -rf /' EXIT",
        "echo $(rm -rf /)",
        "echo `rm -rf /`",
        'echo "${x:-$(rm -rf /)}"',
        "cat <(rm -rf /)",
        "f() { rm -rf /; }",
        "if true; then rm -rf /; fi",
        "while true; do rm -rf /; done",
        "case x in x) rm -rf /;; esac",
        "false || rm -rf / &",
        "( cd x; rm -rf / ) | cat",
        "timeout -k 1 5 rm -rf /",
        "env -i A=1 nice -n 5 rm -rf /",
        "xargs -n 1 rm -rf / < list",
        "command -- rm -rf /",
        "find . -exec rm -rf / ';'",
        "find / -name x -delete",
        "mkfs.ext4 /dev/sda1",
        "sudo mkfs -t ext4 /dev/sdb",
        "dd if=/dev/zero of=/dev/sda bs=1M",
        "dd of=/dev/nvme0n1",
        "echo x > /dev/sda",
        "cat image >> /dev/vda1",
        "{ echo x; } > /dev/sda",
        "> /dev/sda",
        "cat image | tee /dev/mmcblk0",
        "cp image /dev/disk2",
        "chmod -R 777 /",
        "chmod 777 -R /etc",
        "chown -R me /usr",
        ":(){ :|:& };:",
        "f() { f | f & }; f",
        "f() { f & f & }; f",
    ],
)
def test_blocked(command: str) -> None:
    assert judged(command).startswith("Command blocked for security reasons: ")


@pytest.mark.parametrize(
    "command",
    [
        'echo "rm -rf /"',
        "echo rm -rf /",
        "grep -r 'rm -rf /' .",
        "git commit -m 'never rm -rf /'",
        "cat <<E\nrm -rf /\nE",
        "rm -rf /tmp/x",
        "rm -rf build ./dist",
        "rm -rf ./*",
        "rm -rf ~/x",
        "rm -f /",
        "rm /etc/x",
        "rm -rf $x",
        "rm -rf /home/amy/old",
        "ls -R /",
        "find . -delete",
        "find / -name x",
        "dd if=/dev/sda of=copy",
        "dd of=/dev/null",
        "echo x > /dev/null 2>&1",
        "cat /dev/sda > copy",
        "chmod -R 755 src",
        "chmod 755 /etc",
        "f() { g | g & }; f",
        "f() { f; }; f",
        "mkfsx",
        "bash -c 'echo hi'",
        "bash script.sh rm -rf /",
        "# rm -rf /",
        "",
    ],
)
def test_not_blocked(command: str) -> None:
    assert judged(command) == ""


def test_reason_is_reported() -> None:
    assert judged("sudo rm -rf /etc") == (
        "Command blocked for security reasons: it removes /etc: sudo rm -rf /etc"
    )


def test_blocking_can_be_turned_off() -> None:
    assert judged("rm -rf /", Guard(blocks=False)) == ""


@pytest.mark.parametrize("text", ["env " * 5000 + "ls", "env --a " * 5000 + "ls"])
def test_command_that_runs_too_many_in_turn_does_not_run(text: str) -> None:
    assert "too many commands" in judged(text)


def test_unparsable_text_does_not_run() -> None:
    assert judged("echo 'a").startswith("Command not run: it cannot be parsed:\n")


def test_nested_texts_are_bounded() -> None:
    assert [
        program.name for program in PlannedScript("eval ls", BASH, MAX_COMMAND_NESTING).programs
    ] == [
        "eval",
        "",
    ]


@pytest.mark.parametrize(
    ("command", "names"),
    [
        ("a; b | c && d &", ["a", "b", "c", "d"]),
        ("sudo -u x a b", ["sudo", "a"]),
        ("$x y", [""]),
        ("x=$(a) b", ["b", "a"]),
        ("x=$(a)", ["a"]),
        ("find . -exec a {} + -exec b {} ';'", ["find", "a", "b"]),
        ("timeout 5 a", ["timeout", "a"]),
        ("env -u X Y=1 a", ["env", "a"]),
        ("/usr/bin/a", ["a"]),
        ("> x", ["true"]),
    ],
)
def test_programs_in_a_text(command: str, names: list[str]) -> None:
    assert [program.name for program in PlannedScript(command, BASH).programs] == names


# ---------------------------------------------------------------- confirmation


@pytest.mark.parametrize(
    "command",
    [
        "git status && git push",
        "npm test",
        "ls | grep x | wc -l",
        "cd src; pwd",
        "python3 script.py",
        "make -j2 > /dev/null 2>&1",
        "find . -name '*.py'",
        "sed -n 1,5p file",
        "awk '{ print $1 }' file",
        "docker ps",
        "timeout 5 git fetch",
        "bash -c 'ls; pwd'",
        "xargs grep x",
    ],
)
def test_commands_allowed_without_confirmation(command: str) -> None:
    def confirm(*_: object) -> bool:
        raise AssertionError(command)

    assert judged(command, Guard(confirm=confirm)) == ""


@pytest.mark.parametrize(
    "command",
    [
        "curl x",
        "git status; curl x",
        "ls $(curl x)",
        "$x",
        "sudo ls",
        "echo x > file",
        "find . -delete",
        "find . -exec rm {} ';'",
        "sed -i s/a/b/ file",
        "sed -n 'w file'",
        "awk 'BEGIN { system(\"x\") }'",
        "awk $program",
        "docker rm x",
        "docker system prune",
        "bash -c $x",
        "bash script.sh",
        "xargs rm",
        "f",
    ],
)
def test_commands_needing_confirmation(command: str) -> None:
    requests: list[tuple[str, list[str]]] = []

    def confirm(text: str, names: list[str]) -> bool:
        requests.append((text, names))
        return False

    assert judged(command, Guard(confirm=confirm)) == f"Command not confirmed: {command}"
    assert [text for text, _ in requests] == [command]


def test_confirm_callback_may_be_async_and_sees_the_programs() -> None:
    seen: list[list[str]] = []

    async def confirm(_: str, names: list[str]) -> bool:
        seen.append(names)
        return True

    assert judged("curl x | sudo tee y", Guard(confirm=confirm)) == ""
    assert seen == [["curl", "sudo", "tee"]]


def test_allow_and_deny_lists() -> None:
    guard = Guard(allowed=["curl"], confirm=lambda *_: False)
    assert judged("curl x", guard) == ""
    assert judged("ls", guard) == "Command not confirmed: ls"


def test_blocked_commands_cannot_be_confirmed() -> None:
    assert judged("rm -rf /", Guard(confirm=lambda *_: True))


# ---------------------------------------------------------------- directories, secrets


@pytest.mark.parametrize(
    ("command", "is_inside"),
    [
        ("cd src", True),
        ("cd ..", False),
        ("cd /etc", False),
        ("pushd /", False),
        ("cd /home/amy/work/x", True),
        ("cd /home/amy/workshop", False),
        ("echo $(cd /)", False),
        ("ls /etc", True),
    ],
)
def test_directories(command: str, is_inside: bool) -> None:
    refusal = judged(command, Guard(directories=[CWD]))
    assert (refusal == "") is is_inside
    assert is_inside or "is outside /home/amy/work" in refusal


def test_secrets_are_removed_from_the_environment() -> None:
    env = {
        "PATH": "p", "GITHUB_TOKEN": "x", "aws_secret_access": "x", "API_KEY": "x", "KEYS": "k",
        "DB_PASSWORD": "x", "password_file": "x", "MY_SECRETS": "x", "TOKEN_RING": "t",
    }  # fmt: skip
    assert set(without_secrets(env)) == {"PATH", "KEYS", "TOKEN_RING"}
    assert set(without_secrets(env, keep=["API_KEY"])) == {"PATH", "KEYS", "TOKEN_RING", "API_KEY"}


@pytest.mark.parametrize(
    ("command", "dialect", "is_blocked"),
    [
        ("select x in a; do rm -rf /; done", "bash", True),
        ("echo $[1 + 1]; rm -rf /", "bash", True),
        ("bash -c 'select x in a; do rm -rf /; done'", "keysh", True),
        ("keysh -c 'x=[1, 2]; rm -rf /'", "bash", True), ("x=[1, 2]; rm -rf /", "keysh", True),
        ("# keysh: dialect bash\nselect x in a; do rm -rf /; done", None, True),
        ("x=[a", "bash", False),
    ],
)  # fmt: skip
def test_command_is_read_in_the_dialect_of_the_session(
    command: str, dialect: str | None, is_blocked: bool
) -> None:
    refusal = asyncio.run(Guard().judge(command, CWD, dialect=dialect))
    assert refusal.startswith("Command blocked for security reasons") == is_blocked
    assert bool(refusal) == is_blocked
