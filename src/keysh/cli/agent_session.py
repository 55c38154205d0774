"""`keysh mcp`: the sessions of agents that the command line asks for.

Unlike a person's shell they see no variable of the environment that is not named, and have limits.
"""

from __future__ import annotations

import os

from keysh.adapters.agent import BashSession, KeyshSession
from keysh.adapters.agent.keysh_session import default_limits
from keysh.adapters.mcp import serve_session
from keysh.adapters.mcp.settings import ServerSettings
from keysh.cli.command_line import parse_options
from keysh.cli.console import UsageError
from keysh.cli.setup import (
    audit_of,
    has_own_root,
    introduce_machine,
    kept_variables,
    set_limits,
    shell_options,
    variables_of,
)
from keysh.process.resolve import SYSTEM_PATH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from keysh.cli.command_line import CliOptions

TOKEN_VARIABLE = "KEYSH_MCP_TOKEN"
BASH_OPTIONS = ("--env", "--keep-env")  # that `--bash` takes beside those of the server
HTTP_OPTION = "--http"
# The parameters of ServerSettings by their options.
SETTING_OPTIONS = {
    "--max-shown": ("max_shown", int),
    "--promote-after": ("promote_after", float),
    "--max-sessions": ("max_sessions", int),
    "--idle-seconds": ("idle_seconds", float),
}


def serve_agents(words: list[str]) -> int:
    """Serve sessions as `keysh mcp` with these words does; return the status."""
    address, settings, rest = server_words(words)
    is_bash = "--bash" in rest
    rest = [word for word in rest if word != "--bash"]
    if is_bash and any(
        word.partition("=")[0] not in BASH_OPTIONS for word in rest if word[:1] == "-"
    ):
        raise UsageError("mcp: beside --bash only --env and --keep-env are options", "mcp")
    options = parse_options(rest)
    if options is None:
        return 0
    if options.words or options.text is not None or options.set_options:
        raise UsageError("mcp: it takes options of two dashes only", "mcp")
    make_session = bash_sessions(options) if is_bash else keysh_sessions(options)
    if address is None:
        return serve_session(make_session(), settings=settings)
    from keysh.adapters.mcp.http_server import address_of_text, serve_http  # noqa: PLC0415 - brings in a web server

    try:
        token = os.environ.get(TOKEN_VARIABLE) or None
        return serve_http(make_session, address_of_text(address), settings, token)
    except (ValueError, OSError) as error:
        raise UsageError(f"mcp: --http: {error}", "mcp") from None


def server_words(words: list[str]) -> tuple[str | None, ServerSettings, list[str]]:
    """Return the address to serve at, if it is HTTP, the settings, and the other words."""
    address: str | None = None
    chosen: dict[str, Any] = {}
    rest: list[str] = []
    for word in words:
        name, _, value = word.partition("=")
        if name == HTTP_OPTION:
            address = value
        elif name in SETTING_OPTIONS:
            key, type_ = SETTING_OPTIONS[name]
            try:
                chosen[key] = type_(value)
            except ValueError:
                raise UsageError(
                    f"mcp: {name} must have a number, as in {name}=100", "mcp"
                ) from None
        else:
            rest.append(word)
    try:
        settings = ServerSettings(**chosen)
    except (TypeError, ValueError) as error:
        raise UsageError(f"mcp: {error}", "mcp") from None
    return address, settings, rest


def bash_sessions(options: CliOptions) -> Callable[[], BashSession]:
    """Return what makes sessions of the real bash in the current directory."""
    environment = agent_environment(options)
    return lambda: BashSession(env=environment, keep=environment)


def keysh_sessions(options: CliOptions) -> Callable[[], KeyshSession]:
    """Return what makes sessions of keysh; they have their audit in common, and nothing else."""
    audit = audit_of(options)
    options.audit = None

    def make() -> KeyshSession:
        settings = agent_options(options)
        return KeyshSession(
            **{**settings, "audit": audit},
            prepare=lambda shell: introduce_machine(shell, options, settings["external"]),
        )

    return make


def agent_environment(options: CliOptions) -> dict[str, str]:
    """Return the environment of a session: what was named, and where programs are."""
    path = {} if has_own_root(options) else {"PATH": SYSTEM_PATH}
    return path | kept_variables(options) | variables_of(options)


def agent_options(options: CliOptions) -> dict[str, Any]:
    """Return the options of a KeyshSession."""
    limits = default_limits()
    if options.timeout is not None:
        limits.seconds = options.timeout
    set_limits(limits, options)
    return shell_options(options) | {
        "on_ask": None,  # the terminal, if there is one, is the client's
        "env": agent_environment(options), "limits": limits,
        "keep": [*options.keep_env, *variables_of(options)],
        "dialect": options.dialect or "bash",
    }  # fmt: skip
