"""An image that is read for `Shell.restore`: its state, and the file systems of its mounts."""

from __future__ import annotations

from keysh.diagnostics.dialect import DIALECTS
from keysh.diagnostics.exceptions import ImageError
from keysh.shell.images.container import unpacked_image
from keysh.shell.images.mount_records import MountMaker
from keysh.shell.images.state_restoring import restore_state

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from keysh.interp.run.limits import Limits
    from keysh.interp.state.state import State
    from keysh.shell.lazy_files import LazyFiles
    from keysh.vfs.api import FileSystem

HEAD_BYTES = 64 << 20  # beside the contents of files
ANY_BYTES = 1 << 40


class OpenImage:
    """An image whose digests have been checked."""

    __slots__ = ("_blobs", "_limits", "_mounts", "_state", "dialect")

    def __init__(self, image: bytes, limits: Limits) -> None:
        max_bytes = ANY_BYTES if limits.file_bytes is None else limits.file_bytes
        head, self._blobs = unpacked_image(image, max_bytes + HEAD_BYTES)
        match head:
            case {
                "state": dict(state),
                "mounts": None | dict() as mounts,
                "dialect": None | str() as dialect,
            } if dialect is None or dialect in DIALECTS:
                self._state, self._mounts, self.dialect = state, mounts, dialect
            case _:
                raise ImageError("the image is damaged: it has no state, files or dialect")
        self._limits = limits

    def mounts(
        self, granted: Mapping[str, FileSystem] | None, files: LazyFiles
    ) -> dict[str, FileSystem] | None:
        """Return the file systems by their mount points; None if the shell had none of its own.

        `files` are those of the new shell, which has not made any yet.
        """
        if self._mounts is None and not granted:
            return None
        maker = MountMaker(granted or {}, self._blobs, self._limits, files.user.full, files.clock)
        return maker.mounts(self._mounts or {})

    def restore_state(self, state: State) -> None:
        """Give a new state what the image holds."""
        restore_state(state, self._state)
