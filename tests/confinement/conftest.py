"""A machine in small: files inside and outside of a confinement, and a host to be reached."""

from __future__ import annotations

import ctypes
import os
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from keysh import Confinement, Policy
from keysh.process import ProcessSpec, run
from keysh.process.confine.kernel import Kernel
from keysh.process.result import ProcessResult
from vfs.timeout import hang_guard  # noqa: F401 - a fixture

HERE = Path(__file__).parent
PATH = "/usr/bin:/bin"
COMPILER = shutil.which("cc")
PYTHON = os.path.realpath(sys._base_executable)  # type: ignore[attr-defined]
IPC_CREATE, IPC_PRIVATE, IPC_REMOVE = 0o1000, 0, 0

KERNEL = Kernel()
needs_kernel = pytest.mark.skipif(
    KERNEL.landlock_abi < 6 or not KERNEL.has_seccomp, reason="this kernel holds less"
)


@pytest.fixture(autouse=True)
def guarded(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Interrupt a test that hangs; keep what shells make for a while out of the machine's /tmp."""
    request.getfixturevalue("hang_guard")
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path_factory.mktemp("temporary")))


class Machine:
    """The files, sockets and processes that ways out try to reach."""

    def __init__(self, folder: Path) -> None:
        self.inside, self.outside = folder / "inside", folder / "outside"
        self.inside.mkdir()
        (self.inside / "folder").mkdir()
        self.restore()
        self.host = subprocess.Popen(["sleep", "600"], start_new_session=True)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        self.socket_path = str(folder / "socket")
        self.unix = [socket.socket(socket.AF_UNIX) for _ in range(2)]
        self.unix[0].bind(self.socket_path)
        self.unix[1].bind(f"\0{self.socket_path}")
        for one in self.unix:
            one.listen()
        self.memory = ctypes.CDLL(None).shmget(IPC_PRIVATE, 4096, IPC_CREATE | 0o600)

    def restore(self) -> None:
        """Make the files that a way may have changed."""
        self.outside.mkdir(exist_ok=True)
        (self.outside / "folder").mkdir(exist_ok=True)
        (self.outside / "secret").write_text("SECRET\n")
        (self.outside / "target").write_text("content\n")
        (self.outside / "way_module.py").write_text("SECRET = True\n")
        (self.inside / "movable").write_text("x\n")

    def arguments(self) -> list[str]:
        return [
            str(self.inside), str(self.outside), str(self.host.pid), str(self.port),
            self.socket_path, str(self.memory),
        ]  # fmt: skip

    def close(self) -> None:
        self.host.kill()
        self.host.wait()
        self.listener.close()
        for one in self.unix:
            one.close()
        ctypes.CDLL(None).shmctl(self.memory, IPC_REMOVE, None)


@pytest.fixture(scope="module")
def machine() -> Iterator[Machine]:
    # Not a folder of pytest's, which only its owner may enter: others have to find a program there.
    folder = Path(tempfile.mkdtemp(prefix="keysh-machine-"))
    folder.chmod(0o755)
    machine = Machine(folder)
    yield machine
    machine.close()
    shutil.rmtree(folder)


@pytest.fixture(scope="module")
def compiled_ways(machine: Machine) -> str:
    """Compile ways_out.c into both folders, in one of them also as a setuid program."""
    if COMPILER is None:
        pytest.skip("no compiler")
    program = machine.inside / "program"
    source = str(HERE / "ways_out.c")
    subprocess.run([COMPILER, "-O1", "-pthread", "-o", str(program), source], check=True)
    for copy in (machine.outside / "program", machine.inside / "setuid"):
        shutil.copy(program, copy)
    (machine.inside / "setuid").chmod(0o4755)
    library = machine.outside / "library.so"
    text = "int way_out = 1;\n"
    words = [COMPILER, "-shared", "-x", "c", "-o", str(library), "-"]
    subprocess.run(words, input=text, text=True, check=True)
    return str(program)


def confined(machine: Machine, *words: str, **options: object) -> ProcessResult:
    """Run a program that may use only the folder inside."""
    inside = str(machine.inside)
    asked = Confinement(write=[inside], execute=[inside, sys.base_prefix, str(HERE)])
    return run(
        ProcessSpec(
            words, env={"PATH": PATH}, directory=inside, policy=Policy(confine=asked),
            timeout=20_000, **options,  # type: ignore[arg-type]
        )
    )  # fmt: skip


def free(machine: Machine, *words: str) -> int:
    """Run the same program free, but for mounts of its own; return its status."""
    own_mounts = ["unshare", "-m", "--propagation", "private"]
    with open(machine.outside / "secret") as inherited:
        return subprocess.run(
            [*own_mounts, *words], cwd=machine.inside, pass_fds=[inherited.fileno()],
            stdin=subprocess.DEVNULL, capture_output=True, timeout=20, check=False,
        ).returncode  # fmt: skip
