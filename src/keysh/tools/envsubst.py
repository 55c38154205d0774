"""envsubst - substitute environment variables."""

from __future__ import annotations

import re

from keysh.schema.declare import Refusals, command
from keysh.text.chunks import whole_lines

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.call import Call

# $NAME or ${NAME}, and nothing else that a shell would expand
REFERENCE = re.compile(r"\$(?:\{([A-Za-z_][A-Za-z0-9_]*)\}|([A-Za-z_][A-Za-z0-9_]*))")


@command(
    compatible="GNU gettext 0.21",
    refusals=Refusals(usage_hint="Try '{} --help' for more information."),
)
def envsubst(sh: Call, *shell_format: str, variables: bool = False) -> Iterator[str]:
    """Copy standard input and replace $NAME and ${NAME} by exported variables.

    shell_format ...  one word, such as '$HOST ${PORT}': replace only these
    -v, --variables   print the names of the variables in the word instead

    A variable that is not exported, or not set, becomes empty text. No other
    expansion is known: ${NAME-word} is copied unchanged.
    """
    if len(shell_format) > 1:
        raise sh.fail("too many arguments")
    named = [name for word in shell_format for name in referenced_names(word)]
    if variables:
        if not shell_format:
            raise sh.fail("missing arguments")
        yield from [f"{name}\n" for name in named]
        return
    env, wanted = sh.env, frozenset(named)

    def value_of(reference: re.Match[str]) -> str:
        name = reference[1] or reference[2]
        return env.get(name, "") if name in wanted or not shell_format else reference[0]

    for source in sh.inputs(["-"], "error while reading {quoted}: {why}"):
        for text in whole_lines(source.chunks(), sh.check_size):
            yield REFERENCE.sub(value_of, text)


def referenced_names(text: str) -> list[str]:
    """Return the variables that a text refers to."""
    return [braced or bare for braced, bare in REFERENCE.findall(text)]
