"""Time parsing: microseconds a token, and a long script next to bash, bashkit and just-bash.

    python benchmarks/parse.py [--rounds N]

Contenders take turns in every round, so that noise affects all of them equally; medians. bashkit
and just-bash are timed only if they are installed. They and bash run the script, whose long part
is inside `if false`, so that their time is the time to parse it. keysh parses it, in this process
(`keysh`) and as a program (`keysh check`).
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

# Parts of a realistic script; § is the number of the part.
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
""".split("%\n")  # noqa: SIM905 - the parts read best as one text


def realistic(lines: int) -> str:
    """Return a realistic script of at least `lines` lines."""
    text: list[str] = []
    i = count = 0
    while count < lines:
        part = PARTS[i % len(PARTS)].replace("§", str(i))
        text.append(part)
        count += part.count("\n")
        i += 1
    return "".join(text)


def long_script(functions: int) -> str:
    """Return a script of many dense functions that are parsed but not run."""
    body = "".join(
        f'f{i}() {{ local a="$1" b=${{2:-x}}; if [[ $a == {i}* ]]; then '
        f'echo "$a $b" | grep -q z && return {i % 7}; fi; }}\n'
        for i in range(functions)
    )
    return f"if false; then\n{body}fi\necho parsed\n"


def contenders(text: str, path: Path) -> dict[str, Callable[[], str]]:
    """Return a call for each contender; it returns the output of the script."""

    def by_process(*argv: str) -> Callable[[], str]:
        return lambda: subprocess.run(argv, capture_output=True, text=True, check=True).stdout

    def keysh() -> str:
        body = parse(Source(text)).body
        return "parsed\n" if body is not None and len(body.commands) == 2 else ""

    check = by_process(sys.executable, "-m", "keysh", "check", str(path))
    calls: dict[str, Callable[[], str]] = {
        "keysh": keysh,
        "keysh check": lambda: check() + "parsed\n",
        "bash": by_process("bash", str(path)),
    }
    try:
        from bashkit import Bash  # noqa: PLC0415 - only if it is installed
    except ImportError:
        pass
    else:
        calls["bashkit"] = lambda: str(Bash().execute_sync(text).stdout)
    try:
        from just_bash import Bash as JustBash  # noqa: PLC0415 - only if it is installed
    except ImportError:
        pass
    else:
        loop = asyncio.new_event_loop()
        calls["just-bash"] = lambda: str(loop.run_until_complete(JustBash().exec(text)).stdout)
    return calls


def medians(calls: dict[str, Callable[[], str]], rounds: int) -> dict[str, float]:
    """Return the milliseconds of each, after a warm-up round."""
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
    """Time scanning and parsing the realistic script."""
    text = realistic(1000)
    tokens = len(scan(Source(text)).tokens)
    times: dict[str, list[float]] = {"scan": [], "parse": []}
    for _ in range(rounds):
        for name, call in (("scan", scan), ("parse", parse)):
            gc.collect()
            start = time.perf_counter()
            result = call(Source(text))
            times[name].append(time.perf_counter() - start)
            del result  # freeing the tree is not part of parsing
    for name, spent in times.items():
        microseconds = statistics.median(spent) * 1e6 / tokens
        print(f"{name:12} {microseconds:6.2f} us a token of {tokens}")


def main() -> None:
    """Print the measurements."""
    options = argparse.ArgumentParser()
    options.add_argument("--rounds", type=int, default=9)
    rounds = options.parse_args().rounds
    per_token(rounds)
    text = long_script(2000)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "long.sh")
        path.write_text(text)
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        times = medians(contenders(text, path), rounds)
    ours = times["keysh"]
    for name, spent in times.items():
        print(f"{name:12} {spent:8.2f} ms   keysh / {name} = {ours / spent:.2f}")


if __name__ == "__main__":
    main()
