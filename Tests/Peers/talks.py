"""How hosts and rigs take turns, protocol by protocol: which request each recorded answer belongs to.

A request has a key, so that the same request at another time, with other numbers in it, finds its answers again. Bytes from a
rig belong to the last request unless a protocol says otherwise; key None: unsolicited.
"""

import json

import dlp
from crccheck.crc import Crc16Buypass
from pymavlink.dialects.v20 import common as mavlink


class Talk:
    """Requests and answers in turn; a subclass splits the host's bytes into frames."""

    def __init__(self):
        self.heard, self.last = b"", None

    def questions(self, data):
        """(key, frame) of every complete frame of the host."""
        self.heard += data
        frames, self.heard = self.cut(self.heard)
        for frame in frames:
            self.last = self.key(frame)
            yield self.last, frame

    def answers(self, data):
        """(key, bytes) of the rig's output."""
        yield self.last, data

    def fitted(self, answer, question):
        """Adapts a recorded answer to a request that differs slightly from the recorded one."""
        return answer

    def key(self, frame):
        return frame


class Feetech(Talk):
    def cut(self, stream):
        frames, at = [], 0
        while at + 4 <= len(stream):
            end = at + stream[at + 3] + 4
            if stream[at:at + 2] != b"\xff\xff" or stream[at + 2] == 0xFF or not 2 <= stream[at + 3] < 250:
                at += 1
            elif end > len(stream):
                break
            elif sum(stream[at + 2:end]) & 0xFF == 0xFF:
                frames.append(stream[at:end])
                at = end
            else:
                at += 1
        return frames, stream[at:]

    def key(self, frame):
        # Id and instruction, and the address; for a read the whole frame.
        return frame[2:6] if frame[4] == 3 else frame


class Dynamixel(Talk):
    def cut(self, stream):
        frames, at = [], 0
        while (at := stream.find(b"\xff\xff\xfd\x00", at)) >= 0:
            end = at + 7 + int.from_bytes(stream[at + 5:at + 7], "little")
            if len(stream) < at + 7 or end > len(stream):
                return frames, stream[at:]
            if Crc16Buypass.calc(stream[at:end - 2]) == int.from_bytes(stream[end - 2:end], "little"):
                frames.append(stream[at:end])
                at = end
            else:
                at += 1
        return frames, stream[-3:]

    def key(self, frame):
        return frame[4:5] + frame[7:10] if frame[7] == 3 else frame


class Maestro(Talk):
    """One write contains several requests; the answers come in order, and differ only in their length."""

    DATA = {0x84: 3, 0x87: 3, 0x89: 3, 0x90: 1, 0x93: 0, 0xA1: 0, 0xA2: 0}
    ANSWER = {0x90: 2, 0x93: 1, 0xA1: 2}

    def __init__(self):
        super().__init__()
        self.said, self.open = b"", []

    def key(self, frame):
        if frame[0] in self.ANSWER:
            self.open.append(frame)
        return frame

    def answers(self, data):
        self.said += data
        while self.open and len(self.said) >= (count := self.ANSWER[self.open[0][0]]):
            yield self.open.pop(0), self.said[:count]
            self.said = self.said[count:]

    def cut(self, stream):
        frames, at = [], 0
        while at < len(stream):
            lead = 2 if stream[at] == 0xAA else 0
            if at + lead >= len(stream):
                break
            count = self.DATA.get(stream[at + lead] | 0x80)
            if count is None or stream[at] < 0x80:
                at += 1
                continue
            end = at + lead + 1 + count
            if end > len(stream):
                break
            frames.append(stream[at:end])
            at = end
        return frames, stream[at:]


class Visca(Talk):
    def cut(self, stream):
        *frames, rest = stream.split(b"\xff")
        return [frame + b"\xff" for frame in frames], rest

    def key(self, frame):
        if frame[1:4] != b"\x01\x06\x01":
            return frame
        return b"stop" if frame[6:8] == b"\x03\x03" else b"drive"


