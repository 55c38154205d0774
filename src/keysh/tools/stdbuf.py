"""stdbuf - run a command with other buffering of its streams."""

from __future__ import annotations

from keysh.interp.state.call import UsageFailure
from keysh.schema.arguments import raw_texts
from keysh.schema.declare import OptionStyle, Refusals, command
from keysh.schema.types import SIZE, UnfitValue
from keysh.text.gnu_quoting import locale_quoted_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw

FAILURE_STATUS = 125


@command(
    compatible="GNU coreutils 9.1",
    refusals=Refusals(usage_status=FAILURE_STATUS),
    style=OptionStyle(binds_by_key=False),
)
def stdbuf(
    sh: Call,
    *words: Raw,
    input: str | None = None,
    output: str | None = None,
    error: str | None = None,
) -> int:
    """Run a command with other buffering of its streams.

    words ...          the command and its arguments
    -i, --input MODE   buffering of standard input: 0 or a size such as 4K
    -o, --output MODE  buffering of standard output: L for lines, 0 or a size
    -e, --error MODE   buffering of standard error, as for -o

    keysh's own commands pass on what they print at once, so this changes nothing
    for them. A real program is started by the machine's stdbuf, unless the host
    restricts which programs may run.
    """
    options = [("-i", input), ("-o", output), ("-e", error)]
    for option, mode in options:
        if mode is not None:
            require_mode(sh, option, mode)
    if not words:
        raise UsageFailure("missing operand")
    modes = [f"{option}{mode}" for option, mode in options if mode is not None]
    if not modes:
        raise UsageFailure("you must specify a buffering mode option")
    if sh.is_program(raw_texts(words[:1])[0]):
        status = sh.run_hidden_program(["stdbuf", *modes, *words])
        if status is not None:
            return status
    return sh.run(words, launch_error="stdbuf: failed to run command {quoted}")


def require_mode(sh: Call, option: str, mode: str) -> None:
    """Refuse a mode that is neither `L` nor a size."""
    if mode == "L":
        if option == "-i":
            raise UsageFailure("line buffering stdin is meaningless")
        return
    try:
        SIZE.parse(mode)
    except UnfitValue:
        raise sh.fail(f"invalid mode {locale_quoted_text(mode)}", FAILURE_STATUS) from None
