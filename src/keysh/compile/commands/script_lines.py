"""Lines of the bash dialect: an error in an expansion discards the rest of its line, not more.

Of a function that is the whole call, for the line is that of the call. A subshell ends. Under
`set -v` the lines are printed before they run.
"""

from __future__ import annotations

from keysh.compile.commands.blocks import empty_block
from keysh.interp.run.control_flow import LineDiscarded
from keysh.interp.run.options import VERBOSE
from keysh.syntax import ast

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.compile.context import CompileContext
    from keysh.interp.run.closures import Body
    from keysh.interp.state.state import State


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
        bodies.append((context.script_command(commands[index]), after))
    bodies.reverse()

    def run(state: State) -> int:
        status = index = 0
        budget = state.budget
        while index < len(bodies):
            budget.steps_left -= 1
            if budget.steps_left < 0:
                budget.refill()
            body, next_line = bodies[index]
            if state.flags & VERBOSE:
                print_lines(state, script, index)
            try:
                status = body(state)
                index += 1
            except LineDiscarded as discarded:
                if state.parent is not None:
                    raise
                status = state.status = discarded.status
                index = next_line
        if state.flags & VERBOSE:
            print_lines(state, script, len(bodies))
        return status

    return run


def print_lines(state: State, script: ast.Script, index: int) -> None:
    """Print what bash reads before a command: the lines up to the end of the line where it ends.

    Behind the last command the rest of the text is printed.
    """
    assert script.body is not None
    source, commands = script.source, script.body.commands
    first = last_line(script, commands[index - 1]) + 1 if index else first_line(script)
    is_end = index == len(commands)
    if not is_end and index and source.position(commands[index].start)[0] < first:
        return  # it was read with the command before
    last = len(source.line_starts()) if is_end else last_line(script, commands[index])
    while index + 1 < len(commands) and source.position(commands[index + 1].start)[0] <= last:
        index += 1
        last = last_line(script, commands[index])
    lines = [source.line(number) for number in range(first, last + 1)]
    if is_end and lines and not lines[-1]:
        lines.pop()  # behind the last newline
    state.err.write("".join(f"{line}\n" for line in lines))


def first_line(script: ast.Script) -> int:
    """Return the first line that holds something: a part of a text begins with empty lines."""
    text = script.source.text
    return script.source.position(len(text) - len(text.lstrip("\n")))[0]


def last_line(script: ast.Script, command: ast.Command) -> int:
    """Return the line on which a command ends, with the texts of its heredocs."""
    ends = [one.body.end for one in command.walk() if isinstance(one, ast.Heredoc)]
    return max(map(script.source.position, [max(command.end - 1, command.start), *ends]))[0]
