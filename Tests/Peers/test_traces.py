"""Recorded traces of every driver's rig, replayed into the daemon (traces.py): its output must equal the .chk files beside
them."""

import tomllib
import unittest

import traces


class Traces(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.said = traces.replay_all(traces.names())

    def test_each_driver_has_one(self):
        drivers = {traces.Trace.load(traces.FOLDER / f"{name}.trace").driver for name in traces.names()}
        self.assertEqual(drivers, set(traces.TALKS))
        shipped = (path.read_text() for path in (traces.ROOT / "profiles").glob("*.toml"))
        self.assertEqual(drivers, {tomllib.loads(text)["driver"] for text in shipped}, "one of each driver that a profile names")

    def test_they_say_what_they_must(self):
        for name in traces.names():
            with self.subTest(name):
                different = traces.differences(traces.expected(name), self.said[name])
                self.assertFalse(different, "\n".join(different + ["all:"] + self.said[name]))

    def test_a_difference_is_one(self):
        place = "pose 10.0 -2.0 within 1.5"
        self.assertFalse(traces.differences([place], ["pose 11.4 -3.4 within 1.5"]))
        for got in (["pose 11.6 -2.0 within 1.5"], ["pose nan -2.0 within 1.5"], [], [place, "state faulted stall"]):
            self.assertTrue(traces.differences([place], got))
        self.assertTrue(traces.differences(["ready A, firmware 1.0"], ["ready A, firmware 2.0"]))


if __name__ == "__main__":
    unittest.main()
