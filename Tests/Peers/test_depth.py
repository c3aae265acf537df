"""The program that receives and sends pictures with depth: against the sender of docs/DEPTH.md, run as it is printed, and with a
depth camera whose kernel depth_camera.c plays."""

import json
import os
import pathlib
import re
import shutil
import socket
import struct
import subprocess
import sys
import zlib
import unittest

from programs import HERE, PROGRAM, ROOT, Case, Told

DEPTH = str(ROOT / ".build/debug/dockface-depth")


def sender():
    """The program of the page."""
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / "docs/DEPTH.md").read_text(), re.M | re.S)
    assert len(blocks) == 1
    return blocks[0]


def samples(file):
    """The size and the samples of a PNG as the program writes it: one part of data, and the filter `up`."""
    parts, at = {}, 8
    while at < len(file):
        size = struct.unpack(">I", file[at:at + 4])[0]
        parts[file[at + 4:at + 8]] = file[at + 8:at + 8 + size]
        assert zlib.crc32(file[at + 4:at + 8 + size]) == struct.unpack(">I", file[at + 8 + size:at + 12 + size])[0]
        at += 12 + size
    width, height = struct.unpack(">II", parts[b"IHDR"][:8])
    rows, above, found = zlib.decompress(parts[b"IDAT"]), bytes(2 * width), []
    for y in range(height):
        row = rows[y * (2 * width + 1):(y + 1) * (2 * width + 1)]
        assert row[0] == 2
        above = bytes((a + b) & 255 for a, b in zip(row[1:], above))
        found += struct.unpack(f">{width}H", above)
    return (width, height), found, parts[b"tEXt"]


class Programs(Case):
    """Starts programs that end with their test."""

    def start(self, *words, more=None, **options):
        places = {name: self.folder for name in ["HOME", "XDG_RUNTIME_DIR", "XDG_STATE_HOME", "XDG_CONFIG_HOME"]}
        child = subprocess.Popen(
            words, stdin=subprocess.DEVNULL, cwd=self.folder, env={**os.environ, **places, **(more or {})}, **options)
        # In reverse order. What it says is read until its end.
        if child.stderr:
            self.addCleanup(child.stderr.close)
        self.addCleanup(child.wait)
        self.addCleanup(child.kill)
        return child


@unittest.skipUnless(os.access(DEPTH, os.X_OK) and shutil.which("ffmpeg"), "dockface-depth is not built, or ffmpeg is missing")
class Depth(Programs):
    def receiver(self, *words):
        """Starts the program at a free port."""
        child = self.start(DEPTH, *words, "--listen", "127.0.0.1:0", stderr=subprocess.PIPE, text=True)
        told = Told(child.stderr)
        line = told.lines[told.wait(r"listening on 127\.0\.0\.1:\d+") - 1]
        return child, told, int(re.search(r"127\.0\.0\.1:(\d+)", line)[1])

    def send(self, port):
        """Starts the sender of the page."""
        text = sender()
        self.assertEqual(text.count("5000"), 1)
        pathlib.Path(self.folder, "sender.py").write_text(text.replace("5000", str(port)))
        subprocess.run(["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "testsrc=size=640x480:duration=0.1", "-frames:v", "1",
                        "picture.jpg"], cwd=self.folder, check=True)
        return self.start(sys.executable, "sender.py", stderr=subprocess.DEVNULL)

    def test_the_page_says_how_many_lines_its_sender_has(self):
        self.assertLessEqual(len([line for line in sender().splitlines() if line.strip()]), 12)

    def test_its_picture_and_its_depth_are_saved_as_they_are(self):
        child, told, port = self.receiver("save", "--out", "saved")
        self.send(port)
        self.assertEqual(child.wait(60), 0, told.lines)
        saved = pathlib.Path(self.folder, "saved")
        self.assertEqual((saved / "picture.jpg").read_bytes(), pathlib.Path(self.folder, "picture.jpg").read_bytes())
        size, found, note = samples((saved / "depth.png").read_bytes())
        self.assertEqual((size, set(found)), ((640, 480), {1000}))
        self.assertEqual(note, b'dockface\0{"unit":0.001,"v":1}')

    def test_it_is_received_at_its_rate_and_takes_over_when_it_comes_back(self):
        _, told, port = self.receiver("serve")
        first = self.send(port)
        at = told.wait(r"pictures arrive from 127\.0\.0\.1, 640x480, unit mm", seconds=60)
        first.kill()
        at = told.wait("waiting for a sender", after=at, seconds=60)
        self.send(port)
        told.wait(r"pictures arrive from 127\.0\.0\.1, 640x480, unit mm", after=at, seconds=60)

    def test_a_second_program_at_the_port_says_so(self):
        _, _, port = self.receiver("serve")
        done = subprocess.run([DEPTH, "serve", "--listen", f"127.0.0.1:{port}"], capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 75, done.stderr)
        self.assertIn("another program is already listening", done.stderr)

    def test_a_connection_without_a_word_harms_nothing(self):
        _, told, port = self.receiver("serve")
        idle = [socket.create_connection(("127.0.0.1", port)) for _ in range(3)]
        self.send(port)
        told.wait("pictures arrive from", seconds=60)
        for one in idle:
            one.close()


