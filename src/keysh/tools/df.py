"""df - report the space of file systems."""

from __future__ import annotations

from keysh.gnu.file_systems import FileSystemUsage, MountPoint, mount_at, mount_points
from keysh.gnu.sizes import BadSizeUnit, SizeUnit, block_name, unit_of, unit_of_environment
from keysh.interp.state.call import UsageFailure, os_error_text
from keysh.schema.declare import OptionStyle, command
from keysh.text.gnu_quoting import message_name, quoted_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path

# The fields of --output and their headings.
HEADINGS = {
    "source": "Filesystem", "fstype": "Type", "itotal": "Inodes", "iused": "IUsed",
    "iavail": "IFree", "ipcent": "IUse%", "size": "1K-blocks", "used": "Used", "avail": "Avail",
    "pcent": "Use%", "file": "File", "target": "Mounted on",
}  # fmt: skip
LEFT_ALIGNED = ("source", "fstype", "file", "target")
MIN_WIDTHS = {"source": 14, "size": 5, "used": 5, "avail": 5, "itotal": 5, "iused": 5, "iavail": 5}
SIZE_FIELDS, INODE_FIELDS = (
    ("size", "used", "avail", "pcent"),
    ("itotal", "iused", "iavail", "ipcent"),
)


@command(
    compatible="GNU coreutils 9.1",
    style=OptionStyle(unabbreviated="kibibytes"),
    ignored="-a, --all; -l, --local; --sync, --no-sync; -v",
)
def df(
    sh: Call,
    *files: Path,
    block_size: str | None = None,
    human_readable: bool = False,
    si: bool = False,
    inodes: bool = False,
    json: bool = False,
    kibibytes: bool = False,
    output: list[str] | bool = False,
    portability: bool = False,
    type: list[str] | None = None,
    print_type: bool = False,
    exclude_type: list[str] | None = None,
    total: bool = False,
) -> Iterator[str | dict[str, object]]:
    """Report the space of mounted file systems; - stands where there is no limit.

    files ...                report the file systems of these files; all mounts by
                             default
    -B, --block-size SIZE    scale sizes by SIZE: K, 1M, human-readable
    -h, --human-readable     print sizes like 4.0K
    -H, --si                 same in powers of 1000
    -i, --inodes             report inodes instead of bytes
    --json                   print JSON lines: filesystem, size, used, available,
                             mount
    -k, --kibibytes          use blocks of 1024 bytes (default)
    --output[=FIELDS]        print these comma-separated columns, or all: source
                             fstype itotal iused iavail ipcent size used avail pcent
                             file target
    -P, --portability        use the POSIX output format
    -t, --type TYPE          only file systems of this type: memory, local, overlay,
                             ...
    -T, --print-type         print the type of each file system
    -x, --exclude-type TYPE  skip file systems of this type
    --total                  print a grand total
    """
    fields = output_fields(output, portability, print_type, inodes)
    for kind in type or ():
        if kind in (exclude_type or ()):
            raise sh.fail(f"file system type {quoted_name(kind)} both selected and excluded")
    rooms = [
        (mount, mount.usage(), file)
        for mount, file in selected_mounts(sh, files)
        if (not type or mount.kind in type) and mount.kind not in (exclude_type or ())
    ]
    if json:
        for mount, room, _ in rooms:
            yield {"filesystem": mount.kind, "size": room.total, "used": room.used,
                   "available": room.available, "mount": mount.point}  # fmt: skip
        return
    if not rooms:
        if sh.status:
            return
        raise sh.fail("no file systems processed")
    unit, heading = size_unit(sh, portability)
    headings = {**HEADINGS, "size": heading}
    if not output:
        headings["avail"] = "Avail" if heading == "Size" else "Available"
        headings["pcent"] = "Capacity" if portability else "Use%"
    rows = [[headings[field] for field in fields]]
    for mount, room, file in rooms:
        rows.append(table_row(fields, (mount.kind, mount.kind, file, mount.point), room, unit))
    if total:
        # Without the column "source" the word goes to the column "target".
        name, point = ("total", "-") if "source" in fields else ("-", "total")
        rows.append(table_row(fields, (name, "-", "-", point), total_room(rooms), unit))
    yield from aligned_lines(rows, fields)


