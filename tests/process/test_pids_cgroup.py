"""The kernel's own limit of processes, with real cgroups where they may be made, else imitated."""

from __future__ import annotations

import os
import select
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import keysh
from keysh.process import OPEN, ProcessSpec, run, start
from keysh.process.tree import pids_cgroup, process_limit
from keysh.process.tree.pids_cgroup import PidsCgroup, cgroup_directories, make_pids_cgroup
from process.conftest import PATH, Make
from process.leaked_processes import kill_marked, marked_processes

Places = Callable[[str, str], list[tuple[str, str]]]


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Places:
    """Return where a cgroup can be made, by the kernel's two files about this process."""

    def find(membership: str, mounts: str) -> list[tuple[str, str]]:
        for name, text in (("MEMBERSHIP_FILE", membership), ("MOUNTS_FILE", mounts)):
            file = tmp_path / name
            file.write_text(text)
            monkeypatch.setattr(pids_cgroup, name, str(file))
        return list(cgroup_directories())

    return find


@pytest.fixture
def made() -> PidsCgroup:
    cgroup = make_pids_cgroup(4)
    if cgroup is None:
        pytest.skip("this process may not make cgroups")
    cgroup.remove()
    return cgroup


def own_cgroups() -> list[str]:
    """Return the cgroups that this process has made and not removed."""
    return [
        name
        for parent, _ in cgroup_directories()
        for name in os.listdir(parent)
        if name.startswith(f"keysh-{os.getpid()}-")
    ]


V1 = "39 31 0:36 {root} /sys/fs/cgroup/pids rw,relatime - cgroup cgroup rw,pids\n"
V2 = "41 31 0:38 {root} /sys/fs/cgroup rw,relatime shared:4 - cgroup2 cgroup2 rw\n"
OTHERS = "22 1 0:20 / /proc rw - proc proc rw\n33 31 0:30 / /c rw - cgroup cgroup rw,cpuacct\n"


@pytest.mark.parametrize(
    ("membership", "mounts", "expected"),
    [
        ("8:pids:/\n0::/\n", V1.format(root="/"), ["/sys/fs/cgroup/pids"]),
        ("8:pids:/a/b\n", V1.format(root="/"), ["/sys/fs/cgroup/pids/a/b"]),
        ("8:cpu,pids:/a\n", V1.format(root="/a"), ["/sys/fs/cgroup/pids"]),
        ("8:pids:/a/b\n", V1.format(root="/a"), ["/sys/fs/cgroup/pids/b"]),
        ("8:pids:/ab\n", V1.format(root="/a"), []),
        ("0::/\n", V2.format(root="/"), ["/sys/fs/cgroup"]),
        ("0::/u/s\n", V2.format(root="/"), ["/sys/fs/cgroup/u/s", "/sys/fs/cgroup/u"]),
        ("0::/u\n", V2.format(root="/"), ["/sys/fs/cgroup/u", "/sys/fs/cgroup"]),
        ("0::/../x\n", V2.format(root="/y"), []),
        ("2:cpuacct:/\n", OTHERS, []),
        ("", "", []),
    ],
)
def test_where_a_cgroup_is_made(
    places: Places, membership: str, mounts: str, expected: list[str]
) -> None:
    found = places(membership, OTHERS + mounts)
    assert [parent for parent, _ in found] == expected
    assert all(own == expected[0] for _, own in found)


def test_none_without_the_controller(places: Places, tmp_path: Path, make: Make) -> None:
    """A directory in which the kernel makes no pids.max is removed again."""
    (tmp_path / "cgroup.procs").touch()
    places("0::/\n", f"41 31 0:38 / {tmp_path} rw - cgroup2 cgroup2 rw\n")
    before = sorted(os.listdir(tmp_path))
    assert make_pids_cgroup(4) is None
    assert sorted(os.listdir(tmp_path)) == before
    result = run(make("sh", "-c", "for i in 1 2 3 4 5; do sleep 60 & done; wait", max_processes=3))
    assert (result.code, result.limit) == (125, "max_processes")


