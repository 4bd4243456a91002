#!/usr/bin/env python3
"""How the times of calls grow with the tree: tables on the terminal and in BUILD/bench-growth.md.

growth.py --build BUILD [--node NODE] [--sizes 30000,100000,300000] [--only WORDS] [--rounds N] [--quick]

The trees have 30,000, 100,000 and 300,000 small C files, twelve in a folder; with --quick 3,000 and 10,000. They are
created once, in --cache (BUILD/bench-trees). Figures are medians of several rounds. A round takes one sample of the server
and one of each peer, so that other load on the machine affects both. Times are in milliseconds unless the row says
otherwise.
"""
import argparse
import os
import shutil
import statistics
import threading
import time
from pathlib import Path

import substrate
import trees
from ground import is_watching
from stdio_server import Server, filesystem_server
from substrate_rows import Contest, Figure, Goal, git_status, grep_contest, row

READS = 50  # calls in one sample of a read
ROUNDS = 3  # rounds of memory and calls per second, which have no peer to alternate with
READ_MS = 0.2
SNAPSHOT_MS = {30_000: 15, 300_000: 60}  # files -> target in ms
SERVERS = (1, 4, 16)
WARM_UP_SECONDS = 300  # the maximum: 16 servers read the tree and begin to watch it one after the other
IDLE_SECONDS = 7  # A server frees memory after six seconds without a call.
MIX = ("read", "read", "search", "read", "read", "write", "read", "read", "capture", "read")

ROWS = {}


def search(server, pattern, **options):
    """Returns the seconds and the answer of a search for a literal."""
    return server.call("snapshot_grep", pattern=pattern, fixed=True, **options)


# ---- one server --------------------------------------------------------------------------------------------------

@row("read under a lease, watched", ROWS)
def read_under_lease(ground):
    """Seconds of a read before and after the first search under its lease, with a new lease for each sample. A third read,
    after a search by another server, shows how much of the difference is due to the processor's caches."""
    ground.preread()  # the files are read once for all rows of the tree
    name, server, other = ground.small_file(), ground.watched_server(), ground.watched_server()

    def read(lease):
        return server.call("snapshot_file", path=name, lease_id=lease)[0]

    def new_lease():
        lease = server.call("snapshot_file", path=name)[1]["lease_id"]
        read(lease)
        return lease

    def searched_lease():
        return search(server, ground.patterns[2], lease_id=new_lease())[1]["lease_id"]

    def median(lease):
        return statistics.median(read(lease) for _ in range(READS))

    def after_search_of_another():
        lease = new_lease()
        search(other, ground.patterns[2])
        return read(lease)

    ours = {"before a search": lambda: median(new_lease()),
            "the first after a search": lambda: read(searched_lease()),
            "after a search": lambda: median(searched_lease())}
    goals = [Goal(each, ms=READ_MS) for each in ours]
    ours["after the search of another server"] = after_search_of_another
    return Contest(ours, {"git status": git_status(ground)}, goals, preread=False)


@row("asking the client for its folders", ROWS)
def asking_for_roots(ground):
    """How much longer a read takes if the server first asks the client for its roots."""
    name, program = ground.small_file(), [ground.build / "snapgen-server", "--stdio"]

    def sample(roots):
        with Server(program, cwd=ground.tree, roots=roots) as server:
            lease = server.call("snapshot_file", path=name)[1]["lease_id"]
            return statistics.median(server.call("snapshot_file", path=name, lease_id=lease)[0] for _ in range(10 * READS))

    def asking():
        pairs = [(sample(None), sample([ground.tree])) for _ in range(ROUNDS)]
        without, asked = (1000 * statistics.median(times) for times in zip(*pairs))
        return Figure("asking the client for its folders, ms", {"a read": without, "asked first": asked, "difference": asked - without},
                      goals=[Goal("difference", ms=1)])

    return Contest({}, figures=[asking])


@row("snapshot of everything after 10 edits, watched", ROWS)
def snapshot_after_edits(ground):
    """Seconds of a durable snapshot, and of git status after the same edits."""
    names, server = ground.some(10), ground.watched_server()
    server.call("snapshot_create", paths=["."])

    def ours():
        ground.edit(names)
        return server.call("snapshot_create", paths=["."])[0]

    def theirs():
        ground.edit(names)
        return git_status(ground)()

    limit = SNAPSHOT_MS.get(len(ground.files))
    return Contest({"snapshot_create": ours}, {"git status": theirs},
                   [Goal("snapshot_create", ms=limit)] if limit else [], after=lambda: ground.restore(names),
                   preread=False)


