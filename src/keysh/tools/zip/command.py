"""zip - put files into a zip archive."""

from __future__ import annotations

from keysh.archive.zip import MAX_COMMENT_BYTES
from keysh.gnu.compressors import level_of
from keysh.gnu.options import ordered_words
from keysh.schema.arguments import expanded_texts, raw_text, texts_and_globs
from keysh.schema.declare import OptionStyle, Refusals, command, command_of
from keysh.schema.render import help_text
from keysh.text.chunks import bytes_of_text, text_of_bytes
from keysh.text.pattern import Pattern as Glob
from keysh.tools.zip.archive import ZipArchive
from keysh.tools.zip.sources import SourceFinder, UnmatchedName

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator, Iterable, Iterator
    from typing import Any, Literal

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path, Pattern, Raw


# Preview: what -sf tells of the members that a call would deal with, without doing it.

CONTAINS_HEADING, WOULD_ADD_HEADING, WOULD_DELETE_HEADING = (
    "Archive contains:",
    "Would Add/Update:",
    "Would Delete:",
)


def list_preview(heading: str, members: Iterable[tuple[str, int]]) -> Iterator[str]:
    """The lines for members and their sizes."""
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
SHOW_FILES = "f"  # in the place of a size
COUNTED_OPTIONS = ("line_ends", "must_match")  # options that twice mean something else
NOT_FOUND_MESSAGE = (
    "zip I/O error: No such file or directory\nzip error: File not found or no read permission ({})"
)


@command(
    refusals=Refusals(usage_status=USAGE_STATUS),
    style=OptionStyle(binds_by_key=False, unabbreviated="level"),
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
    temp_path: Path = "",
    comment: bool = False,
    latest_time: bool = False,
    test: bool = False,
    encrypt: bool = False,
    password: str = "",
    grow: bool = False,
    quiet: bool = False,
    verbose: bool = False,
    level: int = DEFAULT_LEVEL,
    fast: bool = False,
    best: bool = False,
) -> Generator[str, None, int]:
    """Put files into a zip archive, new or there.

    words ...             the archive (.zip is added where its name has no end; - for standard
                          output), then the files; - for standard input
    -r, --recurse, --recurse-paths  directories with all that is in them
    -R, --recurse-patterns  the words are patterns of files in this directory and all below it
    -j, --junk-paths      without the directories in names
    -D, --no-dir-entries  no members for directories
    -y, --symlinks        links as links, not what they lead to
    -u, --update          only files that are newer than their members, or have none
    -f, --freshen         only files that are newer than their members
    -F, --fix             refused; -FS makes the archive hold what the words name, and nothing else
    -S, --system          ignored but in -FS
    -d, --delete          take the members out that match the words
    -m, --move            remove the files that have been put in
    -@, --names-stdin     the names of the files are lines of standard input
    -x, --exclude PATTERN  leave out what matches this, or one of the words up to the next option
    -i, --include PATTERN  only what matches one of these
    -M, --must-match      twice, -MM: a name without a file ends all
    -X, --no-extra        without times of Unix
    -l, --line-ends       ends of lines get a return; twice, they lose it
    -n, --suffixes LIST   files with these ends of names are only stored: .gz:.png
    -Z, --compression-method WORD  store, deflate or bzip2
    -s, --split-size SIZE  refused; -sf tells which files it is about, and does nothing
    -O, --output-file, --out ARCHIVE  write this one, and leave the other as it is
    -b, --temp-path FOLDER  ignored: what is not whole yet stands beside the archive
    -z, --comment         the archive's comment is read from standard input, up to a line of a dot
    -o, --latest-time     the archive is as old as its newest file
    -T, --test            see whether all can be read again, before an old archive is replaced
    -e, --encrypt         refused
    -P, --password TEXT   refused
    -g, --grow            ignored: archives are made anew beside the old
    -q, --quiet           say nothing
    -v, --verbose         say sizes too
    --level NUM           how small to pack: 0, only stored, to 9, the smallest; 6 without it
                          (also -NUM)
    --fast                the same as -1
    --best                the same as -9
    """
    declared = command_of(zip_)
    turns = [*ordered_words(sh, declared, texts_and_globs(words))]
    names, excluded, included, options = sort_words(turns)
    if "help" in options or not names:
        yield help_text(declared)
        return 0
    target, names = names[0], names[1:]
    if options.get("names_stdin"):
        listed = [line.removesuffix("\n") for line in sh.stdin.lines() if line != "\n"]
        names = listed + names
    archive = ZipArchive(sh, target, options, level_of(turns, DEFAULT_LEVEL))
    is_shut = target == "-" and bool(sh.out.width)
    if says := "cannot write zip file to terminal" if is_shut else options_error(options, names):
        archive.print_error(f"\nzip error: Invalid command arguments ({says})")
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
    """Why options are not taken, as what they ask for is not there or does not go together."""
    if options.get("split_size") not in (None, SHOW_FILES):
        return "archives are not split"
    if options.get("encrypt") or options.get("password"):
        return "members are not encrypted"
    if options.get("fix") and not options.get("system"):
        return "archives are not mended"
    if options.get("recurse") and options.get("recurse_patterns"):
        return "do not specify both -r and -R"
    others = ("delete", "freshen", "update", "grow")
    if options.get("fix") and any(options.get(other) for other in others):
        return "can't use -d, -f, -u, -U, or -g with filesync -FS\n"
    return "nothing to select from" if options.get("recurse_patterns") and not names else ""


