"""Where a program runs, which file it is, and what environment it has."""

from __future__ import annotations

import gc
import os
from pathlib import Path

import pytest

from external.conftest import Open
from keysh import LocalFS, MemoryFS, Shell


def test_directory(shell: Open, tmp_path: Path) -> None:
    (tmp_path / "d").mkdir()
    (tmp_path / "l").symlink_to("d")
    sh = shell()
    text = "/bin/pwd; cd d; /bin/pwd; cd ../l; /bin/pwd; (cd /work; /bin/pwd); env -C .. /bin/pwd"
    assert sh.run(text).stdout.split() == [f"{tmp_path}{end}" for end in ("", "/d", "/d", "", "")]


def test_missing_directory_is_reported(shell: Open, tmp_path: Path) -> None:
    sh = shell()
    result = sh.run("mkdir d; cd d; /bin/rmdir /proc/self/cwd; rmdir /work/d; /bin/true")
    assert result.code == 125
    assert result.stderr.endswith("keysh: line 1: /work/d: No such file or directory\n")


def test_in_memory_a_program_has_an_empty_directory(shell: Open) -> None:
    sh = shell(in_memory=True, files={"/in.txt": "a"})
    assert sh.run("/bin/ls -A; /bin/cat < in.txt").stdout == "a"
    result = sh.run("/bin/cat in.txt")
    assert "it could not see 'in.txt', which is not on a real filesystem" in result.stderr
    result = sh.run("/usr/bin/touch made")
    assert "the files in its temporary directory are lost" in result.stderr


def test_environment(shell: Open) -> None:
    sh = shell(env={"PATH": "/usr/bin:/bin"})
    lines = sh.run("A=1; export A; C=3; E=x /usr/bin/env").stdout.splitlines()
    actual = dict(line.split("=", 1) for line in lines)
    tag = actual.pop("KEYSH_SPAWN")
    assert actual == {"PATH": "/usr/bin:/bin", "A": "1", "E": "x", "PWD": "/work"}
    lines = sh.run("env -i X=1 /usr/bin/env").stdout.splitlines()
    assert (lines[0], lines[1][:28]) == ("X=1", f"KEYSH_SPAWN={tag[:16]}"), "of the same shell"


def test_host_environment_is_hidden(shell: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET", "x")
    assert "SECRET" not in shell().run("/usr/bin/env").stdout


def test_values_in_the_environment_and_in_arguments(shell: Open) -> None:
    sh = shell()
    result = sh.run("x=[1, 2]; export x")
    assert (result.code, "E201" in result.stderr) == (1, True)
    assert sh.run("y=(a b); export y; /usr/bin/env | grep -c ^y").stdout == "0\n"
    result = sh.run("x=[1, 2]; /bin/echo $x")
    assert (result.code, "E201" in result.stderr) == (1, True)
    assert sh.run("n=5; export n; /usr/bin/printenv n; /bin/echo $n").stdout == "5\n5\n"


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("export x=$'\\xff'; {}", "x"),
        ("x=$'caf\\xe9' {}", "x"),
        ("export x=$'\\xff'; y=$({})", "x"),
        ("env x=$'\\xff' {}", "x"),
        ("spawn command={} env={{y: $'\\xff'}}", "y"),
        ("export x=$'\\xff'; {} | cat; exit ${{PIPESTATUS[0]}}", "x"),
    ],
)
def test_environment_is_text(shell: Open, text: str, name: str) -> None:
    result = shell().run(text.format("/usr/bin/env"))
    assert result.code == 1
    assert "E202" in result.stderr
    assert f"${name} is not UTF-8, as a program's environment must be: byte 0x" in result.stderr


def test_unexported_bytes_are_allowed(shell: Open) -> None:
    text = "x=$'\\xff'; export y=é; /usr/bin/printf '%s %s' $x $y | od -An -tx1"
    assert shell().run(text).stdout == " ff 20 c3 a9\n"


def test_unpassable_value_in_a_pipeline_stage(shell: Open) -> None:
    result = shell().run("export x=$'\\xff'; /usr/bin/env | cat; echo never")
    assert (result.stdout, result.code) == ("", 1)
    assert result.stderr == (
        "keysh:1:19: E202 $x is not UTF-8, as a program's environment must be: byte 0xff\n"
        "  export x=$'\\xff'; /usr/bin/env | cat; echo never\n"
        "                    ^^^^^^^^^^^^\n"
        "fix: hand the bytes over in a file or by standard input, or `export -n x`\n"
    )


