"""sed - edit text line by line."""

from __future__ import annotations

from keysh.gnu.copy.replacement import Replacement
from keysh.gnu.input_files import InputFile
from keysh.interp.state.call import CommandFailure, UsageFailure, os_error_text
from keysh.schema.declare import OptionStyle, OutputStyle, Refusals, command
from keysh.schema.types import ParameterType, UnfitValue
from keysh.text.cache import TextCache
from keysh.text.regex.regex import RegexLimit
from keysh.tools.sed.compiler import compile_script
from keysh.tools.sed.execution import Execution
from keysh.tools.sed.inputs import SedInputs
from keysh.tools.sed.limit import PANIC_STATUS, check_space_size
from keysh.tools.sed.outputs import SedFiles, SedOutput, file_writer
from keysh.tools.sed.reader import ScriptReader
from keysh.tools.sed.script import ScriptError, ScriptPanic, ScriptPiece, SedScript
from keysh.tools.sed.whole_chunks import chunk_edits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import TypeAlias

    from keysh.interp.state.call import Call
    from keysh.schema.arguments import Work
    from keysh.schema.types import Path, Pattern
    from keysh.tools.sed.whole_chunks import ChunkEdit

SCRIPTS = TextCache(1000)  # by the texts, with what they are compiled to


# ---------------------------------------------------------------- files edited in place


class FileEdit:
    """A file edited in place."""

    __slots__ = ("_name", "_new", "_sh", "_suffix", "output", "write")

    def __init__(self, sh: Call, name: str, suffix: str, line_end: str) -> None:
        self._sh, self._name, self._suffix = sh, name, suffix
        status = sh.fs.stat(sh.path(name), follow=True)
        if not status.is_file:
            raise sh.fail(f"couldn't edit {name}: not a regular file", PANIC_STATUS)
        self._new = Replacement(sh, name, status.mode & 0o7777, "sed")
        shown_name = self._new.name if "/" in name else f"./{self._new.name}"
        try:
            self._new.open()
        except OSError as error:
            message = f"couldn't open temporary file {shown_name}: {os_error_text(error)}"
            raise sh.fail(message, PANIC_STATUS) from None
        self.output, self.write = SedOutput(line_end), file_writer(sh, shown_name, self._new.stream)

    def finish(self) -> None:
        """Replace the old file, and keep a backup if there is a suffix."""
        try:
            self._new.finish(self.backup_path() if self._suffix else "")
        except OSError as error:
            raise self._sh.fail(
                f"cannot rename {self._name}: {os_error_text(error)}", PANIC_STATUS
            ) from None

    def abandon(self) -> None:
        """Discard the new file."""
        self._new.abandon()

    def backup_path(self) -> str:
        """Return the backup name: append the suffix, or replace each `*` in it by the name."""
        folder, slash, last = self._name.rpartition("/")
        backup = self._suffix.replace("*", last) if "*" in self._suffix else last + self._suffix
        return backup if "/" in backup else f"{folder}{slash}{backup}"


# ---------------------------------------------------------------- the script as a parameter


class InvalidScript(UnfitValue):
    """An invalid script, with sed's own message."""

    def message_for(self, what: str) -> str:
        return self.must


class ScriptType(ParameterType):
    """A sed script. Its regexes may be basic or extended: a later option may say which."""

    __slots__ = ()

    def parse(self, text: str) -> str:
        try:
            parse_script([ScriptPiece(text)], False)
        except ScriptPanic:
            return text  # reported when the script runs, with another status
        except ScriptError as error:
            try:
                parse_script([ScriptPiece(text)], True)
            except ScriptError:
                raise InvalidScript(str(error), text) from None
        return text


SCRIPT_TYPE = ScriptType("Program", "a sed script", keeps_globs=True)


def parse_script(
    pieces: list[ScriptPiece], is_extended: bool, is_posix: bool = False, is_sandboxed: bool = False
) -> SedScript:
    """Parse a script, or return the cached one; raises ScriptError."""
    sources = tuple((piece.text, piece.number, piece.path) for piece in pieces)
    return SCRIPTS.get_or_make(
        (sources, is_extended, is_posix, is_sandboxed),
        lambda: ScriptReader(pieces, is_extended, is_posix, is_sandboxed).read(),
    )


if TYPE_CHECKING:
    Program: TypeAlias = str
else:
    Program = SCRIPT_TYPE


def edit_whole(
    sh: Call,
    script: str | None = None,
    /,
    *files: Path,
    quiet: bool = False,
    file: list[Path] | None = None,
    regexp_extended: bool = False,
    in_place: str | bool = False,
    separate: bool = False,
    null_data: bool = False,
    posix: bool = False,
    sandbox: bool = False,
    **_: object,
) -> Work | None:
    """Return how to edit a whole text of standard input, if the script is simple enough."""
    if files or file or separate or null_data or in_place is not False:
        return None
    parsed = parse_script(script_pieces(sh, script), regexp_extended, posix, sandbox)
    edits = chunk_edits(parsed, quiet)
    return None if edits is None else lambda text, tick: edit_whole_text(edits, text, tick)


USAGE_HINT = (
    "Usage: {0} [OPTION]... {{script-only-if-no-other-script}} [input-file]...\n"
    "Try '{0} --help' for more information."
)


