"""Words: their parts as text and values, and the words that a list of arguments stands for.

    text       one text, for assignments, subjects and targets: nothing splits, nothing vanishes
    words      a list, for commands (`command`), for those that join their words by blanks
               (`joined`) or show values (`values`), for `let` (`sums`), and where a list is made:
               for loops' heads (`items`), arrays (`array`) and `set` (`arguments`)

In a list an unquoted part that is empty vanishes, `"$@"` and `[@]` are one word for each element,
an unquoted `$(…)` is one for each line, and globs go to the command as they are.
"""

from __future__ import annotations

from keysh.compile.late import Late
from keysh.compile.words.marks import is_braced, is_glob, is_many, mark_of, mark_of_operand
from keysh.interp.variables.specials import SPECIALS, separator
from keysh.schema.arguments import Constants, NamedArgument
from keysh.syntax import ast
from keysh.syntax.constants import constant, written
from keysh.text.chunks import continued, is_rest
from keysh.values import ShellList, ShellRecord, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from keysh.compile.context import Adder, Context
    from keysh.interp.run.closures import Expression
    from keysh.interp.state.state import State
    from keysh.syntax.node import Node

braced: Callable[..., Adder] = Late("words.braces.braced")
glob_word: Callable[..., Adder] = Late("words.globs.glob_word")
spread: Callable[..., Adder] = Late("words.spreads.spread")
spread_bare: Callable[..., Adder] = Late("words.spreads.spread_bare")
spread_elements: Callable[..., Adder] = Late("words.spreads.spread_elements")
spread_indirect: Callable[..., Adder] = Late("words.spreads.spread_indirect")
spread_operand: Callable[..., Adder] = Late("words.spreads.spread_operand")
bare_value: Callable[..., Adder] = Late("words.unquoted.bare_value")
several: Callable[..., Adder] = Late("words.unquoted.several")
substitution: Callable[..., Adder] = Late("words.unquoted.substitution")

LISTS = ("items", "array", "arguments")  # purposes where sh would split, and a list is made


# ---------------------------------------------------------------- one text


def text(word: ast.Word, context: Context) -> Expression:
    """A word as one text."""
    known = constant(word)
    if known is not None:
        return lambda state: known
    return joined([part_text(part, context) for part in word.parts])


def joined(texts: Sequence[Expression]) -> Expression:
    """Texts one behind the other."""
    if not texts:
        return lambda state: ""
    if len(texts) == 1:
        return texts[0]
    if len(texts) == 2:
        first, second = texts

        def two(state: State) -> str:
            made: str = first(state)
            rest = second(state)
            if rest.isascii() or not is_rest(rest):
                made += rest
            else:
                made = continued(made, rest)
            if len(made) > state.longest:
                raise state.too_long(len(made))
            return made

        return two

    def many(state: State) -> str:
        pieces = [text(state) for text in texts]
        made = "".join(pieces)
        if not made.isascii() and any(map(is_rest, pieces)):
            made = ""
            for piece in pieces:
                made = continued(made, piece)
        if len(made) > state.longest:
            raise state.too_long(len(made))
        return made

    return many


def part_text(part: Node, context: Context) -> Expression:
    """A part as text."""
    known = constant(part)
    if known is not None:
        return lambda state: known
    if isinstance(part, ast.DoubleQuoted):
        return joined([part_text(inner, context) for inner in part.parts])
    if isinstance(part, ast.Variable):
        return context.variable_text(part)
    if isinstance(part, ast.Glob | ast.Brace | ast.BraceRange):
        as_written = written(part)
        return lambda state: as_written
    if isinstance(part, ast.ExtendedGlob):
        return extended_glob_text(part, context)
    read = context.part(part)
    if is_many(part):
        is_star = mark_of(part) == "*"

        def listed(state: State) -> str:
            found = read(state)
            if not isinstance(found, list):
                return text_of(found)
            return (separator(state) if is_star else " ").join(map(text_of, found))

        return listed

    def text(state: State) -> str:
        found = read(state)
        if found.__class__ is str:
            return found
        # An array of sh comes only out of `${!r}` whose `r` ends with `[@]`: all its elements.
        return " ".join(map(text_of, found)) if found.__class__ is ShellList else text_of(found)

    return text


def extended_glob_text(part: ast.ExtendedGlob, context: Context) -> Expression:
    """`@(a|$b)` where no pattern is wanted."""
    branches = [context.text(branch) for branch in part.branches]
    opener = f"{part.operator}("
    return lambda state: opener + "|".join([read(state) for read in branches]) + ")"


# ---------------------------------------------------------------- lists of words


def words(arguments: Sequence[ast.Argument], context: Context, purpose: str) -> Expression:
    """What a list of arguments stands for, as a list."""
    fixed = constants(arguments)
    if fixed is not None:
        return lambda state: fixed
    name = (
        plain_name(arguments[0])
        if len(arguments) == 1 and purpose in ("command", "joined")
        else None
    )
    if name is not None:
        return one_variable(name, adder(arguments[0], context, purpose))
    adders = [adder(argument, context, purpose) for argument in arguments]
    if len(adders) == 1:
        only = adders[0]

        def one(state: State) -> list[Any]:
            made: list[Any] = []
            only(state, made)
            if len(made) > 1:
                state.hold(len(made))
            return made

        return one

    def listed(state: State) -> list[Any]:
        made: list[Any] = []
        for add in adders:
            add(state, made)
            state.hold(len(made))
        return made

    return listed


