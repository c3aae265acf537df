"""Control: taken, renewed, given back, lost."""

import threading
import time
import unittest
from typing import Any
from unittest import mock

from fake_daemon import PATIENCE, FakeDaemon, NoAnswer, Peer, Refusal

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
            return {"lease": 2}

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
        """Control is given once, then `handler` answers; the lease must say that it is lost."""
        answers = iter([{"lease": 0.1}])

        def acquire(peer: Peer, params: dict[str, Any]) -> Any:
            return next(answers, None) or handler()

        self.daemon.handlers["acquireControl"] = acquire
        with self.assertLogs("dockface", "WARNING"), self.dock.control() as lease:
            # The thread that renews ends when there is nothing to renew any more.
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

        self.lose(busy, "busy: refused")

    def test_a_lease_that_may_have_ended_is_not_taken_again_in_silence(self) -> None:
        # As if the process had been stopped for a while after its first question.
        with mock.patch("dockface.lease.time") as clock:
            clock.monotonic.side_effect = [1.0, 4.5]
            self.lose(lambda: self.fail("asked again"), "no renewal for 3.5 s")
        self.assertEqual([method for method, _ in self.daemon.log], ["acquireControl"])

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
                # For the log below: the thread that renews finds out by itself.
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


if __name__ == "__main__":
    unittest.main()
