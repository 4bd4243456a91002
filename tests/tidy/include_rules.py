"""Who may include whom: the arrows between layers, the one folder that a library belongs to, no cycle, and headers that
stand on their own."""
import json
import re
import shlex
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from source import CODE, includes

FAMILIES = ("wire", "substrate", "facade", "bridge")

# Longest prefix first. Whatever is in no layer (the servers' main files, tests) wires things together, and is free.
LAYERS = [("runtime/base/", "base"), ("runtime/cli/", "pages"), ("runtime/json/", "json"), ("runtime/seal/", "seal"), ("runtime/wire/", "wire line"),
          ("runtime/async/", "async"), ("runtime/uv/", "uv"),
          ("runtime/transport/", "transport"), ("runtime/http/", "http"), ("runtime/fetch/", "fetch"), ("runtime/websocket/", "websocket"),
          ("runtime/mcp/", "mcp"), ("runtime/streamable/", "streamable"), ("codegen/", "codegen"),
          ("schemas/", "generated"), ("tools/core/", "core"), ("tools/cli/", "cli"), ("tools/app.h", "app"), ("tools/programs/", "programs"),
          ("tools/resources/", "resources"), ("tools/prompts/", "prompts")]
LAYERS += [(f"tools/{family}/", "tools") for family in FAMILIES]

# Layer -> layers and single headers that it may include, besides its own.
ARROWS = {
    "base": {},
    "pages": {"base"},
    "json": {"base"},
    "seal": {"base"},
    "wire line": {"base", "json"},
    "async": {"base"},
    "uv": {"async", "base"},
    "transport": {"async", "base"},
    "http": {"transport", "async", "base"},
    "fetch": {"base", "json", "async"},
    "websocket": {"base", "json", "async", "transport", "http"},
    "mcp": {"base", "json", "seal", "async", "generated", "runtime/transport/channel.h"},
    "streamable": {"base", "json", "seal", "async", "transport", "http", "mcp"},
    "codegen": {"base", "json", "pages"},
    "generated": {"base", "json", "wire line", "runtime/async/task.h", "runtime/mcp/call.h", "runtime/mcp/tool.h",
                  "runtime/mcp/content.h", "runtime/mcp/render.h", "runtime/fetch/route.h"},
    "core": {"base", "json", "seal"},
    # Calls tools as a host does, and serves them; what is put together for either stands in tools/assembly.h.
    "cli": {"base", "json", "core", "generated", "wire line", "app", "async", "mcp", "uv", "pages", "resources",
            "runtime/websocket/accept.h", "runtime/websocket/frame.h",
            "tools/api/api.h", "tools/assembly.h", "tools/report_assets.h", "tools/resource_uris.h", "tools/serve.h", "tools/settings.h",
            "tools/workspace.h"},
    "app": {"base", "core"},
    # Tools without C++: the rules of schema files at run time.
    "programs": {"base", "json", "async", "mcp", "codegen"},
    "tools": {"base", "json", "wire line", "core", "generated", "app", "async", "mcp", "fetch", "runtime/transport/channel.h",
              "tools/settings.h", "tools/resource_uris.h", "tools/served_trees.h", "tools/tree_chooser.h"},
    # What hosts attach and begin, of the same core as the tools, with what these make of it.
    "resources": {"base", "json", "core", "generated", "app", "async", "mcp", "tools", "tools/resource_uris.h", "tools/served_trees.h",
                  "tools/tree_chooser.h"},
    "prompts": {"base", "core", "generated", "app", "async", "mcp", "resources", "tools/served_trees.h", "tools/tree_chooser.h"},
}

# A library's headers -> the only place that may include them, besides tests, which may compare with the library.
OWNERS = [
    (r"uv\.h|uv/.*", r"runtime/uv/"),
    (r"simdjson\.h|re2/.*|idn2\.h", r"runtime/json/"),
    (r"boost/.*", r"runtime/http/|tests/bench/peers/"),
    (r"git2\.h|git2/.*", r"tools/core/git/"),
    (r"(zstd|lz4)\.h", r"tools/core/store/"),
    (r"sqlite3\.h", r"tools/core/memory/"),
    (r"openssl/.*", r"tools/core/hash\.(?:h|cc)|runtime/websocket/accept\.cc"),
    (r"toml\+\+/.*", r"tools/core/imports/|tools/cli/hosts/"),
    (r"pugixml\.hpp", r"tools/core/check/"),
    (r"sodium\.h|sodium/.*", r"runtime/seal/"),
    (r"curl/.*", r"runtime/fetch/"),
]


