"""python3 virtual_pad.py PIPE: a gamepad that the kernel's uinput makes, inside the machine.

Each line of PIPE is an event, TYPE CODE VALUE in decimal numbers. The pad is unplugged when the program ends.
"""

import fcntl
import os
import struct
import sys

# The requests of linux/uinput.h.
CREATE, SETUP, AXIS, EVENT_BIT, KEY_BIT = 0x5501, 0x405C5503, 0x401C5504, 0x40045564, 0x40045565
KEY, ABSOLUTE = 1, 3
# The buttons and axes of the kernel's gamepad specification.
BUTTONS = [0x130, 0x131, 0x133, 0x134, 0x136, 0x137, 0x13A, 0x13B, 0x13C, 0x13D, 0x13E]
STICKS, HATS = [0, 1, 3, 4], [0x10, 0x11]


def created():
    pad = os.open("/dev/uinput", os.O_WRONLY)
    for kind in (KEY, ABSOLUTE):
        fcntl.ioctl(pad, EVENT_BIT, kind)
    for button in BUTTONS:
        fcntl.ioctl(pad, KEY_BIT, button)
    for axis, most in [*((stick, 32767) for stick in STICKS), *((hat, 1) for hat in HATS)]:
        fcntl.ioctl(pad, AXIS, struct.pack("=H2x6i", axis, 0, -most - (most > 1), most, 0, 0, 0))
    # On USB, from a vendor and of a product that no database knows.
    fcntl.ioctl(pad, SETUP, struct.pack("=4H80sI", 3, 0x1234, 0x5678, 1, b"Machine Pad", 0))
    fcntl.ioctl(pad, CREATE)
    return pad


def main():
    pad = created()
    with open(sys.argv[1]) as lines:
        for line in lines:
            kind, code, value = map(int, line.split())
            os.write(pad, struct.pack("@llHHi", 0, 0, kind, code, value) + struct.pack("@llHHi", 0, 0, 0, 0, 0))


main()
