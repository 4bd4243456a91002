"""Measurements of the substrate, one function for each row; substrate.py takes their times and makes the tables.

A row's function receives the `Ground` (ground.py: a tree and how to start servers and peers on it). It returns a
`Contest`: named samples of our server and of the peers, each a function that runs the operation once and returns the
seconds that it took. If there is nothing to measure, it returns a sentence with the reason.
"""
import base64
import hashlib
import itertools
import json
import os
import shutil
import statistics
import subprocess
import time
from dataclasses import dataclass, field

import trees
from ground import bytes_below
from stdio_server import filesystem_server


@dataclass
class Goal:
    """`ours` is at most `factor` times the peer, or at most `ms` or `mb`; with `is_least`, at least that value."""
    ours: str
    factor: float = None
    peer: str = None
    ms: float = None
    mb: float = None
    is_least: bool = False

    def text(self):
        limit = f"{self.factor:g} × {self.peer}" if self.peer else f"{self.mb or self.ms:g} {'MB' if self.mb else 'ms'}"
        return f"{'≥' if self.is_least else '≤'} {limit}"

    def is_met(self, found):  # None if the peer was not measured
        if self.peer and self.peer not in found:
            return None
        limit, value = self.factor * found[self.peer] if self.peer else self.mb or self.ms, found[self.ours]
        return value >= limit if self.is_least else value <= limit


@dataclass
class Figure:
    """Results of a row besides its times, in MB, by the names of our programs and of the peers."""
    title: str
    ours: dict
    peers: dict = field(default_factory=dict)
    goals: list = field(default_factory=list)


@dataclass
class Contest:
    ours: dict
    peers: dict = field(default_factory=dict)
    goals: list = field(default_factory=list)
    notes: list = field(default_factory=list)  # functions: each returns a sentence after all measurements
    figures: list = field(default_factory=list)  # functions: each returns a Figure after all measurements
    after: object = None  # restores the tree
    preread: bool = True


ROWS = {}


def row(title, rows=ROWS):
    def add(function):
        rows[title] = function
        return function
    return add


def git_status(ground):
    return lambda: ground.process("git", "status", "-z")


def cached_git_status(ground):
    """Runs git status with the untracked cache, in a separate index."""
    index = ground.scratch / "untracked-cache.index"
    shutil.copy2(ground.tree / ".git" / "index", index)
    env = {"GIT_INDEX_FILE": str(index), "GIT_OPTIONAL_LOCKS": "1"}
    ground.process("git", "update-index", "--untracked-cache", env=env)
    return lambda: ground.process("git", "-c", "core.untrackedCache=true", "status", "-z", env=env)


class Shadow:
    """A second repository on the same work tree, as checkpoint tools create one."""

    def __init__(self, ground):
        self.ground = ground
        self.folder = ground.scratch / "shadow.git"
        self.env = {"GIT_DIR": str(self.folder), "GIT_WORK_TREE": str(ground.tree), "GIT_OPTIONAL_LOCKS": "1"}

    def recreate(self):
        shutil.rmtree(self.folder, ignore_errors=True)
        self.ground.process("git", "init", "-q", env={"GIT_DIR": str(self.folder)})
        (self.folder / "info").mkdir(exist_ok=True)
        (self.folder / "info" / "exclude").write_text("/.git\n")

    def capture(self):
        return (self.ground.process("git", "add", "-A", env=self.env)
                + self.ground.process("git", "write-tree", env=self.env))

    def bytes(self):
        return bytes_below(self.folder / "objects")


# ---- leases and fingerprints -------------------------------------------------------------------------------------

