"""The watchdog ends runs that look at no limit, and hits nothing but them."""

from __future__ import annotations

import builtins
import os
import subprocess
import sys
from _thread import allocate_lock, get_ident
from collections.abc import Callable, Iterator
from contextlib import suppress
from threading import Thread, Timer
from time import monotonic
from typing import Any
from weakref import ref

import pytest

from keysh import Call, Cancel, Limits, Shell
from keysh.compile.commands import full_command, redirections
from keysh.interp.run.budget import Budget
from keysh.interp.run.control_flow import LimitReached
from keysh.interp.run.watchdog import WATCHDOG, TakenBack, Watchdog, exception_setter
from keysh.shell.output import Output

LIMITS = Limits(seconds=0.5, memory=64 << 20)


def busy(sh: Call) -> None:
    """Compute, without a look at any limit."""
    while True:
        pass


def defiant(sh: Call) -> None:
    """Compute, and catch whatever a host catches."""
    while True:
        with suppress(Exception):
            sum(number * number for number in range(1000))


def greedy(sh: Call) -> None:
    """Take memory, without a look at any limit."""
    pieces = []
    while True:
        pieces.append(bytes(10_000))


def outer(sh: Call) -> None:
    """Run scripts in another shell, whose limits are not reached."""
    inner = Shell()
    while True:
        inner.run("echo a | cat")


@pytest.fixture
def shell() -> Iterator[Shell]:
    with Shell(limits=LIMITS, commands=[busy, defiant, greedy, outer]) as shell:
        yield shell


@pytest.mark.parametrize(
    "script",
    [
        "busy", "defiant", "outer", "( busy )", "x=$(busy)", "f() { busy; }; f", "busy | cat",
        "echo a | busy", "cat <(busy)", "echo a > >(busy)", "{ echo a; busy; } | cat", "eval busy",
        "trap busy EXIT; exit", "busy & wait", "for i in 1 2; do busy; done",
        "xargs busy < /dev/null",
        "f() { [ $1 = 0 ] && busy || f $(($1 - 1)); }; f 100",
    ],
)  # fmt: skip
def test_a_run_ends_wherever_it_computes(shell: Shell, script: str) -> None:
    result = shell.run(f"echo kept; {script}; echo no")
    assert result.limit is not None
    assert (result.code, result.limit.kind) == (124, "seconds")
    assert result.stdout == "kept\n"
    assert result.error is None
    assert "Traceback" not in result.stderr
    assert shell.run("echo again | cat").stdout == "again\n"


def test_growth_that_no_command_looks_at_ends_a_run(shell: Shell) -> None:
    shell = Shell(limits=Limits(memory=64 << 20), commands=[greedy])
    result = shell.run("greedy")
    assert result.limit is not None
    assert (result.code, result.limit.kind) == (125, "memory")
    assert shell.run("echo again").stdout == "again\n"


def test_a_cancelled_run_ends() -> None:
    began, cancel = allocate_lock(), Cancel()
    began.acquire()

    def forever(sh: Call) -> None:
        """Compute."""
        began.release()
        while True:
            pass

    shell = Shell(commands=[forever])
    thread = Thread(target=lambda: (began.acquire(), cancel.cancel()))
    thread.start()
    result = shell.run("forever", cancel=cancel)
    thread.join()
    assert result.code == 130


def test_a_command_with_its_own_timeout_ends_alone(shell: Shell) -> None:
    shell = Shell(limits=Limits(seconds=30), commands=[busy])
    assert shell.run("timeout 0.05 busy; echo $?").stdout == "124\n"


def test_a_job_ends_after_its_run(shell: Shell) -> None:
    assert shell.run("busy &").code == 0
    (job,) = shell.state.session.unfinished_jobs()
    assert job.wait(Budget(timeout=30)) == 124


TRACED_AFTER_A_STRIKE = """
import sys
from keysh import Limits, Shell

def busy(sh):
    "Compute."
    while True:
        pass

shell = Shell(limits=Limits(seconds=0.1), commands=[busy])
assert shell.run("busy").code == 124
called = []

def traced():
    called.append(1)

sys.settrace(lambda *event: None)
traced()
sys.settrace(None)
print(called)
"""


