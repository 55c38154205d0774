"""watch - run a command again and again, and show what it prints."""

from __future__ import annotations

from keysh.schema.arguments import option_words, raw_texts
from keysh.schema.declare import OptionStyle, command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw

MIN_SECONDS = 0.1
CLEAR_SCREEN = "\033[H\033[J"


@command(
    style=OptionStyle(binds_by_key=False),
    ignored="-b, --beep; -c, --color; -w, --no-wrap",
    refused="-d, --differences  changes are not marked; -g, --chgexit  output is not compared",
)
def watch(
    sh: Call,
    *words: Raw,
    interval: float = 2.0,
    no_title: bool = False,
    errexit: bool = False,
    exec: bool = False,
) -> int:
    """Run a command again and again on a cleared terminal; without a terminal, refuse.

    words ...                 the command and its arguments (at least 1)
    -n, --interval SECONDS    the time between two runs, 2 by default
    -t, --no-title            print no heading
    -e, --errexit             end when the command fails
    -x, --exec                run the words as they are, not as a line for sh -c

    If programs may run without restriction, the machine's watch runs instead.
    """
    if not sh.width:
        raise sh.fail("standard output is not a terminal; write a loop with `sleep`")
    status = sh.run_hidden_program(["watch", *option_words(sh.given), "--", *words])
    if status is not None:
        return status
    line = " ".join(raw_texts(words))
    command_words = words if exec else ("sh", "-c", line)
    seconds = max(interval, MIN_SECONDS)
    while True:
        sh.out.write(CLEAR_SCREEN)
        if not no_title:
            sh.out.write(f"Every {seconds:.1f}s: {line}\n\n")
        status = sh.run(command_words)
        if errexit and status:
            return status
        if not sh.sleep(seconds):
            return 0
