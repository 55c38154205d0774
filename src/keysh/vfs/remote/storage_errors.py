"""StorageError: a storage's exceptions become the kernel's errors."""

from __future__ import annotations

import errno

from keysh.vfs.api import failure

# Most storages raise the right class, but few of them with an errno.
ERRNOS_BY_EXCEPTION = (
    (FileNotFoundError, errno.ENOENT),
    (FileExistsError, errno.EEXIST),
    (IsADirectoryError, errno.EISDIR),
    (NotADirectoryError, errno.ENOTDIR),
    (PermissionError, errno.EACCES),
    (TimeoutError, errno.ETIMEDOUT),
    (KeyError, errno.ENOENT),
)


class StorageError:
    """Any exception leaves the `with` as an OSError with the path; the original is its cause.

    `refused` is the errno for what the storage cannot do or refuses without a reason: EROFS for
    changes.
    """

    __slots__ = ("_other", "_path", "_refused")

    def __init__(self, path: str, other: str | None = None, *, refused: int = errno.EIO) -> None:
        self._path, self._other, self._refused = path, other, refused

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        if not isinstance(error, Exception):
            return
        number = getattr(error, "errno", None)
        if not isinstance(error, OSError) or not number:
            number = self._number(error)
        if self._other is None:
            raise failure(number, self._path) from error
        raise failure(number, self._other, self._path) from error

    def _number(self, error: Exception) -> int:
        for kind, number in ERRNOS_BY_EXCEPTION:
            if isinstance(error, kind):
                return number
        if isinstance(error, NotImplementedError | ValueError) or type(error) is OSError:
            return self._refused
        return errno.EIO
