"""Programs: a text that is compiled once, and its type as a parameter of a command."""

from __future__ import annotations

from keysh.schema.types import Code as CodeType
from keysh.schema.types import Unfit
from keysh.tools.jq.compile.compiler import Compiler
from keysh.tools.jq.compile.failure import ProgramError, located
from keysh.tools.jq.compile.scope import Scope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, TypeAlias

    from keysh.tools.jq.compile.code import Code

MOST_KEPT = 256  # programs that a process remembers
COMPILED: dict[str, Program] = {}  # by their text, the last used last

COMPILE_STATUS = 3


class Program:
    """A compiled program, and the variables from outside that it reads, each with a place."""

    __slots__ = ("code", "text", "variables")

    def __init__(self, text: str) -> None:
        compiler = Compiler(text)
        try:
            self.code: Code = compiler.whole(Scope(None, ""))
        except RecursionError:
            raise ProgramError(["jq: error: the program nests too deep"]) from None
        self.text, self.variables = text, compiler.variables

    def missing(self, given: Mapping[str, Any]) -> list[str]:
        """What is wrong with the variables, if one that the program reads is not given."""
        return [
            located(self.text, f"${name} is not defined", at)
            for name, at in self.variables
            if name not in given and name != "ENV"
        ]


def program_of(text: str) -> Program:
    """The program of a text; ProgramError."""
    program = COMPILED.pop(text, None)
    if program is None:
        program = Program(text)
        while len(COMPILED) >= MOST_KEPT:
            COMPILED.pop(next(iter(COMPILED), ""), None)
    COMPILED[text] = program
    return program


def explained(messages: list[str]) -> str:
    """What jq prints where a program does not compile."""
    plural = "" if len(messages) == 1 else "s"
    return "\n".join([*messages, f"jq: {len(messages)} compile error{plural}"])


class UnfitProgram(Unfit):
    """A text that is no program; the message is jq's own."""

    status = COMPILE_STATUS

    def __init__(self, error: ProgramError, text: str) -> None:
        super().__init__("a jq program", text)
        self.error = error

    def says(self, what: str) -> str:
        return explained(self.error.messages).removeprefix("jq: ")


class ProgramType(CodeType):
    """A jq program."""

    __slots__ = ()

    def parse(self, text: str) -> str:
        try:
            program_of(text)
        except ProgramError as error:
            raise UnfitProgram(error, text) from None
        return text


PROGRAM = ProgramType("jq", program_of)
if TYPE_CHECKING:
    ProgramText: TypeAlias = str
else:
    ProgramText = PROGRAM
