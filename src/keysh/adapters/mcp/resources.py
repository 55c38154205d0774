"""Resources: the files of a session, and the output of its background shells.

keysh:///home/a.txt      a file, by its path in the session
keysh-shell:///shell_1   what a background shell has printed; it stays unread for BashOutput
"""

from __future__ import annotations

from base64 import b64encode
from stat import S_ISREG
from urllib.parse import quote, unquote_to_bytes, urlsplit

from mcp import types

from keysh.adapters.agent.outputs import OUTPUT_DIRECTORY
from keysh.adapters.mcp.encodable import encodable_text
from keysh.adapters.thread import on_thread
from keysh.shell.permissions.host_permissions import JudgedAsScript
from keysh.text.chunks import bytes_of_text, text_of_bytes
from keysh.tools.result import RESULT_DIRECTORY

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.adapters.agent import SessionTools

FILE_SCHEME, SHELL_SCHEME = "keysh", "keysh-shell"
MAX_LISTED_FILES = 500  # of each directory
TEXT_TYPE, BINARY_TYPE = "text/plain", "application/octet-stream"
RESOURCE_TEMPLATES = (
    types.ResourceTemplate(
        name="file", title="A file of the session", uri_template=f"{FILE_SCHEME}://{{+path}}",
        description="Any file that the session sees, by its absolute path",
    ),
    types.ResourceTemplate(
        name="result", title="The output of a command",
        uri_template=f"{FILE_SCHEME}://{RESULT_DIRECTORY}/{{number}}",
        description="The standard output of a command, by the number in its result",
    ),
    types.ResourceTemplate(
        name="shell", title="The output of a background shell",
        uri_template=f"{SHELL_SCHEME}:///{{bash_id}}",
        description="What a background shell has printed so far",
    ),
)  # fmt: skip


class MissingResource(Exception):
    """There is no such resource, or it may not be read; the message says why."""


def file_uri(path: str) -> str:
    """Return the URI of a file; its path may hold any bytes."""
    return f"{FILE_SCHEME}://{quote(bytes_of_text(path))}"


async def resources_of(tools: SessionTools) -> list[types.Resource]:
    """Return the files of the directory, the outputs that were kept, and the background shells."""
    manager = tools.manager
    files: list[types.Resource] = await on_thread(lambda _: [*file_resources(tools)])
    shells = [
        types.Resource(
            name=shell.id, title=encodable_text(f"The output of {shell.command}"[:200]),
            mime_type=TEXT_TYPE, uri=f"{SHELL_SCHEME}:///{shell.id}",
        )
        for shell in manager.list_shells()
    ]  # fmt: skip
    return [*files, *shells]


def file_resources(tools: SessionTools) -> Iterator[types.Resource]:
    """Yield the files of the session's directory, and of those with outputs; on a thread."""
    session = tools.manager.session
    for directory in dict.fromkeys((session.cwd, OUTPUT_DIRECTORY, RESULT_DIRECTORY)):
        try:
            with JudgedAsScript():
                entries = sorted(session.fs.list(directory), key=lambda entry: entry.name)
        except OSError:
            continue
        files = [entry for entry in entries if S_ISREG(entry.kind)]
        for entry in files[:MAX_LISTED_FILES]:
            path = f"{directory.rstrip('/')}/{entry.name}"
            yield types.Resource(name=encodable_text(entry.name), uri=file_uri(path))


async def read_resource(
    tools: SessionTools, uri: str
) -> types.TextResourceContents | types.BlobResourceContents:
    """Return a resource, judged as what the tool Read reads; raise MissingResource."""
    try:
        parts = urlsplit(uri)
    except ValueError:
        raise MissingResource(f"{uri[:200]} is no URI") from None
    path = text_of_bytes(unquote_to_bytes(parts.path))
    if parts.scheme == SHELL_SCHEME:
        shell = tools.manager.get_shell(path.strip("/"))
        if shell is None:
            raise MissingResource(f"there is no background shell {path.strip('/')}")
        text = shell.all_output()
        return types.TextResourceContents(uri=uri, mime_type=TEXT_TYPE, text=text)
    if parts.scheme != FILE_SCHEME or parts.netloc or not path.startswith("/"):
        raise MissingResource(f"there is no resource {uri[:200]}")
    data, error = await tools.read_file(path)
    if error:
        raise MissingResource(error)
    try:
        return types.TextResourceContents(uri=uri, mime_type=TEXT_TYPE, text=data.decode())
    except UnicodeDecodeError:
        blob = b64encode(data).decode()
        return types.BlobResourceContents(uri=uri, mime_type=BINARY_TYPE, blob=blob)
