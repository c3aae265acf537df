"""What the measuring programs of the recorder share: a film, a daemon whose camera shows it, recorders, and a look into their files."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "Benchmarks"), str(ROOT / "clients/python")]
import dockface  # noqa: E402
import process  # noqa: E402

PROGRAM = os.environ.get("DOCKFACE_PROGRAM", str(ROOT / ".build-static/release/dockface"))
RECORDER = os.environ.get("DOCKFACE_RECORDER", str(ROOT / ".build-static/release/dockface-record"))

#: The film: its size, its pictures a second, and the place of its face, a fine chessboard (x, y, width and height in pixels).
SIZE, RATE, FACE = (640, 480), 30, (272, 192, 96, 96)
#: A side of the chessboard's squares, in pixels.
SQUARE = 4

#: A detector that finds the chessboard in every picture. The file of its first argument has the name of its fault, or nothing.
DETECTOR = f"""
import json, sys, time
def say(line):
    sys.stdout.write(line + chr(10))
    sys.stdout.flush()
say('{{"type":"hello","v":1,"detector":"chessboard","clock":"monotonic"}}')
rect = [{FACE[0] / SIZE[0]}, {FACE[1] / SIZE[1]}, {FACE[2] / SIZE[0]}, {FACE[3] / SIZE[1]}]
source = sys.stdin.buffer
for line in iter(source.readline, b""):
    head = json.loads(line)
    if head["type"] == "ping":
        say(json.dumps({{"type": "pong", "sent": head["sent"], "t": head["sent"]}}))
    if head["type"] != "image":
        continue
    left = head["w"] * head["h"] * 3
    while left:
        left -= len(source.read(left))
    with open(sys.argv[1]) as file:
        fault = file.read()
    faces = [{{"rect": rect, "score": 0.9}}]
    if fault == "noise":
        say("%&/ this is no answer")
        continue
    if fault == "late":
        time.sleep(1.5)
    if fault == "faces":
        faces = [{{"rect": ["left", None, -1e300, 0], "score": "high"}}]
    if fault == "numbers":
        head["seq"], head["t"] = head["seq"] + 100000, head["t"] + 3600
    say(json.dumps({{"seq": head["seq"], "t": head["t"], "faces": faces}}))
