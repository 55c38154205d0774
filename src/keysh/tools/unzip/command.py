"""unzip - take files out of a zip archive."""

from __future__ import annotations

from keysh.gnu.options import ordered_words
from keysh.interp.state.call import UsageFailure, os_error_text
from keysh.schema.arguments import expanded_texts, raw_text, texts_and_globs
from keysh.schema.declare import OptionStyle, OutputStyle, Refusals, command, command_of
from keysh.schema.render import help_text
from keysh.text.chunks import bytes_of_text
from keysh.text.pattern import Pattern as Glob
from keysh.tools.unzip.archive import UnzipRequest, print_warning, process_archive
from keysh.vfs.paths import join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator, Sequence
    from typing import Any

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path, Pattern, Raw
    from keysh.vfs.api import Stream

USAGE_STATUS, WARNING_STATUS, NO_ARCHIVE_STATUS = 10, 1, 9
ONLY_ZIPINFO = {
    "only_names": "1", "names_too": "2", "short": "s", "medium": "m", "heading": "h",
}  # fmt: skip
READ_ONLY_OPTIONS = ("list", "verbose", "test", "to_stdout", "print_all", "comment", "zipinfo")
COUNTED_OPTIONS = ("quiet", "text", "no_times", "lower")  # options that mean more when given again
GLOB_CHARACTERS = "*?["
OUTCOMES = (
    ("{} archive{} successfully processed.", " was", "s were"),
    ("{} archive{} had warnings but no fatal errors.", "", "s"),
    ("{} archive{} had fatal errors.", "", "s"), ("{} file{} had no zipfile directory.", "", "s"),
)  # fmt: skip


@command(
    output=OutputStyle(listing_options="only_names"),
    refusals=Refusals(usage_status=USAGE_STATUS),
    style=OptionStyle(binds_by_key=False),
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
    restore_owners: bool = False,
    versions: bool = False,
    more: bool = False,
    unicode: bool = False,
    password: str = "",
    stops_at_slashes: bool = False,
    ignore_case: bool = False,
    quiet: bool = False,
    directory: Path = "",
    exclude: list[Pattern] | None = None,
    json: bool = False,
) -> Generator[object, None, int]:
    """Take the files out of a zip archive, or list them.

    words ...                 the archive (.zip may be left out; a pattern names several), then the
                              members: all by default, else patterns in which * matches slashes too
    -l, --list                list the members
    -v, --verbose             list them with more about each
    -Z, --zipinfo             list them as zipinfo does, in one of the forms -1 -2 -s -m -l
    -1, --only-names          with -Z, nothing but the members' names
    -2, --names-too           with -Z, names, and what -h, -t and -z add
    -s, --short               with -Z, a line for each as ls -l has it, which is the default
    -m, --medium              with -Z, the same with how much smaller it is; with -l, packed size
    -h, --heading             with -Z, a heading
    -T, --decimal-time        with -Z, times as numbers; else the archive gets the time of its
                              newest file
    -z, --comment             print the archive's comment
    -t, --test                only see whether all is whole; with -Z, a line of sums
    -p, --to-stdout           print what the members hold
    -c, --print-all           the same, each behind its name
    -o, --overwrite           write over files without asking
    -n, --never-overwrite     leave files that are there
    -f, --freshen             only files that are there and older
    -u, --update              the same, and files that are not there
    -j, --junk-paths          without directories
    -a, --text                texts get the ends of lines that are usual here; twice, all members
    -b, --binary              no member is a text
    -B, --backup              keep files that are there, with ~ behind their names
    -D, --no-times            directories are as new as now; twice, files too
    -K, --keep-modes          with the bits that lend a user's rights
    -L, --lower               names of old systems in small letters; twice, all names
    -M, --more                ignored, as are -U, -V and -X
    -U, --unicode             ignored
    -V, --versions            ignored
    -X, --restore-owners      ignored: files belong to who takes them out
    -P, --password TEXT       ignored: members that need one are not read
    -W, --stops-at-slashes    * and its like do not match slashes
    -C, --ignore-case         capitals match small letters
    -q, --quiet               say less; twice, say nothing
    -d, --directory FOLDER    take them out into this directory
    -x, --exclude PATTERN     leave out what matches this, or one of the words behind it
    --json                    with -l, rows as JSON lines: name, type, size, packed, method, crc,
                              modified

    Members never land outside of the directory: what leads out is taken from their names, and
    symbolic links are made last.
    """
    declared = command_of(unzip)
    turns = [*ordered_words(sh, declared, texts_and_globs(words))]
    names, excluded, options = sort_words(turns)
    if not names or "help" in options:
        yield help_text(declared)
        return 0
    check_zipinfo(options)
    if options.get("overwrite") and options.get("never_overwrite"):
        sh.err.write("caution:  both -n and -o specified; ignoring -o\n")
        options["overwrite"] = False
    if "directory" in options and any(options.get(key) for key in READ_ONLY_OPTIONS):
        print_warning(sh, "caution:  not extracting; -d ignored", to_out=bool(options.get("test")))
    wanted = UnzipRequest(names[1:], excluded, options)
    archives = matching_archives(sh, names[0])
    if archives is None:
        found = open_zip(sh, names[0], options)
        if found is None:
            return NO_ARCHIVE_STATUS
        with found[0] as stream:
            return (yield from process_archive(sh, stream, found[1], wanted))
    return (yield from process_archives(sh, names[0], archives, wanted))


