"""Suggestions: the names nearest to a mistyped one, and what to do about a missing program."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

LETTERS_PER_SLIP = 3  # one slip is allowed for every three letters
MAX_SLIPS = 3
MAX_MISTYPED_LENGTH = 40  # longer names are not typed by hand
# Well-known programs that keysh has no command for; a version may follow the name.
COMMON_PROGRAMS = frozenset((
    "R", "Rscript", "ansible", "apk", "apt", "apt-get", "aws", "az", "black", "brew", "bun",
    "bundle", "c++", "cargo", "cc", "chroot", "clang", "clang++", "cmake", "code", "composer",
    "conda", "convert", "crontab", "ctest", "deno", "dig", "dnf", "docker",
    "docker-compose", "dotnet", "elixir", "emacs", "eslint", "ffmpeg", "ffprobe", "fish",
    "flake8", "g++", "gcc", "gcloud", "gdb", "gem", "gh", "ghc", "git", "go", "gpg", "gradle",
    "helm", "hg", "htop", "ifconfig", "iptables", "ip", "java", "javac", "jest", "journalctl",
    "julia", "kubectl", "latex", "ld", "ldd", "lldb", "lsof", "lua", "magick", "make", "man",
    "mount", "mvn", "mypy", "mysql", "nano", "nc", "netstat", "ninja", "node", "npm", "npx",
    "nslookup", "objdump", "openssl", "pandoc", "pdflatex", "pdftotext", "perl", "php", "ping",
    "pip", "pipx", "pnpm", "podman", "poetry", "psql", "pytest", "python", "rake", "redis-cli",
    "rg", "rsync", "ruby", "ruff", "rustc", "rustup", "scp", "screen", "service", "sftp", "ss",
    "ssh", "ssh-keygen", "strace", "su", "sudo", "svn", "swift", "systemctl", "tcpdump",
    "telnet", "terraform", "tmux", "top", "tox", "tsc", "umount", "useradd", "uv", "uvicorn",
    "uvx", "valgrind", "vi", "vim", "wget", "yarn", "yum", "zsh",
))  # fmt: skip


def closest_names(word: str, known: Iterable[str], most: int = 1) -> list[str]:
    """Return at most `most` of the nearest names; none if all are far."""
    if not 2 <= len(word) <= MAX_MISTYPED_LENGTH:
        return []
    allowed = min(MAX_SLIPS, max(1, len(word) // LETTERS_PER_SLIP))
    letters, ranked = set(word), []
    for name in set(known):
        if len(name) > LETTERS_PER_SLIP and word.endswith(f"-{name}"):  # `no-color`
            ranked.append((MAX_SLIPS, True, True, name))
        elif abs(len(name) - len(word)) <= allowed and len(letters ^ set(name)) <= 2 * allowed:
            slips = edit_distance(word, name)
            if slips <= allowed and is_likely_slip(word, name):
                is_other = sorted(word) != sorted(name)  # transposed letters rank first
                ranked.append((slips, is_other, name[0] != word[0], name))
    return [name for _, _, _, name in sorted(ranked)[:most]]


def missing_program_fix(name: str) -> str:
    """Return what may be done about a well-known program where none runs; "" for other names."""
    if name not in COMMON_PROGRAMS and name.rstrip("0123456789.-") not in COMMON_PROGRAMS:
        return ""
    return (
        "no programs run here; the host may allow them, with `Shell(external=True)`, or give a "
        "command of this name"
    )


def is_likely_slip(word: str, name: str) -> bool:
    """Whether a slip is a likely one: in a short name a changed letter makes another name, and the
    first letter is rarely wrong.
    """
    if sorted(word) == sorted(name) or word[1:] == name or name[1:] == word:
        return True
    is_changed = len(word) == len(name)
    shortest = 3 if name[:1] == word[:1] else 4
    return len(word) >= shortest if is_changed else name[:1] == word[:1]


def edit_distance(word: str, name: str) -> int:
    """Return the optimal string alignment distance (Damerau): insertions, deletions, substitutions
    and swaps of adjacent letters, none of them edited twice.
    """
    before: list[int] = []
    row = list(range(len(name) + 1))
    for i, letter in enumerate(word, 1):
        further, before, row = before, row, [i]
        for j, target in enumerate(name, 1):
            cost = min(before[j] + 1, row[-1] + 1, before[j - 1] + (letter != target))
            if i > 1 and j > 1 and letter == name[j - 2] and word[i - 2] == target:
                cost = min(cost, further[j - 2] + 1)
            row.append(cost)
    return row[-1]
