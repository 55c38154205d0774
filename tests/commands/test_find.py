"""find: tables, and random expressions against GNU's over the same directory."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from commands.command_runner import Answer, on_disk, run_gnu, run_keysh
from fake_shell import NOW
from keysh import Shell
from keysh.schema.arguments import GlobArgument, NamedArgument
from keysh.vfs.memory.filesystem import MemoryFS


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("tree")
    for path in ("d/e/g", "d/f.py", "d/.hid", "h", "a b", "X.PY", "big", "é", "d/new\nline"):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text("x" * (3000 if path == "big" else path.count("d")))
    (folder / "empty").mkdir()
    (folder / "l").symlink_to("h")
    (folder / "ld").symlink_to("d")
    (folder / "broken").symlink_to("nothing")
    (folder / "round").symlink_to("round")
    (folder / "twin").hardlink_to(folder / "big")
    os.mkfifo(folder / "fifo")
    (folder / "h").chmod(0o4755)
    (folder / "X.PY").chmod(0o600)
    os.utime(folder / "h", (1e9, 1e9 + 0.5))
    os.utime(folder / "big", (1e9, 2e9))
    return folder


def by_lines(answer: Answer) -> Answer:
    """Sort the lines of an answer, whose order only the kernel knows."""
    ordered = b"\n".join(sorted(answer.out.replace(b"\0", b"\n\0").split(b"\n")))
    return answer._replace(out=ordered)


def agree(words: Sequence[str], folder: Path) -> None:
    real_answer = by_lines(run_gnu("find", *words, cwd=folder))
    assert by_lines(run_keysh("find", *words, fs=on_disk(folder))) == real_answer, words


TABLE = r"""
.|d|d/|d//|nope|d nope h|. -foo|. -name|-name a b|. -type|. -type q|. -type f,|. -type fd
. -used x|. -used
. -size x|. -size 1q|. -maxdepth x|. -maxdepth -1|. -mtime x|. (|. )|. -a|. -o|. -name a -o|. -not
. ( )|. !|. -name a )|. ( -name a|. -exec|. -exec echo|. -exec echo {}|. -exec echo +|. -exec ;
. -perm x|. -newer nope|-L l -type l|. -printf|. -printf %|d -depth|d -prune|. -print ,
. -name a -maxdepth 1|. -type f,d|-P -L . -maxdepth 0|-X|. -links x|. -regex|. -regex [
. -regextype foo|. -user nope|. -uid x|. -xtype q|. -newermt foo|. -newerXY f|. -samefile nope
. -inum x|. -group nope|. -newermq h|. -cmin x|. -regex .*/[a-z]|. -regex [a-z]|. -iregex .*py
. -regex .*\(f\|h\).*|. -regex .*(f|h).*|. -regex .*e+.*|. -regextype posix-extended -regex .*(f
h)(.py)?|. -regextype sed -regex .*/e\?|. -regex ./d/.?|. -user root|. -user 0|. -uid 0|. -uid +0
. -group root|. -gid -1|. -nouser|. -nogroup|. -xtype f|. -xtype l|. -xtype d|-L . -xtype l
. -lname h|. -ilname H|. -lname d*|. -samefile big|. -samefile l|-L . -samefile h
. -newermt 2005-01-01|. -newermt @1000000000|. ! -newermt 2030-01-01|. -neweram h|. -newermm big
. -anewer h|. -cnewer h|. -readable|. -writable|. -executable|. -xdev|. -mount -name d
. -atime +100|. -ctime -1|. -d -name e|. -noleaf -name h|. -daystart -name h
. -name a -exec echo {} {} +|. -perm u+q|. -name *.py|. -iname *.py|. -name .*|. -path ./d/*
. -ipath ./D/*|. -name d/e|d/ -name d|. -name [|. -type d|. -type l|-L . -type l|-L . -type f
-H ld|-P ld|ld/|-H l -type f|. -type p|. -empty|. -size 0|. -size 1|. -size +1|. -size -1
. -size 3000c|. -size +2k|. -size 3k|. -size -1M|. -size 6|. -mtime +100|. -mtime -100|. -mmin -10
. -newer h|. -newer big|. -perm 600|. -perm -4000|. -perm /4000|. -perm u=rw|. -perm -u+x
. -perm /g+w,o+w|. -perm /000|. -maxdepth 1|. -mindepth 2|. -mindepth 2 -maxdepth 2|. -links 2
. -links +1|. -true|. -false|. -name d -prune -o -print|. -type d -o -name h -print|. ! -name d
. -not -type f -a -name *d*|. ( -name h -o -name l ) -print|. -name h , -name l|. -print -print
. -name h -print -quit -o -false|. -depth -prune|. -maxdepth 1 -print0|d/e//g d//|. -name \h
. -fprint|. -fprintf|. -fprintf nope/x|. -fprint nope/x|. -fls d|. -fprint0 /dev/stdout
. -files0-from|d -files0-from h|. -files0-from nope|-files0-from nope|. -fprintf /dev/stdout %p\n
. -iwholename ./D/*|-O2 . -name h|-O . -name h|-Ox .|. -follow -type f|. -context x|. -used 1
. -regex .*[[:upper:]]*|. -name l -follow -type l|. -regextype ed -regex .*[[:digit:]]|. -printf %(
. -warn -name h -maxdepth 1|. -warn -name x/y|. -warn -iname /|. -warn -path x/|. -warn -ipath d/
. -warn ( -name h ) -depth -xdev|. -warn -name h -daystart -follow|. -warn -d|. -warn -name h -d
. -warn -nowarn -name h -maxdepth 1|. -warn ! -mount -noleaf|. -name d h|. -print d|. ( d
. -name d X|. -exec echo {} ; d|-name h d|-D|-D foo,bar d|-D|. -D tree|. -type D
. -xtype d,D|. -perm +111|. -perm +x|. -user|. -uid 18446744073709551616|. -uid 18446744073709551615
. -user 4294967295|. -group 4294967296|. -links ++2|. -size ++1|. -newerBm h
. -newerBt 2001|. -newermB h|. -printf %BT|.%BY|. -printf %B|d -prune -delete -quit
d -delete -quit -prune|. -name h ,|. -quit -print|. -print -quit|h d -name h -quit -o -print
. -files0-from - -ok echo {} ;|-files0-from - -ok echo {} ;|. -size 1x5|. -inum 1x
d -depth -prune -quit -delete|h -printf %Z|. -used +0|. -used -0|. -used 0|. -used 1.5|. -used +.5
. -printf %[|. -printf %TQ%T%|%Ts|%A|. -name é|/ -maxdepth 0 -printf %p|%f
. ( -true -o )|. ( -true -a )|. ( ! )|. -true , )|. -print -o|. -print !|. -print -a|. -true !
. -warn -a -xdev|. -warn -true -o -xdev|. -print -o h|. -true , h|. -perm a=X|. -perm /a=X
. -perm -X|. ! -xtype f|. ! -fstype none|. -regextype findutils-default -regex .*new.*
. -regex .*new.*|. -exec echo x{}y +|. -execdir echo {}x +|. -exec echo {}x {} +|. -newermt
. -neweram|. -regex *.py|. -regex ./\(+h\)|. -regex .*/^h|. -regex ^*|. -regex .*\(?p\)y
""".strip("\n").replace("\n", "|").split("|")  # fmt: skip


FORMS = [
    r"[%05d] [%+4d] [%-3dx] [%#m] [%06m] [%.3S] [%10%] [%0 8f]\n", r"%Tq %T% %Ts|%Ts\n",
    r"%b %k %S %u %g %Y %y\n", r"%AA %Ab %TB %Td %TH:%TM %Tj %Ty|%TZ %Tc\n",
    r"%CY %Tx %TX %TD %TF\n", r"[%10u] [%-6k] [%4b]\n",
    r"%Tk|%Tl|%TI|%Tp|%Tr|%TR|%TT|%Tu|%TU|%TV|%Tw|%TW\n", r"%A@ %C+\n",
]  # fmt: skip


@pytest.mark.parametrize("form", FORMS)
def test_more_formats(form: str, folder: Path) -> None:
    name = "h" if "C" not in form else "nothing"
    agree([".", "-name", name, "-printf", form], folder)


def test_rows_are_printed_for_paths() -> None:
    fs = MemoryFS({"/d/a": "xyz"}, clock=lambda: 10**18)
    fs.make_link("a", "/d/l")
    for words in (("--json", "/d", "-type", "f,l"), ("/d", "-type", "f,l", "-print", "--json")):
        first, second = map(json.loads, run_keysh("find", *words, fs=fs).out.splitlines())
        assert first == {
            "path": "/d/a", "name": "a", "type": "file", "size": 3, "mode": "0644", "links": 1,
            "owner": "user", "group": "user", "modified": "2001-09-09T01:46:40Z",
            "inode": first["inode"],
        }  # fmt: skip
        assert (second["path"], second["type"], second["target"]) == ("/d/l", "link", "a")
    words = ("/d", "--json", "-name", "a", "-printf", "%f")
    assert run_keysh("find", *words, fs=fs).out == b"a"


def test_kinds_of_link_targets(folder: Path) -> None:
    agree([".", "-type", "l", "-printf", r"%p %Y %l\n"], folder)


def test_ages_are_counted_from_the_clock_of_the_shell() -> None:
    day, fs = 86400 * 10**9, MemoryFS({"/d/new": "", "/d/old": "", "/d/minute": ""})
    fs.set_times("/d/new", NOW, NOW)
    fs.set_times("/d/minute", NOW, NOW - 50 * 10**9)
    fs.set_times("/d/old", NOW - 3 * day - 1, NOW - 3 * day - 1)

    def found(*words: str) -> list[str]:
        return run_keysh("find", "/d", "-type", "f", *words, fs=fs).out.decode().split()

    assert found("-mtime", "0") == ["/d/minute", "/d/new"]
    assert found("-mtime", "3") == ["/d/old"]
    assert found("-mtime", "+2") == ["/d/old"]
    assert found("-mmin", "1") == ["/d/minute", "/d/new"]
    assert found("-mmin", "0") == []
    assert found("-amin", "-2") == ["/d/minute", "/d/new"]
    assert found("-newermt", "2 days ago") == ["/d/minute", "/d/new"]
    assert found("-daystart", "-mtime", "0") == ["/d/minute", "/d/new"]


AGES = (0, 1, 59, 60, 61, 120, 43200, 86399, 86400, 86401, 86402, 172800, 172801, 172802)


def test_age_limits_match_gnu(tmp_path: Path) -> None:
    """Counted from the end of a day, ages are exact to the second; tested on two days."""
    now = int(time.time())
    hours = now // 3600 % 24 - 12  # in this zone it is about noon
    midnight = now - (now - hours * 3600) % 86400 + 86400
    fs = MemoryFS({f"/{age}": "" for age in AGES})
    for age in AGES:
        (tmp_path / str(age)).touch()
        os.utime(tmp_path / str(age), (midnight - age, midnight - age))
        coming = (NOW // 10**9 // 86400 + 1) * 86400
        fs.set_times(f"/{age}", (coming - age) * 10**9, (coming - age) * 10**9)
    for unit in ("-mmin", "-mtime"):
        for number in ("0", "1", "2", "1.5", ".5", "0x1", "1e0", " 1", "--1", "inf", "1x", "nan"):
            for sign in ("", "+", "-"):
                words = (".", "-type", "f", "-daystart", unit, sign + number)
                if number == "nan":  # at which GNU's find aborts
                    assert run_keysh("find", *words, fs=fs).status == 1
                    continue
                expected = by_lines(run_gnu("find", *words, cwd=tmp_path, TZ=f"XXX{hours}"))
                assert by_lines(run_keysh("find", *words, fs=fs)) == expected, words


@pytest.mark.parametrize("end", [(";",), ("+",)])
def test_a_command_runs_in_the_directory_of_each_file(end: tuple[str, ...]) -> None:
    calls: list[tuple[list[object], object]] = []

    def run(words: Sequence[object], **given: object) -> int:
        calls.append(([*words], given.get("cwd")))
        return 0

    files = {"/a/x": "", "/a/y": "", "/b/x": ""}
    run_keysh(
        "find", "/a", "/b", "-type", "f", "-execdir", "echo", "{}", *end, files=files, run=run
    )
    if end == (";",):
        assert calls == [
            (["echo", "./x"], "/a"), (["echo", "./y"], "/a"), (["echo", "./x"], "/b")
        ]  # fmt: skip
    else:
        assert calls == [(["echo", "./x", "./y"], "/a"), (["echo", "./x"], "/b")]


def test_ok_asks_before_each_run() -> None:
    calls: list[Sequence[object]] = []

    def run(words: Sequence[object], **given: object) -> int:
        calls.append(words)
        return 0

    answer = run_keysh("find", "/a", "-type", "f", "-ok", "rm", "{}", ";", run=run, stdin=b"n\ny\n",
                  files={"/a/x": "", "/a/y": ""})  # fmt: skip
    assert calls == [["rm", "/a/y"]]
    assert answer.err == "< rm ... /a/x > ? < rm ... /a/y > ? "


def test_ls_action_matches_ls() -> None:
    fs = MemoryFS({"/d/a b": "xyz"}, clock=lambda: 10**18)
    assert run_keysh("find", "/d/a b", "-ls", fs=fs, env={"USER": "amy"}).out == (
        b"        3      4 -rw-r--r--   1 amy      amy             3 Sep  9  2001 /d/a\\ b\n"
    )


@pytest.mark.parametrize("words", sorted({*TABLE} - {"", "/ -maxdepth 0 -printf %p", "%f"}))
def test_table(words: str, folder: Path) -> None:
    agree(words.split(" "), folder)


@pytest.mark.parametrize(
    "form",
    [r"%p|%f|%h|%P|%H|%d\n", r"%s %m %M %y %l %n %U %G %i\n", r"[%5s] [%-8f] [%3d] [%.2f]\n",
     r"%%\t\\\101\n", r"%T@ %TY-%Tm-%Td %TH:%TM:%TS\n", r"%t\n", r"%p\c not", r"\q%%\n", "%q\n",
     "a\\", r"%T+\n", "%"],
)  # fmt: skip
@pytest.mark.parametrize("start", [".", "d/", "d/e//", "ld", "h"])
def test_formats(form: str, start: str, folder: Path) -> None:
    name = "h" if "%T" in form or "%t" in form or not form.endswith("n") else "*"
    agree([start, "-name", name, "!", "-name", "*\n*", "-printf", form], folder)


PRIMARY = st.sampled_from(
    ["-name d*", "-name *e*", "-type f", "-type d", "-empty", "-prune", "-print", "-true", "-false",
     "-size +0", "-perm /111", "-links 1", "-path *d*", "-maxdepth 1", "-depth", "-type l"]
)  # fmt: skip
EXPRESSION = st.recursive(
    PRIMARY,
    lambda inner: st.one_of(
        st.builds("{} {}".format, inner, inner),
        st.builds("{} -o {}".format, inner, inner),
        st.builds("! {}".format, inner),
        st.builds("( {} )".format, inner),
    ),
    max_leaves=6,
)


# Without the comma: for `find l -type d -o -name l , -name d*` GNU prints `l`, and should not.
@given(start=st.sampled_from([".", "-L .", "d h", "-H ld", "ld"]), expression=EXPRESSION)
@settings(derandomize=True, max_examples=150, phases=[Phase.generate])
def test_agrees_with_gnu(start: str, expression: str, folder: Path) -> None:
    agree(f"{start} {expression}".split(" "), folder)


FILES = {"/w/b.py": "", "/w/a.py": "x", "/w/d/c": "", "/w/k=v": ""}


def test_output_is_sorted_by_name() -> None:
    assert run_keysh("find", files=FILES, cwd="/w").out == b".\n./a.py\n./b.py\n./d\n./d/c\n./k=v\n"


def test_exec() -> None:
    ran: list[list[object]] = []

    def run(words: Sequence[object]) -> int:
        ran.append([*words])
        return 1

    named = NamedArgument("k", "v", "k=v")
    each = ["-type", "f", "-exec", "c", named, "x{}y{}", ";", "-print"]
    answer = run_keysh("find", *each, files=FILES, cwd="/w", run=run)
    assert answer == Answer(0, b"", "")
    assert ran[0] == ["c", named, "x./a.pyy./a.py"]
    assert len(ran) == 4
    ran.clear()
    pattern = GlobArgument("*.py", list)
    answer = run_keysh(
        "find", "-name", pattern, "-exec", "c", "{}", "+", files=FILES, cwd="/w", run=run
    )
    assert (answer.status, ran) == (1, [["c", "./a.py", "./b.py"]])


def test_delete() -> None:
    fs = MemoryFS(FILES)
    assert run_keysh("find", "/w", "-name", "*.py", "-delete", fs=fs).status == 0
    assert [entry.name for entry in fs.list("/w")] == ["d", "k=v"]
    answer = run_keysh("find", "/w/d", "-type", "d", "-delete", fs=fs)
    assert answer == Answer(1, b"", "find: cannot delete '/w/d': Directory not empty\n")
    assert run_keysh("find", ".", "-delete", fs=fs, cwd="/w").status == 0
    assert list(fs.list("/w")) == []


@pytest.mark.parametrize(
    "words",
    ["-fprint out", "-fprintf out %p\\n", "-type f -fprint0 out -fprint out", "-fls out -name X",
     "-fprint out -o -print", "-name d -fprintf out %f -fprint more", "-fprint out -print"],
)  # fmt: skip
def test_files_are_written(tmp_path: Path, words: str) -> None:
    for name in ("here", "there"):
        (tmp_path / name / "t/d").mkdir(parents=True)
        (tmp_path / name / "t/d/f").touch()
        (tmp_path / name / "out").write_text("old")
        os.utime(tmp_path / name / "t/d/f", (1e9, 1e9))
    split = [word.replace("X", "f") for word in words.split(" ")]
    if "-fls" in split:
        split = ["-name", "f", "-fls", "out"]
    real_answer = run_gnu("find", "t", *split, cwd=tmp_path / "there")
    assert run_keysh("find", "t", *split, fs=on_disk(tmp_path / "here")) == real_answer
    for name in ("out", "more"):
        files = [tmp_path / one / name for one in ("here", "there")]
        assert files[0].exists() == files[1].exists()
        made, wanted = (file.read_text() if file.exists() else "" for file in files)
        # The first field of -fls is the number of the file.
        assert (
            made.split()[1 if "-fls" in split else 0 :]
            == (wanted.split()[1 if "-fls" in split else 0 :])
        )


def test_a_full_disk_ends_the_search() -> None:
    fs = MemoryFS({f"/d/{at:04}": "" for at in range(500)}, max_bytes=100)
    answer = run_keysh("find", "/d", "-fprint", "/out", fs=fs)
    assert answer == Answer(1, b"", "find: '/out': No space left on device\n")


@pytest.mark.parametrize("names", [b"d\0h\0", b"d\0nope\0h", b""])
def test_starting_points_are_read_from_a_list(folder: Path, names: bytes) -> None:
    words = ["-files0-from", "-", "-maxdepth", "0"]
    real_answer = by_lines(run_gnu("find", *words, cwd=folder, stdin=names))
    assert by_lines(run_keysh("find", *words, fs=on_disk(folder), stdin=names)) == real_answer


def test_loop_is_reported(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a/up").symlink_to("..")
    agree(["-L", "."], tmp_path)


@pytest.mark.parametrize("directive", ["%9999999999p", "%.9999999999d", f"%{'9' * 5000}s"])
def test_field_width_is_limited(directive: str) -> None:
    answer = run_keysh("find", "/", "-printf", directive)
    assert answer == (1, b"", "find: error: a field of 9999999999 characters\n")


def test_any_maximum_depth_is_accepted(folder: Path) -> None:
    agree([".", "-maxdepth", "00000000001"], folder)
    assert run_keysh("find", "/a", "-maxdepth", "9" * 5000, files={"/a/b": ""}).out == b"/a\n/a/b\n"


def test_starting_points_may_be_a_glob() -> None:
    sh = Shell(files={"/a1/x": "", "/a2/x": "", "/b/x": ""})
    assert sh.run("find /a* -name 'x*'").stdout == "/a1/x\n/a2/x\n"
    assert sh.run("find -L /a? /b -name x -print").stdout == "/a1/x\n/a2/x\n/b/x\n"
    assert "E205" in sh.run("find /no* -print").stderr
