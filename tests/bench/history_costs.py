"""What the history costs: time of reads, hooks and moments, wake-ups of an idle server, and CPU time and disk space of a
day's work."""
import multiprocessing
import os
import random
import shutil
import statistics
import subprocess
import time

import trees
from accidents import RECORDED, log_bytes, wait_for, wait_for_base
from ground import bytes_below
from stdio_server import Server

QUIET_SECONDS = 0.7  # A moment is taken after so long without changes.
BLOCK_SECONDS = 5  # of reads, before the other server's turn
READ_EVERY_SECONDS = 0.004
SETTLE_SECONDS = 2  # until the moments of the last changes are taken
HOOK_CALLS = 60
IDLE_SECONDS = 10  # before switches are counted
COUNTED_SECONDS = 70
RELEASE_SECONDS = (45, 55)  # The recorder frees its memory 60 s after the last moment, in this part of the 70 s.


def edit(path, number):
    with open(path, "ab") as file:
        file.write(b"/* edit %d */\n" % number)


def percentile(values, part):
    return sorted(values)[min(len(values) - 1, int(len(values) * part))]


# ---- reads while files change ------------------------------------------------------------------------------------

def change_files(tree, names, seconds):
    """Edits twenty files within 0.2 s, waits until a moment is taken, and so on."""
    chance, until, number = random.Random(1), time.monotonic() + seconds, 0
    while time.monotonic() < until:
        for name in chance.sample(names, 20):
            edit(tree / name, number)
            number += 1
            time.sleep(0.01)
        time.sleep(QUIET_SECONDS + 0.3)


def read_times(server, names, seconds):
    """Calls two tools in turns, one every few milliseconds. Returns the milliseconds of each call by tool."""
    times, chance = {"snapshot_file": [], "snapshot_list": []}, random.Random(2)
    begin = time.perf_counter()
    for number in range(int(seconds / READ_EVERY_SECONDS)):
        time.sleep(max(0, begin + number * READ_EVERY_SECONDS - time.perf_counter()))
        name = chance.choice(names)
        tool = "snapshot_list" if number % 2 else "snapshot_file"
        path = os.path.dirname(name) if number % 2 else name
        times[tool].append(1000 * server.call(tool, path=path)[0])
    return times


def added_latency(ground, rounds):
    """Yields rows: milliseconds of reads with and without the history, and the difference. The two servers have a copy of the
    tree each, and take turns."""
    without = ground.scratch / "without-history"
    shutil.copytree(ground.tree, without, symlinks=True)
    (without / ".snapback").mkdir()
    (without / ".snapback/config.json").write_text('{"history":{"mode":"off"}}')
    names = ground.some(3000)
    all_times = {True: {}, False: {}}
    servers = {True: Server([ground.build / "snapgen-server", "--stdio", "--workspace", ground.tree]),
               False: Server([ground.build / "snapgen-server", "--stdio", "--workspace", without])}
    try:
        for server in servers.values():
            server.call("snapshot_file", path=names[0])
        wait_for_base(ground.tree)
        for _ in range(rounds):
            for is_on, server in servers.items():
                writer = multiprocessing.Process(target=change_files, args=(ground.tree if is_on else without, names, BLOCK_SECONDS))
                writer.start()
                for tool, times in read_times(server, names, BLOCK_SECONDS).items():
                    all_times[is_on].setdefault(tool, []).extend(times)
                writer.join()
                time.sleep(SETTLE_SECONDS)
        if log_bytes(without):
            raise RuntimeError("the history is recorded although it is off")
    finally:
        for server in servers.values():
            server.close()
        shutil.rmtree(without)
    for tool in ("snapshot_file", "snapshot_list"):
        for name, part, limit in (("p50", 0.5, 0.2), ("p99", 0.99, 5)):
            on, off = (percentile(all_times[is_on][tool], part) for is_on in (True, False))
            yield f"{tool}, {name}, with the history", on, "", None, "ms"
            yield f"{tool}, {name}, without", off, "", None, "ms"
            yield f"{tool}, {name}, added", on - off, "≤", limit, "ms"


# ---- hooks and moments -------------------------------------------------------------------------------------------

