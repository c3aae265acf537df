"""What the packages are made of, held against those who read it: systemd, man, three shells, udev's grammar."""

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("DOCKFACE_PROGRAM", ROOT / ".build/debug/dockface"))


def said(*words: str) -> str:
    return subprocess.run([str(PROGRAM), *words], check=True, capture_output=True, text=True).stdout


class Units(unittest.TestCase):
    @unittest.skipUnless(shutil.which("systemd-analyze"), "no systemd here")
    def test_systemd_takes_both_units(self) -> None:
        for scope, name in [("--system", "dockface.service"), ("--user", "dockface-user.service")]:
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                # The program is not installed here: another one stands in its place.
                text = (ROOT / "packaging" / name).read_text().replace("/usr/bin/dockface", "/bin/true")
                unit = Path(folder) / "dockface.service"
                unit.write_text(text)
                told = subprocess.run(
                    ["systemd-analyze", scope, "verify", "--man=no", str(unit)], capture_output=True, text=True,
                    env={**os.environ, "XDG_RUNTIME_DIR": folder})
                about = [line for line in told.stderr.splitlines() if "dockface" in line]
                self.assertEqual(about, [])
                self.assertEqual(told.returncode, 0, told.stderr)

    def test_the_options_of_the_units_are_options_of_run(self) -> None:
        known = said("run", "--help")
        for unit in ["dockface.service", "dockface-user.service"]:
            line = re.search(r"^ExecStart=/usr/bin/dockface run (.*)$", (ROOT / "packaging" / unit).read_text(), re.M)
            assert line
            for option in line.group(1).split():
                self.assertIn(option.split("=")[0], known)

    def test_what_safety_asks_of_a_unit_stands_in_ours(self) -> None:
        asked = re.search(r"```\n(Type=notify\n.*?)```", (ROOT / "docs/SAFETY.md").read_text(), re.S)
        assert asked
        unit = (ROOT / "packaging/dockface.service").read_text()
        for line in asked.group(1).splitlines():
            name, _, value = line.partition("=")
            for word in value.split():
                self.assertTrue(re.search(rf"^{name}=.*{re.escape(word)}", unit, re.M), line)


class Rules(unittest.TestCase):
    TEXT = (ROOT / "packaging/60-dockface.rules").read_text().replace("\\\n", " ")
    LINES = [line for line in TEXT.splitlines() if line.strip() and not line.startswith("#")]

    def test_every_line_is_a_list_of_matches_and_assignments(self) -> None:
        part = re.compile(r'^[A-Z_]+(\{[^}]+\})?(==|!=|=|\+=|:=)"[^"]*"$')
        for line in self.LINES:
            for one in re.split(r", +", line):
                self.assertRegex(one.strip(), part)

    def test_no_adapter_chip_is_claimed(self) -> None:
        for vendor in ["0403", "10c4", "1a86", "067b"]:
            self.assertFalse([line for line in self.LINES if vendor in line.lower()], vendor)

    def test_every_jump_has_its_label(self) -> None:
        labels = set(re.findall(r'LABEL="([^"]+)"', self.TEXT))
        self.assertEqual(set(re.findall(r'GOTO="([^"]+)"', self.TEXT)), labels)


