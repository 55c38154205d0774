"""Time a decision of rules.

    python benchmarks/rules.py [--rounds N]

Each row is measured in every round, in an order that changes; medians, and the bound asked for.
"""

from __future__ import annotations

from collections.abc import Iterator

from safety import Row, report_rows

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


def rule_rows() -> Iterator[Row]:
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
    report_rows(__doc__, rule_rows())


if __name__ == "__main__":
    main()