def process_archives(
    sh: Call, pattern: str, archives: Sequence[str], wanted: UnzipRequest
) -> Generator[object, None, int]:
    """List, or take out, each archive that a pattern means, and tell how that went; the status."""
    counts, tests = [0] * len(OUTCOMES), bool(wanted.options.get("test"))
    worst = status = 0
    for name in archives:
        sh.tick()
        if any(counts) and not wanted.quietness and status != NO_ARCHIVE_STATUS:
            yield "\n"
        with sh.open(name) as stream:
            status = yield from process_archive(sh, stream, name, wanted)
        counts[
            status if status in (0, WARNING_STATUS) else 3 if status == NO_ARCHIVE_STATUS else 2
        ] += 1
        worst = max(worst, status)
    if not archives:
        says = f"{sh.name}:  cannot find or open {pattern}, {pattern}.zip or {pattern}.ZIP."
        print_warning(sh, says, to_out=tests)
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
    """The archives that a pattern means; None where the word is a name."""
    folder, slash, last = pattern.rpartition("/")
    if not any(char in last for char in GLOB_CHARACTERS) or sh.exists(pattern):
        return None
    glob = Glob(last, extended=False)
    entries = sh.fs.list(sh.path(f"{folder}{slash}" or "."))
    found = sorted((entry.name for entry in entries if glob.matches(entry.name)), key=bytes_of_text)
    names = [join(folder, name) if folder else f"{slash}{name}" for name in found]
    return [name for name in names if sh.fs.stat(sh.path(name), follow=True).is_file]


def check_zipinfo(options: dict[str, Any]) -> None:
    """See that zipinfo's options stand with -Z, and those that it has not do not."""
    if not options.get("zipinfo"):
        for option, letter in ONLY_ZIPINFO.items():
            if options.get(option):
                raise UsageFailure(f"-{letter} is an option of -Z only: -Z{letter}")
    elif options.get("verbose"):
        raise UsageFailure("-Z has no -v: list the members with -v alone, or -Zl")


def sort_words(
    turns: Sequence[tuple[str, Any]],
) -> tuple[list[str], list[str], dict[str, Any]]:
    """The archive and members, what is left out, and the other options.

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
        elif names:  # members are asked for by patterns
            names.append(raw_text(value))
        else:
            names += expanded_texts([value])
        is_excluding = option == "exclude" or (is_excluding and not option)
    return names, excluded, options


def open_zip(sh: Call, name: str, options: dict[str, Any]) -> tuple[Stream, str] | None:
    """The archive's file and name, which may be given without .zip; -p says nothing of a lack."""
    for tried in (name, f"{name}.zip", f"{name}.ZIP"):
        try:
            return sh.open(tried), tried
        except (FileNotFoundError, IsADirectoryError):
            continue
        except OSError as error:
            sh.err.write(
                f"error:  cannot open zipfile [ {tried} ]\n        {os_error_text(error)}\n"
            )
            break
    reader = "zipinfo" if options.get("zipinfo") else "unzip"
    if not options.get("to_stdout"):
        says = f"{reader}:  cannot find or open {name}, {name}.zip or {name}.ZIP."
        print_warning(sh, says, to_out=bool(options.get("test")))
    return None
