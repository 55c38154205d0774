"""yq - filter and transform YAML, by the language of jq."""

from __future__ import annotations

from keysh.interp.state.call import os_error_text
from keysh.schema.declare import OptionStyle, Refusals, command
from keysh.text.chunks import bytes_of_text
from keysh.text.gnu_quoting import message_name
from keysh.tools.jq.command import compile_program, read_program_file
from keysh.tools.jq.compile.failure import JqError, LabelBreak, ProgramHalt
from keysh.tools.jq.run.files import JqInputs
from keysh.tools.jq.run.run import JqRun, slurp_values
from keysh.tools.jq.run.variables import command_line_variables
from keysh.tools.jq.values.number import LiteralFloat
from keysh.tools.jq.values.reader import JqParseError, JsonReader
from keysh.tools.jq.values.writer import JsonStyle, json_text
from keysh.tools.toyaml import yaml_text
from keysh.values import Numeral

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from keysh.interp.state.call import Call
    from keysh.schema.types import Pair, Path
    from keysh.tools.jq.compile.code import Filter, Value

EVALUATION_WORDS = ("e", "eval")  # `yq eval PROGRAM` is `yq PROGRAM`
DOCUMENT_SEPARATOR = "---\n"
FORMATS = {"y": "yaml", "yaml": "yaml", "j": "json", "json": "json"}
MAX_INDENT = 7


@command(
    refusals=Refusals(),
    style=OptionStyle(takes_code=True, binds_by_key=False),
    ignored="-P, --prettyPrint; -M, --no-colors; -C, --colors; -y, --yaml-output",
)
def yq(
    sh: Call,
    *words: Path,
    input_format: str = "yaml",
    output_format: str | None = None,
    unwrap_scalar: bool = False,
    inplace: bool = False,
    null_input: bool = False,
    exit_status: bool = False,
    indent: int = 2,
    no_doc: bool = False,
    slurp: bool = False,
    compact_output: bool = False,
    tojson: bool = False,
    from_file: str | None = None,
    arg: list[Pair] | None = None,
    argjson: list[Pair] | None = None,
) -> int:
    """Run a program in the language of jq on each YAML document in the files.

    words ...                  the program, then the files, standard input by
                               default; without a program the documents are printed
    -p, --input-format FORMAT  yaml (default) or json
    -o, --output-format FORMAT
                               yaml (default) or json
    -r, --unwrap-scalar, --unwrapScalar
                               with -o json, print strings without quotes
    -i, --inplace, --in-place  write the results to the first file
    -n, --null-input           run the program once with null as its input
    -e, --exit-status          exit with 1 if the last result is null or false
    -I, --indent NUM           indent JSON by NUM spaces, 2 by default; 0 is one
                               line
    -N, --no-doc               print no --- between the results of documents
    -s, --slurp                read all documents into one array
    -c, --compact-output       print JSON, each value on one line
    -j, --tojson               print JSON, like -o json
    --from-file FILE           read the program from FILE
    --arg NAME VALUE           set $NAME to the string VALUE
    --argjson NAME JSON        set $NAME to the value JSON

    The options are those of Mike Farah's yq, and jq's -s, -c and --arg. The program
    is one of jq, as in Andrey Kislyuk's yq; the other has operators of its own.
    """
    del arg, argjson  # `command_line_variables` reads them in their order
    operands = list(words)
    if operands[:1] and operands[0] in EVALUATION_WORDS:
        del operands[0]
    program = "."
    if from_file is not None:
        program = read_program_file(sh, from_file)
    elif operands and not (len(operands) == 1 and is_file(sh, operands[0])):
        program = operands.pop(0)
    is_json = compact_output or tojson or format_named(sh, output_format or "yaml") == "json"
    if not 0 <= indent <= MAX_INDENT:
        raise sh.fail(f"--indent takes a number between 0 and {MAX_INDENT}")
    if inplace and not operands:
        raise sh.fail("write in place flag only applicable when giving an expression and a file")
    variables, _ = command_line_variables(sh, operands)
    code = compile_program(sh, program, variables).code
    values = input_documents(sh, operands, format_named(sh, input_format) == "json")
    if slurp:
        values = slurp_values(values)
    run = YqRun(sh, code, values, variables, JsonStyle("" if compact_output else " " * indent))
    run.is_json, run.is_raw, run.has_separators = is_json, unwrap_scalar, not no_doc
    text = "".join(run.results(iter((None,)) if null_input else values))
    if sh.status or run.has_failed:
        return 1
    if inplace:
        write_file(sh, operands[0], text)
    else:
        sh.out.write(text)
    return int(exit_status and run.last in (None, False))


