"""The common part of every detector stage: frames on standard input, detections as JSON Lines on standard output.

A stage is a function that finds the faces in one frame. `run` does the rest:

    from dockface_detectors import stage

    def detect(picture):                   # numpy array, height x width x 3, RGB, uint8
        return [stage.Face(rect=(0.4, 0.2, 0.1, 0.2), score=0.9)]

    stage.run(detect, name="my-detector")

Faces with low scores belong in the list, too, from `MAYBE` on: `run` decides which of them count, and reports the others as `maybe`.

With `people`, a function that receives the frame and the faces that count, an answer also has skeletons (`Person`). With `hands`, a
function with the same parameters, it has hands (`Hand`).
With `objects`, a function that receives the frame, it has things (`Object`).

The array is the same for every frame, so a detector that compares two frames must keep a copy of the last one.

Input (docs/DETECTORS.md): a line `{"type":"image","seq":7,"t":2303.1,"w":640,"h":360}` followed by w*h*3 bytes of RGB; or a line
with a request: `config`, `pause`, `resume`, `ping`. No frame is queued while another one is processed, because dockface sends a
frame only after the last one was answered.
"""

import collections
import dataclasses
import json
import os
import sys
import time

import numpy

#: The lowest score of a `maybe`, a rectangle that may be a face but does not count as one. Programs that cover faces need them:
#: to cover a chair does no harm, to miss a face that turns away does.
MAYBE = 0.3


@dataclasses.dataclass
class Face:
    """A face in a frame. All positions are fractions of the frame, 0...1, from its top left corner."""

    rect: tuple  #: x, y, width, height
    score: float = 1.0  #: confidence of the detector, 0...1
    landmarks: tuple = ()  #: points (x, y), in the order of the names given to `run`
    yaw: float | None = None  #: radians, + = the face turns to the frame's right
    looking: float | None = None  #: probability that the person looks at the camera, 0...1; None: not computed
    speaking: float | None = None  #: probability that the person speaks, 0...1; None: not computed

    def line(self):
        """The face in the format of the stream."""
        result = {"rect": [round(float(number), 5) for number in self.rect], "score": round(float(self.score), 4)}
        if self.landmarks:
            result["lm"] = [round(float(number), 5) for point in self.landmarks for number in point]
        for key in ("yaw", "looking", "speaking"):
            if (value := getattr(self, key)) is not None:
                result[key] = round(float(value), 4)
        return result

    def maybe(self):
        """The same as a `maybe`: its rectangle and its score."""
        line = self.line()
        return {"rect": line["rect"], "score": line["score"]}


@dataclasses.dataclass
class Person:
    """A person's skeleton in a frame."""

    joints: tuple  #: (x, y, visibility) for each of the 13 joints: x and y as fractions of the frame, visibility 0...1
    score: float = 1.0  #: confidence of the detector, 0...1
    world: tuple = ()  #: (x, y, z) for each joint, in metres from the middle of the hips: right, down and away from the camera
    face: int | None = None  #: the position of the person's face in the answer's `faces`, or None

    def line(self):
        """The person in the format of the stream."""
        result = {"id": None, "score": round(float(self.score), 4), "face": self.face,
                  "joints": [[round(float(x), 5), round(float(y), 5), round(float(sure), 3)] for x, y, sure in self.joints]}
        if self.world:
            result["world"] = [[round(float(number), 4) for number in place] for place in self.world]
        return result


@dataclasses.dataclass
class Hand:
    """A hand in a frame."""

    #: (x, y, z) for each of the 21 joints in MediaPipe's order: x and y as fractions of the frame, z toward (-) and away from (+) the
    #: camera against the wrist, in the unit of x.
    points: tuple
    score: float = 1.0  #: confidence that this is a hand, 0...1
    side: str = "right"  #: "left" or "right", the person's own

    def line(self):
        """The hand in the format of the stream."""
        return {"points": [[round(float(number), 5) for number in point] for point in self.points],
                "score": round(float(self.score), 4), "side": self.side}


@dataclasses.dataclass
class Object:
    """A thing in a frame."""

    label: str  #: what it is, in lower case
    rect: tuple  #: x, y, width, height
    score: float = 1.0  #: confidence of the detector, 0...1

    def line(self):
        """The thing in the format of the stream."""
        return {"label": self.label, "rect": [round(float(number), 5) for number in self.rect], "score": round(float(self.score), 4)}


class Hysteresis:
    """Two thresholds: a new face needs the score `acquire`. Near its position in the last frame, `hold` is enough to keep it.

    One threshold fails either way: if it is low, backs of heads count as faces; if it is high, a face is lost whenever it turns.
    """

    def __init__(self, acquire=0.7, hold=0.5):
        self.acquire, self.hold = acquire, hold
        self.kept = []

    def __call__(self, faces):
        self.kept = [
            face for face in faces
            if face.score >= self.acquire or face.score >= self.hold and any(near(face.rect, old.rect) for old in self.kept)
        ]
        return self.kept


