"""SubprocessPrimitive: run one program from a configuration whose strings are templates.

    result = await SubprocessPrimitive().execute({"command": "echo", "args": ["{word}"]}, params)

No shell is involved. The program gets the environment of the host, as the contract requires.
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

NO_RETURN_CODE = -1  # the return code if no process ended by itself
DEFAULT_TIMEOUT = 300  # seconds
MAX_TIMEOUT_SECONDS = 1e9  # an int may be too large for the clock
WHOLE_ENVIRONMENT_SIZE = 50  # this many variables replace the host's environment
MAX_OUTPUT_BYTES = 64 << 20  # kept of each output; a line in it counts the rest

# ${NAME}, ${NAME:-default} and {name}. One pass replaces them all, so that inserted text is never
# taken for a template.
TEMPLATE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}|\{([^{}]*)\}")

CONFIG_KEYS = ("command", "args", "env", "cwd", "timeout", "capture_output", "input_data")


class SubprocessResult:
    """The outcome of a program.

    `return_code` is negative for a signal, and -1 if no process ended by itself. `success` means
    that it is 0.
    """

    __slots__ = ("duration_ms", "return_code", "stderr", "stdout", "success")

    def __init__(
        self, success: bool, stdout: str, stderr: str, return_code: int, duration_ms: int
    ) -> None:
        self.success, self.stdout, self.stderr = success, stdout, stderr
        self.return_code, self.duration_ms = return_code, duration_ms

    def __repr__(self) -> str:
        return f"<SubprocessResult {self.return_code} {self.duration_ms} ms>"


class ConfigError(Exception):
    """An invalid configuration; the message names the key."""


class SubprocessPrimitive:
    """Runs programs. It has no state, so one object may run any number at the same time."""

    async def execute(
        self, config: Mapping[str, Any], params: Mapping[str, Any] | None = None
    ) -> SubprocessResult:
        """Run the program of a configuration. Errors are in the result.

        config: command, and optionally args, env, cwd, timeout in seconds (300), input_data, and
        capture_output (True; with False the program writes to the host's output).
        params: the values of `{name}` in command, args, cwd and input_data. Unknown names stay as
        they are. `${NAME:-default}` stands for a variable, in env too.
        """
        try:
            spec = process_spec(config, params or {})
        except ConfigError as error:
            return SubprocessResult(False, "", str(error), NO_RETURN_CODE, 0)
        return subprocess_result(await arun(spec), spec)


def process_spec(config: Mapping[str, Any], params: Mapping[str, Any]) -> ProcessSpec:
    """Return the process of a configuration; raise ConfigError, which names the invalid key."""
    for key in config:
        if key not in CONFIG_KEYS:
            raise ConfigError(f"config: {key} is not one of {', '.join(CONFIG_KEYS)}")
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
    """Replace the variables and parameters in a template."""

    def value(match: re.Match[str]) -> str:
        variable, default, name = match.groups()
        if variable is not None:
            return env.get(variable) or default or ""
        return str(params[name]) if has_names and name in params else match[0]

    return TEMPLATE.sub(value, template)


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
    stdout, stderr = (
        data.decode("utf-8", "surrogateescape") for data in (result.stdout, result.stderr)
    )
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
