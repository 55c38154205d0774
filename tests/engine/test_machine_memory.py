"""A machine that gives no more memory ends a run as a limit, also while a module is loaded."""

from __future__ import annotations

import subprocess
import sys

import pytest

from keysh import Shell
from keysh.interp.run.control_flow import limit_of

# Each begins with what is not loaded yet.
SCRIPTS = [
    "echo 1 | jq .", "awk 'BEGIN { print 1 }'", "sqlite3 :memory: 'select 1'",
    "for i in 2 1; do echo $i; done | sort", "d=$(date); echo $d", "echo a | sed s/a/b/ | wc -l",
    "f() { local x=1; echo $x; }; f; trap : EXIT; sleep 0.01 & wait", "[[ a =~ b+ ]]; echo {1..3}",
]  # fmt: skip
CHILD = """
import resource, sys
import keysh
shell = keysh.Shell(limits=keysh.Limits(seconds=20))
shell.run("x=kept")
script, more = sys.argv[1], int(sys.argv[2])
most = resource.getrlimit(resource.RLIMIT_AS)[1]
size = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
resource.setrlimit(resource.RLIMIT_AS, (size, most))
taken = []  # all that is free, in large pieces and then in small ones
for piece in (1 << 20, 1 << 12, 400):
    try:
        while True:
            taken.append(bytearray(piece))
    except MemoryError:
        pass
while more > 0 and taken:
    more -= len(taken.pop())
result = shell.run(script)
del taken
resource.setrlimit(resource.RLIMIT_AS, (most, most))
limit = result.limit and result.limit.kind
# A thread without memory may die before it can say so; then the limit of time ends the wait.
assert limit in (None, "memory", "threads", "seconds"), result
assert limit or result.code in (0, 1), (result, result.stderr)
assert result.error is None or "E299" in result.stderr, (result, result.stderr)
again = shell.run(script)
assert again.limit is None and again.error is None, (again, again.stderr)
assert shell.run("echo $x").stdout == "kept\\n"
print(limit)
"""


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="its threads abort without any memory")
@pytest.mark.parametrize("script", SCRIPTS)
def test_module_that_cannot_be_loaded_ends_the_run_and_is_loaded_later(script: str) -> None:
    limits = set()
    for more in (0, 300_000, 900_000, 2_000_000):
        child = subprocess.run(
            [sys.executable, "-c", CHILD, script, str(more)],
            capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
        assert child.returncode == 0, (more, child.stderr)
        limits.add(child.stdout.strip())
    assert "memory" in limits


def test_an_import_that_fails_otherwise_is_no_limit() -> None:
    assert limit_of(ImportError("no module named x")) is None
    assert limit_of(ValueError()) is None
    limit = limit_of(ImportError("x.so: failed to map segment from shared object"))
    assert limit is not None
    assert limit.kind == "memory"


def test_memory_that_python_does_not_get_ends_the_run() -> None:
    def refuse(*_: object) -> None:
        raise MemoryError

    shell = Shell(on_command=refuse)
    result = shell.run("cat /dev/null; echo never")
    assert result.limit is not None
    assert result.limit.kind == "memory"
    assert result.stdout == ""
