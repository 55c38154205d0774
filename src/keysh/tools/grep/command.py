"""grep - print lines that match a pattern."""

from __future__ import annotations

from keysh.schema.declare import OptionStyle, OutputStyle, Refusals, command
from keysh.text.regex.native.line_search import LineSearch, select_lines
from keysh.text.regex.regex import RegexLimit, regex_of
from keysh.tools.grep.color import environment_colors
from keysh.tools.grep.files import GrepFiles
from keysh.tools.grep.patterns import PatternList, compile_patterns, packing_of, read_pattern_file
from keysh.tools.grep.report import GrepReport, is_valid_utf8, numbered_matches
from keysh.tools.grep.rules import GrepOptions
from keysh.tools.grep.search import FileSearch

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Iterable
    from typing import Any, Literal

    from keysh.interp.state.call import Call
    from keysh.schema.arguments import Work
    from keysh.schema.types import Path, Pattern, Regex

INVALID_CONTEXT = "{}: invalid context length argument"
MAX_FILE_BYTES = 2**63 - 1  # the assumed size of a file for -T if it is unknown
MATCHES_NOTHING = "[^[:cntrl:][:print:]]"  # what an empty pattern file stands for

# The options that do not complicate a search in a whole text, beside those of `search_whole`.
WHOLE_TEXT_OPTIONS = {
    "basic_regexp", "extended_regexp", "fixed_strings", "no_filename",
    "no_messages", "perl_regexp", "regexp", "text",
}  # fmt: skip


def search_whole(
    sh: Call,
    pattern: str | None = None,
    /,
    *files: Path,
    ignore_case: bool = False,
    word_regexp: bool = False,
    line_regexp: bool = False,
    invert_match: bool = False,
    count: bool = False,
    quiet: bool = False,
    only_matching: bool = False,
    line_number: bool = False,
    **others: object,
) -> Work | None:
    """Return how to search a whole text of standard input; None if an option makes it complex."""
    if files or packing_of(sh.name) or not others.keys() <= WHOLE_TEXT_OPTIONS:
        return None
    pattern_list = PatternList(sh, pattern)
    pattern_text = pattern_list.text
    if not pattern_text:
        return None
    anchoring = "line" if line_regexp else "word" if word_regexp else ""
    regex = compile_patterns(
        sh, pattern_list, pattern_text, ignore_case=ignore_case, whole=anchoring
    )
    if regex.warnings:
        return None
    rules = GrepOptions(regex)
    rules.inverts, rules.counts, rules.is_quiet = invert_match, count, quiet
    rules.only_matching, rules.shows_number = only_matching, line_number
    apply_option_order(sh, rules)
    return lambda text, tick: whole_text_result(rules, text, tick)


USAGE_HINT = "Usage: {0} [OPTION]... PATTERNS [FILE]...\nTry '{0} --help' for more information."


