"""`keysh rules check` and `keysh rules explain`."""

# ruff: noqa: PLC0415 - as in the other subcommands

from __future__ import annotations

from keysh.cli.command_line import CLI_REFUSALS
from keysh.cli.console import UsageError, put, put_json
from keysh.cli.script_sources import complain_about
from keysh.diagnostics.display import visible
from keysh.schema.command import OptionStyle
from keysh.schema.declare import command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal

    from keysh.rules.rule_set import Rules

STATUS_BY_DECISION = {"allow": 0, "ask": 1, "deny": 1}


@command(refusals=CLI_REFUSALS, style=OptionStyle(binds_by_key=False))
def rules(
    program: str,
    action: Literal["check", "explain"],
    file: str,
    text: str | None = None,
    *,
    dialect: Literal["bash", "keysh"] = "bash",
    json: bool = False,
) -> int:
    """Try the examples of a file with rules, or tell what the rules decide.

    action          `check` reads the file and tries all examples of its rules; `explain`
                    tells what they decide about a script, and what only its run can tell
    file            rules in TOML
    text            for `explain`: a script, or one act such as `write /etc/passwd` or
                    `POST https://example.com/path`
    --dialect NAME  the language of the script: keysh or bash (default: bash)
    --json          print the answer as JSON

    The status of `explain` is 1 if something is denied or has to be asked. The status is 2 if
    the rules or the script are wrong.
    """
    if (action == "explain") != (text is not None):
        raise UsageError(
            f"rules: {action} takes a file{' and a text' if text is None else ''}", "rules"
        )
    from keysh.diagnostics.exceptions import ScriptError
    from keysh.rules.rule_set import Rules

    known = Rules.load(file)
    if text is None:
        return report_rules(known, file, json=json)
    try:
        return explain(known, text, dialect, json=json)
    except ScriptError as error:
        return complain_about(error.diagnostics)


def report_rules(known: Rules, file: str, *, json: bool) -> int:
    """Print what was read; return the status."""
    examples = sum(len(rule.match) + len(rule.not_match) for rule in known.rules)
    if json:
        put_json({"rules": len(known.rules), "examples": examples, "default": known.defaults})
        return 0
    defaults = sorted(set(known.defaults.values()))
    default = defaults[0] if len(defaults) == 1 else ", ".join(
        f"{action} {decision}" for action, decision in known.defaults.items()
    )  # fmt: skip
    counts = f"{number_of(len(known.rules), 'rule')}, {number_of(examples, 'example')}"
    put(f"{visible(file)}: {counts}; default: {default}\n")
    return 0


def number_of(number: int, noun: str) -> str:
    """Return a number with its noun: `1 rule`, `2 rules`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def explain(known: Rules, text: str, dialect: str, *, json: bool) -> int:
    """Print what rules decide about a text; return the status."""
    from keysh.rules.decision import FILE_ACTIONS
    from keysh.rules.rule_file import request_of_url
    from keysh.rules.script_verdicts import ScriptVerdicts
    from keysh.shell.run_options import dialect_named

    first, _, rest = text.strip().partition(" ")
    if first in FILE_ACTIONS and rest.startswith("/"):
        verdicts = ScriptVerdicts.of_act([rest], known.judge_path(first, rest))
    elif first.isupper() and rest.startswith(("http://", "https://")):
        try:
            verdict = known.judge_request(first, *request_of_url(rest))
        except ValueError:
            raise UsageError(f"rules: not a URL: {rest}", "rules") from None
        verdicts = ScriptVerdicts.of_act([first, rest], verdict)
    else:
        spoken = dialect_named(dialect)
        assert spoken is not None
        verdicts = ScriptVerdicts(known, text, spoken, "/")
    if json:
        put_json({"verdicts": [act.record() for act in verdicts.acts], "unknown": verdicts.unknown})
    else:
        put("".join(f"{line}\n" for line in verdicts.lines()))
    return STATUS_BY_DECISION[verdicts.decision]
