"""Evaluate parts of scripts in a state: expressions, conditions and words."""

from __future__ import annotations

import shlex
import subprocess
from collections.abc import Sequence
from random import Random
from typing import Any

from keysh.compile.compiler import TABLES, CompilerTable
from keysh.compile.context import CompileContext
from keysh.diagnostics.source import Source
from keysh.interp.engine.services import EngineServices
from keysh.interp.run.limits import Limits
from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic
from keysh.interp.state.session import Session
from keysh.interp.state.state import State
from keysh.interp.streams.streams import Reader, Writer
from keysh.syntax import ast
from keysh.syntax.parser import parse, parse_arithmetic
from keysh.values import deep_copy, text_of
from keysh.vfs.memory.filesystem import MemoryFS
from keysh.vfs.router import Router


def state_with(*arguments: Any, limits: Limits | None = None, **variables: Any) -> State:
    """Return a state with arguments and variables."""
    fs = Router({"/": MemoryFS({"/file": "text", "/empty": ""})})
    session: Any = Session(
        lambda: fs, None, CompilerTable(), EngineServices(), limits or Limits(),  # type: ignore[arg-type]
        lambda: 0, lambda: Random(0),
    )  # fmt: skip
    silent = Writer(lambda text: None)
    state = State(session, Reader(()), silent, silent, arguments=arguments, name="bash")
    state.variables.update(deep_copy(variables))
    return state


def evaluate(expression: str, state: State) -> int | float:
    """Return the value of an arithmetic expression."""
    source = Source(expression)
    result: int | float = CompileContext(source, TABLES).arithmetic(parse_arithmetic(source))(state)
    return result


def condition_holds(condition: str, state: State) -> bool:
    """Whether a condition of `[[ … ]]` is true."""
    source = Source(f"[[ {condition} ]]")
    body = parse(source).body
    assert body is not None
    [command] = body.commands
    assert isinstance(command, ast.Test)
    return bool(CompileContext(source, TABLES).test(command.expression)(state))


def expand_words(text: str, state: State) -> list[Any]:
    """Return the arguments to which words expand."""
    source = Source(f": {text}")
    body = parse(source).body
    assert body is not None
    [command] = body.commands
    assert isinstance(command, ast.Simple)
    read = CompileContext(source, TABLES).words(command.arguments[1:], purpose="command")
    result: list[Any] = read(state)
    return result


def expanded_text(text: str, state: State) -> str:
    """Return the expanded words in `<>`, or the code of the error."""
    try:
        return "".join(f"<{text_of(word)}>" for word in expand_words(text, state))
    except RuntimeDiagnostic as problem:
        return problem.code


def outcome_of(expression: str, state: State) -> str:
    """Return the error of an arithmetic expression with the marked text, or its value."""
    try:
        result = evaluate(expression, state)
    except RuntimeDiagnostic as problem:
        place = expression[problem.start : problem.end] if problem.start >= 0 else "no place"
        return f"{problem.code} {problem.fact}: {problem.datum} @ {place}"
    return str(result)


def bash_outputs(setup: str, commands: Sequence[str]) -> list[str]:
    """Return what bash prints for each command in a subshell, or `fails` if its status is not 0."""
    script = "".join(
        f"(eval {shlex.quote(command)}) 2>/dev/null || printf fails; printf '\\0'\n"
        for command in commands
    )
    done = subprocess.run(
        ["bash", "--norc", "-O", "extglob"],
        input=f"{setup}\n{script}".encode("utf-8", "surrogateescape"),
        capture_output=True,
        env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"},
        timeout=60,
        check=False,
    )
    return done.stdout.decode("utf-8", "surrogateescape").split("\0")[:-1]
