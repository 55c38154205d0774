"""bc - a calculator with numbers of any length."""

from __future__ import annotations

from functools import partial

from keysh.interp.streams.streams import reader_of
from keysh.schema.declare import command
from keysh.tools.bc.mathematics import SCALE, SIGNATURES, Mathematics
from keysh.tools.bc.problem import GivenUp, Halted
from keysh.tools.bc.session import Session

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from keysh.interp.state.call import Call
    from keysh.interp.streams.streams import Reader
    from keysh.schema.types import Path

STANDARD_INPUT = "(standard_in)"
UNAVAILABLE = 1
MOST_OF_LINE = 1 << 24


@command
def bc(
    sh: Call,
    *files: Path,
    mathlib: bool = False,
    quiet: bool = False,
    standard: bool = False,
    warn: bool = False,
    interactive: bool = False,
) -> int:
    """Calculate: run the programs in files, and then what standard input says, line by line.

    files ...            programs to run first
    -l, --mathlib        with s(x) c(x) a(x) l(x) e(x) j(n,x), and a scale of 20
    -q, --quiet          without a welcome, as it is anyway
    -s, --standard       what POSIX has not is an error
    -w, --warn           what POSIX has not is told
    -i, --interactive    as it is anyway: each line runs before the next is read
    -h, --help           print this help
    -v, --version        print which keysh this is

    echo 'scale=2; 10/3' | bc        echo 'ibase=16; FF' | bc        echo '4*a(1)' | bc -l
    """
    given = Given(sh, [*files], mathlib=mathlib, standard=standard, warn=warn)
    session = Session(sh, given.manner, partial(line_of, sh, sh.stdin))
    if given.has_mathematics:
        space = session.machine.space
        space["scale"] = SCALE
        mathematics = Mathematics(lambda: int(space["scale"]), session.machine.arithmetic)
        session.machine.define_native(SIGNATURES, mathematics.functions())
    session.run(programs(sh, given.files))
    return sh.status


class Given:
    """What arguments ask for, those of BC_ENV_ARGS before the others."""

    __slots__ = ("files", "has_mathematics", "manner")

    def __init__(
        self, sh: Call, files: list[str], *, mathlib: bool, standard: bool, warn: bool
    ) -> None:
        self.has_mathematics = mathlib
        self.manner = "s" if standard else "w" if warn else ""
        early: list[str] = []
        for word in sh.env.get("BC_ENV_ARGS", "").split():
            letters = LONG.get(word, word.removeprefix("-"))
            if word.startswith("-") and set(letters) <= set("lswqi"):
                self.has_mathematics |= "l" in letters
                self.manner = "s" if "s" in letters else "w" if "w" in letters else self.manner
            else:
                early.append(word)
        self.files = early + files


LONG = {
    "--mathlib": "l", "--standard": "s", "--warn": "w", "--quiet": "q", "--interactive": "i",
}  # fmt: skip


def programs(sh: Call, files: list[str]) -> Iterator[tuple[str, Callable[[], str]]]:
    """What is read, with the names that messages call it; the files first."""
    for name in files:
        try:
            reader = reader_of(sh.open(name))
        except OSError:
            sh.err.write(f"File {name} is unavailable.\n")
            sh.status = UNAVAILABLE
            raise Halted from None
        try:
            yield name, partial(line_of, sh, reader)
        finally:
            reader.close()
    yield STANDARD_INPUT, partial(line_of, sh, sh.stdin)


def line_of(sh: Call, reader: Reader) -> str:
    """The next line of a file."""
    sh.tick()
    try:
        text = reader.read_part(MOST_OF_LINE, "\n")
    except OSError:
        sh.status = UNAVAILABLE
        raise GivenUp("read() in flex scanner failed") from None
    if len(text) == MOST_OF_LINE and not text.endswith("\n"):
        sh.status = UNAVAILABLE
        raise GivenUp(f"a line is longer than {MOST_OF_LINE} characters")
    return text
