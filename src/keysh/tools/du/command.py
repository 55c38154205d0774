"""du: print disk usage."""

from __future__ import annotations

from keysh.gnu.file_facts import iso_time
from keysh.gnu.input_files import read_name_list, refuse_operands
from keysh.gnu.option_values import choice_of
from keysh.gnu.sizes import BadSizeUnit, SizeUnit, unit_of, unit_of_environment
from keysh.interp.state.call import UsageFailure, os_error_text
from keysh.schema.declare import OptionStyle, OutputStyle, Refusals, command
from keysh.schema.number_types import Natural
from keysh.text.dates.moment import Moment
from keysh.text.dates.strftime import format_moment
from keysh.text.dates.time_zone import find_zone
from keysh.text.gnu_quoting import message_name
from keysh.text.pattern import name_matcher
from keysh.tools.du.usage import DiskUsage, UsageLine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path, Pattern, Size


TIME_WORDS = {"atime": "accessed", "access": "accessed", "use": "accessed", "ctime": "changed",
         "status": "changed"}  # fmt: skip
TIME_STYLES = {
    "full-iso": "%Y-%m-%d %H:%M:%S.%N %z", "long-iso": "%Y-%m-%d %H:%M", "iso": "%Y-%m-%d",
}  # fmt: skip

FOLLOW_OPTIONS = {
    "dereference": "always",
    "dereference_args": "operands",
    "no_dereference": "never",
}
DEPTH_ERROR = "invalid maximum depth '{}'\nTry 'du --help' for more information."


