"""Cancelling and deadlines end a script whatever it does, and the next run starts afresh."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from threading import Event, Timer

import pytest

from keysh import Call, Cancel, MemoryFS, Shell, command
from keysh.interp.run import budget as budgets
from keysh.text.regex.engines.linear import MAX_PIECE_CHARACTERS
from keysh.text.regex.regex import regex_of
from keysh.tools.sort import pieces
from keysh.vfs.api import Entry

BUSY = {
    "loop": "while :; do :; done",
    "until": "until false; do :; done",
    "arithmetic loop": "for ((;;)); do :; done",
    "recursion": "f() { g; g; }; g() { h; h; }; h() { while :; do :; done; }; f",
    "sleep": "sleep 1000",
    "substitution": "x=$(while :; do echo x; done)",
    "pipeline": "yes | cat | { while read -r x; do :; done; }",
    "compound pipeline": "{ while :; do echo x; done; } | cat > /dev/null",
    "glob": "while :; do : /many/*[0-9]*x; done",
    "regex": "x=$(printf 'a%.0s' {1..3000}); while :; do [[ $x =~ (a*)*b ]]; done",
    "pattern": "x=$(printf 'a%.0s' {1..3000}); while :; do [[ $x == *a*a*a*b ]]; done",
    "sort": "while :; do seq 20000 | sort -n > /dev/null; done",
    "sort by a key": "while :; do seq 20000 | sort -k1.2 -r > /dev/null; done",
    "list copy": 'xs=({1..50000}); while :; do ys=("${xs[@]}"); done',
    "fields": "x=$(seq 50000 | tr '\\n' ' '); while :; do read -ra xs <<< \"$x\"; done",
    "replacing": "x=$(seq 50000); while :; do y=${x//1/22}; done",
    "wait": "sleep 1000 & wait",
    "wait for one": "sleep 1000 & wait -n",
    "timeout": "timeout 1000 sleep 1000",
    "read": "read -r x",
    "read with a timeout": "read -r -t 1000 x",
    "read of characters": "read -r -N 10 x",
    "read in a loop": "while read -r x; do :; done",
    "cat": "cat",
    "count": "wc -l",
    "host": "busy",
    "host in a pipe": "busy | cat",
    "yes": "yes > /dev/null",
    "eval": "eval 'while :; do :; done'",
    "process substitution": "cat <(while :; do :; done)",
    "trap": "trap 'while :; do :; done' EXIT",
    "tail": "yes | tail -1",
    "tr": "yes | tr y n > /dev/null",
    "seq": "seq 1000000000000 > /dev/null",
    "find": "while :; do find /many -name x; done",
    "xargs": "yes | xargs -n1 echo > /dev/null",
    "awk": "awk 'BEGIN { while (1) x++ }'",
    "sed": "echo | sed ':a; ba'",
    "jq": "jq -n 'last(repeat(1))'",
}


@command
def busy(sh: Call) -> None:
    """Work for ever."""
    while True:
        sh.tick()


@pytest.fixture(scope="module")
def many() -> MemoryFS:
    fs = MemoryFS()
    fs.make_directory("/many")
    for number in range(3000):
        with fs.open(f"/many/{number}", "w") as stream:
            stream.write(b"")
    return fs


@pytest.mark.parametrize("name", BUSY)
def test_deadline_ends_the_script(name: str, many: MemoryFS) -> None:
    shell = Shell(many, commands=[busy], check=False)
    never = Event()

    def blocked() -> Iterator[str]:
        never.wait(20)
        yield ""

    result = shell.run(f"echo kept; {BUSY[name]}", timeout=0.3, stdin=blocked())
    never.set()
    assert (result.code, result.stdout.startswith("kept\n")) == (124, True)
    assert result.duration_ms < 10_000  # if nothing hangs, it takes a hundredth of that
    assert shell.run("trap - EXIT; eval break; echo ok").stdout == "ok\n"


@pytest.mark.parametrize(
    "name", ["loop", "sleep", "wait", "read", "fields", "compound pipeline", "host"]
)
def test_cancelling_ends_one_run(name: str, many: MemoryFS) -> None:
    shell = Shell(many, commands=[busy], check=False)
    cancel, never = Cancel(), Event()

    def blocked() -> Iterator[str]:
        never.wait(20)
        yield ""

    begun = Event()
    job = shell.start(
        f"echo kept; {BUSY[name]}", cancel=cancel, stdin=blocked(),
        on_output=lambda kind, text: begun.set(),
    )  # fmt: skip
    assert begun.wait(30)
    cancel.cancel()
    result = job.wait(30)
    never.set()
    assert (result.code, result.stdout) == (130, "kept\n")
    assert result.limit is not None
    assert result.limit.kind == "cancelled"
    assert shell.run("echo ok").stdout == "ok\n"
    assert shell.run("echo no", cancel=cancel).code == 130


def test_a_glob_over_many_files(many: MemoryFS) -> None:
    shell = Shell(many)
    cancel = Cancel()
    timer = Timer(0.01, cancel.cancel)
    timer.start()
    result = shell.run("while :; do for x in /many/**/*; do :; done; done", cancel=cancel)
    timer.join()
    assert result.code == 130


class Telling(MemoryFS):
    """A file system that reports each directory it lists."""

    told: Callable[[], None]

    def list(self, path: str) -> Iterator[Entry]:
        self.told()
        return super().list(path)


@pytest.mark.parametrize(
    "script",
    ["echo /*/*x", "for x in /*/[0-9]*; do :; done", "echo /**/x", "compgen -G '/*/*x'",
     "find / -name x", "ls -R /", "du /", "tree /", "rm -r /*", "cp -r /1* /2* /copy",
     "grep -r x /"],
)  # fmt: skip
def test_no_directory_is_read_after_cancelling(script: str) -> None:
    fs = Telling({f"/{folder}/{number}": "" for folder in range(100) for number in range(5)})
    fs.make_directory("/copy")
    cancel, listed = Cancel(), 0

    def told() -> None:
        nonlocal listed
        listed += 1
        if listed == 20:
            cancel.cancel()

    fs.told = told
    assert Shell(fs).run(script, cancel=cancel).code == 130
    assert listed == 20


@pytest.mark.parametrize("work", [":", "y=$x", 'z=("${xs[@]}")', "echo $x >/dev/null"])
def test_loop_ends_in_the_cancelled_iteration(work: str) -> None:
    """No iteration runs after cancelling, however long one takes."""
    cancel = Cancel()

    @command
    def stop(sh: Call) -> None:
        """Cancel the run."""
        cancel.cancel()

    shell = Shell(commands=[stop])
    assert shell.run("n=0 x=[a, b, c]; xs=(a b c); for ((i=0; i<5000; i++)); do :; done").ok
    assert shell.run(f"while :; do {work}; n=$((n + 1)); stop; done", cancel=cancel).code == 130
    assert shell.vars["n"] == 1


class Looks:
    """Counts how often a run checks for cancellation, and cancels it at one check."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.count, self.last = 0, -1
        look = budgets.Budget.check

        def counted(budget: budgets.Budget) -> None:
            self.count += 1
            if self.count == self.last:
                budget.cancel()
            look(budget)

        monkeypatch.setattr(budgets.Budget, "check", counted)

    def end_everywhere(self, shell: Shell, script: str, least: int) -> None:
        """Assert a minimum number of checks, and that the run can end at any of them."""
        shell.run(script)  # reading a script checks as well, but only the first time
        self.count, self.last = 0, -1
        assert shell.run(script).code < 2
        whole = self.count
        assert whole >= least
        for last in range(whole // 20 + 1, whole + 1, max(1, whole // 7)):
            self.count, self.last = 0, last
            assert shell.run(script).code == 130
            assert self.count == last  # nothing more was started


@pytest.mark.parametrize(
    ("words", "stages"),
    [("", 3), ("-r", 3), ("-u", 3), ("-n", 5), ("-nu", 5), ("-k2,2", 5), ("-k2,2n -k1,1r", 11),
     ("-f", 8), ("-d", 8), ("-g", 9), ("-h", 12), ("-k2h", 5), ("-V", 9), ("-M", 6), ("-R", 9),
     ("-uf", 7), ("-m", 4)],
)  # fmt: skip
def test_sort_can_be_cancelled(words: str, stages: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each stage (keys, runs, merge) checks for cancellation at each run."""
    monkeypatch.setattr(pieces, "ITEMS_PER_TICK", 16)
    monkeypatch.setattr(pieces, "PIECE_ITEMS", 16)
    monkeypatch.setattr(pieces, "SLOW_PIECE_SECONDS", float("inf"))  # whatever the machine does
    lines = [f"{number * 7919 % 2003} {number % 5}\n" for number in range(2000)]
    kept = [line.split(" ")[0] + "\n" for line in lines] if words in ("-n", "-nu") else lines
    shell = Shell(files={"/f": "".join(kept)})
    looks = Looks(monkeypatch)
    looks.end_everywhere(shell, f"sort {words} /f >/dev/null", stages * len(lines) // 16)


@pytest.mark.parametrize(
    "script",
    [
        "[[ $x =~ (a|b)*c ]]", "[[ $x =~ ((a|b)*a)c$ ]]", "[[ $x =~ (ab|a)*$ ]]",
        "grep -E 'a(ab|b)*[c-z]' /f", "grep -P 'a(ab|b)*?[c-z]' /f",
        "grep -oE 'a(ab|b)*[c-z]' /f", "sed -nE '/a(ab|b)*[c-z]/p' /f",
        "sed -nE 's/a(ab|b)*[c-z]/x/p' /f",
    ],
)  # fmt: skip
def test_regular_expression_can_be_cancelled(script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever the length of the text, `re`, which cannot be stopped, is not used on all of it."""
    text = ("ab" * 1000 + "b") * 210
    shell = Shell(files={"/f": f"{text}\n"}, check=False)
    assert shell.run(f"x={text}").ok
    Looks(monkeypatch).end_everywhere(shell, script, len(text) // MAX_PIECE_CHARACTERS)


def test_replacement_can_be_cancelled_at_any_match(monkeypatch: pytest.MonkeyPatch) -> None:
    shell = Shell()
    assert shell.run(f"x={'ab' * 500}").ok
    Looks(monkeypatch).end_everywhere(shell, "y=${x//+(a)b/}", 500)


@pytest.mark.parametrize(
    "script",
    [
        "sed -E 's/(a|b)/x\\1/g' /f", "sed -E 's/(a|b)/x\\1/3g' /f",
        "jq -R '[match(\"(a|b)\"; \"g\")] | length' /f", "jq -R 'gsub(\"a\"; \"c\")' /f",
    ],
)  # fmt: skip
def test_search_for_many_matches_can_be_cancelled(
    script: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shell = Shell(files={"/f": "ab" * 8192 + "\n"})
    Looks(monkeypatch).end_everywhere(shell, f"{script} >/dev/null", 8)


def test_search_for_groups_can_be_cancelled() -> None:
    looked = 0

    def tick() -> None:
        nonlocal looked
        looked += 1

    text = "aab" * 7000
    match = regex_of("((a|ab|b)*)$").search(text, tick=tick)
    assert match is not None
    looked = 0
    assert match.span(1) == (0, len(text))
    assert looked >= len(text) // MAX_PIECE_CHARACTERS


def test_building_a_large_automaton_can_be_cancelled() -> None:
    looked = 0

    def tick() -> None:
        nonlocal looked
        looked += 1

    text = "abc" * 600
    assert len(text) < MAX_PIECE_CHARACTERS
    assert regex_of("a[a-c]{900}").search(text, tick=tick) is not None
    assert looked > 40


def test_slow_steps_check_more_often(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [100.0]
    monkeypatch.setattr(budgets, "monotonic", lambda: now[0])

    def slices(budget: budgets.Budget, seconds: float, count: int) -> list[int]:
        result = []
        for _ in range(count):
            now[0] += seconds
            before = budget.steps_left
            budget.refill()
            result.append(budget.steps_left - before)
        return result

    budget = budgets.Budget()
    assert slices(budget, 0.0001, 20)[-1] == budgets.MAX_SLICE_STEPS
    assert slices(budget, 0.005, 2) == [budgets.MAX_SLICE_STEPS] * 2
    assert slices(budget, 10.24, 1) == [1]
    assert slices(budget, 0.0001, 3) == [2, 4, 8]


@pytest.mark.parametrize(
    ("script", "output", "code"),
    [
        ("trap 'echo bye' EXIT; kill $$ & while :; do :; done", "bye\n", 143),
        ("trap 'sleep 0; echo bye' EXIT; kill $$ & sleep 60", "bye\n", 143),
        ("trap 'echo told; exit 4' TERM; kill $$ & while :; do :; done", "told\n", 4),
        (
            "trap 'echo told; exit 4' TERM; f() { until false; do :; done; }; kill $$ & f",
            "told\n",
            4,
        ),
        ("trap 'echo bye' EXIT; kill -9 $$ & while :; do :; done", "", 137),
    ],
)
def test_cancelled_job_ends_its_shell(script: str, output: str, code: int) -> None:
    shell = Shell()
    result = shell.run(script)
    assert (result.stdout, result.code) == (output, code)
    assert shell.run("echo next").stdout == "next\n"
