"""Rules for calls: does the command exist, and does it take these arguments?"""

from __future__ import annotations

from keysh.check.walk import BUILTINS_WITH_EFFECTS
from keysh.diagnostics.dialect import BASH
from keysh.schema.arguments import InvalidArguments, nearest_fix
from keysh.schema.binder import bind
from keysh.schema.types import Code, UnfitValue
from keysh.syntax import ast
from keysh.syntax.constants import constant_text
from keysh.syntax.wrappers import WRAPPERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from collections.abc import Set as AbstractSet
    from typing import Protocol, TypeAlias

    from keysh.check.facts import CommandUse, Facts
    from keysh.check.report import CheckReport
    from keysh.diagnostics.source import Source
    from keysh.schema.command import Command

    ArgumentReader: TypeAlias = Callable[[Sequence[ast.Argument], Source], list[object]]

    class KnownCommands(Protocol):
        """The commands that a script can use besides its own functions."""

        @property
        def has_external(self) -> bool:
            """Whether other names than `names()` may be programs when the script runs."""

        def names(self) -> AbstractSet[str]:
            """Return every known name: builtins, plugins, functions and aliases."""

        def command_named(self, name: str) -> Command | None:
            """Return a known name's declaration; None for a function or alias."""

        def members(self, group: Command) -> Mapping[str, Command] | None:
            """Return the members of a group; None if they cannot be had."""

        def is_script(self, name: str) -> bool:
            """Whether an unknown name is a script on `$PATH`."""


ARGUMENT_APPENDERS = ("scatter", "xargs")  # wrappers that decide which words a command gets
# Options of wrappers that no command follows: `command -v x`, `env -S "x y"`.
COMMANDLESS_OPTIONS = ("-v", "-V", "-S")
# Where keysh's own commands are; any other command is the host's.
BUILTIN_MODULE_PREFIX = ("keysh.tools.", "keysh.builtins.")
MAX_COMMAND_SUGGESTIONS = 5  # unknown names that get one: no more are shown
UNSUPPORTED_COMMANDS = {"history": "keep what you need in a variable or a file"}


