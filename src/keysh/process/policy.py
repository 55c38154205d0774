"""Policy: which real programs may run. It prevents accidents; only with `confine` is it a sandbox.

A program that may run can do whatever this machine lets it do, and one that runs other programs
(`env`, `sh`, `make`) runs those unchecked; with `confine` the kernel holds them all. Where one file
serves many programs by the name that it is called by, allowing one allows all.
"""

from __future__ import annotations

import os

from keysh.diagnostics.exceptions import refuse
from keysh.process.allowance.denied_programs import DeniedPrograms
from keysh.process.allowance.interpreters import interpreters_of
from keysh.process.allowance.loader_variables import LOADER_VARIABLES
from keysh.process.environment import TAG
from keysh.process.resolve import find_executable, path_from
from keysh.process.result import NotStarted

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from typing import Any

    from keysh.process.confine.confinement import Confinement
    from keysh.process.confine.program_confinement import ProgramConfinement

# The limits, by the names of ProcessSpec's parameters.
LIMIT_NAMES = ("max_memory", "cpu_seconds", "max_processes", "max_open_files", "nice")

MAX_INTERPRETER_DEPTH = 5  # levels of scripts interpreted by scripts, as on Linux


class Policy:
    """The real files that may run, resolved at once from names and paths on the host's PATH.

    allow           the programs that may run; None for all that are not denied. A file below a
                    directory that scripts can write is never taken for an allowed one
    allow_writable  it may be, for hosts whose scripts have all permissions of their user anyway
    deny            programs that may not run, even if allowed: nor may their copies and links, nor
                    programs whose arguments name them, such as `nice` and `sh -c`
    cwd_roots       directories of the machine below which programs may start; None for anywhere
    env_allow       patterns of the variables that programs receive, None for all. One that loads
                    code, such as PYTHONPATH, is dropped unless it stands there in full, or by its
                    pattern of LOADER_VARIABLES
    env_deny        patterns of variables that programs do not receive, even if allowed
    max_processes   processes alive at once in the tree of each program
    rlimits         other limits of each program, by the names of ProcessSpec's parameters
    on_spawn        called last, with the real path and the arguments; False or a string, the
                    reason, refuses
    rules           keysh.Rules, by which a shell with this policy judges all that its scripts do,
                    as by those of its own; it asks `on_ask` where they ask
    unconfined      allow real programs although the shell has mounts that they do not see
    materialize     if a program's directory is not one of the machine, run it in a real copy of
                    that file system, of at most this many bytes if a number, and copy its changes
                    back
    path            search this instead of the host's PATH
    confine         how the kernel holds programs. "auto": to what the script sees, as far as this
                    kernel can; "require": programs are refused if it cannot; a Confinement: to what
                    that lists; "off": not at all. None is "off", but "auto" in the session of an
                    agent

    allowed_names  the names of `allow` that were found; None if all may run
    missing        the names that were not found on this machine
    confinement    how the kernel holds programs
    """

    __module__ = "keysh"
    __slots__ = (
        "_allow", "_allow_writable", "_confine", "_deny", "_env_allow", "_env_deny", "_limits",
        "_roots", "allowed_names", "confinement", "materialize", "missing", "on_spawn", "rules",
        "unconfined",
    )  # fmt: skip

    def __init__(
        self,
        allow: Iterable[str] | None = None,
        deny: Iterable[str] = (),
        *,
        allow_writable: bool = False,
        cwd_roots: Iterable[str] | None = None,
        env_allow: Iterable[str] | None = None,
        env_deny: Iterable[str] = (),
        max_processes: int | None = None,
        rlimits: Mapping[str, int] | None = None,
        on_spawn: Callable[[str, Sequence[str]], bool | str | None] | None = None,
        rules: Any = None,
        unconfined: bool = False,
        materialize: bool | int = False,
        path: str | None = None,
        confine: str | Confinement | None = None,
    ) -> None:
        for name, names in (
            ("allow", allow), ("deny", deny), ("cwd_roots", cwd_roots), ("env_allow", env_allow),
            ("env_deny", env_deny),
        ):  # fmt: skip
            if names is None:
                continue
            if isinstance(names, str) or not hasattr(names, "__iter__"):
                refuse(name, "a list of strings", names, f"{name}=['git']")
        if path is None:
            path = os.environ.get("PATH", os.defpath)
        self.missing: list[str] = []  # names that were not found on this machine
        self.allowed_names: tuple[str, ...] | None = None  # those of `allow` that are there
        self._allow = None
        if allow is not None:
            allow = tuple(allow)
            self._allow = self._real_paths(allow, path)
            self.allowed_names = tuple(name for name in allow if name not in self.missing)
        self._allow_writable = allow_writable
        self._deny = DeniedPrograms(self._real_paths(deny, path))
        self._roots = None if cwd_roots is None else [os.path.realpath(root) for root in cwd_roots]
        self._env_allow = None if env_allow is None else tuple(env_allow)
        self._env_deny = tuple(env_deny)
        limits = dict(rlimits or {})
        if max_processes is not None:
            limits["max_processes"] = max_processes
        self._limits = check_limit_names(limits)
        self.on_spawn, self.unconfined = on_spawn, unconfined
        self.materialize, self.rules = materialize, rules
        self._confine = confine
        self.confinement: ProgramConfinement | None = None
        if confine is not None and confine != "off":
            from keysh.process.confine.program_confinement import ProgramConfinement  # noqa: PLC0415 - few policies confine

            self.confinement = ProgramConfinement(confine, self._allow or (), self._deny.paths)

    def for_agents(self) -> Policy:
        """The same policy, with `confine="auto"` if its host has said nothing about that."""
        if self._confine is not None:
            return self
        from keysh.process.confine.program_confinement import ProgramConfinement  # noqa: PLC0415 - as above

        policy = Policy.__new__(Policy)
        for name in self.__slots__:
            setattr(policy, name, getattr(self, name))
        policy._confine = "auto"
        policy.confinement = ProgramConfinement("auto", self._allow or (), self._deny.paths)
        return policy

    def limit(self, name: str) -> int | None:
        """One of the limits, by the name of its parameter."""
        return self._limits.get(name)

    def judge_directory(self, path: str, name: str) -> None:
        """Raise NotStarted if a program may not start in a directory of the machine."""
        real = os.path.realpath(path)
        if self._roots is not None and not any(is_within(real, root) for root in self._roots):
            raise policy_refusal(
                "cwd_roots", name, "is not below a directory that is allowed", real
            )

    def judge(
        self,
        path: str,
        argv: Sequence[str],
        search: str = "",
        writable: Sequence[str] = (),
        directory: str | None = None,
    ) -> str:
        """Return the real file to execute for the one found at `path`, or raise NotStarted.

        `search` is the PATH of the process, on which `#!/usr/bin/env NAME` finds its interpreter,
        and `directory` its own, in which `#!tools/NAME` does.
        """
        real = os.path.realpath(path)
        current, name = real, argv[0]
        for _ in range(MAX_INTERPRETER_DEPTH):
            self._judge_file(current, writable, name)
            interpreters = [
                os.path.realpath(path_from(file, directory))
                for file in interpreters_of(current, search, directory)
            ]
            if not interpreters:
                break
            for between in interpreters[:-1]:
                self._judge_file(between, writable, name)
            current = interpreters[-1]
        else:
            raise policy_refusal("allow", name, "scripts interpret scripts too deeply")
        if self._deny.paths and (fact := self._deny.fact_against(real, argv, search, directory)):
            raise policy_refusal("deny", name, fact, real)
        answer = True if self.on_spawn is None else self.on_spawn(real, argv)
        if answer is False or isinstance(answer, str):
            if answer:
                raise policy_refusal("on_spawn", name, answer)
            raise policy_refusal("on_spawn", name, "was refused by the host", real)
        return real

    def cleaned(self, variables: Mapping[str, str]) -> dict[str, str]:
        """The variables that a program receives."""
        return {name: value for name, value in variables.items() if self._passes(name)}

    def _passes(self, name: str) -> bool:
        if name == TAG:
            return True  # it identifies the tree of an outer program
        if matches_any(name, self._env_deny):
            return False
        allowed = self._env_allow
        loaders = [pattern for pattern in LOADER_VARIABLES if matches_any(name, (pattern,))]
        if loaders:
            return allowed is not None and any(one in allowed for one in (name, *loaders))
        return allowed is None or matches_any(name, allowed)

    def _judge_file(self, real: str, writable: Sequence[str], name: str) -> None:
        """Raise NotStarted if a file may not be executed."""
        if self._deny.paths and self._deny.has_file(real):
            raise policy_refusal("deny", name, "is denied", real)
        if self._allow is None:
            return
        if real not in self._allow:
            raise policy_refusal("allow", name, "is not allowed", real)
        if self._allow_writable:
            return
        if any(is_within(real, os.path.realpath(folder)) for folder in writable):
            raise policy_refusal("allow", name, "can be written by scripts", real)

    def _real_paths(self, names: Iterable[str], path: str) -> frozenset[str]:
        paths = set()
        for name in names:
            file = find_executable(name, path)
            if file is None:
                self.missing.append(name)
            else:
                paths.add(os.path.realpath(file))
        return frozenset(paths)


