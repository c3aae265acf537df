"""A host that speaks DLP/1 to a board on a port, written with other people's COBS and CRC."""

import collections
import struct
import time

from cobs.cobs import DecodeError
from programs import Line
from test_dlp import decoded, encoded

HELLO, TIME, GET_LIMITS, SETPOINT, LIMITS, EVENT_ACK, PARAM, TORQUE, HOME, SAVE, REBOOT, ESTOP = (
    0x01, 0x02, 0x03, 0x10, 0x11, 0x12, 0x14, 0x15, 0x16, 0x17, 0x18, 0x1F)
MOTION, POWER, EVENT, ACK, HELLO_ACK, TIME_ACK, LIMITS_ARE, PARAM_IS = 0x80, 0x81, 0x82, 0x90, 0xA1, 0xA2, 0xA3, 0xA4
OK, BAD_LENGTH, RANGE, VERSION, BUSY, STOPPED, NOT_ARMED = 0, 2, 3, 4, 5, 7, 11
IDLE, VELOCITY, PLACE = 0, 1, 2
F_TORQUE, F_MOVING, F_STOPPED, F_DEADMAN, F_HOMING, F_LOW, F_TIME, F_NOT_GREETED = (
    1 << bit for bit in (0, 1, 6, 7, 8, 10, 13, 14))

Motion = collections.namedtuple("Motion", "at time pan tilt pan_rate tilt_rate flags last fault")
Event = collections.namedtuple("Event", "at id kind value time lost")
Hello = collections.namedtuple("Hello", "proto caps version hardware uid model rate boot")


class Host:
    """Everything that was heard stands in `frames`: (time.monotonic(), type, sequence, body); runs that were no frame are counted."""

    def __init__(self, path):
        self.line = Line(path)
        self.sequence, self.rest, self.frames, self.is_synced = 0, b"", [], False
        self.bad = 0
        self.line.write(b"\0")

    def close(self):
        self.line.close()

    def say(self, kind, body=b""):
        """Its sequence number."""
        self.sequence = (self.sequence + 1) & 0xFF
        self.line.write(encoded(kind, self.sequence, body))
        return self.sequence

    def listen(self, seconds):
        end = time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self.rest += self.line.read(left)
            whole, _, self.rest = self.rest.rpartition(b"\0")
            if whole and not self.is_synced:
                # Whoever opens a port may come into the middle of a frame.
                whole, self.is_synced = whole.partition(b"\0")[2], True
            now = time.monotonic()
            for run in filter(None, whole.split(b"\0")):
                try:
                    self.frames += [(now, *frame) for frame in decoded(run + b"\0")]
                except (DecodeError, AssertionError):
                    self.bad += 1

    def wait(self, kind, holds=lambda body: True, seconds=2.0, after=None):
        """The body of the first such frame from now on, or from `after` on."""
        seen = len(self.frames) if after is None else after
        end = time.monotonic() + seconds
        while True:
            for _, found, _, body in self.frames[seen:]:
                if found == kind and holds(body):
                    return body
            seen = len(self.frames)
            if time.monotonic() > end:
                raise AssertionError(f"no {kind:02x} in {seconds} s; the last were {[f'{one[1]:02x}' for one in self.frames[-12:]]}")
            self.listen(0.005)

    def ask(self, kind, body=b"", seconds=2.0):
        """The code of its acknowledgement."""
        after = len(self.frames)
        number = self.say(kind, body)
        return self.wait(ACK, lambda got: got[:2] == bytes([kind, number]), seconds, after)[2]

    def greet(self, seconds=4.0):
        """Greets until it says that it was greeted: the greeting of a board that has just started is no answer."""
        end = time.monotonic() + seconds
        while True:
            after = len(self.frames)
            self.say(HELLO, bytes([1, 1, 56, 0]))
            try:
                body = self.wait(HELLO_ACK, seconds=0.5, after=after)
                self.wait(MOTION, lambda motion: not motion[21] >> 6 & 1, 0.3)
                return self.hello(body)
            except AssertionError:
                if time.monotonic() > end:
                    raise

    @staticmethod
    def hello(body):
        fields = struct.unpack_from("<BI3sHQ16sHH", body)
        return Hello(*fields[:2], tuple(fields[2]), fields[3], fields[4], fields[5].rstrip(b"\0").decode(), *fields[6:])

    def arm(self, rate=50):
        """Greeted, with torque, reporting so often a second."""
        hello = self.greet()
        assert self.ask(TORQUE, bytes([3, 1])) == OK, "no torque"
        self.param(1, rate)
        return hello

    def param(self, key, value=None):
        after = len(self.frames)
        self.say(PARAM, struct.pack("<BBi", value is not None, key, value or 0))
        return struct.unpack_from("<Bi", self.wait(PARAM_IS, lambda body: body[0] == key, after=after))[1]

    def limits(self, axis):
        after = len(self.frames)
        self.say(GET_LIMITS, bytes([axis]))
        return struct.unpack_from("<iiIII", self.wait(LIMITS_ARE, lambda body: body[0] == axis, after=after), 1)

    def steer(self, pan=0, tilt=0, mode=VELOCITY, deadman=25, sent=None):
        """A set-point: degrees, or degrees a second."""
        pan, tilt = round(pan * 1000), round(tilt * 1000)
        places, rates = ((0, 0), (pan, tilt)) if mode == VELOCITY else ((pan, tilt), (0, 0))
        tail = b"" if sent is None else struct.pack("<IB", sent & 0xFFFFFFFF, 0)
        return self.say(SETPOINT, struct.pack("<BBiiii", mode, deadman, *places, *rates) + tail)

    def drive(self, seconds, pan=0, tilt=0, mode=VELOCITY, deadman=25):
        """Set-points 50 times a second; when the last one was written."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.steer(pan, tilt, mode, deadman)
            last = time.monotonic()
            self.listen(0.02)
        return last

    def motions(self, after=0):
        return [Motion(at, *struct.unpack_from("<IiiiiHBB", body)) for at, kind, _, body in self.frames[after:] if kind == MOTION]

    def events(self, after=0):
        return [Event(at, *struct.unpack_from("<BBhI", body), body[8] if len(body) > 8 else 0)
                for at, kind, _, body in self.frames[after:] if kind == EVENT]

    def motion(self, seconds=1.0):
        """The next report."""
        after = len(self.frames)
        self.wait(MOTION, seconds=seconds)
        return self.motions(after)[0]

    def rest_pose(self, seconds=3.0):
        """Where it stands, degrees, when it does."""
        end = time.monotonic() + seconds
        while (now := self.motion()).flags & F_MOVING or now.pan_rate or now.tilt_rate:
            if time.monotonic() > end:
                raise AssertionError(f"it does not come to rest: {now}")
        return now.pan / 1000, now.tilt / 1000
