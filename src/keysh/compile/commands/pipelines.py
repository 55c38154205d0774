"""Pipelines: `a | b`, `! a` and `time a`."""

from __future__ import annotations

from keysh.compile.commands.blocks import empty_block, tested_command
from keysh.compile.commands.command_status import settle, with_errexit
from keysh.compile.words.word_analysis import holds_process_substitution, words_purpose
from keysh.interp.builtin_operations.time_report import timed_body
from keysh.interp.engine.command_lookup import resolve_in_shell
from keysh.interp.engine.dispatch import external_words
from keysh.interp.engine.pipeline import PipelineRun, Stage
from keysh.interp.run.control_flow import LimitReached
from keysh.interp.run.function import ShellFunction
from keysh.interp.run.options import ERREXIT, LASTPIPE, PIPEFAIL
from keysh.interp.run.pipe_status import TrappedStatus, inverted_status, pipe_status
from keysh.interp.run.runtime_diagnostic import RuntimeDiagnostic
from keysh.interp.run.site import Site
from keysh.syntax import ast
from keysh.syntax.constants import constant_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from keysh.compile.context import CompileContext
    from keysh.interp.engine.pipeline import Program, Pull
    from keysh.interp.run.closures import Body, Expression
    from keysh.interp.state.state import State
    from keysh.schema.command import Command


def pipeline_command(node: ast.Pipeline, context: CompileContext, tested: bool) -> Body:
    """`time ! a | b`"""
    body = pipeline_stages(node, context, tested or node.negations % 2 == 1)
    if node.negations % 2:
        body = negated_pipeline(
            body, body if tested else body_for_errexit_inside(node, body, context)
        )
    return timed_body(body, node.timing) if node.timing else body


def negated_pipeline(lenient: Body, strict: Body) -> Body:
    """`! a`: its failure ends no run, but a `set -e` inside it applies at once, as in bash"""

    def run(state: State) -> int:
        body = lenient if state.flags & ERREXIT else strict
        status = state.status = inverted_status(body(state))
        return status

    return run


def body_for_errexit_inside(node: ast.Pipeline, lenient: Body, context: CompileContext) -> Body:
    """The body to invert while `set -e` is off; a `set -e` inside it then applies at once."""
    stage = node.stages[0] if len(node.stages) == 1 else None
    if isinstance(stage, ast.Simple):
        return with_errexit(lenient)
    return context.command(stage) if isinstance(stage, ast.Group) else lenient


def pipeline_stages(node: ast.Pipeline, context: CompileContext, tested: bool) -> Body:
    """Compile the commands of a pipeline."""
    if not node.stages:
        return empty_block  # `time` or `!` alone
    if len(node.stages) == 1:
        if node.negations % 2:
            return tested_command(node.stages[0], context)
        return context.command(node.stages[0], tested=tested)
    operators = [*node.operators, ""]
    forks_last = context.source.dialect.forks_last_stage
    stages: list[Stage] = []
    for stage, operator in zip(node.stages, operators, strict=True):
        # A simple command fails with the pipeline; what it runs inside fails on its own.
        is_simple = isinstance(stage, ast.Simple)
        if isinstance(stage, ast.Subshell) and operator:
            body = context.block(stage.body, tested=tested)  # the stage forks anyway
        else:
            body = context.command(stage, tested=tested or is_simple)
        if is_simple and not tested:
            body = with_errexit(body)
        plain = plain_stage(stage, context) if operator or forks_last else None
        changes_nothing = is_harmless(stage)
        stages.append(
            Stage(
                body, stage_puller(plain), stage_program(plain),
                printing_test(plain) if changes_nothing and operator == "|" else None,
                operator == "|&", changes_nothing,
                Site(context.source, stage) if isinstance(stage, ast.Simple) else None,
                any(map(has_redirects, node.stages[len(stages) + 1 :])),
                tool_test(plain),
            )
        )  # fmt: skip
    site = Site(context.source, node)
    last_site = stages[-1].site or site  # for the ERR trap
    # Bash runs the trap for `( … )` and for the pipeline.
    ends_in_subshell = isinstance(node.stages[-1], ast.Subshell)

    def run(state: State) -> int:
        try:
            forks = forks_last and not state.flags & LASTPIPE
            statuses = PipelineRun(state, stages, forks_last=forks).run()
        except LimitReached as limit:
            raise limit.with_location(site) from None
        last = statuses[-1]
        if last.__class__ is TrappedStatus and not ends_in_subshell:
            return settle(state, pipe_status(last, statuses), last_site, True)
        if not last and state.flags & PIPEFAIL:
            last = next((failed for failed in reversed(statuses) if failed), 0)
        return settle(state, pipe_status(last, statuses), last_site, tested)

    return run


