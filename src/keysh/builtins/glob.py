"""glob - print the paths that match patterns."""

from __future__ import annotations

from keysh.gnu.file_facts import file_row
from keysh.gnu.owners import Owners
from keysh.schema.arguments import GlobArgument, raw_texts
from keysh.schema.declare import OutputStyle, command

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from keysh.interp.state.call import Call
    from keysh.schema.types import Raw


@command(output=OutputStyle(lines=True))
def glob(
    sh: Call, *words: Raw, json: bool = False, null: bool = False
) -> Iterator[str | dict[str, object]]:
    """Print the paths that match patterns, one per line; fail if there are none.

    words ...   unquoted patterns such as src/**/*.py; other words are paths,
                printed if they exist
    --json      print JSON lines: name, type, size, mode, links, owner, group,
                modified, inode
    -0, --null  end each line with NUL, not newline
    """
    owners = Owners(sh)
    terminator = "\0" if null else "\n"
    sh.status = 1
    for word in words:
        for path in raw_texts(word.paths() if isinstance(word, GlobArgument) else (word,)):
            if not isinstance(word, GlobArgument) and not sh.exists(path, follow=False):
                continue
            sh.status = 0
            if json:
                yield file_row(owners, path, sh.fs.stat(sh.path(path)))
            else:
                yield path + terminator
