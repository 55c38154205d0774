"""Prompts: texts that a person may give a model from a menu of the client."""

from __future__ import annotations

import os

from mcp import types

from keysh.adapters.mcp.encodable import encodable_text
from keysh.diagnostics.diagnostic import CODES

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

    from keysh.adapters.agent import ToolRegistry

PAGES = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(__file__))), "pages")
PROMPTS = (
    types.Prompt(
        name="about", title="What this session is",
        description="The language, the commands, the files and the limits of the session",
    ),
    types.Prompt(
        name="explain", title="Explain an error code",
        description="What the code of a diagnostic means, with a wrong script and a right one",
        arguments=[types.PromptArgument(name="code", description="E303 and so on", required=True)],
    ),
)  # fmt: skip


class MissingPrompt(Exception):
    """There is no such prompt, or an argument is wrong."""


def prompts() -> list[types.Prompt]:
    """Return the prompts."""
    return [*PROMPTS]


def prompt_of(
    registry: ToolRegistry, name: str, arguments: Mapping[str, str]
) -> types.GetPromptResult:
    """Return the text of a prompt; raise MissingPrompt."""
    if name == "about":
        text = encodable_text(registry.system_prompt())
    elif name == "explain":
        text = page_of(arguments.get("code", ""))
    else:
        raise MissingPrompt(f"there is no prompt {name[:100]}")
    content = types.TextContent(text=text)
    return types.GetPromptResult(messages=[types.PromptMessage(role="user", content=content)])


def page_of(code: str) -> str:
    """Return the page of a code; raise MissingPrompt."""
    known = code.upper()
    if known not in CODES:
        raise MissingPrompt(f"there is no code {code[:100]!r}")
    with open(os.path.join(PAGES, f"{known}.md"), encoding="utf-8") as page:
        return page.read()
