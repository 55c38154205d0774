"""cksum - checksums of files, and digests by any algorithm."""

from __future__ import annotations

from keysh.gnu.checksums import (
    ALGORITHM_TITLES,
    SUM_FUNCTIONS,
    DigestAlgorithm,
    DigestCheck,
    blake2b_digest,
    checksum_options,
    digest_line,
    sum_line,
)
from keysh.gnu.progress import Progress
from keysh.interp.state.call import UsageFailure
from keysh.schema.declare import command
from keysh.text.gnu_quoting import locale_quoted_text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.call import Call
    from keysh.schema.types import Path


@command
def cksum(
    sh: Call,
    *files: Path,
    algorithm: str | None = None,
    check: bool = False,
    length: str = "0",
    untagged: bool = False,
    tag: bool = False,
    zero: bool = False,
    ignore_missing: bool = False,
    quiet: bool = False,
    status: bool = False,
    strict: bool = False,
    warn: bool = False,
    json: bool = False,
) -> Iterator[object]:
    """Print the CRC checksum and the size of each file, or its digest.

    files ...               files to read, - for standard input
    -a, --algorithm TYPE    crc, bsd, sysv, md5, sha1, sha224, sha256, sha384, sha512 or blake2b
    -c, --check             the files are lists of digests: check the files that these name;
                            without -a each line names its algorithm
    -l, --length BITS       blake2b of so many bits, a multiple of 8
    --untagged              print digests without the algorithm's name
    --tag                   print the name, which is the default
    -z, --zero              lines end with NUL, and names are printed as they are
    --ignore-missing        with -c, a file that is missing is no failure
    --quiet                 with -c, print only what fails
    --status                with -c, print nothing
    --strict                with -c, a line that is no digest is a failure
    -w, --warn              with -c, tell of each line that is no digest
    --json                  rows as JSON lines: name, algorithm, digest; or sum and size
    """
    kind = algorithm or "crc"
    if kind not in SUM_FUNCTIONS and kind not in ALGORITHM_TITLES:
        names = "".join(
            f"\n  - {locale_quoted_text(name)}" for name in (*SUM_FUNCTIONS, *ALGORITHM_TITLES)
        )
        says = f"invalid argument {locale_quoted_text(kind)} for '--algorithm'"
        raise UsageFailure(f"{says}\nValid arguments are:{names}")
    if any(name == "length" for name, _ in sh.given) and kind != "blake2b":
        raise sh.fail("--length is only supported with --algorithm=blake2b")
    digest = None
    if kind in ALGORITHM_TITLES:
        digest = blake2b_digest(sh, kind, length) if kind == "blake2b" else DigestAlgorithm(kind)
    del tag, untagged, ignore_missing, quiet, status, strict, warn
    if check:
        if algorithm in SUM_FUNCTIONS:
            raise sh.fail("--check is not supported with --algorithm={bsd,sysv,crc}")
        for path in files or ("-",):
            yield from DigestCheck(sh, digest, checksum_options(sh)).results(path)
        return
    tags = [name for name, _ in sh.given if name in ("tag", "untagged")]
    is_tagged = not tags or tags[-1] == "tag"
    end = "\0" if zero else "\n"
    progress = Progress(sh)
    for source in sh.inputs(files):
        before, sh.status = sh.status, 0
        row: dict[str, object] = {"name": source.name, "algorithm": kind}
        if digest is None:
            value, size = SUM_FUNCTIONS[kind](progress.read_input(source))
            row.update(sum=value, size=size)
            line = sum_line(kind, value, size, source.name if files else "", end)
        else:
            found = row["digest"] = digest.digest_of(progress.read_input(source))
            around = (f"{digest.tag} (", f") = {found}") if is_tagged else (f"{found}  ", "")
            line = digest_line(around[0], source.name, around[1], zero)
        if not sh.status:
            yield row if json else line
        sh.status = max(before, sh.status)
