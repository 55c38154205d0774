"""`keysh doctor`, and what the program's options confine."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from confinement.conftest import needs_kernel
from keysh.cli.main import main
from keysh.process.confine import landlock
from keysh.process.confine.kernel import UNHELD_ATTRIBUTES, Kernel

PROGRAM = "perl -pe '' file /etc/passwd"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", "/usr/bin:/bin")
    (tmp_path / "file").write_text("content\n")
    return tmp_path


@needs_kernel
@pytest.mark.skipif(not os.path.exists("/usr/bin/perl"), reason="no perl")
def test_sandbox_runs_allowed_programs_and_confines_them(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert main(["--sandbox", "--allow", "perl", "-c", PROGRAM]) == 0
    out, err = capfd.readouterr()
    assert out == "content\n"
    assert "/etc/passwd: Permission denied" in err
    assert main(["--sandbox", "-c", PROGRAM]) != 0
    assert capfd.readouterr().out == ""


def test_sandbox_runs_no_program_that_the_kernel_cannot_hold(
    folder: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(landlock, "kernel_abi", lambda: 0)
    assert main(["--sandbox", "--allow", "perl", "-c", PROGRAM]) == 2
    assert "this kernel cannot hold programs to a directory" in capfd.readouterr().err
    assert main(["--sandbox", "--allow", "perl", "--confine=off", "-c", "true"]) == 2


@needs_kernel
def test_option_confines_what_sees_the_machine(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    text = "/bin/cat file; /usr/bin/unshare -m true || echo refused"
    assert main(["--confine=require", "-c", text]) == 0
    assert capfd.readouterr().out == "content\nrefused\n"


@needs_kernel
def test_plan_and_result_name_what_is_not_held(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    options = ["--sandbox", "--allow", "perl"]
    assert main([*options, "--plan", "-c", PROGRAM]) == 0
    assert json.loads(capfd.readouterr().out)["unenforced"] == [UNHELD_ATTRIBUTES]
    assert main([*options, "--plan=tree", "-c", PROGRAM]) == 0
    assert f"# this kernel does not hold {UNHELD_ATTRIBUTES}\n" in capfd.readouterr().out
    main([*options, "--json", "-c", PROGRAM])
    assert json.loads(capfd.readouterr().out)["unenforced"] == [UNHELD_ATTRIBUTES]
    assert main(["--plan", "-c", PROGRAM]) == 0
    assert json.loads(capfd.readouterr().out)["unenforced"] == []


@pytest.mark.parametrize("abi", [0, 1, 3, 4])
def test_doctor_says_what_an_older_kernel_holds(
    abi: int, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    kernel = Kernel(abi)
    monkeypatch.setattr("keysh.process.confine.kernel.Kernel", lambda: kernel)
    assert main(["doctor"]) == 0
    lines = capfd.readouterr().out.splitlines()
    assert lines[0].startswith("yes  files" if kernel.landlock_abi else "no   files")
    assert lines[5].startswith("no   signals")
    assert main(["doctor", "--require"]) == 1
    capfd.readouterr()
    assert main(["doctor", "--json"]) == 0
    answers = json.loads(capfd.readouterr().out)
    assert [one["held"] for one in answers] == [line.startswith("yes") for line in lines]
