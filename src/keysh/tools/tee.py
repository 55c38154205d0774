"""tee - copy standard input to files and on."""

from __future__ import annotations

from keysh.diagnostics.errors import UnwritableOutput
from keysh.gnu.options import choice_of
from keysh.interp.state.call import os_error_text
from keysh.interp.streams.streams import writer_of
from keysh.schema.declare import OptionStyle, command
from keysh.text.gnu_quoting import message_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path
    from keysh.vfs.api import Stream

ERROR_MODES = {mode: mode for mode in ("warn", "warn-nopipe", "exit", "exit-nopipe")}


@command(style=OptionStyle(unabbreviated="pipe-errors"))
def tee(
    sh: Call,
    *files: Path,
    append: bool = False,
    ignore_interrupts: bool = False,
    pipe_errors: bool = False,
    output_error: str | bool = False,
) -> Iterator[str]:
    """Copy standard input to each file, and to standard output.

    files ...                  files to write
    -a, --append               write at the files' ends
    -i, --ignore-interrupts    ignored
    -p, --pipe-errors          ignored
    --output-error[=MODE]      where a file cannot be written: warn or warn-nopipe, and the others
                               go on; exit or exit-nopipe, and all ends

    Where no one reads the output any more, the run of the pipeline ends whatever the mode.
    """
    mode = output_error if isinstance(output_error, str) else "warn"
    ends = choice_of("--output-error", mode, ERROR_MODES)[:4] == "exit"
    outputs: list[tuple[str, Stream]] = []
    is_heard = True
    try:
        for name in files:
            try:
                outputs.append((name, sh.open(name, "a" if append else "w")))
            except OSError as error:
                report_write_error(sh, name, error, ends=ends)
        for source in sh.inputs((), "read error: {why}"):
            for chunk in source.chunks():
                for name, stream in list(outputs):
                    try:
                        writer_of(stream).write(chunk)
                    except OSError as error:
                        report_write_error(sh, name, error, ends=ends)
                        outputs.remove((name, stream))
                        stream.close()
                try:
                    sh.out.write(chunk if is_heard else "")
                except UnwritableOutput as fault:
                    report_write_error(sh, "standard output", fault.error, ends=ends)
                    is_heard = False
                if not (outputs or is_heard):
                    return
                yield ""  # a stage that reads on takes what has been written
    finally:
        for _, stream in outputs:
            stream.close()


def report_write_error(sh: Call, name: str, error: OSError, *, ends: bool) -> None:
    """Tell of a file that cannot be written, and end where that is asked for."""
    says = f"{message_name(name)}: {os_error_text(error)}"
    if ends:
        raise sh.fail(says)
    sh.warn(says)
