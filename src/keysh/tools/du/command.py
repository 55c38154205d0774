"""du - how much room files take."""

from __future__ import annotations

from keysh.gnu.file_facts import iso_time
from keysh.gnu.input_files import names_from, refuse_operands
from keysh.gnu.options import chosen
from keysh.gnu.sizes import BadUnit, Unit, unit_of, unit_of_environment
from keysh.interp.state.call import BadCall, why
from keysh.schema.declare import command
from keysh.schema.number_types import Natural
from keysh.text.chunks import text_of_bytes
from keysh.text.dates.moment import Moment
from keysh.text.dates.strftime import formatted
from keysh.text.dates.time_zone import zone_named
from keysh.text.gnu_quoting import shown
from keysh.text.pattern import Pattern as ShellPattern
from keysh.tools.du.usage import Line, Usage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path, Pattern, Size


TIMES = {"atime": "accessed", "access": "accessed", "use": "accessed", "ctime": "changed",
         "status": "changed"}  # fmt: skip
TIME_STYLES = {
    "full-iso": "%Y-%m-%d %H:%M:%S.%N %z", "long-iso": "%Y-%m-%d %H:%M", "iso": "%Y-%m-%d",
}  # fmt: skip

FOLLOW = {"dereference": "always", "dereference_args": "operands", "no_dereference": "never"}
DEPTH = "invalid maximum depth '{}'\nTry 'du --help' for more information."


@command(
    invalid={"max_depth": DEPTH, "threshold": "invalid -t argument '{}'"},
    added="kibibytes mebibytes",
    unwritten=(1, "write error"),
)
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
    max_depth: Natural | None = None,
    dereference: bool = False,
    exclude: list[Pattern] | None = None,
    exclude_from: list[Path] | None = None,
    files0_from: Path | None = None,
    human_readable: bool = False,
    si: bool = False,
    inodes: bool = False,
    json: bool = False,
    kibibytes: bool = False,
    count_links: bool = False,
    mebibytes: bool = False,
    no_dereference: bool = False,
    separate_dirs: bool = False,
    summarize: bool = False,
    threshold: Size | None = None,
    time: str | bool = False,
    time_style: str | None = None,
    one_file_system: bool = False,
) -> Iterator[str | dict[str, object]]:
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
    --files0-from FILE          read the files' names from FILE, each ended by NUL; - for
                                standard input
    -h, --human-readable        sizes as 4.0K
    --si                        the same in powers of 1000
    --inodes                    count files, not their room
    --json                      rows as JSON lines: path, size in bytes or inodes, and the time
    -k, --kibibytes             in blocks of 1024 bytes; the default
    -l, --count-links           count a file as often as it has names
    -m, --mebibytes             in blocks of 1048576 bytes
    -P, --no-dereference        follow no links; the default
    -S, --separate-dirs         directories without those in them
    -s, --summarize             only one sum for each operand
    -t, --threshold SIZE        nothing smaller than this; nothing larger where it is negative
    --time[=WORD]               the newest time of all in it: of modification, or atime, access,
                                use, ctime, status
    --time-style WORD           full-iso, long-iso, iso, +FORMAT
    -x, --one-file-system       leave out directories of other file systems
    """
    if all and summarize:
        raise BadCall("cannot both summarize and show all entries")
    if summarize and max_depth == 0:
        sh.note("warning: summarizing is the same as using --max-depth=0")
    if inodes and (apparent_size or bytes):
        says = "options --apparent-size and -b are ineffective with --inodes"
        sh.note(f"warning: {says}")
    if summarize and max_depth:
        says = f"warning: summarizing conflicts with --max-depth={max_depth}"
        raise BadCall(says)
    usage = Usage(sh)
    usage.is_apparent, usage.counts_files = apparent_size or bytes, inodes
    usage.counts_links, usage.is_separate, usage.stays = count_links, separate_dirs, one_file_system
    for name, value in sh.given:
        if value and name in FOLLOW:
            usage.follow = FOLLOW[name]
    usage.deepest = 0 if summarize else max_depth
    usage.shows_files, usage.has_several = all, len(files) > 1
    usage.excluded = [
        ShellPattern(text, extended=False) for text in patterns(sh, exclude, exclude_from)
    ]
    if isinstance(time, str):
        usage.time = chosen("--time", time, TIMES)
    form = time_form(sh, time_style) if time is not False else ""
    if files0_from is not None:
        refuse_operands(files)
        names: Iterable[str] = names_from(sh, files0_from)
        usage.has_several = True
    else:
        names = files or (".",)
    unit = unit_for(sh) if not inodes else Unit()
    end, zone = "\0" if null else "\n", zone_named(sh.env.get("TZ"))
    whole = Line("total", 0, 0)
    for line in lines(usage, names, whole, has_total=total):
        size = line.size
        is_refused = threshold and (size < threshold if threshold > 0 else size > -threshold)
        if is_refused and line is not whole:
            continue
        if json:
            row: dict[str, object] = {"path": line.path, "inodes" if inodes else "size": size}
            yield {**row, usage.time: iso_time(line.time)} if form else row
        else:
            shown_time = f"{formatted(form, Moment(line.time, zone))}\t" if form else ""
            yield f"{unit.shown(size)}\t{shown_time}{line.path}{end}"


def lines(usage: Usage, names: Iterable[str], whole: Line, *, has_total: bool) -> Iterator[Line]:
    """What is shown of all operands, and the sum of all where it is wanted."""
    for name in names:
        for line in usage.below(name):
            if line.is_operand:
                whole.size += line.size
                whole.time = max(whole.time, line.time)
            yield line
    if has_total:
        yield whole


def time_form(sh: Call, style: str | None) -> str:
    """The format of times: of --time-style, else of TIME_STYLE as far as du knows it."""
    if style is None:
        style = (sh.env.get("TIME_STYLE") or "long-iso").split("\n")[0]
        style = "long-iso" if style == "locale" else style.removeprefix("posix-")
    if style.startswith("+"):
        return style[1:]
    return chosen("time style", style, TIME_STYLES)


def patterns(sh: Call, exclude: list[str] | None, files: list[str] | None) -> list[str]:
    """The patterns of the options and of the files they name."""
    found = [*(exclude or [])]
    for file in files or ():
        try:
            with sh.open(file) as stream:
                found += text_of_bytes(stream.read()).split("\n")
        except OSError as error:
            raise BadCall(f"{shown(file)}: {why(error)}") from None
    return [text for text in found if text]


def unit_for(sh: Call) -> Unit:
    """The unit that the last option about it names."""
    unit = unit_of_environment(sh.env, "DU_BLOCK_SIZE") or Unit(1024)
    fixed = {"bytes": Unit(), "kibibytes": Unit(1024), "mebibytes": Unit(1 << 20),
             "human_readable": Unit(base=1024), "si": Unit(base=1000)}  # fmt: skip
    for name, value in sh.given:
        if name in fixed and value:
            unit = fixed[name]
        elif name == "block_size":
            try:
                unit = unit_of(value)
            except BadUnit as fault:
                raise sh.fail(str(fault)) from None
    return unit
