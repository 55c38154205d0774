"""awk - a language for records and fields; gawk is the same command."""

from __future__ import annotations

from functools import lru_cache

from keysh.gnu.input_files import InputFile
from keysh.interp.state.call import os_error_text
from keysh.schema.arguments import expanded_texts
from keysh.schema.declare import command
from keysh.schema.types import Code
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

SUFFIX_VARIABLE = "INPLACE_SUFFIX"  # the variable that asks for backups of what is edited


@lru_cache(maxsize=128)
def tree_of(text: str) -> Program:
    """The tree of a program; the last ones used are remembered."""
    return parse_program(text)


@lru_cache(maxsize=128)
def code_of(text: str, open_names: frozenset[str], *, edits: bool = False) -> CompiledProgram:
    """The code of a program, whose variables of these names are assigned from outside, and which
    may edit the files that it reads.
    """
    return compile_program(tree_of(text), open_names, edits=edits)


class AwkCode(Code):
    """A program as an operand: what is wrong with it is said in awk's own words."""

    __slots__ = ()

    def parse(self, text: str) -> str:
        code_of(text, frozenset())
        return text


if TYPE_CHECKING:
    AwkProgram: TypeAlias = str
else:
    AwkProgram = AwkCode("awk", tree_of)


@command(names=False, unwritten=(1, "warning: error writing standard output: {}"))
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
    re_interval: bool = False,
    optimize: bool = False,
    no_optimize: bool = False,
) -> Iterator[str] | int:
    r"""Run a program over the records of files, or of standard input.

    program                       rules: pattern { action } (not with -f, -e)
    arguments ...                 files to read, - for standard input, and variables to set
                                  before the next file is read: name=value
    -v, --assign NAME=VALUE       set a variable before the program begins
    -F, --field-separator FS      what stands between fields
    -f, --file FILE               read the program from a file; again, and it goes on there
    -i, --include inplace         what is printed while a file is read takes its place; with
                                  -v INPLACE_SUFFIX=.bak the file stays under another name
    -k, --csv                     records and fields as CSV has them, in quotes or without
    -e, --source TEXT             a part of the program, in the same way
    -r, --re-interval             ignored: /a{2}/ is always read so
    -O, --optimize                ignored
    -s, --no-optimize             ignored

    awk '{ print $2 }'            awk -F: '$3 >= 1000 { n++ } END { print n }' /etc/passwd
    """
    place, text = ("cmd. line", program) if program is not None else program_text(sh)
    operands = expanded_texts(arguments)
    given = [parse_assign_option(sh, one) for one in assign or ()]
    names = {name for name, _ in given}
    names |= {
        found[1] for found in map(ASSIGNMENT_PATTERN.fullmatch, operands) if found is not None
    }
    try:
        code = code_of(text, frozenset(names), edits=include is not None)
    except AwkProgramError as bad:
        message = bad.message.replace("cmd. line:", f"{place}:")
        raise sh.fail(message, bad.status) from None
    machine = AwkMachine(sh, is_pulled=code.is_pulled, one_by_one=code.one_by_one, is_csv=csv)
    machine.assignments = given
    machine.source_name, machine.source_lines = place, code.source_lines
    for line, says in code.warnings:
        machine.warn_once(says, f"{place}:{line}: ")
    if include is not None:
        machine.input.in_place = InPlaceEditor(machine, dict(given).get(SUFFIX_VARIABLE, ""))
    machine.fill_arrays(operands)
    if field_separator is not None:
        try:
            machine.set("FS", machine.unescape_argument(field_separator))
        except AwkFatal as problem:
            raise sh.fail(f"fatal: {problem.message}", 2) from None
    return (run_pulled if code.is_pulled else run_pushed)(machine, code)


def program_text(sh: Call) -> tuple[str, str]:
    """The program that -f and -e give, part by part, and what messages call its place."""
    parts: list[str] = []
    place = "cmd. line"
    for option, values in sh.given:
        if option == "source":
            parts += values
        for path in values if option == "file" else ():
            try:
                with InputFile(sh, path) as reader:
                    parts.append(reader.read())
            except OSError as error:
                says = (
                    f"fatal: cannot open source file `{path}' for reading: {os_error_text(error)}"
                )
                raise sh.fail(says, 2) from None
            place = path
    return place if len(parts) == 1 else "cmd. line", "\n".join(parts)


def parse_assign_option(sh: Call, text: str) -> tuple[str, str]:
    """The name and the text of `-v name=text`."""
    if text.startswith("inplace::suffix="):  # the newer name of the same
        text = f"{SUFFIX_VARIABLE}={text.partition('=')[2]}"
    found = ASSIGNMENT_PATTERN.fullmatch(text)
    name, equals, _ = text.partition("=")
    if not equals:
        raise sh.fail(f"`{text}' argument to `-v' not in `var=value' form", 1)
    if found is None:
        raise sh.fail(f"fatal: `{name}' is not a legal variable name", 2)
    if name in BUILTIN_FUNCTIONS or name in KEYWORDS:
        raise sh.fail(f"fatal: cannot use gawk builtin `{name}' as variable name", 2)
    return found[1], found[2]
