"""`Limits.value` counts bytes of UTF-8, wherever a script makes a text longer."""

from __future__ import annotations

from json import dumps

import pytest

from keysh import Limits, Shell
from keysh.text.chunks import MAX_SLICE_CHARACTERS, utf8_bytes

LARGEST = 1000  # bytes
# What the scripts begin with: `plain` and `wide` are allowed, two of `wide` are not.
VARIABLES = {
    "plain": "a" * 300, "wide": "é" * 300, "quotes": "'" * 300, "upper": "ȿ" * 400,
    "prompt": "\\w" * 300,
}  # fmt: skip

# Each makes one value of more than a thousand bytes, most of them of fewer characters.
TOO_LARGE = [
    "y=${plain//a/😀}", "y=${plain//?/日😀}", "y=${plain//a/&&&&}", "y=${plain/*/&&&&}",
    "y=${plain/#*/&&&&}", "y=${plain/%*/&&&&}", "y=${wide//é/&&}", "y=${wide/#é/$wide$plain}",
    "p=a; y=${plain//$p/😀}", "p=?; y=${plain//$p/😀}",
    "y=$wide$wide", 'y="$wide$wide"', 'y="$wide"$wide', "echo $wide$wide", "cat <<< $wide$wide",
    "cat <<END\n$wide$wide\nEND", 'y="$plain$plain$plain$plain$plain$plain"',
    "echo $plain$plain$plain$plain$plain$plain",
    'a=($wide $wide); y="${a[*]}"', "set -- $wide $wide; y=$*", "set -- $wide $wide; y=$@",
    'set -- $wide $wide; echo "$*"', 'a=($wide $wide); y="${a[@]}"',
    'echo "${quotes@Q}"', "a=($quotes); b=(${a[@]@Q})", "set -- $quotes; echo ${@@Q}",
    "echo ${quotes@A}", "a=($wide $wide); echo ${a[@]@A}",
    "a=($wide $wide); declare -p a", "y=${upper^^}", "y=${upper@U}", "a=($upper); b=(${a[@]^^})",
    "declare -u y; y=$upper", "y=${upper^^[^a]}",
    "y=$wide; y+=$wide", "y=(1); y[0]+=$wide; y[0]+=$wide", "declare -x y=$wide; y+=$wide",
    "y=$(echo $wide; echo $wide)", "y=`echo $wide$plain$plain`", "printf -v y %s $wide $wide",
    "printf '%s' $wide $wide | { read y; }", "printf '%s' $wide $wide | while read y; do :; done",
    "printf '%s\\n' $wide $wide | mapfile y", "printf '%s' $wide $wide | { read -N 550 y; }",
    "eval \"echo $wide '\" \"'$wide\"", "echo {$wide,$wide}",
]  # fmt: skip


@pytest.mark.parametrize("dialect", ["bash", "keysh"])
@pytest.mark.parametrize("script", TOO_LARGE)
def test_larger_text_ends_the_run(script: str, dialect: str) -> None:
    shell = Shell(limits=Limits(value=LARGEST), dialect=dialect, check=False)
    for name, text in VARIABLES.items():
        shell.vars[name] = text
    result = shell.run(f"{script}\necho never")
    assert "never" not in result.stdout
    assert result.limit is not None, result
    assert result.limit.kind == "value"
    used = result.limit.used
    assert isinstance(used, int)
    assert LARGEST < used <= 4 * LARGEST
    assert shell.run("echo $plain").code == 0


def test_prompt_escapes_are_counted_while_they_are_replaced() -> None:
    shell = Shell(limits=Limits(value=LARGEST), dialect="bash")
    shell.vars["prompt"] = VARIABLES["prompt"]
    result = shell.run("cd /usr/bin; y=${prompt@P}")
    assert result.limit is not None
    assert result.limit.kind == "value"


@pytest.mark.parametrize("text", ["a" * LARGEST, "é" * (LARGEST // 2), "😀" * (LARGEST // 4)])
@pytest.mark.parametrize(
    "script",
    [
        "y=$x", 'y="$x"', 'y=("$x"); echo "${y[*]}"', "y=${x//z/$x$x}", "y=${x@U}", "y=$(echo $x)",
        "y=; y+=$x", "printf -v y %s $x", 'declare y="$x"', 'set -- "$x"; echo "$*" "$1"',
        "echo $x | { read y; }", 'f() { local z="$1"; y=${z#?}; }; f $x', "y=${x%%z*}",
    ],
)  # fmt: skip
def test_text_of_exactly_the_limit_is_a_value(script: str, text: str) -> None:
    # A run of `read` meets the newline too.
    shell = Shell(limits=Limits(value=LARGEST + 1), dialect="bash")
    shell.vars["x"] = text
    assert shell.run(script).limit is None


@pytest.mark.parametrize("copies", [8, 1000])
@pytest.mark.parametrize(
    ("script", "reference"),
    [
        ('y="@"', "$x"), ("y=@", "$x"), ('y=@', '"$x"'), ('a=(@); y="${a[*]}"', '"$x" '),
        ("printf -v y %s @", '"$x" '), ("a=(@); declare -p a", '"$x" '),
        ('set -- @; echo "$*"', '"$x" '),
    ],
)  # fmt: skip
def test_many_references_are_measured_before_they_are_joined(
    script: str, reference: str, copies: int
) -> None:
    # A thousand of them would take 10 GB.
    shell = Shell(limits=Limits(value=64 << 20, memory=400 << 20), dialect="bash")
    shell.vars["x"] = "a" * (10 << 20)
    result = shell.run(script.replace("@", reference * copies))
    assert result.limit is not None
    assert result.limit.kind in ("value", "memory")


def test_what_echo_prints_at_once_is_measured_before() -> None:
    shell = Shell(limits=Limits(memory=64 << 20))
    shell.vars["x"] = "a" * (10 << 20)
    for script in ("echo {}", "echo -n {}", "printf '%s\\n' {}", "set -x; : {}"):
        result = shell.run(script.format('"$x" ' * 100) + " > /dev/null")
        assert result.limit is not None, script
        assert result.limit.kind == "memory"


def test_bytes_are_counted_as_they_are_written() -> None:
    assert utf8_bytes("a" * 10) == 10
    assert utf8_bytes("é😀日\n") == 2 + 4 + 3 + 1
    assert utf8_bytes("\udcff\udc80") == 2  # bytes that are no UTF-8
    assert utf8_bytes("\ud800a") == 4  # a surrogate that stands for no byte
    assert utf8_bytes("é" * (MAX_SLICE_CHARACTERS + 1)) == 2 * (MAX_SLICE_CHARACTERS + 1)


@pytest.mark.parametrize(
    "program",
    [
        "[.marks[] + .texts[0]]", "[.texts[.keys[]]]", r'["\(.keys[])\(.texts[0])"]',
        "[if .keys[] then .texts[0] else 0 end]", "[{(.marks[]): .texts[0]}]",
        "[.texts[0] as $text | .keys[] | $text]",
    ],
)  # fmt: skip
def test_jq_measures_what_puts_one_value_into_many(program: str) -> None:
    shell = Shell(limits=Limits(value=8 << 20, memory=400 << 20))
    texts = {"keys": [0] * 1000, "marks": ["a"] * 1000, "texts": ["x" * 20_000]}
    script = "jq -c $program | wc -c"
    result = shell.run(script, stdin=dumps(texts), env={"program": program})
    assert result.limit is not None
    assert result.limit.kind == "value"
