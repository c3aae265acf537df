"""Tests of lines, answers and notifications in any order and any pieces, of several threads, and of the end."""

import json
import os
import signal
import threading
import time
import unittest
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from fake_daemon import FACE, PATIENCE, FakeDaemon, NoAnswer, Peer, motion_state

import dockface
from dockface import Dock


class Lines(unittest.TestCase):
    def setUp(self) -> None:
        self.daemon = FakeDaemon()
        self.addCleanup(self.daemon.__exit__)
        self.dock = Dock(self.daemon.path)
        self.addCleanup(self.dock.close)

    def test_notifications_between_a_request_and_its_answer(self) -> None:
        def busy(peer: Peer, params: dict[str, Any]) -> Any:
            for seq in range(5):
                peer.event("face", FACE, seq=seq)
                peer.event("weather", {"later": "daemons have more topics"})
                peer.say({"jsonrpc": "2.0", "method": "later"})
            return {"magnification": 2}

        self.daemon.handlers["setZoom"] = busy
        self.assertEqual(self.dock.set_zoom(2), 2)

    def test_an_answer_that_comes_byte_by_byte(self) -> None:
        def slowly(peer: Peer, params: dict[str, Any]) -> Any:
            line = json.dumps({"jsonrpc": "2.0", "id": peer.number, "result": {"name": "tür"}}, ensure_ascii=False)
            for byte in (line + "\n").encode():
                peer.raw(bytes([byte]))
            raise NoAnswer

        self.daemon.handlers["savePreset"] = slowly
        self.assertEqual(self.dock.save_preset("door"), "tür")

    def test_a_long_answer(self) -> None:
        self.daemon.handlers["command"] = lambda peer, params: {"answer": "x" * 900_000}
        self.assertEqual(len(self.dock.command("log")), 900_000)

    def test_a_line_without_an_end_ends_the_connection(self) -> None:
        self.daemon.handlers["command"] = lambda peer, params: {"answer": "x" * 1_100_000}
        with self.assertRaisesRegex(dockface.ConnectionLost, "more than 1 MiB"):
            self.dock.command("log")

    def test_lines_that_are_nothing_are_skipped(self) -> None:
        def babble(peer: Peer, params: dict[str, Any]) -> Any:
            peer.raw(b'not json\n\n[1]\n3\nnull\n{}\n{"id":99,"result":1}\n{"id":[],"result":1}\n\xff\xfe\n')
            peer.say({"jsonrpc": "2.0", "method": "event", "params": {"topic": "face", "seq": 1, "kind": "change"}})
            return {"mode": "manual"}

        self.daemon.handlers["stop"] = babble
        with self.assertLogs("dockface", "INFO"):
            self.assertEqual(self.dock.stop(), "manual")

    def test_a_line_that_no_reader_can_take_ends_every_call_at_once(self) -> None:
        nested = b"[" * 400_000 + b"]" * 400_000
        digits = b'{"id":1,"result":' + b"9" * 100_000 + b"}"
        member = b'{"id":1,"result":' + b'{"a":' * 150_000 + b"1" + b"}" * 150_000 + b"}"
        for line in (nested, digits, member):
            with self.subTest(line=line[:20]), FakeDaemon() as daemon, Dock(daemon.path) as dock:

                def hostile(peer: Peer, params: dict[str, Any], line: bytes = line) -> Any:
                    peer.raw(line + b"\n")
                    raise NoAnswer

                def never(peer: Peer, params: dict[str, Any]) -> Any:
                    raise NoAnswer

                daemon.handlers.update(flipCamera=hostile, home=never)
                with ThreadPoolExecutor() as pool, dock.events("motion") as stream:
                    waiting = pool.submit(dock.call, "home", timeout=PATIENCE)
                    daemon.asked("home")
                    begun = time.monotonic()
                    with self.assertRaisesRegex(dockface.ConnectionLost, "cannot be read"):
                        dock.call("flipCamera", timeout=PATIENCE)
                    with self.assertRaisesRegex(dockface.ConnectionLost, "cannot be read"):
                        waiting.result(PATIENCE)
                    with self.assertRaisesRegex(dockface.ConnectionLost, "cannot be read"):
                        dock.call("stop", timeout=PATIENCE)
                    with self.assertRaisesRegex(dockface.ConnectionLost, "cannot be read"):
                        while True:
                            stream.get(PATIENCE)
                    self.assertLess(time.monotonic() - begun, PATIENCE / 2)

    def test_whatever_ends_the_reader_ends_every_call(self) -> None:
        def broken(message: dict[str, Any]) -> None:
            raise SystemExit("a fault of the client's own")

        self.dock._connection._take_answer = broken  # type: ignore[method-assign]
        with self.assertLogs("dockface", "ERROR"), self.assertRaisesRegex(dockface.ConnectionLost, "SystemExit"):
            self.dock.call("stop", timeout=PATIENCE)
        with self.assertRaises(dockface.ConnectionLost):
            self.dock.stop()

    def test_a_greeting_that_no_reader_can_take_is_refused(self) -> None:
        with FakeDaemon(greeting=b"[" * 400_000 + b"\n") as daemon:
            with self.assertRaises(dockface.IncompatibleDaemon):
                Dock(daemon.path)

    def test_a_request_over_the_limit_is_not_sent(self) -> None:
        with self.assertRaisesRegex(dockface.InvalidParameter, "1 MiB"):
            self.dock.command("x" * (1 << 20))
        self.assertEqual(self.dock.stop(), "manual")

    def test_no_answer_is_a_timeout_and_a_late_one_harms_nobody(self) -> None:
        late: list[Any] = []

        def never(peer: Peer, params: dict[str, Any]) -> Any:
            late.append((peer, peer.number))
            raise NoAnswer

        self.daemon.handlers["flipCamera"] = never
        with self.assertRaises(dockface.Timeout) as caught:
            self.dock.call("flipCamera", timeout=0.02)
        self.assertIsNone(caught.exception.code)
        peer, number = late[0]
        peer.say({"jsonrpc": "2.0", "id": number, "result": {"device": 1}})
        self.assertEqual(self.dock.stop(), "manual")

    def test_a_line_that_was_cut_in_half_does_not_swallow_the_stop_after_it(self) -> None:
        class CutOnce:
            """Sends half of its data and is interrupted, as by Ctrl-C."""

            def __init__(self, link: Any) -> None:
                self._link, self._cut = link, False

            def sendall(self, data: bytes) -> None:
                if not self._cut:
                    self._cut = True
                    self._link.sendall(data[: len(data) // 2])
                    raise KeyboardInterrupt
                self._link.sendall(data)

            def __getattr__(self, name: str) -> Any:
                return getattr(self._link, name)

        self.dock._connection._link = CutOnce(self.dock._connection._link)  # type: ignore[assignment]
        with self.assertRaises(KeyboardInterrupt):
            self.dock.set_orientation(1, 0)
        self.assertEqual(self.dock.stop(), "manual")
        self.assertTrue(self.daemon.bad_lines.get(timeout=PATIENCE))


class End(unittest.TestCase):
    def test_the_death_of_the_daemon_ends_a_call_that_waits(self) -> None:
        def die(peer: Peer, params: dict[str, Any]) -> Any:
            peer.link.shutdown(2)
            raise NoAnswer

        with FakeDaemon() as daemon, Dock(daemon.path) as dock:
            daemon.handlers["home"] = die
            begun = time.monotonic()
            with self.assertRaisesRegex(dockface.ConnectionLost, "dockface run"):
                dock.home()
            self.assertLess(time.monotonic() - begun, 2)
            for _ in range(2):
                with self.assertRaises(dockface.ConnectionLost):
                    dock.stop()
            with self.assertRaises(ConnectionError):
                dock.notify("stop")

    def test_closing_ends_calls_of_other_threads(self) -> None:
        def never(peer: Peer, params: dict[str, Any]) -> Any:
            raise NoAnswer

        with FakeDaemon() as daemon, ThreadPoolExecutor() as pool:
            dock = Dock(daemon.path)
            daemon.handlers["home"] = never
            call = pool.submit(dock.home)
            daemon.asked("home")
            dock.close()
            dock.close()
            with self.assertRaisesRegex(dockface.ConnectionLost, "was closed"):
                call.result(PATIENCE)
            with self.assertRaisesRegex(dockface.ConnectionLost, "was closed"):
                dock.stop()

    def test_a_daemon_that_reads_nothing_holds_nobody_for_ever(self) -> None:
        hold = threading.Event()
        self.addCleanup(hold.set)
        with FakeDaemon() as daemon, Dock(daemon.path, timeout=0.1) as dock:
            daemon.handlers["hang"] = lambda peer, params: hold.wait(PATIENCE)
            dock.notify("hang")
            with self.assertRaisesRegex(dockface.ConnectionLost, "does not read any more"):
                for _ in range(1000):
                    dock.notify("log", {"text": "x" * 100_000})
            hold.set()

    def test_ctrl_c_ends_a_wait(self) -> None:
        def interrupt(peer: Peer, params: dict[str, Any]) -> Any:
            os.kill(os.getpid(), signal.SIGINT)
            raise NoAnswer

        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        with FakeDaemon() as daemon, Dock(daemon.path) as dock:
            daemon.handlers["home"] = interrupt
            with self.assertRaises(KeyboardInterrupt):
                dock.home()
            self.assertEqual(dock.stop(), "manual")


class Threads(unittest.TestCase):
    def test_calls_of_many_threads_get_their_own_answers(self) -> None:
        with FakeDaemon() as daemon, Dock(daemon.path) as dock, ThreadPoolExecutor(8) as pool:
            daemon.handlers["echo"] = lambda peer, params: params["n"]
            streams = [dock.events("motion") for _ in range(3)]
            peer = daemon.peer()

            def work(n: int) -> int:
                if n % 50 == 0:
                    peer.event("motion", motion_state(), seq=n)
                return int(dock.call("echo", {"n": n}))

            self.assertEqual(list(pool.map(work, range(1000))), list(range(1000)))
            for stream in streams:
                self.assertIsNotNone(stream.get(PATIENCE))

    def test_answers_in_another_order_than_the_requests(self) -> None:
        waiting: list[Any] = []

        def collect(peer: Peer, params: dict[str, Any]) -> Any:
            waiting.append((peer.number, params["n"]))
            if len(waiting) == 4:
                for number, n in reversed(waiting):
                    peer.say({"jsonrpc": "2.0", "id": number, "result": n})
            raise NoAnswer

        with FakeDaemon() as daemon, Dock(daemon.path) as dock, ThreadPoolExecutor(4) as pool:
            daemon.handlers["collect"] = collect
            self.assertEqual(list(pool.map(lambda n: dock.call("collect", {"n": n}), range(4))), [0, 1, 2, 3])

    def test_streams_opened_and_closed_by_many_threads(self) -> None:
        with FakeDaemon() as daemon, Dock(daemon.path) as dock, ThreadPoolExecutor(8) as pool:

            def work(n: int) -> str:
                with dock.events(("face", "battery", "tracking")[n % 3]) as stream:
                    event = stream.get(PATIENCE)
                    assert event is not None
                    return event.kind

            self.assertEqual(set(pool.map(work, range(200))), {"snapshot"})
            topics: dict[str, int] = {}
            for method, params in daemon.log:
                for topic in params.get("topics", ()):
                    topics[topic] = topics.get(topic, 0) + (1 if method == "subscribe" else -1)
            self.assertEqual(set(topics.values()), {0})


if __name__ == "__main__":
    unittest.main()
