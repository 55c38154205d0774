"""`keysh --store FILE`: a run that goes on in the session of a file."""

from __future__ import annotations

import contextlib
import os
from errno import EINVAL

from keysh.cli.setup import go_on_with
from keysh.diagnostics.exceptions import ImageError
from keysh.shell.shell import Shell

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.cli.command_line import CliOptions

STORE_MODE = 0o600  # the environment is in it


def shell_in_store(options: CliOptions, machine: dict[str, Any], settings: dict[str, Any]) -> Shell:
    """Return the shell of a store; OSError if the file cannot be used."""
    path = options.store
    assert path is not None
    make_private_file(path)
    try:
        shell = Shell(**machine, **settings, store=path)
    except (ImageError, ValueError) as error:
        reason = str(error).removeprefix(f"{path} cannot be used: ")
        raise OSError(EINVAL, reason, path) from None
    go_on_with(shell, options, settings["args"], settings["name"])
    return shell


def make_private_file(path: str) -> None:
    """Make a file that only its owner may read, if there is none."""
    with contextlib.suppress(FileExistsError):
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, STORE_MODE))
