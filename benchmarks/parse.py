"""Parsing: microseconds a token, and a long script beside bash, bashkit and just-bash.

    python benchmarks/parse.py [--rounds N]

Contenders take turns in every round, so that noise hits all alike; medians. bashkit and just-bash
are timed only where they are installed; they and bash run the script, whose long part stands
behind `if false`, so that their time is the time to read it. keysh parses it, in the same process
(`keysh`) and as a program of its own (`keysh check`).
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from keysh.diagnostics.source import Source
from keysh.syntax.lexer.scanner import scan
from keysh.syntax.parser import parse

# Pieces of a script of the usual things; § is the number of the piece.
PARTS = """\
# part §: comments are read too
%
deploy_§() {
    local host="$1" port=${2:-8080}
    echo "$host:$port" >> log.txt
}
%
if [[ -f "$HOME/file_§" && $name == *.txt ]]; then
    cp -v "$name" /backup/§/
elif [ -d /backup ]; then
    mkdir -p /backup/§
else
    exit 1
fi
%
for f in *.log "$dir"/§-*.txt; do
    wc -l $f | sort -n | head -n 3
done
%
while read -r line; do
    n=$((n + § * 2))
    ((n > 100)) && break
done < input_§
%
case $1 in
    start | restart)
        run key=§ mode=fast --verbose
        ;;
    *) usage ;;
esac
%
cat <<EOF
hello $name, this is part §: $(date +%s)
EOF
%
xs=[§, 2, "three"]
u={name: amy, tags: [a b]}
echo ${u[tags][0]} ${xs[-1]}
%
result=$(grep -c 'x§' data.csv 2> /dev/null || true)
""".split("%\n")  # noqa: SIM905 - pieces of a script read best as one text


def realistic(lines: int) -> str:
    """A script of the usual things, of at least so many lines."""
    text: list[str] = []
    i = count = 0
    while count < lines:
        part = PARTS[i % len(PARTS)].replace("§", str(i))
        text.append(part)
        count += part.count("\n")
        i += 1
    return "".join(text)


def long_script(functions: int) -> str:
    """Many dense functions that are read and not run."""
    body = "".join(
        f'f{i}() {{ local a="$1" b=${{2:-x}}; if [[ $a == {i}* ]]; then '
        f'echo "$a $b" | grep -q z && return {i % 7}; fi; }}\n'
        for i in range(functions)
    )
    return f"if false; then\n{body}fi\necho parsed\n"


def contenders(text: str, path: Path) -> dict[str, Callable[[], str]]:
    """Everybody who can read the script, as calls that answer what it prints."""

    def by_process(*argv: str) -> Callable[[], str]:
        return lambda: subprocess.run(argv, capture_output=True, text=True, check=True).stdout

    def keysh() -> str:
        body = parse(Source(text)).body
        return "parsed\n" if body is not None and len(body.commands) == 2 else ""

    check = by_process(sys.executable, "-m", "keysh", "check", str(path))
    found: dict[str, Callable[[], str]] = {
        "keysh": keysh,
        "keysh check": lambda: check() + "parsed\n",
        "bash": by_process("bash", str(path)),
    }
    try:
        from bashkit import Bash  # noqa: PLC0415 - where it is installed
    except ImportError:
        pass
    else:
        found["bashkit"] = lambda: str(Bash().execute_sync(text).stdout)
    try:
        from just_bash import Bash as JustBash  # noqa: PLC0415 - where it is installed
    except ImportError:
        pass
    else:
        loop = asyncio.new_event_loop()
        found["just-bash"] = lambda: str(loop.run_until_complete(JustBash().exec(text)).stdout)
    return found


def medians(calls: dict[str, Callable[[], str]], rounds: int) -> dict[str, float]:
    """Milliseconds for each, after one round to warm up."""
    spent: dict[str, list[float]] = {name: [] for name in calls}
    for turn in range(rounds + 1):
        for name, call in calls.items():
            start = time.perf_counter()
            answer = call()
            if turn:
                spent[name].append((time.perf_counter() - start) * 1e3)
            if answer != "parsed\n":
                print(f"{name}: answered {answer[:40]!r}, left out")
    return {name: statistics.median(times) for name, times in spent.items()}


def per_token(rounds: int) -> None:
    """The realistic script, scanned and parsed."""
    text = realistic(1000)
    tokens = len(scan(Source(text)).tokens)
    times: dict[str, list[float]] = {"scan": [], "parse": []}
    for _ in range(rounds):
        for name, call in (("scan", scan), ("parse", parse)):
            gc.collect()
            start = time.perf_counter()
            kept = call(Source(text))
            times[name].append(time.perf_counter() - start)
            del kept  # taking a tree down is not part of reading it
    for name, spent in times.items():
        microseconds = statistics.median(spent) * 1e6 / tokens
        print(f"{name:12} {microseconds:6.2f} us a token of {tokens}")


def main() -> None:
    """Print the figures."""
    options = argparse.ArgumentParser()
    options.add_argument("--rounds", type=int, default=9)
    rounds = options.parse_args().rounds
    per_token(rounds)
    text = long_script(2000)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "long.sh")
        path.write_text(text)
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        found = medians(contenders(text, path), rounds)
    ours = found["keysh"]
    for name, spent in found.items():
        print(f"{name:12} {spent:8.2f} ms   keysh / {name} = {ours / spent:.2f}")


if __name__ == "__main__":
    main()
