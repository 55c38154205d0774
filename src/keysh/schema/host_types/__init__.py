"""Host types: the parameter types of annotations that only hosts' functions have.

`object_types` has enumerations, paths, dates, models of pydantic and the like, `record_types`
dataclasses and typed dictionaries. `annotations` imports them when it meets one of those; the types
of keysh's own commands are in `types`.
"""
