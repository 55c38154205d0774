"""Commands beside the real tools: the same input has the same output and status.

Both run one script in a folder with the same files. What the tools print to stderr is not compared.
An input that a tool cannot take in a test (it would start a program, wait or ask the clock), or on
which keysh deliberately differs, is left out by a pattern with its reason.
"""

from __future__ import annotations

import difflib
import os
import re
import subprocess
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from fuzz import archive_targets, program_targets
from fuzz.fields import Unfit
from fuzz.mutation import Mutator
from fuzz.program_targets import LINES, RECORDS
from fuzz.runs import run
from keysh.text.chunks import bytes_of_text

SECONDS = 5
# Processor time, memory in KB and blocks of a file that a real tool may use.
BOUNDED = 'ulimit -t 4 -v 2000000 -f 8192; exec bash --norc -c "$1"'
# Messages of real tools that say nothing about keysh: gawk's sandbox, the syntax of later versions
# of jq, which keysh takes, and hunks that GNU patch finds malformed and keysh still reads.
REFUSAL = re.compile(rb"sandbox mode|jq: [0-9]+ compile error|malformed patch|missing line number")
Exceptions = Mapping[str, str]


def real_answer(script: str, files: Mapping[str, bytes]) -> tuple[bytes, bytes, int]:
    """Return what the real tools print and their status, or raise Unfit where they do not end."""
    with TemporaryDirectory(prefix="fuzz-real-") as folder:
        place = Path(folder, "files")
        place.mkdir()
        for name, content in files.items():
            (place / name).write_bytes(content)
        with Path(folder, "out").open("wb") as out, Path(folder, "err").open("wb") as err:
            try:
                done = subprocess.run(
                    ["bash", "--norc", "-c", BOUNDED, "-", script], cwd=place, check=False,
                    stdin=subprocess.DEVNULL, stdout=out, stderr=err, timeout=SECONDS,
                    env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "TZ": "UTC0"},
                )  # fmt: skip
            except subprocess.TimeoutExpired:
                raise Unfit from None
        if done.returncode < 0 or done.returncode > 127:
            raise Unfit
        return (
            Path(folder, "out").read_bytes(), Path(folder, "err").read_bytes(), done.returncode
        )  # fmt: skip


def holder_of(
    script: str,
    files_of: Callable[[bytes], Mapping[str, bytes]],
    exceptions: Exceptions,
    real: str = "",
) -> Callable[[str | bytes], None]:
    """Return the property: keysh answers the script as the real tools answer it.

    `real` is the script for the real tools, where it differs.
    """
    patterns = [re.compile(pattern.encode(), re.DOTALL) for pattern in exceptions]

    def holds(data: str | bytes) -> None:
        content = bytes_of_text(data) if isinstance(data, str) else data
        if any(pattern.search(content) for pattern in patterns):
            raise Unfit
        files = files_of(content)
        answer = run(script, files, dialect="bash", cwd="/")
        if answer.limit is not None:
            raise Unfit
        out, errors, status = real_answer(real or script, files)
        if REFUSAL.search(errors):
            raise Unfit
        ours = bytes_of_text(answer.stdout)
        both = (
            f"\n  keysh: {answer.code} {ours!r} {answer.stderr!r}"
            f"\n  real:  {status} {out!r} {errors!r}"
        )
        assert answer.code == status, both
        assert ours == out, both

    return holds


def program_files(program: bytes) -> Mapping[str, bytes]:
    # Later versions of jq than the real one print a number as it is spelled: 1E+3.
    records = RECORDS.replace("1e3", "1000").encode()
    return {"program": program, "lines": LINES.encode(), "records": records}


