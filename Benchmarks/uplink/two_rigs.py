"""Two simulated rigs in one room with all their programs: docks, daemons, detectors, uplinks and the room server.

Three people walk about in front of the rigs. The detector of a rig (this file, started by its daemon) finds no one in the pictures: it
computes where the joints of these people appear, from the true place of its camera, and adds noise. Everything behind it is what a user
has: the daemon gives the answer its picture's pose, the uplink signs and encrypts, the room server matches and places the people, and a
client of the room (`Observer`) reads the reports. The geometry here is written independently of the programs'.

Hidden joints are not simulated: a detector sees all joints that are in the picture, with the confidence 0.9.
"""

from __future__ import annotations

import base64
import contextlib
import dataclasses
import hashlib
import hmac
import json
import math
import os
import pathlib
import random
import re
import secrets
import signal
import socket
import ssl
import struct
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator

ROOT = pathlib.Path(__file__).resolve().parents[2]

Vector = tuple[float, float, float]

# ------------------------------------------------------------------------------------------------------------ the people

#: The joints in the order of a detector's answer, with their place in a body of 1.7 m: to the person's right, up, ahead, in metres.
BODY: dict[str, Vector] = {
    "head": (0, 1.57, 0.09), "leftShoulder": (-0.19, 1.41, 0), "rightShoulder": (0.19, 1.41, 0),
    "leftElbow": (-0.25, 1.13, 0.02), "rightElbow": (0.25, 1.13, 0.02), "leftWrist": (-0.27, 0.89, 0.13),
    "rightWrist": (0.27, 0.89, 0.13), "leftHip": (-0.1, 0.93, 0), "rightHip": (0.1, 0.93, 0),
    "leftKnee": (-0.11, 0.51, 0.03), "rightKnee": (0.11, 0.51, 0.03), "leftAnkle": (-0.11, 0.066, 0),
    "rightAnkle": (0.11, 0.066, 0),
}
#: How tall the three are, beside 1.7 m.
SIZES = (0.94, 1.0, 1.06)
#: Their middle, 3 m ahead of the rigs, and how far from it they walk, in metres.
MIDDLE, RADIUS = (0.0, -3.0), 0.6


@dataclasses.dataclass
class People:
    """Three people. They walk around each other, each with a sway of its own, and stop now and then."""

    #: Where on their way they are at the time 0, in radians.
    phase: float = 0
    #: How fast they walk on average, in metres per second; 0: they stand.
    speed: float = 0

    def body(self, person: int, when: float) -> tuple[float, float, float]:
        """Where a person stands and looks at a time (CLOCK_MONOTONIC): x and z in metres, and the direction in radians."""
        way = self.speed * when / RADIUS
        # The speed swings between 0 and twice the mean, with a period of nine seconds.
        angle = self.phase + way + self.speed / RADIUS * math.sin(0.7 * when) / 0.7 + 2 * math.pi * person / len(SIZES)
        sway = 0.12 * math.sin(0.8 * angle + 2.1 * person)
        radius = RADIUS + sway
        return MIDDLE[0] + radius * math.sin(angle), MIDDLE[1] + radius * math.cos(angle), angle + math.pi / 2

    def joints(self, person: int, when: float) -> dict[str, Vector]:
        """Where a person's joints are in the room."""
        x, z, facing = self.body(person, when)
        found = {}
        for name, (right, up, ahead) in BODY.items():
            right, up, ahead = (SIZES[person] * part for part in (right, up, ahead))
            found[name] = (x + right * math.cos(facing) + ahead * math.sin(facing), up,
                           z + right * math.sin(facing) - ahead * math.cos(facing))
        return found


# ------------------------------------------------------------------------------------------------------------ the cameras

#: The lens of both cameras, in pixels, and its distortion.
WIDTH, HEIGHT, FX, FY, CX, CY, K1, K2 = 640, 480, 540.0, 541.0, 326.0, 235.0, -0.15, 0.02


