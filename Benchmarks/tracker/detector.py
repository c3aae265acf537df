"""A detector with realistic faults: jitter, misses, bursts of misses while a head is turned or hidden, false faces."""

import dataclasses

import numpy as np


@dataclasses.dataclass
class Faults:
    """Severity of the faults. The defaults were measured on heads."""

    jitter: float = 0.05        # relative to the size, on position and size, independent in every frame
    drift: float = 0.0          # relative to the size, slow: an error that lasts about a second
    missed: float = 0.05        # fraction of the frames, at random
    clutter: float = 0.15       # false faces per frame
    lasting: float = 0.3        # fraction of the false faces that stay for some frames
    hidden: float = 0.35        # fraction of a rectangle that may be covered before it is missed


SETS = {
    "passers": Faults(),
    "company": Faults(),
    "street": Faults(jitter=0.04, drift=0.05, missed=0.18, clutter=0.5, lasting=0.7, hidden=0.5),
}


def covered(box, nearer):
    """The fraction of a rectangle that is behind others."""
    if not nearer:
        return 0.0
    most = 0.0
    for other in nearer:
        w = min(box[0] + box[2], other[0] + other[2]) - max(box[0], other[0])
        h = min(box[1] + box[3], other[1] + other[3]) - max(box[1], other[1])
        if w > 0 and h > 0:
            most = max(most, w * h / (box[2] * box[3]))
    return most


def detect(frames, faults, rate, random):
    """The detections of each frame: (rectangle, score, the person's number or 0)."""
    drifts, ghosts, result = {}, [], []
    keep = np.exp(-1 / (rate * 0.7))
    for _, seen in frames:
        found = []
        for person in seen:
            drift = drifts.get(person.number, np.zeros(4)) * keep + random.normal(0, faults.drift * np.sqrt(1 - keep**2), 4)
            drifts[person.number] = drift
            nearer = [other.box for other in seen if other.depth < person.depth]
            if person.is_turned or covered(person.box, nearer) > faults.hidden or random.random() < faults.missed:
                continue
            size = np.array([person.box[2], person.box[3], person.box[2], person.box[3]])
            box = person.box + (random.normal(0, faults.jitter, 4) + drift) * size
            box[2:] = np.maximum(box[2:], 0.3 * person.box[2:])
            score = float(np.clip(random.normal(0.88, 0.08), 0.5, 0.99))
            found.append((box, score, person.number))
        ghosts = [ghost for ghost in ghosts if random.random() < np.exp(-1 / (rate * 0.25))]
        for _ in range(random.poisson(faults.clutter * (1 - faults.lasting))):
            found.append((false_face(seen, random), float(random.uniform(0.5, 0.9)), 0))
        # A lasting false face stays 0.25 s on average. The birth rate keeps the mean number right.
        births = faults.clutter * faults.lasting * (1 - np.exp(-1 / (rate * 0.25)))
        for _ in range(random.poisson(births)):
            ghosts.append((false_face(seen, random), float(random.uniform(0.5, 0.85))))
        for box, score in ghosts:
            size = np.array([box[2], box[3], box[2], box[3]])
            found.append((box + random.normal(0, faults.jitter, 4) * size, score, 0))
        random.shuffle(found)
        result.append(found)
    return result


def false_face(seen, random):
    """A random rectangle with the size of the people in the frame. Every third one is close to a person."""
    like = seen[random.integers(len(seen))].box if seen else np.array([0.4, 0.4, 0.06, 0.14])
    size = like[2:] * np.exp(random.normal(0, 0.3, 2))
    if seen and random.random() < 0.33:
        middle = like[:2] + like[2:] / 2 + random.normal(0, 1.2, 2) * like[2:]
    else:
        middle = random.uniform(0.05, 0.95, 2)
    return np.concatenate([middle - size / 2, size])
