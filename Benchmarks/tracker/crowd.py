"""Crowds of whole bodies in front of a weak detector, filmed by fixed and by moving cameras.

Each film has its own place, frame rate and camera. The detector misses two people in five, in bursts that often follow an occlusion.
A quarter of its rectangles show no person: many of them stay at one place in the world for a second, return there, or cover a part of
a person. All of it is synthetic.
"""

import dataclasses
import math

import numpy as np

from detector import covered
from walks import ASPECT, FOCAL, STEP, Scene, Seen, Walker


@dataclasses.dataclass
class Film:
    """A place, the camera in it, and how well the detector copes with it."""

    name: str
    rate: int                 # frames per second
    scene: Scene
    height: float = 1.6       # of the camera above the ground, metres
    tilt: float = 0.0         # of the camera, downwards, radians
    forward: float = 0.0      # its speed, m/s
    vibration: float = 0.0    # from frame to frame, radians (standard deviation)
    pans: float = 0.0         # how often it turns to another direction, per second
    pan: float = 0.5          # how far, radians (standard deviation)
    skill: float = 1.0        # of the detector: 1 misses two people in five


def place(people, near, far, pace=1.3, pauses=0.04, pause=3.0):
    return Scene("crowd", people=people, near=near, far=far, pace=pace, pauses=pauses, pause=pause, body=True, turns=0.0)


FILMS = [
    Film("square, 7 frames/s", 7, place(8, 14, 34), height=6, tilt=0.27, skill=1.5),
    Film("pavement", 25, place(8, 5, 14)),
    Film("crossing", 25, place(9, 6, 16, pauses=0.1)),
    Film("mall", 30, place(12, 4, 18, pace=1.0)),
    Film("plaza", 30, place(14, 10, 28, pauses=0.08), height=4, tilt=0.15),
    Film("station", 15, place(10, 5, 20, pace=1.5)),
    Film("gate", 7, place(10, 5, 16), height=3, tilt=0.12),
    Film("pushed along", 14, place(12, 4, 22), forward=0.9, vibration=0.004),
    Film("pushed and turned", 14, place(9, 4, 20), forward=0.6, vibration=0.006, pans=0.15, pan=0.3),
    Film("vehicle, 10 frames/s", 10, place(9, 6, 30), forward=2.5, vibration=0.003, pans=0.2, pan=0.25),
    Film("head that turns", 20, place(10, 4, 16), vibration=0.002, pans=0.4, pan=0.4),
]

TURNING = 0.7          # speed of a pan, rad/s
MOST_COVERED = 0.55    # fraction of a body that may be hidden before it is missed


class Camera:
    """Where the camera looks, in radians: pans, rest between them, vibration."""

    def __init__(self, film, random):
        self.film, self.random = film, random
        self.pan = self.goal = 0.0

    def step(self):
        if self.pan == self.goal and self.random.random() < self.film.pans * STEP:
            self.goal = float(np.clip(self.random.normal(0, self.film.pan), -0.9, 0.9))
        self.pan += float(np.clip(self.goal - self.pan, -TURNING * STEP, TURNING * STEP))

    def aim(self):
        shake = self.random.normal(0, 1, 2) * self.film.vibration
        return np.array([self.pan + shake[0], shake[1] - self.film.tilt])


class Passer(Walker):
    """A person who walks through, alone or beside a companion."""

    companion = None

    def next_goal(self):
        if self.companion is not None and not self.companion.left:
            return self.companion.goal + np.array([0.0, 0.7])
        if self.random.random() < 0.12:
            return self.somewhere()
        z = float(np.clip(self.place[1] + self.random.normal(0, 2), self.scene.near, self.scene.far))
        side = -math.copysign(1, self.place[0]) if self.random.random() < 0.95 else math.copysign(1, self.place[0])
        return np.array([side * (0.5 / FOCAL * z + 1.2), z])

    def join(self, other):
        """Walks beside another person, at the same pace."""
        self.companion, self.pace = other, other.pace
        self.place = other.place + np.array([0.1, 0.7])
        self.goal = self.next_goal()
        return self


