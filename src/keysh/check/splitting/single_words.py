"""Expansions that sh leaves a single word, since their text has no blank and no pattern.

n=$#; r=$?; i=$((n + 1)); uid=$(id -u); for mode in fast slow; do echo $n $r $i $uid $mode; done
"""

from __future__ import annotations

from keysh.check.static_words import DEFAULT_IFS, PATTERN_CHARACTERS, has_separator
from keysh.syntax import ast
from keysh.syntax.constants import constant_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

    from keysh.check.facts import Assignment, Facts
    from keysh.syntax.node import Node

# Parameters of the shell that are one word: numbers, flags, and by custom PWD and HOME.
SINGLE_WORD_PARAMETERS = (
    "#", "?", "$", "!", "-", "BASHPID", "LINENO", "RANDOM", "SECONDS", "PPID", "UID", "EUID",
    "SHLVL", "PWD", "HOME", "OPTIND", "PIPESTATUS",
)  # fmt: skip
# Commands that print one word a line, with one of these options alone; "-" for any.
WORD_PRINTING_COMMANDS = {
    "seq": "-", "nproc": "-", "id": ("-u", "-g", "-un", "-gn"), "uname": ("-s", "-m", "-r", "-n"),
    "wc": ("-l", "-c", "-m", "-w"), "mktemp": "-", "whoami": "-", "hostname": "-", "arch": "-",
    "date": ("+%s", "+%F", "+%T", "+%Y", "+%m", "+%d", "+%Y-%m-%d", "+%Y%m%d", "+%H:%M:%S",
             "+%Y%m%d%H%M%S", "+%N", "+%s%N"),
}  # fmt: skip
EXPR_NUMERIC_OPERATORS = ("+", "-", "*", "/", "%", "<", "<=", "=", "!=", ">=", ">")
EXPR_TEXT_OPERATORS = (":", "|", "&", "match", "substr", "index", "length")

EVALUATING_COMMANDS = ("eval", "trap", "source", ".", "alias", "enable", "command", "builtin")
SETTING_COMMANDS = (
    "read", "for", "getopts", "let", "unset", "printf", "mapfile", "readarray", "local",
)  # fmt: skip
EXPANSION_MARK = "\0"

# The variables that must be single words for a text to be one; None if it never is.
RequiredNames = frozenset[str] | None
QUOTED_NODES = (ast.Quoted, ast.DoubleQuoted)
NO_REQUIRED_NAMES: frozenset[str] = frozenset()


class SingleWords:
    """The variables of a script that are single words wherever they are read."""

    __slots__ = ("_facts", "_names", "_separators")

    def __init__(self, facts: Facts, script: ast.Script) -> None:
        self._facts = facts
        self._separators = possible_separators(facts)
        self._names: set[str] = set()
        set_elsewhere = inherited_variables(facts, script) | evaluated_variables(facts)
        needs = {
            name: NO_REQUIRED_NAMES if name in facts.integer_variables else self._of_all(made)
            for name, made in facts.assignments.items()
            if name not in set_elsewhere
        }
        self._names = satisfied_names(needs)

    def is_single_word(self, part: Node) -> bool:
        """Whether sh would not split a part of a word, as far as the script shows."""
        if isinstance(part, ast.Expand) and part.operator in ("+", ":+") and part.operand:
            return all(
                isinstance(one, QUOTED_NODES) or self.is_single_word(one)
                for one in part.operand.parts
            )
        needs = self._of_part(part)
        return needs is not None and needs <= self._names

    # ------------------------------------------------------------ what a text depends on

    def _of_all(self, made: Iterable[Assignment]) -> RequiredNames:
        return all_required_names(
            None if one.words is None else all_required_names(map(self._of_word, one.words))
            for one in made
            if one.kind != "declared"
        )

    def _of_word(self, word: Node) -> RequiredNames:
        return (
            all_required_names(map(self._of_part, word.parts))
            if isinstance(word, ast.Word)
            else None
        )

    def _of_part(self, part: Node) -> RequiredNames:
        if isinstance(part, ast.Text | ast.Quoted | ast.Glob):
            return None if self._is_split(part.value) else NO_REQUIRED_NAMES
        if isinstance(part, ast.DoubleQuoted):
            return all_required_names(map(self._of_part, part.parts))
        if isinstance(part, ast.Brace):
            return all_required_names(map(self._of_word, part.branches))
        if isinstance(part, ast.Variable):
            return self._of_name(part.name)
        if isinstance(part, ast.Expand):
            return self._of_expand(part)
        if isinstance(part, ast.Substitution):
            return NO_REQUIRED_NAMES if self._prints_words(part) else None
        is_number = isinstance(part, ast.ArithmeticExpansion | ast.Length | ast.BraceRange)
        return NO_REQUIRED_NAMES if is_number or isinstance(part, ast.Tilde) else None

    def _of_name(self, name: str) -> RequiredNames:
        if name in self._facts.assignments:
            return frozenset((name,))
        return NO_REQUIRED_NAMES if name in SINGLE_WORD_PARAMETERS else None

    def _of_expand(self, part: ast.Expand) -> RequiredNames:
        """Return what `${x}` or `${x:-word}` requires; other operators are not followed."""
        if part.reference.name == "PIPESTATUS":
            return NO_REQUIRED_NAMES
        if part.indirect or part.reference.subscripts:
            return None
        operator, operand = part.operator, part.operand
        if operator in ("+", ":+") and operand is not None:
            return self._of_word(operand)
        if operator not in ("", "-", ":-", "=", ":=", "?", ":?"):
            return None
        needs = self._of_name(part.reference.name)
        if operand is None or operator in ("?", ":?"):
            return needs
        return all_required_names((needs, self._of_word(operand)))

    def _is_split(self, text: str) -> bool:
        """Whether sh would split a text; with an unknown IFS, any but letters and digits."""
        if has_separator(text, PATTERN_CHARACTERS + DEFAULT_IFS):
            return True
        if self._separators is None:
            return bool(text) and not text.isalnum()
        return has_separator(text, self._separators)

    def _prints_words(self, part: ast.Substitution) -> bool:
        """Whether every line of a substitution's output is one word."""
        commands = part.body.commands if part.body is not None else []
        last: Node | None = commands[0] if len(commands) == 1 else None
        if isinstance(last, ast.Pipeline) and last.stages:
            last = last.stages[-1]
        if not isinstance(last, ast.Simple) or not last.arguments:
            return False
        words = [
            constant_text(word) if isinstance(word, ast.Word) else None for word in last.arguments
        ]
        name = (words[0] or "").rpartition("/")[2]
        if words[0] in self._facts.functions or name in self._facts.redefined_names:
            return False
        if name == "expr":
            is_text = any(word in EXPR_TEXT_OPERATORS for word in words)
            return not is_text and any(word in EXPR_NUMERIC_OPERATORS for word in words[1:])
        options = WORD_PRINTING_COMMANDS.get(name, ())
        return options == "-" or (len(words) == 2 and words[1] in options)


