"""A user's program, which mypy must pass in strict mode with what py.typed promises."""

from __future__ import annotations

import asyncio
import datetime as dt
import io
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING, Annotated, Any, Literal, assert_type

import keysh
from keysh.adapters.code import execute
from keysh.testing import FakePrograms, ProgramCall

if TYPE_CHECKING:
    from typing import Unpack

    from keysh.vfs.api import Access


@keysh.command
def paint(
    sh: keysh.Call,
    *files: keysh.Path,
    colour: Literal["red", "blue"] = "red",
    size: keysh.Size | None = None,
    wait: keysh.Duration | None = None,
) -> int:
    """Paint files.

    files ...         what to paint
    --colour COLOUR   red or blue
    --size SIZE       how large
    --wait TIME       how long to wait before
    """
    for file in files:
        with sh.open(file) as stream:
            sh.out.write(f"{colour}: {stream.read().decode()}")
    return 0


@keysh.command
async def ask(sh: keysh.Call, question: str) -> str:
    """Ask, and wait for the answer.

    question  what to ask
    """
    await asyncio.sleep(0)
    return f"{question} no\n"


class Lower(keysh.ReadOnlyFS):
    """A file system that overrides two methods of one of keysh's."""

    def stat(self, path: str) -> keysh.Stat:
        return super().stat(path.lower())

    def open(self, path: str, access: Access = "r", permissions: int = 0o666) -> keysh.Stream:
        return super().open(path.lower(), access, permissions)


class Colour(Enum):
    """A colour."""

    RED = "red"
    BLUE = "blue"


@dataclass
class Point:
    """A place."""

    x: int
    y: int = 0


def plot(
    at: Point, day: dt.date | None = None, *, colour: Annotated[Colour, "of the dot"] = Colour.RED
) -> Point:
    """Plot a point; an ordinary function.

    Args:
        at: where
    """
    return Point(at.x + (day.day if day else 0), len(colour.value))


class Service:
    """An object whose methods are commands."""

    @keysh.command
    def status(self, sh: keysh.Call) -> str:
        """Tell the status."""
        return f"{sh.name} is fine\n"


class Buffers(keysh.FileSystem):
    """A file system whose streams are Python's own."""

    def open(self, path: str, access: Access = "r", permissions: int = 0o666) -> io.BytesIO:
        return io.BytesIO(path.encode())


class Counters(keysh.FileSystem):
    """A file system whose streams have one method."""

    def open(self, path: str, access: Access = "r", permissions: int = 0o666) -> Any:
        return Counter()


class Counter:
    """A stream that is read."""

    def read(self, size: int = -1, /) -> bytes:
        return b""


def checked(shell: keysh.Shell, text: str, **options: Unpack[keysh.RunOptions]) -> str:
    """Pass options on to a run."""
    return shell.run(text, **options).check().stdout


def show(event: dict[str, object]) -> None:
    """Print an event of a run or a program."""
    print(event["event"], event.get("argv"))


def git(call: ProgramCall) -> int:
    """Stand for git."""
    call.stdout.write(f"{call.args}\n")
    return 0


def may_run(path: str, argv: object) -> str | None:
    """Why a program may not run."""
    return f"{path} is not for us"


async def beside(shell: keysh.Shell) -> list[str]:
    """What a script prints, as it comes."""
    result = await shell.arun("ask 'is it late?'")
    pieces = [result.stdout]
    async for piece in shell.stream("echo streamed", timeout=5):
        match piece:
            case keysh.StdoutPiece(text=text) | keysh.StderrPiece(text=text):
                pieces.append(assert_type(text, str))
            case keysh.StreamEnd(result=end):
                assert_type(end, keysh.Result)
    return pieces


def main() -> None:
    """Use what hosts use."""
    policy = keysh.Policy(allow=["ls"], on_spawn=may_run)
    mounts: dict[str, keysh.FileSystem] = {
        "/": Lower(keysh.MemoryFS({"/a.txt": "a"})),
        "/dev": keysh.DevFS(),
    }
    limits = keysh.Limits(steps=10_000, seconds=5.0, output=None)
    with keysh.Shell(mounts, external=policy, limits=limits, commands=[paint, ask]) as shell:
        result = shell.run("paint /A.TXT colour=blue", stdin=b"", env={"X": "1"}, timeout=5)
        assert_type(result, keysh.Result)
        assert_type(result.check().stdout, str)
        assert_type(result.stdout_bytes, bytes)
        assert_type(result.limit is None, bool)
        print(result.stdout)
        shell.vars["hosts"] = ["a", {"b": 1}]
        print(shell.vars["hosts"], len(shell.vars) > 1)
        diagnostics: list[keysh.Diagnostic] = shell.check("fi")
        print(diagnostics[0].code, diagnostics[0].severity, shell.plan("ls").is_opaque)
        plan: keysh.Plan = shell.plan("ls -l > out")
        assert_type(plan.commands[0]["arguments"], list[str | None])
        assert_type(plan.commands[0]["redirections"][0]["target"], str | None)
        command: keysh.Command = shell.add(plot)
        shell.add(Service().status)
        print(command.json_schema()["required"])
        print(checked(shell, "plot at=x=3 colour=blue; status", timeout=5, env={"A": "b"}), end="")
        print(keysh.run("echo $A", env={"A": "b"}, timeout=5).stdout, end="")
        job: keysh.Job = shell.start("echo job")
        print(job.wait().stdout, end="")
        print(*asyncio.run(beside(shell)), sep="", end="")
        with FakePrograms({"git": git}) as programs:
            told = keysh.Events(show, only=["program"], secrets=["hunter2"])
            watched = keysh.Shell(external=programs.policy, env=programs.env, on_event=told)
            print(watched.run("git status").check().stdout, programs.calls[0].args)
        candidates = [candidate.text for candidate in shell.complete("pain")]
        print(candidates, execute("nonsense", "1").error)
    try:
        keysh.run("exit 3").check()
    except keysh.Failed as failed:
        print(failed.result.code)


if __name__ == "__main__":
    main()
