"""Variables: read where nothing assigns them, or where sh would make something else of them."""

from __future__ import annotations

from keysh.check.special import OWN
from keysh.check.words import BLANKS, holds_one_of, holds_pattern
from keysh.schema.bind import nearest_fix
from keysh.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container

    from keysh.check.facts import Facts, Read
    from keysh.check.report import Report

MOST = 50  # assignments of one variable that are looked at; with more it is left alone
NEAREST = 5  # names for which a near one is looked up
JOINERS = ("echo", "eval")  # commands that join their words by blanks


class Split:
    """The texts that a variable holds, all of which sh would split or take for patterns.

    `is_same_when_joined` says that a command which joins its words makes of each what it was.
    """

    __slots__ = ("fact", "is_same_when_joined", "way")

    def __init__(self, texts: list[str], separators: list[str]) -> None:
        self.fact = fact_of(texts[0], separators)
        self.way = 'read -ra parts <<< "{}"' if "IFS" in self.fact else "$(words {})"
        self.is_same_when_joined = separators == [BLANKS] and all(
            " ".join(text.split()) == text and not holds_pattern(text) for text in texts
        )


def fact_of(text: str, separators: list[str]) -> str:
    """What makes sh see more than one word in a text."""
    if holds_one_of(text, BLANKS):
        return "holds a blank"
    found = next((char for one in separators for char in one if char in text), "")
    return f"holds `{found}`, a character of `IFS`," if found else "holds a pattern"


class Variables:
    """The judge of every variable in one script; `known` are those that are there already."""

    __slots__ = ("_facts", "_known", "_looked_up", "_report")

    def __init__(self, facts: Facts, known: Container[str], report: Report) -> None:
        self._facts, self._known, self._report = facts, known, report
        self._looked_up = 0

    def judge(self) -> None:
        """Judge all that is read, unless the script assigns what cannot be seen."""
        facts = self._facts
        if facts.hides_variables:
            return
        texts: dict[str, list[str]] = {}
        arrays: set[str] = set()
        for name, made in facts.assigned.items():
            if len(made) <= MOST:
                kinds = {one.kind for one in made}
                if kinds <= {"text", "declared"} and "text" in kinds:
                    texts[name] = [one.text for one in made if one.kind == "text"]
                elif kinds <= {"array", "declared"} and "array" in kinds:
                    arrays.add(name)
        missing: set[str] = set()
        for read in facts.reads:
            name = read.name
            if name not in facts.assigned:
                if name not in missing and self.is_missing(name):
                    missing.add(name)
                    self.say_missing(read)
            elif name in texts:
                self.judge_texts(read, texts[name])
            elif name in arrays and self.is_certain(read):
                self.judge_array(read)

    def is_certain(self, read: Read) -> bool:
        """Whether everything that is assigned to a variable has been where it is read."""
        if read.name in self._known:
            return False
        return all(
            one.start < read.node.start and self._facts.sees(read.scope, one.scope)
            for one in self._facts.assigned[read.name]
        )

    # ------------------------------------------------------------ nothing assigned

    def is_missing(self, name: str) -> bool:
        """Whether a variable is expected from the script: one in capitals is the environment's."""
        return (
            name not in self._facts.spared
            and name not in self._known
            and name != "_"
            and not name.isupper()
        )

    def say_missing(self, read: Read) -> None:
        """W301."""
        start, end = read.node.start, read.node.end
        fix = ""
        if self._looked_up < NEAREST:
            self._looked_up += 1
            fix = nearest_fix(read.name, self._facts.assigned, "$")
        self._report.say("W301", start, end, "nothing assigns this variable", f"`{read.name}`",
                         fix or f"assign it, or write `${{{read.name}:-}}` where it may be unset",
                         )  # fmt: skip

    # ------------------------------------------------------------ text that sh would split

    def judge_texts(self, read: Read, texts: list[str]) -> None:
        """A variable that only ever holds texts which sh would split or take for patterns."""
        if read.place in ("text", "list") or not self.is_certain(read):
            return
        separators = self.separators(read)
        facts = self._facts
        if all(
            (bool(separators) and all(holds_one_of(text, one) for one in separators))
            or (holds_pattern(text) and not facts.is_without_globs)
            for text in texts
        ):
            self.judge_split(read, Split(texts, separators))

    def separators(self, read: Read) -> list[str]:
        """Every text that IFS may be where a variable is read; none where that is not known."""
        made = self._facts.assigned.get("IFS", ())
        if any(one.kind != "text" for one in made):
            return []
        is_set = any(
            one.start < read.node.start and self._facts.sees(read.scope, one.scope) for one in made
        )
        return [*(one.text for one in made), *(() if is_set else (BLANKS,))]

    def judge_split(self, read: Read, split: Split) -> None:
        """E204 where words are listed, E310 in the arguments of a command."""
        name, start, end = read.name, read.node.start, read.node.end
        fact = split.fact
        command = name_of(read.command) if read.place != "element" else ""
        is_listed = read.place == "element" or (command == "set" and follows_dashes(read))
        if not is_listed and (
            command in OWN
            or command in self._facts.redefined
            or self.is_declared(command)
            or (command in JOINERS and split.is_same_when_joined)
        ):
            return
        fix = f'write `"${name}"` for one word, or `{split.way.format(f"${name}")}` for several'
        if is_listed:
            self._report.say("E204", start, end, f"a list of words is made of text that {fact}",
                             f"`${name}`", fix)  # fmt: skip
        else:
            self._report.say("E310", start, end, f"a variable that {fact} is one word here",
                             f"`${name}`", fix)  # fmt: skip

    def is_declared(self, command: str) -> bool:
        """Whether a command is a function with declared parameters, which no other shell has."""
        functions = self._facts.functions.get(command, ())
        return any(function.parameters is not None for function in functions)

    # ------------------------------------------------------------ arrays

    def judge_array(self, read: Read) -> None:
        """E311: in sh, an array without a subscript is its first element."""
        if not isinstance(read.node, ast.Variable) or read.place == "list":
            return
        command = name_of(read.command)
        if command in OWN or self.is_declared(command):
            return
        name = read.name
        fix = f'write `${{{name}[0]}}`, `"${{{name}[@]}}"`, or `$(tojson ${name})`'
        self._report.say("E311", read.node.start, read.node.end,
                         "an array is read without a subscript", f"`${name}`", fix)  # fmt: skip


def name_of(command: ast.Simple | None) -> str:
    """The text of a command's first word; empty where it is not certain."""
    if command is None or not isinstance(command.arguments[0], ast.Word):
        return ""
    parts = command.arguments[0].parts
    return parts[0].value if len(parts) == 1 and isinstance(parts[0], ast.Text) else ""


def follows_dashes(read: Read) -> bool:
    """Whether a word stands behind the `--` of `set`."""
    for argument in read.command.arguments[1:] if read.command is not None else ():
        if argument.start >= read.node.start:
            return False
        if isinstance(argument, ast.Word) and argument.end - argument.start == 2:
            part = argument.parts[0]
            if isinstance(part, ast.Text) and part.value == "--":
                return True
    return False