def possible_separators(facts: Facts) -> str | None:
    """Return all characters that IFS may ever contain; None if unknown."""
    texts: list[str] = []
    for one in facts.assignments.get("IFS", ()):
        if one.kind == "text":
            texts.append(one.text)
        elif not all(keeps_ifs(facts, word) for word in one.words or (None,)):
            return None
    return "".join(texts)


def keeps_ifs(facts: Facts, word: Node | None) -> bool:
    """Whether a word is a variable that only saves IFS, as in `old=$IFS; …; IFS=$old`."""
    made = facts.assignments.get(sole_variable(word), ())
    return bool(made) and all(
        one.kind == "declared" or [sole_variable(word) for word in one.words or ()] == ["IFS"]
        for one in made
    )


def sole_variable(word: Node | None) -> str:
    """Return the variable that is a whole word, quoted or not; else ""."""
    while isinstance(word, ast.Word | ast.DoubleQuoted) and len(word.parts) == 1:
        word = word.parts[0]
    return word.name if isinstance(word, ast.Variable) else ""


def all_required_names(parts: Iterable[RequiredNames]) -> RequiredNames:
    """Return what all of them require."""
    needs: set[str] = set()
    for names in parts:
        if names is None:
            return None
        needs |= names
    return frozenset(needs)


def satisfied_names(needs: dict[str, RequiredNames]) -> set[str]:
    """Return the names whose requirements, direct and indirect, are all satisfied."""
    users: dict[str, list[str]] = {}
    broken: list[str] = []
    for name, required in needs.items():
        if required is None or any(other not in needs for other in required):
            broken.append(name)
        else:
            for other in required:
                users.setdefault(other, []).append(name)
    names = set(needs).difference(broken)
    while broken:
        for user in users.pop(broken.pop(), ()):
            if user in names:
                names.discard(user)
                broken.append(user)
    return names


def evaluated_variables(facts: Facts) -> set[str]:
    """Return the variables that evaluated code or a sourced file may assign.

    Unknown code, as in `. FILE`, is assumed to assign those in capitals; the others are the
    script's own. An expanded name may be any.
    """
    names = set(facts.assignments)
    capitals = {name for name in names if name.isupper()}
    evaluated: set[str] = set()
    if facts.assigns_expanded_names:
        return names
    for use in facts.command_uses:
        if use.name not in EVALUATING_COMMANDS:
            continue
        texts = [evident_text(word) for word in use.node.arguments[1:]]
        words = "".join(char if char.isalnum() or char in EXPANSION_MARK + "_=" else " "
                        for char in " ".join(texts)).split()  # fmt: skip
        set_here = {word.partition("=")[0] for word in words if "=" in word}
        if any(EXPANSION_MARK in name for name in set_here):
            return names
        evaluated |= set_here
        if use.name not in ("eval", "trap") or words[:1] == [EXPANSION_MARK]:
            evaluated |= capitals
        if any(word in SETTING_COMMANDS for word in words):
            evaluated |= names.intersection(words)
    return evaluated


def evident_text(argument: Node) -> str:
    """Return an argument's text, with a mark for each expansion."""
    if isinstance(argument, ast.Named):
        return f"{argument.key}="
    if isinstance(argument, ast.Text | ast.Quoted | ast.Glob):
        return argument.value
    if isinstance(argument, ast.Word | ast.DoubleQuoted):
        return "".join(map(evident_text, argument.parts))
    return EXPANSION_MARK


def inherited_variables(facts: Facts, script: ast.Script) -> set[str]:
    """Return the variables that may be inherited: the script reads them before assigning them.

    A variable in capitals counts as assigned only at the top level of the script.
    """
    first: dict[str, int] = {}
    for read in facts.reads:
        first[read.name] = min(read.node.start, first.get(read.name, read.node.start))
    ends: dict[str, int] = {}
    for command in script.body.commands if script.body is not None else ():
        if isinstance(command, ast.Simple) and not command.arguments:
            for assignment in command.assignments:
                ends.setdefault(assignment.target.name, assignment.end)
    inherited: set[str] = set()
    for name, assignments in facts.assignments.items():
        end = min(assignment.end for assignment in assignments)
        if name.isupper():
            end = ends.get(name, len(script.source.text))
        if first.get(name, end) < end:
            inherited.add(name)
    return inherited
