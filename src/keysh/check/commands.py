"""Commands that are called: is there one of that name, and does it take these arguments?"""

from __future__ import annotations

from keysh.check.builtin_effects import OWN, SPECIAL
from keysh.check.static_words import binder_arguments
from keysh.diagnostics.diagnostic import shortened
from keysh.schema.binder import Misuse, bind, nearest_fix
from keysh.schema.types import Code, Unfit
from keysh.syntax import ast
from keysh.syntax.constants import constant
from keysh.syntax.wrappers import WRAPPERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from collections.abc import Set as AbstractSet
    from typing import Protocol

    from keysh.check.facts import Facts, Use
    from keysh.check.report import Report
    from keysh.diagnostics.source import Source
    from keysh.schema.command import Command

    class Registry(Protocol):
        """The commands that a script can use besides those that it defines itself."""

        @property
        def has_external(self) -> bool:
            """Whether names beyond `names()` may be found when the script runs, as programs."""

        def names(self) -> AbstractSet[str]:
            """Every known name: builtins, plugins, functions and aliases that are there already."""

        def command_named(self, name: str) -> Command | None:
            """A known name's declaration; none for what has no declaration, as a function."""

        def is_script(self, name: str) -> bool:
            """Whether a name that is not known is that of a script on `$PATH`."""


# Names to which the language itself gives a meaning; what is judged here is the rest.
LANGUAGE = frozenset((*SPECIAL, *OWN))
ADDING = "xargs"  # the wrapper that puts more words behind those of the command
ENDING = ("-v", "-V", "-S")  # options that no command follows: `command -v x`, `env -S "x y"`
# Where keysh's own commands stand; a command from elsewhere is the host's.
BUILTINS = ("keysh.tools.", "keysh.builtins.")
NEAREST = 5  # unknown names for which near ones are looked up: a reader sees as many
REFUSED = {"history": "keep what you need in a variable or a file"}