def test_the_host_can_trace_calls_after_a_strike() -> None:
    """Python 3.11 calls a traced function for ever while an exception is said to be pending."""
    command = [sys.executable, "-c", TRACED_AFTER_A_STRIKE]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert (ended.stdout, ended.stderr) == ("[1]\n", "")


def test_a_run_that_ends_is_not_struck_where_its_timeout_is_taken_back() -> None:
    budget, kept = Budget(), []

    def part(sh: Call) -> None:
        """Have a deadline of its own, and be cancelled."""
        sh.deadline = monotonic() + 100
        cancel.cancel()
        try:
            sh.tick()
        finally:
            sh.deadline = None
            kept.append(shell.state.budget.ended_at)

    cancel, shell = Cancel(), Shell(commands=[part])
    assert shell.run("part", cancel=cancel).code == 130
    assert kept[0]

    before = budget.push_deadline(100)
    budget.cancel()
    with pytest.raises(LimitReached):
        budget.check()
    budget.pop_deadline(before)
    assert budget.ended_at


def raise_here(raise_in: Callable[[int, type[LimitReached]], None]) -> None:
    """Raise a limit in this thread, as the watchdog does."""
    raise_in(get_ident(), TakenBack)
    for _ in range(100):
        pass


def test_the_watchdog_goes_on_without_memory_for_what_it_loads(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looks: list[Callable[[int, type[LimitReached]], None]] = []

    class Forgetful(Watchdog):
        def _look(self) -> bool:
            looks.append(exception_setter())
            raise KeyboardInterrupt  # ends the loop

    def load(name: str, *options: Any) -> Any:
        if name == "ctypes" and not refused:
            refused.append(name)
            raise ImportError("_ctypes.so: failed to map segment from shared object")
        return load_module(name, *options)

    refused: list[str] = []
    load_module = builtins.__import__
    monkeypatch.setattr(builtins, "__import__", load)
    with pytest.raises(KeyboardInterrupt):
        Forgetful()._run()
    monkeypatch.undo()
    assert refused
    with pytest.raises(LimitReached):
        raise_here(looks[0])


def test_the_host_is_never_hit() -> None:
    """Runs end at the moment they are struck, or just before; what follows is the host's."""
    WATCHDOG._raise_in = exception_setter()  # as of a run that has lasted
    shell = Shell(limits=Limits(seconds=30), commands=[busy])

    @shell.add
    def struck(sh: Call) -> None:
        """Be struck at the very end of the run."""
        session, thread = shell.state.session, get_ident()
        state = session.threads[thread]
        limit = state.budget.time_limit(0.0)
        Thread(target=WATCHDOG._strike, args=(session, thread, state, limit)).start()

    for _ in range(300):
        result = shell.run("struck")
        assert result.code in (0, 124)
        assert not shell.state.session.threads
    assert shell.run("echo ok").stdout == "ok\n"


def test_a_forked_process_has_a_watchdog_of_its_own(shell: Shell) -> None:
    assert shell.run("busy").code == 124
    process = os.fork()
    if not process:
        os._exit(shell.run("busy").code)
    assert os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]) == 124


def test_a_shell_that_was_busy_when_its_process_forked_says_so() -> None:
    shell = Shell()
    statuses = []

    @shell.add
    def fork(sh: Call) -> None:
        """Fork the process on another thread, while the shell is busy."""

        def work() -> None:
            process = os.fork()
            if not process:
                os._exit(shell.run("echo a").code)
            statuses.append(os.waitstatus_to_exitcode(os.waitpid(process, 0)[1]))

        thread = Thread(target=work)
        thread.start()
        thread.join()

    assert shell.run("fork").code == 0
    assert statuses == [125]


def test_the_program_has_no_watchdog() -> None:
    program = (
        "import sys; from keysh.cli.main import main; main(['-c', 'x=$(seq 100000)']); "
        "print('keysh.interp.run.watchdog' in sys.modules)"
    )
    words = [sys.executable, "-c", program]
    assert subprocess.run(words, capture_output=True, text=True).stdout == "False\n"


def test_a_timer_of_the_host_is_not_disturbed(shell: Shell) -> None:
    """Other threads of the host go on while a run is ended."""
    done = allocate_lock()
    done.acquire()
    timer = Timer(0.6, done.release)
    timer.start()
    assert shell.run("busy").code == 124
    assert done.acquire(timeout=20)
    timer.join()


