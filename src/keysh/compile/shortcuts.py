"""Shortcuts: commands that scripts run most, in a way that skips the binder.

Each does exactly what the command of that name does; whatever is out of the ordinary goes the long
way. A function of the same name sets the SHADOWS flag, and then no shortcut is taken.
"""

from __future__ import annotations

from _operator import eq, ge, gt, le, lt, ne

from keysh.compile.late import Late
from keysh.compile.words import is_many
from keysh.runtime.dispatch import run_command
from keysh.runtime.failing import failed
from keysh.runtime.options import ENDS_ON_FAILURE, WATCHED
from keysh.runtime.problem import Problem
from keysh.runtime.signals import Break, Continue, Return, Stopped
from keysh.runtime.site import Site
from keysh.runtime.specials import SPECIALS
from keysh.runtime.speech import line_of
from keysh.syntax import ast
from keysh.syntax.literals import constant
from keysh.values import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from keysh.compile.context import Context
    from keysh.runtime.session import Body, Expression
    from keysh.runtime.state import State


def shortcut(name: str, node: ast.Simple, context: Context, tested: bool) -> Body | None:
    """The short way of a command, where it has one for these arguments."""
    make = SHORTCUTS.get(name)
    if make is None or (node.assignments and make is not read):
        return None
    return make(node, context, tested)


def guarded(short: Body, node: ast.Simple, context: Context, tested: bool) -> Body:
    """A short way that is taken unless somebody watches."""
    long = context.long_way(node, tested=tested)

    def run(state: State) -> int:
        if state.flags & WATCHED or state.aliases:
            return long(state)
        return short(state)

    return run


# ---------------------------------------------------------------- true, false, break, return


def succeed(node: ast.Simple, context: Context, tested: bool) -> Body | None:
    """`:` and `true`"""
    if len(node.arguments) > 1:
        return None
    words = [constant(node.arguments[0]) or ""]

    def run(state: State) -> int:
        state.last_words = words
        state.status = 0
        return 0

    return guarded(run, node, context, tested)


def fail(node: ast.Simple, context: Context, tested: bool) -> Body | None:
    """`false`"""
    if len(node.arguments) > 1:
        return None
    site = Site(context.source, node)

    def run(state: State) -> int:
        state.status = 1
        return failed(state, 1, site) if not tested and state.flags & ENDS_ON_FAILURE else 1

    return guarded(run, node, context, tested)


def leaving(kind: type[Break] | type[Continue]) -> Callable[..., Body | None]:
    """`break` and `continue`"""

    def make(node: ast.Simple, context: Context, tested: bool) -> Body | None:
        if len(node.arguments) > 1:
            return None
        long = context.long_way(node, tested=tested)

        def run(state: State) -> int:
            if not state.loops:
                return long(state)
            raise kind(1)

        return guarded(run, node, context, tested)

    return make


def give_back(node: ast.Simple, context: Context, tested: bool) -> Body | None:
    """`return` and `return 3`"""
    long = context.long_way(node, tested=tested)
    if len(node.arguments) == 1:

        def last_status(state: State) -> int:
            if not state.frames:
                return long(state)
            raise Return(state.status)

        return guarded(last_status, node, context, tested)
    known = constant(node.arguments[1])
    if len(node.arguments) > 2 or known is None or not known.isdecimal() or int(known) > 255:
        return None
    status = int(known)

    def run(state: State) -> int:
        if not state.frames:
            return long(state)
        raise Return(status)

    return guarded(run, node, context, tested)


# ---------------------------------------------------------------- echo


def echo(node: ast.Simple, context: Context, tested: bool) -> Body | None:
    """`echo words`, without options."""
    arguments = node.arguments[1:]
    if any(isinstance(argument, ast.Named) for argument in arguments):
        return None
    known = [constant(argument) for argument in arguments]
    if all(one is not None for one in known):
        if known and known[0][:1] == "-":  # type: ignore[index]
            return None
        line = f"{' '.join(known)}\n"  # type: ignore[arg-type]
        words = known or ["echo"]

        def fixed(state: State) -> int:
            state.last_words = words
            try:
                state.out.put(line)
            except OSError:
                return run_command(state, "echo", words)
            state.status = 0
            return 0

        return guarded(fixed, node, context, tested)
    read = context.words(arguments, purpose="joined")
    site = Site(context.source, node)

    def run(state: State) -> int:
        try:
            found = read(state)
            line = line_of(found)
            if line is None:
                return long_echo(state, found)
            state.last_words = found
            state.out.put(line)
        except Problem as problem:
            return after(state, site.complain(state, problem))
        except Stopped as stopped:
            raise stopped.at(site) from None
        except OSError:
            return after(state, run_command(state, "echo", found))
        state.status = 0
        return 0

    def long_echo(state: State, found: list[Any]) -> int:
        state.last_words = found
        return after(state, run_command(state, "echo", found))

    def after(state: State, status: int) -> int:
        state.status = status
        if status and not tested and state.flags & ENDS_ON_FAILURE:
            return failed(state, status, site)
        return status

    return guarded(run, node, context, tested)


