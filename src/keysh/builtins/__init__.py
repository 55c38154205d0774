"""builtins"""
