"""A host that speaks DLP/1 to a dock on a line (lines.py)."""

import struct
import time

from dlp import *


class Host:
    """`frames` holds everything received; `bad` counts runs that were not a frame."""

    def __init__(self, line):
        self.line = line
        self.sequence, self.rest, self.frames, self.is_synced, self.bad = 0, b"", [], False, 0
        self.line.write(b"\0")

    def close(self):
        self.line.close()

    # Frames

    def say(self, kind, body=b""):
        """Sends a message. Returns its sequence number."""
        self.sequence = (self.sequence + 1) & 0xFF
        self.line.write(encoded(kind, self.sequence, body))
        return self.sequence

    def take(self, seconds=0.0):
        """The frames that arrive together; waits `seconds` for the first byte."""
        *runs, self.rest = (self.rest + self.line.read(seconds)).split(b"\0")
        now, came = time.monotonic(), []
        for run in runs:
            try:
                if run:
                    came.append(decoded(run, now))
            except NoFrame:
                # A port may be opened in the middle of a frame.
                self.bad += self.is_synced
            self.is_synced = True
        self.frames += came
        return came

    def listen(self, seconds):
        """All frames during this time."""
        seen, end = len(self.frames), time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0:
            self.take(left)
        return self.frames[seen:]

    def find(self, kind, holds=lambda body: True, seconds=3.0, after=None):
        """The first matching frame from now on, or from number `after` on."""
        seen = len(self.frames) if after is None else after
        end = time.monotonic() + seconds
        while True:
            for frame in self.frames[seen:]:
                if frame.kind == kind and holds(frame.body):
                    return frame
            seen = len(self.frames)
            if (left := end - time.monotonic()) <= 0:
                last = " ".join(f"{frame.kind:02x}" for frame in self.frames[-20:])
                raise AssertionError(f"no {kind:02x} that matches in {seconds} s; the last were {last}")
            self.take(left)

    def wait(self, kind, holds=lambda body: True, seconds=3.0, after=None):
        """Sends a request and returns the body of its answer."""
        return self.find(kind, holds, seconds, after).body

    def ask(self, kind, body=b"", seconds=3.0):
        """Sends a request and returns the code of its acknowledgement."""
        after = len(self.frames)
        number = self.say(kind, body)
        return self.wait(ACK, lambda got: got[:2] == bytes([kind, number]), seconds, after)[2]

    # Commands

    def greet(self, seconds=4.0):
        """Repeats the hello until the dock reports that it was greeted: the unasked identity of a board that has just booted is
        no answer."""
        end = time.monotonic() + seconds
        while True:
            after = len(self.frames)
            self.say(HELLO, bytes([1, 1, LONGEST, 0]))
            try:
                body = self.wait(HELLO_ACK, seconds=0.5, after=after)
                self.wait(MOTION, lambda motion: not motion_of(motion).flags & F_NOT_GREETED, 0.3)
                return hello_of(body)
            except AssertionError:
                if time.monotonic() > end:
                    raise

    def arm(self, rate=50):
        """Greets, switches torque on, and sets the rate of reports per second."""
        hello = self.greet()
        assert self.ask(TORQUE, bytes([3, 1])) == OK, "no torque"
        assert self.param(RATE, rate) == rate, "another rate"
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
        """Sends a set-point: degrees, or degrees per second."""
        pan, tilt = round(pan * 1000), round(tilt * 1000)
        places, rates = ((0, 0), (pan, tilt)) if mode == VELOCITY else ((pan, tilt), (0, 0))
        return self.say(SETPOINT, setpoint(mode, *places, *rates, deadman, sent))

    def drive(self, seconds, pan=0, tilt=0, mode=VELOCITY, deadman=25):
        """Sends set-points 50 times a second. Returns when the last one was written."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.steer(pan, tilt, mode, deadman)
            last = time.monotonic()
            self.listen(0.02)
        return last

    # Reports

    def motions(self, after=0):
        return [motion_of(frame.body, frame.at) for frame in self.frames[after:] if frame.kind == MOTION]

    def events(self, after=0):
        return [event_of(frame.body, frame.at) for frame in self.frames[after:] if frame.kind == EVENT]

    def motion(self, holds=lambda motion: True, seconds=3.0):
        """The next report that matches."""
        frame = self.find(MOTION, lambda body: holds(motion_of(body)), seconds)
        return motion_of(frame.body, frame.at)

    def rest_pose(self, seconds=3.0):
        """The pose at standstill, degrees."""
        now = self.motion(lambda now: not (now.flags & F_MOVING or now.pan_rate or now.tilt_rate), seconds)
        return now.pan / 1000, now.tilt / 1000
