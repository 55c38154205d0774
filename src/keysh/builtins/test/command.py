"""test, [ - evaluate a condition."""

from __future__ import annotations

from keysh.builtins.test.condition import Condition
from keysh.interp.builtin_operations.file_tests import FILE_TESTS
from keysh.schema.arguments import GlobArgument, raw_texts
from keysh.schema.declare import OptionStyle, command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw


@command(style=OptionStyle(has_help=False))
def test(sh: Call, *words: Raw) -> int:
    """Evaluate a condition: status 0 if it is true, 1 if false, 2 if invalid.

    words ...  the condition; `[` requires a final `]`

    Files: -e exists, -f regular file, -d directory, -h or -L symbolic link, -p
    pipe, -S socket, -b -c device, -s not empty, -r -w -x readable, writable,
    executable, -u -g -k with that bit, -O -G owned by the user, group, -N modified
    since last read; A -nt B newer, A -ot B older, A -ef B same file. Text: -n not
    empty, -z empty, A = B, A != B, A < B, A > B. Numbers: -eq -ne -lt -le -gt -ge.
    Shell: -v variable or element is set, -R variable is a name reference, -o option
    is on. Combine conditions with ! C, C -a C, C -o C and ( C ).
    """
    texts = operands(words)
    if sh.name == "[" and (not texts or texts.pop() != "]"):
        raise sh.fail("missing `]'", 2)
    return 0 if Condition(sh, texts).holds() else 1


def operands(words: Sequence[object]) -> list[str]:
    """Return the words as text; after a file operator a glob is expanded, as in sh."""
    texts: list[str] = []
    for word in words:
        if isinstance(word, GlobArgument) and texts and texts[-1] in FILE_TESTS:
            texts += raw_texts(word.paths()) or [word.text]
        else:
            texts += raw_texts((word,))
    return texts
