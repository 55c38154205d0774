"""The process in which hostile scripts run: it may hang, swell or die, and the tests go on.

    python child.py FOLDER        reads a request a line as JSON, answers a line each

It is three processes. The guard adopts whatever loses its parent, so that no program of a script
gets away; the worker makes a Shell for each request, runs the script and looks at what is left; the
bystander tells a delay of the worker from one of the machine.
"""

from __future__ import annotations

import contextlib
import ctypes
import faulthandler
import gc
import json
import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import keysh

LIBC = ctypes.CDLL(None)
PR_SET_CHILD_SUBREAPER = 36
SERVER = Path(__file__).with_name("server.py")
BYSTANDER = Path(__file__).with_name("bystander.py")
ADDRESS_SPACE_BYTES = 2 << 30

PAUSE_SECONDS = 0.005  # between two looks at the clock
# What has been killed takes a moment to be gone.
GRACE_SECONDS = 2.0
LONG_SECONDS = 0.2
# A collection visits the whole package: it took half the time of all scripts. Less garbage waits.
UNCOLLECTED_BYTES = 8 << 20
SHOWN_CHARACTERS = 4000
# In a file beside the root, in the environment, and in a variable of the host: a script that
# prints it, or changes the file, has escaped.
SECRET = "the-secret-of-the-host"


def guard(folder: str) -> int:
    """Run the worker, adopt and reap orphans, and leave no process behind."""
    from bystander import FILE_BYTES

    LIBC.prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    moments = Path(folder) / "moments"
    moments.write_bytes(bytes(FILE_BYTES))
    worker = subprocess.Popen([sys.executable, __file__, folder, "worker"])
    subprocess.Popen([sys.executable, "-S", str(BYSTANDER), str(moments), str(worker.pid)])
    while True:
        pid, status = os.wait()
        if pid == worker.pid:
            worker.returncode = os.waitstatus_to_exitcode(status)
            break
    for pid in children_of(os.getpid()):
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
    return 0 if worker.returncode == 0 else 1


def children_of(pid: int) -> list[int]:
    """Return the processes that a process has started or adopted."""
    found: list[int] = []
    with contextlib.suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            with contextlib.suppress(OSError):
                found += map(int, (task / "children").read_text().split())
    return found


class Watch(threading.Thread):
    """Notes the longest time that this thread was held up, and how much of it was computation."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self.is_on, self.gap, self.busy_gap = False, 0.0, 0.0

    def begin(self) -> None:
        self.gap = self.busy_gap = 0.0
        self.is_on = True

    def run(self) -> None:
        last, busy = time.monotonic(), time.process_time()
        while True:
            time.sleep(PAUSE_SECONDS)
            now, used = time.monotonic(), time.process_time()
            if self.is_on:
                self.gap = max(self.gap, now - last - PAUSE_SECONDS)
                self.busy_gap = max(self.busy_gap, min(used - busy, now - last - PAUSE_SECONDS))
            last, busy = now, used


class Machine:
    """What a script could leave behind in its process and around it."""

    def __init__(self, folder: str) -> None:
        from bystander import Moments

        self.folder = Path(folder)
        self.temporary = self.folder / "tmp"
        self.log = self.folder / "log"
        self.moments = Moments(str(self.folder / "moments"))
        self._url = ""

    def url(self) -> str:
        """Return the address of a server, which lives as long as this process."""
        if not self._url:
            command = [sys.executable, "-S", str(SERVER)]
            self._server = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
            assert self._server.stdout is not None
            self._url = f"http://127.0.0.1:{self._server.stdout.readline().strip()}"
        return self._url

    def held_up(self, start: float, end: float) -> float:
        """Return for how long others had the processor; of short times nobody wants to know."""
        return self.moments.held_up(start, end) if end - start > LONG_SECONDS else 0.0

    def threads(self) -> set[str]:
        return set(os.listdir("/proc/self/task"))

    def descriptors(self) -> set[str]:
        found = set()
        for name in os.listdir("/proc/self/fd"):
            with contextlib.suppress(OSError):
                found.add(f"{name} {os.readlink(f'/proc/self/fd/{name}')}")
        return {item for item in found if not item.endswith(f"/{os.getpid()}/fd")}

    def processes(self) -> set[int]:
        orphans = set(children_of(os.getppid())) - {os.getpid()}
        return orphans | set(children_of(os.getpid()))

    def files(self) -> set[str]:
        return {str(path) for path in self.temporary.rglob("*")}

    def resident(self) -> int:
        LIBC.malloc_trim(0)  # what is free is not kept
        return int(Path("/proc/self/statm").read_text().split()[1]) * resource.getpagesize()

    def forget_peak(self) -> None:
        Path("/proc/self/clear_refs").write_text("5")

    def peak(self) -> int:
        lines = Path("/proc/self/status").read_text().splitlines()
        return next(int(line.split()[1]) << 10 for line in lines if line.startswith("VmHWM"))

    def printed(self, start: int) -> str:
        """Return what the process itself printed: nothing, if all is well."""
        with self.log.open("rb") as log:
            log.seek(start)
            return log.read().decode("utf-8", "replace")[-SHOWN_CHARACTERS:]


def shown(error: BaseException) -> str:
    """Return an exception as text, also one whose own text fails."""
    try:
        return repr(error)[:SHOWN_CHARACTERS]
    except Exception:  # noqa: BLE001 - a host's exception may be anything
        return type(error).__name__


def left(look: Callable[[], set[Any]], before: set[Any], grace: float) -> list[str]:
    """Return what is there now and was not before, once what ends has had the time to."""
    end = time.monotonic() + grace
    while (more := look() - before) and time.monotonic() < end:
        time.sleep(PAUSE_SECONDS)
    return sorted(map(str, more))


class Outside:
    """A root for file systems of the machine, and beside it what no script may touch."""

    def __init__(self, folder: Path) -> None:
        self.root, self.outside = folder / "root", folder / "outside"
        self.root.mkdir(parents=True)
        self.outside.mkdir()
        (self.outside / "secret").write_text(SECRET)
        (self.root / "own").write_text("own\n")
        (self.root / "sub").mkdir()
        (self.root / "way").symlink_to(self.outside)
        (self.root / "up").symlink_to("../outside")
        (self.root / "direct").symlink_to(self.outside / "secret")
        self.before = self.look()

    def look(self) -> list[tuple[Any, ...]]:
        seen = []
        for path in [self.outside, *sorted(self.outside.rglob("*"))]:
            at = path.lstat()
            text = path.read_bytes() if path.is_file() else b""
            seen.append((str(path), text, at.st_mode, at.st_nlink, at.st_ctime_ns))
        return seen

    def remove(self) -> None:
        """Remove all; the trees of scripts are deeper than Python's own recursion goes."""
        subprocess.run(["rm", "-rf", self.root.parent], check=True)


