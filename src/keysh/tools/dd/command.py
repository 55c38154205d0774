"""dd - copy a file in blocks."""

from __future__ import annotations

import errno
from time import monotonic

from keysh.interp.state.call import os_error_text
from keysh.schema.arguments import raw_texts
from keysh.schema.declare import OutputStyle, command, command_of
from keysh.schema.render import help_text
from keysh.text.gnu_quoting import message_name, quoted_name
from keysh.tools.dd.blocks import BlockCopy, BlockFailure, BlockSink, BlockSource
from keysh.tools.dd.operands import parse_operands
from keysh.vfs.api import failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw
    from keysh.vfs.stream import Stream

CASE_TABLES = {"lcase": bytes(range(256)).lower(), "ucase": bytes(range(256)).upper()}
REBLOCKING_CONVERSIONS = {"swab", *CASE_TABLES}


@command(
    compatible="GNU coreutils 9.1",
    output=OutputStyle(write_error=(1, "error writing 'standard output': {}")),
)
def dd(sh: Call, *words: Raw) -> int:
    """Copy a file in blocks and report how many were copied.

    words ...  NAME=VALUE operands

    if=FILE        read FILE instead of standard input
    of=FILE        write FILE instead of standard output
    bs=SIZE        block size; ibs=SIZE and obs=SIZE set only one (default 512)
    count=N        copy only N input blocks
    skip=N         skip N input blocks (also iseek=N)
    seek=N         skip N output blocks (also oseek=N)
    conv=LIST      lcase, ucase, swab, sync, notrunc, excl, nocreat, noerror, fsync
    iflag=LIST     fullblock, count_bytes, skip_bytes
    oflag=LIST     append, seek_bytes
    status=LEVEL   none or noxfer

    N counts bytes if it ends in B. A SIZE may have factors and suffixes: 2x512, c
    1, w 2, b 512, kB 1000, K 1024, MB, M, and so on.
    """
    texts = raw_texts(words)
    if "--help" in texts:
        sh.out.write(help_text(command_of(dd)))
        return 0
    files, numbers, flags = parse_operands(sh, texts)
    conv, iflag, oflag = flags["conv"], flags["iflag"], flags["oflag"]
    for first, second in (("lcase", "ucase"), ("excl", "nocreat")):
        if {first, second} <= conv:
            raise sh.fail(f"cannot combine {first} and {second}")
    copying = BlockCopy()
    copying.input_size = numbers.get("bs", numbers.get("ibs", (512,)))[0]
    copying.output_size = numbers.get("bs", numbers.get("obs", (512,)))[0]
    copying.swaps, copying.syncs = "swab" in conv, "sync" in conv
    copying.table = next((table for name, table in CASE_TABLES.items() if name in conv), None)
    copying.reblocks = "bs" not in numbers or bool(conv & REBLOCKING_CONVERSIONS)
    if "count" in numbers:
        copying.max_count, in_bytes = numbers["count"]
        copying.counts_blocks = not (in_bytes or "count_bytes" in iflag)
    skip, in_bytes = numbers.get("skip", (0, True))
    skip *= 1 if in_bytes or "skip_bytes" in iflag else copying.input_size
    seek, in_bytes = numbers.get("seek", (0, True))
    seek *= 1 if in_bytes or "seek_bytes" in oflag else copying.output_size
    began = monotonic()
    try:
        copy_blocks(sh, copying, files, skip, seek, conv | oflag | flags["status"])
    except BlockFailure as fault:
        sh.warn(f"{fault.action}: {os_error_text(fault.error)}")
    if "none" not in flags["status"]:
        sh.err.write(copying.record_counts())
        if "noxfer" not in flags["status"]:
            sh.err.write(copying.transfer_summary(monotonic() - began))
    return sh.status


def copy_blocks(
    sh: Call, copying: BlockCopy, files: dict[str, str], skip: int, seek: int, flags: set[str]
) -> None:
    """Open both files and copy; raises BlockFailure if reading or writing fails."""
    if "append" in flags and "notrunc" not in flags:
        sh.note("you probably want conv=notrunc with oflag=append")
    name = files.get("if", "standard input")
    directory: OSError | None = None
    stream: Stream | None = None
    try:
        stream = sh.open(name) if "if" in files else None
    except IsADirectoryError as error:
        directory = error
    except OSError as error:
        raise sh.fail(f"failed to open {quoted_name(name)}: {os_error_text(error)}") from None
    source = BlockSource(stream, sh.stdin, sh.check_size)
    sink = BlockSink(None, sh.out)
    try:
        if "of" in files:
            # Like GNU, a seek of less than a block empties the file first.
            is_emptied = "notrunc" not in flags and seek < copying.output_size
            sink = BlockSink(open_output(sh, files["of"], seek, flags, is_emptied), sh.out)
        if directory is not None:
            raise BlockFailure(f"error reading {quoted_name(name)}", directory)
        if skip and not source.skip(skip) and "none" not in flags:
            sh.note(f"{message_name(name)}: cannot skip to specified offset")
        if seek and "of" not in files:
            illegal = failure(errno.ESPIPE, "")
            raise BlockFailure("'standard output': cannot seek", illegal)
        source.name, sink.name = name, files.get("of", "standard output")
        copying.run(source, sink, sh.tick)
        copying.finish(sink)
    finally:
        source.close()
        sink.close()


def open_output(sh: Call, name: str, seek: int, flags: set[str], is_emptied: bool) -> Stream:
    """Open the output file and truncate it at the point where writing begins."""
    try:
        if "nocreat" in flags:
            sh.fs.stat(sh.path(name), follow=True)
        if "excl" in flags:
            sh.open(name, "x").close()
        if is_emptied:
            sh.open(name, "w").close()
        if "notrunc" not in flags and seek:
            with sh.open(name, "rw") as cut:
                cut.truncate(seek)
        stream = sh.open(name, "a" if "append" in flags else "rw")
        if "append" not in flags:
            stream.seek(seek)
    except OSError as error:
        raise sh.fail(f"failed to open {quoted_name(name)}: {os_error_text(error)}") from None
    return stream
