"""Boards of Firmware/ in QEMU: the image, its serial line, and access to its memory."""

import configparser
import json
import shutil
import socket
import subprocess
import sys
import time

from lines import SocketLine
from programs import ROOT

FIRMWARE = ROOT / "Firmware"
sys.path.insert(0, str(FIRMWARE / "tools"))
import elf  # noqa: E402


def row(board):
    parser = configparser.ConfigParser(interpolation=None)
    parser.read(FIRMWARE / "Boards" / board / "board.ini")
    return parser["board"]


def missing(board):
    """What is not installed to run it; empty: nothing is missing."""
    program = row(board)["qemu"].split()[0]
    return "" if shutil.which(program) else f"no {program} here: scripts/setup --tests (or --peers) installs it"


def build(*boards):
    """Builds both images of each board. Returns the output of the build."""
    result = subprocess.run([FIRMWARE / "build", "--test", *boards], capture_output=True, text=True)
    if result.returncode != 0:
        raise AssertionError(result.stdout + result.stderr)
    return result.stdout


class Emulator:
    """A running image; `line` is its serial line."""

    def __init__(self, board, folder, test=False, words=None, more=()):
        self.folder, self.image = folder, FIRMWARE / ".build" / f"{board}{'-test' if test else ''}.elf"
        self.symbols = elf.Image(self.image).symbols
        self.inputs = self.symbols.get("test_inputs", 0)
        loaded = [
            word for place, value in (words or {}).items()
            for word in ("-device", f"loader,addr={self.inputs + 4 * place:#x},data={value:#x},data-len=4")]
        server = "server=on,wait=off"
        self.program = subprocess.Popen(
            [*row(board)["qemu"].split(), "-serial", f"unix:{folder}/line,{server}", "-qmp", f"unix:{folder}/monitor,{server}",
             "-chardev", f"socket,id=debugger,path={folder}/debugger,{server}", "-gdb", "chardev:debugger",
             "-display", "none", "-monitor", "none", "-S", "-kernel", str(self.image), *loaded, *more],
            stdin=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.line = SocketLine(self._connect("line"))
        link = self._connect("monitor")
        self.monitor = link.makefile("rw")
        link.close()
        self.monitor.readline()
        self._ask("qmp_capabilities")
        # Started only when the line is open: earlier output would be lost.
        self._ask("cont")

    def _connect(self, name):
        end = time.monotonic() + 10
        while True:
            try:
                link = socket.socket(socket.AF_UNIX)
                link.connect(f"{self.folder}/{name}")
                return link
            except OSError:
                link.close()
                if time.monotonic() > end or self.program.poll() is not None:
                    raise AssertionError(f"the emulator does not start: {self.program.stderr.read().decode()}") from None
                time.sleep(0.01)

    def _ask(self, command, **arguments):
        self.monitor.write(json.dumps({"execute": command, "arguments": arguments}) + "\n")
        self.monitor.flush()
        while "event" in (answer := json.loads(self.monitor.readline())):
            pass
        return answer["return"]

    def read(self, address, count=1):
        """Words at a physical address: memory or registers. The machine continues meanwhile."""
        said = self._ask("human-monitor-command", **{"command-line": f"xp /{count}wx {address:#x}"})
        return [int(word, 16) for line in said.splitlines() for word in line.split(":", 1)[1].split()]

    def reset(self):
        """Resets as its button does."""
        self._ask("system_reset")

    def is_running(self):
        return self._ask("query-status")["running"]

    def set(self, which, value):
        """Sets an input of a test image; the machine is paused for a moment."""
        link = self._connect("debugger")
        for words in (f"M{self.inputs + 4 * which:x},4:{value.to_bytes(4, 'little').hex()}", "D"):
            link.sendall(b"$%s#%02x" % (words.encode(), sum(words.encode()) & 0xFF))
            heard = b""
            while b"$OK#9a" not in heard:
                heard += link.recv(64)
            link.sendall(b"+")
        link.close()

    def stack(self):
        """(stack used at most, size) in bytes: the firmware has painted it."""
        bottom, top = self.symbols["stack_bottom"], self.symbols["stack_top"]
        words = self.read(bottom, (top - bottom) // 4)
        untouched = next((index for index, word in enumerate(words) if word != 0xA5A5A5A5), len(words))
        return top - bottom - 4 * untouched, top - bottom

    def signal(self, number):
        self.program.send_signal(number)

    def close(self):
        if self.program.poll() is None:
            self.program.kill()
        self.program.wait()
        self.program.stderr.close()
        self.line.close()
        self.monitor.close()
