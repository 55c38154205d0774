"""Control flow: if, while, for, case, `[[ … ]]` and `(( … ))`."""

from __future__ import annotations

from keysh.compile.commands.blocks import UNCHARGED_COMMANDS, condition_block
from keysh.compile.commands.command_status import fail, settle
from keysh.compile.words.patterns import one_star_literal
from keysh.interp.engine.before_command import admit_command, perform_admitted
from keysh.interp.engine.traps import run_debug_trap
from keysh.interp.run.control_flow import Break, Continue, LimitReached
from keysh.interp.run.options import (
    NOCASEMATCH,
    TRAPS_DEBUG,
    WATCHED_FLAGS,
    XTRACE,
)
from keysh.interp.run.pipe_status import FAILED_BEFORE, pipe_status, stage_statuses
from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic
from keysh.interp.run.site import Site
from keysh.interp.variables.variable import REFERENCE
from keysh.syntax import ast
from keysh.values import CONTAINERS, deep_copy, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.compile.context import CompileContext
    from keysh.interp.run.closures import Body, Expression
    from keysh.interp.state.state import State
    from keysh.syntax.node import Node
    from keysh.text.pattern import Pattern

TRACED_FLAGS = TRAPS_DEBUG | XTRACE  # report each `case` and each turn of a `for`


def if_command(node: ast.If, context: CompileContext, tested: bool) -> Body:
    """`if …; then …; elif …; else …; fi`"""
    branches: list[ast.If | ast.Elif] = [node, *node.elifs]
    pairs = [
        (condition_block(branch.condition, context), context.block(branch.body, tested=tested))
        for branch in branches
    ]
    otherwise = None if node.otherwise is None else context.block(node.otherwise, tested=tested)
    if len(pairs) == 1:  # makes a loop around it 1.2 times as fast
        [(condition, body)] = pairs

        def if_else(state: State) -> int:
            return otherwise(state) if condition(state) else body(state)  # type: ignore[misc]

        def if_only(state: State) -> int:
            status = condition(state)
            if not status:
                return body(state)
            if status == 1 and status.__class__ is int:  # the usual failure, set without a call
                state.status = FAILED_BEFORE
                return FAILED_BEFORE
            return status_without_commands(state, status)

        return if_only if otherwise is None else if_else

    def run(state: State) -> int:
        status = 0
        for condition, body in pairs:
            status = condition(state)
            if not status:
                return body(state)
        return status_without_commands(state, status) if otherwise is None else otherwise(state)

    return run


# ---------------------------------------------------------------- loops


def commands_per_turn(*blocks: ast.Block | None) -> int:
    """The number of commands of one turn, which the budget of a loop is charged with."""
    counts = [len(block.commands) for block in blocks if block is not None]
    return max(1, sum(count for count in counts if count <= UNCHARGED_COMMANDS))


def while_command(node: ast.While, context: CompileContext, tested: bool) -> Body:
    """`while`, `until`"""
    condition = condition_block(node.condition, context)
    body = context.block(node.body, tested=tested)
    until, cost = node.until, commands_per_turn(node.condition, node.body)

    def turns(state: State) -> int:
        budget, status = state.budget, 0
        while True:
            budget.steps_left -= cost
            if budget.steps_left < 0:
                budget.refill()
            try:
                tested_status = condition(state)
                if (tested_status == 0) is until:
                    return status_without_commands(state, tested_status, status)
                status = body(state)
            except Continue as control:
                status = control.leave_loop()

    return loop_command(turns, Site(context.source, node), tested)


def for_command(node: ast.For, context: CompileContext, tested: bool) -> Body:
    """`for x in words`"""
    if not node.name.isidentifier():
        return bad_loop_variable(node, context, tested)
    name, cost = node.name, commands_per_turn(node.body)
    site = Site(context.source, node)
    body = context.block(node.body, tested=tested)
    words: Expression = (
        context.words(node.words, purpose="items")
        if node.words is not None
        else lambda state: state.arguments
    )

    def turns(state: State) -> int:
        before = state.status  # the status of a `$(…)` among the words is ignored
        items = words(state)
        if not items:
            return status_without_commands(state, before)
        budget, status = state.budget, 0
        variables, attributes = state.variables, state.attributes
        for item in items:
            budget.steps_left -= cost
            if budget.steps_left < 0:
                budget.refill()
            if state.flags & TRACED_FLAGS:
                announce_part(state, site, loop_head(site, node))
            if item.__class__ is str and name not in attributes:
                variables[name] = item
            elif attributes.get(name, 0) & REFERENCE:
                point_reference(state, name, item)
            else:
                state.assign(name, deep_copy(item) if isinstance(item, CONTAINERS) else item)
            try:
                status = body(state)
            except Continue as control:
                status = control.leave_loop()
        return status

    return loop_command(turns, site, tested)


