"""Declarations: the command that `@command` derives from a function, and its refusals."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

from keysh.diagnostics.exceptions import KeyshError
from keysh.schema import types
from keysh.schema.binder import InvalidArguments, bind
from keysh.schema.command import HELP_OPTION
from keysh.schema.declare import (
    DeclarationError,
    OptionStyle,
    OutputStyle,
    Refusals,
    command,
    command_from_function,
    command_of,
)
from keysh.values import ABSENT
from schema import declarations
from schema.declarations import COMMANDS, cp, env, grep, head, sed, timeout

pytestmark = pytest.mark.quick


def declared(signature: str, docstring: str, flags: int = 0) -> Any:
    """Return a function `f` with this signature and docstring."""
    body = textwrap.indent(f'"""{docstring}"""', "    ")
    names: dict[str, Any] = {name: getattr(types, name) for name in ("Raw", "Size", "Path")}
    exec(compile(f"def f({signature}):\n{body}", "declared", "exec", flags, True), names)
    return names["f"]


def test_parameters_of_a_command() -> None:
    made = command_of(head)
    assert made.name == "head"
    assert made.summary == "Print the first lines of each file, or of standard input."
    assert made.help.splitlines()[2].startswith("files ...  ")
    assert [(p.key, p.role, p.type.name, p.default) for p in made.parameters] == [
        ("files", "rest", "Path", ABSENT),
        ("lines", "option", "int", 10),
        ("bytes", "option", "Size", None),
        ("quiet", "option", "bool", False),
        ("verbose", "option", "bool", False),
    ]
    assert {letter: p.key for letter, p in made.by_letter.items()} == {
        "n": "lines", "c": "bytes", "q": "quiet", "v": "verbose",
    }  # fmt: skip
    assert list(made.by_long) == ["lines", "bytes", "quiet", "silent", "verbose", "help"]
    assert made.number_option is not None
    assert made.number_option.key == "lines"
    assert made.parameters[1].help.startswith("how many lines to print; all but")
    assert callable(head)


def test_notes() -> None:
    assert command_of(cp).rest.minimum == 2  # type: ignore[union-attr]
    assert command_of(grep).operands[0].replacing_options == ("regexp", "file")
    assert command_of(sed).operands[0].replacing_options == ("expression",)
    assert command_of(timeout).rest.minimum == 1  # type: ignore[union-attr]


def test_text_below_a_row_continues_it() -> None:
    made = command_of(grep)
    assert made.by_long["color"].help == "when to color: always, never, auto"
    assert made.by_long["colour"] is made.by_long["color"]


def test_prose_is_not_an_option_row() -> None:
    made = command_from_function(
        declared(
            "sh, *, size: int = 0",
            """Do it.

            Sizes count bytes.  A size may be 0.
            - a list of things
            -1 and less are refused.
            --size is the only option.

            --size NUM
                       how
                       much

              indented  text
            -- ends the options.
            """,
        )
    )
    assert [(p.key, p.help) for p in made.parameters] == [("size", "how much")]


def test_operands_may_not_have_a_letter() -> None:
    made = command_from_function(declared("sh, file: str", "Do it.\n\n    -f, --file FILE  which"))
    assert made.by_letter["f"] is made.by_long["file"] is made.by_key["file"] is made.operands[0]


def test_flags_and_their_opposites() -> None:
    made = command_of(cp)
    clobber = made.by_letter["n"]
    assert clobber.is_negated
    assert made.by_long["no-clobber"] is clobber
    assert made.by_full_name["clobber"] == (clobber, True)
    made = command_from_function(
        declared("sh, *, no_x: bool = False", "Do it.\n\n    --no-x  without x")
    )
    assert not made.by_long["no-x"].is_negated


def test_words_of_the_decorator() -> None:
    made = command_of(env)
    assert (made.name, made.refusals.usage_status, made.by_key) == ("env", 125, {})

    @command(name="to-list", output=OutputStyle(lines=True, value=True))
    def to_list_(sh: object) -> None:
        """Make a list."""

    made = command_of(to_list_)
    assert (made.name, made.output.prints_lines, made.output.prints_value) == (
        "to-list",
        True,
        True,
    )

    @command(output=OutputStyle(listing_options="only", json=True))
    def pick(sh: object, *, only: bool = False, quiet: bool = False) -> None:
        """Pick.

        -o, --only   only what is picked
        -q, --quiet  nothing
        """

    made = command_of(pick)
    assert made.output.prints_json
    assert [made.is_listing([word]) for word in ("-qo", "--only", "-q", "--quiet", "o", "--")] == [
        True, True, False, False, False, False,
    ]  # fmt: skip

    @command
    def import_(sh: object) -> None:
        """Import."""

    assert command_of(import_).name == "import"


def test_every_awkward_command_is_declared() -> None:
    functions = [f for f in vars(declarations).values() if hasattr(f, "__keysh__")]
    assert len(functions) == len(COMMANDS)


def test_methods_and_coroutines() -> None:
    class Host:
        async def fetch(self, sh: object, url: str) -> None:
            """Fetch.

            url    from where
            """

    made = command_from_function(Host.fetch)
    assert made.is_unbound
    assert [p.key for p in made.parameters] == ["url"]

    async def fetch(sh: object, url: str) -> None:
        """Fetch.

        url    from where
        """

    assert [p.key for p in command_from_function(fetch).parameters] == ["url"]


ROW_X = "Do it.\n\n    -x, --size NUM  how much"
REFUSED = [
    # signature, docstring, message of the refusal
    ("sh, **more", "Do it.", "f: `**more` cannot be declared; name each option, or take a dict"),
    ("sh, *a, **more", "Do it.", "f: `**more` cannot be declared"),
    ("sh, a: complex", "Do it.", "f: a has no parameter type: complex; use str, int, float"),
    ("sh, a: set[int]", "Do it.", "f: a has no parameter type: set[int]; use str, int, float"),
    ("sh, a: 'Hue'", "Do it.", "f: a has no parameter type: Hue; Hue is no name of the function"),
    ("sh, a: Raw", "Do it.", "f: a is Raw, which only `*words: Raw` can be"),
    ("sh, *, a: Raw | None = None", "Do it.", "f: a is Raw, which only"),
    ("sh, *a: list[int]", "Do it.", "f: a takes any number of operands; its type is that of one"),
    ("sh, *, size: int = 'x'", ROW_X, "f: size is 'x' by default, but must be a whole number"),
    ("sh, *, size: int = '5'", ROW_X, "f: size is '5' by default, but must be a whole number"),
    ("sh, *, size: int = True", ROW_X, "f: size is True by default, but must be a whole number"),
    ("sh, *, size: Size = '1K'", ROW_X, "f: size is '1K' by default, but must be a size"),
    ("sh, *, size: str = False", ROW_X, "f: size is False by default, but must be text"),
    (
        "sh, *, size: int = 0",
        "Do it.\n\n    -x, --sise NUM  how much",
        "f: the docstring describes `-x, --sise NUM`, the signature has size left to describe",
    ),
    (
        "sh, *, size: int = 0",
        f"{ROW_X}\n    --size NUM  again",
        "f: the docstring describes `--size NUM`, the signature has none left to describe",
    ),
    (
        "sh, *, size: int = 0",
        "Do it.\n\n    -x NUM  how much",
        "f: the docstring describes `-x NUM`, the signature has size left to describe",
    ),
    (
        "sh, *, size: bool = False",
        ROW_X,
        "f: the docstring shows `-x, --size NUM`, the type of size means that no value follows",
    ),
    (
        "sh, *, size: int = 0",
        "Do it.\n\n    --size  how much",
        "f: the docstring shows `--size`, the type of size means that a value follows",
    ),
    (
        "sh, *, size: int = 0",
        "Do it.\n\n    --size[=NUM]  how much",
        "f: the docstring shows `--size[=NUM]`, the type of size means that a value follows",
    ),
    (
        "sh, *, size: int | bool = False",
        ROW_X,
        "the type of size means that its value may be left out: `[=VALUE]`",
    ),
    (
        "sh, *, size: bool = True",
        "Do it.\n\n    --size  how",
        "f: the docstring shows `--size`, but size is True by default",
    ),
    (
        "sh, *, size: bool = False",
        "Do it.\n\n    --no-size  how",
        "f: the docstring shows `--no-size`, but size is False by default",
    ),
    (
        "sh, *, size: int = 0",
        "Do it.\n\n    size  how",
        "f: the docstring shows `size`, in the signature size is an option",
    ),
    (
        "sh, size: int, /",
        ROW_X,
        "f: the docstring shows `-x, --size NUM`, in the signature size is an operand without",
    ),
    (
        "sh, *size: int",
        "Do it.\n\n    size  how",
        "f: the docstring shows `size`, the signature takes any number of size",
    ),
    (
        "sh, size: int",
        "Do it.\n\n    size ...  how",
        "f: the docstring shows `size ...`, the signature takes one size",
    ),
    (
        "sh, *, size: int = 0, site: int = 0",
        f"{ROW_X}\n    -x, --site NUM  where",
        "f: -x is given to two parameters",
    ),
    (
        "sh, *, size: int = 0, site: int = 0",
        f"{ROW_X}\n    --site, --size NUM  where",
        "f: --size is given to two parameters",
    ),
    (
        "sh, in_: str, *, in__: str = ''",
        "Do it.\n\n    in  what",
        "f: two parameters differ in a `_` at the end only",
    ),
    (
        "sh, *, size: int = 0, site: int = 0",
        "Do it.\n\n    --size NUM  how (also -NUM)\n    --site NUM  where (also -NUM)",
        "f: -NUM is given to two parameters",
    ),
    (
        "sh, a: str, *, size: int = 0",
        f"{ROW_X}\n    a  what (not with -x)",
        "f: a is left out with -x, so that must be an option, and the type needs `| None`",
    ),
    (
        "sh, a: str | None, *, size: int = 0",
        f"{ROW_X}\n    a  what (not with -y)",
        "f: a is left out with -y, so that must be an option",
    ),
]


@pytest.mark.parametrize(("signature", "docstring", "says"), REFUSED)
def test_refused(signature: str, docstring: str, says: str) -> None:
    with pytest.raises(DeclarationError) as caught:
        command_from_function(declared(signature, docstring))
    assert says in str(caught.value)
    assert isinstance(caught.value, KeyshError)


def test_non_function_is_refused() -> None:
    for odd in (int, 3):
        with pytest.raises(DeclarationError, match="is no function with a signature"):
            command_from_function(odd)
    with pytest.raises(DeclarationError, match="is no command; declare it with @command"):
        command_of(print)


def test_words_for_an_unknown_parameter_are_refused() -> None:
    with pytest.raises(DeclarationError, match=r"the decorator names line, .* has lines"):

        @command(refusals=Refusals(invalid_values={"line": "invalid"}))
        def tail(sh: object, *, lines: int = 10) -> None:
            """Print the last lines.

            --lines NUM    how many
            """


def test_letters_of_help() -> None:
    @command
    def show(sh: object, *, all: bool = False) -> None:
        """Show it.

        -a, --all     everything
        -h, --help    how
        """

    made = command_of(show)
    assert [parameter.name for parameter in made.parameters] == ["all"]
    assert (made.by_letter["h"], made.by_long["help"]) == (HELP_OPTION, HELP_OPTION)


def test_only_keyshs_own_commands_have_a_version_letter() -> None:
    refused = "describes `-V, --version`, the signature has none left to describe"
    with pytest.raises(DeclarationError, match=refused):

        @command
        def show(sh: object) -> None:
            """Show it.

            -V, --version    which
            """


def test_added_option_must_exist() -> None:
    with pytest.raises(DeclarationError, match=r"the decorator names al, .* has all, help"):

        @command(style=OptionStyle(unabbreviated="al"))
        def show(sh: object, *, all: bool = False) -> None:
            """Show it.

            -a, --all     everything
            """


def test_declaring_imports_no_slow_module() -> None:
    program = (
        "from keysh.schema import binder, declare, render\n"
        "def f(sh, *, a: 'list[int] | None' = None, b: 'Literal[\"x\"]' = 'x'):\n"
        "    'Do it.\\n\\n-a, --a N  a\\n-b, --b N  b'\n"
        "binder.bind(declare.command_from_function(f), ['-a', '3'])\n"
        "import sys; print(*sys.modules)"
    )
    source = Path(declarations.__file__).parents[2] / "src"
    done = subprocess.run(
        [sys.executable, "-S", "-c", program],
        env={"PYTHONPATH": str(source)}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    slow = {"typing", "inspect", "enum", "dataclasses", "functools", "re", "json", "difflib"}
    assert not slow & set(done.stdout.split())


def test_options_that_are_ignored_or_refused() -> None:
    @command(
        ignored="-u; --no-wait; -p, --parallel NUM; --sparse[=WHEN]",
        refused="-x, --proxy URL  no proxies",
    )
    def fetch(sh: object, *urls: str, all: bool = False) -> None:
        """Fetch URLs.

        urls ...     addresses
        -a, --all    everything,
                     and more

        That is all.
        """

    made = command_of(fetch)
    assert [parameter.name for parameter in made.parameters] == ["urls", "all"]
    assert made.help == (
        "Fetch URLs.\n\nurls ...     addresses\n-a, --all    everything,\n             and more\n"
        "ignored: -u; --no-wait; -p, --parallel NUM; --sparse[=WHEN]\nrefused: -x, --proxy URL\n\n"
        "That is all."
    )
    bound = bind(
        made, ["-up5", "--para", "6", "--no-wait", "--wait", "--sparse", "a", "--sparse=no", "-a"]
    )
    assert (bound.positional, bound.options) == (["a"], {"all": True})
    assert bound.options_in_order == [("all", True)]
    for words, message in (
        (["--proxy=u"], "option '--proxy' is refused: no proxies"),
        (["-x", "u"], "option '--proxy' is refused: no proxies"),
        (["-p", "x"], "parallel must be a whole number, but is 'x'"),
    ):
        with pytest.raises(InvalidArguments) as caught:
            bind(made, words)
        assert caught.value.message.replace("--parallel", "parallel") == message


def test_ignored_option_must_be_a_valid_option() -> None:
    for options in ("parallel", "--all"):
        with pytest.raises(
            DeclarationError, match=r"ignored: `parallel` is no option|two parameters"
        ):

            @command(ignored=options)
            def fetch(sh: object, *, all: bool = False) -> None:
                """Fetch.

                --all    everything
                """
