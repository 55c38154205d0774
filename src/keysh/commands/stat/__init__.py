"""stat - what is known of files."""

from __future__ import annotations

import stat as kinds

from keysh.commands.stat.fields import file_fields, system_fields
from keysh.commands.stat.form import Form
from keysh.runtime.call import why
from keysh.runtime.quoting import quoted
from keysh.schema.declare import command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.runtime.call import Call
    from keysh.schema.types import Path

BEGINNING = (
    "  File: %N\n  Size: %-10s\tBlocks: %-10b IO Block: %-6o %F\n"
    "Device: %Hd,%Ld\tInode: %-10i  Links: "
)
END = (
    "Access: (%04a/%10.10A)  Uid: (%5u/%8U)   Gid: (%5g/%8G)\n"
    "Access: %x\nModify: %y\nChange: %z\n Birth: %w\n"
)
OF_FILES, OF_DEVICES = f"{BEGINNING}%h\n{END}", f"{BEGINNING}%-5h Device type: %Hr,%Lr\n{END}"
TERSE = "%n %s %b %f %u %g %D %i %h %t %T %X %Y %Z %W %o\n"
OF_SYSTEMS = (
    '  File: "%n"\n    ID: %-8i Namelen: %-7l Type: %T\n'
    "Block size: %-10s Fundamental block size: %S\n"
    "Blocks: Total: %-10b Free: %-10f Available: %a\nInodes: Total: %-10c Free: %d\n"
)
TERSE_SYSTEM = "%n %i %l %t %s %S %b %f %a %c %d\n"


@command
def stat(
    sh: Call,
    *files: Path,
    dereference: bool = False,
    file_system: bool = False,
    format: str | None = None,
    printf: str | None = None,
    terse: bool = False,
) -> Iterator[str]:
    """Print what is known of files, or of the file systems they are on.

    files ...             the files (at least 1)
    -L, --dereference     follow links
    -f, --file-system     of the file system that holds each file
    -c, --format FORMAT   in this format, with a newline behind it
    --printf FORMAT       in this format, with escapes such as \\n and nothing behind it
    -t, --terse           all on one line

    In a format: %n name, %N quoted name with what a link leads to, %s size, %F kind, %a mode,
    %A mode in letters, %f mode in hexadecimal, %u %U %g %G owner and group, %h links, %i inode,
    %b blocks of %B bytes, %o the best size of a read, %d %D %Hd %Ld device, %r %R %t %T %Hr %Lr
    device of a special file, %m mount point, %x %y %z %w times of access, change of contents,
    change of mode, birth (unknown), and %X %Y %Z %W the same in seconds since 1970.
    With -f: %n %i %l %t %T %s %S and blocks %b free %f available %a, files %c free %d.
    """
    given = [name for name, value in sh.given if name in ("format", "printf")]
    chosen = printf if given[-1:] == ["printf"] else format
    style = "shell-escape" if chosen is None else "shell-escape-always"
    fields = system_fields() if file_system else file_fields(style)
    for file in files:
        sh.tick()
        try:
            path = sh.path(file)
            found = sh.fs.stat(path, follow=dereference or file_system)
        except OSError as error:
            verb = "read file system information for" if file_system else "statx"
            sh.warn(f"cannot {verb} {quoted(file)}: {why(error)}")
            continue
        if chosen is not None:
            text = chosen if given[-1] == "printf" else f"{chosen}\n"
        elif file_system:
            text = TERSE_SYSTEM if terse else OF_SYSTEMS
        else:
            is_device = kinds.S_ISCHR(found.mode) or kinds.S_ISBLK(found.mode)
            text = TERSE if terse else OF_DEVICES if is_device else OF_FILES
        form = Form(sh, text, fields, reads_escapes=given[-1:] == ["printf"])
        yield form.written(file, found)
