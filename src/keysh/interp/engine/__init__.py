"""interp/engine"""
