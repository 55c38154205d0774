"""Images: what is in them, what they refuse, and that nothing of them runs or opens a door."""

from __future__ import annotations

import json
import zlib
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import keysh
from keysh import (
    Call,
    ImageError,
    KeyshError,
    LocalFS,
    MemoryFS,
    OverlayFS,
    ReadOnlyFS,
    Shell,
    image_of,
)
from keysh.shell.images.container import unpacked_image

FIXTURES = Path(__file__).parent / "fixtures"

SETUP = r"""
x=1; y='a b'; z=[1.5, {a: null, $b: [true]}]; declare -a holes=([2]=c [9]=d); declare -A map=([k]=v)
declare -n ref=x; readonly fixed=1; declare -i whole=4; big=[9223372036854775807]
pair(name, times: int = 2) { echo "$name$times"; }
mkdir -p /d/e; printf 'one\n' > /d/f; ln /d/f /d/g; ln -s e /d/l; chmod 600 /d/f
head -c 3000 /dev/zero > /d/zeros; mkfifo /d/pipe
"""
LOOK = r"""
declare -p x y holes map fixed whole; tojson $z; declare -p -n ref; pair p
ls -l /d; cat /d/g; cksum /d/zeros; pwd
"""


def changed_head(image: bytes, change: Any) -> bytes:
    """Return an image whose head is another, with the right digest."""
    head, blobs = unpacked_image(image)
    change(head)
    text = json.dumps(head).encode()
    payload = zlib.compress(len(text).to_bytes(8, "big") + text + b"".join(blobs))
    return b"keysh image 1\n" + sha256(payload).digest() + payload


@pytest.fixture(scope="module")
def image() -> bytes:
    shell = Shell()
    assert shell.run(SETUP).ok
    return shell.snapshot()


def test_everything_is_there_again() -> None:
    shell = Shell()
    assert shell.run(SETUP).ok
    again = Shell.restore(shell.snapshot())
    assert again.run(LOOK).stdout == shell.run(LOOK).stdout
    assert again.run("fixed=2").stderr == shell.run("fixed=2").stderr


def test_an_image_of_a_restored_shell_is_the_same(image: bytes) -> None:
    first, second = unpacked_image(image), unpacked_image(Shell.restore(image).snapshot())
    first[0]["state"]["age"] = second[0]["state"]["age"] = 0
    assert first == second


def test_both_shells_go_on_by_themselves() -> None:
    shell = Shell(files={"/f": "first\n"})
    shell.run("x=first")
    again = Shell.restore(shell.snapshot())
    again.run("x=second; echo second > /f")
    assert shell.run("echo $x; cat /f").stdout == "first\nfirst\n"
    assert again.run("echo $x; cat /f").stdout == "second\nsecond\n"


def test_what_is_in_an_image() -> None:
    shell = Shell(dialect="bash", commands=[hello])
    shell.run("f() { :; }; cd /tmp; exec 5>/tmp/kept; x=1; sleep 100 &")
    found = image_of(shell.snapshot())
    shell.close()
    assert found.dialect == "bash"
    assert found.directory == "/tmp"
    assert "x" in found.variables
    assert found.functions == ["f"]
    assert found.mounts == {"/": "memory"}
    assert found.commands == ["hello"]
    assert found.left_out == ["job 1: sleep 100", "descriptor 5", "command hello"]


def hello(sh: Call) -> str:
    """Say hello."""
    return "hello"


def test_a_run_in_progress_is_refused() -> None:
    shell = Shell()

    def image(sh: Call) -> str:
        """Ask for an image."""
        with pytest.raises(KeyshError, match="in progress"):
            shell.snapshot()
        return "refused"

    shell.add(image)
    assert shell.run("image").stdout == "refused"


def test_the_new_host_opens_the_doors(image: bytes) -> None:
    shell = Shell(external=True, limits=keysh.Limits(steps=10**9), commands=[hello])
    shell.run("x=1")
    again = Shell.restore(shell.snapshot(), limits=keysh.Limits(steps=50))
    assert again.run("hello").code == 127 or "E301" in again.run("hello").stderr
    limited = again.run("while :; do x=1; done")
    assert limited.limit is not None
    assert limited.limit.kind == "steps"
    assert Shell.restore(image, commands=[hello]).run("hello").stdout == "hello"


