"""sqlite3: calls and random rows against the real shell, access to the machine, and files."""

from __future__ import annotations

import functools
import json
import re
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.command_runner import Answer, command_named, on_disk, run_gnu, run_keysh
from fake_shell import FakeShell
from keysh.interp.engine.invoke import invoke
from keysh.interp.run.cancel import Cancel
from keysh.interp.run.limits import Limits
from keysh.interp.state.call import Call
from keysh.interp.streams.streams import Reader, Writer
from keysh.process.memory_use import resident_bytes
from keysh.shell.shell import Shell
from keysh.tools.sqlite3 import database as module
from keysh.tools.sqlite3 import dot_commands
from keysh.tools.sqlite3.splitter import StatementSplitter
from keysh.vfs.local.filesystem import LocalFS
from keysh.vfs.memory.filesystem import MemoryFS
from keysh.vfs.router import Router

MODES = [
    "list",
    "csv",
    "json",
    "line",
    "column",
    "table",
    "markdown",
    "box",
    "quote",
    "tabs",
    "ascii",
]
HELD = """
create table t(a integer primary key, b text, c real, d);
insert into t values(1, 'x y', 1.5, x'ff41'), (2, null, 1e100, null), (3, '', -2.5, 'é"''');
insert into t values(4, 'two' || char(10) || 'lines', 0.1, 9223372036854775807);
insert into t values (5, 'a' || char(9) || 'b', 1e15, 1e999);
create index i on t(b);
create view v as select a, b from t where c > 1;
create trigger r after insert on t begin update t set d = 1 where a = new.a; select 1; end;
"""  # fmt: skip


@functools.cache
def version_of_the_shell() -> str:
    if shutil.which("sqlite3") is None:
        return ""
    actual = subprocess.run(["sqlite3", "-version"], capture_output=True, text=True, check=True)
    return actual.stdout.split(" ")[0]


def real(*words: str, cwd: Path, stdin: bytes = b"") -> Answer:
    """Run SQLite's own shell, if it has the same version as Python's module."""
    if version_of_the_shell() != sqlite3.sqlite_version:
        pytest.skip(f"the machine has no sqlite3 {sqlite3.sqlite_version}")
    return run_gnu("sqlite3", *words, cwd=cwd, stdin=stdin)


def made(path: Path, sql: str = HELD) -> bytes:
    connection = sqlite3.connect(path)
    connection.executescript(sql)
    connection.close()
    return path.read_bytes()


