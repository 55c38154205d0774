"""`select`: a menu on standard error, answers from standard input, the body for each."""

from __future__ import annotations

from keysh.compile.commands.compound import (
    announce_part,
    bad_loop_variable,
    loop_command,
    loop_head,
)
from keysh.interp.builtin_operations.menu import menu_text
from keysh.interp.engine.dispatch import run_command
from keysh.interp.run.control_flow import Continue
from keysh.interp.run.site import Site
from keysh.text.shell_numbers import bounded_number, is_digits
from keysh.values import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.compile.context import CompileContext
    from keysh.interp.run.closures import Body
    from keysh.interp.state.state import State
    from keysh.syntax import ast

DEFAULT_PROMPT = "#? "
DEFAULT_COLUMNS = 80


def select_command(node: ast.Select, context: CompileContext, tested: bool) -> Body:
    """`select x in words`"""
    if not node.name.isidentifier():
        return bad_loop_variable(node, context, tested)
    name, body = node.name, context.block(node.body, tested=tested)
    words = None if node.words is None else context.words(node.words, purpose="items")

    site = Site(context.source, node)
    head = loop_head(site, node)

    def turns(state: State) -> int:
        announce_part(state, site, head)
        items = [text_of(item) for item in (state.arguments if words is None else words(state))]
        if not items:
            return 0
        shows_menu = True
        while True:
            state.budget.check()
            answer = ask(state, items, shows_menu=shows_menu)
            if answer is None:
                state.out.write("\n")
                return 1
            state.assign(name, chosen_item(items, answer))
            try:
                body(state)
            except Continue as control:
                control.leave_loop()
            shows_menu = not text_of(state.variables.get("REPLY"))

    return loop_command(turns, site, tested)


def ask(state: State, items: list[str], *, shows_menu: bool) -> str | None:
    """Show the menu and the prompt, and return the answer; None at the end of the input."""
    while True:
        if shows_menu:
            columns = text_of(state.variables.get("COLUMNS"))
            width = bounded_number(columns) if is_digits(columns) else DEFAULT_COLUMNS
            state.err.write(menu_text(items, width))
        state.err.write(text_of(state.variables.get("PS3", DEFAULT_PROMPT)))
        if run_command(state, "read", []):
            return None
        answer = text_of(state.variables.get("REPLY"))
        if answer:
            return answer
        shows_menu = True


def chosen_item(items: list[str], answer: str) -> str:
    """Return the item of a number; the empty text for any other answer."""
    number = answer.strip()
    index = bounded_number(number) if is_digits(number) else 0
    return items[index - 1] if 1 <= index <= len(items) else ""
