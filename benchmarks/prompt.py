"""Time the prompt in a real terminal: until it appears, and for each key.

    python benchmarks/prompt.py [--rounds N] [--lines N]

A key is timed until the screen changes; medians, and the time that nine in ten keys stay below.
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
# Without output for this long the screen is considered complete.
QUIET_SECONDS = 0.15
TIMEOUT_SECONDS = 20.0


class Terminal:
    """keysh in a terminal of 80 columns."""

    def __init__(self, home: str) -> None:
        self.began = time.perf_counter()
        pid, self.fd = pty.fork()
        if not pid:
            env = {"HOME": home, "PATH": os.environ["PATH"], "TERM": "xterm", "PS1": "ready> ",
                   "LANG": "C.UTF-8"}  # fmt: skip
            os.chdir(home)
            os.execve(sys.executable, [sys.executable, "-m", "keysh"], env)
        self.pid = pid

    def until(self, mark: bytes) -> float:
        """Wait for some output; return the seconds since the start."""
        seen = b""
        while mark not in seen:
            seen += self.read(TIMEOUT_SECONDS)
        return time.perf_counter() - self.began

    def read(self, seconds: float) -> bytes:
        """Return some output; nothing after `seconds` without any."""
        ready = select.select([self.fd], [], [], seconds)[0]
        return os.read(self.fd, 1 << 16) if ready else b""

    def settle(self) -> None:
        """Wait until the screen stops changing."""
        while self.read(QUIET_SECONDS):
            pass

    def press(self, key: bytes) -> float:
        """Press a key; return the seconds until the screen changes."""
        began = time.perf_counter()
        os.write(self.fd, key)
        if not self.read(TIMEOUT_SECONDS):
            raise SystemExit("the screen does not change")
        spent = time.perf_counter() - began
        self.settle()
        return spent

    def close(self) -> None:
        """End the program."""
        os.close(self.fd)
        os.waitpid(self.pid, 0)


def key_times(home: str, text: str, keys: int) -> list[float]:
    """Return the times of keys at the end of a text and in its middle."""
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
    """Print the measurements."""
    options = argparse.ArgumentParser()
    options.add_argument("--rounds", type=int, default=10)
    options.add_argument("--lines", type=int, default=200)
    arguments = options.parse_args()
    compileall.compile_dir(Path(keysh.__file__).parent, quiet=2)
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    with tempfile.TemporaryDirectory() as home:
        starts = []
        for _ in range(arguments.rounds):
            terminal = Terminal(home)
            starts.append(terminal.until(b"ready>") * 1e3)
            terminal.close()
        print(f"prompt ready          {statistics.median(starts):7.1f} ms")
        texts = {
            "one line": LINE,
            f"{arguments.lines} lines": "\n".join([LINE] * arguments.lines),
            f"one of {arguments.lines} lines": "\n".join(
                ["{", *FUNCTION * (arguments.lines // 4), "}"]
            ),
        }
        for name, text in texts.items():
            times = sorted(1e3 * spent for spent in key_times(home, text, arguments.rounds))
            print(
                f"a key, {name:15}{statistics.median(times):7.1f} ms,"
                f" nine in ten below {times[len(times) * 9 // 10]:.1f}"
            )


if __name__ == "__main__":
    main()
