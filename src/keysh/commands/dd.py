"""dd - copy by blocks."""

from __future__ import annotations

from keysh.runtime.blocks import LOWER, UPPER, Copying, Sink, Source
from keysh.runtime.call import why
from keysh.runtime.quoting import quoted, shown
from keysh.schema.bind import Misuse
from keysh.schema.bind import shown as text_of
from keysh.schema.declare import command, command_of
from keysh.schema.render import help_text
from keysh.schema.types import SIZES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.runtime.call import Call
    from keysh.schema.types import Raw
    from keysh.vfs.api import Access, Stream

CONVERSIONS = ("lcase", "ucase", "swab", "sync", "excl", "nocreat", "notrunc", "noerror",
               "fsync", "fdatasync", "sparse")  # fmt: skip
# Flags that say how to speak to a device; there is none.
IDLE = ("binary", "direct", "dsync", "noatime", "nocache", "noctty", "nonblock", "sync", "text")
WORDS = {
    "conv": ("conversion", CONVERSIONS),
    "iflag": ("input flag", (*IDLE, "count_bytes", "fullblock", "skip_bytes")),
    "oflag": ("output flag", (*IDLE, "append", "seek_bytes")),
    "status": ("status level", ("none", "noxfer", "progress")),
}
NUMBERS = {"bs": 1, "ibs": 1, "obs": 1, "count": 0, "skip": 0, "iseek": 0, "seek": 0, "oseek": 0}


@command
def dd(sh: Call, *words: Raw) -> int:
    """Copy a file by blocks, and tell how many there were.

    words ...         name=value: if=FILE, of=FILE (standard input and output without them),
                      bs=SIZE (of all blocks), ibs=SIZE, obs=SIZE (512 without them),
                      count=N, skip=N (or iseek=N), seek=N (or oseek=N) in blocks,
                      in bytes where N ends in B,
                      conv=lcase,ucase,swab,sync,notrunc,excl,nocreat,noerror,fsync,
                      iflag=fullblock,count_bytes,skip_bytes oflag=append,seek_bytes,
                      status=none or status=noxfer

    A SIZE may have factors and suffixes: 2x512, c 1, w 2, b 512, kB 1000, K 1024, MB, M, and so on.
    Conversions of character sets and record lengths (ascii, block, …) are left out.
    """
    files: dict[str, str] = {}
    numbers: dict[str, tuple[int, bool]] = {}
    flags = {key: set[str]() for key in WORDS}
    are_options_over = False
    for word in map(text_of, words):
        if word.startswith("-") and word != "-" and not are_options_over:
            if word == "--help":
                sh.out.write(help_text(command_of(dd)))
                return 0
            are_options_over = word == "--"
            if not are_options_over:
                is_long = word.startswith("--")
                says = (
                    f"unrecognized option '{word}'" if is_long else f"invalid option -- '{word[1]}'"
                )
                raise Misuse("E302", -1, says)
            continue
        key, equals, value = word.partition("=")
        if not equals or key not in ("if", "of", *WORDS, *NUMBERS):
            raise Misuse("E305", -1, f"unrecognized operand '{word}'")
        if key in NUMBERS:
            numbers[key.replace("iseek", "skip").replace("oseek", "seek")] = number(sh, key, value)
        elif key in WORDS:
            flags[key] |= listed(key, value)
        else:
            files[key] = value
    conv, iflag, oflag = flags["conv"], flags["iflag"], flags["oflag"]
    for one, other in (("lcase", "ucase"), ("excl", "nocreat")):
        if {one, other} <= conv:
            raise sh.fail(f"cannot combine {one} and {other}")
    copying = Copying()
    copying.input_size = numbers.get("bs", numbers.get("ibs", (512,)))[0]
    copying.output_size = numbers.get("bs", numbers.get("obs", (512,)))[0]
    copying.swaps, copying.syncs = "swab" in conv, "sync" in conv
    copying.table = LOWER if "lcase" in conv else UPPER if "ucase" in conv else None
    copying.recuts = "bs" not in numbers or copying.swaps or copying.table is not None
    if "count" in numbers:
        copying.most, in_bytes = numbers["count"]
        copying.counts_blocks = not (in_bytes or "count_bytes" in iflag)
    skip, in_bytes = numbers.get("skip", (0, True))
    skip *= 1 if in_bytes or "skip_bytes" in iflag else copying.input_size
    seek, in_bytes = numbers.get("seek", (0, True))
    seek *= 1 if in_bytes or "seek_bytes" in oflag else copying.output_size
    return copied(sh, copying, files, skip, seek, conv | oflag, flags["status"])


def copied(
    sh: Call, copying: Copying, files: dict[str, str], skip: int, seek: int, how: set[str],
    status: set[str],
) -> int:  # fmt: skip
    """Make the copy and tell of it; the status."""
    if "append" in how and "notrunc" not in how:
        sh.err.write("dd: you probably want conv=notrunc with oflag=append\n")
    name, target = files.get("if", "standard input"), files.get("of", "standard output")