@row("first answer of a new server, known tree", ROWS)
def first_answer(ground):
    """Seconds of the first read, and from the start of the process to its end. An earlier server has read the tree."""
    name = ground.small_file()
    search(ground.watched_server(), ground.patterns[2])
    ground.close_servers()

    def call():
        with ground.new_server() as server:
            return server.call("snapshot_file", path=name)[0]

    def process():
        begin = time.perf_counter()
        with ground.new_server() as server:
            server.call("snapshot_file", path=name)
            return time.perf_counter() - begin

    ours = {"the call": call, "from the start of the process": process}
    return Contest(ours, {"git status": git_status(ground)},
                   [Goal(each, factor=0.5, peer="git status") for each in ours], preread=False)


@row("memory of a watching server", ROWS)
def memory(ground):
    """RSS in MiB after a read, a search and a snapshot, and after the server has then been idle."""
    limit = round(10 + 150 * len(ground.files) / 2**20, 1)

    def sample():
        server = ground.watched_server()
        search(server, ground.patterns[2])
        server.call("snapshot_create", paths=["."])
        busy = server.memory()
        time.sleep(IDLE_SECONDS)
        rest = server.memory()
        ground.close_servers()
        return busy, rest

    def resident():
        busy, rest = (statistics.median(values) for values in zip(*(sample() for _ in range(ROUNDS))))
        return Figure("memory of a watching server, MB", {"after a snapshot": busy, "at rest": rest},
                      goals=[Goal("at rest", mb=limit)])

    return Contest({}, figures=[resident])


# ---- several servers ---------------------------------------------------------------------------------------------

class Client:
    """One server and its mixed calls: reads, searches of 144 files, durable writes, captures of 12 files."""

    def __init__(self, ground, number):
        self.log = ground.scratch / f"log-{number}"
        self.server, self.number, self.calls, self.rejected = ground.logging_server(self.log), number, 0, 0
        files = ground.some(200)
        self.file = files[number * 7 % len(files)]
        self.folder = self.file.rsplit("/", 1)[0]
        self.written = f"growth-{number}.c"

    def call(self):
        """Makes the next call of the mix. If the tree changed during it, the call is repeated, and counts once."""
        try:
            self.ask(MIX[(self.calls + self.number) % len(MIX)])
            self.calls += 1
        except RuntimeError as error:
            if "REPO_CHANGED" not in str(error):
                raise
            self.rejected += 1

    def ask(self, kind):
        """Makes a call without a lease, because each write of another server makes leases stale."""
        if kind == "read":
            self.server.call("snapshot_file", path=self.file)
        elif kind == "search":
            search(self.server, trees.LITERAL, paths=[self.folder.split("/")[0]], max_matches=10_000)
        elif kind == "write":
            self.server.call("workspace_write_file", path=self.written, content=f"int call = {self.calls};\n")
        else:
            self.server.call("snapshot_create", paths=[self.folder])


def drive(clients, seconds):
    """Calls per second of all clients together, each with one call at a time."""
    errors, end = [], time.perf_counter() + seconds

    def work(client):
        try:
            while time.perf_counter() < end:
                client.call()
        except (RuntimeError, OSError, KeyError) as error:
            errors.append(error)

    before, begin = sum(client.calls for client in clients), time.perf_counter()
    threads = [threading.Thread(target=work, args=(client,)) for client in clients]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if errors:
        raise RuntimeError(f"{len(errors)} of {len(clients)} clients failed: {errors[0]}")
    return (sum(client.calls for client in clients) - before) / (time.perf_counter() - begin)


def warm_up(clients, seconds):
    """Drives the clients until their servers have read the tree and watch it, and then for another round."""
    until = time.monotonic() + WARM_UP_SECONDS
    while not all(is_watching(client.log) for client in clients):
        if time.monotonic() > until:
            raise RuntimeError(f"not all servers watch after {WARM_UP_SECONDS} s")
        drive(clients, seconds)
    drive(clients, seconds)


def sync_ms(path):
    """Milliseconds of an fsync of a small new file: the disk decides how long writes and snapshots take."""
    times = []
    for _ in range(READS):
        with open(path, "wb") as file:
            file.write(b"content")
            file.flush()
            begin = time.perf_counter()
            os.fsync(file.fileno())
            times.append(1000 * (time.perf_counter() - begin))
        path.unlink()
    return statistics.median(times)


