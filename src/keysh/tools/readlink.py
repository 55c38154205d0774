"""readlink - print the targets of symbolic links, or real paths."""

from __future__ import annotations

from keysh.interp.state.call import os_error_text
from keysh.schema.declare import OutputStyle, command
from keysh.text.gnu_quoting import message_name
from keysh.vfs.real_paths import real_path

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path

MISSING_ALLOWED = {
    "canonicalize": "last",
    "canonicalize_existing": "none",
    "canonicalize_missing": "all",
}


@command(compatible="GNU coreutils 9.1", output=OutputStyle(lines=True))
def readlink(
    sh: Call,
    *files: Path,
    canonicalize: bool = False,
    canonicalize_existing: bool = False,
    canonicalize_missing: bool = False,
    no_newline: bool = False,
    quiet: bool = False,
    verbose: bool = False,
    zero: bool = False,
) -> Iterator[str]:
    """Print the targets of symbolic links, or the real paths of files.

    files ...                    the links (at least 1)
    -f, --canonicalize           print the real path; only the last component may be
                                 missing
    -e, --canonicalize-existing  print the real path; all components must exist
    -m, --canonicalize-missing   print the real path; any component may be missing
    -n, --no-newline             do not print the trailing newline of a single path
    -q, -s, --quiet, --silent    suppress error messages (default)
    -v, --verbose                print error messages
    -z, --zero                   end each line with NUL, not with a newline
    """
    modes = [MISSING_ALLOWED[name] for name, value in sh.given if name in MISSING_ALLOWED and value]
    verbosity = [name for name, value in sh.given if name in ("quiet", "verbose") and value]
    terminator = "\0" if zero else "\n"
    if no_newline and len(files) > 1:
        sh.note("ignoring --no-newline with multiple arguments")
    elif no_newline:
        terminator = ""
    for file in files:
        try:
            text = (
                real_path(sh.fs, sh.path(file), modes[-1])
                if modes
                else sh.fs.read_link(sh.path(file))
            )
            yield text + terminator
        except OSError as error:
            sh.status = 1
            if verbosity[-1:] == ["verbose"]:
                sh.warn(f"{message_name(file)}: {os_error_text(error)}")
