"""Adapters: interfaces to keysh and its process engine for particular kinds of hosts.

subprocess_primitive  run one program from a configuration with templates
code                  run code in the language it names
plugins               programs in folders with a manifest, as commands and as objects
agent                 tools for a language model; mcp serves them
pydantic_ai, langchain, deepagents, openai_agents, anthropic, smolagents, llama_index
                      the same tools in the form of a framework

Hosts import the adapter they need; the command line calls `mcp`. Adapters may use the shell and all
below it, but neither the prompt nor the command line.
"""
