"""interp/state"""
