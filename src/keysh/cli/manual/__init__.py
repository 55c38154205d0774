"""The program's own manual: its usage texts become a manual page and completion for shells."""