@dataclasses.dataclass
class Camera:
    """Where a rig stands, how its head is turned, and its geometry: metres and degrees."""

    x: float
    y: float
    z: float
    heading: float
    pan: float = 0
    tilt: float = 0
    axis_up: float = 0.05
    axis_ahead: float = 0.01
    lens_right: float = 0.012
    lens_up: float = 0.035
    lens_ahead: float = 0.04
    mount_yaw: float = 0
    mount_pitch: float = 0

    def seen(self, place: Vector) -> Vector:
        """A place of the room in the camera's axes: to the right, up, and ahead."""
        # From the room inward: the stand, the pan axis, the tilt axis, the lens, how the camera sits on the head.
        right, up, ahead = place[0] - self.x, place[1] - self.y, self.z - place[2]
        right, ahead = turned(right, ahead, self.heading + self.pan)
        up, ahead = up - self.axis_up, ahead - self.axis_ahead
        up, ahead = turned(up, ahead, self.tilt)
        right, up, ahead = right - self.lens_right, up - self.lens_up, ahead - self.lens_ahead
        right, ahead = turned(right, ahead, self.mount_yaw)
        up, ahead = turned(up, ahead, self.mount_pitch)
        return right, up, ahead

    def direction(self, offset: Vector) -> Vector:
        """A difference of two places in the camera's axes."""
        here, there = self.seen((0, 0, 0)), self.seen(offset)
        return there[0] - here[0], there[1] - here[1], there[2] - here[2]

    def pixel(self, place: Vector) -> tuple[float, float] | None:
        """Where a place appears, in pixels; None if it is behind the camera or far outside the picture."""
        right, up, ahead = self.seen(place)
        if ahead < 0.1 or abs(right) > 1.2 * ahead or abs(up) > 1.2 * ahead:
            return None
        x, y = right / ahead, -up / ahead
        square = x * x + y * y
        radial = 1 + K1 * square + K2 * square * square
        return CX + FX * x * radial, CY + FY * y * radial


def turned(across: float, ahead: float, degrees: float) -> tuple[float, float]:
    """Two coordinates in axes that are turned from `ahead` toward `across`."""
    s, c = math.sin(math.radians(degrees)), math.cos(math.radians(degrees))
    return across * c - ahead * s, across * s + ahead * c


# ------------------------------------------------------------------------------------------------------------ the detector

@dataclasses.dataclass
class Sight:
    """What the detector of a rig needs. It is in a file that the detector reads again when it changes."""

    camera: Camera
    people: People
    #: The standard deviation of each coordinate of a joint, in pixels.
    noise: float

    def save(self, path: str) -> None:
        part = path + ".part"
        pathlib.Path(part).write_text(json.dumps(dataclasses.asdict(self)))
        os.replace(part, path)

    @classmethod
    def load(cls, path: str) -> Sight:
        values = json.loads(pathlib.Path(path).read_text())
        return cls(Camera(**values["camera"]), People(**values["people"]), values["noise"])

    def answer(self, when: float, dice: random.Random) -> list[dict[str, object]]:
        """The people of a picture, in an order that means nothing."""
        found = []
        for person, size in enumerate(SIZES):
            joints = self.people.joints(person, when)
            hips = [(a + b) / 2 for a, b in zip(joints["leftHip"], joints["rightHip"])]
            points, world = [], []
            for name in BODY:
                offset = tuple((a - b) / size for a, b in zip(joints[name], hips))
                right, up, ahead = self.camera.direction((offset[0], offset[1], offset[2]))
                world.append([right, -up, ahead])
                pixel = self.camera.pixel(joints[name])
                if pixel is None:
                    points.append([0.5, 0.5, 0])
                    continue
                x, y = (dice.gauss(part, self.noise) for part in pixel)
                isInside = 0 <= x < WIDTH and 0 <= y < HEIGHT
                points.append([x / WIDTH, y / HEIGHT, 0.9 if isInside else 0])
            found.append({"id": None, "score": 0.9, "face": None, "joints": points, "world": world})
        dice.shuffle(found)
        return found


