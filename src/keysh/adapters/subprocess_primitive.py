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

NO_RETURN_CODE = -1  # the return code where there is none of a process that ended by itself
DEFAULT_TIMEOUT = 300  # seconds
MAX_TIMEOUT_SECONDS = 1e9  # seconds: a whole number may be larger than any moment
WHOLE_ENVIRONMENT_SIZE = 50  # so many variables are a whole environment, and the host's is left out
MAX_OUTPUT_BYTES = 64 << 20  # bytes that are kept of each output; a line in it says what is not

# ${NAME}, ${NAME:-default} and {name}. One pass over the text replaces them all, so that what is
# put in place of one is never read as another.
TEMPLATE = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)(?::-([^}]*))?\}|\{([^{}]*)\}")

CONFIG_KEYS = ("command", "args", "env", "cwd", "timeout", "capture_output", "input_data")


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


class ConfigError(Exception):
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
            spec = process_spec(config, params or {})
        except ConfigError as wrong:
            return SubprocessResult(False, "", str(wrong), NO_RETURN_CODE, 0)
        return subprocess_result(await arun(spec), spec)


def process_spec(config: Mapping[str, Any], params: Mapping[str, Any]) -> ProcessSpec:
    """What a configuration asks for; Misconfigured names the key that is wrong."""
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
    cwd, given = config.get("cwd"), config.get("input_data")
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
        stdin=given
        if given is None or isinstance(given, bytes)
        else input_bytes(fill_template("input_data", given)),
        stdout=CAPTURE if capture else host_output(1),
        stderr=CAPTURE if capture else host_output(2),
        timeout=timeout_seconds(config) * 1000,
        max_output=MAX_OUTPUT_BYTES,
    )


def env_mapping(config: Mapping[str, Any]) -> Mapping[str, object]:
    """The variables of a configuration."""
    given = config.get("env") or {}
    if not hasattr(given, "items"):
        raise config_error("env", "a mapping", given)
    found: Mapping[str, object] = given
    return found


def whole_environment(given: Mapping[str, object]) -> dict[str, str]:
    """The whole environment; each value may name the variables that were set before it."""
    made = dict(os.environ) if len(given) < WHOLE_ENVIRONMENT_SIZE else {}
    for name, value in given.items():
        made[str(name)] = fill(config_text(f"env.{name}", value), made, {}, has_names=False)
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


def config_text(key: str, value: object) -> str:
    """A text of a configuration, which may be written as a number or a path."""
    if isinstance(value, str):
        return value
    if isinstance(value, int | float) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, os.PathLike):
        return os.fsdecode(value)
    raise config_error(key, "a string", value)


def input_bytes(data: str) -> bytes:
    """Input as bytes."""
    try:
        return data.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        raise ConfigError("config: input_data must be what UTF-8 can hold") from None


def timeout_seconds(config: Mapping[str, Any]) -> float:
    """The timeout."""
    given = config.get("timeout", DEFAULT_TIMEOUT)
    if isinstance(given, bool) or not isinstance(given, int | float) or not given > 0:
        raise config_error("timeout", "a number of seconds above 0", given)
    return min(given, MAX_TIMEOUT_SECONDS)


def config_error(key: str, must: str, value: object) -> ConfigError:
    return ConfigError(f"config: {key} must be {must}, but is {value!r}")


def host_output(fd: int) -> int | Any:
    """An output of the host, or nowhere where the host has closed it."""
    try:
        os.fstat(fd)
    except OSError:
        return DISCARD
    return fd


def subprocess_result(result: ProcessResult, spec: ProcessSpec) -> SubprocessResult:
    """The end of a process in this door's words."""
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
    """Why there was no process."""
    if error.kind == "not_found":
        return f"Command not found: {error.subject}"
    if error.kind == "directory" and error.code == "ENOENT":
        return f"Working directory not found: {error.subject}"
    return f"{error.reason}: {error.subject}"
