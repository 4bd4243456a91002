#!/usr/bin/env python3
"""Measures an author's changes to the server: new descriptions of a tool and of a field, and a new tool from the command
to its first answer. It works in a clone of the last commit, whose first build is not measured.

author.py --compiler "ccache g++"
"""
import argparse
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tables import amount, table

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT / "tests/tools"))
import calls  # noqa: E402

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
        """Inserts `said` before the first description after the text `behind`."""
        before, found, after = self.schema.read_text().partition(behind)
        # The time makes the text unique, so no compiler cache contains it.
        after = re.sub(r'"description":\s*"', lambda key: f"{key[0]}{said} ({time.time_ns()}). ", after, count=1)
        self.schema.write_text(before + found + after)
        self.make()

    def new_tool(self):
        run(self.build / "snapgen", "new", "tool", "snapshot.author", cwd=self.folder)
        run("meson", "setup", "--reconfigure", self.build, self.folder)
        self.make()
        server = calls.Server([self.build / "snapgen-server", "--stdio"], cwd=self.folder)
        answer = server.ask("tools/call", {"name": "snapshot_author", "arguments": {"text": "hello"}})
        assert answer["result"]["structuredContent"] == {"text": "hello"}, answer
        server.close()


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