@command(
    compatible="GNU sed 4.9",
    output=OutputStyle(write_error=(4, "couldn't flush stdout: {}")),
    style=OptionStyle(binds_by_key=False),
    whole=edit_whole,
    refusals=Refusals(usage_hint=USAGE_HINT),
    ignored="-u, --unbuffered; -b, --binary; --debug",
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
    sandbox: bool = False,
    follow_symlinks: bool = False,
) -> Iterator[str]:
    """Edit text line by line with a script.

    script                       the script (not with -e, -f)
    files ...                    files to read, - for standard input
    -n, --quiet, --silent        print only what the script prints
    -e, --expression SCRIPT      add SCRIPT to the commands
    -f, --file FILE              add the contents of FILE to the commands
    -E, -r, --regexp-extended    use extended regular expressions
    -i, --in-place[=SUFFIX]      edit files in place (with SUFFIX, keep a backup)
    -s, --separate               treat files as separate, not as one stream
    -z, --null-data              lines end with NUL, not newline
    -l, --line-length NUM        wrap the lines of `l` at NUM columns; 0 for never
    --posix                      disable all GNU extensions
    --sandbox                    reject the commands r, R, w and W
    --follow-symlinks            follow symbolic links to the files

    Commands: { } = a b c d D F g G h H i l n N p P q Q r R s t T v w W x y z : #
    (e is not supported). Addresses: N, $, /re/ and first~step; ranges addr,addr,
    0,/re/, addr,+N and addr,~N; append ! to negate.
    """
    try:
        parts = script_pieces(sh, script)
        parsed = parse_script(parts, regexp_extended, posix, sandbox)
    except ScriptError as error:
        raise sh.fail(str(error), PANIC_STATUS if isinstance(error, ScriptPanic) else 1) from None
    line_end = "\0" if null_data else "\n"
    edits = in_place is not False
    if edits and not files:
        raise sh.fail("no input files", PANIC_STATUS)
    inputs = SedInputs(
        sh, files, line_end, is_separate=separate, are_edited=edits, follows=follow_symlinks
    )
    whole_edits = None if edits or separate or null_data else chunk_edits(parsed, quiet)
    if whole_edits is not None:
        yield from edit_chunks(sh, inputs, whole_edits, keeps_all=parsed.steps[0].first is None)
        return
    code = compile_script(parsed, quiet or parsed.is_silent, posix, line_end)
    written = SedFiles(sh, parsed.written_paths, line_end, edits=edits)
    location = parts[-1].end_location()
    execution = Execution(
        sh, code, inputs, SedOutput(line_end), written, line_end, line_length, location
    )
    try:
        if edits:
            edit_files(sh, inputs, execution, "" if in_place is True else str(in_place), line_end)
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
    """Return the pieces of the script: the operand, or each -e and -f in order."""
    if script is not None:
        return [ScriptPiece(script)]
    parts: list[ScriptPiece] = []
    number = 0
    for option, values in sh.given:
        if option == "expression":
            for text in values:
                number += 1
                parts.append(ScriptPiece(text, number))
        elif option == "file":
            parts += [ScriptPiece(read_script_file(sh, path), path=path) for path in values]
    if not parts:
        raise UsageFailure("no script given")
    return parts


def read_script_file(sh: Call, path: str) -> str:
    """Read a script file."""
    if path == "-":
        return sh.stdin.read()
    try:
        with InputFile(sh, path) as reader:
            return reader.read()
    except OSError as error:
        raise sh.fail(f"couldn't open file {path}: {os_error_text(error)}", PANIC_STATUS) from None


def edit_chunks(
    sh: Call, inputs: SedInputs, edits: list[ChunkEdit], *, keeps_all: bool
) -> Iterator[str]:
    """Edit whole chunks of lines. If nothing is left of a chunk, `keeps_all` says that this is an
    empty line.
    """
    lacks_end = False  # whether the last line printed lacks its newline
    try:
        for chunk in inputs.chunks():
            text = apply_edits(edits, chunk, sh.tick)
            if text or keeps_all:
                yield f"\n{text}" if lacks_end else text
                lacks_end = not chunk.endswith("\n")
    except RegexLimit as limit:
        raise sh.fail(limit.message, PANIC_STATUS) from None
    finally:
        inputs.close()


def apply_edits(edits: list[ChunkEdit], text: str, tick: Callable[[], object]) -> str:
    """Apply the edits to a chunk of lines."""
    size = len(text)
    for edit in edits:
        text = edit(text, tick)
        if len(text) > size:
            check_space_size(text)
    return text


def edit_whole_text(
    edits: list[ChunkEdit], text: str, tick: Callable[[], object]
) -> tuple[str, int] | None:
    """Edit a whole text; returns the output and the status, or None if a pattern is too slow."""
    if not text:
        return "", 0  # there is no line
    try:
        return apply_edits(edits, text, tick), 0
    except RegexLimit:
        return None


def edit_files(
    sh: Call, inputs: SedInputs, execution: Execution, suffix: str, line_end: str
) -> None:
    """Edit each file in place."""
    while execution.open_next():
        file_edit = FileEdit(sh, inputs.name, suffix, line_end)
        is_done = False
        try:
            for text in execution.run_file(file_edit.output):
                file_edit.write(text)
            is_done = True
        finally:
            (file_edit.finish if is_done else file_edit.abandon)()
