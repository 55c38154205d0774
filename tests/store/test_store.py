"""A Shell with a store: what is there again, what happens between runs, and what is refused."""

from __future__ import annotations

import asyncio
import gc
import json
import os
import sqlite3
import threading
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

import keysh
from keysh import Call, ImageError, LocalFS, MemoryFS, Shell, SqliteFS
from real_tools import MISSING

SETUP = r"""
x=1; xs=[1, [2, 3]]; declare -A map=([k]=v); array=(a b); declare -i n=5; export e=1; readonly r=1
declare -a holes=([2]=c [9]=d); declare -n ref=x
f(name, times: int = 2) { echo "f $name $times"; }; alias ll='ls -l'; trap '' TERM; set -u
trap 'echo line' USR1; mkdir -p /d/e; printf 'one\n' > /d/f; ln /d/f /d/g; ln -s e /d/l
chmod 600 /d/f; cd /d; pushd / > /dev/null; umask 027; set -- first second; RANDOM=7
"""
LOOK = r"""
declare -p x map array n e r holes; declare -p -n ref; tojson $xs; f here; alias; trap -p
set -o | grep nounset; pwd; dirs; umask; echo "$@" $RANDOM; ls -l /d; cat /d/g
"""


def rows(path: str, query: str) -> list[tuple[Any, ...]]:
    """Return what another connection sees in the file."""
    with closing(sqlite3.connect(path)) as connection:
        return connection.execute(query).fetchall()


def change(path: str, script: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)


def hello(sh: Call) -> str:
    """Say hello."""
    return "hello"


class TestGoingOn:
    def test_everything_is_there_again(self, store_path: str) -> None:
        memory = Shell()
        with Shell(store=store_path) as shell:
            for one in (memory, shell):
                assert one.run(SETUP).ok
        with Shell(store=store_path) as again:
            found, expected = again.run(LOOK), memory.run(LOOK)
            assert found.stderr == expected.stderr == ""
            assert [line.split()[:2] for line in found.stdout.splitlines()] == [
                line.split()[:2] for line in expected.stdout.splitlines()
            ]
            assert again.run("r=2").stderr == memory.run("r=2").stderr

    def test_status_and_last_word(self, store_path: str) -> None:
        with Shell(store=store_path) as shell:
            shell.run("echo word; false | (exit 3)")
        with Shell(store=store_path) as shell:
            assert shell.run('echo $? "${PIPESTATUS[@]}"').stdout == "3 1 3\n"

    def test_seconds_go_on(self, store_path: str) -> None:
        with Shell(store=store_path, clock=1000) as shell:
            shell.run("SECONDS=40")
        with Shell(store=store_path, clock=5000) as shell:
            assert shell.run("echo $SECONDS").stdout == "40\n"

    def test_the_beginning_is_for_a_new_store(self, store_path: str, tmp_path: Path) -> None:
        (tmp_path / "f").write_text("disk\n")
        beginning: dict[str, Any] = {
            "files": {"/in/a": "first\n", "/more/b": "beside\n"}, "cwd": "/in",
            "env": {"WHO": "me"}, "args": ["one"], "name": "session", "dialect": "bash",
        }  # fmt: skip
        look = 'pwd; echo $WHO $1 $0; cat /in/a /more/b /work/f; x="1 2"; set -- $x; echo $#'
        for turn in range(3):
            fs = {"/more": MemoryFS(), "/work": LocalFS(tmp_path)}
            with Shell(fs, store=store_path, **beginning) as shell:
                if not turn:
                    shell.run("WHO=you; cd /tmp; echo changed > /in/a; echo lost > /more/b")
                else:
                    found = shell.run(look).stdout.split()
                    assert found == [
                        "/tmp", "you", "one", "session", "changed", "beside", "disk", "2",
                    ]  # fmt: skip
                    shell.run("set -- one")
            beginning["env"] = beginning["dialect"] = None  # the store knows

    def test_host_commands_are_added_again(self, store_path: str) -> None:
        with Shell(store=store_path, commands=[hello]) as shell:
            assert shell.run("greet() { hello; }; greet").stdout == "hello"
        with Shell(store=store_path, commands=[hello]) as shell:
            assert shell.run("greet").stdout == "hello"

    def test_nothing_runs_and_no_door_opens(self, store_path: str) -> None:
        with Shell(store=store_path, external=True) as shell:
            shell.run("trap 'echo ran > /ran' DEBUG EXIT; alias ls='echo ran > /ran'")
            shell.run("rm /ran")
        with Shell(store=store_path) as shell:
            assert not [entry for entry in shell.fs.list("/") if entry.name == "ran"]
            assert not shell.state.session.has_programs

    def test_bytes_of_any_kind(self, store_path: str) -> None:
        with Shell(store=store_path) as shell:
            assert shell.run("x=$'\\xff'; echo $'\\xfe' > /$'\\xfd'").ok
        with Shell(store=store_path) as shell:
            found = shell.run("printf %s $x; cat /?").stdout_bytes
            assert found == b"\xff\xfe\n"

    def test_a_directory_that_is_gone(self, store_path: str) -> None:
        with Shell(store=store_path) as shell:
            assert shell.run("mkdir /gone; cd /gone; rmdir /gone").ok
        with Shell(store=store_path) as shell:
            assert shell.cwd == "/gone"
            assert "No such file" in shell.run("echo x > f").stderr
            assert shell.run("cd /tmp; echo x > f; cat f").stdout == "x\n"

    def test_a_file_of_agentfs_begins_a_session(self, store_path: str) -> None:
        with SqliteFS(store_path) as fs:
            fs.make_directory("/tmp", 0o700)
            with fs.open("/tmp/f", "x") as stream:
                stream.write(b"theirs\n")
            fs.values["key"] = [1]
        with Shell(store=store_path) as shell:
            assert shell.run("cat /tmp/f; stat -c %a /tmp; ls /usr").stdout == "theirs\n700\nbin\n"
        with SqliteFS(store_path) as fs:
            assert dict(fs.values) == {"key": [1]}


