"""What any dock that speaks DLP/1 must do, seen from outside. A class with `board()` makes tests of it:

    class MyDock(DockCases, HandCases, unittest.TestCase):      # and what it is otherwise than dock_bench.DockBench says
        def board(self):
            return ...

`board()` starts one and returns an object with

    line()                    its port, opened (lines.py)
    pulses()                  of both servos, microseconds, None where there is none; None: nobody can see them
    reset()                   as its button does it
    power_cycle()             starts it anew without its memory, but with what it has stored
    pause(), resume(), close()

and for HandCases, which a board has hands for, or a debugger,

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
    """What a line is enough for."""
