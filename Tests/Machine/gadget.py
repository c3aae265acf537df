"""USB serial devices with numbers and names that we choose, unlike QEMU's: the kernel's own g_serial on its dummy_hcd."""


class Gadget:
    """The machine is host and device at once: a device that it creates is plugged into itself as /dev/ttyACM0 and so on."""

    def __init__(self, machine):
        self.machine = machine

    def plug(self, vendor, product, name, serial, ports=1):
        self.machine.do("modprobe", "dummy_hcd")
        self.machine.do(
            "modprobe", "g_serial", f"idVendor=0x{vendor}", f"idProduct=0x{product}", f'iProduct="{name}"', f"iSerialNumber={serial}",
            f"n_ports={ports}")

    def unplug(self):
        self.machine.do("modprobe", "-r", "g_serial")
        self.machine.until("ls /dev", lambda said: "ttyACM" not in said)
        self.machine.do("udevadm settle")
