"""Ordinary functions as commands: each form of a parameter, of a docstring and of a callable."""

from __future__ import annotations

import asyncio
import datetime as dt
import functools
import json
import pathlib
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, IntEnum
from typing import Annotated, Any, Literal, NamedTuple, NewType, NotRequired, TypedDict

import jsonschema
import pytest

import keysh
from keysh import DeclarationError, Shell
from keysh.schema.command import Command
from keysh.schema.declare import command_from_function

pytestmark = pytest.mark.quick


class Colour(Enum):
    RED = "red"
    BLUE = "light blue"


class Level(IntEnum):
    LOW = 1
    HIGH = 2


@dataclass
class Size:
    width: int
    height: int = 1
    tags: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        if self.width < 0:
            raise ValueError("width is negative")
        if self.width > 99:
            raise KeyError("too wide")


class Point(NamedTuple):
    x: float
    y: float = 0.0


class Options(TypedDict):
    name: str
    depth: NotRequired[int]


@dataclass
class Broken:
    value: jsonschema.nothing  # type: ignore[name-defined]


@dataclass
class Tree:
    children: list[Tree]


UserId = NewType("UserId", int)

# ---------------------------------------------------------------- forms of a parameter


def colour(value: Colour) -> object:
    return repr(value)


def level(value: Level = Level.LOW) -> object:
    return repr(value)


def word(value: Literal["a", 1, None] = None) -> object:
    return repr(value)


def described(value: Annotated[int, "how many"]) -> object:
    return repr(value)


def sized(value: Annotated[int, keysh.Size]) -> object:
    return repr(value)


def path(value: pathlib.Path) -> object:
    return repr(str(value)) + type(value).__name__


def pure(value: pathlib.PurePath) -> object:
    return isinstance(value, pathlib.PurePath)


def size(value: Size) -> object:
    return repr(value)


def point(value: Point) -> object:
    return repr(value)


def options(value: Options) -> object:
    return repr(value)


def moment(value: dt.datetime) -> object:
    return repr(value)


def day(value: dt.date = dt.date(2026, 1, 2)) -> object:
    return repr(value)


def hour(value: dt.time) -> object:
    return repr(value)


def wait(value: dt.timedelta = dt.timedelta(seconds=1)) -> object:
    return repr(value)


def optional(value: int | None = None) -> object:
    return repr(value)


def implicit(value: int = None) -> object:  # type: ignore[assignment]  # noqa: RUF013
    return repr(value)


def either(value: int | str) -> object:
    return repr(value)


def flag_or_word(value: int | bool = True) -> object:
    return repr(value)


def numbers(value: list[int]) -> object:
    return repr(value)


def sequence(value: Sequence[Size] = ()) -> object:
    return repr(value)


def mapping(value: dict[str, int]) -> object:
    return repr(value)


def mappings(value: Mapping[str, list[int]]) -> object:
    return repr(value)


def untyped(value) -> object:
    return repr(value)  # type: ignore[no-untyped-def]


def by_default(value=3) -> object:
    return repr(value)  # type: ignore[no-untyped-def]


def anything(value: Any) -> object:
    return repr(value)


def data(value: bytes) -> object:
    return repr(value)


def user(value: UserId) -> object:
    return repr(value)


def option(*, value: str) -> object:
    return repr(value)


def switch(*, value: bool = True) -> object:
    return repr(value)


def rest(*value: Colour) -> object:
    return repr(value)