def detect(path: str, seed: int) -> None:
    """Answers the pictures of a daemon. No people are seen before the file is there."""
    dice, changed, sight = random.Random(seed), 0, None
    print('{"type":"hello","v":1,"detector":"geometry","clock":"monotonic"}', flush=True)
    source = sys.stdin.buffer
    for line in iter(source.readline, b""):
        head = json.loads(line)
        if head["type"] == "ping":
            print(json.dumps({"type": "pong", "sent": head["sent"], "t": head["sent"]}), flush=True)
        if head["type"] != "image":
            continue
        source.read(head["w"] * head["h"] * 3)
        with contextlib.suppress(FileNotFoundError):
            if (now := os.stat(path).st_mtime_ns) != changed:
                sight, changed = Sight.load(path), now
        people = sight.answer(head["t"], dice) if sight else []
        print(json.dumps({"seq": head["seq"], "t": head["t"], "faces": [], "people": people}), flush=True)


# ------------------------------------------------------------------------------------------------------------ the observer

class Observer:
    """A client of the room that sends no frames and keeps the reports. The connection is encrypted, and the certificate must have a
    fingerprint."""

    def __init__(self, port: int, secret: str, fingerprint: str) -> None:
        self.reports: list[dict] = []
        self.problem: str | None = None
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
        plain = socket.create_connection(("127.0.0.1", port), 20)
        self.line = context.wrap_socket(plain)
        digits = hashlib.sha256(self.line.getpeercert(True) or b"").hexdigest()
        assert digits == fingerprint.replace(":", "").lower(), f"the certificate has the fingerprint {digits}"
        self.buffer = b""
        self._write(b"GET /ws/connect/OBSERVER HTTP/1.1\r\nHost: room\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    b"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: " + base64.b64encode(secrets.token_bytes(16)) + b"\r\n\r\n")
        while b"\r\n\r\n" not in self.buffer:
            self._fill()
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        assert head.startswith(b"HTTP/1.1 101"), head
        self._ask(secret)
        self.line.settimeout(None)
        threading.Thread(target=self._listen, daemon=True).start()

    def _ask(self, secret: str) -> None:
        # The text that is signed is the one that is sent, and has no zeros at its end.
        when, nonce = f"{time.time():.3f}".rstrip("0").rstrip("."), secrets.token_hex(16)
        token = base64.b64encode(hmac.digest(secret.encode(), f"OBSERVER:{when}:{nonce}".encode(), "sha256")).decode()
        payload = {"deviceId": "OBSERVER", "token": token, "timestamp": when, "nonce": nonce,
                   "deviceInfo": {"model": "observer", "osVersion": "1", "hasLiDAR": False}}
        self._say("authRequest", when, payload)

    def _say(self, kind: str, when: str, payload: dict) -> None:
        inner = base64.b64encode(json.dumps(payload).encode()).decode()
        self._send(1, f'{{"type":"{kind}","timestamp":{when},"payload":"{inner}"}}'.encode())

    def _send(self, opcode: int, data: bytes) -> None:
        mask, count = secrets.token_bytes(4), len(data)
        size = bytes([128 | count]) if count < 126 else bytes([128 | 126]) + struct.pack(">H", count)
        masked = bytes(byte ^ mask[index % 4] for index, byte in enumerate(data))
        self._write(bytes([128 | opcode]) + size + mask + masked)

    def _write(self, data: bytes) -> None:
        self.line.sendall(data)

    def _fill(self) -> None:
        data = self.line.recv(65_536)
        if not data:
            raise ConnectionError("the room ended the connection")
        self.buffer += data

    def _take(self, count: int) -> bytes:
        while len(self.buffer) < count:
            self._fill()
        data, self.buffer = self.buffer[:count], self.buffer[count:]
        return data

    def _listen(self) -> None:
        message = b""
        try:
            while True:
                first, second = self._take(2)
                count = second & 127
                if count == 126:
                    count = struct.unpack(">H", self._take(2))[0]
                elif count == 127:
                    count = struct.unpack(">Q", self._take(8))[0]
                data, opcode = self._take(count), first & 15
                if opcode == 8:
                    raise ConnectionError(f"the room ended the connection: {data[2:].decode(errors='replace')}")
                if opcode == 9:
                    self._send(10, data)
                if opcode in (0, 1):
                    message += data
                    if first & 128:
                        self._received(message)
                        message = b""
        except (OSError, ValueError, KeyError) as error:
            self.problem = str(error) or type(error).__name__

    def _received(self, text: bytes) -> None:
        message = json.loads(text)
        payload = json.loads(base64.b64decode(message["payload"]))
        if message["type"] == "poseBroadcast":
            self.reports.append(payload)
        elif message["type"] == "authResponse" and not payload["success"]:
            raise ConnectionError(f"the room does not accept this client: {payload.get('error')}")

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self.line.close()


# ------------------------------------------------------------------------------------------------------------ the result

@dataclasses.dataclass
class Result:
    """What the reports say, compared with the truth."""

    #: How far each joint of each person who was found is from its true place, in metres.
    errors: list[float] = dataclasses.field(default_factory=list)
    #: People who were there, and those of them whom the room has placed with both rigs where they are.
    there: int = 0
    associated: int = 0
    #: People of the reports who are not there.
    ghosts: int = 0
    reports: int = 0
    #: Reports of one rig alone, which are not compared: the pictures of the other one were older than half a second, because the machine
    #: was busy.
    alone: int = 0
    #: The names that each person had.
    names: list[set[str]] = dataclasses.field(default_factory=lambda: [set() for _ in SIZES])

    #: A person whose joints are farther off than this, in the median, is someone else, in metres.
    FARTHEST = 0.3

    def share(self, part: float) -> float:
        """The error that this share of the joints does not exceed."""
        ordered = sorted(self.errors)
        return ordered[min(len(ordered) - 1, int(part * len(ordered)))] if ordered else math.inf

    @property
    def association(self) -> float:
        return self.associated / max(1, self.there)

    def add(self, report: dict, people: People, offset: float) -> None:
        """Compares a report. `offset`: the Unix time when CLOCK_MONOTONIC was 0."""
        if not any(self._is_of_both(pose) for pose in report["poses"]):
            self.alone += 1
            return
        when = report["timestamp"] - offset
        truth = [people.joints(person, when) for person in range(len(SIZES))]
        found = [{joint["type"]: joint["position"] for joint in pose["joints"]} for pose in report["poses"]]
        distances = [[{name: math.dist(place, joints[name]) for name, place in pose.items()} for joints in truth] for pose in found]
        pairs = sorted((middle(list(row[person].values())), index, person)
                       for index, row in enumerate(distances) for person in range(len(truth)) if row[person])
        self.reports += 1
        self.there += len(truth)
        used: set[int] = set()
        known: set[int] = set()
        for distance, index, person in pairs:
            if index in used or person in known or distance > self.FARTHEST:
                continue
            used.add(index)
            known.add(person)
            self.errors += distances[index][person].values()
            self.names[person].add(report["poses"][index]["personId"])
            self.associated += self._is_of_both(report["poses"][index])
        self.ghosts += len(found) - len(used)

    @staticmethod
    def _is_of_both(pose: dict) -> bool:
        return len(pose.get("sourceDevices", [])) >= 2


def middle(values: list[float]) -> float:
    return sorted(values)[len(values) // 2]


# ------------------------------------------------------------------------------------------------------------ the programs

def wait(holds: Callable[[], object], complaint: Callable[[], str], seconds: float = 90) -> None:
    """Waits until something is true. The limit is generous for a busy machine."""
    end = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > end:
            raise AssertionError(complaint())
        time.sleep(0.05)


#: The rigs, 2 m from each other: where they stand, and how their heads are turned. Both look at the people, one more by its heading and
#: one more by its pan axis.
RIGS = {
    "left": Camera(-1, 1.15, 0, heading=20, pan=-3, tilt=-4, mount_yaw=0.8, mount_pitch=-0.6),
    "right": Camera(1, 1.25, 0, heading=-6, pan=-12, tilt=-6, axis_ahead=0.02, lens_up=0.05),
}


@dataclasses.dataclass
class Setting:
    """What is measured."""

    #: Noise of a joint, in pixels.
    noise: float = 1
    #: How far the profile's place of each rig is off, in metres, and its heading, in degrees. Two rigs are wrong in opposite ways.
    misplaced: float = 0
    misturned: float = 0
    #: How fast people walk, in metres per second.
    speed: float = 0
    #: Where people begin. Each is measured for `reports` reports.
    phases: tuple[float, ...] = (0,)
    reports: int = 60


class Room:
    """The running programs. What they say is in files of the folder."""

    def __init__(self, folder: str, setting: Setting) -> None:
        # Rig and program come with the tests; the environment names the build.
        sys.path[:0] = [str(ROOT / "Tests/Peers"), str(ROOT / "clients/python")]
        import programs

        self.programs, self.folder, self.setting = programs, folder, setting
        self.ended = contextlib.ExitStack()
        self.cameras = {name: dataclasses.replace(camera) for name, camera in RIGS.items()}
        with contextlib.ExitStack() as started:
            started.enter_context(self.ended)
            self.port, self.fingerprint = self._serve()
            for name in RIGS:
                self._robot(name)
            secret = pathlib.Path(self.secret).read_text().strip()
            self.observer = Observer(self.port, secret, self.fingerprint)
            self.ended.callback(self.observer.close)
            started.pop_all()

    def __enter__(self) -> Room:
        return self

    def __exit__(self, *error: object) -> None:
        self.ended.close()

    @property
    def secret(self) -> str:
        return f"{self.folder}/server/config/dockface/room.secret"

    def logs(self) -> str:
        """The end of what each program has said."""
        paths = sorted(pathlib.Path(self.folder).glob("*.log"))
        return "\n".join(f"{path.stem}: {path.read_text(errors='replace')[-600:]}" for path in paths)

    def _environment(self, name: str) -> dict[str, str]:
        home = f"{self.folder}/{name}"
        os.makedirs(home, exist_ok=True)
        return {**os.environ, "HOME": home, "XDG_RUNTIME_DIR": home, "XDG_STATE_HOME": f"{home}/state",
                "XDG_CONFIG_HOME": f"{home}/config", "DOCKFACE_SOCKET": f"{home}/dock.sock", "DOCKFACE_UPLINK_SIGN": "none"}

    def _start(self, name: str, environment: dict[str, str], *words: str) -> None:
        with open(f"{self.folder}/{name}.log", "ab") as log:
            child = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log, env=environment)

        def end() -> None:
            if child.poll() is None:
                child.send_signal(signal.SIGTERM)
                with contextlib.suppress(subprocess.TimeoutExpired):
                    child.wait(10)
                child.kill()
            child.wait()

        self.ended.callback(end)

    def _beside(self, name: str) -> str:
        """A program of the same build as the daemon's."""
        return str(pathlib.Path(self.programs.PROGRAM).parent / name)

    def _serve(self) -> tuple[int, str]:
        self._start("room", self._environment("server"), self._beside("dockface-room"), "--host", "127.0.0.1", "--port", "0")
        log = pathlib.Path(self.folder, "room.log")
        wait(lambda: "robots need the secret" in log.read_text(), self.logs)
        text = log.read_text()
        port, digits = re.search(r"wss://127\.0\.0\.1:(\d+)", text), re.search(r'fingerprint = "([0-9A-F:]{95})"', text)
        assert port and digits, text
        return int(port[1]), digits[1]

    def _profile(self, name: str) -> str:
        """The profile of a rig: that of the simulated dock, with the lens and with the place as it was measured."""
        camera, sign = self.cameras[name], 1 if name == "left" else -1
        text = (ROOT / "profiles/dlp-dock.toml").read_text()
        text = re.sub(r"(?m)^camera *=.*$", "", text)
        stand = {"x": camera.x + sign * self.setting.misplaced, "y": camera.y, "z": camera.z - sign * self.setting.misplaced,
                 "heading": camera.heading + sign * self.setting.misturned, "axis_up": camera.axis_up, "axis_ahead": camera.axis_ahead,
                 "lens_right": camera.lens_right, "lens_up": camera.lens_up, "lens_ahead": camera.lens_ahead}
        lens = {"width": WIDTH, "height": HEIGHT, "fx": FX, "fy": FY, "cx": CX, "cy": CY, "k1": K1, "k2": K2,
                "mount_yaw": camera.mount_yaw, "mount_pitch": camera.mount_pitch, "mount_roll": 0}
        tables = {"camera": {"hfov": 2 * math.degrees(math.atan(WIDTH / 2 / FX)), "latency_ms": 45}, "camera.lens": lens, "stand": stand}
        text += "".join(f"\n[{table}]\n" + "".join(f"{key} = {value}\n" for key, value in rows.items())
                        for table, rows in tables.items())
        path = f"{self.folder}/{name}.toml"
        pathlib.Path(path).write_text(text)
        return path

    def _sight(self, name: str) -> str:
        return f"{self.folder}/{name}.json"

    def _robot(self, name: str) -> None:
        import dockface

        environment, camera = self._environment(name), self.cameras[name]
        rig = self.programs.Rig(self.folder, f"{name}.dock")
        self.ended.callback(rig.close)
        detector = f"exec:{sys.executable} {pathlib.Path(__file__).resolve()} {self._sight(name)} {len(name)}"
        self._start(f"{name}-daemon", environment, self.programs.PROGRAM, "run", "--headless", "--config", "none", "--port", rig.path,
                    "--profile", self._profile(name), "--mode", "manual", "--camera", "test", "--detector", detector,
                    "--socket", environment["DOCKFACE_SOCKET"])
        wait(lambda: os.path.exists(environment["DOCKFACE_SOCKET"]), self.logs)
        with dockface.Dock(environment["DOCKFACE_SOCKET"]) as dock, dock.control():
            wait(lambda: dock.status().accessory.dock == "ready", self.logs)
            dock.set_orientation(pan=math.radians(camera.pan), tilt=math.radians(camera.tilt)).wait(20)
        # Where the head really is, and stays.
        wait(lambda: abs(rig.pose()[2]) < 0.01, self.logs)
        camera.pan, camera.tilt, _ = rig.pose()
        self._start(f"{name}-uplink", environment, self._beside("dockface-uplink"), "--server", f"wss://127.0.0.1:{self.port}",
                    "--fingerprint", self.fingerprint, "--secret-file", self.secret)

    def measure(self) -> Result:
        """Compares the reports of all phases with the truth."""
        offset, result = time.time() - time.monotonic(), Result()
        for phase in self.setting.phases:
            people = People(phase, self.setting.speed)
            for name, camera in self.cameras.items():
                Sight(camera, people, self.setting.noise).save(self._sight(name))
            reports, end = self._arriving(), result.reports + self.setting.reports
            # It begins when both detectors see the people at their new places.
            limit = time.monotonic() + 60
            while (first := self._compared(next(reports), people, offset)).associated < len(SIZES):
                assert time.monotonic() < limit, f"the people are not found: {first}\n{self.logs()}"
            while result.reports < end:
                result.add(next(reports), people, offset)
        return result

    @staticmethod
    def _compared(report: dict, people: People, offset: float) -> Result:
        result = Result()
        result.add(report, people, offset)
        return result

    def _arriving(self) -> Iterator[dict]:
        """The reports from now on, as they arrive."""
        place = len(self.observer.reports)
        while True:
            wait(lambda: len(self.observer.reports) > place or self.observer.problem, self.logs)
            assert self.observer.problem is None, f"{self.observer.problem}\n{self.logs()}"
            yield self.observer.reports[place]
            place += 1


def measure(folder: str, setting: Setting) -> Result:
    """Starts everything in a folder, measures, and ends everything."""
    with Room(folder, setting) as room:
        return room.measure()


if __name__ == "__main__":
    detect(sys.argv[1], int(sys.argv[2]))
