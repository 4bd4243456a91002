#!/usr/bin/env python3
"""A mixed load: two hosts on standard input, fifty clients over HTTP, fifty peers at the bridge's port, a shell that
edits and commits, restores, garbage collection, and servers that are killed at any moment and started again.

    mixed.py --server build/snapgen-server [--seconds 20] [--seed N] [--http 50] [--peers 50]

A model has the expected state. The tree has every acknowledged write, or a later one of the same file. A write without an
answer, because the server was killed, was done entirely or not at all. Each of the latest snapshots can be read byte for
byte, after any number of kills and collections. From 15 minutes on it also fails if memory or descriptors of a server grew
after the first five minutes, or if the 99th percentile of the last five minutes is more than 1.5 times that of the first.
"""
import argparse
import asyncio
import collections
import json
import os
import pathlib
import random
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time

from peers import Browser, Gone, Http, Stdio, WebSocketMcp

BROWSERS_MAX = 16  # The limit of the bridge; its other peers speak MCP.
KEPT_SNAPSHOTS = 400  # keep_count of the settings. The model requires the latest quarter.
WINDOW_S = 300
MEASURED_FROM_S = 900

SHELL = r"""
n=0
git config user.name t; git config user.email t@example.com; git config gc.auto 0
while [ ! -e "$1" ]; do
  n=$((n + 1))
  case $((n % 7)) in
    0) mkdir -p sh/new; echo $n > sh/new/$n ;;
    1) rm -rf sh/new ;;
    2) mv sh/one sh/.x 2>/dev/null; mv sh/.x sh/one ;;
    3) git stash -q; git stash pop -q ;;
    *) echo $n > sh/one; echo $n > sh/two; git commit -qam "$n" ;;
  esac
  sleep 0.05
done > "$1.log" 2>&1
"""


class Model:
    """The expected contents of the work tree and the store."""

    def __init__(self):
        self.files = collections.defaultdict(lambda: {None})  # path -> contents that are possible; None: no file
        self.snapshots = collections.OrderedDict()  # id -> {path: content}, the latest last
        self.faults = []
        self.counts = collections.Counter()

    def fault(self, text):
        self.faults.append(text)
        print("FAULT", text, flush=True)

    def took_snapshot(self, snapshot, files):
        self.snapshots[snapshot] = files
        self.snapshots.move_to_end(snapshot)
        while len(self.snapshots) > KEPT_SNAPSHOTS // 4:
            self.snapshots.popitem(last=False)


