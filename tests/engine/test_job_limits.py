"""Jobs share the limits of the run that started them, and end with their shell."""

from __future__ import annotations

import atexit
import gc
from _thread import allocate_lock

import pytest

from keysh import Call, Limits, Shell
from keysh.interp.run.budget import Budget
from keysh.interp.run.control_flow import LimitReached


def wait_for_jobs(jobs: list) -> None:
    """Wait until jobs have ended: that they do is what a test is about."""
    budget = Budget(timeout=20)
    for job in jobs:
        job.wait(budget)


def test_jobs_and_their_run_share_the_steps() -> None:
    with Shell(limits=Limits(steps=20_000, jobs=None)) as shell:
        script = "for i in {1..20}; do while :; do echo x; done > /dev/null & done; wait"
        result = shell.run(script)
        assert "limit reached: steps" in result.stderr
        jobs = list(shell.state.session.jobs.jobs.values())
        wait_for_jobs(jobs)
        assert {job.status for job in jobs} <= {125, 143}
        # The next run has steps of its own.
        assert shell.run("for i in {1..5000}; do :; done").code == 0


def test_a_job_gives_back_the_steps_that_it_has_not_used() -> None:
    with Shell(limits=Limits(steps=5000)) as shell:
        result = shell.run("for i in {1..100}; do :  & wait; done; for i in {1..2000}; do :; done")
        assert (result.code, result.stderr) == (0, "")


def test_a_job_of_a_job_has_the_time_that_the_first_one_has_left() -> None:
    run = Budget(Limits(seconds=5))
    job = run.for_job()
    inner = job.for_job()
    assert inner.deadline == job.deadline
    assert run.deadline is not None
    assert job.deadline is not None
    assert job.deadline >= run.deadline


def test_a_command_s_timeout_is_no_deadline_of_a_job_s_jobs() -> None:
    job = Budget(Limits(seconds=5)).for_job()
    deadline = job.deadline
    job.push_deadline(1)
    assert job.for_job().deadline == deadline


def test_unpacked_bytes_are_counted_together() -> None:
    run = Budget(Limits(unpacked=100))
    first, second = run.for_job(), run.for_job()
    first.count_unpacked(60)
    with pytest.raises(LimitReached):
        second.count_unpacked(60)


def test_growth_counts_from_the_beginning_of_the_run() -> None:
    run = Budget(Limits(memory=100))
    assert run.memory_limit(1000) is None
    limit = run.for_job().memory_limit(1101)
    assert limit is not None
    assert (limit.kind, limit.used) == ("memory", 101)


@pytest.mark.parametrize("how", ["sleep 1000 & disown", "while :; do :; done & disown"])
def test_disown_is_no_shield(how: str) -> None:
    shell = Shell(limits=Limits(seconds=100))
    assert shell.run(how).code == 0
    jobs = shell.state.session.unfinished_jobs()
    assert len(jobs) == 1
    shell.close()
    wait_for_jobs(jobs)


def test_a_run_that_reaches_a_limit_ends_the_chain_of_its_jobs() -> None:
    with Shell(limits=Limits(steps=3000)) as shell:
        assert shell.run("f() { sleep 0.001; f & disown; }; f & while :; do :; done").code == 125
        wait_for_jobs(shell.state.session.unfinished_jobs())
        assert not shell.state.session.unfinished_jobs()


def test_a_run_that_waits_ends_by_the_limit_that_has_ended_its_job() -> None:
    for _ in range(10):
        with Shell(limits=Limits(seconds=0.04)) as shell:
            result = shell.run("yes > /dev/null & sleep 100 & wait")
        assert (result.code, result.limit and result.limit.kind) == (124, "seconds")


def test_a_closed_shell_starts_no_job() -> None:
    shell = Shell()
    shell.run("f() { sleep 0.001; f & f & }; f &")
    shell.close()
    jobs = shell.state.session.unfinished_jobs()
    wait_for_jobs(jobs)
    assert not shell.state.session.unfinished_jobs()
    result = shell.run("echo a & echo b")
    assert (result.code, result.stdout) == (125, "")
    assert "jobs: the shell is closed" in result.stderr


def test_a_dropped_shell_ends_its_jobs() -> None:
    shell = Shell()
    shell.run("sleep 1000 & while :; do :; done &")
    jobs = shell.state.session.unfinished_jobs()
    assert len(jobs) == 2
    del shell
    gc.collect()
    wait_for_jobs(jobs)


def test_the_programs_of_a_dropped_shell_are_forgotten() -> None:
    """A job may begin its program when its shell is gone already."""
    before = atexit._ncallbacks()
    for _ in range(5):
        shell = Shell(external=True)
        shell.run("/bin/sleep 60 | cat &")
        jobs = shell.state.session.unfinished_jobs()
        del shell
        gc.collect()
        wait_for_jobs(jobs)
    assert atexit._ncallbacks() == before


def test_a_chain_of_jobs_may_be_long() -> None:
    """Each job writes to the output itself, not through those it came from."""
    finished = allocate_lock()
    finished.acquire()
    shell = Shell(limits=Limits(depth=5000, steps=None))

    @shell.add
    def last(sh: Call) -> None:
        """Tell the test that the last job runs."""
        finished.release()

    shell.run("f() { if [ $1 = 0 ]; then echo end; last; else f $(($1 - 1)) & fi; }; f 1200 &")
    assert finished.acquire(timeout=60)
    shell.close()


def test_output_of_a_job_of_a_job_is_recorded_in_both() -> None:
    with Shell() as shell:
        seen = "until grep -q b /v/jobs/1/stdout; do :; done; cat /v/jobs/1/stdout"
        result = shell.run(f"{{ echo a; {{ echo b; }} & wait; sleep 1000; }} & {seen}")
        assert sorted(result.stdout.split()) == ["a", "a", "b", "b"]


@pytest.mark.parametrize(
    "script",
    [
        "yes > /dev/null", "awk 'BEGIN { while (1); }'", "jq -n '[range(1e12)] | length'",
        "echo a | sed ':a; ba'", "echo 'while (1) {}' | bc", "yes | xargs -n 1 true",
        "cat /dev/zero > /dev/null", "seq 1000000000000 > /dev/null",
    ],
)  # fmt: skip
def test_commands_count_steps(script: str) -> None:
    limits = Limits.unlimited()
    limits.steps = 5000
    result = Shell(limits=limits, check=False).run(script)
    assert result.limit is not None
    assert result.limit.kind == "steps"


@pytest.mark.parametrize("separator", ["; ", " && ", "\n"])
@pytest.mark.parametrize("dialect", ["keysh", "bash"])
def test_commands_of_a_long_list_count_steps(separator: str, dialect: str) -> None:
    script = separator.join(["true"] * 300)
    assert Shell(limits=Limits(steps=400)).run(script, dialect=dialect).code == 0
    assert Shell(limits=Limits(steps=200)).run(script, dialect=dialect).code == 125
