"""Functions that `pickle` calls to restore objects from bytes, without files."""

from __future__ import annotations

from typing import Optional

from ._boxwood import Accuracy, Body, Robot


def robot(bytes: bytes) -> Robot:
    """Restores a robot from the output of `Robot.bake`."""
    return Robot.baked(bytes)


def body(bytes: bytes, warnings: list[str]) -> Body:
    """Restores a body from the output of `Body.bake`, with the warnings it had."""
    return Body._again(bytes, warnings)


def accuracy(kind: str, value: Optional[float]) -> Accuracy:
    """Restores an accuracy from its kind and its number."""
    if kind == "depth" and value is not None:
        return Accuracy.depth(int(value))
    if kind == "within" and value is not None:
        return Accuracy.within(value)
    if kind == "budget" and value is not None:
        return Accuracy.budget(int(value))
    return Accuracy.exact()
