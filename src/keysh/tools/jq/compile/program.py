"""Programs, compiled once and cached by their text, and the parameter type for them."""

from __future__ import annotations

from keysh.schema.types import Code as CodeType
from keysh.schema.types import UnfitValue
from keysh.text.cache import TextCache
from keysh.tools.jq.compile.compiler import JqCompiler
from keysh.tools.jq.compile.expansion import expansion_of
from keysh.tools.jq.compile.failure import JqProgramError, located_message
from keysh.tools.jq.compile.scope import JqScope
from keysh.tools.jq.parse.parser import parse_program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, TypeAlias

    from keysh.tools.jq.compile.code import Filter

PROGRAMS = TextCache(500)
COMPILE_STATUS = 3  # of a program that does not compile


class JqProgram:
    """A compiled program, and the external variables that it reads, each with its offset.

    `expansion` is how many times its input its results can be together, at most.
    """

    __slots__ = ("code", "expansion", "text", "variables")

    def __init__(self, text: str) -> None:
        compiler = JqCompiler(text)
        try:
            tree = parse_program(text)
            self.code: Filter = compiler.compile_program(tree, JqScope(None, ""))
            self.expansion = expansion_of(tree)
        except RecursionError:
            raise JqProgramError(["jq: error: the program nests too deep"]) from None
        self.text, self.variables = text, compiler.variables

    def undefined_messages(self, variables: Mapping[str, Any]) -> list[str]:
        """Return an error message for each variable that the program reads but that is not set."""
        return [
            located_message(self.text, f"${name} is not defined", offset)
            for name, offset in self.variables
            if name not in variables and name != "ENV"
        ]


def program_of(text: str) -> JqProgram:
    """Compile a program, or return the cached one; raises JqProgramError."""
    return PROGRAMS.get_or_make(text, lambda: JqProgram(text))


def compile_error_text(messages: list[str]) -> str:
    """Return what jq prints if a program does not compile."""
    plural = "" if len(messages) == 1 else "s"
    return "\n".join([*messages, f"jq: {len(messages)} compile error{plural}"])


class InvalidJqProgram(UnfitValue):
    """A program that does not compile, with jq's own message."""

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