def on_picture(point, aim, height, camera_height):
    """The picture position of a point `height` metres above a place on the ground, and the scale there."""
    x, z = point
    scale = FOCAL / z
    return 0.5 + x * scale - aim[0] * FOCAL, 0.5 + (camera_height - height) * scale * ASPECT + aim[1] * FOCAL * ASPECT, scale


def body(walker, aim, film):
    u, v, scale = on_picture(walker.place, aim, walker.height / 2, film.height)
    stride = 1 + 0.12 * math.sin(walker.phase) * min(1, float(np.hypot(*walker.velocity)))
    w, h = 0.5 * walker.build * stride * scale, walker.height * scale * ASPECT
    return np.array([u - w / 2, v - h / 2, w, h])


def walk(film, seconds, random):
    """The frames of a film: the time of each, the people whose centre is in the picture, and the camera's aim."""
    scene = film.scene
    people = [Passer(k + 1, scene, random, inside=True) for k in range(scene.people)]
    camera, number, next_frame, now, frames = Camera(film, random), scene.people, 0.0, 0.0, []
    while now < seconds:
        camera.step()
        if now + 1e-9 >= next_frame:
            aim = camera.aim()
            seen = []
            for person in people:
                box = body(person, aim, film)
                if 0 < box[0] + box[2] / 2 < 1 and 0 < box[1] + box[3] / 2 < 1.1:
                    seen.append(Seen(person.number, box, float(person.place[1]), False))
            frames.append((now, seen, aim))
            next_frame += 1 / film.rate
        for person in people:
            person.step(now, people)
            # A camera that moves forward comes nearer to all people.
            person.place[1] -= film.forward * STEP
            person.goal[1] -= film.forward * STEP
            if film.forward and person.place[1] < 0.7 * scene.near:
                person.left = True
        people = [person for person in people if not person.left]
        if len(people) < scene.people and random.random() < 1.5 * STEP:
            number += 1
            person = Passer(number, scene, random, inside=film.forward > 0)
            if film.forward:
                person.place = np.array([random.uniform(-0.6, 0.6) / FOCAL * scene.far, scene.far * random.uniform(0.8, 1.1)])
                person.goal = person.next_goal()
            people.append(person)
            if random.random() < 0.4:
                number += 1
                people.append(Passer(number, scene, random, inside=False).join(person))
        now += STEP
    return frames


def sure(random, doubt):
    """A score. A weak detector is nearly as sure of its mistakes."""
    return float(np.clip(1 - abs(random.normal(0, doubt)), 0.5, 0.999))


class Attention:
    """Whether the detector sees one person: it loses people for bursts of 0.2 to 2 s, mostly when they are hidden."""

    def __init__(self, random, skill):
        self.random, self.skill = random, skill
        # Some people are harder than others: their clothes, the background.
        self.ease = float(np.exp(random.normal(0, 1.0)))
        self.blind_until = -1.0
        self.drift = np.zeros(4)

    def sees(self, now, hidden, size, rate):
        random = self.random
        small = float(np.clip(0.16 / size, 0.4, 3))    # of the picture's height
        if now >= self.blind_until and random.random() < 0.13 * small / (self.skill * self.ease) / rate:
            self.blind_until = now + float(np.clip(0.6 * math.exp(random.normal(0, 0.7)), 0.2, 2))
        if hidden > MOST_COVERED:
            self.blind_until = max(self.blind_until, now + float(np.clip(random.exponential(0.25), 0, 2)))
            return False
        return now >= self.blind_until and random.random() > 0.1 / self.skill


class Ghost:
    """A false rectangle that stays at one place in the world, drifts, and comes back."""

    def __init__(self, film, random, spots):
        self.random = random
        if spots and random.random() < 0.6:
            self.place, self.size, self.height = spots[random.integers(len(spots))]
        else:
            z = random.uniform(film.scene.near, film.scene.far)
            self.place = np.array([random.uniform(-0.8, 0.8) / FOCAL * z, z])
            self.size, self.height = np.exp(random.normal(0, 0.25, 2)), random.uniform(0.6, 2.0)
            spots.append((self.place, self.size, self.height))
        self.place = self.place.copy()
        self.velocity = random.normal(0, 0.15, 2)
        self.score = sure(random, 0.25)

    def box(self, aim, film):
        self.place = self.place + self.velocity / film.rate
        u, v, scale = on_picture(self.place, aim, self.height, film.height)
        w, h = 0.5 * self.size[0] * scale, 1.7 * self.size[1] * scale * ASPECT
        return np.array([u - w / 2, v - h / 2, w, h])


