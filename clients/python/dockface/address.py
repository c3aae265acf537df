"""Where the daemon is, and the first words with it."""

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

#: The version of the control API that this client speaks.
PROTOCOL = 1

#: Longest line either side may send, bytes.
MAX_LINE = 1 << 20

# The service's folder (packaging/dockface.service): nobody but root makes it, and its socket is for a group.
SERVICE = "/run/dockface"

_START = "start it with `dockface run`, or name its socket by --socket or DOCKFACE_SOCKET"


class _UnsafeFolder(NoDaemon):
    """Others can put a socket there."""


def socket_paths(path: Optional[str] = None) -> list[str]:
    """Where the socket may be, best guess first; only one where `path` or DOCKFACE_SOCKET names it."""
    named = path or os.environ.get("DOCKFACE_SOCKET")
    if named:
        return [named]
    folders = []
    runtime = os.environ.get("XDG_RUNTIME_DIR")
    if runtime:
        folders.append(os.path.join(runtime, "dockface"))
    # Also where XDG_RUNTIME_DIR is set: a daemon that was started without it, as a service is, does not listen there.
    if os.geteuid() != 0:
        folders.append(f"/tmp/dockface-{os.geteuid()}")
    # Whoever has a place of its own elsewhere, as tests and containers do, means nobody else's dock.
    if os.geteuid() == 0 or not runtime or runtime.startswith("/run/user/"):
        folders.append(SERVICE)
    return [os.path.join(folder, "dockface.sock") for folder in folders]


def connect(path: Optional[str], timeout: float) -> tuple[socket.socket, str, Greeting, bytes]:
    """A connection to the daemon: the socket, its path, the greeting, and what came after the greeting.

    Raises NoDaemon, IncompatibleDaemon, Timeout, or what the daemon says instead of a greeting.
    """
    is_named = bool(path or os.environ.get("DOCKFACE_SOCKET"))
    missing: Optional[NoDaemon] = None
    for candidate in socket_paths(path):
        try:
            if not is_named:
                _check_folder(candidate)
            link = _open(candidate, timeout)
        except NoDaemon as error:
            # The first guess is the one to complain about; but a socket that is there says more than one that is not.
            # A folder that others have prepared says most.
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
        cause, problem = error, NoDaemon(f"no daemon: nobody listens any more at {path}", hint=_START)
    except PermissionError as error:
        hint = "the daemon takes only its own user and root: run as that user"
        cause, problem = error, NoDaemon(f"not allowed to open {path}", hint=hint)
    except OSError as error:
        cause, problem = error, NoDaemon(f"cannot connect to {path}: {error}", hint=_START)
    link.close()
    raise problem from cause


def _bound_sending(link: socket.socket, timeout: float) -> None:
    """Writing must not wait for a daemon that stands still, reading must wait for ever: a timeout of the Python socket
    would be one for both, so the kernel has one for sending. It bounds connecting too."""
    parts = int(timeout), int(timeout % 1 * 1e6)
    try:
        link.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("ll", *parts))
    except OSError:
        # 32-bit machines with times of 64 bits.
        link.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("qq", *parts))


def _check_folder(path: str) -> None:
    """A path that nobody named may lie where others can put a socket, or a link to one: nothing there is asked."""
    folder = os.path.dirname(path)
    hint = "take it away, set XDG_RUNTIME_DIR to a folder of your own, or name the socket"
    try:
        trust = judge(folder)
    except PermissionError as error:
        # Without a number it is a link; with one, the system's, who connects is told the same.
        if error.errno is None:
            raise _UnsafeFolder(f"the folder {folder} is not safe: {error}", hint=hint) from error
        return
    except OSError:
        return  # what is not there is no danger
    if trust.host is None and trust.problem:
        raise _UnsafeFolder(f"the folder {folder} is not safe: {trust.problem}", hint=hint)


def _check_owner(link: socket.socket, path: str) -> None:
    """Whoever listens must be oneself, root, or the user to whom root gave the folder, as it does for the service."""
    if not hasattr(socket, "SO_PEERCRED"):
        return
    size = struct.calcsize("3i")
    _, user, _ = struct.unpack("3i", link.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size))
    if user in (0, os.geteuid()):
        return
    try:
        # Judged after the connection was made: what was exchanged in between shows.
        host = judge(os.path.dirname(os.path.abspath(path))).host
    except OSError:
        host = None
    if user != host:
        raise NoDaemon(
            f"user {user} listens at {path}, not you, root or the service: nothing was sent",
            hint="name the socket of your own daemon, or try the same as that user",
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
            hint = "the daemon takes only its own user and root"
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
        # No room for one more connection, for example.
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