SIZE = "value must be a Size"
# A function, a call, and what it prints; a message of the check where it is refused.
FORMS: list[tuple[Callable[..., object], str, str]] = [
    (colour, "red", "<Colour.RED: 'red'>"),
    (colour, "BLUE", "<Colour.BLUE: 'light blue'>"),
    (colour, "light", "<Colour.BLUE: 'light blue'>"),
    (colour, "green", "value must be one of red, light blue, but is 'green'"),
    (level, "HIGH", "<Level.HIGH: 2>"),
    (level, "value=1", "<Level.LOW: 1>"),
    (level, "", "<Level.LOW: 1>"),
    (word, "a", "'a'"),
    (word, "1", "1"),
    (word, "null", "None"),
    (word, "b", "value must be one of a, 1, null, but is 'b'"),
    (described, "5", "5"),
    (sized, "2K", "2048"),
    (path, "a/b", "'a/b'PosixPath"),
    (pure, "a/b", "true"),
    (size, "width=3,height=4", "Size(width=3, height=4, tags=[])"),
    (size, "value=width=3", "Size(width=3, height=1, tags=[])"),
    (size, """'{"width": 3, "tags": ["a"]}'""", "Size(width=3, height=1, tags=['a'])"),
    (size, "value={width: 5}", "Size(width=5, height=1, tags=[])"),
    (size, "height=3", f"{SIZE} with width, but is 'height=3'"),
    (size, "width=x", f"{SIZE} whose width is a whole number, but is 'width=x'"),
    (size, "widht=3", f"{SIZE}, which has no widht (did you mean width?), but is 'widht=3'"),
    (size, "width=-1", f"{SIZE} (width is negative), but is 'width=-1'"),
    (size, "width=100", f"{SIZE} (KeyError), but is 'width=100'"),
    (size, "5", f"{SIZE}, as width=…,height=…,tags=… or as JSON, but is '5'"),
    (point, "x=1.5", "Point(x=1.5, y=0.0)"),
    (options, "name=a,depth=2", "{'name': 'a', 'depth': 2}"),
    (options, "depth=2", "value must be a Options with name, but is 'depth=2'"),
    (moment, "2026-11-20T12:00", "datetime.datetime(2026, 11, 20, 12, 0)"),
    (moment, "soon", "value must be a date and time such as 2026-11-20T12:00, but is 'soon'"),
    (day, "2026-11-20", "datetime.date(2026, 11, 20)"),
    (hour, "12:30", "datetime.time(12, 30)"),
    (wait, "2m", "datetime.timedelta(seconds=120)"),
    (wait, "infinity", "value must be a duration such as 1.5s, but is 'infinity'"),
    (optional, "", "None"),
    (optional, "7", "7"),
    (implicit, "", "None"),
    (either, "7", "7"),
    (either, "x", "'x'"),
    (flag_or_word, "false", "False"),
    (flag_or_word, "3", "3"),
    (flag_or_word, "x", "value must be true or false or a whole number, but is 'x'"),
    (numbers, "value=[1, 2]", "[1, 2]"),
    (numbers, "--value 1 --value 2", "[1, 2]"),
    (sequence, "", "()"),
    (sequence, "width=1", "[Size(width=1, height=1, tags=[])]"),
    (mapping, "a=1,b=2", "{'a': 1, 'b': 2}"),
    (mapping, "a=x", "value must be a record whose a is a whole number, but is 'a=x'"),
    (mapping, "a=1,a=2", "value must be a record, as key=value,key=value or as JSON, but"),
    (mappings, """'{"a": [1, 2]}'""", "{'a': [1, 2]}"),
    (untyped, "5", "'5'"),
    (untyped, "value=[a, b]", "['a', 'b']"),
    (by_default, "5", "5"),
    (by_default, "x", "value must be a whole number, but is 'x'"),
    (anything, "value={a: 1}", "{'a': 1}"),
    (data, "é", repr("é".encode())),
    (user, "12", "12"),
    (option, "value=a", "'a'"),
    (option, "--value a", "'a'"),
    (option, "", "missing option '--value'"),
    (switch, "--no-value", "False"),
    (switch, "", "True"),
    (rest, "red light", "(<Colour.RED: 'red'>, <Colour.BLUE: 'light blue'>)"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("function", "words", "answer"), FORMS, ids=[f"{f.__name__} {words}" for f, words, _ in FORMS]
)
def test_form(function: Callable[..., object], words: str, answer: str) -> None:
    result = Shell(commands=[function]).run(f"{function.__name__} {words}")
    if result.code:
        assert f"{function.__name__}: {answer}" in result.stderr
        assert result.rejected  # before anything ran
    else:
        assert result.stdout.strip() == answer


FUNCTIONS = list(dict.fromkeys(function for function, _, _ in FORMS))


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_json_schema(function: Callable[..., object]) -> None:
    command = command_from_function(function)
    schema = json.loads(json.dumps(command.json_schema()))  # defaults are JSON, too
    jsonschema.Draft202012Validator.check_schema(schema)
    assert (schema["required"] == []) is not any(one.is_required for one in command.parameters)
    default = schema["properties"]["value"].get("default")
    if default is not None:
        jsonschema.validate({"value": default}, schema)
        assert Shell(commands=[function]).run(f"{command.name} value=$d", env={"d": default}).ok


def test_requirements_of_the_schema() -> None:
    assert command_from_function(option).json_schema()["required"] == ["value"]
    assert command_from_function(level).json_schema()["properties"]["value"] == {
        "type": "string", "enum": ["LOW", "HIGH"], "default": "LOW",
    }  # fmt: skip
    assert command_from_function(described).parameters[0].help == "how many"
    assert command_from_function(size).json_schema()["properties"]["value"]["required"] == ["width"]


def tree(value: Tree) -> None: ...
def values(value: set[int]) -> None: ...
def wrong(value: int = "x") -> None: ...  # type: ignore[assignment]
def strange(value: list[int] = {1}) -> None: ...  # type: ignore[assignment]  # noqa: B006
def hidden(*, _value: int = 1) -> None: ...
def nameless(_: int) -> None: ...
def broken(value: Broken) -> None: ...
def keywords(**value: int) -> None: ...
def two_calls(sh: keysh.Call, other: keysh.Call) -> None: ...


@pytest.mark.parametrize(
    ("function", "message"),
    [
        (tree, "tree: value has a type that contains itself; use Json"),
        (values, "values: value has no parameter type: set[int]; use str, int, float, bool,"),
        (wrong, "wrong: value is 'x' by default, but must be a whole number"),
        (hidden, "hidden: _value is no name that a word can give; rename the parameter"),
        (nameless, "nameless: _ is no name that a word can give; rename the parameter"),
        (broken, "broken: value has no parameter type: Broken; one of its annotations is wrong"),
        (strange, "strange: value is {1} by default, but must be a whole number"),
        (keywords, "keywords: `**value` cannot be declared; name each option, or take a dict"),
        (two_calls, "two_calls: other is a second call; one parameter receives the call"),
        (int, "int: <class 'int'> is no function with a signature"),
        (3, "int: 3 is no function with a signature"),
    ],
)  # fmt: skip
def test_declaration_names_the_parameter_and_the_fix(function: Any, message: str) -> None:
    with pytest.raises(DeclarationError) as caught:
        Shell(commands=[function])
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("function", "text", "candidates"),
    [
        (colour, "colour l", ["light blue"]),
        (level, "level value=", ["LOW", "HIGH"]),
        (word, "word n", ["null"]),
        (path, "path fi", ["file.txt"]),
        (either, "either fi", ["file.txt"]),
        (size, "size fi", []),
        (option, "option --v", ["--value"]),
    ],
)
def test_completion(function: Callable[..., object], text: str, candidates: list[str]) -> None:
    shell = Shell(commands=[function], files={"/file.txt": ""})
    assert [one.text for one in shell.complete(text)] == candidates


