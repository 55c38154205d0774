"""Attacks on every command, made from its declaration: a new command is attacked unasked.

Wherever a command takes a number, it gets each of NUMBERS; wherever it takes a text, a long one of
each of TEXT_PARTS; as input and as a file it gets what never ends. The tests run a batch for each
command; `python -m tests.hostile --sweep` runs each attack alone, which takes an hour.
"""

from __future__ import annotations

from collections.abc import Iterator

from hostile.tables import Script
from keysh.schema.command import Command, CommandParameter
from keysh.schema.types import RAW
from keysh.shell.command_listing import command_modules, command_named

NUMBERS = (
    '"$DIGITS"', '-"$DIGITS"', "9223372036854775807", "-999999999999999999", "9999999999",
    "-9999999999", "-1", "0", "1e999", "-1e999", "nan", "0.0000000001", "99999999Y",
)  # fmt: skip
NUMBER_TYPES = frozenset({"int", "float", "Size", "Duration", "Count"})
FILE_TYPES = frozenset({"Path", "Place"})
# What a parser, a format, a pattern or a list of ranges might take apart.
TEXT_PARTS = ("a", "[", "(", "%d", "{", "1,", "/", "*", "\\", "a ", "é")
TEXT_WORDS = tuple(f'"$TEXT_{number}"' for number in range(len(TEXT_PARTS)))
LONG_CHARACTERS, SHORT_CHARACTERS = 1_000_000, 20_000
ENDLESS_FILES = ("/dev/zero", "/dev/urandom")
INPUTS = {
    "zero": "< /dev/zero",
    "random": "< /dev/urandom",
    "yes": "< <(yes)",
    "line": "< <(yes | tr '\\n' ' ')",
    "empty": "< <(yes '')",
}
PLAIN_WORDS = {"sed": "p", "tr": "a b", "expr": "a : a"}
# One text with all that a command might look for, for the commands that are not to be flooded.
FINITE_INPUT = "< /short"
SETUP = "cd /; printf '%s\\n' 'a 1' 'b 2' > /short\n"
LIMITS = {"seconds": 0.2, "memory": 128 << 20, "output": 32 << 20, "value": 4 << 20}


class Attack:
    """A command line, and what it is called."""

    def __init__(self, name: str, line: str) -> None:
        self.name, self.line = name, line


def command_names() -> list[str]:
    """Return the names of all commands."""
    return sorted(command_modules())


def attacks(command: Command) -> Iterator[Attack]:
    """Yield the attacks on each parameter of a command."""
    plain = command_line(command, None, "")
    for kind, source in INPUTS.items():
        yield Attack(f"input-{kind}", f"{plain} {source}")
    for parameter in command.parameters:
        name = parameter.name
        for number, word in enumerate(words_against(parameter)):
            line = command_line(command, parameter, word)
            yield Attack(f"{name}-{number}", f"{line} {FINITE_INPUT}")
        if parameter.is_flag:
            flagged = command_line(command, parameter, "")
            yield Attack(f"{name}-zero", f"{flagged} < /dev/zero")
        elif type_name(parameter) in FILE_TYPES:
            for file in ENDLESS_FILES:
                yield Attack(f"{name}-{file[5:]}", command_line(command, parameter, file))


def words_against(parameter: CommandParameter) -> tuple[str, ...]:
    """Return the words that a parameter is attacked with."""
    if parameter.is_flag:
        return ()
    kind = type_name(parameter)
    if kind in NUMBER_TYPES:
        return (*NUMBERS, TEXT_WORDS[0])
    return TEXT_WORDS if kind in FILE_TYPES else (*TEXT_WORDS, *NUMBERS)


def type_name(parameter: CommandParameter) -> str:
    """Return the name of a parameter's type, or of the members of a list."""
    return parameter.type.name.removeprefix("list of ")


def command_line(command: Command, attacked: CommandParameter | None, word: str) -> str:
    """Return a call whose `attacked` parameter has the value `word`, and the others plain ones."""
    words = [command.name]
    if attacked is not None and attacked.role not in ("text", "operand", "rest"):
        words.append(option_word(attacked, word))
    operands = []
    for parameter in [*command.operands, *([command.rest] if command.rest else ())]:
        if parameter.type is RAW and command.runs_command and parameter is not attacked:
            operands.append("true")
        elif parameter is attacked:
            operands.append(word)
        elif is_needed(parameter, attacked):
            operands.append(plain_word(command, parameter))
    return " ".join([*words, *operands])


def is_needed(parameter: CommandParameter, attacked: CommandParameter | None) -> bool:
    """Whether a call without this operand does nothing; an option may take its place."""
    if attacked is not None and attacked.name in parameter.replacing_options:
        return False
    return parameter.is_required or bool(parameter.replacing_options)


def option_word(parameter: CommandParameter, word: str) -> str:
    """Return how an option is written, with its value if it takes one."""
    is_pair = parameter.type.is_pair
    if parameter.letters:
        joint = "" if parameter.is_flag or parameter.value_is_optional else " "
        first = f"-{parameter.letters[0]}{joint}{word}"
    else:
        long_name = parameter.long_names[0] if parameter.long_names else parameter.key
        first = f"--{long_name}" + (f"={word}" if word and not is_pair else f" {word}")
    return f"{first} {word}" if is_pair else first


def plain_word(command: Command, parameter: CommandParameter) -> str:
    """Return a harmless value of a parameter."""
    kind = type_name(parameter)
    if kind in FILE_TYPES:
        return "-"
    return PLAIN_WORDS.get(command.name, "1")  # a number, a pattern, a program of awk and of jq


def script(name: str, lines: list[str], characters: int) -> Script:
    """Return the script of attacks; what they print is of no interest, but their messages are."""
    text = "\n".join(f"{line} > /dev/null" for line in lines)
    env = {
        word[2:-1]: part * (characters // len(part))
        for word, part in zip(TEXT_WORDS, TEXT_PARTS, strict=True)
        if word in text
    }
    row = {"script": text, "setup": SETUP, "limits": LIMITS, "env": env, "ends": "limit ok fails"}
    return Script(name, "keysh", row)


def single_scripts(name: str) -> list[Script]:
    """Return a script for each attack on a command, with long texts."""
    return [
        script(f"sweep-{name}-{attack.name}", [attack.line], LONG_CHARACTERS)
        for attack in attacks(command_named(name))
    ]


def batch(name: str) -> Script:
    """Return one script of the attacks on a command that end, and of endless input at last."""
    found = list(attacks(command_named(name)))
    ending = [attack.line for attack in found if attack.line.endswith(FINITE_INPUT)]
    return script(f"sweep-{name}", [*ending, found[0].line], SHORT_CHARACTERS)
