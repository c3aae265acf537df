"""Cost of a moving face: CPU of `dockface face NAME` on a terminal of 80x24 that accepts everything, and its frame rate.

Usage: cpu.py PROGRAM [SECONDS]
"""

import fcntl
import os
import pathlib
import pty
import select
import struct
import subprocess
import sys
import termios
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent))
import process  # noqa: E402


def measure(program, name, seconds):
    master, slave = pty.openpty()
    fcntl.ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    face = subprocess.Popen([program, "face", name, "--colour", "true"], stdin=slave, stdout=slave, stderr=slave,
                            start_new_session=True, preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
    os.close(slave)

    def read(until):
        pictures = size = 0
        while (left := until - time.monotonic()) > 0:
            if select.select([master], [], [], left)[0]:
                try:
                    data = os.read(master, 1 << 16)
                except OSError:  # the program has exited
                    break
                pictures += data.count(b"\x1b[?2026h")
                size += len(data)
        return pictures, size

    read(time.monotonic() + 2)
    begin, start = process.used_finely(face.pid), time.monotonic()
    pictures, size = read(start + seconds)
    share = (process.used_finely(face.pid) - begin) / (time.monotonic() - start)
    os.write(master, b"q")
    read(time.monotonic() + 0.3)
    face.wait()
    os.close(master)
    return share * 100, pictures / seconds, size / seconds / 1000


def main():
    program, seconds = sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 10
    print("| a moving face, 80 x 24, the whole program | CPU | frames a second | KB/s |")
    print("| --- | --- | --- | --- |")
    for name in ("excited", "anger", "normal"):
        share, rate, size = measure(program, name, seconds)
        print(f"| {name} | {share:.2f} % | {rate:.1f} | {size:.1f} |")


if __name__ == "__main__":
    main()
