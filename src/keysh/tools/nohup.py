"""nohup - run a command that a hangup does not end."""

from __future__ import annotations

from keysh.interp.state.call import UsageFailure, os_error_text
from keysh.interp.streams.streams import Reader, writer_of
from keysh.schema.declare import OptionStyle, Refusals, command
from keysh.text.gnu_quoting import quoted_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw

LAUNCH_ERROR = "nohup: failed to run command {quoted}"
FAILURE_STATUS = 125
OUTPUT_FILE = "nohup.out"


@command(
    compatible="GNU coreutils 9.1",
    refusals=Refusals(usage_status=FAILURE_STATUS),
    style=OptionStyle(binds_by_key=False, options_first=True),
)
def nohup(sh: Call, word: str | None = None, /, *words: Raw) -> int:
    """Run a command that a hangup does not end.

    word       the command
    words ...  its arguments

    Output to a terminal is appended to nohup.out instead. No hangup reaches keysh's
    own commands; a real program is started by the machine's nohup, unless the host
    restricts which programs may run.
    """
    if word is None:
        raise UsageFailure("missing operand")
    command_words = (word, *words)
    if sh.is_program(word):
        status = sh.run_hidden_program(["nohup", *command_words])
        if status is not None:
            return status
    if not sh.width:
        return sh.run(command_words, launch_error=LAUNCH_ERROR)
    try:
        output = sh.open(OUTPUT_FILE, "a", 0o600)
    except OSError as error:
        message = f"failed to open {quoted_name(OUTPUT_FILE)}: {os_error_text(error)}"
        raise sh.fail(message, FAILURE_STATUS) from None
    sh.note(f"ignoring input and appending output to {quoted_name(OUTPUT_FILE)}")
    with output:
        writer = writer_of(output)
        return sh.with_streams(Reader(()), writer, writer).run(command_words)
