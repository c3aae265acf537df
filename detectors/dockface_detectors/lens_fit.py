"""The lens of a camera that turned about known axes before a still, far scene.

Unknown are the focal length (one, in pixels), the principal point, two radial coefficients, how the camera sits on the head
(three angles), the angles of each view (held to those that the dock reported), and the direction of each point. Distances are not:
the lens counts as the point about which everything turns. The sum of squares, with Huber's weights for what does not fit, is
minimised by the method of Levenberg and Marquardt; the directions of the points are eliminated in each step.
"""

import dataclasses

import numpy

#: Numbers of the lens: f, cx, cy, k1, k2, and the mount's pitch, yaw and roll.
LENS = 8
#: An error up to this many standard deviations counts in full.
HUBER = 2.5
#: The standard deviation of an observation, in pixels for pictures of 640.
NOISE = 0.5
#: The standard deviations of the principal point (pixels of 640), of the mount and of the dock's angles (radians): what is known
#: before a picture was taken.
PRINCIPAL, MOUNT, ANGLES = 40.0, numpy.radians(10), numpy.radians(0.3)
#: A point is an inlier up to this many pixels of 640.
INSIDE = 3.0


@dataclasses.dataclass
class Fit:
    """A lens, and how well it explains the pictures."""

    lens: numpy.ndarray  #: f, cx, cy (pixels), k1, k2, pitch, yaw, roll (radians)
    deviations: numpy.ndarray  #: the standard deviations of these numbers
    angles: numpy.ndarray  #: V x 2: pan and tilt of each view (radians)
    points: numpy.ndarray  #: P x 3: directions, x right, y up, z backward
    rms: float  #: root of the mean square of the inliers' errors, in pixels of 640
    inliers: float  #: the share of observations that fit, 0...1
    turned: float  #: root of the mean square of what the angles were corrected by (radians)
    rays: float  #: the standard deviation of a ray, averaged over the picture (radians)


def turn(pan, tilt):
    """The axes of a head in a pose: arrays of 3 x 3 matrices that turn its directions into those of the room."""
    s, c = numpy.sin(pan), numpy.cos(pan)
    t, d = numpy.sin(tilt), numpy.cos(tilt)
    none = numpy.zeros_like(s)
    return numpy.stack([numpy.stack([c, -s * t, -s * d], -1), numpy.stack([none, d, -t], -1), numpy.stack([s, c * t, c * d], -1)], -2)


def mount(pitch, yaw, roll):
    """How a camera sits on a head: turned to the right by `yaw`, then up by `pitch`, then clockwise by `roll`."""
    s, c = numpy.sin(roll), numpy.cos(roll)
    return turn(numpy.array(yaw), numpy.array(pitch)) @ numpy.array([[c, s, 0], [-s, c, 0], [0, 0, 1]])


def project(lens, axes, directions):
    """Where directions of the room appear, in pixels, seen by cameras with these axes. Behind the camera is nowhere (nan)."""
    f, cx, cy, k1, k2 = lens[:5]
    seen = numpy.einsum("nij,ni->nj", axes, directions)
    with numpy.errstate(invalid="ignore", divide="ignore"):
        depth = numpy.where(seen[:, 2] < -1e-3, -seen[:, 2], numpy.nan)
        plane = numpy.stack([seen[:, 0], -seen[:, 1]], 1) / depth[:, None]
    r = (plane**2).sum(1, keepdims=True)
    return plane * (1 + r * (k1 + r * k2)) * f + (cx, cy)


def rays(lens, places):
    """The directions, x right, y up, z backward, that places of the picture show to a camera; nan where the lens shows none."""
    f, cx, cy, k1, k2 = lens[:5]
    shown = (places - (cx, cy)) / f
    plane = shown.copy()
    for _ in range(30):
        r = (plane**2).sum(-1, keepdims=True)
        plane = shown / (1 + r * (k1 + r * k2))
    r = (plane**2).sum(-1, keepdims=True)
    plane = numpy.where(numpy.abs(plane * (1 + r * (k1 + r * k2)) - shown).max(-1, keepdims=True) < 1e-4, plane, numpy.nan)
    direction = numpy.concatenate([plane[..., :1], -plane[..., 1:], -numpy.ones_like(plane[..., :1])], -1)
    return direction / numpy.linalg.norm(direction, axis=-1, keepdims=True)


