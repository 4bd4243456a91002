"""Faults while the history is recorded: a server that is killed, a full disk, a store that cannot be written, one that is
deleted, and a file system that is mounted, which ends the kernel's watch of the tree."""
import contextlib
import json
import os
import random
import shutil
import subprocess
import time

from accidents import QUIET_SECONDS, Project, differences, log_bytes, log_of, wait_for, wait_for_base
from stdio_server import Server

FILES = 300  # that change between two kills
DISK_BYTES = 32 << 20
RECOVER_SECONDS = 20  # The server tries again ten seconds after a failure.
WATCHED_SECONDS = 3
CPU_SECONDS_MAX = 0.5  # in these seconds


class Fault(Exception):
    """What went wrong, in a sentence."""


def check(holds, sentence):
    if not holds:
        raise Fault(sentence)


def started(build, tree, log=subprocess.DEVNULL):
    server = Server([build / "snapgen-server", "--stdio", "--workspace", tree], log=log)
    server.call("snapshot_file", path="bin/run.sh")
    return server


def check_files(project, expected, when):
    found = differences(expected, project.files()[0])
    check(not found, f"{len(found)} files differ {when}: {'; '.join(found[:3])}")


def moments_of(server):
    turns = server.call("history_list", max_moments=200)[1]["turns"]
    return {moment["moment"]: moment for turn in turns for moment in turn["moments"]}


# ---- kills -------------------------------------------------------------------------------------------------------

def write_round(project, names, number):
    for name in names:
        project.write(name, b"round %d\n" % number * 50)


def check_log(tree):
    lines = log_of(tree).read_bytes().splitlines(keepends=True)
    for line in lines[:-1] if lines and not lines[-1].endswith(b"\n") else lines:
        json.loads(line)


def kills(build, scratch, rounds, seed):
    """Kills a server `rounds` times, at about the time at which it takes a moment of 300 changed files. Each next server must
    have one moment for each round, and be able to return to each of them."""
    chance = random.Random(seed)
    project = Project(scratch / "kills", chance)
    names, during = project.sources()[:FILES], 0
    write_round(project, names, 0)
    server = started(build, project.folder)
    wait_for_base(project.folder)
    for number in range(1, rounds + 1):
        write_round(project, names, number)
        expected, size = project.files()[0], log_bytes(project.folder)
        time.sleep(chance.uniform(0, 0.7) if number % 4 == 0 else chance.uniform(0.65, 1.1))
        server.process.kill()
        server.process.wait()
        server.close()
        during += log_bytes(project.folder) == size
        check_files(project, expected, f"after kill {number}")
        server = started(build, project.folder)
        wait_for(lambda: f"m{number}" in moments_of(server), f"no moment m{number} after kill {number}")
        time.sleep(0.3)
        check_log(project.folder)
        moments = moments_of(server)
        check(len(moments) == number, f"{len(moments)} moments after kill {number}")
        changed = moments[f"m{number}"].get("change_count", len(moments[f"m{number}"]["changes"]))
        check(changed == FILES, f"m{number} has {changed} changes instead of {FILES}")
        check_files(project, expected, f"after the start of the server that follows kill {number}")
    for number in range(1, rounds + 1):
        server.call("history_rewind", target=f"m{number}")
        wrong = [name for name in names if (project.folder / name).read_bytes() != b"round %d\n" % (number - 1) * 50]
        check(not wrong, f"the state before m{number} is wrong in {len(wrong)} files, such as {wrong[:1]}")
    server.close()
    return during


# ---- stores that cannot be written -------------------------------------------------------------------------------

def ask(server, tool, **arguments):
    """Returns the result of a call, which may be an error of the tool."""
    return server.exchange("tools/call", {"name": tool, "arguments": arguments})[1]["result"]


def check_calls(server, project):
    """Changes files, and checks that calls answer, that reads are right, and that the server does nothing else."""
    name = project.sources()[0]
    content = b"int changed = 1; \n".ljust((project.folder / name).stat().st_size)
    with open(project.folder / name, "r+b") as file:  # Writing in place needs no space.
        file.write(content)
    expected, cpu = project.files()[0], server.cpu()
    time.sleep(WATCHED_SECONDS)
    check(server.cpu() - cpu < CPU_SECONDS_MAX, f"the server used {server.cpu() - cpu:.1f} s of CPU in {WATCHED_SECONDS} s without calls")
    read = ask(server, "snapshot_file", path=name)
    check(not read.get("isError"), f"snapshot_file fails: {read['content'][0]['text'][:200]}")
    check(read["structuredContent"]["content"].encode() == content, "snapshot_file returns another content")
    listed = ask(server, "snapshot_list", path="src/part0")
    check(not listed.get("isError"), f"snapshot_list fails: {listed['content'][0]['text'][:200]}")
    for tool, arguments in (("history_list", {}), ("history_rewind", {"target": "m1", "dry_run": True}), ("snapshot_create", {})):
        ask(server, tool, **arguments)
    written = ask(server, "workspace_write_file", path=name, content="written\n", overwrite=True)
    if not written.get("isError"):
        expected[os.fsencode(name)] = (expected[os.fsencode(name)][0], b"written\n")
    check_files(project, expected, "after the calls")
    check(server.process.poll() is None, "the server has ended")


