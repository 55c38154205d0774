"""Binding inverts spelling, and any arguments give a binding or a misuse."""

from __future__ import annotations

import json
from typing import Any

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from keysh.schema.arguments import (
    UNKNOWN,
    UNKNOWN_WORDS,
    BoundArguments,
    GlobArgument,
    NamedArgument,
)
from keysh.schema.binder import InvalidArguments, bind
from keysh.schema.command import Command
from keysh.schema.declare import command_from_function
from keysh.values import text_of
from schema.declarations import COMMANDS

steady = settings(derandomize=True, max_examples=400)

CHARACTERS = st.characters(exclude_categories=["Cs"]) | st.just("\udc80")
TEXT = st.text(CHARACTERS, max_size=4) | st.sampled_from(
    ["-", "--", "-x", "--alpha", "x=1", "", "true", "null", "-5", "[1]"]
)
# An annotation, and the values of it that a text can mean.
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "str": TEXT,
    "int": st.integers(),
    "float": st.floats(allow_nan=False),
    "Path": TEXT,
    'Literal["always", "never"]': st.sampled_from(["always", "never"]),
    "dict": st.dictionaries(TEXT, st.integers() | TEXT, max_size=2),
    "Json": st.lists(st.integers() | st.booleans() | TEXT, max_size=2),
    "bool": st.booleans(),
    "list[int]": st.lists(st.integers(), min_size=1, max_size=3),
    "list[str]": st.lists(TEXT, min_size=1, max_size=3),
    "str | bool": TEXT | st.just(True),
}
OPERANDS = ("str", "int", "float", "Path", 'Literal["always", "never"]')
NAMES = ("alpha", "type", "gamma_ray", "in_", "bytes")


class Case:
    """Draw a declaration, the values of its parameters, and its source."""

    def __init__(self, draw: st.DrawFn) -> None:
        self.kinds = {
            name: draw(st.sampled_from(list(VALUES)))
            for name in draw(st.lists(st.sampled_from(NAMES), unique=True))
        }
        self.operands = draw(st.lists(st.sampled_from(OPERANDS), max_size=2))
        self.rest = draw(st.none() | st.sampled_from(OPERANDS))
        self.command = self.declared()
        self.options = {
            name: draw(VALUES[kind]) for name, kind in self.kinds.items() if draw(st.booleans())
        }
        kinds = self.operands + [self.rest] * draw(st.integers(0, 3) if self.rest else st.just(0))
        self.positional = [draw(VALUES[kind]) for kind in kinds if kind]

    def declared(self) -> Command:
        signature, rows = ["sh"], []
        for i, kind in enumerate(self.operands):
            signature.append(f"operand_{i}: {kind}")
            rows.append(f"operand_{i}  an operand")
        if self.rest:
            rows.append("rest ...  what is left")
        signature.append(f"*rest: {self.rest}" if self.rest else "*" if self.kinds else "")
        for name, kind in self.kinds.items():
            is_flag = kind == "bool"
            default = "False" if "bool" in kind else "None"
            signature.append(f"{name}: {kind if 'bool' in kind else f'{kind} | None'} = {default}")
            value = "" if is_flag else "[=V]" if "bool" in kind else " V"
            key = name.rstrip("_")
            rows.append(f"-{key[0]}, --{key.replace('_', '-')}{value}  an option")
        names: dict[str, Any] = {}
        source = "from __future__ import annotations\ndef f({}):\n    {!r}".format(
            ", ".join(part for part in signature if part), "Do it.\n\n" + "\n".join(rows)
        )
        exec(source, names)
        return command_from_function(names["f"])


def written(value: object) -> str:
    return json.dumps(value) if isinstance(value, list | dict) else text_of(value)


def spelled(draw: st.DrawFn, name: str, kind: str, value: Any) -> list[object]:
    """Draw one spelling of an option, as the parser passes it."""
    key = name.rstrip("_")
    long, letter, text = "--" + key.replace("_", "-"), "-" + key[0], written(value)
    if kind.startswith("list"):
        if draw(st.booleans()):
            return [NamedArgument(key, value, f"{key}={text}")]
        return [word for one in value for word in spelled(draw, name, "one", one)]
    ways: list[list[object]] = [[NamedArgument(key, value, f"{key}={text}")]]
    if kind == "bool":
        bare = [long, letter] if value else [f"--no-{long[2:]}"]
        ways += [[word] for word in bare]
    elif value is True and "bool" in kind:
        ways += [[long], [letter]]
    else:
        ways += [[f"{long}={text}"], [NamedArgument(long, value, f"{long}={text}")]]
        if text:
            ways.append([letter + text])
        if "bool" not in kind:
            ways += [[long, text], [letter, text], [long[:4], text]]
    return draw(st.sampled_from(ways))


