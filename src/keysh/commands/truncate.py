"""truncate - make files shorter or longer."""

from __future__ import annotations

from keysh.runtime.call import why
from keysh.runtime.quoting import quoted
from keysh.schema.bind import Misuse
from keysh.schema.declare import command
from keysh.schema.types import SIZE, Unfit

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.runtime.call import Call
    from keysh.schema.types import Path

RELATIVE = "+-<>/%"
MOST = 2**63 - 1
BLOCK = 4096  # bytes, what --io-blocks counts


@command
def truncate(
    sh: Call,
    *files: Path,
    create: bool = True,
    io_blocks: bool = False,
    reference: Path | None = None,
    size: str | None = None,
) -> None:
    """Make files shorter, or longer with zeros, to a size.

    files ...               the files; one that is missing is made
    -c, --no-create         make no files
    -o, --io-blocks         the size counts blocks of 4096 bytes
    -r, --reference FILE    the size of this file
    -s, --size SIZE         10K, 10KB; +SIZE longer by so much, -SIZE shorter, <SIZE at most,
                            >SIZE at least, /SIZE down and %SIZE up to a multiple
    """
    if size is None and reference is None:
        raise Misuse("E304", -1, "you must specify either '--size' or '--reference'")
    if io_blocks and size is None:
        raise Misuse("E304", -1, "'--io-blocks' was specified but '--size' was not")
    sign, number = "", 0
    for text in [value for name, value in sh.given if name == "size"]:
        before = sign
        sign, number = sized(sh, text)
        if before and sign in ("+", "-"):
            raise Misuse("E303", -1, "multiple relative modifiers specified")
        sign = sign or before.replace("-", "+")
    if io_blocks:
        number *= BLOCK
    if reference is not None and size is not None and not sign:
        raise Misuse("E305", -1, "you must specify a relative '--size' with '--reference'")
    if not files:
        raise Misuse("E304", -1, "missing file operand")
    base = None
    if reference is not None:
        try:
            base = sh.fs.stat(sh.path(reference), follow=True).size
        except OSError as error:
            raise sh.fail(f"cannot stat {quoted(reference)}: {why(error)}") from None
    for file in files:
        sh.tick()
        resize(sh, file, base, sign, number, creates=create)


def sized(sh: Call, text: str) -> tuple[str, int]:
    """The sign of a size and its number of bytes."""
    bare = text.lstrip()
    sign = bare[:1] if bare[:1] in RELATIVE else ""
    number = bare[len(sign) :].lstrip()
    if sign and number[:1] in ("+", "-") and sign in "<>/%":
        raise Misuse("E303", -1, "multiple relative modifiers specified")
    try:
        if number[-1:] in ("c", "w", "b") or number[:1] in ("+", "-"):
            raise Unfit("a size", text)
        value: int = SIZE.parse(number)
    except Unfit:
        raise sh.fail(f"Invalid number: {quoted(text)}") from None
    if value > MOST:
        says = "Value too large for defined data type"
        raise sh.fail(f"Invalid number: {quoted(text)}: {says}")
    if sign in ("/", "%") and not value:
        raise sh.fail("division by zero")
    return sign, value


def resize(sh: Call, file: str, base: int | None, sign: str, number: int, *, creates: bool) -> None:
    """Give one file its size."""
    try:
        if not creates:
            sh.fs.stat(sh.path(file), follow=True)
        stream = sh.open(file, "rw")
    except FileNotFoundError as error:
        if creates:
            sh.warn(f"cannot open {quoted(file)} for writing: {why(error)}")
        return
    except OSError as error:
        sh.warn(f"cannot open {quoted(file)} for writing: {why(error)}")
        return
    with stream:
        size = wanted(stream.seek(0, 2) if base is None else base, sign, number, base is not None)
        try:
            stream.truncate(size)
        except OSError as error:
            sh.warn(f"failed to truncate {quoted(file)} at {size} bytes: {why(error)}")


def wanted(before: int, sign: str, number: int, is_reference: bool) -> int:
    """The size that a file is to have."""
    if not sign:
        return before if is_reference else number
    if sign == "+":
        return before + number
    if sign == "-":
        return max(before - number, 0)
    if sign == "<":
        return min(before, number)
    if sign == ">":
        return max(before, number)
    return (before + (number - 1 if sign == "%" else 0)) // number * number
