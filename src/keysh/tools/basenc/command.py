"""basenc - encode and decode in one of several encodings."""

from __future__ import annotations

from keysh.interp.state.call import UsageFailure
from keysh.schema.declare import command
from keysh.tools.basenc.conversion import DEFAULT_WRAP, converted_file
from keysh.tools.basenc.encoding import (
    BASE2LSBF,
    BASE2MSBF,
    BASE16,
    BASE32,
    BASE32HEX,
    BASE64,
    BASE64URL,
    Z85,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path

ENCODINGS = {
    "base64": BASE64, "base64url": BASE64URL, "base32": BASE32, "base32hex": BASE32HEX,
    "base16": BASE16, "base2msbf": BASE2MSBF, "base2lsbf": BASE2LSBF, "z85": Z85,
}  # fmt: skip


@command(compatible="GNU coreutils 9.1")
def basenc(
    sh: Call,
    file: Path = "-",
    *,
    base64: bool = False,
    base64url: bool = False,
    base32: bool = False,
    base32hex: bool = False,
    base16: bool = False,
    base2msbf: bool = False,
    base2lsbf: bool = False,
    z85: bool = False,
    decode: bool = False,
    ignore_garbage: bool = False,
    wrap: str = DEFAULT_WRAP,
) -> Iterator[str]:
    """Encode data in the encoding that an option names, or decode it.

    file                  the file to read, - for standard input
    --base64              as the command base64 does (RFC 4648, section 4)
    --base64url           base64 for file names and URLs (RFC 4648, section 5)
    --base32              as the command base32 does (RFC 4648, section 6)
    --base32hex           base32 with digits and letters in order (RFC 4648,
                          section 7)
    --base16              hexadecimal digits (RFC 4648, section 8)
    --base2msbf           bits, the most significant one first
    --base2lsbf           bits, the least significant one first
    --z85                 ZeroMQ's variant of ascii85; the input must be a multiple
                          of 4 bytes, or of 5 characters with -d
    -d, --decode          decode data
    -i, --ignore-garbage  when decoding, ignore characters outside the alphabet
    -w, --wrap COLS       wrap encoded lines after COLS characters; 0 disables
                          wrapping
    """
    del base64, base64url, base32, base32hex, base16, base2msbf, base2lsbf, z85
    chosen = [ENCODINGS[name] for name, value in sh.given if name in ENCODINGS and value]
    if not chosen:
        raise UsageFailure("missing encoding type")
    return converted_file(
        sh, file, chosen[-1], decodes=decode, ignores_garbage=ignore_garbage, wrap=wrap
    )