@row("lease check, nothing changed")
def lease_check(ground):
    name = ground.small_file()
    watching = ground.watched_server()
    lease = watching.call("snapshot_file", path=name)[1]["lease_id"]
    watching.call("snapshot_file", path=name, lease_id=lease)  # Other servers know the lease from this call on.

    def often():
        return statistics.median(watching.call("snapshot_file", path=name, lease_id=lease)[0] for _ in range(5))

    def once():
        with ground.new_server() as fresh:  # the server reads the lease from disk and has no other state
            return fresh.call("snapshot_file", path=name, lease_id=lease)[0]

    return Contest({"watched": often, "not watched (a new server)": once},
                   {"git status -z": git_status(ground), "with untracked cache": cached_git_status(ground)},
                   [Goal("watched", ms=0.05),
                    Goal("not watched (a new server)", factor=0.5, peer="git status -z")])


@row("search without a lease, and what it leaves on disk")
def search_without_lease(ground):
    server = ground.watched_server()
    searches = 100

    def search(of):
        return of.call("snapshot_grep", pattern="no line has this", fixed=True)[0]

    def left():
        ground.forget_leases()
        with ground.new_server() as fresh:
            for _ in range(searches):
                search(fresh)
        return Figure("what a search without a lease leaves on disk, MB", {"ours": ground.lease_bytes() / searches / 1e6}, goals=[Goal("ours", mb=0.12)])

    return Contest({"ours": lambda: search(server)}, figures=[left])


@row("full fingerprint after a change")
def fingerprint(ground):
    name, other = ground.some(2)
    server = ground.watched_server()

    def ours():
        ground.edit([other])
        return server.call("snapshot_file", path=name)[0]  # a new fingerprint, because there is no lease

    def fresh():
        ground.edit([other])
        with ground.new_server() as unwatched:
            return unwatched.call("snapshot_file", path=name)[0]

    def three():
        ground.edit([other])
        return (ground.process("git", "rev-parse", "HEAD") + ground.process("git", "write-tree")
                + ground.process("git", "status", "-z"))

    def status():
        ground.edit([other])
        return ground.process("git", "status", "-z")

    return Contest({"watched": ours, "not watched (a new server)": fresh},
                   {"git status -z": status, "rev-parse, write-tree, status": three},
                   [Goal("watched", factor=0.5, peer="git status -z"),
                    Goal("not watched (a new server)", factor=0.5, peer="git status -z")],
                   after=lambda: ground.restore([other]))


@row("status with 30,000 filters in the configuration")
def many_filters(ground):
    name, other = ground.some(2)
    config, attributes = ground.tree / ".git" / "config", ground.tree / ".git" / "info" / "attributes"
    kept = config.read_bytes()
    config.write_bytes(kept + b"".join(b'[filter "f%d"]\n\tclean = cat\n' % i for i in range(30_000)))
    attributes.parent.mkdir(exist_ok=True)
    attributes.write_text("* filter=f29999\n")

    def ours():
        ground.edit([other])
        with ground.new_server() as fresh:
            return fresh.call("snapshot_file", path=name)[0]

    def status():
        ground.edit([other])
        return ground.process("git", "status", "-z")

    def restore():
        config.write_bytes(kept)
        attributes.unlink()
        ground.restore([other])

    return Contest({"a new server": ours}, {"git status -z": status},
                   [Goal("a new server", factor=2, peer="git status -z")], after=restore)


# ---- snapshots ---------------------------------------------------------------------------------------------------

