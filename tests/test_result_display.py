"""Results, as Python's prompt and notebooks show them."""

from __future__ import annotations

import pytest

import keysh
from keysh import Shell

pytestmark = pytest.mark.quick


def number(value: int) -> str:
    """A cell with a number."""
    return f'<td style="text-align:right">{value}</td>'


TABLE = "<table><thead><tr>{}</tr></thead><tbody>{}</tbody></table>"


@pytest.mark.parametrize(
    ("script", "text"),
    [
        ("true", "<Result 0>"),
        ("echo hi", r"<Result 0 stdout='hi\n'>"),
        ("cat /none", r"<Result 1 stderr='cat: /none: No such file or directory\n'>"),
        ("printf %300s x", f"<Result 0 stdout={' ' * 200!r}… 100 more>"),
        ("echo a; exit 3", r"<Result 3 stdout='a\n'>"),
    ],
)
def test_repr(script: str, text: str) -> None:
    assert repr(Shell().run(script)) == text


def test_repr_names_the_limit_and_the_exception() -> None:
    limited = Shell(limits=keysh.Limits(steps=1000)).run("while true; do :; done")
    assert repr(limited).startswith("<Result 125 limit='steps: 1")

    def boom() -> None:
        raise KeyError("lost")

    assert repr(Shell(commands=[boom]).run("boom")).endswith(" error=KeyError>")


@pytest.mark.parametrize(
    ("script", "html"),
    [
        ("true", ""),
        ("echo '<b>&'", "<pre>&lt;b&gt;&amp;\n</pre>"),
        ("echo '[{\"a\":1,\"<i>\":2},{\"a\":null}]'",
         TABLE.format("<th>a</th><th>&lt;i&gt;</th>",
                      f"<tr>{number(1)}{number(2)}</tr>\n<tr><td></td><td></td></tr>\n")),
        ("echo '{\"a\":[1]}'; echo '{\"a\":true}'",
         TABLE.format("<th>a</th>", "<tr><td>[1]</td></tr>\n<tr><td>true</td></tr>\n")),
        ("echo '[1,2]'", "<pre>[1,2]\n</pre>"),
        ("echo '[broken'", "<pre>[broken\n</pre>"),
        ("printf '\\377'", "<pre>\ufffd</pre>"),
        ("echo no >&2; exit 2",
         '<pre style="color:#b00020">no\n</pre><div style="color:#b00020">status 2</div>'),
    ],
)  # fmt: skip
def test_html(script: str, html: str) -> None:
    assert Shell().run(script)._repr_html_() == html


def test_html_is_bounded_and_says_so() -> None:
    assert Shell().run("seq 10000")._repr_html_().endswith("\n… 28,894 more characters</pre>")
    rows = Shell().run('for i in {1..150}; do echo "{\\"n\\":$i}"; done')._repr_html_()
    assert rows.count("<tr>") == 101
    assert rows.endswith("<div>… 50 more rows</div>")


def test_records_with_separators_of_unicode_in_their_texts() -> None:
    line = '{"a": "x\u2028y\x85z"}\n'
    assert Shell().run("cat -", stdin=line * 2).data == [{"a": "x\u2028y\x85z"}] * 2
