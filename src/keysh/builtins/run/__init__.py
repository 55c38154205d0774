"""The builtin `run`: code of another language, run by its interpreter.

`command` declares it and lets a host add languages with `running`; `execution` describes the
result, the same for every language, and is also used by `adapters`.
"""
