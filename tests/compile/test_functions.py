"""Functions are compiled when they are first called."""

from __future__ import annotations

from keysh import Shell


def test_function_is_compiled_on_its_first_call() -> None:
    shell = Shell()
    shell.run("f() { echo ran; }")
    before = shell.state.functions["f"].body
    assert shell.run("f; f").stdout == "ran\nran\n"
    assert shell.state.functions["f"].body is not before
