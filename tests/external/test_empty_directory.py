"""The empty directory of programs whose shell's directory is not on the machine."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import keysh
from keysh.process.launch import remove_private_directory
from process.conftest import PATH
from process.leaked_processes import kill_marked


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return the directory in which directories are made."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


@pytest.fixture
def shell(places: Path) -> Iterator[keysh.Shell]:
    env = {"PATH": PATH, "KEYSH_TEST": str(places)}
    with keysh.Shell(env=env, external=True, check=False) as shell:
        yield shell
    assert os.listdir(places) == []
    kill_marked(str(places))


def test_it_is_used_again(shell: keysh.Shell) -> None:
    first = shell.run("/bin/pwd").stdout
    assert shell.run("/bin/pwd; /bin/sh -c '>x; rm x; exit 3'; /bin/true").stdout == first


@pytest.mark.parametrize(
    "change",
    [">x", "chmod 755 .", "mkdir x; rmdir x; sleep 0.02", 'mv "$PWD" "$PWD.moved"', 'rmdir "$PWD"'],
)
def test_one_that_was_changed_is_not(shell: keysh.Shell, places: Path, change: str) -> None:
    first = shell.run("/bin/pwd").stdout
    shell.vars["CHANGE"] = change
    assert shell.run('/bin/sh -c "$CHANGE"').code == 0
    assert shell.run("/bin/pwd; /bin/ls -A; /bin/stat -c %a .").stdout.split()[1:] == ["700"]
    for moved in places.glob("*.moved"):
        assert moved.name.removesuffix(".moved") == os.path.basename(first.strip())
        moved.rmdir()


def test_one_in_which_a_program_may_still_write_is_not(shell: keysh.Shell) -> None:
    first = shell.run("/bin/sh -c 'sleep 600 >/dev/null 2>&1 & pwd'").stdout
    assert shell.run("/bin/pwd").stdout != first


def test_programs_at_one_time_have_their_own(shell: keysh.Shell) -> None:
    shell.run("/bin/true")
    result = shell.run("/bin/sh -c 'pwd >&2; yes' | /bin/sh -c 'head -n 1; pwd >&2'")
    assert len(set(result.stderr.split())) == 2


def test_a_dropped_shell_leaves_none(places: Path) -> None:
    shell = keysh.Shell(env={"PATH": PATH}, external=True)
    shell.run("/bin/true")
    assert len(os.listdir(places)) == 1
    del shell
    assert os.listdir(places) == []


def test_one_that_is_missing_or_a_file_at_the_end_is_no_error(
    shell: keysh.Shell, places: Path
) -> None:
    assert shell.run('/bin/sh -c \'mv "$PWD" "$PWD.moved"; exit 3\'; echo $?').stdout == "3\n"
    [moved] = places.glob("*.moved")
    moved.rmdir()
    result = shell.run('/bin/sh -c \'rmdir "$PWD"; echo x >"$PWD"\'')
    assert (result.code, "are lost" in result.stderr) == (0, True)


def test_confined_jobs_share_one_for_temporary_files(tmp_path: Path) -> None:
    script = "for i in 1 2 3; do { /bin/true; /bin/true; } & done; wait; echo $?"
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    result = subprocess.run(
        [sys.executable, "-m", "keysh", "--sandbox", "--allow", "true", "-c", script],
        env={"PATH": PATH, "TMPDIR": str(temporary)}, cwd=tmp_path,
        capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    assert (result.stdout, result.stderr) == ("0\n", "")
    assert os.listdir(temporary) == []


def test_program_may_take_permissions_away() -> None:
    folder = Path(tempfile.mkdtemp(prefix="keysh-"))
    (folder / "below").mkdir()
    (folder / "below" / "file").touch()
    (folder / "below").chmod(0)
    user = os.getuid() or 65534  # root needs no permissions
    for path in (folder, folder / "below"):
        os.chown(path, user, -1)
    if not (child := os.fork()):
        status = 1
        try:
            os.setuid(user)
            remove_private_directory(str(folder))
            status = folder.exists()
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
