"""fallocate - reserve space for a file."""

from __future__ import annotations

from keysh.interp.state.call import os_error_text
from keysh.schema.declare import command
from keysh.schema.types import SIZE, UnfitValue
from keysh.text.gnu_quoting import message_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Path

MAX_FILE_BYTES = 2**63 - 1


@command(
    compatible="util-linux 2.38",
    ignored="-x, --posix",
    refused="-c, --collapse-range  space within files cannot be removed; "
    "-d, --dig-holes  files have no holes; "
    "-i, --insert-range  space within files cannot be inserted; "
    "-p, --punch-hole  files have no holes; "
    "-z, --zero-range  files have no unwritten space",
)
def fallocate(
    sh: Call,
    *files: Path,
    keep_size: bool = False,
    length: str | None = None,
    offset: str = "0",
) -> None:
    """Extend a file with zeros.

    files ...           the file, which is created if needed
    -n, --keep-size     leave the size as it is; the file must exist
    -l, --length SIZE   how many bytes: 10, 10K (KiB), 10KB
    -o, --offset SIZE   where they begin; 0 by default

    The file gets at least the size of offset and length together; it is never
    shortened.
    """
    if length is None and files:
        raise sh.fail("no length argument specified")
    size = parse_bytes(sh, "length", length or "1", 1)
    start = parse_bytes(sh, "offset", offset, 0)
    if len(files) != 1:
        raise sh.fail("unexpected number of arguments" if files else "no filename specified")
    try:
        if keep_size:
            sh.fs.stat(sh.path(files[0]))
        stream = sh.open(files[0], "a")
    except OSError as error:
        raise sh.fail(f"cannot open {message_name(files[0])}: {os_error_text(error)}") from None
    with stream:
        if start + size > MAX_FILE_BYTES:
            raise sh.fail("fallocate failed: File too large")
        try:
            if not keep_size and stream.seek(0, 2) < start + size:
                stream.truncate(start + size)
        except OSError as error:
            raise sh.fail(f"fallocate failed: {os_error_text(error)}") from None


def parse_bytes(sh: Call, name: str, text: str, minimum: int) -> int:
    """Return a number of bytes that is not below the minimum."""
    try:
        value = int(SIZE.parse(text))
    except UnfitValue:
        value = -1
    if value < minimum:
        raise sh.fail(f"invalid {name} value specified")
    return value
