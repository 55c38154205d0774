"""The printer: a syntax tree becomes its canonical text."""

from __future__ import annotations

from keysh.syntax import ast
from keysh.syntax.printer import commands, expressions, values, words
from keysh.syntax.printer.print_context import WORD_CONTEXT
from keysh.syntax.printer.writer import ScriptWriter, newline

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.syntax.node import Node
    from keysh.syntax.printer.writer import Table

NODE_PRINTERS: Table = {
    ast.Text: words.text,
    ast.Quoted: words.quoted_node,
    ast.Glob: words.verbatim,
    ast.Tilde: words.verbatim,
    ast.Variable: words.variable,
    ast.DoubleQuoted: words.double_quoted,
    ast.ExtendedGlob: words.extended_glob,
    ast.Brace: words.brace,
    ast.BraceRange: words.brace_range,
    ast.Substitution: words.substitution,
    ast.ProcessSubstitution: words.process,
    ast.ArithmeticExpansion: words.expression,
    ast.Word: words.word,
    ast.Reference: words.reference,
    ast.Subscript: words.subscript,
    ast.AllSubscript: words.all_subscript,
    ast.Expand: words.expand,
    ast.Replace: words.replace,
    ast.Slice: words.slice_,
    ast.Length: words.length,
    ast.NamesOf: words.names_of,
    ast.List: values.list_,
    ast.Record: values.record,
    ast.Pair: values.pair,
    ast.Array: values.array,
    ast.Entry: values.entry,
    ast.Spread: values.spread,
    ast.Simple: commands.simple,
    ast.Assign: commands.assign,
    ast.Named: commands.named_argument,
    ast.Redirect: commands.redirect,
    ast.Heredoc: commands.heredoc,
    ast.Script: commands.script,
    ast.Block: commands.block,
    ast.Background: commands.background,
    ast.Coproc: commands.coproc,
    ast.Chain: commands.chain,
    ast.Pipeline: commands.pipeline,
    ast.Group: commands.group,
    ast.Subshell: commands.subshell,
    ast.If: commands.if_,
    ast.Elif: commands.elif_,
    ast.While: commands.while_,
    ast.For: commands.for_,
    ast.Select: commands.for_,
    ast.ForArithmetic: commands.for_arithmetic,
    ast.Case: commands.case,
    ast.Clause: commands.clause,
    ast.Test: expressions.test,
    ast.ArithmeticCommand: expressions.arithmetic_command,
    ast.Redirected: commands.redirected_command,
    ast.Function: commands.function,
    ast.Parameter: commands.parameter,
    ast.TestUnary: expressions.test_unary,
    ast.TestBinary: expressions.test_binary,
    ast.TestIn: expressions.test_in,
    ast.TestChain: expressions.test_chain,
    ast.TestNot: expressions.test_not,
    ast.TestGroup: expressions.test_group,
    ast.Number: expressions.number,
    ast.Binary: expressions.binary,
    ast.Power: expressions.power,
    ast.Unary: expressions.unary,
    ast.Step: expressions.step,
    ast.Assignments: expressions.assignments,
    ast.Target: expressions.target,
    ast.Conditional: expressions.conditional,
    ast.Choice: expressions.choice,
    ast.Sequence: expressions.sequence,
    ast.Parentheses: expressions.parentheses,
}


def format_script(script: ast.Script) -> str:
    """Return a script's canonical text with its comments; it ends in a newline unless empty."""
    text = ScriptWriter(NODE_PRINTERS, script).run((script, WORD_CONTEXT))
    # A word that a line began with would be a byte order mark where the text begins.
    return f"\n{text}" if text.startswith("\ufeff") else text


def format_node(node: Node) -> str:
    """Return a node's canonical text, on as few lines as possible."""
    writer = ScriptWriter(NODE_PRINTERS)
    text = writer.run((node, WORD_CONTEXT))
    return writer.run(newline).removesuffix("\n") if writer.pending else text.removesuffix("\n")