@row("first snapshot of the whole tree, durable")
def first_snapshot(ground):
    shadow = Shadow(ground)
    sizes, peaks, rests, cpus = [], [], [], []

    def ours():
        ground.forget_store()
        with ground.new_server() as server:
            cpu = server.cpu()
            seconds = server.call("snapshot_create", paths=["."])[0]
            cpus.append(server.cpu() - cpu)
            peaks.append(server.memory("VmHWM"))
            time.sleep(7)  # idle: a server frees memory after six seconds without a call
            rests.append(server.memory("VmRSS"))
        sizes.append(bytes_below(ground.tree / ".git" / "snapgen"))
        return seconds

    def theirs():
        shadow.recreate()
        return shadow.capture()

    def hashes():
        return ground.process("xargs", "-0", "-P", "2", "-n", "500", "sha256sum", "--",
                              input="\0".join(ground.plain).encode())

    def store():
        return Figure("store of the first snapshot, MB", {"snapgen": sizes[-1] / 1e6}, {"shadow repository": shadow.bytes() / 1e6},
                      [Goal("snapgen", factor=1, peer="shadow repository")])

    def memory():
        return Figure("memory of the server, MB",
                      {"most while capturing": statistics.median(peaks), "at rest after it": statistics.median(rests)},
                      goals=[Goal("most while capturing", mb=100), Goal("at rest after it", mb=20)])

    return Contest({"snapshot.create": ours}, {"shadow repository": theirs, "sha256sum, 2 processes": hashes},
                   [Goal("snapshot.create", ms=2000)], [lambda: f"{statistics.median(cpus):.2f} s of CPU"], [store, memory])


@row("snapshot after 10 changed files")
def next_snapshot(ground):
    names = ground.some(10)
    server = ground.watched_server()
    server.call("snapshot_create", paths=["."])
    shadow = Shadow(ground)
    shadow.recreate()
    shadow.capture()

    def ours():
        ground.edit(names)
        return server.call("snapshot_create", paths=["."])[0]

    def fresh():
        ground.edit(names)
        with ground.new_server() as unwatched:
            return unwatched.call("snapshot_create", paths=["."])[0]

    def theirs():
        ground.edit(names)
        return shadow.capture()

    return Contest({"watched": ours, "not watched (a new server)": fresh}, {"shadow repository": theirs},
                   [Goal("watched", ms=20), Goal("not watched (a new server)", ms=80)], after=lambda: ground.restore(names))


@row("changes since a snapshot, 10 files")
def changes(ground):
    names = ground.some(10)
    server = ground.watched_server()
    snapshot = server.call("snapshot_create", paths=["."])[1]["snapshot_id"]

    def asked(one):
        ground.edit(names)
        seconds, answer = one.call("snapshot_changes", snapshot_id=snapshot)
        if len(answer["changes"]) != len(names):
            raise RuntimeError(f"{len(answer['changes'])} changes instead of {len(names)}")
        return seconds

    def fresh():
        with ground.new_server() as unwatched:
            return asked(unwatched)

    def theirs():
        ground.edit(names)
        return ground.process("git", "diff", "--name-status", "HEAD")

    return Contest({"watched": lambda: asked(server), "not watched (a new server)": fresh},
                   {"git diff --name-status HEAD": theirs}, after=lambda: ground.restore(names))


@row("diff of 100 files against HEAD")
def diff(ground):
    names = ground.some(100)
    server = ground.watched_server()

    def asked(one):
        ground.edit(names)
        seconds, answer = one.call("snapshot_diff", max_bytes=16 << 20)
        if len(answer["files"]) != len(names) or answer["truncated"]:
            raise RuntimeError(f"{len(answer['files'])} files instead of {len(names)}")
        return seconds

    def fresh():
        with ground.new_server() as unwatched:
            return asked(unwatched)

    def theirs():
        ground.edit(names)
        return ground.process("git", "diff", "--no-renames", "HEAD")

    return Contest({"watched": lambda: asked(server), "not watched (a new server)": fresh}, {"git diff HEAD": theirs},
                   after=lambda: ground.restore(names))


@row("export of 100 files, tar")
def export(ground):
    names = ground.some(100, largest=50_000)
    server = ground.watched_server()
    snapshot = server.call("snapshot_create", paths=names)[1]["snapshot_id"]

    def ours(**where):
        return lambda: server.call("snapshot_export", paths=names, format="tar", max_bytes=16 << 20, **where)[0]

    return Contest({"of the work tree, watched": ours(), "of a snapshot": ours(snapshot_id=snapshot)},
                   {"git archive HEAD": lambda: ground.process("git", "archive", "HEAD", "--", *names)})


