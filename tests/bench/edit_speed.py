"""How long edits take: rows as those of substrate_rows.py, on a tree of small files."""
import os
import statistics
import time

import substrate
import trees
from growth import sync_ms
from stdio_server import filesystem_server
from substrate_rows import Contest, Goal, row

CALLS = 100  # in one sample of a small edit
FILES = 100
EDITS = 1_000
LARGE_BYTES = 50_000_000  # --only splits at commas, so no name of a row has a number with one
ROWS = {}


def numbered_lines(size):
    """Returns at least `size` bytes of lines that all differ, with the word `old`."""
    line = "int value_{:08d} = old;\n"
    return "".join(line.format(number) for number in range(size // len(line.format(0)) + 1))


class Turns:
    """Replaces the word `old` of a line by `new`, and at the next turn back."""

    def __init__(self):
        self.words = "old", "new"

    def edits(self, path, numbers):
        old, new = self.words
        return [{"path": path, "old": f"value_{number:08d} = {old};", "new": f"value_{number:08d} = {new};"} for number in numbers]

    def next(self):
        self.words = self.words[::-1]


@row("replace in a 10 KB file, durable", ROWS)
def replace_in_small_file(ground):
    """Medians of calls. The floor is what the same bytes cost without a server: a temporary file, fsync, rename."""
    ours_path, peer_path, floor_path = (ground.tree / f"edit-{name}.c" for name in ("ours", "peer", "floor"))
    content = numbered_lines(10_000)
    for path in (ours_path, peer_path):
        path.write_text(content)
    server, turns, peer_turns = ground.watched_server(), Turns(), Turns()

    def edit():
        seconds = server.call("workspace_edit", edits=turns.edits(ours_path.name, [7]))[0]
        turns.next()
        return seconds

    def floor():
        begin = time.perf_counter()
        for _ in range(CALLS):
            write_durably(floor_path, content.encode())
        return (time.perf_counter() - begin) / CALLS

    peers = {"write, fsync, rename": floor}
    if command := filesystem_server(ground.build, ground.node, ground.tree):
        theirs = ground.peer_server(*command)

        def peer_edit():
            (edit,) = peer_turns.edits(str(peer_path), [7])
            peer_turns.next()
            return theirs.call("edit_file", path=edit["path"], edits=[{"oldText": edit["old"], "newText": edit["new"]}])[0]

        peers["server-filesystem, not durable"] = lambda: statistics.median(peer_edit() for _ in range(CALLS))

    def clean():
        for path in (ours_path, peer_path, floor_path):
            path.unlink(missing_ok=True)

    return Contest({"workspace_edit": lambda: statistics.median(edit() for _ in range(CALLS))}, peers,
                   [Goal("workspace_edit", ms=2)], after=clean, preread=False, notes=[
                       lambda: f"an fsync of a small new file takes {sync_ms(ground.scratch / 'synced'):.2f} ms on this disk"])


def write_durably(path, content):
    staged = path.with_suffix(".staged")
    with open(staged, "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    staged.rename(path)


@row("one call that edits 100 files", ROWS)
def edit_of_many_files(ground):
    names = [f"edit-{number}.c" for number in range(FILES)]
    for name in names:
        (ground.tree / name).write_text(numbered_lines(2_000))
    server, turns = ground.watched_server(), Turns()

    def ours():
        seconds = server.call("workspace_edit", edits=[edit for name in names for edit in turns.edits(name, [7])])[0]
        turns.next()
        return seconds

    def clean():
        for name in names:
            (ground.tree / name).unlink()

    return Contest({"workspace_edit": ours}, goals=[Goal("workspace_edit", ms=20)], after=clean, preread=False)


@row("1000 edits in a 50 MB file", ROWS)
def many_edits_of_a_large_file(ground):
    path = ground.tree / "edit-large.c"
    content = numbered_lines(LARGE_BYTES)
    path.write_text(content)
    step = content.count("\n") // EDITS
    server, turns = ground.watched_server(), Turns()

    def ours():
        seconds = server.call("workspace_edit", edits=turns.edits(path.name, range(0, EDITS * step, step)))[0]
        turns.next()
        return seconds

    return Contest({"workspace_edit": ours}, goals=[Goal("workspace_edit", ms=2000)], after=path.unlink, preread=False)


def wanted_trees(arguments, cache):
    for count in arguments.sizes:
        yield f"{count:,} small files".replace(",", " "), lambda count=count: trees.small_files(cache, count), count


def sections(arguments):
    return substrate.run(arguments, "Edits", ROWS, wanted_trees)
