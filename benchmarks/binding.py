"""Compare binding `head -n 3 -q a.txt`, and building the schema, with argparse and click.

    python benchmarks/binding.py [--rounds N]

Contenders take turns in every round, so that noise affects all of them equally; the best round
counts. All must read the same values. click is timed only if it is installed.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

from keysh.schema.binder import bind
from keysh.schema.command import Command
from keysh.schema.declare import command_from_function

ARGUMENTS = ["-n", "3", "-q", "a.txt"]
CALLS_PER_ROUND = 200


def head(
    sh: object,
    *files: str,
    lines: int = 10,
    bytes: int | None = None,
    quiet: bool = False,
    verbose: bool = False,
) -> None:
    """Print the first lines of each file, or of standard input.

    files ...          files to read; standard input when none are given
    -n, --lines NUM    how many lines to print; all but the last NUM if negative
    -c, --bytes NUM    how many bytes to print
    -q, --quiet        never print headers
    -v, --verbose      always print headers
    """


def by_argparse() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("head", description="Print the first lines of each file.")
    parser.add_argument("files", nargs="*", help="files to read")
    parser.add_argument("-n", "--lines", type=int, default=10, help="how many lines to print")
    parser.add_argument("-c", "--bytes", type=int, default=None, help="how many bytes to print")
    parser.add_argument("-q", "--quiet", action="store_true", help="never print headers")
    parser.add_argument("-v", "--verbose", action="store_true", help="always print headers")
    return parser


Read = tuple[list[str], int, bool]


def read_by_keysh(command: Command) -> Read:
    bound = bind(command, ARGUMENTS)
    return bound.positional, bound.options.get("lines", 10), bound.options.get("quiet", False)


def read_by_argparse(parser: argparse.ArgumentParser) -> Read:
    options = parser.parse_args(ARGUMENTS)
    return options.files, options.lines, options.quiet


def contenders() -> dict[str, tuple[Callable[[], object], Callable[[], Read]]]:
    """Return for each a function that builds its parser, and one that reads the arguments."""
    command, parser = command_from_function(head), by_argparse()
    calls_by_name: dict[str, tuple[Callable[[], object], Callable[[], Read]]] = {
        "keysh": (lambda: command_from_function(head), lambda: read_by_keysh(command)),
        "argparse": (by_argparse, lambda: read_by_argparse(parser)),
    }
    try:
        import click  # noqa: PLC0415 - only if it is installed
    except ImportError:
        return calls_by_name

    def by_click() -> click.Command:
        return click.Command(
            "head",
            params=[
                click.Argument(["files"], nargs=-1),
                click.Option(["-n", "--lines"], type=int, default=10),
                click.Option(["-c", "--bytes"], type=int, default=None),
                click.Option(["-q", "--quiet"], is_flag=True),
                click.Option(["-v", "--verbose"], is_flag=True),
            ],
        )

    click_command = by_click()

    def read() -> Read:
        params = click_command.make_context("head", list(ARGUMENTS)).params
        return list(params["files"]), params["lines"], params["quiet"]

    calls_by_name["click"] = (by_click, read)
    return calls_by_name


def microseconds(call: Callable[[], object]) -> float:
    start = time.perf_counter()
    for _ in range(CALLS_PER_ROUND):
        call()
    return (time.perf_counter() - start) * 1e6 / CALLS_PER_ROUND


def main() -> None:
    """Print the measurements."""
    options = argparse.ArgumentParser()
    options.add_argument("--rounds", type=int, default=60)
    rounds = options.parse_args().rounds
    calls_by_name = contenders()
    for name, (_, read) in calls_by_name.items():
        assert read() == (["a.txt"], 3, True), name
    for act, place in (("build the schema", 0), ("bind", 1)):
        best = dict.fromkeys(calls_by_name, float("inf"))
        for _ in range(rounds):
            for name, calls in calls_by_name.items():
                best[name] = min(best[name], microseconds(calls[place]))
        for name, spent in best.items():
            print(f"{act:17} {name:9} {spent:8.2f} us   {spent / best['keysh']:6.1f} x")


if __name__ == "__main__":
    main()
