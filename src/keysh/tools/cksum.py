"""cksum - checksums and digests of files."""

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


@command(compatible="GNU coreutils 9.1")
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
    """Print the CRC checksum and size of each file, or a digest.

    files ...             files to read, - for standard input
    -a, --algorithm TYPE  crc, bsd, sysv, md5, sha1, sha224, sha256, sha384, sha512
                          or blake2b
    -c, --check           read digests from the files and check the files they name;
                          without -a each line must name its algorithm
    -l, --length BITS     digest length for blake2b, a multiple of 8
    --untagged            print digests without the algorithm's name
    --tag                 print the algorithm's name (default)
    -z, --zero            end each line with NUL and do not escape file names
    --ignore-missing      with -c, do not fail for missing files
    --quiet               with -c, do not print OK for each file that matches
    --status              with -c, print nothing; the exit status shows success
    --strict              with -c, fail on malformed lines
    -w, --warn            with -c, warn about malformed lines
    --json                print JSON lines: name, algorithm, digest; or sum and size
    """
    kind = algorithm or "crc"
    if kind not in SUM_FUNCTIONS and kind not in ALGORITHM_TITLES:
        names = "".join(
            f"\n  - {locale_quoted_text(name)}" for name in (*SUM_FUNCTIONS, *ALGORITHM_TITLES)
        )
        message = f"invalid argument {locale_quoted_text(kind)} for '--algorithm'"
        raise UsageFailure(f"{message}\nValid arguments are:{names}")
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
    terminator = "\0" if zero else "\n"
    progress = Progress(sh)
    for source in sh.inputs(files):
        previous_status, sh.status = sh.status, 0
        row: dict[str, object] = {"name": source.name, "algorithm": kind}
        if digest is None:
            value, size = SUM_FUNCTIONS[kind](progress.read_input(source))
            row.update(sum=value, size=size)
            line = sum_line(kind, value, size, source.name if files else "", terminator)
        else:
            hexadecimal = row["digest"] = digest.digest_of(progress.read_input(source))
            affixes = (
                (f"{digest.tag} (", f") = {hexadecimal}") if is_tagged else (f"{hexadecimal}  ", "")
            )
            line = digest_line(affixes[0], source.name, affixes[1], zero)
        if not sh.status:
            yield row if json else line
        sh.status = max(previous_status, sh.status)
