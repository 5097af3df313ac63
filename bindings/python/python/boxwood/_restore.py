"""What `pickle` calls to make an object again: they travel as bytes, no file is needed."""

from __future__ import annotations

from typing import Optional

from ._boxwood import Accuracy, Body, Robot


def robot(bytes: bytes) -> Robot:
    """A robot from what `Robot.bake` wrote."""
    return Robot.baked(bytes)


def body(bytes: bytes, warnings: list[str]) -> Body:
    """A body from what `Body.bake` wrote, with the warnings it had."""
    return Body._again(bytes, warnings)


def accuracy(kind: str, value: Optional[float]) -> Accuracy:
    """An accuracy from its kind and its number."""
    if kind == "depth" and value is not None:
        return Accuracy.depth(int(value))
    if kind == "within" and value is not None:
        return Accuracy.within(value)
    if kind == "budget" and value is not None:
        return Accuracy.budget(int(value))
    return Accuracy.exact()
