"""b2sum - BLAKE2b digests of files."""

from __future__ import annotations

from keysh.gnu.checksums import ALGORITHM_TITLES, DIGEST_HELP, blake2b_digest, run_digest
from keysh.schema.declare import command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path


def b2sum(
    sh: Call,
    *files: Path,
    binary: bool = False,
    check: bool = False,
    length: str = "0",
    tag: bool = False,
    text: bool = False,
    zero: bool = False,
    ignore_missing: bool = False,
    quiet: bool = False,
    status: bool = False,
    strict: bool = False,
    warn: bool = False,
    json: bool = False,
) -> Iterator[object]:
    """Compute BLAKE2b digests; the help is set below from the template of all digest commands."""
    del binary, check, tag, text, zero, ignore_missing, quiet, status, strict, warn, json
    return run_digest(sh, files, blake2b_digest(sh, "blake2b", length))


LENGTH_HELP = "\n    -l, --length BITS    digest length, a multiple of 8; the default is 512"
b2sum.__doc__ = DIGEST_HELP.format(ALGORITHM_TITLES["blake2b"], LENGTH_HELP)
command(compatible="GNU coreutils 9.1")(b2sum)
