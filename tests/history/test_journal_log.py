"""The journal in a directory: what one process has done, another one takes back."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from history.run_scripts import FILE_COMMANDS, scripts
from history.worlds import files_of
from keysh import Journal, LocalFS, MemoryFS, Shell, UndoRefused
from keysh.cli.journal import undo_on_disk
from keysh.shell.history.journal_log import JournalLog

Places = tuple[Path, Path]


@pytest.fixture
def places(tmp_path: Path) -> Places:
    """Return a directory of work, and one for the journal."""
    (tmp_path / "work").mkdir()
    return tmp_path / "work", tmp_path / "journal"


def shell_in(places: Places, **options: int) -> Shell:
    work, journal = places
    return Shell({"/": LocalFS(work)}, journal=Journal(journal, **options))


def log_in(places: Places) -> JournalLog:
    log = JournalLog(str(places[1]), max_runs=100, max_bytes=1 << 30)
    with log:
        return log


def world(places: Places) -> object:
    with Shell({"/": LocalFS(places[0])}) as shell:
        return files_of(shell)


SCRIPTS = (
    "echo one > a; mkdir d; echo two > d/b; ln -s a link",
    "echo more >> a; mv d e; chmod 640 e/b",
    "ln a hard; rm link; cp -r e f; touch -d @1000 a",
    "rm -rf e; mv hard e; printf x | tee f/b f/c",
    "truncate -s 1 a; mv a z; mkdir a; mv z a/z",
)


def test_other_shells_take_runs_back(places: Places) -> None:
    """Each run is done by a shell of its own, and taken back without any."""
    worlds = [world(places)]
    for number, script in enumerate(SCRIPTS, 1):
        with shell_in(places) as shell:
            assert shell.run(script).ok
            assert shell.history[-1].number == number
        worlds.append(world(places))
    for expected in reversed(worlds[:-1]):
        assert undo_on_disk(str(places[1]), 1) == 0
        assert world(places) == expected


@settings(max_examples=40)
@given(st.lists(scripts(FILE_COMMANDS), min_size=2, max_size=6))
def test_random_runs_of_other_shells(texts: list[str]) -> None:
    with tempfile.TemporaryDirectory() as directory:
        places = Path(directory, "work"), Path(directory, "journal")
        places[0].mkdir()
        worlds = {0: world(places)}
        for text in texts:
            with shell_in(places) as shell:
                shell.run(text)
                if shell.history[-1].changes.versions:
                    worlds[shell.history[-1].number] = world(places)
        for expected in [*worlds.values()][-2::-1]:
            assert undo_on_disk(str(places[1]), 1) == 0
            assert world(places) == expected


def test_several_runs_at_once(places: Places) -> None:
    first = world(places)
    with shell_in(places) as shell:
        for script in SCRIPTS:
            shell.run(script)
        shell.undo()
        shell.redo()
        shell.undo(2)
        third = world(places)
        assert [run.is_undone for run in log_in(places).runs] == [False, False, False, True, True]
    assert undo_on_disk(str(places[1]), 1) == 0
    with shell_in(places) as shell:
        shell.run(SCRIPTS[2])
        # The times of what it makes are others.
        assert sorted(files_of(shell)) == sorted(third)  # type: ignore[call-overload]
    assert undo_on_disk(str(places[1]), 3) == 0
    assert world(places) == first


@pytest.mark.parametrize(
    "change", ["echo other > a", "chmod 600 a", "rm a", "mv a b; cp b a", "touch a; echo x >> a"]
)
def test_what_somebody_else_has_changed_stays(
    change: str, places: Places, capfd: pytest.CaptureFixture[str]
) -> None:
    with shell_in(places) as shell:
        shell.run("echo one > a; echo two > b.txt")
    subprocess.run(["sh", "-c", change], cwd=places[0], check=True)
    before = world(places)
    assert undo_on_disk(str(places[1]), 1) == 1
    assert capfd.readouterr().err == f"keysh: undo: changed since: {places[0]}/a\n"
    assert world(places) == before
    assert not log_in(places).runs[0].is_undone


def test_a_change_with_the_times_set_back_is_noticed(places: Places) -> None:
    with shell_in(places) as shell:
        shell.run("echo one > a")
    path = places[0] / "a"
    status = path.stat()
    path.write_text("two\n")
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    with shell_in(places) as shell:
        shell.run("echo three >> a")
    assert undo_on_disk(str(places[1]), 1) == 0
    assert path.read_text() == "two\n"
    assert undo_on_disk(str(places[1]), 1) == 1
    assert path.read_text() == "two\n"


def test_a_line_that_was_not_finished_is_cut_off(places: Places) -> None:
    with shell_in(places) as shell:
        shell.run("echo one > a")
    log = places[1] / "log"
    whole = log.read_bytes()
    second = shell_in(places)
    second.run("echo two > b")
    begun = log.read_bytes()[len(whole) : -20]
    second.close()
    log.write_bytes(whole + begun)
    (places[1] / "contents" / "0123.new").write_bytes(b"half")
    assert [run.number for run in log_in(places).runs] == [1]
    assert log.read_bytes() == whole
    with shell_in(places) as shell:
        shell.run("echo three > c")
        assert [entry.number for entry in shell.history] == [2]


@pytest.mark.parametrize("attempt", range(8))
def test_a_killed_process_leaves_whole_entries(places: Places, attempt: int) -> None:
    """Whatever runs the log has, their changes are all there."""
    program = (
        "import sys, keysh\n"
        "files, journal = keysh.LocalFS(sys.argv[1]), keysh.Journal(sys.argv[2])\n"
        "shell = keysh.Shell({'/': files}, journal=journal)\n"
        "print('ready', flush=True)\n"
        "for number in range(100_000):\n"
        "    shell.run(f'echo {number} > f{number}; echo {number} >> all')\n"
        "    print(number, flush=True)\n"
    )
    process = subprocess.Popen(
        [sys.executable, "-c", program, *map(str, places)], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    with process, process.stdout:
        for _ in range(2 + attempt * 3):
            process.stdout.readline()
        process.send_signal(signal.SIGKILL)
        answered = process.stdout.read().count("\n") + 1 + attempt * 3
    runs = log_in(places).runs
    assert len(runs) in (answered, answered + 1)
    shell_in(places).run(":")
    assert not (places[1] / f"running-{process.pid}").exists()
    for run in runs:
        assert len(run.versions.before) == 3
    if not (places[0] / f"f{len(runs)}").exists():  # the kill was between two runs
        assert undo_on_disk(str(places[1]), len(runs)) == 0
        assert list(places[0].iterdir()) == []


def test_processes_take_turns(places: Places) -> None:
    program = (
        "import sys, keysh\n"
        "files, journal = keysh.LocalFS(sys.argv[1]), keysh.Journal(sys.argv[2])\n"
        "shell = keysh.Shell({'/': files}, journal=journal)\n"
        "for number in range(20):\n"
        "    assert shell.run(f'echo {number} > {sys.argv[3]}{number}').stderr == ''\n"
    )

    def run(name: str) -> None:
        subprocess.run([sys.executable, "-c", program, *map(str, places), name], check=True)

    with ThreadPoolExecutor() as pool:
        list(pool.map(run, "abc"))
    runs = log_in(places).runs
    assert [run.number for run in runs] == list(range(1, 61))
    files = [path for run in runs for path in run.versions.before if path != str(places[0])]
    assert sorted(files) == sorted(map(str, places[0].iterdir()))


def test_old_runs_are_forgotten(places: Places) -> None:
    with shell_in(places, max_runs=4) as shell:
        for number in range(20):
            shell.run(f"echo {number} > f")
    runs = log_in(places).runs
    assert 4 <= len(runs) <= 6
    assert runs[-1].number == 20
    needed = len(list((places[1] / "contents").iterdir()))
    assert needed <= len(runs)
    assert undo_on_disk(str(places[1]), 4) == 0
    assert (places[0] / "f").read_text() == "15\n"


def test_contents_have_a_limit(places: Places, capfd: pytest.CaptureFixture[str]) -> None:
    with shell_in(places, max_bytes=100_000) as shell:
        for number in range(10):
            shell.run(f"head -c 30000 /dev/zero | tr '\\0' {number} > f")
        contents = places[1] / "contents"
        assert sum(path.stat().st_size for path in contents.iterdir()) <= 130_000
        shell.run("head -c 200000 /dev/zero > f")
        changes = shell.run("rm f").changes
        assert changes is not None
        assert not changes.is_complete
        assert "no room" in changes.reasons[0]
    assert undo_on_disk(str(places[1]), 1) == 1
    assert "no room" in capfd.readouterr().err


def test_a_damaged_content_is_never_restored(
    places: Places, capfd: pytest.CaptureFixture[str]
) -> None:
    with shell_in(places) as shell:
        shell.run("echo one > a")
        shell.run("rm a")
    [content] = (places[1] / "contents").iterdir()
    content.write_text("bad\n")
    assert undo_on_disk(str(places[1]), 1) == 1
    assert "damaged" in capfd.readouterr().err
    assert not (places[0] / "a").exists()
    content.unlink()
    assert undo_on_disk(str(places[1]), 1) == 1
    assert "gone" in capfd.readouterr().err


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (b'{"format":"other"}\n', "is no journal of keysh"),
        (b"text\n", "is damaged at byte 0"),
        (b'{"format":"keysh journal","version":9}\n', "has version 9; this keysh reads 1"),
        (b'{"format":"keysh journal","version":1}\n{"number":1}\n', "is damaged at byte 39"),
        (b'{"format":"keysh journal","version":1}\n[]\n', "is damaged at byte 39"),
    ],
)
def test_what_is_no_journal(line: bytes, said: str, places: Places) -> None:
    places[1].mkdir()
    (places[1] / "log").write_bytes(line)
    with pytest.raises(UndoRefused, match=said):
        shell_in(places).run("echo run > a")
    assert (places[1] / "log").read_bytes() == line


def test_a_journal_that_cannot_be_written_says_so(places: Places) -> None:
    with shell_in(places) as shell:
        shell.run("echo one > a")
        (places[1] / "log").unlink()
        (places[1] / "log").mkdir()
        result = shell.run("echo two > b")
        assert (result.code, (places[0] / "b").read_text()) == (0, "two\n")
        assert result.stderr == f"keysh: journal: {places[1]}: Is a directory\n"
        shell.undo()
        assert not (places[0] / "b").exists()


def test_values_of_variables_are_not_on_the_disk(places: Places) -> None:
    with shell_in(places) as shell:
        shell.run("password=hunter2; f() { echo hunter3; }")
    lines = (places[1] / "log").read_text().splitlines()
    assert json.loads(lines[1])["state"] == [["variable", "password"], ["function", "f"]]
    assert os.stat(places[1]).st_mode & 0o777 == 0o700


def test_files_in_memory_are_not_in_the_log(places: Places) -> None:
    work, journal = places
    mounts = {"/": MemoryFS(), "/work": LocalFS(work)}
    with Shell(mounts, journal=Journal(journal)) as shell:
        shell.run("echo 1 > /memory; echo 2 > /work/disk")
    [run] = log_in(places).runs
    assert set(run.versions.before) == {str(work), f"{work}/disk"}
    assert run.record["elsewhere"] == 2
