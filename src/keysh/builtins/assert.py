"""assert - fail if a condition does not hold."""
# ruff: noqa: N999 - the file is named as the command is

from __future__ import annotations

from keysh.schema.arguments import NamedArgument, raw_texts
from keysh.schema.declare import OptionStyle, command
from keysh.text.shell_quoting import quoted_if_needed
from keysh.values import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw

TRUTH_WORDS = ("true", "false")


@command(name="assert", style=OptionStyle(has_help=False))
def assert_(sh: Call, *words: Raw) -> int:
    """Fail with a message if a condition does not hold.

    words ...  a condition as for `test`, or true or false; then message=TEXT, or
               after true or false just the message
    """
    message = ""
    if words and isinstance(words[-1], NamedArgument) and words[-1].key == "message":
        message, words = text_of(words[-1].value), words[:-1]
    elif len(words) == 2 and text_of(words[0]) in TRUTH_WORDS:
        message, words = text_of(words[1]), words[:1]
    if holds(sh, words):
        return 0
    shown = " ".join(map(quoted_if_needed, raw_texts(words)))
    raise sh.fail(message or f"does not hold: {shown}")


def holds(sh: Call, words: Sequence[object]) -> bool:
    """Whether the condition holds."""
    if len(words) == 1 and text_of(words[0]) in TRUTH_WORDS:
        return text_of(words[0]) == "true"
    return sh.run(["test", *words]) == 0
