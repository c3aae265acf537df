"""Cost of a frame for an increasing number of faces: time and allocations of the whole filter, including its JSON lines."""

import math
import os
import pathlib
import subprocess
import tempfile
import time

import numpy as np

HERE = pathlib.Path(__file__).resolve().parent
LINE = 65_536  # longest line of the stream, bytes


def stream(faces, frames):
    """People who stand in a grid, each with a detector's noise."""
    random = np.random.default_rng(faces)
    side = math.ceil(math.sqrt(faces))
    size = 0.5 / side
    places = [((k % side + 0.25) / side, (k // side + 0.25) / side) for k in range(faces)]
    lines = ['{"type":"hello","v":1,"clock":"media","image":{"w":640,"h":360}}']
    for k in range(frames):
        noise = random.normal(0, 0.03 * size, (faces, 2))
        rects = [f'{{"rect":[{x + n[0]:.4f},{y + n[1]:.4f},{size:.4f},{size:.4f}],"score":0.9}}' for (x, y), n in zip(places, noise)]
        lines.append(f'{{"type":"frame","seq":{k},"t":{100 + k / 30:.4f},"faces":[{",".join(rects)}]}}')
    assert max(map(len, lines)) < LINE, "a line is longer than the stream allows"
    return ("\n".join(lines) + "\n").encode()


def cost(program, lines, counter=None):
    """Run time in seconds, and the number of allocations if they are counted."""
    environment, told = dict(os.environ), tempfile.mktemp()
    if counter:
        environment |= {"LD_PRELOAD": str(counter), "COUNT_ALLOCATIONS": told}
    with tempfile.TemporaryFile() as file:
        file.write(lines)
        file.seek(0)
        began = time.perf_counter()
        subprocess.run([program, "track"], stdin=file, stdout=subprocess.DEVNULL, check=True, env=environment)
        took = time.perf_counter() - began
    calls = None
    if counter:
        calls = int(pathlib.Path(told).read_text())
        os.unlink(told)
    return took, calls


def table(program):
    """Prints a row for each number of faces. A run with half as many frames is subtracted to remove the cost of the start."""
    counter = pathlib.Path(tempfile.mkdtemp()) / "count.so"
    compiler = os.environ.get("CC", "cc")
    subprocess.run([compiler, "-O2", "-shared", "-fPIC", "-o", counter, HERE / "count_allocations.c"], check=True)
    print("\n| faces a frame | us a frame | us a face | relative to n log n of 10 faces | allocations a frame |\n| ---: | ---: | ---: | ---: | ---: |")
    unit = None
    for faces in [1, 10, 32, 100, 1000]:
        frames = max(60, min(6000, 60_000 // faces))
        short, long = stream(faces, frames), stream(faces, 2 * frames)
        times = [cost(program, long)[0] - cost(program, short)[0] for _ in range(5)]
        micros = 1e6 * float(np.median(times)) / frames
        calls = (cost(program, long, counter)[1] - cost(program, short, counter)[1]) / frames
        growth = faces * math.log2(faces + 1)
        if faces == 10:
            unit = micros / growth
        beside = f"{micros / growth / unit:.2f}" if unit else "-"
        print(f"| {faces} | {micros:.1f} | {micros / faces:.2f} | {beside} | {calls:.2f} |", flush=True)
