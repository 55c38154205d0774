"""Find the changes between two sequences of lines, with the algorithm of GNU diff."""
