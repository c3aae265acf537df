"""One connection to the daemon: sends requests and receives answers and notifications, for any number of threads."""

from __future__ import annotations

import itertools
import json
import logging
import os
import socket
import threading
from typing import Any, Callable, Optional

from .address import MAX_LINE
from .errors import BadAnswer, ConnectionLost, DockError, InvalidParameter, Timeout, error_from

log = logging.getLogger("dockface")

#: More descriptors come with no message.
_MOST_DESCRIPTORS = 4

_AGAIN = "restart the daemon with `dockface run`, then connect again"


class _Unreadable(Exception):
    """A line that may be JSON but cannot be read. Its request is unknown, so later answers cannot be trusted."""


class Answer:
    """Receives the answer of one request."""

    def __init__(self, number: int) -> None:
        self.number = number
        self.arrived = threading.Event()
        self.result: Any = None
        self.error: Optional[DockError] = None
        #: The descriptors that came with the answer.
        self.descriptors: tuple[int, ...] = ()
        self._closing = threading.Lock()
        self._closed = False

    def close(self) -> None:
        """Closes the descriptors, now and if they arrive later."""
        with self._closing:
            self._closed, taken = True, self.descriptors
            self.descriptors = ()
        for descriptor in taken:
            os.close(descriptor)

    def attach(self, descriptors: tuple[int, ...]) -> None:
        """Adds the descriptors that came with the answer."""
        with self._closing:
            self.descriptors = descriptors
            is_late = self._closed
        if is_late:
            self.close()

    def get(self) -> Any:
        """Returns the result after it has arrived, or raises the error that was answered."""
        if self.error is not None:
            raise self.error
        return self.result


