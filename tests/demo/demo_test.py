#!/usr/bin/env python3
"""demo_test.py SERVER: the demo shows all of its steps and does not change the repository."""
import hashlib
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

DEMO = Path(__file__).with_name("demo.py")
README = Path(__file__).parents[2] / "README.md"
SERVER = None


def everything(folder):
    """Every path below `folder` with its kind, mode, time and content."""
    state = {}
    for path in sorted(folder.rglob("*")):
        status = path.lstat()
        content = hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else ""
        state[str(path.relative_to(folder))] = (status.st_mode, status.st_mtime_ns, content)
    return state


class Demo(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="demo test ")
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)
        self.temporary = self.folder / "temporary"
        self.temporary.mkdir()

    def run_demo(self, *arguments, server=None, cwd=None):
        environment = {**os.environ, "TMPDIR": str(self.temporary)}
        command = [sys.executable, str(DEMO), "--server", str(server or SERVER), *map(str, arguments)]
        return subprocess.run(
            command, cwd=cwd or self.folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True, text=True
        )

    def git(self, *arguments):
        who = ["-c", "user.name=test", "-c", "user.email=test@localhost", "-c", "commit.gpgsign=false"]
        subprocess.run(["git", "-C", str(self.repository), *who, *arguments], check=True, capture_output=True)

    def make_repository(self):
        self.repository = self.folder / "a repository"
        (self.repository / "src").mkdir(parents=True)
        (self.repository / "README.md").write_text("# Bicycles\n\nHow to repair bicycles, in caf\u00e9s and at home.\n")
        (self.repository / "src" / "bell.py").write_text("def ring():\n    return 'ding'\n")
        self.git("init", "--quiet")
        self.git("add", ".")
        self.git("commit", "--quiet", "--message", "first")
        (self.repository / "src" / "bell.py").write_text("def ring():\n    return 'not committed'\n")
        (self.repository / "untracked.txt").write_text("mine\n")

    def test_the_demo_runs_all_steps_and_does_not_change_the_repository(self):
        self.make_repository()
        before = everything(self.repository)
        done = self.run_demo("--workspace", self.repository)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        shown = done.stdout
        position = 0
        for milestone in (
            "server/discover",
            "2026-07-28",
            "tools/list",
            "tools/call snapshot_list",
            "tools/call snapshot_grep",
            "README.md:1:",
            "tools/call snapshot_file",
            "tools/call snapshot_create",
            "sha256:",
            "behind the server's back",
            "STALE_LEASE",
            '"mode": "snapshot"',
            "+one more line",
            "stdin closed",
            "claude mcp add snapgen",
            "claude_desktop_config.json",
            ".cursor/mcp.json",
            ".vscode/mcp.json",
        ):
            found = shown.find(milestone, position)
            self.assertGreaterEqual(found, 0, f"{milestone!r} is not shown, or too early, in:\n{shown}")
            position = found
        self.assertIn(str(self.repository), shown)
        self.assertGreaterEqual(shown.count(str(SERVER)), 4)
        self.assertNotIn("\x1b", shown)
        self.assertEqual(done.stderr, "")
        self.assertEqual(everything(self.repository), before)
        self.assertEqual(list(self.temporary.iterdir()), [])

    def test_outside_a_repository_it_creates_a_small_one(self):
        done = self.run_demo()
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertIn("small new repository", done.stdout)
        self.assertIn("STALE_LEASE", done.stdout)
        self.assertEqual([path.name for path in self.folder.iterdir()], ["temporary"])

    def test_the_readme_shows_lines_of_the_demo(self):
        def comparable(text):
            """The lines without ids, which differ in each run, and which the README shortens."""
            ids = re.sub(r"lease_\w+", "lease", re.sub(r"sha256:[0-9a-f]+\u2026?", "sha256", text))
            return [line for line in ids.split("\n") if line]

        shown = re.search(r"```\n(\d+\. .*?)```", README.read_text(encoding="utf-8"), re.S)[1]
        self.assertGreater(len(comparable(shown)), 10)
        printed = iter(comparable(self.run_demo().stdout))
        for line in comparable(shown):
            self.assertIn(line, printed, "README.md has lines that the demo does not print, or in another order")

    def test_the_demo_reports_an_error_and_fails(self):
        self.make_repository()
        plain = self.folder / "plain"
        plain.mkdir()
        cases = (
            (dict(server=self.folder / "none"), ("--workspace", self.repository), "is missing"),
            (dict(server="/bin/true"), ("--workspace", self.repository), "instead of answering"),
            (dict(), ("--workspace", plain), "not a git repository"),
            (dict(), ("--workspace", self.folder / "absent"), "absent"),
        )
        for how, arguments, sentence in cases:
            done = self.run_demo(*arguments, **how)
            self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
            self.assertIn(sentence, done.stderr)
            self.assertNotIn("Traceback", done.stderr)
            self.assertEqual(list(self.temporary.iterdir()), [])


if __name__ == "__main__":
    SERVER = Path(sys.argv.pop(1)).absolute()
    unittest.main()
