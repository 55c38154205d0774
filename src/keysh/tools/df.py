"""df - how much room file systems have."""

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

# What --output may name, with the heading of each column.
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


@command(style=OptionStyle(unabbreviated="kibibytes ignored"))
def df(
    sh: Call,
    *files: Path,
    all: bool = False,
    block_size: str | None = None,
    human_readable: bool = False,
    si: bool = False,
    inodes: bool = False,
    json: bool = False,
    kibibytes: bool = False,
    local: bool = False,
    output: list[str] | bool = False,
    portability: bool = False,
    sync: bool = False,
    type: list[str] | None = None,
    print_type: bool = False,
    exclude_type: list[str] | None = None,
    ignored: bool = False,
    total: bool = False,
) -> Iterator[str | dict[str, object]]:
    """Print how much room the mounted file systems have: a dash where nothing bounds it.

    files ...                of the file systems that hold these; all mounts where none are given
    -a, --all                ignored; all mounts are always shown
    -B, --block-size SIZE    in such blocks: K, 1M, human-readable
    -h, --human-readable     sizes as 4.0K
    -H, --si                 the same in powers of 1000
    -i, --inodes             count files, not bytes
    --json                   rows as JSON lines: filesystem, size, used, available, mount
    -k, --kibibytes          in blocks of 1024 bytes; the default
    -l, --local              ignored; no file system is known to be far away
    --sync                   ignored, as is --no-sync
    --output[=FIELDS]        these columns: source fstype itotal iused iavail ipcent size used
                             avail pcent file target, with commas between them; all without
    -P, --portability        the headings of POSIX
    -t, --type KIND          only file systems of this kind: memory, local, overlay, …
    -T, --print-type         the kind of each file system
    -x, --exclude-type KIND  none of this kind
    -v, --ignored            ignored
    --total                  the sum of all at the end
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
        # The word stands in the last column where there is none for the file system.
        name, point = ("total", "-") if "source" in fields else ("-", "total")
        rows.append(table_row(fields, (name, "-", "-", point), total_room(rooms), unit))
    yield from aligned_lines(rows, fields)


def output_fields(
    output: list[str] | bool, portability: bool, print_type: bool, inodes: bool
) -> list[str]:
    """The columns."""
    if output is False:
        kind = ["fstype"] if print_type else []
        return ["source", *kind, *(INODE_FIELDS if inodes else SIZE_FIELDS), "target"]
    for letter, is_given in (("i", inodes), ("P", portability), ("T", print_type)):
        if is_given:
            says = f"options -{letter} and --output are mutually exclusive"
            raise UsageFailure(says)
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
    """The file systems that hold files, each with its file; all where none are named."""
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
    """The unit of sizes, and the heading of their column."""
    usual = "1024-blocks" if portability else "1K-blocks"
    unit = unit_of_environment(sh.env, "DF_BLOCK_SIZE")
    heading = usual if unit is None else size_heading(unit, portability)
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
            unit, heading = SizeUnit(1024), usual
    return unit, heading


def size_heading(unit: SizeUnit, portability: bool) -> str:
    """The heading of the column of sizes."""
    if portability and not unit.base:
        return f"{unit.block}-blocks"
    return "Size" if unit.base else f"{block_name(unit.block, unit.suffix)}-blocks"


def table_row(
    fields: list[str], names: tuple[str, str, str, str], room: FileSystemUsage, unit: SizeUnit
) -> list[str]:
    """A file system's line; `names` are its own, its kind's, the file's and the mount point's."""

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


def use_percent(used: int, left: int | None) -> str:
    """How much of all is used, rounded up."""
    return f"{-(-used * 100 // (used + left))}%" if left is not None and used + left else "-"


def total_room(rooms: list[tuple[MountPoint, FileSystemUsage, str]]) -> FileSystemUsage:
    """All rooms together, each file system once."""
    whole, seen = FileSystemUsage(), set()
    for mount, room, _ in rooms:
        if id(mount.fs) in seen:
            continue
        seen.add(id(mount.fs))
        for name in ("total", "free", "available", "used", "files", "files_used"):
            number = getattr(room, name)
            if number is not None:
                setattr(whole, name, (getattr(whole, name) or 0) + number)
    return whole


def aligned_lines(rows: list[list[str]], fields: list[str]) -> Iterator[str]:
    """Rows in columns: names to the left, numbers to the right."""
    widths = [
        max(MIN_WIDTHS.get(field, 0), *(len(cells[at]) for cells in rows))
        for at, field in enumerate(fields)
    ]
    for cells in rows:
        made = [
            cell.ljust(width) if field in LEFT_ALIGNED else cell.rjust(width)
            for field, cell, width in zip(fields, cells, widths, strict=True)
        ]
        if fields[-1] in LEFT_ALIGNED:
            made[-1] = cells[-1]
        yield " ".join(made) + "\n"
