"""Aliases of the bash dialect: any name, and any text; real bash is the judge."""

from __future__ import annotations

import pytest

import keysh
from dialect.dialect_oracle import bash_answer, dialect_answer
from keysh.syntax import alias_text
from keysh.syntax.lexer.scanner import scan
from real_tools import needs

pytestmark = needs("bash")

SCRIPTS = {
    "names with punctuation": """
alias e_+.~x='echo dot' '?x=echo mark' '~y=echo tilde' 'a{1,2}=echo brace'
alias 'x[1]=echo sub' 'f#=echo hash'
e_+.~x 1
?x 2
~y 3
a{1,2} 4
x[1] 5
f# 6
'?x' 7
\\~y 8
alias""",
    "names that cannot be": "alias 'a$b=1'; alias 'a b=1'; alias '=x'; echo $?; alias zz; echo $?",
    "the next word, too": "alias e='echo ' g='hello '\ne g g",
    "half a loop": "alias w='while read x; do'\nw echo $x; done <<< 1",
    "commands, keywords and more in one function": r"""
alias e='echo -n' yes=true s='e ' w='A=1 ' n=then o='{ echo' c='};' ls='ls -d' e2=e3 e3='echo e3'
alias both='echo one; echo two' d='declare -i' q="echo 'a b'"
f() {
    e x y; s e; if yes; n e then; fi; o in; c
    w env | grep -c A=1; ls .; e2; both e; d v=1+1; e "$v"; q e
    for e in e s; do e $e; done; case e in e) e e;; esac
    cat <<E; e behind
e text $(e inner)
E
}
f; e last""",
    "a heredoc whose text follows": "alias c='cat <<EOF'\nc\nhi\nEOF\necho end",
}


@pytest.mark.parametrize("script", SCRIPTS.values(), ids=SCRIPTS)
def test_alias(script, tmp_path):
    """The output and the status are bash's."""
    whole = f"shopt -s expand_aliases\n{script}"
    assert dialect_answer(whole, tmp_path) == bash_answer(whole, tmp_path)


def test_the_text_of_a_heredoc_is_no_part_of_an_alias(tmp_path):
    """There bash reads the lines of the script, which nobody means."""
    script = "shopt -s expand_aliases\nalias c='cat <<E\nhi\nE\n'\nc\necho no"
    result = keysh.run(script, dialect="bash")
    assert (result.stdout, result.code) == ("", 2)
    assert "E112" in result.stderr


def test_a_long_function_is_scanned_a_few_times(monkeypatch):
    """Not once for each alias in it, nor once for each of its lines."""
    scans = []

    def counted_scan(source, **options):
        scans.append(source)
        return scan(source, **options)

    monkeypatch.setattr(alias_text, "scan", counted_scan)
    lines = "e x\n" * 200
    script = f"shopt -s expand_aliases\nalias e='echo -n'\nf() {{\n{lines}}}\nf"
    assert keysh.run(script, dialect="bash").stdout == "x" * 200
    assert len(scans) < 10
