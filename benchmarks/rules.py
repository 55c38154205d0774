"""Time a decision of rules.

    python benchmarks/rules.py [--rounds N]

Each row is measured in every round, in an order that changes; medians, and the bound asked for.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable, Iterator

from keysh import Rules, Shell

REPEATS = 20_000
RULES = [
    *(
        {"command": f"tool{number}", "arguments": ["push", "..."], "decision": "deny"}
        for number in range(60)
    ),
    *(
        {"command": "git", "arguments": [f"verb{number}", "..."], "decision": "ask"}
        for number in range(40)
    ),
    *({"paths": [f"/srv/d{number}/**"], "decision": "deny"} for number in range(60)),
    *({"paths": [f"/home/*/d{number}/*.key"], "decision": "ask"} for number in range(10)),
    *({"hosts": [f"h{number}.example.org"], "decision": "deny"} for number in range(30)),
]  # 200 rules


def seconds_of(work: Callable[[int], object], repeats: int) -> float:
    """Return the processor time of one call, which gets another number each time."""
    begin = time.process_time()
    for number in range(repeats):
        work(number)
    return (time.process_time() - begin) / repeats


def rule_rows() -> Iterator[tuple[str, Callable[[int], object], int, float | None]]:
    """Yield names, calls, repeats and bounds in microseconds."""
    rules = Rules(RULES)
    yield "a command that no rule names", lambda n: rules.judge_command(["ls", str(n)]), REPEATS, 2
    yield (
        "a command with rules", lambda n: rules.judge_command(["git", "verb7", str(n)]), REPEATS, 2
    )  # fmt: skip
    yield "a command again", lambda n: rules.judge_command(["git", "verb7"]), REPEATS, 2
    yield "a path", lambda n: rules.judge_path("write", f"/srv/x/{n}"), REPEATS, 2
    yield "a path again", lambda n: rules.judge_path("write", "/srv/d7/x"), REPEATS, 2
    free, ruled = Shell(), Shell(rules=rules)
    yield "echo without rules", lambda n: free.run("echo hi"), 2_000, None
    yield "echo with 200 rules", lambda n: ruled.run("echo hi"), 2_000, None


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    rounds = parser.parse_args().rounds
    rows = [*rule_rows()]
    times: dict[str, list[float]] = {name: [] for name, *_ in rows}
    for _ in range(rounds):
        for name, work, repeats, _ in random.sample(rows, len(rows)):
            times[name].append(seconds_of(work, repeats) * 1e6)
    for name, _, _, bound in rows:
        asked = "" if bound is None else f"   (at most {bound})"
        print(f"{name:32} {statistics.median(times[name]):8.2f} us{asked}")


if __name__ == "__main__":
    main()
