"""Uncopied: the base of classes whose objects hold what no copy can have."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn, SupportsIndex


class Uncopied:
    """An object with open files or descriptors, which `copy` and `pickle` refuse.

    A copy would close a descriptor by its number, which may be another file's by then.
    """

    __slots__ = ()

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        raise TypeError(
            f"a {type(self).__name__} holds open files and is neither copied nor pickled"
        )
