"""Lines of the bash dialect: an error in an expansion discards the rest of its line, not more.

Of a function that is the whole call, for the line is that of the call. A subshell ends.
"""

from __future__ import annotations

from keysh.compile.commands.blocks import empty_block
from keysh.interp.run.control_flow import LineDiscarded

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.compile.context import CompileContext
    from keysh.interp.run.closures import Body
    from keysh.interp.state.state import State
    from keysh.syntax import ast


def lines_of_text(script: ast.Script, context: CompileContext) -> Body:
    """Compile a text: a script, a sourced file, the text of `eval` or a trap."""
    if script.body is None:
        return empty_block
    commands = script.body.commands
    position = script.source.position
    # Each command with the index of the first one that begins on a later line than it ends.
    bodies: list[tuple[Body, int]] = []
    after = len(commands)
    for index in range(len(commands) - 1, -1, -1):
        last_line = position(max(commands[index].end - 1, commands[index].start))[0]
        next_one = index + 1
        if next_one < len(commands) and position(commands[next_one].start)[0] > last_line:
            after = next_one
        bodies.append((context.command(commands[index]), after))
    bodies.reverse()

    def run(state: State) -> int:
        status = index = 0
        while index < len(bodies):
            body, next_line = bodies[index]
            try:
                status = body(state)
                index += 1
            except LineDiscarded as discarded:
                if state.parent is not None:
                    raise
                status = state.status = discarded.status
                index = next_line
        return status

    return run
