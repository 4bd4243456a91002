#!/usr/bin/env python3
"""Writes the plugins of the hosts. They add the server, its hooks and the skill in one step.

    plugins.py OUT [PROGRAM]     writes all plugins with a program for this machine, by default build/snapgen-server
    plugins.py --links           prints the links that add the server to Cursor and VS Code

Each function `write_…` writes the plugin of a host into FOLDER/snapgen, and a marketplace or settings, if the host needs
them, into FOLDER. The same arguments give the same bytes.
"""
import base64
import json
import os
import re
import shutil
import sys
import urllib.parse
from pathlib import Path

PLACE = Path(__file__).resolve().parent
SOURCE = PLACE.parent.parent
SERVER = "snapgen-server"
OPTIONS = ["--stdio", "--profile", "first"]

# Plugins cannot say for which processor they are, so each contains the programs of all.
LAUNCHER = """#!/bin/sh
machine=$(uname -sm)
program=${0%/*}/${machine% *}-${machine#* }/snapgen-server
[ -x "$program" ] && exec "$program" "$@"
echo "snapgen-server: this plugin has no program for $machine" >&2
exit 1
"""

# The events that `snap init --hooks` adds for a host, and the time limit of a hook in the host's unit.
HOOKS = {
    "claude": ("SessionStart SessionEnd UserPromptSubmit Stop StopFailure PreToolUse PostToolUse PostToolUseFailure", 5),
    "codex": ("SessionStart SessionEnd UserPromptSubmit Stop Interrupt PreToolUse PostToolUse", 5),
    "gemini": ("SessionStart SessionEnd BeforeAgent AfterAgent BeforeTool AfterTool", 5000),
    "qwen": ("SessionStart SessionEnd UserPromptSubmit Stop PreToolUse PostToolUse PostToolUseFailure", 5),
}

# The plugin directory of Claude Code wants at least 40 words.
READ_ME = """# {title}

{description}

This plugin adds the server with 13 of its tools, a skill that says when to call which of them, and, where the host's
plugins have hooks, hooks that report prompts and tool calls to the history of the workspace. It needs no setup: start
the host in a git repository. It runs on Linux, on x86-64 and arm64. The documentation is at {repository}.
"""

AGENT_PLUGINS = "https://agent-plugins.org/schemas/1.0.0"

# The end of the plugin of OpenCode, which adds the server, unless the user's settings have one of its name, and the skill.
OPENCODE_SERVER = """
const skills = fileURLToPath(new URL('skills', import.meta.url));

export const SnapgenServer = async () => ({
  config: async (config) => {
    config.mcp = { snapgen: { type: 'local', command: [program, OPTIONS] }, ...config.mcp };
    config.skills = { ...config.skills, paths: [...(config.skills?.paths ?? []), skills] };
  },
});
"""


def read_description():
    return json.loads((PLACE / "description.json").read_text())


def read_version():
    return re.search(r"^  version : '([^']+)'", (SOURCE / "meson.build").read_text(), re.MULTILINE)[1]


def write_text(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, newline="\n")


def write_json(path, value):
    write_text(path, json.dumps(value, indent=2, ensure_ascii=False) + "\n")


def write_programs(folder, programs):
    """Writes the launcher and the programs: {"x86_64": path, …}, by what `uname -m` prints."""
    write_text(folder / SERVER, LAUNCHER)
    (folder / SERVER).chmod(0o755)
    for machine, program in sorted(programs.items()):
        target = folder / f"Linux-{machine}" / SERVER
        target.parent.mkdir()
        shutil.copyfile(program, target)
        target.chmod(0o755)


def write_parts(folder, description, programs):
    """Writes what all plugins contain, and returns the folder of the plugin."""
    plugin = folder / description["name"]
    write_programs(plugin / "bin", programs)
    write_text(plugin / "skills/snapgen/SKILL.md", (PLACE / "skills/snapgen/SKILL.md").read_text())
    write_text(plugin / "README.md", READ_ME.format(**description))
    write_text(plugin / "LICENSE", (SOURCE / "LICENSE").read_text())
    return plugin


def manifest(description, version):
    """Returns the members that the manifests of Claude Code, Codex and Agent Plugins share."""
    return {"name": description["name"], "version": version, "description": description["summary"],
            "author": {"name": description["author"]}, "repository": description["repository"],
            "license": description["license"], "keywords": description["keywords"]}


def server(command, **more):
    return {"snapgen": {"command": command, "args": OPTIONS, **more}}


def hooks(host, root):
    """Returns the hooks of a host. `root` is the variable that names the plugin's folder."""
    events, timeout = HOOKS[host]
    command = f'"${{{root}}}/bin/{SERVER}" hook {host} || true'
    return {event: [{"hooks": [{"type": "command", "command": command, "timeout": timeout}]}] for event in events.split()}


def write_marketplace(folder, description):
    """Writes the marketplace of Claude Code, which Copilot CLI reads too. Its plugin is in the subfolder."""
    name = description["name"]
    write_json(folder / ".claude-plugin/marketplace.json", {
        "name": name, "description": description["summary"], "owner": {"name": description["author"]},
        "plugins": [{"name": name, "source": f"./{name}", "description": description["summary"]}]})


def write_agent(folder, description, version, programs):
    """The portable plugin (Agent Plugins 1.0), which has no hooks, in a marketplace for Copilot CLI."""
    plugin = write_parts(folder, description, programs)
    write_marketplace(folder, description)
    write_json(plugin / "plugin.json", {"$schema": f"{AGENT_PLUGINS}/plugin.schema.json", **manifest(description, version)})
    servers = {"snapgen": {"type": "stdio", **server(f"./bin/{SERVER}")["snapgen"]}}
    write_json(plugin / "mcp.json", {"$schema": f"{AGENT_PLUGINS}/mcp.schema.json", "mcpServers": servers})


