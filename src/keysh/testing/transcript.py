"""Transcripts: Markdown pages whose fences hold commands and the answers they give.

This module parses a page into fences, runs them with keysh and bash, judges each fence, and writes
the page with new answers. docs/contributing.md describes the format.
"""

from __future__ import annotations

import difflib
import re
import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path, PurePosixPath
from typing import Protocol

# The name that pages show for their temporary directory, so that their text never changes.
SHOWN_HOME = "/home/keysh"

# Kinds of fences that a page may hold and that are not run. Any other kind is an error: a
# misspelt `console` would be a test that never fails.
PROSE_FENCES = {"", "json", "lark", "markdown", "python", "sh", "text", "toml"}

# A line that is not output, after any number of escapes.
MARK = re.compile(r"\\*(?:\$ |> |>$|! |!$|\[(?:\d+|no newline)\]$|`{3})")
NO_NEWLINE = "[no newline]"

# Control characters other than tab and newline, and bytes that are not UTF-8.
UNSHOWABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f\udc80-\udcff]")

FENCE = re.compile(r"(`{3,}|~{3,})[ \t]*(.*)")

# keysh's own messages: diagnostics, and those that other shells print with their own name.
OWN_MESSAGE = re.compile(r"^(?:\S+:\d+:\d+: [EW]\d{3} |keysh: )", re.MULTILINE)


class PageError(Exception):
    """The page violates the format, or an answer cannot be written in it."""


class CannotRun(Exception):
    """Raised when a runner cannot run a command."""


@dataclass(frozen=True)
class Answer:
    """The output, errors and status of one command."""

    stdout: str = ""
    stderr: str = ""
    status: int = 0

    def with_shown_place(self, directory: Path) -> Answer:
        """Return the answer with the page's directory under its fixed name."""
        place = str(directory)
        return Answer(
            self.stdout.replace(place, SHOWN_HOME),
            self.stderr.replace(place, SHOWN_HOME),
            self.status,
        )


@dataclass(frozen=True)
class PageStep:
    """A command with the answer on the page, and their line numbers."""

    command: str
    answer: Answer
    command_lines: tuple[str, ...]
    answer_lines: tuple[str, ...]


@dataclass(frozen=True)
class FileFence:
    """A file that the page creates."""

    line: int
    name: str
    text: str


@dataclass(frozen=True)
class ConsoleFence:
    """A block of steps. `start` and `end` bound its body in the lines of the page."""

    line: int
    gnu: bool
    differs: str
    dialect: str | None
    steps: tuple[PageStep, ...]
    start: int
    end: int
    has_journal: bool = False

    @property
    def commands(self) -> list[str]:
        return [step.command for step in self.steps]


@dataclass(frozen=True)
class Page:
    """A page, named by its path below tests/spec without the suffix."""

    name: str
    lines: tuple[str, ...]
    fences: tuple[FileFence | ConsoleFence, ...]

    @property
    def consoles(self) -> list[ConsoleFence]:
        return [fence for fence in self.fences if isinstance(fence, ConsoleFence)]

    @property
    def files(self) -> list[FileFence]:
        return [fence for fence in self.fences if isinstance(fence, FileFence)]


@dataclass
class Outcome:
    """The answers to a console fence."""

    keysh: list[Answer] = field(default_factory=list)
    bash: list[Answer] = field(default_factory=list)
    error: str = ""


class FenceRunner(Protocol):
    """Runs a block with keysh: returns one answer for each command, in order."""

    def run(self, fence: ConsoleFence, directory: Path) -> list[Answer]: ...


# Runs a block with bash: one answer for each command, in order.
BashRunner = Callable[[ConsoleFence, Path], list[Answer]]


# Reading


def parse_page(text: str, name: str, *, is_strict: bool = True) -> Page:
    """Return the fences of a page. `is_strict`: none may be indented or of an unknown kind.

    One that is indented would not be run.
    """
    lines = text.split("\n")
    fences: list[FileFence | ConsoleFence] = []
    at = 0
    while at < len(lines):
        opener = FENCE.match(lines[at])
        if not opener:
            indented = FENCE.match(lines[at].lstrip())
            if indented and (is_strict or is_run(indented[2])):
                raise PageError(f"{name}.md:{at + 1}: a fence is indented and would not be run")
            at += 1
            continue
        end = _fence_end(lines, at, opener[1], name)
        fence = _parse_fence(opener[2], lines, at, end, name, is_strict=is_strict)
        if fence:
            fences.append(fence)
        at = end + 1
    return Page(name, tuple(lines), tuple(fences))