def test_path(shell: Open, tmp_path: Path) -> None:
    (tmp_path / "bin").mkdir()
    tool = tmp_path / "bin" / "mytool"
    tool.write_text("#!/bin/sh\necho mine $1\n")
    sh = shell()
    assert sh.run("mytool").code == 127
    tool.chmod(0o755)
    assert sh.run("PATH=/work/bin:$PATH; mytool a").stdout == "mine a\n"
    assert sh.run("PATH=bin mytool a").stdout == "mine a\n"
    assert sh.run("./bin/mytool b; /work/bin/mytool c; cd bin; ./mytool d").stdout == (
        "mine b\nmine c\nmine d\n"
    )
    tool.write_text("echo no first line $1\n")
    assert sh.run("mytool a").stdout == "no first line a\n"
    tool.unlink()
    assert sh.run("mytool").code == 127


def test_found_program_is_checked_again(shell: Open, tmp_path: Path) -> None:
    tool = tmp_path / "tool"
    sh = shell()
    for text in ("#!/bin/sh\necho 1\n", "#!/usr/bin/env keysh\necho keysh\n"):
        tool.write_text(text)
        tool.chmod(0o755)
        assert sh.run("./tool").stdout == f"{text.split()[-1]}\n"
    tool.chmod(0o644)
    assert sh.run("./tool").code == 126


@pytest.mark.parametrize(
    ("text", "code", "message"),
    [
        ("nosuch", 127, "nosuch: command not found"),
        ("./nosuch", 127, "./nosuch: No such file or directory"),
        ("/etc/passwd", 126, "/etc/passwd: Permission denied"),
        ("/usr/bin/env nosuch | cat; false", 1, "nosuch"),
    ],
)
def test_files_that_cannot_run(shell: Open, text: str, code: int, message: str) -> None:
    result = shell().run(text)
    assert (result.code, message in result.stderr) == (code, True)


def test_virtual_file_cannot_run(shell: Open) -> None:
    sh = shell(in_memory=True, files={"/s": "#!/bin/sh\n"})
    result = sh.run("chmod +x s; ./s")
    assert (result.code, result.stderr) == (
        126,
        "keysh: line 1: ./s: is not on a real filesystem\n",
    )


def test_keysh_scripts_are_run_by_the_shell(shell: Open, tmp_path: Path) -> None:
    for name, first in (("a.ksh", ""), ("b", "#!/usr/bin/env keysh\n"), ("c", "#!/bin/sh\n")):
        (tmp_path / name).write_text(f"{first}echo $0 $1\n")
        (tmp_path / name).chmod(0o755)
    assert shell().run("./a.ksh 1; ./b 2; ./c 3").stdout == "./a.ksh 1\n./b 2\n./c 3\n"


def test_arguments_are_never_split(shell: Open) -> None:
    sh = shell()
    assert (
        sh.run("x='a b'; /usr/bin/printf '[%s]' $x '' \"c  d\" 'é\n'").stdout
        == "[a b][][c  d][é\n]"
    )
    result = sh.run("/bin/echo $'a\\0b'")
    assert (result.code, "holds a NUL character" in result.stderr) == (126, True)
    long = "x" * 200_000
    result = sh.run(f"/bin/echo {long} | cat; /bin/echo {long}")
    assert (result.code, "Argument list too long" in result.stderr) == (126, True)


def test_read_only_mounts_confine_programs(tmp_path: Path) -> None:
    for fs in (
        {"/": LocalFS("/", read_only=True)},
        {"/": MemoryFS(), "/w": LocalFS(tmp_path, True)},
    ):
        result = Shell(fs=fs, external=True, check=False).run("/bin/true")
        assert (result.code, "read-only or an overlay" in result.stderr) == (126, True)


def test_many_runs_leave_nothing_behind(shell: Open) -> None:
    sh = shell()
    sh.run("/bin/true")
    gc.collect()
    before = len(os.listdir("/proc/self/fd"))
    sh.run("for ((i = 0; i < 60; i++)); do echo a | /bin/cat | /bin/cat >/dev/null; done")
    assert len(os.listdir("/proc/self/fd")) <= before  # objects of earlier tests may be freed


def test_suggestion_for_a_mistyped_program_comes_from_the_path(shell: Open, tmp_path: Path) -> None:
    (tmp_path / "frobnicate").write_text("")
    sh = shell()
    missing = "keysh: line 1: frobincate: command not found"
    assert sh.run("PATH=$PWD; frobincate").stderr == f"{missing}; did you mean `frobnicate`?\n"
    assert sh.run("PATH=/nosuch:; frobincate").stderr == f"{missing}\n"
    nearest = sh.run("PATH=$PWD; sotr").stderr
    assert nearest == "keysh: line 1: sotr: command not found; did you mean `sort`?\n"


def test_umask(shell: Open) -> None:
    sh = shell()
    script = "(umask 027; /bin/sh -c umask); umask 0077; /bin/sh -c umask; cat <(/bin/sh -c umask)"
    assert sh.run(script).stdout == "0027\n0077\n0077\n"
    assert sh.run("umask 022; /bin/sh -c umask; umask 077").stdout == "0022\n"
    assert (
        sh.run("timeout 9 /bin/sh -c umask; x=$(/bin/sh -c umask); echo $x").stdout == "0077\n" * 2
    )
