"""grep - the lines that match a pattern."""

from __future__ import annotations

from keysh.schema.declare import OptionStyle, OutputStyle, Refusals, command
from keysh.text.regex.native.line_search import LineSearch, select_lines
from keysh.text.regex.regex import RegexLimit, regex_of
from keysh.tools.grep.color import environment_colors
from keysh.tools.grep.files import GrepFiles
from keysh.tools.grep.patterns import PatternList, compile_patterns, read_pattern_file
from keysh.tools.grep.report import GrepReport, is_valid_utf8, numbered_matches
from keysh.tools.grep.rules import GrepOptions
from keysh.tools.grep.search import FileSearch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable
    from typing import Any, Literal

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path, Pattern, Regex

INVALID_CONTEXT = "{}: invalid context length argument"
MAX_FILE_BYTES = (
    2**63 - 1
)  # bytes of a file whose size is not known, when there is a tab to line up
MATCHES_NOTHING = "[^[:cntrl:][:print:]]"  # no pattern at all, as in an empty file of patterns


@command(
    output=OutputStyle(
        listing_options="files_with_matches files_without_match only_matching",
        write_error=(2, "write error: {}"),
    ),
    refusals=Refusals(
        usage_status=2,
        invalid_values={
            "after_context": INVALID_CONTEXT,
            "before_context": INVALID_CONTEXT,
            "context": INVALID_CONTEXT,
            "max_count": "invalid max count",
        },
    ),
    style=OptionStyle(binds_by_key=False, unabbreviated="without-binaries"),
)
def grep(
    sh: Call,
    pattern: Regex | None = None,
    /,
    *files: Path,
    extended_regexp: bool = False,
    fixed_strings: bool = False,
    basic_regexp: bool = False,
    perl_regexp: bool = False,
    regexp: list[Regex] | None = None,
    file: list[Path] | None = None,
    ignore_case: bool = False,
    word_regexp: bool = False,
    line_regexp: bool = False,
    invert_match: bool = False,
    null_data: bool = False,
    count: bool = False,
    files_with_matches: bool = False,
    files_without_match: bool = False,
    quiet: bool = False,
    no_messages: bool = False,
    only_matching: bool = False,
    max_count: int = -1,
    line_number: bool = False,
    byte_offset: bool = False,
    with_filename: bool = False,
    no_filename: bool = False,
    label: str = "(standard input)",
    null: bool = False,
    initial_tab: bool = False,
    after_context: int = -1,
    before_context: int = -1,
    context: int = -1,
    group_separator: str | None = "--",
    no_group_separator: bool = False,
    color: Literal["always", "never", "auto"] | bool = False,
    recursive: bool = False,
    dereference_recursive: bool = False,
    directories: Literal["read", "skip", "recurse"] = "read",
    devices: str = "read",
    include: list[Pattern] | None = None,
    exclude: list[Pattern] | None = None,
    exclude_from: list[Path] | None = None,
    exclude_dir: list[Pattern] | None = None,
    text: bool = False,
    without_binaries: bool = False,
    binary_files: str = "binary",
    line_buffered: bool = False,
    binary: bool = False,
    json: bool = False,
) -> Generator[Any, None, int]:
    """Print the lines that match a pattern.

    pattern                       patterns, one a line (not with -e, -f)
    files ...                     files to search, - for standard input
    -E, --extended-regexp         the patterns are extended regular expressions
    -F, --fixed-strings, --fixed-regexp  the patterns are plain texts
    -G, --basic-regexp            the patterns are basic regular expressions
    -P, --perl-regexp             the pattern is one of Perl's
    -e, --regexp PATTERNS         look for these patterns too
    -f, --file FILE               take patterns from a file too
    -i, -y, --ignore-case         small letters and capitals are the same
    -w, --word-regexp             match whole words only
    -x, --line-regexp             match whole lines only
    -v, --invert-match            select the lines that do not match
    -z, --null-data               lines end with NUL, not with a newline
    -c, --count                   print how many lines are selected in each file
    -l, --files-with-matches      print the names of files with selected lines
    -L, --files-without-match     print the names of files without any
    -q, --quiet, --silent         print nothing, the status tells
    -s, --no-messages             do not tell of files that cannot be read
    -o, --only-matching           print the matches only, a line each
    -m, --max-count NUM           stop after so many selected lines of a file
    -n, --line-number             print the number of each line
    -b, --byte-offset             print how many bytes stand before it
    -H, --with-filename           print the name of the file before each line
    -h, --no-filename             never print it
    --label LABEL                 call standard input so
    -Z, --null                    print NUL behind the name of a file
    -T, --initial-tab             print a tab before each line, so that its own tabs line up
    -A, --after-context NUM       print so many lines behind each selected one
    -B, --before-context NUM      print so many before it
    -C, --context NUM             both (also -NUM)
    --group-separator SEP         print this between groups of lines that do not touch
    --no-group-separator          print nothing there
    --color, --colour[=WHEN]      mark the matches: always, never; auto is never here
    -r, --recursive               search directories and all below, links not followed
    -R, --dereference-recursive   the same, links followed
    -d, --directories ACTION      what to do with a directory: read (fails), skip or recurse
    -D, --devices ACTION          what to do with a device: read or skip
    --include GLOB                search only files with such names
    --exclude GLOB                leave out files with such names
    --exclude-from FILE           leave out files with the names in this file
    --exclude-dir GLOB            leave out directories with such names
    -a, --text                    take every file for text
    -I, --without-binaries        take binary files for files without a match
    --binary-files TYPE           binary (say only that they match), text or without-match
    --line-buffered               ignored
    -U, --binary                  ignored
    --json                        print rows: path, line, text; with -o a row for each match
    """
    given = PatternList(sh, pattern)
    patterns = given.text
    whole = "line" if line_regexp else "word" if word_regexp else ""
    if patterns is not None:
        regex = compile_patterns(sh, given, patterns, ignore_case=ignore_case, whole=whole)
    elif file is None:
        sh.err.write("Usage: grep [OPTION]... PATTERNS [FILE]...\n")
        sh.err.write("Try 'grep --help' for more information.\n")
        return 2
    else:
        regex = regex_of(MATCHES_NOTHING)
    for warning in regex.warnings:
        sh.note(f"warning: {warning}")
    rules = GrepOptions(regex)
    rules.inverts, rules.counts, rules.is_quiet = invert_match, count, quiet
    rules.shows_number, rules.shows_offset, rules.only_matching = (
        line_number,
        byte_offset,
        only_matching,
    )
    rules.max_count, rules.label, rules.aligns_tabs, rules.is_json = (
        max_count,
        label,
        initial_tab,
        json,
    )
    rules.path_end = "\0" if null else ""
    rules.end = "\0" if null_data else "\n"
    rules.separator = None if no_group_separator else group_separator
    apply_option_order(sh, rules)
    asks_action = dict(sh.given).get("directories", "read")
    walks = recursive or dereference_recursive
    found = GrepFiles(sh, "recurse" if walks else asks_action, dereference_recursive, no_messages)
    if devices not in ("read", "skip"):
        raise sh.fail("unknown devices method", 2)
    found.skips_devices = devices == "skip"
    found.label, found.leaves_output = label, rules.prints_lines and max_count not in (0, 1)
    add_name_globs(sh, found)
    # Where nothing can be selected, GNU's looks at no file.
    is_idle = (
        invert_match and not whole if patterns == "" else patterns is None and not invert_match
    )
    if (not max_count or is_idle) and rules.lists != "without":
        return 1
    is_simple = rules.prints_simply and not (rules.lists or with_filename)
    if is_simple and not (files or file or walks or regex.warnings):
        sh.remember(lambda text, tick: whole_text_result(rules, text, tick))
    return (yield from search_files(sh, rules, found, files))


