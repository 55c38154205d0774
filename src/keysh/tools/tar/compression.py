"""Choose the compression from options, program names and file name suffixes."""

from __future__ import annotations

from keysh.text.gnu_quoting import locale_quoted_text
from keysh.tools.tar.safe_names import FATAL_STATUS, shown_name

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call

FORMATS = {"gzip": "gzip", "bzip2": "bzip2", "xz": "xz", "lzma": "lzma"}
PROGRAMS = {
    **FORMATS, "pigz": "gzip", "pbzip2": "bzip2", "lbzip2": "bzip2", "pixz": "xz",
}  # fmt: skip
SUFFIX_FORMATS = {
    ".gz": "gzip", ".tgz": "gzip", ".taz": "gzip", ".bz2": "bzip2", ".tbz": "bzip2",
    ".tbz2": "bzip2", ".tz2": "bzip2", ".xz": "xz", ".txz": "xz", ".lzma": "lzma", ".tlz": "lzma",
}  # fmt: skip
UNSUPPORTED_SUFFIXES = (".Z", ".taZ", ".lz", ".lzo", ".zst", ".tzst")


def packing_by(sh: Call, program: str) -> tuple[str, int | None]:
    """Return the format of a compression program, and its level. No program is run."""
    name, *words = program.split() or [""]
    packing = PROGRAMS.get(name.rpartition("/")[2])
    if packing is None:
        known = ", ".join(PROGRAMS)
        raise sh.fail(f"-I takes one of {known}, not {locale_quoted_text(program)}", FATAL_STATUS)
    level = None
    for word in words:
        if len(word) == 2 and word[0] == "-" and word[1].isdecimal():
            level = int(word[1])
        elif not word.startswith(("-T", "-p")):  # number of threads
            raise sh.fail(
                f"-I takes a level for {name}, not {locale_quoted_text(word)}", FATAL_STATUS
            )
    return packing, level


def packing_of(sh: Call, path: str) -> str:
    """Return the format that a file name's suffix implies."""
    suffix = next((suffix for suffix in UNSUPPORTED_SUFFIXES if path.endswith(suffix)), "")
    if suffix:
        raise sh.fail(
            f"{shown_name(path)}: this compression is not supported: {locale_quoted_text(suffix)}",
            FATAL_STATUS,
        )
    return next((kind for suffix, kind in SUFFIX_FORMATS.items() if path.endswith(suffix)), "")
