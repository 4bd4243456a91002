#!/usr/bin/env python3
"""Selects the tests that depend on some files, for `./dev test PATH…` and `./dev test --quick`.

affected.py BUILD [--seconds=N] [PATH...]
affected.py BUILD --programs-in NAME...     selects the programs in tests/NAME

Prints for each selected test one or more lines `program<tab>NAME<tab>TARGET` or `client<tab>FILE<tab>TARGET`. TARGET is
what ninja builds for it, and may be empty. Says on stderr how many tests depend on the files and which are
left out. A PATH is a file or a folder. Without a PATH, the files that differ from the last commit are used, or those of
the last commit if there are none.

A program depends on a file if ninja would build the program again, or if the file is in the folder of the program's
tests. A client test depends on its own file, on the modules that it imports, and on the programs that it may start.

--seconds=N: selects the tests whose folder has the name of a file's folder, the client test that calls every tool, and
as many others as can be built and run in N seconds, by the times of the latest builds and runs.
"""
import collections
import json
import os
import re
import subprocess
import sys

from results import read_times

EVERY_TOOL = "tests/clients/examples.test.mjs"
# What client tests use without naming it as a path below the build folder.
PRODUCTS = ("snapgen-server", "snap", "snapback", "snapgen", "schemas/typescript.list", "schemas/pages.list")
# Folders whose tests are in a folder of another name.
TESTED_IN = {"runtime/cli": "tests/pages", "runtime/uv": "tests/async", "tools/engine/read": "tests/engine/operations",
             "tools/engine/workspace": "tests/engine/operations"}
UNKNOWN_SECONDS = 10.0  # The time that a test is assumed to take which has not run yet.


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def unescape(word):
    return re.sub(r"\$(.)", r"\1", word)


class Graph:
    """The files that ninja builds, from build.ninja and from the headers that compilers reported."""

    def __init__(self, build):
        self.build = build
        self.inputs = collections.defaultdict(set)  # By output.
        self.outputs = collections.defaultdict(set)  # By input.
        self.read_manifest()
        self.read_headers()
        self.seconds = self.read_times()

    def add(self, output, source):
        self.inputs[output].add(source)
        self.outputs[source].add(output)

    def name(self, path):
        """The name of a file relative to the build folder, as ninja knows it."""
        return os.path.relpath(path, self.build) if os.path.isabs(path) else os.path.normpath(path)

    def read_manifest(self):
        with open(os.path.join(self.build, "build.ninja"), encoding="utf-8") as lines:
            for line in lines:
                if not line.startswith("build "):
                    continue
                words = re.split(r"(?<!\$) ", line[len("build "):].rstrip("\n"))
                colon = next(i for i, word in enumerate(words) if word.endswith(":") and not word.endswith("$:"))
                if words[colon + 1] == "phony":
                    continue
                outputs = [unescape(word).removesuffix(":") for word in words[:colon + 1] if word != "|"]
                sources = words[colon + 2:]
                # Order-only inputs are generated headers; the reported headers say who includes which.
                sources = sources[:sources.index("||")] if "||" in sources else sources
                for output in outputs:
                    for source in sources:
                        if source != "|":
                            self.add(output, self.name(unescape(source)))

    def read_headers(self):
        output = None
        for line in run("ninja", "-C", self.build, "-t", "deps").splitlines():
            if line.startswith("    "):
                if not line.startswith("    /usr/"):
                    self.add(output, self.name(line.strip()))
            elif ": #deps" in line:
                output = line.partition(": #deps")[0]

    def read_times(self):
        seconds = {}
        try:
            with open(os.path.join(self.build, ".ninja_log"), encoding="utf-8") as lines:
                for words in (line.split("\t") for line in lines if line[0] != "#"):
                    seconds[words[3]] = (int(words[1]) - int(words[0])) / 1000
        except OSError:
            pass
        return seconds

    def reached(self, start, edges):
        """`start`, and all that can be reached from it."""
        found, left = set(start), list(start)
        while left:
            for each in edges.get(left.pop(), ()):
                if each not in found:
                    found.add(each)
                    left.append(each)
        return found


def files_of(paths):
    """The files of the project at and below the paths, relative to its root."""
    if not paths:
        changed = run("git", "diff", "--name-only", "-z", "HEAD") + run("git", "ls-files", "-z", "--others", "--exclude-standard")
        files = (changed or run("git", "diff", "--name-only", "-z", "HEAD~1")).split("\0")
        return [file for file in files if file]
    files = []
    for path in paths:
        listed = run("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", path)
        found = [each for each in listed.split("\0") if each]
        if not found:
            sys.exit(f"affected: {path} is no file or folder of this project; pass one, such as tools/engine/write")
        files += found
    return sorted(set(files))


def modules_of(path, found):
    """Adds a JavaScript file and the modules of this project that it imports to `found`."""
    if path in found or not os.path.isfile(path):
        return found
    found.add(path)
    with open(path, encoding="utf-8") as file:
        for module in re.findall(r"""from\s+['"](\.{1,2}/[^'"]+)['"]""", file.read()):
            modules_of(os.path.normpath(os.path.join(os.path.dirname(path), module)), found)
    return found


