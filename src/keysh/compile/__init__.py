"""Compiling: a syntax tree becomes nested Python closures, each of the form f(state).

Entry: `compiler.Compiler`, one for each process, which the shell hands to its sessions. It keeps
what it has compiled by the text it came from. `context.CompileContext` connects the folders: words,
parameters (`${…}`), arithmetic and commands; node types that few scripts use are loaded on demand
(`late`).

Called by: shell/, and by interp/ through the protocol `ScriptCompiler`. It may use syntax/ and
interp/, and must not know any single tool, a Shell or a command line.
"""
