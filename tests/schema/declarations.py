"""Declarations of commands whose arguments are awkward; the bodies do nothing."""

from __future__ import annotations

from typing import Any, Literal

from keysh.schema.command import Command
from keysh.schema.declare import OptionStyle, Refusals, command, command_of
from keysh.schema.types import Code, Duration, Path, Pattern, Raw, Regex, Size


def program(text: str) -> None:
    if text.count("(") != text.count(")"):
        raise ValueError("unbalanced")


Script: Any = Code("sed", program)


@command(
    refusals=Refusals(
        invalid_values={"lines": "invalid number of lines", "bytes": "invalid number of bytes"}
    )
)
def head(
    sh: object,
    *files: Path,
    lines: int = 10,
    bytes: Size | None = None,
    quiet: bool = False,
    verbose: bool = False,
) -> None:
    """Print the first lines of each file, or of standard input.

    files ...                files to read; standard input when none are given
    -n, --lines NUM          how many lines to print; all but the last NUM if negative (also -NUM)
    -c, --bytes=SIZE         how many bytes to print
    -q, --quiet, --silent    never print headers
    -v, --verbose            always print headers
    """


@command
def cat(sh: object, *files: Path, number: bool = False, show_ends: bool = False,
        show_tabs: bool = False) -> None:  # fmt: skip
    """Print files one after another.

    files ...          files to read
    -n, --number       number the lines
    -E, --show-ends    print $ where a line ends
    -T, --show-tabs    print ^I for a tab
    """


@command
def cp(sh: object, *paths: Path, recursive: bool = False, clobber: bool = True,
       target_directory: Path | None = None) -> None:  # fmt: skip
    """Copy files and folders.

    paths ...                         what to copy, and where to (at least 2)
    -R, -r, --recursive               copy folders with what they hold
    -n, --no-clobber                  leave what is there
    -t, --target-directory FOLDER     where to
    """


@command
def echo(sh: object, *words: Raw) -> None:
    """Print words.

    words ...    what to print
    """


@command
def test(sh: object, *words: Raw) -> None:
    """Tell by its status whether a condition holds.

    words ...    the condition
    """


@command
def find(sh: object, *words: Raw) -> None:
    """Walk folders.

    words ...    folders, then an expression
    """


@command
def dd(sh: object, *words: Raw) -> None:
    """Copy blocks.

    words ...    if=FILE of=FILE bs=SIZE
    """


@command(refusals=Refusals(usage_status=125), style=OptionStyle(binds_by_key=False))
def env(sh: object, *words: Raw, ignore_environment: bool = False,
        unset: list[str] | None = None) -> None:  # fmt: skip
    """Run a command in another environment.

    words ...                    NAME=value, then the command
    -i, --ignore-environment     begin with nothing
    -u, --unset NAME             without this one
    """


@command(refusals=Refusals(usage_status=2))
def grep(
    sh: object,
    pattern: Regex | None,
    /,
    *files: Path,
    regexp: list[Regex] | None = None,
    file: Path | None = None,
    count: bool = False,
    invert_match: bool = False,
    ignore_case: bool = False,
    context: int = 0,
    include: list[Pattern] | None = None,
    color: Literal["always", "never", "auto"] | bool = False,
) -> None:
    """Print the lines that match.

    pattern                         what to look for (not with -e, --file)
    files ...                       where to look
    -e, --regexp PATTERN            what to look for; may be given again
    -f, --file FILE                 a file of patterns
    -c, --count                     print how many lines match
    -v, --invert-match              the lines that do not match
    -i, --ignore-case               capitals are small letters
    -C, --context NUM               so many lines around each (also -NUM)
    --include GLOB                  only files that match
    --color[=WHEN], --colour
                                    when to color: always, never, auto
    """


@command(refusals=Refusals(usage_status=2))
def sort(
    sh: object,
    *files: Path,
    key: list[str] | None = None,
    numeric_sort: bool = False,
    reverse: bool = False,
    field_separator: str | None = None,
    check: Literal["quiet", "silent", "diagnose-first"] | bool = False,
    buffer_size: Size = 1024,
    output: Path | None = None,
) -> None:
    """Sort lines.

    files ...                       what to sort
    -k, --key KEYDEF                sort by this field; may be given again
    -n, --numeric-sort              by number
    -r, --reverse                   the last first
    -t, --field-separator CHAR      what parts fields
    -c, --check[=HOW]               only say whether it is sorted
    -S, --buffer-size SIZE          how much memory to take
    -o, --output FILE               where to write
    """


@command
def sed(
    sh: object,
    script: Script | None,
    /,
    *files: Path,
    expression: list[Script] | None = None,
    in_place: str | bool = False,
    quiet: bool = False,
) -> None:
    """Edit lines.

    script                        what to do (not with -e)
    files ...                     files to edit
    -e, --expression SCRIPT       what to do; may be given again
    -i, --in-place[=SUFFIX]       write into the file; keep the old one as FILE.SUFFIX
    -n, --quiet                   print only what is asked for
    """


@command(refusals=Refusals(usage_status=125, invalid_values={"duration": "invalid time interval"}))
def timeout(sh: object, duration: Duration, *words: Raw, kill_after: Duration | None = None,
            foreground: bool = False) -> None:  # fmt: skip
    """Run a command, and stop it after a time.

    duration                     how long it may run
    words ...                    the command (at least 1)
    -k, --kill-after DURATION    kill it when it is still there so long afterwards
    --foreground                 leave it the terminal
    """


@command
def xargs(sh: object, *words: Raw, max_args: int = 0, replace: str | bool = False,
          no_run_if_empty: bool = False, null: bool = False) -> None:  # fmt: skip
    """Run a command with the words of standard input.

    words ...                   the command
    -n, --max-args NUM          so many words at a time
    -i, --replace[=TEXT]        put them where TEXT stands
    -r, --no-run-if-empty       not without a word
    -0, --null                  words end with a zero byte
    """


@command
def tar(sh: object, *members: Path, extract: bool = False, gzip: bool = False,
        verbose: bool = False, file: Path = "-", directory: Path | None = None,
        exclude: list[Pattern] | None = None) -> None:  # fmt: skip
    """Unpack an archive.

    members ...               what to unpack
    -x, --extract             unpack
    -z, --gzip                the archive is compressed
    -v, --verbose             say what is done
    -f, --file ARCHIVE        the archive
    -C, --directory FOLDER    where to
    --exclude GLOB            what to leave out
    """


@command(refusals=Refusals(invalid_values={"numbers": "invalid floating point argument"}))
def seq(sh: object, *numbers: float, separator: str = "\n", equal_width: bool = False) -> None:
    """Print numbers.

    numbers ...               the first, the step, the last (at least 1)
    -s, --separator TEXT      what stands between them
    -w, --equal-width         fill with zeros
    """


@command
def copy(sh: object, source: Path, to: Path = ".", *, mode: Literal["fast", "safe"] = "safe",
         dry_run: bool = False, in_: list[int] | None = None, labels: dict[str, Any] | None = None,
         wide: bool | None = None) -> None:  # fmt: skip
    """Copy as a host's own command would.

    source                what to copy
    to                    where to
    --mode MODE           how
    -d, --dry-run         only say what would be done
    --in NUM              which parts
    --labels RECORD       what to note
    --wide                in columns
    """


COMMANDS: tuple[Command, ...] = tuple(
    command_of(function)
    for function in (
        head, cat, cp, echo, test, find, dd, env, grep, sort, sed, timeout, xargs, tar, seq, copy,
    )
)  # fmt: skip