class TestWhatIsStored:
    def test_a_run_is_stored_before_it_is_answered(self, store_path: str) -> None:
        with Shell(store=store_path) as shell, SqliteFS(store_path) as other:
            for number in range(1, 4):
                assert shell.run(f"x={number}; echo {number} > /f; (exit {number})").code == number
                with other.open("/f") as stream:
                    assert stream.read() == b"%d\n" % number
                ((record,),) = rows(
                    store_path,
                    "SELECT record FROM keysh_state AS t JOIN keysh_session AS s ON s.state = t.id",
                )
                assert json.loads(record)["variables"]["x"] == number

    def test_the_entries(self, store_path: str) -> None:
        with Shell(store=store_path, limits=keysh.Limits(steps=100)) as shell:
            shell.run("echo \udcff")
            shell.run("while :; do x=1; done")
            shell.run("if")
        found = rows(
            store_path, "SELECT number, CAST(text AS BLOB), status, reached FROM keysh_run"
        )
        assert found[0] == (1, b"echo \xff", 2, None)  # no UTF-8
        assert found[1][:3] == (2, b"while :; do x=1; done", 125)
        assert json.loads(found[1][3])[0] == "steps"
        assert found[2] == (3, b"if", 2, None)
        calls = rows(store_path, "SELECT name, parameters, result, status, error FROM tool_calls")
        assert calls[0] == ("keysh", '{"text": "echo \\udcff"}', '{"status": 2}', "success", None)
        assert calls[1][2:4] == (None, "error")
        assert calls[1][4].startswith("steps: ")
        assert calls[2][2] == '{"status": 2}'

    def test_a_state_that_is_the_same_is_not_written(self, store_path: str) -> None:
        with Shell(store=store_path) as shell:
            shell.run("x=1; f() { echo f; }; f")
            shell._store.files.database.execute(  # type: ignore[union-attr]
                "CREATE TEMP TRIGGER refuse BEFORE INSERT ON keysh_state "
                "BEGIN SELECT RAISE(ABORT, 'written'); END"
            )
            assert shell.run("f").ok
            assert shell.run("x=2").limit is not None

    def test_a_run_within_a_run_belongs_to_it(self, store_path: str) -> None:
        def inner(sh: Call) -> str:
            """Run a script."""
            return shell.run("echo inner > /f; cat /f").stdout

        with Shell(store=store_path, commands=[inner]) as shell:
            assert shell.run("inner").stdout == "inner\n"
        assert rows(store_path, "SELECT text FROM keysh_run") == [("inner",)]


