"""Policy: which real programs may run. A seat belt against accidents, not a wall.

A program that may run can do whatever this machine lets it do, and one that runs other programs
(`env`, `sh`, `make`) runs those unasked. Where many programs are one file that looks at the name
it was called by, allowing one allows all.
"""

from __future__ import annotations

import os

from .resolve import find, resolve
from .result import NotStarted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

# Variables that make loaders and interpreters run code of the setter's choice.
LOADERS = (
    "LD_*", "DYLD_*", "PYTHON*", "BASH_ENV", "BASH_FUNC_*", "ENV", "NODE_OPTIONS", "GIT_*_COMMAND",
    "PERL5*", "RUBYOPT",
)  # fmt: skip

FIRST_LINE = 4096  # bytes of a script that are looked at; no kernel reads more
TURNS = 5  # scripts interpreted by scripts, as many as Linux follows


class Policy:
    """Names and paths, resolved here and now on `path`, to the real files they stand for.

    allow: what may run; None allows whatever is not denied. A file below a directory that scripts
    can write is never taken for one that is allowed.
    deny: what may not, though it is allowed.
    on_spawn: asked last, with the real path and the arguments; False refuses, and so does a text,
    which is the reason.
    variables: patterns of loader variables, such as PYTHONPATH, that are not dropped.
    unconfined: real programs may run though the shell has mounts that they do not see.
    materialize: a program whose directory is not one of the machine runs in a real copy of that
    file system, of so many bytes at most, and its changes are copied back.
    """

    __slots__ = ("_allow", "_deny", "_keep", "materialize", "missing", "on_spawn", "unconfined")

    def __init__(
        self,
        allow: Iterable[str] | None = None,
        deny: Iterable[str] = (),
        on_spawn: Callable[[str, Sequence[str]], bool | str | None] | None = None,
        *,
        path: str = os.defpath,
        variables: Iterable[str] = (),
        unconfined: bool = False,
        materialize: bool | int = False,
    ) -> None:
        self.missing: list[str] = []  # names that stand for nothing on this machine
        self._allow = None if allow is None else self._real_paths(allow, path)
        self._deny = self._real_paths(deny, path)
        self._keep = tuple(variables)
        self.on_spawn, self.unconfined = on_spawn, unconfined
        self.materialize = materialize

    def judge(
        self, path: str, argv: Sequence[str], search: str = "", writable: Sequence[str] = ()
    ) -> str:
        """The real file to execute for the one found at `path`; NotStarted where it may not run.

        `search` is the PATH of the process, on which `#!/usr/bin/env NAME` finds its interpreter.
        """
        real = os.path.realpath(path)
        current, name = real, argv[0]
        for _ in range(TURNS):
            reason = self._refusal(current, writable)
            if reason:
                raise NotStarted("refused", "POLICY", name, reason)
            interpreters = [os.path.realpath(found) for found in interpreters_of(current, search)]
            if not interpreters:
                break
            for between in interpreters[:-1]:
                reason = self._refusal(between, writable)
                if reason:
                    raise NotStarted("refused", "POLICY", name, reason)
            current = interpreters[-1]
        else:
            raise NotStarted("refused", "POLICY", name, "scripts interpret scripts too deeply")
        answer = True if self.on_spawn is None else self.on_spawn(real, argv)
        if answer is False or isinstance(answer, str):
            raise NotStarted("refused", "POLICY", name, answer or f"{real} was refused by the host")
        return real

    def cleaned(self, variables: Mapping[str, str]) -> dict[str, str]:
        """The variables without those that load code."""
        return {
            name: value
            for name, value in variables.items()
            if not (matches(name, LOADERS) and not matches(name, self._keep))
        }

    def _refusal(self, real: str, writable: Sequence[str]) -> str:
        """Why a file may not be executed; empty where it may."""
        if real in self._deny:
            return f"{real} is denied"
        if self._allow is None:
            return ""
        if real not in self._allow:
            return f"{real} is not allowed"
        for folder in writable:
            top = os.path.realpath(folder)
            if real == top or real.startswith(top.rstrip("/") + "/"):
                return f"{real} can be written by scripts"
        return ""

    def _real_paths(self, names: Iterable[str], path: str) -> frozenset[str]:
        found = set()
        for name in names:
            place = find(name, path)
            if place is None:
                self.missing.append(name)
            else:
                found.add(os.path.realpath(place))
        return frozenset(found)


def interpreters_of(path: str, search: str) -> list[str]:
    """What the kernel executes for a script, and what `env` in its first line then does."""
    try:
        with open(path, "rb") as file:
            line = file.read(FIRST_LINE).split(b"\n", 1)[0]
    except OSError:
        return []  # it can be executed but not read, so it is no script
    words = os.fsdecode(line[2:]).split(None, 1) if line.startswith(b"#!") else []
    if not words:
        return []
    found = words[:1]
    if os.path.basename(found[0]) == "env" and len(words) == 2:
        name = next((word for word in words[1].split() if not is_setting(word)), "")
        if name:
            found.append(resolve(name, search))
    return found


def is_setting(word: str) -> bool:
    """Whether a word of `env` stands before the command."""
    return word.startswith("-") or "=" in word


def matches(name: str, patterns: Iterable[str]) -> bool:
    """Whether a name is one of those, each of which may have one star."""
    for pattern in patterns:
        head, star, tail = pattern.partition("*")
        if star:
            is_long = len(name) >= len(head) + len(tail)
            if is_long and name.startswith(head) and name.endswith(tail):
                return True
        elif name == pattern:
            return True
    return False
