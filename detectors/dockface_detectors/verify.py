"""The common part of every verifier of `dockface find`: a picture of a thing on standard input, one verdict on standard output.

A verifier is a function that receives the wish and returns another one, which judges pictures. `run` does the rest:

    from dockface_detectors import verify

    def begin(wish):                        # verify.Wish: what to look for
        def judge(look):                    # verify.Look: the picture, and where in it the thing is
            return verify.Verdict("match", 0.9, "it is red")
        return judge

    verify.run(begin, name="my-verifier")

The judge raises `Failed` if it cannot judge this picture now, and `Unusable` if it never will. Input and output are those of
docs/FIND.md, section "A verifier of your own". Nothing that a picture shows can change their form.
"""

import dataclasses
import json
import os
import sys
import time

import numpy

#: The only words of a verdict.
WORDS = ("match", "unclear", "reject")
#: The longest line of input, the largest side of a picture in pixels, and the longest reason in characters.
LINE, SIDE, REASON = 65_536, 4096, 120


@dataclasses.dataclass(frozen=True)
class Wish:
    """What a person looks for. All of it is data."""

    label: str  #: its name, "brown cup"
    photo: str | None = None  #: the path of a photo of it
    text: str | None = None  #: what is written on it
    description: str | None = None  #: how it looks, in words

    @staticmethod
    def read(line):
        parts = {}
        for name in ("label", "photo", "text", "description"):
            part = line.get(name)
            if part is not None and not (isinstance(part, str) and len(part) <= 4096):
                raise ValueError(name)
            parts[name] = part
        return Wish(**parts | {"label": parts["label"] or "thing"})


@dataclasses.dataclass
class Look:
    """A question about one picture."""

    picture: numpy.ndarray  #: height x width x 3, RGB, uint8: the thing with a margin
    rect: tuple  #: x, y, width and height of the thing in it, as fractions
    deadline: float  #: when the answer is no longer wanted, time.monotonic()

    def thing(self):
        """The part of the picture that the thing fills."""
        height, width = self.picture.shape[:2]
        x, y, across, along = self.rect
        left, top = min(round(x * width), width - 1), min(round(y * height), height - 1)
        right, bottom = max(left + 1, round((x + across) * width)), max(top + 1, round((y + along) * height))
        return self.picture[top:bottom, left:right]


@dataclasses.dataclass(frozen=True)
class Verdict:
    """The answer to a question."""

    word: str  #: one of WORDS
    confidence: float = 1.0  #: 0...1
    reason: str = ""  #: for a person to read
    cost: float = 0.0  #: what it has cost, in the owner's money


class Failed(Exception):
    """This picture cannot be judged now."""

    def __init__(self, text, after=None, cost=0.0):
        super().__init__(text)
        self.after, self.cost = after, cost  #: how long to leave the verifier alone, in seconds; what the attempt has cost


class Unusable(Exception):
    """No picture can be judged: a model is missing, an address is wrong, a key is refused."""


def plain(text, most=REASON):
    """A text without control characters and line breaks, at most this long."""
    words = " ".join("".join(sign if sign.isprintable() else " " for sign in str(text)).split())
    return words if len(words) <= most else words[:most - 3] + "..."


class Loop:
    """The protocol of a verifier."""

    def __init__(self, begin, name, cost=0.0, warm=None, input=None, output=None):
        self.begin, self.name, self.cost, self.warm = begin, name, cost, warm
        self.input, self.output = input or sys.stdin.buffer, output or sys.stdout.buffer
        self.judge = None

    def say(self, **line):
        self.output.write(json.dumps(line, separators=(",", ":"), allow_nan=False).encode() + b"\n")
        self.output.flush()

    def run(self):
        """Answers until the input ends. Returns 0, 65 if the input is invalid, or 69 if the verifier is of no use."""
        while line := self.input.readline(LINE):
            try:
                request = json.loads(line)
                kind = request["type"]
                if kind == "wish":
                    self.judge = self.begin(Wish.read(request))
                    self.say(type="ready", name=self.name, cost=self.cost)
                    if self.warm:
                        self.warm()
                elif kind == "ask" and self.judge:
                    if not self.ask(request):
                        break
                else:
                    raise ValueError(kind)
            except Unusable as error:
                self.say(type="unusable", reason=plain(error, 400))
                return 69
            except (ValueError, KeyError, TypeError, OverflowError, RecursionError):
                # After an invalid line, lines and pixels cannot be distinguished.
                print(f"{self.name}: invalid line on standard input: {line[:60]!r}", file=sys.stderr)
                return 65
        return 0

    def ask(self, request):
        """Answers one question. Returns false if the input ended in the middle of it."""
        number, width, height = int(request["id"]), int(request["w"]), int(request["h"])
        rect = tuple(float(side) for side in request["rect"])
        if not (1 <= width <= SIDE and 1 <= height <= SIDE and len(rect) == 4 and all(0 <= side <= 1 for side in rect)):
            raise ValueError("size")
        deadline = time.monotonic() + float(request.get("seconds", 10))
        pixels = self.input.read(width * height * 3)
        if len(pixels) < width * height * 3:
            return False
        look = Look(numpy.frombuffer(pixels, numpy.uint8).reshape(height, width, 3), rect, deadline)
        try:
            verdict = self.judge(look)
            self.say(id=number, verdict=verdict.word, confidence=round(min(max(float(verdict.confidence), 0), 1), 3),
                     reason=plain(verdict.reason), cost=verdict.cost)
        except Failed as error:
            self.say(id=number, error=plain(error), after=error.after, final=False, cost=error.cost)
        except Unusable as error:
            self.say(id=number, error=plain(error), after=None, final=True, cost=0)
        return True


def run(begin, **options):
    """Runs a verifier on standard input and output, and exits with its status."""
    # Only the answers use standard output. Output of libraries goes to the log.
    stream = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    try:
        sys.exit(Loop(begin, output=stream, **options).run())
    except (BrokenPipeError, KeyboardInterrupt):
        # The reader is gone.
        sys.stderr.close()
        sys.exit(0)