def hook_time(ground):
    """Yields a row: the time of a process that reports a tool call, while a server runs."""
    payload = (RECORDED / "claude/PostToolUse.json").read_bytes().replace(b"/home/user/project", os.fsencode(ground.tree))
    times = []
    with ground.new_server() as server:
        server.call("snapshot_file", path=ground.small_file())
        wait_for_base(ground.tree)
        for _ in range(HOOK_CALLS):
            begin = time.perf_counter()
            subprocess.run([ground.build / "snap", "hook", "claude"], input=payload, cwd=ground.tree, check=True)
            times.append(1000 * (time.perf_counter() - begin))
            time.sleep(0.02)
    yield "snap hook claude, p50", statistics.median(times), "≤", 25, "ms"
    yield "snap hook claude, p99", percentile(times, 0.99), "", None, "ms"


def next_moment(tree, size):
    """Waits until the log is larger than `size`, and returns its size."""
    return wait_for(lambda: log_bytes(tree) > size and log_bytes(tree), "no moment was taken", 120, pause=0.001)


def moment_cost(ground, rounds):
    """Yields rows: CPU time of the server for a moment after ten edits, and the time until the history has it."""
    names, cpus, waits = ground.some(10), [], []
    server = ground.watched_server()
    wait_for_base(ground.tree)
    for _ in range(rounds):
        time.sleep(0.3)
        size, cpu = log_bytes(ground.tree), server.cpu()
        ground.edit(names)
        begin = time.perf_counter()
        next_moment(ground.tree, size)
        waits.append(1000 * (time.perf_counter() - begin - QUIET_SECONDS))
        time.sleep(0.2)
        cpus.append(1000 * (server.cpu() - cpu))
    ground.close_servers()
    ground.restore(names)
    yield "CPU of a moment after ten edits", statistics.median(cpus), "", None, "ms"
    yield "from the end of 0.7 s of quiet until the moment is in the history", statistics.median(waits), "", None, "ms"


# ---- idle --------------------------------------------------------------------------------------------------------

def activity(server):
    """Returns how often threads of the server have waited for something, and the bytes that it has written."""
    switches = 0
    for thread in os.listdir(f"/proc/{server.process.pid}/task"):
        with open(f"/proc/{server.process.pid}/task/{thread}/status", encoding="ascii") as status:
            switches += next(int(line.split()[1]) for line in status if line.startswith("voluntary_ctxt_switches"))
    with open(f"/proc/{server.process.pid}/io", encoding="ascii") as io:
        return switches, next(int(line.split()[1]) for line in io if line.startswith("wchar"))


def idle(ground):
    """Yields rows: what a server does in 70 s that begin ten seconds after its last work."""
    names = ground.some(10)
    server = ground.watched_server()
    wait_for_base(ground.tree)
    for _ in range(3):
        size = log_bytes(ground.tree)
        ground.edit(names)
        server.call("snapshot_file", path=names[0])
        next_moment(ground.tree, size)
    time.sleep(IDLE_SECONDS)
    samples = [activity(server)]
    for wait in (RELEASE_SECONDS[0], RELEASE_SECONDS[1] - RELEASE_SECONDS[0], COUNTED_SECONDS - RELEASE_SECONDS[1]):
        time.sleep(wait)
        samples.append(activity(server))
    ground.close_servers()
    ground.restore(names)
    changes = [(after[0] - before[0], after[1] - before[1]) for before, after in zip(samples, samples[1:])]
    yield "context switches in 60 s without work", changes[0][0] + changes[2][0], "≤", 0, ""
    yield "bytes written in them", changes[0][1] + changes[2][1], "≤", 0, ""
    yield "context switches in the 10 s in which the memory is freed", changes[1][0], "", None, ""
    yield "bytes written in them, too", changes[1][1], "", None, ""


# ---- a day -------------------------------------------------------------------------------------------------------

