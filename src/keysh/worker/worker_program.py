"""The program of a worker: limits of the kernel first, then requests until the host is gone."""

from __future__ import annotations

import gc
import os
import resource
from _signal import SIGUSR1, signal  # type: ignore[import-not-found]  # `signal` and `socket` are slow to import
from _socket import socket
from _thread import allocate_lock, start_new_thread
from select import POLLIN, poll

from keysh.interp.state.call import CommandFailure
from keysh.shell.isolation.frames import (
    BOUNDS_FROM_HOST,
    EXIT_BAD_FRAME,
    EXIT_OUT_OF_MEMORY,
    MAX_REQUEST_JSON_BYTES,
    READY,
    FrameError,
    FrameReader,
    PipeClosed,
    packed_frame,
)
from keysh.shell.isolation.peer import Peer
from keysh.shell.run_options import ShellSettings
from keysh.worker.worker_confinement import confine_worker
from keysh.worker.worker_shell import WorkerShell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import NoReturn

    from keysh.interp.scatter.mailbox import Mailbox
    from keysh.interp.scatter.options import ScatterOptions
    from keysh.interp.state.state import State
    from keysh.shell.isolation.frames import Frame

RECEIVE_BYTES = 1 << 18


def main(descriptor: int, memory: int, cpu_seconds: int, open_files: int) -> NoReturn:
    """Serve the host at the other end of a descriptor."""
    status = 0
    try:
        host = host_descriptor()
        limit_process(memory, open_files)
        pipe = WorkerPipe(descriptor)
        start_new_thread(end_with_host, (descriptor, host))
        ShellSettings.make_engine = staticmethod(refuse_engine)
        shell = WorkerShell(cpu_seconds)
        peer = shell.peer = Peer(pipe, shell.serve, max_request_json=MAX_REQUEST_JSON_BYTES)
        signal(SIGUSR1, shell.cancel)
        shell.load_modules()
        gc.freeze()
        gc.enable()
        pipe.send(packed_frame(READY, {}))
        if not pipe.has_input():  # a worker that was started in advance
            shell.load_more_modules()
        peer.serve_forever()
    except PipeClosed:
        pass
    except FrameError:
        status = EXIT_BAD_FRAME
    except MemoryError:
        status = EXIT_OUT_OF_MEMORY
    os._exit(status)  # threads of jobs end with it


def limit_process(memory: int, open_files: int) -> None:
    """Set what the kernel holds this process to, for good."""
    for kind, number in (
        (resource.RLIMIT_AS, memory), (resource.RLIMIT_NOFILE, open_files),
        (resource.RLIMIT_CORE, 0),
    ):  # fmt: skip
        hard = resource.getrlimit(kind)[1]
        lowest = number if hard == resource.RLIM_INFINITY else min(number, hard)
        resource.setrlimit(kind, (lowest, lowest))
    os.umask(0o077)
    confine_worker()


def refuse_engine(
    state: State, words: Sequence[object], options: ScatterOptions, mailbox: Mailbox
) -> NoReturn:
    """Refuse a scatter that leaves this process, which can start no other and reach none."""
    option = f"engine={options.engine}" if options.engine else f"on={options.on}"
    raise CommandFailure(f"{option} is not possible in an isolated shell\nfix: engine=threads", 2)


def host_descriptor() -> int | None:
    """Return a descriptor of the host's process; None where the kernel has none."""
    open_process = getattr(os, "pidfd_open", None)
    if open_process is None:
        return None
    try:
        return int(open_process(os.getppid()))
    except OSError:
        return None


def end_with_host(descriptor: int, host: int | None) -> None:
    """End the process when the host is gone, even while a script runs.

    A process that the host has forked may still have its end of the pipe.
    """
    watching = poll()
    watching.register(descriptor, 0)  # reports only that the other end is closed
    if host is not None:
        watching.register(host, POLLIN)
    watching.poll()
    os._exit(0)


class WorkerPipe:
    """The worker's end of the pipe. Several threads send; one at a time receives."""

    __slots__ = ("_frames", "_sending", "_socket", "_waiting")

    def __init__(self, descriptor: int) -> None:
        self._socket = socket(fileno=descriptor)
        self._sending = allocate_lock()
        self._frames = FrameReader(BOUNDS_FROM_HOST)
        self._waiting = poll()
        self._waiting.register(self._socket, POLLIN)

    def has_input(self) -> bool:
        """Whether the host waits already."""
        return bool(self._waiting.poll(0))

    def send(self, frame: bytes) -> None:
        with self._sending:
            try:
                self._socket.sendall(frame)
            except OSError:
                raise PipeClosed from None

    send_aside = send

    def receive(self, seconds: float | None = None) -> list[Frame]:
        """Return the frames that have come; wait for one, or only for some seconds."""
        while True:
            if seconds is not None and not self._waiting.poll(seconds * 1e3):
                return []
            try:
                data = self._socket.recv(RECEIVE_BYTES)
            except OSError:
                raise PipeClosed from None
            if not data:
                raise PipeClosed
            frames = self._frames.take(data)
            if frames:
                return frames
