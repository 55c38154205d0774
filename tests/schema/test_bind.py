"""Binding: lines of arguments, and the values that the command's function receives."""

from __future__ import annotations

import pytest

from keysh.schema.arguments import UNKNOWN, BoundArguments, GlobArgument, NamedArgument
from keysh.schema.binder import InvalidArguments, bind
from keysh.schema.declare import OptionStyle, command, command_of
from keysh.tools.cut import cut
from schema.argument_line import read_arguments
from schema.declarations import COMMANDS

pytestmark = pytest.mark.quick

BY_NAME = {command.name: command for command in COMMANDS}


def bound(line: str) -> BoundArguments:
    name, _, rest = line.partition(" ")
    return bind(BY_NAME[name], read_arguments(rest))


def call(*positional: object, **options: object) -> tuple[list[object], dict[str, object]]:
    return list(positional), options


CALLS = {
    # The four spellings of a parameter.
    "head": call(),
    "head a b": call("a", "b"),
    "head -n 3 a": call("a", lines=3),
    "head -n3 a": call("a", lines=3),
    "head --lines 3 a": call("a", lines=3),
    "head --lines=3 a": call("a", lines=3),
    "head lines=3 a": call("a", lines=3),
    "head a lines=3": call("a", lines=3),
    "head a -n 3 b -q": call("a", "b", lines=3, quiet=True),
    "head -qvn3": call(quiet=True, verbose=True, lines=3),
    "head -qvn 3": call(quiet=True, verbose=True, lines=3),
    "head --li 3 --q": call(lines=3, quiet=True),
    "head --silent": call(quiet=True),
    "head -n 1 lines=2 --lines 3": call(lines=3),
    "head 'lines=3'": call("lines=3"),
    "head '--lines=3'": call(lines=3),
    "head line=3": call("line=3"),
    "head dry-run=3": call("dry-run=3"),
    # Numbers.
    "head -5": call(lines=5),
    "head -5q a": call("a", lines=5, quiet=True),
    "head -n -3": call(lines=-3),
    "head -n-3": call(lines=-3),
    "head lines=-3": call(lines=-3),
    "head @-5": call(lines=5),
    "head @5": call("5"),
    "head -c 10K": call(bytes=10240),
    "head bytes=10": call(bytes=10),
    "seq -5 -1 5": call(-5.0, -1.0, 5.0),
    "seq -.5": call(-0.5),
    "seq @-5 @0.5": call(-5.0, 0.5),
    "seq -w -5": call(-5.0, equal_width=True),
    # Flags.
    "head quiet=true": call(quiet=True),
    "head quiet=false": call(quiet=False),
    "head --quiet=false": call(quiet=False),
    "head --no-quiet": call(quiet=False),
    "head --no-quiet=false": call(quiet=True),
    "head -q quiet=false": call(quiet=False),
    "cp -n a b": call("a", "b", clobber=False),
    "cp --no-clobber a b": call("a", "b", clobber=False),
    "cp --no-cl a b": call("a", "b", clobber=False),
    "cp --clobber a b": call("a", "b", clobber=True),
    "cp clobber=false -R a b": call("a", "b", clobber=False, recursive=True),
    "copy a --wide": call("a", ".", wide=True),
    "copy a --no-wide": call("a", ".", wide=False),
    # Dashes.
    "head - a": call("-", "a"),
    "head '' a": call("", "a"),
    "head -n 3 -- -q x=1 --": call("-q", "x=1", "--", lines=3),
    "head -- lines=3": call("lines=3"),
    "grep -e -- f": call(None, "f", regexp=["--"]),
    # Operands with a name.
    "copy a b": call("a", "b"),
    "copy a": call("a", "."),
    "copy to=b a": call("a", "b"),
    "copy a to=b": call("a", "b"),
    "copy to=b source=a": call("a", "b"),
    "copy --to b --source=a": call("a", "b"),
    # Operands without a name: nothing named binds before them.
    "grep count=3 f": call("count=3", "f"),
    "grep x=y f": call("x=y", "f"),
    "grep x count=true": call("x", count=True),
    "grep -e x count=true": call(None, regexp=["x"], count=True),
    "grep -e x -e y f": call(None, "f", regexp=["x", "y"]),
    "grep f -e x": call(None, "f", regexp=["x"]),
    "grep --file=p f": call(None, "f", file="p"),
    "grep -3i x": call("x", context=3, ignore_case=True),
    # A value that may be left out.
    "sed -i s/a/b/ f": call("s/a/b/", "f", in_place=True),
    "sed -i.bak s/a/b/ f": call("s/a/b/", "f", in_place=".bak"),
    "sed -ni s/a/b/": call("s/a/b/", quiet=True, in_place=True),
    "sed -in s/a/b/": call("s/a/b/", in_place="n"),
    "sed --in-place s/a/b/": call("s/a/b/", in_place=True),
    "sed --in-place=.bak s/a/b/": call("s/a/b/", in_place=".bak"),
    "sed --in-place=true s/a/b/": call("s/a/b/", in_place="true"),
    "sed --in-place= s/a/b/": call("s/a/b/", in_place=""),
    "sed s/a/b/ in_place=true": call("s/a/b/", in_place=True),
    "sed s/a/b/ in_place=.bak": call("s/a/b/", in_place=".bak"),
    "sed --no-in-place s/a/b/": call("s/a/b/", in_place=False),
    "grep --colour x": call("x", color=True),
    "grep --colo=alw x": call("x", color="always"),
    "sort -c f": call("f", check=True),
    "sort -cquiet f": call("f", check="quiet"),
    # Lists and records.
    "copy a in=[1,2] in=3": call("a", ".", in_=[1, 2, 3]),
    'copy a --in=[1,2] --labels={"a":1}': call("a", ".", in_=[1, 2], labels={"a": 1}),
    "sort key=2 key=3n": call(key=["2", "3n"]),
    # Globs.
    "head *.txt": call("a.txt", "b.txt"),
    "head *.none": call(),
    "copy *.txt": call("a.txt", "b.txt"),
    "copy *.none *.md": call("c.md", "."),
    "head -n 1 -- *.md": call("c.md", lines=1),
    "grep a.* *.txt": call("a.*", "a.txt", "b.txt"),
    "grep -e a.* *.txt": call(None, "a.txt", "b.txt", regexp=["a.*"]),
    "grep -iea.* f": call(None, "f", ignore_case=True, regexp=["a.*"]),
    "grep --include=*.py x": call("x", include=["*.py"]),
    'grep --include=["*.py","*.c"] x': call("x", include=["*.py", "*.c"]),
    "grep --include *.py x": call("x", include=["*.py"]),
    "sort -o *.md": call(output="c.md"),
    # Commands that run a command: everything after the first operand belongs to that command.
    "timeout -k 1 5 ls -l": call(5.0, "ls", "-l", kill_after=1.0),
    "timeout 5 ls -k 1": call(5.0, "ls", "-k", "1"),
    "timeout 5 -k": call(5.0, "-k"),
    "timeout -- 5 ls": call(5.0, "ls"),
    "timeout duration=5 ls -l": call(5.0, "ls", "-l"),
    "timeout kill_after=2 5 ls": call(5.0, "ls", kill_after=2.0),
    "xargs -n 1 grep -v x": call("grep", "-v", "x", max_args=1),
    "xargs max_args=2 grep -v x": call("grep", "-v", "x", max_args=2),
    "xargs -0ri grep -i": call("grep", "-i", null=True, no_run_if_empty=True, replace=True),
    "env -u A=1 ls": call("ls", unset=["A=1"]),
    "env -i -u A -uB ls -i": call("ls", "-i", ignore_environment=True, unset=["A", "B"]),
    "tar -xzf a.tar -C d --exclude=*.o m": call(
        "m", extract=True, gzip=True, file="a.tar", directory="d", exclude=["*.o"]
    ),
}