class NextRun:
    """The state of a thread whose run ends, and another begins, at any look."""

    @property
    def budget(self) -> Budget:
        made = Budget(Limits(seconds=0.001))
        made.ended_at = 0.0
        return made


def test_a_run_that_begins_while_the_watchdog_looks_is_not_hit() -> None:
    class Session:
        def __init__(self) -> None:
            self.threads = {get_ident(): NextRun()}
            self.is_watched, self.struck_by = True, None

    session: Any = Session()
    watchdog = Watchdog()
    watchdog._sessions[id(session)] = ref(session)
    assert watchdog._look()
    assert session.struck_by is None


def test_a_run_is_seen_with_its_own_budget_only() -> None:
    """The time of the run before is over, and the watchdog may look at any moment."""
    shell, seen = Shell(), []

    class Threads(dict[int, Any]):
        def __setitem__(self, thread: int, state: Any) -> None:
            seen.append(state.budget)
            super().__setitem__(thread, state)

    shell.run(":")
    before = shell.state.budget
    shell.state.session.threads = Threads()
    shell.run(":")
    assert before not in seen
    assert seen == [shell.state.budget]


def test_an_interrupt_where_a_run_begins_leaves_no_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    shell = Shell()
    shell.run(":")
    monkeypatch.setattr(Output, "begin", interrupt)
    with pytest.raises(KeyboardInterrupt):
        shell.run(":")
    monkeypatch.undo()
    assert not shell.state.session.threads
    assert shell.run("echo on").stdout == "on\n"


class Resource:
    """What takes longer to open, and to close, than a run may last."""

    def __init__(self) -> None:
        self.is_open = self.was_opened = False

    def __enter__(self) -> None:
        compute_for(1.0)
        self.is_open = self.was_opened = True

    def __exit__(self, *_: object) -> None:
        compute_for(1.0)
        self.is_open = False


def compute_for(seconds: float) -> None:
    end = monotonic() + seconds
    while monotonic() < end:
        pass


def test_what_is_opened_is_closed_again() -> None:
    resource = Resource()

    def use(sh: Call) -> None:
        """Open and close something, slowly."""
        with resource:
            while True:
                pass

    with Shell(limits=Limits(seconds=0.05), commands=[use]) as shell:
        result = shell.run("use")
    assert result.limit is not None
    assert result.limit.kind == "seconds"
    assert resource.was_opened
    assert not resource.is_open


@pytest.mark.parametrize(
    "script",
    ["echo a > /f", "{ echo a; } > /f", "{ { echo a; } > /f; } 2> /g", "f() { echo a; } > /f; f"],
)
def test_limit_that_strikes_where_redirections_are_undone(
    monkeypatch: pytest.MonkeyPatch, script: str
) -> None:
    def strike(state: object, before: object) -> None:
        raise LimitReached("seconds", 1.0, 1.0, 124)

    with Shell() as shell:
        shell.run(script)
        for module in (full_command, redirections):
            monkeypatch.setattr(module, "undo_redirects", strike)
        ended = shell.run(script).limit
        assert ended is not None
        assert ended.kind == "seconds"
        monkeypatch.undo()
        assert shell.run("echo b").stdout == "b\n"
        assert shell.run("cat /f").stdout == "a\n"


@pytest.mark.parametrize(
    "script",
    [
        "exec 3> >(sleep 1000) 4> >(sleep 1000) 5> >(sleep 1000); sleep 1000",
        "exec 3< <(sleep 1000) 4> >(cat); echo a >&4; read x <&3",
        "yes | tee >(cat > /dev/null) >(cat > /dev/null) >(cat > /dev/null) > /dev/null",
    ],
)
def test_run_that_reaches_a_limit_leaves_no_substitution_to_the_next_one(script: str) -> None:
    with Shell(limits=Limits(seconds=0.1)) as shell:
        for _ in range(4):
            ended = shell.run(script).limit
            assert ended is not None
            assert ended.kind == "seconds"
            assert not shell.state.session.substitutions
            result = shell.run("echo b")
            assert (result.code, result.stdout) == (0, "b\n")
