"""dirs - show the directory stack."""

from __future__ import annotations

from keysh.interp.builtin_operations.working_directory import stack_index, tilde_path
from keysh.interp.state.state_of_call import state_of
from keysh.schema.arguments import raw_texts
from keysh.schema.declare import command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw

USAGE = "usage: dirs [-clpv] [+N] [-N]"


@command
def dirs(sh: Call, *words: Raw) -> str:
    """Show the directory stack, starting with the working directory.

    words ...  -c to clear the stack, -l for full paths, -p for one path per line,
               -v for numbered lines, +N or -N for the entry N from the left or
               right, counting from 0
    """
    state = state_of(sh)
    letters, places = "", []
    for text in raw_texts(words):
        if text[:1] == "-" and text[1:] and not text[1:].strip("clpv"):
            letters += text[1:]
        else:
            places.append(text)
    if "c" in letters:
        state.directories = ()
        return ""
    stack = [state.cwd, *state.directories]
    if "l" not in letters:
        stack = [tilde_path(state, path) for path in stack]
    if places:
        return f"{stack[stack_index(sh, places[-1], len(stack), USAGE, 'option')]}\n"
    if "v" in letters:
        return "".join(f"{number:2}  {path}\n" for number, path in enumerate(stack))
    return ("\n" if "p" in letters else " ").join(stack) + "\n"
