"""time - run a command and report what it has used; the keyword `time` is the shell's own."""

from __future__ import annotations

from keysh.interp.state.call import UsageFailure
from keysh.schema.arguments import raw_texts
from keysh.schema.declare import OptionStyle, Refusals, command
from keysh.text.chunks import bytes_of_text
from keysh.values import text_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw

STATUS_USAGE = 125
SIGNAL_STATUS_BASE = 128
PORTABLE_FORMAT = "real %e\nuser %U\nsys %S"
DEFAULT_FORMAT = (
    "%Uuser %Ssystem %Eelapsed %PCPU (%Xavgtext+%Davgdata %Mmaxresident)k\n"
    "%Iinputs+%Ooutputs (%Fmajor+%Rminor)pagefaults %Wswaps"
)
VERBOSE_FORMAT = """\
	Command being timed: "%C"
	User time (seconds): %U
	System time (seconds): %S
	Percent of CPU this job got: %P
	Elapsed (wall clock) time (h:mm:ss or m:ss): %E
	Average shared text size (kbytes): %X
	Average unshared data size (kbytes): %D
	Average stack size (kbytes): %p
	Average total size (kbytes): %K
	Maximum resident set size (kbytes): %M
	Average resident set size (kbytes): %t
	Major (requiring I/O) page faults: %F
	Minor (reclaiming a frame) page faults: %R
	Voluntary context switches: %w
	Involuntary context switches: %c
	Swaps: %W
	File system inputs: %I
	File system outputs: %O
	Socket messages sent: %s
	Socket messages received: %r
	Signals delivered: %k
	Page size (bytes): %Z
	Exit status: %x"""
# What only the kernel counts, and only for a process.
UNCOUNTED_LETTERS = "DFIKMORWXckprstw"
PAGE_BYTES = "4096"
ESCAPES = {"t": "\t", "n": "\n", "\\": "\\"}


@command(
    compatible="GNU time 1.9",
    refusals=Refusals(usage_status=STATUS_USAGE),
    style=OptionStyle(binds_by_key=False),
)
def time(
    sh: Call,
    *words: Raw,
    append: bool = False,
    format: str | None = None,
    output: str | None = None,
    portability: bool = False,
    quiet: bool = False,
    verbose: bool = False,
) -> int:
    """Run a command, and report on standard error what it has used.

    words ...            the command and its arguments
    -a, --append         with -o, append to the file
    -f, --format FORMAT  the form of the report, else $TIME
    -o, --output FILE    write the report to FILE
    -p, --portability    report as POSIX says: real, user and sys, in seconds
    -q, --quiet          do not report that the command has failed
    -v, --verbose        report everything, with explanations

    FORMAT may contain: %e seconds, %E minutes and seconds, %U and %S seconds of the
    processor, %P its share, %C the command, %x the status; \\t and \\n. Memory, page
    faults and the like are 0, unless the command is a program of the machine.
    """
    if not words:
        raise UsageFailure("missing program to run")
    form = PORTABLE_FORMAT if portability else VERBOSE_FORMAT if verbose else format
    if form is None:
        form = sh.env.get("TIME", DEFAULT_FORMAT)
    command_words = raw_texts(words)
    options = [f"--format={form}", *(["--quiet"] if quiet else [])]
    if output is not None:
        options += [f"--output={output}", *(["--append"] if append else [])]
    if sh.is_program(command_words[0]):
        status = sh.run_hidden_program(["time", *options, "--", *words])
        if status is not None:
            return status
    clocks = sh.clocks
    began, before = clocks.wall(), clocks.work_with_programs()
    status = sh.run(words)
    elapsed, after = clocks.wall() - began, clocks.work_with_programs()
    # In floating point a time without any work may come out just below zero.
    user, system = (max(0.0, end - begin) for begin, end in zip(before, after, strict=True))
    fields = usage_fields(elapsed, user, system)
    fields |= {"C": " ".join(map(text_of, command_words)), "x": str(status)}
    report = f"{expanded_format(form, fields)}\n"
    if status and not quiet:
        report = f"{failure_line(status)}\n{report}"
    if output is None:
        sh.err.write(report)
    else:
        with sh.open(output, "a" if append else "w") as file:
            file.write(bytes_of_text(report))
    return status


def failure_line(status: int) -> str:
    """Return the line about a command that has failed."""
    if status > SIGNAL_STATUS_BASE:
        return f"Command terminated by signal {status - SIGNAL_STATUS_BASE}"
    return f"Command exited with non-zero status {status}"


def usage_fields(elapsed: float, user: float, system: float) -> dict[str, str]:
    """Return the texts of the letters of a format that stand for times and other numbers."""
    hours, seconds = divmod(elapsed, 3600)
    minutes, seconds = divmod(seconds, 60)
    clock = f"{hours:.0f}:{minutes:02.0f}:{int(seconds):02}"
    if not hours:
        clock = f"{minutes:.0f}:{seconds:05.2f}"
    share = f"{100 * (user + system) / elapsed:.0f}%" if elapsed else "?%"
    return {
        **dict.fromkeys(UNCOUNTED_LETTERS, "0"),
        "e": f"{elapsed:.2f}", "E": clock, "U": f"{user:.2f}", "S": f"{system:.2f}",
        "P": share, "Z": PAGE_BYTES, "%": "%",
    }  # fmt: skip


def expanded_format(form: str, fields: dict[str, str]) -> str:
    r"""Replace `%e`, `\t` and so on in a format; `?` marks an unknown letter."""
    pieces = []
    index = 0
    while index < len(form):
        char, letter = form[index], form[index + 1 : index + 2]
        if char == "%":
            pieces.append(fields.get(letter) or f"?{letter}")
        elif char == "\\":
            pieces.append(ESCAPES.get(letter) or f"?\\{letter}")
        else:
            pieces.append(char)
            letter = ""
        index += 1 + len(letter)
    return "".join(pieces)