def is_preview(options: dict[str, Any]) -> bool:
    """Whether -sf asks to show what would be done."""
    return options.get("split_size") == SHOW_FILES


def preview_lines(
    archive: ZipArchive, sources: SourceFinder, names: list[str], options: dict[str, Any]
) -> Iterator[str]:
    """What -sf prints."""
    if options.get("delete"):
        patterns = [Glob(text, extended=False) for text in names]
        gone = [(name, size) for name, size in archive.sizes()
                if any(pattern.matches(name) for pattern in patterns)]  # fmt: skip
        return list_preview(WOULD_DELETE_HEADING, gone)
    if not names and not options.get("recurse"):
        return list_preview(CONTAINS_HEADING, archive.sizes())
    files = sources.files(requested_names(archive, sources, names, options))
    return list_preview(WOULD_ADD_HEADING, ((file.name, file.size) for file in files))


def requested_names(
    archive: ZipArchive, sources: SourceFinder, names: list[str], options: dict[str, Any]
) -> list[str]:
    """The names to look for, where there may be none, or patterns."""
    if options.get("recurse_patterns"):
        sources.tree_patterns = [(Glob(text, extended=False), text.count("/")) for text in names]
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
    """Change the archive as the options say; the status."""
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
        is_in_vain = options.get("freshen") and not archive.is_there
        if not is_changed and (sources.is_current or is_in_vain):
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
    """The comment that standard input holds, up to a line of a dot."""
    if archive.comment:
        said = text_of_bytes(archive.comment)
        archive.say("current zip file comment is:\n" + said.removesuffix("\n") + "\n")
    archive.say("enter new zip file comment (end with .):\n")
    kept: list[str] = []
    for line in sh.stdin.lines():
        if line.rstrip("\n") == ".":
            break
        kept.append(line.rstrip("\n"))
    comment = bytes_of_text("\r\n".join(kept))
    if len(comment) > MAX_COMMENT_BYTES:
        raise sh.fail(f"error: a comment has {MAX_COMMENT_BYTES} bytes at most", USAGE_STATUS)
    return comment


def sort_words(
    turns: Iterable[tuple[str, Any]],
) -> tuple[list[str], list[str], list[str], dict[str, Any]]:
    """The archive and files, what is left out, what alone is put in, and the other options.

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
