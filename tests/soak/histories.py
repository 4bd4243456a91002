#!/usr/bin/env python3
"""Random histories of edits, searches, reads and snapshots by two servers, compared with a model of the files.

The model has the content of each file at each time. An answer without a lease must have the current contents. A call under
a lease must fail if a file that an answer under this lease has shown has changed since, and may fail only if something
has changed since the lease was issued. A snapshot must contain every file, and have the id that a new server computes.

    histories.py --server build/snapgen-server [--histories 40] [--seed N] [--shared]

With --shared the second server may watch only two folders, so it uses the watch of the first one. A user namespace sets
this limit. Exits with 77 if the system does not allow user namespaces.
"""
import argparse
import mmap
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from coherence import Server, git

STEPS = 30  # of each history
RESTART_EVERY = 10  # histories
# Longer, because after the other server has ended, a server walks the tree in the first seconds.
RESTART_EVERY_SHARED = 25
SHARED_SECONDS = 60  # The maximum time until a server uses the watch of the other one.
LIMIT = """echo 2 > /proc/sys/user/max_inotify_watches && exec "$@" """
LIMITED = ["unshare", "--user", "--map-root-user", "sh", "-c", LIMIT, "sh"]
SHARED = b"through another process"
SKIPPED = 77
WORDS = ["amber", "birch", "cedar", "dune", "ember", "fjord"]
FOLDERS = ["", "a/", "a/b/", "c/"]


class Wrong(Exception):
    pass


def check(holds, *facts):
    if not holds:
        raise Wrong(" ".join(str(fact) for fact in facts))


class Tree:
    """A work tree that is edited without the servers, and what its files contain."""

    def __init__(self, folder, chance):
        self.folder, self.random = folder, chance
        self.files = {}
        self.version = 0  # Grows with every change of the files or of git's state.
        self.edits = [self.overwrite, self.overwrite, self.append, self.replace, self.map, self.keep_times, self.create,
                      self.delete, self.rename, self.rename_folder, self.commit]
        for number in range(24):
            self.put(f"{FOLDERS[number % len(FOLDERS)]}f{number}.txt", self.text())
        self.commit()

    def at(self, path):
        return os.path.join(self.folder, path)

    def text(self):
        lines = [" ".join(self.random.choices(WORDS, k=3)) + f" {self.random.randrange(10**6):06}"
                 for _ in range(self.random.randint(1, 6))]
        return ("\n".join(lines) + "\n").encode()

    def any(self):
        return self.random.choice(sorted(self.files))

    def put(self, path, content):
        os.makedirs(os.path.dirname(self.at(path)), exist_ok=True)
        with open(self.at(path), "wb") as file:
            file.write(content)
        self.files[path] = content

    def of_equal_size(self, content):
        return bytes(self.random.choice(b"0123456789") if 48 <= byte <= 57 else byte for byte in content)

    def edit(self):
        edit = self.random.choice(self.edits)
        edit()
        self.version += 1
        return edit.__name__

    def overwrite(self):
        self.put(self.any(), self.text())

    def append(self):
        path = self.any()
        self.put(path, self.files[path] + self.text())

    def replace(self):
        path = self.any()
        self.put(".new", self.text())
        os.rename(self.at(".new"), self.at(path))
        self.files[path] = self.files.pop(".new")

    def map(self):
        path = self.any()
        content = self.of_equal_size(self.files[path])
        with open(self.at(path), "r+b") as file, mmap.mmap(file.fileno(), 0) as mapped:
            mapped[:] = content
            mapped.flush()
        self.files[path] = content

    def keep_times(self):
        path = self.any()
        before = os.stat(self.at(path))
        self.put(path, self.of_equal_size(self.files[path]))
        os.utime(self.at(path), ns=(before.st_atime_ns, before.st_mtime_ns))

    def create(self):
        self.put(f"{self.random.choice(FOLDERS)}n{self.random.randrange(1000)}.txt", self.text())

    def delete(self):
        if len(self.files) > 8:
            path = self.any()
            os.remove(self.at(path))
            del self.files[path]

    def rename(self):
        path = self.any()
        to = f"{self.random.choice(FOLDERS)}r{self.random.randrange(1000)}.txt"
        os.makedirs(os.path.dirname(self.at(to)), exist_ok=True)
        os.rename(self.at(path), self.at(to))
        self.files[to] = self.files.pop(path)

    def rename_folder(self):
        if not os.path.isdir(self.at("c")):
            return
        to = f"c{self.random.randrange(10**6)}/"
        os.rename(self.at("c"), self.at(to[:-1]))
        self.files = {to + path[2:] if path.startswith("c/") else path: content for path, content in self.files.items()}

    def commit(self):
        git(self.folder, "add", "-A")
        git(self.folder, "commit", "-q", "--allow-empty", "-m", "x")


