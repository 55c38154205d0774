"""What rules decide about a script before it runs, and what they cannot know."""

from __future__ import annotations

from keysh.diagnostics.display import visible
from keysh.rules.decision import FILE_ACTIONS, STRICTNESS
from keysh.rules.planned_programs import PlannedScript
from keysh.rules.verdict import Verdict
from keysh.syntax.wrappers import SHELLS
from keysh.vfs.paths import join, normal_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from typing import Any, Self

    from keysh.diagnostics.dialect import Dialect
    from keysh.rules.planned_programs import Program
    from keysh.rules.rule_set import Rules

GLOB_CHARACTERS = frozenset("*?[")
DIRECTORY_CHANGERS = frozenset(("cd", "popd", "pushd"))
# Commands that run a text, and change no file by themselves.
TEXT_RUNNERS = frozenset((*SHELLS, ".", "alias", "eval", "source", "trap"))
REQUESTERS = frozenset(("curl", "wget"))


class PlannedAct:
    """Something that a script does as far as its text tells, and the verdict about it.

    `subject` is the words of a command, None for those that the run decides, or a path.
    """

    __slots__ = ("column", "line", "subject", "verdict")

    def __init__(self, subject: list[str | None], verdict: Verdict, line: int, column: int) -> None:
        self.subject, self.verdict, self.line, self.column = subject, verdict, line, column

    def record(self) -> dict[str, Any]:
        """Return the act as a record for JSON."""
        verdict = self.verdict
        return {
            "action": verdict.action, "subject": self.subject, "decision": verdict.decision,
            "may_be": verdict.may_be, "rule": None if verdict.rule is None else verdict.rule.title,
            "reason": verdict.reason, "line": self.line, "column": self.column,
        }  # fmt: skip

    def __str__(self) -> str:
        words = " ".join("…" if word is None else word for word in self.subject)
        shown = words if self.verdict.action == "command" else f"{self.verdict.action} {words}"
        doubt = "" if self.verdict.is_certain else f" (may be {self.verdict.may_be} when it runs)"
        return f"{self.line}:{self.column}: {shown}: {self.verdict}{doubt}"


class ScriptVerdicts:
    """The acts of a script in the order of its text, and what only the run can tell.

    acts     the commands, also those behind `sudo`, `find -exec` and `sh -c`, and the files that
             redirections write
    unknown  sentences about what else the script may do
    """

    __slots__ = ("acts", "unknown")

    def __init__(
        self,
        rules: Rules,
        text: str,
        dialect: Dialect,
        cwd: str,
        resolve: Callable[[str], str] = normal_path,
    ) -> None:
        """Judge a text that has no syntax errors. `resolve` follows the links of a path."""
        self.acts: list[PlannedAct] = []
        self.unknown: list[str] = []
        unknown: dict[str, None] = {}
        programs = PlannedScript(text, dialect).programs
        moves = any(program.name in DIRECTORY_CHANGERS for program in programs)
        for program in programs:
            words = [known_word(word) for word in program.words]
            if words:
                self._add(program, words, rules.judge_command(words))
            self._note_unknown(program, words, rules, unknown)
            for target in map(known_word, program.targets):
                if target is None or (moves and not target.startswith("/")):
                    unknown["which files redirections write"] = None
                    continue
                path = resolve(join(cwd, target))
                if not path.startswith("/dev/"):
                    self._add(program, [path], rules.judge_path("write", path))
        self.unknown = [*unknown]

    @classmethod
    def of_act(cls, subject: list[str | None], verdict: Verdict) -> Self:
        """Return the verdict about one act that stands in no script."""
        verdicts = cls.__new__(cls)
        verdicts.acts, verdicts.unknown = [PlannedAct(subject, verdict, 1, 1)], []
        return verdicts

    @property
    def decision(self) -> str:
        """The strictest decision that the known acts may come to."""
        return max(
            (act.verdict.may_be for act in self.acts), key=STRICTNESS.__getitem__, default="allow"
        )

    def lines(self) -> Iterator[str]:
        """Yield a line for each act, and for what only the run can tell, for a person."""
        for act in self.acts:
            yield visible(str(act))
        for sentence in self.unknown:
            yield f"not known before the run: {sentence}"

    def joined(self, other: ScriptVerdicts) -> ScriptVerdicts:
        """Take over what other rules decide more strictly about the same script; return self."""
        for act, another in zip(self.acts, other.acts, strict=True):
            act.verdict = act.verdict.stricter(another.verdict)
        self.unknown = [*dict.fromkeys((*self.unknown, *other.unknown))]
        return self

    def _add(self, program: Program, subject: list[str | None], verdict: Verdict) -> None:
        self.acts.append(PlannedAct(subject, verdict, program.line, program.column))

    def _note_unknown(
        self,
        program: Program,
        words: list[str | None],
        rules: Rules,
        unknown: dict[str, None],
    ) -> None:
        name = program.name
        if words and words[0] is None:
            unknown["which command a word becomes"] = None
        elif name in TEXT_RUNNERS and not program.is_transparent:
            unknown[f"what `{name}` runs"] = None
        elif name in ("scatter", "xargs"):
            unknown[f"which arguments `{name}` adds"] = None
        elif name in REQUESTERS and rules.judges("request"):
            unknown[f"which requests `{name}` sends"] = None
        if words and name not in TEXT_RUNNERS and any(map(rules.judges, FILE_ACTIONS)):
            unknown[f"which files `{name or '…'}` reads, writes and removes"] = None


def known_word(word: str | None) -> str | None:
    """Return a word of a plan; None if the run decides what it becomes."""
    if word is None or word.startswith("~") or not GLOB_CHARACTERS.isdisjoint(word):
        return None
    return word
