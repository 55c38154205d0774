"""unzip - take files out of a zip archive."""

from __future__ import annotations

from keysh.archive.source import Damaged
from keysh.archive.zip_format import directory, end_in
from keysh.commands.unzip import info
from keysh.commands.unzip.extract import Extraction
from keysh.commands.unzip.info import Format
from keysh.commands.unzip.listing import lines, rows
from keysh.commands.unzip.members import Chosen, text_name, visible
from keysh.runtime.call import why
from keysh.runtime.turns import in_turn, texts
from keysh.schema.bind import Misuse
from keysh.schema.declare import command, command_of
from keysh.schema.render import help_text
from keysh.text.time_zone import zone_named

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator, Sequence
    from typing import Any

    from keysh.archive.zip_format import Entry
    from keysh.runtime.call import Call
    from keysh.schema.types import Path, Pattern, Raw
    from keysh.vfs.api import Stream

USAGE, WARNED, DAMAGED, NO_ARCHIVE, NOT_FOUND, OVERLAP = 10, 1, 3, 9, 11, 12
ONLY_ZIPINFO = {
    "only_names": "1", "names_too": "2", "short": "s", "medium": "m", "heading": "h",
    "decimal_time": "T",
}  # fmt: skip
NO_END = """\
  End-of-central-directory signature not found.  Either this file is not
  a zipfile, or it constitutes one disk of a multi-part archive.  In the
  latter case the central directory and zipfile comment will be found on
  the last disk(s) of this archive.
"""


@command(usage=USAGE, lines="only_names", names=False)
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
    overwrite: bool = False,
    never_overwrite: bool = False,
    freshen: bool = False,
    update: bool = False,
    junk_paths: bool = False,
    ignore_case: bool = False,
    quiet: bool = False,
    directory: Path = "",
    exclude: list[Pattern] | None = None,
    json: bool = False,
) -> Generator[object, None, int]:
    """Take the files out of a zip archive, or list them.

    words ...                 the archive (.zip may be left out), then the members: all by default,
                              else patterns in which * matches slashes too
    -l, --list                list the members
    -v, --verbose             list them with more about each
    -Z, --zipinfo             list them as zipinfo does, in one of the forms -1 -2 -s -m -l
    -1, --only-names          with -Z, nothing but the members' names
    -2, --names-too           with -Z, names, and what -h, -t and -z add
    -s, --short               with -Z, a line for each as ls -l has it, which is the default
    -m, --medium              with -Z, the same with how much smaller it is; with -l, packed size
    -h, --heading             with -Z, a heading
    -T, --decimal-time        with -Z, times as numbers
    -z, --comment             print the archive's comment
    -t, --test                only see whether all is whole; with -Z, a line of sums
    -p, --to-stdout           print what the members hold
    -o, --overwrite           write over files without asking
    -n, --never-overwrite     leave files that are there
    -f, --freshen             only files that are there and older
    -u, --update              the same, and files that are not there
    -j, --junk-paths          without directories
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
    turns = [*in_turn(sh, declared, texts(words))]
    names, excluded, options = sorted_words(turns)
    if not names or "help" in options:
        yield help_text(declared)
        return 0
    check_zipinfo(options)
    stream, name = opened(sh, names[0])
    quietness = sum(option == "quiet" for option, _ in turns)
    with stream:
        if options.get("zipinfo"):
            return (yield from informed(sh, stream, name, Wanted(names[1:], excluded, options)))
        is_listing = any(options.get(key) for key in ("list", "verbose"))
        is_bare = any(options.get(key) for key in ("to_stdout", "json"))
        says_archive = not (is_bare or quietness > is_listing)
        if says_archive:
            yield f"Archive:  {name}\n"
        entries = entries_of(sh, stream, name, to_out=bool(options.get("test")))
        if isinstance(entries, int):
            return entries
        if options.get("comment"):
            if note := note_in(stream):
                yield f"{note}\n"
            return 0
        if not entries:
            warn(sh, f"warning [{name}]:  zipfile is empty", to_out=bool(options.get("test")))
            return WARNED
        chosen = Chosen(names[1:], excluded, ignores_case=bool(options.get("ignore_case")))
        picked = [entry for entry in entries if chosen.takes(text_name(entry))]
        if is_listing:
            zone = zone_named(sh.env.get("TZ"))
            if options.get("json"):
                yield from rows(picked)
            else:
                yield from lines(picked, zone, is_long=bool(options.get("verbose")),
                                 is_bare=quietness > 1)  # fmt: skip
            return NOT_FOUND if names[1:] and not picked else 0
        run = Extraction(sh, stream, name, options, quietness)
        run.is_partial = bool(names[1:] or excluded)
        status = yield from run.run(picked)
    for missing in chosen.missing():
        sh.err.write(f"caution: filename not matched:  {missing}\n")
        status = status or NOT_FOUND
    for missing in chosen.idle():
        sh.err.write(f"caution: excluded filename not matched:  {missing}\n")
    return status


class Wanted:
    """Which members zipinfo is to show, and how."""

    __slots__ = ("excluded", "names", "options")

    def __init__(self, names: list[str], excluded: list[str], options: dict[str, Any]) -> None:
        self.names, self.excluded, self.options = names, excluded, options


def check_zipinfo(options: dict[str, Any]) -> None:
    """See that zipinfo's options stand with -Z, and those that it has not do not."""
    if not options.get("zipinfo"):
        for option, letter in ONLY_ZIPINFO.items():
            if options.get(option):
                raise Misuse("E303", -1, f"-{letter} is an option of -Z only: -Z{letter}")
    elif options.get("verbose"):
        raise Misuse("E303", -1, "-Z has no -v: list the members with -v alone, or -Zl")


