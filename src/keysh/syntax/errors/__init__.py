"""syntax/errors"""
