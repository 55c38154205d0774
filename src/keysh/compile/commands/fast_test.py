"""`[` and `test` as closures: comparisons of two words, and tests for an empty word."""

from __future__ import annotations

from _operator import eq, ge, gt, le, lt, ne

from keysh.compile.commands.command_status import settle
from keysh.compile.words.word_analysis import stands_for_all
from keysh.interp.engine.dispatch import run_command
from keysh.interp.run.options import WATCHED_FLAGS
from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic
from keysh.interp.run.site import Site
from keysh.interp.variables.specials import SPECIAL_VARIABLES
from keysh.interp.words.field_splitting import IS_SPECIAL
from keysh.interp.words.word_splitting import DEFAULT_IFS
from keysh.syntax import ast
from keysh.syntax.constants import constant_text
from keysh.values import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from keysh.compile.context import CompileContext
    from keysh.interp.run.closures import Body, Expression
    from keysh.interp.state.state import State

NUMERIC_COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "-eq": eq, "-ne": ne, "-lt": lt, "-le": le, "-gt": gt, "-ge": ge,
}  # fmt: skip
# Parts that may stand for one word; a `$(…)` may stand for several.
ONE_WORD_PARTS = (
    ast.Text, ast.Quoted, ast.Variable, ast.DoubleQuoted, ast.Expand, ast.ArithmeticExpansion,
    ast.Length,
)  # fmt: skip
NO_WORD = object()  # the value of an unquoted word that is empty and vanishes
AS_WORDS = object()  # of an unquoted word that may be several
UNUSUAL_WORDS = (NO_WORD, AS_WORDS)


def fast_test(node: ast.Simple, context: CompileContext, tested: bool) -> Body | None:
    """`[ a -lt b ]`, `[ a = b ]`, `[ -z a ]`"""
    name = constant_text(node.arguments[0]) or ""
    arguments = node.arguments[1:]
    if name == "[":
        if not arguments or constant_text(arguments[-1]) != "]":
            return None
        arguments = arguments[:-1]
    if not 2 <= len(arguments) <= 3 or not all(map(is_one_word, arguments)):
        return None
    known = [constant_text(argument) for argument in arguments]
    sign = known[1] if len(arguments) == 3 else None
    if sign in NUMERIC_COMPARISONS:
        number = plain_integer(known[2])
        variable = variable_name(arguments[0])
        if number is not None and variable is not None:
            return variable_number_test(variable, str(sign), number, node, context, tested)
    return word_test(name, arguments, known, node, context, tested)


def word_test(
    name: str,
    arguments: Sequence[ast.Argument],
    known: list[str | None],
    node: ast.Simple,
    context: CompileContext,
    tested: bool,
) -> Body | None:
    """A test of any words. Where they are unusual, the command itself is run."""
    reads = [word_reader(argument, context) for argument in arguments]
    sign = known[1] if len(arguments) == 3 else None
    if sign in NUMERIC_COMPARISONS:
        decide = compare_numbers(reads[0], reads[2], str(sign))
    elif sign in ("=", "==", "!="):
        decide = compare_texts(reads[0], reads[2], sign == "!=")
    elif len(arguments) == 2 and known[0] in ("-z", "-n"):
        decide = compare_with_empty(reads[1], known[0] == "-z")
    else:
        return None
    full = context.full_command(node, tested=tested)
    site = Site(context.source, node)
    closing = ["]"] if name == "[" else []

    def run(state: State) -> int:
        if state.flags & WATCHED_FLAGS or state.aliases:
            return full(state)
        try:
            result = decide(state)
            if result.__class__ is list:
                if AS_WORDS in result:
                    return full(state)
                words = [word for word in result if word is not NO_WORD]
                state.site = site
                status = run_command(state, name, [*words, *closing])
            else:
                status = 0 if result else 1
        except RuntimeDiagnostic as problem:
            status = site.report(state, problem)
        if status:
            return settle(state, status, site, tested)
        state.status = status
        return status

    return run


def variable_name(argument: ast.Argument) -> str | None:
    """The name if an argument is only `$x` or `"$x"`; else None."""
    if not isinstance(argument, ast.Word) or len(argument.parts) != 1:
        return None
    part = argument.parts[0]
    if isinstance(part, ast.DoubleQuoted) and len(part.parts) == 1:
        part = part.parts[0]
    if (
        isinstance(part, ast.Variable)
        and part.name.isidentifier()
        and part.name not in SPECIAL_VARIABLES
    ):
        return part.name
    return None


def plain_integer(text: str | None) -> int | None:
    """The int that a text of plain digits stands for; else None."""
    return int(text) if text is not None and is_decimal_integer(text) else None