def rates_of(ground, count, seconds):
    """Calls per second of `count` warm servers, a figure for each round, and how many calls were rejected."""
    clients = [Client(ground, number) for number in range(count)]
    try:
        warm_up(clients, seconds)
        return [drive(clients, seconds) for _ in range(ROUNDS)], sum(client.rejected for client in clients)
    finally:
        ground.close_servers()
        for client in clients:
            (ground.tree / client.written).unlink(missing_ok=True)


@row("calls per second", ROWS)
def mixed_calls(ground):
    """Calls per second of all servers together. The store is empty at first, as in a new clone."""
    seconds = 1.5 if ground.is_quick else 3
    rejected, syncs = [], []

    def rates():
        ground.forget_store()
        medians = {}
        for count in SERVERS:
            found, failed = rates_of(ground, count, seconds)
            medians[count] = statistics.median(found)
            rejected.append(failed)
        syncs.append(sync_ms(ground.scratch / "synced"))
        ours = {f"{count} servers": medians[count] for count in SERVERS[1:]}
        return Figure("calls per second, mixed, of servers on one tree", ours, {"one server": medians[1]},
                      [Goal(each, factor=1, peer="one server", is_least=True) for each in ours])

    return Contest({}, figures=[rates], preread=False, notes=[
        lambda: f"{sum(rejected)} calls were rejected with REPO_CHANGED, repeated, and counted once",
        lambda: f"an fsync of a small new file took {syncs[0]:.2f} ms; writes and snapshots wait for several"])


# ---- searches ----------------------------------------------------------------------------------------------------

@row("search of the whole tree, literal, watched", ROWS)
def whole_search(ground):
    contest = grep_contest(ground, ground.patterns[0], True)
    if not isinstance(contest, str):
        contest.preread = False
    return contest


@row("search, then read what was found", ROWS)
def search_then_read(ground):
    """Seconds of both calls. The filesystem server cannot search contents, so it searches for the file's name."""
    command = filesystem_server(ground.build, ground.node, ground.tree)
    if command is None:
        return "@modelcontextprotocol/server-filesystem is not installed in tests/clients"
    server, theirs = ground.watched_server(), ground.peer_server(*command)
    found = search(server, ground.patterns[2])[1]["matches"][0]["path"]

    def ours():
        searching, answer = search(server, ground.patterns[2])
        path = answer["matches"][0]["path"]
        return searching + server.call("snapshot_file", path=path, lease_id=answer["lease_id"])[0]

    def peer():
        pattern = "**/" + found.rsplit("/", 1)[1]
        options = {"path": str(ground.tree), "pattern": pattern, "excludePatterns": [".git"]}
        searching, answer = theirs.call("search_files", **options)
        path = str(ground.tree / found)
        if path not in answer["content"]:
            raise RuntimeError(f"server-filesystem did not find {found}")
        return searching + theirs.call("read_text_file", path=path)[0]

    return Contest({"a word of the file": ours}, {"server-filesystem, its name": peer},
                   notes=[lambda: "server-filesystem has no search for contents, so it searches for the file's name"],
                   preread=False)


# ---- the report --------------------------------------------------------------------------------------------------

def wanted_trees(arguments, cache):
    """Returns the name, the function that creates the tree, and the number of files."""
    for count in arguments.sizes:
        yield f"{count:,} small files".replace(",", " "), lambda count=count: trees.small_files(cache, count), count


def main():
    parser = argparse.ArgumentParser(prog="./dev bench growth", description="How calls grow with the tree.")
    parser.add_argument("--build", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--node", default=shutil.which("node"), help=argparse.SUPPRESS)
    parser.add_argument("--quick", action="store_true", help="three rounds on two smaller trees, to test the benchmark")
    substrate.add_common_arguments(parser, "30000,100000,300000; with --quick 3000,10000", "5; with --quick 3")
    arguments = parser.parse_args()
    arguments.sizes = arguments.sizes or ([3_000, 10_000] if arguments.quick else [30_000, 100_000, 300_000])
    arguments.build = arguments.build.absolute()
    os.chdir(Path(__file__).parent.parent.parent)
    sections = substrate.run(arguments, "Growth", ROWS, wanted_trees, rounds=3 if arguments.quick else 5)
    report = arguments.build / "bench-growth.md"
    substrate.write_report(report, "Benchmarks of growth with the tree", arguments.node, sections)


if __name__ == "__main__":
    main()
