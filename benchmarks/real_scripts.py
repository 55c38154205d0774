"""Check and run the shell scripts of this machine in keysh's bash dialect, next to bash.

    python benchmarks/real_scripts.py [--check] [--run] [--scripts N] [FOLDER...]

--check   which scripts `bash -n` accepts and keysh refuses; the ten slowest per line
--run     which scripts print something else than in bash, end otherwise or leave other files

Without either both are done. A script is run with arguments that ask for help, with an unknown
option, with a sample file and with none, in a new directory, with no input and a clean
environment, for ten seconds at most. Root runs them as `nobody`, without a network and with a
/tmp of their own. What bash answers in two ways, or not in time, is not compared, nor is the help
that a command of keysh prints of itself. A script of `sh` may also answer as dash does. Each
difference is printed.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import keysh

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable

FOLDERS = ("/usr/bin", "/usr/sbin", "/etc", "/usr/share", "/usr/lib")
FIRST_LINE = re.compile(rb"#! ?/(?:usr/)?bin/(?:env )?(bash|dash|sh)\b")
MAX_SCRIPT_BYTES = 2_000_000
MAX_SECONDS = 10
MAX_OUTPUT_BYTES = 1_000_000
SLOWEST = 10
ARGUMENTS: tuple[tuple[str, ...], ...] = (
    ("--help",), ("--version",), ("-h",), ("--no-such-option",), ("notes.txt",),
    ("table.csv", "copy.csv"), (),
)  # fmt: skip
SAMPLES = {
    "notes.txt": "one\ntwo words\n\nlast line\n",
    "table.csv": "name,size\nred,3\ngreen,12\n",
    "main.c": "int main(void) { return 0; }\n",
}
NOBODY = 65534
# No network, the new directory is /tmp, and what a script leaves behind ends with its process 1.
AS_NOBODY = (
    "unshare", "--net", "--mount", "--pid", "--mount-proc", "--fork", "--kill-child",
    "sh", "-c", 'mount --bind "$0" /tmp && cd /tmp/work && exec "$@"', "FOLDER",
    "setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups",
    "--inh-caps=-all,+dac_read_search", "--ambient-caps=-all,+dac_read_search",
)  # fmt: skip
# What a shell writes before its own messages; their words are not a script's.
SHELL_MESSAGE = re.compile(r"\S+: (?:line )?\d+: ")
# A command of keysh has its own help and version: `Usage: NAME [OPTION]...`, `NAME (keysh) 0.1.0`.
OWN_HELP = re.compile(r"Usage: (\S+) |(\S+) \(keysh\)")
COMMAND_NAMES = keysh.Shell().registry.names()
KEYSH = shutil.which("keysh", path=str(Path(sys.executable).parent)) or "keysh"

Run = tuple[str, str, tuple[str, ...]]  # path, the program of its first line, arguments
Files = dict[str, str]  # what a run has left, by path
# Standard output, status, the beginning of standard error, files.
Answer = tuple[str, int, str, Files]
OUT_OF_TIME: Answer = "", -1, "out of time", {}


# ---------------------------------------------------------------- the scripts


def scripts_in(folders: Iterable[str]) -> list[tuple[str, str]]:
    """Return the paths of all shell scripts, each once, with the program of their first lines."""
    scripts: dict[str, tuple[str, str]] = {}
    for folder in folders:
        for parent, _, names in os.walk(folder):
            for name in names:
                path = os.path.join(parent, name)
                program = program_of(path)
                if program:
                    scripts.setdefault(os.path.realpath(path), (path, program))
    return sorted(scripts.values())


def program_of(path: str) -> str:
    """Return `sh`, `bash` or `dash` for a script, and nothing for other files."""
    if not os.path.isfile(path) or os.path.getsize(path) > MAX_SCRIPT_BYTES:
        return ""
    try:
        with open(path, "rb") as file:
            match = FIRST_LINE.match(file.readline(80))
    except OSError:
        return ""
    return match[1].decode() if match else ""


# ---------------------------------------------------------------- check


def check_all(scripts: list[tuple[str, str]]) -> None:
    """Print the scripts that keysh alone refuses, the percentage, and the slowest."""
    shell = keysh.Shell(dialect="bash", external=True)
    seconds: list[tuple[float, float, int, str]] = []
    refused = accepted = 0
    for path, _ in scripts:
        text = Path(path).read_text("utf-8", "surrogateescape")
        start = time.perf_counter()
        errors = [item for item in shell.check(text) if item.severity == "error"]
        spent = time.perf_counter() - start
        lines = text.count("\n") + 1
        seconds.append((spent / lines, spent, lines, path))
        is_valid = not errors or subprocess.run(
            ["bash", "-n", path], capture_output=True, check=False
        ).returncode == 0  # fmt: skip
        accepted += is_valid
        if errors and is_valid:
            refused += 1
            print(f"refused  {path}\n    {str(errors[0]).splitlines()[0]}")
    print(f"{refused} of {accepted} valid scripts are refused: {refused / max(1, accepted):.2%}")
    total = sum(row[2] for row in seconds), sum(row[1] for row in seconds)
    print(f"{total[0]} lines in {total[1]:.1f} s; the slowest per line:")
    for per_line, spent, lines, path in sorted(seconds, reverse=True)[:SLOWEST]:
        print(f"{per_line * 1e6:8.0f} us   {spent * 1e3:6.0f} ms   {lines:6} lines   {path}")


# ---------------------------------------------------------------- run


def run_all(scripts: list[tuple[str, str]]) -> None:
    """Print what differs, and the percentage of equal runs and scripts."""
    if os.getuid() == 0 and shutil.which("setpriv") is None:
        raise SystemExit("real_scripts: root needs setpriv to run scripts as an ordinary user")
    calls = [(path, program, words) for path, program in scripts for words in ARGUMENTS]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        answers = pool.map(difference, calls)
        report(calls, answers)


def report(calls: list[Run], answers: Iterable[tuple[str, str]]) -> None:
    """Print the differences and what they amount to."""
    verdicts: dict[str, set[str]] = {}
    counts: Counter[str] = Counter()
    for (path, _, words), (verdict, text) in zip(calls, answers, strict=True):
        counts[verdict] += 1
        verdicts.setdefault(path, set()).add(verdict)
        if verdict == "differs":
            print(f"differs  {path} {' '.join(words)}\n{text}", flush=True)
    same, compared = counts["same"], counts["same"] + counts["differs"]
    print(f"{same} of {compared} runs are the same: {same / max(1, compared):.2%}")
    equal = sum("differs" not in found and "same" in found for found in verdicts.values())
    steady = sum(found != {"unsteady"} for found in verdicts.values())
    print(f"{equal} of {steady} scripts are the same: {equal / max(1, steady):.2%}")


def difference(call: Run) -> tuple[str, str]:
    """Return `same`, `differs`, `help` or `unsteady`, and the first lines that differ."""
    path, program, words = call
    expected = answer_of(["bash", path, *words])
    if expected == OUT_OF_TIME:
        return "unsteady", ""
    found = answer_of([KEYSH, "--dialect", "bash", path, *words])
    if is_same(expected, found):
        return "same", ""
    if program != "bash" and is_same(answer_of(["dash", path, *words]), found):
        return "same", ""
    if is_own_help(found[0]) and found[0] != expected[0]:
        return "help", ""
    if answer_of(["bash", path, *words]) != expected:
        return "unsteady", ""
    return "differs", shown_difference(expected, found)


def answer_of(argv: list[str]) -> Answer:
    """Run a script in a new directory with the samples."""
    with tempfile.TemporaryDirectory() as folder:
        work, is_root = Path(folder, "work"), os.getuid() == 0
        work.mkdir()
        for name, text in SAMPLES.items():
            (work / name).write_text(text)
        os.chmod(folder, 0o777)
        work.chmod(0o777)
        home = "/tmp/work" if is_root else str(work)
        environment = {
            "PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "HOME": home, "TMPDIR": home,
            "LC_ALL": "C.UTF-8",
        }  # fmt: skip
        runner = [folder if word == "FOLDER" else word for word in AS_NOBODY] if is_root else []
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            process = subprocess.Popen(
                [*runner, *argv], cwd=work, env=environment, stdin=subprocess.DEVNULL,
                stdout=out, stderr=err, start_new_session=True,
            )  # fmt: skip
            try:
                process.wait(MAX_SECONDS)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                return OUT_OF_TIME
            texts = []
            for file in (out, err):
                file.seek(0)
                texts.append(steady_text(file.read(MAX_OUTPUT_BYTES), folder))
        return texts[0], process.returncode, texts[1], files_below(folder)


def files_below(folder: str) -> Files:
    """Return what lies below a directory: texts of files, targets of links, `/` of directories."""
    found: Files = {}
    for parent, directories, names in os.walk(folder):
        found.update((os.path.relpath(f"{parent}/{name}", folder), "/") for name in directories)
        for name in names:
            path = Path(parent, name)
            if path.is_symlink():
                text = os.readlink(path)
            elif path.is_file():
                text = path.read_bytes()[:MAX_OUTPUT_BYTES].decode("utf-8", "replace")
            else:
                text = "special"
            found[os.path.relpath(path, folder)] = steady_text(text.encode(), folder)
    return found


def steady_text(data: bytes, folder: str) -> str:
    """Return an output without the name of its directory."""
    return data.decode("utf-8", "replace").replace(folder, "FOLDER")


def is_same(expected: Answer, found: Answer) -> bool:
    """Return whether output, status, files and the first words of a script's message are equal."""
    if expected[:2] != found[:2] or expected[3] != found[3]:
        return False
    if SHELL_MESSAGE.match(expected[2]) or "keysh" in found[2]:
        return bool(expected[2]) and bool(found[2])
    return expected[2].split()[:3] == found[2].split()[:3]


