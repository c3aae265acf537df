"""What any dock that speaks DLP/1 must do, seen from outside. A class with `board()` makes tests of it:

    class MyDock(DockCases, HandCases, unittest.TestCase):      # and what differs from dock_bench.DockBench
        def board(self):
            return ...

`board()` starts one and returns an object with

    line()                    its port, opened (lines.py)
    pulses()                  of both servos, microseconds, None if there are none; None: they cannot be seen
    reset()                   as its button does
    power_cycle()             reboots it without its memory, but with its stored settings
    pause(), resume(), close()

and for HandCases, if the test can control the board's inputs, or has a debugger,

    press(name, is_down)      "button0", "button1", "tracking"
    turn(detents)             the zoom's wheel
    emergency(is_open)        its own emergency input
    supply(millivolts)        the battery

The boards: test_arduino.py in simavr, test_firmware.py in QEMU.
"""

from dock_cases_hands import HandCases  # noqa: F401
from dock_cases_line import LineCases
from dock_cases_motion import MotionCases
from dock_cases_stops import StopCases


class DockCases(MotionCases, StopCases, LineCases):
    """Cases that need only the line."""
