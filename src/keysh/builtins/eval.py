"""eval - run text as a script."""

from __future__ import annotations

from keysh.interp.engine.scripts import evaluate_text
from keysh.interp.state.state_of_call import state_of
from keysh.schema.arguments import expanded_texts
from keysh.schema.declare import command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw


@command
def eval_(sh: Call, *words: Raw) -> int:
    """Join words with blanks and run them as a script in this shell.

    words ...  the script
    """
    texts = expanded_texts(words)
    if texts and texts[0][:1] == "-" and texts[0] not in ("-", "--"):
        sh.warn(f"{texts[0][:2]}: invalid option")
        raise sh.fail("usage: eval [arg ...]", 2)
    text = " ".join(texts[texts[:1] == ["--"] :])
    if not text.strip():
        return 0
    state = state_of(sh)
    if state.dialect.is_lenient and state.site is not None:
        # In bash the lines of the text are counted from the last one of the command itself.
        node = state.site.node
        last_line = state.site.source.position(max(node.end - 1, node.start))[0]
        text = "\n" * (last_line - 1) + text
    return evaluate_text(state, text, "eval")
