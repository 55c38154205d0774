"""Source code, documents and mail, recognized by typical lines.

The patterns follow file 5.44, which takes `def f():` for Python, but not `def f() -> None:`.
"""

from __future__ import annotations

import re

TYPE_CHECKING = False
if TYPE_CHECKING:
    from keysh.tools.file.contents import Kind
    from keysh.tools.file.text_form import TextForm

MAX_SEARCHED_CHARACTERS = 8192
TEXT_PLAIN = "text/plain"
# Descriptions, media types and patterns; the first match counts. Those of the first table are
# complete, those of the second precede the encoding of the text.
COMPLETE_PATTERNS = (
    ("PEM certificate", TEXT_PLAIN, r"\A-----BEGIN CERTIFICATE-----"),
    ("PEM certificate request", TEXT_PLAIN, r"\A-----BEGIN CERTIFICATE REQ"),
    ("PEM RSA private key", TEXT_PLAIN, r"\A-----BEGIN RSA PRIVATE"),
    ("PEM DSA private key", TEXT_PLAIN, r"\A-----BEGIN DSA PRIVATE"),
    ("PEM EC private key", TEXT_PLAIN, r"\A-----BEGIN EC PRIVATE"),
    ("OpenSSH private key", TEXT_PLAIN, r"\A-----BEGIN OPENSSH PRIVATE KEY"),
    ("PGP signed message", "text/PGP", r"\A-----BEGIN PGP SIGNED MESSAGE-"),
    ("PGP message", "application/pgp-encrypted", r"\A-----BEGIN PGP MESSAGE-"),
    ("PGP public key block", "application/pgp-keys", r"\A-----BEGIN PGP PUBLIC KEY BLOCK-"),
    ("PGP private key block", "application/pgp-keys", r"\A-----BEGIN PGP PRIVATE KEY BLOCK-"),
    ("PGP signature", "application/pgp-signature", r"\A-----BEGIN PGP SIGNATURE-"),
    ("OpenSSH RSA public key", TEXT_PLAIN, r"\Assh-rsa "),
    ("OpenSSH DSA public key", TEXT_PLAIN, r"\Assh-dss "),
    ("OpenSSH ED25519 public key", TEXT_PLAIN, r"\Assh-ed25519 "),
    ("OpenSSH ECDSA public key", TEXT_PLAIN, r"\Aecdsa-sha2-nistp"),
    ("vCalendar calendar file", "text/calendar", r"\ABEGIN:VCALENDAR"),
    (r"vCard visiting card, version \1", "text/vcard", r"\ABEGIN:VCARD\r?\nVERSION:([\d.]+)"),
    ("SVG Scalable Vector Graphics image", "image/svg+xml",
     r"\A(?:<\?xml[\s\S]*)?<svg[\s>/]"),
    ("SVG XML document", "image/svg+xml", r"\A<!DOCTYPE svg"),
    ("X pixmap image text", "image/x-xpixmap", r"\A/\* XPM \*/"),
    ("Motorola S-Record; binary data in text format", TEXT_PLAIN, r"\AS0[0-9A-F]{8}"),
    (r"PostScript document text conforming DSC level \1, type EPS", "application/postscript",
     r"\A%!PS-Adobe-(\d\.\d) EPSF"),
    (r"PostScript document text conforming DSC level \1", "application/postscript",
     r"\A%!PS-Adobe-(\d\.\d)"),
    ("PostScript document text", "application/postscript", r"\A%!"),
    ("BitTorrent file", "application/x-bittorrent", r"\Ad8:announce"),
)  # fmt: skip
CODING_PATTERNS = (
    (r"XML \1 document", "text/xml", r"\A<\?xml version=[\"'](\d\.\d)[\"']"),
    ("XML document", "text/xml", r"\A<\?(?i:xml)"),
    ("PHP script", "text/x-php", r"\A<\?(?:php|\s)"),
    ("DOS batch file", "text/x-msdos-batch", r"\A@(?i:echo off|rem|set)"),
    ("unified diff output", "text/x-diff", r"\A--- .*\n\+\+\+ "),
    ("context diff output", "text/x-diff", r"\A\*\*\* .*\n--- "),
    ("diff output", "text/x-diff", r"\A(?:diff |Only in )"),
    ("RCS/CVS diff output", "text/x-diff", r"\AIndex:"),
    ("SMTP mail", "message/rfc822", r"\A(?:Return-Path|Delivered-To):"),
    ("RFC 822 mail", "message/rfc822", r"\AReceived:"),
    ("news or mail", "message/rfc822", r"\A(?:From|Date):"),
    ("news", "message/news", r"\A(?:Path|Xref):"),
    ("MIME entity", TEXT_PLAIN, r"\AMIME-Version:"),
    ("M3U playlist", TEXT_PLAIN, r"\A#EXTM3U"),
    ("SubRip", "application/x-subrip", r"\A1\r?\n\d\d:\d\d:\d\d,\d+ --> "),
    (r'uuencoded or xxencoded text, file name "\1"', TEXT_PLAIN, r"\Abegin 0?\d{3} (\S+)"),
    ("M4 macro processor script", "text/x-m4", r"\Adnl "),
    ("FORTRAN program", "text/x-fortran", r"\A[Cc][ \t]"),
    ("Perl POD document", TEXT_PLAIN, r"\A=(?:head1|pod|cut|over|encoding|begin|for|item)\b"),
    ("C++ source", "text/x-c++",
     r"^class\s+[\w:]+\s*\{[\s\S]*\};?$", r"^namespace\s+\w+\s*\{", r"^using namespace \w+;",
     r"^template\s*<(?:class|typename)[^\n]*>$", r"^[ \t]*virtual\s+\S",
     r"^[ \t]*(?:public|private|protected):$"),
    ("JavaScript source", "application/javascript",
     r"^[ \t]*[\"']use strict[\"']", r"^(?:const|let|var) .*=\s*require\(",
     r"^import .*from [\"']", r"^module\.exports\s*=", r"^[$;]?\(function\s*\(",
     r"^export (?:default|const|let|var|class|(?:async )?function)\b"),
    ("Python script", "text/x-script.python",
     r"^[ \t]*def +[A-Za-z_]\w*\([^\n]*\):$", r"^class [A-Za-z_]\w*(?:\([^\n]*\))?:$",
     r"^from\s+[\w.]+\s+import\s+\S", r"^if __name__ *==",
     r"^try:$[\s\S]*^[ \t]*(?:except|finally)\b", r'\A\s*"""[\s\S]*?"""'),
    ("Perl5 module source", TEXT_PLAIN, r"^package\s+[\w:]+\s*;"),
    ("Perl script", "text/x-perl", r"^eval [\"']exec .*perl"),
    ("Java source", "text/x-java", r"^import [^\n]*;$", r"public static void main\("),
    ("C source", "text/x-c",
     r"^#include", r"^#pragma", r"^#if(?:n?def)\b[\s\S]*^#endif$", r"^char[ \t]*\*\s*\w",
     r"^extern\s", r"^union\s+\w+\s*\{", r"^struct\s+\w+[: ;]",
     r"\w\s+main\s*\([^)]*\)\s*\{"),
    ("makefile script", "text/x-makefile",
     r"^(?:CFLAGS|LDFLAGS|VPATH)[ \t]*[:+?]?=", r"^all:", r"^\.(?:PHONY|PRECIOUS):"),
    ("automake makefile script", "text/x-makefile", r"^SUBDIRS[ \t]*\+?="),
    ("Lisp/Scheme program", "text/x-lisp", r"^\((?:defun|defvar|setq)\s"),
    ("Clojure module source", "text/x-clojure", r"\A\(ns "),
    ("LaTeX 2e document", "text/x-tex", r"\\documentclass"),
    ("LaTeX document", "text/x-tex", r"\\(?:documentstyle|section|chapter|begin)\b"),
    ("TeX document", "text/x-tex", r"\A\\input"),
    ("BibTeX text file", TEXT_PLAIN,
     r"^@(?:article|book|inproceedings|misc|phdthesis|techreport)\{"),
    ("assembler source", "text/x-asm",
     r"^[ \t]*\.(?:globl|file|type|text|byte|even|asciiz)\b"),
    ("troff or preprocessor input", "text/troff",
     r"^(?:\.\\\"|'\\\"|'\.\\\")", r"^\.(?:SH|TH|PP|Sh|Dd|Dt|nh|so|de)\b"),
    ("HTML document", "text/html",
     r"(?i)\A[\s\S]{0,4095}?<(?:!doctype html|a href=|(?:html|head|title|script|style|table)\b)"),
    ("exported SGML document", TEXT_PLAIN, r"\A<!(?:--|(?i:doctype))"),
    (r"xbm image (\1x\2)", TEXT_PLAIN, r"\A#define \w+_width (\d+)\s+#define \w+_height (\d+)"),
)  # fmt: skip
RUBY = re.compile(r"^[ \t]*(?:class [A-Z]|module [A-Z]|def (?:self\.)?\w+[^;]*$)", re.MULTILINE)
RUBY_END = re.compile(r"^[ \t]*end$", re.MULTILINE)
RUBY_LIBRARY = re.compile(r"^require [\"'][^\n]*[\"']$[\s\S]*^include [A-Z]", re.MULTILINE)


def source_kind(form: TextForm) -> Kind | None:
    """Return the kind of a text, or None if nothing in it is typical."""
    text = form.text[:MAX_SEARCHED_CHARACTERS]
    for words, media, *patterns in COMPLETE_PATTERNS:
        if match := first_match(patterns, text):
            return match.expand(words), media
    for words, media, *patterns in CODING_PATTERNS:
        if match := first_match(patterns, text):
            is_script = words == "Python script"
            return f"{match.expand(words)}, {form.description(is_executable=is_script)}", media
    if (RUBY.search(text) and RUBY_END.search(text)) or RUBY_LIBRARY.search(text):
        return f"Ruby script, {form.description()}", "text/x-ruby"
    return None


def first_match(patterns: list[str], text: str) -> re.Match[str] | None:
    """Return the match of the first pattern that is found."""
    for pattern in patterns:
        if match := re.search(pattern, text, re.MULTILINE):
            return match
    return None
