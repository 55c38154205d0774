"""interp/variables"""