@pytest.mark.parametrize("line", CALLS)
def test_bound(line: str) -> None:
    result = bound(line)
    assert (result.positional, result.options) == CALLS[line]
    assert not result.is_partial
    assert not result.asks_help


REFUSALS = {
    # code, index, message, fix
    "head -y": ("E302", 0, "invalid option -- 'y'", ""),
    "head a -qy": ("E302", 1, "invalid option -- 'y'", ""),
    "head -q-x": ("E302", 0, "invalid option -- '-'", ""),
    "head -5x": ("E302", 0, "invalid option -- 'x'", ""),
    "head -lines 3": ("E302", 0, "invalid option -- 'l'", "did you mean `--lines`?"),
    "timeout -5 ls": ("E302", 0, "invalid option -- '5'", ""),
    "head --bogus": ("E302", 0, "unrecognized option '--bogus'", ""),
    "head --lnes=3": ("E302", 0, "unrecognized option '--lnes=3'", "did you mean `--lines`?"),
    "head --lnes=[3]": ("E302", 0, "unrecognized option '--lnes'", "did you mean `--lines`?"),
    "head --no-lines": ("E302", 0, "unrecognized option '--no-lines'", "did you mean `--lines`?"),
    "head --no-silent": (
        "E302", 0, "unrecognized option '--no-silent'", "did you mean `--silent`?",
    ),
    "cat --show": (
        "E302", 0, "option '--show' is ambiguous; possibilities: '--show-ends' '--show-tabs'", "",
    ),
    "head -n": ("E303", 0, "option requires an argument -- 'n'", ""),
    "head a -qn": ("E303", 1, "option requires an argument -- 'n'", ""),
    "head --lin": ("E303", 0, "option '--lines' requires an argument", ""),
    "head --quiet=3": ("E303", 0, "option '--quiet' doesn't allow an argument", ""),
    "head --qui=": ("E303", 0, "option '--quiet' doesn't allow an argument", ""),
    "sed --no-in-place=x s": ("E303", 0, "option '--no-in-place' doesn't allow an argument", ""),
    "head quiet=3": ("E303", 0, "quiet must be true or false, but is 3", ""),
    "head -n x": ("E303", 1, "invalid number of lines: 'x'", ""),
    "head -nx": ("E303", 0, "invalid number of lines: 'x'", ""),
    "head -n -q": ("E303", 1, "invalid number of lines: '-q'", ""),
    "head -n --": ("E303", 1, "invalid number of lines: '--'", ""),
    "head --lines=": ("E303", 0, "invalid number of lines: ''", ""),
    "head lines=true": ("E303", 0, "invalid number of lines: 'true'", ""),
    "head lines=[1]": ("E303", 0, "lines must be a whole number, but is a list", ""),
    "head -n *.txt": ("E303", 1, "lines must be one value, but '*.txt' is 2 paths", ""),
    "sort -o*.txt": (
        "E303", 0, "output must be a path, but is a glob", "quotes for the text itself",
    ),
    "copy a mode=x": ("E303", 1, "mode must be one of fast, safe, but is 'x'", ""),
    'copy a in=[1,"x"]': ("E303", 1, "in must be a whole number, but is 'x'", ""),
    "copy a --labels 3": (
        "E303", 2, "labels must be a record, as key=value,key=value or as JSON, but is '3'", "",
    ),
    "timeout x ls": ("E303", 0, "invalid time interval: 'x'", ""),
    "head @[1]": ("E303", 0, "files must be a path, but is a list", ""),
    "head @null": ("E303", 0, "files must be a path, but is null", ""),
    "sed 's(a' f": ("E303", 0, "script must be a sed program (unbalanced), but is 's(a'", ""),
    "grep": ("E304", -1, "missing operand", "give pattern"),
    "seq -w": ("E304", -1, "missing operand", "give numbers"),
    "cp a": ("E304", -1, "missing operand after 'a'", "give paths"),
    "copy --dry-run": ("E304", -1, "missing operand", "give source"),
    "copy *.none": ("E304", -1, "missing operand", "give source"),
    "timeout 5": ("E304", -1, "missing operand after '5'", "give words"),
    "copy a b c": ("E305", 2, "extra operand 'c'", ""),
    "copy source=x a b": ("E305", 2, "extra operand 'b'", ""),
    "copy *.md *.txt": ("E305", 1, "extra operand 'b.txt'", ""),
    "copy a moode=fast b": ("E305", 2, "extra operand 'b'", "did you mean `mode=`?"),
    "copy a @[1] @[2]": ("E303", 1, "to must be a path, but is a list", ""),
    "head lnes=[1]": (
        "E201", 0, "lnes is no parameter here, so it cannot hold a list", "did you mean `lines=`?",
    ),
    "head -- lines=[1]": (
        "E201", 1, "lines is no parameter here, so it cannot hold a list", "did you mean `lines=`?",
    ),
    "head -n x=[1]": ("E201", 1, "x is no parameter here, so it cannot hold a list", ""),
}  # fmt: skip


