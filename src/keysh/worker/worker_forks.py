"""WorkerForks: in a worker, what became of a fork, and the merge of one, of images.

A shell and its fork may be in two workers. So the worker gets the image of the moment at which they
were divided, and for a merge that of the fork as it is now. Values and contents are compared.
"""

from __future__ import annotations

from contextlib import contextmanager

from keysh.shell.history.fork_base import (
    ForkBase,
    ForkOrigin,
    MountBase,
    bases_of_mounts,
    mounts_to_divide,
)
from keysh.shell.history.merge import changes_of_fork, merge_fork
from keysh.shell.history.state_version import StateVersion
from keysh.shell.isolation.remote_files import RemoteFS
from keysh.shell.shell import Shell
from keysh.worker.worker_history import record_of_changes

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from typing import Any

    from keysh.interp.run.limits import Limits
    from keysh.vfs.api import FileSystem
    from keysh.vfs.router import Router


@contextmanager
def shell_of_image(image: bytes, own: Router, limits: Limits) -> Iterator[Shell]:
    """Restore an image beside a shell, with the file systems of the host that the shell has."""
    mounts = {point: fs for point, fs in own.mounts.items() if isinstance(fs, RemoteFS)}
    with Shell.restore(image, mounts or None, limits=limits) as shell:
        yield shell


def fork_changes(shell: Shell, base_image: bytes, limits: Limits) -> dict[str, Any]:
    """Return what has changed in a shell since the image of its beginning."""
    with shell_of_image(base_image, shell.fs, limits) as base:
        files = own_files(shell.fs)
        origin = origin_of(base, base, files)
        origin._made = tuple(files[point] for point in origin.base.mounts)
        return record_of_changes(changes_of_fork(origin, shell.state, shell.fs))


def merge_image(shell: Shell, base_image: bytes, fork_image: bytes, limits: Limits) -> None:
    """Take over what a fork has changed, as it is in an image; MergeConflict takes nothing."""
    with (
        shell_of_image(base_image, shell.fs, limits) as base,
        shell_of_image(fork_image, shell.fs, limits) as fork,
    ):
        files = own_files(fork.fs)
        origin = origin_of(shell, base, files)
        origin._made = tuple(files[point] for point in origin.base.mounts)
        runner = shell._runner or shell._begin()
        own, theirs = (shell.state, shell.fs), (fork.state, fork.fs)
        runner.between_runs(lambda: merge_fork(shell, origin, own, theirs, runner.journal))


def origin_of(shell: Shell, base: Shell, fork_files: Mapping[str, FileSystem]) -> ForkOrigin:
    """Return the beginning of a fork of a shell: how the shell was is in another one, `base`."""
    own, before = own_files(shell.fs), bases_of_mounts(own_files(base.fs))
    mounts = {
        point: MountBase(own[point], before[point].view)
        for point in before
        if point in own and point in fork_files
    }
    return ForkOrigin(ForkBase(shell, StateVersion(base.state), mounts), {}, None)


def own_files(router: Router) -> dict[str, FileSystem]:
    """Return the file systems that are in the worker, and so in an image."""
    mounts = mounts_to_divide(router.mounts)
    return {point: fs for point, fs in mounts.items() if not isinstance(fs, RemoteFS)}
