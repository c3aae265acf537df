"""Published trackers on the same detections, each with its own defaults, and the ceiling: perfect ids."""

import time

import norfair
import numpy as np
import supervision
import trackers

# Their defaults count in frames at 30 frames per second.
WIDTH, HEIGHT = 1280, 720
SCALE = np.array([WIDTH, HEIGHT, WIDTH, HEIGHT])


def corners(found):
    """Rectangles in pixels, as corners, and their scores."""
    if not found:
        return np.zeros((0, 4)), np.zeros(0)
    boxes = np.array([box for box, _, _ in found]) * SCALE
    boxes[:, 2:] += boxes[:, :2]
    return boxes, np.array([score for _, score, _ in found])


def from_corners(box):
    box = np.asarray(box, dtype=float) / SCALE
    return np.array([box[0], box[1], box[2] - box[0], box[3] - box[1]])


def perfect(detections, rate):
    """The ceiling: every detection of a person has that person's number, and false detections are dropped."""
    return [[(number, box) for box, _, number in found if number] for found in detections], 0.0


def published(kind):
    """A tracker from roboflow's package."""
    def run(detections, rate):
        tracker, result, took = kind(frame_rate=rate), [], 0.0
        for found in detections:
            boxes, scores = corners(found)
            began = time.perf_counter()
            told = tracker.update(supervision.Detections(xyxy=boxes, confidence=scores, class_id=np.zeros(len(boxes), int)))
            took += time.perf_counter() - began
            ids = told.tracker_id if told.tracker_id is not None else []
            result.append([(int(n), from_corners(box)) for box, n in zip(told.xyxy, ids) if n >= 0])
        return result, took
    return run


def norfair_iou(detections, rate):
    tracker, result, took = norfair.Tracker(distance_function="iou", distance_threshold=0.7), [], 0.0
    for found in detections:
        boxes, scores = corners(found)
        began = time.perf_counter()
        active = tracker.update([norfair.Detection(box.reshape(2, 2), scores=np.array([score, score]))
                                 for box, score in zip(boxes, scores)])
        took += time.perf_counter() - began
        result.append([(it.id, from_corners(it.estimate.reshape(4))) for it in active if it.live_points.any()])
    return result, took


def greedy(detections, rate, memory=0.5):
    """A simple baseline: the best overlap continues a track, and ids are kept for half a second."""
    from scoring import overlaps
    tracks, result, took, next_id = {}, [], 0.0, 1
    for k, found in enumerate(detections):
        began = time.perf_counter()
        boxes = [box for box, _, _ in found]
        ids = list(tracks)
        alike = overlaps([tracks[n][0] for n in ids], boxes)
        told = {}
        while alike.size and alike.max() >= 0.3:
            row, column = np.unravel_index(alike.argmax(), alike.shape)
            told[column] = ids[row]
            alike[row, :], alike[:, column] = -1, -1
        for column, box in enumerate(boxes):
            if column not in told:
                told[column], next_id = next_id, next_id + 1
            tracks[told[column]] = (box, k)
        tracks = {n: held for n, held in tracks.items() if k - held[1] <= memory * rate}
        took += time.perf_counter() - began
        result.append([(n, boxes[column]) for column, n in told.items()])
    return result, took


PEERS = {
    "perfect ids (ceiling)": perfect,
    f"norfair {norfair.__version__ if hasattr(norfair, '__version__') else ''}, IoU distance": norfair_iou,
    "C-BIoU (trackers)": published(trackers.CBIoUTracker),
    "ByteTrack (trackers)": published(trackers.ByteTrackTracker),
    "OC-SORT (trackers)": published(trackers.OCSORTTracker),
    "SORT (trackers)": published(trackers.SORTTracker),
    "greedy IoU, 0.5 s memory": greedy,
}
