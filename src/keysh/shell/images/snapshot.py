"""`Shell.snapshot`: a shell between two runs as bytes."""

from __future__ import annotations

from keysh.diagnostics.exceptions import ImageError
from keysh.shell.images.container import BlobStore, packed_image, unpacked_image
from keysh.shell.images.mount_records import (
    records_of_mounts,
    reference_in,
    reference_text,
)
from keysh.shell.images.state_records import record_of_state
from keysh.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.interp.state.state import State
    from keysh.shell.lazy_files import LazyFiles
    from keysh.shell.registry import CommandRegistry

STANDARD_DESCRIPTORS = (0, 1, 2)


def snapshot(
    state: State, files: LazyFiles, registry: CommandRegistry, dialect: str | None
) -> bytes:
    """Return the image of a shell; `dialect` is the one of all its texts, if it has one."""
    blobs = BlobStore()
    head = {
        "keysh": __version__,
        "dialect": dialect,
        "state": record_of_state(state),
        # Without files of its own the new shell makes the first directories itself.
        "mounts": records_of_mounts(files.router().mounts, blobs) if files.are_made else None,
        "commands": sorted(registry.plugins),
        "left out": left_out(state, registry),
    }
    return packed_image(head, blobs)


def left_out(state: State, registry: CommandRegistry) -> list[str]:
    """Name what an image cannot hold."""
    jobs = [f"job {job.number}: {job.text}" for job in state.session.unfinished_jobs()]
    descriptors = [
        f"descriptor {number}" for number in state.descriptors if number not in STANDARD_DESCRIPTORS
    ]
    return jobs + descriptors + [f"command {name}" for name in sorted(registry.plugins)]


class Image:
    """What is in an image, without making a shell of it.

    version      of the keysh that made it
    dialect      the dialect of all texts of the shell; None if each says its own
    directory    the working directory
    variables    the names of the variables
    functions    the names of the functions
    mounts       the kind of each mount by its mount point: "memory", "overlay", "read-only", or
                 "reference" for what the host must grant
    references   what the host must grant, by its mount point, such as "LocalFS('/work')"
    commands     the names of the host's commands
    left_out     what the shell had and an image cannot hold: jobs, descriptors, the host's commands
    """

    __module__ = "keysh"
    __slots__ = (
        "commands", "dialect", "directory", "functions", "left_out", "mounts", "references",
        "variables", "version",
    )  # fmt: skip

    def __init__(self, head: dict[str, Any]) -> None:
        try:
            state, mounts = head["state"], head["mounts"] or {}
            self.version: str = head["keysh"]
            self.dialect: str | None = head["dialect"]
            self.directory: str = state["directory"]
            self.variables = list(map(str, state["variables"]))
            self.functions = [str(function["name"]) for function in state["functions"]]
            self.mounts = {str(point): str(record["kind"]) for point, record in mounts.items()}
            references = {point: reference_in(record) for point, record in mounts.items()}
            self.references = {
                point: reference_text(reference)
                for point, reference in references.items()
                if reference is not None
            }
            self.commands = list(map(str, head["commands"]))
            self.left_out = list(map(str, head["left out"]))
        except (KeyError, TypeError, AttributeError) as error:
            raise ImageError(f"the image is damaged: {error}") from None

    def record(self) -> dict[str, Any]:
        """Return what is in the image as a record for JSON."""
        return {name: getattr(self, name) for name in sorted(self.__slots__)}


def image_of(image: bytes) -> Image:
    """Return what is in an image; raise ImageError for bytes that are none."""
    return Image(unpacked_image(image)[0])