class Day:
    """Edits of a day, and the same states as commits."""

    def __init__(self, ground):
        self.ground, self.random = ground, random.Random(3)
        self.names = ground.some(3000)
        self.commits = []

    def edit(self, number):
        """Changes one file, and sometimes creates or deletes one."""
        kind = self.random.randrange(20)
        if kind == 0:
            name, content = f"new/{number}.c", self.source(number)
        elif kind == 1:
            name, content = self.names.pop(self.random.randrange(len(self.names))), None
        else:
            name = self.random.choice(self.names)
            lines = (self.ground.tree / name).read_bytes().splitlines(keepends=True)
            first = self.random.randrange(len(lines) + 1)
            lines[first:first + self.random.randrange(3)] = [self.source(number)]
            content = b"".join(lines)
        path = self.ground.tree / name
        if content is None:
            path.unlink()
        else:
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(content)
        self.commits.append((name, content))

    def source(self, number):
        return b"".join(b"\tint edit_%d_%d = %d;\n" % (number, line, self.random.randrange(10**6))
                        for line in range(self.random.randint(1, 8)))

    def build(self):
        folder = self.ground.tree / "build"
        folder.mkdir(exist_ok=True)
        for _ in range(30):
            (folder / f"{self.random.randrange(500)}.o").write_bytes(self.random.randbytes(8000))

    def git_bytes(self):
        """Returns the sizes of a packed repository with the first state, and with all states."""
        repository = self.ground.scratch / "states.git"
        trees.git(self.ground.scratch, "clone", "-q", "--bare", "--no-hardlinks", self.ground.tree, repository)
        sizes = [packed_bytes(repository)]
        importer = subprocess.Popen(["git", "-C", repository, "fast-import", "--quiet"], stdin=subprocess.PIPE, env=trees.PLAIN_GIT)
        for number, (name, content) in enumerate(self.commits):
            importer.stdin.write(b"commit refs/heads/main\ncommitter " + trees.AUTHOR + b"\ndata 5\nstate\n")
            importer.stdin.write(b"from refs/heads/main^0\n" if number == 0 else b"")
            importer.stdin.write(b"D %s\n" % name.encode() if content is None else
                                 b"M 100644 inline %s\ndata %d\n%s\n" % (name.encode(), len(content), content))
        importer.stdin.close()
        if importer.wait() != 0:
            raise RuntimeError("git fast-import failed")
        return [*sizes, packed_bytes(repository)]


def packed_bytes(repository):
    trees.git(repository, "gc", "-q", "--aggressive", "--prune=now")
    return bytes_below(repository / "objects")


def day(ground, edits, builds):
    """Yields rows: CPU time and disk space of the edits and builds of a day."""
    ground.forget_store()
    exclude = ground.tree / ".git/info/exclude"
    exclude.parent.mkdir(exist_ok=True)
    exclude.write_text("/build/\n")
    work, store = Day(ground), ground.tree / ".git/snapgen"
    server = ground.watched_server()
    wait_for_base(ground.tree)
    time.sleep(SETTLE_SECONDS)
    base_bytes, base_cpu, waits = bytes_below(store), server.cpu(), []
    for number in range(edits):
        size = log_bytes(ground.tree)
        work.edit(number)
        begin = time.perf_counter()
        next_moment(ground.tree, size)
        waits.append(time.perf_counter() - begin)
        if number * builds // edits != (number + 1) * builds // edits:
            work.build()
    cpu, memory = server.cpu(), server.memory()
    moments = sum(len(turn["moments"]) for turn in server.call("history_list", max_moments=200)[1]["turns"])
    if moments < min(200, edits):
        raise RuntimeError(f"only {moments} moments for {edits} edits")
    ground.close_servers()
    day_bytes = bytes_below(store)
    first, last = work.git_bytes()
    trees.git(ground.tree, "clean", "-q", "-f", "-d", "-x")
    trees.git(ground.tree, "reset", "-q", "--hard")
    exclude.unlink()
    yield f"CPU of {edits} edits and {builds} builds, with the first state", cpu, "≤", 60, "s"
    yield "of that, the start and the first state", base_cpu, "", None, "s"
    yield "from an edit until the history has it, p50", statistics.median(waits), "", None, "s"
    yield "from an edit until the history has it, the longest", max(waits), "≤", 2, "s"
    yield "memory of the server at the end", memory, "", None, "MB"
    yield "store after the day", day_bytes / 1e6, "≤", 1.2 * last / 1e6, "MB"
    yield "store after the first state", base_bytes / 1e6, "", None, "MB"
    yield "git repository with the same states, packed", last / 1e6, "", None, "MB"
    yield "git repository with the first state, packed", first / 1e6, "", None, "MB"
