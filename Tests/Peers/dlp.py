"""DLP/1 for tests: codes, frames and bodies. Frames are encoded and decoded with third-party COBS and CRC, not with our code."""

import collections
import struct

from cobs import cobs
from crccheck.crc import Crc16Mcrf4XX

# Messages of a host.
HELLO, TIME, GET_LIMITS, SETPOINT, LIMITS, EVENT_ACK, PARAM, TORQUE, HOME, SAVE, REBOOT, ESTOP = (
    0x01, 0x02, 0x03, 0x10, 0x11, 0x12, 0x14, 0x15, 0x16, 0x17, 0x18, 0x1F)
# Messages of a dock.
MOTION, POWER, EVENT, ACK, HELLO_ACK, TIME_ACK, LIMITS_ARE, PARAM_IS = 0x80, 0x81, 0x82, 0x90, 0xA1, 0xA2, 0xA3, 0xA4
# Codes of an ACK.
OK, BAD_LENGTH, RANGE, VERSION, BUSY, STOPPED, NO_MEMORY, NOT_ARMED = 0, 2, 3, 4, 5, 7, 10, 11
# Modes of a SETPOINT.
IDLE, VELOCITY, PLACE = 0, 1, 2
# Flags of a MOTION.
F_TORQUE, F_MOVING, F_PAN_LOW, F_PAN_HIGH, F_TILT_LOW, F_TILT_HIGH, F_STOPPED, F_DEADMAN = (1 << bit for bit in range(8))
F_LOW, F_TIME, F_NOT_GREETED = 1 << 10, 1 << 13, 1 << 14
F_ENDS = F_PAN_LOW | F_PAN_HIGH | F_TILT_LOW | F_TILT_HIGH
# Kinds of an EVENT.
BUTTON, ZOOM, LIMIT, HOMED, TRACKING = 1, 4, 5, 7, 10
# States of a POWER.
DISCHARGING, LOW, CRITICAL, EXTERNAL = 1, 4, 5, 6
# Keys of a PARAM.
RATE, PAN_TRIM, TILT_TRIM, IDLE_RELAX = 1, 2, 3, 4
# Capability: it stores settings on SAVE.
CAN_SAVE = 1 << 8
# The longest body.
LONGEST = 56

# `at`: when it was received, time.monotonic(); `time` is the dock's, microseconds. Positions are milli-degrees, rates
# those per second.
Frame = collections.namedtuple("Frame", "at kind sequence body")
Motion = collections.namedtuple("Motion", "at time pan tilt pan_rate tilt_rate flags last fault")
Event = collections.namedtuple("Event", "at id kind value time lost")
Hello = collections.namedtuple("Hello", "proto caps version hardware uid model rate boot")
Power = collections.namedtuple("Power", "millivolts milliamperes percent state")
Setpoint = collections.namedtuple("Setpoint", "mode deadman pan tilt pan_rate tilt_rate")


class NoFrame(AssertionError):
    """Bytes between two zeros that are not a frame."""


def encoded(kind, sequence, body=b""):
    plain = bytes([kind, sequence & 0xFF]) + body
    return cobs.encode(plain + Crc16Mcrf4XX.calc(plain).to_bytes(2, "little")) + b"\0"


def decoded(run, at=0.0):
    """Decodes the bytes between two zeros."""
    try:
        plain = cobs.decode(run)
    except cobs.DecodeError as wrong:
        raise NoFrame(f"{wrong}: {run.hex(' ')}") from None
    if len(plain) < 4 or Crc16Mcrf4XX.calc(plain[:-2]) != int.from_bytes(plain[-2:], "little"):
        raise NoFrame(f"the checksum is wrong: {run.hex(' ')}")
    return Frame(at, plain[0], plain[1], plain[2:-2])


def frames(stream):
    """Every frame of a stream. An empty run flushes the line; bytes after the last zero are not complete yet."""
    return map(decoded, filter(None, bytes(stream).split(b"\0")[:-1]))


# Bodies. They grow at their ends: further fields of a newer dock are ignored.

def setpoint(mode=VELOCITY, pan=0, tilt=0, pan_rate=0, tilt_rate=0, deadman=25, sent=None):
    """`deadman`: hundredths of a second; `sent`: the dock's time at which it was sent."""
    body = struct.pack("<BBiiii", mode, deadman, pan, tilt, pan_rate, tilt_rate)
    return body if sent is None else body + struct.pack("<IB", sent & 0xFFFFFFFF, 0)


def setpoint_of(body):
    return Setpoint(*struct.unpack_from("<BBiiii", body))


def motion_of(body, at=0.0):
    return Motion(at, *struct.unpack_from("<IiiiiHBB", body))


def event_of(body, at=0.0):
    return Event(at, *struct.unpack_from("<BBhI", body), body[8] if len(body) > 8 else 0)


def hello_of(body):
    fields = struct.unpack_from("<BI3sHQ16sHH", body)
    return Hello(*fields[:2], tuple(fields[2]), fields[3], fields[4], fields[5].rstrip(b"\0").decode(), *fields[6:])


def power_of(body):
    return Power(*struct.unpack_from("<HhBB", body))