# ---------------------------------------------------------------- the call


def without_call(word: str) -> str:
    return f"{word}\n"


def call_last(word: str, shell: keysh.Call) -> None:
    shell.out.write(f"{word} {shell.name}\n")


def call_as_keyword(word: str, *, ctx: keysh.Call) -> None:
    ctx.out.write(f"{word} {ctx.name}\n")


def call_by_name(sh, word: str) -> None:
    sh.out.write(f"{word} {sh.name}\n")  # type: ignore[no-untyped-def]


def call_amid(first: str, sh: keysh.Call, *rest: str) -> None:
    sh.out.write(f"{first} {rest}\n")


def sh_is_text(sh: str) -> str:
    return f"text {sh}\n"


@pytest.mark.parametrize(
    ("function", "words", "output"),
    [
        (without_call, "a", "a"),
        (call_last, "a", "a call_last"),
        (call_as_keyword, "a", "a call_as_keyword"),
        (call_by_name, "a", "a call_by_name"),
        (call_amid, "a b c", "a ('b', 'c')"),
        (sh_is_text, "a", "text a"),
    ],
)
def test_where_the_call_is(function: Callable[..., object], words: str, output: str) -> None:
    result = Shell(commands=[function]).run(f"{function.__name__} {words}")
    assert (result.stdout, result.stderr) == (f"{output}\n", "")


