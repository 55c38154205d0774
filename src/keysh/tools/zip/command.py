"""zip - create and update zip archives."""

from __future__ import annotations

from keysh.archive.zip import MAX_COMMENT_BYTES
from keysh.gnu.compressors import level_of
from keysh.gnu.option_values import ordered_words
from keysh.schema.arguments import expanded_texts, raw_text, texts_and_globs
from keysh.schema.declare import OptionStyle, Refusals, command, command_of
from keysh.schema.render import help_text
from keysh.text.chunks import bytes_of_text, text_of_bytes
from keysh.text.pattern import name_matcher
from keysh.tools.zip.archive import ZipArchive
from keysh.tools.zip.sources import SourceFinder, UnmatchedName

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator
    from typing import Any, Literal

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path, Pattern, Raw


# The preview of -sf: the members that would be processed.

CONTAINS_HEADING = "Archive contains:"
WOULD_ADD_HEADING, WOULD_DELETE_HEADING = "Would Add/Update:", "Would Delete:"


def list_preview(heading: str, members: Iterable[tuple[str, int]]) -> Iterator[str]:
    """Yield the lines for members and their sizes."""
    yield f"{heading}\n"
    count = total = 0
    for name, size in members:
        yield f"  {name}\n"
        count += 1
        total += size
    yield f"Total {count} entries ({total} bytes)\n"


USAGE_STATUS, BROKEN_STATUS, NOTHING_STATUS = 16, 3, 12
NOT_READ_STATUS = 18
DEFAULT_LEVEL = 6
SHOW_FILES = "f"  # the value of -s that asks for a preview
COUNTED_OPTIONS = ("line_ends", "must_match")  # options that mean something else when given twice
NOT_FOUND_MESSAGE = (
    "zip I/O error: No such file or directory\nzip error: File not found or no read permission ({})"
)


