"""Time the text commands on 10 MB next to GNU's and bashkit's, and check that they agree.

    python benchmarks/text.py [--rounds N] [--size MB] [--only TEXT] [--journal]

After the time of another contender is keysh's time divided by it: below 1 keysh is faster.

A row is a script, run by a new Shell on the local disk, and by bash with GNU's tools. Contenders
take turns in every round, so that noise affects all of them equally; medians. bashkit is timed if
it is installed, on the same files. A contender whose output is not that of GNU is shown as
`other`.

With `--journal` the contenders are a Shell without a journal and one with it. Behind the times are
the ratios of the time and of the processor's time, which other programs do not disturb much; the
last row has the sums.
"""

from __future__ import annotations

import argparse
import gc
import hashlib
import os
import random
import statistics
import subprocess
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from keysh import LocalFS, Shell

OUTPUT = "output"

WORDS = (
    "the", "shell", "reads", "a", "line", "of", "text", "and", "gives", "it", "to", "command",
    "error", "warning", "pipeline", "status", "foo", "bar", "naïve", "value",
)  # fmt: skip

# The scripts that are timed.
SCRIPTS = r"""
grep foo text
grep -c error text
grep -v foo text
grep -i WARNING text
grep -n foo text
grep -o 'st[a-z]*' text
grep -E 'err(or)?|warning' text
grep -w of text
grep 7 numbers
sed s/foo/bar/ text
sed 's/[0-9]/x/g' text
sed -n '/error/p' text
sed '/foo/d' text
sed 's/ .*//;s/^/> /' text
sed y/abc/xyz/ numbers
sed -n '$=' numbers
sed '1d;$d' numbers
sed -n 10,20p numbers
sed '/foo/,/bar/d' text
sed 'N;P;D' text
sed '$!N;s/\n/ /' numbers
sed ':a;N;$!ba;s/\n/,/g' numbers
sed '/foo/{s/bar/b/;s/c/d/}' text
sed 's/[a-z]*/\u&/2' text
sort text
sort numbers
sort -n numbers
sort -r numbers
sort -u numbers
sort -k2,2 text
sort -k2,2 -k1,1nr text
sort -t : -k 2n table
cut -d ' ' -f 2 text
cut -d : -f 1,3- table
cut -c 3-7 text
wc text
wc -l text
wc -L text
tr a-z A-Z < text
tr -d aeiou < text
tr -s ' ' < text
tr -cs a-z '\n' < text
uniq sorted
uniq -c sorted
head -n 1000 text
tail -n 1000 text
tail -n +1000 text
cat text
cat -n numbers
cat -A text
comm sorted other
comm -12 sorted other
join sorted other
join -t : table table
unexpand -a text
expand tabs
sum text
sum -s text
cksum text
sha256sum text
fmt text
od text
od -c text
xxd text
base64 text
base64 text | base64 -d
fold -w 40 text
nl text
paste text numbers
paste -s -d , numbers
rev text
tac text
seq 1500000
seq -w 1 3 1000000
awk '{ s += $1 } END { print s }' numbers
awk '{ print $2 }' text
awk -F : '$2 > 500 { n++ } END { print n }' table
awk '/error/' text
awk '{ $1 = ""; print }' text
awk '{ gsub(/o/, "0"); print NR ": " $0 }' text
awk '{ n += length($NF) } END { print n }' text
awk '{ c[$2]++ } END { for (k in c) print k, c[k] }' text | sort
grep foo text | sed s/foo/bar/ | sort | uniq -c | sort -rn | head
cut -d ' ' -f 3 text | sort | uniq -c | sort -n
seq 1000000 | grep 7 | sed s/7/x/g | sort -r | wc -l
tr -cs a-z '\n' < text | sort -u | wc -l
cat text | tr a-z A-Z | cut -c 1-20 | sort | uniq | wc -l
grep foo text | wc -l
grep 7 numbers | wc -l
grep error text | wc
grep -i WARNING text | sort | head
grep -w of text | sort -u
grep foo text | cut -d ' ' -f 2 | sort -u
grep -v foo text | cut -d ' ' -f 2 | sort | uniq -c
grep error text | cut -d ' ' -f 1 | sort -n | tail
grep -v error text | sed 's/foo/bar/' | wc
cut -d : -f 3 table | sort | uniq -c
cut -d : -f 1,3- table | sort | head
cut -d ' ' -f 2 text | wc
cut -d ' ' -f 2- text | tr a-z A-Z | sort -u | wc -l
sed 's/ .*//' text | sort -n | tail
tr a-z A-Z < text | grep FOO | wc -l
sort text | tail
sort numbers | uniq | wc
""".strip()