@pytest.mark.parametrize("line", REFUSALS)
def test_refused(line: str) -> None:
    with pytest.raises(InvalidArguments) as caught:
        bound(line)
    misuse = caught.value
    assert (misuse.code, misuse.index, misuse.message, misuse.fix) == REFUSALS[line]


PARTIAL = (
    "head $? --bogus", "head $@ -n x", "head -n $@ --bogus", "copy $? b c", "copy a b $@ -y",
    "copy -- $@ b c", "copy -- a $@", "copy $@", "timeout $? x", "grep $? -e", "grep a $? b",
    "grep -e x $? count=3", "copy $? --source", "cp $@", "cp a $?", "sed 's(a' $?",
)  # fmt: skip
SETTLED = {
    "head -n $? a": call("a", lines=UNKNOWN),
    "head lines=$? quiet=$?": call(lines=UNKNOWN, quiet=UNKNOWN),
    "head --lines=$?": call(lines=UNKNOWN),
    "copy -- $? b": call(UNKNOWN, "b"),
    "copy a in=[1,2] in=$?": call("a", ".", in_=UNKNOWN),
    "sed s=$?": call(UNKNOWN),
    "timeout 5 $? $@": call(5.0, "$?", "$@"),
}
REFUSED_DESPITE = {
    "head --bogus $?": "E302",
    "head -n x $@": "E303",
    "head -n $? --bogus": "E302",
    "head lines=$? -y": "E302",
    "copy a b c $@": "E305",
    "copy -- $? b c": "E305",
    "timeout x $?": "E303",
    "copy a mode=x $?": "E303",
}