class Lease:
    def __init__(self, name, version):
        self.name, self.version, self.shown = name, version, {}


class Client:
    """Calls a server, and checks its answers against the tree."""

    def __init__(self, program, tree, log, counts, prefix=()):
        """`prefix`: the beginning of the command that starts the server."""
        self.program, self.tree, self.log, self.counts, self.prefix = program, tree, log, counts, prefix
        self.random = tree.random
        self.server, self.lease = self.new_server(), None
        self.calls = [self.read, self.read, self.search, self.list, self.write]

    def new_server(self):
        return Server(self.program, self.tree.folder, self.log, self.prefix)

    def restart(self):
        check(self.server.close() == 0, "a server failed")
        self.server = self.new_server()

    def call(self):
        call = self.random.choice(self.calls)
        call()
        return call.__name__

    def ask(self, tool, **arguments):
        """Calls a tool, mostly under the lease. Returns None if the lease is stale."""
        lease = self.lease if self.random.random() < 0.7 else None
        if lease:
            arguments["lease_id"] = lease.name
        answer, code = self.server.call(tool, **arguments)
        self.counts[f"{tool}{' under a lease' if lease else ''}{': ' + code if code else ''}"] += 1
        if code == "STALE_LEASE":
            check(lease.version != self.tree.version, tool, arguments, "is stale although nothing has changed")
            self.lease = None
            return None, code
        if lease:
            changed = [path for path, content in lease.shown.items() if self.tree.files.get(path) != content]
            check(not changed, tool, arguments, "is not stale although these have changed:", changed)
        if answer and "lease_id" in answer:
            if lease:
                check(answer["lease_id"] == lease.name, tool, arguments, "returned another lease")
            else:
                self.lease = Lease(answer["lease_id"], self.tree.version)
        return answer, code

    def read(self):
        path = self.tree.any() if self.random.random() < 0.9 else "a/missing.txt"
        answer, code = self.ask("snapshot_file", path=path)
        if code == "STALE_LEASE":
            return
        content = self.tree.files.get(path)
        if content is None:
            check(code == "NOT_FOUND", path, code)
            return
        check(answer and answer["content"].encode() == content, path, code, "is read as", answer, "and is", content)
        self.lease.shown[path] = content

    def search(self):
        word = self.random.choice(WORDS)
        answer, code = self.ask("snapshot_grep", pattern=word, fixed=True, max_matches=5000)
        if code == "STALE_LEASE":
            return
        found = {(match["path"], match["line"]) for match in answer["matches"]}
        right = {(path, number) for path, content in self.tree.files.items()
                 for number, line in enumerate(content.decode().splitlines(), 1) if word in line}
        check(found == right, word, "differs at", found ^ right)
        for path, _ in found:
            self.lease.shown[path] = self.tree.files[path]

    def list(self):
        answer, code = self.ask("snapshot_list", recursive=True, max_entries=5000)
        if code == "STALE_LEASE":
            return
        found = {entry["path"] for entry in answer["entries"] if entry["type"] == "file"}
        check(found == set(self.tree.files), "the listing differs at", found ^ set(self.tree.files))

    def write(self):
        path, content = self.tree.any(), self.tree.text()
        _, code = self.server.call("workspace_write_file", path=path, content=content.decode())
        check(code is None, "writing", path, code)
        self.counts["workspace_write_file"] += 1
        self.tree.files[path] = content
        self.tree.version += 1

    def capture(self):
        made, code = self.server.call("snapshot_create", paths=["."])
        check(code is None, "a snapshot failed:", code)
        self.counts["snapshot_create"] += 1
        fresh = Server(self.program, self.tree.folder, self.log)
        again, code = fresh.call("snapshot_create", paths=["."])
        fresh.close()
        check(again and again["snapshot_id"] == made["snapshot_id"], "ids differ:", made, again, code)
        name = made["snapshot_id"]
        listed, _ = self.server.call("snapshot_list", snapshot_id=name, recursive=True, max_entries=5000)
        names = {entry["path"] for entry in listed["entries"] if entry["type"] == "file"}
        check(names == set(self.tree.files), "the snapshot differs at", names ^ set(self.tree.files))
        for path, content in self.tree.files.items():
            answer, code = self.server.call("snapshot_file", path=path, snapshot_id=name)
            check(answer and answer["content"].encode() == content, path, "in the snapshot is", answer, "and was", content)


