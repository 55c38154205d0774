"""How each kind of node looks in canonical text; `printer.py` puts the kinds together."""