"""


def wait(holds: Callable[[], object], complaint: str, seconds: float = 120) -> None:
    """Waits until something is true. The limit is generous for a busy machine."""
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end, complaint
        time.sleep(0.02)


def end_on_signals() -> None:
    """A signal ends the program as an error does, so that its processes and folders go, too."""
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _: sys.exit(128 + number))
    # A shell starts programs in the background with SIGINT ignored, which their own children would inherit.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def middle(values: list[float]) -> float:
    return sorted(values)[len(values) // 2]


def make_film(path: str, seconds: float, noise: int = 3) -> None:
    """Makes a film without compression, so that reading it costs little: a moving pattern with noise, and the face in front of it."""
    width, height = SIZE
    x, y, face_width, face_height = FACE
    graph = (f"testsrc2=size={width}x{height}:rate={RATE},noise=alls={noise}:allf=t[back];"
             f"nullsrc=size={face_width}x{face_height}:rate={RATE},"
             f"geq=lum='16+219*mod(floor(X/{SQUARE})+floor(Y/{SQUARE}),2)':cb=128:cr=128[face];"
             f"[back][face]overlay={x}:{y}:format=yuv420,format=yuv420p")
    subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", "-f", "lavfi", "-i", graph, "-t", f"{seconds}", "-c:v", "rawvideo", path],
                   check=True)


@dataclasses.dataclass
class Chunk:
    """A finished recording, by its name. Times are milliseconds since 1970."""

    path: pathlib.Path
    start: int
    duration: int
    verdict: str

    @property
    def end(self) -> int:
        return self.start + self.duration


def chunks(folder: str) -> list[Chunk]:
    """The finished recordings of a folder, the oldest first."""
    found = []
    for path in pathlib.Path(folder).glob("chunk_*.mp4"):
        _, start, duration, verdict = path.stem.split("_")
        found.append(Chunk(path, int(start), int(duration), verdict))
    return sorted(found, key=lambda chunk: chunk.start)


def parts(folder: str) -> list[pathlib.Path]:
    """The recordings that are being written, or were left open, the oldest first."""
    return sorted(pathlib.Path(folder).glob("chunk_*.part"), key=begun)


def begun(part: pathlib.Path) -> int:
    """When a recording that is being written has begun, in milliseconds since 1970."""
    return int(part.stem.split("_")[1])


def size(path: pathlib.Path) -> int:
    """The size of a file, in bytes; 0 if it is gone."""
    try:
        return path.stat().st_size
    except FileNotFoundError:
        return 0


def times(path: pathlib.Path) -> list[float]:
    """The times of a file's pictures, in seconds from its beginning. Their number is that of ffprobe's packets."""
    words = ["ffprobe", "-v", "error", "-count_packets", "-select_streams", "v:0", "-show_entries",
             "packet=pts_time:stream=nb_read_packets", "-of", "json", str(path)]
    found = json.loads(subprocess.run(words, capture_output=True, check=True).stdout)
    all_times = [float(packet["pts_time"]) for packet in found["packets"]]
    assert len(all_times) == int(found["streams"][0]["nb_read_packets"]), f"{path.name}: ffprobe contradicts itself"
    return sorted(all_times)


def trouble(path: pathlib.Path) -> str:
    """What ffmpeg says against a file when it plays it to its end; empty if nothing."""
    # With the file's own times: pictures of a busy camera may be closer to each other than its usual rate allows.
    words = ["ffmpeg", "-nostdin", "-v", "error", "-i", str(path), "-fps_mode", "passthrough", "-enc_time_base", "-1", "-f", "null", "-"]
    done = subprocess.run(words, capture_output=True, text=True)
    return done.stderr.strip() or ("" if done.returncode == 0 else f"ffmpeg ended with {done.returncode}")


def bare(path: pathlib.Path) -> int:
    """How many pictures of a file show the chessboard, or a part of it.

    It looks at tiles of 12 x 12 pixels. In a bare one, neighbours differ by a quarter of the range of brightness in the mean, about 55;
    in a block of one colour they do not.
    """
    x, y, width, height = FACE
    done = subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-i", str(path), "-vf", f"crop={width}:{height}:{x}:{y},format=gray",
                           "-fps_mode", "passthrough", "-f", "rawvideo", "-"], capture_output=True, check=True)
    count, step, tile = 0, width * height, 12
    for begin in range(0, len(done.stdout) - step + 1, step):
        picture = done.stdout[begin:begin + step]
        count += any(_detail(picture, width, left, top, tile) > 24 for top in range(0, height, tile) for left in range(0, width, tile))
    return count


def _detail(picture: bytes, width: int, left: int, top: int, tile: int) -> float:
    """The mean difference of neighbours in a tile; two of its rows are enough."""
    total = 0
    for row in (top + 2, top + 8):
        begin = row * width + left
        pixels = picture[begin:begin + tile]
        total += sum(abs(a - b) for a, b in zip(pixels, pixels[1:]))
    return total / (2 * (tile - 1))


class Stand:
    """A folder of its own with a daemon and recorders in it. At its end all of them are gone."""

    def __init__(self) -> None:
        self.folder = tempfile.mkdtemp(prefix="dockface-recorder-")
        self.socket = f"{self.folder}/dock.sock"
        self.recordings = f"{self.folder}/data/dockface/recordings"
        self.log = f"{self.folder}/record.log"
        self.fault = f"{self.folder}/fault"
        self.running: list[subprocess.Popen[bytes]] = []
        pathlib.Path(self.fault).write_text("")
        pathlib.Path(self.folder, "detector.py").write_text(DETECTOR)
        self.detector = f"exec:{sys.executable} {self.folder}/detector.py {self.fault}"
        self.variables = {**os.environ, "HOME": self.folder, "DOCKFACE_SOCKET": self.socket, "XDG_RUNTIME_DIR": self.folder,
                          "XDG_STATE_HOME": f"{self.folder}/state", "XDG_CONFIG_HOME": f"{self.folder}/config",
                          "XDG_DATA_HOME": f"{self.folder}/data", "TZ": "UTC",
                          # The daemon here has no screen.
                          "DOCKFACE_RECORD_SIGN": "none"}

    def __enter__(self) -> Stand:
        return self

    def __exit__(self, *_: object) -> None:
        for child in reversed(self.running):
            self.end(child)
        shutil.rmtree(self.folder, ignore_errors=True)

    def start(self, words: list[str], log: str | None = None, **variables: str) -> subprocess.Popen[bytes]:
        """Starts a program. Its output is appended to a log, or dropped."""
        with open(log or os.devnull, "ab") as output:
            child = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=output, stderr=output, env={**self.variables, **variables})
        self.running.append(child)
        return child

    def end(self, child: subprocess.Popen[bytes], number: int = signal.SIGTERM) -> int:
        """Ends a program, with force if a signal is not enough. Returns its status."""
        if child.poll() is None:
            child.send_signal(signal.SIGCONT)
            child.send_signal(number)
            try:
                child.wait(20)
            except subprocess.TimeoutExpired:
                child.kill()
        if child in self.running:
            self.running.remove(child)
        return child.wait()

    def daemon(self, camera: str, detector: str | None = None, *more: str) -> subprocess.Popen[bytes]:
        """Starts the daemon, and waits until its dock is ready. Without a detector it has one that never answers.

        A film does not turn with the head, so the daemon must not steer by it.
        """
        child = self.start([PROGRAM, "run", "--port", "sim", "--headless", "--config", "none", "--camera", camera, "--detector",
                            detector or "exec:cat > /dev/null", "--socket", self.socket, "--mode", "manual", "--open-loop", *more],
                           f"{self.folder}/daemon.log")

        def is_ready() -> bool:
            assert child.poll() is None, f"the daemon has ended: {self.tail('daemon.log')}"
            with contextlib.suppress(dockface.DockError, OSError), dockface.Dock(self.socket) as dock:
                return dock.status().accessory.dock == "ready"
            return False

        wait(is_ready, "the dock does not become ready")
        return child

    def recorder(self, *words: str, **variables: str) -> subprocess.Popen[bytes]:
        """Starts a recorder."""
        return self.start([RECORDER, "run", *words], self.log, **variables)

    def names(self, folder: str | None = None) -> set[str]:
        """The names of what is in the folder of the recordings."""
        try:
            return set(os.listdir(folder or self.recordings))
        except FileNotFoundError:
            return set()

    def wait_for_pictures(self, recorder: subprocess.Popen[bytes], known: set[str], folder: str | None = None,
                          since: float = 0) -> pathlib.Path:
        """Waits until a recording has pictures on the disk that is none of the known ones, and has begun after a time, in seconds since
        1970. Returns its unfinished file."""
        found: list[pathlib.Path] = []

        def has_pictures() -> bool:
            assert recorder.poll() is None, f"the recorder has ended: {self.tail('record.log')}"
            found[:] = [part for part in parts(folder or self.recordings)
                        if part.name not in known and begun(part) >= since * 1000 and size(part) > 2000]
            return bool(found)

        wait(has_pictures, f"nothing is recorded: {self.tail('record.log')}")
        return found[0]

    def verb(self, *words: str) -> str:
        """Runs a verb of the recorder, and returns what it prints."""
        return subprocess.run([RECORDER, *words], capture_output=True, text=True, check=True, env=self.variables).stdout

    def list(self, folder: str | None = None) -> list[dict]:
        """What the recorder's list says of the recordings."""
        return [json.loads(line) for line in self.verb("list", "--json", "--folder", folder or self.recordings).splitlines()]

    def tail(self, name: str) -> str:
        """The end of a log."""
        try:
            return pathlib.Path(self.folder, name).read_text(errors="replace")[-600:]
        except FileNotFoundError:
            return "(no log)"


