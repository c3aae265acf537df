"""Tests whether the selected subject is still the same person after a while."""

import numpy as np

import scoring
import stream


def report(program, made, streams):
    """Taps each person who is in view for ten seconds once. Reports how much of the next ten seconds, and how many people, are kept."""
    shares, kept, stolen = [], 0, 0
    for (rate, frames, found), lines in zip(made, streams):
        for number, start in candidates(frames, found, rate):
            begin = frames[start][0]
            person = next(seen for seen in frames[start][1] if seen.number == number)
            middle = person.box[:2] + person.box[2:] / 2
            part = stream.write(frames[start:start + 10 * rate], found[start:start + 10 * rate])
            tracks, chosen, _ = stream.track(program, part, ["--select", f"{middle[0]:.4f},{middle[1]:.4f}"], coasting=True)
            share, ends_right, is_stolen = followed(frames[start:], tracks, chosen, number, begin + 0.5)
            shares.append(share)
            kept += ends_right
            stolen += is_stolen
    return (f"{100 * np.mean(shares):.1f} % of the time on the person, {kept} of {len(shares)} end on the person, "
            f"{stolen} on another person")


def candidates(frames, found, rate):
    """At most four people per sequence, with the frame from which they are in view for ten seconds."""
    first, chosen = {}, []
    present = [{person.number for person in seen} for _, seen in frames]
    for k, now in enumerate(present):
        first = {number: first.get(number, k) for number in now}
        for number, since in first.items():
            start = since + rate
            if k - since != int(11 * rate) or len(chosen) == 4 or number in [n for n, _ in chosen]:
                continue
            # The person can be tapped: detected twice there, and no one else is close.
            person = next(seen for seen in frames[start][1] if seen.number == number)
            near = max(np.abs(person.box[:2] - seen.box[:2]).max() < 0.15 for seen in frames[start][1] if seen.number != number)\
                if len(frames[start][1]) > 1 else False
            if not near and all(any(n == number and score > 0.7 for _, score, n in found[k]) for k in (start, start + 1)):
                chosen.append((number, start))
    return chosen


def followed(frames, tracks, chosen, number, begin):
    """The fraction of the frames in which the selected subject is on the person, and the person that it is on at the end."""
    right = counted = 0
    last = None
    for (now, seen), told, one in zip(frames, tracks, chosen):
        rect = next((box for n, box in told if n == one), None)
        if now < begin or not seen:
            continue
        counted += 1
        if rect is None:
            continue
        overlaps = scoring.overlaps([person.box for person in seen], [rect])[:, 0]
        best = int(overlaps.argmax())
        if overlaps[best] > 0.3:
            last = seen[best].number
            right += last == number
    return right / max(1, counted), last == number, last is not None and last != number