class TestBetweenRuns:
    def test_open_descriptors_go_on_from_run_to_run(self, store_path: str) -> None:
        with Shell(store=store_path) as shell:
            shell.run("exec 3>/out; echo one >&3; printf 'a\\nb\\nc\\n' > /in; exec 4</in")
            shell.run("echo two >&3; read -u 4 first")
            assert shell.run("exec 3>&-; read -u 4 next; cat /out; echo $first $next").stdout == (
                "one\ntwo\na b\n"
            )
        with Shell(store=store_path) as shell:  # descriptors end with the shell
            assert "4: " in shell.run("read -u 4 x").stderr

    def test_the_host_writes_at_once(self, store_path: str) -> None:
        with Shell(store=store_path) as shell, SqliteFS(store_path) as other:
            with shell.fs.open("/f", "w") as stream:
                stream.write(b"host\n")
            with other.open("/f") as stream:
                assert stream.read() == b"host\n"
            assert shell.run("cat /f").stdout == "host\n"

    def test_variables_of_the_host_are_stored_with_the_next_run(self, store_path: str) -> None:
        with Shell(store=store_path) as shell:
            shell.run("x=1")
            shell.vars["x"] = 2
            shell.run("true")
            shell.vars["x"] = 3
        with Shell(store=store_path) as shell:
            assert shell.vars["x"] == 2

    def test_a_job_writes_at_once(self, store_path: str) -> None:
        may_write, has_written = threading.Event(), threading.Event()

        def hold(sh: Call) -> None:
            """Wait for the test."""
            may_write.wait()

        def tell(sh: Call) -> None:
            """Tell the test."""
            has_written.set()

        with Shell(store=store_path, commands=[hold, tell]) as shell:
            assert shell.run("{ hold; echo late > /late; tell; } & x=1").ok
            may_write.set()
            has_written.wait()
            with SqliteFS(store_path) as other, other.open("/late") as stream:
                assert stream.read() == b"late\n"
            assert shell.run("wait; cat /late").stdout == "late\n"

    def test_runs_of_many_threads_take_turns(self, store_path: str) -> None:
        async def work(shell: Shell) -> None:
            await asyncio.gather(
                *(shell.arun(f"n=$((n + 1)); echo {number} >> /log") for number in range(20))
            )

        with Shell(store=store_path) as shell:
            shell.run("n=0")
            asyncio.run(work(shell))
        with Shell(store=store_path) as shell:
            assert shell.run("echo $n; sort -n /log | tr '\\n' ' '").stdout == (
                "20\n" + "".join(f"{number} " for number in range(20))
            )

    def test_reset(self, store_path: str) -> None:
        with Shell(store=store_path, env={"HOME": "/h"}, files={"/f": "first\n"}) as shell:
            shell.run("x=1; f() { :; }; cd /tmp; echo second > /f")
            shell.reset()
            look = "echo ${x-unset} $HOME; type -t f; pwd; cat /f"
            assert shell.run(look).stdout == "unset /h\n/\nsecond\n"
        with Shell(store=store_path, files={"/f": "first\n"}) as shell:
            assert shell.run(look).stdout == "unset /h\n/\nsecond\n"
        assert len(rows(store_path, "SELECT * FROM keysh_run")) == 2

    def test_reset_is_stored_at_once(self, store_path: str) -> None:
        shell = Shell(store=store_path)
        shell.run("x=1")
        shell.reset()
        with Shell(store=store_path) as other:
            assert other.run("echo ${x-unset}").stdout == "unset\n"
        shell.close()


class TestForksAndImages:
    def test_a_fork_sees_the_files_as_they_were(self, store_path: str) -> None:
        with Shell(store=store_path, files={"/f": "0\n", "/g": "0\n"}) as shell:
            shell.run("x=0")
            fork = shell.fork()
            shell.run("x=1; echo 1 > /f; rm /g; echo 1 > /new")
            assert fork.run("x=2; cat /f /g; echo 2 > /f; ls /; cat /f").stdout.split() == [
                "0", "0", "bin", "dev", "f", "g", "tmp", "usr", "2",
            ]  # fmt: skip
            second = fork.fork()
            assert second.run("cat /f; echo $x").stdout == "2\n2\n"
            assert shell.run("cat /f; echo $x").stdout == "1\n1\n"
        assert fork.run("cat /g").stdout == "0\n"  # also after the shell

    def test_the_store_is_not_shared_with_a_fork(self, store_path: str) -> None:
        with (
            Shell(store=store_path) as shell,
            pytest.raises(ValueError, match="what is at / is in the store"),
        ):
            shell.fork(share=["/"])

    def test_an_image_holds_the_files(self, store_path: str) -> None:
        with Shell(store=store_path) as shell:
            shell.run(SETUP)
            images = [shell.snapshot(), shell.fork().snapshot()]
            expected = shell.run(LOOK).stdout
        for image in images:
            assert keysh.image_of(image).mounts == {"/": "memory"}
            assert Shell.restore(image).run(LOOK).stdout == expected

    def test_an_image_is_no_store(self, store_path: str) -> None:
        with pytest.raises(TypeError, match="an image has files of its own"):
            Shell.restore(Shell().snapshot(), store=store_path)


