"""A simulated camera in a recorded room (Examples/rooms), as a detector with its own camera:

    dockface simulate --link /tmp/rig
    dockface run --port /tmp/rig --detector "exec:python3 -m dockface_detectors.room --rig /tmp/rig --room room-a.jsonl"

It asks the simulated rig where its head looks, and answers with the objects that a real detector saw from there. It needs
only Python itself.
"""

import argparse
import json
import math
import socket
import struct
import sys
import time

#: Pictures in a second, and how long the detector takes, in seconds.
RATE, LATENCY = 10, 0.09
#: A head that turns faster than this gives blurred pictures, in degrees per second, and how much lower scores are then.
BLUR, FADES = 20, 0.5


class Head:
    """Where a simulated head looks: the socket of `dockface simulate`."""

    def __init__(self, rig):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self.socket.settimeout(1)
        self.socket.connect(rig + ".head")

    def pose(self, moment):
        """Pan and tilt at a time (CLOCK_MONOTONIC), in degrees."""
        self.socket.send(struct.pack("=d", moment))
        while True:
            answer = struct.unpack("=4d", self.socket.recv(32))
            if answer[0] == moment:
                return math.degrees(answer[1]), math.degrees(answer[2])


class Room:
    """What was seen from each pose."""

    def __init__(self, lines):
        self.head = json.loads(next(lines))
        self.views = {}
        for line in lines:
            view = json.loads(line)
            self.views[view["pan"], view["tilt"]] = view["objects"]
        size = self.head["image"]
        self.size = size["w"], size["h"]
        x = 0.5 / math.tan(math.radians(self.head["hfov"]) / 2)
        self.focal = x, x * size["w"] / size["h"]

    def nearest(self, angle, axis):
        low, high = self.head[axis]
        step = self.head["step"]
        return round(min(max(angle, low), high) / step) * step

    def objects(self, pan, tilt, rate):
        """The objects from a pose in degrees: those of the nearest view, shifted by the rest."""
        near = self.nearest(pan, "pan"), self.nearest(tilt, "tilt")
        return [moved for one in self.views.get(near, []) if (moved := self.moved(one, near, (pan, tilt), rate))]

    def moved(self, one, near, pose, rate):
        x, y, width, height = one["rect"]
        middle = turned(((x + width / 2 - 0.5) / self.focal[0], (0.5 - y - height / 2) / self.focal[1]), near, pose)
        score = one["score"] * (FADES if rate > BLUR else 1)
        if middle is None or score < self.head["score"]:
            return None
        x, y = 0.5 + middle[0] * self.focal[0] - width / 2, 0.5 - middle[1] * self.focal[1] - height / 2
        inside = max(0, min(x + width, 1) - max(x, 0)) * max(0, min(y + height, 1) - max(y, 0))
        if inside < width * height / 4:
            return None
        return {"label": one["label"], "rect": [round(number, 5) for number in (x, y, width, height)], "score": round(score, 3)}


def turned(point, old, new):
    """Where a point of the picture plane at distance 1 (right, up) appears after a turn between two poses in degrees; None if it is
    behind the camera then.
    """
    x, y, z = point[0], point[1], -1.0
    tilt, pan = math.radians(old[1]), math.radians(old[0] - new[0])
    y, z = y * math.cos(tilt) - z * math.sin(tilt), y * math.sin(tilt) + z * math.cos(tilt)
    x, z = x * math.cos(pan) - z * math.sin(pan), x * math.sin(pan) + z * math.cos(pan)
    tilt = -math.radians(new[1])
    y, z = y * math.cos(tilt) - z * math.sin(tilt), y * math.sin(tilt) + z * math.cos(tilt)
    return None if z > -0.05 else (x / -z, y / -z)


def run(room, head):
    def say(**line):
        print(json.dumps(line, separators=(",", ":")), flush=True)

    say(type="hello", v=1, detector="room", clock="monotonic", mirrored=False, rotate=0, fps=RATE,
        image={"w": room.size[0], "h": room.size[1]},
        intrinsics={"fx": room.focal[0] * room.size[0], "fy": room.focal[1] * room.size[1],
                    "cx": room.size[0] / 2, "cy": room.size[1] / 2})
    last, number = None, 0
    while True:
        moment = time.monotonic()
        pose = head.pose(moment)
        turn = max(abs(a - b) for a, b in zip(pose, last)) * RATE if last else 0
        last, number = pose, number + 1
        time.sleep(LATENCY)
        say(type="frame", seq=number, t=round(moment, 6), size=list(room.size), faces=[], objects=room.objects(*pose, turn))
        time.sleep(max(0, moment + 1 / RATE - time.monotonic()))


def main():
    parser = argparse.ArgumentParser(prog="room", description="A simulated camera in a recorded room, as a detector of dockface.")
    parser.add_argument("--rig", required=True, help="the path of `dockface simulate --link`")
    parser.add_argument("--room", required=True, help="the recording, as in Examples/rooms")
    options = parser.parse_args()
    try:
        with open(options.room, encoding="utf-8") as lines:
            room = Room(lines)
        run(room, Head(options.rig))
    except (OSError, ValueError, KeyError, StopIteration) as error:
        print(f"room: {error or 'the recording is empty'}", file=sys.stderr)
        sys.exit(69)
    except KeyboardInterrupt:
        pass


if __name__ == "__main__":
    main()
