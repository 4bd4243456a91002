"""Writes all plugins with a stand-in program, and checks what hosts rely on. ./dev hosts installs them in the hosts.

    plugins_test.py BUILD SOURCE
"""
import base64
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import urllib.parse

BUILD, SOURCE = (pathlib.Path(sys.argv.pop(1)).resolve() for _ in range(2))
sys.path.insert(0, str(SOURCE / "tools/install"))
import plugins  # noqa: E402

SNAP = BUILD / "snap"
STAND_IN = '#!/bin/sh\necho "stand-in $(basename "$(dirname "$0")") $*"\n'
NPX = ["npx", "-y", "snapgen-mcp", "--stdio", "--profile", "first"]
# The members that Agent Plugins 1.0 allows (schemas/1.0.0 of its specification).
PLUGIN_MEMBERS = {"$schema", "name", "version", "description", "author", "homepage", "repository", "license", "keywords", "extensions"}
SERVER_MEMBERS = {"type", "command", "args", "env", "cwd"}


def load(path):
    return json.loads(path.read_text())


def contents(folder):
    return {str(each.relative_to(folder)): (each.stat().st_mode, each.read_bytes()) for each in sorted(folder.rglob("*")) if each.is_file()}


class Plugins(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.scratch = pathlib.Path(scratch.name)
        program = cls.scratch / "program"
        program.write_text(STAND_IN)
        cls.arguments = plugins.read_description(), plugins.read_version(), {"x86_64": program, "aarch64": program}
        cls.folders = plugins.write_all(cls.scratch / "some where", *cls.arguments)
        cls.plugin = {host: folder / "snapgen" for host, folder in cls.folders.items()}

    def init(self, host):
        """Returns the folder of a repository in which `snap init` added the server and the hooks of a host."""
        folder = self.scratch / host
        subprocess.run(["git", "init", "--quiet", folder], check=True)
        subprocess.run([SNAP, "init", "--host", host, "--hooks", "--yes"], cwd=folder, check=True, capture_output=True,
                       env={**os.environ, "HOME": str(self.scratch)})
        return folder

    def check_program(self, host, command, *roots):
        """Checks that the first word of a command is the launcher in the plugin."""
        for root in roots:
            command = command.replace(root, str(self.plugin[host]))
        program = self.plugin[host] / re.match(r'"?([^"]+)"?', command)[1]
        self.assertEqual(program, self.plugin[host] / "bin/snapgen-server")
        self.assertTrue(os.access(program, os.X_OK))

    def test_the_same_description_gives_the_same_bytes(self):
        again = plugins.write_all(self.scratch / "again", *self.arguments)
        for host, folder in again.items():
            self.assertEqual(contents(folder), contents(self.folders[host]))

    def test_the_version_is_that_of_the_program(self):
        printed = subprocess.run([SNAP, "--version"], capture_output=True, text=True, check=True).stdout
        self.assertEqual(printed, f"snapgen {plugins.read_version()}\n")
        self.assertLessEqual(len(plugins.read_description()["summary"]), 100)

    def test_the_portable_plugin_has_only_members_of_its_format(self):
        page, servers = (load(self.plugin["agent"] / name) for name in ("plugin.json", "mcp.json"))
        self.assertLessEqual(page.keys(), PLUGIN_MEMBERS)
        self.assertEqual(page["$schema"], "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json")
        self.assertRegex(page["name"], r"^(?!.*(?:--|\.\.))[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$")
        self.assertLessEqual(page["author"].keys(), {"name", "email", "url"})
        self.assertEqual(servers.keys(), {"$schema", "mcpServers"})
        self.assertEqual(servers["$schema"], "https://agent-plugins.org/schemas/1.0.0/mcp.schema.json")
        (server,) = servers["mcpServers"].values()
        self.assertLessEqual(server.keys(), SERVER_MEMBERS)
        self.assertEqual(server["type"], "stdio")

    def test_named_files_exist(self):
        for host, name in (("agent", "mcp.json"), ("claude", ".mcp.json"), ("codex", ".mcp.json"), ("gemini", "gemini-extension.json"),
                           ("qwen", "qwen-extension.json")):
            server = load(self.plugin[host] / name)["mcpServers"]["snapgen"]
            self.check_program(host, server["command"], "${CLAUDE_PLUGIN_ROOT}", "${extensionPath}")
            self.assertEqual(server["args"], ["--stdio", "--profile", "first"])
        for host in ("agent", "claude"):
            (entry,) = load(self.folders[host] / ".claude-plugin/marketplace.json")["plugins"]
            self.assertEqual((self.folders[host] / entry["source"]).resolve(), self.plugin[host].resolve())
        (entry,) = load(self.folders["codex"] / ".agents/plugins/marketplace.json")["plugins"]
        self.assertEqual((self.folders["codex"] / entry["source"]["path"]).resolve(), self.plugin["codex"].resolve())
        page = load(self.plugin["codex"] / ".codex-plugin/plugin.json")
        for named in (page["skills"], page["mcpServers"], page["hooks"]):
            self.assertTrue((self.plugin["codex"] / named).exists(), named)
        self.assertTrue((self.plugin["opencode"] / load(self.plugin["opencode"] / "package.json")["main"]).is_file())
        self.assertEqual(load(self.folders["opencode"] / "opencode.json")["mcp"]["snapgen"]["command"], NPX)
        for plugin in self.plugin.values():
            for each in ("skills/snapgen/SKILL.md", "README.md", "LICENSE", "bin/Linux-x86_64/snapgen-server", "bin/Linux-aarch64/snapgen-server"):
                self.assertTrue((plugin / each).is_file(), each)

    def test_the_launcher_starts_the_program_of_this_machine(self):
        launcher = self.plugin["agent"] / "bin/snapgen-server"
        done = subprocess.run([launcher, "hook", "a b"], capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout, f"stand-in Linux-{os.uname().machine} hook a b\n")
        other = self.scratch / "bin"
        other.mkdir()
        (other / "uname").write_text("#!/bin/sh\necho Darwin arm64\n")
        (other / "uname").chmod(0o755)
        done = subprocess.run([launcher], capture_output=True, text=True, check=False, env={"PATH": f"{other}:/usr/bin:/bin"})
        self.assertEqual((done.returncode, done.stderr), (1, "snapgen-server: this plugin has no program for Darwin arm64\n"))

    def test_hooks_are_those_of_snap_init(self):
        qwen = load(self.plugin["qwen"] / "qwen-extension.json")
        shipped = {host: load(self.plugin[host] / "hooks/hooks.json") for host in ("claude", "codex", "gemini")} | {"qwen": qwen}
        files = {"claude": ".claude/settings.local.json", "codex": ".codex/hooks.json", "gemini": ".gemini/settings.json",
                 "qwen": ".qwen/settings.json"}
        for host, file in files.items():
            self.assertEqual(self.replaced(host, shipped[host]["hooks"]), self.replaced(host, load(self.init(host) / file)["hooks"]))

    def replaced(self, host, hooks):
        """Returns the hooks with PROGRAM for the path of the program, which must exist."""
        for groups in hooks.values():
            for hook in groups[0]["hooks"]:
                program, rest = hook["command"].rsplit(f" hook {host}", 1)
                if program != str(SNAP):
                    self.check_program(host, program, "${CLAUDE_PLUGIN_ROOT}", "${extensionPath}")
                hook["command"] = f"PROGRAM hook {host}{rest}"
        return hooks

    def test_the_plugin_of_opencode_has_the_hooks_of_snap_init(self):
        written = (self.init("opencode") / ".opencode/plugins/snapgen.js").read_text().splitlines()
        shipped = (self.plugin["opencode"] / "snapgen.js").read_text().splitlines()
        hooks = [line for line in written[1:] if not line.startswith("const program = ")]
        rest = iter(shipped)
        self.assertEqual([line for line in hooks if line not in rest], [])
        node = os.environ.get("SNAPGEN_NODE") or shutil.which("node")
        if node:
            script = (f"const m = await import({json.dumps((self.plugin['opencode'] / 'snapgen.js').as_uri())});"
                      "const c = { mcp: { mine: 1 }, skills: { paths: ['x'] } };"
                      "await (await m.SnapgenServer({})).config(c); console.log(JSON.stringify([Object.keys(m), c]))")
            printed = subprocess.run([node, "--input-type=module", "-e", script], capture_output=True, text=True, check=True).stdout
            names, config = json.loads(printed)
            self.assertEqual(names, ["SnapgenHooks", "SnapgenServer"])
            self.check_program("opencode", config["mcp"]["snapgen"]["command"][0])
            self.assertEqual((config["mcp"]["mine"], config["skills"]["paths"]), (1, ["x", str(self.plugin["opencode"] / "skills")]))

    def test_links_of_the_readme_have_the_command(self):
        read_me = (SOURCE / "README.md").read_text(encoding="utf-8")
        for title, link in plugins.install_links(self.arguments[0]).items():
            self.assertIn(f"| [{title}]({link}) |", read_me)
            query = dict(urllib.parse.parse_qsl(urllib.parse.urlsplit(link).query, strict_parsing=True))
            packed = query["config"]
            entry = json.loads(packed if packed.startswith("{") else base64.b64decode(packed, validate=True))
            self.assertEqual((query["name"], [entry["command"], *entry["args"]]), ("snapgen", NPX))

    def test_the_skill_names_only_tools_that_exist(self):
        text = (SOURCE / "tools/install/skills/snapgen/SKILL.md").read_text()
        front = dict(line.split(": ", 1) for line in text.split("---\n")[1].splitlines())
        self.assertEqual(front["name"], "snapgen")
        self.assertLessEqual(len(front["description"]), 1024)
        self.assertLessEqual(len(text.splitlines()), 120)
        listed = subprocess.run([SNAP, "tools"], cwd=self.init("claude"), capture_output=True, text=True, check=True,
                                env={**os.environ, "HOME": str(self.scratch)}).stdout
        tools = set(re.findall(r"^(\w+): ", listed, re.MULTILINE))
        named = set(re.findall(r"`((?:snapshot|workspace|history|snap)_(?!id)\w+|snap|check)`", text))
        self.assertGreater(len(named), 15)
        self.assertLessEqual(named, tools)
        for edit in re.findall(r'`(\{"(?:path|pattern)".*?\})`', text, re.DOTALL):
            self.assertIsInstance(json.loads(edit), dict)


if __name__ == "__main__":
    unittest.main()
