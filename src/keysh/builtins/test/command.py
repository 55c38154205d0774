"""test, [ - judge a condition by its status: 0 true, 1 false, 2 not understood."""

from __future__ import annotations

from keysh.builtins.test.condition import Condition
from keysh.interp.builtins.file_tests import FILE_TESTS
from keysh.schema.arguments import GlobArgument, raw_texts
from keysh.schema.declare import OptionStyle, command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw


@command(style=OptionStyle(has_help=False))
def test(sh: Call, *words: Raw) -> int:
    """Judge a condition: status 0 if it holds, 1 if not, 2 if it is not understood.

    words ...  the condition; behind `[` a last word `]`

    Files: -e there is one, -f regular, -d directory, -h or -L link, -p pipe, -S socket, -b -c
    device, -s not empty, -r -w -x allowed to read, write, execute, -u -g -k with that bit, -O -G
    one's own, -N changed since it was read; A -nt B newer, A -ot B older, A -ef B the same file.
    Text: -n not empty, -z empty, A = B, A != B, A < B, A > B. Numbers: -eq -ne -lt -le -gt -ge.
    The shell: -v the variable or element is set, -R it stands for another, -o the option is on.
    ! C, C -a C, C -o C and ( C ) make longer ones.
    """
    texts = operands(words)
    if sh.name == "[" and (not texts or texts.pop() != "]"):
        raise sh.fail("missing `]'", 2)
    return 0 if Condition(sh, texts).holds() else 1


def operands(words: Sequence[object]) -> list[str]:
    """The words as text. Behind `-e` and its kin a glob is the files that match, as in sh."""
    texts: list[str] = []
    for word in words:
        if isinstance(word, GlobArgument) and texts and texts[-1] in FILE_TESTS:
            texts += raw_texts(word.paths()) or [word.text]
        else:
            texts += raw_texts((word,))
    return texts