class Test:
    def __init__(self, kind, name, targets, folder, seconds, modules=frozenset()):
        self.kind, self.name, self.targets, self.folder, self.seconds = kind, name, targets, folder, seconds
        self.modules = modules  # Of a client test: its file, and the files that it imports.

    def lines(self):
        return [f"{self.kind}\t{self.name}\t{target}" for target in self.targets or [""]]


def programs_of(build, times):
    targets = {target["id"]: target for target in json.loads(run("meson", "introspect", "--targets", build))}
    for test in json.loads(run("meson", "introspect", "--tests", build)):
        built = [os.path.relpath(name, build) for target in test["depends"] for name in targets[target]["filename"]]
        words = [os.path.normpath(word) for word in test["cmd"] if "/tests/" in word]
        folder = os.path.dirname("tests/" + words[0].rpartition("/tests/")[2]) if words else ""
        yield Test("program", test["name"], built, folder, times.get(test["name"], UNKNOWN_SECONDS))


def clients_of(graph, times):
    listed = run("git", "ls-files", "--cached", "--others", "--exclude-standard", "tests/clients/*.test.mjs")
    for path in sorted(listed.splitlines()):
        programs, modules = set(PRODUCTS), modules_of(path, set())
        for module in modules:
            with open(module, encoding="utf-8") as file:
                programs |= {name for name in re.findall(r"'(tests/[^'. ]+)'", file.read()) if name in graph.inputs}
        targets = sorted(programs & graph.inputs.keys())
        yield Test("client", path, targets, "tests/clients", times.get(path, UNKNOWN_SECONDS), modules)


def select(build, paths):
    """Returns pairs of a test that depends on the files and its distance, nearest first; all tests; the graph; and what
    ninja would build again."""
    graph = Graph(build)
    files = files_of(paths)
    changed = graph.reached({graph.name(os.path.abspath(file)) for file in files}, graph.outputs)
    times = read_times(build)
    programs = list(programs_of(build, times))
    folders = {os.path.dirname(file) for file in files}
    sources = [file for file in files if file.endswith((".cc", ".h"))]
    clients = list(clients_of(graph, times))

    def is_in(test):
        return test.folder and any(file.startswith(test.folder + os.sep) for file in files)

    def depends(test):
        if test.kind == "client":
            return bool(test.modules & set(files)) or any(target in changed for target in test.targets)
        if test.folder == "tests/tidy":
            return bool(sources) or is_in(test)
        return is_in(test) or any(target in changed for target in test.targets)

    def distance(test):
        """0 if the test's folder has the name of a changed file's folder; else 1, or 2 for client tests."""
        if test.kind == "client":
            return 0 if test.modules & set(files) else 2
        subject = test.folder.removeprefix("tests/")
        names = {subject, os.path.join("tools", subject), os.path.join("runtime", subject)}
        is_near = names & folders or any(TESTED_IN.get(folder) == test.folder for folder in folders)
        return 0 if is_in(test) or is_near else 1

    tests = programs + clients
    found = [(test, distance(test)) for test in tests if depends(test)]
    found.sort(key=lambda entry: (entry[1], entry[0].seconds, entry[0].name))
    return found, tests, graph, changed


def fitting(found, tests, graph, changed, seconds):
    """Returns the nearest tests, the one that calls every tool, and others as long as all take at most `seconds`."""
    jobs = os.cpu_count() or 1
    every_tool = next(test for test in tests if test.name == EVERY_TOOL)
    first = [test for test, distance in found if distance == 0] + [every_tool]
    chosen, to_build, left = [], set(), seconds
    for test in dict.fromkeys(first + [test for test, _ in found]):
        more = (graph.reached(set(test.targets) & changed, graph.inputs) & changed) - to_build
        cost = (sum(graph.seconds.get(output, 0) for output in more) + test.seconds) / jobs
        if cost > left and test not in first:
            continue
        left -= cost
        chosen.append(test)
        to_build |= more
    return chosen


def shown(names, most=12):
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def main(arguments):
    build, seconds, paths = os.path.abspath(arguments[0]), None, []
    if arguments[1] == "--programs-in":
        folders = tuple(f"tests/{name}" for name in arguments[2:])
        for test in programs_of(build, {}):
            if test.folder in folders or test.folder.startswith(tuple(folder + os.sep for folder in folders)):
                print("\n".join(test.lines()))
        return 0
    for argument in arguments[1:]:
        if argument.startswith("--seconds="):
            seconds = float(argument.partition("=")[2])
        else:
            paths.append(argument)
    found, tests, graph, changed = select(build, paths)
    chosen = [test for test, _ in found] if seconds is None else fitting(found, tests, graph, changed, seconds)
    for test in chosen:
        print("\n".join(test.lines()))
    names = [os.path.basename(test.name) for test, _ in found if test not in chosen]
    print(f"{len(found)} of {len(tests)} test programs and client files depend on this"
          + (f"; left out, because they would take too long: {shown(names)}" if names else ""), file=sys.stderr)
    others = [os.path.basename(test.name) for test in tests if test not in dict(found) and test not in chosen]
    if others:
        print(f"left out, because nothing in them depends on it: {shown(others)}", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
