#!/usr/bin/env python3
"""Measures how long the project takes to build and to test without a compiler cache: from clean, after a change of a header
that all operations include, after a change of one handler, and without a change. It works in a clone of the last commit.

build.py [--no-tests]
"""
import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tables import amount, table

ROOT = Path(__file__).parent.parent.parent
HEADER = "tools/engine/workspace/workspace.h"
HANDLER = "tools/substrate/snapshot_info.cc"


class Clone:
    def __init__(self, folder):
        self.folder = folder
        subprocess.run(["git", "clone", "--quiet", ROOT, folder], check=True)
        # Downloads of packages and test material are not measured.
        (folder / "tests/clients/node_modules").symlink_to(ROOT / "tests/clients/node_modules")
        self.environment = {**os.environ, "CCACHE_DISABLE": "1"}
        self.environment.setdefault("SNAPGEN_SHARED", str(ROOT.parent / "shared"))

    def run(self, *command):
        """Returns elapsed seconds and processor time; the output goes to stderr."""
        clock, spent = time.monotonic(), os.times()
        ended = subprocess.run([str(word) for word in command], cwd=self.folder, env=self.environment, stdout=sys.stderr, check=False)
        now = os.times()
        if ended.returncode:
            sys.exit(f"{' '.join(map(str, command))} ended with {ended.returncode}")
        return time.monotonic() - clock, now.children_user + now.children_system - spent.children_user - spent.children_system

    def built_after_change(self, path):
        file = self.folder / path
        file.write_text(f"{file.read_text()}// Changed at {time.time_ns()}.\n")
        return self.run("ninja", "-C", "build", "snapgen-server")


def row(what, takes, target):
    return [what, amount(takes), f"≤ {target}", "yes" if takes <= target else "NO"]


def main():
    parser = argparse.ArgumentParser(prog="./dev bench build", description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--no-tests", action="store_true", help="omit ./dev test, which takes most of the time")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        clone = Clone(Path(folder) / "snapgen")
        clock, spent = clone.run("./dev", "build")
        rows = [row("`./dev build` from nothing", clock, 360), row("processor time of that", spent, 660),
                row(f"the server, after `{HEADER}` was changed", clone.built_after_change(HEADER)[0], 60),
                row("the server, after one handler was changed", clone.built_after_change(HANDLER)[0], 10)]
    if not arguments.no_tests:
        with tempfile.TemporaryDirectory() as folder:
            clone = Clone(Path(folder) / "snapgen")
            rows += [row("`./dev test` from nothing", clone.run("./dev", "test")[0], 1200),
                     row("`./dev test`, nothing changed", clone.run("./dev", "test")[0], 480)]
    print(table(["without a compiler cache, s", "takes", "target", "met"], rows))


if __name__ == "__main__":
    main()