class Problem:
    """The equations of one calibration."""

    def __init__(self, tracks, angles, size, guess):
        self.tracks, self.told, self.size = tracks, angles, size
        self.scale = size[0] / 640
        self.lens = numpy.array([guess, size[0] / 2, size[1] / 2, 0, 0, 0, 0, 0], float)
        self.angles = angles.copy()
        self.points = self.directions()

    def axes(self, lens, angles):
        """The axes of the camera for each observation."""
        each = turn(angles[:, 0], angles[:, 1]) @ mount(*lens[5:])
        return each[self.tracks.view]

    def directions(self):
        """The points' mean directions, from their places in the pictures."""
        room = numpy.einsum("nij,nj->ni", self.axes(self.lens, self.angles), rays(self.lens, self.tracks.place))
        sums = numpy.zeros((self.tracks.points, 3))
        numpy.add.at(sums, self.tracks.point, numpy.nan_to_num(room))
        length = numpy.linalg.norm(sums, axis=1, keepdims=True)
        return sums / numpy.maximum(length, 1e-9)

    def errors(self, lens, angles, points):
        """The errors of all observations, in pixels; far away where a point is behind the camera."""
        shown = project(lens, self.axes(lens, angles), points[self.tracks.point])
        return numpy.nan_to_num(shown - self.tracks.place, nan=1e3)

    def weights(self, errors):
        """Huber's weights, divided by the variance."""
        noise = NOISE * self.scale
        length = numpy.linalg.norm(errors, axis=1) / noise
        return numpy.minimum(1, HUBER / numpy.maximum(length, 1e-9)) / noise**2

    def cost(self, lens, angles, points):
        """Huber's sum, and the squares of what was known before."""
        length = numpy.linalg.norm(self.errors(lens, angles, points), axis=1) / (NOISE * self.scale)
        data = numpy.where(length <= HUBER, length**2 / 2, HUBER * (length - HUBER / 2)).sum()
        return data + (self.known(lens) ** 2).sum() / 2 + (((angles - self.told) / ANGLES) ** 2).sum() / 2

    def known(self, lens):
        """What is known of a lens before, in standard deviations."""
        return numpy.concatenate([(lens[1:3] - numpy.array(self.size) / 2) / (PRINCIPAL * self.scale), lens[5:] / MOUNT])

    def slopes(self):
        """The derivatives of the errors: by the lens (N x 2 x 8), by the view's angles and by the point's direction (N x 2 x 2)."""
        base, step = self.errors(self.lens, self.angles, self.points), 1e-6
        by_lens = numpy.empty((len(base), 2, LENS))
        for k in range(LENS):
            moved = self.lens.copy()
            size = step * (self.size[0] if k < 3 else 1)
            moved[k] += size
            by_lens[:, :, k] = (self.errors(moved, self.angles, self.points) - base) / size
        by_angle = numpy.empty((len(base), 2, 2))
        by_point = numpy.empty((len(base), 2, 2))
        across = tangents(self.points)
        for k in range(2):
            moved = self.angles.copy()
            moved[:, k] += step
            by_angle[:, :, k] = (self.errors(self.lens, moved, self.points) - base) / step
            by_point[:, :, k] = (self.errors(self.lens, self.angles, self.points + step * across[:, k]) - base) / step
        return base, by_lens, by_angle, by_point, across

    def reduced(self):
        """The normal equations of lens and angles, with the points eliminated, and what their step needs."""
        errors, by_lens, by_angle, by_point, across = self.slopes()
        weights = self.weights(errors)[:, None, None]
        count = LENS + 2 * len(self.angles)
        view, point = self.tracks.view, self.tracks.point
        jacobian = numpy.zeros((len(errors), 2, count))
        jacobian[:, :, :LENS] = by_lens
        for k in range(2):
            jacobian[numpy.arange(len(errors)), :, LENS + 2 * view + k] = by_angle[:, :, k]
        flat = (jacobian * weights).reshape(-1, count)
        normal = flat.T @ jacobian.reshape(-1, count)
        right = -flat.T @ errors.reshape(-1)
        own = numpy.zeros((self.tracks.points, 2, 2))
        numpy.add.at(own, point, numpy.einsum("nij,nik->njk", by_point * weights, by_point))
        mixed = numpy.zeros((self.tracks.points, count, 2))
        numpy.add.at(mixed, point, numpy.einsum("nij,nik->njk", jacobian * weights, by_point))
        side = numpy.zeros((self.tracks.points, 2))
        numpy.add.at(side, point, -numpy.einsum("nij,ni->nj", by_point * weights, errors))
        for k, size in ((1, PRINCIPAL * self.scale), (2, PRINCIPAL * self.scale), (5, MOUNT), (6, MOUNT), (7, MOUNT)):
            normal[k, k] += 1 / size**2
            right[k] -= (self.lens[k] - (self.size[k - 1] / 2 if k < 3 else 0)) / size**2
        diagonal = numpy.arange(LENS, count)
        normal[diagonal, diagonal] += 1 / ANGLES**2
        right[diagonal] -= ((self.angles - self.told) / ANGLES**2).reshape(-1)
        return normal, right, own, mixed, side, across

    def solve(self, rounds=60, told=lambda: None):
        """Minimises the cost, in at most so many rounds; `told` is called in each."""
        damping, cost = 1e-3, self.cost(self.lens, self.angles, self.points)
        for _ in range(rounds):
            told()
            normal, right, own, mixed, side, across = self.reduced()
            improved = False
            for _ in range(8):
                inverse = numpy.linalg.inv(own * (1 + damping * numpy.eye(2)) + 1e-9 * numpy.eye(2))
                folded = numpy.einsum("pij,pjk->pik", mixed, inverse)
                matrix = normal + damping * numpy.diag(normal.diagonal()) - numpy.einsum("pij,pkj->ik", folded, mixed)
                step = numpy.linalg.solve(matrix, right - numpy.einsum("pij,pj->i", folded, side))
                moves = numpy.einsum("pij,pj->pi", inverse, side - numpy.einsum("pij,i->pj", mixed, step))
                lens, angles = self.lens + step[:LENS], self.angles + step[LENS:].reshape(-1, 2)
                points = self.points + (across * moves[:, :, None]).sum(1)
                points /= numpy.linalg.norm(points, axis=1, keepdims=True)
                now = self.cost(lens, angles, points)
                if numpy.isfinite(now) and now < cost and lens[0] > 0:
                    improved = True
                    break
                damping *= 8
            if not improved:
                return
            gain, cost, damping = (cost - now) / cost, now, max(damping / 10, 1e-12)
            self.lens, self.angles, self.points = lens, angles, points
            if gain < 1e-7:
                return

    def deviations(self):
        """The covariance of the lens, with everything else free."""
        normal, _, own, mixed, _, _ = self.reduced()
        folded = numpy.einsum("pij,pjk->pik", mixed, numpy.linalg.inv(own + 1e-9 * numpy.eye(2)))
        return numpy.linalg.inv(normal - numpy.einsum("pij,pkj->ik", folded, mixed))[:LENS, :LENS]


