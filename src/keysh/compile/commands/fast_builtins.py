"""Fast builtins: the commands that scripts run most, compiled to closures that skip the binder.

Each does exactly what the command of its name does. A compiler returns None for arguments that it
does not cover, and its closure falls back to the full command where something is unusual. Defining
a function of the same name sets the flag SHADOWS_BUILTIN, which switches all of them off.
"""

from __future__ import annotations

from keysh.compile.commands.command_status import fail, settle
from keysh.compile.lazy_compiler import LazyCompiler
from keysh.diagnostics.exceptions import UnwritableOutput
from keysh.interp.run.control_flow import Break, Continue, LimitReached, Return
from keysh.interp.run.options import ALLEXPORT, WATCHED_FLAGS
from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic
from keysh.interp.run.site import Site
from keysh.interp.state.scope import are_long
from keysh.interp.variables.variable import READONLY
from keysh.syntax import ast
from keysh.syntax.constants import constant_text
from keysh.text.chunks import MAX_CHUNK_BYTES
from keysh.values import ABSENT, CONTAINERS, deep_copy

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, TypeAlias

    from keysh.compile.context import CompileContext
    from keysh.interp.run.closures import Body, Expression
    from keysh.interp.state.state import State

    FastCompiler: TypeAlias = Callable[[ast.Simple, CompileContext, bool], Body | None]

SLOW_LOCAL_FLAGS = WATCHED_FLAGS | ALLEXPORT


def fast_command(name: str, node: ast.Simple, context: CompileContext, tested: bool) -> Body | None:
    """Compile a command by its row of FAST_BUILTINS; None where no row covers it."""
    make = FAST_BUILTINS.get(name)
    if make is None or (node.assignments and make is not fast_read):
        return None
    return make(node, context, tested)


def unless_watched(fast: Body, node: ast.Simple, context: CompileContext, tested: bool) -> Body:
    """Run the fast closure unless the command is traced, trapped, reported or may be an alias."""
    full = context.full_command(node, tested=tested)

    def run(state: State) -> int:
        if state.flags & WATCHED_FLAGS or state.aliases:
            return full(state)
        return fast(state)

    return run


# ---------------------------------------------------------------- true, false, break, return


def fast_true(node: ast.Simple, context: CompileContext, tested: bool) -> Body | None:
    """`:` and `true`"""
    if len(node.arguments) > 1:
        return None
    words = [constant_text(node.arguments[0]) or ""]

    def run(state: State) -> int:
        state.last_words = words
        state.status = 0
        return 0

    return unless_watched(run, node, context, tested)


def fast_false(node: ast.Simple, context: CompileContext, tested: bool) -> Body | None:
    """`false`"""
    if len(node.arguments) > 1:
        return None
    site = Site(context.source, node)
    return unless_watched(lambda state: settle(state, 1, site, tested), node, context, tested)


def fast_loop_exit(kind: type[Break] | type[Continue]) -> FastCompiler:
    """`break` and `continue` without a number"""

    def make(node: ast.Simple, context: CompileContext, tested: bool) -> Body | None:
        if len(node.arguments) > 1:
            return None
        full = context.full_command(node, tested=tested)

        def run(state: State) -> int:
            if not state.loops:
                return full(state)
            raise kind(1)

        return unless_watched(run, node, context, tested)

    return make


def fast_return(node: ast.Simple, context: CompileContext, tested: bool) -> Body | None:
    """`return` and `return 3`"""
    full = context.full_command(node, tested=tested)
    if len(node.arguments) == 1:

        def return_last_status(state: State) -> int:
            if not state.frames:
                return full(state)
            raise Return(state.status)

        return unless_watched(return_last_status, node, context, tested)
    text = constant_text(node.arguments[1])
    if len(node.arguments) > 2 or text is None or not is_status(text):
        return None
    status = int(text)

    def run(state: State) -> int:
        if not state.frames:
            return full(state)
        raise Return(status)

    return unless_watched(run, node, context, tested)


def is_status(text: str) -> bool:
    """Whether a string is a number from 0 to 255, with three digits at most."""
    return text.isascii() and text.isdecimal() and len(text) <= 3 and int(text) <= 255


# ---------------------------------------------------------------- echo, printf


ONLY_STRINGS = {str}
PRINTED_CLASSES = frozenset((str, int))  # of words that `echo` and `%s` print as Python does


def fast_echo(node: ast.Simple, context: CompileContext, tested: bool) -> Body | None:
    """`echo words` without options"""
    return printing_command(echo_line, "joined", node, context, tested)


