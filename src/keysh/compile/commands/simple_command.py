"""Simple commands: assignments, words, redirections.

The words are expanded, the redirections are made, the assignments are set, and the name decides
what runs. Each closure sets the status in the state. A diagnostic fails the command only; a failure
that nothing tests ends the run under `set -e`.
"""

from __future__ import annotations

from keysh.compile.commands.command_status import without_errexit
from keysh.compile.commands.fast_builtins import fast_command
from keysh.compile.lazy_compiler import LazyCompiler
from keysh.syntax import ast
from keysh.syntax.constants import constant_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

    from keysh.compile.context import CompileContext
    from keysh.interp.run.closures import Body

    LazyCommand: TypeAlias = LazyCompiler[[ast.Simple, CompileContext, bool], Body]

assignment_command: LazyCommand = LazyCompiler("commands.assignments.assignment_command")
bare_redirections: LazyCommand = LazyCompiler("commands.redirections.bare_redirections")
closing_word_descriptors: LazyCompiler[[Body], Body] = LazyCompiler(
    "commands.redirections.closing_word_descriptors"
)
plain_command: LazyCompiler[[str, ast.Simple, CompileContext, bool], Body] = LazyCompiler(
    "commands.plain_command.plain_command"
)
full_command: LazyCommand = LazyCompiler("commands.full_command.full_command")
holds_substitution: LazyCompiler[[ast.Simple], bool] = LazyCompiler(
    "words.word_analysis.holds_substitution"
)
holds_process_substitution: LazyCompiler[[ast.Simple], bool] = LazyCompiler(
    "words.word_analysis.holds_process_substitution"
)


def simple_command(node: ast.Simple, context: CompileContext, tested: bool) -> Body:
    """Compile a simple command."""
    body = cheapest_command(node, context, tested)
    if has_only_constant_words(node):
        return body
    if tested and holds_substitution(node):
        body = without_errexit(body)  # its `$(…)` are tested with it
    return closing_word_descriptors(body) if holds_process_substitution(node) else body


def has_only_constant_words(node: ast.Simple) -> bool:
    """Whether a command is only constant words, a cheap test that most pass."""
    if node.redirects or node.assignments:
        return False
    return all(constant_text(argument) is not None for argument in node.arguments)


def cheapest_command(node: ast.Simple, context: CompileContext, tested: bool) -> Body:
    """Compile a command in the fastest form that covers it."""
    if not node.arguments:
        if node.redirects:
            return bare_redirections(node, context, tested)
        return assignment_command(node, context, tested)
    name = None if node.redirects else constant_text(node.arguments[0])
    if name is not None:
        fast = fast_command(name, node, context, tested)
        if fast is not None:
            return fast
        if not node.assignments:
            return plain_command(name, node, context, tested)
    return full_command(node, context, tested)