@pytest.mark.parametrize("line", PARTIAL)
def test_errors_that_unknown_words_might_fix_are_not_reported(line: str) -> None:
    assert bound(line).is_partial


@pytest.mark.parametrize("line", SETTLED)
def test_unknown_values_fit_every_type(line: str) -> None:
    result = bound(line)
    assert str((result.positional, result.options)) == str(SETTLED[line]).replace(
        "'$?'", "<unknown>"
    ).replace("'$@'", "<unknown words>")
    assert not result.is_partial


@pytest.mark.parametrize("line", REFUSED_DESPITE)
def test_errors_that_unknown_words_cannot_fix_are_reported(line: str) -> None:
    with pytest.raises(InvalidArguments) as caught:
        bound(line)
    assert caught.value.code == REFUSED_DESPITE[line]


def test_glob_counts_as_unknown_paths() -> None:
    glob = GlobArgument("*.x", lambda: [UNKNOWN])
    assert bind(BY_NAME["copy"], [glob, "b"]).positional == [UNKNOWN, "b"]
    with pytest.raises(InvalidArguments, match="extra operand 'c'"):
        bind(BY_NAME["copy"], [glob, "b", "c"])


@pytest.mark.parametrize("line", ["head --help", "head -n 1 --he --bogus", "copy --help"])
def test_help_stops_parsing(line: str) -> None:
    assert bound(line).asks_help


