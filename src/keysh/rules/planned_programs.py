"""List every command that a script would run, from the parsed text.

This includes commands after `sudo`, `env` or `xargs`, in `bash -c '…'`, in `$(…)` and in
here-documents. A word that depends on the run, such as `$x`, is None.
"""

from __future__ import annotations

import re

from keysh.diagnostics.dialect import BASH, KEYSH
from keysh.diagnostics.exceptions import ScriptError
from keysh.diagnostics.source import Source
from keysh.rules.word_spellings import WordSpellings
from keysh.syntax import ast
from keysh.syntax.env_string import SplitStringError, split_string
from keysh.syntax.parser import parse
from keysh.syntax.wrappers import SHELLS, WRAPPERS

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from keysh.diagnostics.dialect import Dialect
    from keysh.syntax.node import Node
    from keysh.syntax.wrappers import Form

    Words = list[str | None]

UNKNOWN_VALUE = "\0"  # which no word of a command has


class UnknownVariables(dict[str, str]):
    """Variables whose values are unknown."""

    def __contains__(self, name: object) -> bool:
        return True

    def __missing__(self, name: str) -> str:
        return UNKNOWN_VALUE


UNKNOWN_VARIABLES = UnknownVariables()
# Commands and scripts in the arguments of others. The last two are of one command of the script:
# in `env --a env --a …` each `env` may be a command or the value of an option.
MAX_COMMAND_NESTING = 30
MAX_INNER_COMMANDS = 64
MAX_INNER_SCRIPTS = 1000

# Programs of the machine that run another one, as in `syntax.wrappers`.
MACHINE_WRAPPERS: Mapping[str, Form] = {
    "chrt": (("-p", "-T", "-P", "-D"), 1), "fakeroot": (("-l", "-s", "-i", "-b"), 0),
    "ltrace": (("-a", "-e", "-l", "-n", "-o", "-p", "-s", "-u", "-x", "-A", "-D", "-F"), 0),
    "nsenter": (("-t", "-S", "-G"), 0), "prlimit": (("-p", "-o"), 0), "runuser": (("-u",), 0),
    "strace": (
        ("-a", "-b", "-e", "-E", "-I", "-o", "-O", "-p", "-P", "-s", "-S", "-u", "-U", "-X"), 0
    ),
    "systemd-run": (("-t", "-p", "-u", "-H", "-M", "-E"), 0), "taskset": (("-p",), 1),
    "unbuffer": ((), 0), "unshare": (("-S", "-G", "-R", "-w"), 0),
}  # fmt: skip
ALL_WRAPPERS = {**MACHINE_WRAPPERS, **WRAPPERS}
# Programs that run the text behind `-c`, as a shell does, and those that run all their words so.
TEXT_OPTION = re.compile(r"-[aeflmnopqxFP]*c(.*)|--command(?:=(.*))?", re.DOTALL)
TEXT_PROGRAMS = ("flock", "runuser", "script", "su")
TEXT_WATCHERS: Mapping[str, Form] = {"watch": (("-n", "-q", "--interval", "--equexit"), 0)}
MAX_CUT_LINES = 100  # of a text that a shell would run until it meets a mistake

# After these `$1` may be something else, also where one of the prefixes precedes them.
ARGUMENT_CHANGERS = frozenset((None, ".", "eval", "set", "shift", "source"))
BUILTIN_PREFIXES = ("builtin", "command")
# Variables that say how `$1` is divided, and what `$0` is.
ARGUMENT_VARIABLES = ("IFS", "BASH_ARGV0")
# Of env: the value is several words.
SPLIT_OPTION = re.compile(r"-[iv0]*S(.*)|--s[a-z-]*(?:=(.*))?", re.DOTALL)
FIND_EXEC_FLAGS = ("-exec", "-execdir", "-ok", "-okdir")  # these precede a command


class Program:
    """A command: its words, and the files that it is redirected to.

    `is_transparent` means that the commands which it runs are listed too. `line` and `column` are
    those of the command in the outermost text.
    """

    __slots__ = ("column", "is_transparent", "line", "targets", "words")

    def __init__(
        self, words: Words, targets: Words | None = None, is_transparent: bool = False
    ) -> None:
        self.words, self.targets, self.is_transparent = words, targets or [], is_transparent
        self.line, self.column = 1, 1

    @property
    def name(self) -> str:
        """The name without a directory; empty if it depends on the run."""
        return (self.words[0] or "").rpartition("/")[2] if self.words else ""

    @property
    def known_arguments(self) -> list[str]:
        """The arguments that do not depend on the run."""
        return [word for word in self.words[1:] if word is not None]

    def __repr__(self) -> str:
        return f"<Program {self.words}>"


