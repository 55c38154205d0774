"""du - how much room files take."""

from __future__ import annotations

from keysh.runtime.call import why
from keysh.runtime.disk_usage import Usage
from keysh.runtime.human_size import Unit, unit_of
from keysh.runtime.quoting import quoted, shown
from keysh.schema.bind import Misuse
from keysh.schema.declare import command
from keysh.text.pattern import Pattern as ShellPattern

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.runtime.call import Call
    from keysh.schema.types import Path, Pattern, Size


@command(invalid={"max_depth": "invalid maximum depth"})
def du(
    sh: Call,
    *files: Path,
    null: bool = False,
    all: bool = False,
    apparent_size: bool = False,
    block_size: str | None = None,
    bytes: bool = False,
    total: bool = False,
    dereference_args: bool = False,
    max_depth: int | None = None,
    dereference: bool = False,
    exclude: list[Pattern] | None = None,
    exclude_from: list[Path] | None = None,
    human_readable: bool = False,
    si: bool = False,
    inodes: bool = False,
    kibibytes: bool = False,
    count_links: bool = False,
    mebibytes: bool = False,
    no_dereference: bool = False,
    separate_dirs: bool = False,
    summarize: bool = False,
    threshold: Size | None = None,
    one_file_system: bool = False,
) -> Iterator[str]:
    """Print how much room directories take, with all that is in them.

    files ...                   what to measure; the current directory where none are given
    -0, --null                  end each line with NUL, not with a newline
    -a, --all                   files as well, not only directories
    --apparent-size             the bytes they hold, not those that their blocks take
    -B, --block-size SIZE       in such blocks: 1, K, 1M, KB, human-readable
    -b, --bytes                 --apparent-size --block-size=1
    -c, --total                 the sum of all at the end
    -D, -H, --dereference-args  follow links among the operands
    -d, --max-depth DEPTH       no directories deeper than this
    -L, --dereference           follow links
    --exclude PATTERN           leave out files that match
    -X, --exclude-from FILE     leave out what matches a pattern of this file
    -h, --human-readable        sizes as 4.0K
    --si                        the same in powers of 1000
    --inodes                    count files, not their room
    -k, --kibibytes             in blocks of 1024 bytes; the default
    -l, --count-links           count a file as often as it has names
    -m, --mebibytes             in blocks of 1048576 bytes
    -P, --no-dereference        follow no links; the default
    -S, --separate-dirs         directories without those in them
    -s, --summarize             only one sum for each operand
    -t, --threshold SIZE        nothing smaller than this; nothing larger where it is negative
    -x, --one-file-system       leave out directories of other file systems
    """
    if all and summarize:
        raise Misuse("E305", -1, "cannot both summarize and show all entries")
    if summarize and max_depth:
        says = f"warning: summarizing conflicts with --max-depth={max_depth}"
        raise Misuse("E305", -1, says)
    usage = Usage(sh)
    usage.is_apparent, usage.counts_files = apparent_size or bytes, inodes
    usage.counts_links, usage.is_separate, usage.stays = count_links, separate_dirs, one_file_system
    usage.follow = "always" if dereference else "operands" if dereference_args else "never"
    usage.deepest = 0 if summarize else max_depth
    usage.shows_files, usage.has_several = all, len(files) > 1
    usage.excluded = [
        ShellPattern(text, extended=False) for text in patterns(sh, exclude, exclude_from)
    ]
    unit = unit_for(sh) if not inodes else Unit()
    end = "\0" if null else "\n"
    sum_of_all = 0
    for file in files or (".",):
        for size, path, is_operand in usage.below(file):
            if is_operand:
                sum_of_all += size
            if threshold is None or (size >= threshold if threshold >= 0 else size <= -threshold):
                yield f"{unit.shown(size)}\t{path}{end}"
    if total:
        yield f"{unit.shown(sum_of_all)}\ttotal{end}"


def patterns(sh: Call, exclude: list[str] | None, files: list[str] | None) -> list[str]:
    """The patterns of the options and of the files they name."""
    found = [*(exclude or [])]
    for file in files or ():
        try:
            with sh.open(file) as stream:
                found += stream.read().decode("utf-8", "surrogateescape").split("\n")
        except OSError as error:
            raise Misuse("E303", -1, f"{shown(file)}: {why(error)}") from None
    return [text for text in found if text]


def unit_for(sh: Call) -> Unit:
    """The unit that the last option about it names."""
    unit = Unit(1024)
    fixed = {"bytes": Unit(), "kibibytes": Unit(1024), "mebibytes": Unit(1 << 20),
             "human_readable": Unit(base=1024), "si": Unit(base=1000)}  # fmt: skip
    for name, value in sh.given:
        if name in fixed and value:
            unit = fixed[name]
        elif name == "block_size":
            found = unit_of(value)
            if found is None:
                raise sh.fail(f"invalid --block-size argument {quoted(value)}")
            unit = found
    return unit
