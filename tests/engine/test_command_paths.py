"""Paths of commands: which shells have them, and that a host's decisions hold for them."""

from __future__ import annotations

from pathlib import Path

import pytest

from keysh import LocalFS, MemoryFS, Shell


def test_every_path_that_is_told_can_be_executed() -> None:
    shell = Shell()
    script = "for n in $(compgen -A command); do command -v $n; done"
    paths = [line for line in shell.run(script).stdout.split() if line[0] == "/"]
    assert len(paths) > 100
    assert [path for path in paths if shell.run(f"[ -x {path} ]").code] == []


def test_files_of_the_host_stay() -> None:
    shell = Shell(files={"/usr/bin/greet": "#!/bin/sh\necho hello\n"})
    shell.run("chmod +x /usr/bin/greet")
    assert shell.run("ls /usr/bin; /usr/bin/greet").stdout == "greet\nhello\n"
    assert shell.run("command -v tar; [ -x /bin/tar ]").stdout == "/bin/tar\n"


def test_a_host_with_both_directories_has_no_paths_of_commands() -> None:
    shell = Shell(files={"/usr/bin/a": "", "/bin/a": ""})
    assert shell.run("command -v tar; type tar").stdout == "tar\ntar is a shell builtin\n"
    assert shell.run("/bin/tar").code == 127


@pytest.mark.parametrize("path", ["/usr/bin/tar", "/bin/tar"])
def test_a_file_of_the_host_stands_for_the_command(path: str) -> None:
    memory = MemoryFS({path: b"\x7fELF\0"})
    memory.set_mode(path, 0o755)
    shell = Shell(memory, files={"/usr/bin/x": "", "/bin/x": ""})
    assert shell.run("command -v tar").stdout == f"{path}\n"
    assert shell.run(f"{path} --help").stdout.startswith("Usage: tar")


def test_a_directory_of_the_machine_keeps_its_files(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a\n")
    shell = Shell(LocalFS(tmp_path))
    assert shell.run("/bin/cat /a.txt").stdout == "a\n"
    shell.run("touch /bin/b; mkdir /usr/bin/c; rm -r /usr")
    assert [path.name for path in tmp_path.iterdir()] == ["a.txt"]


def test_a_refused_command_is_refused_by_its_path() -> None:
    asked: list[str] = []

    def ask(name: str, arguments: list[object], place: object) -> bool:
        asked.append(name)
        return name != "rm"

    shell = Shell(files={"/a": ""}, on_command=ask)
    script = "/bin/rm /a; env /usr/bin/rm /a; ln -s /bin/rm /x; /x /a; /bin/../bin/rm /a"
    assert shell.run(script).stderr.count("rm: refused by the host") == 4
    assert shell.run("[ -e /a ]").code == 0
    assert "/bin/rm" not in asked


def test_a_disabled_command_has_no_path() -> None:
    shell = Shell(check=False)
    shell.registry.disabled = frozenset({"tar"})
    assert shell.run("command -v tar; ls /usr/bin | grep -x tar; [ -e /bin/tar ]").stdout == ""
    assert shell.run("/bin/tar").code == 127


def test_the_command_of_a_host_is_what_its_path_means() -> None:
    def cat(sh: object) -> str:
        """Print a word."""
        return "mine\n"

    assert Shell(commands=[cat]).run("/bin/cat").stdout == "mine\n"


def test_real_programs_have_their_real_paths() -> None:
    shell = Shell(external=True, env={"PATH": "/usr/bin:/bin"})
    assert shell.run("[ -e /usr/bin ]").code == 1
    assert shell.run("/bin/echo a").stdout == "a\n"


def test_walks_of_the_tree_find_only_names() -> None:
    shell = Shell(files={"/a.txt": "cat\n"})
    assert shell.run("grep -rl cat /").stdout == "/a.txt\n"
    assert shell.run("du -s /usr/bin").stdout == "0\t/usr/bin\n"
    assert shell.run("find / -name awk").stdout == "/bin/awk\n/usr/bin/awk\n"


def test_files_made_as_they_are_read_can_be_input() -> None:
    assert Shell().run("wc -c < /bin/cat; : & wc -c < /v/jobs/1/command").stdout == "1\n2\n"
