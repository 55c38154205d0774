"""watch - run a command again and again, and show what it prints."""

from __future__ import annotations

from keysh.interp.streams.streams import Writer
from keysh.schema.arguments import option_words, raw_texts
from keysh.schema.declare import OptionStyle, command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw

MIN_SECONDS = 0.1
CLEAR_SCREEN = "\033[H\033[J"
REVERSE, NORMAL = "\033[7m", "\033[27m"


@command(
    compatible="procps 4.0.2",
    style=OptionStyle(binds_by_key=False),
    ignored="-b, --beep; -c, --color; -w, --no-wrap; -p, --precise",
)
def watch(
    sh: Call,
    *words: Raw,
    interval: float = 2.0,
    no_title: bool = False,
    errexit: bool = False,
    exec: bool = False,
    differences: bool = False,
    chgexit: bool = False,
    equexit: int = 0,
) -> int:
    """Run a command again and again on a cleared terminal; without a terminal, refuse.

    words ...                 the command and its arguments (at least 1)
    -n, --interval SECONDS    the time between two runs, 2 by default
    -t, --no-title            print no heading
    -e, --errexit             end when the command fails
    -x, --exec                run the words as they are, not as a line for sh -c
    -d, --differences         show what has changed since the run before in reverse
    -g, --chgexit             end when the output changes
    -q, --equexit NUM         end when the output has not changed for NUM runs

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
    before: str | None = None
    equal_runs = 0
    while True:
        pieces: list[str] = []
        writer = Writer(pieces.append)
        status = sh.with_streams(sh.source, writer, writer).run(command_words)
        text = "".join(pieces)
        title = "" if no_title else f"Every {seconds:.1f}s: {line}\n\n"
        shown = text if before is None or not differences else marked_changes(before, text)
        sh.out.write(f"{CLEAR_SCREEN}{title}{shown}")
        if errexit and status:
            return status
        equal_runs = equal_runs + 1 if text == before else 0
        is_changed = before is not None and text != before
        if (chgexit and is_changed) or (equexit and equal_runs >= equexit):
            return 0
        before = text
        if not sh.sleep(seconds):
            return 0


def marked_changes(before: str, text: str) -> str:
    """Return a text in which the characters that are new at their place are in reverse."""
    shown: list[str] = []
    lines = text.split("\n")
    old_lines = before.split("\n") + [""] * len(lines)
    for line, old_line in zip(lines, old_lines, strict=False):
        marked = (
            char if old_line[at : at + 1] == char else f"{REVERSE}{char}{NORMAL}"
            for at, char in enumerate(line)
        )
        shown.append("".join(marked))
    return "\n".join(shown)
