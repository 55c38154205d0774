"""Time the start of `keysh` for a line, a script and a check, next to `python -c pass`.

    python benchmarks/startup.py [--rounds N]

The contenders take turns; medians. The package is byte-compiled first, as an installed program is.
"""

from __future__ import annotations

import argparse
import compileall
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import keysh


def main() -> None:
    """Print the measurements."""
    options = argparse.ArgumentParser()
    options.add_argument("--rounds", type=int, default=30)
    rounds = options.parse_args().rounds
    compileall.compile_dir(Path(keysh.__file__).parent, quiet=2)
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    with tempfile.TemporaryDirectory() as folder:
        script = Path(folder, "small.ksh")
        script.write_text('for x in a b; do echo "$x" | cat; done\n')
        program = Path(folder, "keysh")  # as an installer writes the wheel's script
        launcher = Path(__file__).parents[1] / "scripts" / "keysh"
        program.write_text(launcher.read_text().replace("#!python", f"#!{sys.executable}", 1))
        program.chmod(0o755)
        commands = {
            "python -c pass": [sys.executable, "-c", "pass"],
            "keysh -c 'echo hi'": [str(program), "-c", "echo hi"],
            "keysh -c 'echo \"$HOME\"'": [str(program), "-c", 'echo "$HOME"'],
            "keysh -c /bin/true": [str(program), "-c", "/bin/true"],
            "keysh SCRIPT": [str(program), str(script)],
            "keysh --version": [str(program), "--version"],
            "keysh check": [str(program), "check", str(script)],
            "python -m keysh -c …": [sys.executable, "-m", "keysh", "-c", "echo hi"],
        }
        spent: dict[str, list[float]] = {name: [] for name in commands}
        for _ in range(rounds):
            for name, argv in commands.items():
                start = time.perf_counter()
                subprocess.run(argv, env=env, check=True, stdout=subprocess.DEVNULL)
                spent[name].append((time.perf_counter() - start) * 1e3)
    base = statistics.median(spent["python -c pass"])
    for name, times in spent.items():
        middle = statistics.median(times)
        print(f"{name:24} {middle:7.2f} ms   {middle / base:.2f} x python -c pass")


if __name__ == "__main__":
    main()
