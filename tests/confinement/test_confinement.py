"""What a Confinement holds, on this kernel and on older ones, and what it says of the rest."""

from __future__ import annotations

import ctypes
import gc
import os
import shutil
import signal
import socket
import struct
import sys
import tempfile
import threading
from pathlib import Path

import pytest

from confinement.conftest import PATH, needs_kernel
from keysh import Confinement, Events, LocalFS, MemoryFS, OverlayFS, Policy, ReadOnlyFS, Shell
from keysh.adapters.agent.keysh_session import KeyshSession
from keysh.process import PRIVATE, ProcessSpec, run
from keysh.process.confine import confinement
from keysh.process.confine.collection_pause import CollectionPause
from keysh.process.confine.kernel import UNHELD_ATTRIBUTES, UNHELD_FILES, UNHELD_SIGNALS, Kernel
from keysh.process.result import ProcessResult

ENV = {"PATH": PATH}
pytestmark = needs_kernel


def sh(text: str, policy: Policy, **options: object) -> ProcessResult:
    """Run a text by the machine's sh."""
    words = ["/bin/sh", "-c", text]
    return run(ProcessSpec(words, env=ENV, policy=policy, **options))  # type: ignore[arg-type]


def confined_threads() -> set[threading.Thread]:
    return {thread for thread in threading.enumerate() if thread.name == "keysh-confined"}


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Return a directory with a file, and a directory with another one."""
    (tmp_path / "file").write_text("content\n")
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "file").write_text("below\n")
    return tmp_path


def test_paths_are_read_or_written_or_run(tree: Path) -> None:
    program = tree / "program"
    program.write_text("#!/bin/sh\necho ran\n")
    program.chmod(0o755)
    text = f"cat {tree}/file; echo x >{tree}/new && echo written; {program}"
    for asked, out in (
        (Confinement(), b""),
        (Confinement(read=[str(tree)]), b"content\n"),
        (Confinement(write=[str(tree)]), b"content\nwritten\n"),
        (Confinement(execute=[str(tree)]), b"content\nran\n"),
        (Confinement(read=[str(tree / "file")]), b"content\n"),
    ):
        result = sh(text, Policy(confine=asked))
        assert result.stdout == out, asked
        assert result.unenforced == ()


def test_host_and_its_threads_stay_free(tree: Path) -> None:
    policy = Policy(confine=Confinement())
    assert sh(f"cat {tree}/file", policy).code == 1
    assert (tree / "file").read_text() == "content\n"
    assert run(ProcessSpec(["cat", str(tree / "file")], env=ENV)).code == 0
    seen = []
    thread = threading.Thread(target=lambda: seen.append((tree / "file").read_text()))
    thread.start()
    thread.join()
    assert seen == ["content\n"]


def test_longest_path_decides(tree: Path) -> None:
    below = str(tree / "below")
    asked = Confinement(write=[str(tree)], deny=[below])
    text = f"cat {below}/file; echo x >{below}/new; echo y >>{tree}/file && tail -n1 {tree}/file"
    assert sh(text, Policy(confine=asked)).stdout == b"y\n"
    again = asked.with_paths(read=[below])
    assert sh(f"cat {below}/file", Policy(confine=again)).stdout == b"below\n"
    assert sh(f"echo x >{below}/new", Policy(confine=again)).code != 0


def test_what_is_denied_is_not_allowed_by_the_same_path(tree: Path) -> None:
    below, env = str(tree / "below"), os.path.realpath("/usr/bin/env")
    asked = Confinement(read=[str(tree), below], execute=[env], deny=[below])
    assert sh(f"cat {below}/file", Policy(confine=asked)).code == 1
    assert sh("e=env; $e true", Policy(confine=asked)).code == 0
    assert sh("e=env; $e true", Policy(confine=asked, deny=["env"])).code == 126


def test_new_file_beside_what_is_denied_is_seen_by_the_next_program(tree: Path) -> None:
    policy = Policy(confine=Confinement(read=[str(tree)], deny=[str(tree / "below")]))
    assert sh(f"cat {tree}/later", policy).code == 1
    (tree / "later").write_text("later\n")
    assert sh(f"cat {tree}/later", policy).stdout == b"later\n"


def test_program_that_is_installed_beside_a_denied_one_runs(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    system = (*confinement.SYSTEM_DIRECTORIES, str(tree))
    monkeypatch.setattr(confinement, "SYSTEM_DIRECTORIES", system)
    policy = Policy(confine=Confinement(deny=[str(tree / "file")]))
    assert sh(f"{tree}/later", policy).code == 127
    before = tree.stat().st_mtime_ns
    shutil.copy("/bin/true", tree / "later")
    while tree.stat().st_mtime_ns == before:  # within one tick of the clock
        os.utime(tree)
    assert sh(f"{tree}/later", policy).code == 0


def test_directory_that_was_replaced_is_another_one(tree: Path) -> None:
    policy = Policy(confine=Confinement(read=[str(tree / "below")]))
    assert sh(f"cat {tree}/below/file", policy).code == 0
    (tree / "below").rename(tree / "old")
    (tree / "below").mkdir()
    (tree / "below" / "file").write_text("new\n")
    assert sh(f"cat {tree}/below/file", policy).stdout == b"new\n"
    assert sh(f"cat {tree}/old/file", policy).code == 1


def test_path_that_does_not_exist_is_refused(tmp_path: Path) -> None:
    result = sh("true", Policy(confine=Confinement(read=[str(tmp_path / "none")])))
    assert (result.code, result.issue) == (126, "POLICY")
    assert result.error is not None
    assert result.error.rule == "confine"
    assert result.error.reason == "cannot be allowed: No such file or directory"


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"read": "/tmp"}, "read must be a list of paths"),
        ({"connect": 443}, "connect must be a list of ports"),
        ({"connect": [0]}, "connect must have ports from 1 to 65535, but has 0"),
        ({"bind": None}, "bind=None needs connect=None"),
        ({"bind": [80], "connect": None}, "connect=None takes no list of ports"),
        ({"bind": [True]}, "bind must have ports from 1 to 65535, but has True"),
    ],
)
def test_wrong_confinement_is_refused(options: dict[str, object], error: str) -> None:
    with pytest.raises((TypeError, ValueError), match=error):
        Confinement(**options)  # type: ignore[arg-type]


def test_wrong_mode_is_refused() -> None:
    with pytest.raises(ValueError, match="confine must be 'auto', 'require', 'off' or a Confine"):
        Policy(confine="yes")


def test_ports_that_are_listed_and_no_others() -> None:
    program = (
        "import socket, sys\n"
        "for port in sys.argv[1:]:\n"
        "    try: socket.create_connection(('127.0.0.1', int(port))); print('connected')\n"
        "    except OSError as error: print(error.strerror)\n"
    )
    with (
        socket.create_server(("127.0.0.1", 0)) as one,
        socket.create_server(("127.0.0.1", 0)) as other,
    ):
        ports = [one.getsockname()[1], other.getsockname()[1]]
        words = [os.path.realpath(sys.executable), "-I", "-c", program, *map(str, ports)]
        for asked, answers in (
            (Confinement(connect=[ports[0]]), ["connected", "Permission denied"]),
            (Confinement(connect=None), ["connected", "connected"]),
            (Confinement(), ["Address family not supported by protocol"] * 2),
        ):
            policy = Policy(confine=asked.with_paths(execute=[sys.base_prefix]))
            result = run(ProcessSpec(words, env=ENV, policy=policy))
            assert result.stdout.decode().splitlines() == answers, result.stderr


def test_programs_of_a_policy_signal_each_other_and_no_others() -> None:
    policy = Policy(confine=Confinement())
    assert sh("sleep 60 & kill $!; wait $!; echo $?", policy).stdout == b"143\n"
    assert sh(f"kill -0 {os.getpid()}", policy).code == 1
    assert sh(f"kill -0 {os.getpid()}", Policy(confine=Confinement(signals=True))).code == 0


def test_no_file_signals_the_host_for_a_program() -> None:
    """`F_SETOWN` lets the kernel signal any process of the user when a file can be read."""
    program = """
