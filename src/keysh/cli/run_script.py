"""The program that runs scripts: `keysh SCRIPT`, `keysh -c TEXT`, `keysh -s`.

By itself it is a shell as others are: it sees the machine's files, environment and programs.
`--sandbox`, `--memory` and `--no-external` take them away.
"""

from __future__ import annotations

import os
import sys
from errno import EBADF
from io import FileIO

from keysh.cli.arguments import wishes_of
from keysh.cli.console import UsageError, complain, put, put_json
from keysh.cli.setup import introduce, options_of
from keysh.cli.signals import Hearing
from keysh.diagnostics.display import visible
from keysh.diagnostics.errors import UnwritableOutput
from keysh.interp.run.control_flow import ReaderGone
from keysh.interp.run.options import OPTION_BITS, OPTION_LETTERS
from keysh.interp.streams.descriptors import DISCARD_WRITER
from keysh.interp.streams.open_files import FileReader, FileWriter
from keysh.shell.shell import Shell
from keysh.syntax.bash_differences import option_refusal

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from keysh.cli.arguments import Wishes

WRONG = 2  # what is no script
NOT_FOUND, NOT_ALLOWED = 127, 126  # a script that is not there, or cannot be read


def run(arguments: Sequence[str]) -> int:
    """Run the script that the arguments mean; the status."""
    hold_streams()
    wishes = wishes_of(arguments)
    for dialect in wishes.all("--dialect"):
        if dialect != "keysh":
            raise UsageError(
                f"--dialect needs keysh, but has {dialect}; `keysh migrate` helps with sh"
            )
    is_prompt = asks_prompt(wishes)
    if is_prompt:
        secure_streams()
    try:
        text, name, rest = ("", "keysh", []) if is_prompt else script_of(wishes)
    except OSError as error:
        complain(f"keysh: {visible(error.filename or wishes.operands[0])}: {error.strerror}\n")
        return NOT_FOUND if isinstance(error, FileNotFoundError) else NOT_ALLOWED
    options = options_of(wishes)
    shell = Shell(**options, args=rest, name=name)
    introduce(shell, wishes, options)
    if wishes.plan:
        return plan(shell, text, wishes.plan)
    switch_options(shell, wishes)
    if is_prompt:
        from keysh.repl import prompt  # noqa: PLC0415 - scripts need none

        status = prompt(shell)
        shell.close()
    else:
        status = run_text(shell, text, is_json="--json" in wishes.flags)
    if "--overlay" in wishes.flags:
        from keysh.cli.overlay import keep  # noqa: PLC0415 - only where it is asked for
        from keysh.vfs.overlay.filesystem import OverlayFS  # noqa: PLC0415 - it is loaded, and has a type

        overlay = shell.fs.mounts["/"]
        assert isinstance(overlay, OverlayFS)
        status = keep(overlay, "--commit" in wishes.flags, status)
    return status


def run_text(shell: Shell, text: str, *, is_json: bool) -> int:
    """Run a script, which hears the signals of the program; its status."""
    hearing = Hearing(shell)
    if is_json:
        result = shell.run(text, stdin=None if sys.stdin is None else sys.stdin.buffer)
        put_json(result.record())
    else:
        err = DISCARD_WRITER if sys.stderr is None else standard(2)
        shell.attach(FileReader(hearing.input), standard(1), err)
        result = shell.run(text)
    shell.close()
    hearing.end()
    return result.code


def asks_prompt(wishes: Wishes) -> bool:
    """Whether a person is to write what runs: there is no script, and the input is a terminal."""
    is_script = wishes.text is not None or wishes.reads_input or wishes.operands
    is_printed = "--json" in wishes.flags or wishes.plan
    return not is_script and not is_printed and sys.stdin is not None and sys.stdin.isatty()


def hold_streams() -> None:
    """See that what is opened later does not take the number of a stream that is closed.

    Who reads or writes there is told EBADF all the same: it is open for the other one.
    """
    for number, mode in enumerate((os.O_WRONLY, os.O_RDONLY, os.O_RDONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(os.devnull, mode), True)  # the least number that is free


def secure_streams() -> None:
    """See that a person has where to write and is answered."""
    if sys.stdout is None:
        raise OSError(EBADF, os.strerror(EBADF))
    if sys.stderr is None:
        os.dup2(1, 2)


def standard(number: int) -> FileWriter:
    """Where the program writes: at once, all of it; when nobody reads any more it ends."""
    writer = FileWriter(FileIO(number, "wb", closefd=False))  # unbuffered

    def put(text: str) -> None:
        data = text.encode("utf-8", "surrogateescape")
        try:
            while data:
                data = data[os.write(number, data) :]
        except BrokenPipeError:
            raise ReaderGone from None
        except OSError as error:
            raise UnwritableOutput(error) from None

    writer.put = put
    return writer


def script_of(wishes: Wishes) -> tuple[str, str, list[str]]:
    """The text to run, `$0`, and the arguments."""
    operands = wishes.operands
    if wishes.text is not None:
        name, *rest = operands or ["keysh"]
        return wishes.text, name, rest
    if wishes.reads_input or not operands or operands[0] == "-":
        rest = operands if wishes.reads_input else operands[1:]
        data = sys.stdin.buffer.read() if sys.stdin is not None else b""
        return data.decode("utf-8", "surrogateescape"), "keysh", rest
    name, *rest = operands
    with open(name, "rb") as file:
        return file.read().decode("utf-8", "surrogateescape"), name, rest


def switch_options(shell: Shell, wishes: Wishes) -> None:
    """Turn on what `-e` and `-o NAME` ask for."""
    for written in wishes.letters:
        sign, letter, _, option = written[0], written[1], *written[2:].partition(" ")[1:]
        name = option or OPTION_LETTERS.get(letter, "")
        if letter == "o" and name not in OPTION_BITS:
            raise UsageError(f"no such option: -o {visible(name)}")
        if name in OPTION_BITS:
            if refused := option_refusal(name, sign == "-"):
                raise UsageError(refused)
            shell.switch(name, sign == "-")


def plan(shell: Shell, text: str, form: str) -> int:
    """Print what a script would run."""
    from keysh.diagnostics.errors import ScriptError  # noqa: PLC0415 - only where it is asked for

    try:
        made = shell.plan(text)
    except ScriptError as error:
        complain("".join(f"{diagnostic}\n" for diagnostic in error.diagnostics))
        return WRONG
    if form == "tree":
        put("".join(f"{line}\n" for line in str(made).splitlines()))
        return 0
    put_json(made.record())
    return 0
