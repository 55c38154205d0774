"""interp/builtins"""
