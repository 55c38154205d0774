"""xargs - build and run commands from standard input."""

from __future__ import annotations

from keysh.builtins.xargs.input_words import InputWords, UnclosedQuote
from keysh.builtins.xargs.job import make_runner
from keysh.interp.state.call import UsageFailure, os_error_text
from keysh.schema.arguments import expanded_texts
from keysh.schema.declare import OptionStyle, Refusals, command
from keysh.text.chunks import bytes_of_text
from keysh.text.escapes import (
    HEXADECIMAL_DIGITS,
    OCTAL_DIGITS,
    byte_character,
    expand_escapes,
    leading_digits,
)
from keysh.text.gnu_quoting import message_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from typing import Any

    from keysh.interp.state.call import Call
    from keysh.interp.state.call_input import CallReader
    from keysh.schema.types import Path, Raw

# The options that group words: what each sets, and its name in messages.
GROUPING_OPTIONS = {
    "max_args": ("max_args", "--max-args/-n"),
    "max_lines": ("max_lines", "--max-lines/-l"),
    "lines": ("max_lines", "-L"),
    "replace": ("replace", "--replace/-I/-i"),
    "insert": ("replace", "--replace/-I/-i"),
}
NUL_IN_WORD = (
    "WARNING: a NUL character occurred in the input.  It cannot be passed through in the argument "
    "list.  Did you mean to use the --null option?"
)
MAX_COMMAND_BYTES = 131_072  # GNU's default
DEFAULT_PLACEHOLDER = "{}"  # for -i
MIN_NUMBERS = {
    "lines": ("L", 1), "max_lines": ("l", 1), "max_args": ("n", 1), "max_chars": ("s", 1),
    "max_procs": ("P", 0),
}  # fmt: skip
INVALID_NUMBER = "invalid number \"{{}}\" for -{} option\nTry 'xargs --help' for more information."


@command(
    compatible="GNU findutils 4.9.0",
    ignored="--show-limits",
    refusals=Refusals(
        invalid_values={
            "lines": INVALID_NUMBER.format("L"),
            "max_lines": INVALID_NUMBER.format("l"),
            "max_args": INVALID_NUMBER.format("n"),
            "max_procs": INVALID_NUMBER.format("P"),
            "max_chars": INVALID_NUMBER.format("s"),
        }
    ),
    style=OptionStyle(unabbreviated="end insert lines", binds_by_key=False),
)
def xargs(
    sh: Call,
    *words: Raw,
    null: bool = False,
    arg_file: Path | None = None,
    delimiter: str | None = None,
    end: str | None = None,
    eof: str | bool = False,
    insert: str | None = None,
    replace: str | bool = False,
    lines: int | None = None,
    max_lines: int | bool = False,
    max_args: int | None = None,
    max_procs: int = 1,
    process_slot_var: str | None = None,
    no_run_if_empty: bool = False,
    max_chars: int = MAX_COMMAND_BYTES,
    verbose: bool = False,
    exit: bool = False,
) -> int:
    """Run a command, echo by default, with arguments from standard input.

    words ...                the command and its initial arguments
    -0, --null               arguments end with NUL; quotes and backslashes are
                             literal
    -a, --arg-file FILE      read arguments from FILE
    -d, --delimiter CHAR     arguments end with CHAR, which may be an escape
    -E, --end TEXT           stop at an argument TEXT
    -e, --eof[=TEXT]         same as -E; without TEXT there is no such argument
    -I, --insert TEXT        replace TEXT in the initial arguments by one input line
                             at a time
    -i, --replace[=TEXT]     same as -I; the default TEXT is {}
    -L, --lines NUM          use at most NUM lines per command
    -l, --max-lines[=NUM]    same as -L; the default NUM is 1
    -n, --max-args NUM       use at most NUM arguments per command
    -P, --max-procs NUM      run up to NUM commands at a time; 0 means as many as
                             possible
    --process-slot-var NAME  set this variable to a number unique among running
                             commands
    -r, --no-run-if-empty    run nothing if there are no arguments
    -s, --max-chars NUM      limit commands to NUM bytes
    -t, --verbose            print each command on standard error
    -x, --exit               exit if -s is exceeded

    The status is 123 if a command failed, 124 if one exited with 255, and 126 or
    127 if it could not be run.
    """
    check_numbers(sh)
    del end, eof, insert, replace, lines, max_lines, null, delimiter
    separator = word_delimiter(sh)
    grouping, value = chosen_grouping(sh)
    ending = eof_word(sh)
    if ending and separator is not None:
        message = "warning: the -E option has no effect if -0 or -d is used."
        sh.note(f"{message}\n")
    reader = InputWords(sh.check_size, separator, ending, by_line=grouping == "replace")
    initial_words = expanded_texts(words) or ["echo"]
    reads_input = arg_file not in (None, "-")
    runner = make_runner(sh, verbose, reads_input=reads_input, max_running=max_procs)
    if process_slot_var is not None:
        if "=" in process_slot_var:
            message = "option --process-slot-var may not be set to a value which includes `='"
            raise sh.fail(message)
        runner.slot = process_slot_var
    source = input_reader(sh, arg_file)
    try:
        input_arguments = reader.read(source.chunks())
        if separator is None:
            input_arguments = without_nul(sh, input_arguments)
        if grouping == "replace":
            for word, _ in input_arguments:
                runner.run([argument.replace(value, word) for argument in initial_words])
                if runner.is_over:
                    break
        else:
            by_lines = value if grouping == "max_lines" else None
            by_words = max_args if grouping == "max_args" else None
            room = max_chars - sum(len(bytes_of_text(word)) + 1 for word in initial_words)
            if room < 0:
                raise sh.fail("cannot fit single argument within argument list size limit")
            for batch in word_batches(sh, input_arguments, by_lines, by_words, room, exit):
                if batch or not no_run_if_empty:
                    runner.run([*initial_words, *batch])
                if runner.is_over:
                    break
    except UnclosedQuote as unclosed:
        kind = "double" if unclosed.quote == '"' else "single"
        message = f"unmatched {kind} quote; by default quotes are special to xargs unless you use"
        sh.warn(f"{message} the -0 option")
    finally:
        if source is not sh.stdin:
            source.close()
        runner.finish()
    return runner.status or sh.status


