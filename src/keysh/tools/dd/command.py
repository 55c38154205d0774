"""dd - copy by blocks."""

from __future__ import annotations

import errno
from time import monotonic

from keysh.interp.state.call import os_error_text
from keysh.schema.arguments import raw_texts
from keysh.schema.declare import OutputStyle, command, command_of
from keysh.schema.render import help_text
from keysh.text.gnu_quoting import message_name, quoted_name
from keysh.tools.dd.alphabets import table_of
from keysh.tools.dd.blocks import BlockCopy, BlockFailure, BlockSink, BlockSource
from keysh.tools.dd.operands import parse_operands
from keysh.tools.dd.records import Blocking, Unblocking
from keysh.vfs.api import failure

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw
    from keysh.vfs.api import Stream

# What conversions of alphabets do besides, where records have a length.
TURNING = {"ascii": "unblock", "ebcdic": "block", "ibm": "block"}
REBLOCKING_CONVERSIONS = {"swab", "lcase", "ucase", "block", "unblock", *TURNING}


@command(output=OutputStyle(write_error=(1, "error writing 'standard output': {}")))
def dd(sh: Call, *words: Raw) -> int:
    """Copy a file by blocks, and tell how many there were.

    words ...         name=value: if=FILE, of=FILE (standard input and output without them),
                      bs=SIZE (of all blocks), ibs=SIZE, obs=SIZE (512 without them),
                      count=N, skip=N (or iseek=N), seek=N (or oseek=N) in blocks,
                      in bytes where N ends in B,
                      conv=lcase,ucase,swab,sync,notrunc,excl,nocreat,noerror,fsync,
                      conv=block (lines into records of cbs=SIZE bytes), unblock (records into
                      lines), ascii (from EBCDIC, and unblock), ebcdic or ibm (to it, and block),
                      iflag=fullblock,count_bytes,skip_bytes oflag=append,seek_bytes,
                      status=none or status=noxfer

    A SIZE may have factors and suffixes: 2x512, c 1, w 2, b 512, kB 1000, K 1024, MB, M, and so on.
    """
    texts = raw_texts(words)
    if "--help" in texts:
        sh.out.write(help_text(command_of(dd)))
        return 0
    files, numbers, flags = parse_operands(sh, texts)
    conv, iflag, oflag = flags["conv"], flags["iflag"], flags["oflag"]
    if "cbs" in numbers:
        conv |= {turning for alphabet, turning in TURNING.items() if alphabet in conv}
    else:
        conv -= {"block", "unblock"}
    if len(conv & TURNING.keys()) > 1:
        raise sh.fail("cannot combine any two of {ascii,ebcdic,ibm}")
    for one, other in (("block", "unblock"), ("lcase", "ucase"), ("excl", "nocreat")):
        if {one, other} <= conv:
            raise sh.fail(f"cannot combine {one} and {other}")
    copying = BlockCopy()
    if conv & {"block", "unblock"}:
        kind = Blocking if "block" in conv else Unblocking
        copying.records = kind(numbers["cbs"][0], conv)
    copying.input_size = numbers.get("bs", numbers.get("ibs", (512,)))[0]
    copying.output_size = numbers.get("bs", numbers.get("obs", (512,)))[0]
    copying.swaps, copying.syncs = "swab" in conv, "sync" in conv
    copying.table = table_of(conv)
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
    sh: Call, copying: BlockCopy, files: dict[str, str], skip: int, seek: int, how: set[str]
) -> None:
    """Open both ends and copy; BlockFailure where reading or writing ends early."""
    if "append" in how and "notrunc" not in how:
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
    source = BlockSource(stream, sh.stdin)
    sink = BlockSink(None, sh.out)
    try:
        if "of" in files:
            # A seek of less than a block cuts the file off at once, as GNU's does.
            is_emptied = "notrunc" not in how and seek < copying.output_size
            sink = BlockSink(open_output(sh, files["of"], seek, how, is_emptied), sh.out)
        if directory is not None:
            raise BlockFailure(f"error reading {quoted_name(name)}", directory)
        if skip and not source.skip(skip) and "none" not in how:
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


def open_output(sh: Call, name: str, seek: int, how: set[str], is_emptied: bool) -> Stream:
    """The output file, cut off where writing is to begin."""
    try:
        if "nocreat" in how:
            sh.fs.stat(sh.path(name), follow=True)
        if "excl" in how:
            sh.open(name, "x").close()
        if is_emptied:
            sh.open(name, "w").close()
        if "notrunc" not in how and seek:
            with sh.open(name, "rw") as cut:
                cut.truncate(seek)
        stream = sh.open(name, "a" if "append" in how else "rw")
        if "append" not in how:
            stream.seek(seek)
    except OSError as error:
        raise sh.fail(f"failed to open {quoted_name(name)}: {os_error_text(error)}") from None
    return stream
