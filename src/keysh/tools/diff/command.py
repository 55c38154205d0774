"""diff - how two files, or the files of two directories, differ."""

from __future__ import annotations

from keysh.gnu.input_files import InputFile
from keysh.interp.state.call import UsageFailure, os_error_text
from keysh.schema.command import PREFIXED_USAGE_HINT
from keysh.schema.declare import OptionStyle, OutputStyle, Refusals, command, command_of
from keysh.text import pattern
from keysh.text.gnu_quoting import message_name
from keysh.text.regex.regex import RegexError, RegexLimit, regex_of
from keysh.text.shell_numbers import is_digits
from keysh.tools.diff.folder import DirectoryComparer
from keysh.tools.diff.form import column_count, formats_of, output_style, palette_of
from keysh.tools.diff.pair import FileComparer
from keysh.tools.diff.rules import DiffOptions

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence
    from typing import Any

    from keysh.interp.state.call import Call
    from keysh.schema.command import Command
    from keysh.schema.types import Path, Pattern, Regex
    from keysh.text.regex import regex
    from keysh.vfs.api import Stat


# Switches: the options of a call as diff shows them before the files of two directories.


def option_text(command: Command, given: Sequence[tuple[str, Any]]) -> str:
    """The options behind a blank each, or nothing."""
    parameters = {parameter.name: parameter for parameter in command.parameters}
    flags, words = "", []
    for name, value in given:
        parameter = parameters[name]
        for one in value if isinstance(value, list) else [value]:
            tail = "" if one is True else str(one)
            if parameter is command.number_option:
                words.append(f"-{tail}")
            elif parameter.letters and not tail:
                flags += parameter.letters[0]
            elif parameter.letters:
                words += [f"-{parameter.letters[0]}", tail]
            else:
                words.append(f"--{parameter.long_names[0]}{tail and '='}{tail}")
    return "".join(f" {message_name(word)}" for word in ([f"-{flags}"] if flags else []) + words)


EXIT_TROUBLE = 2
COLOR_CHOICES = ("always", "never", "auto")  # there are colors
C_FUNCTION_PATTERN = "^[[:alpha:]$_]"  # lines that begin what --show-c-function names