def has_redirects(stage: ast.Command) -> bool:
    """Whether a stage may write to a file of its own."""
    return isinstance(stage, ast.Simple | ast.Redirected) and bool(stage.redirects)


class PlainStage:
    """A stage that is only a name and words, and opens no descriptors.

    `first_word` is None if it is missing or not constant.
    """

    __slots__ = ("first_word", "name", "words")

    def __init__(
        self, name: str, arguments: Sequence[ast.Argument], context: CompileContext
    ) -> None:
        self.name = name
        self.first_word = constant_text(arguments[0]) if arguments else None
        self.words: Expression = context.words(
            arguments, purpose=words_purpose(name, context.source.dialect)
        )


def plain_stage(stage: ast.Command, context: CompileContext) -> PlainStage | None:
    """The name and words of a stage that has nothing else; else None."""
    if not isinstance(stage, ast.Simple) or not stage.arguments:
        return None
    if stage.assignments or stage.redirects or holds_process_substitution(stage):
        return None
    name = constant_text(stage.arguments[0])
    return None if name is None else PlainStage(name, stage.arguments[1:], context)


def stage_puller(plain: PlainStage | None) -> Pull | None:
    """Return how to pull from a stage; None if its command can be no generator."""
    if plain is None:
        return None
    name, words = plain.name, plain.words

    def pull(state: State) -> tuple[str, Command, list[object]] | None:
        command = None if name in state.aliases else resolve_in_shell(state, name)
        if command is None or isinstance(command, ShellFunction) or not command.is_generator:
            return None
        try:
            return name, command, words(state)
        except RuntimeDiagnostic:
            return None  # it is run and fails on its own

    return pull


def printing_test(plain: PlainStage | None) -> Callable[[State], bool] | None:
    """A test whether a stage is a call like `echo $x`, which only prints its words."""
    if plain is None:
        return None
    name, first_word = plain.name, plain.first_word

    def only_prints(state: State) -> bool:
        command = None if name in state.aliases else resolve_in_shell(state, name)
        if command is None or isinstance(command, ShellFunction):
            return False
        is_from_words = command.output.from_words
        return is_from_words is not None and is_from_words(first_word)

    return only_prints


def tool_test(plain: PlainStage | None) -> Callable[[State], bool] | None:
    """A test whether a stage is a tool such as `grep`, which changes nothing in the shell."""
    if plain is None:
        return None
    name = plain.name

    def is_tool(state: State) -> bool:
        command = None if name in state.aliases else resolve_in_shell(state, name)
        if command is None or isinstance(command, ShellFunction):
            return False
        return command.function.__module__.startswith(TOOLS_PACKAGE)

    return is_tool


def stage_program(plain: PlainStage | None) -> Program | None:
    """How to start a stage that may be a real program."""
    if plain is None:
        return None
    name, words = plain.name, plain.words

    def program(state: State) -> tuple[list[str], str] | None:
        try:
            return external_words(state, name, words)
        except RuntimeDiagnostic:
            return None  # it is run and fails on its own

    return program


TOOLS_PACKAGE = "keysh.tools."
HARMLESS_NODES = (
    ast.Word,
    ast.Text,
    ast.Quoted,
    ast.Variable,
    ast.DoubleQuoted,
    ast.Glob,
    ast.Tilde,
)


def is_harmless(stage: ast.Command) -> bool:
    """Whether expanding a command's words changes nothing in the state."""
    if not isinstance(stage, ast.Simple):
        return False
    return all(
        constant_text(argument) is not None
        or (
            isinstance(argument, ast.Word)
            and all(isinstance(inner, HARMLESS_NODES) for inner in argument.walk())
        )
        for argument in stage.arguments
    )