def shell_of(request: dict[str, Any], outside: Outside | None) -> keysh.Shell:
    """Return the shell that a request describes."""
    options: dict[str, Any] = {}
    if outside is not None:
        mounts: dict[str, keysh.FileSystem] = {}
        if "/" not in request["mounts"]:
            mounts["/"] = keysh.MemoryFS()
        for path, kind in request["mounts"].items():
            local = keysh.LocalFS(outside.root, read_only=kind == "read-only")
            mounts[path] = keysh.OverlayFS(local) if kind == "overlay" else local
        options["fs"] = mounts
    if request["server"]:
        options["network"] = keysh.Network(["127.0.0.1:*"], ["*"])
    if "/evil/" in request["script"]:
        import archives

        options["files"] = archives.files_in(request["script"])
    external = request["external"]
    if isinstance(external, dict):
        external = keysh.Policy(**external)
    if request["host"]:
        import hosts

        options.update(hosts.HOSTS[request["host"]]())
    return keysh.Shell(
        external=external,
        limits=keysh.Limits(**request["limits"]),
        dialect=request["dialect"],
        check=request["check"],
        env=request["env"],
        **options,
    )


@contextlib.contextmanager
def cancelled_after(seconds: float | None) -> Iterator[keysh.Cancel | None]:
    """Cancel the run after a time, from another thread."""
    if seconds is None:
        yield None
        return
    cancel = keysh.Cancel()
    timer = threading.Timer(seconds, cancel.cancel)
    timer.start()
    yield cancel
    timer.cancel()
    timer.join()


