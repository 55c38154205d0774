"""pushd - push the working directory and change to another."""

from __future__ import annotations

from keysh.interp.builtin_operations.working_directory import (
    change_directory,
    directory_operand,
    stack_index,
    stack_line,
)
from keysh.interp.state.state_of_call import state_of
from keysh.schema.arguments import expanded_texts
from keysh.schema.declare import command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw

USAGE = "usage: pushd [-n] [+N | -N | dir]"


@command
def pushd(sh: Call, *words: Raw) -> str:
    """Push the working directory on the stack and change to another.

    words ...  the directory; or +N or -N to rotate entry N from the left or right
               to the top (default: swap the top two); -n to remain in the working
               directory
    """
    state = state_of(sh)
    texts = [text for text in expanded_texts(words) if text != "--"]
    stays = "-n" in texts
    texts = [text for text in texts if text != "-n"]
    stack = [state.cwd, *state.directories]
    if len(texts) > 1:
        raise sh.fail("too many arguments")
    if not texts:
        if len(stack) < 2:
            raise sh.fail("no other directory")
        if not stays:
            change_directory(sh, state, stack[1])
            state.directories = (stack[0], *stack[2:])
        return stack_line(state)
    [text] = texts
    if text[:1] in ("+", "-") and text != "-":
        at = stack_index(sh, text, len(stack), USAGE)
        turned = stack[at:] + stack[:at]
        if not stays:
            change_directory(sh, state, turned[0])
        state.directories = (*turned[1:],)
    elif stays:
        state.directories = (text, *state.directories)
    else:
        place, is_told = directory_operand(sh, state, text)
        change_directory(sh, state, place)
        if is_told:
            sh.out.write(f"{state.cwd}\n")
        state.directories = (stack[0], *state.directories)
    return stack_line(state)