def test_a_real_hierarchy_of_version_2(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where it has no `pids`, no cgroup is made, and none is left."""
    lines = Path(pids_cgroup.MOUNTS_FILE).read_text().splitlines(keepends=True)
    mounts = tmp_path / "mounts"
    mounts.write_text("".join(line for line in lines if " - cgroup2 " in line))
    monkeypatch.setattr(pids_cgroup, "MOUNTS_FILE", str(mounts))
    directories = list(cgroup_directories())
    if not directories:
        pytest.skip("no such hierarchy is mounted here")
    parent, _ = directories[0]
    cgroup = make_pids_cgroup(4)
    has_controller = "pids" in Path(parent, "cgroup.controllers").read_text().split()
    if cgroup is not None:
        cgroup.remove()
    assert has_controller or cgroup is None
    assert own_cgroups() == []


def test_the_kernel_holds_the_limit(
    made: PidsCgroup, make: Make, mark: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is counted before the first process has ended."""
    peaks = []

    def remove(cgroup: PidsCgroup) -> None:
        peaks.append(int(Path(cgroup.path, "pids.peak").read_text()))
        real_remove(cgroup)

    real_remove = PidsCgroup.remove
    monkeypatch.setattr(PidsCgroup, "remove", remove)
    for name in ("MIN_COUNT_SECONDS", "MAX_COUNT_SECONDS"):
        monkeypatch.setattr(process_limit, name, 3600)
    script = "i=0; while [ $i -lt 100 ]; do sleep 60 & i=$((i+1)); done"
    result = run(make("sh", "-c", script, max_processes=8, tagged=True))
    assert (result.code, result.limit, marked_processes(mark)) == (125, "max_processes", [])
    assert peaks == [16]
    assert own_cgroups() == []


def test_what_is_left_leaves_the_cgroup(made: PidsCgroup, make: Make, mark: str) -> None:
    result = run(make("sh", "-c", "setsid sleep 60 >/dev/null 2>&1 & echo", max_processes=8))
    assert (result.code, own_cgroups()) == (0, [])
    (left,) = marked_processes(mark)
    own = Path("/proc/self/cgroup").read_text()
    assert Path(f"/proc/{left}/cgroup").read_text() == own
    assert kill_marked(mark) == 1


def test_one_that_cleared_its_environment_is_killed(
    made: PidsCgroup, make: Make, tmp_path: Path
) -> None:
    """Nothing but the cgroup tells that it belongs to the tree."""
    script = f"(env -i setsid sh -c 'echo $$ >{tmp_path}/pid; exec sleep 600' &); sleep 600"
    with start(make("sh", "-c", script, max_processes=9)) as process:
        while not (tmp_path / "pid").exists() or not (tmp_path / "pid").read_text():
            process.turn(time.monotonic())
        stray = os.pidfd_open(int((tmp_path / "pid").read_text()))
    try:
        assert select.select([stray], [], [], 0)[0] == [stray]
    finally:
        os.close(stray)


THREADS = """
import sys, threading, time
def more(count):
    for _ in range(count):
        threading.Thread(target=time.sleep, args=(60,), daemon=True).start()
    print("there", flush=True)
more(5)
sys.stdin.readline()
more(7)
"""


def test_threads_are_not_counted(made: PidsCgroup, make: Make) -> None:
    spec = make(sys.executable, "-S", "-c", THREADS, max_processes=4, stdin=OPEN)
    with start(spec) as process:
        (name,) = own_cgroups()
        limit = Path(next(cgroup_directories())[0], name, "pids.max")
        while int(limit.read_text()) == 8:
            process.turn(None)
        process.send(b"\n")
        process.finish_input()
        result = process.wait()
    assert (result.code, result.stdout, result.stderr) == (0, b"there\nthere\n", b"")


def test_threads_are_not_counted_without_a_cgroup(
    make: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pids_cgroup, "MOUNTS_FILE", os.devnull)
    spec = make(sys.executable, "-S", "-c", THREADS, max_processes=4, stdin=b"\n")
    result = run(spec)
    assert (result.code, result.stdout, result.stderr) == (0, b"there\nthere\n", b"")


def test_a_shells_own_limit_is_counted(made: PidsCgroup, mark: str) -> None:
    """Each program of a shell has that limit, and starts as fast as without."""
    env = {"PATH": PATH, "KEYSH_TEST": mark}
    own = Path("/proc/self/cgroup").read_text()
    with keysh.Shell(env=env, external=True) as shell:
        assert shell.run("/bin/cat /proc/self/cgroup").stdout == own
    with keysh.Shell(env=env, external=keysh.Policy(max_processes=9)) as shell:
        assert shell.run("/bin/cat /proc/self/cgroup").stdout != own


VARIABLES = {"PATH": PATH, "PWD": "/v/p q", "OLDPWD": "/none", "BASH_ENV": "/none", "A": "\udcff"}


@pytest.mark.parametrize("env", [{"PATH": PATH}, VARIABLES, {**VARIABLES, "SHLVL": "7"}])
def test_a_program_does_not_see_how_it_entered(made: PidsCgroup, env: dict[str, str]) -> None:
    result = run(ProcessSpec(["env", "-0"], env=env, max_processes=4, tagged=False))
    given = sorted(os.fsencode(f"{name}={value}") for name, value in env.items())
    assert sorted(result.stdout.split(b"\0")[:-1]) == given
    spec = ProcessSpec(["cat", "/proc/self/cmdline"], env=env, max_processes=4)
    assert run(spec).stdout == b"cat\0/proc/self/cmdline\0"
