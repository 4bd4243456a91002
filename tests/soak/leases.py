#!/usr/bin/env python3
"""Thousands of searches without a lease: the disk and memory that they use, and whether leases become stale when a file that
they cover changes.

A server searches a generated tree repeatedly. Most leases are never used again. Some are used immediately, later, after
the server was restarted, or after it was killed. Sometimes a file is edited.

    leases.py --server build/snapgen-server [--files 10000] [--searches 20000] [--seconds 300] [--quota BYTES] [--seed N]

Expected: all files of the leases together remain below the quota, whatever the number of searches; a search writes
little; a lease that was never used is known after an orderly restart; after a kill it is unknown or correct; and a lease
is stale as soon as a file that was read under it has another content.
"""
import argparse
import collections
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from coherence import Server, git

WRITTEN_PER_FILE = 4  # Bytes for each file in a search and its answer.
LEASE_PER_FILE = 120  # Bytes for each file in a lease, which is written when it is first given back.
MEMORY_GROWTH_KIB = 64 << 10


class Soak:
    def __init__(self, asked, top):
        self.asked, self.top = asked, pathlib.Path(top)
        self.root = self.top / "repository"
        self.random = random.Random(asked.seed)
        self.log = open(self.top / "server.log", "wb")
        self.server = None
        self.faults, self.counts = [], collections.Counter()
        self.issued = collections.deque(maxlen=5000)  # (lease, the number of edits before it was issued)
        self.was_killed = False  # Since the last lease was issued, which may then be unknown.
        self.edits = []  # Paths, in the order in which they were edited.
        self.most_bytes = 0

    def fault(self, text):
        self.faults.append(text)
        print("FAULT", text, flush=True)

    def prepare(self):
        for number in range(self.asked.files):
            path = self.root / self.path(number)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"line of {number}\n")
        (self.root / ".snapback").mkdir()
        (self.root / ".snapback/.gitignore").write_text("*\n")
        (self.root / ".snapback/config.json").write_text(json.dumps({"store": {"lease_quota_bytes": self.asked.quota}}))
        git(self.root, "init", "-q")
        git(self.root, "add", "-A")
        git(self.root, "-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-qm", "first")

    @staticmethod
    def path(number):
        return f"folder{number // 400}/sub{number // 20 % 20}/file{number}.txt"

    def start(self):
        self.server = Server(self.asked.server, self.root, self.log)

    def process_file(self, name):
        return pathlib.Path(f"/proc/{self.server.process.pid}/{name}").read_text()

    def resident_kib(self):
        return next(int(line.split()[1]) for line in self.process_file("status").splitlines() if line.startswith("RssAnon:"))

    def lease_files(self):
        return [path for path in (self.root / ".git/snapgen").glob("trees/*/leases/*") if path.is_file()]

    def look_at_disk(self):
        taken = sum(path.stat().st_blocks * 512 for path in self.lease_files())
        self.most_bytes = max(self.most_bytes, taken)
        if taken > self.asked.quota:
            self.fault(f"leases take {taken} bytes after {self.counts['searches']} searches")

    def search(self, lease=None):
        return self.server.call("snapshot_grep", pattern="no line has this", fixed=True, **({"lease_id": lease} if lease else {}))

    def edit(self):
        path = self.path(self.random.randrange(self.asked.files))
        (self.root / path).write_text(f"edit {len(self.edits)}\n")
        self.edits.append(path)
        self.counts["edits"] += 1

    def give_back(self, known):
        """Uses a random earlier lease, under which every file was read. `known`: the lease must not be unknown."""
        if not self.issued:
            return
        lease, edits = self.issued[-1] if known else self.random.choice(self.issued)
        answer, code = self.server.call("snapshot_file", path=self.path(0), lease_id=lease)
        changed = self.path(0) in self.edits[edits:] or len(self.edits) > edits
        if code == "STALE_LEASE":
            self.counts["stale"] += 1
            if not changed:
                self.fault(f"{lease} is stale, and nothing was edited")
        elif code:
            self.fault(f"{lease}: {code}")
        elif answer["lease_id"] != lease:
            self.counts["unknown"] += 1
            if known:
                self.fault(f"{lease} is not known any more")
        else:
            self.counts["valid"] += 1
            if changed:
                self.fault(f"{lease} is valid, and {self.edits[edits:]} were edited since")

    def restart(self):
        if self.random.random() < 0.5:
            if self.server.close() != 0:
                self.fault("the server did not end as it should")
            self.counts["restarts"] += 1
            self.start()
            self.give_back(known=not self.was_killed)
        else:
            self.server.process.send_signal(signal.SIGKILL)
            self.server.process.wait()
            self.counts["kills"] += 1
            self.was_killed = True
            self.start()
            self.give_back(known=False)

    def step(self):
        answer, code = self.search()
        if code:
            return self.fault(f"a search failed: {code}")
        self.counts["searches"] += 1
        self.issued.append((answer["lease_id"], len(self.edits)))
        self.was_killed = False
        choice = self.random.random()
        if choice < 0.02:
            self.edit()
        elif choice < 0.04:
            self.give_back(known=True)
        elif choice < 0.06:
            self.give_back(known=False)
        if self.counts["searches"] % 200 == 0:
            self.look_at_disk()

    def written(self):
        return next(int(line.split()[1]) for line in self.process_file("io").splitlines() if line.startswith("wchar:"))

    def run(self):
        self.prepare()
        self.start()
        for _ in range(20):
            self.step()
        before_kib, before_bytes, searches = self.resident_kib(), self.written(), self.counts["searches"]
        given_back = self.counts["valid"] + self.counts["stale"]
        ends = time.monotonic() + self.asked.seconds
        while self.counts["searches"] < self.asked.searches * 3 // 4 and time.monotonic() < ends:
            self.step()
        grown = self.resident_kib() - before_kib
        leases = self.counts["valid"] + self.counts["stale"] - given_back
        written = self.written() - before_bytes - leases * LEASE_PER_FILE * self.asked.files
        per_search = max(0, written) / max(1, self.counts["searches"] - searches)
        if grown > MEMORY_GROWTH_KIB:
            self.fault(f"memory grew by {grown} KiB in {self.counts['searches']} searches")
        if per_search > WRITTEN_PER_FILE * self.asked.files:
            self.fault(f"{per_search:.0f} bytes were written for each search")
        while self.counts["searches"] < self.asked.searches and time.monotonic() < ends + self.asked.seconds / 3:
            self.step()
            if self.random.random() < 0.005:
                self.restart()
        self.restart()
        if self.server.close() != 0:
            self.fault("the server did not end as it should")
        self.look_at_disk()
        files = len(self.lease_files())
        print(f"{dict(self.counts)}; leases used {self.most_bytes / 1e6:.1f} MB at most, in {files} files at the end; "
              f"{per_search:.0f} bytes written for each search; memory grew by {grown} KiB")
        if not (self.counts["valid"] and self.counts["stale"] and self.counts["restarts"] + self.counts["kills"]):
            self.fault("nothing was tried: too slow a machine")
        return 1 if self.faults else 0


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--server", required=True)
    options.add_argument("--files", type=int, default=10_000)
    options.add_argument("--searches", type=int, default=20_000)
    options.add_argument("--seconds", type=float, default=300)
    options.add_argument("--quota", type=int, default=64 << 20)
    options.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    asked = options.parse_args()
    os.environ.update(GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_NOSYSTEM="1", LC_ALL="C")
    print(f"seed {asked.seed}", flush=True)
    top = tempfile.mkdtemp(prefix="snapgen-soak-")
    try:
        return Soak(asked, top).run()
    finally:
        shutil.rmtree(top, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
