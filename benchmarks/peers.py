"""Run the lines that README compares in bash, bashkit, just-bash, xonsh and keysh.

    python benchmarks/peers.py [--python PYTHON]

Each line runs in a new process for at most ten seconds. PYTHON is an interpreter in which the
peers are installed; missing ones are skipped. The seconds after each answer do not include the
start.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys

LINES = (
    'x="a b"; set -- $x; echo $#',
    "echo one; ecko two; echo three",
    "while true; do :; done",
    "f() { f; }; f",
    "i=0; while [ $i -lt 9000 ]; do i=$((i + 1)); done; echo $i",
    'u={name: amy, tags: [a, b]}; echo "${u[tags][1]}"',
    "trap 'echo bye' EXIT; yes | head -n 1",
    "x=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa; [[ $x! =~ ^(a|a)*$ ]]; echo $?",
    "i=0; while [ $i -lt 100000 ]; do i=$((i + 1)); done; echo $i",
)
MAX_SECONDS = 10

# Code for a new Python: `text` is the line; it sets `answer` to the status, output and messages.
HOSTS = {
    "keysh": """
import keysh
shell = keysh.Shell(limits=keysh.Limits(seconds=5))
begin()
result = shell.run(text)
answer = result.code, result.stdout, result.stderr
""",
    "bashkit": """
import bashkit
shell = bashkit.Bash(**({"max_commands": 10**7, "max_loop_iterations": 10**7} if long else {}))
begin()
result = shell.execute_sync(text)
answer = result.exit_code, result.stdout, result.stderr
""",
    "just_bash": """
import asyncio, just_bash
from just_bash.types import ExecutionLimits
most = {"limits": ExecutionLimits(max_command_count=10**7, max_loop_iterations=10**7)}
shell = just_bash.Bash(**(most if long else {}))
begin()
try:
    result = asyncio.run(shell.exec(text))
    answer = result.exit_code, result.stdout, result.stderr
except Exception as error:
    answer = type(error).__name__, "", str(error)
""",
}
FRAME = """
import sys, time
text, long = sys.argv[1], "100000" in sys.argv[1]
def begin():
    global began
    began = time.perf_counter()
{host}
seconds = time.perf_counter() - began
status, out, err = answer
print(f"{{status}} {{out[:60]!r}} {{err[:90]!r}} {{seconds:.2f}} s")
"""


def commands(python: str) -> dict[str, list[str]]:
    """Return the command line of each installed peer."""
    argvs = {"keysh": [sys.executable, "-c", FRAME.format(host=HOSTS["keysh"])]}
    if bash := shutil.which("bash"):
        argvs["bash"] = [bash, "-c"]
    for module in ("bashkit", "just_bash"):
        if is_installed(python, module):
            argvs[module] = [python, "-c", FRAME.format(host=HOSTS[module])]
    if is_installed(python, "xonsh"):
        argvs["xonsh"] = [python, "-m", "xonsh", "--no-rc", "-c"]
    return argvs


def is_installed(python: str, module: str) -> bool:
    """Whether the interpreter has the module."""
    done = subprocess.run([python, "-c", f"import {module}"], capture_output=True, check=False)
    return done.returncode == 0


def answer(argv: list[str], text: str) -> str:
    """Return the answer of a peer to a line."""
    try:
        done = subprocess.run(
            [*argv, text], capture_output=True, text=True, timeout=MAX_SECONDS, check=False
        )
    except subprocess.TimeoutExpired:
        return f"nothing in {MAX_SECONDS} s"
    if argv[-1] == "-c":
        return f"{done.returncode} {done.stdout[:60]!r} {done.stderr.strip()[-90:]!r}"
    return done.stdout.strip() or f"the process ends: {done.returncode}"


def main() -> None:
    """Run every line in every peer."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", default=sys.executable)
    peers = commands(parser.parse_args().python)
    for text in LINES:
        print(f"\n$ {text}")
        for name, argv in peers.items():
            print(f"  {name:10} {answer(argv, text)}", flush=True)


if __name__ == "__main__":
    main()
