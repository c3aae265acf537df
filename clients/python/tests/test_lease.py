"""Tests of control: taken, renewed, released, lost."""

import threading
import time
import unittest
from typing import Any

from fake_daemon import PATIENCE, FakeDaemon, NoAnswer, Peer, Refusal, acquire as grant, motion_state

import dockface
from dockface import Dock


class Leases(unittest.TestCase):
    def setUp(self) -> None:
        self.daemon = FakeDaemon()
        self.addCleanup(self.daemon.__exit__)
        self.dock = Dock(self.daemon.path, timeout=0.3)
        self.addCleanup(self.dock.close)

    def test_it_is_renewed_every_half_second_and_given_back(self) -> None:
        times = []

        def acquire(peer: Peer, params: dict[str, Any]) -> Any:
            times.append(time.monotonic())
            return grant(peer)

        self.daemon.handlers["acquireControl"] = acquire
        with self.dock.control() as lease:
            self.assertTrue(lease.held)
            self.assertEqual(lease.lifetime, 2)
            for _ in range(3):
                self.daemon.asked("acquireControl")
            lease.check()
        self.assertFalse(lease.held)
        self.daemon.asked("releaseControl")
        for first, second in zip(times, times[1:]):
            self.assertGreater(second - first, 0.4)
            self.assertLess(second - first, 1.5)
        self.assertNotIn("dockface lease", [thread.name for thread in threading.enumerate()])

    def test_busy_is_told_on_entry(self) -> None:
        def busy(peer: Peer, params: dict[str, Any]) -> Any:
            raise Refusal("busy", -32007)

        self.daemon.handlers["acquireControl"] = busy
        with self.assertRaises(dockface.Busy), self.dock.control():
            self.fail("control was given")
        self.assertNotIn("releaseControl", [method for method, _ in self.daemon.log])

    def lose(self, handler: Any, words: str) -> None:
        """Control is granted once, then `handler` answers. The lease must report that it is lost."""
        answers = iter([{"lease": 0.1}])

        def acquire(peer: Peer, params: dict[str, Any]) -> Any:
            return next(answers, None) or handler()

        self.daemon.handlers["acquireControl"] = acquire
        with self.assertLogs("dockface", "WARNING"), self.dock.control() as lease:
            # The renewing thread ends when there is no lease to renew.
            renewer = lease._thread
            assert renewer is not None
            renewer.join(PATIENCE)
            self.assertFalse(lease.held)
            with self.assertRaisesRegex(dockface.LeaseLost, words):
                lease.check()
        self.assertNotIn("releaseControl", [method for method, _ in self.daemon.log])

    def test_given_to_somebody_else(self) -> None:
        def busy() -> Any:
            raise Refusal("busy", -32007)

        self.lose(busy, "refused")

    def test_a_lease_that_may_have_ended_is_not_taken_again_in_silence(self) -> None:
        # As if the process had been suspended after its first request.
        now = 1.0
        self.dock._life.now = lambda: now
        with self.assertLogs("dockface", "WARNING"), self.dock.control() as lease:
            now = 4.5
            with self.assertRaisesRegex(dockface.LeaseLost, "no renewal for 3.5 s"):
                self.dock.home()
            self.assertFalse(lease.held)
            self.dock.stop()  # needs no control
            self.dock.status()
            with self.assertRaises(dockface.LeaseLost):
                self.dock.notify("home")
            with self.assertRaises(dockface.LeaseLost):
                lease.beat()
        self.dock.home()
        methods = [method for method, _ in self.daemon.log if method != "subscribe"]
        self.assertEqual(methods, ["acquireControl", "stop", "status", "home"])

    def test_an_answer_that_waits_for_another_does_not_lose_control(self) -> None:
        answers = iter([{"lease": 0.2}])

        def acquire(peer: Peer, params: dict[str, Any]) -> Any:
            answer = next(answers, None)
            if answer is None:
                raise NoAnswer
            return answer

        self.daemon.handlers["acquireControl"] = acquire
        with self.dock.control() as lease:
            for _ in range(5):
                self.daemon.asked("acquireControl")
            self.assertTrue(lease.held)

    def test_the_death_of_the_daemon_is_not_hidden_by_giving_back(self) -> None:
        with self.assertRaises(dockface.ConnectionLost), self.assertLogs("dockface", "WARNING") as logs:
            with self.dock.control():
                self.daemon.die()
                # For the log below: the renewing thread notices it by itself.
                for thread in threading.enumerate():
                    if thread.name == "dockface lease":
                        thread.join(PATIENCE)
                self.dock.stop()
        self.assertIn("connection lost", logs.output[0])

    def test_a_lease_is_for_one_block(self) -> None:
        lease = self.dock.control()
        with lease:
            pass
        with self.assertRaises(RuntimeError), lease:
            pass

    def test_an_error_in_the_block_gives_control_back_too(self) -> None:
        with self.assertRaises(ZeroDivisionError), self.dock.control():
            raise ZeroDivisionError
        self.daemon.asked("releaseControl")

    def test_within_a_block_another_one_does_not_end_control(self) -> None:
        with self.dock.control() as outer:
            with self.dock.control():
                pass
            self.assertNotIn("releaseControl", [method for method, _ in self.daemon.log])
            self.assertTrue(outer.held)
        self.daemon.asked("releaseControl")


