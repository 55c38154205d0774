"""Reading a text counts for the run: scanning, parsing, checking and compiling can be ended."""

from __future__ import annotations

import pytest

from keysh import Cancel, Limits, ScriptError, Shell
from keysh.check.checker import check
from keysh.diagnostics.dialect import BASH, KEYSH
from keysh.diagnostics.source import Source
from keysh.interp.run.budget import Budget
from keysh.shell import completion
from keysh.shell.registry import CheckedNames, CommandRegistry
from keysh.shell.script_cache import COMPILERS
from keysh.syntax.lexer.scanner import scan
from keysh.syntax.parser import parse

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

SIZE = 40_000  # characters: each kind of text takes several ticks
TEXTS = {
    "commands": "echo a;" * (SIZE // 7),
    "lines": ": a\n" * (SIZE // 4),
    "words": "echo " + '"a$x" ' * (SIZE // 6),
    "stages": "echo a " + "| cat " * (SIZE // 6),
    "chain": "true " + "&& true " * (SIZE // 8),
    "branches": "case x in " + "a) echo a;; " * (SIZE // 12) + "esac",
    "patterns": "case x in " + "$a|" * (SIZE // 3) + "b) :;; esac",
    "tests": "[[ " + "a == b || " * (SIZE // 10) + "a ]]",
    "arithmetic": "(( " + "1+x+" * (SIZE // 4) + "1 ))",
    "heredocs": "cat <<E\nhi $x\nE\n" * (SIZE // 16),
    "a heredoc": "cat <<E\n" + "hi $x\n" * (SIZE // 6) + "E\n",
    "a list": "a=(" + "$x " * (SIZE // 3) + ")",
    "joined lines": "echo " + "\\\n" * (SIZE // 2),
    "backticks": "`" + "a;" * (SIZE // 2) + "`",
}


class Counter:
    """A tick that counts its calls, and ends the work at one of them."""

    def __init__(self, last: int = 1 << 30) -> None:
        self.calls, self.last = 0, last

    def __call__(self) -> None:
        self.calls += 1
        if self.calls >= self.last:
            raise TimeoutError


@pytest.mark.parametrize("name", TEXTS)
def test_scanning_ticks(name: str) -> None:
    tick = Counter()
    scan(Source(TEXTS[name]), tick=tick)
    assert tick.calls >= SIZE // 4096 - 2


@pytest.mark.parametrize("name", [name for name in TEXTS if name != "joined lines"])
def test_checking_and_compiling_tick(name: str) -> None:
    tree = parse(Source(TEXTS[name]))
    checking = Counter()
    check(tree, CheckedNames(CommandRegistry(), (), True), tick=checking)
    state = Shell().state
    state.budget = CountingBudget()
    COMPILERS[KEYSH].compile_script(tree, state)
    assert checking.calls or state.budget.calls


class CountingBudget(Budget):
    """A budget that counts how often it is asked."""

    calls = 0

    def check(self) -> None:
        self.calls += 1


@pytest.mark.parametrize("part", ["scan", "parse", "check"])
def test_a_tick_ends_the_work(part: str) -> None:
    source = Source(TEXTS["commands"])
    works: dict[str, Callable[[Counter], object]] = {
        "scan": lambda tick: scan(source, tick=tick),
        "parse": lambda tick: parse(source, tick),
        "check": lambda tick: check(
            parse(source), CheckedNames(CommandRegistry(), (), True), tick=tick
        ),
    }
    with pytest.raises(TimeoutError):
        works[part](Counter(3))


@pytest.mark.parametrize("dialect", [KEYSH, BASH])
def test_errors_tick(dialect: object) -> None:
    tick = Counter()
    with pytest.raises(ScriptError):
        parse(Source(";\n" * SIZE, dialect=dialect), tick)  # type: ignore[arg-type]
    assert tick.calls > 10


def test_a_compiled_script_keeps_no_run() -> None:
    """What is compiled is shared between shells; it may not hold the state of one."""
    shell = Shell()
    state = shell.state
    body = COMPILERS[KEYSH].compile_script(parse(Source("alias a='b '; a c $x; f() { :; }")), state)
    found: list[object] = []
    waiting: list[object] = [body]
    while waiting:
        one = waiting.pop()
        if any(one is known for known in found):
            continue
        found.append(one)
        waiting.extend(getattr(one, "__slots__", ()) and [
            getattr(one, slot) for slot in one.__slots__ if hasattr(one, slot)  # type: ignore[attr-defined]
        ])  # fmt: skip
        if isinstance(one, list | tuple):
            waiting.extend(one)
        waiting.extend(
            cell.cell_contents for cell in getattr(one, "__closure__", None) or () if cell
        )
        owner = getattr(one, "__self__", None)
        if owner is not None:
            waiting.append(owner)
    assert state not in [one for one in found if one.__class__ is state.__class__]


@pytest.mark.parametrize(
    "script",
    ["{text}", "eval '{text}'", "trap '{text}' EXIT", "bash -c '{text}'", "alias x='{text}'; x",
     "echo '{text}' > f; source ./f", "echo '{text}' > f; bash f"],
)  # fmt: skip
def test_reading_ends_with_the_run(script: str) -> None:
    """The time is over before the text is read: nothing of it runs."""
    text = "echo a;" * 3000
    result = Shell(limits=Limits(seconds=0.0)).run(script.format(text=text))
    assert (result.code, result.limit and result.limit.kind) == (124, "seconds")


def test_a_text_larger_than_a_value_is_not_read() -> None:
    limits = Limits(value=1000)
    result = Shell(limits=limits).run("#" * 1001)
    assert (result.code, result.limit and result.limit.kind) == (125, "value")
    result = Shell(limits=limits, files={"/f": "#" * 1001}).run(". /f")
    assert (result.code, result.limit and result.limit.kind) == (125, "value")
    assert Shell(limits=limits).run("#" * 1000).code == 0


def test_what_a_host_looks_at_has_the_limits_of_a_run() -> None:
    text = "echo a;" * 3000
    shell = Shell(limits=Limits(seconds=0.0))
    assert [found.code for found in shell.check(text)] == ["E121"]
    with pytest.raises(ScriptError, match="E121 reading the script exceeds a limit: seconds"):
        shell.plan(text)
    assert shell.complete(text) == []
    small = Shell(limits=Limits(value=100))
    assert ": value: 101 used, 100 allowed" in str(small.check("#" * 101)[0])
    assert small.complete("#" * 101) == []


def test_completion_reads_no_overlong_text() -> None:
    shell = Shell()
    room = completion.MAX_TEXT_CHARACTERS - len("ech")
    assert [each.text for each in shell.complete(" " * room + "ech")] == ["echo"]
    assert shell.complete(" " * room + " ech") == []
    assert [each.text for each in shell.complete("ech" + " " * room + "x", 3)] == ["echo"]


def test_names_before_a_command_need_no_stack() -> None:
    for word in ("command ", "builtin ", "command -p "):
        assert Shell().check(word * 5000 + "echo a") == []


def test_heredocs_nest_as_deep_as_other_constructs() -> None:
    text = "".join(f"cat <<E{number}\n$(\n" for number in range(300))
    found = Shell(dialect="bash").check(text)
    assert "E113" in [one.code for one in found]


def test_many_commands_that_cost_no_steps_end_with_the_time() -> None:
    """The run is cancelled by the first of many commands in a line."""
    cancel = Cancel()
    shell = Shell()

    def stop(sh: object) -> None:
        """Cancel the run."""
        cancel.cancel()

    shell.add(stop)
    for text in ("stop; " + "echo a; " * 3000, "stop " + "&& echo a " * 3000):
        cancel.is_cancelled = False
        result = shell.run(text, cancel=cancel)
        assert result.code == 130
        assert result.stdout.count("a") < 200
