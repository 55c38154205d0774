"""Each adapter against the real framework: its tools as it calls them, and the page's example."""

from __future__ import annotations

import asyncio
import importlib
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import keysh
from documents import ROOT, blocks
from frameworks import native_tools

# The adapter, the package that it needs, and the section of the page.
ADAPTERS = {
    "pydantic_ai": ("pydantic_ai", "Pydantic AI"),
    "langchain": ("langchain_core", "LangChain"),
    "deepagents": ("deepagents", "Deep Agents"),
    "openai_agents": ("agents", "OpenAI Agents"),
    "anthropic": ("anthropic", "Anthropic"),
    "smolagents": ("smolagents", "smolagents"),
    "llama_index": ("llama_index", "LlamaIndex"),
}
TOOLSETS = [name for name in ADAPTERS if name != "deepagents"]
PAGE = ROOT / "docs" / "frameworks.md"

# A framework's own warnings are not ours to mend.
pytestmark = pytest.mark.filterwarnings("default")


def adapter(name: str) -> Any:
    pytest.importorskip(ADAPTERS[name][0])
    return importlib.import_module(f"keysh.adapters.{name}")


def answer(name: str, tool: Any, is_async: bool = False, /, **arguments: Any) -> str:
    call = getattr(native_tools, name)
    return str(asyncio.run(call(tool, arguments, is_async)))


@pytest.mark.parametrize("is_async", [False, True])
@pytest.mark.parametrize("name", TOOLSETS)
def test_tools_as_the_framework_calls_them(name: str, is_async: bool) -> None:
    results: list[tuple[str, int | None]] = []
    with adapter(name).toolset(
        files={"/notes": "tea\n"},
        on_result=lambda tool, result: results.append((tool, result.exit_code)),
    ) as tools:
        by_name = dict(zip([tool.name for tool in tools.registry.list()], tools, strict=True))
        bash = by_name["Bash"]
        assert answer(name, bash, is_async, command="cat /notes; x=1") == "tea\n"
        assert answer(name, bash, is_async, command="echo $x", timeout=2000) == "1\n"
        failed = answer(name, bash, is_async, command="grpe tea /notes")
        assert failed.startswith("Exit code 127\n")
        assert failed.endswith("grpe: command not found; did you mean `grep`?\n")
        assert answer(name, by_name["Read"], is_async, path="/notes", limit=1) == "tea\n"
        assert "command is required" in answer(name, bash, is_async, description="nothing")
        answer(name, by_name["Reset"], is_async)
    assert results == [
        ("Bash", 0), ("Bash", 0), ("Bash", 127), ("Read", None), ("Bash", None), ("Reset", None)
    ]  # fmt: skip


@pytest.mark.parametrize("name", TOOLSETS)
def test_shell_of_the_host(name: str) -> None:
    toolset = adapter(name).toolset
    with keysh.Shell(dialect="bash") as shell:
        with toolset(shell) as tools:
            answer(name, tools[0], command="its=1")
        assert shell.run("echo $its").stdout == "1\n"


def test_declaration_of_each_tool() -> None:
    """What a model is told is the declaration of keysh's own tool."""
    declared = {}
    for name in TOOLSETS:
        try:
            module = adapter(name)
        except pytest.skip.Exception:
            continue
        with module.toolset() as tools:
            own = tools.registry.list()[0]
            declared[name] = declaration(name, tools[0])
            assert declared[name] == (own.description, [one.name for one in own.parameters])
    if not declared:
        pytest.skip("no framework is installed")


def declaration(name: str, tool: Any) -> tuple[str, list[str]]:
    match name:
        case "pydantic_ai":
            return tool.tool_def.description, [*tool.tool_def.parameters_json_schema["properties"]]
        case "langchain":
            return tool.description, [*tool.tool_call_schema["properties"]]
        case "openai_agents":
            return tool.description, [*tool.params_json_schema["properties"]]
        case "anthropic":
            return tool.description, [*tool.to_dict()["input_schema"]["properties"]]
        case "smolagents":
            return tool.description, [*tool.inputs]
    metadata = tool.metadata.to_openai_tool()["function"]
    return metadata["description"], [*metadata["parameters"]["properties"]]


def test_async_runner_of_anthropic() -> None:
    module = adapter("anthropic")
    with module.async_toolset() as tools:
        assert asyncio.run(tools[0].call({"command": "echo a"})) == "a\n"


def test_arguments_that_are_no_json() -> None:
    module = adapter("openai_agents")
    with module.toolset() as tools:
        call = tools[0].on_invoke_tool
        assert "the arguments are not JSON" in asyncio.run(call(None, "{"))
        assert "the arguments are not an object" in asyncio.run(call(None, "[]"))


@pytest.mark.parametrize("name", ADAPTERS)
def test_example_of_the_page(name: str, tmp_path: Path) -> None:
    package, heading = ADAPTERS[name]
    texts = [text for title, text in examples() if title == heading]
    assert texts
    for text in texts:
        for wanted in (package, *re.findall(r"^(?:from|import) (\w+)", text, re.MULTILINE)):
            pytest.importorskip(wanted)
        run = subprocess.run(
            [sys.executable, "-c", text], cwd=tmp_path, capture_output=True, text=True, check=False
        )
        assert (run.returncode, run.stderr) == (0, "")


def examples() -> list[tuple[str, str]]:
    """Return the heading and the text of each program of the page."""
    lines = PAGE.read_text("utf-8").splitlines()
    made = []
    for block in blocks(PAGE):
        if block.kind == "python":
            above = [line for line in lines[: block.line] if line.startswith("## ")]
            made.append((above[-1].removeprefix("## "), block.text))
    return made


@pytest.mark.parametrize("name", ADAPTERS)
def test_error_without_the_framework(name: str) -> None:
    package = ADAPTERS[name][0]
    program = (
        f"import sys; sys.modules[{package!r}] = None\n"
        f"try: import keysh.adapters.{name}\n"
        "except ModuleNotFoundError as error: print(error)"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=False
    )
    extra = name.replace("_", "-")
    assert run.stdout == f"{package} is not installed: pip install 'keysh[{extra}]'\n", run.stderr


def test_no_framework_is_loaded_without_its_adapter() -> None:
    program = (
        "import sys, keysh, keysh.adapters.agent.frameworks.sandbox\n"
        "keysh.run('echo hi'); print(*{name.partition('.')[0] for name in sys.modules})"
    )
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert not {package for package, _ in ADAPTERS.values()} & {*run.stdout.split()}
