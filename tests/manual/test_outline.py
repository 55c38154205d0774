"""What is read from the usage texts is what the program takes."""

from __future__ import annotations

import pytest

from keysh.cli import arguments as wishes
from keysh.cli import main as cli
from keysh.cli import run_script as program
from keysh.cli.manual.page import outline
from keysh.cli.manual.usage import Option, Outline
from keysh.cli.subcommands import USAGE

pytestmark = pytest.mark.quick

OUTLINE = outline(USAGE)
OF_A_RUN = [option for option in OUTLINE.options[""] if option.name not in cli.ABOUT]
VALUES = {"-o": "errexit", "-c": "true", "--dialect": "keysh"}


def spelled(option: Option) -> list[str]:
    value = VALUES.get(option.name, option.value)
    return [option.name, value] if value and not option.is_optional else [option.name]


@pytest.mark.parametrize("option", OF_A_RUN, ids=lambda option: option.name)
def test_option_of_a_run_is_taken(option: Option) -> None:
    needed = ["--overlay"] if option.name == "--commit" else []
    made = wishes.wishes_of([*needed, *spelled(option), "script"])
    assert made.operands == ["script"]


def test_every_long_option_is_told() -> None:
    taken = {*wishes.FLAGS, *wishes.VALUED, "--sandbox", "--plan"}
    assert {option.name for option in OF_A_RUN if option.name.startswith("--")} == taken


def test_options_with_values_are_those_that_take_one() -> None:
    long = [option for option in OF_A_RUN if option.name.startswith("--")]
    assert {option.name for option in long if option.value and not option.is_optional} == set(
        wishes.VALUED
    )


def test_every_subcommand_is_told() -> None:
    assert set(OUTLINE.commands) == {*cli.SUBCOMMANDS, "mcp"}  # which takes options of a run
    assert all(OUTLINE.commands.values())


def test_help_that_goes_on_is_one() -> None:
    made = Outline(("usage: keysh x [-a]\n\nx         does what\n          it does\n  -a  more\n",))
    assert made.rows == [("x", "does what it does"), ("  -a", "more")]
    assert (made.commands, made.prose) == ({"x": "does what it does"}, [])
    assert [option.name for option in made.options["x"]] == ["-a"]


@pytest.mark.parametrize("name", cli.SUBCOMMANDS)
def test_option_of_a_subcommand_is_taken(name: str) -> None:
    for option in OUTLINE.options[name]:
        assert option.help
        with pytest.raises(cli.UsageError) as caught:
            cli.run([name, option.name])
        assert "no such option" not in str(caught.value)


def test_dialect_that_there_is_not() -> None:
    with pytest.raises(cli.UsageError, match="--dialect needs keysh, but has bash"):
        program.run(["--dialect", "bash", "-c", "true"])
