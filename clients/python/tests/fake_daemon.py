"""A daemon for tests: a thread with a Unix socket that implements the control API with answers from the tests."""

from __future__ import annotations

import json
import os
import queue
import socket
import sys
import tempfile
import threading
from typing import Any, Callable, Optional

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))

#: The greeting of a daemon with everything that the API describes. The default of `FakeDaemon` is that of an older one.
FULL_GREETING: bytes = (
    b'{"name":"dockface","version":"0.2.0","protocol":1,'
    b'"features":["pictures","detections","layers","indicators","cues","extensions","distances","expect"]}\n'
)

Handler = Callable[["Peer", dict[str, Any]], Any]

#: Longest wait for an expected event, seconds.
PATIENCE = 15.0


class Refusal(Exception):
    """For handlers: answers with an error."""

    def __init__(self, name: Optional[str], code: int, hint: str = "do something else") -> None:
        super().__init__(name)
        self.answer: dict[str, Any] = {"code": code, "message": f"{name or 'error'}: refused"}
        if name is not None:
            self.answer["data"] = {"name": name, "hint": hint}


class NoAnswer(Exception):
    """For handlers: sends no answer, because the test does."""


class Peer:
    """One client, as the daemon sees it."""

    def __init__(self, link: socket.socket) -> None:
        self.link = link
        self.number: Any = None
        self.has_control = False
        self._writing = threading.Lock()

    def raw(self, data: bytes) -> None:
        with self._writing:
            self.link.sendall(data)

    def say(self, message: Any) -> None:
        self.raw(json.dumps(message).encode() + b"\n")

    def event(self, topic: str, data: Any, kind: str = "change", seq: int = 1, **more: Any) -> None:
        params = {"topic": topic, "seq": seq, "kind": kind, "data": data, **more}
        self.say({"jsonrpc": "2.0", "method": "event", "params": params})


