"""Lines between a host and a dock, with `read(seconds)`, `write(data)` and `close()` for bytes."""

import os
import pty
import select
import termios
import threading
import time
import tty


class Line:
    """A pseudo-terminal for the daemon, or a rig's port; the test is the other end, byte by byte.

    `baud`: the port is a real one.
    """

    def __init__(self, path=None, baud=None):
        self.slave = -1
        if path:
            self.end, self.path = os.open(path, os.O_RDWR | os.O_NOCTTY), path
        else:
            self.end, self.slave = pty.openpty()
            self.path = os.ttyname(self.slave)
        tty.setraw(self.end)
        if baud:
            modes = termios.tcgetattr(self.end)
            modes[4] = modes[5] = getattr(termios, f"B{baud}")
            termios.tcsetattr(self.end, termios.TCSANOW, modes)

    def fileno(self):
        return self.end

    def read(self, seconds=0.0):
        """The received bytes; waits `seconds` for the first one."""
        return os.read(self.end, 4096) if select.select([self.end], [], [], max(seconds, 0))[0] else b""

    def write(self, data):
        os.write(self.end, bytes(data))

    def close(self):
        for descriptor in (self.end, self.slave):
            if descriptor >= 0:
                os.close(descriptor)
        self.end = self.slave = -1


class SocketLine:
    """The same on a socket, as an emulator has it."""

    def __init__(self, link):
        self.link = link

    def fileno(self):
        return self.link.fileno()

    def read(self, seconds=0.0):
        if not select.select([self.link], [], [], max(seconds, 0))[0]:
            return b""
        if data := self.link.recv(4096):
            return data
        raise ConnectionError("the other end has closed")

    def write(self, data):
        self.link.sendall(data)

    def close(self):
        self.link.close()


class Tap:
    """A pseudo-terminal for the daemon with a dock's line behind it. Records the traffic in both directions.

    When the line ends it acts as unplugged: the program at the other end sees a hang-up.
    """

    def __init__(self, line):
        self.line = line
        self.master, self.slave = pty.openpty()
        tty.setraw(self.master)
        self.path = os.ttyname(self.slave)
        self.host, self.device = bytearray(), bytearray()
        self.runs = []  # (time.monotonic(), ">" from the host or "<" from the rig, bytes)
        self.ends = False
        self.thread = threading.Thread(target=self._carry, daemon=True)
        self.thread.start()

    def _carry(self):
        try:
            while not self.ends:
                for source in select.select([self.master, self.line], [], [], 0.05)[0]:
                    if source is self.line:
                        got = self.line.read()
                        self._keep(self.device, "<", got)
                        os.write(self.master, got)
                    else:
                        got = os.read(self.master, 4096)
                        self._keep(self.host, ">", got)
                        self.line.write(got)
        except OSError:
            pass
        finally:
            os.close(self.slave)
            os.close(self.master)

    def _keep(self, stream, way, data):
        stream.extend(data)
        self.runs.append((time.monotonic(), way, data))

    def close(self):
        self.ends = True
        self.thread.join()
        self.line.close()
