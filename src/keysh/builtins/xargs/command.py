"""xargs - run a command with words from standard input."""

from __future__ import annotations

from keysh.builtins.xargs.input_words import InputWords, UnclosedQuote
from keysh.builtins.xargs.job import make_runner
from keysh.interp.state.call import UsageFailure, os_error_text
from keysh.interp.streams.streams import reader_of
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
    from keysh.schema.types import Path, Raw

# The options that say how words are grouped: what each sets, and as which it is told of.
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
MAX_COMMAND_BYTES = 131_072  # bytes of a command, as xargs has them by itself
DEFAULT_PLACEHOLDER = "{}"  # what -i puts words in the place of
MIN_NUMBERS = {"lines": ("L", 1), "max_lines": ("l", 1), "max_args": ("n", 1), "max_chars": ("s", 1),
         "max_procs": ("P", 0)}  # fmt: skip
INVALID_NUMBER = "invalid number \"{{}}\" for -{} option\nTry 'xargs --help' for more information."


@command(
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
    """Run a command with words from standard input behind its own; echo where none is told.

    words ...                the command and its first words
    -0, --null               words end with NUL; quotes and backslashes are nothing special
    -a, --arg-file FILE      read the words from FILE
    -d, --delimiter CHAR     words end with this character, which may be an escape
    -E, --end TEXT           a word that ends the input
    -e, --eof[=TEXT]         the same; no word does without TEXT
    -I, --insert TEXT        one line at a time, put in the place of TEXT in the command's words
    -i, --replace[=TEXT]     the same, in the place of {} without TEXT
    -L, --lines NUM          the words of no more than NUM lines at a time
    -l, --max-lines[=NUM]    the same, of one line without NUM
    -n, --max-args NUM       no more than NUM words at a time
    -P, --max-procs NUM      run so many commands at the same time; 0 is as many as may be
    --process-slot-var NAME  set this variable to a number that no other running command has
    -r, --no-run-if-empty    run nothing where there are no words
    -s, --max-chars NUM      no more than NUM bytes at a time
    -t, --verbose            print each command on standard error
    -x, --exit               stop where the words do not fit -s

    The status is 123 where a command failed, 124 where one answered 255, 126 and 127 where it
    could not be run.
    """
    check_numbers(sh)
    del end, eof, insert, replace, lines, max_lines, null, delimiter
    mark = word_delimiter(sh)
    last, value = chosen_grouping(sh)
    ending = eof_word(sh)
    if ending and mark is not None:
        says = "warning: the -E option has no effect if -0 or -d is used."
        sh.note(f"{says}\n")
    rest = InputWords(mark, ending, by_line=last == "replace")
    fixed = expanded_texts(words) or ["echo"]
    reads_input = arg_file not in (None, "-")
    job = make_runner(sh, verbose, reads_input=reads_input, most=max_procs)
    if process_slot_var is not None:
        if "=" in process_slot_var:
            says = "option --process-slot-var may not be set to a value which includes `='"
            raise sh.fail(says)
        job.slot = process_slot_var
    try:
        found = rest.read(input_chunks(sh, arg_file))
        if mark is None:
            found = without_nul(sh, found)
        if last == "replace":
            for word, _ in found:
                job.run([one.replace(value, word) for one in fixed])
                if job.is_over:
                    break
        else:
            by_lines = value if last == "max_lines" else None
            by_words = max_args if last == "max_args" else None
            room = max_chars - sum(len(bytes_of_text(word)) + 1 for word in fixed)
            if room < 0:
                raise sh.fail("cannot fit single argument within argument list size limit")
            for batch in word_batches(sh, found, by_lines, by_words, room, exit):
                if batch or not no_run_if_empty:
                    job.run([*fixed, *batch])
                if job.is_over:
                    break
    except UnclosedQuote as unclosed:
        kind = "double" if unclosed.quote == '"' else "single"
        says = f"unmatched {kind} quote; by default quotes are special to xargs unless you use"
        sh.warn(f"{says} the -0 option")
    finally:
        job.finish()
    return job.status or sh.status


def check_numbers(sh: Call) -> None:
    """See that each number that is given is one to count with, be it overridden."""
    for name, number in sh.given:
        if name in MIN_NUMBERS and number is not True:
            letter, least = MIN_NUMBERS[name]
            if int(str(number)) < least:
                raise UsageFailure(f"value {number} for -{letter} option should be >= {least}")


def eof_word(sh: Call) -> str | None:
    """The word that ends the input, as the last option says."""
    found = [value for name, value in sh.given if name in ("end", "eof")][-1:]
    return found[0] if found and isinstance(found[0], str) and found[0] else None


def chosen_grouping(sh: Call) -> tuple[str, Any]:
    """The last of the options that say how words are grouped; GNU warns of those before it.

    With it comes its value: a text for "replace", a number for the others.
    """
    last, last_value = "", None
    for option, value in sh.given:
        if option not in GROUPING_OPTIONS:
            continue
        name, spelled = GROUPING_OPTIONS[option]
        if last == "replace" and name == "max_args" and value == 1:
            continue  # -I takes a line at a time already
        if last and last != name:
            before = f"--{last.replace('_', '-')}"
            says = f"options {before} and {spelled} are mutually exclusive"
            sh.note(f"warning: {says}, ignoring previous {before} value")
        if value is True:
            value = DEFAULT_PLACEHOLDER if name == "replace" else 1
        last, last_value = name, value
    return last, last_value


def input_chunks(sh: Call, path: str | None) -> Iterator[str]:
    """What words are read from."""
    if path is None or path == "-":
        return sh.ticking(sh.stdin.chunks())
    try:
        return sh.ticking(reader_of(sh.open(path)).chunks())
    except OSError as error:
        message = f"Cannot open input file {message_name(path)!r}: {os_error_text(error)}".replace(
            "''", "'"
        )
        raise sh.fail(message) from None


def without_nul(sh: Call, words: Iterable[tuple[str, bool]]) -> Iterator[tuple[str, bool]]:
    """The words up to a NUL, where a program's argument would end; the first NUL is told of."""
    is_told = False
    for word, ends_line in words:
        if "\0" not in word:
            yield word, ends_line
            continue
        if not is_told:
            sh.note(NUL_IN_WORD)
            is_told = True
        yield word.partition("\0")[0], ends_line


def word_delimiter(sh: Call) -> str | None:
    """What ends the words, as the last option says; None where blanks and lines do."""
    mark = None
    for name, value in sh.given:
        if name == "null":
            mark = "\0"
        elif name == "delimiter":
            mark = parse_delimiter(sh, str(value))
    return mark


def parse_delimiter(sh: Call, text: str) -> str:
    """The one character of -d, or the byte that an escape stands for."""
    if len(text) == 1:
        return text
    if text[:1] != "\\":
        says = "the delimiter must be either a single character or an escape sequence starting"
        raise sh.fail(f"Invalid input delimiter specification {text}: {says} with \\.")
    if text[1] in "abfnrtv\\":
        return expand_escapes(text)[0]
    wrong = f"Invalid escape sequence {text} in input delimiter specification"
    base, digits, most = (16, text[2:], "ff") if text[1] == "x" else (8, text[1:], "377")
    known = leading_digits(digits, HEXADECIMAL_DIGITS if base == 16 else OCTAL_DIGITS)
    if base == 8 and not text[1].isdigit():
        raise sh.fail(f"{wrong}.")
    number = int(known or "0", base)
    if number > 0xFF:
        raise sh.fail(f"{wrong}; character values must not exceed {most}.")
    if known != digits:
        raise sh.fail(f"{wrong}; trailing characters {digits[len(known) :]} not recognised.")
    return byte_character(number)


def word_batches(
    sh: Call,
    words: Iterable[tuple[str, bool]],
    most_lines: int | None,
    most_words: int | None,
    room: int,
    must_fit: bool,
) -> Iterator[list[str]]:
    """Words as many at a time as fit; one empty batch where there are none."""
    batch: list[str] = []
    size = lines = count = 0
    must_fit |= most_lines is not None
    unclosed: UnclosedQuote | None = None
    source = iter(words)
    while True:
        sh.tick()
        try:
            word, ends_line = next(source)
        except StopIteration:
            break
        except UnclosedQuote as error:  # the words before it are still run
            unclosed = error
            break
        length = len(bytes_of_text(word)) + 1
        if length > room:
            if batch and not must_fit:
                yield batch
            raise sh.fail("argument line too long")
        if batch and size + length > room:
            if must_fit and (most_lines is not None or most_words is not None):
                raise sh.fail("argument list too long")
            yield batch
            batch, size, lines = [], 0, 0
        batch.append(word)
        count += 1
        size += length
        lines += ends_line
        if len(batch) == most_words or lines == most_lines:
            yield batch
            batch, size, lines = [], 0, 0
    is_kept_back = unclosed and must_fit
    if (batch and not is_kept_back) or not (count or unclosed):
        yield batch
    if unclosed:
        raise unclosed
