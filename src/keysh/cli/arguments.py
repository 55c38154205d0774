"""Wishes: what the arguments of the program ask for, where it runs a script."""

from __future__ import annotations

from keysh.cli.console import UsageError
from keysh.interp.run.options import OPTION_LETTERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

USAGE = """\
usage: keysh [OPTION…] SCRIPT [ARGUMENT…]
       keysh [OPTION…] -c TEXT [NAME [ARGUMENT…]]
       keysh [OPTION…] -s [ARGUMENT…]

-c TEXT              run a text
-s                   run what standard input holds
-e -u -x -n -v -f    options of the shell, as of `set`
-o NAME              turn on an option by its name, as `set -o` lists them
--memory             files are in memory, nothing of the machine is seen
--sandbox[=DIR]      files are those below DIR, or the current directory, and no program runs
--overlay            what is written stays in memory, is shown, and asked for at a terminal
--commit             with --overlay: write it when the script has succeeded, and ask nothing
--mount V=R[:ro]     show the directory R at V
--no-external        no program runs
--allow COMMAND      only these programs run
--audit FILE         append a line of JSON for each program: whether it may run, and how it ends
--timeout SECONDS    end the script after so long
--limit KIND=NUMBER  a limit: steps, seconds, output, unpacked, memory, value, depth, globs, braces,
                     jobs, processes; files and file_bytes of --memory
--env NAME=VALUE     set a variable of the environment
--clear-env          begin with an empty environment
--json               print the result as one JSON object
--plan[=FORM]        print what the script would run, as json or tree, and run nothing
--no-check           run the script whatever the check says
--dialect NAME       the language of the script: keysh, there is no other
"""

FLAGS = (
    "--memory", "--overlay", "--commit", "--no-external", "--clear-env", "--json", "--no-check",
)  # fmt: skip
VALUED = ("--mount", "--allow", "--audit", "--timeout", "--limit", "--env", "--dialect")


class Wishes:
    """What the arguments ask for."""

    def __init__(self) -> None:
        self.text: str | None = None
        self.reads_input = False
        self.letters: list[str] = []
        self.flags: set[str] = set()
        self.values: list[tuple[str, str]] = []
        self.sandbox: str | None = None
        self.plan = ""
        self.operands: list[str] = []

    def all(self, option: str) -> list[str]:
        """The values of an option, as often as it was given."""
        return [value for name, value in self.values if name == option]


def wishes_of(arguments: Sequence[str]) -> Wishes:
    """Read the arguments up to the first operand; what follows is the script's."""
    made = Wishes()
    wants_text = False
    at = 0
    while at < len(arguments):
        argument = arguments[at]
        if argument == "--":
            at += 1
            break
        if argument[:1] not in ("-", "+") or argument == "-":
            break
        at += 1
        if argument.startswith("--"):
            at = long_option(made, arguments, at)
            continue
        for letter in argument[1:]:
            if letter == "c":
                wants_text = True
            elif letter == "s":
                made.reads_input = True
            elif letter == "o":
                if at >= len(arguments):
                    raise UsageError("-o needs the name of an option")
                made.letters.append(f"{argument[0]}o {arguments[at]}")
                at += 1
            elif letter in OPTION_LETTERS or letter in "il":
                made.letters.append(argument[0] + letter)
            else:
                raise UsageError(f"no such option: -{letter}")
    made.operands = list(arguments[at:])
    if "--commit" in made.flags and "--overlay" not in made.flags:
        raise UsageError("--commit needs --overlay")
    if "--memory" in made.flags and made.sandbox is not None:
        raise UsageError("--memory or --sandbox: one of them")
    if wants_text:
        if not made.operands:
            raise UsageError("-c needs a text")
        made.text = made.operands.pop(0)
    return made


def long_option(made: Wishes, arguments: Sequence[str], at: int) -> int:
    """One option of two dashes; the place of the next argument."""
    name, equals, value = arguments[at - 1].partition("=")
    if name == "--sandbox":
        made.sandbox = value or "."
    elif name == "--plan":
        made.plan = value or "json"
        if made.plan not in ("json", "tree"):
            raise UsageError(f"--plan needs json or tree, but has {value}")
    elif name in FLAGS and not equals:
        made.flags.add(name)
    elif name in VALUED:
        if not equals:
            if at >= len(arguments):
                raise UsageError(f"{name} needs a value")
            value = arguments[at]
            at += 1
        made.values.append((name, value))
    else:
        raise UsageError(f"no such option: {name}")
    return at
