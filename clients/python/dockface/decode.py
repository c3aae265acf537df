"""Converts JSON to the dataclasses of this package. Their annotations are the schema.

Unknown keys are ignored, because a newer daemon may send more. A value that is missing or null becomes None if the annotation
allows it, because "not computed" is never 0.
"""

from __future__ import annotations

import dataclasses
import enum
import functools
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

from .errors import BadAnswer

T = TypeVar("T")


def decode(kind: type[T], value: object, where: str = "result") -> T:
    """Converts `value` to a `kind`: a dataclass, a plain type, or a tuple, dict or Optional of them. Raises BadAnswer."""
    return cast(T, _convert(kind, value, where))


def camel(name: str) -> str:
    """The API's spelling of a Python name: `tracking_button_enabled` is `trackingButtonEnabled`, `from_` is `from`."""
    head, *rest = name.rstrip("_").split("_")
    return head + "".join(word.capitalize() for word in rest)


@functools.lru_cache(maxsize=None)
def _fields(kind: Any) -> tuple[tuple[str, str, Any, bool], ...]:
    hints = get_type_hints(kind)
    return tuple(
        (
            field.name,
            camel(field.name),
            hints[field.name],
            field.default is not dataclasses.MISSING or field.default_factory is not dataclasses.MISSING,
        )
        for field in dataclasses.fields(kind)
    )


def _dataclass(kind: Any, value: object, where: str) -> object:
    if not isinstance(value, dict):
        raise _wrong(where, "an object", value)
    found: dict[str, object] = {}
    for name, key, hint, has_default in _fields(kind):
        if key in value or not has_default:
            found[name] = _convert(hint, value.get(key), f"{where}.{key}")
    return kind(**found)


def _convert(hint: Any, value: object, where: str) -> object:
    if hint is Any or hint is object:
        return value
    origin = get_origin(hint)
    if origin is Union:
        options = [option for option in get_args(hint) if option is not type(None)]
        if value is None and len(options) < len(get_args(hint)):
            return None
        return _convert(options[0], value, where)
    if origin is tuple:
        return _tuple(get_args(hint), value, where)
    if origin is dict:
        if not isinstance(value, dict):
            raise _wrong(where, "an object", value)
        return {key: _convert(get_args(hint)[1], item, f"{where}.{key}") for key, item in value.items()}
    if dataclasses.is_dataclass(hint):
        return _dataclass(hint, value, where)
    return _plain(hint, value, where)


def _tuple(kinds: tuple[Any, ...], value: object, where: str) -> object:
    if not isinstance(value, list):
        raise _wrong(where, "an array", value)
    if len(kinds) == 2 and kinds[1] is Ellipsis:
        return tuple(_convert(kinds[0], item, f"{where}[{index}]") for index, item in enumerate(value))
    if len(value) != len(kinds):
        raise _wrong(where, f"{len(kinds)} values", value)
    return tuple(_convert(kind, item, f"{where}[{index}]") for index, (kind, item) in enumerate(zip(kinds, value)))


def _plain(hint: Any, value: object, where: str) -> object:
    if isinstance(hint, type) and issubclass(hint, enum.Enum) and isinstance(value, str):
        return hint(value)
    # In Python True is an int, and in JSON 2 and 2.0 are the same number.
    is_number = isinstance(value, (int, float)) and not isinstance(value, bool)
    if hint is float and is_number:
        return float(cast(float, value))
    if hint is int and is_number and float(cast(float, value)).is_integer():
        return int(cast(float, value))
    if hint in (str, bool) and isinstance(value, hint):
        return value
    raise _wrong(where, getattr(hint, "__name__", str(hint)), value)


def _wrong(where: str, wanted: str, value: object) -> BadAnswer:
    return BadAnswer(f"{where} is not {wanted}: {value!r}"[:200], hint="are client and daemon of the same version?")