# ---- reading -----------------------------------------------------------------------------------------------------

def grep_contest(ground, pattern, fixed, folders=None):
    if shutil.which("rg") is None:
        return "ripgrep is not installed"
    server = ground.watched_server()
    where = {"paths": folders} if folders else {}
    taken = {}

    def ours(**more):
        def sample():
            seconds, answer = server.call("snapshot_grep", pattern=pattern, fixed=fixed, max_matches=10_000, **where, **more)
            if answer["truncated"]:
                raise RuntimeError(f"more than 10 000 lines contain {pattern}")
            taken["matches"], taken["files"] = len(answer["matches"]), answer["files_searched"]
            return seconds
        return sample

    form = ["-F"] if fixed else ["-e"]
    git_form = ["-F"] if fixed else ["-P"]
    places = folders or []
    lease = server.call("snapshot_grep", pattern=pattern, fixed=fixed, max_matches=10_000, **where)[1]["lease_id"]
    return Contest({"no lease": ours(), "under a lease": ours(lease_id=lease)},
                   {"ripgrep": lambda: ground.process("rg", "-c", *form, pattern, *(places or ["."]), may_fail=(1,)),
                    "git grep": lambda: ground.process("git", "grep", "-c", *git_form, pattern, "--", *places, may_fail=(1,))},
                   [Goal("no lease", factor=0.5, peer="ripgrep"), Goal("under a lease", factor=0.5, peer="ripgrep")],
                   [lambda: f"`{pattern}`: {taken['matches']} lines, {taken['files']} files searched; "
                            f"server at rest {server.memory():.0f} MB"])


@row("grep of the whole tree, literal")
def grep_literal(ground):
    return grep_contest(ground, ground.patterns[0], True)


@row("grep of the whole tree, regex")
def grep_regex(ground):
    return grep_contest(ground, ground.patterns[1], False)


@row("grep of the whole tree, rare word")
def grep_rare(ground):
    return grep_contest(ground, ground.patterns[2], True)


@row("grep of 5 000 files")
def grep_some(ground):
    """Returns whole top-level folders with about this number of files."""
    if len(ground.files) < 6000:
        return "the tree has no 5 000 files"
    folders, left = [], 5000
    counts = {}
    for name in ground.files:
        if "/" in name:
            counts[name.split("/", 1)[0]] = counts.get(name.split("/", 1)[0], 0) + 1
    for folder in sorted(counts, key=lambda one: (-counts[one], one)):
        if counts[folder] <= left and len(folders) < 50:
            folders.append(folder)
            left -= counts[folder]
    if left > 2500:
        return "no folders of the top hold about 5 000 files"
    return grep_contest(ground, ground.patterns[0], True, sorted(folders))


@row("read one file of 10 KB")
def read_one(ground):
    name = min(ground.some(5000), key=lambda one: (abs((ground.tree / one).stat().st_size - 10_240), one))
    server = ground.watched_server()
    lease = server.call("snapshot_file", path=name)[1]["lease_id"]
    server.call("snapshot_file", path=name, lease_id=lease)  # Other servers know the lease from this call on.
    snapshot = server.call("snapshot_create", paths=[name])[1]["snapshot_id"]

    def often(call):
        return lambda: statistics.median(call() for _ in range(50))

    def fresh():
        with ground.new_server() as unwatched:
            return unwatched.call("snapshot_file", path=name, lease_id=lease)[0]

    peers = {}
    if command := filesystem_server(ground.build, ground.node, ground.tree):
        theirs = ground.peer_server(*command)
        peers["server-filesystem"] = often(lambda: theirs.call("read_text_file", path=str(ground.tree / name))[0])
    return Contest({"under a lease, watched": often(lambda: server.call("snapshot_file", path=name, lease_id=lease)[0]),
                    "under a lease, not watched (a new server)": fresh,
                    "from a snapshot": often(lambda: server.call("snapshot_file", path=name, snapshot_id=snapshot)[0])},
                   peers, [Goal("under a lease, watched", ms=0.1), Goal("from a snapshot", ms=0.1)],
                   [lambda: f"the file has {(ground.tree / name).stat().st_size} bytes"], preread=False)


