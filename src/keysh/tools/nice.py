"""nice - run a command with a changed scheduling priority."""

from __future__ import annotations

from keysh.interp.state.call import UsageFailure
from keysh.schema.arguments import raw_texts
from keysh.schema.declare import OptionStyle, Refusals, command
from keysh.text.gnu_quoting import locale_quoted_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw

FAILURE_STATUS = 125
DEFAULT_ADJUSTMENT = "10"


@command(
    compatible="GNU coreutils 9.1",
    refusals=Refusals(usage_status=FAILURE_STATUS),
    style=OptionStyle(binds_by_key=False),
)
def nice(sh: Call, *words: Raw, adjustment: str | None = None) -> str | int:
    """Run a command with a changed scheduling priority, or print the current one.

    words ...                 the command and its arguments; without it the present
                              priority is printed
    -n, --adjustment NUM      the niceness to add, 10 by default (also -NUM)

    keysh's own commands run in the host's process, so their priority is unchanged,
    which is 0.
    A real program is started by the machine's nice, unless the host restricts
    which programs may run.
    """
    if adjustment is not None and not is_whole_number(adjustment):
        raise sh.fail(f"invalid adjustment {locale_quoted_text(adjustment)}", FAILURE_STATUS)
    if not words:
        if adjustment is not None:
            raise UsageFailure("a command must be given with an adjustment")
        status = sh.run_hidden_program(["nice"])
        return "0\n" if status is None else status
    name = raw_texts(words[:1])[0]
    if name == "nice" or sh.is_program(name):
        status = sh.run_hidden_program(["nice", "-n", adjustment or DEFAULT_ADJUSTMENT, *words])
        if status is not None:
            return status
    return sh.run(words, launch_error="nice: {quoted}")


def is_whole_number(text: str) -> bool:
    """Whether a text is a decimal number, perhaps with a sign."""
    try:
        int(text)
    except ValueError:
        return False
    return True