def detect(frames, film, random):
    """The detections of each frame: (rectangle, score, the person's number or 0)."""
    attention, ghosts, parts, spots, result = {}, [], {}, [], []
    keep, stay = math.exp(-1 / (film.rate * 0.7)), math.exp(-1 / film.rate)
    for now, seen, aim in frames:
        found = []
        for person in seen:
            watch = attention.setdefault(person.number, Attention(random, film.skill))
            watch.drift = watch.drift * keep + random.normal(0, 0.06 * math.sqrt(1 - keep**2), 4)
            nearer = [other.box for other in seen if other.depth < person.depth]
            size = np.array([person.box[2], person.box[3], person.box[2], person.box[3]])
            hidden = covered(person.box, nearer)
            if watch.sees(now, hidden, person.box[3], film.rate):
                noise = random.normal(0, 0.04 if random.random() < 0.9 else 0.15, 4)
                box = person.box + (noise + watch.drift) * size
                box[2:] = np.maximum(box[2:], 0.4 * person.box[2:])
                found.append((box, sure(random, 0.1), person.number))
            # The legs or the trunk, as a rectangle of their own.
            if person.number in parts and random.random() > 0.6 / film.rate + 0.25:
                corner, share = parts[person.number]
                box = np.concatenate([person.box[:2] + corner * person.box[2:], share * person.box[2:]])
                found.append((box + random.normal(0, 0.05, 4) * size, sure(random, 0.25), 0))
            elif person.number in parts:
                if random.random() > stay:
                    del parts[person.number]
            elif random.random() < 0.05 / film.rate:
                parts[person.number] = (random.uniform(-0.25, 0.45, 2), random.uniform(0.5, 0.9, 2))
        ghosts = [ghost for ghost in ghosts if random.random() < stay]
        for _ in range(random.poisson(1.1 / film.skill * (1 - stay))):
            ghosts.append(Ghost(film, random, spots))
        for ghost in ghosts:
            box = ghost.box(aim, film)
            if random.random() < 0.75 and 0 < box[0] + box[2] / 2 < 1 and 0 < box[1] + box[3] / 2 < 1:
                size = np.array([box[2], box[3], box[2], box[3]])
                found.append((box + random.normal(0, 0.04, 4) * size, ghost.score, 0))
        for _ in range(random.poisson(0.25)):
            z = random.uniform(film.scene.near, film.scene.far)
            u, v, scale = on_picture((random.uniform(-0.8, 0.8) / FOCAL * z, z), aim, 0.9, film.height)
            w, h = 0.5 * scale, 1.7 * scale * ASPECT
            found.append((np.array([u - w / 2, v - h / 2, w, h]), sure(random, 0.25), 0))
        random.shuffle(found)
        result.append(found)
    return result


def sequences(first, seeds, seconds):
    """The films: rate, frames and detections. One seed is one film after the other."""
    for k in range(seeds):
        film = FILMS[k % len(FILMS)]
        random = np.random.default_rng([first + k, 77])
        frames = walk(film, seconds, random)
        yield film.rate, [(now, seen) for now, seen, _ in frames], detect(frames, film, random)


def describe(made):
    """What the detector missed and made up, for the table's heading."""
    people = found = false = 0
    for _, frames, detections in made:
        for (_, seen), boxes in zip(frames, detections):
            people += len(seen)
            found += sum(1 for _, _, number in boxes if number)
            false += sum(1 for _, _, number in boxes if not number)
    return f"{100 * (1 - found / people):.0f} % of the people missed, {100 * false / (found + false):.0f} % of the boxes false"