@command(
    compatible="GNU coreutils 9.1",
    output=OutputStyle(write_error=(1, "write error")),
    refusals=Refusals(
        invalid_values={"max_depth": DEPTH_ERROR, "threshold": "invalid -t argument '{}'"}
    ),
    style=OptionStyle(unabbreviated="kibibytes mebibytes"),
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
    """Print the disk usage of directories, including their contents.

    files ...                   the files (default: the current directory)
    -0, --null                  end each line with NUL, not with a newline
    -a, --all                   count all files, not only directories
    --apparent-size             print apparent sizes, not disk usage
    -B, --block-size SIZE       scale sizes by SIZE: 1, K, 1M, KB, human-readable
    -b, --bytes                 --apparent-size --block-size=1
    -c, --total                 print a grand total
    -D, -H, --dereference-args  follow symbolic links among the operands
    -d, --max-depth NUM         print totals at most NUM levels deep
    -L, --dereference           follow all symbolic links
    --exclude PATTERN           skip files that match PATTERN
    -X, --exclude-from FILE     skip files that match a pattern in FILE
    --files0-from FILE          read NUL-terminated names from FILE; - for standard
                                input
    -h, --human-readable        print sizes such as 4.0K
    --si                        the same in powers of 1000
    --inodes                    count files, not their space
    --json                      print rows: path, size in bytes or inodes, and time
    -k, --kibibytes             print sizes in blocks of 1024 bytes (the default)
    -l, --count-links           count a file with several hard links each time
    -m, --mebibytes             print sizes in blocks of 1048576 bytes
    -P, --no-dereference        follow no symbolic links (the default)
    -S, --separate-dirs         exclude subdirectories from totals
    -s, --summarize             print only a total for each operand
    -t, --threshold SIZE        omit entries smaller than SIZE, or larger than -SIZE
                                if it is negative
    --time[=WORD]               print the latest modification time in directories;
                                WORD: atime, access, use, ctime, status
    --time-style STYLE          full-iso, long-iso, iso, +FORMAT
    -x, --one-file-system       skip directories on other file systems
    """
    if all and summarize:
        raise UsageFailure("cannot both summarize and show all entries")
    if summarize and max_depth == 0:
        sh.note("warning: summarizing is the same as using --max-depth=0")
    if inodes and (apparent_size or bytes):
        message = "options --apparent-size and -b are ineffective with --inodes"
        sh.note(f"warning: {message}")
    if summarize and max_depth:
        message = f"warning: summarizing conflicts with --max-depth={max_depth}"
        raise UsageFailure(message)
    usage = DiskUsage(sh)
    usage.uses_apparent_size, usage.counts_files = apparent_size or bytes, inodes
    usage.counts_links, usage.separates_directories, usage.stays_on_file_system = (
        count_links,
        separate_dirs,
        one_file_system,
    )
    for name, value in sh.given:
        if value and name in FOLLOW_OPTIONS:
            usage.follow = FOLLOW_OPTIONS[name]
    usage.max_depth = 0 if summarize else max_depth
    usage.shows_files, usage.has_several = all, len(files) > 1
    usage.excluded_paths = [
        name_matcher(text, sh.tick) for text in exclude_patterns(sh, exclude, exclude_from)
    ]
    if isinstance(time, str):
        usage.time_field = choice_of("--time", time, TIME_WORDS)
    form = time_format(sh, time_style) if time is not False else ""
    if files0_from is not None:
        refuse_operands(files)
        names: Iterable[str] = read_name_list(sh, files0_from)
        usage.has_several = True
    else:
        names = files or (".",)
    unit = output_unit(sh) if not inodes else SizeUnit()
    end, zone = "\0" if null else "\n", find_zone(sh.env.get("TZ"))
    whole = UsageLine("total", 0, 0)
    for line in usage_lines(usage, names, whole, has_total=total):
        size = line.size
        is_refused = threshold and (size < threshold if threshold > 0 else size > -threshold)
        if is_refused and line is not whole:
            continue
        if json:
            row: dict[str, object] = {"path": line.path, "inodes" if inodes else "size": size}
            yield {**row, usage.time_field: iso_time(line.time)} if form else row
        else:
            shown_time = f"{format_moment(form, Moment(line.time, zone))}\t" if form else ""
            yield f"{unit.format_size(size)}\t{shown_time}{line.path}{end}"


def usage_lines(
    usage: DiskUsage, names: Iterable[str], whole: UsageLine, *, has_total: bool
) -> Iterator[UsageLine]:
    """Return the lines for all operands, and the total."""
    for name in names:
        for line in usage.measure(name):
            if line.is_operand:
                whole.size += line.size
                whole.time = max(whole.time, line.time)
            yield line
    if has_total:
        yield whole


def time_format(sh: Call, style: str | None) -> str:
    """Return the time format of --time-style, or of TIME_STYLE."""
    if style is None:
        style = (sh.env.get("TIME_STYLE") or "long-iso").split("\n")[0]
        style = "long-iso" if style == "locale" else style.removeprefix("posix-")
    if style.startswith("+"):
        return style[1:]
    return choice_of("time style", style, TIME_STYLES)


def exclude_patterns(sh: Call, exclude: list[str] | None, files: list[str] | None) -> list[str]:
    """Return the patterns of the options and of the files that they name."""
    patterns = [*(exclude or [])]
    for file in files or ():
        try:
            with sh.open_reader(file) as reader:
                patterns += reader.read().split("\n")
        except OSError as error:
            raise UsageFailure(f"{message_name(file)}: {os_error_text(error)}") from None
    return [text for text in patterns if text]


def output_unit(sh: Call) -> SizeUnit:
    """Return the unit that the last option sets."""
    unit = unit_of_environment(sh.env, "DU_BLOCK_SIZE") or SizeUnit(1024)
    fixed = {"bytes": SizeUnit(), "kibibytes": SizeUnit(1024), "mebibytes": SizeUnit(1 << 20),
             "human_readable": SizeUnit(base=1024), "si": SizeUnit(base=1000)}  # fmt: skip
    for name, value in sh.given:
        if name in fixed and value:
            unit = fixed[name]
        elif name == "block_size":
            try:
                unit = unit_of(value)
            except BadSizeUnit as fault:
                raise sh.fail(str(fault)) from None
    return unit
