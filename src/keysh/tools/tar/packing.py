"""Packing: how an archive is packed, as options, programs and names' ends say."""

from __future__ import annotations

from keysh.text.gnu_quoting import locale_quoted
from keysh.tools.tar.names import FATAL, shown_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call

FORMATS = {"gzip": "gzip", "bzip2": "bzip2", "xz": "xz", "lzma": "lzma"}
PROGRAMS = {
    **FORMATS, "pigz": "gzip", "pbzip2": "bzip2", "lbzip2": "bzip2", "pixz": "xz",
}  # fmt: skip
ENDINGS = {
    ".gz": "gzip", ".tgz": "gzip", ".taz": "gzip", ".bz2": "bzip2", ".tbz": "bzip2",
    ".tbz2": "bzip2", ".tz2": "bzip2", ".xz": "xz", ".txz": "xz", ".lzma": "lzma", ".tlz": "lzma",
}  # fmt: skip
NOT_WRITTEN = (".Z", ".taZ", ".lz", ".lzo", ".zst", ".tzst")


def packing_by(sh: Call, program: str) -> tuple[str, int | None]:
    """The format of a program that packs, and the level if its words have one; none is started."""
    name, *words = program.split() or [""]
    packing = PROGRAMS.get(name.rpartition("/")[2])
    if packing is None:
        known = ", ".join(PROGRAMS)
        raise sh.fail(f"-I takes one of {known}, not {locale_quoted(program)}", FATAL)
    level = None
    for word in words:
        if len(word) == 2 and word[0] == "-" and word[1].isdecimal():
            level = int(word[1])
        elif not word.startswith(("-T", "-p")):  # how many threads
            raise sh.fail(f"-I takes a level for {name}, not {locale_quoted(word)}", FATAL)
    return packing, level


def packing_of(sh: Call, path: str) -> str:
    """The format that a name's end asks for."""
    end = next((end for end in NOT_WRITTEN if path.endswith(end)), "")
    if end:
        raise sh.fail(f"{shown_name(path)}: archives are not packed as {locale_quoted(end)}", FATAL)
    return next((kind for end, kind in ENDINGS.items() if path.endswith(end)), "")
