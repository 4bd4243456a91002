"""Rules for includes: permitted layers, the only folder that may include a library, no cycle between files or folders, and
headers that compile alone."""
import json
import re
import shlex
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from source import CODE, includes

# The longest prefix first. Files in no layer (the servers' main files, tests) may include any layer.
LAYERS = [("runtime/base/", "base"), ("runtime/cli/", "runtime/cli"), ("runtime/json/", "json"), ("runtime/seal/", "seal"), ("runtime/linefmt/", "linefmt"),
          ("runtime/async/", "async"), ("runtime/uv/", "uv"),
          ("runtime/transport/", "transport"), ("runtime/http/", "http"), ("runtime/fetch/", "fetch"), ("runtime/websocket/", "websocket"),
          ("runtime/mcp/", "mcp"), ("runtime/streamable/", "streamable"), ("codegen/", "codegen"),
          ("schemas/", "generated")]

# Layer -> layers and single headers that it may include, besides its own layer.
ARROWS = {
    "base": {},
    "runtime/cli": {"base"},
    "json": {"base"},
    "seal": {"base"},
    "linefmt": {"base", "json"},
    "async": {"base"},
    "uv": {"async", "base"},
    "transport": {"async", "base"},
    "http": {"transport", "async", "base"},
    "fetch": {"base", "json", "async"},
    "websocket": {"base", "json", "async", "transport", "http"},
    "mcp": {"base", "json", "seal", "async", "generated", "runtime/transport/channel.h"},
    "streamable": {"base", "json", "seal", "async", "transport", "http", "mcp"},
    "codegen": {"base", "json", "runtime/cli"},
    "generated": {"base", "json", "linefmt", "runtime/async/task.h", "runtime/mcp/call.h", "runtime/mcp/tool.h",
                  "runtime/mcp/content.h", "runtime/mcp/render.h", "runtime/fetch/route.h"},
}

# The folders of tools/, each with the folders directly below it in the order. A folder may include these, and all
# that they may include. A folder that is not listed has the rank of its parent; a family's folder has the rank of
# `family`.
TOOLS = {
    "engine/base": set(),
    "engine/files": {"engine/base"},
    "engine/git": {"engine/files"},
    "engine/text": {"engine/git"},
    "engine/store": {"engine/text"},
    "engine/watch": {"engine/store"},
    "engine/patch": {"engine/watch"},
    "engine/read": {"engine/patch"},
    "engine/search": {"engine/read"},
    "engine/edit": {"engine/search"},
    "engine/write": {"engine/edit"},
    "engine/workspace": {"engine/write"},
    "engine/operations": {"engine/workspace"},
    "insight": {"engine/operations"},
    "work": {"insight"},
    "app": {"work"},
    "family": {"app"},
    "server/command_tools": set(),
    "hosts": set(),
    "server/answers": {"family", "hosts"},
    "server/trees": {"server/answers", "server/command_tools"},
    "server/guard": {"server/trees"},
    "server/resources": {"server/trees", "family"},
    "server/prompts": {"server/resources"},
    "server/listeners": {"server/resources", "server/guard"},
    "server": {"server/guard", "server/prompts", "server/listeners"},
    "cli/hosts": {"engine/operations", "hosts"},
    "cli": {"app", "cli/hosts"},
}

# Layers and single headers that these folders may also include.
PLAIN = {"base", "json", "seal"}
CALLS = {"base", "json", "async", "mcp", "generated"}
SERVES = CALLS | {"transport", "http", "websocket", "streamable", "uv"}
ELSEWHERE = {
    "engine": PLAIN, "hosts": PLAIN, "insight": PLAIN, "work": PLAIN,
    "app": CALLS | {"fetch", "linefmt"},
    "family": CALLS | {"seal", "linefmt", "fetch", "runtime/transport/channel.h"},
    # Command tools apply the rules of schema files at run time.
    "server/command_tools": {"base", "json", "async", "mcp", "codegen"},
    "server/answers": CALLS, "server/trees": CALLS, "server/guard": CALLS, "server/resources": CALLS, "server/prompts": CALLS,
    "server/listeners": SERVES | {"seal"}, "server": SERVES,
    "cli/hosts": {"base", "json", "generated"},
    # The command line calls tools as a host does, and serves them. tools/server/assembly.h creates what both need.
    "cli": {"base", "json", "generated", "linefmt", "async", "mcp", "uv", "runtime/cli", "runtime/websocket/accept.h", "runtime/websocket/frame.h",
            "tools/server/assembly.h", "tools/server/serve.h", "tools/server/serve_ui.h", "tools/server/listeners/ui_copy.h", "tools/server/trees/find_workspace.h", "server/resources"},
}

