"""sed - edit text line by line."""

from __future__ import annotations

from keysh.commands.sed.compiler import compiled
from keysh.commands.sed.execution import Execution
from keysh.commands.sed.in_place import Edit
from keysh.commands.sed.inputs import Inputs
from keysh.commands.sed.limit import PANIC, grown
from keysh.commands.sed.outputs import Files, Output
from keysh.commands.sed.program import PROGRAM, script_of
from keysh.commands.sed.script import MissingLabel, Piece, ScriptError
from keysh.commands.sed.whole import works_of
from keysh.runtime.call import Failure, why
from keysh.runtime.given_file import GivenFile
from keysh.schema.declare import command
from keysh.text.regex import RegexLimit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeAlias

    from keysh.commands.sed.whole import Work
    from keysh.runtime.call import Call
    from keysh.schema.types import Path, Pattern

    Program: TypeAlias = str
else:
    Program = PROGRAM


@command(names=False, unwritten=(4, "couldn't flush stdout: {}"))
def sed(
    sh: Call,
    script: Program | None = None,
    /,
    *files: Path,
    quiet: bool = False,
    expression: list[Pattern] | None = None,
    file: list[Path] | None = None,
    regexp_extended: bool = False,
    in_place: str | bool = False,
    separate: bool = False,
    null_data: bool = False,
    line_length: int = 70,
    posix: bool = False,
    unbuffered: bool = False,
    binary: bool = False,
    sandbox: bool = False,
    debug: bool = False,
    follow_symlinks: bool = False,
) -> Iterator[str]:
    """Edit text line by line, as a script says.

    script                       the script (not with -e, -f)
    files ...                    files to read, - for standard input
    -n, --quiet, --silent        print only what the script prints
    -e, --expression SCRIPT      add this to the script
    -f, --file FILE              add the contents of a file to the script
    -E, -r, --regexp-extended    the regular expressions are extended ones
    -i, --in-place[=SUFFIX]      edit the files; keep each old one under its name and SUFFIX
    -s, --separate               each file has a last line and line numbers of its own
    -z, --null-data              lines end with NUL, not with a newline
    -l, --line-length NUM        where `l` folds lines; 0 folds nothing
    --posix                      without GNU's extensions
    -u, --unbuffered             ignored
    -b, --binary                 ignored
    --sandbox                    refuse r, R, w and W
    --debug                      ignored
    --follow-symlinks            read and edit what links lead to

    The commands: { } = a b c d D F g G h H i l n N p P q Q r R s t T v w W x y z : and #; there
    is no e. Addresses: N $ /re/ first~step, two of them with a comma, 0,/re/ addr,+N addr,~N, and
    ! behind them.
    """
    try:
        parts = pieces(sh, script)
        made = script_of(parts, regexp_extended, posix, sandbox)
    except ScriptError as error:
        raise sh.fail(str(error), 4 if isinstance(error, MissingLabel) else 1) from None
    end = "\0" if null_data else "\n"
    edits = in_place is not False
    if edits and not files:
        raise sh.fail("no input files", PANIC)
    inputs = Inputs(sh, files, end, is_separate=separate, are_edited=edits, follows=follow_symlinks)
    works = None if edits or separate or null_data else works_of(made, quiet)
    if works is not None:
        if not files and not file:
            sh.remember(lambda text, tick: within_limit(works, text, tick))
        yield from by_chunk(sh, inputs, works, keeps_all=made.steps[0].first is None)
        return
    code = compiled(made, quiet or made.is_silent, posix, end)
    written = Files(sh, made.written_paths, end, edits=edits)
    place = parts[-1].end_place()
    execution = Execution(sh, code, inputs, Output(end), written, end, line_length, place)
    try:
        if edits:
            edit(sh, inputs, execution, "" if in_place is True else str(in_place), end)
            return
        for text in execution.run():
            if text:
                yield text
    except RegexLimit as limit:
        execution.hand_on()
        raise sh.fail(limit.message, PANIC) from None
    except Failure:
        execution.hand_on()
        raise
    finally:
        written.close()
        inputs.close()
        sh.status = sh.status or execution.status


def pieces(sh: Call, script: str | None) -> list[Piece]:
    """The script as it was given, piece by piece."""
    if script is not None:
        return [Piece(script)]
    found: list[Piece] = []
    number = 0
    for option, values in sh.given:
        if option == "expression":
            for text in values:
                number += 1
                found.append(Piece(text, number))
        elif option == "file":
            found += [Piece(contents(sh, path), path=path) for path in values]
    if not found:
        raise sh.fail("no script given; try 'sed --help'")
    return found


def contents(sh: Call, path: str) -> str:
    """The text of a file of commands."""
    if path == "-":
        return sh.stdin.read()
    try:
        with GivenFile(sh, path) as reader:
            return reader.read()
    except OSError as error:
        raise sh.fail(f"couldn't open file {path}: {why(error)}", PANIC) from None


def by_chunk(sh: Call, inputs: Inputs, works: list[Work], *, keeps_all: bool) -> Iterator[str]:
    """Work on whole chunks of lines, one after the other; of a chunk of which nothing is left, an
    empty line may be, or none.
    """
    lacks_end = False  # whether the last line printed lacks its newline
    try:
        for chunk in inputs.chunks():
            text = worked(works, chunk, sh.tick)
            if text or keeps_all:
                yield f"\n{text}" if lacks_end else text
                lacks_end = not chunk.endswith("\n")
    except RegexLimit as limit:
        raise sh.fail(limit.message, PANIC) from None
    finally:
        inputs.close()


def worked(works: list[Work], text: str, tick: Callable[[], object]) -> str:
    """What the steps of a script make of a text."""
    size = len(text)
    for work in works:
        text = work(text, tick)
        if len(text) > size:
            grown(text)
    return text


def within_limit(
    works: list[Work], text: str, tick: Callable[[], object]
) -> tuple[str, int] | None:
    """What the steps make of a whole text, and the status; None where a pattern is too slow."""
    if not text:
        return "", 0  # no line at all
    try:
        return worked(works, text, tick), 0
    except RegexLimit:
        return None


def edit(sh: Call, inputs: Inputs, execution: Execution, suffix: str, end: str) -> None:
    """Edit each file where it is."""
    while execution.advance():
        under_way = Edit(sh, inputs.name, suffix, end)
        is_done = False
        try:
            for text in execution.run_file(under_way.output):
                under_way.write(text)
            is_done = True
        finally:
            (under_way.finish if is_done else under_way.abandon)()
