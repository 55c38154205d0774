"""Control: if, while, for, case, `[[ … ]]` and `(( … ))`."""

from __future__ import annotations

from keysh.compile.words.patterns import literal_of
from keysh.interp.engine.errexit import announce, failed, watched
from keysh.interp.run.control_flow import Break, Continue, Stopped
from keysh.interp.run.options import ENDS_ON_FAILURE, NOCASEMATCH, TRAPS_DEBUG, WATCHED, XTRACE
from keysh.interp.run.pipe_status import FAILED_BEFORE, pipe_status, stages_of
from keysh.interp.run.problem import Problem
from keysh.interp.run.site import Site
from keysh.interp.variables.variable import REFERENCE
from keysh.syntax import ast
from keysh.values import CONTAINERS, copied, text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from keysh.compile.context import Context
    from keysh.interp.run.closures import Body, Expression
    from keysh.interp.state.state import State
    from keysh.syntax.node import Node
    from keysh.text.pattern import Pattern

HEARD = TRAPS_DEBUG | XTRACE  # what wants to know of each `case` and each turn of a `for`


def if_command(node: ast.If, context: Context, tested: bool) -> Body:
    """`if …; then …; elif …; else …; fi`"""
    branches: list[ast.If | ast.Elif] = [node, *node.elifs]
    pairs = [
        (context.block(one.condition, tested=True), context.block(one.body, tested=tested))
        for one in branches
    ]
    otherwise = None if node.otherwise is None else context.block(node.otherwise, tested=tested)
    if len(pairs) == 1:
        [(condition, body)] = pairs

        def one(state: State) -> int:
            return otherwise(state) if condition(state) else body(state)  # type: ignore[misc]

        def alone(state: State) -> int:
            found = condition(state)
            if not found:
                return body(state)
            if found == 1 and found.__class__ is int:  # of most conditions, without a call
                state.status = FAILED_BEFORE
                return FAILED_BEFORE
            return idle_status(state, found)

        return alone if otherwise is None else one

    def run(state: State) -> int:
        found = 0
        for condition, body in pairs:
            found = condition(state)
            if not found:
                return body(state)
        return idle_status(state, found) if otherwise is None else otherwise(state)

    return run


# ---------------------------------------------------------------- loops


def weight(*blocks: ast.Block | None) -> int:
    """How many commands a turn of a loop has."""
    return max(1, sum(len(block.commands) for block in blocks if block is not None))


def while_command(node: ast.While, context: Context, tested: bool) -> Body:
    """`while`, `until`"""
    condition = context.block(node.condition, tested=True)
    body = context.block(node.body, tested=tested)
    until, cost = node.until, weight(node.condition, node.body)

    def turns(state: State) -> int:
        budget, status = state.budget, 0
        while True:
            budget.left -= cost
            if budget.left < 0:
                budget.refill()
            try:
                found = condition(state)
                if (found == 0) is until:
                    return idle_status(state, found, status)
                status = body(state)
            except Continue as left:
                status = left.ended()

    return looping(turns, Site(context.source, node), tested)


def for_command(node: ast.For, context: Context, tested: bool) -> Body:
    """`for x in words`"""
    name, cost = node.name, weight(node.body)
    site = Site(context.source, node)
    body = context.block(node.body, tested=tested)
    words: Expression = (
        context.words(node.words, purpose="items")
        if node.words is not None
        else lambda state: state.arguments
    )

    def turns(state: State) -> int:
        before = state.status  # a `$(…)` among the words counts for nothing
        items = words(state)
        if not items:
            return idle_status(state, before)
        budget, status = state.budget, 0
        variables, attributes = state.variables, state.attributes
        for item in items:
            budget.left -= cost
            if budget.left < 0:
                budget.refill()
            if state.flags & HEARD:
                tell(state, site, head_of(site, node))
            if item.__class__ is str and name not in attributes:
                variables[name] = item
            elif attributes.get(name, 0) & REFERENCE:
                stand_for(state, name, item)
            else:
                state.assign(name, copied(item) if isinstance(item, CONTAINERS) else item)
            try:
                status = body(state)
            except Continue as left:
                status = left.ended()
        return status

    return looping(turns, site, tested)


def stand_for(state: State, name: str, item: object) -> None:
    """A loop's variable is a reference: for this turn it stands for what the word names."""
    from keysh.interp.state.attributes import refer  # noqa: PLC0415 - rare

    refer(state, name, text_of(item))


def head_of(site: Site, node: ast.For) -> str:
    """The head of a loop, as `set -x` shows it."""
    if node.words is None:
        return f'for {node.name} in "$@"'
    return written(site, node, node.words[-1])


def written(site: Site, first: Node, last: Node) -> str:
    """What is written from where one node begins to where another ends."""
    return site.source.text[first.start : last.end]


def tell(state: State, site: Site, text: str, shown: str = "") -> None:
    """The DEBUG trap, and a line of `set -x`, for a part of a compound command."""
    if state.flags & XTRACE:
        from keysh.interp.engine.xtrace import trace  # noqa: PLC0415 - only for traces

        trace(state, shown or text, site)
    announce(state, site, text)