def variable_number_test(
    variable: str, sign: str, number: int, node: ast.Simple, context: CompileContext, tested: bool
) -> Body:
    """`[ $x -lt 10 ]`, the head of most loops: 2.4 times as fast as `word_test`."""
    compare = NUMERIC_COMPARISONS[sign]
    full = context.full_command(node, tested=tested)
    site = Site(context.source, node)

    def run(state: State) -> int:
        if state.flags & WATCHED_FLAGS or state.aliases:
            return full(state)
        value: Any = state.variables.get(variable)
        if value.__class__ is not int:
            if not is_decimal_integer(value):
                return full(state)
            value = int(value)
        if compare(value, number):
            state.status = 0
            return 0
        return settle(state, 1, site, tested)

    return run


def is_one_word(argument: ast.Argument) -> bool:
    """Whether an argument expands to one word, or to none if it is empty."""
    if not isinstance(argument, ast.Word):
        return False
    if constant_text(argument) is not None:
        return True
    for part in argument.parts:
        if not isinstance(part, ONE_WORD_PARTS) or stands_for_all(part):
            return False
        if isinstance(part, ast.DoubleQuoted) and any(map(stands_for_all, part.parts)):
            return False
    return True


def word_reader(argument: ast.Argument, context: CompileContext) -> Expression:
    """Compile a word's value; NO_WORD where sh has no word at all."""
    assert isinstance(argument, ast.Word)
    known = constant_text(argument)
    if known is not None:
        return lambda state: known
    if len(argument.parts) == 1:
        part = argument.parts[0]
        if isinstance(part, ast.DoubleQuoted):
            return context.text(argument)
        read = context.part(part)
        if context.source.dialect.splits_words:
            return unsplit_word(read)

        def bare(state: State) -> Any:
            value = read(state)
            return NO_WORD if value is None or value == "" else value

        return bare
    text = context.text(argument)
    keeps = any(
        isinstance(part, ast.Quoted | ast.DoubleQuoted | ast.Text) for part in argument.parts
    )
    if context.source.dialect.splits_words:
        return unsplit_word(text) if not keeps else unsplit_or_empty(unsplit_word(text))
    return text if keeps else lambda state: text(state) or NO_WORD


def unsplit_word(read: Expression) -> Expression:
    """Compile an unquoted value for bash; AS_WORDS where it may be split."""

    def bare(state: State) -> Any:
        value = read(state)
        if value is None or value == "":
            return NO_WORD
        if value.__class__ is int:
            return value
        if value.__class__ is not str or IS_SPECIAL(value):
            return AS_WORDS
        return value if state.variables.get("IFS") == DEFAULT_IFS else AS_WORDS

    return bare


def unsplit_or_empty(read: Expression) -> Expression:
    """The same for a word that quotes or text keep where it is empty."""

    def bare(state: State) -> Any:
        value = read(state)
        return "" if value is NO_WORD else value

    return bare


def compare_numbers(left: Expression, right: Expression, sign: str) -> Expression:
    """Compare numbers; return the words where one is not a plain number."""
    compare = NUMERIC_COMPARISONS[sign]

    def decide(state: State) -> Any:
        a, b = left(state), right(state)
        if a.__class__ is int and b.__class__ is int:
            return compare(a, b)
        if is_decimal_integer(a) and is_decimal_integer(b):
            return compare(int(a), int(b))
        return [a, sign, b]

    return decide


def is_decimal_integer(value: Any) -> bool:
    """Whether a value is an int, or a string of digits with perhaps a minus."""
    if value.__class__ is int:
        return True
    if value.__class__ is not str or len(value) > 18:
        return False
    digits = value[1:] if value[:1] == "-" else value
    return digits.isdecimal() and digits.isascii()


def compare_texts(left: Expression, right: Expression, differs: bool) -> Expression:
    """Compare strings; return the words where one vanishes."""
    sign = "!=" if differs else "="

    def decide(state: State) -> Any:
        a, b = left(state), right(state)
        if a.__class__ is not str or b.__class__ is not str:
            if a in UNUSUAL_WORDS or b in UNUSUAL_WORDS:
                return [a, sign, b]
            a, b = text_of(a), text_of(b)
        return (a == b) is not differs

    return decide


def compare_with_empty(read: Expression, wants_empty: bool) -> Expression:
    """`-z` and `-n`"""
    sign = "-z" if wants_empty else "-n"

    def decide(state: State) -> Any:
        value = read(state)
        if value in UNUSUAL_WORDS:
            return [sign, value]
        return (text_of(value) == "") is wants_empty

    return decide
