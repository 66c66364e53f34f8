"""Dataclasses of the package do what dataclasses do."""

from __future__ import annotations

import dataclasses
import math
from typing import Any

import pytest

from plotengine import _items, _records
from plotengine._values import Values

CLASSES = [
    kind
    for module in (_items, _records)
    for kind in vars(module).values()
    if isinstance(kind, type) and issubclass(kind, Values) and "__dataclass_fields__" in vars(kind)
]


def twin(kind: type) -> Any:
    """The same class with the methods that a dataclass makes."""
    fields = [
        (field.name, field.type, dataclasses.field(repr=field.repr, compare=field.compare, hash=field.hash))
        for field in dataclasses.fields(kind)  # type: ignore[arg-type]
    ]
    made = dataclasses.make_dataclass(kind.__name__, fields, frozen=True)
    made.__qualname__ = kind.__qualname__
    return made


def test_there_are_classes() -> None:
    assert len(CLASSES) >= 13


@pytest.mark.parametrize("kind", CLASSES, ids=lambda kind: kind.__name__)
def test_as_a_dataclass_does(kind: Any) -> None:
    other = twin(kind)
    names = [field.name for field in dataclasses.fields(kind)]
    base = {name: f"value of {name}" for name in names}
    one, twin_one = kind(**base), other(**base)
    assert repr(one) == repr(twin_one)
    assert hash(one) == hash(twin_one)
    assert one == kind(**base) and hash(one) == hash(kind(**base))
    assert one != base and one != twin_one
    for name in names:
        changed = {**base, name: math.nan}
        assert (one == kind(**changed)) == (twin_one == other(**changed)), name
        assert (hash(one) == hash(kind(**changed))) == (hash(twin_one) == hash(other(**changed))), name
        assert kind(**changed) == kind(**changed)
        with pytest.raises(dataclasses.FrozenInstanceError):
            setattr(one, name, 1)
    for derived in kind.__subclasses__():
        assert kind(**base) != derived(**{field.name: base.get(field.name) for field in dataclasses.fields(derived)})