def test_a_directory_of_the_machine_is_a_reference(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("there\n")
    shell = Shell({"/work": LocalFS(tmp_path)}, cwd="/work")
    image = shell.snapshot()
    assert image_of(image).mounts == {"/": "memory", "/work": "reference"}
    with pytest.raises(
        ImageError, match=f"LocalFS.'{tmp_path}'. at /work, which the host must grant"
    ):
        Shell.restore(image)
    again = Shell.restore(image, {"/work": ReadOnlyFS(LocalFS(tmp_path))})
    assert again.run("cat f; echo x > f").stdout == "there\n"
    assert (tmp_path / "f").read_text() == "there\n"


def test_files_of_the_image_cannot_be_replaced(image: bytes) -> None:
    with pytest.raises(ImageError, match="holds the files at / itself"):
        Shell.restore(image, {"/": MemoryFS()})
    again = Shell.restore(image, {"/more": MemoryFS({"f": "more\n"})})
    assert again.run("cat /more/f").stdout == "more\n"


def test_an_overlay_is_its_changes(tmp_path: Path) -> None:
    for name in ("kept", "changed", "removed", "was-file"):
        (tmp_path / name).write_text(f"{name}\n")
    (tmp_path / "folder").mkdir()
    (tmp_path / "folder" / "inner").write_text("inner\n")
    shell = Shell({"/work": OverlayFS(LocalFS(tmp_path))}, cwd="/work")
    assert shell.run(
        "echo more >> changed; rm removed; rm -r folder; rm was-file; mkdir was-file;"
        " echo x > was-file/x; ln -s kept link; chmod 600 kept; echo new > folder"
    ).ok
    image = shell.snapshot()
    assert image_of(image).mounts["/work"] == "overlay"
    again = Shell.restore(image, {"/work": LocalFS(tmp_path)})
    look = "ls -lR . | tail -n +2; cat changed link folder was-file/x"
    assert again.run(look).stdout == shell.run(look).stdout
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "changed", "folder", "kept", "removed", "was-file",
    ]  # fmt: skip


def test_a_quota_of_the_new_host_holds() -> None:
    shell = Shell(files={"/f": "x" * 10_000})
    image = shell.snapshot()
    with pytest.raises(ImageError, match="cannot be made"):
        Shell.restore(image, limits=keysh.Limits(file_bytes=5_000))
    with pytest.raises(ImageError, match="unpacks to more than"):
        unpacked_image(image, 5_000)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "no image of keysh"),
        (b"keysh image 2\n" + b"\0" * 40, "has version 2"),
        (b"keysh image 1\n" + b"\0" * 40, "its digest"),
        (b"PK\3\4", "no image of keysh"),
    ],
)
def test_other_bytes(data: bytes, message: str) -> None:
    with pytest.raises(ImageError, match=message):
        Shell.restore(data)


@pytest.mark.parametrize(
    "text",
    [
        "touch /ran; pair() { :; }",
        "pair() { :; }; touch /ran",
        "other() { :; }",
        "touch /ran",
        "pair() { :; } > /ran; touch /ran",
        "pair() {",
    ],
)
def test_a_function_is_nothing_but_a_definition(image: bytes, text: str) -> None:
    def change(head: dict[str, Any]) -> None:
        head["state"]["functions"][0]["text"] = text

    with pytest.raises(ImageError, match="the text of the function pair is none"):
        Shell.restore(changed_head(image, change))


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = [value]
    return value


def set_x(head: dict[str, Any], value: Any) -> None:
    """Give a variable a value."""
    head["state"]["variables"]["x"] = value


def add_file(head: dict[str, Any], *record: Any) -> None:
    """Add a record of a file."""
    head["mounts"]["/"]["tree"].append([*record])


