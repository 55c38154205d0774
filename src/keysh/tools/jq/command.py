"""jq - filter and transform JSON."""

from __future__ import annotations

from keysh.interp.state.call import os_error_text
from keysh.schema.declare import OptionStyle, OutputStyle, Refusals, command
from keysh.tools.jq.compile.failure import JqError, JqProgramError
from keysh.tools.jq.compile.program import (
    COMPILE_STATUS,
    JqProgram,
    ProgramText,
    compile_error_text,
    program_of,
)
from keysh.tools.jq.run.files import JqInputs
from keysh.tools.jq.run.run import JqRun, RawLineReader, input_values
from keysh.tools.jq.run.session import JqSession
from keysh.tools.jq.run.variables import USAGE_HINT, command_line_variables
from keysh.tools.jq.values.reader import JsonReader
from keysh.tools.jq.values.writer import DEFAULT_COLORS, JsonStyle, parse_palette

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Generator

    from keysh.interp.state.call import Call
    from keysh.schema.types import Pair, Path
    from keysh.tools.jq.compile.code import Value

OUTPUT_BATCH_CHARS = 32768  # characters of output yielded at once
MAX_INDENT = 7


@command(
    compatible="jq 1.6",
    output=OutputStyle(json=True, write_error=(2, "error: writing output failed: {}")),
    refusals=Refusals(
        usage_status=2, usage_hint=USAGE_HINT, unknown_option_error="Unknown option {}"
    ),
    style=OptionStyle(section_flags="args jsonargs", takes_code=True),
    ignored="-L, --library-path DIR",
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
    exit_status: bool = False,
    arg: list[Pair] | None = None,
    argjson: list[Pair] | None = None,
    slurpfile: list[Pair] | None = None,
    rawfile: list[Pair] | None = None,
    args: bool = False,
    jsonargs: bool = False,
    version: bool = False,
) -> Generator[str, None, int]:
    """Run a jq program on each JSON value read from the files or standard input.

    program                   the program to run, . by default (not with -f)
    files ...                 files to read, - for standard input
    -f, --from-file FILE      read the program from FILE
    -n, --null-input          run the program once with null as its input
    -R, --raw-input           read each line as a string instead of JSON
    -s, --slurp               read all inputs into one array (with -R, one string)
    --stream                  parse the input into [path, leaf] and [path] events
    --seq                     print an RS character before each value; ignore those
                              in the input
    -c, --compact-output      print each value on one line
    -r, --raw-output          print strings without quotes
    --raw-output0             like -r, but end each output with NUL, not a newline
    -j, --join-output         like -r, but print nothing after each output
    -a, --ascii-output        escape non-ASCII characters
    -S, --sort-keys           sort the keys of objects
    -C, --color-output        color the output, as JQ_COLORS says if it is set
    -M, --monochrome-output   do not color the output
    --tab                     indent with tabs
    --indent NUM              indent by NUM spaces, 0 to 7
    --unbuffered              flush the output after each value
    -e, --exit-status         exit with 1 if the last output is null or false, and
                              with 4 if there is none
    --arg NAME VALUE          set $NAME to the string VALUE
    --argjson NAME JSON       set $NAME to the value JSON
    --slurpfile NAME FILE     set $NAME to an array of the JSON values in FILE
    --rawfile NAME FILE       set $NAME to the contents of FILE
    --args                    treat the remaining operands as strings in $ARGS
    --jsonargs                treat the remaining operands as JSON values in $ARGS
    -V, --version             print the version of jq whose language this is

    The status is 5 if the program fails, and 3 if it does not compile.
    """
    if version:
        yield "jq-1.7.1\n"
        return 0
    if not -1 <= indent <= MAX_INDENT:
        raise sh.fail(f"--indent takes a number between -1 and {MAX_INDENT}\n{USAGE_HINT}", 2)
    variables, count = command_line_variables(sh, files)
    text = read_program_file(sh, from_file) if from_file is not None else program or "."
    compiled = compile_program(sh, text, variables)
    palette = chosen_palette(sh) if color_output and not monochrome_output else None
    style = JsonStyle(
        chosen_indentation(sh), is_sorted=sort_keys, is_ascii=ascii_output, palette=palette
    )
    is_raw = raw_output or raw_output0 or join_output
    line_end = "\0" if raw_output0 else "" if join_output else "\n"
    lead = "\x1e" if seq else ""

    def format_result(value: Value) -> str:
        """Return the text to print for a result."""
        if is_raw and value.__class__ is str:
            if raw_output0 and "\0" in value:
                raise JqError("Cannot dump a string containing NUL with --raw-output0 option")
            return (style.quote(value) if ascii_output else value) + line_end
        return lead + render(value) + line_end

    open_error = "error: Could not open file {path}: {why}"
    source = JqInputs(sh.inputs(files[:count], open_error, reading="error: {why}"))
    chunks = source.chunks()
    if seq and not raw_input:  # RS separates values
        chunks = (chunk.replace("\x1e", " ") for chunk in chunks)
    reader = RawLineReader(chunks, source) if raw_input else JsonReader(chunks, source, sh.reserve)
    inputs = input_values(reader, slurp=slurp, stream=stream)
    run = JqRun(sh, source, reader, inputs, variables, style, is_slurped=slurp)
    if not stream and not slurp:
        run.expansion = compiled.expansion
    render = style.renderer(run)
    session = JqSession(
        sh, run, compiled.code, format_result, 1 if unbuffered else OUTPUT_BATCH_CHARS
    )
    yield from session.outputs(iter((None,)) if null_input else inputs)
    return session.exit_status() if exit_status else max(session.status, 0)


def chosen_indentation(sh: Call) -> str:
    """Return the indentation of one level; the last option given wins."""
    indent = "  "
    for option, value in sh.given:
        if option == "compact_output":
            indent = ""
        elif option == "tab" or (option == "indent" and value < 0):
            indent = "\t"
        elif option == "indent":
            indent = " " * value
    return indent


def read_program_file(sh: Call, path: str) -> str:
    """Read the program from a file."""
    try:
        with sh.open_reader(path) as reader:
            return reader.read_data().decode("utf-8", "replace")
    except OSError as error:
        raise sh.fail(f"Could not open {path}: {os_error_text(error)}", 2) from None


def compile_program(sh: Call, text: str, variables: dict[str, Value]) -> JqProgram:
    """Compile the program, and fail if it reads a variable that is not set."""
    try:
        program = program_of(text)
        messages = program.undefined_messages(variables)
    except JqProgramError as error:
        messages = error.messages
    if messages:
        raise sh.fail(compile_error_text(messages).removeprefix("jq: "), COMPILE_STATUS)
    return program


def chosen_palette(sh: Call) -> dict[str, str] | None:
    """Return the colors of JQ_COLORS, or jq's own with a warning if they are malformed."""
    palette = parse_palette(sh.env.get("JQ_COLORS", ""))
    if palette is None:
        sh.complain("Failed to set $JQ_COLORS")
        palette = parse_palette(DEFAULT_COLORS)
    return palette
