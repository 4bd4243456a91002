#!/usr/bin/env python3
"""Two servers and a shell on one repository: no torn read is ever returned under a valid lease.

The shell maintains a generation number in two files and in every commit, and edits, commits, checks out, stashes, rebases
and moves folders as fast as it can. Each server reads both files under one lease. The test checks three properties:
a valid lease returns the same contents again; if the fingerprint says that the tree is clean, both files are those of
that commit; and no read returns a pair of contents that never existed at the same time.

    coherence.py --server build/snapgen-server [--seconds 12] [--seed N]
"""
import argparse
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent / "tools"))
import calls  # noqa: E402

NOTHING = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"  # SHA-256 of a clean status

# The script never fails: a step that is impossible in one state works in a later one. $1: a seed, $2: the file that
# ends the loop.
SHELL = r"""
n=0; x=$1
git config user.name t; git config user.email t@example.com; git config gc.auto 0
while [ ! -e "$2" ]; do
  n=$((n + 1)); x=$(((x * 1103515245 + 12345) % 2147483648))
  case $((x / 65536 % 10)) in
    0 | 1 | 2) echo $n > one; echo $n > folder/two; git commit -qam "$n" ;;
    3) echo $n > .new; mv .new one; echo $n > .new; mv .new folder/two; git commit -qam "$n" ;;
    4) echo $n > one; echo $n > folder/two; git add -u; git commit -qm "$n" ;;
    5) git checkout -q HEAD~2; git checkout -q - ;;
    6) echo $n > one; echo $n > folder/two; git stash -q; git stash pop -q; git commit -qam "$n" ;;
    7) cp -r folder other; echo $n > other/two; echo $n > one; mv folder old; mv other folder; rm -r old
       git commit -qam "$n" ;;
    8) echo $n > left; git status > left 2>&1; rm left; git pack-refs --all ;;
    9) echo $n > one; echo $n > folder/two; git commit -qam "$n"; git reset -q --hard HEAD~1 ;;
  esac
done >> ../shell.log 2>&1
"""


class Server(calls.Server):
    def __init__(self, program, folder, log, prefix=()):
        super().__init__([*prefix, program, "--stdio", "--workspace", folder, "--log-level", "info"], stderr=log)

    def call(self, tool, **arguments):
        """Returns the structured answer, or the code of the error."""
        result = self.ask("tools/call", {"name": tool, "arguments": arguments})["result"]
        if not result.get("isError"):
            return result["structuredContent"], None
        return None, json.loads(result["content"][0]["text"])["error"]["code"]


class Reader:
    def __init__(self, server, seed, ends):
        self.server, self.random, self.ends = server, random.Random(seed), ends
        self.leases = self.stale = self.pairs = 0
        self.committed = []  # (head, content of `one`, content of folder/two)
        self.faults = []

    def run(self):
        try:
            while not self.ends.is_set():
                self.one_lease()
        except Exception as error:  # an exception in a thread would only be printed
            self.faults.append(f"{type(error).__name__}: {error}")

    def take(self, answer, code, lease, shown):
        """Reads both files under the lease. Returns False when the lease has ended. `shown`: the contents seen so
        far."""
        if code in ("STALE_LEASE", "REPO_CHANGED", "NOT_FOUND", "UNAVAILABLE"):
            self.stale += code == "STALE_LEASE"
            return False
        if code:
            raise RuntimeError(f"unexpected error {code}")
        if answer["lease_id"] != lease["lease_id"] or answer["fingerprint"] != lease["fingerprint"]:
            self.faults.append(f"a lease moved by itself: {lease} became {answer}")
            return False
        found = {answer["path"]: answer["content"]} if "content" in answer else \
            {match["path"]: match["text"] + "\n" for match in answer["matches"]}
        for path, content in found.items():
            if shown.setdefault(path, content) != content:
                self.faults.append(f"{path} was {shown[path]!r} and is {content!r} under one lease {lease}")
        return True

    def one_lease(self):
        paths = ["one", "folder/two"]
        self.random.shuffle(paths)
        lease, code = self.server.call("snapshot_file", path=paths[0])
        if code:
            return
        self.leases += 1
        lease_id, shown = lease["lease_id"], {paths[0]: lease["content"]}
        for _ in range(self.random.randint(2, 6)):
            if self.random.random() < 0.2:
                step = self.server.call("snapshot_grep", pattern="^[0-9]+$", paths=paths, lease_id=lease_id)
            else:
                step = self.server.call("snapshot_file", path=self.random.choice(paths), lease_id=lease_id)
            if not self.take(*step, lease, shown):
                break
        if len(shown) < 2:
            return
        self.pairs += 1
        one, two = shown["one"], shown["folder/two"]
        if lease["fingerprint"]["status_hash"] == NOTHING:
            self.committed.append((lease["fingerprint"]["head_oid"], one, two))


