"""unzip - list and extract the members of zip archives."""

from __future__ import annotations

from keysh.gnu.option_values import ordered_words
from keysh.interp.state.call import UsageFailure, os_error_text
from keysh.schema.arguments import expanded_texts, raw_text, texts_and_globs
from keysh.schema.declare import OptionStyle, OutputStyle, Refusals, command, command_of
from keysh.schema.render import help_text
from keysh.text.chunks import bytes_of_text
from keysh.text.pattern import name_matcher
from keysh.tools.unzip.archive import UnzipRequest, print_warning, process_archive
from keysh.vfs.paths import join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator, Sequence
    from typing import Any

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path, Pattern, Raw
    from keysh.vfs.stream import Stream

USAGE_STATUS, WARNING_STATUS, NO_ARCHIVE_STATUS = 10, 1, 9
ONLY_ZIPINFO = {
    "only_names": "1", "names_too": "2", "short": "s", "medium": "m", "heading": "h",
}  # fmt: skip
READ_ONLY_OPTIONS = ("list", "verbose", "test", "to_stdout", "print_all", "comment", "zipinfo")
# These options mean more when they are repeated.
COUNTED_OPTIONS = ("quiet", "text", "no_times", "lower")
GLOB_CHARACTERS = "*?["
OUTCOMES = (
    ("{} archive{} successfully processed.", " was", "s were"),
    ("{} archive{} had warnings but no fatal errors.", "", "s"),
    ("{} archive{} had fatal errors.", "", "s"), ("{} file{} had no zipfile directory.", "", "s"),
)  # fmt: skip


@command(
    compatible="Info-ZIP 6.00",
    output=OutputStyle(listing_options="only_names"),
    refusals=Refusals(usage_status=USAGE_STATUS),
    style=OptionStyle(binds_by_key=False),
    ignored=(
        "-M, --more; -U, --unicode; -V, --versions; -X, --restore-owners; -P, --password PASSWORD"
    ),
)
def unzip(
    sh: Call,
    *words: Raw,
    list: bool = False,
    verbose: bool = False,
    zipinfo: bool = False,
    only_names: bool = False,
    names_too: bool = False,
    short: bool = False,
    medium: bool = False,
    heading: bool = False,
    decimal_time: bool = False,
    comment: bool = False,
    test: bool = False,
    to_stdout: bool = False,
    print_all: bool = False,
    overwrite: bool = False,
    never_overwrite: bool = False,
    freshen: bool = False,
    update: bool = False,
    junk_paths: bool = False,
    backup: bool = False,
    keep_modes: bool = False,
    no_times: bool = False,
    lower: bool = False,
    text: bool = False,
    binary: bool = False,
    stops_at_slashes: bool = False,
    ignore_case: bool = False,
    quiet: bool = False,
    directory: Path = "",
    exclude: list[Pattern] | None = None,
    json: bool = False,
) -> Generator[object, None, int]:
    """Extract the members of a zip archive, or list them.

    words ...                 the archive (.zip may be omitted; a pattern matches
                              several), then patterns for members (default: all),
                              in which * matches / too
    -l, --list                list members
    -v, --verbose             list members with details
    -Z, --zipinfo             list members as zipinfo does; with -1 -2 -s -m or -l
    -1, --only-names          with -Z, print only names
    -2, --names-too           with -Z, print names, and what -h, -t and -z add
    -s, --short               with -Z, print lines like those of ls -l (default)
    -m, --medium              with -Z, print the compression ratio too; with -l,
                              the compressed size
    -h, --heading             with -Z, print a heading
    -T, --decimal-time        with -Z, print times as numbers; otherwise set the
                              archive's time to that of its newest member
    -z, --comment             print the archive's comment
    -t, --test                test members; with -Z, print totals
    -p, --to-stdout           print the contents of members
    -c, --print-all           same, each with its name
    -o, --overwrite           overwrite existing files without asking
    -n, --never-overwrite     never overwrite existing files
    -f, --freshen             extract only members newer than existing files
    -u, --update              same, and members without a file
    -j, --junk-paths          extract without directories
    -a, --text                convert line ends of text members; twice, of all
    -b, --binary              treat all members as binary
    -B, --backup              rename existing files to NAME~
    -D, --no-times            do not restore times of directories; twice, nor of
                              files
    -K, --keep-modes          restore set-user-ID, set-group-ID and sticky bits
    -L, --lower               convert names from DOS to lower case; twice, all
    -W, --stops-at-slashes    wildcards do not match /
    -C, --ignore-case         ignore case in names
    -q, --quiet               print less; twice, print nothing
    -d, --directory DIR       extract into DIR
    -x, --exclude PATTERN     exclude what matches PATTERN, or one of the words
                              after it
    --json                    with -l, print JSON lines: name, type, size, packed,
                              method, crc, modified

    Members are never extracted outside the directory: names lose what leads out
    of it, and symbolic links are created last.
    """
    declared = command_of(unzip)
    options_and_operands = [*ordered_words(sh, declared, texts_and_globs(words))]
    names, excluded, options = sort_words(options_and_operands)
    if not names or "help" in options:
        yield help_text(declared)
        return 0
    check_zipinfo(options)
    if options.get("overwrite") and options.get("never_overwrite"):
        sh.complain("caution:  both -n and -o specified; ignoring -o")
        options["overwrite"] = False
    if "directory" in options and any(options.get(key) for key in READ_ONLY_OPTIONS):
        print_warning(sh, "caution:  not extracting; -d ignored", to_out=bool(options.get("test")))
    request = UnzipRequest(names[1:], excluded, options)
    archives = matching_archives(sh, names[0])
    if archives is None:
        archive_file = open_zip(sh, names[0], options)
        if archive_file is None:
            return NO_ARCHIVE_STATUS
        with archive_file[0] as stream:
            return (yield from process_archive(sh, stream, archive_file[1], request))
    return (yield from process_archives(sh, names[0], archives, request))