class Waveshare(Talk):
    """Reports are unsolicited; commands are echoed unchanged."""

    def __init__(self):
        super().__init__()
        self.said, self.told = b"", set()

    def cut(self, stream):
        *frames, rest = stream.split(b"\n")
        return [frame + b"\n" for frame in frames], rest

    def key(self, frame):
        # Empty lines end whatever precedes a stop.
        if not frame.strip():
            return None
        self.told.add(frame)
        return json.loads(frame)["T"]

    def answers(self, data):
        self.said += data
        *lines, self.said = self.said.split(b"\n")
        for line in lines:
            line += b"\n"
            yield (json.loads(line)["T"] if line in self.told else None), line

    def fitted(self, answer, question):
        return question


class Mavlink(Talk):
    """A COMMAND_LONG has answers; everything else is unsolicited."""

    ANSWERS = {mavlink.MAVLINK_MSG_ID_COMMAND_ACK, mavlink.MAVLINK_MSG_ID_GIMBAL_DEVICE_INFORMATION}

    def __init__(self):
        super().__init__()
        self.host, self.rig = mavlink.MAVLink(None), mavlink.MAVLink(None)
        self.host.robust_parsing = self.rig.robust_parsing = True

    def questions(self, data):
        for message in self.host.parse_buffer(data) or []:
            if message.get_type() == "COMMAND_LONG":
                self.last = (message.command, message.param1)
                yield self.last, bytes(message.get_msgbuf())

    def answers(self, data):
        for message in self.rig.parse_buffer(data) or []:
            yield self.last if message.get_msgId() in self.ANSWERS else None, bytes(message.get_msgbuf())


class Dlp(Talk):
    """Answers contain the number or the type of their request; everything else is unsolicited."""

    ASKED = {dlp.HELLO_ACK: dlp.HELLO, dlp.TIME_ACK: dlp.TIME, dlp.LIMITS_ARE: dlp.GET_LIMITS, dlp.PARAM_IS: dlp.PARAM}

    def __init__(self):
        super().__init__()
        self.said, self.numbers, self.kinds = b"", {}, {}

    @staticmethod
    def read(frame):
        """None: it is not a frame."""
        try:
            return dlp.decoded(frame.rstrip(b"\0"))
        except dlp.NoFrame:
            return None

    def cut(self, stream):
        *frames, rest = stream.split(b"\0")
        return [frame + b"\0" for frame in frames], rest

    def key(self, frame):
        said = self.read(frame)
        if said is None or said.kind == dlp.SETPOINT:
            return None
        # An axis, a parameter or an action distinguishes requests.
        about = {dlp.GET_LIMITS: 1, dlp.LIMITS: 1, dlp.PARAM: 2, dlp.TORQUE: 2, dlp.ESTOP: 1}.get(said.kind, 0)
        key = bytes([said.kind]) + said.body[:about]
        self.numbers[said.kind, said.sequence] = self.kinds[said.kind] = key
        return key

    def answers(self, data):
        self.said += data
        *frames, self.said = self.said.split(b"\0")
        for frame in frames:
            frame += b"\0"
            said, key = self.read(frame), None
            if said and said.kind == dlp.ACK:
                key = self.numbers.get((said.body[0], said.body[1]))
            elif said and said.kind in self.ASKED:
                # Once for each request: a dock also sends its identity unasked when it reboots.
                key = self.kinds.pop(self.ASKED[said.kind], None)
            yield key, frame

    def fitted(self, answer, question):
        said, asked = self.read(answer), self.read(question)
        if said and asked and said.kind == dlp.ACK:
            return dlp.encoded(said.kind, said.sequence, said.body[:1] + bytes([asked.sequence]) + said.body[2:])
        if said and asked and said.kind == dlp.TIME_ACK:
            return dlp.encoded(said.kind, said.sequence, asked.body[:4] + said.body[4:])
        return answer


TALKS = {
    "dlp": Dlp, "feetech": Feetech, "dynamixel": Dynamixel, "maestro": Maestro, "visca": Visca, "waveshare": Waveshare,
    "mavlink": Mavlink,
}
