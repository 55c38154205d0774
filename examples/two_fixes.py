"""Two fixes of one bug, each tried in a fork of the shell; the one whose test passes is kept."""

from __future__ import annotations

import keysh

FILES = {
    "/work/pages.sh": "pages() { echo $(( $1 / 10 )); }  # of 10 items each\n",
    "/work/test.sh": """
. ./pages.sh
status=0
while read -r items expected; do
    found=$(pages "$items")
    [ "$found" = "$expected" ] || { echo "$items items: $found pages, not $expected"; status=1; }
done <<END
1 1
10 1
25 3
END
exit $status
""",
}
FIXES = {
    "one page more": "sed -i 's,/ 10,/ 10 + 1,' pages.sh",
    "round up": "sed -i 's,$1 / 10,($1 + 9) / 10,' pages.sh",
}


def passing_fork(shell: keysh.Shell, fixes: dict[str, str]) -> keysh.Shell | None:
    """Try each fix in a fork; return the first whose test passes."""
    for name, fix in fixes.items():
        fork = shell.fork()
        fork.run(fix)
        test = fork.run("bash test.sh")
        print(f"{name}: {'passes' if test.ok else test.stdout.strip()}")
        if test.ok:
            return fork
    return None


def main() -> None:
    """Run the test, try the fixes, and take over the one that helps."""
    shell = keysh.Shell(files=FILES, cwd="/work")
    print(f"before: {shell.run('bash test.sh').stdout.splitlines()[0]}")
    fork = passing_fork(shell, FIXES)
    if fork is None:
        return
    print(fork.changes().diff(), end="")
    shell.merge(fork)
    print(f"after: status {shell.run('bash test.sh').code}")


if __name__ == "__main__":
    main()