def near(a, b):
    """Whether two rectangles have similar sizes and their centres are less than half a face apart."""
    size = max(a[2], b[2]), max(a[3], b[3])
    return (abs(a[0] + a[2] / 2 - b[0] - b[2] / 2) < size[0] / 2 and abs(a[1] + a[3] / 2 - b[1] - b[3] / 2) < size[1] / 2
            and 0.5 < (a[2] * a[3]) / max(b[2] * b[3], 1e-9) < 2)


def looking(points, aspect):
    """The probability that a person looks at the camera, derived from the head alone, because these points do not show the eyes:
    1 if the head points at the camera within about 10 degrees, 0 beyond 30. None if the points are not a face.

    A nose is in front of the eyes by half their distance, so its position between the eyes is the tangent of the turn.
    """
    right, left, nose = (numpy.array(point) * (aspect, 1) for point in points[:3])
    across, off = left - right, nose - (left + right) / 2
    square = across @ across
    if square < 1e-8 or across[0] * off[1] - across[1] * off[0] <= 0:
        return None
    turn = abs(numpy.degrees(numpy.arctan(2 * (across @ off) / square)))
    return float(numpy.clip((30 - turn) / 20, 0, 1))


class Stage:
    """The protocol of a stage. Most detectors only need `run`."""

    def __init__(self, detect, name, landmarks=(), acquire=0.7, hold=0.5, people=None, hands=None, objects=None,
                 input=None, output=None):
        self.detect, self.name, self.landmarks, self.people = detect, name, tuple(landmarks), people
        self.hands, self.objects = hands, objects
        self.filter = Hysteresis(acquire, hold)
        self.input = input or sys.stdin.buffer
        self.output = output or sys.stdout.buffer
        self.isPaused = False
        self.pixels = bytearray()
        self.took = collections.deque(maxlen=1000)

    def say(self, **line):
        self.output.write(json.dumps(line, separators=(",", ":")).encode() + b"\n")
        self.output.flush()

    def run(self):
        """Runs until the input ends. Returns 0, or 65 if the input is invalid."""
        self.say(type="hello", v=1, detector=self.name, clock="monotonic", mirrored=False, rotate=0,
                 landmarks=list(self.landmarks))
        while line := self.input.readline(65_536):
            try:
                request = json.loads(line)
                kind = request["type"]
            except (ValueError, KeyError, TypeError, RecursionError):
                # After an invalid line, lines and pixels cannot be distinguished.
                print(f"{self.name}: invalid line on standard input: {line[:60]!r}", file=sys.stderr)
                return 65
            if kind == "image":
                if not self.look(request):
                    break
            else:
                self.answer(kind, request)
        if self.took:
            median = sorted(self.took)[len(self.took) // 2] * 1000
            self.say(type="status", level="info", code="took",
                     text=f"{median:.1f} ms from a complete frame to its line, median of {len(self.took)}")
        self.say(type="bye", reason="eof")
        return 0

    def answer(self, kind, request):
        if kind == "ping":
            self.say(type="pong", sent=request.get("sent"), t=time.monotonic())
        elif kind == "pause":
            self.isPaused = True
        elif kind == "resume":
            self.isPaused = False
        elif kind == "config":
            self.filter.acquire = float(request.get("acquire", self.filter.acquire))
            self.filter.hold = float(request.get("hold", self.filter.hold))

    def look(self, request):
        """Processes one frame. Returns false if the input ended in the middle of it."""
        width, height = int(request["w"]), int(request["h"])
        if len(self.pixels) != width * height * 3:
            self.pixels = bytearray(width * height * 3)
        view, done = memoryview(self.pixels), 0
        while done < len(view):
            count = self.input.readinto(view[done:])
            if not count:
                return False
            done += count
        if self.isPaused:
            return True
        picture = numpy.frombuffer(self.pixels, numpy.uint8).reshape(height, width, 3)
        begin = time.monotonic()
        found = list(self.detect(picture))
        faces = self.filter(found)
        line = {"faces": [face.line() for face in faces]}
        if doubtful := [face.maybe() for face in found if face.score >= MAYBE and all(face is not kept for kept in faces)]:
            line["maybe"] = doubtful
        if self.people:
            line["people"] = [person.line() for person in self.people(picture, faces)]
        if self.hands:
            line["hands"] = [hand.line() for hand in self.hands(picture, faces)]
        if self.objects:
            line["objects"] = [thing.line() for thing in self.objects(picture)]
        self.say(type="frame", seq=request["seq"], t=request["t"], size=[width, height], **line)
        self.took.append(time.monotonic() - begin)
        return True


def run(detect, **options):
    """Runs a stage on standard input and output, and exits with its status."""
    # Only the stream uses standard output. Output of libraries goes to the log.
    stream = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    try:
        sys.exit(Stage(detect, output=stream, **options).run())
    except (BrokenPipeError, KeyboardInterrupt):
        # The reader is gone.
        sys.stderr.close()
        sys.exit(0)
