"""The errors: one exception for every error name of the control API, and those of the connection itself."""

from __future__ import annotations

from typing import Any, Optional


class DockError(Exception):
    """A rejected or failed call. After any error, the call has moved nothing.

    `name` is the API's name of the error, `code` its number (None if this client made the error), `hint` the suggested action.
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
    """The daemon could not parse a line as JSON."""

    default_name, default_code = "parseError", -32700


class InvalidRequest(DockError):
    """The daemon received JSON that is not a request."""

    default_name, default_code = "invalidRequest", -32600


class MethodNotFound(DockError):
    """The daemon does not have this method. It may be older than this client."""

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
    """No subject is at that point or has that id. The selection does not change."""

    default_name, default_code = "noSubjectFound", -32003


class FrameRateTooHigh(DockError):
    """More than 60 `track` calls a second. This one was dropped."""

    default_name, default_code = "frameRateTooHigh", -32004


class FrameRateTooLow(DockError):
    """Reserved by the API. A slow source is reported by the tracking phase `detectorStale`."""

    default_name, default_code = "frameRateTooLow", -32005


class NotSupported(DockError):
    """This daemon cannot do that."""

    default_name, default_code = "notSupported", -32006


class PictureLost(DockError):
    """The daemon has overwritten a picture while this program read it. Nothing of it may be used."""

    default_name = "pictureLost"


class Busy(DockError):
    """A person at the keys, or the program with the lease, has precedence."""

    default_name, default_code = "busy", -32007


class LimitReached(DockError):
    """The request is outside the limits."""

    default_name, default_code = "limitReached", -32008


class Timeout(DockError, TimeoutError):
    """No answer arrived: from the dock to the daemon (`code` -32009), or from the daemon to this client (`code` None)."""

    default_name = "timeout"


class ProtocolError(DockError):
    """The dock uses another protocol or version than the daemon."""

    default_name, default_code = "protocolError", -32010


class Faulted(DockError):
    """A fault is latched. Remove its cause, then call `clear_fault`."""

    default_name, default_code = "faulted", -32011


class NoDaemon(DockError, ConnectionError):
    """No daemon answers at the socket."""

    default_name = "noDaemon"


class IncompatibleDaemon(DockError):
    """The program at the socket does not support version 1 of the control API."""

    default_name = "incompatibleDaemon"


class BadAnswer(DockError):
    """The daemon's answer does not match the API. The effect of the call is unknown."""

    default_name = "badAnswer"


class ConnectionLost(DockError, ConnectionError):
    """The daemon or `close` has ended the connection. This program's motion stops by itself."""

    default_name = "connectionLost"


class LeaseLost(DockError):
    """Control was lost. This program's motion has been stopped."""

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
    """Returns the exception for the `error` object of an answer. Any input gives an exception."""
    fields: dict[str, Any] = answer if isinstance(answer, dict) else {}
    data: dict[str, Any] = fields["data"] if isinstance(fields.get("data"), dict) else {}
    code = fields.get("code")
    number = code if isinstance(code, int) else None
    name = data.get("name")
    message = fields.get("message")
    kind = _NAMED.get(name) if isinstance(name, str) else None
    if kind is None and number is not None:
        kind = _NUMBERED.get(number)
    if isinstance(message, str) and isinstance(name, str):
        # The daemon's message begins with the name, which the exception's class says already.
        message = message.removeprefix(f"{name}: ")
    return (kind or DockError)(
        message if isinstance(message, str) else f"an error without a message: {answer!r}"[:200],
        hint=str(data.get("hint") or ""),
        name=name if isinstance(name, str) else None,
        code=number,
    )
