"""Scripts: run text in a state (`eval`, `source`) or files as commands in a child shell."""

from __future__ import annotations

from keysh.diagnostics.dialect import SHELLS_OF_BASH, declared_dialect
from keysh.diagnostics.exceptions import ScriptError
from keysh.interp.engine.pipeline import run_subshell
from keysh.interp.engine.thread_handoff import run_deeper
from keysh.interp.engine.traps import run_trap
from keysh.interp.run.control_flow import STATUS_NOT_EXECUTABLE, STATUS_NOT_FOUND, Refused, Return
from keysh.interp.run.function import SourceFrame
from keysh.interp.run.message_place import EVALUATED_TEXTS, running_site
from keysh.interp.run.options import ASKS_HOST, DEFAULT_FLAGS, FUNCTRACE, SHADOWS_BUILTIN
from keysh.interp.state.call_input import CallReader
from keysh.interp.state.state import State
from keysh.interp.state.tool_file import tool_at
from keysh.interp.streams.streams import reader_of
from keysh.text.chunks import text_of_bytes
from keysh.values import text_of
from keysh.vfs.paths import join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from keysh.diagnostics.dialect import Dialect
    from keysh.interp.run.forward_types import AnyBody

STATUS_SYNTAX_ERROR = 2
# Variables that a child shell inherits even if they are not exported.
INHERITED_VARIABLES = ("UID", "EUID", "HOSTNAME")
MAX_INTERPRETER_LINE_BYTES = 256  # of `#!` (Linux)


def evaluate_text(state: State, text: str, name: str) -> int:
    """Run text in this state, as `eval` does."""
    try:
        body = text_body(state, text, name)
    except ScriptError as error:
        state.err.write(f"{error}\n")
        state.status = STATUS_SYNTAX_ERROR
        return STATUS_SYNTAX_ERROR
    state.nesting += 1
    site, evaluating_site = state.site, state.evaluating_site
    if name in EVALUATED_TEXTS:
        state.evaluating_site = running_site(state)
    try:
        return +run_deeper(state, lambda: body(state))
    finally:
        state.nesting -= 1
        state.site = site or state.site  # an EXIT trap runs after the text of a whole shell
        state.evaluating_site = evaluating_site


def text_body(state: State, text: str, name: str) -> AnyBody:
    """Return what runs a text; one with aliases of bash is parsed while it runs."""
    state.check_text(text)
    from keysh.interp.engine.line_by_line import is_read_by_line, run_by_line  # noqa: PLC0415 - few scripts have aliases

    if is_read_by_line(state, text):
        return lambda state: run_by_line(state, text, name)
    return state.compiler.script(text, name, state)


def source_text(state: State, path: str, text: str, arguments: Sequence[object], line: int) -> int:
    """Run a file in this state, as `source` does; with arguments it has its own `$@`."""
    state.session.script_files[path] = None
    saved = state.arguments
    if arguments:
        state.arguments = list(arguments)
    state.frames.append(SourceFrame(path, line))
    outer = state.dialect
    state.dialect = declared_dialect(text, path) or outer
    try:
        return evaluate_text(state, text, path)
    except Return as left:
        status = state.status = +left.status
        return status
    finally:
        trap = state.traps.get("RETURN")
        if trap is not None and trap.is_active(state, FUNCTRACE):
            run_trap(state, "RETURN")
        state.frames.pop()
        state.dialect = outer
        if arguments:
            state.arguments = saved


def find_script(state: State, name: str) -> tuple[str | None, int]:
    """Return (path of the script with this name, 0), or None and the status to fail with."""
    if "/" in name:
        return script_at(state, name)
    status = STATUS_NOT_FOUND
    for folder in text_of(state.variables.get("PATH")).split(":"):
        for file in (f"{name}.ksh", name):
            if file.endswith(".ksh") or folder:
                path, found_status = script_at(state, join(folder or ".", file))
                if path is not None:
                    return path, 0
                if found_status == STATUS_NOT_EXECUTABLE:
                    status = found_status
    return None, status


def script_at(state: State, path: str) -> tuple[str | None, int]:
    """Return (path, 0) if an executable script is there, or None and a status."""
    absolute = join(state.cwd, path)
    try:
        stat = state.fs.stat(absolute, follow=True)
    except OSError:
        return None, STATUS_NOT_FOUND
    if stat.is_directory or not stat.mode & 0o111:
        return None, STATUS_NOT_EXECUTABLE
    if path.endswith(".ksh"):
        return path, 0
    with state.fs.open(absolute) as stream:
        start = stream.read(MAX_INTERPRETER_LINE_BYTES)
    if is_for_keysh(state, start) or interpreter_words(state, start):
        return path, 0
    return None, STATUS_NOT_FOUND


def is_for_keysh(state: State, start: bytes) -> bool:
    """Whether the first line asks for keysh, or, without real programs, for any shell."""
    first = start.split(b"\n", 1)[0]
    if not first.startswith(b"#!"):
        return not state.session.has_programs and b"\0" not in first
    words = first[2:].decode("utf-8", "replace").split()
    names = [word.rpartition("/")[2] for word in words]
    if "keysh" in names[:2]:
        return True
    return not state.session.has_programs and any(name in SHELLS_OF_BASH for name in names[:2])


def interpreter_words(state: State, start: bytes) -> list[str]:
    """Return the tool that the first line of a script names, and its argument; [] for no tool.

    As on Linux, all that follows the path is one argument.
    """
    first = start.split(b"\n", 1)[0]
    if not first.startswith(b"#!"):
        return []
    words = text_of_bytes(first[2:]).strip().split(None, 1)
    return words if words and tool_at(state, words[0]) is not None else []


def run_script(state: State, path: str, arguments: Sequence[object]) -> int:
    """Run a script file as a command: it sees exported variables only and changes nothing here.

    A script for one of the tools, as `#!/usr/bin/awk -f`, is an argument of that tool.
    """
    with CallReader(reader_of(state.fs.open(join(state.cwd, path))), state) as reader:
        data = reader.read_data()
    if not (path.endswith(".ksh") or is_for_keysh(state, data)):
        words = interpreter_words(state, data[:MAX_INTERPRETER_LINE_BYTES])
        return state.session.services.run_words(state, [*words, path, *arguments])
    text = text_of_bytes(data)
    state.session.script_files[path] = None
    dialect = declared_dialect(text, path) or state.dialect
    return run_in_own_shell(state, text, path, arguments, dialect)


def run_in_own_shell(
    state: State,
    text: str,
    name: str,
    arguments: Sequence[object],
    dialect: Dialect,
    flags: int = DEFAULT_FLAGS,
) -> int:
    """Run text in a child shell."""
    child = State(
        state.session, state.stdin, state.out, state.err, state.cwd, state.exported_variables(),
        arguments, name, dialect,
    )  # fmt: skip
    child.variables["PPID"] = state.session.jobs.shell_pid_of(state)
    for variable in INHERITED_VARIABLES:
        if (value := state.variables.get(variable)) is not None:
            child.variables[variable] = value
    child.descriptors = state.descriptors.copy()
    child.budget, child.depth, child.span = state.budget, state.depth, state.span
    child.umask, child.has_set_umask = state.umask, state.has_set_umask
    child.level, child.flags = state.level, flags | state.flags & (ASKS_HOST | SHADOWS_BUILTIN)
    child.functions = {name: one for name, one in state.functions.items() if one.is_exported}
    child.nesting = -1  # `set -x` shows no extra `+` for the text
    try:
        return run_subshell(child, lambda child: evaluate_text(child, text, name))
    except Refused as refusal:
        return refusal.status  # in sh it is another process
