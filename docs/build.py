"""Write docs/language.md and docs/commands/: from the transcripts, and from the declarations.

    python docs/build.py

A test makes the pages anew and compares.
"""

from __future__ import annotations

import re
from pathlib import Path

from keysh.schema.render import markdown_page
from keysh.shell import command_listing as commands

DOCS = Path(__file__).parent
LANGUAGE = DOCS.parent / "tests" / "spec" / "lang"
TRANSCRIPTS = DOCS.parent / "tests" / "spec" / "commands"

# The pages of the language in the order to read them; one that is not here comes last.
ORDER = (
    "words", "quoting", "variables", "values", "literals", "lists-and-records", "paths", "arrays",
    "expansion", "splitting", "command-substitution", "arithmetic", "globs", "braces", "tilde",
    "commands", "functions", "control", "tests", "pipelines", "redirections", "heredocs",
    "process-substitution", "reading", "jobs", "traps", "options", "set-e", "aliases",
    "eval-and-source", "exit-status", "diagnostics",
)  # fmt: skip

PAGE = re.compile(r"# (?P<title>.+)\n\n(?P<intro>(?:(?!```|## |\|).+\n)+)?")
FENCE = re.compile(r"^```console[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SECTION = re.compile(r"^## (.+)$", re.MULTILINE)
LINK = re.compile(r"\]\(([^):]+)\)")
LONGEST = 14  # lines of an example

LANGUAGE_HEAD = """\
# The language

What each page of [tests/spec/lang](../tests/spec/lang) is about, with its first example. The pages
are transcripts: keysh is run on every line of them, and bash too where a page says `gnu`. Made by
`make docs`.
"""
COMMANDS_HEAD = """\
# Commands

Made by `make docs` from the commands' declarations; `help NAME` prints the same. The spellings of a
parameter stand in a table: `-k value`, `--key value`, `key=value`, or its place. A command whose
parameters are `Raw` reads its words by itself.

| command | does |
| --- | --- |
"""


def language() -> str:
    """The page of the language."""
    place = {name: at for at, name in enumerate(ORDER)}
    paths = sorted(LANGUAGE.glob("*.md"), key=lambda path: (place.get(path.stem, 99), path.stem))
    return LANGUAGE_HEAD + "".join(map(summary, paths))


def summary(path: Path) -> str:
    """What a page begins with: its first paragraph, its first short example, its sections."""
    text = path.read_text("utf-8")
    match = PAGE.match(text)
    if match is None:
        raise SystemExit(f"{path}: a title and an empty line must come first")
    lines = ["", f"## [{match['title']}](../tests/spec/lang/{path.name})", ""]
    if match["intro"]:
        lines += [LINK.sub(r"](../tests/spec/lang/\1)", match["intro"])]
    found = [body for body in FENCE.findall(text) if not body.startswith("$ keysh ")]
    examples = [body for body in found if body.count("\n") <= LONGEST]
    if examples:
        lines += [f"```text\n{examples[0]}```", ""]
    if sections := SECTION.findall(text):
        lines.append(f"Sections: {' · '.join(sections)}.\n")
    return "\n".join(lines).rstrip("\n") + "\n"


def command_pages() -> dict[str, str]:
    """The page of each command, and the list of all, by the names of their files."""
    aliases: dict[str, list[str]] = {}
    for alias, file in commands.FILES.items():
        aliases.setdefault(file, []).append(f"`{alias}`")
    made, rows = {}, []
    for name in sorted(commands.names() - set(commands.FILES)):
        command = commands.command_named(name)
        page = markdown_page(command)
        if name in aliases:
            page += f"\nAlso called {', '.join(sorted(aliases[name]))}.\n"
        if (TRANSCRIPTS / f"{name}.md").exists():
            page += f"\n[Examples](../../tests/spec/commands/{name}.md), which the tests run.\n"
        made[f"{name}.md"] = page
        rows.append(f"| [{name}]({name}.md) | {command.summary} |\n".replace("||", "\\|\\|"))
    made["README.md"] = COMMANDS_HEAD + "".join(rows)
    return made


def pages() -> dict[Path, str]:
    """Every page that is made, by its path."""
    made = {DOCS / "commands" / name: text for name, text in command_pages().items()}
    return {DOCS / "language.md": language(), **made}


def main() -> None:
    """Write what has changed, and take away the pages of commands that are no more."""
    made = pages()
    for path, text in made.items():
        path.parent.mkdir(exist_ok=True)
        if not path.exists() or path.read_text("utf-8") != text:
            path.write_text(text, "utf-8")
    for path in set((DOCS / "commands").glob("*.md")) - set(made):
        path.unlink()


if __name__ == "__main__":
    main()