import fcntl, os, signal, socket, sys
F_SETSIG = 10
here, there = socket.socketpair()
fcntl.fcntl(here, fcntl.F_SETOWN, int(sys.argv[1]))
fcntl.fcntl(here, F_SETSIG, signal.SIGURG)
fcntl.fcntl(here, fcntl.F_SETFL, os.O_ASYNC)
there.send(b"x")
"""
    seen: list[int] = []
    before = signal.signal(signal.SIGURG, lambda number, frame: seen.append(number))
    words = ["/usr/bin/python3", "-I", "-c", program, str(os.getpid())]
    try:
        for policy in (Policy(confine=Confinement()), Policy(confine="auto")):
            assert run(ProcessSpec(words, env=ENV, policy=policy)).code == 0
        assert seen == []
        assert run(ProcessSpec(words, env=ENV)).code == 0
        assert seen == [signal.SIGURG]
    finally:
        signal.signal(signal.SIGURG, before)


# ---------------------------------------------------------------- launchers


@pytest.mark.parametrize("limits", [{"max_processes": 20}, {}])
@pytest.mark.parametrize("handler", [signal.SIG_DFL, signal.SIG_IGN])
def test_limits_hold_from_the_first_instruction(
    limits: dict[str, int], handler: signal.Handlers
) -> None:
    policy = Policy(
        confine=Confinement(), rlimits={"max_open_files": 32, "nice": 3, "cpu_seconds": 9, **limits}
    )
    before = signal.signal(signal.SIGCHLD, handler)
    try:
        result = sh("ulimit -n; nice; exit 3", policy)
    finally:
        signal.signal(signal.SIGCHLD, before)
    assert result.stdout.split() == [b"32", b"%d" % min(19, os.nice(0) + 3)]
    assert result.code in (3, 125)  # a status that the host has collected may be lost
    assert handler is signal.SIG_IGN or result.code == 3


@pytest.mark.parametrize("limits", [{"max_processes": 20}, {}])
def test_descriptors_keep_their_numbers(limits: dict[str, int]) -> None:
    """Also where one is the first that is free here."""
    policy = Policy(confine=Confinement(), rlimits=limits)
    before, passed = signal.signal(signal.SIGCHLD, lambda *_: None), []
    try:
        with tempfile.TemporaryFile() as text:
            text.write(b"first\nsecond\n")
            for number in range(3, 40):
                text.seek(0)
                words = ["bash", "-c", f"cat <&{number}"]
                given = {number: text.fileno()}
                result = run(ProcessSpec(words, env=ENV, policy=policy, descriptors=given))
                passed.append(result.stdout)
    finally:
        signal.signal(signal.SIGCHLD, before)
    assert passed == [b"first\nsecond\n"] * 37


def test_storm_is_held_too() -> None:
    policy = Policy(confine=Confinement(), max_processes=10)
    result = sh("while :; do sleep 20 & done", policy, timeout=10_000)
    assert (result.stop, result.limit) == ("limit", "max_processes")


def test_terminal_and_private_directory() -> None:
    policy = Policy(confine=Confinement())
    result = sh("tty >/dev/null && echo terminal", policy, terminal=(80, 24))
    assert b"terminal" in result.stdout
    assert sh("echo x >file && cat file", policy, directory=PRIVATE).stdout == b"x\n"


def test_threads_end_with_their_policy() -> None:
    before = confined_threads()
    policy = Policy(confine=Confinement())
    assert sh("true", policy).code == 0
    assert sh("true", policy).code == 0
    [thread] = confined_threads() - before
    del policy
    gc.collect()
    thread.join(10)
    assert not thread.is_alive()


def test_nothing_is_collected_while_any_thread_starts_a_program() -> None:
    pause, seen = CollectionPause(), []
    with pause:
        with pause:
            seen.append(gc.isenabled())
        seen.append(gc.isenabled())
        if not (child := os.fork()):
            pause.end_in_fork()
            with pause:
                seen.append(gc.isenabled())
            os._exit(seen != [False] * 3 or not gc.isenabled())
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert (seen, gc.isenabled()) == ([False, False], True)
    gc.disable()
    try:
        with pause:
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()


def test_fork_of_the_host_has_threads_of_its_own() -> None:
    policy = Policy(confine=Confinement())
    assert sh("cat /etc/passwd", policy).code == 1
    child = os.fork()
    if not child:
        os._exit(sh("cat /etc/passwd", policy).code + 40)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 41


@pytest.mark.skipif(os.getuid() != 0, reason="only root has capabilities to inherit")
def test_inheritable_capabilities_are_not_inherited() -> None:
    policy = Policy(confine=Confinement(read=["/proc"]))
    text = "while read -r name set; do [ $name != CapPrm: ] || echo $set; done </proc/self/status"
    reading, writing = os.pipe()
    if not (child := os.fork()):
        try:
            libc, sets = ctypes.CDLL(None), ctypes.create_string_buffer(24)
            header = struct.pack("=Ii", 0x2008_0522, 0)
            libc.capget(header, sets)
            libc.capset(header, sets[:8] + sets[4:8] + sets[12:20] + sets[16:20])
            os.write(writing, run(ProcessSpec(["sh", "-c", text], env=ENV)).stdout)
            os.write(writing, sh(text, policy).stdout)
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    os.close(writing)
    with open(reading) as answers:
        free, held = (int(line, 16) for line in answers)
    assert free >> 8
    assert not held >> 8


# ---------------------------------------------------------------- older kernels


@pytest.mark.parametrize(
    ("abi", "asked", "missing"),
    [
        (7, Confinement(), []),
        (6, Confinement(connect=[443]), []),
        (4, Confinement(), ["devices", "signals"]),
        (4, Confinement(signals=True, connect=[443]), ["devices"]),
        (3, Confinement(), ["devices", "signals"]),
        (3, Confinement(connect=[443]), ["devices", "signals", "ports"]),
        (1, Confinement(), ["devices", "signals"]),
        (0, Confinement(), ["files", "signals"]),
    ],
)
def test_what_an_older_kernel_does_not_hold_is_named(
    abi: int, asked: Confinement, missing: list[str]
) -> None:
    assert [fact.partition(":")[0] for fact in Kernel(abi).unheld_parts(asked)] == missing


@pytest.mark.parametrize("abi", [0, 1, 3, 4])
def test_older_kernel_is_refused_or_named(abi: int, tree: Path) -> None:
    events: list[dict[str, object]] = []
    for confine in ("require", Confinement(write=[str(tree)])):
        policy = Policy(confine=confine)
        assert policy.confinement is not None
        policy.confinement.kernel = Kernel(abi)
        shell = Shell(
            {"/": LocalFS(tree)}, env=ENV, external=policy, on_event=Events(events.append)
        )
        result = shell.run("/bin/true")
        assert result.code == 126
        assert "this kernel does not hold" in result.stderr
        assert [one["rule"] for one in events if one["event"] == "program"][-1] == "confine"
    policy = Policy(confine="auto")
    assert policy.confinement is not None
    policy.confinement.kernel = Kernel(abi)
    shell = Shell({"/": LocalFS(tree)}, env=ENV, external=policy, on_event=Events(events.append))
    result = shell.run("/bin/cat /etc/passwd")
    assert result.code == (0 if abi == 0 else 1)
    assert UNHELD_SIGNALS in result.unenforced
    assert (UNHELD_FILES in result.unenforced) == (abi == 0)
    programs = [one for one in events if one["event"] == "program"]
    assert programs[-1]["unenforced"] == list(result.unenforced)
    assert result.record()["unenforced"] == list(result.unenforced)
    assert shell.run("echo").unenforced == ()


@pytest.mark.parametrize("abi", [1, 3, 4])
def test_files_are_held_by_older_kernels_too(abi: int, tree: Path) -> None:
    policy = Policy(confine="auto")
    assert policy.confinement is not None
    policy.confinement.kernel = Kernel(abi)
    shell = Shell({"/": LocalFS(tree)}, env=ENV, external=policy)
    text = """/bin/sh -c 'cat file; cat /etc/passwd; echo x >below/new; : >file; cat file'"""
    result = shell.run(text)
    assert result.stdout == "content\n"
    assert "/etc/passwd: Permission denied" in result.stderr
    assert (tree / "below" / "new").exists()


@pytest.mark.parametrize("abi", [1, 2, 3])
@pytest.mark.parametrize("access", [os.O_RDONLY, os.O_ACCMODE])
def test_no_file_is_emptied_without_being_written(abi: int, access: int, tree: Path) -> None:
    policy = Policy(confine="auto")
    assert policy.confinement is not None
    policy.confinement.kernel = Kernel(abi)
    asked = Confinement(read=[str(tree)], execute=[sys.base_prefix])
    text = f"import os; os.open('{tree}/file', {access | os.O_TRUNC})"
    words = [os.path.realpath(sys.executable), "-c", text]
    result = run(ProcessSpec(words, env=ENV, policy=policy, confinement=asked))
    assert b"PermissionError" in result.stderr
    assert (tree / "file").read_text() == "content\n"


# ---------------------------------------------------------------- what the mounts say


def test_program_sees_what_the_script_sees(tree: Path) -> None:
    mounts = {
        "/": MemoryFS(), "/w": LocalFS(tree), "/w/below": ReadOnlyFS(LocalFS(tree / "below")),
    }  # fmt: skip
    shell = Shell(mounts, cwd="/w", env=ENV, external=Policy(confine="require"))
    result = shell.run(
        "/bin/sh -c 'cat file below/file; echo x >>file; echo x >below/file; rm below/file'"
    )
    assert result.stdout == "content\nbelow\n"
    assert (tree / "file").read_text() == "content\nx\n"
    assert (tree / "below" / "file").read_text() == "below\n"
    assert shell.run("cd below; /bin/cat file").stdout == "below\n"
    assert shell.run("/bin/cat /etc/passwd").code == 1


def test_auto_allows_modes_and_times_but_no_extended_attributes(tree: Path) -> None:
    script = """