def check_recovery(server, project):
    """Checks that a change is recorded again, and that a rewind works."""
    name = project.sources()[1]
    before, known = project.files()[0], set(moments_of(server))
    time.sleep(RECOVER_SECONDS / 2)
    project.write(name, b"later\n")

    def moment():
        return next((moment for moment, found in moments_of(server).items()
                     if moment not in known and any(change["path"] == name for change in found["changes"])), None)

    server.call("history_rewind", target=wait_for(moment, "the history is not recorded again", RECOVER_SECONDS, pause=0.2))
    found = differences(before, project.files()[0])
    check(not found, f"the rewind left differences: {found[:3]}")


@contextlib.contextmanager
def mounted(folder, *words):
    subprocess.run(["mount", *map(str, words), str(folder)], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(folder)], check=True)


def full_disk(build, scratch, seed):
    folder = scratch / "small-disk"
    folder.mkdir()
    with mounted(folder, "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "tmpfs"):
        project = Project(folder / "tree", random.Random(seed))
        with started(build, project.folder) as server:
            wait_for_base(project.folder)
            with contextlib.suppress(OSError), open(folder / "filler", "wb", buffering=0) as filler:
                while True:
                    filler.write(bytes(4096))
            check_calls(server, project)
            with started(build, project.folder) as other:
                check_calls(other, project)
            (folder / "filler").unlink()
            check_recovery(server, project)


def read_only_store(build, scratch, seed):
    project = Project(scratch / "read-only", random.Random(seed))
    store = project.folder / ".git/snapgen"
    with started(build, project.folder) as server:
        wait_for_base(project.folder)
        with mounted(store, "--bind", store):
            subprocess.run(["mount", "-o", "remount,ro,bind", store], check=True)
            check_calls(server, project)
            with started(build, project.folder) as other:
                check_calls(other, project)
        check_recovery(server, project)


def deleted_store(build, scratch, seed):
    project = Project(scratch / "deleted", random.Random(seed))
    with started(build, project.folder) as server:
        wait_for_base(project.folder)
        shutil.rmtree(project.folder / ".git/snapgen")
        check_calls(server, project)
        check_recovery(server, project)


def mounts(build, scratch, seed):
    """Checks that changes are recorded within a second after a file system was mounted elsewhere."""
    project, elsewhere = Project(scratch / "mounts", random.Random(seed)), scratch / "elsewhere"
    elsewhere.mkdir()
    name = project.sources()[0]
    with started(build, project.folder):
        wait_for_base(project.folder)
        time.sleep(3)
        for mount in range(3):
            with mounted(elsewhere, "-t", "tmpfs", "tmpfs"):
                for change in range(5):
                    size = log_bytes(project.folder)
                    project.write(name, b"change %d after mount %d\n" % (change, mount))
                    time.sleep(QUIET_SECONDS)
                    check(log_bytes(project.folder) > size, f"change {change + 1} after mount {mount + 1} is not recorded within a second")


def run(build, scratch, is_quick, seed):
    """Yields the name of each fault, and what went wrong; "" if nothing did, None with a reason if it was not tested."""
    rounds = 5 if is_quick else 50

    def killed():
        during = kills(build, scratch, rounds, seed)
        notes.append(f"In {during} of {rounds} kills the moment was not in the log yet.")

    notes = []
    for name, needs_root, test in ((f"the server is killed {rounds} times while it takes moments", False, killed),
                                   ("the disk is full", True, lambda: full_disk(build, scratch, seed)),
                                   ("the store cannot be written", True, lambda: read_only_store(build, scratch, seed)),
                                   ("the store is deleted", False, lambda: deleted_store(build, scratch, seed)),
                                   ("a file system is mounted", True, lambda: mounts(build, scratch, seed))):
        if needs_root and os.geteuid() != 0:
            yield name, None, "needs root, to mount a file system"
            continue
        problem = ""
        try:
            test()
        except (Fault, RuntimeError, OSError, subprocess.CalledProcessError) as error:
            problem = f"{error}"
        yield name, not problem, problem or " ".join(notes)
        notes.clear()
