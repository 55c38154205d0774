"""A user's program, which mypy must pass in strict mode with what py.typed promises."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Literal, assert_type

import keysh
from keysh.adapters.code import execute

if TYPE_CHECKING:
    from keysh.vfs.api import Access, Stat
    from keysh.vfs.stream import Stream


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

    def stat(self, path: str) -> Stat:
        return super().stat(path.lower())

    def open(self, path: str, access: Access = "r", permissions: int = 0o666) -> Stream:
        return super().open(path.lower(), access, permissions)


def may_run(path: str, argv: object) -> str | None:
    """Why a program may not run."""
    return f"{path} is not for us"


async def beside(shell: keysh.Shell) -> list[str]:
    """What a script prints, as it comes."""
    result = await shell.arun("ask 'is it late?'")
    pieces = [result.stdout]
    async for kind, piece in shell.stream("echo streamed"):
        if kind == "stdout":
            pieces.append(piece)
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
        job: keysh.Job = shell.start("echo job")
        print(job.wait().stdout, end="")
        print(*asyncio.run(beside(shell)), sep="", end="")
        candidates = [candidate.text for candidate in shell.complete("pain")]
        print(candidates, execute("nonsense", "1").error)
    try:
        keysh.run("exit 3").check()
    except keysh.Failed as failed:
        print(failed.result.code)


if __name__ == "__main__":
    main()
