"""The splitting rule: sh would split a text that the script itself assigns or writes.

Unknown text is not reported: that of arguments, files and other commands.
"""

from __future__ import annotations

from keysh.check.builtin_effects import KEYSH_ONLY_COMMANDS
from keysh.check.facts import MAX_TRACKED_ASSIGNMENTS
from keysh.check.splitting.reaching_assignments import reaching_assignments
from keysh.check.static_words import (
    DEFAULT_IFS,
    EXPANSION_GAP,
    command_name,
    has_pattern,
    has_separator,
)
from keysh.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from keysh.check.facts import Assignment, Facts, UnquotedExpansion, VariableRead
    from keysh.check.report import CheckReport
    from keysh.syntax.node import Node

JOINING_COMMANDS = ("echo", "eval")  # commands that join their words with blanks
DIGITS = "0123456789"
ALTERNATIVE_OPERATORS = ("+", ":+")


class SplittingRule:
    """Checks every unquoted expansion; `known` variables are set before the script runs."""

    __slots__ = ("_facts", "_known", "_report")

    def __init__(self, facts: Facts, known: Container[str], report: CheckReport) -> None:
        self._facts, self._known, self._report = facts, known, report

    def check(self) -> None:
        """Check all expansions; a variable that was set before may be an integer."""
        facts = self._facts
        left_alone = {
            name for name in facts.assignments if name in self._known
        } | facts.integer_variables
        for read in self._report.ticking(facts.reads):
            if read.role not in ("text", "list") and read.name not in left_alone:
                assignments = facts.assignments.get(read.name)
                if assignments is not None and len(assignments) <= MAX_TRACKED_ASSIGNMENTS:
                    self.check_variable(read)
        for expansion in self._report.ticking(facts.expansions):
            if expansion.text is not None:
                self.check_text(expansion, expansion.text)
            elif "IFS" in facts.assignments:
                self.check_number(expansion)

    # ------------------------------------------------------------ variables

    def check_variable(self, read: VariableRead) -> None:
        """Report a variable whose text sh would split: an error if that is certain."""
        reached = reaching_assignments(self._facts, read.name, read)
        separators = self.separators(read)
        texts = [text for one in reached.assignments if (text := self.split_text(one, separators))]
        if not texts:
            return
        is_certain = (
            reached.has_earlier
            and not self._facts.hides_variables
            and all(
                one.kind == "text" and self.is_surely_split(one.text, read)
                for one in (*reached.assignments, *reached.function_assignments)
            )
        )
        if read.role == "element" or (command_name(read.command) == "set" and follows_dashes(read)):
            if is_certain and read.node is read.shown_node:  # else it is checked at run time
                cause = split_cause(texts[0], separators)
                fact = f"a list of words is made of text that holds {cause}"
                self.report_split(
                    "E204", read.node, fact, self.several_words_fix(read.node, texts[0], separators)
                )
            return
        if not self.is_unaffected(read.command, texts, separators):
            self.report_one_word(
                read.shown_node, "a variable", texts[0], separators, is_soft=not is_certain
            )

    def split_text(self, assignment: Assignment, separators: Sequence[str]) -> str:
        """Return the text of an assignment that sh would split; else ""."""
        text = assignment.text
        if assignment.kind == "joined":
            text = next(
                (one[:1] for one in self.separators(assignment) if one[:1] not in DEFAULT_IFS), ""
            )
        elif assignment.kind not in ("text", "part", "added"):
            return ""
        return text if self.is_split(text, separators) else ""

    def is_split(self, text: str, separators: Sequence[str]) -> bool:
        """Whether sh may split a text, or take it as a pattern."""
        if has_pattern(text) and not self._facts.has_noglob:
            return True
        return any(has_separator(text, one) for one in separators)

    def is_surely_split(self, text: str, read: VariableRead) -> bool:
        """Whether sh certainly splits a text; a pattern in a longer word may match no file."""
        if read.role != "piece" and has_pattern(text) and not self._facts.has_noglob:
            return True
        separators = self.separators(read, is_certain=True)
        return bool(separators) and all(has_separator(text, one) for one in separators)

    def separators(
        self, reader: VariableRead | UnquotedExpansion | Assignment, *, is_certain: bool = False
    ) -> Sequence[str]:
        """Return every possible value of IFS; none if it is unknown.

        With `is_certain` the assignments in functions count too.
        """
        assigned = self._facts.assignments.get("IFS", ())
        if not assigned:
            return (DEFAULT_IFS,)
        if len(assigned) > MAX_TRACKED_ASSIGNMENTS:
            return ()
        reached = reaching_assignments(self._facts, "IFS", reader)
        assignments = (
            (*reached.assignments, *reached.function_assignments)
            if is_certain
            else reached.assignments
        )
        if any(one.kind != "text" for one in assignments):
            return ()
        return [
            *(one.text for one in assignments),
            *(() if reached.is_surely_set else (DEFAULT_IFS,)),
        ]

    # ------------------------------------------------------------ other expansions

    def check_text(self, expansion: UnquotedExpansion, text: str) -> None:
        """Report `${x:-a b}` and `${x//,/ }`, whose text sh splits."""
        separators = self.separators(expansion)
        if self.is_split(text, separators) and not self.is_unaffected(
            expansion.command, [text.replace(EXPANSION_GAP, "_")], separators
        ):
            self.report_one_word(expansion.node, "an expansion", text, separators)

    def check_number(self, expansion: UnquotedExpansion) -> None:
        """Report `$#`, `${#x}` and `$((…))` if IFS contains a digit."""
        separators = self.separators(expansion)
        digit = next((char for one in separators for char in one if char in DIGITS), "")
        if digit and not self.is_unaffected(expansion.command, [digit], separators):
            self.report_one_word(expansion.node, "a number", digit, separators)

    # ------------------------------------------------------------ messages

    def is_unaffected(
        self, command: ast.Simple | None, texts: Sequence[str], separators: Sequence[str]
    ) -> bool:
        """Whether a command does the same with one word as with several, or is no command of sh."""
        name, facts = command_name(command), self._facts
        if name in KEYSH_ONLY_COMMANDS or name in facts.redefined_names or facts.is_declared(name):
            return True
        return name in JOINING_COMMANDS and all(one == DEFAULT_IFS for one in separators) and all(
            " ".join(text.split()) == text and not has_pattern(text) for text in texts
        )  # fmt: skip

    def report_one_word(
        self, node: Node, what: str, text: str, separators: Sequence[str], *, is_soft: bool = True
    ) -> None:
        """Report E310: one word here, several in sh."""
        holds = "may hold" if is_soft else "holds"
        held = split_cause(text, separators)
        comma = "," if "," in held else ""
        fact = f"{what} that {holds} {held}{comma} is one word here"
        self.report_split(
            "E310", node, fact, self.several_words_fix(node, text, separators), is_soft=is_soft
        )

    def several_words_fix(self, node: Node, text: str, separators: Sequence[str]) -> str:
        """Return what to write for several words."""
        source = self._report.source_of(node)
        separator = first_separator(text, separators)
        if (
            isinstance(node, ast.Expand)
            and node.operator in ALTERNATIVE_OPERATORS
            and has_quotes(node)
        ):
            assert node.operand is not None
            operand = self._report.source_of(node.operand)
            return f'`parts=({operand})` where it is set, and `"${{parts[@]}}"`,'
        if not separator:
            return f'`$(compgen -G "{source}")`'
        if separator in DEFAULT_IFS:
            return f"`$(words {source})`"
        return f'`read -ra parts <<< "{source}"`'

    def report_split(
        self, code: str, node: Node, fact: str, several: str, *, is_soft: bool = False
    ) -> None:
        """Report a text that sh splits, with fixes for both meanings."""
        source = self._report.source_of(node)
        fix = f'write `"{source}"` for one word, or {several} for several'
        self._report.add(code, node.start, node.end, fact, f"`{source}`", fix, is_soft=is_soft)


def split_cause(text: str, separators: Sequence[str]) -> str:
    """Return what makes sh split a text."""
    separator = first_separator(text, separators)
    if separator and separator in DEFAULT_IFS:
        return "a blank"
    return f"`{separator}`, a character of `IFS`" if separator else "a pattern"


def first_separator(text: str, separators: Sequence[str]) -> str:
    """Return a character at which sh splits a text; else ""."""
    return next((char for one in separators for char in one if char in text), "")


def has_quotes(node: ast.Expand) -> bool:
    """Whether `w` in `${x:+w}` is quoted in part, which sh does not split."""
    parts = node.operand.parts if node.operand is not None else ()
    return any(isinstance(part, ast.Quoted | ast.DoubleQuoted) for part in parts)


def follows_dashes(read: VariableRead) -> bool:
    """Whether a word follows the `--` of `set`."""
    for argument in read.command.arguments[1:] if read.command is not None else ():
        if argument.start >= read.node.start:
            return False
        if isinstance(argument, ast.Word) and argument.end - argument.start == 2:
            part = argument.parts[0]
            if isinstance(part, ast.Text) and part.value == "--":
                return True
    return False
