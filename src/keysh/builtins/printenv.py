"""printenv - print the environment."""

from __future__ import annotations

from keysh.schema.declare import OptionStyle, OutputStyle, Refusals, command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.call import Call


@command(
    compatible="GNU coreutils 9.1",
    output=OutputStyle(write_error=(2, "write error: {}")),
    refusals=Refusals(usage_status=2),
    style=OptionStyle(options_first=True),
)
def printenv(sh: Call, *names: str, null: bool = False) -> Iterator[str]:
    """Print the values of environment variables, or the whole environment.

    names ...   the variables; fail if one is not set
    -0, --null  end each line with NUL, not newline
    """
    terminator = "\0" if null else "\n"
    env = sh.env
    if not names:
        for name, value in env.items():
            yield f"{name}={value}{terminator}"
    for name in names:
        if name in env:
            yield env[name] + terminator
        else:
            sh.status = 1
