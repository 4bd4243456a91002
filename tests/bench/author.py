#!/usr/bin/env python3
"""An author's day in the server itself: another description, of a tool and of a field, and a new tool from the command to
its first answer. It happens in a clone of the last commit, whose first build is not measured.

author.py --compiler "ccache g++"
"""
import argparse
import json
import os
import re
import subprocess
import tempfile
import time
from pathlib import Path

from tables import amount, table

ROOT = Path(__file__).parent.parent.parent
TARGETS = ("snapgen-server", "snapgen")


def run(*command, **options):
    return subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, text=True, check=True, **options).stdout


class Clone:
    def __init__(self, folder, compiler):
        self.folder, self.build = folder, folder / "build"
        self.schema = folder / "schemas/substrate/snapshot_create.json"
        run("git", "clone", "--quiet", ROOT, folder)
        run("meson", "setup", self.build, folder, env={**os.environ, "CXX": compiler})
        self.make()

    def make(self):
        run("ninja", "-C", self.build, *TARGETS)

    def describe(self, behind, said):
        """Puts `said` before the first description after the text `behind`."""
        before, found, after = self.schema.read_text().partition(behind)
        # No cache has seen this text.
        after = re.sub(r'"description":\s*"', lambda key: f"{key[0]}{said} ({time.time_ns()}). ", after, count=1)
        self.schema.write_text(before + found + after)
        self.make()

    def new_tool(self):
        run(self.build / "snapgen", "new", "tool", "snapshot.author", cwd=self.folder)
        run("meson", "setup", "--reconfigure", self.build, self.folder)
        self.make()
        hello = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "author", "version": "1"}}
        lines = [{"id": 0, "method": "initialize", "params": hello}, {"method": "notifications/initialized"},
                 {"id": 1, "method": "tools/call", "params": {"name": "snapshot_author", "arguments": {"text": "hello"}}}]
        said = run(self.build / "snapgen-server", "--stdio", cwd=self.folder,
                   input="".join(json.dumps({"jsonrpc": "2.0", **line}) + "\n" for line in lines))
        answer = next(line for line in map(json.loads, said.splitlines()) if line.get("id") == 1)
        assert answer["result"]["structuredContent"] == {"text": "hello"}, answer


def timed(does, *arguments):
    """Returns elapsed seconds and processor time."""
    clock, spent = time.monotonic(), os.times()
    does(*arguments)
    now = os.times()
    return (time.monotonic() - clock,
            now.children_user + now.children_system - spent.children_user - spent.children_system)


def main():
    parser = argparse.ArgumentParser(prog="./dev bench author", description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--compiler", required=True, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    longer = "It says a good deal more than it did, so much that nobody would put all of it into one line of a header"
    with tempfile.TemporaryDirectory() as folder:
        clone = Clone(Path(folder) / "snapgen", arguments.compiler)
        rows = [("another description of a tool", *timed(clone.describe, "{", "Changed"), 5),
                ("a longer description of a field", *timed(clone.describe, '"properties"', longer), 5),
                ("a new tool, from the command to its first answer", *timed(clone.new_tool), 60)]
    print(table(["in the server, s", "takes", "CPU", "target", "met"],
                [[what, amount(clock), amount(cpu), f"≤ {target}", "yes" if clock <= target else "NO"] for what, clock, cpu, target in rows]))


if __name__ == "__main__":
    main()
