"""diff: compare two files, or the files of two directories."""

from __future__ import annotations

from keysh.gnu.input_files import InputFile
from keysh.interp.state.call import UsageFailure, os_error_text
from keysh.schema.command import PREFIXED_USAGE_HINT
from keysh.schema.declare import OptionStyle, OutputStyle, Refusals, command, command_of
from keysh.text.gnu_quoting import message_name
from keysh.text.pattern import name_matcher
from keysh.text.regex.regex import RegexError, RegexLimit, regex_of
from keysh.text.shell_numbers import is_digits
from keysh.tools.diff.folder import DirectoryComparer
from keysh.tools.diff.form import column_count, macro_name, output_style
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


EXIT_TROUBLE = 2
COLOR_CHOICES = ("always", "never", "auto")  # values of --color
C_FUNCTION_PATTERN = "^[[:alpha:]$_]"  # matches the lines that --show-c-function shows


@command(
    compatible="GNU diffutils 3.8",
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
    label: list[str] | None = None,
    expand_tabs: bool = False,
    initial_tab: bool = False,
    tabsize: str = "8",
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
    horizon_lines: str = "0",
    minimal: bool = False,
    speed_large_files: bool = False,
    binary: bool = False,
    json: bool = False,
) -> Generator[Any, None, int]:
    """Compare two files line by line, or the files of two directories.

    files ...                      the old and the new file; - for standard input
    --normal                       print a normal diff (the default)
    -q, --brief                    report only whether files differ
    -s, --report-identical-files   also report when files are the same
    -c, --context-form             print a context diff with 3 lines of context
    -C, --context-lines NUM        print a context diff with NUM lines of context
    --context[=NUM]                print a context diff with NUM lines of context
    -u, --unified-form             print a unified diff with 3 lines of context
    -U, --unified-lines NUM        print a unified diff with NUM lines of context
    --unified[=NUM]                print a unified diff with NUM lines of context
    --around NUM                   lines of context for -c and -u (also -NUM)
    -e, --ed                       print an ed script
    -f, --forward-ed               print an ed-like script in forward order
    -n, --rcs                      print an RCS diff
    -y, --side-by-side             print two columns
    -W, --width NUM                print at most NUM columns with -y (default 130)
    --left-column                  with -y, print only the left of common lines
    --suppress-common-lines        with -y, omit common lines
    -p, --show-c-function          show the C function that each change is in
    -F, --show-function-line RE    show the last line that matches RE
    -D, --ifdef NAME               print both files merged, with #ifdef NAME around
                                   the differences
    -L, --label LABEL              use LABEL in place of the file name and time; can
                                   be given twice
    -t, --expand-tabs              expand tabs to spaces in the output
    -T, --initial-tab              start lines with a tab, so that tabs line up
    --tabsize NUM                  tab stops every NUM columns (default 8)
    --suppress-blank-empty         print no space before an empty line
    -r, --recursive                compare subdirectories recursively
    -N, --new-file                 treat missing files as empty
    -P, --unidirectional-new-file  treat missing first files as empty
    --no-dereference               compare symbolic links, not their targets
    --ignore-file-name-case        ignore case when comparing file names
    -S, --starting-file FILE       start with FILE when comparing directories
    -x, --exclude PATTERN          skip files whose names match PATTERN
    -X, --exclude-from FILE        skip files that match a pattern in FILE
    -i, --ignore-case              ignore case differences
    -E, --ignore-tab-expansion     ignore changes due to tab expansion
    -Z, --ignore-trailing-space    ignore white space at the end of lines
    -b, --ignore-space-change      ignore changes in the amount of white space
    -w, --ignore-all-space         ignore all white space
    -B, --ignore-blank-lines       ignore changes of blank lines
    -I, --ignore-matching-lines RE  ignore changes whose lines all match RE
    -a, --text                     treat all files as text
    --strip-trailing-cr            strip carriage returns at the end of lines
    --from-file FILE               compare FILE with each of the files
    --to-file FILE                 compare each of the files with FILE
    --color[=WHEN]                 color the output: always or never (auto is never)
    --horizon-lines NUM            ignored
    -d, --minimal                  find the smallest set of changes, however slowly
    -H, --speed-large-files        ignored
    --binary                       ignored
    --json                         print rows: old, new, what, and for a change its
                                   lines

    The exit status is 0 if the files are the same, 1 if they differ, 2 on trouble.
    """
    del around, speed_large_files, binary
    if from_file is not None and to_file is not None:
        raise sh.fail("--from-file and --to-file both specified", EXIT_TROUBLE)
    is_single_pair = from_file is None and to_file is None
    if len(files) != 2 and is_single_pair:
        if len(files) > 2:
            raise UsageFailure(f"extra operand '{files[2]}'")
        raise UsageFailure(f"missing operand after '{files[-1] if files else 'diff'}'")
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
    rules.expand_tabs, rules.initial_tab = expand_tabs, initial_tab
    rules.empty_if_missing = "both" if new_file else "first" if unidirectional_new_file else ""
    rules.ignores_case, rules.tab_expansion = ignore_case, ignore_tab_expansion
    rules.trailing_space, rules.space_change = ignore_trailing_space, ignore_space_change
    rules.all_space, rules.blank_lines = ignore_all_space, ignore_blank_lines
    rules.strips_cr, rules.minimal = strip_trailing_cr, minimal
    rules.suppress_blank, rules.first_name = suppress_blank_empty, starting_file or ""
    rules.follows_links, rules.ignores_name_case = not no_dereference, ignore_file_name_case
    rules.macro, rules.is_colored = macro_name(sh), color == "always"
    rules.option_text = option_text(command_of(diff), sh.given)
    names = list(exclude or [])
    for path in exclude_from or []:
        names += file_lines(sh, path)
    rules.excluded_names = [
        name_matcher(name, sh.tick, ignore_case=ignore_file_name_case) for name in names
    ]
    rules.ignored_lines = [compile_regex(sh, text) for text in ignore_matching_lines or []]
    patterns = [C_FUNCTION_PATTERN] * show_c_function + (show_function_line or [])
    rules.function_patterns = [compile_regex(sh, text) for text in patterns]
    if horizon_lines and not is_digits(horizon_lines):
        raise UsageFailure(f"invalid horizon length '{horizon_lines}'")
    pairs = (
        [files]
        if is_single_pair
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
    """Return the lines of a file."""
    try:
        with InputFile(sh, path) as reader:
            return reader.read().removesuffix("\n").split("\n")
    except OSError as error:
        raise sh.fail(f"{message_name(path)}: {os_error_text(error)}", EXIT_TROUBLE) from None


def compile_regex(sh: Call, text: str) -> regex.Regex:
    """Compile a regular expression of an option."""
    try:
        return regex_of(text, "grep")
    except RegexError as error:
        raise sh.fail(f"{text}: {error.message}", EXIT_TROUBLE) from None


def compare_operands(
    sh: Call, rules: DiffOptions, files: Sequence[str]
) -> Generator[Any, None, int]:
    """Compare two operands and return the exit status."""
    comparer = FileComparer(sh, rules)
    old, new = files
    errors: dict[int, OSError] = {}
    is_directory = [False, False]
    for i, name in enumerate(files):
        try:
            if name != "-":
                stat = sh.fs.stat(sh.path(name), follow=rules.follows_links)
                is_directory[i] = stat.is_directory
        except OSError as error:
            errors[i] = error
    if len(errors) == 1 and not isinstance(errors.get(0, errors.get(1)), FileNotFoundError):
        rules.empty_if_missing = ""
    missing = next(iter(errors), -1)
    is_empty = rules.empty_if_missing == "both" or (rules.empty_if_missing and not missing)
    if len(errors) > 1 or (errors and not is_empty):
        for i, problem in errors.items():
            sh.warn(f"{files[i]}: {os_error_text(problem)}", EXIT_TROUBLE)
        return EXIT_TROUBLE
    if any(is_directory) and (all(is_directory) or errors):
        if rules.style == "ifdef":
            raise sh.fail("-D option not supported with directories", EXIT_TROUBLE)
        if all(is_directory) and sh.fs.resolve(sh.path(old)) == sh.fs.resolve(sh.path(new)):
            return comparer.status
        yield from DirectoryComparer(sh, rules, comparer).compare(old, new, missing)
        return comparer.status
    if any(is_directory):
        if "-" in files:
            raise sh.fail("cannot compare '-' to a directory", EXIT_TROUBLE)
        i = is_directory.index(True)
        inner = f"{files[i].rstrip('/')}/{files[1 - i].rstrip('/').rpartition('/')[2]}"
        old, new = (inner, new) if i == 0 else (old, inner)
        stats = existing_stats(sh, (old, new))
        if len(stats) == len(files) and any(stat.is_directory for stat in stats):
            yield from comparer.report_types((old, new), stats)
            return comparer.status
    links = None
    if not rules.follows_links and "-" not in (old, new):
        links = link_comparison(sh, comparer, (old, new))
    yield from links or comparer.compare((old, new), missing=missing)
    return comparer.status


def existing_stats(sh: Call, files: Sequence[str], *, follow: bool = True) -> list[Stat]:
    """Return the status of those files that exist."""
    stats = (sh.stat(name, follow=follow) for name in files)
    return [stat for stat in stats if stat is not None]


def link_comparison(
    sh: Call, comparer: FileComparer, files: tuple[str, str]
) -> Iterator[Any] | None:
    """Compare two operands with --no-dereference; return None if neither is a symbolic link."""
    stats = existing_stats(sh, files, follow=False)
    if all(stat.is_link for stat in stats):
        return comparer.compare_links(files) if stats else None
    return comparer.report_types(files, stats) if any(stat.is_link for stat in stats) else None


def option_text(command: Command, given_options: Sequence[tuple[str, Any]]) -> str:
    """Return the options of a call as diff prints them before the files of two directories.

    The original spelling is not known here: options without a value are combined.
    """
    parameters = {parameter.name: parameter for parameter in command.parameters}
    flags, words = "", []
    for name, value in given_options:
        parameter = parameters[name]
        for item in value if isinstance(value, list) else [value]:
            tail = "" if item is True else str(item)
            if parameter is command.number_option:
                words.append(f"-{tail}")
            elif parameter.letters and not tail:
                flags += parameter.letters[0]
            elif parameter.letters:
                words += [f"-{parameter.letters[0]}", tail]
            else:
                words.append(f"--{parameter.long_names[0]}{tail and '='}{tail}")
    return "".join(f" {message_name(word)}" for word in ([f"-{flags}"] if flags else []) + words)