def git(folder, *words):
    return subprocess.run(["git", "-C", folder, *words], check=True, capture_output=True).stdout


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--server", required=True)
    options.add_argument("--seconds", type=float, default=12)
    options.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    asked = options.parse_args()
    os.environ.update(GIT_CONFIG_GLOBAL="/dev/null", GIT_CONFIG_NOSYSTEM="1", LC_ALL="C")
    top = tempfile.mkdtemp(prefix="snapgen-soak-")
    try:
        return soak(asked, top)
    finally:
        shutil.rmtree(top, ignore_errors=True)


def soak(asked, top):
    print(f"seed {asked.seed}", flush=True)
    folder, end = top + "/repo", top + "/end"
    os.makedirs(folder + "/folder")
    for name in ["one", "folder/two", *(f"folder/other{i}" for i in range(20))]:
        with open(f"{folder}/{name}", "w", encoding="utf-8") as file:
            file.write("0\n")
    git(folder, "init", "-q")
    git(folder, "add", "-A")
    for i in range(3):
        git(folder, "-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-qm", str(i), "--allow-empty")
    log = open(top + "/servers.log", "wb")
    servers = [Server(asked.server, folder, log) for _ in range(2)]
    ends = threading.Event()
    readers = [Reader(server, asked.seed + i, ends) for i, server in enumerate(servers)]
    threads = [threading.Thread(target=reader.run) for reader in readers]
    shell = subprocess.Popen(["sh", "-c", SHELL, "shell", str(asked.seed), end], cwd=folder)
    for thread in threads:
        thread.start()
    ends.wait(asked.seconds)
    ends.set()
    open(end, "wb").close()
    shell.wait(60)
    for thread in threads:
        thread.join()
    faults = [fault for reader in readers for fault in reader.faults]
    # The last states no longer change: under a valid lease both servers must read them as git does.
    for reader in readers:
        lease, code = reader.server.call("snapshot_file", path="one")
        status = git(folder, "--no-optional-locks", "status", "--porcelain=v1", "-z")
        if code or (lease["fingerprint"]["status_hash"] == NOTHING) != (status == b""):
            faults.append(f"at rest git says {status!r} and the server {lease or code}")
    faults += [f"a server ended with {code}" for code in (server.close() for server in servers) if code != 0]
    contents = {}
    for reader in readers:
        for head, one, two in reader.committed:
            if head not in contents:
                contents[head] = tuple(git(folder, "show", f"{head}:{path}").decode() for path in ("one", "folder/two"))
            if (one, two) != contents[head]:
                faults.append(f"clean at {head}, which holds {contents[head]}, but shown was {(one, two)}")
    log.close()
    with open(top + "/servers.log", encoding="utf-8") as file:
        watched = file.read().count("watching ")
    count = lambda name: sum(getattr(reader, name) for reader in readers)
    print(f"{count('leases')} leases, {count('pairs')} saw both files, "
          f"{sum(len(reader.committed) for reader in readers)} of them as committed, {count('stale')} became stale, "
          f"{len(contents)} commits, watching began {watched} times")
    if not (count("pairs") and contents and count("stale") and watched):
        faults.append("nothing was tried: too slow a machine, or no watch")
    for fault in faults[:20]:
        print("FAULT", fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
