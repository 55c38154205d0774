"""fromyaml - parse YAML."""

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
    """Parse YAML: `$(fromyaml ...)` is its value by the core schema of YAML 1.2.

    words ...  the YAML text; standard input by default; all=true before it returns
               a list of all documents

    Keys are strings as written. `<<` merges records. Tags outside the schema are
    refused.
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
        values = list(documents(text_or_input(sh, words), sh.tick))
    except ValueError as error:
        raise sh.fail(f"invalid YAML: {error}") from None
    if wants_all:
        return values
    if len(values) > 1:
        raise sh.fail(f"{len(values)} documents, not one\nfix: fromyaml all=true")
    return values[0] if values else None
