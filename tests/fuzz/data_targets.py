"""Readers and writers of data: JSON, YAML, TOML, CSV, differences, images of shells."""

from __future__ import annotations

import csv
import json
import re
import tomllib
import zlib
from collections.abc import Callable
from hashlib import sha256
from io import StringIO
from math import isfinite
from random import Random
from typing import Any, NoReturn

import yaml

from fuzz.fields import Unfit, fields
from fuzz.mutation import ByteMutator, Mutator, random_text
from fuzz.runs import LIMITS, refuse_defect, run
from keysh import ImageError, Shell
from keysh.shell.images.container import MAGIC, VERSION
from keysh.text.chunks import bytes_of_text, text_of_bytes

TEXTS = [
    '{"a":[1,-2.5e3,null,true],"b":{"c":"x\\u00e9\\n"}}',
    '["","\\ud83d\\ude00"]',
    "0",
    "-1.50",
]
YAML_TEXTS = [
    "a: 1\nb: [x, 'y', \"z\"]\nc:\n  - d: |\n      text\n  - e: >-\n      more\n",
    "&x {k: v}\n", "- *x\n- !!str 1\n- 2024-02-29\n- ~\n- 0x1f\n- 1_000\n", "---\na\n---\n- b\n",
    "? complex\n: {a: [1, {b: null}]}\n# note\n", "key: 'it''s'\nother: \"\\u00e9\\n\"\n",
]  # fmt: skip
TOML_TEXTS = [
    'a = 1\nb.c = "x"\n[t]\nd = [1, 2.50, true]\ne = 2024-02-29T10:00:00Z\n',
    "[[rows]]\nx = '''a\nb'''\ny = {z = 0x1f, w = 1e3}\n", 'm = """a\\\n  b"""\nf = -inf\n',
]  # fmt: skip
CSV_TEXTS = [
    'a,b,c\n1,"x, y",\n2.50,"say ""hi""",true\n', '"a\nb",c\r\n"",null\r\n',
    "x\n\n\n", "a,a\n1,2\n",
]  # fmt: skip

# keysh takes the parser in C where it is installed; the other one differs on damaged texts.
LOADER = getattr(yaml, "CBaseLoader", yaml.BaseLoader)
LONE_RETURN = re.compile(r"\r(?!\n)")  # ends a row for Python; for keysh it is a character


def maker_of(texts: list[str]) -> Callable[[Random], Callable[[], str]]:
    """Return a maker that changes these texts."""

    def maker(random: Random) -> Callable[[], str]:
        return Mutator(texts, random).text

    return maker


def refuse_constant(name: str) -> NoReturn:
    raise ValueError(name)


def is_exact(value: Any) -> bool:
    """Whether Python keeps the value as it was read: no infinity, which a large number becomes,
    no NaN and no lone surrogate."""
    if isinstance(value, dict):
        return all(is_exact(key) and is_exact(item) for key, item in value.items())
    if isinstance(value, list):
        return all(map(is_exact, value))
    if isinstance(value, float):
        return isfinite(value)
    return not isinstance(value, str) or not any("\ud800" <= char <= "\udfff" for char in value)


def json_holds(text: str) -> None:
    """fromjson reads what Python takes for JSON, and tojson writes the same value."""
    data = bytes_of_text(text)
    run("jq . /data", {"/data": data})
    result = run("v=$(fromjson < /data) || exit 9; r={v: $v}; tojson $r", {"/data": data})
    try:
        value = json.loads(data.decode(), parse_constant=refuse_constant)
    except (ValueError, RecursionError):
        assert result.code != 0, f"Python refuses what becomes {result.stdout}"
        return
    if is_exact(value):
        assert json.loads(result.stdout or "null") == {"v": value}, result.stdout + result.stderr


def yaml_holds(text: str) -> None:
    """What fromyaml reads, toyaml writes so that it reads the same."""
    script = (
        "v=$(fromyaml < /data) || exit 9; r={v: $v}; toyaml $r > /again || exit 8; "
        "w=$(fromyaml < /again) || exit 7; tojson $r > /a; tojson $w > /b; cmp /a /b || exit 6; "
        "cat /a"
    )
    result = run(script, {"/data": bytes_of_text(text)})
    assert result.limit or result.code in (0, 9), result.stderr
    run("yq . /data; yq -o json . /data", {"/data": bytes_of_text(text)})
    if result.code == 0:
        found = json.loads(result.stdout)["v"]
        assert shape_of(found) == shape_of(yaml.load(text, LOADER)), "PyYAML's loader"


