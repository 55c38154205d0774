"""run - run code of another language."""

from __future__ import annotations

from keysh.builtins.run.execution import (
    DEFAULT_TIMEOUT,
    MAX_OUTPUT_BYTES,
    ExecutionFailure,
    Languages,
    execution_of,
    start_failure,
)
from keysh.builtins.spawn import EXTERNAL_DISABLED, capture_writer
from keysh.interp.state.call import Call
from keysh.interp.state.state_of_call import state_of
from keysh.interp.streams.descriptors import NO_INPUT
from keysh.process.result import NotStarted
from keysh.process.streams.capture import HeadTailCapture
from keysh.schema.declare import command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from keysh.builtins.run.execution import Execution
    from keysh.process.result import ProcessResult


def running(more: Mapping[str, Sequence[str]] | None = None) -> Callable[..., object]:
    """Return a `run` command with more languages, for `Shell(commands=[…])`."""
    languages = Languages(more)

    @command(name="run")
    def run_code(
        sh: Call,
        language: str,
        code: str | None = None,
        *,
        cwd: str | None = None,
        timeout: float = DEFAULT_TIMEOUT,
        version: str | None = None,
        json: bool = False,
    ) -> object:
        """Run code of another language.

        language       bash, javascript or python, or a language that the host added
        code           the code (default: standard input; the code then has no input)
        --cwd DIR      run in DIR, a directory of the host
        --timeout SEC  kill the code and its child processes after SEC seconds
        --version VER  ignored: there is one interpreter of a language
        --json         print a record: success, exit_code, stdout, stderr, error

        At most 1 MB of output is kept, from its beginning and end, and printed at the
        end. The status is that of the code; 124 after the timeout, 127 without an
        interpreter.
        """
        if state_of(sh).session.programs is None:
            raise sh.fail(EXTERNAL_DISABLED)
        if not 0 < timeout < float("inf"):
            raise sh.fail(f"timeout must be seconds above 0, but is {timeout:g}")
        stdin = NO_INPUT if code is None else sh.source
        text = sh.stdin.read() if code is None else code
        call = sh.with_streams(stdin, sh.out, sh.err)
        done, sh.status = run_here(call, languages, language, text, cwd, timeout)
        if json:
            return done.record()
        sh.out.write(done.stdout)
        sh.err.write(done.stderr)
        if done.error is not None:
            sh.err.write(f"{done.error}\n")
        return None

    return run_code


def run_here(
    sh: Call, languages: Languages, language: str, code: str, cwd: str | None, timeout: float
) -> tuple[Execution, int]:
    """Run code as a program of the shell; return the result and the status."""
    out, err = HeadTailCapture(MAX_OUTPUT_BYTES), HeadTailCapture(MAX_OUTPUT_BYTES)
    call = sh.with_streams(sh.source, capture_writer(out), capture_writer(err))
    try:
        result = spawn_interpreter(call, languages.words(language, code), cwd, timeout)
    except ExecutionFailure as failed:
        return failed.execution(), failed.status
    done = execution_of(result, out, err, timeout)
    return done, result.code or (0 if done.success else 1)


def spawn_interpreter(sh: Call, words: list[str], cwd: str | None, timeout: float) -> ProcessResult:
    """Run an interpreter; raise ExecutionFailure if it does not start."""
    state = state_of(sh)
    programs = state.session.programs
    assert programs is not None
    path = programs.find(state, words[0]) or words[0]
    directory = None if cwd is None else sh.path(cwd)
    try:
        return programs.spawn(state, sh, words, path, dict(sh.env), directory, timeout * 1000)
    except NotStarted as error:
        raise start_failure(error) from None


run = running()