def echo_line(words: Sequence[Any]) -> str | None:
    """The line that `echo` prints for strings and numbers without options; None for other words."""
    if len(words) == 1:
        [word] = words
        if word.__class__ is str:
            return f"{word}\n" if word[:1] != "-" else None
        return f"{word}\n" if word.__class__ is int else None
    if not words:
        return "\n"
    kinds = set(map(type, words))
    if kinds != ONLY_STRINGS:
        if not kinds <= PRINTED_CLASSES:
            return None
        words = list(map(str, words))
    return None if words[0][:1] == "-" or are_long(words) else f"{' '.join(words)}\n"


def fast_printf(node: ast.Simple, context: CompileContext, tested: bool) -> Body | None:
    """`printf '%s\\n' words` without options, for a constant format of text and plain `%s`"""
    format_text = constant_text(node.arguments[1]) if len(node.arguments) > 1 else None
    if format_text is None or format_text[:1] == "-":
        return None
    from keysh.text.printf_template import printf_template  # noqa: PLC0415 - some scripts have none

    template = printf_template(format_text)
    if template is None:
        return None

    def output(words: Sequence[Any]) -> str | None:
        texts = words[1:]
        if not set(map(type, texts)) <= PRINTED_CLASSES or are_long(texts):
            return None
        return template.fill(texts) or None  # without a text nothing is written

    return printing_command(output, "command", node, context, tested)


def printing_command(
    text_of_words: Callable[[Sequence[Any]], str | None],
    purpose: str,
    node: ast.Simple,
    context: CompileContext,
    tested: bool,
) -> Body | None:
    """A command that only prints the text of its words; where that is None, the full one runs."""
    name, arguments = constant_text(node.arguments[0]) or "", node.arguments[1:]
    if any(isinstance(argument, ast.Named) for argument in arguments):
        return None
    texts = [constant_text(argument) for argument in arguments]
    if all(text is not None for text in texts):
        text = text_of_words(texts)
        if text is None:
            return None
        return print_constant(name, texts, text, node, context, tested)
    from keysh.interp.engine.dispatch import run_command  # noqa: PLC0415 - constant words need none

    site = Site(context.source, node)
    read = context.words(arguments, purpose=purpose)

    def run(state: State) -> int:
        try:
            words = read(state)
            text = text_of_words(words)
            state.last_words = words or (name,)
            if text is None:
                state.site = site
                return settle(state, run_command(state, name, words), site, tested)
            state.out.put(text)
        except RuntimeDiagnostic as problem:
            return fail(state, problem, site, tested)
        except LimitReached as limit:
            raise limit.with_location(site) from None
        except UnwritableOutput:
            state.site = site
            return settle(state, run_command(state, name, words), site, tested)
        state.status = 0
        return 0

    return unless_watched(run, node, context, tested)


def print_constant(
    name: str,
    words: Sequence[Any],
    text: str,
    node: ast.Simple,
    context: CompileContext,
    tested: bool,
) -> Body:
    """`echo done`: the text is known beforehand, which is 1.35 times as fast."""
    last_words, site = words or [name], Site(context.source, node)

    def run(state: State) -> int:
        state.last_words = last_words
        try:
            state.out.put(text)
        except UnwritableOutput:
            from keysh.interp.engine.dispatch import run_command  # noqa: PLC0415 - rare

            state.site = site
            return settle(state, run_command(state, name, words), site, tested)
        state.status = 0
        return 0

    return unless_watched(run, node, context, tested)


# ---------------------------------------------------------------- read


def fast_read(node: ast.Simple, context: CompileContext, tested: bool) -> Body | None:
    """`read -r x` and `IFS= read -r x`, the usual heads of loops over lines"""
    words = [constant_text(argument) for argument in node.arguments]
    if len(words) != 3 or words[1] != "-r" or not (words[2] or "").isidentifier():
        return None
    keeps_blanks = bool(node.assignments)
    if keeps_blanks and not sets_empty_ifs(node.assignments):
        return None
    from keysh.interp.state.call_input import CallReader  # noqa: PLC0415 - few commands read
    from keysh.interp.words.word_splitting import DEFAULT_IFS  # noqa: PLC0415 - few commands read

    name, site = str(words[2]), Site(context.source, node)
    full = context.full_command(node, tested=tested)

    def run(state: State) -> int:
        separators = "" if keeps_blanks else state.variables.get("IFS", DEFAULT_IFS)
        is_usual = separators == "" or separators == DEFAULT_IFS
        if not is_usual or name in state.attributes or state.flags & WATCHED_FLAGS or state.aliases:
            return full(state)
        try:
            line = state.stdin.read_part(MAX_CHUNK_BYTES, "\n")
            if len(line) == MAX_CHUNK_BYTES and line[-1] != "\n":
                line += CallReader(state.stdin, state).read_line()
            if len(line) > state.safe_length:
                state.check_text(line)
        except OSError as error:
            state.site = site
            state.complain(f"read: read error: 0: {error.strerror}")
            return settle(state, 1, site, tested)
        is_whole_line = line[-1:] == "\n"
        if "\0" in line:
            line = line.replace("\0", "")
        state.variables[name] = line.strip(DEFAULT_IFS) if separators else line.removesuffix("\n")
        if not is_whole_line:
            return settle(state, 1, site, tested)
        state.status = 0
        return 0

    return run


