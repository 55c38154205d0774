"""JSON values as jq has them: numbers, order, access, arithmetic, reading and writing.

Enter at `reader.JsonReader` and `writer.JsonStyle`. A value is a plain Python object.
Knows nothing of programs but the exceptions in `compile.failure`.
"""
