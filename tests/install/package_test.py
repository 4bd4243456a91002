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
import zipfile

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "tools"))
import calls  # noqa: E402

BUILD, SOURCE, STAGE = (pathlib.Path(sys.argv.pop(1)).resolve() for _ in range(3))
MISSING = [name for name in ("dpkg-deb", "dpkg-query", "readelf") if not shutil.which(name)]

# Runs the arguments after the first in that folder as a container does: with /dev, /proc and another user.
CONTAINER = ('mkdir -p "$0/dev" "$0/proc" && mount --rbind /dev "$0/dev" && mount --rbind /proc "$0/proc" && '
             'exec chroot --userspec=1000:1000 "$0" "$@"')


def run(*command, environment=None, folder=None):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, cwd=folder,
                          env=environment, stdin=subprocess.DEVNULL)
    if done.returncode:
        raise AssertionError(f"{command} ended with {done.returncode}\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}")
    return done.stdout


def make(out, build=BUILD, **environment):
    return subprocess.run([sys.executable, "-B", SOURCE / "tools/install/package.py", "--build", build, "--out", out, "--quick"],
                          capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
                          env={**os.environ, "DEBFULLNAME": "A Packager", "DEBEMAIL": "packager@debian.org", **environment})


def only(folder, pattern):
    (found,) = folder.glob(pattern)
    return found


