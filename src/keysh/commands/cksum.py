"""cksum - checksums of files, and digests by any algorithm."""

from __future__ import annotations

from keysh.runtime.checksums import Check, escaped, hexadecimal
from keysh.runtime.progress import Progress
from keysh.runtime.quoting import locale_quoted
from keysh.runtime.sums import SUMS, sum_line
from keysh.schema.bind import Misuse
from keysh.schema.declare import command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.runtime.call import Call
    from keysh.schema.types import Path

# The names that hashlib has, and those that lines of digests show.
DIGESTS = {
    "md5": ("md5", "MD5"), "sha1": ("sha1", "SHA1"), "sha224": ("sha224", "SHA224"),
    "sha256": ("sha256", "SHA256"), "sha384": ("sha384", "SHA384"), "sha512": ("sha512", "SHA512"),
    "blake2b": ("blake2b", "BLAKE2b"),
}  # fmt: skip


@command
def cksum(
    sh: Call,
    *files: Path,
    algorithm: str = "crc",
    check: bool = False,
    untagged: bool = False,
    tag: bool = False,
    zero: bool = False,
    ignore_missing: bool = False,
    quiet: bool = False,
    status: bool = False,
    strict: bool = False,
    warn: bool = False,
) -> Iterator[str]:
    """Print the CRC checksum and the size of each file, or its digest.

    files ...               files to read, - for standard input
    -a, --algorithm TYPE    crc, bsd, sysv, md5, sha1, sha224, sha256, sha384, sha512 or blake2b
    -c, --check             the files are lists of digests: check the files that these name
    --untagged              print digests without the algorithm's name
    --tag                   print the name, which is the default
    -z, --zero              lines end with NUL, and names are printed as they are
    --ignore-missing        with -c, a file that is missing is no failure
    --quiet                 with -c, print only what fails
    --status                with -c, print nothing
    --strict                with -c, a line that is no digest is a failure
    -w, --warn              with -c, tell of each line that is no digest
    """
    if algorithm not in SUMS and algorithm not in DIGESTS:
        names = "".join(f"\n  - {locale_quoted(name)}" for name in (*SUMS, *DIGESTS))
        says = f"invalid argument {locale_quoted(algorithm)} for '--algorithm'"
        raise Misuse("E303", -1, f"{says}\nValid arguments are:{names}")
    if check:
        if algorithm in SUMS:
            raise sh.fail("--check is not supported with --algorithm={bsd,sysv,crc}")
        flags = {"ignore_missing": ignore_missing, "strict": strict, "status": status,
                 "warn": warn, "quiet": quiet}  # fmt: skip
        wishes = {name for name, is_wanted in flags.items() if is_wanted}
        for path in files or ("-",):
            yield from Check(sh, *DIGESTS[algorithm], wishes).results(path)
        return
    tags = [name for name, _ in sh.given if name in ("tag", "untagged")]
    is_tagged = not tags or tags[-1] == "tag"
    del tag, untagged
    progress = Progress(sh)
    for source in sh.inputs(files):
        before, sh.status = sh.status, 0
        if algorithm in SUMS:
            value, size = SUMS[algorithm](progress.reading(source))
            end = "\0" if zero else "\n"
            line = sum_line(algorithm, value, size, source.name if files else "", end)
        else:
            name, title = DIGESTS[algorithm]
            digest = hexadecimal(name, progress.reading(source))
            around = (f"{title} (", f") = {digest}") if is_tagged else (f"{digest}  ", "")
            line = escaped(around[0], source.name, around[1], zero)
        if not sh.status:
            yield line
        sh.status = max(before, sh.status)