@row("read one file of 200 KB, CPU of the server")
def read_as_text(ground):
    """Compares the form for hosts whose models read text with that of the MCP specification, which has the content twice."""
    name = "read_as_text.txt"
    lines = (f'{i:05d}: print("a line of code", \'with quotes\', {i})  # and a tab:\t.\n' for i in range(4000))
    (ground.tree / name).write_text("".join(lines)[:200_000])
    as_json, as_text = ground.server("--answers", "json"), ground.server("--answers", "text")
    lease = as_json.call("snapshot_file", path=name)[1]["lease_id"]

    def cpu_of(server):
        server.call("snapshot_file", path=name, lease_id=lease)  # The other server knows the lease from this call on.

        def sample():
            before, calls = server.cpu(), 50
            for _ in range(calls):
                server.call("snapshot_file", path=name, lease_id=lease)
            return (server.cpu() - before) / calls
        return sample

    return Contest({"as text": cpu_of(as_text)}, {"as JSON": cpu_of(as_json)}, [Goal("as text", factor=0.6, peer="as JSON")],
                   after=lambda: (ground.tree / name).unlink(), preread=False)


# ---- writing -----------------------------------------------------------------------------------------------------

@row("apply a patch of 100 files, durable")
def apply_patch(ground):
    server = ground.watched_server()
    if "workspace_apply_patch" not in server.tools:
        return "this server has no workspace_apply_patch"
    names = ground.some(100)
    ground.edit(names)
    patch = trees.git(ground.tree, "diff", "--no-ext-diff", "--no-textconv", "--full-index")
    ground.restore(names)
    try:
        text = patch.decode()
    except UnicodeDecodeError:
        text = "base64:" + base64.b64encode(patch).decode()

    def ours():
        ground.restore(names)
        server.call("snapshot_file", path=ground.small_file())  # git has written another index; the server reads it now
        seconds, answer = server.call("workspace_apply_patch", patch=text)
        if not answer["applied"]:
            raise RuntimeError(f"the patch was rejected: {answer['rejects'][:3]}")
        return seconds

    def theirs():
        ground.restore(names)
        return ground.process("git", "apply", "-", input=patch)

    return Contest({"workspace.apply_patch": ours}, {"git apply (not durable)": theirs},
                   [Goal("workspace.apply_patch", factor=2, peer="git apply (not durable)")],
                   after=lambda: ground.restore(names))


@row("replace a file of 10 KB, durable")
def replace_file(ground):
    name, server, versions = "replaced.txt", ground.watched_server(), itertools.count()

    def replace(**options):
        """The mean of 50 consecutive calls, so that work that a call leaves for later is included."""
        contents = (f"version {next(versions)}\n".ljust(10_240, "x") for _ in range(50))
        return statistics.mean(server.call("workspace_write_file", path=name, content=each, **options)[0] for each in contents)

    return Contest({"workspace.write_file": replace}, {"without undo": lambda: replace(discard=True)},
                   [Goal("workspace.write_file", factor=1.3, peer="without undo")],
                   after=lambda: (ground.tree / name).unlink())