# The headers of a library, or one of our own -> the only files that may include them. Tests may also.
OWNERS = [
    (r"uv\.h|uv/.*", r"runtime/uv/"),
    (r"unistr\.h|idn2\.h", r"runtime/json/"),
    (r"re2/.*", r"runtime/json/|tools/engine/search/|tools/insight/check/read/problem_matchers\.cc"),
    (r"boost/.*", r"runtime/http/|tests/bench/peers/"),
    (r"git2\.h|git2/.*", r"tools/engine/git/"),
    (r"(zstd|lz4)\.h", r"tools/engine/store/"),
    (r"sqlite3\.h", r"tools/work/memory/"),
    (r"openssl/.*", r"tools/engine/base/hash\.(?:h|cc)|runtime/websocket/accept\.cc|runtime/uv/process\.cc"),
    (r"toml\+\+/.*", r"tools/engine/base/toml_plus_plus\.h"),
    (r"pugixml\.hpp", r"tools/insight/check/"),
    (r"yaml\.h", r"tools/insight/syntax/"),
    (r"sodium\.h|sodium/.*", r"runtime/seal/"),
    (r"curl/.*", r"runtime/fetch/"),
    # Others include workspace_parts.h, so that a change of the class recompiles little.
    (r"tools/engine/workspace/workspace\.h", r"tools/engine/|tools/app/app\.cc"),
]


def tool_folder(path):
    """Returns the rank of a file in the order of tools/; None for main.cc, and for files of other folders."""
    parts = path.split("/")[:-1]
    if parts[:1] != ["tools"] or len(parts) == 1:
        return None
    for length in range(len(parts), 1, -1):
        name = "/".join(parts[1:length])
        if name in TOOLS:
            return name
    return "engine" if parts[1] == "engine" else "family"


def layer_of(path):
    for prefix, layer in LAYERS:
        if path.startswith(prefix):
            return layer
    return tool_folder(path)


def below(folder):
    """Returns the folder and all folders below it in the order."""
    found, left = set(), [folder]
    while left:
        name = left.pop()
        if name not in found:
            found.add(name)
            left += TOOLS[name]
    return found


def may_include(path, header):
    layer, target = layer_of(path), layer_of(header)
    if layer is None:
        return True
    if layer in ARROWS:
        return target == layer or header in ARROWS[layer] or target in ARROWS[layer]
    if layer not in TOOLS:
        return False
    elsewhere = ELSEWHERE.get(layer) or ELSEWHERE[layer.split("/")[0]]
    if header in elsewhere or target in elsewhere:
        return True
    # Families do not include each other.
    if layer == target == "family":
        return path.split("/")[1] == header.split("/")[1]
    return target in below(layer)


def check_arrows(tree):
    for path, text in tree.files(CODE, build=True):
        layer = layer_of(path)
        if layer == "engine":
            yield f"{path}:1: the engine has no level {path.split('/')[2]}; tests/tidy/include_rules.py lists them"
            continue
        for line, header, quoted in includes(text):
            if not quoted:
                continue
            if not tree.has(header):
                yield f"{path}:{line}: \"{header}\" is not there, written from the root"
            elif not may_include(path, header):
                yield f"{path}:{line}: {layer} may not include {header}"


def check_owners(tree):
    for path, text in tree.files(CODE, build=True):
        if path.startswith("tests/"):
            continue
        for line, header, _ in includes(text):
            for library, owner in OWNERS:
                if re.fullmatch(library, header) and not re.match(owner, path):
                    yield f"{path}:{line}: only {owner} includes {header}"


def cycles(graph):
    """Returns a cycle for each node that leads into one, as a list of names that ends with its first."""
    done = set()

    def visit(name, trail):
        if name in trail:
            yield trail[trail.index(name):] + [name]
        elif name not in done and name in graph:
            done.add(name)
            for other in graph[name]:
                yield from visit(other, trail + [name])

    for name in graph:
        yield from visit(name, [])


def check_cycles(tree):
    # A header and the inline part that it includes at its end count as one file.
    def name(path):
        return path.replace("_inline.h", ".h")

    # Tests are omitted: they share helpers across folders.
    def folder(path):
        return path.rpartition("/")[0]

    files, folders = {}, {}
    for path, text in tree.files(CODE, build=True):
        headers = [name(header) for _, header, quoted in includes(text) if quoted and name(header) != name(path)]
        files.setdefault(name(path), []).extend(headers)
        if path.startswith(("runtime/", "codegen/", "tools/")):
            targets = folders.setdefault(folder(path), {})
            for header in headers:
                if folder(header) != folder(path) and header.startswith(("runtime/", "codegen/", "tools/")):
                    targets.setdefault(folder(header), f"{path} includes {header}")
    for trail in cycles(files):
        yield " -> ".join(trail) + ": a cycle"
    for trail in cycles(folders):
        why = "; ".join(folders[one][other] for one, other in zip(trail, trail[1:]))
        yield " -> ".join(trail) + f": a cycle of folders: {why}"


def check_headers(tree, compiler=("c++",)):
    """Each header compiles alone. `./dev lint` compiles single sources and thereby tests each header that a source file
    includes before all others; the other headers are compiled here."""
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
        # The folder is the same in every run, so that a compiler cache recognizes the files.
        folder = tree.build / "tests/tidy/alone" if tree.build else Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for path, run in pool.map(compiles, rest, [folder] * len(rest)):
            if run.returncode:
                error = next((line for line in run.stderr.split("\n") if "error" in line), run.stderr)
                yield f"{path}: does not compile alone: {error}"


def build_flags(tree):
    """Returns the compiler's arguments for headers: the definitions of the build, and the libraries that the system lacks."""
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