# What each pattern keeps out of the comparison, and why.
PROGRAMS: Mapping[str, tuple[str, str, Exceptions]] = {
    "sed": (
        "sed --sandbox -E -f program lines; echo $?; sed --sandbox -n -f program lines; echo $?",
        "",
        {
            r"\\\Z": "deviation: a backslash at the end of the script",
            r"(\A|[\n;{}])\s*[+~]": "deviation: an address of + or ~ alone",
        },
    ),
    "awk": (
        "awk -f program lines",
        "gawk --sandbox -f program lines",
        {
            r"[|>]|getline|system|close|fflush|@": "gawk's sandbox has no files and programs",
            r"[0-9]{16}": "a number of a field that 64 bits do not hold is no number for gawk",
            r"\b(and|or|xor)\b": "deviation: arguments are counted before the run",
            r"[\0-\6\x0e-\x1f\x7f]": "the status depends on how far gawk has read",
            r"printf\W*\Z": "deviation: printf without arguments comes before what is open",
            r"ENVIRON|PROCINFO|ARGV|srand|rand|systime|strftime": "depends on the machine",
        },
    ),
    "jq": (
        "jq -f program records",
        "",
        {
            r"now|env|ENV|local|input": "depends on the machine",
            r"\0": "the real one reads a program up to a NUL character",
            r"[0-9.][eE]": "later versions than the real one print a number as it is spelled",
        },
    ),
    "bc": (
        "bc -l program < /dev/null; echo $?",
        "",
        {r"read": "deviation: read() at the end of the input"},
    ),
    "date": (
        (
            'date -u -d "2024-02-29 12:00 $(cat program)" "+%F %T.%N %z"; echo $?; '
            'date -u -d @1700000000 +"$(cat program)"; echo $?'
        ),
        "",
        {
            r"\0": "no word of a command line has it",
            r"%[^%]{0,9}[0-9]{4}": "deviation: the largest width",
        },
    ),
    "printf": (
        "printf -- \"$(cat program)\" 1 -2.5 x '' 0x1f '\"A'; echo $?",
        "",
        {
            r"\0": "no word of a command line has it",
            r"%[^%]*[T(]": "asks the clock",
            r"%[^%]*[aA]": "deviation: the form of %a",
            r"\*|[0-9]{9}": "a field has at most so many characters as a value",
        },
    ),
}
TOOLS = {"awk": "gawk", "printf": "bash"}


# ------------------------------------------------------------ differences and archives

UNENDED = "\n\\ No newline at end of file\n"


def patch_maker(random: Random) -> Callable[[], str]:
    """Return a maker that damages differences of a file, in three forms."""
    before = LINES.splitlines(keepends=True)
    texts = []
    for after in (before[1:], [*before[:2], "new\n", *before[2:]], [*before[:-1], "last\n"], []):
        for form in (difflib.unified_diff, difflib.context_diff):
            lines = list(form(before, after, "lines", "lines"))
            texts.append("".join(line if line.endswith("\n") else line + UNENDED for line in lines))
    texts += ["1d0\n< Amy  dev  70\n", "2a3\n> new\n", "4c4\n<  a: [1, 2.5]\n---\n> b\n"]
    return Mutator(texts, random).text


def patch_files(data: bytes) -> Mapping[str, bytes]:
    return {"p": data, "lines": LINES.encode()}


def archive_files(data: bytes) -> Mapping[str, bytes]:
    return {"a": data}


# How much of damaged data comes before the message is up to the size of buffers.
PACKED = "{0} -dc < a > out && cat out; echo $?; {0} -t < a; echo $?"
TAR = "tar -tf a; echo $?; tar -xOf a > out && cat out; echo $?"
PATCH = "patch -f -o out lines < p > /dev/null; echo $?; cat out 2> /dev/null; :"

TARGETS = {
    **{
        f"real-{name}": (
            program_targets.maker_of(name),
            holder_of(script, program_files, exceptions, real),
            (TOOLS.get(name, name),),
        )
        for name, (script, real, exceptions) in PROGRAMS.items()
    },
    "real-patch": (
        patch_maker,
        holder_of(
            PATCH,
            patch_files,
            {
                r"(?m)^\d+(,\d+)?[acdis]\s*$": "deviation: ed scripts",
                r"\A\s*\Z": "deviation: an empty patch makes no file for -o",
                r"(?m)^\*\*\* *\d*(,\d*)?(?! \*\*\*\*$)": "deviation: incomplete ranges",
                r"(?m)^\d+(,\d+)?[acd]\d+(,\d+)?\n(?![<>] )": "deviation: incomplete hunks",
                r"[^\n]\Z": "the real tool takes a last line without its end in several ways",
            },
        ),
        ("patch",),
    ),
    "real-tar": (
        archive_targets.maker_of(archive_targets.tar_samples),
        holder_of(TAR, archive_files, {}),
        ("tar",),
    ),
    **{
        f"real-{name}": (
            archive_targets.maker_of(archive_targets.packed_samples),
            holder_of(PACKED.format(name), archive_files, {}),
            (name,),
        )
        for name in ("gzip", "bzip2", "xz")
    },
}
