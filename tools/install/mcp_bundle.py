"""The MCP bundles, which hosts install with a click, and server.json, which the MCP registry lists."""
import hashlib
import json
import shutil

from archives import write_zip
from commands import run
from image import image_name
from plugins import OPTIONS, write_json

WORKSPACE = {"title": "Repository", "description": "The git repository, or another folder, that the server works on."}


def write_bundles(release, targets, here):
    """Writes the bundles, and server.json. `here` is the target whose program lists the tools."""
    description, version = release.description, release.version
    (release.work / "empty").mkdir()
    tools = json.loads(run(here.tree / "bin/snap", "tools", *OPTIONS[1:], "--json", "--workspace", release.work / "empty"))["tools"]
    packages = [{"registryType": "npm", "registryBaseUrl": "https://registry.npmjs.org", "identifier": description["npm_name"],
                 "version": version, "packageArguments": arguments()}]
    for each in targets:
        folder = release.work / f"mcpb-{each.machine.node}"
        (folder / "server").mkdir(parents=True)
        shutil.copyfile(each.program, folder / "server/snapgen-server")
        (folder / "server/snapgen-server").chmod(0o755)
        shutil.copytree(each.licences, folder / "licenses")
        shutil.copyfile(each.tree / "LICENSE", folder / "LICENSE")
        write_json(folder / "manifest.json", {
            "manifest_version": "0.3", "name": description["name"], "display_name": description["title"], "version": version,
            "description": description["summary"], "long_description": description["description"],
            "author": {"name": description["author"]}, "license": description["license"], "keywords": description["keywords"],
            "repository": {"type": "git", "url": description["repository"]},
            "server": {"type": "binary", "entry_point": "server/snapgen-server", "mcp_config": {
                "command": "${__dirname}/server/snapgen-server", "args": [*OPTIONS, "--workspace", "${user_config.workspace}"], "env": {}}},
            "user_config": {"workspace": {"type": "directory", **WORKSPACE, "required": True}},
            "tools": [{"name": tool["name"], "description": tool["description"]} for tool in tools], "tools_generated": False,
            "compatibility": {"platforms": ["linux"]}})
        bundle = write_zip(release.out / f"snapgen-{version}-linux-{each.machine.node}.mcpb", folder, release.date, release.level)
        packages.append({"registryType": "mcpb", "identifier": release.url(bundle.name), "version": version,
                         "fileSha256": hashlib.sha256(bundle.read_bytes()).hexdigest()})
    mount = {"type": "named", "name": "--mount", "value": "type=bind,src={workspace},dst=/workspace", "variables": {
        "workspace": {"description": WORKSPACE["description"], "isRequired": True, "format": "filepath"}}}
    packages.append({"registryType": "oci", "identifier": f"{image_name(description)}:{version}", "runtimeHint": "docker",
                     "runtimeArguments": [mount]})
    write_json(release.out / "server.json", {
        "$schema": "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
        "name": description["registry_name"], "title": description["title"], "description": description["summary"], "version": version,
        "repository": {"url": description["repository"], "source": "github"},
        "packages": [{**each, "transport": {"type": "stdio"}} for each in packages]})


def arguments():
    """Returns OPTIONS in the form of server.json."""
    named = []
    for word in OPTIONS:
        if word.startswith("--"):
            named.append({"type": "named", "name": word})
        else:
            named[-1]["value"] = word
    return named