def sha256(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def tools_of(*command, environment=None):
    """Returns the tool names in a session over standard input and output, with a server in an empty environment."""
    session = calls.Server([str(word) for word in command], env=environment or {})
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

    def assert_serves(self, *command, **more):
        self.assertIn("snapshot_create", tools_of(*command, "--stdio", "--workspace", self.empty, **more))

    def test_the_same_commit_gives_equal_packages(self):
        done = make(STAGE / "two", LANG="C", TZ="Asia/Kathmandu")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((STAGE / "two/SHA256SUMS").read_text(), (self.out / "SHA256SUMS").read_text())
        listed = [line.split("  ") for line in (self.out / "SHA256SUMS").read_text().splitlines()]
        self.assertEqual(listed, [[sha256(each), each.name] for each in sorted(self.out.iterdir()) if each.name != "SHA256SUMS"])

    def test_a_debian_package_has_the_expected_files_and_fields(self):
        package = only(self.out, "snapgen_*.deb")
        fields = dict(re.findall(r"^([A-Z][\w-]*): (.*)$", run("dpkg-deb", "-f", package), re.MULTILINE))
        self.assertEqual(fields["Version"], self.version)
        self.assertNotIn("Depends", fields)
        self.assertRegex(fields["Built-Using"], r"\bglibc \(= [^)]+\)")
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
                     "share/fish/vendor_completions.d/snap.fish", "share/doc/snapgen/copyright", "share/doc/snapgen/changelog.gz",
                     "share/doc/snapgen/licenses/README"):
            self.assertIn(f"./usr/{each}", paths)

    def test_programs_of_an_unpacked_debian_package_run(self):
        root = STAGE / "root"
        run("dpkg-deb", "-x", only(self.out, "*.deb"), root)
        self.assertEqual(run(root / "usr/bin/snap", "--version"), f"snapgen {self.version}\n")
        self.assert_serves(root / "usr/bin/snapgen-server")
        self.assertNotIn(".symtab", run("readelf", "--sections", "--wide", root / "usr/bin/snapgen-server"))
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
        with tarfile.open(only(self.out, "*-linux-*.tar.gz")) as archive:
            members = archive.getmembers()
            archive.extractall(STAGE / "some where")
        self.assertEqual({(each.uname, each.gname, each.uid, each.gid) for each in members}, {("root", "root", 0, 0)})
        self.assertEqual(len({each.mtime for each in members}), 1)
        home = only(STAGE / "some where", "snapgen-*")
        self.assertEqual(run(home / "bin/snap", "--version", environment={}), f"snapgen {self.version}\n")
        self.assertEqual(run(home / "bin/snapgen", "--version", environment={}), f"snapgen {self.version}\n")
        self.assert_serves(home / "bin/snapgen-server")
        for each in ("LICENSE", "README", "share/man/man1/snap.1", "share/zsh/site-functions/_snap"):
            self.assertTrue((home / each).is_file(), each)

    def test_npm_installs_the_program_without_a_network(self):
        if not shutil.which("npm"):
            self.skipTest("there is no npm")
        folder = STAGE / "npm"
        run("npm", "install", "--offline", "--no-audit", "--no-fund", "--prefix", folder, "--cache", STAGE / "npm-cache", *self.out.glob("*.tgz"))
        main = json.loads((folder / "node_modules/snapgen-mcp/package.json").read_text())
        ((name, version),) = main["optionalDependencies"].items()
        self.assertEqual((main["version"], version, main["mcpName"]), (self.version, self.version, "io.github.snapgen/snapgen"))
        machine = json.loads((folder / "node_modules" / name / "package.json").read_text())
        self.assertEqual((machine["name"], machine["version"], machine["os"]), (name, self.version, ["linux"]))
        for page in (main, machine):
            self.assertNotIn("scripts", page)
        self.assert_serves(folder / "node_modules/.bin/snapgen-mcp", environment={"PATH": os.environ["PATH"]})
        self.assertTrue((folder / "node_modules" / name / "licenses/README").is_file())

    def test_a_bundle_runs_as_its_manifest_says(self):
        folder = STAGE / "bundle"
        run(sys.executable, "-m", "zipfile", "-e", only(self.out, "*.mcpb"), folder)
        with zipfile.ZipFile(only(self.out, "*.mcpb")) as archive:
            self.assertEqual(archive.getinfo("server/snapgen-server").external_attr >> 16, 0o100755)
        (folder / "server/snapgen-server").chmod(0o755)  # Python does not restore modes.
        manifest = json.loads((folder / "manifest.json").read_text())
        self.assertEqual((manifest["manifest_version"], manifest["version"]), ("0.3", self.version))
        start = manifest["server"]["mcp_config"]
        values = {"${__dirname}": str(folder), "${user_config.workspace}": str(self.empty)}
        command = [re.sub(r"\$\{[^}]*\}", lambda found: values[found[0]], word) for word in [start["command"], *start["args"]]]
        self.assertEqual(tools_of(*command), [tool["name"] for tool in manifest["tools"]])
        self.assertEqual(folder / manifest["server"]["entry_point"], pathlib.Path(command[0]))

    def test_server_json_names_the_packages(self):
        """The limits are those of the registry's schema."""
        page = json.loads((self.out / "server.json").read_text())
        self.assertRegex(page["name"], r"^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$")
        self.assertLessEqual(len(page["description"]), 100)
        self.assertEqual(page["version"], self.version)
        npm, bundle, image = page["packages"]
        self.assertEqual([each["registryType"] for each in page["packages"]], ["npm", "mcpb", "oci"])
        self.assertEqual([each["transport"] for each in page["packages"]], [{"type": "stdio"}] * 3)
        self.assertEqual((npm["identifier"], npm["version"]), ("snapgen-mcp", self.version))
        self.assertEqual(bundle["fileSha256"], sha256(self.out / bundle["identifier"].rpartition("/")[2]))
        self.assertTrue(bundle["identifier"].startswith(f"{page['repository']['url']}/releases/download/v{self.version}/"))
        self.assertTrue(image["identifier"].endswith(f":{self.version}"))
        self.assertTrue({"version", "registryBaseUrl", "fileSha256"}.isdisjoint(image))  # The registry rejects them.

    def test_an_image_runs_alone(self):
        layout, root = STAGE / "layout", STAGE / "image"
        with tarfile.open(only(self.out, "*-oci.tar")) as archive:
            archive.extractall(layout)

        def blob(descriptor):
            path = layout / "blobs" / descriptor["digest"].replace(":", "/")
            self.assertEqual((f"sha256:{sha256(path)}", path.stat().st_size), (descriptor["digest"], descriptor["size"]))
            return path

        (whole,) = json.loads((layout / "index.json").read_text())["manifests"]
        (described,) = json.loads(blob(whole).read_text())["manifests"]
        manifest = json.loads(blob(described).read_text())
        page = json.loads(blob(manifest["config"]).read_text())
        self.assertEqual(described["platform"], {"architecture": page["architecture"], "os": "linux"})
        self.assertEqual(page["config"]["Labels"]["io.modelcontextprotocol.server.name"], "io.github.snapgen/snapgen")
        (layer,) = manifest["layers"]
        with tarfile.open(blob(layer)) as archive:
            archive.extractall(root)
        self.assertEqual({each.name for each in root.iterdir()}, {"usr", "workspace"})
        words = json.dumps(page["config"]["Entrypoint"]), json.dumps(page["config"]["Cmd"])
        self.assertIn("ENTRYPOINT {}\nCMD {}\n".format(*words), (self.out / "Dockerfile").read_text())
        if os.geteuid() or subprocess.run(["unshare", "--mount", "true"], capture_output=True, check=False).returncode:
            self.skipTest("only root may mount, and change the root folder")
        os.chown(root / "workspace", 1000, 1000)
        inside = ["unshare", "--mount", "sh", "-c", CONTAINER, root, *page["config"]["Entrypoint"]]
        self.assertEqual(run(*inside, "--version"), f"snapgen {self.version}\n")
        self.assertIn("snapshot_create", tools_of(*inside, *page["config"]["Cmd"], environment={"PATH": os.environ["PATH"]}))

    def test_the_list_of_packages_is_complete(self):
        page = json.loads(only(self.out, "*.spdx.json").read_text())
        packages = {each["SPDXID"]: each for each in page["packages"]}
        licences = {each["licenseId"]: each["extractedText"] for each in page["hasExtractedLicensingInfos"]}
        linked = {packages[each["relatedSpdxElement"]]["name"] for each in page["relationships"] if each["relationshipType"] == "STATIC_LINK"}
        words = run("ninja", "-C", BUILD, "-t", "commands", "-s", "snapgen-server").split()
        archives = {os.path.realpath(word) for word in words if word.startswith("/") and word.endswith(".a")}
        for each in sorted(archives):
            owner = subprocess.run(["dpkg-query", "-S", each, each.replace("/usr/lib/", "/lib/")], capture_output=True, text=True, check=False)
            self.assertIn(owner.stdout.partition(":")[0], linked, each)
        self.assertLessEqual({"libc6-dev", "libstdc++-12-dev", "libgcc-12-dev"}, linked)
        names = {each["name"] for each in page["packages"]}
        self.assertLessEqual({"libcli11-dev", "libboost1.81-dev", "libtomlplusplus-dev"}, names - linked)
        for each in page["packages"]:
            self.assertTrue(each["versionInfo"])
            self.assertTrue(each["SPDXID"] == "SPDXRef-snapgen" or licences[each["licenseDeclared"]], each["name"])
        with tarfile.open(only(self.out, "*-linux-*.tar.gz")) as archive:
            home = f"snapgen-{self.version}-linux-{dict(x86_64='amd64', aarch64='arm64')[os.uname().machine]}/share/doc/snapgen/licenses"
            for name in names - {"snapgen"}:
                archive.getmember(f"{home}/{name}")
            archive.getmember(f"{home}/common-licenses/LGPL-2.1")
            self.assertIn("link again", archive.extractfile(f"{home}/README").read().decode())

    def test_a_formula_names_the_tarball(self):
        formula = only(self.out, "snapgen.rb")
        ((url, digest),) = re.findall(r'url "(.*)"\n *sha256 "(.*)"', formula.read_text())
        self.assertEqual(sha256(self.out / url.rpartition("/")[2]), digest)
        if shutil.which("ruby"):
            run("ruby", "-c", formula)

    def test_plugins_contain_the_program_and_its_licences(self):
        found = sorted(self.out.glob("*-plugin-*.tar.gz"))
        self.assertTrue(found)
        for each in found:
            with tarfile.open(each) as archive:
                modes = {member.name.rpartition("bin/")[2]: member.mode for member in archive if "bin/" in member.name}
                self.assertEqual(modes[f"Linux-{os.uname().machine}/snapgen-server"], 0o755, each)
                self.assertTrue([name for name in archive.getnames() if name.endswith("licenses/README")], each)

    def test_a_build_that_is_not_a_release_build_is_rejected(self):
        done = make(STAGE / "none", build=STAGE)
        self.assertEqual(done.returncode, 1)
        self.assertTrue(done.stderr.startswith("package: "), done.stderr)

    def test_a_program_that_loads_libraries_is_rejected(self):
        build = STAGE / "shared"
        build.mkdir()
        (build / "meson-info").symlink_to(BUILD / "meson-info")
        for name in ("snapgen-server", "snapgen"):
            (build / name).symlink_to(os.path.realpath("/bin/ls"))
        done = make(STAGE / "none", build=build)
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, rf"^package: {re.escape(str(build))}/snapgen-server is not static: it loads .*libc\.so\.6")

    def test_an_invalid_date_is_rejected(self):
        done = make(STAGE / "none", SOURCE_DATE_EPOCH="yesterday")
        self.assertEqual((done.returncode, done.stderr), (1, "package: SOURCE_DATE_EPOCH must be a number of seconds, not yesterday\n"))


if __name__ == "__main__":
    unittest.main()
