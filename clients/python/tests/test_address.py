"""Tests of finding the daemon, and of the greeting."""

import os
import socket
import tempfile
import threading
import unittest
from unittest import mock

from fake_daemon import FakeDaemon

import dockface
from dockface.trust import judge


class LookUp(unittest.TestCase):
    def paths(self, *arguments: str, user: int = 1000, **environment: str) -> object:
        with mock.patch.dict(os.environ, environment, clear=True), mock.patch("os.geteuid", return_value=user):
            return dockface.socket_paths(*arguments)

    def test_a_path_wins_over_the_environment(self) -> None:
        self.assertEqual(self.paths("/a", DOCKFACE_SOCKET="/b", XDG_RUNTIME_DIR="/c"), ["/a"])

    def test_the_variable_wins_over_the_runtime_folder(self) -> None:
        self.assertEqual(self.paths(DOCKFACE_SOCKET="/b", XDG_RUNTIME_DIR="/c"), ["/b"])

    def test_the_runtime_folder_comes_before_the_user_folder(self) -> None:
        wanted = ["/c/dockface/dockface.sock", "/tmp/dockface-1000/dockface.sock"]
        self.assertEqual(self.paths(XDG_RUNTIME_DIR="/c"), wanted)

    def test_a_user_without_a_daemon_means_the_service(self) -> None:
        service = "/run/dockface/dockface.sock"
        self.assertEqual(self.paths(), ["/tmp/dockface-1000/dockface.sock", service])
        self.assertEqual(self.paths(XDG_RUNTIME_DIR="/run/user/1000")[-1], service)

    def test_root_looks_for_the_service(self) -> None:
        self.assertEqual(self.paths(user=0), ["/run/dockface/dockface.sock"])

    def test_the_second_place_is_tried_when_nothing_is_in_the_first(self) -> None:
        with FakeDaemon() as daemon, mock.patch("dockface.address.socket_paths", return_value=["/no", daemon.path]):
            with mock.patch.dict(os.environ, clear=True), dockface.Dock() as dock:
                self.assertEqual(dock.path, daemon.path)

    def test_a_stranger_at_a_path_that_nobody_named_is_not_talked_to(self) -> None:
        with FakeDaemon() as daemon, mock.patch("dockface.address.socket_paths", return_value=[daemon.path]):
            with mock.patch.dict(os.environ, clear=True), mock.patch("os.geteuid", return_value=4711):
                # Root is trusted by every user, so the test needs another user.
                if os.getuid() == 0:
                    dockface.Dock().close()
                else:
                    with self.assertRaisesRegex(dockface.NoDaemon, "listens at"):
                        dockface.Dock()

    def test_a_folder_that_others_can_write_to_is_not_asked(self) -> None:
        with FakeDaemon() as daemon, tempfile.TemporaryDirectory() as home:
            folder = os.path.join(home, "dockface")
            os.mkdir(folder)
            os.chmod(folder, 0o777)
            os.symlink(daemon.path, os.path.join(folder, "dockface.sock"))
            place = os.path.join(folder, "dockface.sock")
            with mock.patch("dockface.address.socket_paths", return_value=[place]), mock.patch.dict(os.environ, clear=True):
                with self.assertRaisesRegex(dockface.NoDaemon, "others can write to"):
                    dockface.Dock()
                os.chmod(folder, 0o700)
                dockface.Dock().close()

    def test_a_link_that_others_may_have_put_is_not_followed(self) -> None:
        with tempfile.TemporaryDirectory() as home:
            os.symlink("/", os.path.join(home, "link"))
            judge(os.path.join(home, "link"))
            os.chmod(home, 0o1777)
            with self.assertRaises(PermissionError):
                judge(os.path.join(home, "link"))


class Greeting(unittest.TestCase):
    def refusal(self, greeting: bytes) -> dockface.DockError:
        with FakeDaemon(greeting) as daemon, self.assertRaises(dockface.DockError) as caught:
            dockface.Dock(daemon.path, timeout=1)
        return caught.exception

    def test_the_daemon_says_who_it_is(self) -> None:
        with FakeDaemon() as daemon, dockface.Dock(daemon.path) as dock:
            self.assertEqual(dock.greeting, dockface.Greeting("dockface", "0.1.0", 1))

    def test_another_protocol_is_refused_by_number(self) -> None:
        error = self.refusal(b'{"name":"dockface","version":"9","protocol":2}\n')
        self.assertIsInstance(error, dockface.IncompatibleDaemon)
        self.assertIn("speaks protocol 2, this client 1", str(error))

    def test_another_program_is_refused(self) -> None:
        for words in (b"220 mail ready\n", b"[]\n", b'{"hello":1}\n', b'{"name":"x","version":"1","protocol":true}\n'):
            self.assertIsInstance(self.refusal(words), dockface.IncompatibleDaemon)

    def test_a_full_daemon_says_so_in_place_of_a_greeting(self) -> None:
        error = self.refusal(
            b'{"jsonrpc":"2.0","id":null,"error":{"code":-32007,"message":"busy: full","data":{"name":"busy"}}}\n'
        )
        self.assertIsInstance(error, dockface.Busy)

    def test_silence_is_a_timeout(self) -> None:
        with FakeDaemon(b"") as daemon, self.assertRaises(dockface.Timeout):
            dockface.Dock(daemon.path, timeout=0.05)

    def test_a_greeting_in_two_parts_is_one(self) -> None:
        with FakeDaemon(b'{"name":"dockface","versi') as daemon:
            threading.Thread(target=lambda: daemon.peer().raw(b'on":"0.1.0","protocol":1}\n')).start()
            dockface.Dock(daemon.path).close()


class NoDaemon(unittest.TestCase):
    def test_nothing_there_names_what_to_do(self) -> None:
        with self.assertRaisesRegex(dockface.NoDaemon, "nothing is at .*dockface run"):
            dockface.Dock("/nowhere/dockface.sock")
        self.assertTrue(issubclass(dockface.NoDaemon, ConnectionError))

    def test_a_socket_without_a_listener(self) -> None:
        with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as link:
            path = os.path.join(folder, "s")
            link.bind(path)
            with self.assertRaisesRegex(dockface.NoDaemon, "no process listens"):
                dockface.Dock(path)

    def test_closed_before_the_greeting(self) -> None:
        with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as link:
            path = os.path.join(folder, "s")
            link.bind(path)
            link.listen()
            threading.Thread(target=lambda: link.accept()[0].close()).start()
            with self.assertRaisesRegex(dockface.NoDaemon, "before the greeting"):
                dockface.Dock(path)

    def test_a_path_that_is_too_long(self) -> None:
        with self.assertRaises(dockface.NoDaemon):
            dockface.Dock("/tmp/" + "x" * 200)


if __name__ == "__main__":
    unittest.main()
