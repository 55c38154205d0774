"""tee - copy standard input to files and on."""

from __future__ import annotations

from keysh.runtime.call import shown, why
from keysh.runtime.streams import writer_of
from keysh.schema.declare import command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.runtime.call import Call
    from keysh.schema.types import Path
    from keysh.vfs.api import Stream


@command
def tee(
    sh: Call,
    *files: Path,
    append: bool = False,
    ignore_interrupts: bool = False,
    pipe_errors: bool = False,
) -> Iterator[str]:
    """Copy standard input to each file, and to standard output.

    files ...                  files to write
    -a, --append               write at the files' ends
    -i, --ignore-interrupts    ignored
    -p, --pipe-errors          ignored
    """
    outputs: list[tuple[str, Stream]] = []
    try:
        for name in files:
            try:
                outputs.append((name, sh.open(name, "a" if append else "w")))
            except OSError as error:
                sh.warn(f"{shown(name)}: {why(error)}")
        for source in sh.inputs(()):
            for chunk in source.chunks():
                for name, stream in list(outputs):
                    try:
                        writer_of(stream).write(chunk)
                    except OSError as error:
                        sh.warn(f"{shown(name)}: {why(error)}")
                        outputs.remove((name, stream))
                        stream.close()
                yield chunk
    finally:
        for _, stream in outputs:
            stream.close()