class Commands:
    """The judge of every call in one script."""

    __slots__ = ("_declared", "_facts", "_known", "_names", "_near", "_registry", "_report",
                 "_source")  # fmt: skip

    def __init__(self, facts: Facts, registry: Registry, report: Report, source: Source) -> None:
        self._facts, self._registry = facts, registry
        self._report, self._source = report, source
        self._names = registry.names()
        # Names that are not found may still be there when the script runs.
        self._known = registry.has_external or facts.hides_commands or "PATH" in facts.assigned
        self._declared: dict[str, Command | None] = {}
        self._near: dict[str, str] = {}

    def judge(self) -> None:
        """Judge all of them."""
        for use in self._facts.uses:
            name = use.name
            command = self.declared(name)
            if command is not None:
                if not command.is_raw:
                    self.bind(command, use, use.node.arguments)
            elif name not in self._names:
                self.unknown(name, use.node.arguments[0], use)
            if name in WRAPPERS:
                self.wrapped(use)

    def declared(self, name: str) -> Command | None:
        """The same, looked up once."""
        try:
            return self._declared[name]
        except KeyError:
            command = self._declared[name] = self.meaning(name)
            return command

    def meaning(self, name: str) -> Command | None:
        """The declaration that a name's calls can be judged by."""
        facts = self._facts
        functions = facts.functions.get(name)
        if functions is None:
            is_plain = name in self._names and name not in facts.redefined
            return self._registry.command_named(name) if is_plain else None
        parameters = functions[0].parameters
        if len(functions) > 1 or parameters is None or name in facts.redefined:
            return None
        from keysh.check.parameters import declared_command  # noqa: PLC0415 - few are declared

        return declared_command(name, body_of_function, parameters)

    # ------------------------------------------------------------ names

    def unknown(self, name: str, word: ast.Argument, use: Use) -> None:
        """Report a name that no command has."""
        facts, report = self._facts, self._report
        if name in facts.functions or name in facts.redefined or name in LANGUAGE:
            return
        if name in REFUSED:
            fact = "keysh does not have this command"
            report.say("E111", word.start, word.end, fact, f"`{name}`", REFUSED[name])
        elif not (self._known or "/" in name or not name
                  or "command_not_found_handle" in facts.functions
                  or self._registry.is_script(name)):  # fmt: skip
            is_soft = use.is_tested or name in facts.asked
            fix = self.meant_assignment(name, use) or self.near(name)
            report.say("E301", word.start, word.end, "unknown command", f"`{shortened(name)}`",
                       fix, is_soft=is_soft)  # fmt: skip

    def meant_assignment(self, name: str, use: Use) -> str:
        """The fix for `x = 5`, which names a command and gives it two words."""
        words = use.node.arguments[1:3]
        if not words or use.name != name or not name.isidentifier():
            return ""
        text = "".join(self._source.text[word.start : word.end] for word in words)
        operator = "+=" if text[:2] == "+=" else "="
        if not text.startswith(operator) or text[:2] in ("==", "=~"):
            return ""
        value = shortened(text[len(operator) :]) or "value"
        return f"write `{name}{operator}{value}`: no blanks around `{operator}`"

    def near(self, name: str) -> str:
        """The fix that offers the name that was probably meant."""
        if name not in self._near and len(self._near) < NEAREST:
            self._near[name] = nearest_fix(name, [*self._names, *self._facts.functions], "")
        return self._near.get(name, "")

    def wrapped(self, use: Use) -> None:
        """The command that `timeout 5 x` and its kin run, where it is certain."""
        words = use.node.arguments
        at = inner_at(words, *WRAPPERS[use.name])
        if not at:
            return
        name = constant(words[at]) or ""
        if name not in self._names:
            self.unknown(name, words[at], use)
        elif self.runs_own(use.name) and name not in self._facts.functions:
            command = self.declared(name)
            if command is not None and not command.is_raw:
                self.bind(command, use, words[at:])

    def runs_own(self, wrapper: str) -> bool:
        """Whether a wrapper runs keysh's commands, with these words and no more."""
        return wrapper != ADDING and (wrapper in LANGUAGE or wrapper in self._names)

    # ------------------------------------------------------------ arguments

    def bind(self, command: Command, use: Use, words: Sequence[ast.Argument]) -> None:
        """Report arguments that a command does not take; the first word is its name."""
        arguments = binder_arguments(words[1:], self._source)
        try:
            bind(command, arguments)
        except Misuse as misuse:
            word = words[misuse.index + 1]
            is_always_wrong = misuse.code == "E303" and (
                command.function is body_of_function
                or not command.function.__module__.startswith(BUILTINS)
                or refuses_program(command, arguments[misuse.index])
            )
            is_soft = not is_always_wrong and (use.is_tested or self._facts.hides_commands)
            fact = f"{constant(words[0])}: {misuse.message}"
            self._report.say(misuse.code, word.start, word.end, fact, fix=misuse.fix,
                             is_soft=is_soft)  # fmt: skip


def inner_at(words: Sequence[ast.Argument], valued: Sequence[str], operands: int) -> int:
    """Where the command begins that a wrapper runs; 0 where there is no telling."""
    skips = False
    for at, word in enumerate(words):
        if not at or isinstance(word, ast.Named):
            continue
        text = constant(word) if isinstance(word, ast.Word) else None
        if skips:
            skips = False
        elif text is None or text in ENDING or is_untold(text, valued):
            break
        elif text[:1] == "-":
            skips = text in valued
        elif operands:
            operands -= 1
        elif "=" not in text:
            return at
    return 0


def is_untold(text: str, valued: Sequence[str]) -> bool:
    """Whether the word behind an option may be its value or not: `--max`, `-rn`."""
    if text[:1] != "-" or len(text) <= 2:
        return False
    return "=" not in text if text[1] == "-" else text[:2] not in valued


def body_of_function(*arguments: object) -> None:
    """What stands for a declared function's body, which the checker does not run."""


def refuses_program(command: Command, argument: object) -> bool:
    """Whether an argument is a program, for jq or sed or awk, that does not parse."""
    if not isinstance(argument, str):
        return False
    for parameter in command.parameters:
        kind = getattr(parameter.type, "inner", parameter.type)
        if isinstance(kind, Code):
            try:
                kind.parse(argument)
            except Unfit:
                return True
    return False


# Registry: what the checker asks of whoever knows the commands.
