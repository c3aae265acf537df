"""The face on terminals: pyte decodes its output, and badly behaved terminals get what they can handle."""

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
import tty
import unittest

import pyte

from programs import PROGRAM


class Stage:
    """The program on its own pseudo-terminal, and its output."""

    def __init__(self, arguments, columns=80, rows=24, program=PROGRAM, **variables):
        self.master, self.slave = pty.openpty()
        self.resize(columns, rows)
        self.before = termios.tcgetattr(self.slave)
        environment = {"PATH": "/usr/bin:/bin", "TERM": "xterm-256color", "HOME": "/nonexistent", "LANG": "C.UTF-8",
                       "SWIFT_BACKTRACE": "enable=no", "LD_LIBRARY_PATH": os.environ.get("LD_LIBRARY_PATH", "")}
        self.program = subprocess.Popen(
            [program, *arguments], stdin=self.slave, stdout=self.slave, stderr=self.slave, env=environment | variables,
            start_new_session=True, preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0))
        self.sent = b""

    def resize(self, columns, rows):
        fcntl.ioctl(self.master, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))

    def type(self, data):
        os.write(self.master, data)

    def read(self, seconds, until=lambda sent: False):
        """All output during this time, or until enough has arrived."""
        news, end = b"", time.monotonic() + seconds
        while (left := end - time.monotonic()) > 0 and not until(self.sent):
            if select.select([self.master], [], [], left)[0]:
                try:
                    data = os.read(self.master, 65536)
                except OSError:  # the other end is closed
                    break
                news += data
                self.sent += data
        return news

    def quiet(self, seconds, within):
        """Reads until nothing has arrived for this time; false if that does not happen."""
        end = time.monotonic() + within
        while time.monotonic() < end:
            if not self.read(seconds):
                return True
        return False

    def end(self, seconds=5):
        """The exit status, or None; reads meanwhile."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            self.read(0.05)
            if self.program.poll() is not None:
                self.read(0.2)
                return self.program.returncode
        return None

    def close(self):
        if self.program.poll() is None:
            self.program.kill()
            self.program.wait()
        for end in (self.master, self.slave):
            os.close(end)


ENTER, LEAVE, FRAME = b"\x1b[?1049h", b"\x1b[?1049l", b"\x1b[?2026l"


def picture(sent, columns, rows):
    """The cells as pyte sees them; for blanks the colours without the glyph."""
    screen = pyte.Screen(columns, rows)
    stream = pyte.ByteStream(screen)
    # pyte prints the body of device control strings as text: the queries at the start.
    stream.feed(sent[sent.index(b"\x1b[c") + 3:] if b"\x1b[c" in sent else sent)
    cells = []
    for row in range(rows):
        for column in range(columns):
            cell = screen.buffer[row][column]
            cells.append((cell.data, None if cell.data == " " else cell.fg, cell.bg))
    return cells


class Terminals(unittest.TestCase):
    def stage(self, *arguments, **more):
        stage = Stage(arguments, **more)
        self.addCleanup(stage.close)
        return stage

    def test_what_pyte_sees_after_many_changes_is_what_it_sees_of_one_whole_picture(self):
        for colour in ("true", "256", "16"):
            with self.subTest(colour=colour):
                stage = self.stage("face", "joy", "--colour", colour, columns=60, rows=18)
                self.assertTrue(stage.read(5, until=lambda sent: FRAME in sent))
                # The window loses the keyboard focus: the face comes to rest, and is shown exactly in the end.
                stage.read(1.2)
                stage.type(b"\x1b[O")
                self.assertTrue(stage.quiet(2.4, within=40))
                changed = picture(stage.sent, 60, 18)
                # Another size and back: everything is drawn again.
                stage.resize(61, 18)
                stage.read(1)
                middle = len(stage.sent)
                stage.resize(60, 18)
                self.assertTrue(stage.quiet(2.4, within=40))
                self.assertIn(b"\x1b[18", stage.sent[middle:])
                whole = picture(stage.sent[middle:], 60, 18)
                wrong = [index for index in range(60 * 18) if changed[index] != whole[index]]
                # In between the gaze may have moved on by a small part of a cell.
                self.assertLessEqual(len(wrong), 0 if colour == "true" else 4, wrong[:5])

    def test_a_terminal_that_says_nothing_has_a_face_in_half_a_second(self):
        start = time.monotonic()
        stage = self.stage("face", "normal")
        self.assertTrue(stage.read(5, until=lambda sent: FRAME in sent))
        self.assertLess(time.monotonic() - start, 1.5)

    def test_answers_late_torn_and_between_keys_are_never_keys(self):
        stage = self.stage("face", "normal")
        stage.read(3, until=lambda sent: FRAME in sent)
        for byte in b"\x1b[?62;22c\x1b[6;20;10t\x1bP1+r524742=38\x1b\\\x1b_Gi=31;EINVAL;q\x1b\\\x1bP1$rq\x1b\\\x1b[?0u":
            stage.type(bytes([byte]))
            time.sleep(0.004)
        # q ends it. Had an answer counted as typed text, its letters would have had effects before.
        stage.read(0.3)
        self.assertIsNone(stage.program.poll())
        self.assertIn(b"38;2;", stage.sent)
        stage.type(b"q")
        self.assertEqual(stage.end(), 0)

    def test_pasted_text_does_nothing(self):
        stage = self.stage("face", "normal")
        stage.read(3, until=lambda sent: FRAME in sent)
        stage.type(b"\x1b[200~q\x1bqqq\r\x1b[201~")
        stage.read(0.5)
        self.assertIsNone(stage.program.poll())

    def test_a_reader_that_stops_reading_for_five_seconds(self):
        stage = self.stage("face", "excited", "--colour", "true")
        stage.read(3, until=lambda sent: FRAME in sent)
        before = self.memory(stage)
        time.sleep(5)
        self.assertLess(self.memory(stage) - before, 2000)
        # The backlog is one frame, not a hundred.
        waiting = stage.read(0.05)
        self.assertLess(len(waiting), 120_000)
        self.assertTrue(stage.read(2))
        stage.type(b"q")
        self.assertEqual(stage.end(), 0)

    def memory(self, stage):
        with open(f"/proc/{stage.program.pid}/status") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))

    def test_every_size_and_a_storm_of_sizes(self):
        for columns, rows in ((1, 1), (2, 1), (500, 200), (9, 60)):
            with self.subTest(size=(columns, rows)):
                stage = self.stage("face", "trust", "--colour", "true", columns=columns, rows=rows)
                self.assertTrue(stage.read(5, until=lambda sent: FRAME in sent))
                stage.type(b"q")
                self.assertEqual(stage.end(), 0)
        stage = self.stage("face", "trust", "--colour", "true")
        for step in range(60):
            stage.resize(20 + 7 * step % 120, 5 + 3 * step % 40)
            stage.read(0.03)
        stage.resize(80, 24)
        stage.read(0.5)
        stage.resize(81, 24)
        stage.read(0.5)
        stage.sent = b""
        stage.resize(80, 24)
        stage.read(3, until=lambda sent: b"\x1b[24H" in sent or b"\x1b[24;" in sent)
        self.assertIn(b"\x1b[24", stage.sent)
        stage.type(b"q")
        self.assertEqual(stage.end(), 0)

    def test_the_terminal_is_given_back_whatever_ends_it(self):
        endings = {
            "q": lambda stage: stage.type(b"q"), "Ctrl-C": lambda stage: stage.type(b"\x03"),
            "TERM": lambda stage: stage.program.send_signal(signal.SIGTERM),
            "QUIT": lambda stage: stage.program.send_signal(signal.SIGQUIT), "Ctrl-\\": lambda stage: stage.type(b"\x1c"),
            "HUP": lambda stage: stage.program.send_signal(signal.SIGHUP),
            "SEGV": lambda stage: stage.program.send_signal(signal.SIGSEGV),
            "ABRT": lambda stage: stage.program.send_signal(signal.SIGABRT),
            "TRAP": lambda stage: stage.program.send_signal(signal.SIGTRAP),
        }
        for name, end in endings.items():
            with self.subTest(ending=name):
                stage = self.stage("face", "happy", "--colour", "true")
                stage.read(3, until=lambda sent: FRAME in sent)
                stage.type(b"\x1b[?0u")
                stage.read(1, until=lambda sent: b"\x1b[>3u" in sent)
                end(stage)
                self.assertIsNotNone(stage.end(), name)
                back = stage.sent[stage.sent.rindex(b"\x1b[?2026l"):]
                for code in (b"\x1b[<u", b"\x1b[?1000l", b"\x1b[?1004l", b"\x1b[?2004l", b"\x1b[?7h", b"\x1b[?25h", LEAVE):
                    self.assertIn(code, back, name)
                self.assertEqual(termios.tcgetattr(stage.slave), stage.before, name)

    def test_in_the_background_it_leaves_the_terminal_to_the_shell(self):
        stage = Stage(["--norc", "-i"], program="/bin/bash", PS1="$ ")
        self.addCleanup(stage.close)
        stage.read(2, until=lambda sent: b"$ " in sent)
        stage.type(f"{PROGRAM} face joy --colour true &\n".encode())
        stage.read(1.5)
        self.assertNotIn(ENTER, stage.sent)
        stage.type(b"echo a shell that works\n")
        self.assertRegex(stage.read(1), rb"\ra shell that works\r")
        stage.type(b"fg\n")
        stage.read(3, until=lambda sent: FRAME in sent)
        self.assertIn(ENTER, stage.sent)
        stage.type(b"q")
        stage.read(3, until=lambda sent: sent.rstrip().endswith(b"$"))
        self.assertIn(LEAVE, stage.sent)
        stage.type(b"exit\n")
        self.assertEqual(stage.end(), 0)

    def test_after_a_kill_the_terminal_is_restored(self):
        stage = self.stage("face", "happy", "--colour", "true")
        stage.read(3, until=lambda sent: FRAME in sent)
        stage.program.kill()
        stage.program.wait()
        # By a process of its own, which sends this and then restores the settings.
        stage.read(3, until=lambda sent: LEAVE in sent)
        self.assertIn(LEAVE, stage.sent)
        deadline = time.monotonic() + 10
        while termios.tcgetattr(stage.slave) != stage.before and time.monotonic() < deadline:
            time.sleep(0.01)
        self.assertEqual(termios.tcgetattr(stage.slave), stage.before)

    def test_reset_brings_a_terminal_back(self):
        stage = self.stage("face", "happy", "--colour", "true")
        stage.read(3, until=lambda sent: FRAME in sent)
        stage.type(b"q")
        self.assertEqual(stage.end(), 0)
        tty.setraw(stage.slave)
        reset = Stage.__new__(Stage)
        reset.master, reset.slave, reset.sent = stage.master, stage.slave, b""
        reset.program = subprocess.Popen(
            [PROGRAM, "face", "--reset"], stdin=stage.slave, stdout=stage.slave, stderr=stage.slave,
            start_new_session=True, preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 1))
        self.assertEqual(reset.end(), 0)
        self.assertIn(LEAVE, reset.sent)
        settings = termios.tcgetattr(stage.slave)
        for flag in (termios.ICANON, termios.ECHO, termios.ISIG):
            self.assertTrue(settings[3] & flag)
        self.assertTrue(settings[1] & termios.OPOST)

    def test_a_simulated_dock_in_the_background_leaves_the_terminal_to_the_shell(self):
        with tempfile.TemporaryDirectory() as folder:
            words = f"set -m; {PROGRAM} simulate --link {folder}/dock --seconds 2 & wait $!; echo ended with $?"
            stage = self.stage("-c", words, program="/bin/bash")
            stage.read(5, until=lambda sent: b"try it" in sent)
            # What a person types is for the shell. A job that reads it is stopped by the kernel.
            stage.type(b"something\n")
            stage.read(8, until=lambda sent: b"ended with" in sent)
            self.assertIn(b"ended with 0", stage.sent)

    def resumed(self, stage):
        """Continues it, so that it takes the terminal and restores it at the end."""
        stage.sent = b""
        stage.program.send_signal(signal.SIGCONT)
        stage.read(3, until=lambda sent: ENTER in sent)
        self.assertIn(ENTER, stage.sent)
        stage.type(b"q")
        self.assertEqual(stage.end(), 0)
        self.assertEqual(termios.tcgetattr(stage.slave), stage.before)

    def test_a_terminal_that_is_suspended_is_given_back_meanwhile(self):
        stage = self.stage("face", "happy", "--colour", "true")
        stage.read(3, until=lambda sent: FRAME in sent)
        stage.program.send_signal(signal.SIGTSTP)
        stage.read(3, until=lambda sent: LEAVE in sent)
        self.assertIn(LEAVE, stage.sent)
        end = time.monotonic() + 3
        while not self.is_stopped(stage) and time.monotonic() < end:
            time.sleep(0.01)
        self.assertTrue(self.is_stopped(stage))
        self.assertEqual(termios.tcgetattr(stage.slave), stage.before)
        self.resumed(stage)

    def is_stopped(self, stage):
        with open(f"/proc/{stage.program.pid}/stat") as stat:
            return stat.read().rsplit(")", 1)[1].split()[0] == "T"

    def test_stopped_and_continued_it_takes_the_terminal_again(self):
        stage = self.stage("face", "happy", "--colour", "true")
        stage.read(3, until=lambda sent: FRAME in sent)
        stage.program.send_signal(signal.SIGSTOP)
        time.sleep(0.2)
        termios.tcsetattr(stage.slave, termios.TCSANOW, stage.before)
        self.resumed(stage)


# A detector that finds no face in any frame.
NO_FACES = """
import json, sys
print(json.dumps({"type": "hello", "v": 1, "clock": "monotonic"}), flush=True)
while line := sys.stdin.buffer.readline():
    head = json.loads(line)
    if head.get("type") == "image":
        sys.stdin.buffer.read(head["w"] * head["h"] * 3)
        print(json.dumps({"seq": head["seq"], "t": head["t"], "faces": []}), flush=True)