def is_own_help(text: str) -> bool:
    """Return whether a text begins with the help or the version of a command of keysh."""
    match = OWN_HELP.match(text)
    return match is not None and (match[1] or match[2]) in COMMAND_NAMES


def shown_difference(expected: Answer, found: Answer) -> str:
    """Return the statuses, the first lines of output that differ, the files and the messages."""
    rows = [f"    status {expected[1]} and {found[1]}"] if expected[1] != found[1] else []
    pair = expected[0].split("\n"), found[0].split("\n")
    for i in range(max(map(len, pair))):
        lines = [text[i] if i < len(text) else "(end)" for text in pair]
        if lines[0] != lines[1]:
            rows.append(f"    line {i + 1} is  {lines[0][:100]}\n    in keysh   {lines[1][:100]}")
            break
    paths = sorted(expected[3].keys() | found[3].keys())
    for path in (one for one in paths if expected[3].get(one) != found[3].get(one)):
        pair_of_texts = [
            answer[3].get(path, "(no such file)")[:100] for answer in (expected, found)
        ]
        rows.append(f"    {path} holds {pair_of_texts[0]!r}, in keysh {pair_of_texts[1]!r}")
    for name, answer in (("bash", expected), ("keysh", found)):
        if answer[2]:
            rows.append(f"    {name} says {' / '.join(answer[2].split(chr(10))[:3])[:200]}")
    return "\n".join(rows)


def main() -> None:
    """Do what the options ask for."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--run", action="store_true")
    parser.add_argument("--scripts", type=int, default=None)
    parser.add_argument("folders", nargs="*", default=FOLDERS)
    options = parser.parse_args()
    scripts = scripts_in(options.folders)[: options.scripts]
    print(f"{len(scripts)} scripts")
    if options.check or not options.run:
        check_all(scripts)
    if options.run or not options.check:
        run_all(scripts)


if __name__ == "__main__":
    main()
