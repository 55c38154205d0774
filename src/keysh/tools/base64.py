"""base64 - encode and decode base64."""

from __future__ import annotations

from keysh.schema.declare import command
from keysh.tools.basenc.conversion import DEFAULT_WRAP, converted_file
from keysh.tools.basenc.encoding import BASE64

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path


@command(compatible="GNU coreutils 9.1")
def base64(
    sh: Call,
    file: Path = "-",
    *,
    decode: bool = False,
    ignore_garbage: bool = False,
    wrap: str = DEFAULT_WRAP,
) -> Iterator[str]:
    """Encode data as base64, or decode it.

    file                  the file to read, - for standard input
    -d, --decode          decode data
    -i, --ignore-garbage  when decoding, ignore characters outside the alphabet
    -w, --wrap COLS       wrap encoded lines after COLS characters; 0 disables
                          wrapping
    """
    return converted_file(
        sh, file, BASE64, decodes=decode, ignores_garbage=ignore_garbage, wrap=wrap
    )