def _fence_end(lines: Sequence[str], at: int, ticks: str, name: str) -> int:
    """Return the line that closes the fence: the same character, at least as often."""
    for end in range(at + 1, len(lines)):
        line = lines[end].rstrip()
        if line.startswith(ticks) and not line.strip(ticks[0]):
            return end
    raise PageError(f"{name}.md:{at + 1}: a fence is not closed")


def is_run(info: str) -> bool:
    """Whether a fence is a test, or makes a file."""
    return info.split()[:1] in (["console"], ["file"])


def _parse_fence(
    info: str, lines: Sequence[str], at: int, end: int, name: str, *, is_strict: bool
) -> FileFence | ConsoleFence | None:
    place = f"{name}.md:{at + 1}"
    if not is_strict and not is_run(info):
        return None
    words = shlex.split(info)
    dialect = "bash" if words[:2] == ["console", "bash"] else None
    match words:
        case ["file", file_name, *line_ends] if line_ends in ([], ["crlf"]):
            path = PurePosixPath(file_name)
            if path.is_absolute() or ".." in path.parts:
                raise PageError(f"{place}: a file lies outside the page: {file_name}")
            newline = "\r\n" if line_ends else "\n"
            text = "".join(line + newline for line in lines[at + 1 : end])
            return FileFence(at + 1, file_name, text)
        case ["console"] | ["console", "journal"]:
            gnu, differs = False, ""
        case ["console", "gnu" | "bash"]:
            gnu, differs = True, ""
        case ["console", "gnu" | "bash", reason] if (
            reason.startswith("differs=") and reason != "differs="
        ):
            gnu, differs = True, reason.removeprefix("differs=")
        case _ if (words[0] if words else "") in PROSE_FENCES:
            return None
        case _:
            raise PageError(f"{place}: unknown fence: {info}")
    steps = _parse_steps(lines, at + 1, end, name)
    if not steps:
        raise PageError(f"{place}: a console fence holds no command")
    has_journal = words[1:] == ["journal"]
    return ConsoleFence(at + 1, gnu, differs, dialect, tuple(steps), at + 1, end, has_journal)


def _parse_steps(lines: Sequence[str], start: int, end: int, name: str) -> list[PageStep]:
    steps = []
    at = start
    while at < end:
        place = f"{name}.md:{at + 1}"
        if not lines[at].startswith("$ ") or not lines[at][2:].strip():
            raise PageError(f"{place}: a command must come here: {lines[at]!r}")
        first = at
        at += 1
        while at < end and (lines[at].startswith("> ") or lines[at] == ">"):
            at += 1
        command_lines = tuple(lines[first:at])
        first = at
        while at < end and not lines[at].startswith("$ "):
            at += 1
        answer_lines = tuple(lines[first:at])
        command = "\n".join(line[2:] for line in command_lines)
        steps.append(
            PageStep(command, parse_answer(answer_lines, place), command_lines, answer_lines)
        )
    return steps


def parse_answer(lines: Sequence[str], place: str = "answer") -> Answer:
    streams: dict[str, list[str]] = {"stdout": [], "stderr": []}
    unended = set()
    status = 0
    for line in lines:
        if status:
            raise PageError(f"{place}: a status must end the answer: {line!r} follows")
        stream, text = "stdout", line
        if line == "!" or line.startswith("! "):
            stream, text = "stderr", line[2:]
        elif number := re.fullmatch(r"\[(\d+)\]", line):
            status = int(number[1])
            if not status:
                raise PageError(f"{place}: status 0 is not written")
            continue
        elif re.match(r"> |>$|`{3}", line):
            raise PageError(f"{place}: a mark stands where output is: {line!r}; escape it with \\")
        if stream in unended or (text == NO_NEWLINE and not streams[stream]):
            raise PageError(f"{place}: {NO_NEWLINE} must stand behind the last line: {line!r}")
        if text == NO_NEWLINE:
            unended.add(stream)
            continue
        if text.startswith("\\") and MARK.match(text):
            text = text[1:]
        streams[stream].append(text)
    texts = {
        stream: "\n".join(result) + ("\n" if result and stream not in unended else "")
        for stream, result in streams.items()
    }
    return Answer(texts["stdout"], texts["stderr"], status)