class CommandRules:
    """Checks every call in a script."""

    __slots__ = (
        "_binder_arguments", "_declared", "_facts", "_may_appear_later", "_names", "_near",
        "_registry", "_report", "_source",
    )  # fmt: skip

    def __init__(
        self, facts: Facts, registry: KnownCommands, report: CheckReport, source: Source
    ) -> None:
        self._facts, self._registry = facts, registry
        self._report, self._source = report, source
        self._names = registry.names()
        # An unknown name may still exist when the script runs.
        self._may_appear_later = (
            registry.has_external or facts.hides_commands or "PATH" in facts.assignments
        )
        self._declared: dict[str, Command | None] = {}
        self._near: dict[str, str] = {}
        self._binder_arguments: ArgumentReader | None = None

    def check_calls(self) -> None:
        """Check all calls."""
        for use in self._report.ticking(self._facts.command_uses):
            name = use.name
            command = self.declaration(name)
            if command is not None:
                if not command.is_raw:
                    self.check_arguments(command, use, use.node.arguments)
            elif name not in self._names:
                self.report_unknown(name, use.node.arguments[0], use)
            if name in WRAPPERS:
                self.check_wrapped(use)

    def declaration(self, name: str) -> Command | None:
        """Return the declaration of a name, looked up once."""
        try:
            return self._declared[name]
        except KeyError:
            command = self._declared[name] = self.find_declaration(name)
            return command

    def find_declaration(self, name: str) -> Command | None:
        """Return the declaration that a name's calls can be checked against."""
        facts = self._facts
        functions = facts.functions.get(name)
        if functions is None:
            is_plain = name in self._names and name not in facts.redefined_names
            return self._registry.command_named(name) if is_plain else None
        parameters = functions[0].parameters
        if len(functions) > 1 or parameters is None or name in facts.redefined_names:
            return None
        from keysh.check.parameters import declared_command  # noqa: PLC0415 - few are declared

        return declared_command(name, function_body_stub, parameters)

    # ------------------------------------------------------------ names

    def report_unknown(self, name: str, word: ast.Argument, use: CommandUse) -> None:
        """Report an unknown command."""
        from keysh.diagnostics.display import shorten  # noqa: PLC0415 - only for an error

        facts, report = self._facts, self._report
        if name in facts.functions or name in facts.redefined_names or is_language_name(name):
            return
        if name in UNSUPPORTED_COMMANDS:
            fact = "keysh does not have this command"
            report.add("E111", word.start, word.end, fact, f"`{name}`", UNSUPPORTED_COMMANDS[name],
                       is_soft=report.dialect is BASH)  # fmt: skip
        elif not (self._may_appear_later or "/" in name or not name
                  or "command_not_found_handle" in facts.functions
                  or self._registry.is_script(name)):  # fmt: skip
            is_soft = use.is_tested or name in facts.probed_commands
            fix = self.assignment_fix(name, use) or self.missing_name_fix(name)
            report.add("E301", word.start, word.end, "unknown command", f"`{shorten(name)}`",
                       fix, is_soft=is_soft)  # fmt: skip

    def assignment_fix(self, name: str, use: CommandUse) -> str:
        """Return the fix for `x = 5`, a call of the command `x`; else ""."""
        words = use.node.arguments[1:3]
        if not words or use.name != name or not name.isidentifier():
            return ""
        text = "".join(self._source.text[word.start : word.end] for word in words)
        from keysh.diagnostics.display import shorten  # noqa: PLC0415 - only for an error

        operator = "+=" if text[:2] == "+=" else "="
        if not text.startswith(operator) or text[:2] in ("==", "=~"):
            return ""
        value = shorten(text[len(operator) :]) or "value"
        return f"write `{name}{operator}{value}`: no blanks around `{operator}`"

    def missing_name_fix(self, name: str) -> str:
        """Return the fix for a well-known program, or else the one that offers the nearest name."""
        from keysh.diagnostics.suggestions import missing_program_fix  # noqa: PLC0415 - as above

        fix = missing_program_fix(name)
        if fix:
            return fix
        if name not in self._near and len(self._near) < MAX_COMMAND_SUGGESTIONS:
            self._near[name] = nearest_fix(name, [*self._names, *self._facts.functions], "")
        return self._near.get(name, "")

    def check_wrapped(self, use: CommandUse) -> None:
        """Check the command that `timeout 5 x` and other wrappers run, if it is certain."""
        words = use.node.arguments
        index = wrapped_command_index(words, *WRAPPERS[use.name])
        if not index:
            return
        name = constant_text(words[index]) or ""
        if use.name == "scatter" and name in self._facts.functions:
            from keysh.check.scattered import check_scattered  # noqa: PLC0415 - few scripts scatter

            check_scattered(self._facts, self._report, name, words[index])
        if name not in self._names:
            self.report_unknown(name, words[index], use)
        elif self.runs_keysh_commands(use.name) and name not in self._facts.functions:
            command = self.declaration(name)
            if command is not None and not command.is_raw:
                self.check_arguments(command, use, words[index:])

    def runs_keysh_commands(self, wrapper: str) -> bool:
        """Whether a wrapper runs keysh's commands with just these words."""
        return wrapper not in ARGUMENT_APPENDERS and (
            is_language_name(wrapper) or wrapper in self._names
        )

    # ------------------------------------------------------------ arguments

    def check_arguments(
        self, command: Command, use: CommandUse, words: Sequence[ast.Argument]
    ) -> None:
        """Report invalid arguments; the first word is the command's name."""
        if self._binder_arguments is None:  # once, since most calls come here
            from keysh.check.static_words import binder_arguments  # noqa: PLC0415 - `echo` needs none

            self._binder_arguments = binder_arguments
        arguments = self._binder_arguments(words[1:], self._source)
        try:
            if command.is_group:
                self._bind_member(command, arguments)
            else:
                bind(command, arguments)
        except InvalidArguments as error:
            word = words[error.index + 1]
            is_always_wrong = error.code == "E303" and (
                command.function is function_body_stub
                or not command.function.__module__.startswith(BUILTIN_MODULE_PREFIX)
                or is_invalid_program(command, arguments[error.index])
            )
            is_soft = not is_always_wrong and (use.is_tested or self._facts.hides_commands)
            fact = f"{constant_text(words[0])}: {error.message}"
            self._report.add(error.code, word.start, word.end, fact, fix=error.fix,
                             is_soft=is_soft)  # fmt: skip

    def _bind_member(self, group: Command, arguments: Sequence[object]) -> None:
        """Bind the words of a group to its member, if both are known before the run."""
        from keysh.schema.command_group import asks_group_help, select_member, shifted_error  # noqa: PLC0415 - few hosts have any

        members = self._registry.members(group)
        if members is None or asks_group_help(arguments):
            return
        selected = select_member(
            members, arguments, are_texts=not self._source.dialect.has_literals
        )
        if selected is not None:
            try:
                bind(*selected)
            except InvalidArguments as error:
                raise shifted_error(error) from None


def is_language_name(name: str) -> bool:
    """Whether a name has a meaning in the language itself, and so is never unknown."""
    from keysh.check.builtin_effects import KEYSH_ONLY_COMMANDS  # noqa: PLC0415 - few names are unknown

    return name in BUILTINS_WITH_EFFECTS or name in KEYSH_ONLY_COMMANDS


def wrapped_command_index(
    words: Sequence[ast.Argument], valued: Sequence[str], operands: int
) -> int:
    """Return where a wrapper's command begins; 0 if that is uncertain."""
    skips = False
    for index, word in enumerate(words):
        if not index or isinstance(word, ast.Named):
            continue
        text = constant_text(word) if isinstance(word, ast.Word) else None
        if skips:
            skips = False
        elif text is None or text in COMMANDLESS_OPTIONS or may_take_value(text, valued):
            break
        elif text[:1] == "-":
            skips = text in valued
        elif operands:
            operands -= 1
        elif "=" not in text:
            return index
    return 0


def may_take_value(text: str, valued: Sequence[str]) -> bool:
    """Whether it is unclear if an option takes the next word: `--max`, `-rn`."""
    if text[:1] != "-" or len(text) <= 2:
        return False
    return "=" not in text if text[1] == "-" else text[:2] not in valued


def function_body_stub(*arguments: object) -> None:
    """Stands for the body of a declared function, which the checker does not run."""


def is_invalid_program(command: Command, argument: object) -> bool:
    """Whether an argument is a program of jq, sed or awk with a syntax error."""
    if not isinstance(argument, str):
        return False
    for parameter in command.parameters:
        kind = getattr(parameter.type, "inner", parameter.type)
        if isinstance(kind, Code):
            try:
                kind.parse(argument)
            except UnfitValue:
                return True
    return False
