"""The camera's pictures: a share that the test writes as docs/PICTURES.md describes it."""

from __future__ import annotations

import fcntl
import json
import mmap
import os
import socket
import struct
import threading
import time
import unittest
from typing import Any

from fake_daemon import FakeDaemon, NoAnswer, Peer, Refusal

import dockface

PAGE = 4096


class Share:
    """A share with pictures of one colour each."""

    def __init__(self, width: int = 8, height: int = 4, slots: int = 4) -> None:
        self.width, self.height, self.slots = width, height, slots
        self.size = width * height * 3
        self.stride = PAGE + (self.size + PAGE - 1) // PAGE * PAGE
        self.memory = os.memfd_create("pictures", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        os.ftruncate(self.memory, PAGE + slots * self.stride)
        fcntl.fcntl(self.memory, fcntl.F_ADD_SEALS, fcntl.F_SEAL_SHRINK | fcntl.F_SEAL_GROW)
        self.map = mmap.mmap(self.memory, 0)
        struct.pack_into("8s5I", self.map, 0, b"DOCKPICS", 1, 1, width, height, slots)
        struct.pack_into("3Q", self.map, 32, self.size, PAGE, self.stride)
        reader, writer = socket.socketpair()
        reader.setblocking(False)
        self.bell, self.ring_end = reader.detach(), writer.detach()
        self.number = 0

    def place(self, number: int) -> int:
        return PAGE + number % self.slots * self.stride

    def publish(self, colour: int, known: bool = True) -> None:
        self.number += 1
        place = self.place(self.number)
        (version,) = struct.unpack_from("Q", self.map, place)
        struct.pack_into("Q", self.map, place, version + 1)
        moment = time.monotonic()
        pose = (0.25, -0.5, 1.0, 0.0)
        struct.pack_into("QQdd4dQ", self.map, place + 8, self.number, self.number + 100, moment - 0.04, moment, *pose, 2 * known)
        self.map[place + PAGE : place + PAGE + self.size] = bytes([colour]) * self.size
        struct.pack_into("Q", self.map, place, version + 2)
        struct.pack_into("Q", self.map, 64, self.number << 8 | self.number % self.slots)
        self.ring()

    def ring(self) -> None:
        os.write(self.ring_end, struct.pack("Q", 1))

    def end(self) -> None:
        struct.pack_into("Q", self.map, 72, 1)
        self.ring()
        os.close(self.ring_end)

    @property
    def answer(self) -> dict[str, Any]:
        return {"width": self.width, "height": self.height, "format": "rgb24", "slots": self.slots, "size": len(self.map)}


class PictureTests(unittest.TestCase):
    def setUp(self) -> None:
        greeting = b'{"name":"dockface","version":"0.3.0","protocol":1,"features":["pictures"]}\n'
        self.daemon = FakeDaemon(greeting)
        self.shares = [Share()]
        self.opened = 0
        self.daemon.handlers["openPictures"] = self.open
        self.daemon.handlers["closePictures"] = lambda peer, params: {}
        self.addCleanup(self.daemon.__exit__)
        self.dock = dockface.Dock(self.daemon.path)
        self.addCleanup(self.dock.close)

    def open(self, peer: Peer, params: dict[str, Any]) -> Any:
        if self.opened >= len(self.shares):
            raise Refusal("notConnected", -32001)
        share = self.shares[self.opened]
        self.opened += 1
        line = json.dumps({"jsonrpc": "2.0", "id": peer.number, "result": share.answer}).encode() + b"\n"
        socket.send_fds(peer.link, [line], [share.memory, share.bell])
        raise NoAnswer

    def test_pictures_arrive_with_what_is_known_about_them(self) -> None:
        share = self.shares[0]
        share.publish(7)
        with self.dock.pictures(timeout=5) as pictures:
            self.assertEqual(self.daemon.asked("openPictures"), {"format": "rgb24"})
            picture = pictures.next()
            assert picture is not None
            self.assertEqual((picture.sequence, picture.width, picture.height, picture.format), (101, 8, 4, "rgb24"))
            self.assertAlmostEqual(picture.arrival - picture.exposure, 0.04)
            self.assertEqual((picture.pose, picture.rate), (dockface.Pose(0.25, -0.5), dockface.Velocity(1.0, 0.0)))
            self.assertEqual(picture.copy(), bytes([7]) * 96)
            with picture.pixels() as pixels:
                self.assertEqual(tuple(pixels.shape), (4, 8, 3))
                self.assertEqual(pixels.tobytes(), bytes([7]) * 96)
            share.publish(8, known=False)
            share.publish(9, known=False)
            newest = pictures.next()
            assert newest is not None
            self.assertEqual((newest.sequence, newest.pose, newest.rate), (103, None, None), "only the newest")
            self.assertIsNone(pictures.next(0.05))
        self.daemon.asked("closePictures")

    def test_a_picture_that_was_overwritten_is_not_believed(self) -> None:
        share = self.shares[0]
        share.publish(1)
        with self.dock.pictures() as pictures:
            picture = pictures.next()
            assert picture is not None
            with self.assertRaises(dockface.PictureLost):
                with picture.pixels():
                    for colour in range(4):
                        share.publish(colour)
            self.assertRaises(dockface.PictureLost, picture.copy)
            self.assertFalse(picture.intact)

    def test_an_iteration_waits_and_ends_after_its_timeout(self) -> None:
        share = self.shares[0]
        with self.dock.pictures(timeout=0.3) as pictures:
            timer = threading.Timer(0.1, share.publish, [5])
            timer.start()
            self.assertEqual([picture.sequence for picture in pictures], [101])
            timer.join()

    def test_a_new_size_opens_the_pictures_again(self) -> None:
        self.shares.append(Share(16, 8))
        self.shares[0].publish(1)
        self.shares[1].publish(2)
        with self.dock.pictures(timeout=5) as pictures:
            self.assertEqual(pictures.next().width, 8)  # type: ignore[union-attr]
            self.shares[0].end()
            self.assertEqual(pictures.next().width, 16)  # type: ignore[union-attr]
            self.shares[1].end()
            self.assertRaises(dockface.NotConnected, pictures.next)

    def test_the_end_of_the_daemon_ends_the_pictures(self) -> None:
        with self.dock.pictures() as pictures:
            self.daemon.die()
            os.close(self.shares[0].ring_end)
            self.assertRaises(dockface.ConnectionLost, pictures.next)

    def test_a_second_opening_ends_the_first(self) -> None:
        self.shares.append(Share())
        first = self.dock.pictures()
        second = self.dock.pictures()
        os.close(self.shares[0].ring_end)
        self.assertRaises(dockface.NotConnected, first.next)
        self.shares[1].publish(3)
        self.assertIsNotNone(second.next(5))
        self.assertNotIn("closePictures", [method for method, _ in self.daemon.log])

    def test_other_memory_is_rejected(self) -> None:
        self.shares[0].map[0:8] = b"OTHERSSS"
        self.assertRaises(dockface.ProtocolError, self.dock.pictures)

    def test_pictures_that_are_not_inside_of_the_memory_are_rejected(self) -> None:
        share = self.shares[0]
        for place, form, wrong in [
            (16, "I", 0), (16, "I", 1 << 20), (24, "I", 0), (24, "I", 200), (32, "Q", 1 << 40), (32, "Q", 1),
            (40, "Q", 1 << 40), (48, "Q", 8),
        ]:
            (right,) = struct.unpack_from(form, share.map, place)
            struct.pack_into(form, share.map, place, wrong)
            self.opened = 0
            with self.subTest(place=place, wrong=wrong):
                self.assertRaises(dockface.ProtocolError, self.dock.pictures)
            struct.pack_into(form, share.map, place, right)

    def test_memory_that_can_shrink_is_rejected(self) -> None:
        share = self.shares[0]
        share.memory = os.memfd_create("pictures", os.MFD_CLOEXEC | os.MFD_ALLOW_SEALING)
        os.ftruncate(share.memory, 1 << 20)
        self.assertRaises(dockface.BadAnswer, self.dock.pictures)

    def test_an_answer_without_descriptors_is_rejected(self) -> None:
        self.daemon.handlers["openPictures"] = lambda peer, params: self.shares[0].answer
        self.assertRaises(dockface.BadAnswer, self.dock.pictures)

    def test_a_refusal_is_raised(self) -> None:
        self.opened = 1
        self.assertRaises(dockface.NotConnected, self.dock.pictures)

    def test_an_older_daemon_shares_no_pictures(self) -> None:
        with FakeDaemon() as old, dockface.Dock(old.path) as dock:
            self.assertRaises(dockface.NotSupported, dock.pictures)

    def test_no_descriptor_is_left_behind(self) -> None:
        before = len(os.listdir("/proc/self/fd"))
        for _ in range(50):
            self.opened = 0
            self.dock.pictures().close()
        self.assertEqual(len(os.listdir("/proc/self/fd")), before)


if __name__ == "__main__":
    unittest.main()