# ---------------------------------------------------------------- test


NUMERIC: dict[str, Callable[[int, int], bool]] = {
    "-eq": eq, "-ne": ne, "-lt": lt, "-le": le, "-gt": gt, "-ge": ge,
}  # fmt: skip


def test(node: ast.Simple, context: Context, tested: bool) -> Body | None:
    """`[ a -lt b ]`, `[ a = b ]`, `[ -z a ]`, `[ a ]`"""
    name = constant(node.arguments[0]) or ""
    arguments = node.arguments[1:]
    if name == "[":
        if not arguments or constant(arguments[-1]) != "]":
            return None
        arguments = arguments[:-1]
    if not 1 <= len(arguments) <= 3 or not all(map(is_one_word, arguments)):
        return None
    known = [constant(argument) for argument in arguments]
    sign = known[1] if len(arguments) == 3 else None
    if sign in NUMERIC:
        number = plain_integer(known[2])
        variable = variable_name(arguments[0])
        if number is not None and variable is not None:
            return variable_against(variable, str(sign), number, node, context, tested)
    return deciding(name, arguments, known, node, context, tested)


def deciding(
    name: str,
    arguments: Sequence[ast.Argument],
    known: list[str | None],
    node: ast.Simple,
    context: Context,
    tested: bool,
) -> Body | None:
    """A test of any words; where they are out of the ordinary the command itself is asked."""
    reads = [value_of(argument, context) for argument in arguments]
    sign = known[1] if len(arguments) == 3 else None
    if sign in NUMERIC:
        decide = numeric(reads[0], reads[2], str(sign))
    elif sign in ("=", "==", "!="):
        decide = textual(reads[0], reads[2], sign == "!=")
    elif len(arguments) == 2 and known[0] in ("-z", "-n"):
        decide = empty(reads[1], known[0] == "-z")
    else:
        return None
    site = Site(context.source, node)
    closing = ["]"] if name == "[" else []

    def run(state: State) -> int:
        try:
            found = decide(state)
            if found.__class__ is list:
                words = [one for one in found if one is not VANISHED]
                status = run_command(state, name, [*words, *closing])
            else:
                status = 0 if found else 1
        except Problem as problem:
            status = site.complain(state, problem)
        state.status = status
        if status and not tested and state.flags & ENDS_ON_FAILURE:
            return failed(state, status, site)
        return status

    return guarded(run, node, context, tested)


def variable_name(argument: ast.Argument) -> str | None:
    """The name where an argument is nothing but `$x` or `"$x"`."""
    if not isinstance(argument, ast.Word) or len(argument.parts) != 1:
        return None
    part = argument.parts[0]
    if isinstance(part, ast.DoubleQuoted) and len(part.parts) == 1:
        part = part.parts[0]
    if isinstance(part, ast.Variable) and part.name.isidentifier() and part.name not in SPECIALS:
        return part.name
    return None


def plain_integer(text: str | None) -> int | None:
    """The number that a text is, written as numbers are."""
    return int(text) if text is not None and is_plain_number(text) else None


def variable_against(
    variable: str, sign: str, number: int, node: ast.Simple, context: Context, tested: bool
) -> Body:
    """`[ $x -lt 10 ]`, the head of most loops."""
    compare = NUMERIC[sign]
    long = context.long_way(node, tested=tested)
    site = Site(context.source, node)

    def run(state: State) -> int:
        if state.flags & WATCHED or state.aliases:
            return long(state)
        value: Any = state.variables.get(variable)
        if value.__class__ is not int:
            if not is_plain_number(value):
                return long(state)
            value = int(value)
        if compare(value, number):
            state.status = 0
            return 0
        state.status = 1
        if not tested and state.flags & ENDS_ON_FAILURE:
            return failed(state, 1, site)
        return 1

    return run


WHITE = " \t\n"
VANISHED = object()  # an unquoted word that is empty, and so is none


def is_one_word(argument: ast.Argument) -> bool:
    """Whether an argument is one word, or none where it is empty."""
    if not isinstance(argument, ast.Word):
        return False
    if constant(argument) is not None:
        return True
    for part in argument.parts:
        if not isinstance(part, ast.Text | ast.Quoted | ast.Variable | ast.DoubleQuoted | ast.Expand
                          | ast.ArithmeticExpansion | ast.Length) or is_many(part):  # fmt: skip
            return False
        if isinstance(part, ast.DoubleQuoted) and any(map(is_many, part.parts)):
            return False
    return True