@command(
    compatible="GNU grep 3.8",
    output=OutputStyle(
        listing_options="files_with_matches files_without_match only_matching",
        write_error=(2, "write error: {}"),
    ),
    refusals=Refusals(
        usage_status=2,
        usage_hint=USAGE_HINT,
        invalid_values={
            "after_context": INVALID_CONTEXT,
            "before_context": INVALID_CONTEXT,
            "context": INVALID_CONTEXT,
            "max_count": "invalid max count",
        },
    ),
    style=OptionStyle(binds_by_key=False, unabbreviated="without-binaries"),
    whole=search_whole,
    ignored="-U, --binary; --line-buffered",
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
    json: bool = False,
) -> Generator[Any, None, int]:
    """Print the lines that match a pattern.

    pattern                       patterns, one per line (not with -e, -f)
    files ...                     files to search, - for standard input
    -E, --extended-regexp         PATTERNS are extended regular expressions
    -F, --fixed-strings, --fixed-regexp  PATTERNS are strings
    -G, --basic-regexp            PATTERNS are basic regular expressions
    -P, --perl-regexp             PATTERNS are Perl regular expressions
    -e, --regexp PATTERNS         use PATTERNS for matching
    -f, --file FILE               take PATTERNS from FILE
    -i, -y, --ignore-case         ignore case distinctions
    -w, --word-regexp             match only whole words
    -x, --line-regexp             match only whole lines
    -v, --invert-match            select non-matching lines
    -z, --null-data               lines end with NUL, not newline
    -c, --count                   print only a count of selected lines per file
    -l, --files-with-matches      print only names of files with selected lines
    -L, --files-without-match     print only names of files with no selected lines
    -q, --quiet, --silent         print nothing; only set the exit status
    -s, --no-messages             suppress messages about unreadable files
    -o, --only-matching           print only the matches, one per line
    -m, --max-count NUM           stop after NUM selected lines of a file
    -n, --line-number             print line numbers
    -b, --byte-offset             print the byte offset of each line
    -H, --with-filename           print the file name before each line
    -h, --no-filename             do not print file names
    --label LABEL                 use LABEL as the name of standard input
    -Z, --null                    print NUL after file names
    -T, --initial-tab             print a tab before each line so that tabs line up
    -A, --after-context NUM       print NUM lines after each selected line
    -B, --before-context NUM      print NUM lines before each selected line
    -C, --context NUM             print NUM lines of context (also -NUM)
    --group-separator SEP         print SEP between groups of lines with context
    --no-group-separator          print no separator between groups
    --color, --colour[=WHEN]      highlight matches: always, never or auto (which
                                  means never)
    -r, --recursive               search directories recursively; do not follow
                                  links
    -R, --dereference-recursive   likewise, but follow all symbolic links
    -d, --directories ACTION      how to handle directories: read (which fails),
                                  skip or recurse
    -D, --devices ACTION          how to handle devices: read or skip
    --include GLOB                search only files that match GLOB
    --exclude GLOB                skip files that match GLOB
    --exclude-from FILE           skip files that match any glob in FILE
    --exclude-dir GLOB            skip directories that match GLOB
    -a, --text                    same as --binary-files=text
    -I, --without-binaries        same as --binary-files=without-match
    --binary-files TYPE           how to handle binary files: binary (only report
                                  that they match), text or without-match
    --json                        print rows of path, line and text; with -o, one
                                  per match
    """
    pattern_list = PatternList(sh, pattern)
    pattern_text = pattern_list.text
    anchoring = "line" if line_regexp else "word" if word_regexp else ""
    if pattern_text is not None:
        regex = compile_patterns(
            sh, pattern_list, pattern_text, ignore_case=ignore_case, whole=anchoring
        )
    elif file is None:
        sh.err.write(f"{USAGE_HINT.format(sh.name)}\n")
        return 2
    else:
        regex = regex_of(MATCHES_NOTHING)
    for warning in regex.warnings:
        sh.note(f"warning: {warning}")
    rules = GrepOptions(regex)
    rules.inverts, rules.counts, rules.is_quiet = invert_match, count, quiet
    rules.shows_number, rules.shows_offset = line_number, byte_offset
    rules.only_matching, rules.is_json = only_matching, json
    rules.max_count, rules.label, rules.aligns_tabs = max_count, label, initial_tab
    rules.path_end = "\0" if null else ""
    rules.line_end = "\0" if null_data else "\n"
    rules.separator = None if no_group_separator else group_separator
    apply_option_order(sh, rules)
    asks_action = dict(sh.given).get("directories", "read")
    walks = recursive or dereference_recursive
    if packing_of(sh.name):
        from keysh.tools.grep.packed_files import (  # noqa: PLC0415 - not for grep itself
            PackedFiles,
            refuse_options,
        )

        refuse_options(sh)
        inputs: GrepFiles = PackedFiles(sh, no_messages)
    else:
        action = "recurse" if walks else asks_action
        inputs = GrepFiles(sh, action, dereference_recursive, no_messages)
    if devices not in ("read", "skip"):
        raise sh.fail("unknown devices method", 2)
    inputs.skips_devices = devices == "skip"
    inputs.label, inputs.leaves_output = label, rules.prints_lines and max_count not in (0, 1)
    add_name_globs(sh, inputs)
    # If nothing can be selected, GNU grep reads no file.
    is_idle = (
        invert_match and not anchoring
        if pattern_text == ""
        else pattern_text is None and not invert_match
    )
    if (not max_count or is_idle) and rules.lists != "without":
        return 1
    return (yield from search_files(sh, rules, inputs, files))