def informed(sh: Call, stream: Stream, name: str, wanted: Wanted) -> Generator[str, None, int]:
    """The lines of zipinfo."""
    entries = entries_of(sh, stream, name, to_out=False)
    if isinstance(entries, int):
        return entries
    form = Format(wanted.options, is_partial=bool(wanted.names or wanted.excluded))
    yield from info.heading(form, name, note_in(stream), stream.seek(0, 2), len(entries))
    if not entries:
        yield "Empty zipfile.\n"
        return WARNED
    ignores_case = bool(wanted.options.get("ignore_case"))
    chosen = Chosen(wanted.names, wanted.excluded, ignores_case=ignores_case)
    picked = [entry for entry in entries if chosen.takes(text_name(entry))]
    yield from info.members(form, picked, zone_named(sh.env.get("TZ")))
    for missing in chosen.missing():
        sh.err.write(f"caution: filename not matched:  {missing}\n")
    for missing in chosen.idle():
        sh.err.write(f"caution: excluded filename not matched:  {missing}\n")
    return NOT_FOUND if wanted.names and not picked else 0


def note_in(stream: Stream) -> str:
    """The comment of an archive that has a directory."""
    note = end_in(stream)[2].decode("utf-8", "surrogateescape")
    return visible(note.replace("\r\n", "\n"))


def sorted_words(
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
            options[option] = value
        elif is_excluding and names:
            excluded.append(value)
        else:
            names.append(value)
        is_excluding = option == "exclude" or (is_excluding and not option)
    return names, excluded, options


def opened(sh: Call, name: str) -> tuple[Stream, str]:
    """The archive's file and name, which may be given without .zip."""
    for tried in (name, f"{name}.zip", f"{name}.ZIP"):
        try:
            return sh.open(tried), tried
        except (FileNotFoundError, IsADirectoryError):
            continue
        except OSError as error:
            sh.err.write(f"error:  cannot open zipfile [ {tried} ]\n        {why(error)}\n")
            break
    raise sh.fail(f" cannot find or open {name}, {name}.zip or {name}.ZIP.", NO_ARCHIVE)


def entries_of(sh: Call, stream: Stream, name: str, *, to_out: bool) -> list[Entry] | int:
    """The members that the archive's directory names, or the status where it cannot be read."""
    try:
        return directory(stream, sh.tick)
    except Damaged as damaged:
        if damaged.fault == "magic":
            warn(
                sh,
                f"{NO_END}unzip:  cannot find zipfile directory in one of {name} or\n"
                f"        {name}.zip, and cannot find {name}.ZIP, period.",
                to_out=to_out,
            )
            return NO_ARCHIVE
        if damaged.fault == "overlap":
            sh.err.write("error: invalid zip file with overlapped components (possible zip bomb)\n")
            return OVERLAP
        sh.err.write(f"error:  the directory of {name} is damaged\n")
        return DAMAGED


def warn(sh: Call, message: str, *, to_out: bool) -> None:
    """A line that is no failure, where unzip prints it."""
    (sh.out if to_out else sh.err).write(f"{message}\n")
