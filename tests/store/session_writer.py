"""A process that runs scripts in a store and reports each answer, until it is killed.

    python session_writer.py FILE [RUNS]

It goes on from the last run. Run N changes variables, files and a function: if any part of a run
were missing, or of the next one there, `require_run` would notice.
"""

from __future__ import annotations

import itertools
import sys

from keysh import Shell

KEPT_FILES = 3
RUN = f"""
n=$((n + 1)); last() {{ echo "$n"; }}; push all $n
[ -d /d ] || mkdir /d
head -c $((n * 977 % 40000)) /dev/zero | tr '\\0' x > /d/$n
echo $n > /new; mv /new /last; echo $n >> /log
[ $n -le {KEPT_FILES} ] || rm /d/$((n - {KEPT_FILES}))
cd /d; echo answer $n
"""


def require_run(shell: Shell, number: int) -> None:
    """Raise unless everything is as after a run."""
    if not number:
        assert not shell.run("ls /d /log").ok
        return
    assert shell.vars["all"] == list(range(1, number + 1))
    assert shell.run("last; cat /last; pwd").stdout == f"{number}\n{number}\n/d\n"
    log = "".join(f"{each}\n" for each in range(1, number + 1))
    assert shell.run("cat /log").stdout == log
    kept = range(max(1, number - KEPT_FILES + 1), number + 1)
    sizes = "".join(f"{each * 977 % 40000} {each}\n" for each in kept)
    found = shell.run("for f in $(ls | sort -n); do echo $(wc -c < $f) $f; done").stdout
    assert found == sizes


def main() -> None:
    """Run after run, for ever or as often as it is told."""
    path, *count = sys.argv[1:]
    with Shell(store=path) as shell:
        for _ in range(int(count[0])) if count else itertools.count():
            result = shell.run(f"[[ -v n ]] || {{ n=0; all=[]; }}\n{RUN}", timeout=60)
            print(result.stdout.split()[1] if result.ok else result.stderr, flush=True)


if __name__ == "__main__":
    main()
