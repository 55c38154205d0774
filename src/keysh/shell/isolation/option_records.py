"""Options of a Shell as a worker is told them: JSON, and the contents of files as bytes."""

from __future__ import annotations

from keysh.shell.images.typed_values import value_to_json
from keysh.shell.run_options import plain_environment
from keysh.values import text_of, value_of_python

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from keysh.shell.history.journal import Journal
    from keysh.shell.run_options import ShellSettings


def text_values(env: Mapping[str, object]) -> dict[str, str]:
    """Return an environment as text."""
    return {
        name: value if isinstance(value, str) else text_of(value_of_python(value))
        for name, value in env.items()
    }


def options_as_json(options: dict[str, Any]) -> dict[str, Any]:
    """Return options of `Shell` as a worker is told them."""
    record = dict(options)
    if record.get("env") is not None:
        record["env"] = text_values(plain_environment(record["env"]))
    if "args" in record:
        record["args"] = [value_to_json(value_of_python(value)) for value in record["args"]]
    return record


def contents_of(files: Mapping[str, Any] | None) -> dict[str, bytes]:
    """Return the contents of the files that a host gives its shell."""
    contents = {}
    for path, content in (files or {}).items():
        whole = content() if callable(content) else content
        contents[path] = (
            whole.encode("utf-8", "surrogateescape") if isinstance(whole, str) else bytes(whole)
        )
    return contents


def journal_as_json(journal: Journal | None) -> dict[str, int] | None:
    """Return what a worker has to know of its journal; ValueError for what only a host has."""
    if journal is None:
        return None
    if journal.directory is not None or journal.watch is not None:
        raise ValueError("the journal of an isolated shell has neither directory nor watch")
    return {"max_runs": journal.max_runs, "max_bytes": journal.max_bytes}


def rules_as_bytes(options: ShellSettings) -> bytes:
    """Return all rules for a worker, which trusts its host: them, the shell's and the policy's.

    TypeError for a class that the worker has not.
    """
    all_rules = options.all_rules
    if not all_rules:
        return b""
    from pickle import dumps  # noqa: PLC0415 - most shells have no rules

    from keysh.rules.rule_set import Rules  # noqa: PLC0415 - as above

    if any(rules.__class__ is not Rules for rules in all_rules):
        raise TypeError("the rules of an isolated shell must be keysh.Rules, not of a class of it")
    return dumps((all_rules, options.rules, getattr(options.external, "rules", None)))