# ---------------------------------------------------------------- docstrings


def google(sh: keysh.Call, host: str, *files: str, port: int = 80, fast: bool = True) -> None:
    """Connect to a host.

    It waits for nothing.

    Args:
        sh: the call
        host (str): the name of the host,
            or its address
        *files: what to send
        port: the port
        fast (bool, optional): whether it is fast

    Returns:
        nothing
    """


def numpy(host: str, *files: str, port: int = 80, fast: bool = True) -> None:
    """Connect to a host.

    It waits for nothing.

    Parameters
    ----------
    host : str
        the name of the host,
        or its address
    *files
        what to send
    port : int, optional
        the port
    fast : bool
        whether it is fast

    Returns
    -------
    None
        nothing
    """


def sphinx(host: str, *files: str, port: int = 80, fast: bool = True) -> None:
    """Connect to a host.

    It waits for nothing.

    :param str host: the name of the host,
        or its address
    :param files: what to send
    :type port: int
    :param port: the port
    :param fast: whether it is fast
    :returns: nothing
    """


def own(host: str, *files: str, port: int = 80, fast: bool = True) -> None:
    """Connect to a host.

    It waits for nothing.

    host           the name of the host,
                   or its address
    files ...      what to send
    -p, --port NUM the port
    --port PORT    the port
    --no-fast      whether it is fast
    """


@pytest.mark.parametrize("function", [google, numpy, sphinx, own], ids=lambda one: one.__name__)
def test_docstring_style(function: Callable[..., object]) -> None:
    command = command_from_function(function)
    assert {one.name: one.help for one in command.parameters} == {
        "host": "the name of the host, or its address",
        "files": "what to send",
        "port": "the port",
        "fast": "whether it is fast",
    }
    assert command.summary == "Connect to a host."
    lines = Shell(commands=[function]).run(f"{command.name} --help").stdout.splitlines()
    assert lines[:4] == [
        f"Usage: {command.name} [OPTION]... HOST [FILE]...",
        "Connect to a host.", "", "It waits for nothing.",
    ]  # fmt: skip
    if function is not own:
        at = lines.index("host         the name of the host, or its address")
        assert lines[at : at + 4] == [
            "host         the name of the host, or its address",
            "files ...    what to send",
            "--port PORT  the port",
            "--no-fast    whether it is fast",
        ]
        assert [lines[at - 1], lines[at + 4]] == ["", ""]
        assert not any("Args" in line or "Parameters" in line for line in lines)


def half(first: int, second: int = 2) -> None:
    """Do half.

    first  the first
    """


def silent(first: int, *, second: bool = False) -> None: ...


def test_undescribed_parameters() -> None:
    assert command_from_function(half).help.splitlines() == [
        "Do half.", "", "first  the first", "second  a whole number",
    ]  # fmt: skip
    made = command_from_function(silent)
    assert (made.summary, made.help.splitlines()[2:]) == (
        "Call the function silent.", ["first     a whole number", "--second"],
    )  # fmt: skip
    assert "description" not in made.json_schema()["properties"]["first"]
    for function, names in ((half, "second"), (silent, "first, second")):
        with pytest.raises(DeclarationError, match=f"has {names}, the docstring does not"):
            keysh.command(strict=True)(function)