class Client:
    """Owns a folder of the work tree; no other thread writes there."""

    def __init__(self, name, peer, model, latencies, seed, pause_s):
        self.name, self.peer, self.model, self.latencies = name, peer, model, latencies
        self.random = random.Random(seed)
        self.pause_s = pause_s
        self.folder = f"w/{name}"
        self.number = 0

    def path(self):
        return f"{self.folder}/{self.random.randrange(4)}"

    def paths(self):
        return [f"{self.folder}/{i}" for i in range(4)]

    async def call(self, tool, **arguments):
        """Returns the result; None if the call was rejected. Raises Gone."""
        begin = time.monotonic()
        answer = await asyncio.wait_for(self.peer.call(tool, arguments), 120)
        self.latencies.append((begin, tool, time.monotonic() - begin))
        self.model.counts["calls"] += 1
        if "error" in answer:
            self.model.fault(f"{self.name}: {tool} {arguments}: {answer}")
            return None
        result = answer["result"]
        if result.get("isError"):
            text = result["content"][0]["text"]
            code = re.search(r'"code":"(\w+)"', text)
            self.model.counts[f"refused {code[1] if code else text[:60]}"] += 1
            if code and code[1] == "INTERNAL":
                self.model.fault(f"{self.name}: {tool} {arguments}: {text}")
            return None
        return result.get("structuredContent", result)

    async def change(self, contents, tool, **arguments):
        """Makes a call that either writes these contents to the files or changes nothing."""
        for path, content in contents.items():
            self.model.files[path].add(content)
        done = await self.call(tool, **arguments)  # If this raises Gone, both states are possible.
        if done is None or done.get("applied") is False:
            return False  # Both states remain possible: some errors occur after the change.
        for path, content in contents.items():
            self.model.files[path] = {content}
        self.model.counts["changes"] += 1
        return True

    async def read(self, path):
        """Returns the file's content as the tool reads it. The content must be a possible one; from then on it is the only
        possible one. None: no file."""
        answer = await asyncio.wait_for(self.peer.call("snapshot_file", {"path": path}), 120)
        result = answer["result"]
        if result.get("isError"):
            if "NOT_FOUND" not in result["content"][0]["text"]:
                return
            content = None
        else:
            content = result["structuredContent"]["content"]
        possible = self.model.files[path]
        if content not in possible:
            self.model.fault(f"{path} is {content!r:.80}, and may be {sorted(map(str, possible))!r:.400}")
        self.model.files[path] = {content}
        self.model.counts["reads"] += 1

    async def step(self):
        self.number += 1
        choice = self.random.random()
        path = self.path()
        if choice < 0.25:
            content = f"{self.name} {self.number} " + "x" * self.random.choice((0, 10, 3000)) + "\n"
            await self.change({path: content}, "workspace_write_file", path=path, content=content)
        elif choice < 0.30:
            await self.change({path: None}, "workspace_delete", path=path)
        elif choice < 0.35:
            await self.patch(path)
        elif choice < 0.60:
            await self.read(path)
        elif choice < 0.68:
            await self.call("snapshot_grep", pattern=f"{self.name} [0-9]", paths=["w"], max_matches=20)
        elif choice < 0.74:
            await self.call("snapshot_list", path="w", recursive=True)
        elif choice < 0.82:
            await self.snapshot()
        elif choice < 0.92:
            await self.check_snapshot()
        elif choice < 0.96:
            await self.restore()
        else:
            tool, arguments = self.random.choice((("snapback_meta", {}), ("snapshot_diff", {"paths": [self.folder]}), ("snap", {"mode": "context"}),
                                                  ("snapshot_export", {"paths": ["sh"]}), ("check", {"mode": "quick"})))
            await self.call(tool, **arguments)

    async def patch(self, path):
        possible = self.model.files[path]
        if len(possible) != 1 or None in possible:
            return
        (before,) = possible
        after = f"{self.name} {self.number} patched\n"
        text = f"--- a/{path}\n+++ b/{path}\n@@ -1 +1 @@\n-{before}+{after}"
        await self.change({path: after}, "workspace_apply_patch", patch=text, mode="worktree")

    async def snapshot(self):
        for path in self.paths():
            await self.read(path)
        there = {path: next(iter(self.model.files[path])) for path in self.paths() if self.model.files[path] != {None}}
        if not there:
            return
        made = await self.call("snapshot_create", paths=sorted(there))
        if made:
            self.model.took_snapshot(made["snapshot_id"], there)
            self.model.counts["snapshots"] += 1

    async def check_snapshot(self):
        if not self.model.snapshots:
            return
        snapshot = self.random.choice(list(self.model.snapshots))
        files = self.model.snapshots[snapshot]
        path = self.random.choice(sorted(files))
        answer = await asyncio.wait_for(self.peer.call("snapshot_file", {"path": path, "snapshot_id": snapshot}), 120)
        result = answer["result"]
        if result.get("isError"):
            if snapshot in self.model.snapshots:
                self.model.fault(f"{snapshot} cannot be read back: {result['content'][0]['text']}")
        elif result["structuredContent"]["content"] != files[path]:
            self.model.fault(f"{path} in {snapshot} is not what it was")
        self.model.counts["read back"] += 1

    async def restore(self):
        mine = [each for each, files in self.model.snapshots.items() if next(iter(files)).startswith(self.folder + "/")]
        if not mine:
            return
        snapshot = self.random.choice(mine)
        files = self.model.snapshots[snapshot]
        if await self.change(dict(files), "snapback_snapshot_restore", snapshot_id=snapshot, files=sorted(files)):
            self.model.counts["restores"] += 1

    async def run(self, ends):
        while not ends.is_set():
            try:
                await self.step()
                await asyncio.sleep(self.random.random() * self.pause_s)
            except Gone:
                self.model.counts["calls of a killed server"] += 1
                await asyncio.sleep(0.2)


def percentile(samples, span, name=None):
    """Returns the 99th percentile of the calls that began within the interval."""
    found = sorted(took for when, what, took in samples if span[0] <= when < span[1] and name in (None, what))
    return found[int(len(found) * 0.99)] if found else 0.0


