"""The mounts of an image: memory by value, overlays as changes, all else by reference."""

from __future__ import annotations

from keysh.diagnostics.exceptions import ImageError
from keysh.shell.history.fork_base import OWN_FILE_SYSTEMS
from keysh.shell.images.file_records import TreeRecorder, make_tree
from keysh.vfs.memory.filesystem import MemoryFS
from keysh.vfs.overlay.filesystem import OverlayFS
from keysh.vfs.readonly import ReadOnlyFS
from keysh.vfs.transfer import remove_contents

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import Any

    from keysh.interp.run.limits import Limits
    from keysh.shell.host.host_files import Clock
    from keysh.shell.images.container import BlobStore
    from keysh.vfs.api import FileSystem
    from keysh.vfs.memory.quota import Full

MEMORY, OVERLAY, READ_ONLY, REFERENCE = "memory", "overlay", "read-only", "reference"


def records_of_mounts(mounts: Mapping[str, FileSystem], blobs: BlobStore) -> dict[str, Any]:
    """Return the records of file systems by their mount points."""
    return {
        point: record_of_mount(fs, blobs)
        for point, fs in mounts.items()
        if not isinstance(fs, OWN_FILE_SYSTEMS)
    }


def record_of_mount(fs: FileSystem, blobs: BlobStore) -> dict[str, Any]:
    """Return the record of one file system."""
    if isinstance(fs, MemoryFS):
        return record_of_files(fs.snapshot(), blobs, enforces_modes=fs.enforces_modes)
    if fs.is_in_images:
        return record_of_files(fs, blobs)
    if isinstance(fs, OverlayFS):
        return record_of_files(fs, blobs) if fs.lower.is_in_images else record_of_overlay(fs, blobs)
    if isinstance(fs, ReadOnlyFS):
        return {"kind": READ_ONLY, "inner": record_of_mount(fs.inner, blobs)}
    return {"kind": REFERENCE, **fs.reference()}


def record_of_files(
    fs: FileSystem, blobs: BlobStore, *, enforces_modes: bool = False
) -> dict[str, Any]:
    """Return all files by value, as a memory file system restores them."""
    recorder = TreeRecorder(fs, blobs)
    recorder.add_tree("/")
    return {"kind": MEMORY, "tree": recorder.records, "enforces modes": enforces_modes}


def record_of_overlay(fs: OverlayFS, blobs: BlobStore) -> dict[str, Any]:
    """Return what has changed in an overlay, and what lies below it."""
    recorder, removed = TreeRecorder(fs, blobs), []
    for change in fs.diff():
        is_replaced = change.action == "changed" and change.what != "directory"
        if is_replaced or change.action == "removed":
            removed.append(change.path)
        if change.action != "removed":
            recorder.add(change.path, fs.stat(change.path))
    lower = record_of_mount(fs.lower, blobs)
    return {"kind": OVERLAY, "lower": lower, "removed": removed, "tree": recorder.records}


class MountMaker:
    """Makes the file systems of an image; those that it only refers to are granted by the host."""

    __slots__ = ("_blobs", "_clock", "_full", "_granted", "_limits")

    def __init__(
        self,
        granted: Mapping[str, FileSystem],
        blobs: Sequence[bytes],
        limits: Limits,
        full: Full,
        clock: Clock | None,
    ) -> None:
        self._granted, self._blobs, self._limits = granted, blobs, limits
        self._full, self._clock = full, clock

    def mounts(self, records: Mapping[str, Any]) -> dict[str, FileSystem]:
        """Return all file systems by their mount points, with those that the host adds."""
        made = {point: self.file_system(point, record) for point, record in records.items()}
        for point, fs in self._granted.items():
            if point in made and not holds_reference(records[point]):
                raise ImageError(f"the image holds the files at {point} itself")
            made.setdefault(point, fs)
        return made

    def file_system(self, point: str, record: Any) -> FileSystem:
        """Return the file system of a record."""
        match record:
            case {"kind": "memory", "tree": list(tree), "enforces modes": bool(enforces)}:
                memory = MemoryFS(
                    max_bytes=self._limits.file_bytes,
                    max_files=self._limits.files,
                    clock=self._clock,
                    enforce_modes=enforces,
                    full=self._full,
                )
                self.make(memory, tree, point)
                return memory
            case {"kind": "overlay", "lower": lower, "removed": list(removed), "tree": list(tree)}:
                upper = MemoryFS(clock=self._clock)
                overlay = OverlayFS(self.file_system(point, lower), upper)
                try:
                    for path in reversed(removed):
                        remove_tree(overlay, path)
                except OSError as error:
                    raise unlike_before(point, error) from None
                self.make(overlay, tree, point)
                return overlay
            case {"kind": "read-only", "inner": inner}:
                return ReadOnlyFS(self.file_system(point, inner))
            case {"kind": "reference"}:
                if point not in self._granted:
                    raise ImageError(
                        f"the image refers to {reference_text(record)} at {point}, which the host "
                        f"must grant: restore(image, fs={{{point!r}: …}})"
                    )
                return self._granted[point]
        raise ImageError(f"the image is damaged: {point} is described by no record")

    def make(self, fs: FileSystem, tree: list[Any], point: str) -> None:
        """Make the files of a tree."""
        try:
            make_tree(fs, tree, self._blobs)
        except OSError as error:
            raise unlike_before(point, error) from None


def remove_tree(fs: FileSystem, path: str) -> None:
    """Remove a path and everything below it."""
    if not fs.stat(path).is_directory:
        fs.remove(path)
        return
    remove_contents(fs, path)
    fs.remove_directory(path)


def unlike_before(point: str, error: OSError) -> ImageError:
    """Return the error for files that cannot be made: the host's are other ones, or a quota."""
    return ImageError(f"the files at {point} cannot be made: {error}")


def holds_reference(record: Any) -> bool:
    """Whether a record refers to a file system of the host."""
    return reference_in(record) is not None


def reference_in(record: Any) -> dict[str, Any] | None:
    """Return the reference that a record is or contains; None if there is none."""
    while isinstance(record, dict):
        if record.get("kind") == REFERENCE:
            return record
        record = record.get("lower") or record.get("inner")
    return None


def reference_text(record: Mapping[str, Any]) -> str:
    """Return what a reference refers to."""
    place = record.get("place")
    return str(record.get("name")) if place is None else f"{record.get('name')}({place!r})"
