"""sum - checksums and block counts in the BSD or System V format."""

from __future__ import annotations

from keysh.gnu.checksums import SUM_FUNCTIONS, sum_line
from keysh.schema.declare import OptionStyle, command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path


@command(compatible="GNU coreutils 9.1", style=OptionStyle(unabbreviated="bsd"))
def sum(  # noqa: A001 - the command's name
    sh: Call, *files: Path, bsd: bool = False, json: bool = False, sysv: bool = False
) -> Iterator[str | dict[str, object]]:
    """Print the checksum and the number of blocks of each file.

    files ...   files to read, - for standard input
    -r, --bsd   BSD algorithm with blocks of 1024 bytes (default)
    --json      print JSON lines: name, algorithm, sum, size (in bytes)
    -s, --sysv  System V algorithm with blocks of 512 bytes
    """
    del bsd, sysv
    kind = ["bsd", *(name for name, _ in sh.given if name in SUM_FUNCTIONS)][-1]
    for source in sh.inputs(files):
        previous_status, sh.status = sh.status, 0
        value, size = SUM_FUNCTIONS[kind](source.data())
        row = {"name": source.name, "algorithm": kind, "sum": value, "size": size}
        if not sh.status:
            yield row if json else sum_line(kind, value, size, source.name if files else "")
        sh.status = max(previous_status, sh.status)
