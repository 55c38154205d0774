"""popd - go back to a directory that pushd has stored."""

from __future__ import annotations

from keysh.interp.builtins.working_directory import change_directory, stack_index, stack_line
from keysh.interp.state.state_of_call import state_of
from keysh.schema.arguments import raw_texts
from keysh.schema.declare import command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw

USAGE = "usage: popd [-n] [+N | -N]"


@command
def popd(sh: Call, *words: Raw) -> str:
    """Go back to the directory that pushd has stored last, and forget it.

    words ...  +N or -N forgets the one at that place from the left or right instead, counted from
               0; -n forgets without going there
    """
    state = state_of(sh)
    texts = [text for text in raw_texts(words) if text != "--"]
    stays = "-n" in texts
    texts = [text for text in texts if text != "-n"]
    size = len(state.directories) + 1
    at = stack_index(sh, texts[0], size, USAGE) if texts else 0
    if size < 2:
        raise sh.fail("directory stack empty")
    if at == 0 and not stays:
        change_directory(sh, state, state.directories[0])
    state.directories.pop(max(0, at - 1))
    return stack_line(state)
