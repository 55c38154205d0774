"""Words behind an alias: where its text ends with a blank, the next word may be an alias too."""

from __future__ import annotations

from keysh.syntax import ast
from keysh.syntax.constants import constant_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from keysh.compile.context import CompileContext
    from keysh.interp.run.closures import Expression
    from keysh.interp.state.state import State


class FollowingWords:
    """The words of one command behind its name. How many are aliases is known when it runs."""

    __slots__ = ("_arguments", "_context", "_compiled", "_purpose")

    def __init__(
        self, arguments: Sequence[ast.Argument], context: CompileContext, purpose: str
    ) -> None:
        self._arguments, self._context, self._purpose = arguments, context, purpose
        self._compiled: dict[int, Expression] = {}

    def words(self, state: State, alias: Any) -> list[Any]:
        """What the words stand for behind an alias."""
        found: list[Any] = []
        at = 0
        while alias is not None and alias.text[-1:] in (" ", "\t") and at < len(self._arguments):
            alias = state.aliases.get(bare_text(self._arguments[at]))
            if alias is not None:
                found += alias.expansion(state).words
                at += 1
        return found + self._rest(state, at)

    def _rest(self, state: State, at: int) -> list[Any]:
        """The words from one on, which are no aliases."""
        read = self._compiled.get(at)
        if read is None:
            read = self._context.words(self._arguments[at:], purpose=self._purpose)
            self._compiled[at] = read
        made: list[Any] = read(state)
        return made


def bare_text(argument: ast.Argument) -> str:
    """The text of a word in which nothing is quoted or expanded, as an alias's name must be."""
    if not isinstance(argument, ast.Word):
        return ""
    is_bare = all(isinstance(part, ast.Text) for part in argument.parts)
    return (constant_text(argument) or "") if is_bare else ""
