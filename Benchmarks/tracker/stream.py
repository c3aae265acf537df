"""The detection stream that dockface reads, and the subjects that `dockface track` writes."""

import json
import subprocess
import time

import numpy as np


def write(frames, detections):
    """The lines of a stream. Times start at 100 s, like a monotonic clock's."""
    lines = [json.dumps({"type": "hello", "v": 1, "clock": "media", "image": {"w": 640, "h": 360}})]
    for sequence, ((when, _), found) in enumerate(zip(frames, detections)):
        faces = [{"rect": [round(float(value), 5) for value in box], "score": round(score, 3)} for box, score, _ in found]
        lines.append(json.dumps({"type": "frame", "seq": sequence, "t": round(100 + when, 4), "faces": faces}))
    lines.append(json.dumps({"type": "bye", "reason": "eof"}))
    return ("\n".join(lines) + "\n").encode()


def track(program, stream, arguments=(), coasting=False):
    """dockface's result: (id, rectangle) for each frame, the selected id, and the run time in seconds."""
    began = time.perf_counter()
    done = subprocess.run([program, "track", *arguments], input=stream, stdout=subprocess.PIPE, check=True)
    took = time.perf_counter() - began
    frames, selected = [], []
    for line in done.stdout.splitlines():
        told = json.loads(line)
        frames.append([(subject["id"], np.array(subject["rect"])) for subject in told["subjects"]
                       if coasting or not subject["coasting"]])
        selected.append(next((subject["id"] for subject in told["subjects"] if subject["selected"]), None))
    return frames, selected, took
