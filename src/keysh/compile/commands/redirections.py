"""Redirections: `>`, `<`, `<<`, `>&`, `{fd}>`, and the commands that consist of them.

Each becomes a closure that changes the state's descriptor table (interp/streams/descriptor_table).
"""

from __future__ import annotations

from keysh.compile.commands.assignments import compile_assignment
from keysh.compile.commands.command_status import settle
from keysh.compile.words.word_analysis import all_mark, has_braces, has_glob, stands_for_all
from keysh.diagnostics.dialect import BASH
from keysh.diagnostics.display import visible
from keysh.interp.run.pipe_status import fresh_pipe_status
from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic
from keysh.interp.run.site import Site
from keysh.interp.state.call import CommandFailure
from keysh.interp.streams.descriptor_table import (
    begin_redirects,
    connect_descriptor,
    copy_descriptor,
    free_descriptor_number,
    open_descriptor,
    redirect_from_text,
    redirect_to_file,
    undo_redirects,
)
from keysh.interp.variables.value_paths import text_path_value, write_path
from keysh.interp.words.word_splitting import refuse_lines
from keysh.schema.arguments import GlobArgument
from keysh.syntax import ast
from keysh.syntax.constants import constant_text
from keysh.text.shell_numbers import bounded_number, is_digits
from keysh.values import ABSENT, CONTAINERS, text_of, type_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from keysh.compile.context import CompileContext
    from keysh.diagnostics.source import Source
    from keysh.interp.run.closures import Body, Expression
    from keysh.interp.state.state import State
    from keysh.syntax.node import Node

    RedirectAction: TypeAlias = Callable[[State], object]


def compile_redirections(
    nodes: Sequence[ast.Redirection], context: CompileContext
) -> list[RedirectAction]:
    """Compile the redirections of a command, in order."""
    return [compile_redirection(node, context) for node in nodes]


def heredoc_body(body: ast.Word, context: CompileContext) -> ast.Word:
    """The text of a heredoc, in which bash joins `$*` with blanks, whatever IFS is."""
    if context.source.dialect is not BASH:
        return body
    parts = [
        ast.Variable(part.start, part.end, "@", part.braced)
        if isinstance(part, ast.Variable) and part.name == "*"
        else part
        for part in body.parts
    ]
    return ast.Word(body.start, body.end, parts)


def compile_redirection(node: ast.Redirection, context: CompileContext) -> RedirectAction:
    """Compile one redirection."""
    if isinstance(node, ast.Heredoc):
        body = context.text(heredoc_body(node.body, context))
        if node.is_unclosed:
            body = warning_of_end(node, context.source, body)
        return on_descriptor(
            node.fd, 0, lambda state, number: redirect_from_text(state, number, body(state))
        )
    operator = node.operator
    if operator == "<<<":
        line = context.text(node.target)
        return on_descriptor(
            node.fd, 0, lambda state, number: redirect_from_text(state, number, f"{line(state)}\n")
        )
    target = redirect_target(node.target, context)
    if operator in ("&>", "&>>"):
        return both_outputs(target, ">>" if operator == "&>>" else ">")
    if operator == ">&" and node.fd in (None, 1):
        return copy_or_both_outputs(target)
    if operator in (">&", "<&"):
        return descriptor_copy(node.fd, int(operator == ">&"), target)
    default = int(operator not in ("<", "<>"))
    return on_descriptor(
        node.fd,
        default,
        lambda state, number: redirect_to_file(state, number, operator, target(state)),
    )


def warning_of_end(node: ast.Heredoc, source: Source, body: Expression) -> Expression:
    """Warn as bash does of a heredoc that the end of the text has ended."""
    line, name = source.position(node.start)[0], visible(node.delimiter)
    message = (
        f"warning: here-document at line {line} delimited by end-of-file (wanted `{name}')"
        f" (E103; fix: add a line that is `{name}` and nothing else)"
    )

    def text(state: State) -> str:
        state.complain(message)
        expanded: str = body(state)
        return expanded

    return text


def on_descriptor(
    fd: int | str | None, default: int, redirect: Callable[[State, int], object]
) -> RedirectAction:
    """Redirect a descriptor by number, or a free one whose number `{name}` receives."""
    if isinstance(fd, str):
        path = fd  # a name, or that of an element

        def named(state: State) -> None:
            number = free_descriptor_number(state)
            redirect(state, number)
            name, keys = state.compiler.path(path, state)(state)
            write_path(state, name, keys, number)

        return named
    number = default if fd is None else fd
    return lambda state: redirect(state, number)


def descriptor_copy(fd: int | str | None, default: int, target: Expression) -> RedirectAction:
    """`n>&m`; `{name}>&-` closes the descriptor whose number `name` holds."""
    if not isinstance(fd, str):
        return on_descriptor(
            fd, default, lambda state, number: copy_descriptor(state, number, target(state))
        )
    name = fd

    def copy_or_close(state: State) -> None:
        source = target(state)
        if source != "-":
            copy = on_descriptor(
                fd, default, lambda state, number: copy_descriptor(state, number, source)
            )
            copy(state)
            return
        held = text_path_value(state, name)
        number = "" if held is ABSENT else text_of(held)
        if not is_digits(number):
            raise RuntimeDiagnostic("E212", "a descriptor must be a number", f"{name}={number}",
                          f"exec {{{name}}}> file before {{{name}}}>&-")  # fmt: skip
        copy_descriptor(state, bounded_number(number), "-")

    return copy_or_close


def both_outputs(target: Expression, operator: str) -> RedirectAction:
    """`&> file`: stdout and stderr to one file"""

    def redirect(state: State) -> None:
        descriptor = open_descriptor(state, operator, target(state))
        connect_descriptor(state, 1, descriptor)
        connect_descriptor(state, 2, descriptor)

    return redirect


