"""People who walk about in front of a camera, and the rectangles that it sees: the ground truth for trackers.

Metres and seconds; x to the camera's right, z away from it. The walkers are synthetic: they have goals,
a pace, pauses, and distance between them.
"""

import dataclasses
import math

import numpy as np

STEP = 0.02          # step of the walk, seconds
FOCAL = 0.5 / math.tan(math.radians(66 / 2))  # in frame widths
ASPECT = 16 / 9
CAMERA_HEIGHT = 1.3


@dataclasses.dataclass
class Scene:
    """The scene in front of the camera."""

    name: str
    people: int            # at one time, approximately
    near: float            # depth of the room, nearest
    far: float            # farthest
    pace: float            # mean preferred walking speed
    pauses: float          # per second and person
    pause: float           # mean duration
    body: bool = False     # whether the rectangle is the whole body instead of the head
    turns: float = 0.1     # per second: how often a person turns the head away
    turned: float = 0.6    # median duration
    stays: bool = False    # whether people stay in the room instead of crossing it
    sway: float = 0.0      # of a hand-held camera, radians (standard deviation)


SCENES = {
    # Heads as a robot in a hall sees them: people cross, stop, look away.
    "passers": Scene("passers", people=12, near=2, far=12, pace=1.3, pauses=0.05, pause=2, turns=0.12, sway=0.03),
    # A few people who stay near the robot and change places in front of each other.
    "company": Scene("company", people=3, near=0.8, far=2.8, pace=0.7, pauses=0.5, pause=2.5, turns=0.25, turned=0.8, stays=True),
    # Whole bodies in a street: many, small, and hidden behind each other for a long time.
    "street": Scene("street", people=12, near=4, far=16, pace=1.3, pauses=0.03, pause=3, body=True, turns=0.05),
}


class Walker:
    """One person with a goal."""

    def __init__(self, number, scene, random, inside):
        self.number, self.scene, self.random = number, scene, random
        self.pace = max(0.4, random.normal(scene.pace, 0.2 * scene.pace))
        self.height = random.normal(1.70, 0.09)
        self.build = random.normal(1, 0.06)
        self.phase = random.uniform(0, 2 * math.pi)
        self.velocity = np.zeros(2)
        self.paused_until = 0.0
        self.turned_until = -1.0
        self.left = False
        if inside:
            self.place = self.somewhere()
        else:
            z, side = random.uniform(scene.near, scene.far), random.choice([-1, 1])
            self.place = np.array([side * (0.5 / FOCAL * z + 0.8), z])
        self.goal = self.next_goal()

    def somewhere(self):
        z = self.random.uniform(self.scene.near, self.scene.far)
        return np.array([self.random.uniform(-0.42, 0.42) / FOCAL * z, z])

    def next_goal(self):
        """A place in the room, or outside it on the other side."""
        if self.scene.stays or self.random.random() < 0.3:
            return self.somewhere()
        z = float(np.clip(self.place[1] + self.random.normal(0, 1.5), self.scene.near, self.scene.far))
        side = -math.copysign(1, self.place[0]) if self.random.random() < 0.85 else math.copysign(1, self.place[0])
        return np.array([side * (0.5 / FOCAL * z + 1.2), z])

    def step(self, now, others):
        random = self.random
        if now >= self.paused_until and random.random() < self.scene.pauses * STEP:
            self.paused_until = now + random.exponential(self.scene.pause)
        if now >= self.turned_until and random.random() < self.scene.turns * STEP:
            self.turned_until = now + self.scene.turned * math.exp(random.normal(0, 0.6))
        way = self.goal - self.place
        distance = float(np.hypot(*way))
        if distance < 0.3:
            if abs(self.place[0]) > 0.5 / FOCAL * self.place[1] + 0.5:
                self.left = True
            self.goal = self.next_goal()
        wanted = way / max(distance, 1e-6) * self.pace if now >= self.paused_until else np.zeros(2)
        for other in others:
            if other is self:
                continue
            apart = self.place - other.place
            gap = float(np.hypot(*apart))
            if 1e-6 < gap < 1.2:
                wanted = wanted + apart / gap * 1.1 * math.exp(-(gap - 0.35) / 0.2)
        speed = float(np.hypot(*wanted))
        if speed > 1.6 * self.pace:
            wanted *= 1.6 * self.pace / speed
        self.velocity += (wanted - self.velocity) * STEP / 0.4
        self.place = self.place + self.velocity * STEP
        self.place[1] = max(self.place[1], 0.6 * self.scene.near)
        self.phase += 2 * math.pi * 1.9 * STEP * min(1, float(np.hypot(*self.velocity)) / 1.0)

    def box(self, aim):
        """The rectangle in the frame, x y w h in frame widths and heights, and its distance."""
        x, z = self.place
        scale = FOCAL / z
        sway = 0.02 * math.sin(self.phase / 2)
        bob = 0.02 * math.sin(self.phase)
        if self.scene.body:
            width, height, middle = 0.5 * self.build, self.height, self.height / 2
        else:
            width, height, middle = 0.17 * self.build, 0.24 * self.build, self.height - 0.12
        w, h = width * scale, height * scale * ASPECT
        u = 0.5 + (x + sway) * scale - aim[0] * FOCAL
        v = 0.5 + (CAMERA_HEIGHT - middle - bob) * scale * ASPECT + aim[1] * FOCAL * ASPECT
        return np.array([u - w / 2, v - h / 2, w, h]), z


@dataclasses.dataclass
class Seen:
    """One person in one frame."""

    number: int
    box: np.ndarray
    depth: float
    is_turned: bool


def walk(scene, seconds, rate, random, is_carried=False):
    """The frames of a scene: the time of each, and the people whose centre is in the frame."""
    people = [Walker(k + 1, scene, random, inside=True) for k in range(scene.people)]
    number, next_frame, now = len(people), 0.0, 0.0
    frames, aim, turning = [], np.zeros(2), np.zeros(2)
    while now < seconds:
        if is_carried:
            # A hand: swings of some seconds, smaller up and down.
            turning += -(turning * 2 + aim * 4) * STEP + random.normal(0, 1, 2) * scene.sway * 4 * np.sqrt(STEP) * [1, 0.4]
            aim = aim + turning * STEP
        if now + 1e-9 >= next_frame:
            seen = []
            for person in people:
                box, depth = person.box(aim)
                if 0 < box[0] + box[2] / 2 < 1 and 0 < box[1] + box[3] / 2 < 1:
                    seen.append(Seen(person.number, box, depth, now < person.turned_until))
            frames.append((now, seen))
            next_frame += 1 / rate
        for person in people:
            person.step(now, people)
        people = [person for person in people if not person.left]
        if len(people) < scene.people and random.random() < 0.6 * STEP:
            number += 1
            people.append(Walker(number, scene, random, inside=scene.stays))
        now += STEP
    return frames