def value_of(argument: ast.Argument, context: Context) -> Expression:
    """A word's value; VANISHED where sh would have no word at all."""
    assert isinstance(argument, ast.Word)
    known = constant(argument)
    if known is not None:
        return lambda state: known
    if len(argument.parts) == 1:
        part = argument.parts[0]
        if isinstance(part, ast.DoubleQuoted):
            return context.text(argument)
        read = context.part(part)

        def bare(state: State) -> Any:
            found = read(state)
            return VANISHED if found is None or found == "" else found

        return bare
    text = context.text(argument)
    keeps = any(
        isinstance(part, ast.Quoted | ast.DoubleQuoted | ast.Text) for part in argument.parts
    )
    return text if keeps else lambda state: text(state) or VANISHED


def numeric(left: Expression, right: Expression, sign: str) -> Expression:
    """Compare numbers; the words themselves where they are none."""
    compare = NUMERIC[sign]

    def decide(state: State) -> Any:
        a, b = left(state), right(state)
        if a.__class__ is int and b.__class__ is int:
            return compare(a, b)
        if is_plain_number(a) and is_plain_number(b):
            return compare(int(a), int(b))
        return [a, sign, b]

    return decide


def is_plain_number(value: Any) -> bool:
    """Whether a value is an int, or text of digits that is one."""
    if value.__class__ is int:
        return True
    if value.__class__ is not str or len(value) > 18:
        return False
    digits = value[1:] if value[:1] == "-" else value
    return digits.isdecimal() and digits.isascii()


def textual(left: Expression, right: Expression, differs: bool) -> Expression:
    """Compare texts."""
    sign = "!=" if differs else "="

    def decide(state: State) -> Any:
        a, b = left(state), right(state)
        if a is VANISHED or b is VANISHED:
            return [a, sign, b]
        if a.__class__ is not str:
            a = text_of(a)
        if b.__class__ is not str:
            b = text_of(b)
        return (a == b) is not differs

    return decide


def empty(read: Expression, wants_empty: bool) -> Expression:
    """`-z` and `-n`"""
    sign = "-z" if wants_empty else "-n"

    def decide(state: State) -> Any:
        found = read(state)
        if found is VANISHED:
            return [sign]
        return (text_of(found) == "") is wants_empty

    return decide


# ---------------------------------------------------------------- read


def read(node: ast.Simple, context: Context, tested: bool) -> Body | None:
    """`read -r x` and `IFS= read -r x`, the heads of loops over lines."""
    words = [constant(argument) for argument in node.arguments]
    if len(words) != 3 or words[1] != "-r" or not (words[2] or "").isidentifier():
        return None
    keeps_blanks = bool(node.assignments)
    if keeps_blanks and not is_empty_separator(node.assignments):
        return None
    name, site = str(words[2]), Site(context.source, node)
    long = context.long_way(node, tested=tested)

    def run(state: State) -> int:
        separators = "" if keeps_blanks else state.variables.get("IFS", WHITE)
        is_usual = separators == "" or separators == WHITE
        if not is_usual or name in state.attributes or state.flags & WATCHED or state.aliases:
            return long(state)
        try:
            line = state.stdin.read_part(state.longest + 1, "\n")
            if len(line) > state.longest:
                raise state.too_long(len(line))
        except OSError as error:
            state.err.write(f"read: read error: {error.strerror}\n")
            state.status = 1
            return 1
        status = state.status = 0 if line[-1:] == "\n" else 1
        if "\0" in line:
            line = line.replace("\0", "")
        state.variables[name] = line.strip(WHITE) if separators else line.removesuffix("\n")
        if status and not tested and state.flags & ENDS_ON_FAILURE:
            return failed(state, status, site)
        return status

    return run


def is_empty_separator(assignments: Sequence[ast.Assign]) -> bool:
    """Whether assignments are `IFS=` and nothing else."""
    if len(assignments) != 1:
        return False
    [one] = assignments
    is_plain = one.target.name == "IFS" and not one.target.subscripts and not one.append
    return is_plain and (one.value is None or constant(one.value) == "")


SHORTCUTS: dict[str, Callable[[ast.Simple, Context, bool], Body | None]] = {
    ":": succeed, "true": succeed, "false": fail, "echo": echo, "[": test, "test": test,
    "local": Late("local.local"), "break": leaving(Break), "continue": leaving(Continue),
    "return": give_back, "read": read,
}  # fmt: skip