def children(number: int, word: str) -> list[int]:
    """The children of a process that have a word in their command line, the oldest first."""
    found = []
    for child in process.tree(number)[1:]:
        with contextlib.suppress(OSError):
            words = pathlib.Path(f"/proc/{child}/cmdline").read_text(errors="replace").split("\0")
            if word in words:
                found.append((int(pathlib.Path(f"/proc/{child}/stat").read_text().rsplit(")", 1)[1].split()[19]), child))
    return [child for _, child in sorted(found)]


def encoders(recorder: subprocess.Popen[bytes]) -> list[int]:
    """The encoders of a recorder, the oldest first."""
    return children(recorder.pid, "libx264")


class Signs:
    """Follows what the robot shows of the recorder, in a thread of its own. Entries are (monotonic time, state, text)."""

    def __init__(self, path: str) -> None:
        self.dock = dockface.Dock(path)
        self.entries: list[tuple[float, str, str]] = []
        self.thread = threading.Thread(target=self._follow, daemon=True)
        self.thread.start()

    def _follow(self) -> None:
        with contextlib.suppress(dockface.DockError), self.dock.events("indicators") as events:
            for event in events:
                shown = next((one for one in event.data.indicators if one.name == "record"), None)
                entry = (shown.state, shown.text) if shown else ("off", "")
                if not self.entries or self.entries[-1][1:] != entry:
                    self.entries.append((time.monotonic(), *entry))

    def __enter__(self) -> Signs:
        return self

    def __exit__(self, *_: object) -> None:
        self.dock.close()
        self.thread.join(5)

    @property
    def state(self) -> str:
        """What is shown now: off, trying, on or fault."""
        return self.entries[-1][1] if self.entries else "off"

    def first(self, state: str, since: float, seconds: float = 60) -> tuple[float, str] | None:
        """Waits until a state is shown that was not shown before a moment of the monotonic clock. Returns how long after the moment that
        was, and its text; None if it is not shown in time."""
        found: list[tuple[float, str]] = []

        def is_shown() -> bool:
            found[:] = [(moment - since, text) for moment, name, text in list(self.entries) if name == state and moment >= since]
            return bool(found)

        try:
            wait(is_shown, "", seconds)
        except AssertionError:
            return None
        return found[0]
