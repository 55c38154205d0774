"""interp/run"""