def whole_text_result(
    rules: GrepOptions, text: str, tick: Callable[[], object]
) -> tuple[str, int] | None:
    """Return the output for a whole text and the status; None if it is binary or too complex."""
    if rules.binary != "text" and ("\0" in text or not is_valid_utf8(text)):
        return None
    if text and text[-1] != "\n":
        text += "\n"
    try:
        output = whole_text_output(rules, text, tick)
    except RegexLimit:
        return None
    if output is None:
        return None
    status = 0 if output else 1
    if rules.is_quiet:
        return "", status
    return (f"{output.count(chr(10))}\n" if rules.counts else output), status


def whole_text_output(rules: GrepOptions, text: str, tick: Callable[[], object]) -> str | None:
    """Return the selected lines of a whole text, or the matches in them; None if it is too complex.

    The lines are not numbered if they are only counted, or only the status matters.
    """
    regex, keeps = rules.regex, not rules.inverts
    if not rules.prints_lines or not (rules.only_matching or rules.shows_number):
        return select_lines(regex, text, tick, keeps=keeps)
    if rules.only_matching:
        native = regex.native(text, by_line=True)
        if native is None or regex.is_nullable or not keeps:
            return None
        matches = native.finditer(text)
        if rules.shows_number:
            return terminated_lines(numbered_matches(matches, text, 1))
        return terminated_lines(match.group() for match in matches)
    lines = text.split("\n")[:-1]
    flags = LineSearch(regex, text, tick).flags(lines)
    rows = enumerate(zip(flags, lines, strict=True), 1)
    return terminated_lines(
        f"{number}:{line}" for number, (flag, line) in rows if bool(flag) is keeps
    )


def terminated_lines(texts: Iterable[str]) -> str:
    """Join lines, each with a newline."""
    return "".join([f"{text}\n" for text in texts])


def search_files(
    sh: Call, rules: GrepOptions, inputs: GrepFiles, files: tuple[str, ...]
) -> Generator[Any, None, int]:
    """Yield the output for all files; returns the status."""
    is_found, report = False, GrepReport(sh, rules)
    for name, reader in inputs.open_each(files):
        rules.shows_path = shows_names(sh, len(files) > 1 or inputs.has_walked)
        report.path = rules.label if name == "-" else name
        size = MAX_FILE_BYTES if inputs.size is None else inputs.size
        report.width = len(str(size + rules.shows_number))
        search = FileSearch(sh, rules, report)
        try:
            chunks = reader.octets() if rules.reads_octets else reader.chunks()
            yield from search.output(inputs.chunks(name, chunks))
        except RegexLimit as limit:
            raise sh.fail(limit.message, 2) from None
        if name == "-":
            reader.push_back(search.unread_text)
        is_found = is_found or search.selected > 0
        if is_found and rules.is_quiet:
            sh.status = 0  # even if other files could not be read
            return 0
    return sh.status or (0 if is_found else 1)


def apply_option_order(sh: Call, rules: GrepOptions) -> None:
    """Apply the options of which the last one counts."""
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


def add_name_globs(sh: Call, inputs: GrepFiles) -> None:
    """Add the globs of --include, --exclude and so on, in their order."""
    for option, value in sh.given:
        if option == "exclude_from":
            lines = [
                line.rstrip() for path in value for line in read_pattern_file(sh, path).split("\n")
            ]
            globs = [line for line in lines if line]
        elif option in ("include", "exclude", "exclude_dir"):
            globs = value
        else:
            continue
        names = inputs.directory_names if option == "exclude_dir" else inputs.names
        for glob in globs:
            names.add(glob, includes=option == "include")


def shows_names(sh: Call, are_many: bool) -> bool:
    """Whether file names are printed: on request, or if there may be several files."""
    asked = [option for option, _ in sh.given if option in ("with_filename", "no_filename")]
    return asked[-1] == "with_filename" if asked else are_many
