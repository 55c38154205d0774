"""kill - send signals to jobs and processes."""

from __future__ import annotations

import os

from keysh.interp.engine.signal_delivery import deliver_signal, deliver_to_shell, send_signal
from keysh.interp.jobs.names import find_job
from keysh.interp.state.state_of_call import state_of
from keysh.schema.arguments import expanded_texts
from keysh.schema.declare import command
from keysh.text.shell_numbers import bounded_number, is_digits
from keysh.text.signal_names import (
    IGNORED_SIGNALS,
    SIGTERM,
    signal_name,
    signal_number,
    signal_table,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.interp.state.state import State
    from keysh.schema.types import Raw

STATUS_USAGE = 2
USAGE = "usage: kill [-s sigspec | -n signum | -sigspec] pid | jobspec ... or kill -l [sigspec]"


@command
def kill(sh: Call, *words: Raw) -> int:
    """Send a signal to jobs, to the shell or, if any program may run, to any process.

    words ...  -s SIGNAL, -n NUM or -SIGNAL (default: TERM; 0 only checks that the
               process exists), then process numbers, negative for a group, or %1
               for a job; or -l to list signals or translate names and numbers
    """
    texts = expanded_texts(words)
    if texts[:1] in (["-l"], ["-L"]):
        print_signals(sh, texts[1:])
        return sh.status
    number, index = SIGTERM, 0
    if texts and texts[0][:1] == "-" and texts[0] != "--":
        is_separate = texts[0] in ("-s", "-n")
        if is_separate and len(texts) == 1:
            raise sh.fail(f"{texts[0]}: option requires an argument")
        text = texts[1] if is_separate else texts[0][1:]
        parsed = signal_number(text)
        if parsed is None:
            raise sh.fail(f"{text}: invalid signal specification")
        number, index = parsed, 1 + is_separate
    index += texts[index : index + 1] == ["--"]
    if index >= len(texts):
        sh.note(USAGE)
        return STATUS_USAGE
    state = state_of(sh)
    results = [send_to(sh, state, number, text) for text in texts[index:]]
    return 0 if any(results) else 1


def print_signals(sh: Call, texts: list[str]) -> None:
    """Print the signal table, or the names of numbers and the numbers of names."""
    if not texts:
        sh.out.write(signal_table())
    for text in texts:
        is_number = is_digits(text)
        number = signal_number(str(bounded_number(text) & 127) if is_number else text)
        if number is None:
            sh.warn(f"{text}: invalid signal specification")
        else:
            sh.out.write(f"{signal_name(number) if is_number else number}\n")


def send_to(sh: Call, state: State, number: int, text: str) -> bool:
    """Send a signal to a job or process; return whether it exists."""
    jobs = state.session.jobs
    digits = text[1:] if text[:1] == "-" else text
    if text[:1] != "%" and not is_digits(digits):
        if not text:
            sh.warn("`': not a pid or valid job spec")
            return False
        sh.warn(f"{text}: arguments must be process or job IDs")
        return False
    pid = bounded_number(digits) if text[:1] != "%" else -1
    is_shell = pid == jobs.shell_pid and jobs.own_job is None  # a job may be another process
    if is_shell or pid in (state.pid, 0):
        state.status = 0  # the trap runs after this command
        if pid == state.pid and pid:
            deliver_signal(state, number)
        else:
            deliver_to_shell(state, number)
        return True
    job = find_job(state, digits if pid >= 0 else text)
    if job is None and pid >= 0:
        return send_to_process(sh, state, number, text)
    if job is None or job.status is not None:
        sh.warn(f"({text}) - No such process" if pid >= 0 else f"{text}: no such job")
        return False
    if job.leader is not None and (pid >= 0 or not job.has_more):
        job.leader.signal(number, is_group=text[:1] in "%-")
    elif job.process is not None:
        job.process.signal(number)
    elif job.fork is not None:
        send_signal(job.fork, number)
    elif number and signal_name(number) not in IGNORED_SIGNALS:
        job.budget.cancel(number)
    return True


def send_to_process(sh: Call, state: State, number: int, text: str) -> bool:
    """Send a signal to a process or process group of the host; return whether that worked."""
    programs = state.session.programs
    reason = "No such process"
    pid = bounded_number(text.removeprefix("-"))
    if programs is not None and not programs.is_restricted:
        try:
            os.kill(-pid if text[:1] == "-" else pid, number)
        except OverflowError:
            pass  # not a process number
        except OSError as error:
            reason = error.strerror or reason
        else:
            return True
    sh.warn(f"({text}) - {reason}")
    return False