def output_fields(
    output: list[str] | bool, portability: bool, print_type: bool, inodes: bool
) -> list[str]:
    """Return the columns to print."""
    if output is False:
        kind = ["fstype"] if print_type else []
        return ["source", *kind, *(INODE_FIELDS if inodes else SIZE_FIELDS), "target"]
    for letter, is_given in (("i", inodes), ("P", portability), ("T", print_type)):
        if is_given:
            message = f"options -{letter} and --output are mutually exclusive"
            raise UsageFailure(message)
    if output is True:
        return [*HEADINGS]
    fields: list[str] = []
    for field in ",".join(output).split(","):
        if field not in HEADINGS or field in fields:
            fault = "used more than once" if field in HEADINGS else "unknown"
            raise UsageFailure(f"option --output: field {quoted_name(field)} {fault}")
        fields.append(field)
    return fields


def selected_mounts(sh: Call, files: tuple[str, ...]) -> Iterator[tuple[MountPoint, str]]:
    """Yield the file systems of the files, each with its file; all mounts without files."""
    if not files:
        for mount in mount_points(sh):
            yield mount, "-"
    for file in files:
        try:
            sh.fs.stat(sh.path(file), follow=True)
            yield mount_at(sh, file), file
        except OSError as error:
            sh.warn(f"{message_name(file)}: {os_error_text(error)}")


def size_unit(sh: Call, portability: bool) -> tuple[SizeUnit, str]:
    """Return the unit of sizes and the heading of their column."""
    default_heading = "1024-blocks" if portability else "1K-blocks"
    unit = unit_of_environment(sh.env, "DF_BLOCK_SIZE")
    heading = default_heading if unit is None else size_heading(unit, portability)
    unit = unit or SizeUnit(1024)
    for name, value in sh.given:
        if name in ("human_readable", "si") and value:
            unit, heading = SizeUnit(base=1024 if name == "human_readable" else 1000), "Size"
        elif name == "block_size":
            try:
                unit = unit_of(value)
            except BadSizeUnit as fault:
                raise sh.fail(str(fault)) from None
            heading = size_heading(unit, portability)
        elif name == "kibibytes" and value:
            unit, heading = SizeUnit(1024), default_heading
    return unit, heading


def size_heading(unit: SizeUnit, portability: bool) -> str:
    if portability and not unit.base:
        return f"{unit.block}-blocks"
    return "Size" if unit.base else f"{block_name(unit.block, unit.suffix)}-blocks"


def table_row(
    fields: list[str], names: tuple[str, str, str, str], room: FileSystemUsage, unit: SizeUnit
) -> list[str]:
    """Return the cells of a row; `names` are the source, type, file and mount point."""

    def size(number: int | None) -> str:
        return "-" if number is None else unit.format_size(number)

    def count(number: int | None) -> str:
        return "-" if number is None else str(number)

    files_left = None if room.files is None else max(room.files - room.files_used, 0)
    cells = {
        **dict(zip(LEFT_ALIGNED, names, strict=True)),
        "size": size(room.total), "used": size(room.used), "avail": size(room.available),
        "pcent": use_percent(room.used, room.available), "itotal": count(room.files),
        "iused": count(room.files_used), "iavail": count(files_left),
        "ipcent": use_percent(room.files_used, files_left),
    }  # fmt: skip
    return [cells[field] for field in fields]


def use_percent(used: int, available: int | None) -> str:
    """Return the used share in percent, rounded up."""
    return (
        f"{-(-used * 100 // (used + available))}%"
        if available is not None and used + available
        else "-"
    )


def total_room(rooms: list[tuple[MountPoint, FileSystemUsage, str]]) -> FileSystemUsage:
    """Add up all file systems, each once."""
    total, seen = FileSystemUsage(), set()
    for mount, room, _ in rooms:
        if id(mount.fs) in seen:
            continue
        seen.add(id(mount.fs))
        for name in ("total", "free", "available", "used", "files", "files_used"):
            number = getattr(room, name)
            if number is not None:
                setattr(total, name, (getattr(total, name) or 0) + number)
    return total


def aligned_lines(rows: list[list[str]], fields: list[str]) -> Iterator[str]:
    """Align names to the left and numbers to the right."""
    widths = [
        max(MIN_WIDTHS.get(field, 0), *(len(cells[index]) for cells in rows))
        for index, field in enumerate(fields)
    ]
    for cells in rows:
        aligned = [
            cell.ljust(width) if field in LEFT_ALIGNED else cell.rjust(width)
            for field, cell, width in zip(fields, cells, widths, strict=True)
        ]
        if fields[-1] in LEFT_ALIGNED:
            aligned[-1] = cells[-1]
        yield " ".join(aligned) + "\n"
