"""SubprocessPrimitive: one program from a configuration whose texts are templates.

    result = await SubprocessPrimitive().execute({"command": "echo", "args": ["{word}"]}, params)

No shell reads anything. This door reads the environment of the host, as its contract asks.
"""

from __future__ import annotations

import os
import re

from keysh.process import DISCARD, ProcessSpec, arun
from keysh.process.spec import CAPTURE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from keysh.process import NotStarted, ProcessResult

FAILED = -1  # the return code where there is none of a process that ended by itself
DEFAULT_TIMEOUT = 300  # seconds
LONGEST = 1e9  # seconds: a whole number may be larger than any moment
COMPLETE = 50  # so many variables are a whole environment, and the host's is left out
MOST = 64 << 20  # bytes that are kept of each output; a line in it says what is not

# ${NAME}, ${NAME:-default} and {name}. One pass over the text replaces them all, so that what is
# put in place of one is never read as another.
TEMPLATE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}|\{([^{}]*)\}")

KNOWN = ("command", "args", "env", "cwd", "timeout", "capture_output", "input_data")


class SubprocessResult:
    """How it ended. `return_code` is negative for a signal, and -1 where nothing ended by itself.

    `success` says that the code is 0, `duration_ms` how long it took.
    """

    __slots__ = ("duration_ms", "return_code", "stderr", "stdout", "success")

    def __init__(
        self, success: bool, stdout: str, stderr: str, return_code: int, duration_ms: int
    ) -> None:
        self.success, self.stdout, self.stderr = success, stdout, stderr
        self.return_code, self.duration_ms = return_code, duration_ms

    def __repr__(self) -> str:
        return f"<SubprocessResult {self.return_code} {self.duration_ms} ms>"


class Misconfigured(Exception):
    """A configuration that cannot be meant; the message names the key."""


class SubprocessPrimitive:
    """Runs programs. It keeps nothing, so one may be used for any number at the same time."""

    async def execute(
        self, config: Mapping[str, Any], params: Mapping[str, Any] | None = None
    ) -> SubprocessResult:
        """Run the program of a configuration. What goes wrong is in the result.

        config: command; and args, env, cwd, timeout in seconds (300), capture_output (True; False
        leaves its output to where the host's goes), input_data.
        params: what `{name}` stands for in command, args, cwd and input_data. A name that is not
        there stays as it is written. `${NAME:-default}` means a variable, in env too.
        """
        try:
            spec = specification(config, params or {})
        except Misconfigured as wrong:
            return SubprocessResult(False, "", str(wrong), FAILED, 0)
        return told(await arun(spec), spec)


def specification(config: Mapping[str, Any], params: Mapping[str, Any]) -> ProcessSpec:
    """What a configuration asks for; Misconfigured names the key that is wrong."""
    for key in config:
        if key not in KNOWN:
            raise Misconfigured(f"config: {key} is not one of {', '.join(KNOWN)}")
    if not config.get("command"):
        raise Misconfigured("config: command is required")
    env = environment(mapping(config))

    def filled(key: str, value: object) -> str:
        return fill(text(key, value), env, params)

    args = config.get("args") or []
    if not isinstance(args, list | tuple):
        raise misfit("args", "a list", args)
    cwd, given = config.get("cwd"), config.get("input_data")
    capture = config.get("capture_output", True)
    if not isinstance(capture, bool):
        raise misfit("capture_output", "true or false", capture)
    return ProcessSpec(
        [filled("command", config["command"]), *(filled("args", one) for one in args)],
        env=env,
        directory=None if cwd is None else filled("cwd", cwd),
        stdin=given
        if given is None or isinstance(given, bytes)
        else encoded(filled("input_data", given)),
        stdout=CAPTURE if capture else inherited(1),
        stderr=CAPTURE if capture else inherited(2),
        timeout=seconds(config) * 1000,
        max_output=MOST,
    )


def mapping(config: Mapping[str, Any]) -> Mapping[str, object]:
    """The variables of a configuration."""
    given = config.get("env") or {}
    if not hasattr(given, "items"):
        raise misfit("env", "a mapping", given)
    found: Mapping[str, object] = given
    return found


def environment(given: Mapping[str, object]) -> dict[str, str]:
    """The whole environment; each value may name the variables that were set before it."""
    made = dict(os.environ) if len(given) < COMPLETE else {}
    for name, value in given.items():
        made[str(name)] = fill(text(f"env.{name}", value), made, {}, has_names=False)
    return made


def fill(
    template: str, env: Mapping[str, str], params: Mapping[str, Any], *, has_names: bool = True
) -> str:
    """A text with variables and parameters in the place of their names."""

    def value(found: re.Match[str]) -> str:
        variable, default, name = found.groups()
        if variable is not None:
            return env.get(variable) or default or ""
        return str(params[name]) if has_names and name in params else found[0]

    return TEMPLATE.sub(value, template)


def text(key: str, value: object) -> str:
    """A text of a configuration, which may be written as a number or a path."""
    if isinstance(value, str):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, os.PathLike):
        return os.fsdecode(value)
    raise misfit(key, "a string", value)


def encoded(data: str) -> bytes:
    """Input as bytes."""
    try:
        return data.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raise Misconfigured("config: input_data must be what UTF-8 can hold") from None


def seconds(config: Mapping[str, Any]) -> float:
    """The timeout."""
    given = config.get("timeout", DEFAULT_TIMEOUT)
    if isinstance(given, bool) or not isinstance(given, int | float) or not given > 0:
        raise misfit("timeout", "a number of seconds above 0", given)
    return min(given, LONGEST)


def misfit(key: str, must: str, value: object) -> Misconfigured:
    return Misconfigured(f"config: {key} must be {must}, but is {value!r}")


def inherited(fd: int) -> int | Any:
    """An output of the host, or nowhere where the host has closed it."""
    try:
        os.fstat(fd)
    except OSError:
        return DISCARD
    return fd


def told(result: ProcessResult, spec: ProcessSpec) -> SubprocessResult:
    """The end of a process in this door's words."""
    stdout, stderr = (
        data.decode("utf-8", "surrogateescape") for data in (result.stdout, result.stderr)
    )
    code = FAILED
    if result.error is not None:
        stderr = complaint(result.error)
    elif result.timed_out:
        assert spec.timeout is not None
        stderr += f"Command timed out after {spec.timeout / 1000:g} seconds"
    elif result.signal is not None:
        code = -result.signal
    else:
        code = result.code
    return SubprocessResult(code == 0, stdout, stderr, code, round(result.duration_ms))


def complaint(error: NotStarted) -> str:
    """Why there was no process."""
    if error.kind == "not_found":
        return f"Command not found: {error.subject}"
    if error.kind == "directory" and error.code == "ENOENT":
        return f"Working directory not found: {error.subject}"
    return f"{error.reason}: {error.subject}"