@command(
    output=OutputStyle(write_error=(2, "standard output: {}")),
    refusals=Refusals(usage_status=EXIT_TROUBLE, usage_hint=PREFIXED_USAGE_HINT),
    style=OptionStyle(unabbreviated="around context-form context-lines unified-form unified-lines"),
)
def diff(
    sh: Call,
    *files: Path,
    normal: bool = False,
    brief: bool = False,
    report_identical_files: bool = False,
    around: int | None = None,
    context_form: bool = False,
    context_lines: str | None = None,
    context: str | bool = False,
    unified_form: bool = False,
    unified_lines: str | None = None,
    unified: str | bool = False,
    ed: bool = False,
    forward_ed: bool = False,
    rcs: bool = False,
    side_by_side: bool = False,
    width: str = "130",
    left_column: bool = False,
    suppress_common_lines: bool = False,
    show_c_function: bool = False,
    show_function_line: list[Regex] | None = None,
    ifdef: str | None = None,
    line_format: str | None = None,
    old_line_format: str | None = None,
    new_line_format: str | None = None,
    unchanged_line_format: str | None = None,
    old_group_format: str | None = None,
    new_group_format: str | None = None,
    unchanged_group_format: str | None = None,
    changed_group_format: str | None = None,
    label: list[str] | None = None,
    expand_tabs: bool = False,
    initial_tab: bool = False,
    tabsize: str = "8",
    paginate: bool = False,
    suppress_blank_empty: bool = False,
    recursive: bool = False,
    new_file: bool = False,
    unidirectional_new_file: bool = False,
    no_dereference: bool = False,
    ignore_file_name_case: bool = False,
    starting_file: str | None = None,
    exclude: list[Pattern] | None = None,
    exclude_from: list[Path] | None = None,
    ignore_case: bool = False,
    ignore_tab_expansion: bool = False,
    ignore_trailing_space: bool = False,
    ignore_space_change: bool = False,
    ignore_all_space: bool = False,
    ignore_blank_lines: bool = False,
    ignore_matching_lines: list[Regex] | None = None,
    text: bool = False,
    strip_trailing_cr: bool = False,
    from_file: Path | None = None,
    to_file: Path | None = None,
    color: str | bool = False,
    palette: str = "",
    horizon_lines: str = "0",
    minimal: bool = False,
    speed_large_files: bool = False,
    binary: bool = False,
    json: bool = False,
) -> Generator[Any, None, int]:
    """Print how two files differ, line by line, or the files of two directories.

    files ...                         the old and the new one, - for standard input
    --normal                          the normal form, which is the default
    -q, --brief                       say only that files differ
    -s, --report-identical-files      say that files are the same, too
    -c, --context-form                the context form, with 3 lines around each change
    -C, --context-lines NUM           the same with NUM lines
    --context[=NUM]                   the same
    -u, --unified-form                the unified form, with 3 lines around each change
    -U, --unified-lines NUM           the same with NUM lines
    --unified[=NUM]                   the same
    --around NUM                      so many lines around each change, where those two
                                      forms do not say how many (also -NUM)
    -e, --ed                          a script for ed
    -f, --forward-ed                  the same from the first line to the last
    -n, --rcs                         the form of RCS
    -y, --side-by-side                two columns
    -W, --width NUM                   how wide both are together
    --left-column                     of equal lines only the left one
    --suppress-common-lines           no equal lines
    -p, --show-c-function             with each hunk the C function it stands in
    -F, --show-function-line RE       with each hunk the last line before it that matches
    -D, --ifdef NAME                  one text with `#ifdef NAME` around what differs
    --line-format FORMAT              one text, in which each line is so: %L is the line, %l it
                                      without its newline, %dn its number, %c'C' a character
    --old-line-format FORMAT          the same for lines of the first file only
    --new-line-format FORMAT          … of the second file only
    --unchanged-line-format FORMAT    … of both
    --old-group-format FORMAT         lines of the first file only together: %< are its lines,
                                      %> those of the second, %= those of both, %df, %dl, %dn
                                      the first one's number, the last one's, how many (F, L, N
                                      for the second file), %(A=B?T:E) T or E
    --new-group-format FORMAT         lines of the second file only together
    --unchanged-group-format FORMAT   lines of both together
    --changed-group-format FORMAT     lines of both that stand for each other
    -L, --label LABEL                 print this for the file's name and time; again for the second
    -t, --expand-tabs                 print spaces for tabs
    -T, --initial-tab                 begin lines with a tab, so that their own tabs line up
    --tabsize NUM                     how far tab stops are apart
    --suppress-blank-empty            no blank before an empty line
    -l, --paginate                    on pages with titles, as pr makes them
    -r, --recursive                   directories inside directories, too
    -N, --new-file                    a file that is missing counts as empty
    -P, --unidirectional-new-file     so does a missing first one
    --no-dereference                  symbolic links are compared themselves
    --ignore-file-name-case           names differ by more than small letters and capitals
    -S, --starting-file FILE          of directories, begin with this name
    -x, --exclude PATTERN             leave out files with such names
    -X, --exclude-from FILE           leave out files with the names in this file
    -i, --ignore-case                 small letters and capitals are the same
    -E, --ignore-tab-expansion        a tab is as good as spaces up to the next stop
    -Z, --ignore-trailing-space       blanks at the end of a line do not count
    -b, --ignore-space-change         nor does how many blanks stand anywhere
    -w, --ignore-all-space            no blanks count
    -B, --ignore-blank-lines          changes of empty lines only do not count
    -I, --ignore-matching-lines RE    changes of lines that all match do not count
    -a, --text                        take every file for text
    --strip-trailing-cr               a carriage return at the end of a line does not count
    --from-file FILE                  compare this one with each of the files
    --to-file FILE                    compare each of the files with this one
    --color[=WHEN]                    mark lines: always, never; auto is never here
    --palette PALETTE                 in these colors: rs=0:hd=1:ad=32:de=31:ln=36
    --horizon-lines NUM               ignored
    -d, --minimal                     look for the fewest changes, however long it takes
    -H, --speed-large-files           ignored
    --binary                          ignored
    --json                            print rows: old, new, what; of changes their lines, too

    The status is 0 where the files are the same, 1 where they differ, 2 for trouble.
    """
    del around, speed_large_files, binary
    if from_file is not None and to_file is not None:
        raise sh.fail("--from-file and --to-file both specified", EXIT_TROUBLE)
    is_one_of_two = from_file is None and to_file is None
    if len(files) != 2 and is_one_of_two:
        after = f"missing operand after '{files[-1] if files else 'diff'}'"
        raise UsageFailure(f"extra operand '{files[2]}'" if len(files) > 2 else after)
    rules = DiffOptions(*output_style(sh))
    rules.columns, rules.tab_size = (
        column_count(width, "width", 10_000),
        column_count(tabsize, "tabsize", 100),
    )
    rules.left_column, rules.suppress_common = left_column, suppress_common_lines
    rules.brief, rules.reports_identical, rules.recursive = brief, report_identical_files, recursive
    rules.labels, rules.is_json, rules.text = label or [], json, text
    if len(rules.labels) > 2:
        raise sh.fail("too many file label options", EXIT_TROUBLE)
    if isinstance(color, str) and color not in COLOR_CHOICES:
        raise UsageFailure(f"invalid color '{color}'")
    rules.expand_tabs, rules.initial_tab, rules.paginates = expand_tabs, initial_tab, paginate
    rules.empty_if_missing = "both" if new_file else "first" if unidirectional_new_file else ""
    rules.ignores_case, rules.tab_expansion = ignore_case, ignore_tab_expansion
    rules.trailing_space, rules.space_change = ignore_trailing_space, ignore_space_change
    rules.all_space, rules.blank_lines = ignore_all_space, ignore_blank_lines
    rules.strips_cr, rules.minimal = strip_trailing_cr, minimal
    rules.suppress_blank, rules.first_name = suppress_blank_empty, starting_file or ""
    rules.follows_links, rules.ignores_name_case = not no_dereference, ignore_file_name_case
    rules.formats = formats_of(sh) if rules.style == "merged" else None
    rules.option_text = option_text(command_of(diff), sh.given)
    names = list(exclude or [])
    for path in exclude_from or []:
        names += file_lines(sh, path)
    rules.excluded_names = [
        pattern.Pattern(name, extended=False, ignore_case=ignore_file_name_case) for name in names
    ]
    rules.ignored_lines = [compile_regex(sh, text) for text in ignore_matching_lines or []]
    named = [C_FUNCTION_PATTERN] * show_c_function + (show_function_line or [])
    rules.function_patterns = [compile_regex(sh, text) for text in named]
    if horizon_lines and not is_digits(horizon_lines):
        raise UsageFailure(f"invalid horizon length '{horizon_lines}'")
    rules.palette = palette_of(sh, palette) if color == "always" else None
    pairs = (
        [files]
        if is_one_of_two
        else [(name, to_file or "") if from_file is None else (from_file, name) for name in files]
    )
    try:
        worst = 0
        for pair in pairs:
            worst = max(worst, (yield from compare_operands(sh, rules, pair)))
        return worst
    except RegexLimit as limit:
        raise sh.fail(limit.message, EXIT_TROUBLE) from None


