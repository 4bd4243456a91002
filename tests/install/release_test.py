"""Prepares releases in a repository with the files of this tree in which the version is written.

    release_test.py SOURCE
"""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(sys.argv.pop(1)).resolve()
IDENTITY = {f"GIT_{role}_{part}": value for role in ("AUTHOR", "COMMITTER") for part, value in (("NAME", "A"), ("EMAIL", "a@b.c"))}


class Release(unittest.TestCase):
    def setUp(self):
        self.root = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        for name in ("meson.build", "tools/bridge/client/package.json", "tools/install/release.py", "tools/install/commands.py"):
            (self.root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(SOURCE / name, self.root / name)
        self.git("init", "--quiet")
        self.commit("all: begin")

    def git(self, *words):
        return subprocess.run(["git", "-C", self.root, *words], capture_output=True, text=True, check=True, env={**os.environ, **IDENTITY}).stdout

    def commit(self, subject):
        self.git("add", "--all")
        self.git("commit", "--quiet", "--allow-empty", "--message", subject)

    def release(self, version):
        return subprocess.run([sys.executable, "-B", self.root / "tools/install/release.py", version], capture_output=True, text=True,
                              check=False, env={**os.environ, "SOURCE_DATE_EPOCH": "1800000000"})

    def assert_rejected(self, version, error):
        done = self.release(version)
        self.assertEqual((done.returncode, done.stderr), (1, f"release: {error}\n"))
        self.assertEqual(self.git("status", "--porcelain"), "")

    def test_a_release_has_the_commits_since_the_last_one(self):
        done = self.release("0.8.0")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("git tag --sign v0.8.0", done.stdout)
        self.assertEqual((self.root / "CHANGELOG.md").read_text(), "# Changelog\n\n## 0.8.0 (2027-01-15)\n\nThe first release.\n")
        self.commit("install: set the version to 0.8.0")
        self.git("tag", "v0.8.0")
        for subject in ("git: read an empty index", "cli: print help in color", "git: follow a symbolic ref", "Fix a typo"):
            self.commit(subject)
        done = self.release("0.10.0")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((self.root / "CHANGELOG.md").read_text(), """# Changelog

## 0.10.0 (2027-01-15)

### cli

- print help in color

### git

- follow a symbolic ref
- read an empty index

### other

- Fix a typo

## 0.8.0 (2027-01-15)

The first release.
""")
        for name in ("meson.build", "tools/bridge/client/package.json"):
            self.assertIn("0.10.0", (self.root / name).read_text())
        self.assertIn('-DSNAPGEN_DATE="2027-01-15"', (self.root / "meson.build").read_text())
        changed = {line[3:] for line in self.git("status", "--porcelain").splitlines()}
        self.assertEqual(changed, {"CHANGELOG.md", "meson.build", "tools/bridge/client/package.json"})

    def test_versions_that_are_none_or_not_newer_are_rejected(self):
        self.git("tag", "v1.10.0")
        self.assert_rejected("1.x", "1.x is not a version; use three numbers such as 1.2.3")
        self.assert_rejected("1.9.3", "1.9.3 is not newer than 1.10.0, the last release")
        self.assert_rejected("1.10.0", "1.10.0 is not newer than 1.10.0, the last release")

    def test_uncommitted_changes_are_rejected(self):
        (self.root / "new").write_text("")
        done = self.release("2.0.0")
        self.assertEqual((done.returncode, done.stderr), (1, "release: the work tree has changes; commit or remove them first\n"))


if __name__ == "__main__":
    unittest.main()