BROKEN_TRAP = {"EXIT": {"text": "if", "dialect": "keysh"}}
CHANGES = {
    "no state": lambda head: head.pop("state"),
    "a list for a state": lambda head: head.update(state=[]),
    "an unknown dialect": lambda head: head.update(dialect="zsh"),
    "an unknown option": lambda head: head["state"]["options"].append("nosuch"),
    "an unknown attribute": lambda head: head["state"]["attributes"].update(x=["nosuch"]),
    "no variables": lambda head: head["state"].pop("variables"),
    "a value of no kind": lambda head: set_x(head, {"$": ["nosuch"]}),
    "indexes out of order": lambda head: set_x(head, {"$": ["array", [1, 2], [3, 3]]}),
    "indexes that are none": lambda head: set_x(head, {"$": ["array", [1], ["a"]]}),
    "no number": lambda head: set_x(head, {"$": ["integer", "0xzz"]}),
    "a deep value": lambda head: set_x(head, nested(900)),
    "a broken trap": lambda head: head["state"]["traps"].update(BROKEN_TRAP),
    "no random numbers": lambda head: head["state"].update(random=[3, "00", None]),
    "a status that is none": lambda head: head["state"].update(status=["1", []]),
    "no blob": lambda head: head["blobs"].clear(),
    "a blob of another size": lambda head: head["blobs"][0].__setitem__(1, 5),
    "another digest": lambda head: head["blobs"][0].__setitem__(0, "00"),
    "a file of no record": lambda head: add_file(head, "f", "/x"),
    "a file outside": lambda head: add_file(head, "f", "/../x", 0o644, 0, "x"),
    "a file in a file": lambda head: add_file(head, "f", "/d/f/x", 0o644, 0, "x"),
    "a blob that is not there": lambda head: add_file(head, "f", "/x", 0o644, 0, {"$": 99}),
    "a mount of no kind": lambda head: head["mounts"].update({"/x": {"kind": "device"}}),
    "a mount that is none": lambda head: head["mounts"].update({"/x": []}),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_wrong_head(image: bytes, change: Any) -> None:
    with pytest.raises(ImageError):
        Shell.restore(changed_head(image, change))


@settings(max_examples=2_000, deadline=None)
@given(data=st.data())
def test_damaged_bytes(image: bytes, data: st.DataObject) -> None:
    """Whatever has happened to the bytes, the answer is ImageError, or the shell if nothing has."""
    damaged = bytearray(image)
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(damaged) - 1))
        match data.draw(st.sampled_from(["set", "cut", "insert"])):
            case "set":
                damaged[at] = data.draw(st.integers(0, 255))
            case "cut":
                del damaged[at:]
            case _:
                damaged[at:at] = data.draw(st.binary(min_size=1, max_size=5))
        if not damaged:
            break
    if bytes(damaged) == image:
        return
    with pytest.raises(ImageError):
        Shell.restore(bytes(damaged))


def json_values() -> st.SearchStrategy[Any]:
    leaves = st.none() | st.booleans() | st.integers(-5, 5) | st.text(max_size=3)
    return st.recursive(
        leaves,
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(["$", "kind", "x"]), inner, max_size=3)
        ),
        max_leaves=5,
    )


@settings(max_examples=500, deadline=None)
@given(data=st.data())
def test_a_head_with_any_value_anywhere(image: bytes, data: st.DataObject) -> None:
    """A head that was changed on purpose is refused, or makes a shell that runs."""

    def change(head: dict[str, Any]) -> None:
        holder: Any = head
        while True:
            key = data.draw(
                st.sampled_from(sorted(holder) if isinstance(holder, dict) else range(len(holder)))
            )
            inner = holder[key]
            if not isinstance(inner, dict | list) or not inner or data.draw(st.booleans()):
                holder[key] = data.draw(json_values())
                return
            holder = inner

    try:
        shell = Shell.restore(changed_head(image, change))
    except ImageError:
        return
    assert shell.run("echo on").stdout == "on\n"


@pytest.mark.parametrize("path", sorted(FIXTURES.glob("*.image")), ids=lambda path: path.stem)
def test_images_of_each_version_stay_readable(path: Path) -> None:
    """Each was made when its version was new, and is never made again."""
    shell = Shell.restore(path.read_bytes(), clock=1_700_000_000)
    look, answer = path.with_suffix(".look").read_text(), path.with_suffix(".answer").read_text()
    assert shell.run(look).stdout == answer