def file_lines(sh: Call, path: str) -> list[str]:
    """The lines of a file."""
    try:
        with InputFile(sh, path) as reader:
            return reader.read().splitlines()
    except OSError as error:
        raise sh.fail(f"{message_name(path)}: {os_error_text(error)}", EXIT_TROUBLE) from None


def compile_regex(sh: Call, text: str) -> regex.Regex:
    """The pattern of a text."""
    try:
        return regex_of(text, "grep")
    except RegexError as error:
        raise sh.fail(f"{text}: {error.message}", EXIT_TROUBLE) from None


def compare_operands(
    sh: Call, rules: DiffOptions, files: Sequence[str]
) -> Generator[Any, None, int]:
    """What is printed of two operands; the status."""
    pairs = FileComparer(sh, rules)
    old, new = files
    missing: dict[int, OSError] = {}
    is_folder = [False, False]
    for i, name in enumerate(files):
        try:
            if name != "-":
                stat = sh.fs.stat(sh.path(name), follow=rules.follows_links)
                is_folder[i] = stat.is_directory
        except OSError as error:
            missing[i] = error
    if len(missing) == 1 and not isinstance(missing.get(0, missing.get(1)), FileNotFoundError):
        rules.empty_if_missing = ""
    lacking = next(iter(missing), -1)
    if missing and not (
        len(missing) == 1
        and (
            rules.empty_if_missing == "both" or (rules.empty_if_missing == "first" and not lacking)
        )
    ):
        for i, problem in missing.items():
            sh.warn(f"{files[i]}: {os_error_text(problem)}", EXIT_TROUBLE)
        return EXIT_TROUBLE
    if any(is_folder) and (all(is_folder) or missing):
        if rules.formats is not None:
            raise sh.fail("-D option not supported with directories", EXIT_TROUBLE)
        if all(is_folder) and sh.fs.resolve(sh.path(old)) == sh.fs.resolve(sh.path(new)):
            return pairs.status
        yield from DirectoryComparer(sh, rules, pairs).compare(old, new, lacking)
        return pairs.status
    if any(is_folder):
        if "-" in files:
            raise sh.fail("cannot compare '-' to a directory", EXIT_TROUBLE)
        at = is_folder.index(True)
        inside = f"{files[at].rstrip('/')}/{files[1 - at].rstrip('/').rpartition('/')[2]}"
        old, new = (inside, new) if not at else (old, inside)
        stats = existing_stats(sh, (old, new))
        if len(stats) == len(files) and any(stat.is_directory for stat in stats):
            yield from pairs.report_types((old, new), stats)
            return pairs.status
    told = (
        None if rules.follows_links or "-" in (old, new) else link_comparison(sh, pairs, (old, new))
    )
    yield from told or pairs.compare((old, new), missing=lacking)
    return pairs.status


def existing_stats(sh: Call, files: Sequence[str], *, follow: bool = True) -> list[Stat]:
    """What is told of those files that are there."""
    found = (sh.stat(name, follow=follow) for name in files)
    return [stat for stat in found if stat is not None]


def link_comparison(sh: Call, pairs: FileComparer, files: tuple[str, str]) -> Iterator[Any] | None:
    """The comparison of files of which one is a link that is not followed; None for others."""
    found = existing_stats(sh, files, follow=False)
    if all(stat.is_link for stat in found):
        return pairs.compare_links(files) if found else None
    return pairs.report_types(files, found) if any(stat.is_link for stat in found) else None