def run(request: dict[str, Any], machine: Machine, watch: Watch) -> dict[str, Any]:
    """Run a script and return what was seen."""
    outside = Outside(machine.folder / "machine") if request["mounts"] else None
    env = dict(request["env"])
    if outside is not None:
        env["OUT"] = str(outside.outside)
    if request["server"]:
        env["URL"] = machine.url()
    request["env"] = env
    looks = (machine.threads, machine.descriptors, machine.processes, machine.files)
    before = [look() for look in looks]
    log_start = machine.log.stat().st_size
    seen: dict[str, Any] = {"name": request["name"], "raised": None}
    text = request["script"]
    shell = shell_of(request, outside)
    gc.freeze()  # resets the counters, so that no collection is due in the script's first moments
    gc.unfreeze()
    start_bytes = machine.resident()
    machine.forget_peak()
    busy = time.process_time()
    watch.begin()
    start = time.monotonic()
    result = None
    try:
        if request["checked"]:
            shell.check(text)
            with contextlib.suppress(keysh.ScriptError):
                shell.plan(text)
        with cancelled_after(request["cancel"]) as cancel:
            result = shell.run(text, timeout=request["timeout"], cancel=cancel)
        seen["seconds"] = time.monotonic() - start
        seen["busy_seconds"] = time.process_time() - busy
        watch.is_on = False
        seen["held_seconds"] = machine.held_up(start + request["longest"], start + seen["seconds"])
        seen["peak"] = machine.peak() - start_bytes
        if request["usable"]:
            after = shell.run("builtin echo usable", dialect="keysh")
            if after.limit is not None and after.limit.kind == "session_memory":
                shell.reset()  # what it keeps is more than it may: its host clears up
                after = shell.run("builtin echo usable", dialect="keysh")
            seen["usable"] = (after.code, after.stdout) == (0, "usable\n") or repr(
                (after.code, after.stdout, after.stderr)
            )
    except BaseException as error:  # noqa: BLE001 - nothing may come out
        seen["raised"] = shown(error)
        seen.setdefault("seconds", time.monotonic() - start)
        seen.setdefault("held_seconds", 0.0)
        seen.setdefault("busy_seconds", time.process_time() - busy)
    watch.is_on = False
    seen.setdefault("peak", machine.peak() - start_bytes)
    start = time.monotonic()
    try:
        shell.close()
    except BaseException as error:  # noqa: BLE001 - nothing may come out
        seen["raised"] = f"close: {shown(error)}"
    end = time.monotonic()
    seen["close_seconds"] = end - start - machine.held_up(start, end)
    seen["gap"], seen["busy_gap"] = watch.gap, watch.busy_gap
    if result is not None:
        both = result.stdout + result.stderr
        limit = result.limit
        seen |= {
            "status": result.code,
            "limit": None if limit is None else limit.kind,
            "is_rejected": result.rejected,
            "is_refusal": result.refusal is not None,
            "error": None if result.error is None else shown(result.error),
            "stdout": result.stdout[:SHOWN_CHARACTERS],
            "stderr": result.stderr[-SHOWN_CHARACTERS:],
            "output_bytes": len(both),
            "tells_secret": SECRET in both,
            "tells_path": str(machine.folder) in both.replace(env.get("OUT", "\0"), "")
            or str(Path(keysh.__file__).parent) in both,
        }
        del both, limit
    del shell, result
    is_more = any(look() - first for look, first in zip(looks, before, strict=True))
    if is_more or machine.resident() - start_bytes > UNCOLLECTED_BYTES:
        gc.collect()
    for name, look, first in zip(
        ("threads", "descriptors", "processes", "files"), looks, before, strict=True
    ):
        seen[name] = left(look, first, GRACE_SECONDS)
    seen["kept"] = machine.resident() - start_bytes
    seen["outside"] = None
    if outside is not None:
        seen["outside"] = outside.look() != outside.before
        outside.remove()
    seen["printed"] = machine.printed(log_start)
    return seen


def work(folder: str) -> None:
    """Answer requests until there are no more."""
    machine = Machine(folder)
    machine.temporary.mkdir(exist_ok=True)
    os.environ["TMPDIR"] = str(machine.temporary)
    os.environ["HOSTILE"] = SECRET
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    log = os.open(machine.log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_APPEND, 0o600)
    os.dup2(log, 1)
    os.dup2(log, 2)
    os.close(log)
    requests = os.fdopen(os.dup(0), encoding="utf-8")
    null = os.open(os.devnull, os.O_RDONLY)
    os.dup2(null, 0)
    os.close(null)
    resource.setrlimit(resource.RLIMIT_AS, (ADDRESS_SPACE_BYTES, ADDRESS_SPACE_BYTES))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    watch = Watch()
    watch.start()
    # The watchdog of all shells is one thread, made for the first run and kept.
    keysh.run("while :; do :; done", limits=keysh.Limits(seconds=0.05))
    gc.collect()  # the next one is due when there is a quarter more
    traces = (machine.folder / "trace").open("w+")
    for line in requests:
        request = json.loads(line)
        traces.seek(0)
        traces.truncate()
        # If it hangs, where: also while a call into C holds the interpreter.
        faulthandler.dump_traceback_later(request["hard_timeout"] * 0.8, file=traces)
        seen = run(request, machine, watch)
        faulthandler.cancel_dump_traceback_later()
        answers.write(json.dumps(seen) + "\n")
        answers.flush()


if __name__ == "__main__":
    if len(sys.argv) == 2:
        sys.exit(guard(sys.argv[1]))
    work(sys.argv[1])