@pytest.fixture(scope="module")
def held(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    return made(tmp_path_factory.mktemp("held") / "t.db")


def comparable(text: str) -> str:
    """Remove the lines with the position of an error, which Python's module does not report."""
    return "".join(line for line in text.splitlines(True) if not line.startswith("  "))


def agree(folder: Path, files: dict[str, bytes], *words: str, stdin: bytes = b"") -> Answer:
    """Run both in directories with the same files; return answers and the database's content."""
    here, there = folder / "here", folder / "there"
    for place in (here, there):
        shutil.rmtree(place, ignore_errors=True)
        place.mkdir()
        for name, content in files.items():
            (place / name).write_bytes(content)
    with on_disk(here) as fs:
        answer = run_keysh("sqlite3", *words, stdin=stdin, fs=fs)
    other = real(*words, stdin=stdin, cwd=there)
    assert answer == other._replace(err=comparable(other.err))
    names = {path.name for path in here.iterdir()}
    assert names == {path.name for path in there.iterdir()}
    for name in names:
        if name.endswith(".db"):
            assert dump(here / name) == dump(there / name)
    return answer


def dump(path: Path) -> list[str]:
    connection = sqlite3.connect(path)
    try:
        return list(connection.iterdump())
    except sqlite3.DatabaseError:  # it is none
        return [path.read_bytes().hex()]
    finally:
        connection.close()


@pytest.mark.parametrize("header", [[], ["-header"], ["-noheader"]], ids=str)
@pytest.mark.parametrize("mode", MODES)
def test_modes(tmp_path: Path, held: bytes, mode: str, header: list[str]) -> None:
    sql = "select * from t; select 1 as one where 0; select 'x' as \"a b\", 2"
    agree(tmp_path, {"t.db": held}, f"-{mode}", *header, "t.db", sql)
    asks = "" if mode == "tabs" else ".mode\n"  # which puts the separators of list back
    lines = f".mode {mode}\n{asks}select * from t; select printf('%.130c', 'x') long, 1;\n"
    agree(tmp_path, {"t.db": held}, *header, "t.db", stdin=lines.encode())


@pytest.mark.parametrize(
    "words",
    [
        ["-csv", "-separator", ";", "t.db", "select 'a;b', 'a,b', null"],
        ["-nullvalue", "NIL", "-newline", "!", "t.db", "select 1, null; select 2"],
        ["-cmd", "select 1", "-cmd", ".mode csv", "t.db", "select 'a b'", "select 2"],
        ["--json", "t.db", "select a from t limit 1"],
        ["t.db", "select 1; select * from nowhere; select 2"],
        ["t.db", "select 1", "selec 2", "select 3"],
        ["t.db", "insert into t(a) values(1)"],
        ["t.db", "insert into t(a) values(10); insert into t(a) values(1)"],
        ["t.db", "begin; delete from t"],
        ["t.db", "begin; delete from t; commit; select count(*) from t"],
        ["t.db", "select json('x')"],
        ["t.db", ".tables", ".bad", "select 1"],
        ["t.db", ".schema t", ".tables %"],
        ["-readonly", "t.db", "create table z(a)"],
        ["-readonly", "missing.db", "select 1"],
        ["-bogus", "t.db"],
        ["nowhere/t.db", "select 1"],
        ["new.db", "select 1"],
        ["new.db", "create table a(b); insert into a values(1)"],
        ["bad.db", "select 1 from t"],
        ["bad.db", ".tables"],
        ["empty.db", "create table a(b)"],
        [":memory:", "create table a(b); insert into a values(1); select * from a"],
        ["t.db", "vacuum; select count(*) from t"],
        ["t.db", "pragma user_version = 7; pragma user_version"],
        ["t.db", " -- nothing\n/* ; */ select ';' ; ;; select 2 -- end"],
        ["t.db", "create table q(a,b)", ".import --csv in.csv q", "select * from q"],
    ],
    ids=" ".join,
)  # fmt: skip
def test_calls(tmp_path: Path, held: bytes, words: list[str]) -> None:
    files = {
        "t.db": held,
        "bad.db": b"no database " * 100,
        "empty.db": b"",
        "in.csv": b"1,2\n3,4\n",
    }
    agree(tmp_path, files, *words)


SCRIPTS = r"""
select 1;
select * from nowhere;
select 3;
insert into t(a) values(1);
select 4
;
.foo
selec 1;
select 5
=


select 1; select * from bad; select 2;
select 3;
=
select 'a;
b', 2;
=
select 1
=
-- a comment
.tables
/* one of
two lines */
.tables
 /* c */ -- d
.tables
select 1 -- e;
;
.quit 7
select 2;
=
select 'open
;
=
create trigger s after delete on t begin select 1; end; select 2;
.tables
=
create trigger s after delete on t begin
 select 1;
 select 2;
end;
select 3;
=
select 1; /* open
 ; */ select 2;
=
.mode csv
select 1,'a b';
select 1,2;
.headers on
select 1 as a;
.mode list
select 1,2;
=
select null;
.tables
.exit 3
select 1;
=
.exit 99999999999999999999999999
=
.headers maybe
.mode column
select 1 as a;
.quit
.tables
=
.headers
.mode js
.mode
=
.import in.csv n
select * from n;
.mode csv
.import in.csv m
.schema m
select * from m;
.import --skip 1 in.csv m
select count(*) from m;
.import none m
=
.import --ascii asc.txt a
select * from a;
=
.read r.sql
.read none
select 2;
=
create table aaaaaaaaaaaaaaaaaaaaaaaaaaa(x);create table bbbbbbbbbbbbbbbbbbbbb(x);
create table cccccccc(x);create table dddddddddddd(x);
.tables
.tables b%
=
.mode insert
select * from t;
.headers on
select 1 as a, 2 as "b c", 3 as "order", 'it''s
two', 1.5 as x, x'00ff', null as n;
.mode insert "my table"
select 1, 'a\nb
c' as z;
.mode insert t
select 'x';
.mode
=
.mode html
select a, b from t limit 3;
.headers on
select 1 as "a<b", '<&>"''' as b, null;
.mode
=
.mode tcl
select 1, 'a"b\c	d
', null, 'é', x'41ff', 1.5;
.headers on
select 1 as "x y", 2;
=
.dump
=
.dump t
.dump %e% nope
=
create table "we ird"(x, "y z" default 'q'); insert into "we ird" values(-0.0, 1e999),('a
b\n', -1e999); insert into "we ird" values('a'||char(13)||char(10), x'');
create table u(a integer primary key autoincrement, b); insert into u(b) values(1.0),(1e300);
create table "order"(x); insert into "order" values(9223372036854775807);
create view w as select 1; create index i on u(b); analyze;
.dump
=
.mode column
select * from t;
.mode box
select * from t;
.mode column --wrap 6
.headers off
select a, b from t;
=
.mode table --wordwrap on --wrap 6
select 'some words to wrap, here', 'a-very-long-word', 'tab	here  and   blanks';
select 'é'||char(10)||'x' from t;
.mode box --ww --wrap 4
.mode
select 'abcdefgh ijk', 'a b c d e f', 'ab.cd.ef', 'x     y';
.mode markdown --wrap 0
.mode
select * from t;
=
.mode qbox
select * from t;
.mode
.mode column --quote
select * from t;
.mode --quote box
.mode
.mode --noquote box
.mode list --wrap 3
.mode
.mode insert a b
.mode box x
=
explain query plan select * from t, v where t.b = v.b order by t.c;
explain query plan select * from t where a in (select a from v) union select 1, 2, 3, 4;
select * from t where a = 1;
insert into t(b) values('x');
=
.schema
.schema v
.schema --nosys
.schema sqlite_schema
.schema -foo
analyze;
=
.dump --data-only t
.dump --nosys
.dump --newlines
.dump --data-only --newlines t
.dump --foo
=
.import --csv --schema main in.csv new
select * from new;
=
.import --csv wide.csv wide
.schema wide
=
.separator ;
select * from t;
.separator "\\t" "\\n--\\n"
select 1, 2; select 3, null;
.separator
.separator a b c
.mode list
.nullvalue NULL
select * from t;
.nullvalue
.print hello   world "a b" 'c\\td'
.print
=
.once once.txt
select 1; select 2;
select 3;
.output out.txt
select 4;
.mode json
select 5 as a;
.print to a file
.output
select 6;
.output out.json
select 7 as b;
.output stdout
select 8;
.output missing/x
select 9;
=
create index one on t(a);
create index two on t(b);
.indexes
.indices t
.index nope
.ind a b
=
.echo on
select 6;
.echo off
.changes on
update t set c = c + 1;
select 1;
.changes off
.echo
.bail
.changes
=
.headers on
.mode column
.width 10 -6
select a, b, c from t;
.width 1 1
select 'abcdef' as x, 'ghijkl' as y, 1 as z;
.mode box
.width 0
select 'abcdef' as x, 'ghijkl' as y;
.width 8 -9
select 'abc' as x, 'ghijkl' as y;
.mode table
select 'abc' as x, 'ghijkl' as y;
.mode markdown
.width -5
select 'abc' as x, 'ghijkl' as y;
.width
.mode column
select 'abc' as x, 'ghijkl' as y;
=
select 1;
.bail on
selec 2;
select 3;
=
select 1;


.tables
  .tables
;
select 2;
""".strip("\n").split("\n=\n")


@pytest.mark.parametrize("end", ["", "\n"], ids=["open", "ended"])
@pytest.mark.parametrize("lines", SCRIPTS)
def test_scripts(tmp_path: Path, held: bytes, lines: str, end: str) -> None:
    files = {
        "t.db": held, "in.csv": b'a,"b ""c"""\n1,"x\ny"\n2\n3,4,5\n\n6,\xff\n',
        "r.sql": b"select 'read';\n.tables\n",
        "wide.csv": b"a,b,c,d,e,f,g,h,i\n1,2,3,4,5,6,7,8,9\n",
        "asc.txt": b"a\x1fb\x1e1\x1f2\x1e3\x1f4\x1e",
    }  # fmt: skip
    agree(tmp_path, files, "t.db", stdin=(lines + end).encode())


@pytest.mark.parametrize("option", ["-echo", "-bail"])
def test_options_for_scripts(tmp_path: Path, held: bytes, option: str) -> None:
    lines = b"-- a\n\nselect 1;\n/\nselec 2\nGO\nselect 3 /\ngo\n;\n.tables\n-- c\n"
    agree(tmp_path, {"t.db": held}, option, "t.db", stdin=lines)


CELLS = st.one_of(
    st.none(),
    st.integers(-(1 << 63), (1 << 63) - 1),
    st.floats(allow_nan=False),
    st.text(st.sampled_from("ab \"',;|\n\r\t\x01\x7fé€\U0001f600"), max_size=8),
    st.binary(max_size=5).map(lambda data: data.replace(b"\0", b"\1")),
)


@settings(max_examples=60)
@given(
    rows=st.lists(st.tuples(CELLS, CELLS), min_size=1, max_size=5),
    mode=st.sampled_from(MODES),
    header=st.booleans(),
)
def test_random_rows_match_sqlite3(
    tmp_path_factory: pytest.TempPathFactory, rows: list[Any], mode: str, header: bool
) -> None:
    folder = tmp_path_factory.mktemp("rows")
    connection = sqlite3.connect(folder / "t.db")
    connection.execute("create table t('a é', b)")
    connection.executemany("insert into t values(?, ?)", rows)
    connection.commit()
    connection.close()
    words = [f"-{mode}", *(["-header"] if header else []), "t.db", "select * from t"]
    with on_disk(folder) as fs:
        answer = run_keysh("sqlite3", *words, fs=fs)
    assert answer == real(*words, cwd=folder)


def test_text_with_nul_is_printed_completely() -> None:
    assert run_keysh("sqlite3", ":memory:", "select 'a' || char(0) || 'b'").out == b"a\0b\n"


def test_json_output_is_a_value_in_a_substitution() -> None:
    with Shell(limits=Limits(seconds=20)) as shell:
        shell.run(
            "sqlite3 /t.db \"create table t(n, s); insert into t values(1.5, 'x'), (2, null)\""
        )
        script = "rows=$(sqlite3 -json /t.db 'select * from t'); typeof $rows; echo $rows"
        assert shell.run(script).stdout == 'list\n[{"n":1.5,"s":"x"},{"n":2,"s":null}]\n'
        assert (
            shell.run("x=$(sqlite3 -json /t.db 'select * from t limit 1'); typeof $x").stdout
            == "list\n"
        )
        piped = shell.run("sqlite3 -json /t.db 'select * from t' | jq -c 'map(.n)'")
        assert piped.stdout == "[1.5,2]\n"
        assert shell.run("sqlite3 /t.db 'select s from t limit 1'").stdout == "x\n"


# ---------------------------------------------------------------- functions that are keysh's own


def answers_of_sqlite(sql: str) -> list[str]:
    rows = sqlite3.connect(":memory:").execute(sql).fetchall()
    return ["|".join("NULL" if cell is None else str(cell) for cell in row) for row in rows]


@pytest.mark.parametrize(
    "sql",
    [
        "select printf('%5d|%-5d|%05d|%+d|%,d|%x', 42, 42, 42, 42, 1234567, 255)",
        "select printf('%.3f|%10.2e|%g|%%|%c|%.3c', 1.5, 12345.678, 0.1, 'abc', 'x')",
        "select printf('%*d|%-*d|%.*f', 6, 1, '4', 2, 2.9, 3.14159)",
        "select printf('%s|%q|%Q|%w|%z', 'a''b', 'a''b', 'a''b', 'a\"b', 'z')",
        "select printf('%d %s'), printf(NULL), printf(), format('%2000d|', 1), printf('%y', 1)",
        "select trim('xxaxx', 'x'), ltrim('xyax', 'xy'), rtrim('axyx', 'xy'), trim('  a ')",
        "select trim('', 'x'), trim('xx', 'x'), trim('a', ''), trim(NULL, 'x'), trim('a', NULL)",
        "select trim(121, 1), trim('éaé', 'é'), typeof(trim(1.5, 5)), trim(x'616263', 'a')",
        """select json_patch('{"a":1,"b":{"c":2}}', '{"b":{"c":null,"d":3}}')""",
        "select json_patch(NULL, '{}'), json_patch('{}', NULL), json_patch('[1]', '2')",
    ],
)
def test_own_functions_answer_as_those_of_sqlite(sql: str) -> None:
    expected = answers_of_sqlite(sql)
    assert run_keysh("sqlite3", "-nullvalue", "NULL", ":memory:", sql).out.decode() == "".join(
        f"{line}\n" for line in expected
    )


# ---------------------------------------------------------------- doors that are closed


@pytest.mark.parametrize(
    ("sql", "says"),
    [
        ("attach 'x.db' as x", "not authorized: other databases cannot be opened here"),
        ("attach 'file:x.db?mode=memory' as x", "not authorized: other databases"),
        ("attach '' as x", "not authorized: other databases cannot be opened here"),
        ("/* vacuum */ attach '' as vacuum_db", "not authorized: other databases cannot be opened"),
        ("attach ':memory:' as x", "not authorized: other databases cannot be opened here"),
        ("attach 'x' || '.db' as x", "not authorized: other databases"),
        ("vacuum into 'x.db'", "authorization denied: other databases cannot be opened here (23)"),
        ("select load_extension('x.so')", "not authorized"),
        ("select fts3_tokenizer('simple')", "not authorized to use function: fts3_tokenizer"),
        ("select highlight(a, 0, 'b', 'c') from t", "not authorized to use function: highlight"),
        ("pragma temp_store_directory = '/tmp'", "not authorized: PRAGMA temp_store_directory"),
        (
            "pragma writable_schema = on",
            "not authorized: PRAGMA writable_schema cannot be set here",
        ),
        ("pragma max_page_count = 9999999999", "not authorized: PRAGMA max_page_count"),
        ("pragma query_only = off", "not authorized: PRAGMA query_only cannot be set here"),
        ("pragma temp_store = file", "not authorized: PRAGMA temp_store cannot be set here"),
        ("pragma hard_heap_limit = 1", "not authorized: PRAGMA hard_heap_limit"),
        ("select * from pragma_mmap_size(1)", "no such table: pragma_mmap_size"),
        ("select readfile('/etc/passwd')", "no such function: readfile"),
        ("select writefile('x', 'y')", "no such function: writefile"),
    ],
)
def test_access_to_the_machine_is_refused(tmp_path: Path, sql: str, says: str) -> None:
    with on_disk(tmp_path) as fs:
        answer = run_keysh("sqlite3", "t.db", f"create table t(a); {sql}; create table u(a)", fs=fs)
    assert answer.status != 0
    assert answer.err.startswith(f"Error: in prepare, {says}")
    assert [path.name for path in tmp_path.iterdir()] == ["t.db"]


@pytest.mark.parametrize(
    "line",
    [
        ".x",
        ".",
        ".archive",
        ".excel",
        ".clone x",
        ".restore x",
        ".shell ls",
        ".cd /",
        ".open x",
        ".show",
    ],
)
def test_unsupported_dot_commands_are_unknown(line: str) -> None:
    answer = run_keysh("sqlite3", ":memory:", line)
    assert answer.status == 1
    assert answer.err.startswith("Error: unknown command or invalid arguments:  ")


def test_sizes_are_limited(monkeypatch: pytest.MonkeyPatch, held: bytes) -> None:
    answer = run_keysh("sqlite3", ":memory:", "select length(zeroblob(70000000))")
    assert (answer.status, answer.err) == (18, "Error: stepping, string or blob too big (18)\n")
    monkeypatch.setattr(module, "MAX_DATABASE_BYTES", 1 << 16)
    answer = run_keysh(
        "sqlite3", ":memory:", "create table t(a); insert into t values(zeroblob(99999))"
    )
    assert (answer.status, answer.err) == (13, "Error: stepping, database or disk is full (13)\n")
    sql = "create temp table t(a); insert into t values(zeroblob(99999))"
    assert run_keysh("sqlite3", ":memory:", sql).status == 13
    monkeypatch.setattr(module, "MAX_DATABASE_BYTES", 1 << 10)
    answer = run_keysh("sqlite3", "t.db", "select 1", files={"/t.db": held})
    assert answer.status == 1
    assert "is larger than " in answer.err


FULL_TEXT = "create virtual table t using fts5(x, y); insert into t values('one two three', 'one');"
MANY_PHRASES = "one " * 7
TRIGGERED_SEARCH = """create table q(s); create trigger r after insert on q
    begin delete from t where t match new.s; end; insert into q values('a')"""


@pytest.mark.parametrize(
    ("sql", "says"),
    [
        ("select y from t('NEAR(one two, 5) AND NEAR(two three)')", "one\n"),
        ("select y from t where x match 'o' || 'ne' and t match 'tw*'", "one\n"),
        ("select y from t, json_each(json_array(t.x)) where t match 'three'", "one\n"),
        (
            "select y from t where t match case when abs(random()) >= 0 then 'two' else 'tw*' end",
            "one\n",
        ),
        (f"select y from t('NEAR({MANY_PHRASES} {MANY_PHRASES})')", "NEAR in a full-text search"),
        (f"select 1 from t('NEAR({'o*' * 13})')", "NEAR in a full-text search"),
        (f"select 1 from t where y match 'NE'||'AR({MANY_PHRASES}'||'{MANY_PHRASES})'", "NEAR in"),
        ("select 1 from t where t match (select y from t)", "is not known before it starts"),
        ("select 1 from t where t match upper('a')", "is not known before it starts"),
        (TRIGGERED_SEARCH, "is not known before it starts"),
        ("insert into t(x) values(hex(zeroblob(600000)))", "string or blob too big"),
    ],
)
def test_full_text_searches_are_bounded(sql: str, says: str) -> None:
    answer = run_keysh("sqlite3", ":memory:", FULL_TEXT + sql)
    assert says in answer.out.decode() + answer.err
    assert answer.status == (0 if says.endswith("\n") else answer.status or -1)


GREEDY = {
    "sorted": """with recursive c(x, y) as (select 1, zeroblob(100000) union all
        select x + 1, y from c) select length(y) from c order by x desc, y""",
    "union": """with recursive c(x) as (select randomblob(1000) union
        select randomblob(1000) from c) select count(*) from c""",
    "distinct": """with recursive c(x) as (select 1 union all select x + 1 from c)
        select count(distinct randomblob(1000)) from c""",
    "layout": """\n.mode box\nwith recursive c(x) as (select 1 union all select x + 1 from c)
        select hex(zeroblob(1000)) from c""",
}


@pytest.mark.parametrize("sql", GREEDY.values(), ids=GREEDY)
def test_statement_memory_is_limited(monkeypatch: pytest.MonkeyPatch, sql: str) -> None:
    monkeypatch.setattr(module, "MAX_STATEMENT_MEMORY_BYTES", 32 << 20)
    before = resident_bytes()
    answer = run_keysh("sqlite3", stdin=f"{sql};\n.mode list\nselect 7;\n".encode())
    assert (answer.status, answer.out) == (1, b"7\n")
    assert re.fullmatch(
        r"Runtime error near line \d: the statement needs more than 32 MiB of memory\n", answer.err
    )
    assert resident_bytes() - before < 512 << 20


def test_statement_memory_is_released(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MAX_STATEMENT_MEMORY_BYTES", 32 << 20)
    sql = "select length(hex(randomblob(5000000)));\n" * 20
    assert run_keysh("sqlite3", stdin=sql.encode()).err == ""


ENDLESS = "with recursive c(x) as (select 1 union all select x + 1 from c) select max(x) from c"


def test_query_ends_at_the_timeout() -> None:
    with Shell(limits=Limits(seconds=20)) as shell:
        result = shell.run(f"sqlite3 :memory: '{ENDLESS}'", timeout=0.05)
        assert result.code == 124
        cancel = Cancel()
        cancel.cancel()
        assert shell.run(f"sqlite3 :memory: '{ENDLESS}'", cancel=cancel).code == 130


def test_endless_rows_stop_with_their_reader() -> None:
    with Shell(limits=Limits(seconds=20)) as shell:
        sql = ENDLESS.replace("max(x)", "x")
        result = shell.run(
            f"sqlite3 /t.db 'create table t(a); {sql}' | head -n 2; sqlite3 /t.db .tables"
        )
        assert result.stdout == "1\n2\nt\n"


def test_scripts_reading_each_other_are_bounded() -> None:
    answer = run_keysh("sqlite3", stdin=b".read /r\n", files={"/r": ".read /r\n"})
    assert (answer.status, answer.err) == (
        1, "Input nesting limit (25) reached. Check recursion.\n",
    )  # fmt: skip


# ---------------------------------------------------------------- files


def test_unchanged_database_is_not_written(held: bytes) -> None:
    with Shell(files={"/t.db": held}, limits=Limits(seconds=20)) as shell:
        before = shell.fs.stat("/t.db")
        assert shell.run("sqlite3 /t.db 'select count(*) from t'").stdout == "5\n"
        assert shell.run("sqlite3 /t.db 'begin; delete from t'").code == 0
        now = shell.fs.stat("/t.db")
        assert (now.inode, now.modified) == (before.inode, before.modified)


def test_replaced_database_keeps_its_mode(tmp_path: Path) -> None:
    made(tmp_path / "t.db")
    (tmp_path / "t.db").chmod(0o640)
    (tmp_path / "link.db").symlink_to("t.db")
    with on_disk(tmp_path) as fs:
        assert run_keysh("sqlite3", "link.db", "delete from t", fs=fs) == Answer(0, b"", "")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.db", "t.db"]
    assert (tmp_path / "link.db").is_symlink()
    assert (tmp_path / "t.db").stat().st_mode & 0o777 == 0o640
    connection = sqlite3.connect(tmp_path / "t.db")
    assert connection.execute("select count(*) from t").fetchone() == (0,)
    connection.close()


def test_concurrent_changes_are_kept(held: bytes) -> None:
    fs = MemoryFS({"/t.db": held})

    def lines() -> Iterator[str]:
        yield "delete from t;\n"
        with fs.open("/t.db", "w") as stream:
            stream.write(b"other")
        yield "select 1;\n"

    out: list[str] = []
    err: list[str] = []
    writers = Writer(out.append), Writer(err.append)
    call = Call("sqlite3", FakeShell(Router(fs)), Reader(lines()), *writers)
    assert invoke(command_named("sqlite3"), call, ["t.db"]) == 1
    assert err == ['Error: "t.db" was changed by another process; nothing is saved\n']
    assert [entry.name for entry in fs.list("/")] == ["t.db"]
    with fs.open("/t.db") as stream:
        assert stream.read() == b"other"


def test_write_ahead_log_is_refused(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "t.db")
    connection.execute("pragma journal_mode = wal")
    connection.execute("create table t(a)")
    connection.commit()
    with on_disk(tmp_path) as fs:
        answer = run_keysh("sqlite3", "t.db", ".tables", fs=fs)
        assert answer.err == 'Error: "t.db" is in use: t.db-wal has unsaved changes\n'
        connection.close()
        answer = run_keysh("sqlite3", "t.db", "insert into t values(1)", ".tables", fs=fs)
    assert answer == Answer(0, b"t\n", "")
    assert (tmp_path / "t.db").read_bytes()[18:20] == b"\2\2"
    connection = sqlite3.connect(tmp_path / "t.db")
    assert connection.execute("select * from t").fetchall() == [(1,)]
    connection.close()


def test_irreplaceable_file_is_reported(tmp_path: Path, held: bytes) -> None:
    (tmp_path / "t.db").write_bytes(held)
    with LocalFS(tmp_path, read_only=True) as fs:
        answer = run_keysh("sqlite3", "t.db", "delete from t", fs=fs)
    assert answer.status == 1
    assert answer.err.startswith('Error: unable to save "t.db": ')
    assert (tmp_path / "t.db").read_bytes() == held


@settings(max_examples=60)
@given(at=st.integers(0, 1 << 15), size=st.integers(0, 1 << 15), junk=st.binary(max_size=40))
def test_damaged_database_is_reported(held: bytes, at: int, size: int, junk: bytes) -> None:
    data = (held[:at] + junk + held[at + len(junk) :])[: max(size, 1)]
    answer = run_keysh("sqlite3", "/t.db", "select * from v; delete from t", files={"/t.db": data})
    assert answer.status in (0, 1, 7, 10, 11, 13, 19, 26)
    assert (answer.status == 0) == (answer.err == "")


@given(text=st.text(st.sampled_from("a;'\"`[]-/*\n "), max_size=30), size=st.integers(1, 5))
def test_statements_end_where_sqlite_ends_them(text: str, size: int) -> None:
    whole, pieces = StatementSplitter(), StatementSplitter()
    whole.feed(text)
    lines = text.splitlines(True)
    for line in lines:
        pieces.feed(line)
    assert whole.is_complete() == pieces.is_complete() == sqlite3.complete_statement(text)
    actual = whole.take_statements()
    assert actual == pieces.take_statements()
    assert "".join(actual).strip() == text.strip()
    assert all(sqlite3.complete_statement(one) for one in actual[:-1])


def test_help_and_version() -> None:
    assert run_keysh("sqlite3", "-help").out.startswith(b"Usage: sqlite3 ")
    version = run_keysh("sqlite3", "-version")
    if version_of_the_shell() == sqlite3.sqlite_version:
        assert version == run_gnu("sqlite3", "-version", cwd=Path("/"))
    assert version.out.decode().startswith(f"{sqlite3.sqlite_version} 20")
    displayed = run_keysh("sqlite3", ":memory:", ".help").out.decode()
    assert all(f".{name}" in displayed for name in dot_commands.DOT_COMMANDS)
    assert run_keysh("sqlite3", ":memory:", ".help imp").out.startswith(b".import [--csv]")
    assert json.loads(run_keysh("sqlite3", "-json", ":memory:", "select 1 as a").out) == [{"a": 1}]
