"""How long a person waits at the prompt: until it is there, and for each key, in a real terminal.

    python benchmarks/prompt.py [--rounds N] [--lines N]

A key is timed from its writing until the screen has changed; medians, and the slowest of ten.
"""

from __future__ import annotations

import argparse
import compileall
import os
import pty
import select
import statistics
import sys
import tempfile
import time
from pathlib import Path

import keysh

LINE = 'for x in "$a" ${b:-c} $(ls | head -n 3); do echo "got $x" | grep -q x && y=$((y + 1)); done'
FUNCTION = ["work() {", '    if [[ -n $1 ]]; then echo "$1" | cut -c 2-; fi', "    :", "}"]
QUIET = 0.15  # seconds without output after which the screen is as it will be
LATEST = 20.0


class Terminal:
    """The program in a terminal of 80 columns."""

    def __init__(self, home: str) -> None:
        self.began = time.perf_counter()
        pid, self.fd = pty.fork()
        if not pid:
            env = {"HOME": home, "PATH": os.environ["PATH"], "TERM": "xterm", "PS1": "ready> ",
                   "LANG": "C.UTF-8"}  # fmt: skip
            os.chdir(home)
            os.execve(sys.executable, [sys.executable, "-m", "keysh"], env)
        self.pid = pid

    def until(self, sign: bytes) -> float:
        """Wait for a sign; the seconds since the terminal was made."""
        seen = b""
        while sign not in seen:
            seen += self.read(LATEST)
        return time.perf_counter() - self.began

    def read(self, patience: float) -> bytes:
        """Some output; nothing where none comes."""
        ready = select.select([self.fd], [], [], patience)[0]
        return os.read(self.fd, 1 << 16) if ready else b""

    def settle(self) -> None:
        """Wait until nothing changes any more."""
        while self.read(QUIET):
            pass

    def press(self, key: bytes) -> float:
        """Press a key; the seconds until the screen shows it."""
        began = time.perf_counter()
        os.write(self.fd, key)
        if not self.read(LATEST):
            raise SystemExit("the screen does not change")
        spent = time.perf_counter() - began
        self.settle()
        return spent

    def close(self) -> None:
        """End it."""
        os.close(self.fd)
        os.waitpid(self.pid, 0)


def typed(home: str, text: str, keys: int) -> list[float]:
    """The times of keys at the end of a text and in its middle."""
    terminal = Terminal(home)
    terminal.until(b"ready>")
    terminal.settle()
    os.write(terminal.fd, b"\x1b[200~" + text.encode() + b"\x1b[201~")
    terminal.settle()
    times = [terminal.press(b"x") for _ in range(keys)]
    for _ in range(20):
        os.write(terminal.fd, b"\x1b[A")
        terminal.settle()
    times += [terminal.press(b"x") for _ in range(keys)]
    terminal.close()
    return times


def main() -> None:
    """Print the figures."""
    options = argparse.ArgumentParser()
    options.add_argument("--rounds", type=int, default=10)
    options.add_argument("--lines", type=int, default=200)
    given = options.parse_args()
    compileall.compile_dir(Path(keysh.__file__).parent, quiet=2)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    with tempfile.TemporaryDirectory() as home:
        starts = []
        for _ in range(given.rounds):
            terminal = Terminal(home)
            starts.append(terminal.until(b"ready>") * 1e3)
            terminal.close()
        print(f"prompt ready          {statistics.median(starts):7.1f} ms")
        texts = {
            "one line": LINE,
            f"{given.lines} lines": "\n".join([LINE] * given.lines),
            f"one of {given.lines} lines": "\n".join(["{", *FUNCTION * (given.lines // 4), "}"]),
        }
        for name, text in texts.items():
            times = sorted(1e3 * spent for spent in typed(home, text, given.rounds))
            print(
                f"a key, {name:15}{statistics.median(times):7.1f} ms,"
                f" nine in ten below {times[len(times) * 9 // 10]:.1f}"
            )


if __name__ == "__main__":
    main()
