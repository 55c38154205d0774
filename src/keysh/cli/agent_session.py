"""The settings of an agent's session that the command line asks for: `keysh mcp`.

Unlike a person's shell it sees no variable of the environment that is not named, and has limits.
"""

from __future__ import annotations

from keysh.adapters.agent.keysh_session import default_limits
from keysh.cli.setup import has_own_root, kept_variables, set_limits, shell_options, variables_of
from keysh.process.resolve import SYSTEM_PATH

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from keysh.cli.command_line import CliOptions


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
