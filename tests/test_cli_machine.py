"""The program agrees with the machine about devices, processes, limits and tests of files."""

from __future__ import annotations

import os
import subprocess
import sys
import uuid
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="/dev/shm, /proc")


def keysh(
    *arguments: str, cwd: Path | None = None, stdin: str = ""
) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "keysh", *arguments], capture_output=True, check=False, cwd=cwd,
        input=stdin, text=True,
    )  # fmt: skip


def test_devices_are_those_of_the_machine() -> None:
    name = f"/dev/shm/keysh-{uuid.uuid4().hex}"
    script = f"echo kept >{name}; /bin/cat {name}; cat {name}; rm {name}; ls /dev/pts/ptmx"
    result = keysh("-c", f"{script}; [ -c /dev/tty ] && echo tty; cd /dev/shm; /bin/pwd")
    assert (result.stdout, result.stderr) == ("kept\nkept\n/dev/pts/ptmx\ntty\n/dev/shm\n", "")
    assert not os.path.exists(name)


def test_descriptors_are_those_of_the_script() -> None:
    script = "echo out >/dev/stdout; echo err >/dev/stderr; cat /dev/stdin; cat <(echo sub)"
    result = keysh("-c", f"{script}; echo gone >/dev/null; ls /dev/fd/", stdin="typed\n")
    assert (result.stdout, result.stderr) == ("out\ntyped\nsub\n0\n1\n2\n", "err\n")


@pytest.mark.parametrize("options", [["--memory"], ["--sandbox=."], ["--overlay"]])
def test_virtual_files_come_with_virtual_devices(options: list[str], tmp_path: Path) -> None:
    result = keysh(*options, "-c", "ls /dev; echo x >/dev/shm/x", cwd=tmp_path)
    assert result.stdout.split() == [
        "fd", "full", "null", "random", "stderr", "stdin", "stdout", "urandom", "zero",
    ]  # fmt: skip
    assert "/dev/shm/x: " in result.stderr


def test_listing_open_descriptors_succeeds() -> None:
    result = keysh("-c", "ls /proc/self/fd; ls -l /proc/$$/fd; ls /proc/self/fdinfo")
    assert result.stderr == ""
    assert {"0", "1", "2"} <= {*result.stdout.split()}


def test_job_numbers_are_real_process_ids() -> None:
    kill = "/bin/sh -c 'kill $0' $!"
    result = keysh("-c", f"/bin/sleep 60 & {kill}; wait $!; echo $?; sleep 60 & {kill}")
    assert (result.stdout, result.stderr) == ("143\n", "")


@pytest.mark.parametrize("option", ["--no-external", "--memory", "--allow=true"])
def test_no_process_is_signalled_without_programs(option: str) -> None:
    with subprocess.Popen(["/bin/sleep", "60"]) as stranger:
        result = keysh(option, "-c", f"kill {stranger.pid}; ulimit -n")
        assert result.stderr == f"keysh: line 1: kill: ({stranger.pid}) - No such process\n"
        assert result.stdout == "unlimited\n"
        assert stranger.poll() is None
        assert keysh("-c", f"kill {stranger.pid}").returncode == 0
        assert stranger.wait(30) == -15


def test_umask_is_that_of_the_script(tmp_path: Path) -> None:
    script = """
        mkdir g; chmod g+s g
        umask 0; >f; mkdir d g/in; cp f c; cp -r d r; touch t; ln -s new l; echo x >l
        umask 002; >f2; mkdir -p p/q; install -D f q/r; echo y >>f; (umask 077; >own; mkdir mine)
        umask 022; >f3; tar cf a.tar d f; umask 0; >f3; sed -i s/x/y/ new; /usr/bin/touch real
        stat -c '%a %n' * g/in p/q q/r
    """
    answers = []
    for place, program in (("here", [sys.executable, "-m", "keysh"]), ("there", ["bash"])):
        (tmp_path / place).mkdir()
        actual = subprocess.run(
            [*program, "-c", script], cwd=tmp_path / place, capture_output=True, check=False
        )
        answers.append((actual.returncode, actual.stdout, actual.stderr))
    assert answers[0] == answers[1]
    assert b"777 d\n" in answers[0][1]


def test_probes() -> None:
    result = keysh("-c", "for c in ls grep sed tar; do $c --version | head -n 1 || exit; done")
    assert [line.split()[0] for line in result.stdout.splitlines()] == ["ls", "grep", "sed", "tar"]
    assert result.stderr == ""


@pytest.mark.parametrize(
    ("around", "level"),
    [("2", "3"), ("998", "999"), ("999", "1"), ("1000", "1"), ("none", "1"), (None, "1")],
)
def test_shell_level(around: str | None, level: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SHLVL", raising=False)
    if around is not None:
        monkeypatch.setenv("SHLVL", around)
    assert keysh("-c", "echo $SHLVL; printenv SHLVL").stdout == f"{level}\n{level}\n"
    assert keysh("--clear-env", "-c", 'echo "$SHLVL"').stdout == "\n"