"""


class Tmux(unittest.TestCase):
    """Inside tmux, which draws on its own terminal."""

    def stage(self, *settings, words="face joy", shows="\u2584\u2585\u2586\u2587"):
        """tmux on a terminal, with a program in it that shows a picture."""
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        with open(folder.name + "/conf", "w") as file:
            file.write("\n".join(["set -g status off", "set -g default-terminal tmux-256color", *settings]) + "\n")
        self.socket = folder.name + "/socket"
        stage = Stage(["-S", self.socket, "-f", folder.name + "/conf", "new-session", f"exec {PROGRAM} {words}"],
                      program="tmux", TMUX_TMPDIR=folder.name)
        self.addCleanup(stage.close)
        self.addCleanup(self.tmux, "kill-server")
        self.assertTrue(self.shows(stage, shows), stage.sent[-400:])
        return stage

    def tmux(self, *words):
        return subprocess.run(["tmux", "-S", self.socket, *words], capture_output=True, text=True, timeout=10).stdout

    def shows(self, stage, glyphs, within=8):
        """Whether one of these appears in time."""
        end = time.monotonic() + within
        while time.monotonic() < end:
            stage.read(0.1)
            if set(glyphs) & set(self.tmux("capture-pane", "-p")):
                return True
        return False

    def test_without_rgb_the_256_colours_chosen_by_hand_reach_the_terminal(self):
        stage = self.stage()
        stage.read(1)
        self.assertFalse(b"38;2;" in stage.sent)
        self.assertNotIn("38;2;", self.tmux("capture-pane", "-p", "-e"))
        # The yellow of joy, 220, and no colour that tmux has guessed.
        self.assertTrue(b"38;5;220" in stage.sent)

    def test_with_rgb_the_face_has_24_bits(self):
        stage = self.stage("set -as terminal-features ',xterm*:RGB'")
        stage.read(1)
        self.assertTrue(b"38;2;" in stage.sent)
        self.assertIn("38;2;", self.tmux("capture-pane", "-p", "-e"))

    def test_detect_has_the_colours_of_tmux(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        with open(folder.name + "/detector.py", "w") as file:
            file.write(NO_FACES)
        words = f"detect --camera test --detector 'exec:{sys.executable} {folder.name}/detector.py'"
        for settings, has, has_not in ((["set -as terminal-features ',xterm*:RGB'"], "38;2;", "38;5;"), ([], "38;5;", "38;2;")):
            with self.subTest(settings=settings):
                stage = self.stage(*settings, words=words, shows="\u2580\u2584\u2588")
                stage.read(1)
                drawn = self.tmux("capture-pane", "-p", "-e")
                self.assertIn(has, drawn)
                self.assertNotIn(has_not, drawn)
                self.tmux("kill-server")

    def test_a_tmux_that_says_nothing_holds_nothing_up(self):
        for name, what in {"hangs": "exec sleep 30", "ends its output": "exec >&-; exec sleep 30", "fails": "exit 1"}.items():
            with self.subTest(tmux=name), tempfile.TemporaryDirectory() as folder:
                with open(folder + "/tmux", "w") as file:
                    file.write("#!/bin/sh\n" + what + "\n")
                os.chmod(folder + "/tmux", 0o755)
                start = time.monotonic()
                stage = Stage(["face", "joy"], PATH=folder + ":/usr/bin:/bin", TMUX="/nowhere,1,0", TERM="tmux-256color")
                self.addCleanup(stage.close)
                self.assertTrue(stage.read(5, until=lambda sent: FRAME in sent))
                self.assertLess(time.monotonic() - start, 2)
                self.assertTrue(b"38;5;220" in stage.sent)
                stage.type(b"q")
                self.assertEqual(stage.end(), 0)

    def test_another_size_keys_and_the_end(self):
        stage = self.stage()
        stage.resize(60, 15)
        stage.program.send_signal(signal.SIGWINCH)
        stage.read(1)
        lines = self.tmux("capture-pane", "-p").rstrip("\n").split("\n")
        self.assertLessEqual(max(map(len, lines)), 60)
        self.assertTrue(any(set("\u2588\u2584\u2580") & set(line) for line in lines))
        self.tmux("send-keys", "Tab")
        # The next one, sadness, is blue where joy was yellow; a capture may fall into the middle of a frame.
        end, isBlue = time.monotonic() + 20, False
        while not isBlue and time.monotonic() < end:
            stage.read(0.2)
            picture = self.tmux("capture-pane", "-p", "-e")
            isBlue = "38;5;63" in picture and "38;5;220" not in picture
        self.assertTrue(isBlue, picture)
        self.tmux("send-keys", "q")
        self.assertEqual(stage.end(), 0)

if __name__ == "__main__":
    unittest.main()
