"""spawn - run a program with its own arguments, environment, directory and timeout."""

from __future__ import annotations

from contextlib import suppress

from keysh.interp.state.call import Call
from keysh.interp.state.state_of_call import state_of
from keysh.interp.streams.streams import Reader, Writer
from keysh.process.result import NotStarted
from keysh.process.streams.capture import HeadTailCapture
from keysh.schema.declare import Refusals, command
from keysh.schema.types import ValueType
from keysh.text.chunks import bytes_of_text, text_of_bytes
from keysh.values import json_of, text_of, value_of_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from typing import TypeAlias

    from keysh.process.result import ProcessResult
    from keysh.schema.types import Size

EXTERNAL_DISABLED = "external commands are disabled (allow_external_commands=false)"
MISSING_COMMAND = "command parameter required"
MAX_OUTPUT_BYTES = 1 << 20  # default of --max-output


if TYPE_CHECKING:
    Value: TypeAlias = object
else:
    Value = ValueType("value", "a list or text")


@command(refusals=Refusals(missing_operand_error=MISSING_COMMAND))
def spawn(
    sh: Call,
    command: str,
    argv: Value = None,
    *more: str,
    env: dict | None = None,  # type: ignore[type-arg]  # the declaration's own spelling
    cwd: str | None = None,
    timeout: float | None = None,
    clear_env: bool = False,
    stdin: str | None = None,
    merge: bool = False,
    max_output: Size | None = None,
    stream: bool = True,
    json: bool = False,
) -> object:
    """Run a program, passing its arguments without a shell.

    command            its name, searched for on $PATH, or its path
    argv               its arguments: a list, a JSON array as text, or text as the
                       first argument
    more ...           further arguments, each as it is; options after --
    --env RECORD       variables in addition to the exported ones
    --cwd DIR          run in DIR, a directory of the host
    --timeout MS       kill it and its child processes after MS milliseconds
    --clear-env        do not pass the exported variables
    --stdin TEXT       pass TEXT as its standard input
    --merge            send its standard error to its standard output
    --max-output SIZE  keep at most SIZE bytes of each output, from beginning and
                       end
    --no-stream        hold its output back until it ends (also stream=false)
    --json             print a record: code, signal, stdout, stderr, timed_out and
                       more

    The status is that of the program; 128 plus the number of the signal that killed
    it; 124 after the timeout; 127 if there is no such program.
    """
    state = state_of(sh)
    programs = state.session.programs
    if programs is None:
        raise sh.fail(EXTERNAL_DISABLED)
    if not command:
        raise sh.fail(MISSING_COMMAND)
    words = [command, *arguments(sh, argv, more), *more]
    if timeout is not None and not 0 < timeout < float("inf"):
        raise sh.fail(f"timeout must be milliseconds above 0, but is {timeout:g}")
    variables = child_environment(sh, env, clear_env)
    keeps = json or not stream or max_output is not None
    out, err = (
        HeadTailCapture(MAX_OUTPUT_BYTES if max_output is None else max_output) for _ in range(2)
    )
    call = Call(
        sh.name,
        state,
        sh.source if stdin is None else Reader((stdin,)),
        capture_writer(out) if keeps else sh.out,
        capture_writer(err) if keeps else sh.err,
    )
    if merge:
        call.err = call.out
    path = programs.find(state, command) or command
    try:
        result = programs.spawn(
            state, call, words, path, variables, None if cwd is None else sh.path(cwd), timeout
        )
    except NotStarted as error:
        raise sh.fail(*start_refusal(error, cwd)) from None
    sh.status = result.code
    if json:
        return result_record(result, out, err)
    if keeps:
        for capture, writer in ((out, sh.out), (err, sh.err)):
            writer.write(captured_text(capture))
    if result.timed_out:
        sh.note(f"{result.path}: timed out after {timeout:g}ms")
    return None


def arguments(sh: Call, argv: object, more: Sequence[str]) -> list[str]:
    """Return the arguments: the elements of a list or JSON array, else one text; never split."""
    if argv is None:
        return []
    if isinstance(argv, str) and argv[:1] == "[" and not more:
        with suppress(ValueError):  # ordinary text
            argv = value_of_json(argv)
        has_name = any(name == "argv" for name, _ in sh.given)
        if isinstance(argv, str) and argv[-1:] == "]" and has_name:
            fix = f"argv=[{argv[1:-1].strip()},] for a list, argv='[\"{argv}\"]' for the text"
            raise sh.fail(f"argv is neither a list nor a JSON array: {argv}\nfix: {fix}")
    if not isinstance(argv, list):
        return [text_of(argv)]
    return [json_of(one) if one is None else text_of(one) for one in argv]


def child_environment(
    sh: Call, added: Mapping[str, object] | None, is_clear: bool
) -> dict[str, str]:
    """Return the complete environment of the program."""
    variables = {} if is_clear else dict(sh.env)
    for name, value in (added or {}).items():
        if not isinstance(value, str):
            raise sh.fail(f"env: {name} must be text, but is {json_of(value)}")
        variables[name] = value
    return variables


def capture_writer(capture: HeadTailCapture) -> Writer:
    """Return a writer into a capture."""
    return Writer(lambda text: capture.add(bytes_of_text(text)))


def captured_text(capture: HeadTailCapture) -> str:
    return text_of_bytes(capture.content())


def start_refusal(error: NotStarted, cwd: str | None) -> tuple[str, int]:
    """Return the message and status for a program that did not start."""
    if error.kind == "directory" and cwd is not None:
        between = " " if error.reason.startswith("is ") else ": "
        return f"cwd '{error.subject}'{between}{error.reason}", 1
    reason = error.reason or "No such file or directory"
    return f"{error.subject}: {reason}", error.status


def result_record(
    result: ProcessResult, out: HeadTailCapture, err: HeadTailCapture
) -> dict[str, object]:
    """Return the result of a program as a record."""
    return {
        "code": result.code,
        "signal": result.signal,
        "timed_out": result.timed_out,
        "stdout": captured_text(out),
        "stderr": captured_text(err),
        "stdout_dropped": out.dropped_bytes,
        "stderr_dropped": err.dropped_bytes,
        "path": result.path,
        "pid": result.pid,
        "duration_ms": round(result.duration_ms, 3),
    }
