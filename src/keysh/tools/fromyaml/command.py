"""fromyaml - the value of a YAML text."""

from __future__ import annotations

from keysh.schema.arguments import NamedArgument
from keysh.schema.declare import OptionStyle, OutputStyle, command
from keysh.schema.value_operands import text_or_input

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw


@command(output=OutputStyle(value=True), style=OptionStyle(has_help=False))
def fromyaml(sh: Call, *words: Raw) -> object:
    """Read YAML: `$(fromyaml …)` is its value, as the core schema of YAML 1.2 has it.

    words ...  the YAML; standard input without it; all=true before it for the list of all documents

    Keys are text, as written. `<<` merges records. Tags other than those of the schema are refused.
    """
    first = words[0] if words else None
    wants_all = False
    if isinstance(first, NamedArgument) and first.key in ("all", "--all"):
        if not isinstance(first.value, bool):
            raise sh.fail(f"all must be true or false, but is {first.text}", 2)
        wants_all, words = first.value, words[1:]
    try:
        from keysh.tools.fromyaml.documents import documents  # noqa: PLC0415 - from an extra
    except ModuleNotFoundError:
        raise sh.fail("PyYAML is not installed\nfix: pip install 'keysh[yaml]'") from None
    try:
        found = list(documents(text_or_input(sh, words), sh.tick))
    except ValueError as error:
        raise sh.fail(f"no YAML: {error}") from None
    if wants_all:
        return found
    if len(found) > 1:
        raise sh.fail(f"{len(found)} documents, not one\nfix: fromyaml all=true")
    return found[0] if found else None
