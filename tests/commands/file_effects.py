"""Compare the effects of a command and the real tool on two copies of a varied directory."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from commands.command_runner import Answer, run_in_copies
from commands.directory_tree import tree

CONTENTS = {"a": b"1\n", "b": bytes(range(256)), "d/x": b"3", "d/sub/y": b"", "e/a": b"old\n",
            "run": b"#!", "new": b"new", "two words": b"", "it's": b"q"}  # fmt: skip


def fill(root: Path) -> Path:
    """Create files, directories, both kinds of links, modes and old times."""
    root.mkdir(exist_ok=True)
    for name in ("d/sub", "e/d", "empty"):
        (root / name).mkdir(parents=True)
    for name, content in CONTENTS.items():
        (root / name).write_bytes(content)
    os.link(root / "a", root / "hard")
    for name, target in {"to_a": "a", "to_d": "d", "nowhere": "missing", "d/up": "../a"}.items():
        (root / name).symlink_to(target)
    (root / "run").chmod(0o4755)
    (root / "b").chmod(0o600)
    for at, name in enumerate([*CONTENTS, "d/sub", "d", "e", "e/d", "empty"]):
        os.utime(root / name, ns=(10**12 + at, 10**15 + at * 1_000_000_007))
    os.utime(root / "to_a", ns=(5, 77), follow_symlinks=False)
    return root


def run_both(
    folder: Path,
    name: str,
    *words: str,
    stdin: bytes = b"",
    times: bool = False,
    more: Callable[[Path], object] = Path,
    **env: str,
) -> Answer:
    """Run both and assert equal answers and results. `more` adds files to each copy."""

    def fill_both(place: Path) -> None:
        more(fill(place))

    answer, expected = run_in_copies(folder, name, words, fill_both, stdin=stdin, env=env)
    assert in_any_order(answer) == in_any_order(expected), words
    assert tree(folder / "here", times=times) == tree(folder / "there", times=times), words
    return answer


def in_any_order(answer: Answer) -> Answer:
    """Sort the lines, because the order of directory entries is unknown."""
    lines = (b"\n".join(sorted(answer.out.split(b"\n"))), "\n".join(sorted(answer.err.split("\n"))))
    return Answer(answer.status, *lines)
