"""Adapters: interfaces to keysh and its process engine for particular kinds of hosts.

subprocess_primitive  run one program from a configuration with templates
code                  run code in the language it names
plugins               programs in folders with a manifest, as commands and as objects
agent                 tools for a language model; mcp serves them

Hosts import the adapter they need; the command line calls `mcp`. Adapters may use the shell and all
below it, but neither the prompt nor the command line.
"""
