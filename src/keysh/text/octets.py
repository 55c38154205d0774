"""Octets: text in which each character is one byte, for what GNU's tools count in bytes.

A position, a width and an order in octets are those that the C library sees in the bytes.
"""

from __future__ import annotations


def octets(text: str) -> str:
    """A text's bytes, each as the character of its number."""
    return text if text.isascii() else text.encode("utf-8", "surrogateescape").decode("latin-1")


def from_octets(octets: str) -> str:
    """The text that has these bytes."""
    if octets.isascii():
        return octets
    return octets.encode("latin-1").decode("utf-8", "surrogateescape")


def octets_of(data: bytes) -> str:
    """Bytes as text, a character for each."""
    return data.decode("latin-1")
