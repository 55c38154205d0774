"""realpath - print real paths."""

from __future__ import annotations

import errno

from keysh.interp.state.call import os_error_text
from keysh.schema.declare import OutputStyle, command
from keysh.text.gnu_quoting import message_name
from keysh.vfs.api import failure
from keysh.vfs.paths import is_below, normal_path
from keysh.vfs.real_paths import path_from, path_without_links, real_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path


@command(compatible="GNU coreutils 9.1", output=OutputStyle(lines=True))
def realpath(
    sh: Call,
    *files: Path,
    canonicalize_existing: bool = False,
    canonicalize_missing: bool = False,
    logical: bool = False,
    physical: bool = False,
    quiet: bool = False,
    relative_to: Path | None = None,
    relative_base: Path | None = None,
    strip: bool = False,
    zero: bool = False,
) -> Iterator[str]:
    """Print the absolute path of each file, without links, `.` and `..`.

    files ...                    the files (at least 1)
    -e, --canonicalize-existing  all components of the path must exist
    -m, --canonicalize-missing   any component of the path may be missing
    -L, --logical                resolve `..` before symbolic links
    -P, --physical               resolve symbolic links as encountered (default)
    -q, --quiet                  suppress error messages
    --relative-to DIR            print paths relative to DIR
    --relative-base DIR          print paths below DIR relative to it, others
                                 absolute
    -s, --strip, --no-symlinks   do not follow symbolic links
    -z, --zero                   end each line with NUL, not with a newline
    """
    options = [name for name, value in sh.given if value]
    existing = [name for name in options if name.startswith("canonicalize")]
    missing = {"": "last", "existing": "none", "missing": "all"}[
        existing[-1].removeprefix("canonicalize_") if existing else ""
    ]
    modes = [name for name in options if name in ("logical", "physical", "strip")] or ["physical"]
    follows, is_logical = modes[-1] != "strip", "logical" in modes[-1:]

    def real(path: str) -> str:
        if missing != "all" and (is_logical or not follows):
            check_before_parents(sh, sh.path(path))
        if not follows:
            return path_without_links(sh.fs, sh.path(path), missing)
        if is_logical and path:
            # A trailing slash still requires a directory.
            path = normal_path(sh.path(path)) + ("/" if path.endswith(("/", "/.")) else "")
        return real_path(sh.fs, sh.path(path), missing)

    def folder(path: str) -> str:
        try:
            resolved = real(path)
            if missing == "none" and not sh.fs.stat(resolved).is_directory:
                raise failure(errno.ENOTDIR, path)
        except OSError as error:
            raise sh.fail(f"{message_name(path)}: {os_error_text(error)}") from None
        return resolved

    base = folder(relative_to) if relative_to is not None else None
    required_parent = folder(relative_base) if relative_base is not None else None
    if base is None:
        base = required_parent
    elif required_parent is not None and not is_below(base, required_parent):
        base = None
    for file in files:
        try:
            yield path_from(real(file), base, required_parent) + ("\0" if zero else "\n")
        except OSError as error:
            sh.status = 1
            if not quiet:
                sh.warn(f"{message_name(file)}: {os_error_text(error)}")


def check_before_parents(sh: Call, path: str) -> None:
    """Check that each path before a `..` exists, even though `..` cancels it."""
    steps = path.split("/")
    for index, step in enumerate(steps):
        if step == "..":
            sh.fs.stat(f"{normal_path('/'.join(steps[:index]) or '/')}/", follow=True)
