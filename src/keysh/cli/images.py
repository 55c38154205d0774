"""`keysh snapshot` and `keysh restore`: a run whose shell is written to an image, and goes on."""

from __future__ import annotations

import os
from errno import EACCES, EEXIST
from os import strerror

from keysh.cli.command_line import parse_options
from keysh.cli.console import UsageError, complain, put, put_json
from keysh.cli.file_rewrite import replace_file
from keysh.cli.run_script import new_shell, run_in_shell
from keysh.cli.setup import (
    go_on_with,
    introduce_machine,
    machine_mounts,
    mounts_of,
    own_process,
    sees_machine,
    shell_options,
)
from keysh.diagnostics.display import visible
from keysh.diagnostics.exceptions import ImageError
from keysh.shell.images.container import MAGIC
from keysh.shell.images.snapshot import Image, image_of
from keysh.shell.shell import Shell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any, NoReturn

    from keysh.cli.command_line import CliOptions
    from keysh.vfs.api import FileSystem

NO_IMAGE_STATUS = 1
# The options of a run that say what the files at `/` are.
ROOT_OPTIONS = ("memory", "sandbox", "overlay", "store")
IMAGE_MODE = 0o600  # the environment is in it
WHOLE_MACHINE = "LocalFS('/')"


def snapshot_run(path: str, words: Sequence[str]) -> int:
    """Run what the words of a run ask for, and write its shell to a file; return the status."""
    options = options_of_run(words, "snapshot")
    if options is None:
        return 0
    refuse_other_file(path)
    refuse_fixed_directory(path)
    return run_in_shell(options, new_shell, lambda shell: write_image(shell, path))


def restore_run(path: str, words: Sequence[str], *, is_saved: bool) -> int:
    """Run what the words ask for in the shell of an image; with `is_saved` write that anew."""
    options = options_of_run(words, "restore")
    if options is None:
        return 0
    data = read_image(path)
    try:
        image = image_of(data)
        adapt_options(options, image)

        def make_shell(options: CliOptions, **settings: Any) -> Shell:
            return restored_shell(data, image, options, settings)

        if not is_saved:
            return run_in_shell(options, make_shell)
        refuse_fixed_directory(path)
        return run_in_shell(options, make_shell, lambda shell: write_image(shell, path))
    except ImageError as error:
        complain(f"keysh: {visible(path)}: {visible(str(error))}\n")
        return NO_IMAGE_STATUS


def print_image(path: str, *, is_json: bool) -> int:
    """Print what is in an image, and what could not be put in."""
    try:
        image = image_of(read_image(path))
    except ImageError as error:
        complain(f"keysh: {visible(path)}: {visible(str(error))}\n")
        return NO_IMAGE_STATUS
    if is_json:
        put_json(image.record())
        return 0
    mounts = [
        f"{point} ({image.references.get(point, kind)})" for point, kind in image.mounts.items()
    ]
    rows = (
        ("keysh", [image.version]), ("dialect", [image.dialect or "of each text"]),
        ("directory", [image.directory]), ("files", mounts), ("functions", image.functions),
        ("variables", image.variables), ("commands", image.commands), ("left out", image.left_out),
    )  # fmt: skip
    put("".join(f"{name:9}  {visible(', '.join(values))}\n" for name, values in rows if values))
    return 0


def options_of_run(words: Sequence[str], subcommand: str) -> CliOptions | None:
    """Return the options of the run; those that run nothing make no sense here."""
    options = parse_options(words)
    if options is not None and options.plan:
        raise UsageError(f"{subcommand}: --plan runs nothing", subcommand)
    return options


def read_image(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def refuse_other_file(path: str) -> None:
    """Raise FileExistsError for a file that is no image, which is probably a script."""
    try:
        with open(path, "rb") as file:
            start = file.read(len(MAGIC))
    except FileNotFoundError:
        return
    if start not in (MAGIC, b""):
        raise FileExistsError(EEXIST, f"{strerror(EEXIST)}, and is no image", path)


def refuse_fixed_directory(path: str) -> None:
    """Raise OSError for a directory that takes no new file, before a script runs in vain."""
    directory = os.path.dirname(os.path.realpath(path))
    os.stat(directory)
    if not os.access(directory, os.W_OK | os.X_OK):
        raise PermissionError(EACCES, strerror(EACCES), path)


def write_image(shell: Shell, path: str) -> None:
    """Write the image of a shell, which only its owner may read, and name what it does not hold."""
    data = shell.snapshot()
    replace_file(os.path.realpath(path), data, IMAGE_MODE)
    left_out = image_of(data).left_out
    if left_out:
        complain(f"keysh: not in the image: {visible(', '.join(left_out))}\n")


def restored_shell(
    data: bytes, image: Image, options: CliOptions, settings: dict[str, Any]
) -> Shell:
    """Return the shell of an image, with the doors that the options open."""
    machine = shell_options(options)
    del machine["fs"], machine["cwd"], machine["env"]  # the image has its own
    if settings["dialect"] is not None:
        machine["dialect"] = settings["dialect"]
    shell = Shell.restore(data, granted_mounts(options, image), **machine)
    go_on_with(shell, options, settings["args"], settings["name"])
    own_process(shell, options)
    introduce_machine(shell, options, machine["external"])
    # The changes of the image's overlay are shown at the end, as those of --overlay are.
    options.overlay = options.overlay or has_overlay(image)
    return shell


def has_overlay(image: Image) -> bool:
    """Whether the files at `/` are an overlay over files of the machine."""
    return image.mounts.get("/") == "overlay" and "/" in image.references


def adapt_options(options: CliOptions, image: Image) -> None:
    """Make the options those of the image's files: a shell in memory runs no program.

    Raise UsageError for options that contradict the image.
    """
    if "/" in image.mounts and "/" not in image.references:
        asked = [f"--{name}" for name in ROOT_OPTIONS if getattr(options, name)]
        if asked:
            refuse(f"{asked[0]}: the image holds the files at / itself")
        options.memory = True
        return
    if options.memory or options.store is not None:
        refuse(f"--{'memory' if options.memory else 'store'}: the files at / are not in the image")
    whole_machine = image.references.get("/", WHOLE_MACHINE) == WHOLE_MACHINE
    if not whole_machine and options.sandbox is None:
        refuse(f"the image refers to {image.references['/']} at /; --sandbox=DIR grants it")


def refuse(message: str) -> NoReturn:
    raise UsageError(f"restore: {message}", "restore")


def granted_mounts(options: CliOptions, image: Image) -> dict[str, FileSystem]:
    """Return the file systems that the options grant, without those that the image holds."""
    if has_overlay(image):
        options.overlay = False  # the image's takes its place
    mounts = machine_mounts() if sees_machine(options) else mounts_of(options)
    granted = {
        point: fs
        for point, fs in mounts.items()
        if point not in image.mounts or point in image.references
    }
    for point, reference in image.references.items():
        if point not in granted:
            refuse(f"the image refers to {reference} at {point}; --mount {point}=DIR grants it")
    return granted