def whole_text_result(
    rules: GrepOptions, text: str, tick: Callable[[], object]
) -> tuple[str, int] | None:
    """What is printed of a whole text, and the status, unless it is binary or too hard a search."""
    if rules.binary != "text" and ("\0" in text or not is_valid_utf8(text)):
        return None
    if text and text[-1] != "\n":
        text += "\n"
    try:
        found = whole_text_output(rules, text, tick)
    except RegexLimit:
        return None
    if found is None:
        return None
    status = 0 if found else 1
    if rules.is_quiet:
        return "", status
    return (f"{found.count(chr(10))}\n" if rules.counts else found), status


def whole_text_output(rules: GrepOptions, text: str, tick: Callable[[], object]) -> str | None:
    """The selected lines of a whole text, or the matches in them; None where it is no simple task.

    Where lines are only counted, or only whether there is one counts, numbers do not matter.
    """
    regex, keeps = rules.regex, not rules.inverts
    if not rules.prints_lines or not (rules.only_matching or rules.shows_number):
        return select_lines(regex, text, tick, keeps=keeps)
    if rules.only_matching:
        native = regex.native(text, by_line=True)
        if native is None or regex.is_nullable or not keeps:
            return None
        found = native.finditer(text)
        if rules.shows_number:
            return terminated_lines(numbered_matches(found, text, 1))
        return terminated_lines(match.group() for match in found)
    lines = text.split("\n")[:-1]
    flags = LineSearch(regex, text, tick).flags(lines)
    rows = enumerate(zip(flags, lines, strict=True), 1)
    return terminated_lines(
        f"{number}:{line}" for number, (flag, line) in rows if bool(flag) is keeps
    )


