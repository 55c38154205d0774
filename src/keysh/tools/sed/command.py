"""sed - edit text line by line."""

from __future__ import annotations

from keysh.gnu.copy.replacement import Replacement
from keysh.gnu.input_files import InputFile
from keysh.interp.state.call import CommandFailure, os_error_text
from keysh.schema.declare import OptionStyle, OutputStyle, command
from keysh.schema.types import ParameterType, UnfitValue
from keysh.text.regex.regex import RegexLimit
from keysh.tools.sed.compiler import compile_script
from keysh.tools.sed.execution import Execution
from keysh.tools.sed.inputs import SedInputs
from keysh.tools.sed.limit import PANIC_STATUS, check_space_size
from keysh.tools.sed.outputs import SedFiles, SedOutput, file_writer
from keysh.tools.sed.reader import ScriptReader
from keysh.tools.sed.script import MissingLabel, ScriptError, ScriptPiece, SedScript
from keysh.tools.sed.whole import chunk_edits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeAlias

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path, Pattern
    from keysh.tools.sed.whole import Work


# Files that sed edits.


class FileEdit:
    """One file while it is edited."""

    __slots__ = ("_name", "_new", "_sh", "_suffix", "output", "write")

    def __init__(self, sh: Call, name: str, suffix: str, end: str) -> None:
        self._sh, self._name, self._suffix = sh, name, suffix
        found = sh.fs.stat(sh.path(name), follow=True)
        if not found.is_file:
            raise sh.fail(f"couldn't edit {name}: not a regular file", PANIC_STATUS)
        self._new = Replacement(sh, name, found.mode & 0o7777, "sed")
        shown = self._new.name if "/" in name else f"./{self._new.name}"
        try:
            self._new.open()
        except OSError as error:
            says = f"couldn't open temporary file {shown}: {os_error_text(error)}"
            raise sh.fail(says, PANIC_STATUS) from None
        self.output, self.write = SedOutput(end), file_writer(sh, shown, self._new.stream)

    def finish(self) -> None:
        """Put the new file where the old one is, which may be kept under another name."""
        try:
            self._new.finish(self.backup_path() if self._suffix else "")
        except OSError as error:
            raise self._sh.fail(
                f"cannot rename {self._name}: {os_error_text(error)}", PANIC_STATUS
            ) from None

    def abandon(self) -> None:
        """Leave the old file as it is."""
        self._new.abandon()

    def backup_path(self) -> str:
        """Where the old file goes: the suffix behind its name, or its name for each `*` of it."""
        folder, slash, last = self._name.rpartition("/")
        made = self._suffix.replace("*", last) if "*" in self._suffix else last + self._suffix
        return made if "/" in made else f"{folder}{slash}{made}"


# Scripts as a parameter: read before anything runs, and kept by their text.

MAX_PARSED_SCRIPTS = 64
PARSED_SCRIPTS: dict[
    tuple[tuple[tuple[str, str], ...], bool, bool, bool], SedScript
] = {}  # the last used stand last


class InvalidScript(UnfitValue):
    """A script that is none; sed's own words say why."""

    def message_for(self, what: str) -> str:
        return self.must


class ScriptType(ParameterType):
    """A script. Its expressions may be basic or extended, as an option says that comes later."""

    __slots__ = ()

    def parse(self, text: str) -> str:
        try:
            parse_script([ScriptPiece(text)], False)
        except MissingLabel:
            return text  # told when the script runs: its status is another
        except ScriptError as error:
            try:
                parse_script([ScriptPiece(text)], True)
            except ScriptError:
                raise InvalidScript(str(error), text) from None
        return text


SCRIPT_TYPE = ScriptType("Program", "a script of sed", keeps_globs=True)


def parse_script(
    pieces: list[ScriptPiece], is_extended: bool, is_posix: bool = False, is_sandboxed: bool = False
) -> SedScript:
    """The script of some pieces; raises ScriptError."""
    texts = tuple((piece.text, piece.path) for piece in pieces)
    key = (texts, is_extended, is_posix, is_sandboxed)
    found = PARSED_SCRIPTS.pop(key, None)
    if found is None:
        found = ScriptReader(pieces, is_extended, is_posix, is_sandboxed).read()
    PARSED_SCRIPTS[key] = found
    if len(PARSED_SCRIPTS) > MAX_PARSED_SCRIPTS:
        PARSED_SCRIPTS.pop(next(iter(PARSED_SCRIPTS)), None)
    return found


