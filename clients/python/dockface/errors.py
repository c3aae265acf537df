"""What can go wrong: one exception for every error name of the control API, and those of the connection itself."""

from __future__ import annotations

from typing import Any, Optional


class DockError(Exception):
    """Something was refused or failed; after any error the call has moved nothing.

    `name` is the API's name of the error, `code` its number (None: this client made the error), `hint` what to do about
    it.
    """

    #: The API's name of this error; subclasses have their own.
    default_name = "error"
    #: The API's number of this error.
    default_code: Optional[int] = None

    def __init__(
        self, message: str, *, hint: str = "", name: Optional[str] = None, code: Optional[int] = None
    ) -> None:
        super().__init__(message)
        self.name: str = name or self.default_name
        self.code: Optional[int] = self.default_code if code is None else code
        self.message: str = message
        self.hint: str = hint

    def __str__(self) -> str:
        return f"{self.message} ({self.hint})" if self.hint else self.message


class ParseError(DockError):
    """The daemon could not read a line as JSON."""

    default_name, default_code = "parseError", -32700


class InvalidRequest(DockError):
    """The daemon read JSON that is no request."""

    default_name, default_code = "invalidRequest", -32600


class MethodNotFound(DockError):
    """The daemon has no such method: perhaps it is older than this client."""

    default_name, default_code = "methodNotFound", -32601


class InvalidParameter(DockError):
    """A parameter is missing, unknown, of the wrong type, or out of its range."""

    default_name, default_code = "invalidParameter", -32602


class NotConnected(DockError):
    """The daemon runs, but no dock is attached to it."""

    default_name, default_code = "notConnected", -32001


class NotSupportedByDevice(DockError):
    """This rig cannot do that."""

    default_name, default_code = "notSupportedByDevice", -32002


class NoSubjectFound(DockError):
    """Nobody is at that point, or nobody has that id; the selection stays."""

    default_name, default_code = "noSubjectFound", -32003


class FrameRateTooHigh(DockError):
    """More than 60 `track` a second; this one was dropped."""

    default_name, default_code = "frameRateTooHigh", -32004


class FrameRateTooLow(DockError):
    """Reserved by the API; a slow source is told by the tracking phase `detectorStale`."""

    default_name, default_code = "frameRateTooLow", -32005


class NotSupported(DockError):
    """This daemon cannot do that."""

    default_name, default_code = "notSupported", -32006


class Busy(DockError):
    """Somebody with precedence has the dock: a person at the keys, or the program that holds the lease."""

    default_name, default_code = "busy", -32007


class LimitReached(DockError):
    """That is outside the limits."""

    default_name, default_code = "limitReached", -32008


class Timeout(DockError, TimeoutError):
    """An answer stayed out: the dock's to the daemon (`code` -32009), or the daemon's to this client (`code` None)."""

    default_name = "timeout"


class ProtocolError(DockError):
    """The dock speaks another language than the daemon."""

    default_name, default_code = "protocolError", -32010


class Faulted(DockError):
    """A fault is latched: remove its cause, then `clear_fault`."""

    default_name, default_code = "faulted", -32011


class NoDaemon(DockError, ConnectionError):
    """There is nobody to talk to at the socket."""

    default_name = "noDaemon"


class IncompatibleDaemon(DockError):
    """Whoever answers at the socket does not speak version 1 of the control API."""

    default_name = "incompatibleDaemon"


class BadAnswer(DockError):
    """The daemon's answer is not what the API says; nothing is known of what the call did."""

    default_name = "badAnswer"


class ConnectionLost(DockError, ConnectionError):
    """The connection has ended, by the daemon or by `close`. What this program moved stops by itself."""

    default_name = "connectionLost"


class LeaseLost(DockError):
    """Control was held and got lost; what this program moved has been stopped."""

    default_name = "leaseLost"


_NAMED: dict[str, type[DockError]] = {
    kind.default_name: kind
    for kind in (
        ParseError, InvalidRequest, MethodNotFound, InvalidParameter, NotConnected, NotSupportedByDevice,
        NoSubjectFound, FrameRateTooHigh, FrameRateTooLow, NotSupported, Busy, LimitReached, Timeout, ProtocolError,
        Faulted,
    )
}  # fmt: skip
_NUMBERED: dict[int, type[DockError]] = {
    kind.default_code: kind for kind in _NAMED.values() if kind.default_code is not None
}
_NUMBERED[-32009] = Timeout


def error_from(answer: Any) -> DockError:
    """The exception for the `error` object of an answer; total: whatever was sent, there is one."""
    fields: dict[str, Any] = answer if isinstance(answer, dict) else {}
    data: dict[str, Any] = fields["data"] if isinstance(fields.get("data"), dict) else {}
    code = fields.get("code")
    number = code if isinstance(code, int) else None
    name = data.get("name")
    message = fields.get("message")
    kind = _NAMED.get(name) if isinstance(name, str) else None
    if kind is None and number is not None:
        kind = _NUMBERED.get(number)
    return (kind or DockError)(
        message if isinstance(message, str) else f"an error without words: {answer!r}"[:200],
        hint=str(data.get("hint") or ""),
        name=name if isinstance(name, str) else None,
        code=number,
    )
