"""Installs into a staging folder, builds tests/consumer with it, and calls the consumer's server.

    install_test.py BUILD SOURCE STAGE COMPILER [CLASS...]

Exits with 77 if all tests were skipped, which Meson reports."""
import json
import os
import pathlib
import shutil
import re
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "tools"))
import calls  # noqa: E402

BUILD, SOURCE, STAGE = (pathlib.Path(sys.argv.pop(1)).resolve() for _ in range(3))
COMPILER = sys.argv.pop(1)


def run(*command, cwd=None, **environment):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, cwd=cwd,
                          env={**os.environ, **environment})
    if done.returncode:
        raise AssertionError(f"{command} ended with {done.returncode}\n{done.stdout[-4000:]}\n{done.stderr[-4000:]}")
    return done.stdout


class Watch:
    """Returns elapsed seconds and the processor time of all child processes."""

    def __init__(self):
        self.begin = self.now()

    @staticmethod
    def now():
        spent = os.times()
        return {"clock_s": time.monotonic(), "cpu_s": spent.children_user + spent.children_system}

    def stop(self):
        self.times = {key: round(value - self.begin[key], 2) for key, value in self.now().items()}

    def __str__(self):
        return f"{self.times['clock_s']} s ({self.times['cpu_s']} s of CPU)"


class Project:
    """Returns a copy of tests/consumer outside of the source tree, so that it cannot use files of that tree."""

    def __init__(self, folder, variable):
        self.folder, self.variable = folder, variable
        self.server = folder / "build/consumer-server"
        shutil.copytree(SOURCE / "tests/consumer", folder)
        for schema in folder.glob("schemas/*/*.json"):
            schema.write_text(schema.read_text().replace("../../../../schemas/meta", str(variable("meta"))))

    def build(self, compiler, environment):
        run("meson", "setup", self.folder / "build", self.folder, CXX=compiler, **environment)
        run("ninja", "-C", self.folder / "build")

    def describe(self, tool, text):
        schema = self.folder / f"schemas/shop/{tool}.json"
        page = json.loads(schema.read_text())
        page["description"] = text
        schema.write_text(json.dumps(page))
        run("ninja", "-C", self.folder / "build")

    def new_tool(self, name, *more):
        run(self.variable("snapgen"), "new", "tool", name, "--root", self.folder, *more)
        schema = next(self.folder.glob(f"schemas/*/{name.replace('.', '_')}.json"))
        schema.write_text(schema.read_text().replace("../meta", str(self.variable("meta"))))
        run("ninja", "-C", self.folder / "build")

    def remove_tool(self, family, stem):
        for file in (f"schemas/{family}/{stem}.json", f"tools/{family}/{stem}.cc", f"tests/tools/{family}/{stem}.json"):
            (self.folder / file).unlink()

    def ask(self, *requests):
        """Returns the results in order, beginning with that of initialize."""
        server = calls.Server([self.server])
        answers = [server.opened, *(server.ask(method, params) for method, params in requests)]
        assert server.close() == 0
        return [answer["result"] for answer in answers]


class CMakeProject(Project):
    """A copy of tests/consumer that is built with CMake."""

    def build(self, *options, **environment):
        *launcher, compiler = COMPILER.split()
        run("cmake", "-G", "Ninja", "-S", self.folder, "-B", self.folder / "build", f"-DCMAKE_CXX_COMPILER={compiler}",
            f"-DCMAKE_CXX_COMPILER_LAUNCHER={';'.join(launcher)}", *options, **environment)
        run("ninja", "-C", self.folder / "build")