def restart_and_share(clients, log):
    """Restarts the second server, and reads with both servers until it uses the watch of the first one."""
    # A server does not watch while only git can determine the state. A commit ends that.
    clients[1].tree.commit()
    clients[1].tree.version += 1
    clients[1].restart()
    before, until = Path(log.name).stat().st_size, time.monotonic() + SHARED_SECONDS
    while SHARED not in Path(log.name).read_bytes()[before:]:
        check(time.monotonic() < until, "the second server does not use the watch of the first")
        for client in clients:
            client.read()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--server", required=True)
    parser.add_argument("--histories", type=int, default=40)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    parser.add_argument("--shared", action="store_true")
    asked = parser.parse_args()
    if asked.shared and subprocess.run([*LIMITED, "true"], stderr=subprocess.DEVNULL, check=False).returncode != 0:
        print("histories: the system does not allow user namespaces with a limit of watches")
        sys.exit(SKIPPED)
    top = tempfile.mkdtemp(prefix="snapgen-histories-")
    try:
        play(asked, top)
    finally:
        shutil.rmtree(top, ignore_errors=True)


def play(asked, top):
    chance = random.Random(asked.seed)
    folder = os.path.join(top, "tree")
    os.mkdir(folder)
    git(folder, "init", "-q")
    git(folder, "config", "user.name", "t")
    git(folder, "config", "user.email", "t@example.com")
    counts = Counter()
    with open(os.path.join(top, "log"), "wb") as log:
        tree = Tree(folder, chance)
        prefixes = [(), LIMITED if asked.shared else ()]
        clients = [Client(os.path.abspath(asked.server), tree, log, counts, prefix) for prefix in prefixes]
        restart_every = RESTART_EVERY_SHARED if asked.shared else RESTART_EVERY
        for history in range(asked.histories):
            done = []
            try:
                if asked.shared and history % (2 * restart_every) == 0:
                    restart_and_share(clients, log)
                for _ in range(STEPS):
                    if chance.random() < 0.3:
                        done.append(tree.edit())
                    else:
                        done.append(chance.choice(clients).call())
                chance.choice(clients).capture()
            except Wrong as wrong:
                sys.exit(f"histories: seed {asked.seed}, history {history}: {wrong}\nafter {', '.join(done)}")
            if history % restart_every == restart_every - 1:
                (clients[0] if asked.shared else chance.choice(clients)).restart()
        for client in clients:
            client.server.close()
    for what, count in sorted(counts.items()):
        print(f"{count:7} {what}")
    print(f"histories: {asked.histories} histories of {STEPS} steps, seed {asked.seed}: all answers and ids are correct")


if __name__ == "__main__":
    main()
