"""Where a rig stands, and where its lens is, from pictures of a printed board: for `dockface calibrate --board`.

    python3 -m dockface_detectors.lens_board pdf FILE
    python3 -m dockface_detectors.lens_board find --lens JSON --height METRES [--axis UP AHEAD]

The first form writes the board, for A4 (7 x 5 squares of 40 mm). The second one reads pictures as `lens.py` does. It hangs upright;
`--height` is that of its middle above the floor. The room has its origin on the floor below the middle of the board: x to the right
of who looks at the board, y up, z out of the wall. `--lens` is the lens as `lens.py` finds it. The last line is

    {"stand": {"x": 0.4, "y": 1.1, "z": 1.9, "heading": -0.3}, "lens": {"right": 0.002, "up": 0.03, "ahead": 0.04},
     "mount": {"pitch": 0.01, "yaw": -0.02, "roll": 0.0},
     "deviations": {"place": 0.004, "heading": 0.002, "lens": 0.001}, "views": 9, "corners": 201, "rms": 0.2, "angle": 0.6}
    {"missing": "board", "views": 2}

Lengths are in metres, angles in radians. `rms` is in pixels as if pictures were 640 wide; `angle` is between the line of sight and the
board's normal, which must not be small.
"""

import argparse
import json
import pathlib
import sys
import zlib

import cv2
import numpy

from . import lens_fit
from .lens import answer, progress, tell

#: Squares, their side and the side of their marks, in metres.
COLUMNS, ROWS, SQUARE, MARK = 7, 5, 0.040, 0.030
#: A view counts if it shows at least so many corners, and so many views are needed.
LEAST_CORNERS, LEAST_VIEWS = 8, 4
#: The standard deviations of a corner (pixels of 640), of the mount that the lens came with, of a reported angle (radians), and of
#: where a lens can be from the tilt axis (metres).
NOISE, MOUNT, ANGLE, OFFSET = 0.3, numpy.radians(0.3), numpy.radians(0.2), 0.1
#: The same of a mount that was not measured, as that of a lens from a file.
ANY_MOUNT = numpy.radians(5)
TURNS = ("pitch", "yaw", "roll")


def board():
    """The board."""
    marks = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    return cv2.aruco.CharucoBoard((COLUMNS, ROWS), SQUARE, MARK, marks)


def pdf():
    """The board as a PDF of one page, A4 on its side. The picture has 10 pixels a millimetre, so that edges are sharp."""
    width, height = round(COLUMNS * SQUARE * 1e4), round(ROWS * SQUARE * 1e4)
    picture = board().generateImage((width, height))
    bits = zlib.compress(numpy.packbits(picture > 127, axis=1).tobytes(), 9)
    points = 72 / 25.4
    page = (297 * points, 210 * points)
    size = (COLUMNS * SQUARE * 1000 * points, ROWS * SQUARE * 1000 * points)
    corner = [(a - b) / 2 for a, b in zip(page, size)]
    content = f"q {size[0]:.4f} 0 0 {size[1]:.4f} {corner[0]:.4f} {corner[1]:.4f} cm /Board Do Q".encode()
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {page[0]:.4f} {page[1]:.4f}] /Contents 4 0 R "
        "/Resources << /XObject << /Board 5 0 R >> >> >>".encode(),
        b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content),
        b"<< /Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace /DeviceGray /BitsPerComponent 1 /Filter /FlateDecode "
        b"/Length %d >>\nstream\n%s\nendstream" % (width, height, len(bits), bits),
    ]
    file, places = b"%PDF-1.4\n", []
    for number, one in enumerate(objects, 1):
        places.append(len(file))
        file += b"%d 0 obj\n%s\nendobj\n" % (number, one)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return file + b"xref\n0 %d\n0000000000 65535 f \n%strailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (
        len(objects) + 1, table, len(objects) + 1, len(file))


def corners(picture):
    """The corners of the board in a picture: their places in the room without the height (N x 3), and in the picture (N x 2)."""
    detector = cv2.aruco.CharucoDetector(board())
    found, names, _, _ = detector.detectBoard(picture)
    if found is None or len(found) < LEAST_CORNERS:
        return numpy.zeros((0, 3)), numpy.zeros((0, 2))
    here = board().getChessboardCorners()[names.ravel()].astype(float)
    # The board counts from its upper left corner, x to the right and y down.
    room = numpy.stack([here[:, 0] - COLUMNS * SQUARE / 2, ROWS * SQUARE / 2 - here[:, 1], numpy.zeros(len(here))], 1)
    # OpenCV counts pixels from the middle of the first one.
    return room, found.reshape(-1, 2).astype(float) + 0.5