def policy_refusal(rule: str, name: str, fact: str, file: str = "") -> NotStarted:
    """A refusal by one parameter of Policy: a fact, about a file of the machine if one is given."""
    reason = f"{file} {fact}" if file else fact
    return NotStarted("refused", "POLICY", name, reason, rule=rule, file=file)


def check_limit_names(limits: dict[str, int]) -> dict[str, int]:
    """Return the limits; ValueError for an unknown name, TypeError for what is no number."""
    for name, value in limits.items():
        if not isinstance(value, int) or isinstance(value, bool):
            refuse(name, "a whole number", value)
        if name not in LIMIT_NAMES:
            raise ValueError(f"rlimits has no {name!r}: there are {', '.join(LIMIT_NAMES)}")
    return limits


def is_within(path: str, folder: str) -> bool:
    """Whether a real path is a folder or lies below it."""
    return path == folder or path.startswith(folder.rstrip("/") + "/")


def matches_any(name: str, patterns: Iterable[str]) -> bool:
    """Whether a name matches one of the patterns, each with one star at most."""
    for pattern in patterns:
        head, star, tail = pattern.partition("*")
        if star:
            is_long = len(name) >= len(head) + len(tail)
            if is_long and name.startswith(head) and name.endswith(tail):
                return True
        elif name == pattern:
            return True
    return False
