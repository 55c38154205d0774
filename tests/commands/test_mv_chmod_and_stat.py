"""mv chmod touch install du tree stat: random calls against the real tools."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.command_runner import Answer, on_disk, run_gnu, run_keysh
from commands.file_effects import fill, run_both
from fake_shell import NOW
from keysh import Shell
from keysh.vfs.memory.filesystem import MemoryFS
from keysh.vfs.readonly import ReadOnlyFS
from keysh.vfs.router import Router

TABLE = """
mv|mv f|mv f x|mv a b d f|mv -t f a|mv -t a b|mv a a|mv d d|mv d d/e|mv -v b f|mv -n a b|mv d a
mv a d/|mv a f/|mv -T a d|mv -T e/d f|mv . f|mv d/. f|mv a hard|mv -b a b|mv --backup=numbered a b
mv -S .o -b a b|mv --backup=x a b|mv a/ f|mv to_d f|mv to_d/ f|mv -T a b f|mv f g d|mv -Tt d a
mv --strip-trailing-slashes d/ f|mv a a/x|mv -u a b|mv -u b a|mv d/x d/x e|mv e/d .|mv -v a b d
mv d/sub empty|mv empty d/sub|mv -T empty d/sub|mv -T d e|mv to_a b|mv -vb a d/x e|chmod|chmod 644
chmod x a|chmod 888 a|chmod u+x a|chmod -v go-r a b|chmod -c 600 a b|chmod -R 700 d
chmod a=rX d a run|chmod u=g,o=u b|chmod -f 600 f|chmod --reference=b a|chmod --reference=f a
chmod -x run|chmod -w b|chmod -rwx b|chmod -x|chmod 2755 d|chmod 755 d|chmod 00755 d|chmod +t d
chmod g+s d|chmod u+s,g-w a|chmod = a|chmod ugo= a|chmod a+rw-x,o=g a|chmod 600 nowhere to_a
chmod -R u+w nowhere d|chmod -Rv go-rwx e|chmod u+ a|chmod ,u+x a|chmod u+x, a|chmod 7777 a
chmod 10000 a|chmod --preserve-root 700 e|touch|touch f/x|touch -c f|touch -d foo a|touch -t 1 a
touch -t 202402291015.30 a|touch -r f a|touch -d @5 -t 202401010000 a|touch -r b -d +1:day a
touch a/x|touch f/|touch d/|touch --time=foo a|touch -h nowhere|touch nowhere -d @7
touch -t 13010000 a|touch -t 2402291015 a|touch -am -d @9 a b|install|install a|install a f
install -v a b|install -m 600 a b f|install -m 600 a b d|install -d f g/h|install -dv f/g
install -D a f/g/h|install -Dvt f/g a b|install -C a b|install -p b f|install -T a d|install d e
install f g|install -b a b|install -t f a|install a b f|install -m x a f|install -d -m 700 f|tree
tree d e|tree -a d|tree -d|tree -f d|tree -i|tree -L 1|tree -L 0|tree -P x* d|tree -I x d
tree -s d|tree -h d|tree --noreport e|tree f|tree a|tree -p d|tree -F|tree --dirsfirst e|tree -Q d
tree -r|tree f d a|du d|du -a d|du -s d e|du -sh d|du -b d|du -c d e|du -d0 d|du -h -a d|du f
du --exclude=x -a d|du -S d|du --apparent-size -a d|du -a -s|du -s -d 1|du -B1 d|du -m d
du --inodes d|du -t 5000 -a d|du -D to_d|du -L nowhere|du d d/sub|du d/sub d|du -l a hard
du a hard|du --si -a d|du -x -k d|du --time -a e|du --time --time-style=+%s e|du --time=foo d
du --time --time-style=full-iso -ac d/sub e|du --time --time-style=iso -S e|du --time-style=x d
du --time --time-style=locale d|du --time --time-style=long -s e|du --time --time-style=x d
du --files0-from=d|du -d -1|du -t x
du --files0-from=a d|du --files0-from=f|du --time=ctime --time-style=+x -0 d|du --time -d0 d/x
install -o nope a f|install -g nope a f|install -o nope -d f
mv --backup=numbered a e/a d|mv d d d|mv --strip-trailing-slashes a f/x/|mv -t d -t e a
mv -n --backup=none a b|mv a d//|mv -S /x a b|install -b a a|install -bv a b|install -d d a
install -d nowhere|install -d d -m 700|install -D a b f/g|install -Cm 4755 a run|install a a d
install -d -m u+x,g-r d|install -m 600 -d f/g|install -D a b/f/g|install -v a b d//
install -dT a b f|install -p run f|install -d|install -t|install -dt d f|install a d/x f
install -pC a f|install d/. f
chmod -cv 600 a b|chmod -vc 600 a b|chmod -R --preserve-root 700 f a|chmod -v 700 f// a/
chmod -R 700 d//|touch --time=atime --time=mtime -d @5 a|touch f/x/|touch d/f/|touch -hr to_a b
touch --time=x --time=atime a|touch -cm f/|du -d x d|du -sd0 d|du --inodes -b d|du -B human d
du d// e//|du -D nowhere|du -h -d1 d/|du -ct 1G d|du -L -D nowhere|du -D -P to_d
mv -b b~ b|mv -b d/x e/a|mv -b a d/../a|mv -v -S w a ne
"""  # fmt: skip
CALLS = [call for call in TABLE.strip("\n").replace("\n", "|").split("|") if call]


@pytest.mark.parametrize("call", CALLS)
def test_calls_match_gnu(tmp_path: Path, call: str) -> None:
    name, *words = call.split(" ")
    run_both(tmp_path, name, *(word.replace(":", " ") for word in words), times=name == "touch")


NAMES = [
    "a", "b", "d", "e", "e/d", "hard", "to_a", "to_d", "nowhere", "f", "d/sub", "d/f", "to_d/sub",
    "d/up", "empty", "e/a", "d/x",
]  # fmt: skip
COMMANDS = {
    "mv": ["-f", "-i", "-n", "-u", "-v", "-T", "-b", "--backup=numbered", "-te"],
    "chmod": [
        "-R", "-v", "-c", "-f", "755", "u+x", "go-rwx", "a=r", "4755", "u=g,o=u", "+X", "g+s", "0",
        "a+t,g=u-w",
    ],
    "touch": ["-a", "-m", "-c", "-h", "-d@5", "-rb", "-t202401020304.05", "--time=atime", "-f"],
    "du": [
        "-s", "-b", "-c", "-d0", "-d1", "-h", "-k", "-m", "-S", "-x", "-D", "-l", "--apparent-size",
        "--inodes", "--exclude=x", "-B1",
    ],
    "tree": [
        "-a", "-d", "-f", "-i", "-F", "-h", "-s", "-p", "-Q", "-r", "--dirsfirst", "--noreport",
    ],
}  # fmt: skip


@settings(max_examples=80, derandomize=True)
@given(data=st.data())
def test_random_calls_match_gnu(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    name = data.draw(st.sampled_from(sorted(COMMANDS)))
    options = data.draw(st.lists(st.sampled_from(COMMANDS[name]), max_size=3))
    known = ["d", "e", "empty", "a", "f"] if name == "tree" else NAMES
    names = data.draw(st.lists(st.sampled_from(known), min_size=1, max_size=3, unique=True))
    run_both(tmp_path_factory.mktemp("t"), name, *options, *names, stdin=b"y\nn\ny\n")


FORMS = [
    "%n %N %a %A %b %B %f %F %h %s %u %U %g %G", "%Y %X %y", "[%10s|%-10s|%010s|%#a|%+s|% s]",
    "%.3Y|%.Y|%15.2Y|%-15.2Y|%015.2Y", "%10n|%-10n|%.3n|%10.3n", "%d %D %i %Hd %Ld %o", "%Q%%",
    "%W %w", "%z", "%Z",
]  # fmt: skip


@pytest.mark.parametrize("form", [form for form in FORMS if "W" not in form and "i" not in form])
@pytest.mark.parametrize("file", ["a", "d", "to_a", "e/a", "f"])
def test_formats_match_gnu(tmp_path: Path, form: str, file: str) -> None:
    if "z" not in form.lower():
        run_both(tmp_path, "stat", "-c", form.replace("%A", "").replace("%X", ""), file)


@pytest.mark.parametrize(
    "words",
    [r"--printf|%n\t%s\x41\101\n|a", r"--printf|\q|a", "", "f", "-c|%5%|a", "-c|%|a",
     "-L|-c|%F|to_a", "-L|-c|%F|nowhere", "-c|%N|two words", r"--printf|a\|a"],
)  # fmt: skip
def test_odd_formats_match_gnu(tmp_path: Path, words: str) -> None:
    run_both(tmp_path, "stat", *[word for word in words.split("|") if word])


@pytest.mark.parametrize("seconds", ["-1.5", "-0.5", "-1.000000001", "-0.999999999", "-2", "0.5"])
def test_stat_times_before_1970_match_gnu(tmp_path: Path, seconds: str) -> None:
    (tmp_path / "f").write_text("")
    assert run_gnu("touch", "-d", f"@{seconds}", "f", cwd=tmp_path).status == 0
    forms = "%Y|%.Y|%.1Y|%.3Y|%.9Y|%.12Y|%+.2Y|%5Y|% .1Y|%+s|% s|%+h|% u|%.0s|%+.3g|%5.0b"
    with on_disk(tmp_path) as fs:
        answer = run_keysh("stat", "-c", forms, "f", fs=fs)
    assert answer == run_gnu("stat", "-c", forms, "f", cwd=tmp_path)


@pytest.mark.parametrize("name", ["two words", "it's", "new\nline", "to_a"])
def test_stat_shows_names_unescaped(tmp_path: Path, name: str) -> None:
    (tmp_path / "new\nline").touch()
    fill(tmp_path / "files")
    (tmp_path / "files" / "new\nline").touch()
    with on_disk(tmp_path / "files") as fs:
        displayed = run_keysh("stat", name, fs=fs).out
    real = run_gnu("stat", name, cwd=tmp_path / "files").out
    assert displayed.partition(b"  Size")[0] == real.partition(b"  Size")[0]


def test_new_files_respect_the_umask() -> None:
    shell = Shell(files={"/a": "x\n", "/t/b": "y"})

    def modes(*paths: str) -> set[int]:
        return {shell.fs.stat(path).mode & 0o7777 for path in paths}

    assert shell.run(
        "umask 027; cp /a /c; cp -r /t /u; tee /d </a; sort /a -o /e; dd if=/a of=/f status=none;"
        "split /a /g; mkdir /h; mkdir -p /i/j; touch /k; truncate -s 1 /l; echo >/m; xxd /a /n;"
        "umask 077; install /a /o; install -d /p/q; cp -p /a /r; mktemp -d /sXXX;"
        "install -D /a /v/w"
    ).ok
    assert modes("/c", "/d", "/e", "/f", "/gaa", "/k", "/l", "/m", "/n", "/u/b") == {0o640}
    assert modes("/u", "/h", "/i", "/i/j") == {0o750}
    assert modes("/o", "/p", "/p/q", "/v", "/v/w") == {0o755}
    assert modes("/r") == {0o644}


def test_stat_of_a_file_in_memory() -> None:
    fs = MemoryFS({"/d/a": "12345"}, clock=lambda: 10**18)
    assert run_keysh("stat", "/d/a", fs=fs, env={"USER": "amy"}).out.decode() == (
        "  File: /d/a\n"
        "  Size: 5         \tBlocks: 8          IO Block: 4096   regular file\n"
        "Device: 0,0\tInode: 3           Links: 1\n"
        "Access: (0644/-rw-r--r--)  Uid: ( 1000/     amy)   Gid: ( 1000/     amy)\n"
        "Access: 2001-09-09 01:46:40.000000000 +0000\n"
        "Modify: 2001-09-09 01:46:40.000000000 +0000\n"
        "Change: 2001-09-09 01:46:40.000000000 +0000\n"
        " Birth: -\n"
    )
    assert run_keysh("stat", "-c", "%m %U %Y", "/d/a", fs=fs).out == b"/ user 1000000000\n"
    assert run_keysh("stat", "-f", "-c", "%T %s", "/d/a", fs=fs).out == b"memory 4096\n"


def test_trees_are_moved_between_mounts() -> None:
    here, there = MemoryFS({"/tree/a": b"\xff", "/tree/sub/b": "b"}), MemoryFS({"/old": "x"})
    here.make_link("a", "/tree/link")
    router = Router({"/": here, "/mnt": there})
    answer = run_keysh("mv", "-v", "/tree", "/mnt", fs=router)
    assert answer.status == 0
    assert answer.out.startswith(b"copied '/tree' -> '/mnt/tree'\n")
    assert there.open("/tree/a").read() == b"\xff"
    assert there.read_link("/tree/link") == "a"
    assert [entry.name for entry in here.list("/")] == []


def test_uncopyable_source_is_kept() -> None:
    here, there = MemoryFS({"/a": "text"}), MemoryFS(max_bytes=2)
    answer = run_keysh("mv", "/a", "/mnt/a", fs=Router({"/": here, "/mnt": there}))
    assert answer.status == 1
    assert answer.err == "mv: error writing '/mnt/a': No space left on device\n"
    assert here.open("/a").read() == b"text"


def test_read_only_file_system_is_reported() -> None:
    fs = Router({"/": ReadOnlyFS(MemoryFS({"/a": "1"}))})
    assert run_keysh("mv", "/a", "/b", fs=fs).err == (
        "mv: cannot move '/a' to '/b': Read-only file system\n"
    )
    assert (
        run_keysh("touch", "/a", fs=fs).err == "touch: cannot touch '/a': Read-only file system\n"
    )
    assert run_keysh("chmod", "600", "/a", fs=fs).err == (
        "chmod: changing permissions of '/a': Read-only file system\n"
    )
    assert run_keysh("ln", "-s", "a", "/l", fs=fs).err == (
        "ln: failed to create symbolic link '/l': Read-only file system\n"
    )


def test_times_come_from_the_clock_of_the_shell() -> None:
    fs = MemoryFS({"/old": ""}, clock=lambda: 5)
    assert run_keysh("touch", "/old", "/new", fs=fs) == Answer(0, b"", "")
    assert [fs.stat(path).modified for path in ("/old", "/new")] == [NOW, NOW]
    assert run_keysh("touch", "-d", "2 days ago", "/old", fs=fs).status == 0
    assert fs.stat("/old").modified == NOW - 2 * 86400 * 10**9


def test_tree_has_rows() -> None:
    answer = run_keysh("tree", "--json", "/d", files={"/d/s/a": "1"})
    rows = [json.loads(line) for line in answer.out.splitlines()]
    assert [(row["path"], row["type"], row["depth"]) for row in rows] == [
        ("/d", "directory", 0), ("/d/s", "directory", 1), ("/d/s/a", "file", 2),
    ]  # fmt: skip


@pytest.mark.parametrize("names", [b"d\0a\0", b"d/x\0d", b"", b"d\0\0f\0", b"-\0d\0", b"d\0d\0"])
@pytest.mark.parametrize("option", ["-c", "-a", "-s"])
def test_du_reads_names_from_a_list(tmp_path: Path, option: str, names: bytes) -> None:
    run_both(tmp_path, "du", option, "--files0-from=-", stdin=names)


def test_du_ends_at_link_loops(tmp_path: Path) -> None:
    run_both(tmp_path, "du", "-Lbl", "d", more=lambda root: (root / "d/sub/back").symlink_to(".."))


def test_du_yields_rows() -> None:
    fs = MemoryFS({"/d/a": "12345"}, clock=lambda: 10**18)
    answer = run_keysh("du", "-a", "--json", "-b", "--time", "/d", fs=fs)
    assert json.loads(answer.out.splitlines()[0]) == {
        "path": "/d/a", "size": 5, "modified": "2001-09-09T01:46:40Z"
    }  # fmt: skip
    counted = run_keysh("du", "--inodes", "--json", "/d", fs=fs)
    assert json.loads(counted.out) == {"path": "/d", "inodes": 2}


@pytest.mark.parametrize(
    ("words", "lines"),
    [
        ("--output=source,size,used,pcent,target /",
         ["Filesystem     1K-blocks  Used Use% Mounted on",
          "memory              1024     4   1% /"]),
        ("--output=fstype,file,itotal /a", ["Type   File Inodes", "memory /a       20"]),
        ("--output=itotal,iused,iavail,ipcent,avail -B1M /",
         ["Inodes IUsed IFree IUse% Avail", "    20     1    19    5%     1"]),
        ("-T --total -t memory -x local",
         ["Filesystem     Type   1K-blocks  Used Available Use% Mounted on",
          "memory         memory      1024     4      1020   1% /",
          "total          -           1024     4      1020   1% -"]),
    ],
)  # fmt: skip
def test_df_columns_can_be_chosen(words: str, lines: list[str]) -> None:
    fs = Router({"/": MemoryFS({"/a": "x" * 4096}, max_bytes=1 << 20, max_files=20)})
    assert run_keysh("df", *words.split(" "), fs=fs).out.decode().splitlines() == lines


@pytest.mark.parametrize(
    "words",
    ["--output=foo /", "--output=size,size /", "-T --output", "-i --output", "-P --output=size",
     "-t ext9", "-t a -x a", "--output= /", "nope", "--block-size=x", "--output=file -t zz nope",
     "--nope"],
)  # fmt: skip
def test_refused_columns_match_gnu(tmp_path: Path, words: str) -> None:
    answer = run_both(tmp_path, "df", *words.split(" "))
    assert answer.status == 1


def test_deep_trees_need_no_deep_stack() -> None:
    fs = MemoryFS()
    path = ""
    for _ in range(1200):
        path += "/d"
        fs.make_directory(path)
    assert run_keysh("du", "-s", "/d", fs=fs).out == b"4800\t/d\n"
    assert run_keysh("tree", "-d", "/d", fs=fs).out.endswith(b"\n1200 directories\n")
    assert run_keysh("ls", "-R", "/d", fs=fs).out.count(b":\n") == 1200
    assert run_keysh("chmod", "-R", "700", "/d", fs=fs) == Answer(0, b"", "")
    assert fs.stat(path).mode & 0o777 == 0o700


def test_df_lists_mounts() -> None:
    fs = Router({"/": MemoryFS({"/a": "x" * 4096}, max_bytes=1 << 20), "/mnt": MemoryFS()})
    assert run_keysh("df", fs=fs).out.decode() == (
        "Filesystem     1K-blocks  Used Available Use% Mounted on\n"
        "memory              1024     4      1020   1% /\n"
        "memory                 -     0         -    - /mnt\n"
    )
    assert run_keysh("df", "-h", "/a", fs=fs).out.decode() == (
        "Filesystem      Size  Used Avail Use% Mounted on\n"
        "memory          1.0M  4.0K 1020K   1% /\n"
    )
    assert run_keysh("df", "/nope", fs=fs) == Answer(
        1, b"", "df: /nope: No such file or directory\n"
    )
    row = json.loads(run_keysh("df", "--json", "/mnt", fs=fs).out)
    assert row == {
        "filesystem": "memory", "size": None, "used": 0, "available": None, "mount": "/mnt"
    }  # fmt: skip


CODED = {"ascii": b"a b\n", "utf8": "grüße\n".encode(), "latin": b"gr\xfc\xdfe\n", "none": b"",
         "zip": b"\x1f\x8b\x08\0\0\0\0\0\0\x03", "sh": b"#!/bin/sh\necho\n"}  # fmt: skip


@pytest.mark.parametrize("words", ["-i", "--mime", "--mime-encoding", "--mime-type", "-bi"])
def test_encodings_match_the_real_tool(tmp_path: Path, words: str) -> None:
    def more(root: Path) -> None:
        for name, data in CODED.items():
            (root / name).write_bytes(data)

    run_both(tmp_path, "file", words, *CODED, "d", "to_a", "missing", more=more)


def test_missing_files_are_reported() -> None:
    fs = MemoryFS({"/d/a": ""})
    fs.make_link("a", "/d/l")
    fs.make_link("x", "/d/lost")
    answer = run_keysh("file", "/d", "/d/l", "/d/lost", "/nope", fs=fs)
    assert answer.out.decode() == (
        "/d:      directory\n/d/l:    symbolic link to a\n"
        "/d/lost: broken symbolic link to x\n"
        "/nope:   cannot open `/nope' (No such file or directory)\n"
    )