def project(lens, axes, directions):
    """Where directions of the room appear, in pixels, seen by a camera with these axes; nan behind it."""
    seen = directions @ axes
    with numpy.errstate(invalid="ignore", divide="ignore"):
        depth = numpy.where(seen[:, 2] < -1e-3, -seen[:, 2], numpy.nan)
        x, y = seen[:, 0] / depth, -seen[:, 1] / depth
    r = x * x + y * y
    bent = 1 + r * (lens["k1"] + r * (lens["k2"] + r * lens["k3"]))
    across = x * bent + 2 * lens["p1"] * x * y + lens["p2"] * (r + 2 * x * x)
    down = y * bent + lens["p1"] * (r + 2 * y * y) + 2 * lens["p2"] * x * y
    return numpy.stack([lens["fx"] * across + lens["cx"], lens["fy"] * down + lens["cy"]], 1)


def flatten(lens, shown):
    """The places of a picture on the plane at distance 1, x right and y down, without distortion."""
    camera = numpy.array([[lens["fx"], 0, lens["cx"]], [0, lens["fy"], lens["cy"]], [0, 0, 1]])
    bends = numpy.array([lens[name] for name in ("k1", "k2", "p1", "p2", "k3")])
    return cv2.undistortPoints(shown[:, None], camera, bends)[:, 0]


class Stand:
    """The unknowns: x, y, z, heading; the lens' right, up, ahead; the mount's pitch, yaw, roll; two angles a view."""

    OWN = 10

    def __init__(self, lens, axis, told, seen):
        self.lens, self.axis, self.told, self.seen = lens, axis, told, seen
        self.known = numpy.array([lens[name] for name in TURNS])
        self.loose = ANY_MOUNT if not self.known.any() else MOUNT
        self.scale = lens["width"] / 640

    def errors(self, values):
        """All errors, in standard deviations, those of what is known before among them."""
        place, heading, offset, mount = values[:3], values[3], values[4:7], values[7:10]
        angles = values[self.OWN:].reshape(-1, 2)
        foot = lens_fit.turn(numpy.array(heading), numpy.array(0.0))
        parts = []
        for (pan, tilt), (room, shown) in zip(angles, self.seen):
            pan, tilt = numpy.array(pan), numpy.array(tilt)
            base, head = lens_fit.turn(pan, numpy.array(0.0)), lens_fit.turn(pan, tilt)
            eye = base @ (0, self.axis[0], -self.axis[1]) + head @ (offset[0], offset[1], -offset[2])
            axes = foot @ head @ lens_fit.mount(*mount)
            found = project(self.lens, axes, room - place - foot @ eye)
            parts.append((numpy.nan_to_num(found - shown, nan=1e3) / (NOISE * self.scale)).ravel())
        return numpy.concatenate(parts + [(mount - self.known) / self.loose, offset / OFFSET, ((angles - self.told) / ANGLE).ravel()])

    def slopes(self, values, base):
        """The derivatives of the errors."""
        columns = []
        for k in range(len(values)):
            moved = values.copy()
            moved[k] += 1e-6
            columns.append((self.errors(moved) - base) / 1e-6)
        return numpy.stack(columns, 1)

    def solve(self, values, rounds=40):
        """The values with the smallest sum of squares near these, the sum, and the covariance."""
        damping, base = 1e-3, self.errors(values)
        for _ in range(rounds):
            slopes = self.slopes(values, base)
            normal, right = slopes.T @ slopes, -slopes.T @ base
            while damping < 1e8:
                step = numpy.linalg.solve(normal + damping * numpy.diag(normal.diagonal()), right)
                now = self.errors(values + step)
                if now @ now < base @ base:
                    break
                damping *= 8
            else:
                break
            gain = (base @ base - now @ now) / (base @ base)
            values, base, damping = values + step, now, max(damping / 10, 1e-12)
            if gain < 1e-8:
                break
        slopes = self.slopes(values, base)
        return values, base, numpy.linalg.inv(slopes.T @ slopes)


