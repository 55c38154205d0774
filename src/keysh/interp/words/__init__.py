"""Words: what becomes of the words of a command when they are expanded, besides their text.

`glob_expansion` turns a pattern into paths, in both dialects. In that of bash `field_splitting`
cuts expansions into fields; in keysh's own `word_splitting` refuses (E204) where sh would cut.
"""