def process_archives(
    sh: Call, pattern: str, archives: Sequence[str], request: UnzipRequest
) -> Generator[object, None, int]:
    """Process each matching archive, print a summary and return the status."""
    counts, tests = [0] * len(OUTCOMES), bool(request.options.get("test"))
    worst = status = 0
    for name in archives:
        sh.tick()
        if any(counts) and not request.quietness and status != NO_ARCHIVE_STATUS:
            yield "\n"
        with sh.open(name) as stream:
            status = yield from process_archive(sh, stream, name, request)
        counts[
            status if status in (0, WARNING_STATUS) else 3 if status == NO_ARCHIVE_STATUS else 2
        ] += 1
        worst = max(worst, status)
    if not archives:
        message = f"{sh.name}:  cannot find or open {pattern}, {pattern}.zip or {pattern}.ZIP."
        print_warning(sh, message, to_out=tests)
        worst = NO_ARCHIVE_STATUS
    if counts == [1, 0, 0, 0]:
        return worst
    print_warning(sh, "", to_out=tests)
    for count, (words, one, more) in zip(counts, OUTCOMES, strict=True):
        if count:
            print_warning(sh, words.format(count, one if count == 1 else more), to_out=tests)
    if not any(counts[:3]):
        print_warning(sh, "No zipfiles found.", to_out=tests)
    return worst


def matching_archives(sh: Call, pattern: str) -> list[str] | None:
    """Return the archives that match a pattern; None if the word is a name."""
    folder, slash, last = pattern.rpartition("/")
    if not any(char in last for char in GLOB_CHARACTERS) or sh.exists(pattern):
        return None
    is_match = name_matcher(last, sh.tick)
    entries = sh.fs.list(sh.path(f"{folder}{slash}" or "."))
    matches = sorted((entry.name for entry in entries if is_match(entry.name)), key=bytes_of_text)
    names = [join(folder, name) if folder else f"{slash}{name}" for name in matches]
    return [name for name in names if sh.fs.stat(sh.path(name), follow=True).is_file]


def check_zipinfo(options: dict[str, Any]) -> None:
    """Raise UsageFailure for options of -Z without it, and for others with it."""
    if not options.get("zipinfo"):
        for option, letter in ONLY_ZIPINFO.items():
            if options.get(option):
                raise UsageFailure(f"-{letter} is an option of -Z: use -Z{letter}")
    elif options.get("verbose"):
        raise UsageFailure("-Z has no -v: use -v alone, or -Zl")


def sort_words(
    turns: Sequence[tuple[str, Any]],
) -> tuple[list[str], list[str], dict[str, Any]]:
    """Return the archive and members, the excluded patterns, and the other options.

    `-x` takes all words up to the next option.
    """
    names: list[str] = []
    excluded: list[str] = []
    options: dict[str, Any] = {}
    is_excluding = False
    for option, value in turns:
        if option == "exclude":
            excluded += value if isinstance(value, list) else [value]
        elif option:
            options[option] = options.get(option, 0) + 1 if option in COUNTED_OPTIONS else value
        elif is_excluding and names:
            excluded.append(raw_text(value))
        elif names:  # members are selected by patterns
            names.append(raw_text(value))
        else:
            names += expanded_texts([value])
        is_excluding = option == "exclude" or (is_excluding and not option)
    return names, excluded, options


def open_zip(sh: Call, name: str, options: dict[str, Any]) -> tuple[Stream, str] | None:
    """Open an archive, whose name may lack .zip; return file and name. With -p, report nothing."""
    for path in (name, f"{name}.zip", f"{name}.ZIP"):
        try:
            return sh.open(path), path
        except (FileNotFoundError, IsADirectoryError):
            continue
        except OSError as error:
            sh.complain(f"error:  cannot open zipfile [ {path} ]\n        {os_error_text(error)}")
            break
    reader = "zipinfo" if options.get("zipinfo") else "unzip"
    if not options.get("to_stdout"):
        message = f"{reader}:  cannot find or open {name}, {name}.zip or {name}.ZIP."
        print_warning(sh, message, to_out=bool(options.get("test")))
    return None
