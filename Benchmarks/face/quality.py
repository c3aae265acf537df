#!/usr/bin/env python3
"""Compares a face in a real terminal with the same face in pixels, for dockface and chafa, in decibels (PSNR; higher is better).

Usage: quality.py FACE-FIGURES    prints a table (Markdown). Needs Xvfb, xterm, xwd, xwininfo, chafa and DejaVu Sans Mono.
Each image (the eyes alone) is shown in an xterm of 80x26 cells of 10x20 pixels, and the window is compared with the same face in
pixels, in rows 2 to 22 of 24. With --check, exits with 1 unless blocks are within 0.3 dB of chafa and 3.2 dB better than half
blocks. These limits are slightly below the measured values.
"""
import math
import os
import re
import struct
import subprocess
import sys
import tempfile
import time
import zlib

WIDTH, HEIGHT, FIRST, LAST = 800, 480, 2 * 20, 22 * 20
SCENES = ["anger", "happy"]


def png_pixels(path):
    """Rows of RGB bytes of an 8 bit RGB PNG."""
    data = open(path, "rb").read()[8:]
    body, place, width = b"", 0, 0
    while place < len(data):
        length, kind = struct.unpack(">I4s", data[place:place + 8])
        chunk = data[place + 8:place + 8 + length]
        if kind == b"IHDR":
            width = struct.unpack(">I", chunk[:4])[0]
        if kind == b"IDAT":
            body += chunk
        place += 12 + length
    raw, stride, rows = zlib.decompress(body), width * 3, []
    above = bytes(stride)
    for start in range(0, len(raw), stride + 1):
        kind, row = raw[start], bytearray(raw[start + 1:start + 1 + stride])
        for index in range(stride):
            if kind == 1:
                row[index] = (row[index] + (row[index - 3] if index >= 3 else 0)) & 255
            elif kind == 2:
                row[index] = (row[index] + above[index]) & 255
        above = bytes(row)
        rows.append(above)
    return rows


def window_pixels(display, identifier):
    """Rows of RGB bytes of a window, without its border."""
    data = subprocess.run(["xwd", "-display", display, "-id", identifier], check=True, capture_output=True).stdout
    head = struct.unpack(">25I", data[:100])
    start, stride, left = head[0] + head[19] * 12, head[12], (head[4] - WIDTH) // 2
    rows = []
    for y in range(left, left + HEIGHT):
        row = data[start + y * stride + left * 4:start + y * stride + (left + WIDTH) * 4]
        rows.append(bytes(value for pixel in zip(row[2::4], row[1::4], row[0::4]) for value in pixel))
    return rows


def shown(display, text):
    """The pixels that an xterm displays for a text."""
    with tempfile.NamedTemporaryFile("wb", suffix=".txt") as file:
        file.write(b"\x1b[?25l\x1b[40m\x1b[2J\x1b[H" + text)
        file.flush()
        xterm = subprocess.Popen(
            ["xterm", "-display", display, "-fa", "DejaVu Sans Mono", "-fs", "12", "-geometry", "80x26", "-b", "0",
             "-bg", "black", "-fg", "white", "+sb", "-ti", "vt340", "-T", "quality", "-e",
             "sh", "-c", f"cat {file.name}; sleep 60"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            deadline = time.monotonic() + 20
            while time.monotonic() < deadline:
                tree = subprocess.run(
                    ["xwininfo", "-display", display, "-name", "quality"], capture_output=True, text=True).stdout
                found = re.search(r"Window id: (0x[0-9a-f]+)", tree)
                if found:
                    break
                time.sleep(0.1)
            # The window is ready when two captures are equal and not empty.
            last = None
            while time.monotonic() < deadline:
                time.sleep(0.4)
                rows = window_pixels(display, found.group(1))
                if rows == last and any(any(row) for row in rows):
                    return rows
                last = rows
            raise SystemExit("quality: xterm displays nothing")
        finally:
            xterm.kill()
            xterm.wait()


def psnr(a, b):
    """PSNR of two images, in decibels."""
    error = sum((p - q) ** 2 for y in range(FIRST, LAST) for p, q in zip(a[y], b[y]))
    mean = error / ((LAST - FIRST) * WIDTH * 3)
    return 10 * math.log10(255 ** 2 / mean) if mean else 99.0


def main():
    program = sys.argv[1]
    display = f":{90 + os.getpid() % 900}"
    server = subprocess.Popen(["Xvfb", display, "-noreset", "-screen", "0", "1000x700x24"], stderr=subprocess.DEVNULL)
    try:
        for _ in range(100):
            if subprocess.run(["xwininfo", "-display", display, "-root"], capture_output=True).returncode == 0:
                break
            time.sleep(0.1)
        print("| in xterm, PSNR | " + " | ".join(SCENES) + " |")
        print("| --- |" + " --- |" * len(SCENES))
        results = {}
        with tempfile.TemporaryDirectory() as folder:
            for scene in SCENES:
                path = f"{folder}/{scene}.png"
                still = [program, "still", scene]
                with open(path, "wb") as file:
                    subprocess.run(still + ["png"], check=True, stdout=file)
                reference = png_pixels(path)
                texts = {
                    glyphs: subprocess.run(still + [glyphs], check=True, capture_output=True).stdout
                    for glyphs in ["blocks", "half"]}
                for name, symbols in [("chafa, block symbols", "block"), ("chafa, half blocks", "vhalf")]:
                    texts[name] = subprocess.run(
                        ["chafa", "-f", "symbols", "-c", "full", "--symbols", symbols, "-w", "9", "-s", "80x24",
                         "--stretch", path], check=True, capture_output=True).stdout
                for name, text in texts.items():
                    # Line feeds alone would move each line to the right.
                    lines = text.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
                    results[name, scene] = psnr(reference, shown(display, lines))
        names = {"blocks": "dockface, blocks", "half": "dockface, half blocks"}
        for name in ["blocks", "half", "chafa, block symbols", "chafa, half blocks"]:
            figures = " | ".join(f"{results[name, scene]:.1f} dB" for scene in SCENES)
            print(f"| {names.get(name, name)} | {figures} |")
    finally:
        server.kill()
    if "--check" in sys.argv:
        for scene in SCENES:
            ours = results["blocks", scene]
            if ours < results["chafa, block symbols", scene] - 0.3 or ours < results["half", scene] + 3.2:
                sys.exit(f"quality: {scene} is below the limit")


if __name__ == "__main__":
    main()
