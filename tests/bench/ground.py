"""A generated or real tree, and the servers and peers that a benchmark runs on it."""
import os
import shutil
import subprocess
import time

import trees
from stdio_server import Server


class Ground:
    """One tree, and the programs that run on it. A row restores the files that it changes with `restore`."""

    def __init__(self, tree, build, node, scratch, is_quick=False):
        self.tree, self.build, self.node, self.scratch, self.is_quick = tree, build, node, scratch, is_quick
        self.files = trees.files_of(tree)
        self.patterns = trees.patterns(tree, self.files)
        self.plain = [name for name in self.files if (tree / name).is_file() and not (tree / name).is_symlink()]
        self.open_servers = []
        self.round = 0

    def server(self, *options, env=None):
        """Starts a snapgen-server on the tree, which ends with the row."""
        server = Server([self.build / "snapgen-server", "--stdio", "--workspace", self.tree, *options],
                        env={**os.environ, **env} if env else None)
        self.open_servers.append(server)
        return server

    def logging_server(self, log):
        """Starts a server that writes to the file `log` when it begins to watch."""
        with open(log, "wb") as out:
            server = Server([self.build / "snapgen-server", "--stdio", "--workspace", self.tree, "--log-level", "info"], log=out)
        self.open_servers.append(server)
        return server

    def watched_server(self):
        """Starts a server, and waits until its kernel watch of the tree is active."""
        log = self.scratch / "log"
        server = self.logging_server(log)
        server.call("snapshot_file", path=self.small_file())
        until = time.monotonic() + 60
        while not is_watching(log):
            if time.monotonic() > until:
                raise RuntimeError("the server has not begun to watch after 60 s")
            time.sleep(0.01)
        return server

    def new_server(self):
        """Returns a context manager with a server that has read the tree and does not watch it yet."""
        return Server([self.build / "snapgen-server", "--stdio", "--workspace", self.tree])

    def peer_server(self, *command):
        server = Server(command)
        self.open_servers.append(server)
        return server

    def close_servers(self):
        while self.open_servers:
            self.open_servers.pop().close()

    def preread(self):
        """Reads all files into the page cache."""
        names = "\0".join(self.plain).encode()
        subprocess.run(["xargs", "-0", "-P", "2", "-n", "2000", "cat", "--"], input=names, cwd=self.tree, check=True,
                       stdout=subprocess.DEVNULL)

    def process(self, *command, env=None, input=None, may_fail=()):
        """Returns the seconds of one process, from its start until all of its output was read."""
        environment = {**trees.PLAIN_GIT, **(env or {})}
        words = [str(word) for word in command]
        begin = time.perf_counter()
        done = subprocess.run(words, cwd=self.tree, env=environment, input=input, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        seconds = time.perf_counter() - begin
        if done.returncode != 0 and done.returncode not in may_fail:
            raise RuntimeError(f"{' '.join(words[:8])}: {done.stderr.decode(errors='replace')[:300]}")
        return seconds

    def some(self, count, largest=100_000):
        """Returns files of ordinary size, spread over the tree."""
        fit = [name for name in self.plain if 0 < (self.tree / name).stat().st_size <= largest]
        return fit[:: max(1, len(fit) // count)][:count]

    def edit(self, names):
        """Writes other content to each file as an editor does: in place, with a later time."""
        self.round += 1
        for name in names:
            with open(self.tree / name, "ab") as file:
                file.write(f"/* edit {self.round} */\n".encode())

    def restore(self, names):
        subprocess.run(["git", "-C", self.tree, "checkout", "-q", "--pathspec-from-file=-", "--pathspec-file-nul"],
                       input="\0".join(names).encode(), env=trees.PLAIN_GIT, check=True)

    def small_file(self):
        return min(self.some(200), key=lambda name: ((self.tree / name).stat().st_size, name))

    def forget_store(self):
        shutil.rmtree(self.tree / ".git" / "snapgen", ignore_errors=True)

    def lease_folders(self):
        return (self.tree / ".git" / "snapgen" / "trees").glob("*/leases")

    def forget_leases(self):
        for folder in self.lease_folders():
            shutil.rmtree(folder)

    def lease_bytes(self):
        return sum(bytes_below(folder) for folder in self.lease_folders())


def is_watching(log):
    """Returns whether the server that writes this log watches its tree."""
    lines = log.read_text(errors="replace")
    if "not watched" in lines:
        raise RuntimeError(f"the server does not watch: {lines[-300:]}")
    return "watching " in lines


def bytes_below(folder):
    return sum(path.stat().st_blocks * 512 for path in folder.rglob("*") if path.is_file() and not path.is_symlink())