def test_only_keyshs_own_commands_have_a_version_option() -> None:
    for words in (["--version"], ["--version", "-d"], ["a", "--version"], ["--vers"]):
        result = bind(command_of(cut), words)
        assert (result.asks_version, result.positional, result.options) == (True, [], {})
    for words in (["--", "--version"], ["-f", "--version"]):
        assert not bind(command_of(cut), words).asks_version
    for words in (["--nosuch", "--version"], ["--version=x"]):
        with pytest.raises(
            InvalidArguments, match=r"(unrecognized option '--nosuch'|allow an argument)"
        ):
            bind(command_of(cut), words)
    with pytest.raises(InvalidArguments, match="unrecognized option '--version'"):
        bound("head --version")  # this one is the test's


def test_added_option_cannot_be_abbreviated() -> None:
    @command(style=OptionStyle(unabbreviated="colors other"))
    def show(sh: object, *, color: str = "", colors: str = "", other: bool = False) -> None:
        """Show it.

        --color WHEN      when
        --colors LIST     which
        --other           too
        """

    made = command_of(show)
    assert bind(made, ["--colo=x"]).options == {"color": "x"}
    assert bind(made, ["--colors=x", "--other"]).options == {"colors": "x", "other": True}
    with pytest.raises(InvalidArguments, match="unrecognized option '--othe'"):
        bind(made, ["--othe"])


def test_an_error_before_help_is_refused() -> None:
    with pytest.raises(InvalidArguments, match="'--help' doesn't allow"):
        bound("head --help=3")
    with pytest.raises(InvalidArguments, match="unrecognized"):
        bound("head --bogus --help")


def test_options_keep_their_order() -> None:
    assert bound("sort -k 2 -n key=3 f --reverse -k1").options_in_order == [
        ("key", ["2"]), ("numeric_sort", True), ("key", ["3"]), ("reverse", True), ("key", ["1"]),
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["echo", "test", "find", "dd"])
def test_raw_commands_receive_unbound_words(name: str) -> None:
    arguments = [*read_arguments("-n --help if=3 *.txt -- @[1] '-' $?"), None]
    assert bind(BY_NAME[name], arguments).positional == arguments


def test_words_of_a_wrapped_command_are_unchanged() -> None:
    arguments = read_arguments("-i unset=2 B=[1] prog --x *.txt n=1 @7")
    result = bind(BY_NAME["env"], arguments)
    assert result.positional == arguments[1:]
    assert isinstance(result.positional[0], NamedArgument)


def test_glob_without_matches_raises_its_own_error() -> None:
    for line in ("head *.zip", "copy *.zip", "sort -o *.zip"):
        with pytest.raises(FileNotFoundError):
            bound(line)


def test_globs_are_expanded_only_for_path_parameters() -> None:
    refusing = GlobArgument("[ab]*", lambda: pytest.fail("expanded"))
    assert bind(BY_NAME["grep"], ["-e", refusing, "--include", refusing]).options == {
        "regexp": ["[ab]*"],
        "include": ["[ab]*"],
    }


def test_null_clears_a_list() -> None:
    named = [NamedArgument("key", value, "") for value in ("1", None, "2")]
    assert bind(BY_NAME["sort"], named).options == {"key": ["2"]}
    assert bind(BY_NAME["sort"], named[:2]).options == {"key": None}


def test_str_subclasses_are_read_as_text() -> None:
    class Number(str):
        __slots__ = ()

    assert bind(BY_NAME["head"], [Number("-5")]).options == {"lines": 5}
    assert bind(BY_NAME["seq"], [Number("1e3")]).positional == [1000.0]


def test_names_that_are_keywords_and_builtins() -> None:
    @command
    def odd(sh: object, in_: str, *, bytes: int = 0, class_: str = "") -> None:
        """Take odd names.

        in              an operand
        --bytes NUM     a builtin
        --class NAME    a keyword
        """

    result = bind(command_of(odd), read_arguments("class=x in=y --bytes=3"))
    assert (result.positional, result.options) == call("y", class_="x", bytes=3)