def bad_loop_variable(node: ast.For, context: CompileContext, tested: bool) -> Body:
    """`for x-y in words`, which bash refuses when it runs"""
    site = Site(context.source, node)
    problem = RuntimeDiagnostic("E118", "not a variable's name", f"`{node.name}`")

    def run(state: State) -> int:
        return fail(state, problem, site, tested)

    return run


def point_reference(state: State, name: str, item: object) -> None:
    """For this turn, point a loop's variable that is a reference to what the word names."""
    from keysh.interp.state.attributes import set_reference  # noqa: PLC0415 - rare

    set_reference(state, name, text_of(item))


def loop_head(site: Site, node: ast.For) -> str:
    """The head of a loop as `set -x` prints it."""
    if not node.words:
        keyword = "select" if isinstance(node, ast.Select) else "for"
        listed = '"$@"' if node.words is None else ""
        return f"{keyword} {node.name} in {listed}"
    return source_between(site, node, node.words[-1])


def source_between(site: Site, first: Node, last: Node) -> str:
    """The source text from the start of one node to the end of another."""
    return site.source.text[first.start : last.end]


def announce_part(state: State, site: Site, text: str, shown: str = "") -> None:
    """Run the DEBUG trap, and print a line for `set -x`, for a part of a compound command."""
    if state.flags & XTRACE:
        from keysh.interp.engine.xtrace import trace  # noqa: PLC0415 - only for traces

        trace(state, shown or text, site)
    run_debug_trap(state, site, text)


def for_arithmetic(node: ast.ForArithmetic, context: CompileContext, tested: bool) -> Body:
    """`for ((first; condition; step))`"""
    site = Site(context.source, node)
    first = context.arithmetic(node.first)
    condition = context.arithmetic(node.condition) if node.condition else lambda state: 1
    step = context.arithmetic(node.step)
    body, cost = context.block(node.body, tested=tested), commands_per_turn(node.body)

    def announce_expression(state: State, part: Node | None) -> None:
        text = "1" if part is None else source_between(site, part, part)
        announce_part(state, site, f"(({text}))", f"(( {text} ))")

    def turns(state: State) -> int:
        budget, before = state.budget, state.status
        status: int | None = None  # None until a turn has run
        is_traced = state.flags & TRACED_FLAGS
        if is_traced:
            announce_expression(state, node.first)
        first(state)
        while True:
            if is_traced:
                announce_expression(state, node.condition)
            if not condition(state):
                return status_without_commands(state, before) if status is None else status
            budget.steps_left -= cost
            if budget.steps_left < 0:
                budget.refill()
            try:
                status = body(state)
            except Continue as control:
                status = control.leave_loop()
            is_traced = state.flags & TRACED_FLAGS
            if is_traced:
                announce_expression(state, node.step)
            step(state)

    return loop_command(turns, site, tested, is_arithmetic=True)


def loop_command(turns: Body, site: Site, tested: bool, *, is_arithmetic: bool = False) -> Body:
    """Run a loop: `break` leaves it, and an error in its own words or arithmetic fails it."""

    def run(state: State) -> int:
        state.loops += 1
        try:
            status = turns(state)
        except Break as control:
            status = control.leave_loop()
        except RuntimeDiagnostic as problem:
            is_of_variable = problem.code == "E211"
            return fail(state, problem, site, tested, keeps_line=is_arithmetic or is_of_variable)
        except LimitReached as limit:
            raise limit.with_location(site) from None
        finally:
            state.loops -= 1
        state.status = status
        return status

    return run


# ---------------------------------------------------------------- case


