#!/usr/bin/env python3
"""A server that behaves as Aerie does, and writes down when each frame arrives.

        server.py PORT FILE [--certificate FILE --key FILE] [--secret FILE] [--pictures FILE] [--video FILE]

FILE gets a JSON line for each frame: arrival, the time of its picture, bytes of the message, width, fx in pixels, whether the lens bends
lines. Without a secret it accepts any token,
as Aerie does, and proves nothing; with one it proves that it knows it. The newest picture goes to the
file of --pictures. With --video it accepts H.264, and FILE gets the stream; SIGUSR2 asks for a key frame. A frame of a WebSocket with more than 16,384 bytes ends the
connection with 1009, and messages of the first 50 ms are lost. SIGUSR1 makes it read nothing for 20 seconds.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import contextlib
import hashlib
import hmac
import json
import pathlib
import signal
import ssl
import struct
import time

LARGEST = 16_384
#: How long messages after the handshake are lost, in seconds.
DEAF = 0.05
MAGIC = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"


class Ended(Exception):
    """The connection is over."""


class Session:
    """One connection."""

    def __init__(self, server: Server, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.server, self.reader, self.writer = server, reader, writer
        self.accepted, self.has_key = False, False

    async def run(self) -> None:
        await self.shake_hands()
        opened = time.monotonic()
        message = bytearray()
        while True:
            await self.server.reading.wait()
            is_last, opcode, data = await self.frame()
            if opcode == 8:
                raise Ended
            if opcode == 9:
                await self.send(10, data)
            if opcode not in (0, 1):
                continue
            message += data
            if is_last:
                whole, message = bytes(message), bytearray()
                if time.monotonic() - opened > DEAF:
                    await self.received(whole)

    async def shake_hands(self) -> None:
        head = (await self.reader.readuntil(b"\r\n\r\n")).split(b"\r\n")
        fields = dict(line.split(b": ", 1) for line in head[1:] if line)
        key = next(value for name, value in fields.items() if name.lower() == b"sec-websocket-key")
        accept = base64.b64encode(hashlib.sha1(key + MAGIC).digest())
        self.writer.write(b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                          b"Sec-WebSocket-Accept: " + accept + b"\r\n\r\n")
        await self.writer.drain()

    async def frame(self) -> tuple[bool, int, bytes]:
        first, second = await self.reader.readexactly(2)
        count = second & 127
        if count == 126:
            count = struct.unpack(">H", await self.reader.readexactly(2))[0]
        elif count == 127:
            count = struct.unpack(">Q", await self.reader.readexactly(8))[0]
        if count > LARGEST:
            await self.send(8, struct.pack(">H", 1009))
            raise Ended
        mask = await self.reader.readexactly(4)
        data = await self.reader.readexactly(count)
        # A number of the length of the data is the fastest way to apply a mask.
        wide = int.from_bytes(data, "little") ^ int.from_bytes((mask * (count // 4 + 1))[:count], "little")
        return bool(first & 128), first & 15, wide.to_bytes(count, "little")

    async def send(self, opcode: int, data: bytes) -> None:
        count = len(data)
        head = bytes([128 | opcode, count]) if count < 126 else bytes([128 | opcode, 126]) + struct.pack(">H", count)
        self.writer.write(head + data)
        await self.writer.drain()

    async def say(self, kind: str, payload: dict) -> None:
        # Foundation writes "\/" for "/".
        inner = base64.b64encode(json.dumps(payload).encode()).decode().replace("/", "\\/")
        await self.send(1, f'{{"timestamp":{time.time()},"type":"{kind}","payload":"{inner}"}}'.encode())

    async def received(self, text: bytes) -> None:
        arrival = time.time()
        message = json.loads(text)
        payload = json.loads(base64.b64decode(message["payload"]))
        if message["type"] == "heartbeat":
            await self.say("heartbeat", {"pong": True})
        elif message["type"] == "authRequest":
            await self.authenticate(payload)
        elif message["type"] == "cameraFrame":
            if not self.accepted:
                return await self.say("authResponse", {"success": False, "error": "error 1."})
            lens = payload["intrinsics"]
            row = [arrival, payload["timestamp"], len(text), lens["width"], lens["fx"], "distortion" in payload]
            self.server.output.write(json.dumps(row) + "\n")
            if self.server.video and "video" in payload:
                self.has_key = self.has_key or payload["video"]["key"]
                if self.has_key:
                    self.server.video.write(base64.b64decode(payload["video"]["data"]))
            elif self.server.pictures:
                # A reader never finds a part of a picture.
                part = self.server.pictures.with_suffix(".part")
                part.write_bytes(base64.b64decode(payload["imageData"]))
                part.replace(self.server.pictures)

    async def authenticate(self, payload: dict) -> None:
        self.accepted = True
        answer = {"success": True, "sessionId": "S1", "error": None}
        if self.server.secret:
            signed = f"{payload['deviceId']}:{payload['timestamp']}:{payload['nonce']}"
            self.accepted = hmac.compare_digest(self.server.sign(signed), payload["token"])
            answer = {"success": self.accepted, "sessionId": "S1", "proof": self.server.sign(f"server:{payload['nonce']}:S1")}
        if self.server.video and "h264" in payload.get("accepts", []):
            answer["accepts"] = ["h264"]
        self.server.session = self
        await self.say("authResponse", answer)


class Server:
    """All connections."""

    def __init__(self, output: str, secret: str | None, pictures: str | None, video: str | None) -> None:
        self.output = open(output, "w", buffering=1)
        self.secret = pathlib.Path(secret).read_text().strip().encode() if secret else None
        self.pictures = pathlib.Path(pictures) if pictures else None
        self.video = open(video, "ab", buffering=0) if video else None
        self.session: Session | None = None
        self.reading = asyncio.Event()
        self.reading.set()

    def sign(self, text: str) -> str:
        return base64.b64encode(hmac.digest(self.secret or b"", text.encode(), "sha256")).decode()

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(Ended, asyncio.IncompleteReadError, ConnectionError):
            await Session(self, reader, writer).run()
        writer.close()

    async def ask(self) -> None:
        if self.session:
            await self.session.say("keyFrame", {})

    async def pause(self) -> None:
        self.reading.clear()
        await asyncio.sleep(20)
        self.reading.set()


async def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("port", type=int)
    parser.add_argument("output")
    for name in ("host", "certificate", "key", "secret", "pictures", "video"):
        parser.add_argument(f"--{name}")
    words = parser.parse_args()
    server, tls = Server(words.output, words.secret, words.pictures, words.video), None
    if words.certificate:
        tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        tls.load_cert_chain(words.certificate, words.key)
    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGUSR1, lambda: loop.create_task(server.pause()))
    loop.add_signal_handler(signal.SIGUSR2, lambda: loop.create_task(server.ask()))
    loop.add_signal_handler(signal.SIGTERM, loop.stop)
    # The buffer of the stream is small, so that a server that does not read holds the network up.
    await asyncio.start_server(server.accept, words.host or "127.0.0.1", words.port, ssl=tls, limit=65_536)
    await asyncio.Event().wait()


with contextlib.suppress(RuntimeError):
    asyncio.run(main())
