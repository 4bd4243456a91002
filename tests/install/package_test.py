"""Unpacks and runs the output of ./dev package without this source tree.

    package_test.py BUILD SOURCE STAGE
"""
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tarfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "tools"))
import calls  # noqa: E402

BUILD, SOURCE, STAGE = (pathlib.Path(sys.argv.pop(1)).resolve() for _ in range(3))
MISSING = [name for name in ("dpkg-deb", "dpkg-shlibdeps", "patchelf", "objdump", "npm") if not shutil.which(name)]


def run(*command, environment=None, folder=None):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, cwd=folder,
                          env=environment, stdin=subprocess.DEVNULL)
    if done.returncode:
        raise AssertionError(f"{command} ended with {done.returncode}\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}")
    return done.stdout


def make(out, **environment):
    return subprocess.run([sys.executable, "-B", SOURCE / "tools/install/package.py", "--build", BUILD, "--out", out, "--quick"],
                          capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
                          env={**os.environ, "DEBFULLNAME": "A Packager", "DEBEMAIL": "packager@debian.org", **environment})


def only(folder, pattern):
    (found,) = folder.glob(pattern)
    return found


def tools_of(server, folder):
    """Returns the tool names in a session over standard input and output, with a server in an empty environment."""
    session = calls.Server([server, "--stdio", "--workspace", folder], env={})
    tools = session.ask("tools/list", {})["result"]["tools"]
    assert session.opened["result"]["serverInfo"]["name"] == "snapgen-server", session.opened
    assert session.close() == 0
    return [tool["name"] for tool in tools]