def texts(size: int) -> dict[str, str]:
    """Return the files, each of about `size` bytes."""
    chance = random.Random(1)
    prose: list[str] = []
    size_so_far = 0
    while size_so_far < size - 100:  # bytes; bashkit accepts at most 10 MB
        words = f"{'  '.join(chance.choices(WORDS, k=3))} {' '.join(chance.choices(WORDS, k=9))}"
        prose.append(f"{len(prose) * 7919 % 1_000_003} {words}")
        size_so_far += len(prose[-1].encode()) + 1
    table = [
        f"{number:08}:{chance.randrange(1000)}:{chance.choice(WORDS)}:end"
        for number in range(size // 26)
    ]
    tabs = [line.replace(" ", "\t") for line in prose]
    count = size // 7
    numbers = [str(chance.randrange(1_000_000)) for _ in range(count)]
    first = sorted(chance.choices(numbers, k=count))
    second = sorted(chance.sample(sorted(set(numbers)), len(set(numbers)) // 2))
    files = {
        "text": prose, "table": table, "tabs": tabs, "numbers": numbers, "sorted": first,
        "other": second,
    }  # fmt: skip
    return {name: "\n".join(lines) + "\n" for name, lines in files.items()}


def contenders(folder: Path) -> dict[str, Callable[[str], bytes]]:
    """Return a call for each contender, GNU's first; it returns the output of a script."""
    environment = {"LC_ALL": "C.UTF-8", "PATH": os.environ["PATH"]}

    def gnu(script: str) -> bytes:
        argv = ["bash", "-c", into_file(script)]
        subprocess.run(argv, cwd=folder, env=environment, stderr=subprocess.DEVNULL, check=False)
        return folder.joinpath(OUTPUT).read_bytes()

    calls: dict[str, Callable[[str], bytes]] = {"gnu": gnu, "keysh": keysh_call(folder)}
    try:
        from bashkit import Bash, ExecutionProfile, FileSystem  # noqa: PLC0415 - optional
    except ImportError:
        return calls
    bash = Bash(
        timeout_seconds=120,
        max_commands=10**9,
        max_loop_iterations=10**9,
        profile=ExecutionProfile.Interactive,
    )
    bash.mount("/data", FileSystem.real(str(folder), writable=True))
    bash.execute_sync("cd /data")

    def bashkit(script: str) -> bytes:
        folder.joinpath(OUTPUT).unlink()
        bash.execute_sync(into_file(script))
        try:
            return folder.joinpath(OUTPUT).read_bytes()
        except FileNotFoundError:  # it could not write the file
            return b""

    calls["bashkit"] = bashkit
    return calls


def keysh_call(folder: Path, *, has_journal: bool = False) -> Callable[[str], bytes]:
    """Return a call that runs a script in a new Shell and returns its output."""

    def run(script: str) -> bytes:
        Shell(fs={"/": LocalFS(str(folder))}, journal=has_journal).run(into_file(script))
        return folder.joinpath(OUTPUT).read_bytes()

    return run


def into_file(script: str) -> str:
    """Redirect the script's output to a file, since bashkit truncates returned output."""
    return f"{{ {script}\n}} > {OUTPUT}"


def time_run(run: Callable[[str], bytes], script: str) -> tuple[float, bytes]:
    """Return the seconds and the output."""
    start = time.perf_counter()
    answer = run(script)
    return time.perf_counter() - start, answer


def median_times(
    calls: dict[str, Callable[[str], bytes]], script: str, rounds: int
) -> dict[str, float]:
    """Return the median of each contender whose output is that of GNU's tools."""
    spent: dict[str, list[float]] = {name: [] for name in calls}
    for _ in range(rounds):
        expected: bytes | None = None
        for name, run in calls.items():
            if name not in spent:
                continue
            seconds, answer = time_run(run, script)
            expected = answer if expected is None else expected
            if answer == expected:
                spent[name].append(seconds)
            else:
                del spent[name]
    return {name: statistics.median(times) for name, times in spent.items()}


def journal_times(folder: Path, script: str, rounds: int) -> dict[bool, tuple[float, float]]:
    """Return the median time and processor's time without a journal and with one."""
    spent: dict[bool, list[tuple[float, float]]] = {False: [], True: []}
    outputs = set()
    for number in range(2 * rounds):
        has_journal = number % 4 in (1, 2)  # each is first as often as second
        run = keysh_call(folder, has_journal=has_journal)
        gc.collect()
        start, processor_start = time.perf_counter(), time.process_time()
        outputs.add(hashlib.sha256(run(script)).digest())
        processor_end, end = time.process_time(), time.perf_counter()
        spent[has_journal].append((end - start, processor_end - processor_start))
    if len(outputs) > 1:
        raise SystemExit(f"the outputs differ: {script}")
    return {
        key: (statistics.median(t for t, _ in pairs), statistics.median(t for _, t in pairs))
        for key, pairs in spent.items()
    }


def print_journal_row(title: str, times: dict[bool, tuple[float, float]]) -> None:
    """Print the times without a journal and with one, and their ratios."""
    without, journalled = times[False], times[True]
    print(
        f"{title[:60]:60} without {without[0]:7.3f}   journal {journalled[0]:7.3f}   "
        f"time {journalled[0] / without[0]:6.3f}   processor {journalled[1] / without[1]:6.3f}",
        flush=True,
    )


def compare_journal(folder: Path, scripts: list[str], rounds: int) -> None:
    """Print what a journal costs in each script, and in all of them."""
    sums = {False: (0.0, 0.0), True: (0.0, 0.0)}
    for script in scripts:
        times = journal_times(folder, script, rounds)
        print_journal_row(script, times)
        for key, pair in times.items():
            sums[key] = sums[key][0] + pair[0], sums[key][1] + pair[1]
    print_journal_row("all", sums)


def main() -> None:
    """Print the measurements."""
    options = argparse.ArgumentParser()
    options.add_argument("--rounds", type=int, default=3)
    options.add_argument("--size", type=float, default=10)
    options.add_argument("--only", default="", help="scripts that contain this")
    options.add_argument("--journal", action="store_true", help="time what a journal costs")
    arguments = options.parse_args()
    files = texts(int(arguments.size * 1e6))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for title, text in files.items():
            folder.joinpath(title).write_text(text)
        scripts = [script for script in SCRIPTS.split("\n") if arguments.only in script]
        if arguments.journal:
            compare_journal(folder, scripts, arguments.rounds)
            return
        calls = contenders(folder)
        for script in scripts:
            print_row(script, median_times(calls, script, arguments.rounds), list(calls))


def print_row(script: str, medians: dict[str, float], names: list[str]) -> None:
    """Print a row: the seconds, and keysh's time divided by each other contender's."""
    ours = medians.get("keysh")
    cells = []
    for name in names:
        spent = medians.get(name)
        cells.append(f"{name} {spent:7.3f}" if spent is not None else f"{name} {'other':>7}")
        if name != "keysh" and spent is not None and ours is not None:
            cells[-1] += f" ({ours / spent:6.2f})"
    print(f"{script[:60]:60} {'   '.join(cells)}", flush=True)


if __name__ == "__main__":
    main()
