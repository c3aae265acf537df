"""A still scene around a head, as a camera on it sees it: for tests of the lens calibration.

As a program it is a camera: it serves its pictures over HTTP (MJPEG) and asks a running daemon where the head points.

    python3 scene.py PORT SOCKET [twice|board]
"""

import http.server
import pathlib
import sys
import time

import cv2
import numpy

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from dockface_detectors import lens_board, lens_fit  # noqa: E402

#: Degrees of the scene to the sides and up, and its pixels a degree.
WIDE, HIGH, DENSE = 130, 90, 12
#: A lens of the kind that web cameras have, for pictures of 640 x 480: f, cx, cy, k1, k2, pitch, yaw, roll.
LENS = numpy.array([540, 326, 235, -0.15, 0.02, *numpy.radians([1.2, -0.8, 0.6])])
SIZE = (640, 480)


def clutter(seed=1, width=WIDE * DENSE, height=HIGH * DENSE, count=2500):
    """A picture full of things of all sizes, none twice."""
    dice = numpy.random.default_rng(seed)
    picture = cv2.resize(dice.integers(60, 200, (12, 16)).astype(numpy.uint8), (width, height), interpolation=cv2.INTER_CUBIC)
    for number in range(count):
        middle = dice.uniform((0, 0), (width, height))
        size = 4 + 90 * dice.random() ** 3
        corners = middle + size * dice.normal(size=(dice.integers(3, 7), 2))
        grey = int(dice.integers(0, 256))
        if number % 3:
            cv2.fillPoly(picture, [corners.astype(numpy.int32)], grey, cv2.LINE_AA)
        else:
            axes = (size * dice.uniform(0.3, 1, 2)).astype(int) + 1
            cv2.ellipse(picture, middle.astype(int).tolist(), axes.tolist(), dice.uniform(0, 180), 0, 360, grey, -1, cv2.LINE_AA)
    return picture


