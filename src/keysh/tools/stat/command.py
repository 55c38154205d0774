"""stat: print the status of files or file systems."""

from __future__ import annotations

from keysh.gnu.file_facts import disk_blocks, file_row, is_device, iso_time
from keysh.gnu.file_systems import mount_at
from keysh.gnu.option_values import choice_of
from keysh.gnu.owners import Owners
from keysh.interp.state.call import os_error_text
from keysh.schema.declare import command
from keysh.text.gnu_quoting import quoted_name
from keysh.tools.stat.fields import file_fields, system_fields
from keysh.tools.stat.form import StatFormat

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path
    from keysh.vfs.api import Stat

FILE_FORMAT_START = (
    "  File: %N\n  Size: %-10s\tBlocks: %-10b IO Block: %-6o %F\n"
    "Device: %Hd,%Ld\tInode: %-10i  Links: "
)
FILE_FORMAT_END = (
    "Access: (%04a/%10.10A)  Uid: (%5u/%8U)   Gid: (%5g/%8G)\n"
    "Access: %x\nModify: %y\nChange: %z\n Birth: %w\n"
)
FILE_FORMAT, DEVICE_FORMAT = (
    f"{FILE_FORMAT_START}%h\n{FILE_FORMAT_END}",
    f"{FILE_FORMAT_START}%-5h Device type: %Hr,%Lr\n{FILE_FORMAT_END}",
)
TERSE_FORMAT = "%n %s %b %f %u %g %D %i %h %t %T %X %Y %Z %W %o\n"
SYSTEM_FORMAT = (
    '  File: "%n"\n    ID: %-8i Namelen: %-7l Type: %T\n'
    "Block size: %-10s Fundamental block size: %S\n"
    "Blocks: Total: %-10b Free: %-10f Available: %a\nInodes: Total: %-10c Free: %d\n"
)
TERSE_SYSTEM_FORMAT = "%n %i %l %t %s %S %b %f %a %c %d\n"


@command(compatible="GNU coreutils 9.1")
def stat(
    sh: Call,
    *files: Path,
    cached: str | None = None,
    dereference: bool = False,
    file_system: bool = False,
    format: str | None = None,
    json: bool = False,
    printf: str | None = None,
    terse: bool = False,
) -> Iterator[str | dict[str, object]]:
    """Print the status of files or file systems.

    files ...             the files (at least 1)
    --cached WHEN         ignored: always, never, default; nothing is cached
    -L, --dereference     follow symbolic links
    -f, --file-system     print the status of the file system of each file
    -c, --format FORMAT   print FORMAT and a newline
    --json                print rows: name, type, size, mode, links, owner, group,
                          modified, inode, accessed, changed, blocks, device,
                          target; with -f the space and type of the file system
    --printf FORMAT       print FORMAT with escapes such as \\n, without a newline
    -t, --terse           print all on one line

    Formats for files: %n name, %N quoted name with link target, %s size, %F type,
    %a permissions, %A permissions in letters, %f mode in hexadecimal, %u %U %g %G
    owner and group, %h links, %i inode, %b blocks of %B bytes, %o optimal I/O size,
    %d %D %Hd %Ld device, %r %R %t %T %Hr %Lr device of a special file, %m mount
    point, %x %y %z %w times of access, modification, status change and birth
    (unknown), %X %Y %Z %W the same in seconds since 1970.

    With -f: %n %i %l %t %T %s %S, blocks %b free %f available %a, inodes %c free
    %d.
    """
    if cached is not None:
        choice_of("--cached", cached, {word: word for word in ("default", "never", "always")})
    format_options = [name for name, value in sh.given if name in ("format", "printf")]
    chosen = printf if format_options[-1:] == ["printf"] else format
    style = "literal" if chosen is None else "shell-escape-always"
    fields = system_fields() if file_system else file_fields(style)
    for file in files:
        sh.tick()
        try:
            path = sh.path(file)
            file_stat = sh.fs.stat(path, follow=dereference or file_system)
        except OSError as error:
            verb = "read file system information for" if file_system else "statx"
            sh.warn(f"cannot {verb} {quoted_name(file)}: {os_error_text(error)}")
            continue
        if json:
            yield system_row(sh, file) if file_system else stat_row(sh, file, file_stat)
            continue
        if chosen is not None:
            text = chosen if format_options[-1] == "printf" else f"{chosen}\n"
        elif file_system:
            text = TERSE_SYSTEM_FORMAT if terse else SYSTEM_FORMAT
        else:
            text = TERSE_FORMAT if terse else DEVICE_FORMAT if is_device(file_stat) else FILE_FORMAT
        formatter = StatFormat(sh, text, fields, reads_escapes=format_options[-1:] == ["printf"])
        yield formatter.text_for(file, file_stat)


def stat_row(sh: Call, name: str, file_stat: Stat) -> dict[str, object]:
    """Return the status of a file as a record."""
    row = file_row(Owners(sh), name, file_stat)
    row["accessed"], row["changed"] = iso_time(file_stat.accessed), iso_time(file_stat.changed)
    row["blocks"], row["device"] = disk_blocks(file_stat), file_stat.device
    if file_stat.is_link:
        row["target"] = sh.fs.read_link(sh.path(name))
    return row


def system_row(sh: Call, name: str) -> dict[str, object]:
    """Return the status of a file system as a record; unknown numbers are null."""
    mount = mount_at(sh, name)
    room = mount.usage()
    return {"name": name, "type": mount.kind, "mount": mount.point, "size": room.total,
            "used": room.used, "available": room.available, "files": room.files,
            "files_used": room.files_used}  # fmt: skip