@st.composite
def spelled_cases(draw: st.DrawFn) -> tuple[Case, list[object]]:
    """A case with its arguments: options anywhere among the operands, until a `--`."""
    case = Case(draw)
    options = [spelled(draw, name, case.kinds[name], value) for name, value in case.options.items()]
    arguments: list[object] = []
    is_over = was_over = False
    for value in case.positional:
        text = written(value)
        is_over = is_over or (text[:1] == "-" and text != "-")
        while options and (is_over or draw(st.booleans())):
            arguments += options.pop()
        if is_over and not was_over:
            arguments.append("--")
        arguments.append(draw(st.sampled_from([value, text])))
        was_over = is_over
    return case, arguments + [word for group in options for word in group]


@steady
@given(spelled_cases())
def test_binding_undoes_spelling(spelling: tuple[Case, list[object]]) -> None:
    case, arguments = spelling
    result = bind(case.command, arguments)
    assert result.positional == case.positional
    assert result.options == case.options


# ---------------------------------------------------------------- arbitrary arguments

WORDS = sorted(
    {
        word
        for command in COMMANDS
        for word in (
            *(f"-{letter}" for letter in command.by_letter),
            *(f"--{long}" for long in (*command.by_long, *command.by_full_name)),
            *(f"--{long}=1" for long in command.by_long),
            *(f"--{long[:3]}" for long in command.by_long),
        )
        if not "--help".startswith(word.partition("=")[0])
    }
)
KEYS = sorted({key for command in COMMANDS for key in command.by_key})
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | TEXT
JSON = st.recursive(
    SCALARS, lambda inner: st.lists(inner) | st.dictionaries(TEXT, inner), max_leaves=5
)


NAMES_OF_ANY = st.sampled_from([*KEYS, "bogus", *(word for word in WORDS if word[1] == "-")])


@st.composite
def named(draw: st.DrawFn) -> NamedArgument:
    key = draw(NAMES_OF_ANY)
    value = draw(JSON | st.just(UNKNOWN))
    return NamedArgument(key, value, f"{key}={draw(TEXT)}")


@st.composite
def globs(draw: st.DrawFn) -> GlobArgument:
    paths = draw(st.lists(TEXT, max_size=3))
    return GlobArgument(draw(TEXT | st.sampled_from(WORDS)) + "*", lambda: paths)


ONE_WORD = st.sampled_from(WORDS) | TEXT | st.integers(-20, 20).map(str)
ANYTHING = ONE_WORD | JSON | named() | globs()


def answer(command: Command, arguments: list[object]) -> BoundArguments | InvalidArguments:
    try:
        return bind(command, arguments)
    except InvalidArguments as misuse:
        return misuse


@steady
@given(st.sampled_from(COMMANDS), st.lists(ANYTHING | st.sampled_from([UNKNOWN, UNKNOWN_WORDS])))
def test_every_input_binds_or_is_a_misuse(command: Command, arguments: list[object]) -> None:
    result = answer(command, arguments)
    if isinstance(result, InvalidArguments):
        assert result.code in ("E201", "E302", "E303", "E304", "E305")
        assert -1 <= result.index < len(arguments)
        assert result.message
    elif not result.is_partial and not result.asks_help:
        # The function can be called so.
        command.function(object(), *result.positional, **result.options)


@st.composite
def replaced(draw: st.DrawFn) -> tuple[Command, list[object], list[object]]:
    """Draw arguments of which some are unknown, and the same arguments with all known."""
    unknown: list[object] = []
    known: list[object] = []
    for argument in draw(st.lists(ONE_WORD | st.sampled_from([UNKNOWN, UNKNOWN_WORDS]))):
        unknown.append(argument)
        if argument is UNKNOWN:
            known.append(draw(ONE_WORD))
        elif argument is UNKNOWN_WORDS:
            known += draw(st.lists(ONE_WORD, max_size=3))
        else:
            known.append(argument)
    return draw(st.sampled_from(COMMANDS)), unknown, known


@settings(steady, max_examples=500)
@given(replaced())
def test_misuse_found_by_the_check_is_refused_at_run_time(
    case: tuple[Command, list[object], list[object]],
) -> None:
    command, unknown, known = case
    if isinstance(answer(command, unknown), InvalidArguments):
        with pytest.raises(InvalidArguments):
            bind(command, known)
