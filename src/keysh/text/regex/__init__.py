"""Regular expressions from the inside: reading, judging, translating, and the engines."""