@row("delete node_modules of 40,000 files, durable")
def delete_modules(ground):
    folder, count = ground.tree / "node_modules", 2_000 if ground.is_quick else 40_000
    server = ground.watched_server()

    def make():
        for package in range(count // 20):
            (place := folder / f"package{package}").mkdir(parents=True)
            for i in range(20):
                (place / f"module{i}.js").write_text(f"export const value = {package * 20 + i};\n" * (1 + i * 5))

    def delete(**options):
        make()
        seconds, answer = server.call("workspace_delete", path="node_modules", recursive=True, **options)
        if not options and answer["undo_files"] != count:
            raise RuntimeError(f"{answer['undo_files']} files were stored for undo, not {count}")
        return seconds

    return Contest({"workspace.delete": delete}, {"without undo": lambda: delete(discard=True)},
                   [Goal("workspace.delete", factor=2, peer="without undo")], preread=False)


@row("snap_fix list with 10 000 undo snapshots")
def list_undos(ground):
    """The undo snapshots are copies of one, an hour old, with other ids. The server packs them after its first change."""
    count = 10_000
    name = ground.small_file()
    ground.forget_store()
    with ground.new_server() as server:
        undo = server.call("workspace_write_file", path=name, content="changed")[1]["undo"].removeprefix("sha256:")
    folder = ground.tree / ".git" / "snapgen" / "snapshots"
    header, note = (folder / undo).read_bytes(), json.loads((folder / f"{undo}.note").read_bytes())
    note["latest_ms"] -= 3_600_000
    text = json.dumps(note, separators=(",", ":"))
    for i in range(count):
        hexes = hashlib.sha256(str(i).encode()).hexdigest()
        (folder / f"{hexes}.note").write_text(text)
        (folder / hexes).write_bytes(header)
    server = ground.server()
    server.call("workspace_write_file", path=name, content="changed again")
    until = time.monotonic() + 60
    while len(os.listdir(folder)) > 1000:
        if time.monotonic() > until:
            raise RuntimeError("the undo snapshots are not packed after 60 s")
        time.sleep(0.01)
    files = sum(path.is_file() for path in folder.rglob("*"))

    def after():
        ground.close_servers()
        ground.restore([name])
        ground.forget_store()

    return Contest({"ours": lambda: server.call("snap_fix", action="list")[0]}, goals=[Goal("ours", ms=20)],
                   notes=[lambda: f"{count} undo snapshots take {files} files"], after=after)


@row("restore 100 files, durable")
def restore(ground):
    """Uses core::restore(), as snapback.snapshot_restore and snap_fix do, in a process that continues to run, like a server."""
    names = ground.some(100)
    with ground.new_server() as server:
        snapshot = server.call("snapshot_create", paths=["."])[1]["snapshot_id"]
    restorer = subprocess.Popen([str(ground.build / "tests/bench/restorer"), str(ground.tree)], stdin=subprocess.PIPE,
                                stdout=subprocess.PIPE, text=True, bufsize=1)
    watched = restorer.stdout.readline().strip()
    untouched = next(name for name in ground.plain if name not in set(names))
    before = os.lstat(ground.tree / untouched)

    def ours():
        restorer.stdin.write("\n")  # git has written another index, which the process must read first
        if restorer.stdout.readline().strip() != "seen":
            raise RuntimeError("the status cannot be read")
        ground.edit(names)
        restorer.stdin.write(snapshot + "\n")
        answer = restorer.stdout.readline().split()
        if len(answer) != 3 or int(answer[1]) != len(names):
            raise RuntimeError(f"not restored: {answer}")
        after = os.lstat(ground.tree / untouched)
        if (after.st_ino, after.st_mtime_ns) != (before.st_ino, before.st_mtime_ns):
            raise RuntimeError(f"{untouched} was changed")
        return float(answer[0])

    def theirs():
        ground.edit(names)
        return ground.process("git", "checkout", "-q", "--pathspec-from-file=-", "--pathspec-file-nul",
                              input="\0".join(names).encode())

    def after():
        restorer.stdin.close()
        restorer.wait()
        ground.restore(names)

    return Contest({"core::restore": ours}, {"git checkout (not durable)": theirs}, [Goal("core::restore", ms=20)],
                   [lambda: f"{watched}; a snapshot of what is replaced is made first; unchanged files keep inode and mtime"],
                   after=after)
