"""Exception text: the class of an exception and the first line of its message.

Both may be code of the host's, which may fail, recurse, lie, or make a gigabyte of text.
"""

from __future__ import annotations

from keysh.interp.run.control_flow import ControlFlow

MAX_NAME_CHARACTERS, MAX_MESSAGE_CHARACTERS = 200, 1000

# Past what a metaclass or a class may have under these names.
name_of_class = type.__dict__["__name__"].__get__
traceback_of = BaseException.__dict__["__traceback__"].__get__


def exception_text(error: BaseException) -> str:
    """Return the class and the first line of the message; a message that fails is left out.

    A limit that ends the run meanwhile passes, and so does KeyboardInterrupt.
    """
    name = first_line(name_of_class(type(error)), MAX_NAME_CHARACTERS)
    try:
        message = first_line(str(error), MAX_MESSAGE_CHARACTERS)
    except (ControlFlow, KeyboardInterrupt):
        raise
    except BaseException:  # noqa: BLE001 - a host's exception, whose own text fails
        message = ""
    return f"{name}: {message}" if message else name


def first_line(text: str, max_characters: int) -> str:
    """Return the first line of a text as a plain string that can be encoded, perhaps cut."""
    # Not `text[…]`: a subclass of str may have methods of its own.
    start = str.__getitem__(text, slice(0, max_characters + 1)).partition("\n")[0]
    if len(start) > max_characters:
        start = f"{start[:max_characters]}…"
    try:
        start.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # half of a surrogate pair, which stands for no byte
        start = start.encode("utf-8", "backslashreplace").decode()
    return start
