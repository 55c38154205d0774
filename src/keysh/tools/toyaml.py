"""toyaml - print a value as YAML."""

from __future__ import annotations

from keysh.schema.declare import OptionStyle, command
from keysh.schema.value_operands import one_value, text_or_input
from keysh.text.yaml_scalar import is_plain_string
from keysh.values import text_of, value_of_json

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Any

    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw

END_MARK = "...\n"  # of a document
MAX_NESTING = 200  # depth of lists and records
MAX_LINE_CHARACTERS = 1 << 30  # so that no line is folded


@command(style=OptionStyle(has_help=False))
def toyaml(sh: Call, *words: Raw) -> str:
    """Print a value as YAML; $(toyaml $x) is a string that `fromyaml` parses.

    words ...  the value; by default parsed as JSON from standard input
    """
    try:
        value = one_value(words) if words else value_of_json(text_or_input(sh, ()))
    except ValueError as error:
        raise sh.fail(f"invalid JSON: {error}") from None
    return yaml_text(sh, value)


def yaml_text(sh: Call, root: object) -> str:
    """Return a value as YAML."""
    try:
        import yaml  # noqa: PLC0415 - from an extra
    except ModuleNotFoundError:
        raise sh.fail("PyYAML is not installed\nfix: pip install 'keysh[yaml]'") from None

    def events(value: object, depth: int) -> Iterator[Any]:
        """Yield a value as events for the emitter."""
        sh.tick()
        if depth > MAX_NESTING:
            raise sh.fail(f"values are nested more than {MAX_NESTING} levels deep")
        if isinstance(value, dict):
            yield yaml.MappingStartEvent(None, None, implicit=True, flow_style=not value)
            for key, item in value.items():
                yield scalar(key)
                yield from events(item, depth + 1)
            yield yaml.MappingEndEvent()
        elif isinstance(value, list):
            yield yaml.SequenceStartEvent(None, None, implicit=True, flow_style=not value)
            for item in value:
                yield from events(item, depth + 1)
            yield yaml.SequenceEndEvent()
        elif isinstance(value, str):
            yield scalar(value)
        else:
            text = "null" if value is None else text_of(value)
            yield yaml.ScalarEvent(None, None, implicit=(True, False), value=text)

    def scalar(text: str) -> Any:
        """Return the event of a string, quoted if it would be read as something else."""
        is_plain = is_plain_string(text)
        style = "|" if "\n" in text.rstrip("\n") else None if is_plain else '"'
        return yaml.ScalarEvent(None, None, implicit=(is_plain, True), value=text, style=style)

    start, end = yaml.DocumentStartEvent(), yaml.DocumentEndEvent()
    stream = [yaml.StreamStartEvent(), start, *events(root, 0), end, yaml.StreamEndEvent()]
    dumper: Any = yaml.CSafeDumper if yaml.__with_libyaml__ else yaml.SafeDumper
    try:
        output: str = yaml.emit(
            stream, Dumper=dumper, allow_unicode=True, width=MAX_LINE_CHARACTERS
        )
    except UnicodeEncodeError:
        raise sh.fail("a string is not valid UTF-8, which YAML requires") from None
    # The mark of the end, on a line of its own; a string may end with three points too.
    return output.removesuffix(END_MARK) if output.endswith(f"\n{END_MARK}") else output
