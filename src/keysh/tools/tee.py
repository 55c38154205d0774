"""tee - copy standard input to files and standard output."""

from __future__ import annotations

from keysh.diagnostics.exceptions import UnwritableOutput
from keysh.gnu.option_values import choice_of
from keysh.interp.state.call import os_error_text
from keysh.interp.streams.streams import writer_of
from keysh.schema.declare import command
from keysh.text.gnu_quoting import message_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path
    from keysh.vfs.stream import Stream

ERROR_MODES = {mode: mode for mode in ("warn", "warn-nopipe", "exit", "exit-nopipe")}


@command(compatible="GNU coreutils 9.1", ignored="-i, --ignore-interrupts; -p")
def tee(
    sh: Call,
    *files: Path,
    append: bool = False,
    output_error: str | bool = False,
) -> Iterator[str]:
    """Copy standard input to each file and to standard output.

    files ...                files to write
    -a, --append             append to the files instead of overwriting them
    --output-error[=MODE]    on write errors: warn or warn-nopipe continue with the
                             other files, exit or exit-nopipe end the run

    If nothing reads standard output any more, the run ends in every mode.
    """
    mode = output_error if isinstance(output_error, str) else "warn"
    exits = choice_of("--output-error", mode, ERROR_MODES)[:4] == "exit"
    outputs: list[tuple[str, Stream]] = []
    is_output_open = True
    try:
        for name in files:
            try:
                outputs.append((name, sh.open(name, "a" if append else "w")))
            except OSError as error:
                report_write_error(sh, name, error, exits=exits)
        for source in sh.inputs((), "read error: {why}"):
            for chunk in source.chunks():
                for name, stream in list(outputs):
                    try:
                        writer_of(stream).write(chunk)
                    except OSError as error:
                        report_write_error(sh, name, error, exits=exits)
                        outputs.remove((name, stream))
                        stream.close()
                try:
                    sh.out.write(chunk if is_output_open else "")
                except UnwritableOutput as fault:
                    report_write_error(sh, "standard output", fault.error, exits=exits)
                    is_output_open = False
                if not (outputs or is_output_open):
                    return
                yield ""  # lets the next stage of the pipeline read
    finally:
        for _, stream in outputs:
            stream.close()


def report_write_error(sh: Call, name: str, error: OSError, *, exits: bool) -> None:
    """Report a file that cannot be written; with `exits` fail."""
    message = f"{message_name(name)}: {os_error_text(error)}"
    if exits:
        raise sh.fail(message)
    sh.warn(message)
