"""Guard: decide which commands an agent may run, and which need confirmation.

It protects against accidents, not against attackers: it reads the text of a command, and a program
that runs may do what the machine permits. To confine an agent use the file system and the policy of
the shell, or a container.
"""

from __future__ import annotations

import re

from keysh.adapters.agent.danger import danger, directories
from keysh.diagnostics.dialect import KEYSH, declared_dialect
from keysh.diagnostics.exceptions import ScriptError
from keysh.rules.planned_programs import PlannedScript
from keysh.rules.script_verdicts import ScriptVerdicts, known_word
from keysh.shell.run_options import dialect_named
from keysh.syntax.wrappers import SHELLS, WRAPPERS
from keysh.vfs.paths import is_below, normal_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

    from keysh.rules.decision import Action
    from keysh.rules.planned_programs import Program
    from keysh.rules.rule_set import Rules

    Confirm = Callable[[str, list[str]], bool | Awaitable[bool]]

# Commands without confirmation: they only read, or are the everyday tools of a developer.
ALLOWED = frozenset({
    "[", "awk", "cat", "cd", "cmake", "docker", "echo", "false", "find", "git", "grep", "head",
    "ls", "make", "node", "npm", "pnpm", "printf", "pwd", "python", "python3", "sed", "tail",
    "test", "true", "type", "wc", "which", "yarn",
})  # fmt: skip

# Arguments with which an allowed command needs confirmation after all.
RISKY_ARGUMENTS = {
    "awk": re.compile(r"system|getline|[|>]|^-i|^--include"),
    "docker": re.compile(
        r"(rm|rmi|kill|prune|stop|down|remove|exec|run|push|login|load|import|update|swarm)$"
    ),
    "find": re.compile(r"-(delete|execdir|exec|ok|okdir|fprint|fprint0|fprintf|fls)$"),
    # In place, or the commands w, W and e, at the start or after an address or another command.
    "sed": re.compile(r"^-[a-zA-Z]*i|^--in-place|(^|[;0-9$/}!,|#])\s*[wWe]( |$)"),
}

OPEN_WRAPPERS = frozenset(WRAPPERS) - {"busybox", "chroot", "doas", "sudo"}


class Guard:
    """Judges commands before they run.

    directories  the directories that the session must not leave; empty for no restriction
    allowed      the commands that need no confirmation
    confirm      a function or coroutine function that confirms all other commands; it gets the
                 command and the names of its programs. With None everything is confirmed.
    blocks       whether to refuse commands that would destroy the system, confirmed or not
    rules        keysh.Rules about the commands, and the files that redirections write: what they
                 deny is refused, what they ask about needs confirmation, and a command that one
                 of them allows needs none. A default decides only where it does not allow
    """

    def __init__(
        self,
        *,
        directories: Iterable[str] = (),
        allowed: Iterable[str] = ALLOWED,
        confirm: Confirm | None = None,
        blocks: bool = True,
        rules: Rules | None = None,
    ) -> None:
        self._directories = [normal_path(path) for path in directories]
        self._allowed = frozenset(allowed)
        self._confirm = confirm
        self._blocks, self._rules = blocks, rules

    @property
    def directories(self) -> list[str]:
        """The directories within which commands and files stay; none if all are permitted."""
        return [*self._directories]

    @property
    def asks(self) -> bool:
        """Whether somebody is asked about commands that are not known to be harmless."""
        return self._confirm is not None

    @property
    def has_rules(self) -> bool:
        """Whether rules decide about commands and files."""
        return self._rules is not None

    async def judge(
        self,
        command: str,
        cwd: str,
        *,
        dry: bool = False,
        resolve_path: Callable[[str], str] = normal_path,
        dialect: str | None = "bash",
    ) -> str:
        """Return why a command may not run in a directory; empty if it may.

        `resolve_path` follows the links of a path. The command is read in the session's dialect.
        """
        try:
            spoken = dialect_named(dialect) or declared_dialect(command) or KEYSH
            script = PlannedScript(command, spoken)
        except ScriptError as error:
            diagnostics = "\n".join(map(str, error.diagnostics))
            return f"Command not run: it cannot be parsed:\n{diagnostics}"
        if self._blocks and (reason := danger(script, cwd)):
            return f"Command blocked for security reasons: {reason}: {command}"
        for directory in (cwd, *directories(script, cwd)):
            if not self.is_inside(directory, resolve_path):
                real, allowed = resolve_path(directory), ", ".join(self._directories)
                return f"Command blocked: {real} is outside {allowed}"
        is_asked = False
        if self._rules is not None:
            verdicts = ScriptVerdicts(self._rules, command, spoken, cwd, resolve_path)
            for act in verdicts.acts:
                if act.verdict.decision == "deny":
                    return f"Command {act.verdict}: {command}"
            # What only the run can tell may be what a rule is about.
            is_asked = verdicts.decision != "allow"
            if is_asked and self._confirm is None:
                act = next(act for act in verdicts.acts if act.verdict.may_be != "allow")
                return f"Command denied, since nobody can be asked: {act}"
        if dry or self._confirm is None or (not is_asked and self.is_allowed(script)):
            return ""
        answer = self._confirm(command, [program.name or "?" for program in script.programs])
        if not isinstance(answer, bool):
            answer = await answer
        return "" if answer else f"Command not confirmed: {command}"

    async def judge_file(self, action: Action, path: str) -> str:
        """Return why a tool may not read or write a path without links; empty if it may."""
        if self._rules is None:
            return ""
        verdict = self._rules.judge_path(action, path)
        if verdict.decision == "allow":
            return ""
        if verdict.decision == "ask":
            if self._confirm is None:
                return f"{action} is denied, since nobody can be asked: {verdict.reason}"
            answer = self._confirm(f"{action} {path}", [])
            if not isinstance(answer, bool):
                answer = await answer
            return "" if answer else f"{action} is not confirmed: {verdict.reason}"
        return f"{action} is {verdict}"

    def is_inside(self, path: str, resolve_path: Callable[[str], str] = normal_path) -> bool:
        """Whether the session may enter a directory, and the file tools may use a path."""
        if not self._directories:
            return True
        real = resolve_path(path)
        return any(is_below(real, resolve_path(one)) for one in self._directories)

    def is_allowed(self, script: PlannedScript) -> bool:
        """Whether all commands of a script may run without confirmation."""
        return all(self._is_allowed(program) for program in script.programs)

    def _is_allowed(self, program: Program) -> bool:
        if any(target != "/dev/null" for target in program.targets):
            return False  # it writes a file
        name = program.name
        if self._rules is not None and program.words:
            verdict = self._rules.judge_command([*map(known_word, program.words)])
            if verdict.rule is not None and verdict.may_be == "allow":
                return True
        if program.is_transparent and (name in OPEN_WRAPPERS or name in SHELLS or name == "eval"):
            return True  # the command inside is judged separately
        if name not in self._allowed:
            return False
        risk = RISKY_ARGUMENTS.get(name)
        if risk is None:
            return True
        return None not in program.words and not any(
            risk.search(one) for one in program.known_arguments
        )
