"""bc - a calculator with numbers of any length."""

from __future__ import annotations

from functools import partial

from keysh.schema.declare import command
from keysh.tools.bc.mathematics import MATHLIB_SCALE, MATHLIB_SIGNATURES, MathLibrary
from keysh.tools.bc.problem import AbandonProgram, HaltProgram
from keysh.tools.bc.session import BcSession

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from keysh.interp.state.call import Call
    from keysh.interp.streams.streams import Reader
    from keysh.schema.types import Path

STANDARD_INPUT_NAME = "(standard_in)"
STATUS_UNAVAILABLE = 1
MAX_LINE_CHARACTERS = 1 << 24


@command(compatible="GNU bc 1.07.1", ignored="-q, --quiet; -i, --interactive")
def bc(
    sh: Call,
    *files: Path,
    mathlib: bool = False,
    standard: bool = False,
    warn: bool = False,
) -> int:
    """Calculate with numbers of any length: run programs from files, then from stdin.

    files ...            programs to run first
    -l, --mathlib        define s(x) c(x) a(x) l(x) e(x) j(n,x) and set scale to 20
    -s, --standard       treat extensions to POSIX as errors
    -w, --warn           warn of extensions to POSIX
    -h, --help           print this help
    -v, --version        print the version of keysh

    echo 'scale=2; 10/3' | bc
    echo 'ibase=16; FF' | bc
    echo '4*a(1)' | bc -l
    """
    options = BcOptions(sh, [*files], mathlib=mathlib, standard=standard, warn=warn)
    session = BcSession(sh, options.posix_mode, partial(read_program_line, sh, sh.stdin))
    if options.has_mathematics:
        space = session.machine.space
        space["scale"] = MATHLIB_SCALE
        mathematics = MathLibrary(lambda: int(space["scale"]), session.machine.arithmetic)
        session.machine.define_native(MATHLIB_SIGNATURES, mathematics.functions())
    session.run(program_sources(sh, options.files))
    return sh.status


class BcOptions:
    """The options and files of the command line, after those of BC_ENV_ARGS."""

    __slots__ = ("files", "has_mathematics", "posix_mode")

    def __init__(
        self, sh: Call, files: list[str], *, mathlib: bool, standard: bool, warn: bool
    ) -> None:
        self.has_mathematics = mathlib
        self.posix_mode = "s" if standard else "w" if warn else ""
        env_files: list[str] = []
        for word in sh.env.get("BC_ENV_ARGS", "").split():
            letters = LONG_OPTIONS.get(word, word.removeprefix("-"))
            if word.startswith("-") and set(letters) <= set("lswqi"):
                self.has_mathematics |= "l" in letters
                self.posix_mode = (
                    "s" if "s" in letters else "w" if "w" in letters else self.posix_mode
                )
            else:
                env_files.append(word)
        self.files = env_files + files


LONG_OPTIONS = {
    "--mathlib": "l", "--standard": "s", "--warn": "w", "--quiet": "q", "--interactive": "i",
}  # fmt: skip


def program_sources(sh: Call, files: list[str]) -> Iterator[tuple[str, Callable[[], str]]]:
    """Yield the name of each file, then of standard input, with a function that reads a line."""
    for name in files:
        try:
            reader = sh.open_reader(name)
        except OSError:
            sh.complain(f"File {name} is unavailable.")
            sh.status = STATUS_UNAVAILABLE
            raise HaltProgram from None
        try:
            yield name, partial(read_program_line, sh, reader)
        finally:
            reader.close()
    yield STANDARD_INPUT_NAME, partial(read_program_line, sh, sh.stdin)


def read_program_line(sh: Call, reader: Reader) -> str:
    """Read the next line of a program."""
    sh.tick()
    try:
        text = reader.read_part(MAX_LINE_CHARACTERS, "\n")
    except OSError:
        sh.status = STATUS_UNAVAILABLE
        raise AbandonProgram("read() in flex scanner failed") from None
    if len(text) == MAX_LINE_CHARACTERS and not text.endswith("\n"):
        sh.status = STATUS_UNAVAILABLE
        raise AbandonProgram(f"a line is longer than {MAX_LINE_CHARACTERS} characters")
    return text
