"""Guard: what an agent may run: what is refused, and what is asked for before it runs.

A seat belt against accidents, not a wall against attackers: it reads what is written, and a program
that runs can do what the machine lets it do. The wall is the file system and the policy of the
shell, or the container around the host.
"""

from __future__ import annotations

import re

from keysh.adapters.agent.danger import danger, directories
from keysh.adapters.agent.planned_programs import PlannedScript
from keysh.diagnostics.errors import ScriptError
from keysh.syntax.wrappers import SHELLS, WRAPPERS
from keysh.vfs.paths import is_below, normal_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Iterable

    from keysh.adapters.agent.planned_programs import Program

    Confirm = Callable[[str, list[str]], bool | Awaitable[bool]]

# What needs no confirmation: it reads, or it is what a developer's tools do all day.
ALLOWED = frozenset({
    "[", "awk", "cat", "cd", "cmake", "docker", "echo", "false", "find", "git", "grep", "head",
    "ls", "make", "node", "npm", "pnpm", "printf", "pwd", "python", "python3", "sed", "tail",
    "test", "true", "type", "wc", "which", "yarn",
})  # fmt: skip

# Arguments with which an allowed command is one to ask for after all.
RISKY_ARGUMENTS = {
    "awk": re.compile(r"system|getline|[|>]|^-i|^--include"),
    "docker": re.compile(
        r"(rm|rmi|kill|prune|stop|down|remove|exec|run|push|login|load|import|update|swarm)$"
    ),
    "find": re.compile(r"-(delete|execdir|exec|ok|okdir|fprint|fprint0|fprintf|fls)$"),
    # In place, or the commands w, W and e, at the start or behind an address or another command.
    "sed": re.compile(r"^-[a-zA-Z]*i|^--in-place|(^|[;0-9$/}!,|#])\s*[wWe]( |$)"),
}

OPEN_WRAPPERS = frozenset(WRAPPERS) - {"busybox", "chroot", "doas", "sudo"}


class Guard:
    """Judges commands before they run.

    directories  the directories that the session must not leave; all, where none is given
    allowed      what runs without asking
    confirm      asked for all else, with the command and the names of its programs; nobody is
                 asked where it is None. It may be a coroutine function.
    blocks       whether what is dangerous by accident is refused, whoever would confirm it
    """

    def __init__(
        self,
        *,
        directories: Iterable[str] = (),
        allowed: Iterable[str] = ALLOWED,
        confirm: Confirm | None = None,
        blocks: bool = True,
    ) -> None:
        self._directories = [normal_path(path) for path in directories]
        self._allowed = frozenset(allowed)
        self._confirm = confirm
        self._blocks = blocks

    async def judge(
        self,
        command: str,
        cwd: str,
        *,
        dry: bool = False,
        resolve_path: Callable[[str], str] = normal_path,
    ) -> str:
        """Why a command does not run in a directory; empty where it may.

        `leads_to` follows the links of a path.
        """
        try:
            script = PlannedScript(command)
        except ScriptError as error:
            found = "\n".join(str(one) for one in error.diagnostics)
            return f"Command not run, for it cannot be read:\n{found}"
        if self._blocks and (reason := danger(script, cwd)):
            return f"Command blocked for security reasons: {reason}: {command}"
        for place in (cwd, *directories(script, cwd)):
            if not self.is_inside(place, resolve_path):
                real, allowed = resolve_path(place), ", ".join(self._directories)
                return f"Command blocked: {real} is outside {allowed}"
        if dry or self._confirm is None or self.is_allowed(script):
            return ""
        answer = self._confirm(command, [program.name or "?" for program in script.programs])
        if not isinstance(answer, bool):
            answer = await answer
        return "" if answer else f"Command not confirmed: {command}"

    def is_inside(self, path: str, resolve_path: Callable[[str], str] = normal_path) -> bool:
        """Whether the session may be in a directory, and the file tools at a path."""
        if not self._directories:
            return True
        place = resolve_path(path)
        return any(is_below(place, resolve_path(one)) for one in self._directories)

    def is_allowed(self, script: PlannedScript) -> bool:
        """Whether all that a text runs may run without asking."""
        return all(self._is_allowed(program) for program in script.programs)

    def _is_allowed(self, program: Program) -> bool:
        if any(target != "/dev/null" for target in program.targets):
            return False  # it writes a file
        name = program.name
        if program.is_transparent and (name in OPEN_WRAPPERS or name in SHELLS or name == "eval"):
            return True  # what it runs is judged by itself
        if name not in self._allowed:
            return False
        risk = RISKY_ARGUMENTS.get(name)
        if risk is None:
            return True
        return None not in program.words and not any(
            risk.search(one) for one in program.known_arguments
        )
