"""csv: round trips with Python's csv module, and input that is not a table."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from commands.command_runner import Answer, run_keysh
from keysh.interp.run.limits import Limits
from keysh.shell.shell import Shell
from keysh.text.chunks import bare_lines, no_limit
from keysh.tools.csv import reader
from keysh.tools.csv.form import CsvFormat
from keysh.tools.csv.reader import CsvReader

FIELDS = st.text(st.sampled_from("ab1.0-\",; \t\n'é\udcff"), max_size=6)
TABLES = st.integers(1, 4).flatmap(
    lambda width: st.lists(st.lists(FIELDS, min_size=width, max_size=width), min_size=1, max_size=6)
)
SCALARS = st.one_of(
    FIELDS, st.integers(), st.booleans(), st.none(),
    st.floats(allow_nan=False, allow_infinity=False), st.sampled_from(["true", "1.5", "007", "-0"]),
)  # fmt: skip
RECORDS = st.lists(st.fixed_dictionaries({"a": SCALARS, 'b"': SCALARS}), min_size=1, max_size=6)


def rows(answer: Answer) -> list[object]:
    assert (answer.status, answer.err) == (0, "")
    return [json.loads(line) for line in answer.out.decode("utf-8", "surrogateescape").splitlines()]


@given(table=TABLES, delimiter=st.sampled_from(",;\t"), end=st.sampled_from(["\n", "\r\n"]))
def test_python_csv_is_read(table: list[list[str]], delimiter: str, end: str) -> None:
    file = io.StringIO(newline="")
    csv.writer(file, delimiter=delimiter, lineterminator=end).writerows(table)
    data = file.getvalue().encode("utf-8", "surrogateescape")
    result = run_keysh("csv", "-n", "-t", "-d", delimiter, stdin=data)
    assert rows(result) == table


@given(table=TABLES, delimiter=st.sampled_from(",;\t"))
def test_output_is_read_by_python(table: list[list[str]], delimiter: str) -> None:
    lines = "".join(f"{json.dumps(row)}\n" for row in table).encode()
    result = run_keysh("csv", "-w", "-n", "-d", delimiter, stdin=lines)
    assert result.status == 0
    text = result.out.decode("utf-8", "surrogateescape")
    assert list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)) == table


@given(records=RECORDS)
def test_values_come_back_with_their_types(records: list[dict[str, object]]) -> None:
    lines = "".join(f"{json.dumps(record)}\n" for record in records)
    result = run_keysh("csv", "-w", stdin=lines.encode())
    assert result.status == 0
    back = rows(run_keysh("csv", stdin=result.out))
    columns = list(records[0])
    ordered = [{name: record[name] for name in columns} for record in records]
    assert list(map(repr, back)) == list(map(repr, ordered))  # 1, 1.0 and true are equal


@settings(max_examples=50)
@given(table=TABLES, size=st.integers(1, 9))
def test_chunk_borders_do_not_matter(table: list[list[str]], size: int) -> None:
    file = io.StringIO(newline="")
    csv.writer(file).writerows(table)
    text = file.getvalue()
    chunks = [text[i : i + size] for i in range(0, len(text), size)]
    form = CsvFormat(",", '"', is_text=True)
    assert (
        list(CsvReader(form, None, int, has_header=False).rows(bare_lines(chunks, no_limit)))
        == table
    )


@pytest.mark.parametrize(
    ("words", "text", "result"),
    [
        ([], "a,b\n1,x\n", [{"a": 1, "b": "x"}]),
        ([], 'a,b\n"1",true\n,""\n', [{"a": "1", "b": True}, {"a": None, "b": ""}]),
        ([], "a\n1.50\n1e3\n007\n+5\n.5\n", [{"a": v} for v in (1.5, 1000.0, "007", "+5", ".5")]),
        (["-t"], "a,b\n1,\n", [{"a": "1", "b": ""}]),
        ([], "\ufeffa\r\n1\r\n\r\n2", [{"a": 1}, {"a": 2}]),
        ([], "1,true,1.10\na,b,c\n", [{"1": "a", "true": "b", "1.10": "c"}]),
        (["-c", "b,a"], "a,x,b\n1,2,3\n", [{"b": 3, "a": 1}]),
        (["-n", "-c", "b,a"], "1,2\n", [{"b": 1, "a": 2}]),
        (["-q", "'", "-d", r"\t"], "a\tb\n'x''\ty'\t5\"\n", [{"a": "x'\ty", "b": '5"'}]),
        ([], 'size\n5"\n', [{"size": '5"'}]),
        ([], '"\ufeffa"\n1\n', [{"\ufeffa": 1}]),
        ([], "a,b\n", []),
        ([], "", []),
    ],
)  # fmt: skip
def test_table_becomes_records(words: list[str], text: str, result: list[object]) -> None:
    assert rows(run_keysh("csv", *words, stdin=text.encode())) == result


@pytest.mark.parametrize(
    ("words", "text", "out"),
    [
        ([], '{"a":1.50,"b":"1.50"}\n{"b":null,"a":"x"}', 'a,b\n1.50,"1.50"\nx,\n'),
        ([], '[{"a":[1,{"k":2}]},{"a":true}]', 'a\n"[1,{""k"":2}]"\ntrue\n'),
        ([], '{"a":null}\n{"a":""}', 'a\n""\n""\n'),
        (["-n"], "[1,2]\n[3,4]", "1,2\n3,4\n"),
        (["-c", "b,z"], '{"a":1,"b":2}', "b,z\n2,\n"),
        (["-t"], '{"a":"1"}', "a\n1\n"),
        (["-d", ";"], '{"a":"x;y","b":"x,y"}', 'a;b\n"x;y";x,y\n'),
        ([], "", ""),
    ],
)
def test_records_become_a_table(words: list[str], text: str, out: str) -> None:
    assert run_keysh("csv", "-w", *words, stdin=text.encode()) == Answer(0, out.encode(), "")


@pytest.mark.parametrize(
    ("words", "text", "says"),
    [
        ([], "a,b\n1\n", "line 2: 1 field, but the table has 2 columns"),
        (["-n"], "a,b\n1,2,3\n", "line 2: 3 fields, but the table has 2 columns"),
        ([], 'a\n1\n"x\ny\n', "line 3: a quote is not closed"),
        ([], 'a,b\n"x"y,1\n', 'line 2, character 4: "y" after a closing quote'),
        ([], "a,b,a\n", 'two columns are named "a"'),
        (["-c", "z"], "a,b\n", 'line 1: no column is named "z"'),
        (["-w"], "{bad", "line 1 is not JSON: "),
        (["-w"], '\n{"a":1}\n[1,2]', "line 3: 2 values, but the table has 1 column"),
        (["-w"], '{"a":1}\n{"b":1}', 'line 2: the record has no "a", unlike the first\nfix: '),
        (["-w"], '{"a":1}\n{"a":1,"b":1}', 'line 2: the record has "b", unlike the first\nfix: '),
        (["-w"], "5", "line 1: a row must be a record or a list, but is an int"),
        (["-w"], "[" * 100_000, "line 1 is not JSON: values are nested too deeply"),
    ],
)
def test_non_table_is_reported(words: list[str], text: str, says: str) -> None:
    answer = run_keysh("csv", *words, "/t.csv", files={"/t.csv": text})
    assert answer.status == 1
    assert answer.err.startswith(f"csv: /t.csv: {says}")


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["-d", "ab"], "the delimiter must be a single character, but is "),
        (["-d", "\n"], "the delimiter must be a single character, but is "),
        (["-q", ""], "the quote must be a single character, but is "),
        (["-q", ","], "the delimiter and the quote are the same"),
        (["-c", "a,b,a"], "two columns are named "),
    ],
)
def test_impossible_dialect_is_refused(words: list[str], says: str) -> None:
    answer = run_keysh("csv", *words)
    assert (answer.status, answer.out) == (1, b"")
    assert answer.err.startswith(f"csv: {says}")


def test_rows_are_streamed() -> None:
    def endless() -> Iterator[str]:
        yield "a,b\n"
        while True:
            yield '1,"x\ny"\n'

    result = CsvReader(CsvFormat(",", '"', is_text=False), None, int, has_header=True).rows(
        bare_lines(endless(), no_limit)
    )
    assert [next(result), next(result)] == [{"a": 1, "b": "x\ny"}] * 2


def test_unterminated_quote_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "MAX_ROW_CHARACTERS", 1 << 20)
    answer = run_keysh("csv", stdin=b'a\n"x\n' + b"y" * 1000 + b"\n" + b"z\n" * 1_100_000)
    assert answer.status == 1
    assert answer.err == "csv: line 2: the row is longer than 1 MiB; is a quote open?\n"


def test_table_is_a_value() -> None:
    with Shell(files={"/t.csv": "name,n\nx y,1.50\nz,2\n"}, limits=Limits(seconds=20)) as shell:
        script = 'rows=$(csv /t.csv); typeof $rows; echo "${rows[0][n]}"; tojsonl $rows | csv -w'
        assert shell.run(script).stdout == "list\n1.50\nname,n\nx y,1.50\nz,2\n"
        assert shell.run("csv -n /t.csv | head -n 1").stdout == '["name","n"]\n'
