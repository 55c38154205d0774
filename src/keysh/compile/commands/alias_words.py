"""Words after an alias: where the alias ends with a blank, the next word may be an alias too."""

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
    """The words after the name of a command. How many are aliases is known when it runs."""

    __slots__ = ("_arguments", "_context", "_compiled", "_purpose")

    def __init__(
        self, arguments: Sequence[ast.Argument], context: CompileContext, purpose: str
    ) -> None:
        self._arguments, self._context, self._purpose = arguments, context, purpose
        self._compiled: dict[int, Expression] = {}

    def words(self, state: State, alias: Any) -> list[Any]:
        """The words that follow an alias, expanded."""
        expanded: list[Any] = []
        index = 0
        while alias is not None and alias.text[-1:] in (" ", "\t") and index < len(self._arguments):
            text = state.aliases.get(bare_text(self._arguments[index]))
            alias = None if text is None else state.compiler.alias(text, state)
            if alias is not None:
                expanded += alias.expansion(state).words
                index += 1
        return expanded + self._rest(state, index)

    def _rest(self, state: State, index: int) -> list[Any]:
        """The words from an index on, which are no aliases."""
        read = self._compiled.get(index)
        if read is None:
            read = self._context.words(self._arguments[index:], purpose=self._purpose)
            self._compiled[index] = read
        words: list[Any] = read(state)
        return words


def bare_text(argument: ast.Argument) -> str:
    """The text of a word without quotes and expansions, as an alias's name must be; else empty."""
    if not isinstance(argument, ast.Word):
        return ""
    is_bare = all(isinstance(part, ast.Text) for part in argument.parts)
    return (constant_text(argument) or "") if is_bare else ""
