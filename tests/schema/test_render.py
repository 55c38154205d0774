"""What is rendered from a declaration: help, JSON Schema, the page, completion."""

from __future__ import annotations

from typing import Any

import jsonschema
import pytest

from keysh.schema.command import Command
from keysh.schema.declare import command_of
from keysh.schema.render import (
    declared_candidates,
    help_text,
    markdown_page,
    usage_line,
)
from schema.declarations import COMMANDS, copy, cp, echo, env, grep, head, sed, timeout

pytestmark = pytest.mark.quick


@pytest.mark.parametrize(
    ("function", "line"),
    [
        (head, "head [OPTION]... [FILE]..."),
        (cp, "cp [OPTION]... PATH..."),
        (copy, "copy [OPTION]... SOURCE [TO]"),
        (grep, "grep [OPTION]... [PATTERN] [FILE]..."),
        (timeout, "timeout [OPTION]... DURATION WORD..."),
        (echo, "echo [WORD]..."),
    ],
)
def test_usage(function: Any, line: str) -> None:
    assert usage_line(command_of(function)) == line


def test_help_is_the_docstring() -> None:
    assert help_text(command_of(echo)) == (
        "Usage: echo [WORD]...\nPrint words.\n\nwords ...    what to print\n"
    )


def test_json_schema() -> None:
    assert command_of(copy).json_schema() == {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "copy",
        "description": "Copy as a host's own command would.",
        "type": "object",
        "properties": {
            "source": {"type": "string", "format": "path", "description": "what to copy"},
            "to": {"type": "string", "format": "path", "description": "where to", "default": "."},
            "mode": {
                "type": "string", "enum": ["fast", "safe"], "description": "how", "default": "safe",
            },
            "dry_run": {
                "type": "boolean", "description": "only say what would be done", "default": False,
            },
            "in": {
                "anyOf": [{"type": "array", "items": {"type": "integer"}}, {"type": "null"}],
                "description": "which parts",
            },
            "labels": {
                "anyOf": [{"type": "object"}, {"type": "null"}], "description": "what to note",
            },
            "wide": {
                "anyOf": [{"type": "boolean"}, {"type": "null"}], "description": "in columns",
            },
        },
        "required": ["source"],
        "additionalProperties": False,
    }  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_json_schema_is_valid(command: Command) -> None:
    jsonschema.Draft202012Validator.check_schema(command.json_schema())


@pytest.mark.parametrize(
    ("function", "record", "is_valid"),
    [
        (cp, {"paths": ["a", "b"], "clobber": False}, True),
        (cp, {"paths": ["a"]}, False),
        (copy, {"source": "a", "in": [1], "wide": None}, True),
        (copy, {"to": "a"}, False),
        (copy, {"source": "a", "bogus": 1}, False),
        (copy, {"source": "a", "mode": "x"}, False),
        (head, {"bytes": "10K"}, True),
        (head, {"bytes": 10}, True),
        (head, {"bytes": "10Q"}, False),
        (sed, {"script": "p", "in_place": True}, True),
        (sed, {"script": "p", "in_place": ".bak"}, True),
        (sed, {"script": "p", "in_place": 3}, False),
        (timeout, {"duration": "1.5s", "words": ["ls"]}, True),
        (timeout, {"duration": -1, "words": ["ls"]}, False),
    ],
)
def test_json_schema_accepts_the_same_arguments_as_the_command(
    function: Any, record: dict[str, Any], is_valid: bool
) -> None:
    schema = command_of(function).json_schema()
    assert jsonschema.Draft202012Validator(schema).is_valid(record) is is_valid


def test_page() -> None:
    assert (
        markdown_page(command_of(sed))
        == """\
# sed

```
Usage: sed [OPTION]... [SCRIPT] [FILE]...
Edit lines.

script                        what to do (not with -e)
files ...                     files to edit
-e, --expression SCRIPT       what to do; may be given again
-i, --in-place[=SUFFIX]       write into the file; keep the old one as FILE.SUFFIX
-n, --quiet                   print only what is asked for
```

| parameter | type | default |
| --- | --- | --- |
| `SCRIPT` | sed |  |
| `FILES ...` | Path |  |
| `-e` `--expression` `expression=` | list of sed |  |
| `-i` `--in-place` `in_place=` | str | `false` |
| `-n` `--quiet` `quiet=` | bool | `false` |
"""
    )


def offered(function: Any, word: str, before: str = "") -> list[str]:
    return [displayed for displayed, _ in declared_candidates(command_of(function), word, before)]


def test_candidates() -> None:
    assert offered(head, "") == ["lines=", "bytes=", "quiet=", "verbose="]
    assert offered(head, "li") == ["lines="]
    assert offered(head, "--q") == ["--quiet"]
    assert offered(head, "-") == [
        "--lines", "--bytes", "--quiet", "--silent", "--verbose", "--help", "-n", "-c", "-q", "-v",
    ]  # fmt: skip
    assert offered(head, "--no-") == ["--no-quiet", "--no-verbose"]
    assert offered(cp, "--no") == ["--no-clobber"]
    assert offered(env, "") == []
    assert offered(echo, "-") == []


def test_candidates_for_values() -> None:
    assert offered(copy, "mode=") == ["mode=fast", "mode=safe"]
    assert offered(copy, "--mode=f") == ["--mode=fast"]
    assert offered(copy, "dry_run=") == ["dry_run=true", "dry_run=false"]
    assert offered(copy, "", before="--mode") == ["fast", "safe"]
    assert offered(head, "", before="-qn") == []
    assert offered(grep, "", before="--color") != []
    assert offered(grep, "a", before="--color") == []
    assert offered(copy, "bogus=") == []
    assert offered(copy, "--bogus=") == []


def test_candidates_have_help() -> None:
    assert declared_candidates(command_of(copy), "--dr") == [
        ("--dry-run", "only say what would be done")
    ]
    assert declared_candidates(command_of(copy), "dr") == [
        ("dry_run=", "only say what would be done")
    ]
