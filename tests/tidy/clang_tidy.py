#!/usr/bin/env python3
"""Runs clang-tidy on the sources that have changed since their last run without findings.

    clang_tidy.py PROGRAM BUILD_ROOT [--jobs N] [--fix] SOURCE...

For each source without findings, BUILD_ROOT/tidy has a file with the hashes of the source, of every header that it
includes, of the program, of its rules (.clang-tidy) and of the compiler's command. The source is checked again when one
of these hashes changes. As with ccache's direct mode, a new header that hides one of the same name is not detected.
"""
import argparse
import hashlib
import json
import os
import shlex
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

OF_THE_OBJECT = {"-o", "-MQ", "-MF", "-c"}  # Options with their values; the value of -c is the source.


class Lint:
    """Hashes are computed when a file is first read. A file that is edited meanwhile is checked again by the next
    run."""

    def __init__(self, program, build, root=".", fix=False):
        self.program, self.build, self.root, self.fix = program, Path(build), Path(root).resolve(), fix
        self.commands = {}
        for entry in json.loads((self.build / "compile_commands.json").read_text(encoding="utf-8")):
            source = Path(entry["directory"], entry["file"]).resolve()
            self.commands.setdefault(source, (Path(entry["directory"]), shlex.split(entry["command"])))
        version = subprocess.run([program, "--version"], capture_output=True, check=True).stdout
        self.rules = version + (self.root / ".clang-tidy").read_bytes()
        self.hashes = {}
        self.clean = self.build / "tidy"

    def hash_of(self, path):
        """Returns None if the file cannot be read."""
        if path not in self.hashes:
            try:
                self.hashes[path] = hashlib.sha256(Path(path).read_bytes()).hexdigest()
            except OSError:
                self.hashes[path] = None
        return self.hashes[path]

    def included(self, source):
        """Returns absolute paths of the source and all its headers, as the compiler finds them; none if it cannot."""
        folder, command = self.commands[source]
        words = iter(command)
        kept = []
        for word in words:
            if word in OF_THE_OBJECT:
                next(words)
            elif word not in ("-MD", "-MMD"):
                kept.append(word)
        made = subprocess.run([*kept, "-M", source], cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        if made.returncode:
            return []
        _, _, paths = made.stdout.replace("\\\n", " ").partition(": ")
        return sorted({os.path.normpath(folder / path) for path in shlex.split(paths)})

    def check(self, name):
        """Returns the findings for a source; empty if there are none."""
        source = (self.root / name).resolve()
        if source not in self.commands:
            return f"{name}: it is compiled by no target of {self.build}\n"
        known = self.clean / f"{source.relative_to(self.root)}.json"
        rules = hashlib.sha256(self.rules + repr(self.commands[source]).encode()).hexdigest()
        if self.is_known(known, rules):
            return ""
        states = {path: self.hash_of(path) for path in self.included(source)}
        words = [self.program, "-p", self.build, "--quiet", "--warnings-as-errors=*"] + ["--fix"] * self.fix
        run = subprocess.run([*words, source], cwd=self.root, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        if run.returncode:
            return run.stdout or f"{name}: {self.program} ended with {run.returncode}\n"
        if states:
            known.parent.mkdir(parents=True, exist_ok=True)
            made = known.with_suffix(".new")
            made.write_text(json.dumps({"rules": rules, "files": states}), encoding="utf-8")
            made.replace(known)
        return ""

    def is_known(self, known, rules):
        try:
            clean = json.loads(known.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return False
        return clean["rules"] == rules and all(self.hash_of(path) == state for path, state in clean["files"].items())


def main():
    options = argparse.ArgumentParser()
    options.add_argument("program")
    options.add_argument("build")
    options.add_argument("sources", nargs="+")
    options.add_argument("--jobs", type=int, default=os.cpu_count())
    options.add_argument("--fix", action="store_true")
    asked = options.parse_args()
    lint = Lint(asked.program, asked.build, fix=asked.fix)
    found = 0
    with ThreadPoolExecutor(asked.jobs) as workers:
        for said in workers.map(lint.check, asked.sources):
            sys.stdout.write(said)
            found += bool(said)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