class NestingTooDeep(Exception):
    """A command runs more commands in turn than are followed."""


class PlannedScript:
    """The commands of a script in a dialect; raises ScriptError if it cannot be parsed.

    `is_cut` means that a command nests too deep: what it runs in turn is not all listed.
    """

    __slots__ = ("_depth", "_dialect", "_texts", "is_cut", "nodes", "programs")

    def __init__(
        self,
        text: str,
        dialect: Dialect,
        depth: int = 0,
        texts: set[object] | None = None,
        arguments: Words | None = None,
    ) -> None:
        """`texts` are the scripts that the same command runs, and that are listed already.

        `arguments` are `$0`, `$1` and so on; None if they are not known.
        """
        self._dialect, self._depth, self._texts = dialect, depth, texts
        self.is_cut = False
        source = Source(text, "command", dialect)
        own = list(parse(source).walk())
        spellings = WordSpellings(arguments)
        if arguments is not None and changes_arguments(text, own, spellings):
            spellings = WordSpellings(None)
        self.nodes: list[Node] = own.copy()  # including those of nested scripts
        self.programs: list[Program] = []
        for node in own:
            count = len(self.programs)
            if isinstance(node, ast.Simple):
                targets = spellings.written_files(node.redirects)
                words = [one for word in node.arguments for one in spellings.of(word)]
                if words:
                    self.add_command(words, targets, spellings.input_texts(node.redirects))
                elif targets:
                    self.programs.append(Program(["true"], targets))
            elif isinstance(node, ast.Redirected):
                self.programs.append(Program(["true"], spellings.written_files(node.redirects)))
            else:
                continue
            for program in self.programs[count:]:
                program.line, program.column = source.position(node.start)

    def add_command(
        self, words: Words, targets: Words | None = None, inputs: Words | None = None
    ) -> None:
        """Add a command by its words, and the commands that it runs."""
        outer = self._texts
        if outer is None:
            self._texts = set()
        try:
            self._add(Program(words, targets), inputs or [], self._depth, set())
        except NestingTooDeep:
            self.is_cut = True
            self.programs.append(Program([None]))
        finally:
            self._texts = outer

    def _add(
        self, program: Program, inputs: Words, depth: int, reached: set[tuple[str | None, ...]]
    ) -> None:
        """Add a command and the commands that it runs, but those that are reached already."""
        self.programs.append(program)
        words, name = program.words, program.name
        is_wrapper = name in ALL_WRAPPERS
        inner_commands: Iterable[Words] = ()
        if is_wrapper:
            inner_commands = wrapped_commands(words, *ALL_WRAPPERS[name])
        elif name == "find":
            inner_commands = commands_in_find(words)
        for inner in inner_commands:
            program.is_transparent = True
            if (key := tuple(inner)) in reached:
                continue
            if depth >= MAX_COMMAND_NESTING or len(reached) >= MAX_INNER_COMMANDS:
                raise NestingTooDeep
            reached.add(key)
            self._add(Program(inner), inputs if is_wrapper else [], depth + 1, reached)
        if (text := inner_script(name, words, inputs)) is not None:
            self._add_script(program, text, depth + 1)

    def _add_script(self, program: Program, text: str, depth: int) -> None:
        """Add the commands of a text that a command runs; a mistake ends it."""
        texts = self._texts
        assert texts is not None
        dialect = self._inner_dialect(program.name)
        arguments = inner_arguments(program.name, program.words, text)
        key = text, None if arguments is None else tuple(arguments)
        if key in texts:
            program.is_transparent = True
            return
        if depth > MAX_COMMAND_NESTING or len(texts) >= MAX_INNER_SCRIPTS:
            raise NestingTooDeep
        texts.add(key)
        for lines in (text, *lines_before_mistake(text)):
            try:
                inside = PlannedScript(lines, dialect, depth, texts, arguments)
            except ScriptError:
                continue
            self.is_cut |= inside.is_cut
            self.programs += inside.programs
            self.nodes += inside.nodes
            if lines is text:
                program.is_transparent = True
                return
            break
        self.programs.append(Program([None]))  # how another parser reads the rest

    def _inner_dialect(self, name: str) -> Dialect:
        """Return the dialect of the script that a command runs."""
        if name in ("eval", "trap"):
            return self._dialect
        return KEYSH if name == "keysh" else BASH