import os, sys
os.chmod(sys.argv[1], 0o640), os.utime(sys.argv[1], (1, 1))
try:
    os.setxattr(sys.argv[1], "user.way", b"out")
except OSError as error:
    print(error.errno == 95)
"""
    shell = Shell({"/": LocalFS("/")}, external=Policy(confine="auto"), env=ENV, cwd=str(tree))
    result = shell.run(f"/usr/bin/python3 -c '{script}' file && cp -a file copy", dialect="bash")
    assert (result.stdout, result.stderr) == ("True\n", "")
    assert (tree / "copy").stat().st_mode & 0o777 == 0o640
    assert (tree / "copy").stat().st_mtime == 1


def test_other_name_beside_what_is_denied_is_denied(tree: Path) -> None:
    (tree / "way").mkdir()
    for name in ("other", "way/key"):
        os.link(tree / "file", tree / name)
    (tree / "free").write_text("free\n")
    policy = Policy(confine=Confinement(write=[str(tree)], deny=[str(tree / "way" / "key")]))
    result = sh(f"cd {tree}; cat file other way/key free", policy)
    assert (result.stdout, result.stderr.count(b"Permission denied")) == (b"free\n", 3)


@pytest.mark.parametrize("mode", ["auto", Confinement()])
def test_deny_holds_for_the_confinement_of_one_process(mode: str | Confinement) -> None:
    policy, asked = Policy(confine=mode, deny=["env"]), Confinement(read=["/"])
    assert sh("e=env; $e true", policy, confinement=asked).code == 126
    assert sh("e=nice; $e true", policy, confinement=asked).code == 0


def test_file_that_a_mount_hides_is_hidden_from_programs(tree: Path) -> None:
    mounts = {"/": LocalFS(tree), "/below": MemoryFS()}
    shell = Shell(mounts, env=ENV, external=Policy(confine="require"))
    result = shell.run("/bin/sh -c 'cat file below/file'")
    assert result.stdout == "content\n"
    assert "below/file: Permission denied" in result.stderr


def test_overlay_is_refused_since_programs_do_not_see_its_changes(tree: Path) -> None:
    shell = Shell({"/": OverlayFS(LocalFS(tree))}, env=ENV, external=Policy(confine="auto"))
    assert "the mount / is read-only or an overlay" in shell.run("/bin/true").stderr


def test_temporary_directory_is_the_shells_own(tree: Path) -> None:
    with Shell({"/": LocalFS(tree)}, env=ENV, external=Policy(confine="require")) as shell:
        made = shell.run("/bin/mktemp").stdout.strip()
        assert os.path.exists(made)
        assert shell.run(f"/bin/cat {made}; /bin/sh -c 'echo $TMPDIR'").stdout == (
            f"{os.path.dirname(made)}\n"
        )
        assert shell.run("TMPDIR=/x /bin/sh -c 'echo $TMPDIR'").stdout == "/x\n"
    assert not os.path.exists(os.path.dirname(made))


def test_copy_of_a_directory_in_memory_is_held_too() -> None:
    policy = Policy(confine="require", materialize=True)
    shell = Shell(files={"/p/in": "b\na\n"}, cwd="/p", env=ENV, external=policy)
    result = shell.run("/usr/bin/sort -o out in; cat out; /bin/cat /etc/passwd")
    assert (result.stdout, result.code) == ("a\nb\n", 1)
    result = shell.run("mkdir -p below; cd below; /usr/bin/sort -ro ../out ../in; cat ../out")
    assert (result.stdout, result.stderr) == ("b\na\n", "")


def test_network_of_programs_is_that_of_the_script(tree: Path) -> None:
    text = "/bin/bash -c 'exec 3<>/dev/tcp/127.0.0.1/9'"
    closed = Shell({"/": LocalFS(tree)}, env=ENV, external=Policy(confine="require"))
    assert "Address family not supported" in closed.run(text).stderr
    opened = Shell({"/": LocalFS(tree)}, env=ENV, external=Policy(confine="require"), network=True)
    assert "Connection refused" in opened.run(text).stderr


def test_sessions_of_agents_are_confined_unless_the_policy_says_how(tree: Path) -> None:
    for policy, is_held in ((Policy(), True), (Policy(confine="off"), False)):
        session = KeyshSession(fs={"/": LocalFS(tree)}, env=ENV, external=policy)
        shell = session._shell
        result = shell.run("/bin/cat /etc/passwd")
        assert (result.code == 1) == is_held
        assert result.unenforced == ((UNHELD_ATTRIBUTES,) if is_held else ())
        assert policy.confinement is None
        session.close()


# ---------------------------------------------------------------- interruptions


def test_interrupted_start_leaves_no_process() -> None:
    policy = Policy(confine=Confinement())
    assert policy.confinement is not None
    thread, _ = policy.confinement.launching_thread(None, (), ())
    assert thread is not None
    ended: list[str] = []
    begun, interrupted = threading.Event(), threading.Event()

    def start_slowly() -> str:
        begun.set()
        interrupted.wait()
        return "process"

    def send_signal() -> None:
        begun.wait()
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)

    def interrupt(number: int, frame: object) -> None:
        interrupted.set()
        raise KeyboardInterrupt

    sender = threading.Thread(target=send_signal)
    sender.start()
    before = signal.signal(signal.SIGINT, interrupt)
    try:
        with pytest.raises(KeyboardInterrupt):
            thread.call(start_slowly, ended.append)
    finally:
        signal.signal(signal.SIGINT, before)
        sender.join()
    assert ended == ["process"]
    assert thread.call(lambda: 5) == 5


# ---------------------------------------------------------------- paths that programs change


@pytest.mark.parametrize("place", ["below", "below/deep"])
def test_link_that_a_program_has_put_in_a_place_opens_nothing(tree: Path, place: str) -> None:
    outside = tree.parent / f"{tree.name}-outside"
    (outside / "deep").mkdir(parents=True)
    (outside / "secret").write_text("SECRET\n")
    (outside / "deep" / "secret").write_text("SECRET\n")
    (tree / "below" / "deep").mkdir()
    policy = Policy(confine=Confinement(write=[str(tree), str(tree / place)]))
    swap = f"mv {tree}/below {tree}/old && ln -s {outside} {tree}/below"
    assert sh(swap, policy).code == 0
    result = sh(f"cat {tree}/{place}/secret", policy)
    assert (result.stdout, result.code) == (b"", 126)
    assert result.error is not None
    assert result.error.rule == "confine"


def test_link_in_a_mount_of_a_script_opens_nothing(tree: Path) -> None:
    mounts = {"/": LocalFS(tree), "/in": LocalFS(tree / "below")}
    shell = Shell(mounts, env=ENV, external=Policy(confine="require"))
    assert shell.run("/bin/mv below old").code == 0
    os.symlink("/etc", tree / "below")
    result = shell.run("/bin/cat below/passwd")
    assert result.stdout == ""
    assert result.code != 0