def posters(seed=1):
    """A scene in which one picture hangs again and again."""
    one = clutter(seed, 24 * DENSE, 24 * DENSE, 150)
    return numpy.tile(one, (HIGH // 24 + 1, WIDE // 24 + 1))[: HIGH * DENSE, : WIDE * DENSE]


class Camera:
    """A camera on a head: what it sees in a pose."""

    def __init__(self, scene, lens=LENS, size=SIZE, seed=1):
        self.scene, self.lens, self.dice = scene, lens, numpy.random.default_rng(seed)
        x, y = numpy.meshgrid(numpy.arange(size[0]) + 0.5, numpy.arange(size[1]) + 0.5)
        self.directions = lens_fit.rays(lens, numpy.stack([x, y], -1)) @ lens_fit.mount(*lens[5:]).T

    def picture(self, pan, tilt, noise=3):
        """The grey picture in a pose (radians)."""
        seen = self.directions @ lens_fit.turn(numpy.array(pan), numpy.array(tilt)).T
        across, up = numpy.degrees(numpy.arctan2(seen[..., 0], -seen[..., 2])), numpy.degrees(numpy.arcsin(seen[..., 1]))
        height, width = self.scene.shape
        place = [(width / 2 + across * DENSE - 0.5), (height / 2 - up * DENSE - 0.5)]
        found = cv2.remap(self.scene, *(one.astype(numpy.float32) for one in place), cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT)
        found = cv2.GaussianBlur(found, (0, 0), 0.6) + self.dice.normal(0, noise, found.shape)
        return found.clip(0, 255).astype(numpy.uint8)


class BoardCamera:
    """A camera on a head that stands before the board of `lens_board`, which hangs on a wall with its middle in the origin."""

    #: Where the pan axis stands, and its heading; the tilt axis (up, ahead), and the lens (right, up, ahead).
    STAND, HEADING = numpy.array([0.57, -0.2, 0.82]), numpy.radians(-31)
    AXIS, OFFSET = (0.05, 0.01), (0.004, 0.032, 0.041)

    def __init__(self, stand=STAND, heading=HEADING, lens=LENS, size=SIZE, seed=1):
        self.stand, self.heading, self.lens, self.dice = numpy.array(stand), heading, lens, numpy.random.default_rng(seed)
        # Each pixel is the mean of nine, because the board is finer than the pixels.
        self.size, steps = size, [(numpy.arange(3 * count) + 0.5) / 3 for count in size]
        self.directions = lens_fit.rays(lens, numpy.stack(numpy.meshgrid(*steps), -1)) @ lens_fit.mount(*lens[5:]).T
        self.board = cv2.resize(lens_board.board().generateImage((2800, 2000)), (840, 600), interpolation=cv2.INTER_AREA)

    def aim(self):
        """The pose that looks at the board."""
        ahead = -self.stand - (0, self.AXIS[0], 0)
        return (numpy.arctan2(ahead[0], -ahead[2]) - self.heading, numpy.arctan2(ahead[1], numpy.hypot(ahead[0], ahead[2])))

    def picture(self, pan, tilt, noise=3):
        """The grey picture in a pose (radians)."""
        pan, tilt, none = numpy.array(pan), numpy.array(tilt), numpy.array(0.0)
        foot, base, head = lens_fit.turn(numpy.array(self.heading), none), lens_fit.turn(pan, none), lens_fit.turn(pan, tilt)
        arm = base @ (0, self.AXIS[0], -self.AXIS[1]) + head @ (self.OFFSET[0], self.OFFSET[1], -self.OFFSET[2])
        eye, rays = self.stand + foot @ arm, self.directions @ (foot @ head).T
        way = -eye[2] / rays[..., 2]
        place = eye + rays * way[..., None]
        height, width = self.board.shape
        across = (place[..., 0] / (lens_board.COLUMNS * lens_board.SQUARE) + 0.5) * width - 0.5
        down = (0.5 - place[..., 1] / (lens_board.ROWS * lens_board.SQUARE)) * height - 0.5
        found = cv2.remap(self.board, across.astype(numpy.float32), down.astype(numpy.float32), cv2.INTER_AREA,
                          borderMode=cv2.BORDER_CONSTANT, borderValue=235)
        found = cv2.resize(numpy.where(way > 0, found, 100).astype(float), self.size, interpolation=cv2.INTER_AREA)
        found = cv2.GaussianBlur(found, (0, 0), 0.6)
        return (found + self.dice.normal(0, noise, found.shape)).clip(0, 255).astype(numpy.uint8)


def grid(columns=5, rows=3, pan=25, tilt=12):
    """The poses of a calibration, in radians."""
    return [(numpy.radians(x), numpy.radians(y)) for y in numpy.linspace(-tilt, tilt, rows) for x in numpy.linspace(-pan, pan, columns)]


class Pictures(http.server.BaseHTTPRequestHandler):
    """Answers each request with pictures until the reader is gone."""

    camera, socket = None, ""

    def do_GET(self):  # noqa: N802 - the name that the library calls
        sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "clients/python"))
        import dockface

        self.send_response(200)
        self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=frame")
        self.end_headers()
        dock, last, jpeg = None, None, b""
        try:
            while True:
                pose = None
                try:
                    dock = dock or dockface.Dock(self.socket)
                    pose = dock.status().motion.position
                except (dockface.DockError, OSError):
                    dock = None
                where = (pose.pan, pose.tilt) if pose else (0, 0)
                if where != last:
                    jpeg = cv2.imencode(".jpg", self.camera.picture(*where), [cv2.IMWRITE_JPEG_QUALITY, 85])[1].tobytes()
                    last = where
                self.wfile.write(b"--frame\r\nContent-Type: image/jpeg\r\nContent-Length: %d\r\n\r\n" % len(jpeg) + jpeg + b"\r\n")
                # The pace of a camera.
                time.sleep(0.05)
        except OSError:
            pass

    def log_message(self, *_):
        """Says nothing."""


if __name__ == "__main__":
    kind = "".join(sys.argv[3:])
    Pictures.camera = BoardCamera() if kind == "board" else Camera(posters() if kind == "twice" else clutter())
    Pictures.socket = sys.argv[2]
    server = http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Pictures)
    print(server.server_address[1], flush=True)
    server.serve_forever()
