"""For the tests of verifiers: drawn pictures, the protocol's lines, and a server with chat completions that misbehaves."""

import base64
import hashlib
import http.server
import io
import json
import pathlib
import sys
import threading
import time

import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from dockface_detectors import models, verify  # noqa: E402

# The models are where the detectors are installed, and not beside the sources.
INSTALLED = [place for path in sys.path if (place := pathlib.Path(path, "dockface_detectors", "models")).is_dir()]
if INSTALLED:
    models.folder = lambda: INSTALLED[0]


def label(seed, width=200, height=260):
    """A printed label: words and shapes, as on a box."""
    import cv2
    random = numpy.random.default_rng(seed)
    picture = numpy.full((height, width, 3), random.integers(150, 255, 3), numpy.uint8)
    for _ in range(40):
        corner = random.integers(0, (width, height))
        cv2.rectangle(picture, corner.tolist(), (corner + random.integers(6, 40, 2)).tolist(), random.integers(0, 255, 3).tolist(), -1)
    for line in range(7):
        word = "".join(random.choice(list("ABCDEFGHKLMNPRSTUVXYZ"), 9))
        cv2.putText(picture, word, (6, 30 + 34 * line), cv2.FONT_HERSHEY_DUPLEX, 0.7, random.integers(0, 90, 3).tolist(), 2, cv2.LINE_AA)
    return picture


def seen(thing, width, turn=0.0, blur=0, margin=0.15, noise=4, seed=9):
    """A thing as a camera shows it: so many pixels wide, turned by some of its width, blurred, on a plain wall."""
    import cv2
    high, wide = thing.shape[:2]
    height = round(width * high / wide)
    picture = numpy.full((round(height * (1 + 2 * margin)), round(width * (1 + 2 * margin)), 3), (120, 125, 118), numpy.uint8)
    left, top = width * margin, height * margin
    corners = numpy.float32([(0, 0), (wide, 0), (wide, high), (0, high)])
    there = numpy.float32([(left, top + turn * height / 2), (left + width * (1 - turn), top), (left + width * (1 - turn), top + height),
                           (left, top + height * (1 - turn / 2))])
    scale = width / wide
    small = cv2.GaussianBlur(thing, (0, 0), 0.5 / scale) if scale < 1 else thing
    cv2.warpPerspective(small, cv2.getPerspectiveTransform(corners, there), picture.shape[1::-1], picture, cv2.INTER_LINEAR, cv2.BORDER_TRANSPARENT)
    if blur:
        picture = cv2.blur(picture, (blur, 1))
    picture = picture + numpy.random.default_rng(seed).normal(0, noise, picture.shape)
    return numpy.clip(picture, 0, 255).astype(numpy.uint8)


RECT = (0.15 / 1.3, 0.15 / 1.3, 1 / 1.3, 1 / 1.3)


def look(picture, seconds=10, rect=RECT):
    return verify.Look(picture, rect, time.monotonic() + seconds)


def question(number, picture, rect=RECT, seconds=10):
    """The line and the pixels of a question."""
    height, width = picture.shape[:2]
    line = {"type": "ask", "id": number, "w": width, "h": height, "rect": rect, "seconds": seconds}
    return json.dumps(line).encode() + b"\n" + picture.tobytes()


def talk(begin, *input, **options):
    """What a verifier says to this input, and its status."""
    output = io.BytesIO()
    status = verify.Loop(begin, "test", input=io.BytesIO(b"".join(input)), output=output, **options).run()
    return [json.loads(line) for line in output.getvalue().splitlines()], status


class ChatServer:
    """A server on this machine that answers as `manner` says: a function of the request that returns the status, the bytes and the headers."""

    def __init__(self, manner):
        self.manner, self.requests, self.headers, self.over = manner, [], [], threading.Event()
        bench = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                bench.requests.append(body)
                bench.headers.append((self.path, dict(self.headers)))
                status, data, headers = bench.manner(body)
                data = data if isinstance(data, bytes) else json.dumps(data).encode()
                try:
                    self.send_response(status)
                    for name, value in ({"Content-Length": str(len(data))} | headers).items():
                        self.send_header(name, value)
                    self.end_headers()
                    self.wfile.write(data)
                except OSError:
                    pass

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.address = f"http://127.0.0.1:{self.server.server_port}/v1"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.over.set()
        self.server.shutdown()
        self.server.server_close()

    def picture(self, number=-1):
        """The JPEG file that a request has sent."""
        address = self.requests[number]["messages"][1]["content"][1]["image_url"]["url"]
        assert address.startswith("data:image/jpeg;base64,")
        return base64.b64decode(address.split(",", 1)[1])

    def digest(self):
        return hashlib.sha256(self.picture()).hexdigest()


def said(verdict="match", confidence=0.9, reason="same thing", seen="a red mug", text=None, **other):
    """What a model answers."""
    return json.dumps({"seen": seen, "verdict": verdict, "confidence": confidence, "reason": reason, "text": text} | other)


def completion(content, finish="stop", usage=(1000, 50), **message):
    """An answer of a server around what the model says."""
    answer = {"choices": [{"index": 0, "finish_reason": finish, "message": {"role": "assistant", "content": content} | message}]}
    return answer | ({"usage": {"prompt_tokens": usage[0], "completion_tokens": usage[1]}} if usage else {})
