"""The common base of the method groups: calls to the daemon."""

from __future__ import annotations

import dataclasses
from typing import Any, Optional, TypeVar

from .decode import decode
from .motion import Motion

T = TypeVar("T")


class Caller:
    """The part of Dock that the groups of methods build on."""

    def call(self, method: str, params: Optional[dict[str, Any]] = None, *, timeout: Optional[float] = None) -> Any:
        """Calls a method of the API by name and returns its result as JSON."""
        raise NotImplementedError

    def _move(self, method: str, params: dict[str, Any], name: str, *, follow: bool = True) -> Motion:
        raise NotImplementedError

    def _need(self, feature: str, what: str) -> None:
        """Raises NotSupported if the daemon's greeting does not name `feature`. `what` says what the daemon then lacks."""
        raise NotImplementedError

    def _ask(self, kind: type[T], method: str, params: Optional[dict[str, Any]] = None) -> T:
        """Returns the whole result as a `kind`."""
        return decode(kind, self.call(method, params), method)

    def _field(
        self,
        kind: type[T],
        key: str,
        method: str,
        params: Optional[dict[str, Any]] = None,
        *,
        timeout: Optional[float] = None,
    ) -> T:
        """Returns one member of the result as a `kind`."""
        result = self.call(method, params, timeout=timeout)
        return decode(kind, result.get(key) if isinstance(result, dict) else None, f"{method}.{key}")


def given(**params: Any) -> dict[str, Any]:
    """Returns the parameters that are not None. To the API, omitted and null are different."""
    return {key: value for key, value in params.items() if value is not None}


def plain(value: Any) -> dict[str, Any]:
    """Returns a dataclass as parameters, without the fields that are None."""
    return given(**dataclasses.asdict(value))
