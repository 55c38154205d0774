"""Line by line: how bash reads a text in which aliases may change what the next line means."""

from __future__ import annotations

from keysh.diagnostics.dialect import BASH
from keysh.diagnostics.exceptions import Incomplete, ScriptError
from keysh.diagnostics.source import Source
from keysh.interp.run.options import EXPAND_ALIASES
from keysh.syntax.lexer.scanner import scan
from keysh.syntax.parser import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.state import State

STATUS_SYNTAX_ERROR = 2


def is_read_by_line(state: State, text: str) -> bool:
    """Whether aliases may be expanded in a text, so that it cannot be parsed as a whole."""
    if state.dialect is not BASH:
        return False
    return "expand_aliases" in text or bool(state.flags & EXPAND_ALIASES and state.aliases)


def run_by_line(state: State, text: str, name: str) -> int:
    """Run a text, parsing each line, or as many as it needs, when the lines before have run."""
    waiting, first = "", 1
    lines = text.split("\n")
    # Lines that are one command without aliases are read at once: trying after each of them
    # would take the square of their number.
    ends = command_ends(state, text, name)
    for number, line in enumerate(lines, 1):
        waiting += f"{line}\n"
        is_last = number == len(lines)
        if (number < ends.get(first, 0) or is_joined_with_next(line)) and not is_last:
            continue
        try:
            aliased = text_with_aliases(state, waiting)
            if (
                not is_last
                and "<<" in aliased
                and scan(Source(aliased, dialect=BASH), tick=state.tick).is_incomplete
            ):
                continue  # the text of a heredoc follows
            lines_before = "\n" * (first - 1)  # so that `$LINENO` counts them
            body = state.compiler.script(lines_before + aliased, name, state)
        except Incomplete as error:
            if not is_last:
                continue
            return syntax_error(state, error)
        except ScriptError as error:
            return syntax_error(state, error)
        waiting, first = "", number + 1
        body(state)
    return +state.status


def command_ends(state: State, text: str, name: str) -> dict[int, int]:
    """Return the last line of each command by its first, if the text without aliases is valid."""
    try:
        script = parse(Source(text, name, BASH), state.tick)
    except ScriptError:
        return {}
    position = script.source.position
    commands = [] if script.body is None else script.body.commands
    return {
        position(command.start)[0]: position(max(command.end - 1, command.start))[0]
        for command in reversed(commands)
    }


def is_joined_with_next(line: str) -> bool:
    r"""Whether a line ends with a `\` that joins it with the next."""
    return (len(line) - len(line.rstrip("\\"))) % 2 == 1


def text_with_aliases(state: State, text: str) -> str:
    """Return a text with the aliases that are in force."""
    if not state.flags & EXPAND_ALIASES or not state.aliases:
        return text
    from keysh.syntax.alias_text import with_aliases  # noqa: PLC0415 - few scripts have any

    replaced = with_aliases(text, state.aliases, state.dialect, state.max_value_bytes, state.tick)
    state.check_text(replaced)
    return replaced


def syntax_error(state: State, error: ScriptError) -> int:
    """Report a line that cannot be parsed; the rest is not read."""
    state.err.write(f"{error}\n")
    state.status = STATUS_SYNTAX_ERROR
    return STATUS_SYNTAX_ERROR
