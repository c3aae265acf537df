"""Boards of Firmware/ in QEMU: the image, its serial line, and a way to look into its memory."""

import configparser
import json
import os
import pathlib
import select
import shutil
import socket
import subprocess
import sys
import threading
import time
import tty

from cobs import cobs
from crccheck.crc import Crc16Mcrf4XX

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
FIRMWARE = ROOT / "Firmware"
sys.path.insert(0, str(FIRMWARE / "tools"))
import elf  # noqa: E402


def row(board):
    parser = configparser.ConfigParser(interpolation=None)
    parser.read(FIRMWARE / "Boards" / board / "board.ini")
    return parser["board"]


def missing(board):
    """What is not installed to run it; empty: nothing."""
    program = row(board)["qemu"].split()[0]
    return "" if shutil.which(program) else f"no {program} here: scripts/setup --tests (or --peers) installs it"


def build(*boards):
    """Both images of each board; what the build says."""
    result = subprocess.run([FIRMWARE / "build", "--test", *boards], capture_output=True, text=True)
    if result.returncode != 0:
        raise AssertionError(result.stdout + result.stderr)
    return result.stdout


def encoded(kind, sequence, body=b""):
    plain = bytes([kind, sequence & 0xFF]) + body
    return cobs.encode(plain + Crc16Mcrf4XX.calc(plain).to_bytes(2, "little")) + b"\0"


def decoded(run):
    """(type, sequence, body) of what stands between two zeros; an error where it is no frame."""
    plain = cobs.decode(run)
    if Crc16Mcrf4XX.calc(plain[:-2]) != int.from_bytes(plain[-2:], "little"):
        raise AssertionError(f"the checksum is wrong: {run.hex(' ')}")
    return plain[0], plain[1], plain[2:-2]


class Emulator:
    """A running image; `line` is its serial line, a socket."""

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
        self.line = self._connect("line")
        link = self._connect("monitor")
        self.monitor = link.makefile("rw")
        link.close()
        self.monitor.readline()
        self._ask("qmp_capabilities")
        # Not before somebody listens: what a line says to nobody is gone.
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
                    raise AssertionError(f"the emulator does not begin: {self.program.stderr.read().decode()}") from None
                time.sleep(0.01)

    def _ask(self, command, **arguments):
        self.monitor.write(json.dumps({"execute": command, "arguments": arguments}) + "\n")
        self.monitor.flush()
        while "event" in (answer := json.loads(self.monitor.readline())):
            pass
        return answer["return"]

    def read(self, address, count=1):
        """Words at a physical address: memory or registers. The machine goes on meanwhile."""
        said = self._ask("human-monitor-command", **{"command-line": f"xp /{count}wx {address:#x}"})
        return [int(word, 16) for line in said.splitlines() for word in line.split(":", 1)[1].split()]

    def is_running(self):
        return self._ask("query-status")["running"]

    def set(self, which, value):
        """An input of a test image; the machine stands still for the moment."""
        link = self._connect("debugger")
        for words in (f"M{self.inputs + 4 * which:x},4:{value.to_bytes(4, 'little').hex()}", "D"):
            link.sendall(b"$%s#%02x" % (words.encode(), sum(words.encode()) & 0xFF))
            heard = b""
            while b"$OK#9a" not in heard:
                heard += link.recv(64)
            link.sendall(b"+")
        link.close()

    def stack(self):
        """(used at most, size) in bytes: the firmware has painted it."""
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


class Host:
    """A host that speaks DLP/1, byte by byte, to an emulator."""

    def __init__(self, line):
        self.line, self.sequence, self.rest, self.later, self.bad = line, 0, b"", [], 0

    def write(self, data):
        self.line.sendall(data)

    def say(self, kind, body=b""):
        """Its sequence number."""
        self.sequence = (self.sequence + 1) & 0xFF
        self.write(encoded(kind, self.sequence, body))
        return self.sequence

    def take(self, seconds=0.0):
        """The frames that have come, (time, type, body); waits so long for the first byte."""
        later, self.later = self.later, []
        self.line.settimeout(0.0001 if later else max(seconds, 0.0001))
        try:
            self.rest += self.line.recv(4096)
        except TimeoutError:
            return later
        now, whole = time.monotonic(), later
        *runs, self.rest = self.rest.split(b"\0")
        for run in filter(None, runs):
            try:
                kind, _, body = decoded(run)
                whole.append((now, kind, body))
            except (AssertionError, cobs.DecodeError):
                self.bad += 1
        return whole

    def listen(self, seconds):
        """All that comes in so long."""
        end, heard = time.monotonic() + seconds, []
        while (left := end - time.monotonic()) > 0:
            heard += self.take(left)
        return heard

    def wait(self, kind, holds=lambda body: True, seconds=3.0):
        """The body of the next such frame."""
        return self.moment(kind, holds, seconds)[1]

    def moment(self, kind, holds=lambda body: True, seconds=3.0):
        end, heard = time.monotonic() + seconds, []
        while (left := end - time.monotonic()) > 0:
            came = self.take(left)
            for index, (at, found, body) in enumerate(came):
                heard.append(f"{found:02x}")
                if found == kind and holds(body):
                    # What came with it is for who waits next; places are old then.
                    self.later = [frame for frame in came[index + 1:] if frame[1] != 0x80]
                    return at, body
        raise AssertionError(f"no {kind:02x} that fits in {seconds} s, but {heard[-40:]}")


class Port:
    """A pseudo-terminal with an emulator's line behind it, and what goes over it, both ways."""

    def __init__(self, line):
        self.line = line
        self.master, self.slave = os.openpty()
        tty.setraw(self.slave)
        self.path = os.ttyname(self.slave)
        self.host, self.device = bytearray(), bytearray()
        self.ends = False
        line.setblocking(True)
        self.thread = threading.Thread(target=self._carry, daemon=True)
        self.thread.start()

    def _carry(self):
        try:
            while not self.ends:
                for source in select.select([self.master, self.line], [], [], 0.05)[0]:
                    if source is self.line:
                        got = self.line.recv(4096)
                        if not got:
                            return
                        self.device.extend(got)
                        os.write(self.master, got)
                    else:
                        got = os.read(self.master, 4096)
                        self.host.extend(got)
                        self.line.sendall(got)
        except OSError:
            pass
        finally:
            # As unplugged: whoever has the other end open hears a hang-up.
            os.close(self.slave)
            os.close(self.master)

    def close(self):
        self.ends = True
        self.thread.join()
