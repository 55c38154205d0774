"""awk - scan and process lines with patterns and fields; gawk, mawk and nawk are it too."""

from __future__ import annotations

from keysh.gnu.input_files import InputFile
from keysh.interp.state.call import os_error_text
from keysh.schema.arguments import expanded_texts
from keysh.schema.declare import OptionStyle, OutputStyle, Refusals, command
from keysh.schema.types import Code
from keysh.text.cache import TextCache
from keysh.tools.awk.generate.compiler import compile_program
from keysh.tools.awk.parse.lexer import BUILTIN_FUNCTIONS, KEYWORDS, AwkProgramError
from keysh.tools.awk.parse.parser import parse_program
from keysh.tools.awk.parse.problem import AwkFatal
from keysh.tools.awk.run.execution import run_pulled, run_pushed
from keysh.tools.awk.run.in_place import InPlaceEditor
from keysh.tools.awk.run.input import ASSIGNMENT_PATTERN
from keysh.tools.awk.run.machine import AwkMachine

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Literal, TypeAlias

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path, Raw
    from keysh.tools.awk.generate.compiler import CompiledProgram
    from keysh.tools.awk.parse.tree import Program

# By text, and by text and names.
TREES, PROGRAMS = TextCache(500), TextCache(500)
SUFFIX_VARIABLE = "INPLACE_SUFFIX"  # the variable that sets the suffix of backups


def tree_of(text: str) -> Program:
    """Return the syntax tree of a program."""
    return TREES.get_or_make(text, lambda: parse_program(text))


def code_of(text: str, open_names: frozenset[str], *, edits: bool = False) -> CompiledProgram:
    """Return the compiled program. `open_names` are variables assigned from outside.

    With `edits` the program may replace the files that it reads.
    """
    return PROGRAMS.get_or_make(
        (text, open_names, edits),
        lambda: compile_program(tree_of(text), open_names, edits=edits),
    )


class AwkCode(Code):
    """A program as an operand. Errors in it are reported in awk's own words."""

    __slots__ = ()

    def parse(self, text: str) -> str:
        code_of(text, frozenset())
        return text


if TYPE_CHECKING:
    AwkProgram: TypeAlias = str
else:
    AwkProgram = AwkCode("awk", tree_of)


USAGE_HINT = (
    "Usage: {0} [POSIX or GNU style options] -f progfile [--] file ...\n"
    "Usage: {0} [POSIX or GNU style options] [--] 'program' file ...\n"
    "Try '{0} --help' for more information."
)


@command(
    compatible="GNU Awk 5.2.1",
    output=OutputStyle(write_error=(1, "warning: error writing standard output: {}")),
    style=OptionStyle(binds_by_key=False),
    refusals=Refusals(usage_hint=USAGE_HINT),
    ignored="-r, --re-interval; -O, --optimize; -s, --no-optimize",
)
def awk(
    sh: Call,
    program: AwkProgram | None,
    /,
    *arguments: Raw,
    assign: list[str] | None = None,
    field_separator: str | None = None,
    file: list[Path] | None = None,
    include: Literal["inplace"] | None = None,
    csv: bool = False,
    source: list[str] | None = None,
) -> Iterator[str] | int:
    r"""Scan files or standard input for patterns, and process the lines that match.

    program                   rules: pattern { action } (not with -f, -e)
    arguments ...             files to read, - for standard input, or NAME=VALUE to
                              set a variable before the next file is read
    -v, --assign NAME=VALUE   set a variable before the program begins
    -F, --field-separator FS  separate fields by FS
    -f, --file FILE           read the program from FILE; may be given again
    -i, --include inplace     replace each file by what is printed while it is read;
                              -v INPLACE_SUFFIX=.bak keeps a backup
    -k, --csv                 parse records and fields as CSV
    -e, --source TEXT         use TEXT as part of the program; may be given again

    awk '{ print $2 }'      awk -F: '$3 >= 1000 { n++ } END { print n }' /etc/passwd
    """
    source_name, text = ("cmd. line", program) if program is not None else program_text(sh)
    operands = expanded_texts(arguments)
    assignments = [parse_assign_option(sh, each) for each in assign or ()]
    names = {name for name, _ in assignments}
    names |= {
        match[1] for match in map(ASSIGNMENT_PATTERN.fullmatch, operands) if match is not None
    }
    try:
        code = code_of(text, frozenset(names), edits=include is not None)
    except AwkProgramError as bad:
        message = bad.message.replace("cmd. line:", f"{source_name}:")
        raise sh.fail(message, bad.status) from None
    machine = AwkMachine(sh, is_pulled=code.is_pulled, one_by_one=code.one_by_one, is_csv=csv)
    machine.assignments = assignments
    machine.source_name, machine.source_lines = source_name, code.source_lines
    for line, message in code.warnings:
        machine.warn_once(message, f"{source_name}:{line}: ")
    if include is not None:
        machine.input.in_place = InPlaceEditor(machine, dict(assignments).get(SUFFIX_VARIABLE, ""))
    machine.fill_arrays(operands)
    if field_separator is not None:
        try:
            machine.set("FS", machine.unescape_argument(field_separator))
        except AwkFatal as problem:
            raise sh.fail(f"fatal: {problem.message}", 2) from None
    return (run_pulled if code.is_pulled else run_pushed)(machine, code)


def program_text(sh: Call) -> tuple[str, str]:
    """Return the name that messages use for the program of -f and -e, and its text."""
    parts: list[str] = []
    source_name = "cmd. line"
    for option, values in sh.given:
        if option == "source":
            parts += values
        for path in values if option == "file" else ():
            try:
                with InputFile(sh, path) as reader:
                    parts.append(reader.read())
            except OSError as error:
                message = (
                    f"fatal: cannot open source file `{path}' for reading: {os_error_text(error)}"
                )
                raise sh.fail(message, 2) from None
            source_name = path
    return source_name if len(parts) == 1 else "cmd. line", "\n".join(parts)


def parse_assign_option(sh: Call, text: str) -> tuple[str, str]:
    """Split `name=text`, the argument of -v."""
    if text.startswith("inplace::suffix="):  # gawk's newer name of the same variable
        text = f"{SUFFIX_VARIABLE}={text.partition('=')[2]}"
    match = ASSIGNMENT_PATTERN.fullmatch(text)
    name, equals, _ = text.partition("=")
    if not equals:
        raise sh.fail(f"`{text}' argument to `-v' not in `var=value' form", 1)
    if match is None:
        raise sh.fail(f"fatal: `{name}' is not a legal variable name", 2)
    if name in BUILTIN_FUNCTIONS or name in KEYWORDS:
        raise sh.fail(f"fatal: cannot use gawk builtin `{name}' as variable name", 2)
    return match[1], match[2]