class Soak:
    def __init__(self, asked, top):
        self.asked, self.top = asked, pathlib.Path(top)
        self.root = self.top / "repository"
        self.random = random.Random(asked.seed)
        self.model = Model()
        self.latencies = []
        self.disk = []  # Latency samples of a program that only writes, as reference.
        self.usage = collections.defaultdict(list)  # name -> (time, resident KiB, KiB of mapped files, descriptors)
        self.ends = asyncio.Event()
        self.log = open(self.top / "servers.log", "wb")
        self.environment = {**{name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "SNAP"))},
                            "SNAPBACK_TIER": "enterprise", "GIT_CONFIG_NOSYSTEM": "1", "HOME": str(self.top)}
        self.ports = {}
        self.open_server = None

    def git(self, *words):
        subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@example.com", *words], cwd=self.root, env=self.environment,
                       check=True, capture_output=True)

    def prepare(self):
        (self.root / "sh").mkdir(parents=True)
        (self.root / ".snapback").mkdir()
        (self.root / ".snapback/config.json").write_text(json.dumps({"store": {"keep_days": 0, "keep_count": KEPT_SNAPSHOTS, "sweep_hours": 0}}))
        (self.root / ".snapback/.gitignore").write_text("*\n")
        for name in ("sh/one", "sh/two", *(f"sh/other{i}" for i in range(200))):
            (self.root / name).write_text("0\n")
        self.git("init", "-q")
        self.git("add", "-A")
        self.git("commit", "-qm", "first")

    def command(self, *words):
        return [self.asked.server, *words, "--workspace", str(self.root), "--log-level", "error"]

    async def start_open_server(self):
        """Starts the server for HTTP and the bridge, and reads its addresses."""
        server = await asyncio.create_subprocess_exec(*self.command("--http", "0", "--ws", "0"), env=self.environment,
                                                      stdout=asyncio.subprocess.PIPE, stderr=self.log)
        for name in ("http", "ws"):
            line = (await asyncio.wait_for(server.stdout.readline(), 60)).decode()
            self.ports[name] = int(re.search(r":(\d+)/", line)[1])
        self.open_server = server

    async def killer(self, hosts, begin):
        """Kills the server of one host every few seconds. Kills the other host's server and the one with open ports only at
        first, so that their caches are filled when they are measured."""
        calm_s = min(WINDOW_S / 5, self.asked.seconds / 3)
        while not self.ends.is_set():
            await asyncio.sleep(self.random.uniform(0.3, 1) * min(10, self.asked.seconds / 6))
            victim = self.random.choice(("first", "first", "second", "open"))
            if victim != "first" and time.monotonic() - begin > calm_s:
                victim = "first"
            self.model.counts["kills"] += 1
            if victim == "open":
                self.open_server.send_signal(signal.SIGKILL)
                await self.open_server.wait()
                await self.start_open_server()
            else:
                hosts[victim].process.send_signal(signal.SIGKILL)
                await hosts[victim].process.wait()

    async def host_loop(self, client):
        """Starts a host's server again when it has ended."""
        while not self.ends.is_set():
            try:
                await client.peer.start()
            except Gone:
                continue
            while not self.ends.is_set() and client.peer.process.returncode is None:
                try:
                    await client.step()
                    await asyncio.sleep(client.random.random() * client.pause_s)
                except Gone:
                    self.model.counts["calls of a killed server"] += 1
                    break
            if not self.ends.is_set():
                await client.peer.process.wait()

    async def browser_loop(self, number):
        """Pairs with a host over HTTP, answers commands, and is asked for its project."""
        asker = Http(lambda: self.ports["http"], True)
        while not self.ends.is_set():
            try:
                answer = (await asker.call("bridge_pair", {}))["result"]
                if answer.get("isError"):
                    await asyncio.sleep(1)
                    continue
                pairing = answer["structuredContent"]
                browser = Browser(lambda: self.ports["ws"])
                serving = asyncio.create_task(browser.serve(pairing["token"]))
                try:
                    while not self.ends.is_set() and not serving.done():
                        await asyncio.sleep(1 + number % 3)
                        answer = await asker.call("bridge_read_project", {"session_id": pairing["session_id"]})
                        self.model.counts["bridge failed" if answer["result"].get("isError") else "bridge"] += 1
                finally:
                    serving.cancel()
                    await asyncio.gather(serving, return_exceptions=True)
                    browser.drop()
            except Gone:
                await asyncio.sleep(0.5)

    async def collector(self):
        snap = str(pathlib.Path(self.asked.server).with_name("snap"))
        while not self.ends.is_set():
            await asyncio.sleep(min(15, self.asked.seconds / 5))
            process = await asyncio.create_subprocess_exec(snap, "store", "gc", "--workspace", str(self.root), env=self.environment,
                                                           stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE)
            _, errors = await process.communicate()
            self.model.counts["collections" if process.returncode == 0 else "collections that gave way"] += 1
            if process.returncode not in (0, 1):
                self.model.fault(f"snap store gc ended with {process.returncode}: {errors.decode()}")

    async def measure(self, hosts, begin):
        while not self.ends.is_set():
            for name, process in (("open", self.open_server), ("second", hosts["second"].process)):
                try:
                    status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
                    resident, mapped = (int(re.search(kind + r":\s+(\d+)", status)[1]) for kind in ("VmRSS", "RssFile"))
                    descriptors = len(os.listdir(f"/proc/{process.pid}/fd"))
                    self.usage[name].append((time.monotonic() - begin, resident, mapped, descriptors))
                except (OSError, TypeError):
                    pass  # The server is being killed.
            await asyncio.sleep(1)

    async def probe(self):
        """Measures how long a durable write of four kilobytes takes during this load."""
        def write():
            os.pwrite(file.fileno(), os.urandom(4096), 0)
            os.fsync(file.fileno())

        with open(self.top / "probe", "wb") as file:
            while not self.ends.is_set():
                begin = time.monotonic()
                await asyncio.to_thread(write)
                self.disk.append((begin, "fsync", time.monotonic() - begin))
                await asyncio.sleep(0.1)

    async def run(self):
        asked = self.asked
        begin = time.monotonic()
        await self.start_open_server()
        hosts, clients, jobs = {}, [], []
        for name in ("first", "second"):
            hosts[name] = Stdio(self.command("--stdio"), self.environment, self.log)
            clients.append(Client(name, hosts[name], self.model, self.latencies, self.random.random(), 0.1))
            jobs.append(self.host_loop(clients[-1]))
        for i in range(asked.http):
            clients.append(Client(f"http{i}", Http(lambda: self.ports["http"], i % 2 == 0), self.model, self.latencies, self.random.random(), asked.pause))
            jobs.append(clients[-1].run(self.ends))
        for i in range(asked.peers):
            if i < min(BROWSERS_MAX, asked.peers // 2):
                jobs.append(self.browser_loop(i))
                continue
            clients.append(Client(f"ws{i}", WebSocketMcp(lambda: self.ports["ws"]), self.model, self.latencies, self.random.random(), asked.pause))
            jobs.append(clients[-1].run(self.ends))
        shell = subprocess.Popen(["sh", "-c", SHELL, "shell", str(self.top / "end")], cwd=self.root, env=self.environment)
        tasks = [asyncio.create_task(job) for job in jobs]
        while hosts["second"].process is None or hosts["first"].process is None:
            await asyncio.sleep(0.05)
        helpers = [asyncio.create_task(job) for job in (self.collector(), self.measure(hosts, begin), self.probe(), self.killer(hosts, begin))]
        done, _ = await asyncio.wait([*tasks, *helpers], timeout=asked.seconds, return_when=asyncio.FIRST_EXCEPTION)
        self.ends.set()
        (self.top / "end").write_text("")
        for task in done:
            if task.exception():
                self.model.fault(f"{type(task.exception()).__name__}: {task.exception()}")
        for helper in helpers:
            helper.cancel()
        outcomes = await asyncio.gather(*tasks, *helpers, return_exceptions=True)
        for outcome in outcomes:
            if isinstance(outcome, Exception) and not isinstance(outcome, (Gone, asyncio.CancelledError)):
                self.model.fault(f"{type(outcome).__name__}: {outcome}")
        shell.wait(60)
        self.elapsed_s = time.monotonic() - begin
        await self.settle(hosts)

    async def settle(self, hosts):
        """Compares a new server with the model after all clients have stopped. Every server must exit with 0."""
        for host in hosts.values():
            if host.process.returncode is None:
                code = await host.end()
                if code != 0:
                    self.model.fault(f"a server on standard input ended with {code}")
        self.open_server.terminate()
        code = await asyncio.wait_for(self.open_server.wait(), 60)
        if code != 0:
            self.model.fault(f"the server for HTTP ended with {code}")
        fresh = Stdio(self.command("--stdio"), self.environment, self.log)
        await fresh.start()
        last = Client("last", fresh, self.model, [], 0, 0)
        for path in sorted(self.model.files):
            await last.read(path)
            (known,) = self.model.files[path]
            file = self.root / path
            if (file.read_text() if file.exists() else None) != known:
                self.model.fault(f"{path} on the disk is not what the tool says")
        for snapshot, files in self.model.snapshots.items():
            for path, content in files.items():
                answer = await fresh.call("snapshot_file", {"path": path, "snapshot_id": snapshot})
                if answer["result"].get("structuredContent", {}).get("content") != content:
                    self.model.fault(f"{path} of {snapshot} cannot be read back: {str(answer)[:300]}")
        await fresh.end()
        snap = str(pathlib.Path(self.asked.server).with_name("snap"))
        verified = subprocess.run([snap, "store", "verify", "--workspace", str(self.root)], env=self.environment, capture_output=True, check=False)
        if verified.returncode != 0:
            self.model.fault("snap store verify: " + (verified.stdout + verified.stderr).decode()[-500:])

    def report(self):
        faults = self.model.faults
        print(f"{self.elapsed_s:.0f} s: " + ", ".join(f"{count} {name}" for name, count in sorted(self.model.counts.items())))
        window = min(WINDOW_S, self.elapsed_s / 3)
        begin = self.latencies[0][0] if self.latencies else 0
        first = percentile(self.latencies, (begin, begin + window))
        last = percentile(self.latencies, (begin + self.elapsed_s - window, begin + self.elapsed_s))
        measured = self.asked.seconds >= MEASURED_FROM_S
        print(f"p99 of calls: {first * 1000:.0f} ms in the first {window:.0f} s, {last * 1000:.0f} ms in the last ({last / max(first, 1e-9):.2f} x)")
        self.report_latencies(begin, window)
        if measured and last > 1.5 * first:
            faults.append(f"the 99th percentile grew from {first:.3f} to {last:.3f} s")
        for name, samples in sorted(self.usage.items()):
            early = [each for each in samples if window <= each[0] < window + max(30, window / 5)]
            late = [each for each in samples if each[0] > self.elapsed_s - max(30, window / 5)]
            if not early or not late:
                continue
            (kib, mapped, fds), (kib_late, mapped_late, fds_late) = self.middle(early), self.middle(late)
            print(f"server {name}: {kib / 1024:.1f} MB ({mapped / 1024:.1f} of mapped files) and {fds} descriptors after {window:.0f} s, "
                  f"{kib_late / 1024:.1f} MB ({mapped_late / 1024:.1f}) and {fds_late} at the end")
            if measured and (kib_late > kib * 1.1 + 8192 or fds_late > fds + 16):
                faults.append(f"server {name} grew from {kib} KiB and {fds} descriptors to {kib_late} and {fds_late}")
        for name in ("changes", "snapshots", "read back", "kills"):
            if not self.model.counts[name]:
                faults.append(f"there were no {name}: too slow a machine, or something hangs")
        for fault in faults[:20]:
            print("FAULT", fault)
        return 1 if faults else 0

    def report_latencies(self, begin, window):
        """Prints how the percentiles developed, and for which tools."""
        spans = [(begin + i * window, begin + (i + 1) * window) for i in range(int(self.elapsed_s / window))]
        for name, samples in (("calls", self.latencies), ("a write of 4 KiB that does nothing else", self.disk)):
            print(f"  {name}, by the window: " + " ".join(f"{percentile(samples, span) * 1000:.0f}" for span in spans))
        for tool in sorted({tool for _, tool, _ in self.latencies}):
            early, late = (percentile(self.latencies, span, tool) for span in (spans[0], spans[-1]))
            print(f"  {tool}: {early * 1000:.0f} ms, {late * 1000:.0f} in the last")

    @staticmethod
    def middle(samples):
        return tuple(sorted(column)[len(samples) // 2] for column in list(zip(*samples))[1:])


def main():
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--server", required=True)
    options.add_argument("--seconds", type=float, default=20)
    options.add_argument("--seed", type=int, default=random.randrange(1 << 30))
    options.add_argument("--http", type=int, default=50)
    options.add_argument("--peers", type=int, default=50)
    options.add_argument("--pause", type=float, default=4, help="seconds between two calls of one client over the network, at most")
    asked = options.parse_args()
    asked.server = os.path.abspath(asked.server)
    print(f"seed {asked.seed}", flush=True)
    top = tempfile.mkdtemp(prefix="snapgen-soak-")
    try:
        soak = Soak(asked, top)
        soak.prepare()
        asyncio.run(soak.run())
        return soak.report()
    finally:
        shutil.rmtree(top, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
