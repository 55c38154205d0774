"""A script learns nothing of its host: no process number, no zone, no name, no time of its work."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

import keysh
from keysh import LocalFS, Shell
from keysh.interp.jobs.jobs import SHELL_PID

HIGHEST_PID = 1 << 22  # PID_MAX_LIMIT of Linux

# Everything by which a script may ask which process it is.
PROCESS_NUMBERS = (
    "echo $$ $BASHPID $PPID",
    "ps -eo pid,ppid",
    "ps -ef; ps aux; ps -p $$",
    "pgrep .",
    "(echo $BASHPID); bash -c 'echo $$ $PPID'; sh -c 'echo $$'",
    "echo $(echo $$) `echo $BASHPID`; cat <(echo $BASHPID)",
    "kill -0 $$ && kill -l; jobs -l; sleep 0 & echo $!; wait",
    "mktemp -u; trap 'echo $$' EXIT",
)


@pytest.mark.parametrize("dialect", ["keysh", "bash"])
@pytest.mark.parametrize("external", [False, True])
@pytest.mark.parametrize("script", PROCESS_NUMBERS)
def test_numbers_of_processes_are_not_those_of_the_host(
    script: str, external: bool, dialect: str
) -> None:
    result = keysh.run(script, external=external, dialect=dialect, env={"PATH": "/nowhere"})
    numbers = {int(digits) for digits in re.findall(r"\d+", result.stdout + result.stderr)}
    assert not numbers & {os.getpid(), os.getppid(), os.getpgrp(), os.getsid(0)} - {0, 1}


def test_the_shells_number_is_the_same_everywhere_and_no_process_can_have_it() -> None:
    shell = Shell()
    script = (
        "echo $$; echo $BASHPID; ps -o pid= -p $$; kill -0 $$ && (echo $$); bash -c 'echo $PPID'"
    )
    assert set(shell.run(script).stdout.split()) == {str(SHELL_PID)}
    assert shell.run("echo $$").stdout == f"{SHELL_PID}\n"
    assert SHELL_PID >= HIGHEST_PID


def test_a_signal_to_the_shells_number_reaches_its_trap_and_no_process() -> None:
    result = keysh.run("trap 'echo caught' USR1; kill -USR1 $$; echo on", external=True)
    assert (result.stdout, result.code) == ("caught\non\n", 0)


def test_processor_time_is_that_of_the_script() -> None:
    work = 0
    while os.times().user < 0.3:  # so that the host has used some
        work += sum(range(10_000))
    shell = Shell()
    first = shell.run("times").stdout
    assert first < "0m0.1", "the host has used more"
    shell.run("for ((i = 0; i < 30000; i++)); do :; done")
    assert shell.run("times").stdout > first, "what earlier runs of the shell have used counts"
    assert keysh.run("times").stdout < "0m0.1", "other shells do not count"


def test_processor_time_of_a_running_script_grows() -> None:
    script = "for ((i = 0; i < 30000; i++)); do :; done; times"
    assert keysh.run(script).stdout.split()[0] > "0m0.000s"


def test_times_by_a_clock_of_the_host() -> None:
    ticks = iter(range(1000))
    ticking = keysh.run("TIMEFORMAT='%R %U %S'; time true", clock=lambda: next(ticks))
    assert ticking.stderr == "1.000 0.000 0.000\n"
    script = "times; TIMEFORMAT=%R; time sleep 0.01; command time -f '%e %E %U %S' seq 0"
    result = keysh.run(script, clock=5)
    assert result.stdout == "0m0.000s 0m0.000s\n0m0.000s 0m0.000s\n"
    assert result.stderr == "0.000\n0.00 0:00.00 0.00 0.00\n"


CHANCE = (
    "head -c 16 /dev/urandom | xxd",
    "od -N 8 /dev/random",
    "dd if=/dev/urandom bs=4 count=1 | xxd",
    "echo $RANDOM $SRANDOM",
    "shuf -i 1-99",
    "mktemp -u",
    "uuidgen",
    "awk 'BEGIN{srand(); print rand()}'",
    "sort -R <(seq 9)",
    "uuidgen -t",
    "date +%N",
    "echo $EPOCHREALTIME $SECONDS",
    "jq -n now",
    "touch f; stat -c %y f",
    "ps -ef",
    "uptime",
    "printf '%(%F %T)T\\n' -1",
)


@pytest.mark.parametrize("script", CHANCE)
def test_a_fixed_clock_and_seed_reach_what_a_script_reads_of_time_and_chance(script: str) -> None:
    ran = [keysh.run(f"{script} 2>/dev/null", clock=0.25, random=3) for _ in range(2)]
    assert (ran[0].stdout, ran[0].code) == (ran[1].stdout, 0)


def test_chance_differs_without_a_seed() -> None:
    assert len({keysh.run("head -c 16 /dev/urandom | xxd -p").stdout for _ in range(3)}) == 3


@pytest.mark.parametrize(
    "zone",
    [
        "localtime",
        ":localtime",
        "/etc/localtime",
        ":/etc/localtime",
        "posix/localtime",
        "right/localtime",
        "posixrules",
        "../../../etc/localtime",
        "./localtime",
        "",
    ],
)
@pytest.mark.parametrize(
    "script",
    [
        "date -d @0 '+%Z %z %H'",
        "printf '%(%Z %z %H)T\\n' 0",
        "awk 'BEGIN{print strftime(\"%Z %z %H\", 0)}'",
    ],
)
def test_the_zone_of_the_host_is_unseen(
    script: str, zone: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokyo = Path("/usr/share/zoneinfo/Asia/Tokyo")
    if tokyo.exists():
        (tmp_path / "localtime").write_bytes(tokyo.read_bytes())
        monkeypatch.setenv("PYTHONTZPATH", str(tmp_path))
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    assert keysh.run(script, env={"TZ": zone}).stdout.endswith(" +0000 00\n")
    assert keysh.run(script).stdout == "UTC +0000 00\n"


def test_a_zone_that_the_host_passes_holds() -> None:
    assert keysh.run("date -d @0 +%H", env={"TZ": "XYZ-5"}).stdout == "05\n"


MACHINE = (
    "hostname; uname -a; echo $HOSTNAME",
    "id; whoami; groups; logname; users; who; echo $UID $USER",
    "nproc; getconf -a; arch",
    "env; export -p; declare -p; set",
    "ulimit -a",
    "tty; stty -a",
    "echo ~ ~root ~+ $HOME; cd; pwd",
    "pwd -P; realpath .; readlink -f .; echo $PWD $OLDPWD",
    "uptime; df -a; df --output",
    "ls -la / /tmp /dev /dev/fd /usr/bin",
    "stat / /dev/null .",
    "ls /proc /sys /etc /home /root /run /var",
    "cat /proc/self/status /proc/self/environ /etc/passwd",
    "cat /etc/hostname /etc/os-release /proc/cpuinfo /proc/meminfo",
    "type -a ls python3; which -a sh",
    "echo /*/*",
    "find / -maxdepth 2",
    "hash -t ls; compgen -c | head -99999; compgen -u; compgen -g",
    "shopt; set -o; echo $BASH_VERSION $BASH $SHELL $SHLVL $_",
    "umask",
    "date; times; locale",
)


@pytest.mark.parametrize("dialect", ["keysh", "bash"])
@pytest.mark.parametrize("script", MACHINE)
def test_nothing_of_the_machine_is_told(
    script: str, dialect: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    marks = {
        "HOME": "/home/marked-home",
        "USER": "marked-user",
        "LOGNAME": "marked-user",
        "SECRET_TOKEN": "marked-secret",
        "HOSTNAME": "marked-host",
        "LANG": "xx_MARKED",
    }
    for name, value in marks.items():
        monkeypatch.setenv(name, value)
    result = keysh.run(script, dialect=dialect, check=False)
    text = result.stdout + result.stderr + repr(result.record())
    host = {str(tmp_path), "marked-", "MARKED", os.path.dirname(keysh.__file__), "Traceback"}
    name = os.uname().nodename
    host |= {name} if name not in ("localhost", "keysh", "") else set()
    assert not [one for one in host if one in text]
    assert not re.search(r"0x[0-9a-f]{6,}", text)


@pytest.mark.parametrize(
    "script",
    [
        "pwd -P",
        "realpath f",
        "readlink -f f",
        "df f",
        "stat f",
        "ls -la",
        "cat none",
        "cd none",
        "find . -ls",
        "mktemp -p .",
        "tar cf - f | tar tvf -",
        "cat f/x",
        "ls ..",
        "echo > f/x",
        "mkdir f",
        "rm -r .",
        "source none",
    ],
)
def test_the_path_of_a_local_root_is_unseen(script: str, tmp_path: Path) -> None:
    (tmp_path / "f").write_text("x\n")
    result = keysh.run(f"cd /work; {script}", fs={"/work": LocalFS(tmp_path)}, check=False)
    assert str(tmp_path) not in result.stdout + result.stderr + repr(result.record())
    assert result.stdout or result.stderr