class Staged(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        shutil.rmtree(STAGE, ignore_errors=True)
        run("meson", "install", "-C", BUILD, "--no-rebuild", "--quiet", DESTDIR=str(STAGE))
        found = list(STAGE.rglob("snapgen.pc"))
        assert len(found) == 1, found
        cls.packages = found[0].parent
        cls.prefix = next(STAGE.rglob("bin/snapgen")).parent.parent
        cls.find = {"PKG_CONFIG_PATH": str(cls.packages)}

    def variable(self, name):
        return pathlib.Path(run("pkg-config", f"--variable={name}", "snapgen", **self.find).strip())


class Install(Staged):
    def test_programs_have_their_names(self):
        for name in ("snapgen", "snapgen-server", "snap", "snapback"):
            self.assertRegex(run(self.prefix / "bin" / name, "--version"), r"^snapgen \d+\.\d+\.\d+\n$")
        for name in ("snap", "snapback"):
            self.assertEqual(os.readlink(self.prefix / "bin" / name), "snapgen-server")

    def test_manual_pages_and_completions_are_installed(self):
        for each in ("man/man1/snap.1", "man/man1/snapback.1", "man/man1/snapgen-server.1", "man/man1/snapgen.1", "man/man1/snap-store.1",
                     "bash-completion/completions/snap", "bash-completion/completions/snapback", "bash-completion/completions/snapgen-server",
                     "bash-completion/completions/snapgen", "zsh/site-functions/_snap", "zsh/site-functions/_snapgen-server",
                     "fish/vendor_completions.d/snap.fish", "fish/vendor_completions.d/snapback.fish", "doc/snapgen/LICENSE"):
            self.assertTrue((self.prefix / "share" / each).is_file(), each)

    def test_pkg_config_variables_name_installed_files(self):
        self.assertTrue(os.access(self.variable("snapgen"), os.X_OK))
        self.assertTrue(os.access(self.variable("list_schemas"), os.X_OK))
        self.assertTrue((self.variable("meta") / "tool.json").is_file())
        for header in ("runtime/mcp/server.h", "runtime/async/child.h", "schemas/mcp/implementation.h", "codegen/emit/compile.h"):
            self.assertTrue((self.variable("includedir") / header).is_file(), header)
        self.assertIn("-lsnapgen-codegen", run("pkg-config", "--libs", "snapgen-codegen", **self.find))

    def test_editors_find_the_schemas_of_schema_files(self):
        settings = json.loads((self.prefix / "share/snapgen/vscode/settings.json").read_text())
        for each in settings["json.schemas"]:
            self.assertTrue((self.prefix / "share/snapgen" / each["url"]).is_file())

    def test_a_consumer_project_builds_and_answers(self):
        project = Project(STAGE / "consumer", self.variable)
        project.build(COMPILER, self.find)
        answers = project.ask(("tools/list", {}), ("tools/call", {"name": "order_price", "arguments": {"cents": 250, "count": 4}}),
                              ("tools/call", {"name": "order.price", "arguments": {"cents": 250}}),
                              ("tools/call", {"name": "order.price", "arguments": {"cents": -1}}))
        self.assertEqual(answers[0]["serverInfo"]["name"], "consumer-server")
        self.assertEqual([tool["name"] for tool in answers[1]["tools"]], ["order_price"])
        self.assertEqual(answers[2]["structuredContent"], {"total_cents": 1000})
        self.assertEqual(answers[3]["structuredContent"], {"total_cents": 250})
        self.assertTrue(answers[4]["isError"])
        self.assertIn("/cents", answers[4]["content"][0]["text"])

    @staticmethod
    def offload(handler, output):
        """Replaces the body of a new handler by the lines that its comment proposes."""
        text = handler.read_text()
        proposed = "".join(f"  {line[5:]}\n" for line in text.splitlines() if line.startswith("//   "))
        body = f"  co_return {output}{{.text = in.text}};\n"
        assert proposed and body in text, text
        handler.write_text(text.replace(body, f"{proposed}  co_return {output}{{.text = text}};\n").replace("mcp::Call&,", "mcp::Call& call,"))

    def test_editing_adding_and_removing_a_tool_rebuilds_a_project(self):
        """Changes a description, then adds a tool, from the command to its first answer; the times are for the
        benchmarks. Then removes the tool."""
        project = Project(STAGE / "day", self.variable)
        project.build(COMPILER, self.find)
        edited = Watch()
        project.describe("order_price", "Says what an order costs, in cents.")
        edited.stop()
        self.assertEqual(project.ask(("tools/list", {}))[1]["tools"][0]["description"], "Says what an order costs, in cents.")
        added = Watch()
        project.new_tool("order.gift")
        answer = project.ask(("tools/call", {"name": "order.gift", "arguments": {"text": "hello"}}))[1]
        added.stop()
        self.assertEqual(answer["structuredContent"], {"text": "hello"})
        checked = subprocess.run([sys.executable, self.prefix / "share/snapgen/calls.py", project.folder / "tests/tools", "--",
                                  project.server], capture_output=True, text=True, check=False)
        self.assertEqual((checked.returncode, checked.stdout), (0, "3 calls returned the expected result, 0 did not\n"))
        run(self.variable("snapgen"), "new", "family", "store", "--root", project.folder)
        project.new_tool("rack.find", "--family", "store")
        answer = project.ask(("tools/call", {"name": "rack.find", "arguments": {"text": "nails"}}))[1]
        self.assertEqual(answer["structuredContent"], {"text": "nails"})
        self.offload(project.folder / "tools/store/rack_find.cc", "RackFindOutput")
        project.remove_tool("shop", "order_gift")
        (project.folder / "schemas/meson.build").touch()
        run("ninja", "-C", project.folder / "build")
        answers = project.ask(("tools/list", {}), ("tools/call", {"name": "rack.find", "arguments": {"text": "nails"}}))
        self.assertEqual([tool["name"] for tool in answers[1]["tools"]], ["order_price", "rack_find"])
        self.assertEqual(answers[2]["structuredContent"], {"text": "nails"})
        (STAGE.parent / "author_day.json").write_text(json.dumps({"description": edited.times, "new_tool": added.times}))
        print(f"an author's day: another description {edited}, a new tool to its first answer {added}")


class Packaged(Staged):
    """For tests that build the same project with CMake. Packages are made from the build folder of this run."""

    packaged = {"SNAPGEN_BUILD": str(BUILD)}

    def check_build(self, *options, **environment):
        """Returns the project after a build and a call."""
        project = CMakeProject(STAGE / self.id().rpartition(".")[2], self.variable)
        project.build(*options, **environment)
        answer = project.ask(("tools/call", {"name": "order.price", "arguments": {"cents": 250, "count": 4}}))[1]
        self.assertEqual(answer["structuredContent"], {"total_cents": 1000})
        return project


class CMake(Packaged):
    def test_an_installation_is_found_and_tools_are_added_and_removed(self):
        project = self.check_build(f"-DCMAKE_PREFIX_PATH={self.prefix}")
        project.describe("order_price", "Says what an order costs, in cents.")
        run(self.variable("snapgen"), "new", "family", "store", "--root", project.folder)
        project.new_tool("rack.find", "--family", "store")
        listed, called = project.ask(("tools/list", {}), ("tools/call", {"name": "rack.find", "arguments": {"text": "nails"}}))[1:]
        self.assertEqual({tool["name"]: tool["description"] for tool in listed["tools"]}["order_price"],
                         "Says what an order costs, in cents.")
        self.assertEqual(called["structuredContent"], {"text": "nails"})
        self.assertIn("no work to do", run("ninja", "-C", project.folder / "build"))
        project.remove_tool("store", "rack_find")
        run("ninja", "-C", project.folder / "build")
        self.assertEqual([tool["name"] for tool in project.ask(("tools/list", {}))[1]["tools"]], ["order_price"])

    def test_fetched_sources_are_installed_in_the_build_folder(self):
        project = self.check_build(f"-DFETCHCONTENT_SOURCE_DIR_SNAPGEN={SOURCE}", **self.packaged)
        installed = project.folder / "build/_deps/snapgen-build/installed"
        self.assertTrue((installed / "bin/snapgen").is_file())
        self.assertFalse((installed / "bin/snapgen-server").exists())
        self.assertIn(f"{installed}/lib", (project.folder / "build/build.ninja").read_text())


@unittest.skipUnless(shutil.which("conan"), "Conan 2 is not installed (pip install conan)")
class Conan(Packaged):
    def test_the_recipe_makes_a_package(self):
        conan = {**self.packaged, "CONAN_HOME": str(STAGE / "conan"), "CXX": COMPILER.split()[-1]}
        run("conan", "profile", "detect", **conan)
        run("conan", "create", SOURCE, **conan)
        version = re.search(r"version : '([\d.]+)'", (SOURCE / "meson.build").read_text())[1]
        run("conan", "install", f"--requires=snapgen/{version}", "-g", "CMakeToolchain", "-g", "CMakeDeps", "-of", "conan-files",
            cwd=STAGE, **conan)
        self.check_build(f"-DCMAKE_TOOLCHAIN_FILE={STAGE}/conan-files/conan_toolchain.cmake", "-DCMAKE_BUILD_TYPE=Release")


@unittest.skipUnless(shutil.which("vcpkg") and "VCPKG_ROOT" in os.environ, "vcpkg is not installed, or VCPKG_ROOT is not set")
class Vcpkg(Packaged):
    def test_the_overlay_port_makes_a_package(self):
        files = STAGE / "vcpkg"
        run("vcpkg", "install", "snapgen", f"--overlay-ports={SOURCE}/runtime/install/vcpkg", f"--x-install-root={files}/installed",
            f"--x-buildtrees-root={files}/trees", f"--x-packages-root={files}/packages", "--binarysource=clear", **self.packaged)
        self.check_build(f"-DCMAKE_TOOLCHAIN_FILE={os.environ['VCPKG_ROOT']}/scripts/buildsystems/vcpkg.cmake",
                         "-DVCPKG_MANIFEST_MODE=OFF", f"-DVCPKG_INSTALLED_DIR={files}/installed")


if __name__ == "__main__":
    result = unittest.main(verbosity=2, exit=False).result
    sys.exit(77 if result.skipped and len(result.skipped) == result.testsRun else not result.wasSuccessful())