def sets_empty_ifs(assignments: Sequence[ast.Assign]) -> bool:
    """Whether assignments are `IFS=` and nothing else."""
    if len(assignments) != 1:
        return False
    [assignment] = assignments
    target, value = assignment.target, assignment.value
    if target.name != "IFS" or target.subscripts or assignment.append:
        return False
    return value is None or constant_text(value) == ""


# ---------------------------------------------------------------- local


def fast_local(node: ast.Simple, context: CompileContext, tested: bool) -> Body | None:
    """`local a=$1 b` without options"""
    targets: list[tuple[str, Expression | None]] = []
    for argument in node.arguments[1:]:
        if isinstance(argument, ast.Named) and argument.key.isidentifier() and not argument.append:
            if not isinstance(argument.value, ast.Word):
                return None
            targets.append((argument.key, context.value(argument.value)))
        else:
            name = constant_text(argument)
            if name is None or not name.isidentifier():
                return None
            targets.append((name, None))
    if not targets:
        return None
    from keysh.interp.variables.locals import make_local  # noqa: PLC0415 - some scripts have none

    names = [name for name, _ in targets]
    full = context.full_command(node, tested=tested)
    site = Site(context.source, node)

    def run(state: State) -> int:
        if state.flags & SLOW_LOCAL_FLAGS or state.aliases or not state.frames:
            return full(state)
        attributes = state.attributes
        for name in names:
            if name in attributes and attributes[name] & READONLY:
                return full(state)
        try:
            # All are expanded first: in `local x=1 y=$x` the `$x` is still the caller's.
            values = [None if read is None else deep_copy(read(state)) for _, read in targets]
            for (name, read), value in zip(targets, values, strict=True):
                make_local(state, name)
                if read is not None:
                    state.variables[name] = value
        except RuntimeDiagnostic as problem:
            return fail(state, problem, site, tested)
        state.status = 0
        return 0

    [first, first_read], *more = targets
    return run if more or first_read is None else first_local(first, first_read, run, site, tested)


def first_local(name: str, read: Expression, run_any: Body, site: Site, tested: bool) -> Body:
    """`local a=$1` as the first `local` of a function, which is 1.5 times as fast."""

    def run(state: State) -> int:
        frames = state.frames
        is_shared = len(frames) <= state.shared_frames
        if is_shared or state.flags & SLOW_LOCAL_FLAGS or state.aliases or state.temporary:
            return run_any(state)
        frame = frames[-1]
        if frame.saved_variables is not None or not frame.is_function or name in state.attributes:
            return run_any(state)
        try:
            value = read(state)
        except RuntimeDiagnostic as problem:
            return fail(state, problem, site, tested)
        kind = value.__class__
        if kind is not str and kind is not int and isinstance(value, CONTAINERS):
            value = deep_copy(value)
        variables = state.variables
        frame.saved_variables = {name: (variables.get(name, ABSENT), 0)}
        variables[name] = value
        state.status = 0
        return 0

    return run


fast_test: LazyCompiler[[ast.Simple, CompileContext, bool], Body | None] = LazyCompiler(
    "commands.fast_test.fast_test"
)

# Behind each row: how many times as fast a loop of 20,000 such commands is with the row as without
# it (process time, best of five, Python 3.11). A row that gains less than 1.3 has no place here.
FAST_BUILTINS: dict[str, FastCompiler] = {
    ":": fast_true,  # 4.2
    "true": fast_true,  # 4.2
    "false": fast_false,  # 4.0
    "echo": fast_echo,  # 4.8 for constant words, 3.0 for "line $i"
    "printf": fast_printf,  # 6.8 for constant words, 2.4 for '%s\n' $i
    "[": fast_test,  # 16 for [ $i -lt 10 ], 10 for [ "$x" = a ], 9 for [ -z "$x" ]
    "test": fast_test,  # 9.3
    "local": fast_local,  # 5.3
    "break": fast_loop_exit(Break),  # 2.3
    "continue": fast_loop_exit(Continue),  # 2.8
    "return": fast_return,  # 1.8, with a status 2.1
    "read": fast_read,  # 5.7, with IFS= 11
}