def constants(arguments: Sequence[ast.Argument]) -> Constants | None:
    """What a list of arguments always stands for, if it does."""
    known = [constant(argument) for argument in arguments]
    return None if None in known else Constants(known)


def plain_name(argument: ast.Argument) -> str | None:
    """The name of a variable that is all of a word, and is no special one."""
    part = argument.parts[0] if isinstance(argument, ast.Word) and len(argument.parts) == 1 else 0
    if not isinstance(part, ast.Variable) or part.name in SPECIALS or part.name == "LINENO":
        return None
    return None if part.name.isdecimal() else part.name


def one_variable(name: str, add: Adder) -> Expression:
    """`$x` alone, which most loops hand to most commands."""

    def one(state: State) -> list[Any]:
        found = state.variables.get(name)
        kind = found.__class__
        if kind is int or (kind is str and found):
            return [found]
        made: list[Any] = []
        add(state, made)
        return made

    return one


def adder(argument: ast.Argument, context: Context, purpose: str) -> Adder:
    """One argument."""
    known = constant(argument)
    if known is not None:
        return lambda state, made: made.append(known)
    if isinstance(argument, ast.Named):
        return named(argument, context, purpose)
    if isinstance(argument, ast.Spread):
        return spread(argument, context)
    if is_braced(argument):
        return braced(argument, context, purpose)
    return word_adder(argument.parts, argument, context, purpose)


def word_adder(parts: Sequence[Node], word: ast.Word, context: Context, purpose: str) -> Adder:
    """A word without braces."""
    if is_glob(parts):
        return glob_word(parts, word, context, purpose)
    if len(parts) == 1:
        part = parts[0]
        if isinstance(part, ast.Variable) and part.name not in ("@", "*"):
            return bare_variable(part, context, purpose)
        if isinstance(part, ast.Substitution):
            return substitution(part, context, purpose)
        if isinstance(part, ast.DoubleQuoted):
            if len(part.parts) == 1 and mark_of(part.parts[0]) == "@":
                return spread_elements(context.part(part.parts[0]), purpose)
            if len(part.parts) == 1 and is_indirect(part.parts[0]):
                return spread_indirect(context.part(part.parts[0]))
        elif mark_of_operand(part):
            return spread_operand(context.part(part))
        elif mark_of(part):
            return spread_bare(context.part(part), purpose)
        elif isinstance(part, ast.Expand | ast.Replace | ast.Slice):
            return bare_value(context.part(part), word, purpose)
    if splits(parts):
        return several(parts, context, purpose)
    made_text = joined([part_text(part, context) for part in parts])
    if any(isinstance(part, ast.Quoted | ast.DoubleQuoted) for part in parts) or any(
        constant(part) for part in parts
    ):
        return lambda state, made: made.append(made_text(state))

    def unless_empty(state: State, made: list[Any]) -> None:
        found = made_text(state)
        if found:
            made.append(found)

    return unless_empty


def bare_variable(part: ast.Variable, context: Context, purpose: str) -> Adder:
    """An unquoted `$x`: its value, or nothing where that is empty."""
    if purpose in LISTS:
        return bare_value(context.part(part), part, purpose)
    read = whole_value(part, context) if purpose == "values" else context.part(part)

    def add(state: State, made: list[Any]) -> None:
        found = read(state)
        if found.__class__ is str:
            if found:
                made.append(found)
        elif found is not None:
            made.append(found)

    return add


def whole_value(part: ast.Variable, context: Context) -> Expression:
    """`$x` for a command that shows values: an array of sh is there as a whole."""
    name, read = part.name, context.part(part)

    def whole(state: State) -> Any:
        found = state.variables.get(name)
        is_array = found.__class__ is ShellList or found.__class__ is ShellRecord
        return found if is_array else read(state)

    return whole


def is_indirect(part: Node) -> bool:
    return (
        isinstance(part, ast.Expand | ast.Replace | ast.Slice)
        and part.indirect
        and not mark_of(part)
    )


def splits(parts: Sequence[Node]) -> bool:
    """Whether a part among others may stand for several words."""
    for part in parts:
        if isinstance(part, ast.Substitution) or mark_of(part):
            return True
        if isinstance(part, ast.DoubleQuoted) and any(
            mark_of(inner) == "@" for inner in part.parts
        ):
            return True
    return False


def named(argument: ast.Named, context: Context, purpose: str) -> Adder:
    """`key=value`: the command decides whether it is one."""
    key, value = argument.key, argument.value
    operator = "+=" if argument.append else "="
    if isinstance(value, ast.Word) and is_braced(value):
        parts = [ast.Text(argument.start, argument.start, key + operator), *value.parts]
        return braced(ast.Word(argument.start, argument.end, parts), context, purpose)
    if value is None:
        fixed = NamedArgument(key, "", key + operator, appends=argument.append)
        return lambda state, made: made.append(fixed)
    if purpose == "sums" and isinstance(value, ast.Array):
        read = sum_in_parentheses(value, context)
    else:
        read = context.value(value)

    def add(state: State, made: list[Any]) -> None:
        found = read(state)
        shown = key + operator + text_of(found)
        made.append(NamedArgument(key, found, shown, appends=argument.append))

    return add


def sum_in_parentheses(array: ast.Array, context: Context) -> Expression:
    """`let x=( y * 3 )`: what looks like an array is an expression; its `*` stands for no files."""
    words = [entry for entry in array.entries if isinstance(entry, ast.Word)]
    if len(words) != len(array.entries):
        return context.value(array)
    texts = [context.text(word) for word in words]
    return lambda state: f"({' '.join([text(state) for text in texts])})"
