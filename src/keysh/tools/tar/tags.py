"""Cache directory tags: files that exclude the directory they are in."""

from __future__ import annotations

from keysh.tools.tar.safe_names import shown_name
from keysh.vfs.paths import join

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.interp.state.call import Call
    from keysh.tools.tar.settings import TarSettings

CACHE_TAG, CACHE_SIGNATURE = "CACHEDIR.TAG", b"Signature: 8a477f597d28d172789f06886806bc55"
TAG_KINDS = ("", "_under", "_all")  # keep directory and tag, only the directory, nothing


class DirectoryTags:
    """Looks for tags in directories."""

    __slots__ = ("_is_verbose", "_sh", "_tags")

    def __init__(self, sh: Call, settings: TarSettings) -> None:
        self._sh, self._is_verbose = sh, bool(settings.verbosity)
        self._tags: list[tuple[str, str]] = []  # name and kind
        for kind in reversed(TAG_KINDS):
            names = settings.options.get(f"exclude_tag{kind}", [])
            self._tags += [(name, kind) for name in names]
            if settings.has(f"exclude_caches{kind}"):
                self._tags.append((CACHE_TAG, kind))

    def kept_names(self, name: str, path: str) -> list[str] | None:
        """Return what to keep of a tagged directory: "" for itself, and names in it.

        None if there is no tag.
        """
        for tag, kind in self._tags:
            if not self._has_tag(join(path, tag), tag):
                continue
            if self._is_verbose:
                what = "directory" if kind == "_all" else "contents"
                message = f"contains a cache directory tag {tag}; {what} not dumped"
                slash = "" if name.endswith("/") else "/"
                self._sh.note(f"{shown_name(name)}{slash}: {message}")
            return {"": ["", tag], "_under": [""], "_all": []}[kind]
        return None

    def _has_tag(self, path: str, tag: str) -> bool:
        try:
            if tag != CACHE_TAG:
                self._sh.fs.stat(path)
                return True
            with self._sh.fs.open(path) as stream:
                return stream.read(len(CACHE_SIGNATURE)) == CACHE_SIGNATURE
        except OSError:
            return False
