"""Whole: which expansions sh would leave one word, since their text holds no blank and no pattern.

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

# Variables of the shell's own: numbers, flags, and by custom one word.
SINGLE_WORD_PARAMETERS = (
    "#", "?", "$", "!", "-", "LINENO", "RANDOM", "SECONDS", "PPID", "UID", "EUID", "SHLVL", "PWD",
    "HOME", "OPTIND",
)  # fmt: skip
# Commands each of whose lines is one word, with any of these options alone; `-` needs none.
WORD_PRINTING_COMMANDS = {
    "seq": "-", "nproc": "-", "id": ("-u", "-g"), "uname": ("-s", "-m", "-r"),
    "wc": ("-l", "-c", "-m", "-w"),
}  # fmt: skip
EXPR_NUMERIC_OPERATORS = ("+", "-", "*", "/", "%", "<", "<=", "=", "!=", ">=", ">")
EXPR_TEXT_OPERATORS = (
    ":",
    "|",
    "&",
    "match",
    "substr",
    "index",
    "length",
)  # operators of expr on texts

EVALUATING_COMMANDS = ("eval", "trap", "source", ".", "alias", "enable", "command", "builtin")
SETTING_COMMANDS = (
    "read",
    "for",
    "getopts",
    "let",
    "unset",
    "printf",
    "mapfile",
    "readarray",
    "local",
)
EXPANSION_MARK = "\0"

RequiredNames = (
    frozenset[str] | None
)  # the variables that must be whole for a text to be; None: it is not
QUOTED_NODES = (ast.Quoted, ast.DoubleQuoted)
NO_REQUIRED_NAMES: frozenset[str] = frozenset()


class SingleWords:
    """The variables of one script, of which some hold whole words wherever they are read."""

    __slots__ = ("_facts", "_names", "_separators")

    def __init__(self, facts: Facts, script: ast.Script) -> None:
        self._facts = facts
        self._separators = possible_separators(facts)
        self._names: set[str] = set()
        given = inherited_variables(facts, script) | evaluated_variables(facts)
        needs = {
            name: self._of_all(made)
            for name, made in facts.assignments.items()
            if name not in given
        }  # fmt: skip
        self._names = satisfied_names(needs)

    def is_single_word(self, part: Node) -> bool:
        """Whether sh would leave a part of a word whole, as far as the script tells."""
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
        """`${x}`, or `${x:-word}` and its kin; what else is done to a text is not followed."""
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
        """Whether sh would split a text; where nobody knows IFS, all but letters and digits."""
        if has_separator(text, PATTERN_CHARACTERS + DEFAULT_IFS):
            return True
        if self._separators is None:
            return bool(text) and not text.isalnum()
        return has_separator(text, self._separators)

    def _prints_words(self, part: ast.Substitution) -> bool:
        """Whether every line that a substitution gives is a word by itself."""
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
    """All characters that IFS may hold at some time; None where nobody knows."""
    texts: list[str] = []
    for one in facts.assignments.get("IFS", ()):
        if one.kind == "text":
            texts.append(one.text)
        elif not all(keeps_ifs(facts, word) for word in one.words or (None,)):
            return None
    return "".join(texts)


def keeps_ifs(facts: Facts, word: Node | None) -> bool:
    """Whether a word is a variable that only keeps what IFS was, as in `old=$IFS; …; IFS=$old`."""
    made = facts.assignments.get(sole_variable(word), ())
    return bool(made) and all(
        one.kind == "declared" or [sole_variable(word) for word in one.words or ()] == ["IFS"]
        for one in made
    )


def sole_variable(word: Node | None) -> str:
    """The variable that a word is nothing but, in quotes or not."""
    while isinstance(word, ast.Word | ast.DoubleQuoted) and len(word.parts) == 1:
        word = word.parts[0]
    return word.name if isinstance(word, ast.Variable) else ""


def all_required_names(found: Iterable[RequiredNames]) -> RequiredNames:
    """What all of them need."""
    needs: set[str] = set()
    for one in found:
        if one is None:
            return None
        needs |= one
    return frozenset(needs)


def satisfied_names(needs: dict[str, RequiredNames]) -> set[str]:
    """The names of which everything that they need, and what that needs, is there and whole."""
    users: dict[str, list[str]] = {}
    broken: list[str] = []
    for name, wanted in needs.items():
        if wanted is None or any(one not in needs for one in wanted):
            broken.append(name)
        else:
            for one in wanted:
                users.setdefault(one, []).append(name)
    names = set(needs).difference(broken)
    while broken:
        for user in users.pop(broken.pop(), ()):
            if user in names:
                names.discard(user)
                broken.append(user)
    return names


def evaluated_variables(facts: Facts) -> set[str]:
    """The variables that a text which is evaluated, or a file that is sourced, may set.

    What nobody sees, as `. FILE`, is taken to set those in capitals: the others are the script's
    own. A name that is expanded may be any.
    """
    names = set(facts.assignments)
    capitals = {name for name in names if name.isupper()}
    found: set[str] = set()
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
        found |= set_here
        if use.name not in ("eval", "trap") or words[:1] == [EXPANSION_MARK]:
            found |= capitals
        if any(word in SETTING_COMMANDS for word in words):
            found |= names.intersection(words)
    return found


def evident_text(argument: Node) -> str:
    """The text of an argument, with a mark for each part that is expanded."""
    if isinstance(argument, ast.Named):
        return f"{argument.key}="
    if isinstance(argument, ast.Text | ast.Quoted | ast.Glob):
        return argument.value
    if isinstance(argument, ast.Word | ast.DoubleQuoted):
        return "".join(map(evident_text, argument.parts))
    return EXPANSION_MARK


def inherited_variables(facts: Facts, script: ast.Script) -> set[str]:
    """The variables that the environment may give, as they are read before the script sets them.

    One in capitals counts as set where nothing but the end of the script is around it.
    """
    first: dict[str, int] = {}
    for read in facts.reads:
        first[read.name] = min(read.node.start, first.get(read.name, read.node.start))
    ends: dict[str, int] = {}
    for command in script.body.commands if script.body is not None else ():
        if isinstance(command, ast.Simple) and not command.arguments:
            for one in command.assignments:
                ends.setdefault(one.target.name, one.end)
    found: set[str] = set()
    for name, made in facts.assignments.items():
        end = min(one.end for one in made)
        if name.isupper():
            end = ends.get(name, len(script.source.text))
        if first.get(name, end) < end:
            found.add(name)
    return found