class Life(unittest.TestCase):
    """The lease is renewed only while the program is active."""

    def setUp(self) -> None:
        self.daemon = FakeDaemon()
        self.addCleanup(self.daemon.__exit__)
        # A lease of this lifetime is renewed every 0.075 s.
        self.daemon.handlers["acquireControl"] = lambda peer, params: grant(peer, 0.3)
        self.dock = Dock(self.daemon.path)
        self.addCleanup(self.dock.close)

    def asked(self) -> int:
        return [method for method, _ in self.daemon.log].count("acquireControl")

    def test_a_program_that_hangs_loses_control(self) -> None:
        begun = time.monotonic()
        with self.assertLogs("dockface", "WARNING"), self.dock.control(patience=0.3) as lease:
            renewer = lease._thread
            assert renewer is not None
            renewer.join(PATIENCE)  # to the library this looks like a program that hangs
            self.assertGreater(time.monotonic() - begun, 0.5)
            self.assertLess(time.monotonic() - begun, 5)
            self.assertLessEqual(2, self.asked())
            self.assertLessEqual(self.asked(), 6)
            with self.assertRaisesRegex(dockface.LeaseLost, r"did nothing with the dock for .*lease\.beat\(\)"):
                self.dock.set_orientation(1, 0)
            self.assertFalse(lease.held)
        methods = {method for method, _ in self.daemon.log}
        self.assertFalse(methods & {"setOrientation", "releaseControl"})

    def lives(self, lease: dockface.Lease) -> None:
        """Checks that control is still held long after patience and lease would have ended."""
        lease.check()
        self.assertTrue(lease.held)
        self.assertGreater(self.asked(), 3)

    def test_waiting_for_a_motion_is_life(self) -> None:
        with self.dock.control(patience=0.1) as lease:
            motion = self.dock.home()
            with self.assertRaises(dockface.Timeout):
                motion.wait(0.5)
            self.lives(lease)

    def test_waiting_for_an_event_is_life(self) -> None:
        with self.dock.control(patience=0.1) as lease:
            for _ in self.dock.events("face", timeout=0.5):
                pass
            self.lives(lease)

    def test_waiting_for_an_answer_is_life(self) -> None:
        def silent(peer: Peer, params: dict[str, Any]) -> Any:
            raise NoAnswer

        self.daemon.handlers["setZoom"] = silent
        with self.dock.control(patience=0.1) as lease:
            with self.assertRaises(dockface.Timeout):
                self.dock.call("setZoom", {"factor": 2}, timeout=0.5)
            self.lives(lease)

    def often(self, action: Any) -> None:
        end = time.monotonic() + 0.5
        while time.monotonic() < end:
            action()
            time.sleep(0.02)

    def test_a_beat_is_life(self) -> None:
        with self.dock.control(patience=0.15) as lease:
            self.often(lease.beat)
            self.lives(lease)

    def test_looking_at_a_motion_is_life(self) -> None:
        with self.dock.control(patience=0.15) as lease:
            motion = self.dock.home()
            self.daemon.peer().event("motion", motion_state((1, 0.5)))
            self.often(lambda: motion.done)
            self.lives(lease)

    def test_a_look_at_the_lease_is_none(self) -> None:
        with self.assertLogs("dockface", "WARNING"), self.dock.control(patience=0.1) as lease:
            self.often(lambda: lease.held)
            self.assertFalse(lease.held)

    def test_who_comes_back_in_time_goes_on(self) -> None:
        with self.dock.control(patience=0.15) as lease:
            end = time.monotonic() + PATIENCE
            while lease._silence == 0 and time.monotonic() < end:
                time.sleep(0.01)
            self.assertGreater(lease._silence, 0)
            asked = self.asked()
            self.dock.stop()
            end = time.monotonic() + PATIENCE
            while self.asked() == asked and time.monotonic() < end:
                lease.beat()
                time.sleep(0.01)
            self.assertGreater(self.asked(), asked)

    def test_a_lease_that_is_new_instead_of_renewed_is_given_back(self) -> None:
        def acquire(peer: Peer, params: dict[str, Any]) -> Any:
            answer = grant(peer, 0.3)
            peer.has_control = False
            return answer

        self.daemon.handlers["acquireControl"] = acquire
        with self.assertLogs("dockface", "WARNING"), self.dock.control() as lease:
            self.daemon.asked("releaseControl")
            with self.assertRaisesRegex(dockface.LeaseLost, "had ended in between"):
                self.dock.home()
            self.assertFalse(lease.held)
        methods = [method for method, _ in self.daemon.log if method != "subscribe"]
        self.assertEqual(methods, ["acquireControl"] * 2 + ["releaseControl"])

    def test_a_new_lease_is_noticed_in_a_late_answer_too(self) -> None:
        numbers: list[Any] = []

        def acquire(peer: Peer, params: dict[str, Any]) -> Any:
            numbers.append(peer.number)
            if len(numbers) == 1:
                return grant(peer, 0.3)
            if len(numbers) == 4:
                peer.say({"jsonrpc": "2.0", "id": numbers[1], "result": {"lease": 0.3, "renewed": False}})
            raise NoAnswer

        self.daemon.handlers["acquireControl"] = acquire
        with self.assertLogs("dockface", "WARNING"), self.dock.control() as lease:
            self.daemon.asked("releaseControl")
            with self.assertRaisesRegex(dockface.LeaseLost, "had ended in between"):
                lease.check()

    def test_patience_is_above_0(self) -> None:
        for patience in (0, -1, float("nan")):
            with self.assertRaises(dockface.InvalidParameter):
                self.dock.control(patience)


if __name__ == "__main__":
    unittest.main()