def terminated_lines(texts: Iterable[str]) -> str:
    """Texts, each with the end of a line."""
    return "".join([f"{text}\n" for text in texts])


def search_files(
    sh: Call, rules: GrepOptions, found: GrepFiles, files: tuple[str, ...]
) -> Generator[Any, None, int]:
    """What is printed of all the files; the status."""
    is_found, report = False, GrepReport(sh, rules)
    for name, reader in found.open_each(files):
        rules.shows_path = shows_names(sh, len(files) > 1 or found.has_walked)
        report.path = rules.label if name == "-" else name
        report.width = len(
            str((MAX_FILE_BYTES if found.size is None else found.size) + rules.shows_number)
        )
        search = FileSearch(sh, rules, report)
        try:
            chunks = reader.octets() if rules.reads_octets else reader.chunks()
            yield from search.output(found.chunks(name, chunks))
        except RegexLimit as limit:
            raise sh.fail(limit.message, 2) from None
        if name == "-":
            reader.push_back(search.unread_text)
        is_found = is_found or search.selected > 0
        if is_found and rules.is_quiet:
            sh.status = 0  # whatever could not be read before
            return 0
    return sh.status or (0 if is_found else 1)


def apply_option_order(sh: Call, rules: GrepOptions) -> None:
    """The options of which the last one counts."""
    before = after = around = -1
    is_colored = False
    for option, value in sh.given:
        if option in ("after_context", "before_context", "context") and value < 0:
            raise sh.fail(f"{value}: invalid context length argument", 2)
        if option == "after_context":
            after = value
        elif option == "before_context":
            before = value
        elif option == "context":
            around = value
        elif option == "files_with_matches":
            rules.lists = "with"
        elif option == "files_without_match":
            rules.lists = "without"
        elif option == "text":
            rules.binary = "text"
        elif option == "without_binaries":
            rules.binary = "without-match"
        elif option == "binary_files":
            if value not in ("binary", "text", "without-match"):
                raise sh.fail("unknown binary-files type", 2)
            rules.binary = value
        elif option == "color":
            is_colored = value == "always"
    if is_colored:
        rules.colors, warning = environment_colors(sh.env)
        if warning:
            sh.note(f"warning: {warning}")
    rules.before = max(0, around if before < 0 else before)
    rules.after = max(0, around if after < 0 else after)
    rules.has_context = max(before, after, around) >= 0 and rules.prints_lines


def add_name_globs(sh: Call, found: GrepFiles) -> None:
    """The globs of names, in the order they were given."""
    for option, value in sh.given:
        if option == "exclude_from":
            lines = [
                line.rstrip() for path in value for line in read_pattern_file(sh, path).splitlines()
            ]
            globs = [line for line in lines if line]
        elif option in ("include", "exclude", "exclude_dir"):
            globs = value
        else:
            continue
        names = found.directory_names if option == "exclude_dir" else found.names
        for glob in globs:
            names.add(glob, includes=option == "include")


def shows_names(sh: Call, are_many: bool) -> bool:
    """Whether names are printed: asked for, or where there may be more than one file."""
    asked = [option for option, _ in sh.given if option in ("with_filename", "no_filename")]
    return asked[-1] == "with_filename" if asked else are_many
