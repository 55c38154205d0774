"""jq - take JSON apart and put it together by a program."""

from __future__ import annotations

from keysh.interp.state.call import os_error_text
from keysh.schema.declare import OptionStyle, OutputStyle, Refusals, command
from keysh.tools.jq.compile.failure import JqError, JqProgramError
from keysh.tools.jq.compile.program import (
    COMPILE_STATUS,
    ProgramText,
    compile_error_text,
    program_of,
)
from keysh.tools.jq.run.files import JqInputs
from keysh.tools.jq.run.run import JqRun, RawLineReader, input_values
from keysh.tools.jq.run.session import JqSession
from keysh.tools.jq.run.variables import USAGE_HINT, command_line_variables
from keysh.tools.jq.values.reader import JsonReader
from keysh.tools.jq.values.writer import DEFAULT_COLOURS, JsonStyle, parse_palette

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator

    from keysh.interp.state.call import Call
    from keysh.schema.types import Pair, Path
    from keysh.tools.jq.compile.code import Filter, Value

OUTPUT_BATCH_CHARS = 32768  # characters that are given out at once
MAX_INDENT = 7


@command(
    output=OutputStyle(json=True, write_error=(2, "error: writing output failed: {}")),
    refusals=Refusals(
        usage_status=2, usage_hint=USAGE_HINT, unknown_option_error="Unknown option {}"
    ),
    style=OptionStyle(section_flags="args jsonargs", takes_code=True),
)  # takes_code: `-1` is a program, and so is `-(.a)`
def jq(
    sh: Call,
    program: ProgramText | None = None,
    /,
    *files: Path,
    from_file: str | None = None,
    null_input: bool = False,
    raw_input: bool = False,
    slurp: bool = False,
    stream: bool = False,
    seq: bool = False,
    compact_output: bool = False,
    raw_output: bool = False,
    raw_output0: bool = False,
    join_output: bool = False,
    ascii_output: bool = False,
    sort_keys: bool = False,
    color_output: bool = False,
    monochrome_output: bool = False,
    tab: bool = False,
    indent: int = 2,
    unbuffered: bool = False,
    library_path: list[Path] | None = None,
    exit_status: bool = False,
    arg: list[Pair] | None = None,
    argjson: list[Pair] | None = None,
    slurpfile: list[Pair] | None = None,
    rawfile: list[Pair] | None = None,
    args: bool = False,
    jsonargs: bool = False,
    version: bool = False,
) -> Generator[str, None, int]:
    """Run a program on each JSON value of files, or of standard input.

    program                   the program, in jq's language (not with -f); . where none is given
    files ...                 files to read, - for standard input
    -f, --from-file FILE      read the program from a file
    -n, --null-input          run the program once, on null; `input` and `inputs` read
    -R, --raw-input           take each line as a text, without reading JSON
    -s, --slurp               take all values as one array, or with -R all lines as one text
    --stream                  take values apart: `[path, leaf]` and `[path]` for an end
    --seq                     RS characters stand before values, in and out
    -c, --compact-output      print each value on one line
    -r, --raw-output          print texts as they are
    --raw-output0             the same, with NUL behind each instead of a newline
    -j, --join-output         the same, with nothing behind
    -a, --ascii-output        escape all that is not ASCII
    -S, --sort-keys           print the keys of objects in order
    -C, --color-output        print in colours, those of JQ_COLORS where it is set
    -M, --monochrome-output   print without colours
    --tab                     indent with tabs
    --indent NUM              indent by so many blanks, 0 to 7
    -L, --library-path FOLDER  ignored: modules are refused
    --unbuffered              print each value as soon as it is known
    -e, --exit-status         status 1 if the last value is null or false, 4 if there is none
    --arg NAME TEXT           set $NAME to a text
    --argjson NAME JSON       set $NAME to a value
    --slurpfile NAME FILE     set $NAME to an array of the values in a file
    --rawfile NAME FILE       set $NAME to the text of a file
    --args                    the operands behind it are texts for $ARGS, not files
    --jsonargs                the operands behind it are values for $ARGS, not files
    -V, --version             print the version of the language

    Errors of the program are status 5, a program that is none 3.
    """
    if version:
        yield "jq-1.7.1\n"
        return 0
    if not -1 <= indent <= MAX_INDENT:
        raise sh.fail(f"--indent takes a number between -1 and {MAX_INDENT}\n{USAGE_HINT}", 2)
    variables, count = command_line_variables(sh, files)
    text = read_program_file(sh, from_file) if from_file is not None else program or "."
    code = compile_program(sh, text, variables)
    palette = chosen_palette(sh) if color_output and not monochrome_output else None
    style = JsonStyle(
        chosen_indentation(sh), is_sorted=sort_keys, is_ascii=ascii_output, palette=palette
    )
    printed = style.renderer()
    is_raw = raw_output or raw_output0 or join_output
    end = "\0" if raw_output0 else "" if join_output else "\n"
    lead = "\x1e" if seq else ""

    def written(value: Value) -> str:
        """A result as it is printed."""
        if is_raw and value.__class__ is str:
            if raw_output0 and "\0" in value:
                raise JqError("Cannot dump a string containing NUL with --raw-output0 option")
            return (style.quote(value) if ascii_output else value) + end
        return lead + printed(value) + end

    says = "error: Could not open file {path}: {why}"
    source = JqInputs(sh.inputs(files[:count], says, reading="error: {why}"))
    chunks = source.chunks()
    if seq and not raw_input:  # RS separates values
        chunks = (chunk.replace("\x1e", " ") for chunk in chunks)
    reader = RawLineReader(chunks, source) if raw_input else JsonReader(chunks, source)
    inputs = input_values(reader, slurp=slurp, stream=stream)
    run = JqRun(sh, source, reader, inputs, variables, style, is_slurped=slurp)
    session = JqSession(sh, run, code, written, 1 if unbuffered else OUTPUT_BATCH_CHARS)
    yield from session.outputs(iter((None,)) if null_input else inputs)
    return session.exit_status() if exit_status else max(session.status, 0)


def chosen_indentation(sh: Call) -> str:
    """What a level is indented with: the option that comes last counts."""
    made = "  "
    for option, value in sh.given:
        if option == "compact_output":
            made = ""
        elif option == "tab" or (option == "indent" and value < 0):
            made = "\t"
        elif option == "indent":
            made = " " * value
    return made


def read_program_file(sh: Call, path: str) -> str:
    """The program that a file holds."""
    try:
        with sh.open(path) as stream:
            return stream.read().decode("utf-8", "replace")
    except OSError as error:
        raise sh.fail(f"Could not open {path}: {os_error_text(error)}", 2) from None


def compile_program(sh: Call, text: str, variables: dict[str, Value]) -> Filter:
    """A program's code; what it reads must be given."""
    try:
        program = program_of(text)
        messages = program.missing(variables)
    except JqProgramError as error:
        messages = error.messages
    if messages:
        raise sh.fail(compile_error_text(messages).removeprefix("jq: "), COMPILE_STATUS)
    return program.code


def chosen_palette(sh: Call) -> dict[str, str] | None:
    """The colours to print in."""
    palette = parse_palette(sh.env.get("JQ_COLORS", ""))
    if palette is None:
        sh.err.write("Failed to set $JQ_COLORS\n")
        palette = parse_palette(DEFAULT_COLOURS)
    return palette
