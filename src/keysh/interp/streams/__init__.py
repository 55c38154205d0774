"""interp/streams"""