class Connection:
    """Sends requests and waits for their answers; a separate thread reads.

    `on_event` gets the `params` of every notification and `on_end` the reason of the end. Both are called in the reader's thread
    and must not block.
    """

    def __init__(
        self,
        link: socket.socket,
        path: str,
        *,
        on_event: Callable[[Any], None],
        on_end: Callable[[ConnectionLost], None],
    ) -> None:
        self.path = path
        self._link = link
        self._on_event = on_event
        self._on_end = on_end
        self._numbers = itertools.count(1)
        self._pending: dict[int, Answer] = {}
        self._state = threading.Lock()
        self._writing = threading.Lock()
        self._torn = False
        self._end: Optional[ConnectionLost] = None
        self._first = b""
        #: Descriptors that have arrived and whose answer has not been read yet.
        self._descriptors: list[int] = []
        # The reader waits for its whole life. Sending has a separate limit (`connect`).
        link.settimeout(None)
        self._reader = threading.Thread(target=self._read, name="dockface reader", daemon=True)

    def start(self, first: bytes = b"") -> None:
        """Starts to read. `first` are the bytes after the greeting."""
        self._first = first
        self._reader.start()

    @property
    def end(self) -> Optional[ConnectionLost]:
        """Why the connection has ended; None while it is open."""
        return self._end

    def request(self, method: str, params: Optional[dict[str, Any]], timeout: float) -> Any:
        """Returns the result of a method. Raises the daemon's error, Timeout, or ConnectionLost."""
        return self.ask(method, params, timeout).get()

    def ask(self, method: str, params: Optional[dict[str, Any]], timeout: float) -> Answer:
        """Returns the answer to a method, with its descriptors. Raises the daemon's error, Timeout, or ConnectionLost."""
        answer = self.post(method, params)
        is_taken = False
        try:
            if not answer.arrived.wait(timeout):
                hint = "the daemon is alive but does not answer; the request may still be carried out"
                raise Timeout(f"timeout: no answer to {method} within {timeout:g} s", hint=hint)
            answer.get()
            is_taken = True
            return answer
        finally:
            self._forget(answer)
            if not is_taken:
                answer.close()

    def post(self, method: str, params: Optional[dict[str, Any]] = None) -> Answer:
        """Sends a request without waiting and returns its pending answer. Raises ConnectionLost."""
        answer = Answer(next(self._numbers))
        with self._state:
            self._raise_if_ended()
            self._pending[answer.number] = answer
        try:
            self._send({"jsonrpc": "2.0", "id": answer.number, "method": method, "params": params or {}})
        except BaseException:
            self._forget(answer)
            raise
        return answer

    def notify(self, method: str, params: Optional[dict[str, Any]]) -> None:
        """Calls a method without an answer. The result is not reported."""
        with self._state:
            self._raise_if_ended()
        self._send({"jsonrpc": "2.0", "method": method, "params": params or {}})

    def check(self, patience: float = 0.5) -> None:
        """Raises ConnectionLost if the connection has ended, or ends within `patience` seconds."""
        if threading.current_thread() is not self._reader:
            self._reader.join(patience)
        self._raise_if_ended()

    def close(self) -> None:
        """Ends the connection and all waiting calls and streams. May be called again."""
        self._finish(ConnectionLost("this connection was closed", hint="make a new Dock"))
        if threading.current_thread() is not self._reader and self._reader.ident is not None:
            self._reader.join()
        self._link.close()

    def _forget(self, answer: Answer) -> None:
        with self._state:
            self._pending.pop(answer.number, None)

    def _raise_if_ended(self) -> None:
        if self._end is not None:
            # A new exception each time: one that several threads raise would collect all their tracebacks.
            raise ConnectionLost(self._end.message, hint=self._end.hint)

    def _send(self, message: dict[str, Any]) -> None:
        try:
            line = json.dumps(message, allow_nan=False, separators=(",", ":")).encode() + b"\n"
        except ValueError as error:
            raise InvalidParameter(f"{error}", hint="numbers must be finite") from error
        if len(line) > MAX_LINE:
            raise InvalidParameter("the request is longer than 1 MiB", hint="send less at once")
        with self._writing:
            # Ctrl-C may have cut the previous line in half. It must not swallow this one, which may be the stop. A line end first makes
            # the daemon skip the partial line.
            data = b"\n" + line if self._torn else line
            self._torn = True
            try:
                self._link.sendall(data)
            except OSError as error:
                stuck = isinstance(error, BlockingIOError)
                reason = "does not read any more" if stuck else f"is gone: {error}"
                self._finish(ConnectionLost(f"connection lost: the daemon at {self.path} {reason}", hint=_AGAIN))
                self._raise_if_ended()
            self._torn = False

    def _read(self) -> None:
        rest = self._first
        reason = "sent what this client cannot read"
        try:
            while True:
                *lines, rest = rest.split(b"\n")
                if max(map(len, (rest, *lines))) > MAX_LINE:
                    reason = "sent a line of more than 1 MiB"
                    break
                for line in lines:
                    self._take(line)
                part, descriptors, _, _ = socket.recv_fds(self._link, 65536, _MOST_DESCRIPTORS, socket.MSG_CMSG_CLOEXEC)
                self._descriptors += descriptors
                # Only a program that is not dockface sends more than belong to one answer.
                while len(self._descriptors) > _MOST_DESCRIPTORS:
                    os.close(self._descriptors.pop())
                if not part:
                    reason = "has ended or closed the connection"
                    break
                rest += part
        except OSError as error:
            reason = f"is gone: {error}"
        except _Unreadable as error:
            reason = f"sent a line that cannot be read: {error}"
        except BaseException as error:
            reason = f"sent what this client cannot take: {type(error).__name__}"
            log.exception("the reader of %s has failed", self.path)
        finally:
            while self._descriptors:
                os.close(self._descriptors.pop())
            # Whatever happened here, no thread may wait for an answer that will never be read.
            self._finish(ConnectionLost(f"connection lost: the daemon at {self.path} {reason}", hint=_AGAIN))

    def _take(self, line: bytes) -> None:
        if not line.strip():
            return
        try:
            message = json.loads(line)
        except (json.JSONDecodeError, UnicodeDecodeError):
            log.warning("not JSON from the daemon: %.100r", line)
            return
        except (RecursionError, MemoryError, ValueError) as error:
            # Nested too deeply, too large, or a number of thousands of digits.
            raise _Unreadable(type(error).__name__) from None
        if not isinstance(message, dict):
            log.warning("neither an answer nor a notification from the daemon: %.100r", line)
        elif "method" in message:
            if message["method"] != "event":
                return  # from a newer daemon
            try:
                self._on_event(message.get("params"))
            except BadAnswer as error:  # The daemon's error: a traceback of this client would not help.
                log.warning("invalid event: %s: %.200r", error, line)
            except Exception:  # The reader must survive an error in a listener.
                log.exception("invalid event: %.200r", line)
        else:
            self._take_answer(message)

    def _take_answer(self, message: dict[str, Any]) -> None:
        number = message.get("id")
        with self._state:
            answer = self._pending.pop(number, None) if isinstance(number, int) else None
        result = message.get("result")
        descriptors = self._take_descriptors() if isinstance(result, dict) and "slots" in result else ()
        if answer is None:
            for descriptor in descriptors:
                os.close(descriptor)
            # It belongs to a call that timed out, or is an error about a line without an id.
            log.info("an answer without a waiting call: %.200r", message)
            return
        if "error" in message:
            answer.error = error_from(message["error"])
        elif "result" in message:
            answer.result = message["result"]
            answer.attach(descriptors)
        else:
            answer.error = BadAnswer(f"an answer without result and error: {message!r}"[:200])
        answer.arrived.set()

    def _take_descriptors(self) -> tuple[int, ...]:
        """The descriptors of an answer to `openPictures`. They arrive with its first byte, in the order of the answers."""
        taken, self._descriptors = self._descriptors[:2], self._descriptors[2:]
        return tuple(taken)

    def _finish(self, reason: ConnectionLost) -> None:
        with self._state:
            if self._end is not None:
                return
            self._end = reason
            waiting = list(self._pending.values())
        try:
            self._link.shutdown(socket.SHUT_RDWR)  # wakes the reader
        except OSError:
            pass  # the other side has already closed it
        for answer in waiting:
            # An answer that has arrived stays valid, because the call was carried out.
            if not answer.arrived.is_set():
                answer.error = ConnectionLost(reason.message, hint=reason.hint)
                answer.arrived.set()
        self._on_end(reason)