@command(
    compatible="Info-ZIP 3.0",
    refusals=Refusals(usage_status=USAGE_STATUS),
    style=OptionStyle(binds_by_key=False, unabbreviated="level"),
    ignored="-b, --temp-path DIR",
    refused=(
        "-e, --encrypt  encryption is not supported; "
        "-P, --password PASSWORD  encryption is not supported"
    ),
)
def zip_(
    sh: Call,
    *words: Raw,
    recurse: bool = False,
    recurse_patterns: bool = False,
    junk_paths: bool = False,
    no_dir_entries: bool = False,
    symlinks: bool = False,
    update: bool = False,
    freshen: bool = False,
    fix: bool = False,
    system: bool = False,
    delete: bool = False,
    move: bool = False,
    names_stdin: bool = False,
    exclude: list[Pattern] | None = None,
    include: list[Pattern] | None = None,
    must_match: bool = False,
    no_extra: bool = False,
    line_ends: bool = False,
    suffixes: str = "",
    compression_method: Literal["store", "deflate", "bzip2", ""] = "",
    split_size: str = "",
    output_file: Path = "",
    comment: bool = False,
    latest_time: bool = False,
    test: bool = False,
    grow: bool = False,
    quiet: bool = False,
    verbose: bool = False,
    level: int = DEFAULT_LEVEL,
    fast: bool = False,
    best: bool = False,
) -> Generator[str, None, int]:
    """Create a zip archive, or add files to one.

    words ...             the archive (.zip is added to a name without a suffix; -
                          for standard output), then the files; - for standard
                          input
    -r, --recurse, --recurse-paths  include the contents of directories
    -R, --recurse-patterns  the words are patterns for files in this directory
                          and below it
    -j, --junk-paths      store only the last component of names
    -D, --no-dir-entries  do not store members for directories
    -y, --symlinks        store symbolic links instead of their targets
    -u, --update          add only files that are new, or newer than their members
    -f, --freshen         replace only members whose files are newer
    -F, --fix             not supported; -FS synchronizes the archive with the
                          files: add, update and delete members
    -S, --system          ignored, except in -FS
    -d, --delete          delete members that match the words
    -m, --move            remove files after adding them to the archive
    -@, --names-stdin     read the names of files from standard input, one a line
    -x, --exclude PATTERN  exclude what matches PATTERN, or a word up to the next
                          option
    -i, --include PATTERN  include only what matches PATTERN
    -M, --must-match      as -MM, fail if a name matches no file
    -X, --no-extra        do not store Unix times
    -l, --line-ends       convert LF to CR LF; as -ll, convert CR LF to LF
    -n, --suffixes LIST   do not compress files with these suffixes: .gz:.png
    -Z, --compression-method METHOD  store, deflate or bzip2
    -s, --split-size SIZE  not supported; -sf lists the files that would be
                          processed, and stops
    -O, --output-file, --out ARCHIVE  write to ARCHIVE, and keep the original
    -z, --comment         read the archive's comment from standard input, up to a
                          line with only a dot
    -o, --latest-time     set the archive's time to that of its newest member
    -T, --test            test the new archive before it replaces the old one
    -g, --grow            ignored: the archive is always rewritten
    -q, --quiet           print nothing
    -v, --verbose         print sizes too
    --level NUM           compression level: 0 (store) to 9 (smallest), default 6
                          (also -NUM)
    --fast                same as -1
    --best                same as -9
    """
    declared = command_of(zip_)
    options_and_operands = [*ordered_words(sh, declared, texts_and_globs(words))]
    names, excluded, included, options = sort_words(options_and_operands)
    if "help" in options or not names:
        yield help_text(declared)
        return 0
    target, names = names[0], names[1:]
    if options.get("names_stdin"):
        listed = [line.removesuffix("\n") for line in sh.stdin.lines() if line != "\n"]
        names = listed + names
    archive = ZipArchive(sh, target, options, level_of(options_and_operands, DEFAULT_LEVEL))
    is_terminal = target == "-" and bool(sh.out.width)
    if (
        message := "cannot write zip file to terminal"
        if is_terminal
        else options_error(options, names)
    ):
        archive.print_error(f"\nzip error: Invalid command arguments ({message})")
        return USAGE_STATUS
    options["filesync"] = options.get("fix") and options.get("system")
    sources = SourceFinder(sh, options, excluded, included, archive)
    try:
        if not archive.read():
            return BROKEN_STATUS
        if not archive.is_there and (
            options.get("output_file") or (is_preview(options) and not names)
        ):
            archive.print_error(NOT_FOUND_MESSAGE.format(archive.name))
            return NOT_READ_STATUS
        if is_preview(options):
            yield from preview_lines(archive, sources, names, options)
            return 0
        return (yield from change_archive(sh, archive, sources, names, options))
    except UnmatchedName as unmatched:
        archive.print_error(NOT_FOUND_MESSAGE.format(unmatched))
        return NOT_READ_STATUS
    finally:
        archive.close()


def options_error(options: dict[str, Any], names: list[str]) -> str:
    """Return why the options cannot be used together or at all, or ""."""
    if options.get("split_size") not in (None, SHOW_FILES):
        return "split archives are not supported"
    if options.get("fix") and not options.get("system"):
        return "repairing archives is not supported"
    if options.get("recurse") and options.get("recurse_patterns"):
        return "do not specify both -r and -R"
    others = ("delete", "freshen", "update", "grow")
    if options.get("fix") and any(options.get(other) for other in others):
        return "can't use -d, -f, -u, -U, or -g with filesync -FS\n"
    return "nothing to select from" if options.get("recurse_patterns") and not names else ""


def is_preview(options: dict[str, Any]) -> bool:
    """Whether -sf asks only for a preview."""
    return options.get("split_size") == SHOW_FILES