def test_docstring_that_names_no_parameter() -> None:
    def greet(name: str) -> None:
        """Greet.

        Args:
            nmae: who
        """

    with pytest.raises(DeclarationError, match="describes `nmae`, the signature has none left"):
        command_from_function(greet)


# ---------------------------------------------------------------- callables


class Service:
    def __init__(self, name: str) -> None:
        self.name = name

    def greet(self, who: str, times: int = 1) -> str:
        """Greet somebody.

        Args:
            who: whom
        """
        return f"{self.name} greets {who}\n" * times

    @keysh.command(name="declared")
    def method(self, who: str, sh: keysh.Call) -> None:
        """Greet somebody.

        who  whom
        """
        sh.out.write(f"{self.name} greets {who} by {sh.name}\n")

    @keysh.command
    def first(self, sh: keysh.Call, who: str) -> None:
        """Greet somebody.

        who  whom
        """
        sh.out.write(f"{self.name} greets {who}\n")

    @classmethod
    def make(cls, who: str) -> str:
        return f"{cls.__name__} makes {who}\n"

    @staticmethod
    def plain(who: str) -> str:
        return f"plain {who}\n"

    def __call__(self, who: str) -> str:
        """Call somebody."""
        return f"{self.name} calls {who}\n"


def logged(function: Callable[..., str]) -> Callable[..., str]:
    @functools.wraps(function)
    def around(*arguments: Any, **named: Any) -> str:
        return f"log: {function(*arguments, **named)}"

    return around


@logged
def wrapped(who: str, *, loud: bool = False) -> str:
    """Greet somebody."""
    return f"{who.upper() if loud else who}\n"


def pair(left: str, right: str) -> str:
    """Join two words.

    Args:
        left: the left one
        right: the right one
    """
    return f"{left}-{right}\n"


async def later(who: str) -> str:
    await asyncio.sleep(0)
    return f"{who} later\n"


def rows(count: int) -> Iterator[object]:
    yield "text\n"
    for number in range(count):
        yield Size(number)


async def async_rows(count: int) -> AsyncIterator[object]:
    yield "text\n"
    for number in range(count):
        await asyncio.sleep(0)
        yield {"n": number}


AMY = Service("amy")


@pytest.mark.parametrize(
    ("function", "script", "output"),
    [
        (AMY.greet, "greet bob times=2", "amy greets bob\namy greets bob\n"),
        (AMY.method, "declared bob", "amy greets bob by declared\n"),
        (AMY.first, "first bob", "amy greets bob\n"),
        (Service.make, "make bob", "Service makes bob\n"),
        (Service.plain, "plain bob", "plain bob\n"),
        (AMY, "Service bob", "amy calls bob\n"),
        (keysh.command(name="hi")(AMY.greet), "hi bob", "amy greets bob\n"),
        (wrapped, "wrapped bob --loud", "log: BOB\n"),
        (functools.partial(pair, "a"), "pair b", "a-b\n"),
        (functools.partial(pair, right="b"), "pair a", "a-b\n"),
        (ord, "ord a; echo $?", "97\n"),
        (later, "later bob", "bob later\n"),
        (rows, "rows 1", 'text\n{"width":0,"height":1,"tags":[]}\n'),
        (rows, "rows 1000000 | head -n 2 | tail -n 1", '{"width":0,"height":1,"tags":[]}\n'),
        (async_rows, "async_rows 2", 'text\n{"n":0}\n{"n":1}\n'),
        (async_rows, "async_rows 2 | tail -n 1", '{"n":1}\n'),
    ],
)  # fmt: skip
def test_callable(function: Callable[..., object], script: str, output: str) -> None:
    result = Shell(commands=[function]).run(script)
    assert (result.stdout, result.stderr) == (output, "")
    assert asyncio.run(Shell(commands=[function]).arun(script)).stdout == output


