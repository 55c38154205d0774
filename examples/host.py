"""A host that embeds keysh: its own files, its own command, limits, and a veto on commands."""

from __future__ import annotations

import keysh

STOCK = {"apple": 5, "green apple": 2}


@keysh.command
def stock(sh: keysh.Call, *items: str, below: int | None = None) -> None:
    """Print the number of each item in stock.

    items ...        the items; by default all of them
    -b, --below NUM  print only items with fewer than NUM
    """
    for item in items or STOCK:
        if item not in STOCK:
            sh.warn(f"no such item: {item}")
        elif below is None or STOCK[item] < below:
            sh.out.write(f"{STOCK[item]}\t{item}\n")


def ask(name: str, arguments: list[object], place: object) -> str | None:
    """Refuse a command by returning the reason; None permits it."""
    return "files are kept here" if name == "rm" else None


def main() -> None:
    """Run a few scripts, and print their results."""
    limits = keysh.Limits(steps=100_000, seconds=5, output=100_000)
    with keysh.Shell(
        files={"/orders.txt": "green apple\napple\npear\n"},
        commands=[stock],
        limits=limits,
        on_command=ask,
    ) as shell:
        shell.vars["least"] = 4
        result = shell.run("stock below=$least | cut -f 2")
        print("to order:", result.stdout.splitlines())

        result = shell.run('while read -r item; do stock "$item"; done < /orders.txt')
        print("status", result.code, "and:", result.stderr.strip())

        result = shell.run("stock --bellow=3")
        print("refused:", result.rejected, result.diagnostics[0].code, result.diagnostics[0].fix)

        result = shell.run("rm /orders.txt || echo it stays")
        print(result.stderr.strip(), "/", result.stdout.strip())

        result = shell.run("while true; do n=$((n + 1)); done")
        print("ended by a limit:", result.code, result.limit and result.limit.kind)


if __name__ == "__main__":
    main()