def for_arithmetic(node: ast.ForArithmetic, context: Context, tested: bool) -> Body:
    """`for ((first; condition; step))`"""
    site = Site(context.source, node)
    first = context.arithmetic(node.first)
    condition = context.arithmetic(node.condition) if node.condition else lambda state: 1
    step = context.arithmetic(node.step)
    body, cost = context.block(node.body, tested=tested), weight(node.body)

    def tell_sum(state: State, part: Node | None) -> None:
        text = "1" if part is None else written(site, part, part)
        tell(state, site, f"(({text}))", f"(( {text} ))")

    def turns(state: State) -> int:
        budget, before = state.budget, state.status
        status: int | None = None  # until a turn has run
        is_heard = state.flags & HEARD
        if is_heard:
            tell_sum(state, node.first)
        first(state)
        while True:
            if is_heard:
                tell_sum(state, node.condition)
            if not condition(state):
                return idle_status(state, before) if status is None else status
            budget.left -= cost
            if budget.left < 0:
                budget.refill()
            try:
                status = body(state)
            except Continue as left:
                status = left.ended()
            is_heard = state.flags & HEARD
            if is_heard:
                tell_sum(state, node.step)
            step(state)

    return looping(turns, site, tested)


def looping(turns: Body, site: Site, tested: bool) -> Body:
    """A loop that `break` leaves, and whose own words or arithmetic may fail."""

    def run(state: State) -> int:
        state.loops += 1
        try:
            status = turns(state)
        except Break as left:
            status = left.ended()
        except Problem as problem:
            return refused(state, problem, site, tested)
        except Stopped as stopped:
            raise stopped.at(site) from None
        finally:
            state.loops -= 1
        state.status = status
        return status

    return run


def refused(state: State, problem: Problem, site: Site, tested: bool) -> int:
    """A compound command whose own words fail."""
    status = state.status = site.complain(state, problem)
    if not tested and state.flags & ENDS_ON_FAILURE:
        return failed(state, status, site)
    return status


# ---------------------------------------------------------------- case


def case_command(node: ast.Case, context: Context, tested: bool) -> Body:
    """`case word in … esac`"""
    subject = context.text(node.subject)
    clauses = [
        (
            matcher(clause.patterns, context),
            context.block(clause.body, tested=tested),
            clause.ending,
        )
        for clause in node.clauses
    ]
    site = Site(context.source, node)

    def run(state: State) -> int:
        try:
            if state.flags & HEARD:
                tell(state, site, f"{written(site, node, node.subject)} in")
            before = state.status
            text = subject(state)
            status: int | None = None  # until a clause has run
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
        except Problem as problem:
            return refused(state, problem, site, tested)
        return idle_status(state, before) if status is None else status

    return run


def matcher(patterns: list[ast.Word], context: Context) -> Callable[[State, str], bool]:
    """Whether one of a clause's patterns matches."""
    tests = [pattern_test(word, context) for word in patterns]
    if len(tests) == 1:
        return tests[0]

    def any_matches(state: State, text: str) -> bool:
        return any(test(state, text) for test in tests)

    return any_matches


def pattern_test(word: ast.Word, context: Context) -> Callable[[State, str], bool]:
    """Whether one pattern matches."""
    literal = literal_of(word)
    pattern: Callable[[State], Pattern] = context.pattern(word)
    if literal is None:
        return lambda state, text: pattern(state).matches(text)
    if literal == "*":
        return lambda state, text: True
    before, star, behind = literal.partition("*")
    if not star:

        def equals(state: State, text: str) -> bool:
            if state.flags & NOCASEMATCH:
                return pattern(state).matches(text)
            return text == literal

        return equals
    least = len(before) + len(behind)

    def begins_and_ends(state: State, text: str) -> bool:
        if state.flags & NOCASEMATCH:
            return pattern(state).matches(text)
        return len(text) >= least and text.startswith(before) and text.endswith(behind)

    return begins_and_ends


def idle_status(state: State, stages: int, status: int = 0) -> int:
    """The status of a compound command that ends with none of its commands, as where no branch is
    taken: `$PIPESTATUS` stays that of the last pipeline that has run.
    """
    if status == stages:
        made = stages
    elif status == 0 and stages.__class__ is int and stages == 1:
        made = FAILED_BEFORE
    else:
        made = pipe_status(status, stages_of(stages))
    state.status = made
    return made


# ---------------------------------------------------------------- tests


def test_command(node: ast.Test, context: Context, tested: bool) -> Body:
    """`[[ … ]]`"""
    test = context.test(node.expression)
    site = Site(context.source, node)
    return deciding(test, site, tested)


def arithmetic_command(node: ast.ArithmeticCommand, context: Context, tested: bool) -> Body:
    """`(( … ))`"""
    return deciding(context.arithmetic(node.expression), Site(context.source, node), tested)


def deciding(decide: Expression, site: Site, tested: bool) -> Body:
    """A command whose status is whether an expression holds."""

    def run(state: State) -> int:
        if state.flags & WATCHED and not watched(state, [site.text], site, shown=site.text):
            return state.status
        try:
            if decide(state):
                state.status = 0
                return 0
            status = 1
        except Problem as problem:
            status = site.complain(state, problem)
        state.status = status
        if not tested and state.flags & ENDS_ON_FAILURE:
            return failed(state, status, site)
        return status

    return run