def is_file(sh: Call, name: str) -> bool:
    """Whether a single operand names a file; the program `.` names a directory."""
    return sh.exists(name) and not sh.is_directory(name)


def format_named(sh: Call, name: str) -> str:
    """Return a format by its name or abbreviation."""
    name = name.removeprefix("=")  # `-o=json`
    if name not in FORMATS:
        raise sh.fail(f"unknown format '{name}', please use [yaml|json]")
    return FORMATS[name]


def input_documents(sh: Call, files: list[str], is_json: bool) -> Iterator[object]:
    """Yield the documents in the files."""
    try:
        from keysh.tools.fromyaml.documents import documents  # noqa: PLC0415 - from an extra
    except ModuleNotFoundError:
        raise sh.fail("PyYAML is not installed\nfix: pip install 'keysh[yaml]'") from None
    for source in sh.inputs(files):
        text = source.read()
        try:
            if is_json:
                yield from JsonReader((text,))
            else:
                yield from map(jq_value, documents(text, sh.tick))
        except (ValueError, JqParseError) as error:
            kind = "JSON" if is_json else "YAML"
            raise sh.fail(f"{message_name(source.title)}: invalid {kind}: {error}") from None


def jq_value(value: object) -> object:
    """Return a value of YAML with numbers of jq, which keep their spelling."""
    if isinstance(value, dict):
        return {key: jq_value(item) for key, item in value.items()}
    if isinstance(value, list):
        return [jq_value(item) for item in value]
    if isinstance(value, Numeral):
        number = LiteralFloat(value.text)
        number.text = value.text
        return number
    return value


def yaml_value(value: object) -> object:
    """Return a value of jq with numbers as toyaml prints them."""
    if isinstance(value, dict):
        return {key: yaml_value(item) for key, item in value.items()}
    if isinstance(value, list):
        return [yaml_value(item) for item in value]
    return Numeral(value.text) if isinstance(value, LiteralFloat) else value


def write_file(sh: Call, name: str, text: str) -> None:
    """Replace the contents of a file."""
    try:
        with sh.open(name, "w") as stream:
            stream.write(bytes_of_text(text))
    except OSError as error:
        raise sh.fail(f"{message_name(name)}: {os_error_text(error)}") from None


class YqRun:
    """One run: the program, how results are printed, and the last of them."""

    __slots__ = (
        "_code", "_run", "_sh", "_style", "has_failed", "has_separators", "is_json", "is_raw",
        "last",
    )  # fmt: skip

    def __init__(
        self, sh: Call, code: Filter, inputs: Iterator[object], variables: Mapping[str, Value],
        style: JsonStyle,
    ) -> None:  # fmt: skip
        self._sh, self._code, self._style = sh, code, style
        source = JqInputs(iter(()))
        reader = JsonReader((), source)
        self._run = JqRun(sh, source, reader, inputs, variables, style, is_slurped=False)
        self.is_json = self.is_raw = self.has_failed = False
        self.has_separators = True
        self.last: Value = None

    def results(self, values: Iterator[object]) -> Iterator[str]:
        """Yield the text of the results of each document."""
        for number, value in enumerate(values):
            if number and self.has_separators and not self.is_json:
                yield DOCUMENT_SEPARATOR
            try:
                for result in self._code.many(value, self._run.root()):
                    self._sh.tick()
                    self.last = result
                    yield self._result_text(result)
            except JqError as error:
                self._report(error.value)
            except (RecursionError, LabelBreak):
                self._report("the program calls itself too deeply")
            except ProgramHalt as halt:
                self.has_failed = halt.status != 0
                return

    def _result_text(self, result: Value) -> str:
        """Return what is printed for a result."""
        if self.is_json:
            is_bare = self.is_raw and isinstance(result, str)
            return f"{result if is_bare else self._style.renderer(self._run)(result)}\n"
        if isinstance(result, str):
            return f"{result}\n"
        return yaml_text(self._sh, yaml_value(result))

    def _report(self, message: Value) -> None:
        text = message if isinstance(message, str) else json_text(message, self._run)
        self._sh.note(text)
        self.has_failed = True
