"""The lexical modes: what a character means depends on where it stands."""