if TYPE_CHECKING:
    Program: TypeAlias = str
else:
    Program = SCRIPT_TYPE


@command(
    output=OutputStyle(write_error=(4, "couldn't flush stdout: {}")),
    style=OptionStyle(binds_by_key=False),
)
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
        parts = script_pieces(sh, script)
        made = parse_script(parts, regexp_extended, posix, sandbox)
    except ScriptError as error:
        raise sh.fail(str(error), 4 if isinstance(error, MissingLabel) else 1) from None
    end = "\0" if null_data else "\n"
    edits = in_place is not False
    if edits and not files:
        raise sh.fail("no input files", PANIC_STATUS)
    inputs = SedInputs(
        sh, files, end, is_separate=separate, are_edited=edits, follows=follow_symlinks
    )
    works = None if edits or separate or null_data else chunk_edits(made, quiet)
    if works is not None:
        if not files and not file:
            sh.remember(lambda text, tick: edit_whole_text(works, text, tick))
        yield from edit_chunks(sh, inputs, works, keeps_all=made.steps[0].first is None)
        return
    code = compile_script(made, quiet or made.is_silent, posix, end)
    written = SedFiles(sh, made.written_paths, end, edits=edits)
    place = parts[-1].end_location()
    execution = Execution(sh, code, inputs, SedOutput(end), written, end, line_length, place)
    try:
        if edits:
            edit_files(sh, inputs, execution, "" if in_place is True else str(in_place), end)
            return
        for text in execution.run():
            if text:
                yield text
    except RegexLimit as limit:
        execution.write_output()
        raise sh.fail(limit.message, PANIC_STATUS) from None
    except CommandFailure:
        execution.write_output()
        raise
    finally:
        written.close()
        inputs.close()
        sh.status = sh.status or execution.status


def script_pieces(sh: Call, script: str | None) -> list[ScriptPiece]:
    """The script as it was given, piece by piece."""
    if script is not None:
        return [ScriptPiece(script)]
    found: list[ScriptPiece] = []
    number = 0
    for option, values in sh.given:
        if option == "expression":
            for text in values:
                number += 1
                found.append(ScriptPiece(text, number))
        elif option == "file":
            found += [ScriptPiece(read_script_file(sh, path), path=path) for path in values]
    if not found:
        raise sh.fail("no script given; try 'sed --help'")
    return found


def read_script_file(sh: Call, path: str) -> str:
    """The text of a file of commands."""
    if path == "-":
        return sh.stdin.read()
    try:
        with InputFile(sh, path) as reader:
            return reader.read()
    except OSError as error:
        raise sh.fail(f"couldn't open file {path}: {os_error_text(error)}", PANIC_STATUS) from None


def edit_chunks(
    sh: Call, inputs: SedInputs, works: list[Work], *, keeps_all: bool
) -> Iterator[str]:
    """Work on whole chunks of lines, one after the other; of a chunk of which nothing is left, an
    empty line may be, or none.
    """
    lacks_end = False  # whether the last line printed lacks its newline
    try:
        for chunk in inputs.chunks():
            text = apply_edits(works, chunk, sh.tick)
            if text or keeps_all:
                yield f"\n{text}" if lacks_end else text
                lacks_end = not chunk.endswith("\n")
    except RegexLimit as limit:
        raise sh.fail(limit.message, PANIC_STATUS) from None
    finally:
        inputs.close()


def apply_edits(works: list[Work], text: str, tick: Callable[[], object]) -> str:
    """What the steps of a script make of a text."""
    size = len(text)
    for work in works:
        text = work(text, tick)
        if len(text) > size:
            check_space_size(text)
    return text


def edit_whole_text(
    works: list[Work], text: str, tick: Callable[[], object]
) -> tuple[str, int] | None:
    """What the steps make of a whole text, and the status; None where a pattern is too slow."""
    if not text:
        return "", 0  # no line at all
    try:
        return apply_edits(works, text, tick), 0
    except RegexLimit:
        return None


def edit_files(sh: Call, inputs: SedInputs, execution: Execution, suffix: str, end: str) -> None:
    """Edit each file where it is."""
    while execution.open_next():
        under_way = FileEdit(sh, inputs.name, suffix, end)
        is_done = False
        try:
            for text in execution.run_file(under_way.output):
                under_way.write(text)
            is_done = True
        finally:
            (under_way.finish if is_done else under_way.abandon)()
