"""Finds the daemon and exchanges the greeting."""

from __future__ import annotations

import json
import os
import socket
import struct
import time
from typing import Optional

from .decode import decode
from .errors import BadAnswer, DockError, IncompatibleDaemon, NoDaemon, Timeout, error_from
from .trust import judge
from .values import Greeting

#: The version of the control API that this client supports.
PROTOCOL = 1

#: Longest line that either side may send, bytes.
MAX_LINE = 1 << 20

# The service's folder (packaging/dockface.service): only root can create it, and its socket belongs to a group.
SERVICE = "/run/dockface"

_START = "start it with `dockface run`, or name its socket with --socket or DOCKFACE_SOCKET"


class _UnsafeFolder(NoDaemon):
    """Other users can put a socket there."""


def socket_paths(path: Optional[str] = None) -> list[str]:
    """Possible paths of the socket, the best guess first; only one path if `path` or DOCKFACE_SOCKET names it."""
    named = path or os.environ.get("DOCKFACE_SOCKET")
    if named:
        return [named]
    folders = []
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    if runtime:
        folders.append(os.path.join(runtime, "dockface"))
    # Also if XDG_RUNTIME_DIR is set: a daemon that was started without it, such as a service, does not listen there.
    if os.geteuid() != 0:
        folders.append(f"/tmp/dockface-{os.geteuid()}")
    # A runtime folder elsewhere, as in tests and containers, means that the service's dock is not wanted.
    if os.geteuid() == 0 or not runtime or runtime.startswith("/run/user/"):
        folders.append(SERVICE)
    return [os.path.join(folder, "dockface.sock") for folder in folders]


def connect(path: Optional[str], timeout: float) -> tuple[socket.socket, str, Greeting, bytes]:
    """Connects to the daemon. Returns the socket, its path, the greeting, and the bytes after the greeting.

    Raises NoDaemon, IncompatibleDaemon, Timeout, or the error that the daemon sends instead of a greeting.
    """
    is_named = bool(path or os.environ.get("DOCKFACE_SOCKET"))
    missing: Optional[NoDaemon] = None
    for candidate in socket_paths(path):
        try:
            if not is_named:
                _check_folder(candidate)
            link = _open(candidate, timeout)
        except NoDaemon as error:
            # Report the first guess, but prefer an existing socket to a missing one, and an unsafe folder to both.
            is_news = not isinstance(error.__cause__, FileNotFoundError) and not isinstance(missing, _UnsafeFolder)
            if missing is None or is_news:
                missing = error
            continue
        try:
            _check_owner(link, candidate)
            line, rest = _first_line(link, candidate, timeout)
            return link, candidate, _greeting(line, candidate), rest
        except BaseException:
            link.close()
            raise
    assert missing is not None
    raise missing


def _open(path: str, timeout: float) -> socket.socket:
    link = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        _bound_sending(link, timeout)
        link.connect(path)
        return link
    except FileNotFoundError as error:
        cause: Exception = error
        problem = NoDaemon(f"no daemon: nothing is at {path}", hint=_START)
    except ConnectionRefusedError as error:
        cause, problem = error, NoDaemon(f"no daemon: no process listens at {path}", hint=_START)
    except PermissionError as error:
        hint = "the daemon accepts only its own user and root; run this program as that user"
        cause, problem = error, NoDaemon(f"not allowed to open {path}", hint=hint)
    except OSError as error:
        cause, problem = error, NoDaemon(f"cannot connect to {path}: {error}", hint=_START)
    link.close()
    raise problem from cause


def _bound_sending(link: socket.socket, timeout: float) -> None:
    """Sets a timeout for sending: a write must not wait for a hanging daemon, but a read must wait indefinitely. A timeout of the
    Python socket would apply to both, so the kernel's send timeout is used. It also applies to connecting."""
    parts = int(timeout), int(timeout % 1 * 1e6)
    try:
        link.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", *parts))
    except OSError:
        # 32-bit machines with 64-bit times.
        link.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("qq", *parts))


def _check_folder(path: str) -> None:
    """Rejects a default path in a folder where other users can put a socket or a link to one."""
    folder = os.path.dirname(path)
    hint = "remove the folder, set XDG_RUNTIME_DIR to your own folder, or name the socket"
    try:
        trust = judge(folder)
    except PermissionError as error:
        # Without an errno, a link is the problem. With one, it is the system's error, and connecting reports the same.
        if error.errno is None:
            raise _UnsafeFolder(f"the folder {folder} is not safe: {error}", hint=hint) from error
        return
    except OSError:
        return  # a missing folder is not a danger
    if trust.host is None and trust.problem:
        raise _UnsafeFolder(f"the folder {folder} is not safe: {trust.problem}", hint=hint)


def _check_owner(link: socket.socket, path: str) -> None:
    """Checks that the listener is this user, root, or the user to whom root gave the folder, such as the service's."""
    if not hasattr(socket, "SO_PEERCRED"):
        return
    size = struct.calcsize("3i")
    _, user, _ = struct.unpack("3i", link.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size))
    if user in (0, os.geteuid()):
        return
    try:
        # Judged after the connection was made, so that an exchange of the folder in between is noticed.
        host = judge(os.path.dirname(os.path.abspath(path))).host
    except OSError:
        host = None
    if user != host:
        raise NoDaemon(
            f"user {user} listens at {path}, not you, root or the service: nothing was sent",
            hint="name the socket of your own daemon, or run this program as that user",
        )


def _first_line(link: socket.socket, path: str, timeout: float) -> tuple[bytes, bytes]:
    deadline = time.monotonic() + timeout
    read = b""
    while b"\n" not in read:
        try:
            link.settimeout(max(0.001, deadline - time.monotonic()))
            part = link.recv(65536)
        except socket.timeout as error:
            raise Timeout(f"no greeting from {path} within {timeout:g} s", hint="is it a dockface daemon?") from error
        except OSError as error:
            raise NoDaemon(f"lost {path} before the greeting: {error}", hint=_START) from error
        if not part:
            hint = "the daemon accepts only its own user and root"
            raise NoDaemon(f"{path} closed the connection before the greeting", hint=hint)
        read += part
        if len(read) > MAX_LINE:
            raise IncompatibleDaemon(f"{path} sends no lines", hint="is it a dockface daemon?")
    line, _, rest = read.partition(b"\n")
    return line, rest


def _greeting(line: bytes, path: str) -> Greeting:
    try:
        words = json.loads(line)
    except (ValueError, RecursionError, MemoryError) as error:
        raise IncompatibleDaemon(f"{path} does not greet in JSON", hint="is it a dockface daemon?") from error
    if isinstance(words, dict) and "error" in words:
        # For example, there is no room for another connection.
        refusal: DockError = error_from(words["error"])
        raise refusal
    try:
        greeting = decode(Greeting, words, "greeting")
    except BadAnswer as error:
        raise IncompatibleDaemon(f"{path}: {error.message}", hint="is it a dockface daemon?") from error
    if greeting.protocol != PROTOCOL:
        raise IncompatibleDaemon(
            f"{greeting.name} {greeting.version} at {path} speaks protocol {greeting.protocol}, this client {PROTOCOL}",
            hint="use the client that came with that daemon",
        )
    return greeting
