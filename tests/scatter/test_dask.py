"""scatter on a real Dask cluster: two workers of this machine."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import keysh
from keysh import Cancel, Limits, LocalFS, MemoryFS, OverlayFS, Shell
from scatter.printed_rows import rows_of
from scatter.waiting import wait_for_end, wait_for_lines, wait_until

distributed = pytest.importorskip("distributed", reason="dask is not installed")

ENV = {"PATH": "/usr/bin:/bin"}
pytestmark = [
    pytest.mark.filterwarnings("ignore"),  # of distributed and tornado themselves
    pytest.mark.xdist_group("dask"),
]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
    ) as cluster:
        yield cluster


@pytest.fixture
def address(cluster: Any) -> str:
    """A cluster with all its workers."""
    with distributed.Client(cluster, set_as_default=False) as client:
        client.wait_for_workers(2, timeout=60)
    return str(cluster.scheduler_address)


@keysh.command
def importable_command(sh: keysh.Call, word: str) -> str:
    """Print a word twice.

    word  it
    """
    return f"{word}{word}\n"


def test_items_see_what_the_shell_has(address: str) -> None:
    script = """
        check(host, port: int = 443) { echo "$host:$port $zone $(cat /data)"; [[ $host != down ]]; }
        zone=[eu, us]
    """
    with Shell(files={"/data": "d\n"}) as shell:
        shell.run(script)
        rows = rows_of(shell, f"scatter check web down on={address}")
        assert [(row["ok"], row["out"]) for row in rows] == [
            (True, 'web:443 ["eu","us"] d\n'), (False, 'down:443 ["eu","us"] d\n'),
        ]  # fmt: skip
        assert {row["worker"].partition(":")[0] for row in rows} == {"tcp"}


def test_rows_are_those_of_threads(address: str) -> None:
    script = "f() { echo $RANDOM $1; echo e >&2; (($1 % 3)); }; seq 50 | scatter f seed=5"
    with Shell() as shell:
        kept = ("i", "item", "ok", "code", "out", "err", "attempts")
        by_engine = [
            [{name: row[name] for name in kept} for row in rows_of(shell, f"{script} {option}")]
            for option in ("", f"on={address}")
        ]
    assert by_engine[0] == by_engine[1]
    assert len(by_engine[0]) == 50


def test_values_travel(address: str) -> None:
    with Shell() as shell:
        shell.run("half() { tojson {a: $1} > /dev/null; fromjson <<< '{\"a\": [1, null]}'; }")
        [row] = shell.map("half", [1], on=address)
        assert row.data == {"a": [1, None]}


def test_command_of_the_host_that_can_be_imported_travels(address: str) -> None:
    with Shell(commands=[importable_command]) as shell:
        assert rows_of(shell, f"scatter importable_command a on={address}")[0]["out"] == "aa\n"


def test_command_of_the_host_that_cannot_be_imported_is_refused(address: str) -> None:
    @keysh.command
    def local(sh: keysh.Call, word: str) -> None:
        """Do nothing.

        word  it
        """

    with Shell(commands=[local]) as shell:
        result = shell.run(f"scatter local a on={address}")
    assert result.code == 2
    assert "local cannot be imported by its name" in result.stderr


def test_changes_of_an_overlay_travel_and_shared_directories_are_there(
    address: str, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("old\n")
    overlay = OverlayFS(LocalFS(tmp_path))
    with Shell({"/": overlay, "/shared": LocalFS(tmp_path)}) as shell:
        shell.run("echo new > /file; f() { cat /file /shared/file; echo $1 > /shared/out; }")
        refused = shell.run(f"scatter f x on={address}")
        assert refused.code == 2
        assert "is a directory of this machine" in refused.stderr
        assert "fix: shared=/" in refused.stderr
        [row] = rows_of(shell, f"scatter f x on={address} shared=/ shared=/shared")
        assert row["out"] == "new\nold\n"
    assert (tmp_path / "out").read_text() == "x\n"


def test_fsspec_mounts_are_there_as_they_are_pickled(address: str, tmp_path: Path) -> None:
    fsspec = pytest.importorskip("fsspec")
    from keysh.vfs.remote.fsspec import FsspecFS

    storage = fsspec.filesystem("dir", path=str(tmp_path), fs=fsspec.filesystem("file"))
    (tmp_path / "in").write_text("in\n")
    with Shell({"/": MemoryFS(), "/s": FsspecFS(storage)}) as shell:
        shell.run("f() { cat /s/in; echo $1 > /s/$1; }")
        rows = rows_of(shell, f"scatter f a b on={address}")
    assert [row["out"] for row in rows] == ["in\n", "in\n"]
    assert (tmp_path / "b").read_text() == "b\n"


def test_mount_that_cannot_be_pickled_is_named(address: str) -> None:
    fsspec = pytest.importorskip("fsspec")
    from keysh.vfs.remote.fsspec import FsspecFS

    storage = fsspec.filesystem("memory", skip_instance_cache=True)
    storage.storage_options["lock"] = threading.Lock()
    with Shell({"/": MemoryFS(), "/s": FsspecFS(storage)}) as shell:
        result = shell.run(f"scatter true a on={address}")
    assert result.code == 2
    assert "/s cannot be sent to another process: " in result.stderr


def test_files_that_are_asked_for_come_back(address: str) -> None:
    with Shell() as shell:
        shell.run("f() { echo $1 > /$1.txt; echo x > /y; }")
        assert all(row.ok for row in shell.map("f", ["a", "b"], on=address, return_="/*.txt"))
        assert shell.run("cat /*.txt; ls /y").stdout == "a\nb\n"


def test_worker_of_another_version_is_refused(
    address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("keysh.shell.scattering.dask_mapper.__version__", "99.0")
    with Shell() as shell:
        result = shell.run(f"scatter true a on={address}")
    assert result.code == 1
    assert "and this is 99.0" in result.stderr


def test_limits_hold_in_each_item(address: str) -> None:
    with Shell(limits=Limits(steps=5000)) as shell:
        shell.run(
            "f() { for i in {1..1000}; do :; done; while [[ $1 == 3 ]]; do :; done; echo $1; }"
        )
        rows = list(shell.map("f", [1, 2, 3, 4], on=address))
    assert [row.code for row in rows] == [0, 0, 125, 0]
    assert "limit reached: steps" in rows[2].err


def test_timeout_and_cancel_end_the_programs_of_the_workers(address: str, tmp_path: Path) -> None:
    with Shell(env=ENV, external=True) as shell:
        shell.run(f"f() {{ /bin/sh -c 'echo $$ >> {tmp_path}/$0; sleep 60 & wait' $1; }}")
        [row] = shell.map("f", ["timed"], on=address, timeout=500)
        assert row.code == 124
        cancel = Cancel()
        results: list[keysh.Result] = []
        thread = threading.Thread(
            target=lambda: results.append(
                shell.run(f"scatter f cancelled cancelled on={address}", cancel=cancel)
            )
        )
        thread.start()
        wait_for_lines(tmp_path / "cancelled", 2)
        cancel.cancel()
        thread.join()
    assert results[0].code == 130
    pids = [*map(int, (tmp_path / "timed").read_text().split())]
    pids += map(int, (tmp_path / "cancelled").read_text().split())
    assert len(pids) == 3
    for pid in pids:
        wait_for_end(pid)


@pytest.mark.parametrize(("retries", "codes"), [(0, [125, 0]), (1, [0, 0])])
def test_items_of_a_worker_that_is_killed_fail_or_run_again(
    address: str, tmp_path: Path, retries: int, codes: list[int]
) -> None:
    script = f"""
        f() {{ if [[ $1 == 0 && ! -e {tmp_path}/once ]]; then /bin/touch {tmp_path}/once
               /bin/sh -c 'kill -9 $PPID'; sleep 60; fi; }}
    """
    with Shell({"/": LocalFS("/")}, env=ENV, external=True) as shell:
        shell.run(script)
        rows = list(shell.map("f", [0, 1], on=address, shared=["/"], retries=retries))
    assert [row.code for row in rows] == codes
    if not retries:
        assert "was lost" in rows[0].err


def test_scheduler_that_is_gone_ends_the_scatter() -> None:
    cluster = distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, dashboard_address=None, silence_logs=50
    )

    def items() -> Iterator[int]:
        yield 0
        cluster.close()
        yield 60

    with Shell() as shell, pytest.raises(keysh.Failed, match=r"scheduler is gone|no workers"):
        list(shell.map("sleep", items(), on=cluster.scheduler_address, workers=1, retries=1))


def test_cluster_without_workers_is_awaited_and_grows(tmp_path: Path) -> None:
    """Each of two items waits for the other one, so that there have to be two workers."""
    waiting = "scatter: the cluster has no workers yet, waiting for one\n"
    script = "meet() { echo > /$1; until [[ -e /$2 ]]; do sleep 0.02; done; }"
    cancel = Cancel()

    def note(stream: str, text: str) -> None:
        if waiting in text:
            cancel.cancel()

    with (
        distributed.LocalCluster(
            n_workers=0, threads_per_worker=1, dashboard_address=None, silence_logs=50
        ) as cluster,
        Shell(LocalFS(tmp_path)) as shell,
    ):
        shell.run(script)
        scatter = f"scatter meet on={cluster.scheduler_address} shared=/ <<< $pairs"
        shell.vars["pairs"] = '["a","b"]\n["b","a"]'
        assert shell.run(scatter, cancel=cancel, on_output=note).code == 130
        wait_until(lambda: not cluster.scheduler.tasks)
        cluster.adapt(minimum=0, maximum=2, interval="50ms")
        result = shell.run(scatter)
        assert (result.code, result.stderr) == (0, waiting)
        assert len({json.loads(line)["worker"] for line in result.stdout.splitlines()}) == 2
        wait_until(lambda: not cluster.scheduler.tasks)


def test_client_of_the_host_is_used(cluster: Any, address: str) -> None:
    with (
        distributed.Client(cluster, set_as_default=False) as client,
        Shell(mapper=client) as shell,
    ):
        assert [row.data for row in shell.map("echo", ["a"])] == ["a"]
        assert rows_of(shell, "scatter echo b")[0]["worker"].startswith("tcp://")
        assert rows_of(shell, "scatter echo b engine=threads")[0]["worker"] == 1


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ("on=tcp://127.0.0.1:1", "the scheduler tcp://127.0.0.1:1 is not reachable: "),
        ("on=nonsense", "the scheduler nonsense is not reachable: "),
        ("engine=dask", "engine=dask needs a scheduler"),
        ("engine=slurm", "engine must be one of threads, "),
    ],
)
def test_wrong_clusters_are_refused(options: str, error: str) -> None:
    with Shell() as shell:
        result = shell.run(f"scatter true a {options}")
    assert result.code in (1, 2)
    assert error in result.stderr
    assert result.stdout == ""


def test_what_only_the_host_can_decide_is_refused(address: str) -> None:
    with Shell(on_command=lambda *words: None) as shell:
        result = shell.run(f"scatter true a on={address}")
    assert result.code == 2
    assert "on_command of the host is not there" in result.stderr


def test_nothing_is_left(address: str) -> None:
    before = {thread.name for thread in threading.enumerate()}
    with Shell() as shell:
        assert shell.run(f"seq 100 | scatter true on={address} | gather").ok
    names = {thread.name for thread in threading.enumerate()} - before
    assert not {name for name in names if name.startswith("keysh")}
