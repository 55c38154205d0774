"""Aliases: the start of a command, compiled when it is defined, put in place when it is used."""

from __future__ import annotations

from keysh.compile.commands.full_command import perform_command, prefix_assignment
from keysh.compile.commands.redirections import compile_redirections
from keysh.diagnostics.diagnostic import Diagnostic
from keysh.diagnostics.exceptions import ScriptError
from keysh.interp.engine.before_command import admit_command, perform_admitted
from keysh.interp.run.control_flow import LimitReached
from keysh.interp.run.options import WATCHED_FLAGS
from keysh.syntax import ast
from keysh.values import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from keysh.compile.commands.alias_words import FollowingWords
    from keysh.compile.commands.redirections import RedirectAction
    from keysh.compile.context import CompileContext
    from keysh.interp.run.closures import Expression
    from keysh.interp.run.site import Site
    from keysh.interp.state.state import State

MAX_ALIAS_DEPTH = 100  # aliases that begin with aliases


class Alias:
    """Words, assignments and redirections that come before those of the command."""

    __slots__ = ("prefix", "redirects", "text", "words")

    def __init__(
        self,
        text: str,
        words: Expression,
        prefix: list[tuple[str, Expression]],
        redirects: list[RedirectAction],
    ) -> None:
        self.text, self.words, self.prefix, self.redirects = text, words, prefix, redirects

    def expansion(self, state: State) -> AliasExpansion:
        """What the alias stands for, with aliases at its start expanded too."""
        result = AliasExpansion(self.words(state), list(self.prefix), list(self.redirects))
        seen: list[Alias] = [self]
        while result.words and not isinstance(result.words[0], dict | list):
            text = state.aliases.get(text_of(result.words[0]))
            other: Alias | None = None if text is None else state.compiler.alias(text, state)
            if other is None or other in seen:
                break
            seen.append(other)
            if len(seen) > MAX_ALIAS_DEPTH:
                raise LimitReached("depth", len(seen), MAX_ALIAS_DEPTH)
            result.words = [*other.words(state), *result.words[1:]]
            result.prefix[:0], result.redirects[:0] = other.prefix, other.redirects
        return result

    def run(
        self,
        state: State,
        following: FollowingWords,
        prefix: Sequence[tuple[str, Expression]],
        redirects: Sequence[RedirectAction],
        site: Site,
    ) -> int:
        """Run the command made of the alias and the words after it."""
        expansion = self.expansion(state)
        words = [*expansion.words, *following.words(state, self)]
        assigned = [*expansion.prefix, *prefix]
        if not words:
            return 0
        shown, span = "" if assigned else None, state.span
        if state.flags & WATCHED_FLAGS and not admit_command(state, words, site, shown):
            return state.status
        state.last_words = words[-1:]
        made = [*expansion.redirects, *redirects]
        return perform_admitted(
            state, span, lambda: perform_command(state, words, assigned, made, site, False)
        )


class AliasExpansion:
    """The words, assignments and redirections that an alias stands for."""

    __slots__ = ("prefix", "redirects", "words")

    def __init__(
        self,
        words: list[Any],
        prefix: list[tuple[str, Expression]],
        redirects: list[RedirectAction],
    ) -> None:
        self.words, self.prefix, self.redirects = words, prefix, redirects


def compile_alias(script: ast.Script, context: CompileContext) -> Alias:
    """Compile the text of an alias; E112 if it is not the start of one simple command."""
    text = script.source.text
    commands = script.body.commands if script.body is not None else []
    if len(commands) == 1 and isinstance(commands[0], ast.Simple):
        node = commands[0]
        if any(isinstance(part, ast.Heredoc) for part in node.redirects):
            raise alias_error(script, "a heredoc cannot appear in an alias")
        return Alias(
            text,
            context.words(node.arguments, purpose="command"),
            [prefix_assignment(part, context) for part in node.assignments],
            compile_redirections(node.redirects, context),
        )
    if not commands:
        return Alias(text, lambda state: [], [], [])
    raise alias_error(script, "an alias must be the start of one command")


def alias_error(script: ast.Script, fact: str) -> ScriptError:
    """E112 for a text that cannot be an alias."""
    text = script.source.text
    fix = "a function: name() { …; }"
    return ScriptError([Diagnostic("E112", script.source, 0, len(text), fact, text, fix)])
