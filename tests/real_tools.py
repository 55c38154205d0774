"""Find the real tools of this machine by their answer to `--version`, not by their names.

`awk` may be mawk and `find` may be busybox: a comparison needs the tool that keysh follows. A test
whose tool is missing is skipped, and the last line of a run counts these tests by tool.
"""

from __future__ import annotations

import shutil
import subprocess
from functools import cache

import pytest

COREUTILS = (
    "b2sum", "base32", "base64", "basename", "basenc", "cat", "chmod", "cksum", "comm", "cp",
    "csplit", "cut", "date", "dd", "df", "dirname", "du", "echo", "env", "expand", "expr",
    "factor", "false", "fmt", "fold", "groups", "head", "id", "install", "join", "link", "ln",
    "logname", "ls", "md5sum", "mkdir", "mktemp", "mv", "nl", "nproc", "numfmt", "od", "paste",
    "pathchk", "pr", "printenv", "printf", "ptx", "pwd", "readlink", "realpath", "rm", "rmdir",
    "seq", "sha1sum", "sha224sum", "sha256sum", "sha384sum", "sha512sum", "shuf", "sleep",
    "sort", "split", "stat", "sum", "sync", "tac", "tail", "tee", "test", "timeout", "touch",
    "tr", "true", "truncate", "tsort", "tty", "uname", "unexpand", "uniq", "unlink", "users",
    "wc", "who", "whoami", "yes",
)  # fmt: skip
# Text that the answer to `--version` must contain. The coreutils' messages are of version 9.
SIGNATURES = {
    **dict.fromkeys(COREUTILS, "coreutils) 9."),
    "awk": "GNU Awk 5",
    "gawk": "GNU Awk 5",
    "bash": "GNU bash, version 5.2",
    "bc": "bc 1.07",
    "bzip2": "block-sorting file compressor",
    "cal": "-- '-'",
    "cmp": "GNU diffutils",
    "column": "util-linux",
    "diff": "GNU diffutils",
    "dos2unix": "dos2unix 7.",
    "egrep": "GNU grep",
    "envsubst": "gettext",
    "fallocate": "util-linux",
    "fgrep": "GNU grep",
    "file": "file-5.4",
    "find": "GNU findutils",
    "grep": "GNU grep",
    "gzip": "gzip 1.",
    "iconv": "GLIBC 2.",
    "jq": "jq-1.",
    "patch": "GNU patch",
    "ps": "procps-ng",
    "rev": "util-linux",
    "sed": "GNU sed",
    "strings": "GNU strings",
    "tar": "GNU tar",
    "tree": "tree v2",
    "unix2dos": "unix2dos 7.",
    "uuidgen": "util-linux",
    "xargs": "GNU findutils",
    "xz": "XZ Utils",
}
MISSING = "the judge is missing: "


@cache
def is_real(name: str) -> bool:
    """Whether the machine's program of this name is the tool that keysh follows."""
    path = shutil.which(name)
    signature = SIGNATURES.get(name)
    if path is None or signature is None:
        return path is not None
    done = subprocess.run(
        [path, "--version"], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT, timeout=20, check=False, env={"LC_ALL": "C"},
    )  # fmt: skip
    return signature in done.stdout.decode("utf-8", "replace")


def need(*names: str) -> None:
    """Skip the test if one of these tools is not the real one."""
    for name in names:
        if not is_real(name):
            pytest.skip(f"{MISSING}{name}")


def needs(*names: str) -> pytest.MarkDecorator:
    """Return the mark of tests that compare with real tools."""
    missing = [name for name in names if not is_real(name)]
    return pytest.mark.skipif(bool(missing), reason=f"{MISSING}{', '.join(missing)}")
