"""The STM32 image behind QEMU's emulated FTDI adapter, with a record of its line; and adapters of other devices."""

import contextlib
import pathlib
import select
import socket
import sys
import threading
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Peers"))
import emulators  # noqa: E402
from dlp import MOTION, SETPOINT, NoFrame, decoded, motion_of  # noqa: E402
from machine import Failed  # noqa: E402

MOVING, SILENCE, NOT_GREETED = 1 << 1, 1 << 7, 1 << 14


class Report:
    """A reported pose and its time; degrees."""

    def __init__(self, at, body):
        self.at = at
        told = motion_of(body)
        self.flags, self.fault = told.flags, told.fault
        self.pan, self.tilt, self.pan_rate, self.tilt_rate = (
            value / 1000 for value in (told.pan, told.tilt, told.pan_rate, told.tilt_rate))

    def __str__(self):
        return f"pan {self.pan} tilt {self.tilt} deg, {self.pan_rate} {self.tilt_rate} deg/s, flags {self.flags:#x}"


class Adapter:
    """QEMU's FTDI with a serial number; `heard` is what the machine writes to it."""

    def __init__(self, machine, name, serial):
        self.machine, self.name, self.serial, self.is_plugged, self.heard = machine, name, serial, False, bytearray()
        machine.ask("chardev-add", id=name, backend={"type": "socket", "data": {
            "addr": {"type": "unix", "data": {"path": f"{machine.folder}/{name}"}}, "server": True, "wait": False}})
        self.cable = machine.connect(name)
        self.ends = False
        self.thread = threading.Thread(target=self.carry, daemon=True)
        self.thread.start()

    def plug(self):
        self.machine.ask("device_add", driver="usb-serial", id=f"{self.name}-usb", chardev=self.name, serial=self.serial)
        self.is_plugged = True

    def unplug(self):
        self.is_plugged = False
        self.machine.ask("device_del", id=f"{self.name}-usb")

    def carry(self):
        while not self.ends:
            if select.select([self.cable], [], [], 0.05)[0]:
                self.heard += self.cable.recv(4096)

    def close(self):
        self.ends = True
        self.thread.join()


class Dock(Adapter):
    """The board keeps running while its cable is out, as one with its own supply does; its output meanwhile is lost."""

    def __init__(self, machine, name, serial, board="stm32f405"):
        folder = pathlib.Path(machine.folder, "board")
        folder.mkdir()
        self.emulator = emulators.Emulator(board, folder)
        self.said, self.asked = [], []  # (time, type, body), both directions
        super().__init__(machine, name, serial)
        # Unread output is soon lost, as in an adapter's own buffer.
        self.cable.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 16384)

    def carry(self):
        rests, line = {}, self.emulator.line
        while not self.ends:
            for source in select.select([self.cable, line], [], [], 0.05)[0]:
                got, now = line.read() if source is line else source.recv(4096), time.monotonic()
                if source is line and self.is_plugged:
                    with contextlib.suppress(BlockingIOError):
                        self.cable.send(got, socket.MSG_DONTWAIT)
                elif source is self.cable:
                    line.write(got)
                    self.heard += got
                *runs, rests[source] = (rests.get(source, b"") + got).split(b"\0")
                for run in filter(None, runs):
                    try:
                        frame = decoded(run)
                    except NoFrame:
                        continue  # half a frame, after a cable was pulled
                    (self.said if source is line else self.asked).append((now, frame.kind, frame.body))

    def reports(self, since=0.0):
        return [Report(at, body) for at, kind, body in self.said if kind == MOTION and at >= since]

    def last(self):
        return (self.reports(time.monotonic() - 1) or self.reports())[-1]

    def setpoints(self, since=0.0):
        """(time, mode) of the set-points; mode 0 is a stop."""
        return [(at, body[0]) for at, kind, body in self.asked if kind == SETPOINT and at >= since]

    def until(self, what, holds, seconds=6, since=0.0):
        """The first report from `since` that satisfies the condition."""
        end = time.monotonic() + seconds * self.machine.patience
        while time.monotonic() < end:
            if found := next(filter(holds, self.reports(since)), None):
                return found
            time.sleep(0.02)
        raise Failed(f"expected of the dock, in {seconds} s: {what}; seen {self.last()}")

    def gap(self, since):
        """The longest time between two reports. If it is much more than 0.1 s, this machine is too busy."""
        times = [report.at for report in self.reports(since)]
        return max((later - earlier for earlier, later in zip(times, times[1:])), default=0)

    def trail(self):
        """All its reports and set-points, line by line."""
        lines = [(report.at, f"< {report}") for report in self.reports()]
        lines += [(at, f"> {kind:02x} {body.hex(' ')}") for at, kind, body in self.asked]
        return "".join(f"{at:.3f} {text}\n" for at, text in sorted(lines))

    def close(self):
        super().close()
        self.emulator.close()
