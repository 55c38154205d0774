"""The program accepts exactly the options that are declared, and its manual shows them."""

from __future__ import annotations

import pytest

from keysh.cli import main as cli
from keysh.cli.command_line import CliOptions, parse_options
from keysh.cli.console import UsageError
from keysh.cli.manual.command_options import RUN, option_spellings, options_of
from keysh.cli.run_script import run_script
from keysh.cli.subcommands import declarations
from keysh.schema.command import CommandParameter
from keysh.schema.render import help_text

pytestmark = pytest.mark.quick

VALUES = {"option": "errexit", "timeout": "5", "dialect": "keysh", "confine": "auto"}
SPELLINGS = [
    (option, spelling) for option in options_of(RUN) for spelling in option_spellings(option)
]


NEEDED_OPTIONS = {
    "commit": ["--overlay"], "audit_head": ["--audit", "x"], "audit_required": ["--audit", "x"],
}  # fmt: skip


@pytest.mark.parametrize(("option", "spelling"), SPELLINGS)
def test_every_run_option_is_accepted(option: CommandParameter, spelling: str) -> None:
    waits = not (option.is_flag or option.value_is_optional)
    needed = NEEDED_OPTIONS.get(option.name, [])
    value = [VALUES.get(option.name, "x")] if waits else []
    options = parse_options([*needed, spelling, *value, "script", "-x"])
    assert isinstance(options, CliOptions)
    if option.name == "command":
        assert (options.text, options.words) == ("script", ["-x"])
    else:
        assert options.words == ["script", "-x"]


def test_every_subcommand_is_declared() -> None:
    assert tuple(declarations()) == cli.SUBCOMMANDS


def test_help_fits_a_terminal() -> None:
    for command in (RUN, *declarations().values()):
        assert not [line for line in help_text(command).splitlines() if len(line) > 90]


def test_unknown_dialect_is_refused() -> None:
    with pytest.raises(UsageError, match="dialect must be one of bash, keysh, but is 'zsh'"):
        run_script(["--dialect", "zsh", "-c", "true"])
