"""The payload of a scatter: all that a worker in another process needs to run its items."""

from __future__ import annotations

import hashlib
import os
import pickle
from importlib import import_module

from keysh.interp.state.call import CommandFailure
from keysh.shell.history.fork_base import OWN_FILE_SYSTEMS
from keysh.shell.images.container import BlobStore, packed_image
from keysh.shell.images.mount_records import records_of_mounts
from keysh.shell.images.state_records import record_of_state
from keysh.shell.registry import CommandRegistry
from keysh.values import text_of
from keysh.version import __version__
from keysh.vfs.local.filesystem import LocalFS
from keysh.vfs.memory.filesystem import MemoryFS
from keysh.vfs.overlay.filesystem import OverlayFS
from keysh.vfs.readonly import ReadOnlyFS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Mapping, Sequence
    from typing import Any

    from keysh.interp.scatter.options import ScatterOptions
    from keysh.interp.state.state import State
    from keysh.schema.command import Command
    from keysh.shell.run_options import ShellSettings
    from keysh.vfs.api import FileSystem

MAX_PAYLOAD_BYTES = 256 << 20
USAGE_STATUS = 2
# What the host decides or sees while a script runs. It is not there where the items run.
LOCAL_OPTIONS = ("on_command", "rules", "on_ask", "on_event", "audit")


class Payload:
    """What is sent to each worker once. `key` tells contents apart, `scatter` one run of many."""

    __slots__ = ("data", "key", "scatter")

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.key = hashlib.blake2b(data, digest_size=16).hexdigest()
        self.scatter = os.urandom(16).hex()


def payload_of(
    state: State, host: ShellSettings, words: Sequence[object], options: ScatterOptions
) -> Payload:
    """Return the payload of a scatter; CommandFailure says what cannot travel."""
    for name in LOCAL_OPTIONS:
        if getattr(host, name) is not None:
            raise refusal(f"{name} of the host is not there where the items would run")
    check_command(state, words)
    mounts = {
        point: fs for point, fs in state.fs.mounts.items() if not isinstance(fs, OWN_FILE_SYSTEMS)
    }
    content = {
        "version": __version__,
        "make_shell": host.make_shell,
        "image": image_of_state(state, mounts),
        "granted": {point: grant_for(point, fs, options.shared) for point, fs in mounts.items()},
        "commands": [traveling_command(one) for one in plugins_of(state).values()],
        "limits": state.session.limits,
        "external": host.external,
        "network": host.network,
        "clock": host.clock,
        "words": list(words),
        "timeout": options.seconds,
        "seed": options.seed,
        "return": options.return_,
    }
    data = pickled_content("this shell", content, content["granted"])
    if len(data) > MAX_PAYLOAD_BYTES:
        raise refusal(
            f"the shell with its files has {len(data)} bytes, more than the {MAX_PAYLOAD_BYTES} "
            "that are sent to workers"
        )
    return Payload(data)


def pickled_content(name: str, content: Any, parts: Mapping[str, object]) -> bytes:
    """Return what is sent; CommandFailure names the part that cannot be."""
    try:
        return pickle.dumps(content)
    except Exception as error:  # noqa: BLE001 - of the host's objects, whatever it is
        for part, inner in parts.items():
            pickled_content(part, inner, {})
        raise refusal(f"{name} cannot be sent to another process: {error}") from None


def check_command(state: State, words: Sequence[object]) -> None:
    """Refuse a command of the host that a worker could not import."""
    name = text_of(words[0])
    command = None if name in state.functions else plugins_of(state).get(name)
    if command is not None and importable_function(*traveling_command(command)[1:]) is None:
        raise refusal(f"{name} cannot be imported by its name, so that no worker has it")


def plugins_of(state: State) -> Mapping[str, Command]:
    """The commands of the host."""
    registry = state.session.registry
    assert isinstance(registry, CommandRegistry)
    return registry.plugins


def image_of_state(state: State, mounts: Mapping[str, FileSystem]) -> bytes:
    """Return the image of a state while it runs, as between two runs."""
    blobs = BlobStore()
    # A subshell has no traps of its shell.
    record = {**record_of_state(state), "traps": {}}
    head: dict[str, Any] = {
        "keysh": __version__, "dialect": None, "state": record,
        "mounts": records_of_mounts(mounts, blobs), "commands": [], "left out": [],
    }  # fmt: skip
    return packed_image(head, blobs)


def grant_for(point: str, fs: FileSystem, shared: Collection[str]) -> Any:
    """Return what makes the file system that a worker grants for a mount; None if it needs none."""
    needed = file_system_to_grant(fs)
    if not isinstance(needed, LocalFS):
        return None if needed is None else (same_file_system, (needed,), {})
    if point not in shared:
        raise refusal(
            f"{point} is a directory of this machine\n"
            f"fix: shared={point} if the workers see it at the same path"
        )
    return LocalFS, (needed.real_path("/"),), {"read_only": needed.is_read_only}


def file_system_to_grant(fs: FileSystem) -> FileSystem | None:
    """Return what an image of a file system only refers to; None if it holds all of it."""
    while isinstance(fs, ReadOnlyFS | OverlayFS):
        fs = fs.inner if isinstance(fs, ReadOnlyFS) else fs.lower
    return None if fs.is_in_images or isinstance(fs, MemoryFS) else fs


def same_file_system(fs: FileSystem) -> FileSystem:
    """Return a file system that has travelled by its own rules."""
    return fs


def traveling_command(command: Command) -> tuple[str, str, str]:
    """Return the name of a host's command, its module, and its name there.

    The tools of a server have none: their connection is this process's.
    """
    if command.is_group:
        return command.name, "", ""
    function = command.function
    return command.name, getattr(function, "__module__", ""), getattr(function, "__qualname__", "")


def importable_function(module: str, place: str) -> Callable[..., Any] | None:
    """Return a function by its module and its name there; None if it cannot be imported so."""
    if module in ("", "__main__") or "<" in place:
        return None
    try:
        found = import_module(module)
        for step in place.split("."):
            found = getattr(found, step)
    except (ImportError, AttributeError):
        return None
    return found if callable(found) else None


def refusal(fact: str) -> CommandFailure:
    return CommandFailure(fact, USAGE_STATUS)
