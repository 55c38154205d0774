"""b2sum - BLAKE2b digests of files."""

from __future__ import annotations

from keysh.gnu.checksums import DOCSTRING, TITLES, answered, sized
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
    """Nothing else than the digests of one algorithm, of which the length can be told."""
    del binary, check, tag, text, zero, ignore_missing, quiet, status, strict, warn, json
    return answered(sh, files, sized(sh, "blake2b", length))


LENGTH = (
    "\n    -l, --length BITS    digests of so many bits, a multiple of 8; 512 by itself, and for 0"
)
b2sum.__doc__ = DOCSTRING.format(TITLES["blake2b"], LENGTH)
command(b2sum)