def preview_lines(
    archive: ZipArchive, sources: SourceFinder, names: list[str], options: dict[str, Any]
) -> Iterator[str]:
    """Return the lines of -sf."""
    if options.get("delete"):
        matchers = [name_matcher(text, sources.sh.tick) for text in names]
        matching = [(name, size) for name, size in archive.sizes()
                if any(matches(name) for matches in matchers)]  # fmt: skip
        return list_preview(WOULD_DELETE_HEADING, matching)
    if not names and not options.get("recurse"):
        return list_preview(CONTAINS_HEADING, archive.sizes())
    files = sources.files(requested_names(archive, sources, names, options))
    return list_preview(WOULD_ADD_HEADING, ((file.name, file.size) for file in files))


def requested_names(
    archive: ZipArchive, sources: SourceFinder, names: list[str], options: dict[str, Any]
) -> list[str]:
    """Return the names to search; set up the patterns of -R."""
    if options.get("recurse_patterns"):
        sources.tree_patterns = [
            (name_matcher(text, sources.sh.tick), text.count("/")) for text in names
        ]
        return ["."]
    if names:
        return names
    return archive.names() if options.get("freshen") else ["."] * bool(options.get("recurse"))


def change_archive(
    sh: Call,
    archive: ZipArchive,
    sources: SourceFinder,
    names: list[str],
    options: dict[str, Any],
) -> Generator[str, None, int]:
    """Change the archive as the options say and return the status."""
    if options.get("test") and archive.is_there and not names:
        archive.test_members()
        return archive.status
    if options.get("delete"):
        is_changed = archive.delete(names)
    else:
        if any(options.get(key) for key in ("update", "freshen", "grow")):
            archive.report_empty()
        is_changed = archive.add(sources.files(requested_names(archive, sources, names, options)))
        if options.get("filesync") and archive.keep_only(sources.stored_names):
            is_changed = True
        is_nothing_to_freshen = options.get("freshen") and not archive.is_there
        if not is_changed and (sources.is_current or is_nothing_to_freshen):
            if options.get("filesync"):
                archive.say("Archive is current\n")
            return 0 if options.get("filesync") else NOTHING_STATUS
    if options.get("comment") and (is_changed or archive.is_there):
        is_changed = True
        archive.comment = read_comment(sh, archive)
    if not is_changed:
        archive.print_error(f"\nzip error: Nothing to do! ({archive.name})")
        return NOTHING_STATUS
    yield from archive.write()
    if options.get("move"):
        archive.remove_sources()
    return archive.status


def read_comment(sh: Call, archive: ZipArchive) -> bytes:
    """Read the archive's comment from standard input, up to a line with only a dot."""
    if archive.comment:
        current = text_of_bytes(archive.comment)
        archive.say("current zip file comment is:\n" + current.removesuffix("\n") + "\n")
    archive.say("enter new zip file comment (end with .):\n")
    lines: list[str] = []
    for line in sh.stdin.lines():
        if line.rstrip("\n") == ".":
            break
        lines.append(line.rstrip("\n"))
    comment = bytes_of_text("\r\n".join(lines))
    if len(comment) > MAX_COMMENT_BYTES:
        raise sh.fail(f"error: a comment has at most {MAX_COMMENT_BYTES} bytes", USAGE_STATUS)
    return comment


def sort_words(
    turns: Iterable[tuple[str, Any]],
) -> tuple[list[str], list[str], list[str], dict[str, Any]]:
    """Return the archive and files, the excluded and included patterns, and the other options.

    `-x` and `-i` take all words up to the next option, or to `@`.
    """
    lists: dict[str, list[str]] = {"": [], "exclude": [], "include": []}
    options: dict[str, Any] = {}
    current = ""
    for option, value in turns:
        if option in ("exclude", "include"):
            lists[option] += value if isinstance(value, list) else [value]
            current = option
        elif option == "verbose":
            options.update(quiet=False, verbose=True)
        elif option:
            options[option] = options.get(option, 0) + 1 if option in COUNTED_OPTIONS else value
            current = ""
        elif current and value == "@":
            current = ""
        elif current and lists[""]:
            lists[current].append(raw_text(value))
        else:
            lists[""] += expanded_texts([value])
    return lists[""], lists["exclude"], lists["include"], options
