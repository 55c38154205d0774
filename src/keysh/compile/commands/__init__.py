"""Commands: simple and compound commands, pipelines, substitutions, redirections.

Entry: `blocks.block` and `simple.simple_command`, through the context. A simple command is compiled
in one of four ways: plain (a name and words), full (anything), fast (fast_builtins, fast_test), or
as a stage that the next one pulls from (pipelines). Every command ends in `ending.settle`.

Called by compiler.TABLES. It calls interp/engine to run functions, builtins and programs.
"""