# Writing


def render_answer(answer: Answer) -> list[str]:
    """Return the lines that `parse_answer` reads back: output, errors, status."""
    lines = _render_stream(answer.stdout)
    lines += [
        f"! {line}".rstrip(" ") if not line else f"! {line}"
        for line in _render_stream(answer.stderr)
    ]
    if answer.status:
        lines.append(f"[{answer.status}]")
    return lines


def _render_stream(text: str) -> list[str]:
    if not text:
        return []
    *ended, rest = text.split("\n")
    lines = [*ended, rest] if rest else ended
    escaped = ["\\" + line if MARK.match(line) else line for line in lines]
    return [*escaped, NO_NEWLINE] if rest else escaped


def accept(page: Page, outcomes: Sequence[Outcome]) -> str:
    """Return the page with the new answers; a step with the same answer keeps its lines."""
    lines = list(page.lines)
    for fence, outcome in reversed(list(zip(page.consoles, outcomes, strict=True))):
        if outcome.error:
            continue
        body: list[str] = []
        for step, answer in zip(fence.steps, outcome.keysh, strict=True):
            body += step.command_lines
            if answer == step.answer:
                body += step.answer_lines
                continue
            if result := UNSHOWABLE.search(answer.stdout + answer.stderr):
                raise PageError(
                    f"{page.name}.md:{fence.line}: the output of {step.command!r} holds "
                    f"U+{ord(result[0]):04X}; show it through od -c"
                )
            body += render_answer(answer)
        lines[fence.start : fence.end] = body
    return "\n".join(lines)


# Running


def run_page(page: Page, keysh: FenceRunner, bash: BashRunner | None, root: Path) -> list[Outcome]:
    """Run all fences in page order, keysh and perhaps bash each in a directory of its own."""
    ours, expected = root.resolve() / "keysh", root.resolve() / "bash"
    ours.mkdir()
    expected.mkdir()
    outcomes = []
    for fence in page.fences:
        if isinstance(fence, FileFence):
            for directory in (ours, expected):
                path = directory / fence.name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(fence.text.encode())
            continue
        outcome = Outcome()
        try:
            outcome.keysh = [answer.with_shown_place(ours) for answer in keysh.run(fence, ours)]
            if fence.gnu and bash is not None:
                outcome.bash = [
                    answer.with_shown_place(expected) for answer in bash(fence, expected)
                ]
        except CannotRun as error:
            outcome.error = str(error)
        outcomes.append(outcome)
    return outcomes


def verdict(fence: ConsoleFence, outcome: Outcome) -> str:
    """Return why the fence is wrong, if possible as a unified diff; empty if it is right."""
    if outcome.error:
        return outcome.error
    if problem := difference(fence, outcome.keysh, "keysh"):
        return problem
    if not fence.gnu:
        return ""
    problem = difference(fence, comparable(fence, outcome.bash), "bash")
    if fence.differs:
        return "" if problem else f"bash agrees with the page, so this must go: {fence.differs}"
    return problem


def comparable(fence: ConsoleFence, answers: Sequence[Answer]) -> list[Answer]:
    """Return bash's answers; where keysh has a message of its own, it replaces that of bash."""
    return [
        replace(answer, stderr=step.answer.stderr)
        if answer.stderr and OWN_MESSAGE.search(step.answer.stderr)
        else answer
        for step, answer in zip(fence.steps, answers, strict=False)
    ]


def difference(fence: ConsoleFence, answers: Sequence[Answer], who: str) -> str:
    """Return a unified diff from the fence to the answers; empty if they agree."""
    if len(answers) != len(fence.steps):
        return f"{who} gave {len(answers)} answers to {len(fence.steps)} commands"
    before: list[str] = []
    after: list[str] = []
    for step, answer in zip(fence.steps, answers, strict=True):
        before += step.command_lines + step.answer_lines
        after += step.command_lines
        after += step.answer_lines if answer == step.answer else _displayed(answer)
    return "\n".join(difflib.unified_diff(before, after, "page", who, lineterm=""))


def _displayed(answer: Answer) -> list[str]:
    return [
        UNSHOWABLE.sub(lambda result: f"\\x{ord(result[0]) & 0xFF:02x}", line)
        for line in render_answer(answer)
    ]
