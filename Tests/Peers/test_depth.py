"""The program that receives pictures with depth, against the sender of docs/DEPTH.md, run as it is printed."""

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

from programs import ROOT, Case, Told

DEPTH = str(ROOT / ".build/debug/dockface-depth")


def sender():
    """The program of the page."""
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / "docs/DEPTH.md").read_text(), re.M | re.S)
    assert len(blocks) == 1
    return blocks[0]


def samples(path):
    """The size and the samples of a PNG as `save` writes it: one part of data, and the filter `up`."""
    file = path.read_bytes()
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


@unittest.skipUnless(os.access(DEPTH, os.X_OK) and shutil.which("ffmpeg"), "dockface-depth is not built, or ffmpeg is missing")
class Depth(Case):
    def start(self, *words, **options):
        child = subprocess.Popen(words, stdin=subprocess.DEVNULL, cwd=self.folder, env={**os.environ, "HOME": self.folder}, **options)
        # In reverse order. What it says is read until its end.
        if child.stderr:
            self.addCleanup(child.stderr.close)
        self.addCleanup(child.wait)
        self.addCleanup(child.kill)
        return child

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
        size, found, note = samples(saved / "depth.png")
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


if __name__ == "__main__":
    unittest.main()