class FakeDaemon:
    """Answers with `handlers`. `requests` has the requests by method."""

    greeting: bytes = b'{"name":"dockface","version":"0.1.0","protocol":1}\n'

    def __init__(self, greeting: Optional[bytes] = None) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self._folder.name, "dockface.sock")
        self.greeting = self.greeting if greeting is None else greeting
        self.handlers: dict[str, Handler] = dict(DEFAULTS)
        self.requests: dict[str, "queue.Queue[dict[str, Any]]"] = {}
        self.log: list[tuple[str, dict[str, Any]]] = []
        self.bad_lines: "queue.Queue[bytes]" = queue.Queue()
        self.peers: "queue.Queue[Peer]" = queue.Queue()
        self._table = threading.Lock()
        self._links: list[socket.socket] = []
        self._threads: list[threading.Thread] = []
        self._listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self._listener.bind(self.path)
        self._listener.listen(64)
        self._start(self._accept)

    def __enter__(self) -> "FakeDaemon":
        return self

    def __exit__(self, *_: object) -> None:
        self.die()
        self._folder.cleanup()

    def asked(self, method: str) -> dict[str, Any]:
        """Waits for the next unread request of this method and returns its parameters."""
        return self._queue(method).get(timeout=PATIENCE)

    def peer(self) -> Peer:
        """Waits for the next client."""
        return self.peers.get(timeout=PATIENCE)

    def die(self) -> None:
        """Closes everything, as if the daemon was killed."""
        for link in [self._listener, *self._links]:
            try:
                link.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
        for thread in self._threads:
            if thread is not threading.current_thread():
                thread.join(PATIENCE)
        for link in [self._listener, *self._links]:
            link.close()

    def _start(self, work: Callable[..., None], *arguments: Any) -> None:
        thread = threading.Thread(target=work, args=arguments, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _queue(self, method: str) -> "queue.Queue[dict[str, Any]]":
        with self._table:
            return self.requests.setdefault(method, queue.Queue())

    def _accept(self) -> None:
        while True:
            try:
                link, _ = self._listener.accept()
            except OSError:
                return
            self._links.append(link)
            peer = Peer(link)
            self._start(self._serve, peer)

    def _serve(self, peer: Peer) -> None:
        try:
            peer.raw(self.greeting)
            self.peers.put(peer)
            rest = b""
            while True:
                part = peer.link.recv(65536)
                if not part:
                    return
                *lines, rest = (rest + part).split(b"\n")
                for line in lines:
                    self._answer(peer, line)
        except OSError:
            pass

    def _answer(self, peer: Peer, line: bytes) -> None:
        try:
            request = json.loads(line)
        except ValueError:
            self.bad_lines.put(line)
            peer.say({"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "not JSON"}})
            return
        method, params, number = request["method"], request.get("params", {}), request.get("id")
        with self._table:
            self.log.append((method, params))
        self._queue(method).put(params)
        handler = self.handlers.get(method, _echo)
        peer.number = number
        try:
            answer = {"result": handler(peer, params)}
        except Refusal as refusal:
            answer = {"error": refusal.answer}
        except NoAnswer:
            return
        if number is not None:
            peer.say({"jsonrpc": "2.0", "id": number, **answer})


def _echo(_: Peer, params: dict[str, Any]) -> Any:
    return params


def motion_state(
    running: Optional[tuple[int, float]] = None, ended: Optional[tuple[int, str]] = None, t: float = 1.0
) -> dict[str, Any]:
    """The data of topic `motion`: the running motion (number, fraction), and the last one that ended (number, outcome)."""
    zero = {"pan": 0, "tilt": 0}
    return {
        "t": t,
        "position": {"pan": 0.1, "tilt": -0.2},
        "velocity": zero,
        "commanded": zero,
        "source": "measured",
        "owner": "lease",
        "reason": {"pan": "no motion requested", "tilt": "no motion requested"},
        "motion": running and {"id": running[0], "name": "orient", "fraction": running[1], "duration": 2},
        "ended": ended and {"id": ended[0], "name": "orient", "outcome": ended[1]},
    }


ACCESSORY: dict[str, Any] = {
    "state": "docked", "dock": "ready", "reason": None, "trackingButtonEnabled": True, "mode": "manual",
    "identity": {"name": "dock", "model": "sim", "firmware": "1", "uid": "00"}, "framing": "auto", "region": None,
    "selected": [3], "torque": True, "control": None, "stoppedBy": "person",
    "limits": {"pan": {"min": -2, "max": 2, "speed": 1.5}, "tilt": {"min": -0.5, "max": 1, "speed": 1}},
}  # fmt: skip
TRACKING: dict[str, Any] = {
    "t": 2.5, "sequence": 51, "phase": "following", "followed": 3, "setPoint": [0.5, 0.4],
    "lens": {"focal": [0.77, 1.03], "principal": [0.5, 0.48], "mount": "head", "direction": None},
    "subjects": [{
        "id": 3, "kind": "person", "rect": [0.4, 0.3, 0.1, 0.2], "saliency": 1, "age": 2.4, "coasting": False,
        "speaking": None, "looking": 0.6, "distance": 1.5, "distanceError": 0.15, "distanceSource": "size", "selected": True,
    }],
}  # fmt: skip
BATTERY: dict[str, Any] = {
    "batteries": [
        {"name": "main", "level": 0.8, "charge": "charging", "low": False, "critical": False, "voltage": None},
    ]
}
FACE: dict[str, Any] = {"expression": "normal", "random": False, "gestures": True}
LENS: dict[str, Any] = {
    "focal": [0.84, 1.125], "principal": [0.51, 0.49], "distortion": [-0.15, 0.02, 0, 0, 0], "mountAngles": [-0.01, 0.02, 0.01],
    "mount": "head", "direction": None,
}  # fmt: skip
RIG: dict[str, Any] = {
    "name": "dock", "port": "/dev/ttyACM0", "profile": "mine",
    "cameras": [{"hfov": 1.07, "mount": "head", "direction": None, "lens": LENS, "aspect": 1.333, "rotate": 90, "mirrored": False}],
    "stand": {"place": [2, 0.95, 0], "heading": -0.52, "axis": [0.05, 0.01], "lens": [0, 0.035, 0.04]},
}  # fmt: skip
CAMERA: dict[str, Any] = {"magnification": 1, "recording": False, "device": 0}
DETECTIONS: dict[str, Any] = {
    "sequence": 51, "t": 2.5, "arrival": 2.54, "source": "yunet", "active": True, "dropped": None, "size": [640, 480],
    "faces": [{
        "rect": [0.4, 0.3, 0.1, 0.2], "score": 0.9, "kind": "person", "landmarks": [[0.42, 0.35], [0.48, 0.35]],
        "yaw": -0.2, "speaking": None, "looking": 0.6, "distance": None, "distanceError": None, "distanceSource": None,
    }],
    "objects": [{"name": "cup", "rect": [0, 0, 1, 1]}], "people": ["as the detector wrote it"],
    "hands": [{"points": [[0.5, 0.6, -0.01]] * 21, "score": 0.9, "side": "left"}],
}  # fmt: skip
LAYERS: dict[str, Any] = {
    "layers": [{
        "name": "room", "client": 4, "space": "world",
        "items": [{"kind": "point", "points": [[1, 0, -2.5]], "text": "door", "mark": "+", "colour": "cyan"}],
    }],
}  # fmt: skip
INDICATORS: dict[str, Any] = {
    "indicators": [{"name": "record", "client": -1, "state": "on", "text": "sound", "shown": True}],
}
SNAPSHOTS: dict[str, Any] = {
    "accessory": ACCESSORY, "motion": motion_state(), "tracking": TRACKING, "battery": BATTERY, "face": FACE,
    "events": {"recent": []}, "log": {"recent": [{"level": "info", "text": "hello"}]},
    "detections": {"recent": []}, "layers": LAYERS, "indicators": INDICATORS, "cues": {"recent": []},
}  # fmt: skip


def status(_: Peer, params: dict[str, Any]) -> Any:
    answer: dict[str, Any] = {
        "version": "0.1.0", "uptime": 12.5, "accessory": ACCESSORY, "motion": motion_state(), "tracking": TRACKING,
        "battery": BATTERY, "face": FACE, "camera": CAMERA, "lease": False, "guarded": True, "findings": [], "counters": {"frames": 3},
        "rig": RIG,
        "layers": [{"name": "room", "client": 4, "space": "world", "items": 1}], **INDICATORS,
        "extensions": [
            {"name": "log", "version": "0.2.0", "state": "ready", "text": "", "child": True, "restarts": 1}
        ],
        "detector": {
            "source": "stdin", "frames": 3, "dropped": 0, "rate": None, "camera": {
                "name": "/dev/video0", "state": "running", "restarts": 0, "problem": None, "width": 640, "height": 480,
                "rate": 29.9, "estimated": False,
            }, "sources": [{
                "name": "yunet", "state": "restarting", "active": True, "detector": None, "restarts": 1,
                "problem": "signal 9 (Killed)", "latency": None,
            }],
        },
    }  # fmt: skip
    if params.get("why"):
        answer["why"] = {axis: {"state": "idle", "text": "no motion requested"} for axis in ("pan", "tilt")}
    return answer


def _subscribe(peer: Peer, params: dict[str, Any]) -> Any:
    # Here the snapshots arrive before the answer. A client must accept both orders.
    for topic in params["topics"]:
        peer.event(topic, SNAPSHOTS[topic], "snapshot", 0)
    return {"topics": params["topics"]}


def _begin(_: Peer, params: dict[str, Any]) -> Any:
    return {"motion": 1, "duration": 2}


def acquire(peer: Peer, lifetime: float = 2) -> Any:
    """The answer to `acquireControl`."""
    renewed, peer.has_control = peer.has_control, True
    return {"lease": lifetime, "renewed": renewed}


def _release(peer: Peer, params: dict[str, Any]) -> Any:
    peer.has_control = False
    return {}


DEFAULTS: dict[str, Handler] = {
    "status": status,
    "subscribe": _subscribe,
    "acquireControl": lambda peer, params: acquire(peer),
    "releaseControl": _release,
    "stop": lambda peer, params: {"mode": "manual"},
    "setLayer": lambda peer, params: {"items": len(params["items"])},
    "setIndicator": lambda peer, params: {"shown": True},
    "setExtension": lambda peer, params: {},
    "setDistances": lambda peer, params: {"used": len(params["distances"])},
    **{method: _begin for method in ("setAngularVelocity", "setOrientation", "home", "animate", "goToPreset")},
}
