"""Declared functions bind as builtins do."""

from __future__ import annotations

import pytest

from keysh.schema.arguments import NamedArgument
from keysh.schema.binder import InvalidArguments, bind
from keysh.schema.command import Command
from keysh.schema.function_commands import DeclaredParameter, function_command
from keysh.schema.render import help_text

pytestmark = pytest.mark.quick

DEFAULT = object()


def deploy() -> Command:
    """`deploy(host, port: int = …, *files: path, dry_run: bool = …, tags: list? = …)`."""
    return function_command(
        "deploy",
        print,
        [
            DeclaredParameter("host"),
            DeclaredParameter("port", "int", default=DEFAULT),
            DeclaredParameter("files", "path", is_rest=True),
            DeclaredParameter("dry_run", "bool", default=DEFAULT),
            DeclaredParameter("tags", "list", is_nullable=True, default=DEFAULT),
        ],
    )


def test_operands_and_options() -> None:
    bound = bind(deploy(), ["web1", "9000", "a", "b", "--dry-run", "--tags", "[1]"])
    assert bound.positional == ["web1", 9000, "a", "b"]
    assert bound.options == {"dry_run": True, "tags": [1]}


def test_names() -> None:
    arguments = [NamedArgument("port", 1, "port=1"), NamedArgument("tags", None, "tags=")]
    bound = bind(deploy(), [*arguments, "--host", "web1", "--no-dry-run"])
    assert (bound.positional, bound.options) == (["web1", 1], {"tags": None, "dry_run": False})


def test_default_is_returned_unchanged() -> None:
    bound = bind(deploy(), ["web1"])
    assert bound.positional[1] is DEFAULT
    assert bound.options == {}


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ([], "missing operand"),
        (["web1", "x"], "port must be a whole number, but is 'x'"),
        (["web1", "--tags", "{}"], "tags must be a list, but is '{}'"),
        (["web1", "--files", "a"], "unrecognized option '--files'"),
    ],
)
def test_refused(words: list[str], message: str) -> None:
    with pytest.raises(InvalidArguments) as caught:
        bind(deploy(), words)
    assert caught.value.message == message


@pytest.mark.parametrize("value", [[1], {"a": 1}, None, "text", 1.5, True])
def test_any_accepts_every_value(value: object) -> None:
    command = function_command("f", print, [DeclaredParameter("x")])
    assert bind(command, [value]).positional == [value]


def test_help_and_schema_name_every_parameter() -> None:
    assert help_text(deploy()).splitlines() == [
        "Usage: deploy [OPTION]... HOST [PORT] [FILE]...",
        "Call the function deploy.",
        "",
        "host  anything",
        "port  a whole number",
        "files ...  a path",
        "--dry-run  true or false",
        "--tags TAGS  a list",
    ]
    assert bind(deploy(), ["--help"]).asks_help
    no_defaults = function_command(
        "f", print, [DeclaredParameter("x", "list"), DeclaredParameter("y", "any")]
    )
    assert no_defaults.json_schema()["required"] == ["x", "y"]
