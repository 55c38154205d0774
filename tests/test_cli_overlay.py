"""`--overlay` shows the changes of a script, and writes them on request."""

from __future__ import annotations

import sys
from pathlib import Path

import pexpect
import pytest

from keysh.cli.main import main
from keysh.cli.overlay_changes import write_or_ask
from keysh.vfs.memory.filesystem import MemoryFS
from keysh.vfs.overlay.filesystem import OverlayFS

SCRIPT = "echo c >> a.txt; rm gone; mkdir d; printf '\\0' > d/bin"
SHOWN = """\
changed file /a.txt
--- /a.txt
+++ /a.txt
@@ -1,2 +1,3 @@
 a
 b
+c
added directory /d
added file /d/bin
Binary files /d/bin and /d/bin differ
removed file /gone
--- /gone
+++ /gone
@@ -1 +0,0 @@
-x
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "a.txt").write_text("a\nb\n")
    (tmp_path / "gone").write_text("x\n")
    return tmp_path


def run(folder: Path, text: str, *options: str) -> int:
    return main([f"--sandbox={folder}", "--overlay", *options, "-c", text])


def names(folder: Path) -> list[str]:
    return sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*"))


def test_changes_are_shown_and_not_written(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(folder, SCRIPT) == 0
    hint = "keysh: 4 changes are not written: --commit writes them\n"
    assert capfd.readouterr() == ("", SHOWN + hint)
    assert names(folder) == ["a.txt", "gone"]
    assert (folder / "a.txt").read_text() == "a\nb\n"


def test_commit_writes_silently(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(folder, SCRIPT, "--commit") == 0
    assert capfd.readouterr() == ("", "")
    assert names(folder) == ["a.txt", "d", "d/bin"]
    assert (folder / "a.txt").read_text() == "a\nb\nc\n"


def test_commit_discards_changes_of_a_failed_script(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    assert run(folder, "rm gone; exit 3", "--commit") == 3
    assert capfd.readouterr().err.endswith("keysh: 1 change is not written: the status is 3\n")
    assert names(folder) == ["a.txt", "gone"]


def test_script_without_changes(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert run(folder, "cat a.txt") == 0
    assert capfd.readouterr() == ("a\nb\n", "")


def test_names_and_lines_are_escaped_for_the_terminal(
    folder: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    run(folder, "printf '\\033[2J\\n' > $'x\\033y'")
    err = capfd.readouterr().err
    assert "\x1b" not in err
    assert "added file /x\\x1by\n" in err
    assert "+\\x1b[2J\n" in err


def test_long_diff_is_cut_with_a_notice(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    run(folder, "seq 100000 > numbers")
    lines = capfd.readouterr().err.splitlines()
    assert lines[-2] == "… and more (output)"
    assert 10_000 < len(lines) < 100_000


def test_files_changed_in_the_meantime_are_not_overwritten(
    capsys: pytest.CaptureFixture[str],
) -> None:
    beneath = MemoryFS({"/a": "1"})
    overlay = OverlayFS(beneath, by_content=True)
    with overlay.open("/a", "w") as stream:
        stream.write(b"mine")
    with beneath.open("/a", "w") as stream:
        stream.write(b"theirs")
    assert write_or_ask(overlay, True, 0) == 1
    assert capsys.readouterr().err == (
        "keysh: nothing is written, for other files than the script saw are there: /a\n"
    )
    with beneath.open("/a") as stream:
        assert stream.read() == b"theirs"


@pytest.mark.parametrize(
    ("typed", "is_written"), [("y\r", True), ("\r", False), ("no\r", False), ("\x04", False)]
)
def test_user_is_asked_to_confirm(typed: str, is_written: bool, folder: Path) -> None:
    argv = ["-m", "keysh", f"--sandbox={folder}", "--overlay", "-c", "rm gone; false"]
    person = pexpect.spawn(sys.executable, argv, timeout=20, encoding="utf-8")
    person.delaybeforesend = None
    try:
        person.expect_exact("removed file /gone")
        person.expect_exact("write 1 change? [y/N] ")
        person.send(typed)
        person.expect(pexpect.EOF)
    finally:
        person.close()
    assert person.exitstatus == 1
    assert names(folder) == (["a.txt"] if is_written else ["a.txt", "gone"])
    assert ("not written" in person.before) is not is_written