def check_numbers(sh: Call) -> None:
    """Check all given numbers, even those that later options override."""
    for name, number in sh.given:
        if name in MIN_NUMBERS and number is not True:
            letter, minimum = MIN_NUMBERS[name]
            if int(str(number)) < minimum:
                raise UsageFailure(f"value {number} for -{letter} option should be >= {minimum}")


def eof_word(sh: Call) -> str | None:
    """Return the end-of-file word of the last -E or -e."""
    last_value = [value for name, value in sh.given if name in ("end", "eof")][-1:]
    return (
        last_value[0] if last_value and isinstance(last_value[0], str) and last_value[0] else None
    )


def chosen_grouping(sh: Call) -> tuple[str, Any]:
    """Return the last grouping option and its value; like GNU, warn about earlier ones.

    The value is a string for "replace" and a number for the others.
    """
    last, last_value = "", None
    for option, value in sh.given:
        if option not in GROUPING_OPTIONS:
            continue
        name, spelled = GROUPING_OPTIONS[option]
        if last == "replace" and name == "max_args" and value == 1:
            continue  # -I already uses one line at a time
        if last and last != name:
            earlier = f"--{last.replace('_', '-')}"
            message = f"options {earlier} and {spelled} are mutually exclusive"
            sh.note(f"warning: {message}, ignoring previous {earlier} value")
        if value is True:
            value = DEFAULT_PLACEHOLDER if name == "replace" else 1
        last, last_value = name, value
    return last, last_value


def input_reader(sh: Call, path: str | None) -> CallReader:
    """Return the input."""
    if path is None or path == "-":
        return sh.stdin
    try:
        return sh.open_reader(path)
    except OSError as error:
        message = f"Cannot open input file {message_name(path)!r}: {os_error_text(error)}".replace(
            "''", "'"
        )
        raise sh.fail(message) from None


def without_nul(sh: Call, words: Iterable[tuple[str, bool]]) -> Iterator[tuple[str, bool]]:
    """Cut words at a NUL, where a program's argument would end, and warn once."""
    has_warned = False
    for word, ends_line in words:
        if "\0" not in word:
            yield word, ends_line
            continue
        if not has_warned:
            sh.note(NUL_IN_WORD)
            has_warned = True
        yield word.partition("\0")[0], ends_line


def word_delimiter(sh: Call) -> str | None:
    """Return the delimiter of the last -0 or -d; None for blanks and newlines."""
    delimiter = None
    for name, value in sh.given:
        if name == "null":
            delimiter = "\0"
        elif name == "delimiter":
            delimiter = parse_delimiter(sh, str(value))
    return delimiter


def parse_delimiter(sh: Call, text: str) -> str:
    """Return the one character of -d, or the byte of its escape."""
    if len(text) == 1:
        return text
    if text[:1] != "\\":
        message = "the delimiter must be either a single character or an escape sequence starting"
        raise sh.fail(f"Invalid input delimiter specification {text}: {message} with \\.")
    if text[1] in "abfnrtv\\":
        return expand_escapes(text)[0]
    complaint = f"Invalid escape sequence {text} in input delimiter specification"
    base, digits, maximum = (16, text[2:], "ff") if text[1] == "x" else (8, text[1:], "377")
    valid_digits = leading_digits(digits, HEXADECIMAL_DIGITS if base == 16 else OCTAL_DIGITS)
    if base == 8 and not text[1].isdigit():
        raise sh.fail(f"{complaint}.")
    number = int(valid_digits or "0", base)
    if number > 0xFF:
        raise sh.fail(f"{complaint}; character values must not exceed {maximum}.")
    if valid_digits != digits:
        raise sh.fail(
            f"{complaint}; trailing characters {digits[len(valid_digits) :]} not recognised."
        )
    return byte_character(number)


def word_batches(
    sh: Call,
    words: Iterable[tuple[str, bool]],
    line_limit: int | None,
    word_limit: int | None,
    room: int,
    must_fit: bool,
) -> Iterator[list[str]]:
    """Yield batches of words that fit; one empty batch if there are no words."""
    batch: list[str] = []
    size = lines = count = 0
    must_fit |= line_limit is not None
    unclosed: UnclosedQuote | None = None
    source = iter(words)
    while True:
        sh.tick()
        try:
            word, ends_line = next(source)
        except StopIteration:
            break
        except UnclosedQuote as error:  # still run the words before it
            unclosed = error
            break
        length = len(bytes_of_text(word)) + 1
        if length > room:
            if batch and not must_fit:
                yield batch
            raise sh.fail("argument line too long")
        if batch and size + length > room:
            if must_fit and (line_limit is not None or word_limit is not None):
                raise sh.fail("argument list too long")
            yield batch
            batch, size, lines = [], 0, 0
        batch.append(word)
        count += 1
        size += length
        lines += ends_line
        if len(batch) == word_limit or lines == line_limit:
            yield batch
            batch, size, lines = [], 0, 0
    is_kept_back = unclosed and must_fit
    if (batch and not is_kept_back) or not (count or unclosed):
        yield batch
    if unclosed:
        raise unclosed
