"""IsolatedForks: forks of isolated shells, what became of them, and their merge."""

from __future__ import annotations

from weakref import ref

from keysh.diagnostics.exceptions import KeyshError
from keysh.shell.isolation.isolated_history import IsolatedChanges
from keysh.shell.isolation.isolated_state import IsolatedState

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Collection


class ForkImage:
    """Of a fork: the shell that it was divided from, and the image of that moment."""

    __slots__ = ("base", "has_host_files", "origin")

    def __init__(self, origin: IsolatedForks, base: bytes, *, has_host_files: bool) -> None:
        self.origin: Callable[[], IsolatedForks | None] = ref(origin)
        self.base = base
        # Whether the fork has overlays of the host's file systems, whose changes no image has.
        self.has_host_files = has_host_files


class IsolatedForks(IsolatedState):
    """The methods of an isolated shell about its forks, which may be in other workers."""

    _fork_image: ForkImage | None = None  # of a fork

    def snapshot(self) -> bytes:
        """Return an image of the shell, which `Shell.restore` takes, isolated or not."""
        return self._request("image")[1]

    def changes(self) -> IsolatedChanges:
        """Return what has changed since the fork, or the last merge, as `Shell.changes` does."""
        origin = self._fork_image
        if origin is None:
            raise ValueError("this shell is no fork, so it has no beginning to compare with")
        refuse_host_files(origin)
        found = self._request("fork changes", None, origin.base)[0]
        return IsolatedChanges(0, found, refuse_diff)

    def merge(self, fork: IsolatedForks) -> None:
        """Take over what a fork of this shell has changed, as `Shell.merge` does.

        It is made of images, in the worker of this shell.
        """
        origin = fork._fork_image if isinstance(fork, IsolatedForks) else None
        if origin is None or origin.origin() is not self:
            raise ValueError("a shell merges only its own forks, as its method fork makes them")
        refuse_host_files(origin)
        image = fork.snapshot()
        self._request("merge", {"base": len(origin.base)}, origin.base + image)
        origin.base = image

    def _note_origin(
        self, origin: IsolatedForks, image: bytes, points: Collection[str], share: Collection[str]
    ) -> None:
        """Note where a fork comes from."""
        has_host_files = not set(points) <= set(share)
        self._fork_image = ForkImage(origin, image, has_host_files=has_host_files)


def refuse_host_files(origin: ForkImage) -> None:
    """Raise KeyshError for a fork whose changes are not all in its image."""
    if origin.has_host_files:
        raise KeyshError(
            "what a fork changes in the host's file systems is in no image; "
            "share them, fork(share=[…]), or mount none"
        )


def refuse_diff(number: int, context: int) -> str:
    raise KeyshError("the changes of a fork in a worker have no diff; compare the files")