@unittest.skipIf(MISSING, f"not installed: {' '.join(MISSING)}")
class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(STAGE, ignore_errors=True)
        STAGE.mkdir(parents=True)
        cls.out = STAGE / "one"
        done = make(cls.out)
        if done.returncode:
            raise AssertionError(done.stderr)
        cls.version = json.loads(run("meson", "introspect", "--projectinfo", BUILD))["version"]
        cls.empty = STAGE / "workspace"
        cls.empty.mkdir()
        run("git", "init", "--quiet", cls.empty)

    def test_the_same_commit_gives_equal_packages(self):
        done = make(STAGE / "two", LANG="C", TZ="Asia/Kathmandu")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((STAGE / "two/SHA256SUMS").read_text(), (self.out / "SHA256SUMS").read_text())
        for line in (self.out / "SHA256SUMS").read_text().splitlines():
            digest, name = line.split("  ")
            self.assertEqual(hashlib.sha256((self.out / name).read_bytes()).hexdigest(), digest, name)

    def test_a_debian_package_has_the_expected_files_and_fields(self):
        package = only(self.out, "snapgen_*.deb")
        fields = dict(re.findall(r"^([A-Z][\w-]*): (.*)$", run("dpkg-deb", "-f", package), re.MULTILINE))
        self.assertEqual(fields["Version"], self.version)
        self.assertRegex(fields["Depends"], r"libc6 \(>= [\d.]+\)")
        self.assertRegex(fields["Depends"], r"libgit2-\d")
        self.assertRegex(fields["Recommends"], r"libcurl4")
        self.assertEqual(fields["Maintainer"], "A Packager <packager@debian.org>")
        # There are no maintainer scripts.
        self.assertEqual(set(re.findall(r"lines +(?:\* +)?(\w+)", run("dpkg-deb", "-I", package))), {"control", "md5sums"})
        listed = [line.split(None, 5) for line in run("dpkg-deb", "-c", package).splitlines()]
        self.assertEqual({line[1] for line in listed}, {"root/root"})
        self.assertEqual({line[0][1:] for line in listed}, {"rwxr-xr-x", "rw-r--r--", "rwxrwxrwx"})
        paths = {line[5] for line in listed}
        for each in ("bin/snapgen-server", "bin/snap -> snapgen-server", "bin/snapback -> snapgen-server", "bin/snapgen",
                     "share/man/man1/snap.1.gz", "share/man/man1/snapback.1.gz -> snap.1.gz", "share/man/man1/snapgen-server.1.gz",
                     "share/man/man1/snap-store.1.gz", "share/bash-completion/completions/snapback", "share/zsh/vendor-completions/_snap",
                     "share/fish/vendor_completions.d/snap.fish", "share/doc/snapgen/copyright", "share/doc/snapgen/changelog.gz"):
            self.assertIn(f"./usr/{each}", paths)

    def test_programs_of_an_unpacked_debian_package_run(self):
        root = STAGE / "root"
        run("dpkg-deb", "-x", only(self.out, "*.deb"), root)
        self.assertEqual(run(root / "usr/bin/snap", "--version"), f"snapgen {self.version}\n")
        self.assertIn("snapshot_create", tools_of(root / "usr/bin/snapgen-server", self.empty))
        self.assertNotIn(".symtab", run("objdump", "-h", root / "usr/bin/snapgen-server"))
        control = STAGE / "control"
        run("dpkg-deb", "-e", only(self.out, "*.deb"), control)
        run("md5sum", "--check", "--quiet", control / "md5sums", folder=root)

    def test_lintian_reports_no_error(self):
        if not shutil.which("lintian"):
            self.skipTest("there is no lintian")
        done = subprocess.run(["lintian", "--fail-on", "error,warning", "--allow-root", only(self.out, "*.deb")],
                              capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (0, ""))

    def test_a_tarball_runs_in_an_empty_environment(self):
        with tarfile.open(only(self.out, "*.tar.gz")) as archive:
            members = archive.getmembers()
            archive.extractall(STAGE / "some where")
        self.assertEqual({(each.uname, each.gname, each.uid, each.gid) for each in members}, {("root", "root", 0, 0)})
        self.assertEqual(len({each.mtime for each in members}), 1)
        home = only(STAGE / "some where", "snapgen-*")
        self.assertEqual(run(home / "bin/snap", "--version", environment={}), f"snapgen {self.version}\n")
        self.assertEqual(run(home / "bin/snapgen", "--version", environment={}), f"snapgen {self.version}\n")
        self.assertIn("snapshot_create", tools_of(home / "bin/snapgen-server", self.empty))
        for each in ("LICENSE", "README", "share/man/man1/snap.1", "share/zsh/site-functions/_snap", "share/doc/snapgen/licenses/libgit2-1.5"):
            self.assertTrue((home / each).is_file(), each)

    def test_a_tarball_contains_the_libraries_that_it_loads(self):
        with tarfile.open(only(self.out, "*.tar.gz")) as archive:
            archive.extractall(STAGE / "loaded")
        home = only(STAGE / "loaded", "snapgen-*")
        system = re.compile(r"(?:linux-vdso|ld-linux.*|lib(?:c|m|dl|rt|pthread|resolv|util))\.so[.\d]*")
        for each in [home / "bin/snapgen-server", home / "bin/snapgen", *(home / "lib/snapgen").iterdir()]:
            for name, path in re.findall(r"^\s*(\S+) => (\S+)", run("ldd", each), re.MULTILINE):
                self.assertTrue(system.fullmatch(name) or pathlib.Path(path).resolve().is_relative_to(home), f"{each.name}: {name} => {path}")
        self.assertTrue(list((home / "lib/snapgen").glob("libgit2.so.*")))

    def test_a_build_that_is_not_a_release_build_is_rejected(self):
        done = subprocess.run([sys.executable, "-B", SOURCE / "tools/install/package.py", "--build", STAGE, "--out", STAGE / "none"],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 1)
        self.assertTrue(done.stderr.startswith("package: "), done.stderr)

    def test_an_invalid_date_is_rejected(self):
        done = make(STAGE / "none", SOURCE_DATE_EPOCH="yesterday")
        self.assertEqual((done.returncode, done.stderr), (1, "package: SOURCE_DATE_EPOCH must be a number of seconds, not yesterday\n"))


if __name__ == "__main__":
    unittest.main()