def layer_of(path):
    for prefix, layer in LAYERS:
        if path.startswith(prefix):
            return layer
    if path.startswith("tools/") and path.count("/") == 2:
        return "tools"
    return None


def check_arrows(tree):
    for path, text in tree.files(CODE, build=True):
        layer = layer_of(path)
        for line, header, quoted in includes(text):
            if not quoted:
                continue
            if not tree.has(header):
                yield f"{path}:{line}: \"{header}\" is not there, written from the root"
                continue
            target = layer_of(header)
            if layer is None or target == layer:
                continue
            if header not in ARROWS[layer] and target not in ARROWS[layer]:
                yield f"{path}:{line}: {layer} may not include {header}"


def check_owners(tree):
    for path, text in tree.files(CODE, build=True):
        if path.startswith("tests/"):
            continue
        for line, header, _ in includes(text):
            for library, owner in OWNERS:
                if re.fullmatch(library, header) and not re.match(owner, path):
                    yield f"{path}:{line}: only {owner} includes {header}"


def check_cycles(tree):
    # A header and the inline part that it includes at its end are one, in two files.
    def name(path):
        return path.replace("_inline.h", ".h")

    graph = {}
    for path, text in tree.files(CODE, build=True):
        ways = graph.setdefault(name(path), [])
        ways += [name(header) for _, header, quoted in includes(text) if quoted and name(header) != name(path)]
    done = set()

    def visit(path, trail):
        if path in trail:
            yield " -> ".join(trail[trail.index(path):] + [path]) + ": a cycle"
        elif path not in done and path in graph:
            done.add(path)
            for header in graph[path]:
                yield from visit(header, trail + [path])

    for path in graph:
        yield from visit(path, [])


def check_headers(tree, compiler=("c++",)):
    """Each header compiles alone. One that some source file includes before all others shows that in `./dev lint`,
    which compiles single sources; the rest is compiled here."""
    files = tree.files(CODE)
    headers = {path: text for path, text in files if path.endswith(".h")}
    for path, text in headers.items():
        lines = text.split("\n")
        if lines[0] != "#pragma once":
            yield f"{path}:1: #pragma once comes first"
        if len(lines) < 2 or not lines[1].startswith("// "):
            yield f"{path}:2: say what this header is for"
    shown = set()
    for path, text in files:
        first = next(includes(text), None)
        if path.endswith(".cc") and first and first[2]:
            shown.add(first[1])
    rest = sorted(set(headers) - shown)
    folders = [f"-I{tree.root}"] + ([f"-I{tree.build}"] if tree.build else [])
    flags = build_flags(tree)

    def compiles(path, folder):
        source = folder / (path.replace("/", "_") + ".cc")
        source.write_text(f'#include "{path}"\n')
        command = [*compiler, "-std=c++20", "-O0", *folders, *flags, "-c", str(source), "-o",
                   str(source.with_suffix(".o"))]
        return path, subprocess.run(command, capture_output=True, text=True, check=False)

    with tempfile.TemporaryDirectory() as temporary, ThreadPoolExecutor(2) as pool:
        # In one place from run to run, so that a compiler cache knows them.
        folder = tree.build / "tests/tidy/alone" if tree.build else Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for path, run in pool.map(compiles, rest, [folder] * len(rest)):
            if run.returncode:
                error = next((line for line in run.stderr.split("\n") if "error" in line), run.stderr)
                yield f"{path}: does not compile alone: {error}"


def build_flags(tree):
    """What headers may count on: the definitions of the build, and the libraries that the system does not have."""
    commands = tree.build / "compile_commands.json" if tree.build else None
    if not commands or not commands.is_file():
        return []
    flags = set()
    for entry in json.loads(commands.read_text(encoding="utf-8")):
        for flag in shlex.split(entry["command"]):
            if flag.startswith("-DSNAPGEN_"):
                flags.add(flag)
            match = re.fullmatch(r"-(?:I|isystem)(.*subprojects/.*)", flag)
            if match:
                flags.add(f"-isystem{(tree.build / match[1]).resolve()}")
    return sorted(flags)
