"""A detector for tests that sees one thing in the same place of every picture: `fixed_things.py LABEL X Y WIDTH HEIGHT`."""

import json
import sys

label, rect = sys.argv[1], [float(side) for side in sys.argv[2:6]]


def say(**line):
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


say(type="hello", v=1, detector="fixed", clock="monotonic", mirrored=False, rotate=0, landmarks=[])
while line := sys.stdin.buffer.readline():
    request = json.loads(line)
    if request["type"] != "image":
        continue
    sys.stdin.buffer.read(3 * request["w"] * request["h"])
    thing = {"label": label, "rect": rect, "score": 0.9}
    say(type="frame", seq=request["seq"], t=request["t"], size=[request["w"], request["h"]], faces=[], objects=[thing])