def begins(lens, pose, room, shown):
    """Stands from which one view shows the board there: a flat board has two."""
    flat = room * (1, -1, 1)
    _, turns, shifts, _ = cv2.solvePnPGeneric(flat, flatten(lens, shown)[:, None], numpy.eye(3), None, flags=cv2.SOLVEPNP_IPPE)
    flip = numpy.diag([1.0, -1, -1])
    head = lens_fit.turn(*(numpy.array(angle) for angle in pose)) @ lens_fit.mount(*(lens[name] for name in TURNS))
    for turn, shift in zip(turns, shifts):
        matrix = cv2.Rodrigues(turn)[0]
        # From the board as OpenCV sees it (y down, z into the wall) to the room, and from optical to our axes.
        eye = flip @ (-matrix.T @ shift.ravel()) * (1, 1, 1)
        axes = flip @ matrix.T @ flip
        ahead = -(axes @ head.T)[:, 2]
        yield numpy.concatenate([eye, [numpy.arctan2(ahead[0], -ahead[2])]])


def find(pictures, angles, lens, height, axis=(0.0, 0.0), told=lambda share: None):
    """The members of the last line, for grey pictures that were taken at angles (pan, tilt)."""
    lens = {**dict.fromkeys(("p1", "p2", "k3"), 0.0), "fy": lens["fx"], **lens}
    found = []
    for picture, pose in zip(pictures, angles):
        found.append((corners(picture), pose))
        told(len(found) / len(pictures))
    found = [(seen, pose) for seen, pose in found if len(seen[0])]
    if len(found) < LEAST_VIEWS:
        return {"missing": "board", "views": len(found)}
    reported = numpy.array([pose for _, pose in found])
    problem = Stand(lens, axis, reported, [seen for seen, _ in found])
    (room, shown), pose = max(found, key=lambda one: len(one[0][0]))
    best = None
    for begin in begins(lens, pose, room, shown):
        try:
            values, base, covariance = problem.solve(numpy.concatenate([begin, [0, 0, 0], problem.known, reported.ravel()]))
        except numpy.linalg.LinAlgError:
            continue
        if numpy.isfinite(base @ base) and (best is None or base @ base < best[1] @ best[1]):
            best = values, base, covariance
    if best is None:
        return {"missing": "stand", "views": len(found)}
    values, base, covariance = best
    count = sum(len(seen[0]) for seen, _ in found)
    pixels = base[: 2 * count].reshape(-1, 2) * NOISE
    rms = float(numpy.sqrt((pixels**2).sum(1).mean()))
    spread = numpy.sqrt(numpy.maximum(covariance.diagonal(), 0)) * max(rms / (NOISE * numpy.sqrt(2)), 0.5)
    sight = values[:3] / numpy.linalg.norm(values[:3])
    return {"stand": {"x": values[0], "y": values[1] + height, "z": values[2], "heading": values[3]},
            "lens": {"right": values[4], "up": values[5], "ahead": values[6]},
            "mount": {"pitch": values[7], "yaw": values[8], "roll": values[9]},
            "deviations": {"place": float(numpy.linalg.norm(spread[:3])), "heading": spread[3], "lens": float(spread[4:7].max())},
            "views": len(found), "corners": count, "rms": rms, "angle": float(numpy.arccos(numpy.clip(sight[2], -1, 1)))}


def main(words):
    """Does what the words say; the exit status is 0 if it was done."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    forms = options.add_subparsers(dest="form", required=True)
    forms.add_parser("pdf").add_argument("file")
    finding = forms.add_parser("find")
    finding.add_argument("--lens", type=json.loads, required=True)
    finding.add_argument("--height", type=float, required=True)
    finding.add_argument("--axis", type=float, nargs=2, default=(0.0, 0.0))
    chosen = options.parse_args(words)
    if chosen.form == "pdf":
        try:
            pathlib.Path(chosen.file).write_bytes(pdf())
        except OSError as error:
            tell(problem=error.strerror)
            return 0
        tell(written=chosen.file)
        return 0
    return answer(
        lambda pictures, angles: find(pictures, angles, chosen.lens, chosen.height, chosen.axis, progress("points")), "lens_board")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