class Pages(unittest.TestCase):
    @unittest.skipUnless(shutil.which("mandoc"), "no mandoc here")
    def test_the_manual_is_written_without_a_warning(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([str(ROOT / "scripts/manual"), str(PROGRAM), folder, "2026-01-31"], check=True)
            pages = sorted(str(page) for page in Path(folder).iterdir())
            self.assertEqual([Path(page).name for page in pages], ["dockface.1", "dockface.toml.5"])
            pages.append(str(ROOT / "packaging/dockface-install-detectors.8"))
            told = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", *pages], capture_output=True, text=True)
            warnings = [line for line in told.stdout.splitlines() if "missing date" not in line]
            self.assertEqual(warnings, [])
            text = Path(folder, "dockface.1").read_text()
            for verb in ["run", "adopt", "metrics", "config show", "tap"]:
                self.assertIn(f".SS dockface {verb}\n", text)
            keys = json.loads(said("config", "keys", "--json"))
            settings = Path(folder, "dockface.toml.5").read_text()
            for key in keys:
                self.assertIn(key["variable"].replace("-", "\\-"), settings)


class Completions(unittest.TestCase):
    def script(self, shell: str, folder: str) -> str:
        path = Path(folder) / f"dockface.{shell}"
        path.write_text(said("--generate-completion-script", shell))
        return str(path)

    def test_three_shells_can_read_them(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            for shell in ["bash", "zsh", "fish"]:
                script = self.script(shell, folder)
                if shutil.which(shell):
                    subprocess.run([shell, "-n", script], check=True)

    def completed(self, folder: str, words: str, begun: str) -> list[str]:
        """What bash offers behind these words."""
        typed = ["dockface", *words.split(), begun]
        program = f"""
            source {self.script("bash", folder)}
            COMP_WORDS=({" ".join(repr(word) for word in typed)}); COMP_CWORD={len(typed) - 1}
            COMP_LINE="${{COMP_WORDS[*]}}"; COMP_POINT=${{#COMP_LINE}}
            _dockface dockface {begun!r} {typed[-2]!r}; printf '%s\\n' "${{COMPREPLY[@]}}"
        """
        told = subprocess.run(
            ["bash", "-c", program], capture_output=True, text=True, cwd=ROOT,
            env={**os.environ, "PATH": f"{folder}:{os.environ['PATH']}"})
        self.assertEqual(told.stderr, "")
        return told.stdout.split()

    def test_bash_completes_profiles_faces_and_words(self) -> None:
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(PROGRAM, Path(folder) / "dockface")
            rows = [
                ("run --profile", "", "feetech-sts3215-pair"), ("run --face", "ha", "happy"), ("run --port", "", "sim"),
                ("animate", "", "kapow"), ("preset", "", "save"), ("run --mode", "", "manual"), ("", "met", "metrics"),
            ]
            for words, begun, wanted in rows:
                self.assertIn(wanted, self.completed(folder, words, begun), (words, begun))

    def test_every_detector_and_every_way_in_is_completed_and_told(self) -> None:
        def ways(text: str) -> set[str]:
            return set(re.findall(r"\b([a-z]+):(?=[A-Z])", text))

        def refused(*words: str) -> str:
            return subprocess.run([PROGRAM, *words], capture_output=True, text=True, stdin=subprocess.DEVNULL).stderr

        def help_of(verb: str) -> str:
            return re.search(r"\n  --detector <.*?(?=\n  --)", said(verb, "--help"), re.S)[0]

        run, page = ["run", "--port", "sim", "--headless"], (ROOT / "docs/DETECTORS.md").read_text()
        unknown = refused(*run, "--detector", "nobody")
        every, ours = ways(unknown), set(unknown.strip().partition("with a --camera ")[2].split(", "))
        self.assertLessEqual({"exec", "unix", "file", "scene"}, every, unknown)
        self.assertLessEqual({"blazeface", "yunet"}, ours, unknown)
        with tempfile.TemporaryDirectory() as folder:
            os.symlink(PROGRAM, Path(folder) / "dockface")
            offered = set(self.completed(folder, "run --detector", ""))
        # The shell takes a colon as the end of a word.
        self.assertLessEqual(every, {word.rstrip(":") for word in offered})
        self.assertLessEqual(every, ways(help_of("run")))
        # Those that are watched, and can be on standby.
        watched = every - {"file", "scene"}
        for text in (refused(*run, "--detector", "stdin", "--detector", "none"), refused("detect", "--detector", "none"),
                     help_of("detect"), page):
            self.assertLessEqual(watched, ways(text), text)
        self.assertLessEqual(ours, offered)
        for name in ours:
            for text in (help_of("run"), help_of("detect")):
                self.assertRegex(text, rf"\b{name}\b(?!-)")
            self.assertIn(f"\n| `{name}`", page)
            self.assertIn(f'"{name}"', (ROOT / "Benchmarks/detector/run").read_text())
