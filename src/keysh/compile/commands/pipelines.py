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
    from collections.abc import Sequence

    from keysh.compile.context import CompileContext
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
    last_redirected = last_redirected_index(node.stages)
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
        stages.append(
            Stage(
                body, plain, operator == "|&", is_harmless(stage),
                Site(context.source, stage) if isinstance(stage, ast.Simple) else None,
                last_redirected > len(stages),
            )
        )  # fmt: skip
    site = Site(context.source, node)
    last_site = stages[-1].site or site  # for the ERR trap
    # Bash runs the trap for `( … )` and for the pipeline.
    ends_in_subshell = isinstance(node.stages[-1], ast.Subshell)

    def run(state: State) -> int:
        try:
            forks = forks_last and not state.flags & LASTPIPE
            statuses = PipelineRun(state, stages, forks).run()
        except LimitReached as limit:
            raise limit.with_location(site) from None
        last = statuses[-1]
        if last.__class__ is TrappedStatus and not ends_in_subshell:
            return settle(state, pipe_status(last, statuses), last_site, True)
        if not last and state.flags & PIPEFAIL:
            last = next((failed for failed in reversed(statuses) if failed), 0)
        return settle(state, pipe_status(last, statuses), last_site, tested)

    return run


def last_redirected_index(stages: Sequence[ast.Command]) -> int:
    """Return the index of the last stage that may write to a file of its own; -1 for none."""
    for index in range(len(stages) - 1, -1, -1):
        stage = stages[index]
        if isinstance(stage, ast.Simple | ast.Redirected) and stage.redirects:
            return index
    return -1


class PlainStage:
    """A stage that is only a name and words, and opens no descriptors.

    `first_word` is None if it is missing or not constant.
    """

    __slots__ = ("first_word", "name", "words")

    def __init__(self, name: str, words: Expression, first_word: str | None) -> None:
        self.name, self.words, self.first_word = name, words, first_word

    def command(self, state: State) -> Command | None:
        """Return the command of keysh that the stage calls; None for all else."""
        if self.name in state.aliases:
            return None
        found = resolve_in_shell(state, self.name)
        return None if isinstance(found, ShellFunction) else found

    def only_prints(self, command: Command) -> bool:
        """Whether the call is one like `echo $x`, which only prints its words."""
        is_from_words = command.output.from_words
        return is_from_words is not None and is_from_words(self.first_word)

    def arguments(self, state: State) -> list[object] | None:
        """Return the words; None if they fail, so that the stage is run and fails on its own."""
        try:
            arguments: list[object] = self.words(state)
        except RuntimeDiagnostic:
            return None
        return arguments

    def program(self, state: State) -> tuple[list[str], str] | None:
        """Return the words and path of a real program; None if the name means anything else."""
        try:
            return external_words(state, self.name, self.words)
        except RuntimeDiagnostic:
            return None  # as above

    def ask_host(self, state: State, words: list[str], site: Site | None) -> bool:
        """Ask the host whether a program may run, and begin a span of it."""
        from keysh.interp.engine.before_command import ask_host  # noqa: PLC0415 - few hosts watch

        return ask_host(state, words, site)


def plain_stage(stage: ast.Command, context: CompileContext) -> PlainStage | None:
    """The name and words of a stage that has nothing else; else None."""
    if not isinstance(stage, ast.Simple) or not stage.arguments:
        return None
    if stage.assignments or stage.redirects or holds_process_substitution(stage):
        return None
    name = constant_text(stage.arguments[0])
    if name is None:
        return None
    arguments = stage.arguments[1:]
    words = context.words(arguments, purpose=words_purpose(name, context.source.dialect))
    return PlainStage(name, words, constant_text(arguments[0]) if arguments else None)


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
