"""let - evaluate arithmetic expressions."""

from __future__ import annotations

from keysh.interp.state.state_of_call import state_of
from keysh.interp.variables.arithmetic_text import evaluate_arithmetic
from keysh.schema.arguments import raw_texts
from keysh.schema.declare import command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw


@command
def let(sh: Call, *words: Raw) -> int:
    """Evaluate arithmetic expressions; succeed if the last is not 0.

    words ...  expressions as in $((…)), such as x=1+2
    """
    state = state_of(sh)
    result: int | float = 0
    texts = raw_texts(words)
    if not texts:
        raise sh.fail("expression expected")
    for text in texts:
        result = evaluate_arithmetic(state, text)
    return 0 if result else 1