def tangents(directions):
    """Two unit vectors at right angles to each direction: P x 2 x 3."""
    helper = numpy.where(numpy.abs(directions[:, 1:2]) < 0.9, (0.0, 1.0, 0.0), (1.0, 0.0, 0.0))
    right = numpy.cross(helper, directions)
    right /= numpy.linalg.norm(right, axis=1, keepdims=True)
    return numpy.stack([right, numpy.cross(directions, right)], 1)


def fit(tracks, angles, size, guess, told=lambda share: None):
    """The lens that explains the tracks of pictures of a size (width, height), which were taken at angles V x 2 (radians).

    `guess` is a focal length in pixels; it may be off by 40 %. `told` hears the share of the work that is done, 0...1.
    """
    best, done = None, 0

    def step():
        nonlocal done
        done += 1
        told(done / (3 * 8 + 60))

    for factor in (1, 0.75, 1.35):
        problem = Problem(tracks, angles, size, guess * factor)
        problem.solve(8, step)
        cost = problem.cost(problem.lens, problem.angles, problem.points)
        if best is None or cost < best[0]:
            best = (cost, problem)
    problem = best[1]
    problem.solve(60, step)
    return described(problem)


def described(problem):
    """What a solved problem says."""
    errors = numpy.linalg.norm(problem.errors(problem.lens, problem.angles, problem.points), axis=1) / problem.scale
    inside = errors < INSIDE
    covariance = problem.deviations()
    rms = float(numpy.sqrt((errors[inside] ** 2).mean())) if inside.any() else float("inf")
    # The noise as it was found, not as it was expected; an error has two coordinates.
    covariance = covariance * max(rms / (NOISE * numpy.sqrt(2)), 0.2) ** 2
    return Fit(
        lens=problem.lens, deviations=numpy.sqrt(numpy.maximum(covariance.diagonal(), 0)), angles=problem.angles, points=problem.points,
        rms=rms, inliers=float(inside.mean()),
        turned=float(numpy.sqrt(((problem.angles - problem.told) ** 2).sum(1).mean())), rays=ray_deviation(problem, covariance))


def ray_deviation(problem, covariance):
    """The standard deviation of where a place of the picture looks from the head, averaged over a grid of 5 x 5 places."""
    x, y = numpy.meshgrid(numpy.linspace(0.1, 0.9, 5), numpy.linspace(0.1, 0.9, 5))
    places = numpy.stack([x.ravel(), y.ravel()], 1) * problem.size

    def look(lens):
        return rays(lens, places) @ mount(*lens[5:]).T

    base, slopes = look(problem.lens), []
    for k in range(LENS):
        moved = problem.lens.copy()
        step = 1e-4 * (problem.lens[0] if k < 3 else 1)
        moved[k] += step
        slopes.append((look(moved) - base) / step)
    slopes = numpy.stack(slopes, -1)
    variance = numpy.einsum("nik,kl,nil->n", slopes, covariance, slopes)
    return float(numpy.sqrt(numpy.nanmean(variance)))