class TestClosing:
    def test_a_closed_shell_runs_nothing(self, store_path: str) -> None:
        shell = Shell(store=store_path)
        shell.close()
        shell.close()
        with pytest.raises(ValueError, match=f"closed: {store_path}"):
            shell.run("ls")
        assert os.listdir(os.path.dirname(store_path)) == ["work.db"]

    def test_a_dropped_shell_closes_the_file(self, store_path: str) -> None:
        gc.disable()
        try:
            shell = Shell(store=store_path)
            shell.run("x=1; f() { echo $x; }; f > /f")
            shell.fork().run("f")
            del shell
        finally:
            gc.enable()
        opened = [
            os.path.realpath(f"/proc/self/fd/{number}") for number in os.listdir("/proc/self/fd")
        ]
        assert store_path not in opened


class TestRefusals:
    @pytest.mark.parametrize(
        ("fs", "error", "message"),
        [
            (MemoryFS(), TypeError, "with a store, fs must be file systems by their mount points"),
            (lambda: MemoryFS(), TypeError, "with a store, fs must be file systems by"),
            ({"//": MemoryFS()}, ValueError, "what is at / is in the store"),
            ({"/a": 1}, TypeError, "what is mounted at /a must be a FileSystem"),
        ],
    )
    def test_a_root_of_the_host(
        self, store_path: str, fs: Any, error: type[Exception], message: str
    ) -> None:
        with pytest.raises(error, match=message):
            Shell(fs, store=store_path)
        assert not os.path.exists(store_path)

    def test_what_is_no_store(self, store_path: str) -> None:
        Path(store_path).write_text("some text, and no database at all\n" * 10)
        with pytest.raises(ValueError, match=f"{store_path} cannot be used"):
            Shell(store=store_path)
        with pytest.raises(IsADirectoryError):
            Shell(store=os.path.dirname(store_path))
        with pytest.raises(FileNotFoundError):
            Shell(store=f"{store_path}-missing/work.db")

    @pytest.mark.parametrize(
        ("script", "message"),
        [
            ("UPDATE keysh_session SET format = 2", "has format 2, this keysh reads 1"),
            ("UPDATE keysh_session SET dialect = 'zsh'", "its session is damaged"),
            ("UPDATE keysh_session SET turn = 'x'", "its session is damaged"),
            ("DELETE FROM keysh_session", "its session is damaged"),
            ("DROP TABLE keysh_state", "is not one of keysh"),
            ("UPDATE keysh_state SET record = 'no json'", "its state is damaged"),
            ("UPDATE keysh_state SET record = '[]'", "its state is damaged"),
            ("UPDATE keysh_state SET record = '{}'", "its state is not one of keysh"),
            ("UPDATE keysh_state SET record = printf('%.*c', 100000, '[')", "damaged"),
            (("UPDATE keysh_state SET record = json_set(record, '$.traps', json_object('EXIT', "
             "json_object('text', 'if', 'dialect', 'keysh')))"), "the trap EXIT is no script"),
            ("UPDATE keysh_state SET record = json_set(record, '$.directory', 7)", "state is not"),
        ],
    )  # fmt: skip
    def test_damage(self, store_path: str, script: str, message: str) -> None:
        Shell(store=store_path).close()
        change(store_path, script)
        with pytest.raises(ImageError) as caught:
            Shell(store=store_path)
        assert str(caught.value).startswith(f"{store_path} cannot be used: ")
        assert message in str(caught.value)

    def test_a_beginning_that_fails_leaves_nothing(self, store_path: str) -> None:
        with pytest.raises(FileNotFoundError):
            Shell(store=store_path, files={"/f": "first\n"}, cwd="/missing")
        with Shell(store=store_path) as shell:
            assert shell.run("ls /f").code == 2


@pytest.mark.skipif(find_spec("agentfs_sdk") is None, reason=f"{MISSING}agentfs-sdk")
def test_the_tools_of_agentfs_read_and_write_a_store(store_path: str) -> None:
    async def act() -> list[Any]:
        from agentfs_sdk import AgentFS, AgentFSOptions

        agent = await AgentFS.open(AgentFSOptions(path=store_path))
        try:
            text = await agent.fs.read_file("/ours")
            await agent.fs.write_file("/theirs", text + "and theirs\n")
            calls = await agent.tools.get_recent(0)
            return [text, *((call.name, call.parameters, call.result) for call in calls)]
        finally:
            await agent.close()

    with Shell(store=store_path) as shell:
        shell.run("x=1; echo ours > /ours")
    found = asyncio.run(act())
    assert found == ["ours\n", ("keysh", {"text": "x=1; echo ours > /ours"}, {"status": 0})]
    with Shell(store=store_path) as shell:
        assert shell.run("cat /theirs; echo $x").stdout == "ours\nand theirs\n1\n"
