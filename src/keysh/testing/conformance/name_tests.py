"""Names: every text of at most 255 bytes without a slash and a NUL."""

from __future__ import annotations

import errno

import pytest

from keysh.testing.conformance.kit import Kit, call, fails, get, names, put, tree
from keysh.vfs.api import FileSystem

ALLOWED_FILE_NAMES = [
    " ", "a b", " lead", "trail ", "-rf", "--", "*", "?", "[a-z]", "{a,b}", "'", '"', "`", "$HOME",
    "~", "#", "!", "&", ";", "|", "<", ">", "(", ")", "\\", "a\\nb", ".hidden", "...", "..a", ".a",
    "a:b", "%41", "a=b", "é", "e\u0301", "ß", "I", "i", "日本", "🎉", "\u202e", "\u2028",
    "long" * 25,
]  # fmt: skip
ODD_NAMES = [
    "new\nline",
    "tab\t",
    "\r",
    "\x01",
    "\x1b[0m",
    "\x7f",
    "\udcff\udc80",
    "a\udce9b",
    "\ufeff",
]
LONGEST_FILE_NAMES = ["a" * 255, "🎉" * 63 + "abc", "\udcff" * 255]
TOO_LONG = ["a" * 256, "🎉" * 64, "\udcff" * 256, "é" * 127 + "ab" + "é" * 50]
LONG_PATH = "/" + "/".join(["d" * 200] * 25)


class Names(Kit):
    @pytest.mark.parametrize("name", ALLOWED_FILE_NAMES, ids=ascii)
    def test_any_valid_name_works(self, fs: FileSystem, name: str) -> None:
        self.use(fs, name)

    @pytest.mark.parametrize("name", ODD_NAMES, ids=ascii)
    def test_odd_names_work(self, fs: FileSystem, name: str) -> None:
        self.require_claims("has_any_name")
        self.use(fs, name)

    @pytest.mark.parametrize("name", LONGEST_FILE_NAMES, ids=["ascii", "emoji", "bytes"])
    def test_names_may_have_255_bytes(self, fs: FileSystem, name: str) -> None:
        self.require_claims("has_long_names", "has_any_name")
        self.use(fs, name)

    def use(self, fs: FileSystem, name: str) -> None:
        """Give the name to a file and then to a directory."""
        put(fs, f"/{name}", b"text")
        assert names(fs) == [name]
        assert get(fs, f"/{name}") == b"text"
        assert fs.stat(f"/{name}").is_file
        fs.rename(f"/{name}", "/plain")
        assert names(fs) == ["plain"]
        fs.make_directory(f"/{name}")
        fs.rename("/plain", f"/{name}/{name}")
        assert tree(fs) == {f"/{name}": None, f"/{name}/{name}": b"text"}
        fs.remove(f"/{name}/{name}")
        fs.remove_directory(f"/{name}")
        assert names(fs) == []

    def test_distinct_names_are_distinct_files(self, fs: FileSystem) -> None:
        for number, name in enumerate(ALLOWED_FILE_NAMES):
            put(fs, f"/{name}", str(number).encode())
        assert names(fs) == sorted(ALLOWED_FILE_NAMES)
        assert [get(fs, f"/{name}") for name in ALLOWED_FILE_NAMES] == [
            str(number).encode() for number in range(len(ALLOWED_FILE_NAMES))
        ]

    @pytest.mark.parametrize("name", TOO_LONG, ids=["ascii", "emoji", "bytes", "accents"])
    def test_refuses_longer_names(self, furnished_fs: FileSystem, name: str) -> None:
        self.require_claims("has_long_names")
        before = tree(furnished_fs)
        path = f"/dir/{name}"
        for verb in ("stat", "list", "open", "make_directory", "remove_directory", "remove"):
            with fails(errno.ENAMETOOLONG, path):
                call(furnished_fs, verb, path)
        for access in ("w", "a", "x", "rw"):
            with fails(errno.ENAMETOOLONG, path):
                call(furnished_fs, "open", path, access)
        with fails(errno.ENAMETOOLONG, f"{path}/x"):
            furnished_fs.stat(f"{path}/x")
        with fails(errno.ENAMETOOLONG, path, "/file"):
            furnished_fs.rename(path, "/file")
        with fails(errno.ENAMETOOLONG, "/file", path):
            furnished_fs.rename("/file", path)
        with fails(errno.ENOENT, f"/missing/{name}"):
            furnished_fs.stat(f"/missing/{name}")
        with fails(errno.ENOTDIR, f"/file/{name}"):
            furnished_fs.stat(f"/file/{name}")
        assert tree(furnished_fs) == before

    @pytest.mark.parametrize("name", TOO_LONG, ids=["ascii", "emoji", "bytes", "accents"])
    def test_refuses_longer_names_for_links(self, furnished_fs: FileSystem, name: str) -> None:
        self.require_claims("has_long_names", "has_links", "has_hard_links")
        path = f"/dir/{name}"
        with fails(errno.ENAMETOOLONG, path):
            furnished_fs.make_link("x", path)
        with fails(errno.ENAMETOOLONG, path):
            furnished_fs.read_link(path)
        with fails(errno.ENAMETOOLONG, "/file", path):
            furnished_fs.link("/file", path)
        with fails(errno.ENAMETOOLONG, path, "/new"):
            furnished_fs.link(path, "/new")

    def test_refuses_longer_paths(self, furnished_fs: FileSystem) -> None:
        self.require_claims("has_long_names")
        for verb in ("stat", "list", "open", "make_directory", "remove_directory", "remove"):
            with fails(errno.ENAMETOOLONG, LONG_PATH):
                call(furnished_fs, verb, LONG_PATH)
        with fails(errno.ENAMETOOLONG, LONG_PATH):
            call(furnished_fs, "open", LONG_PATH, "w")
        with fails(errno.ENAMETOOLONG, LONG_PATH, "/new"):
            furnished_fs.rename(LONG_PATH, "/new")
        with fails(errno.ENAMETOOLONG, "/file", LONG_PATH):
            furnished_fs.rename("/file", LONG_PATH)

    @pytest.mark.parametrize(
        ("name", "number"), [("a\0b", errno.EINVAL), ("\ud800", errno.EILSEQ)], ids=["nul", "half"]
    )
    def test_refuses_invalid_names(self, furnished_fs: FileSystem, name: str, number: int) -> None:
        self.require_claims("has_any_name")
        path = f"/dir/{name}"
        for verb in ("stat", "list", "open", "make_directory", "remove_directory", "remove"):
            with fails(number, path):
                call(furnished_fs, verb, path)
        with fails(number, path):
            call(furnished_fs, "open", path, "w")
        with fails(number, "/file", path):
            furnished_fs.rename("/file", path)