def case_command(node: ast.Case, context: CompileContext, tested: bool) -> Body:
    """`case word in … esac`"""
    subject = context.text(node.subject)
    clauses = [
        (
            clause_matcher(clause.patterns, context),
            context.block(clause.body, tested=tested),
            clause.ending,
        )
        for clause in node.clauses
    ]
    site = Site(context.source, node)

    def run(state: State) -> int:
        try:
            if state.flags & TRACED_FLAGS:
                head = f"{source_between(site, node, node.subject)} in"
                announce_part(state, site, f"{head} ", head)
            before = state.status
            text = subject(state)
            status: int | None = None  # None until a clause has run
            goes_on = False
            for matches, body, ending in clauses:
                if not (goes_on or matches(state, text)):
                    continue
                status = body(state)
                if ending == ";&":
                    goes_on = True
                elif ending == ";;&":
                    goes_on = False
                else:
                    break
        except RuntimeDiagnostic as problem:
            return fail(state, problem, site, tested)
        return status_without_commands(state, before) if status is None else status

    return run


def clause_matcher(
    patterns: list[ast.Word], context: CompileContext
) -> Callable[[State, str], bool]:
    """Whether one of a clause's patterns matches."""
    tests = [pattern_test(word, context) for word in patterns]
    if len(tests) == 1:
        return tests[0]

    def any_matches(state: State, text: str) -> bool:
        return any(test(state, text) for test in tests)

    return any_matches


def pattern_test(word: ast.Word, context: CompileContext) -> Callable[[State, str], bool]:
    """Whether one pattern matches. Literals and `x*y` are compared directly: 1.2 times as fast."""
    literal = one_star_literal(word)
    pattern: Callable[[State], Pattern] = context.pattern(word)
    if literal is None:
        return lambda state, text: pattern(state).matches(text, state.tick)
    if literal == "*":
        return lambda state, text: True
    prefix, star, suffix = literal.partition("*")
    if not star:

        def equals(state: State, text: str) -> bool:
            if state.flags & NOCASEMATCH:
                return pattern(state).matches(text, state.tick)
            return text == literal

        return equals
    min_length = len(prefix) + len(suffix)

    def begins_and_ends(state: State, text: str) -> bool:
        if state.flags & NOCASEMATCH:
            return pattern(state).matches(text, state.tick)
        return len(text) >= min_length and text.startswith(prefix) and text.endswith(suffix)

    return begins_and_ends


def status_without_commands(state: State, stages: int, status: int = 0) -> int:
    """The status of a compound command that ends without running a command in its body.

    `$PIPESTATUS` stays that of the last pipeline that ran.
    """
    if status == stages:
        result = stages
    elif status == 0 and stages.__class__ is int and stages == 1:
        result = FAILED_BEFORE
    else:
        result = pipe_status(status, stage_statuses(stages))
    state.status = result
    return result


# ---------------------------------------------------------------- tests


def test_command(node: ast.Test, context: CompileContext, tested: bool) -> Body:
    """`[[ … ]]`"""
    site = Site(context.source, node)
    return condition_command(
        context.test(node.expression), site, tested, context.traced_test(node.expression, site)
    )


def arithmetic_command(node: ast.ArithmeticCommand, context: CompileContext, tested: bool) -> Body:
    """`(( … ))`"""
    compute, site = context.arithmetic(node.expression), Site(context.source, node)

    def trace_and_compute(state: State) -> object:
        from keysh.interp.engine.xtrace import trace_arithmetic  # noqa: PLC0415 - only for traces

        trace_arithmetic(state, site.text[2:-2], site)
        return compute(state)

    return condition_command(compute, site, tested, trace_and_compute)


def condition_command(
    decide: Expression, site: Site, tested: bool, traced: Callable[[State], object]
) -> Body:
    """A command whose status says whether an expression is true; `traced` also prints it."""

    def run(state: State, is_admitted: bool = False) -> int:
        if state.flags & WATCHED_FLAGS and not is_admitted:
            span = state.span
            if not admit_command(state, [site.text], site, shown=""):
                return state.status
            return perform_admitted(state, span, lambda: run(state, is_admitted=True))
        try:
            if (traced if state.flags & XTRACE else decide)(state):
                state.status = 0
                return 0
        except RuntimeDiagnostic as problem:
            return fail(state, problem, site, tested, keeps_line=True)
        return settle(state, 1, site, tested)

    return run
