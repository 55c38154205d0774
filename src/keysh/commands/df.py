"""df - how much room file systems have."""

from __future__ import annotations

from keysh.runtime.call import why
from keysh.runtime.file_systems import Mount, Room, mount_at, mounts_of
from keysh.runtime.human_size import Unit, unit_of
from keysh.runtime.quoting import quoted, shown
from keysh.schema.declare import command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.runtime.call import Call
    from keysh.schema.types import Path


@command
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
    portability: bool = False,
    print_type: bool = False,
    total: bool = False,
) -> Iterator[str | dict[str, object]]:
    """Print how much room the mounted file systems have: a dash where nothing bounds it.

    files ...              of the file systems that hold these; all mounts where none are given
    -a, --all              ignored; all mounts are always shown
    -B, --block-size SIZE  in such blocks: K, 1M, human-readable
    -h, --human-readable   sizes as 4.0K
    -H, --si               the same in powers of 1000
    -i, --inodes           count files, not bytes
    --json                 rows as JSON lines: filesystem, size, used, available, mount
    -k, --kibibytes        in blocks of 1024 bytes; the default
    -P, --portability      the headings of POSIX
    -T, --print-type       the kind of each file system
    --total                the sum of all at the end
    """
    mounts = []
    for file in files:
        try:
            sh.fs.stat(sh.path(file), follow=True)
            mounts.append(mount_at(sh, file))
        except OSError as error:
            sh.warn(f"{shown(file)}: {why(error)}")
    mounts = mounts if files else mounts_of(sh)
    rooms = [(mount, mount.room()) for mount in mounts]
    if json:
        for mount, room in rooms:
            yield {"filesystem": mount.kind, "size": room.total, "used": room.used,
                   "available": room.available, "mount": mount.point}  # fmt: skip
        return
    if not rooms:
        if files:
            return
        raise sh.fail("no file systems processed")
    unit, heading = unit_for(sh, portability)
    rows = [headings(heading, inodes, portability, print_type)]
    rows += [row(mount.kind, mount.kind, mount.point, room, unit, inodes, print_type)
             for mount, room in rooms]  # fmt: skip
    if total:
        rows.append(row("total", "-", "-", summed(rooms), unit, inodes, print_type))
    yield from table(rows, 1 + print_type)


def unit_for(sh: Call, portability: bool) -> tuple[Unit, str]:
    """The unit of sizes, and the heading of their column."""
    unit, heading = Unit(1024), "1024-blocks" if portability else "1K-blocks"
    for name, value in sh.given:
        if name in ("human_readable", "si") and value:
            unit, heading = Unit(base=1024 if name == "human_readable" else 1000), "Size"
        elif name == "block_size":
            found = unit_of(value)
            if found is None:
                raise sh.fail(f"invalid --block-size argument {quoted(value)}")
            one = "1" if value[:1].isalpha() else ""
            unit, heading = found, "Size" if found.base else f"{one}{value}-blocks"
    return unit, heading


def headings(size: str, inodes: bool, portability: bool, print_type: bool) -> list[str]:
    kind = ["Type"] if print_type else []
    if inodes:
        return ["Filesystem", *kind, "Inodes", "IUsed", "IFree", "IUse%", "Mounted on"]
    share = "Capacity" if portability else "Use%"
    available = "Avail" if size == "Size" else "Available"
    return ["Filesystem", *kind, size, "Used", available, share, "Mounted on"]


def row(
    name: str, kind: str, point: str, room: Room, unit: Unit, inodes: bool, print_type: bool
) -> list[str]:
    """A file system's line."""

    def size(number: int | None) -> str:
        return "-" if number is None else str(number) if inodes else unit.shown(number)

    if inodes:
        whole, used = room.files, room.files_used
        left = None if whole is None else max(whole - used, 0)
    else:
        whole, used, left = room.total, room.used, room.available
    share = "-"
    if left is not None and used + left:
        share = f"{-(-used * 100 // (used + left))}%"
    kinds = [kind] if print_type else []
    return [name, *kinds, size(whole), size(used), size(left), share, point]


def summed(rooms: list[tuple[Mount, Room]]) -> Room:
    """All rooms together, each file system once."""
    whole, seen = Room(), set()
    for mount, room in rooms:
        if id(mount.fs) in seen:
            continue
        seen.add(id(mount.fs))
        for name in ("total", "free", "available", "used", "files", "files_used"):
            number = getattr(room, name)
            if number is not None:
                setattr(whole, name, (getattr(whole, name) or 0) + number)
    return whole


def table(rows: list[list[str]], names: int) -> Iterator[str]:
    """Rows in columns: the first few and the last to the left, numbers to the right."""
    least = [14, *[0] * (names - 1), 5, 5, 5]
    widths = [
        max([len(cells[at]) for cells in rows] + [least[at] if at < len(least) else 0])
        for at in range(len(rows[0]) - 1)
    ]
    for cells in rows:
        made = [
            cell.ljust(width) if at < names else cell.rjust(width)
            for at, (cell, width) in enumerate(zip(cells, widths, strict=False))
        ]
        yield " ".join([*made, cells[-1]]) + "\n"
