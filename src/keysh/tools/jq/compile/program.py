"""Programs: a text that is compiled once, and its type as a parameter of a command."""

from __future__ import annotations

from keysh.schema.types import Code as CodeType
from keysh.schema.types import UnfitValue
from keysh.tools.jq.compile.compiler import JqCompiler
from keysh.tools.jq.compile.failure import JqProgramError, located_message
from keysh.tools.jq.compile.scope import JqScope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, TypeAlias

    from keysh.tools.jq.compile.code import Filter

MAX_CACHED_PROGRAMS = 256  # programs that a process remembers
CACHED_PROGRAMS: dict[str, JqProgram] = {}  # by their text, the last used last

COMPILE_STATUS = 3


class JqProgram:
    """A compiled program, and the variables from outside that it reads, each with a place."""

    __slots__ = ("code", "text", "variables")

    def __init__(self, text: str) -> None:
        compiler = JqCompiler(text)
        try:
            self.code: Filter = compiler.compile_program(JqScope(None, ""))
        except RecursionError:
            raise JqProgramError(["jq: error: the program nests too deep"]) from None
        self.text, self.variables = text, compiler.variables

    def missing(self, given: Mapping[str, Any]) -> list[str]:
        """What is wrong with the variables, if one that the program reads is not given."""
        return [
            located_message(self.text, f"${name} is not defined", at)
            for name, at in self.variables
            if name not in given and name != "ENV"
        ]


def program_of(text: str) -> JqProgram:
    """The program of a text; ProgramError."""
    program = CACHED_PROGRAMS.pop(text, None)
    if program is None:
        program = JqProgram(text)
        while len(CACHED_PROGRAMS) >= MAX_CACHED_PROGRAMS:
            CACHED_PROGRAMS.pop(next(iter(CACHED_PROGRAMS), ""), None)
    CACHED_PROGRAMS[text] = program
    return program


def compile_error_text(messages: list[str]) -> str:
    """What jq prints where a program does not compile."""
    plural = "" if len(messages) == 1 else "s"
    return "\n".join([*messages, f"jq: {len(messages)} compile error{plural}"])


class InvalidJqProgram(UnfitValue):
    """A text that is no program; the message is jq's own."""

    status = COMPILE_STATUS

    def __init__(self, error: JqProgramError, text: str) -> None:
        super().__init__("a jq program", text)
        self.error = error

    def message_for(self, what: str) -> str:
        return compile_error_text(self.error.messages).removeprefix("jq: ")


class JqProgramType(CodeType):
    """A jq program."""

    __slots__ = ()

    def parse(self, text: str) -> str:
        try:
            program_of(text)
        except JqProgramError as error:
            raise InvalidJqProgram(error, text) from None
        return text


PROGRAM = JqProgramType("jq", program_of)
if TYPE_CHECKING:
    ProgramText: TypeAlias = str
else:
    ProgramText = PROGRAM
