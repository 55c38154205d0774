"""shred - overwrite files, and remove them if wanted."""

from __future__ import annotations

import re

from keysh.gnu.option_values import choice_of
from keysh.interp.state.call import UsageFailure, os_error_text
from keysh.schema.declare import command
from keysh.schema.types import SIZE, UnfitValue
from keysh.text.gnu_quoting import locale_quoted_text, message_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Path

DEFAULT_PASSES, MAX_PASSES = 3, 1 << 16
WRITE_CHUNK_BYTES = 1 << 16
REMOVAL_WAYS = {"unlink": "unlink", "wipe": "wipe", "wipesync": "wipesync"}
PASS_COUNT = re.compile(r"\+?\d{1,9}")


@command(
    compatible="GNU coreutils 9.1",
    ignored="-f, --force; -x, --exact",
    refused="--random-source FILE  every pass is random",
)
def shred(
    sh: Call,
    *files: Path,
    iterations: str | None = None,
    size: str | None = None,
    deallocate: bool = False,
    remove: str | bool = False,
    verbose: bool = False,
    zero: bool = False,
) -> None:
    """Overwrite files with random bytes, and remove them if wanted.

    files ...             the files to overwrite
    -n, --iterations NUM  overwrite NUM times, 3 by default
    -s, --size SIZE       overwrite this many bytes, not the file's size
    -u, --deallocate      remove the files afterwards
    --remove[=HOW]        like -u; HOW is unlink, wipe or wipesync, which all do the
                          same
    -v, --verbose         report each pass on standard error
    -z, --zero            overwrite with zeros at last

    Every pass is random, and a file keeps its size. What the storage below keeps of
    the old contents is beyond the shell's reach.
    """
    if not files:
        raise UsageFailure("missing file operand")
    passes = parse_passes(sh, iterations)
    if isinstance(remove, str):
        choice_of("--remove", remove, REMOVAL_WAYS)
    byte_count = None if size is None else parse_byte_count(sh, size)
    for file in files:
        shown = message_name(file)
        try:
            with sh.open(file, "rw") if sh.exists(file) else sh.open(file) as stream:
                count = sh.fs.stat(sh.path(file)).size if byte_count is None else byte_count
                kinds = ["random"] * passes + ["000000"] * zero
                for number, kind in enumerate(kinds, 1):
                    if verbose:
                        sh.note(f"{shown}: pass {number}/{len(kinds)} ({kind})...")
                    stream.seek(0)
                    for offset in range(0, count, WRITE_CHUNK_BYTES):
                        sh.tick()
                        length = min(WRITE_CHUNK_BYTES, count - offset)
                        is_random = kind == "random"
                        stream.write(sh.random.randbytes(length) if is_random else bytes(length))
        except OSError as error:
            sh.warn(f"{shown}: failed to open for writing: {os_error_text(error)}")
            continue
        if deallocate or remove:
            remove_file(sh, file, verbose)


def parse_passes(sh: Call, text: str | None) -> int:
    """Return the number of passes."""
    if text is None:
        return DEFAULT_PASSES
    if not PASS_COUNT.fullmatch(text) or int(text) > MAX_PASSES:
        raise sh.fail(f"invalid number of passes: {locale_quoted_text(text)}")
    return int(text)


def parse_byte_count(sh: Call, text: str) -> int:
    """Return the number of bytes to overwrite."""
    try:
        count: int = SIZE.parse(text)
    except UnfitValue:
        raise sh.fail(f"invalid file size: {locale_quoted_text(text)}") from None
    return count


def remove_file(sh: Call, file: str, verbose: bool) -> None:
    """Remove a file."""
    shown = message_name(file)
    if verbose:
        sh.note(f"{shown}: removing")
    try:
        sh.fs.remove(sh.path(file))
    except OSError as error:
        sh.warn(f"{shown}: failed to remove: {os_error_text(error)}")
        return
    if verbose:
        sh.note(f"{shown}: removed")
