"""The families of the commands, by which a model is told what there is.

The best known names of a family stand first. Each command is in one family, which a test holds
against the registry.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Collection

FAMILIES = {
    "text": (
        "grep", "sed", "awk", "sort", "cut", "tr", "head", "tail", "uniq", "wc", "cat", "diff",
        "column", "comm", "csplit", "dos2unix", "egrep", "envsubst", "expand", "fgrep", "fmt",
        "fold", "gawk", "iconv", "join", "less", "lines", "mawk", "more", "nawk", "nl", "numfmt",
        "paste", "patch", "rev", "shuf", "split", "strings", "tac", "tee", "tsort", "unexpand",
        "unix2dos", "words", "yes",
    ),
    "data": (
        "jq", "csv", "sqlite3", "yq", "table", "fromjson", "fromyaml", "tojson", "curl",
        "fromjsonl", "fromtoml", "keys", "tojsonl", "toyaml", "values", "typeof", "push",
    ),
    "files": (
        "ls", "find", "cp", "mv", "rm", "mkdir", "touch", "ln", "chmod", "stat", "du", "tree",
        "basename", "chgrp", "chown", "cmp", "dd", "df", "dirname", "fallocate", "file", "glob",
        "install", "link", "mkfifo", "mktemp", "pathchk", "readlink", "realpath", "rmdir", "shred",
        "sync", "truncate", "umask", "unlink",
    ),
    "packing and digests": (
        "tar", "gzip", "zip", "unzip", "base64", "sha256sum", "md5sum", "b2sum", "base32", "basenc",
        "bunzip2", "bzcat", "bzegrep", "bzfgrep", "bzgrep", "bzip2", "cksum", "gunzip", "hexdump",
        "lzcat", "lzma", "od", "sha1sum", "sha224sum", "sha384sum", "sha512sum", "sum", "unlzma",
        "unxz", "xxd", "xz", "xzcat", "xzegrep", "xzfgrep", "xzgrep", "zcat", "zegrep", "zfgrep",
        "zgrep",
    ),
    "numbers and dates": ("date", "bc", "seq", "cal", "expr", "factor", "ncal", "uuidgen"),
    "running commands": (
        "xargs", "timeout", "env", "bash", "sh", "scatter", "gather", "dash", "flock", "keysh",
        "logger", "nice", "nohup", "run", "setsid", "sleep", "spawn", "stdbuf", "watch", "time",
    ),
    "the system": (
        "id", "uname", "whoami", "ps", "arch", "clear", "getconf", "groups", "hostname", "logname",
        "nproc", "pgrep", "pkill", "printenv", "tput", "tty", "uptime", "users", "which", "who",
    ),
    "the shell itself": (
        "echo", "printf", "cd", "test", "export", "read", "declare", "local", "set", "trap", ".",
        ":", "[", "alias", "assert", "bg", "break", "builtin", "caller", "changes", "command",
        "compgen", "complete", "compopt", "continue", "dirs", "disown", "eval", "exec", "exit",
        "false", "fg", "getopt", "getopts", "hash", "help", "jobs", "kill", "let", "mapfile",
        "popd", "pushd", "pwd", "readarray", "readonly", "redo", "result", "return", "shift",
        "shopt", "source", "times", "true", "type", "typeset", "ulimit", "unalias", "undo",
        "unset", "wait",
    ),
}  # fmt: skip

MAX_EXAMPLES = 8  # of a family


def family_summaries(names: Collection[str]) -> list[str]:
    """Return a text for each family of which any commands are there: how many, and which."""
    summaries = []
    for family, members in FAMILIES.items():
        present = [name for name in members if name in names]
        if present:
            more = " …" if len(present) > MAX_EXAMPLES else ""
            summaries.append(
                f"{len(present)} for {family} ({' '.join(present[:MAX_EXAMPLES])}{more})"
            )
    return summaries