def shape_of(value: object) -> object:
    """Return the value with its keys and scalars left out, which have other types in YAML 1.1."""
    if isinstance(value, dict):
        return [*map(shape_of, value.values())], "keys"
    return [*map(shape_of, value)] if isinstance(value, list) else None


def toml_holds(text: str) -> None:
    """fromtoml finds what tomllib finds, and refuses what has no JSON value."""
    result = run("fromtoml < /data", {"/data": bytes_of_text(text)})
    try:
        value = tomllib.loads(text)
    except (ValueError, RecursionError):
        assert result.code != 0, "fromtoml reads what tomllib refuses"
        return
    if is_exact(value) and not result.limit:
        assert result.code == 0, result.stderr
        assert json.loads(result.stdout) == json.loads(json.dumps(value, default=str))


def csv_holds(text: str) -> None:
    """The rows that csv reads, it writes so that it reads the same; Python's csv finds as many."""
    script = (
        "csv --no-header /data > /a || exit 9; csv --no-header --write /a > /again || exit 8; "
        "csv --no-header /again > /b || exit 7; cmp /a /b || exit 6; "
        "cat /a"
    )
    result = run(script, {"/data": bytes_of_text(text)})
    assert result.limit or result.code in (0, 9), result.stderr
    run("csv /data | csv --write; csv --text /data", {"/data": bytes_of_text(text)})
    result = run("csv --no-header --text /data", {"/data": bytes_of_text(text)})
    if result.code == 0 and not LONE_RETURN.search(text):
        as_read = text_of_bytes(bytes_of_text(text))  # two lone bytes may be a character
        rows = csv.reader(StringIO(as_read.removeprefix("\ufeff"), newline=""))
        found = [json.loads(line) for line in result.stdout.split("\n")[:-1]]
        assert found == [row for row in rows if row], "Python's csv"


def difference_maker(random: Random) -> Callable[[], str]:
    def text() -> str:
        first, second = (random_text(random, "ab\n\n\\-+ é", 30) for _ in range(2))
        return f"{first}\0{second}"

    return text


def difference_holds(data: str) -> None:
    """A patch of two files turns the first into the second, and back."""
    first, second = map(bytes_of_text, fields(data, 2))
    if b"\0" in first + second:
        raise Unfit  # diff only says that such files differ
    for form in ("-u", "-c", "", "-U0", "-e"):
        is_script = form == "-e"
        if is_script and not (first.endswith(b"\n") and second.endswith(b"\n")):
            continue  # an ed script cannot say that the last line does not end
        undo = "" if is_script else "&& patch -s -R /a < /p && cmp /a /c"
        script = (
            f"cp /a /c; diff {form} /a /b > /p; [ -s /p ] || exit 0; "
            f"patch -s /a < /p && cmp /a /b {undo}"
        )
        result = run(script, {"/a": first, "/b": second})
        if is_script and result.code:
            continue
        assert result.code == 0, f"diff {form}: {result.stderr}"


def image_samples() -> list[bytes]:
    """Return the payloads of images of small shells, unpacked."""
    samples = []
    for script in (
        "a=1; b=(x y); f() { echo hi; }; trap 'echo bye' EXIT; mkdir -p /d; echo x > /d/f",
        "declare -A m=([k]=v); r={a: [1, 2.5]}; ln -s /d /e; export X=é; set -o pipefail",
    ):
        with Shell(limits=LIMITS, clock=0.0) as shell:
            shell.run(script)
            image = shell.snapshot()
        samples.append(zlib.decompress(image[image.index(b"\n") + 1 + sha256().digest_size :]))
    return samples


def image_maker(random: Random) -> Callable[[], bytes]:
    return ByteMutator(image_samples(), random).data


def image_holds(data: bytes) -> None:
    """An image with a right digest is refused by ImageError, or makes a shell that works."""
    payload = zlib.compress(data, 1)
    image = b"%s%d\n%s%s" % (MAGIC, VERSION, sha256(payload).digest(), payload)
    try:
        shell = Shell.restore(image, limits=LIMITS)
    except ImageError:
        return
    with shell:
        refuse_defect(shell.run("echo $a; ls / > /dev/null; true"))


TARGETS = {
    "json": (maker_of(TEXTS), json_holds),
    "yaml": (maker_of(YAML_TEXTS), yaml_holds),
    "toml": (maker_of(TOML_TEXTS), toml_holds),
    "csv": (maker_of(CSV_TEXTS), csv_holds),
    "diff": (difference_maker, difference_holds),
    "image": (image_maker, image_holds),
}
