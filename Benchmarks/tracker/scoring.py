"""Tracking scores: HOTA (Luiten et al. 2021), IDF1 (Ristani et al. 2016), CLEAR's id switches (Bernardin et al. 2008), and lock.

`lock` is the mean over all people of the largest fraction of their time that a single id holds them. The scores follow the papers;
`run --check` compares HOTA, IDF1 and the switches with trackeval's on the same tracks.
"""

import dataclasses

import numpy as np
from scipy.optimize import linear_sum_assignment

ALPHAS = np.arange(0.05, 0.99, 0.05)


def overlaps(a, b):
    """Intersection over union of every rectangle of `a` with every one of `b`."""
    if len(a) == 0 or len(b) == 0:
        return np.zeros((len(a), len(b)))
    a, b = np.asarray(a)[:, None, :], np.asarray(b)[None, :, :]
    w = np.minimum(a[..., 0] + a[..., 2], b[..., 0] + b[..., 2]) - np.maximum(a[..., 0], b[..., 0])
    h = np.minimum(a[..., 1] + a[..., 3], b[..., 1] + b[..., 3]) - np.maximum(a[..., 1], b[..., 1])
    common = np.maximum(w, 0) * np.maximum(h, 0)
    return common / (a[..., 2] * a[..., 3] + b[..., 2] * b[..., 3] - common)


@dataclasses.dataclass
class Sequence:
    """The input of the scores: truth and tracking with ids from 0, and the overlaps of every frame."""

    truth: list      # an array of ids per frame
    told: list
    similar: list    # a matrix per frame
    people: int
    tracks: int

    @staticmethod
    def of(truth, told):
        """Makes a sequence from lists of (id, rectangle) per frame."""
        people = {number: index for index, number in enumerate(sorted({n for frame in truth for n, _ in frame}))}
        tracks = {number: index for index, number in enumerate(sorted({n for frame in told for n, _ in frame}))}
        return Sequence(
            [np.array([people[n] for n, _ in frame], dtype=int) for frame in truth],
            [np.array([tracks[n] for n, _ in frame], dtype=int) for frame in told],
            [overlaps([box for _, box in a], [box for _, box in b]) for a, b in zip(truth, told)],
            len(people), len(tracks))


@dataclasses.dataclass
class Score:
    """Sums over frames. Sequences are added up before the figures are computed."""

    hits: np.ndarray           # HOTA: per alpha
    missed: np.ndarray
    false: np.ndarray
    association: np.ndarray    # sum of the association scores of the hits
    idtp: int
    idfn: int
    idfp: int
    switches: int
    locks: list

    def __add__(self, other):
        return Score(*(getattr(self, f.name) + getattr(other, f.name) for f in dataclasses.fields(self)))

    @property
    def hota(self):
        detection = self.hits / np.maximum(1, self.hits + self.missed + self.false)
        return float(np.mean(np.sqrt(detection * self.association / np.maximum(1e-9, self.hits))))

    @property
    def idf1(self):
        return self.idtp / max(1, self.idtp + 0.5 * (self.idfn + self.idfp))

    @property
    def lock(self):
        return float(np.mean(self.locks)) if self.locks else 0.0


def score(sequence):
    """All scores of one sequence."""
    hota = hota_sums(sequence)
    return Score(*hota, *identity_sums(sequence), switches(sequence), locks(sequence))


def hota_sums(s):
    potential = np.zeros((s.people, s.tracks))
    seen, told = np.zeros((s.people, 1)), np.zeros((1, s.tracks))
    for a, b, similar in zip(s.truth, s.told, s.similar):
        total = similar.sum(0)[None, :] + similar.sum(1)[:, None] - similar
        share = np.divide(similar, total, out=np.zeros_like(similar), where=total > 1e-9)
        potential[a[:, None], b[None, :]] += share
        seen[a] += 1
        told[0, b] += 1
    alignment = potential / np.maximum(1e-9, seen + told - potential)
    hits, missed, false = np.zeros(len(ALPHAS)), np.zeros(len(ALPHAS)), np.zeros(len(ALPHAS))
    matched = np.zeros((len(ALPHAS), s.people, s.tracks))
    for a, b, similar in zip(s.truth, s.told, s.similar):
        rows, columns = linear_sum_assignment(-alignment[a[:, None], b[None, :]] * similar) if similar.size else ([], [])
        for k, alpha in enumerate(ALPHAS):
            good = similar[rows, columns] >= alpha - 1e-9 if len(rows) else np.zeros(0, bool)
            count = int(good.sum())
            hits[k] += count
            missed[k] += len(a) - count
            false[k] += len(b) - count
            if count:
                matched[k, a[rows[good]], b[columns[good]]] += 1
    association = np.array([(m * m / np.maximum(1, seen + told - m)).sum() for m in matched])
    return hits, missed, false, association


def identity_sums(s, threshold=0.5):
    together = np.zeros((s.people, s.tracks))
    seen, told = np.zeros(s.people), np.zeros(s.tracks)
    for a, b, similar in zip(s.truth, s.told, s.similar):
        rows, columns = np.nonzero(similar >= threshold)
        together[a[rows], b[columns]] += 1
        seen[a] += 1
        told[b] += 1
    size = s.people + s.tracks
    cost = np.zeros((size, size))
    cost[s.people:, :s.tracks] = 1e10
    cost[:s.people, s.tracks:] = 1e10
    for k in range(s.people):
        cost[k, s.tracks + k] = seen[k]
    for k in range(s.tracks):
        cost[s.people + k, k] = told[k]
    cost[s.people:, s.tracks:] = 0
    cost[:s.people, :s.tracks] = seen[:, None] + told[None, :] - 2 * together
    rows, columns = linear_sum_assignment(cost)
    true = sum(together[r, c] for r, c in zip(rows, columns) if r < s.people and c < s.tracks)
    return int(true), int(seen.sum() - true), int(told.sum() - true)


def switches(s, threshold=0.5):
    """How often a person with an id gets another one."""
    last, before, count = np.full(s.people, -1), np.full(s.people, -1), 0
    for a, b, similar in zip(s.truth, s.told, s.similar):
        if not similar.size:
            continue
        # A match from the previous frame continues. Otherwise the better overlap counts.
        value = 1000 * (before[a][:, None] == b[None, :]) + similar
        value[similar < threshold - 1e-9] = 0
        rows, columns = linear_sum_assignment(-value)
        good = value[rows, columns] > 1e-9
        who, which = a[rows[good]], b[columns[good]]
        count += int(((last[who] >= 0) & (last[who] != which)).sum())
        before = np.full(s.people, -1)
        last[who], before[who] = which, which
    return count


def locks(s, threshold=0.5):
    together, seen = np.zeros((s.people, max(1, s.tracks))), np.zeros(s.people)
    for a, b, similar in zip(s.truth, s.told, s.similar):
        seen[a] += 1
        if not similar.size:
            continue
        rows, columns = linear_sum_assignment(-similar)
        good = similar[rows, columns] >= threshold
        together[a[rows[good]], b[columns[good]]] += 1
    # A person who is present in fewer than five frames is not counted.
    return [float(together[k].max() / seen[k]) for k in range(s.people) if seen[k] >= 5]