def write_claude(folder, description, version, programs):
    plugin = write_parts(folder, description, programs)
    write_marketplace(folder, description)
    write_json(plugin / ".claude-plugin/plugin.json", manifest(description, version))
    write_json(plugin / ".mcp.json", {"mcpServers": server(f"${{CLAUDE_PLUGIN_ROOT}}/bin/{SERVER}")})
    write_json(plugin / "hooks/hooks.json", {"hooks": hooks("claude", "CLAUDE_PLUGIN_ROOT")})


def write_codex(folder, description, version, programs):
    name = description["name"]
    plugin = write_parts(folder, description, programs)
    write_json(folder / ".agents/plugins/marketplace.json", {
        "name": name, "interface": {"displayName": description["title"]},
        "plugins": [{"name": name, "source": {"source": "local", "path": f"./{name}"},
                     "policy": {"installation": "AVAILABLE", "authentication": "ON_INSTALL"}, "category": "Productivity"}]})
    write_json(plugin / ".codex-plugin/plugin.json", {
        **manifest(description, version), "skills": "./skills/", "mcpServers": "./.mcp.json", "hooks": "./hooks/hooks.json",
        "interface": {"displayName": description["title"], "shortDescription": description["summary"],
                      "longDescription": description["description"], "developerName": description["author"],
                      "category": "Productivity", "websiteURL": description["repository"]}})
    # Codex starts a program of the plugin only with "cwd". It would reject the tools without an approval in `codex exec`.
    approved = {tool: {"approval_mode": "approve"} for tool in ("history_rewind", "history_undo", "snap_fix")}
    write_json(plugin / ".mcp.json", {"mcpServers": server(f"./bin/{SERVER}", cwd=".", tools=approved)})
    write_json(plugin / "hooks/hooks.json", {"hooks": hooks("codex", "CLAUDE_PLUGIN_ROOT")})


def extension(description, version):
    """Returns the members that the manifests of Gemini CLI and Qwen Code share."""
    return {"name": description["name"], "version": version, "description": description["summary"],
            "mcpServers": server(f"${{extensionPath}}/bin/{SERVER}")}


def write_gemini(folder, description, version, programs):
    plugin = write_parts(folder, description, programs)
    write_json(plugin / "gemini-extension.json", extension(description, version))
    write_json(plugin / "hooks/hooks.json", {"hooks": hooks("gemini", "extensionPath")})


def write_qwen(folder, description, version, programs):
    plugin = write_parts(folder, description, programs)
    write_json(plugin / "qwen-extension.json", {**extension(description, version), "hooks": hooks("qwen", "extensionPath")})


def write_opencode(folder, description, version, programs):
    """The plugin of OpenCode, which adds the hooks and the server, and settings for the server alone."""
    plugin = write_parts(folder, description, programs)
    page = manifest(description, version)
    write_json(plugin / "package.json", {**page, "name": "snapgen-opencode", "type": "module", "main": "./snapgen.js", "private": True})
    lines = (SOURCE / "tools/cli/hosts/opencode_plugin.js").read_text().splitlines(keepends=True)
    lines[0] = "// Adds the server of snapgen, and reports sessions, prompts and tool calls to its history.\n"
    text = "".join(lines).replace('"@PROGRAM@"', f"fileURLToPath(new URL('bin/{SERVER}', import.meta.url))")
    text = text.replace("\n\n", "\nimport { fileURLToPath } from 'node:url';\n\n", 1)
    options = ", ".join(f"'{word}'" for word in OPTIONS)
    write_text(plugin / "snapgen.js", text + OPENCODE_SERVER.replace("OPTIONS", options))
    write_json(folder / "opencode.json", {
        "$schema": "https://opencode.ai/config.json",
        "mcp": {"snapgen": {"type": "local", "command": npx(description)}}})


def npx(description):
    """Returns the command that runs the server from npm."""
    return ["npx", "-y", description["npm_name"], *OPTIONS]


def install_links(description):
    """Returns the links that add the server to Cursor and VS Code. Their web pages open the host, because pages such as a
    README on GitHub show no links with the hosts' own schemes."""
    command, *arguments = npx(description)
    entry = json.dumps({"type": "stdio", "command": command, "args": arguments}, separators=(",", ":"))
    packed = base64.b64encode(entry.encode()).decode()
    return {title: address + urllib.parse.urlencode({"name": description["name"], "config": config}, quote_via=urllib.parse.quote)
            for title, address, config in (("Cursor", "https://cursor.com/en/install-mcp?", packed),
                                           ("VS Code", "https://vscode.dev/redirect/mcp/install?", entry))}


WRITERS = {"agent": write_agent, "claude": write_claude, "codex": write_codex, "gemini": write_gemini, "opencode": write_opencode,
           "qwen": write_qwen}


def write_all(out_folder, description, version, programs):
    """Writes each plugin into a new folder in `out_folder`, and returns the folders by the names of the hosts."""
    for name, write in WRITERS.items():
        write(out_folder / name, description, version, programs)
    return {name: out_folder / name for name in WRITERS}


def main():
    if sys.argv[1:] == ["--links"]:
        print("\n".join(install_links(read_description()).values()))
        return 0
    if not 2 <= len(sys.argv) <= 3 or sys.argv[1].startswith("-"):
        print(__doc__, file=sys.stderr)
        return 2
    program = Path(sys.argv[2]) if len(sys.argv) == 3 else SOURCE / "build" / SERVER
    for folder in write_all(Path(sys.argv[1]), read_description(), read_version(), {os.uname().machine: program}).values():
        print(folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
