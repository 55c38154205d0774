"""Dialect: whose language a text is written in, keysh's own or bash's.

A dialect belongs to a source text: a script, a sourced file, the text of `eval` or of a trap. A
function keeps the dialect of its definition. The scanner and the compiler ask for it, so that what
runs has been decided before; a builtin asks for the dialect of the text that calls it.
"""

from __future__ import annotations


class Dialect:
    """One of the two languages. Each switch names what a text of it may do.

    has_literals          `x=[1, 2]`, `key={a: 1}`, `...$xs` and `name=value` as a named argument
    splits_words          unquoted expansions are split at IFS, and globbed
    evaluates_text        arithmetic takes names and expressions out of text; there are no floats
    reads_first_element   `$a` of an array is its first element
    forks_last_stage      the last stage of a pipeline is a subshell, too
    finds_tools_on_path   a command that is no builtin of bash is found only where `$PATH` leads
    is_lenient            what bash accepts at run time: `return 300`, a misplaced `break`
    """

    __slots__ = (
        "evaluates_text", "finds_tools_on_path", "forks_last_stage", "has_literals", "is_lenient",
        "name", "reads_first_element", "splits_words",
    )  # fmt: skip

    def __init__(self, name: str, *, is_bash: bool) -> None:
        self.name = name
        self.has_literals = not is_bash
        self.splits_words = self.evaluates_text = self.reads_first_element = is_bash
        self.forks_last_stage = self.finds_tools_on_path = self.is_lenient = is_bash

    def __repr__(self) -> str:
        return f"<dialect {self.name}>"


KEYSH, BASH = Dialect("keysh", is_bash=False), Dialect("bash", is_bash=True)
DIALECTS = {one.name: one for one in (KEYSH, BASH)}


# ---------------------------------------------------------------- which dialect a text is in

SHELLS_OF_BASH = ("bash", "sh", "dash", "ksh")
DIALECTS_BY_ENDING = {".ksh": KEYSH, ".sh": BASH, ".bash": BASH}
MARK = "# keysh: dialect "


def declared_dialect(text: str, name: str = "") -> Dialect | None:
    """Return the dialect that a text or its file's name asks for; None if neither does.

    A line `# keysh: dialect bash` before the first command comes first, then the program of a
    first line `#!/bin/sh`, then the ending of the name.
    """
    if text[:1] in ("#", "\n"):
        for line in text.split("\n"):
            if line.startswith(MARK):
                return DIALECTS.get(line.removeprefix(MARK).strip())
            if line and not line.startswith("#"):
                break
        if text.startswith("#!"):
            return dialect_of_interpreter(text)
    return DIALECTS_BY_ENDING.get(name[name.rfind(".") :]) if "." in name else None


def dialect_of_interpreter(text: str) -> Dialect | None:
    """Return the dialect of the program in a first line `#!/usr/bin/env bash`."""
    words = text[2 : text.find("\n")].split() if "\n" in text else text[2:].split()
    for word in words[:2]:
        program = word.rpartition("/")[2]
        if program == "keysh":
            return KEYSH
        if program in SHELLS_OF_BASH:
            return BASH
    return None