def copy_or_both_outputs(target: Expression) -> RedirectAction:
    """`>& word`: a number or `-` copies or closes; any other word is a file as in `&>`"""
    to_file = both_outputs(target, ">")

    def redirect(state: State) -> None:
        word = target(state)
        if is_digits(word.rstrip("-")) or word == "-":
            copy_descriptor(state, 1, word)
        else:
            to_file(state)

    return redirect


def may_be_several_words(part: Node) -> bool:
    """Whether a part of a target may expand to several words, or to none."""
    if isinstance(part, ast.DoubleQuoted):
        return any(all_mark(inner) == "@" for inner in part.parts)
    return stands_for_all(part)


def redirect_target(word: ast.Word, context: CompileContext) -> Expression:
    """Compile the target of a redirection: one string."""
    known = constant_text(word)
    if known is not None:
        return lambda state: known
    if context.source.dialect.splits_words:
        return split_target(word, context)
    if len(word.parts) == 1 and isinstance(word.parts[0], ast.Variable | ast.Expand):
        read = context.part(word.parts[0])

        def value_path(state: State) -> str:
            value = read(state)
            if isinstance(value, CONTAINERS):
                fact, fix = f"a {type_name(value)} is not a path", "${x[0]} for an element"
                raise RuntimeDiagnostic("E201", fact, text_of(value), fix).with_location(word)
            text = text_of(value)
            if "\n" in text:
                refuse_lines(state, text, word.parts[0])
            return text

        return value_path
    if has_glob(word.parts) or has_braces(word) or any(map(may_be_several_words, word.parts)):
        words = context.words([word], purpose="command")

        def one_path(state: State) -> str:
            expanded: list[object] = []
            for argument in words(state):
                expanded.extend(
                    argument.expand() if isinstance(argument, GlobArgument) else [argument]
                )
            if len(expanded) != 1:
                fact, fix = "a redirection's target must be one word", "quotes, or one of them"
                problem = RuntimeDiagnostic("E212", fact, f"{len(expanded)} words", fix)
                raise problem.with_location(word)
            return text_of(expanded[0])

        return one_path
    return context.text(word)


def split_target(word: ast.Word, context: CompileContext) -> Expression:
    """The target as bash makes it: split and globbed, and then it must be one word."""
    words = context.words([word], purpose="command")

    def one_word(state: State) -> str:
        expanded = words(state)
        if len(expanded) != 1:
            shown = context.source.text[word.start : word.end]
            raise RuntimeDiagnostic(
                "E212", "ambiguous redirect", shown, "quotes, or one of the words"
            ).with_location(word)
        return text_of(expanded[0])

    return one_word


def make_redirections(state: State, redirects: Sequence[RedirectAction]) -> int:
    """Apply redirections in order; report one that fails and return the status."""
    try:
        for redirect in redirects:
            redirect(state)
    except OSError as error:
        state.complain(f"{error.filename}: {error.strerror}")
        return 1
    except CommandFailure as denial:  # of a file, by the host
        state.complain(denial.message)
        return denial.status
    return 0


# ---------------------------------------------------------------- commands that are redirected


def redirected_command(node: ast.Redirected, context: CompileContext, tested: bool) -> Body:
    """Compile a compound command with redirections."""
    body = context.command(node.command, tested=tested)
    redirects = compile_redirections(node.redirects, context)
    site = Site(context.source, node)

    def run(state: State) -> int:
        state.site = site
        before = begin_redirects(state)
        try:
            status = make_redirections(state, redirects)
            if not status:
                return body(state)
        except RuntimeDiagnostic as problem:
            status = site.report(state, problem)
        finally:
            undo_redirects(state, before)
        return settle(state, status, site, tested)

    return run


def bare_redirections(node: ast.Simple, context: CompileContext, tested: bool) -> Body:
    """Compile redirections without a command, which open files and do nothing else.

    Assignments come first, so that a `$(…)` in them is not redirected.
    """
    redirects = compile_redirections(node.redirects, context)
    assign: list[Callable[[State], object]] = [
        compile_assignment(one, context) for one in node.assignments
    ]
    site = Site(context.source, node)

    def run(state: State) -> int:
        state.site = site
        before = begin_redirects(state)
        unchanged = state.status = fresh_pipe_status(state.status)
        try:
            for act in assign:
                act(state)
            status = make_redirections(state, redirects)
            if not status and state.status is not unchanged:
                status = state.status
        except RuntimeDiagnostic as problem:
            status = site.report(state, problem)
        finally:
            undo_redirects(state, before)
        state.last_words = ()
        return settle(state, status, site, tested)

    return run


def input_file_command(node: ast.Simple, context: CompileContext) -> Body:
    """`$(<file)`, which reads the file as `cat` would"""
    from keysh.interp.state.call_input import CallReader  # noqa: PLC0415 - few scripts have one

    redirects = compile_redirections(node.redirects, context)
    site = Site(context.source, node)

    def run(state: State) -> int:
        state.site = site
        before = begin_redirects(state)
        try:
            status = make_redirections(state, redirects)
            if not status:
                state.out.writelines(CallReader(state.stdin, state).chunks())
        except OSError as error:
            state.complain(f"read error: {error.strerror}")
            status = 1
        except RuntimeDiagnostic as problem:
            status = site.report(state, problem)
        finally:
            undo_redirects(state, before)
        state.status = status
        return status

    return run


def closing_word_descriptors(body: Body) -> Body:
    """Close the descriptors that the words of a command have opened when it ends."""

    def run(state: State) -> int:
        before = begin_redirects(state)
        try:
            return body(state)
        finally:
            undo_redirects(state, before)

    return run