def lines_before_mistake(text: str) -> Iterator[str]:
    """Yield a text with fewer and fewer lines."""
    lines = text.split("\n")
    for count in range(min(len(lines) - 1, MAX_CUT_LINES), 0, -1):
        yield "\n".join(lines[:count])


def wrapped_commands(words: Words, valued: Sequence[str], operands: int) -> Iterator[Words]:
    """Yield the words of the command that a wrapper runs; none if they are unknown.

    A long option may have its value in the next word, so that there may be two commands: in
    `timeout --signal KILL 5 make` KILL is none, but its options are not known here.
    """
    at, splits = 1, 0
    is_value = False  # whether the word may be the value of the option before it
    while at < len(words):
        word = words[at]
        if word is None:
            return
        if word == "--":
            if words[at + 1 + operands :]:
                yield words[at + 1 + operands :]
            return
        is_setting = "=" in word and word.partition("=")[0].isidentifier()
        is_env = words[0] is not None and words[0].endswith("env")
        if is_env and (split := SPLIT_OPTION.fullmatch(word)):
            text = split[1] or split[2] or ""
            rest = words[at + 1 :]
            if not text and rest:
                text, rest = rest[0] or "", rest[1:]
            splits += 1
            if splits > MAX_COMMAND_NESTING:
                raise NestingTooDeep
            words, at = ["env", *split_words(text), *rest], 1
            continue
        if word in valued:
            at += 2
            is_value = False
        elif word.startswith("-") or is_setting:
            at += 1
            is_value = word.startswith("--") and "=" not in word
        else:
            if words[at + operands :]:
                yield words[at + operands :]
            if not is_value:
                return
            at += 1
            is_value = False


def split_words(text: str) -> Words:
    """Return the words of `env -S`, None for those with variables; none for a wrong text."""
    try:
        words = split_string(text, UNKNOWN_VARIABLES)
    except SplitStringError:
        return []
    return [None if UNKNOWN_VALUE in word else word for word in words]


def commands_in_find(words: Words) -> Iterator[Words]:
    """Yield the commands that find runs for each file."""
    starts = [at for at, word in enumerate(words) if word in FIND_EXEC_FLAGS]
    for start in starts:
        rest = words[start + 1 :]
        end = next((at for at, word in enumerate(rest) if word in (";", "+")), len(rest))
        if end:
            yield rest[:end]


def inner_script(name: str, words: Words, inputs: Words) -> str | None:
    """Return the script that a command runs, or None if it is unknown or there is none."""
    if name in ("eval", "trap"):
        texts = words[1:] if name == "eval" else words[1:2]
        return None if None in texts else " ".join(word for word in texts if word is not None)
    if name in TEXT_WATCHERS:
        watched = next(wrapped_commands(words, *TEXT_WATCHERS[name]), None)
        return None if not watched or None in watched else " ".join(map(str, watched))
    if name in TEXT_PROGRAMS:
        return text_of_option(words)
    if name not in SHELLS:
        return None
    for at, word in enumerate(words[1:], 1):
        if word is None or not word.startswith("-"):
            return None
        if not word.startswith("--") and "c" in word:
            rest = [one for one in words[at + 1 :] if one is None or not one.startswith("-")]
            return rest[0] if rest else None
    return inputs[-1] if inputs else None


def text_of_option(words: Words) -> str | None:
    """Return the text behind `-c`, which may be in the same word."""
    for at, word in enumerate(words[1:], 1):
        if word is None or word == "--":
            return None
        if option := TEXT_OPTION.fullmatch(word):
            following = words[at + 1] if at + 1 < len(words) else None
            return option[1] or option[2] or following
    return None


def inner_arguments(name: str, words: Words, text: str) -> Words | None:
    """Return the arguments of a text that a shell runs, from `$0` on; None if there are none."""
    if name not in SHELLS or text not in words[1:]:
        return None
    return words[words.index(text, 1) + 1 :] or None


def changes_arguments(text: str, nodes: Iterable[Node], spellings: WordSpellings) -> bool:
    """Whether `$1` may be something else than the script was given."""
    if any(name in text for name in ARGUMENT_VARIABLES):
        return True
    for node in nodes:
        if isinstance(node, ast.Function):
            return True
        if isinstance(node, ast.Simple):
            words = [one for word in node.arguments for one in spellings.of(word)]
            names = words if words and words[0] in BUILTIN_PREFIXES else words[:1]
            if not ARGUMENT_CHANGERS.isdisjoint(names):
                return True
    return False
