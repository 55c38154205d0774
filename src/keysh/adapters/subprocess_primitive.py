"""SubprocessPrimitive: run one program from a configuration whose strings are templates.

    result = await SubprocessPrimitive().execute({"command": "echo", "args": ["{word}"]}, params)

No shell is involved. The program gets the environment of the host, as the contract requires.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass

from keysh.process import DISCARD, ProcessSpec, arun
from keysh.process.spec import CAPTURE

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.process import NotStarted, ProcessResult

NO_RETURN_CODE = -1  # the return code if no process ended by itself
DEFAULT_TIMEOUT = 300  # seconds
MAX_TIMEOUT_SECONDS = 1e9  # an int may be too large for the clock
WHOLE_ENVIRONMENT_SIZE = 50  # this many variables replace the host's environment
MAX_OUTPUT_BYTES = 64 << 20  # kept of each output; a line in it counts the rest

# The variables are replaced first, then the parameters, also in a default. What a variable inserts
# is never taken for a template.
VARIABLE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}")
PARAMETER = re.compile(r"\{([^{}]*)\}")


@dataclass(slots=True)
class SubprocessResult:
    """The outcome of a program.

    success      whether the return code is 0
    stdout       what it has written; bytes that are no UTF-8 become replacement characters
    stderr       its errors, or why it did not run
    return_code  its status, negative for a signal, -1 if no process ended by itself
    duration_ms  how long it took, in milliseconds
    """

    success: bool
    stdout: str
    stderr: str
    return_code: int
    duration_ms: int


class ConfigError(Exception):
    """An invalid configuration; the message names the key."""


class SubprocessPrimitive:
    """Runs programs. It has no state, so one object may run any number at the same time."""

    async def execute(
        self, config: Mapping[str, Any], params: Mapping[str, Any] | None = None
    ) -> SubprocessResult:
        """Run the program of a configuration. Errors are in the result.

        config  command, and optionally args, env, cwd, timeout in seconds (300), input_data, and
                capture_output (True; with False the program writes to the host's output). Other
                keys are ignored.
        params  the values of `{name}` in command, args, cwd and input_data. Unknown names stay as
                they are. `${NAME:-default}` stands for a variable, in env too.
        """
        try:
            spec = process_spec(config, params)
        except ConfigError as error:
            return SubprocessResult(False, "", str(error), NO_RETURN_CODE, 0)
        return subprocess_result(await arun(spec), spec)


def process_spec(config: Mapping[str, Any], params: Mapping[str, Any] | None) -> ProcessSpec:
    """Return the process of a configuration; raise ConfigError, which names the invalid key."""
    for name, value in (("config", config), ("params", {} if params is None else params)):
        if not isinstance(value, Mapping):
            raise ConfigError(f"{name} must be a mapping, but is {value!r:.60}")
    params = params or {}
    if not config.get("command"):
        raise ConfigError("config: command is required")
    env = whole_environment(env_mapping(config))

    def fill_template(key: str, value: object) -> str:
        return fill(config_text(key, value), env, params)

    args = config.get("args") or []
    if not isinstance(args, list | tuple):
        raise config_error("args", "a list", args)
    cwd, stdin = config.get("cwd"), config.get("input_data")
    if stdin is not None and not isinstance(stdin, bytes):
        stdin = input_bytes(fill_template("input_data", stdin))
    capture = config.get("capture_output", True)
    if not isinstance(capture, bool):
        raise config_error("capture_output", "true or false", capture)
    return ProcessSpec(
        [
            fill_template("command", config["command"]),
            *(fill_template("args", one) for one in args),
        ],
        env=env,
        path=env.get("PATH", os.defpath),
        directory=None if cwd is None else fill_template("cwd", cwd),
        stdin=stdin,
        stdout=CAPTURE if capture else host_output(1),
        stderr=CAPTURE if capture else host_output(2),
        timeout=timeout_seconds(config) * 1000,
        max_output=MAX_OUTPUT_BYTES,
    )


def env_mapping(config: Mapping[str, Any]) -> Mapping[str, object]:
    """Return the variables of a configuration."""
    variables: Mapping[str, object] = config.get("env") or {}
    if not hasattr(variables, "items"):
        raise config_error("env", "a mapping", variables)
    return variables


def whole_environment(variables: Mapping[str, object]) -> dict[str, str]:
    """Return the environment of the program; a value may use the variables before it."""
    env = dict(os.environ) if len(variables) < WHOLE_ENVIRONMENT_SIZE else {}
    for name, value in variables.items():
        env[str(name)] = fill(config_text(f"env.{name}", value), env, {}, has_names=False)
    return env


def fill(
    template: str, env: Mapping[str, str], params: Mapping[str, Any], *, has_names: bool = True
) -> str:
    """Replace the variables and then the parameters in a template."""
    pieces: list[str] = []  # by turns what is filled, and what a variable has inserted
    rest, at = "", 0
    for match in VARIABLE.finditer(template):
        rest += template[at : match.start()]
        at = match.end()
        if value := env.get(match[1]):
            pieces += [rest, value]
            rest = ""
        else:
            rest += match[2] or ""
    pieces.append(rest + template[at:])
    if has_names:
        pieces[::2] = [PARAMETER.sub(lambda match: parameter_text(match, params), piece)
                       for piece in pieces[::2]]  # fmt: skip
    return "".join(pieces)


def parameter_text(match: re.Match[str], params: Mapping[str, Any]) -> str:
    """Return the text of a parameter; one that is not given stays as it is."""
    if match[1] not in params:
        return match[0]
    try:
        return str(params[match[1]])
    except Exception as error:  # noqa: BLE001 - of a class of the host
        raise ConfigError(f"params: {match[1]} has no text: {type(error).__name__}") from None


def config_text(key: str, value: object) -> str:
    """Return a string of a configuration, which may also be a number or a path."""
    if isinstance(value, str):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, os.PathLike):
        return os.fsdecode(value)
    raise config_error(key, "a string", value)


def input_bytes(data: str) -> bytes:
    """Encode input data."""
    try:
        return data.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raise ConfigError("config: input_data must be valid UTF-8") from None


def timeout_seconds(config: Mapping[str, Any]) -> float:
    """Return the timeout of a configuration."""
    timeout = config.get("timeout", DEFAULT_TIMEOUT)
    if isinstance(timeout, bool) or not isinstance(timeout, int | float) or not timeout > 0:
        raise config_error("timeout", "a number of seconds above 0", timeout)
    return min(timeout, MAX_TIMEOUT_SECONDS)


def config_error(key: str, must: str, value: object) -> ConfigError:
    shown = repr(value)
    if " at 0x" in shown:
        shown = f"of type {type(value).__name__}"
    return ConfigError(f"config: {key} must be {must}, but is {shown}")


def host_output(fd: int) -> int | Any:
    """Return an output of the host, or DISCARD if the host has closed it."""
    try:
        os.fstat(fd)
    except OSError:
        return DISCARD
    return fd


def subprocess_result(result: ProcessResult, spec: ProcessSpec) -> SubprocessResult:
    """Convert the result of a process."""
    stdout, stderr = (data.decode("utf-8", "replace") for data in (result.stdout, result.stderr))
    code = NO_RETURN_CODE
    if result.error is not None:
        stderr = start_error_text(result.error)
    elif result.timed_out:
        assert spec.timeout is not None
        stderr += f"Command timed out after {spec.timeout / 1000:g} seconds"
    elif result.signal is not None:
        code = -result.signal
    else:
        code = result.code
    return SubprocessResult(code == 0, stdout, stderr, code, round(result.duration_ms))


def start_error_text(error: NotStarted) -> str:
    """Return the message for a program that could not be started."""
    if error.kind == "not_found":
        return f"Command not found: {error.subject}"
    if error.kind == "directory" and error.code == "ENOENT":
        return f"Working directory not found: {error.subject}"
    return f"{error.reason}: {error.subject}"
