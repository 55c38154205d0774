"""An embedding host: files of its own, a command of its own, limits, and a say in what runs."""

from __future__ import annotations

import keysh

STOCK = {"apple": 5, "green apple": 2}


@keysh.command
def stock(sh: keysh.Call, *items: str, below: int | None = None) -> None:
    """Print how many of each item there are.

    items ...        the items; all of them when none are given
    -b, --below NUM  only items of which there are fewer
    """
    for item in items or STOCK:
        if item not in STOCK:
            sh.warn(f"no such item: {item}")
        elif below is None or STOCK[item] < below:
            sh.out.write(f"{STOCK[item]}\t{item}\n")


def ask(name: str, arguments: list[object], place: object) -> str | None:
    """Refuse what must not run here: None lets it, a text is the reason."""
    return "files are kept here" if name == "rm" else None


def main() -> None:
    """Run a few scripts, and look at what each has given."""
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