def test_method_needs_its_object() -> None:
    for function in (Service.greet, Service.method):
        with pytest.raises(DeclarationError, match="is a method; pass it with its object"):
            Shell(commands=[function])
    shells = [Shell(commands=[Service(name).first]) for name in ("a", "b")]
    assert [shell.run("first x").stdout for shell in shells] == ["a greets x\n", "b greets x\n"]


class Quiet:
    def answer(self, value: int) -> int:
        return value


def nothing(value: int) -> None: ...


def test_help_of_callables() -> None:
    made = command_from_function(functools.partial(pair, "a"))
    assert [(one.name, one.help) for one in made.parameters] == [("right", "the right one")]
    assert Shell().add(AMY).summary == "Call somebody."
    for silent in (functools.partial(nothing), functools.lru_cache(nothing), Quiet().answer):
        summary = Shell().add(silent, "silent").help.partition("\n")[0]
        assert summary == "Call the function silent."  # and nothing of Python's own classes
    assert Shell().add(lambda word: word, "echo_it").name == "echo_it"
    with pytest.raises(keysh.KeyshError, match="use `shell"):
        Shell().add(lambda word: word)


# ---------------------------------------------------------------- answers


def answer(kind: str) -> object:
    return {
        "dataclass": Size(1), "enum": Colour.RED, "point": Point(1.0), "day": dt.date(2026, 1, 2),
        "path": pathlib.PurePosixPath("a/b"), "list": [Size(1)], "wait": dt.timedelta(seconds=1.5),
    }[kind]  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "output"),
    [
        ("dataclass", '{"width":1,"height":1,"tags":[]}'), ("enum", "red"),
        ("point", '{"x":1.0,"y":0.0}'), ("day", "2026-01-02"), ("path", "a/b"),
        ("list", '[{"width":1,"height":1,"tags":[]}]'), ("wait", "1.5"),
    ],
)  # fmt: skip
def test_answer_is_a_value(kind: str, output: str) -> None:
    assert Shell(commands=[answer]).run(f"answer {kind}").stdout.strip() == output


# ---------------------------------------------------------------- pydantic


def test_pydantic() -> None:
    pydantic = pytest.importorskip("pydantic")
    names: dict[str, Any] = {"BaseModel": pydantic.BaseModel, "Field": pydantic.Field,
                             "Annotated": Annotated, "__name__": __name__}  # fmt: skip
    source = """
class Address(BaseModel):
    city: str

class User(BaseModel):
    name: str = Field(max_length=3)
    age: int = 0
    address: Address | None = None

def add(value: User, *, count: Annotated[int, Field(ge=1, description="how often")] = 1):
    return value
"""
    exec(compile(source, "models", "exec", dont_inherit=True), names)
    shell = Shell(commands=[names["add"]])
    assert shell.run("add name=amy,age=3 count=2").stdout == (
        '{"name":"amy","age":3,"address":null}\n'
    )
    assert shell.run("""add '{"name": "amy", "address": {"city": "x"}}' | jq .address.city""").ok
    for words, fault in (
        ("name=amelia", "(name: String should have at most 3 characters)"),
        ("age=1", "(name: Field required)"),
        (
            "name=a count=0",
            "count must be a whole number (Input should be greater than or equal to 1)",
        ),
    ):
        result = shell.run(f"add {words}")
        assert result.rejected
        assert fault in result.stderr
    schema = shell.registry.command_named("add").json_schema()  # type: ignore[union-attr]
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate({"value": {"name": "amy", "address": {"city": "x"}}}, schema)
    assert "Address" in schema["$defs"]
    assert schema["properties"]["count"]["description"] == "how often"


def test_keysh_does_not_import_pydantic() -> None:
    program = (
        "import enum, keysh\n"
        "class Colour(enum.Enum): RED = 'red'\n"
        "def f(colour: Colour, size: 'dict[str, int] | None' = None): return colour\n"
        "assert keysh.Shell(commands=[f]).run('f red').stdout == 'red'\n"
        "import sys; assert 'pydantic' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


def test_command_is_public() -> None:
    assert isinstance(Shell().add(pair), Command)
