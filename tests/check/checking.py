"""Run the checker on a text and summarise its diagnostics."""

from __future__ import annotations

from collections.abc import Container, Mapping

from keysh.check.checker import check
from keysh.diagnostics.diagnostic import Diagnostic
from keysh.diagnostics.source import Source
from keysh.schema.command import Command
from keysh.schema.declare import command, command_of
from keysh.schema.types import Path, Raw
from keysh.syntax.parser import parse


@command
def head(sh: object, *files: Path, lines: int = 10, quiet: bool = False) -> None:
    """Print the first lines.

    files ...         files to read
    -n, --lines NUM   how many lines
    -q, --quiet       print no headers
    """


@command
def copy(sh: object, source: Path, target: Path) -> None:
    """Copy a file.

    source  what to copy
    target  where to
    """


@command
def echo(sh: object, *words: Raw) -> None:
    """Print words.

    words ...  what to print
    """


@command
def cat(sh: object, *files: Path) -> None:
    """Print files.

    files ...  files to read
    """


class Registry:
    """A few commands; `loaded` lists those that the checker has asked for."""

    def __init__(self, *, has_external: bool = False) -> None:
        self.has_external = has_external
        self.loaded: list[str] = []
        self._commands = {f.__name__: command_of(f) for f in (head, copy, echo, cat)}

    def names(self) -> frozenset[str]:
        return frozenset({*self._commands, "old_function"})

    def is_script(self, name: str) -> bool:
        return name == "on_path"

    def command_named(self, name: str) -> Command | None:
        self.loaded.append(name)
        return self._commands.get(name)


def diagnostics(
    text: str,
    *,
    severities: Mapping[str, str] | None = None,
    variables: Container[str] = (),
    has_external: bool = False,
) -> list[Diagnostic]:
    """Return all diagnostics of a text."""
    script = parse(Source(text, "t.ksh"))
    registry = Registry(has_external=has_external)
    return check(script, registry, severities=severities or {}, variables=variables)


def summaries(text: str, **options: object) -> list[str]:
    """Return each diagnostic as its code, `?` for a warning, and the marked text."""
    return [
        f"{one.code}{'?' if one.severity == 'warning' and one.code[0] == 'E' else ''} "
        f"{text[one.start : one.end]}"
        for one in diagnostics(text, **options)  # type: ignore[arg-type]
    ]
