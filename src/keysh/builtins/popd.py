"""popd - pop the directory stack."""

from __future__ import annotations

from keysh.interp.builtin_operations.working_directory import (
    change_directory,
    stack_index,
    stack_line,
)
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
    """Pop the directory stack and change to its new top.

    words ...  +N or -N to remove entry N from the left or right instead, counting
               from 0; -n to remain in the working directory
    """
    state = state_of(sh)
    texts = [text for text in raw_texts(words) if text != "--"]
    stays = "-n" in texts
    texts = [text for text in texts if text != "-n"]
    size = len(state.directories) + 1
    index = stack_index(sh, texts[0], size, USAGE) if texts else 0
    if size < 2:
        raise sh.fail("directory stack empty")
    if index == 0 and not stays:
        change_directory(sh, state, state.directories[0])
    removed = max(0, index - 1)
    state.directories = state.directories[:removed] + state.directories[removed + 1 :]
    return stack_line(state)