@unittest.skipUnless(os.access(DEPTH, os.X_OK) and shutil.which("ffmpeg"), "dockface-depth is not built, or ffmpeg is missing")
class Camera(Programs):
    def setUp(self):
        super().setUp()
        compiler = os.environ.get("CC") or shutil.which("cc") or "clang"
        shim = pathlib.Path(self.folder, "depth_camera.so")
        subprocess.run([compiler, "-O1", "-shared", "-fPIC", "-o", shim, HERE / "depth_camera.c", "-ldl"], check=True,
                       capture_output=True)
        self.state = pathlib.Path(self.folder, "camera")
        self.shim = {"LD_PRELOAD": str(shim), "DEPTH_CAMERA": str(self.state)}
        self.does("ok")

    def does(self, word):
        """Sets the state of the camera."""
        new = self.state.with_suffix(".new")
        new.write_text(word, encoding="utf-8")
        new.replace(self.state)

    def send(self, port, *more):
        """Starts to send. Returns what the program says."""
        words = [DEPTH, "send", "--depth-camera", "/dev/video9", "--to", f"127.0.0.1:{port}", *more]
        return self.start(*words, more=self.shim, stderr=subprocess.PIPE, text=True)

    def receive(self, server):
        """Yields the pairs that arrive: the JPEG, the size and the samples of the depth, and the note."""
        connection, _ = server.accept()
        with connection, connection.makefile("rb") as stream:
            while True:
                jpeg, png = struct.unpack(">II", stream.read(8))
                picture = stream.read(jpeg)
                size, found, note = samples(stream.read(png))
                yield picture, size, found, json.loads(note.removeprefix(b"dockface\0"))

    def test_what_is_wrong_with_a_camera_is_named(self):
        for word, status, text in [
                ("colour", 69, "has no depth (Z16), only YUYV, MJPG"), ("metadata", 69, "delivers no pictures"),
                ("busy", 75, "is in use by another program"), ("full", 69, "has no room on its USB connection"),
                ("gone", 69, "is not there; plug the camera in")]:
            with self.subTest(word):
                self.does(word)
                child = self.send(1)
                told = child.stderr.read()
                self.assertEqual(child.wait(60), status, told)
                self.assertIn("/dev/video9 " + text, told)

    def test_its_depth_goes_with_the_pictures_of_the_dock_also_after_it_was_unplugged(self):
        self.start(PROGRAM, "run", "--headless", "--port", "sim", "--config", "none", "--camera", "test", "--detector",
                   "exec:cat > /dev/null", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        server = socket.create_server(("127.0.0.1", 0))
        server.settimeout(60)
        self.addCleanup(server.close)
        told = Told(self.send(server.getsockname()[1]).stderr)
        pairs, last = self.receive(server), 0
        for _ in range(30):
            picture, size, found, note = next(pairs)
            self.assertTrue(picture.startswith(b"\xff\xd8\xff"))
            self.assertEqual(size, (640, 480))
            # Rows have gaps in the camera's memory, and a picture that is cut off is left out.
            self.assertEqual(found, [1000 + x for x in range(640)] * 480)
            self.assertEqual((note["v"], note["unit"], note["clock"]), (1, 0.001, "monotonic"))
            self.assertLess(abs(note["skew"]), 0.1)
            self.assertGreater(note["t"], last)
            last = note["t"]
        self.does("gone")
        at = told.wait("/dev/video9 was unplugged; plug it in again; trying again every 3 s", seconds=60)
        at = told.wait("/dev/video9 is not there", after=at, seconds=60)
        self.does("ok")
        told.wait("/dev/video9 delivers again", after=at, seconds=60)
        while next(pairs)[3]["t"] < last + 3:
            pass

    def test_a_camera_that_falls_silent_is_opened_again(self):
        self.start(PROGRAM, "run", "--headless", "--port", "sim", "--config", "none", "--camera", "test", "--detector",
                   "exec:cat > /dev/null", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        told = Told(self.send(1).stderr)
        at = told.wait("the first picture with its depth", seconds=60)
        self.does("silent")
        at = told.wait("/dev/video9 delivers no pictures any more", after=at, seconds=60)
        self.does("ok")
        told.wait("/dev/video9 delivers again", after=at, seconds=60)


if __name__ == "__main__":
    unittest.main()
