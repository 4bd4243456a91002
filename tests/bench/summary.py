#!/usr/bin/env python3
"""The end of `./dev bench --all`: it lists which targets of the report were met, why others were not, and where the time is
spent in the five rows that are furthest from their targets.

summary.py REPORT --build BUILD [--no-profile]

Every table of the report with a column "met" counts. The worst rows are then measured again, those of the substrate one at a
time, under perf if perf is installed and the kernel permits it. On a busy machine the results mean little.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from tables import amount, table

SLOWEST = 5

# The reason why a target is missed and what was done about it, by the beginning of the row's name; the longest match
# applies.
WHY = {
    "lease check": "Without a watch every file's stat is looked at, as git does, before and after reading; with one a check is two messages "
                   "through two threads. What is listed is kept with its stats, so that a check does not sort or hash anew.",
    "full fingerprint": "The status after an edit needs each file's stat where nothing watches; watched only what was reported.",
    "first snapshot": "Bound by hashing and compressing: sixteen files are hashed side by side with AVX-512, SHA instructions are used where they "
                      "are, and small files are compressed by LZ4.",
    "store of the first snapshot": "Quick compression costs room on small trees, where segments hold more bookkeeping than content.",
    "memory of the server": "What is kept is the list of files with their stats, so that the next call is quick.",
    "snapshot after 10": "Each file is looked at once, for a mapping may have written without notice, and the manifest is hashed whole, for its "
                         "hash is the snapshot's id.",
    "grep": "A search is coherent: the tree is looked at before and after, which ripgrep leaves out. Literals are found by their rarest bytes, "
            "files of one folder are read together, and a watched search begins with a list that is kept.",
    "read under a lease": "Not profiled. A watched read after a search must not depend on the number of files that the "
                          "search examined.",
    "snapshot of everything": "Each file is examined once, for a mapping may have written without an event, and the "
                              "manifest is hashed whole.",
    "first answer of a new server": "Without a watch each file is examined before and after reading.",
    "memory of a watching server": "The list of files of a watched tree is in memory: 40 bytes and a path each.",
    "calls per second": "The servers share the processors with each other and with the client.",
    "search of the whole tree": "A search is coherent: the tree is examined besides being searched.",
    "read one file": "The file's stat is compared after it was read, and the answer is one message each way through the pipe.",
    "apply a patch": "One sync of the journal is what makes it durable; git apply syncs nothing.",
    "replace in a 10 KB file": "The replaced content is stored and synced before the file is written, and the file is synced, too.",
    "one call that edits 100 files": "The replaced contents and the journal are synced, and each file is read, hashed and renamed.",
    "1000 edits in a 50 MB file": "The old and the new content are hashed, the old one is compressed and stored, and both are synced.",
    "refused edits": "Some answers name no complete correction: nearest is cut, or lacks a part of the difference.",
    "restore": "A snapshot of what is replaced is made and synced first; git checkout keeps nothing and syncs nothing.",
    "undone exactly": "Not profiled. A moment that is taken late has the last change and the accident together; the rows below "
                      "the table name the files.",
    **{f"{host}: the history names": "Without an id of the call, the begin of a call counts only if it is later than the last comparison."
       for host in ("copilot", "cursor", "gemini")},
    "context switches in 60 s": "The loop of the server wakes twice a minute to release trees that are not used.",
    "store after the day": "Whole files are compressed with LZ4; git stores the differences between files.",
    "from an edit until": "Without a watch, the history waits 20 times as long as its last comparison took.",
    "a file system is mounted": "A mount ends the kernel's watch. The history then waits, and a second mount ends it until the next call.",
    "calls/s": "The load generator and the server share the cores with whatever else runs.",
    "CPU per echo of 75 KB": "Bound by UTF-8 and escapes; compared with the same machine's Node it is a third.",
    "memory at rest (RSS)": "What shared libraries the loader maps, and their relocations; the server's own heap is a fraction of it.",
    "calls over HTTP": "Bound by a read and a write of the kernel for each call, as the SDK is by its own work.",
    "120 B": "One read takes many frames and one write answers them; unmasking is done sixteen bytes at a time.",
    "a validated call": "It is a whole MCP call: envelope, dispatch, checked input, canonical output.",
    "16 KB": "Unmasking and the check of UTF-8 pass over the bytes once each; copying is the kernel's.",
    "an idle connection": "A coroutine's frame holds room for two errors.",
    "133-byte call": "The targets are another machine's, where simdjson by hand takes 185 ns: compare the ratio.",
    "snap start": "Learnings are found by an index on the disk; what remains is reading the ones that fit.",
    "compiling them from clean": "Sources of a family are compiled twelve at a time, and the texts of tools/list have a source of their own.",
    "p99 of a host's call": "What floods is limited by connection; the kernel's share of a flood is not ours to give back.",
    "tool call": "The message is rendered once and the answer is read in one pass.",
    **{name: "Met where nothing else runs, as docs/benchmarks.md has it: a wait for a processor is longer than the work."
       for name in ("cold start", "exit after EOF", "validate", "context", "session", "meta", "prepare_workspace", "analyze", "snapshot_create", "snapshot_list",
                    "snap --help", "snap snapshot list", "the schema of MCP, to types")},
    "learn": "One sync of the disk.",
    "acknowledge_risk": "One sync of the disk.",
}


@dataclass
class Row:
    part: str       # the part of the report: "", or websocket
    section: str
    name: str       # the operation
    who: str        # which of our programs was measured, if a row has several
    takes: str
    target: str
    met: bool
    peers: dict     # name -> milliseconds

    def why(self):
        fits = [begin for begin in WHY if self.name.startswith(begin)]
        return WHY[max(fits, key=len)] if fits else ""

    def times(self):
        """Returns the factor by which the value misses the target; below 1 if it meets the target, None if unknown."""
        said = re.fullmatch(r"([≤≥]?) ?(?:([\d.]+) × )?(.+)", self.target)
        took = number(self.takes)
        if not said or not took:
            return None
        limit = self.peers.get(said[3], number(said[3]))
        if not limit:
            return None
        limit *= float(said[2] or 1)
        return limit / took if said[1] == "≥" else took / limit


def number(text):
    """Parses texts like 12.5, 1 036 or 3.9 ms. Returns None if the text does not begin with a number."""
    found = re.match(r"\s*(\d{1,3}(?: \d{3})+|\d+(?:\.\d+)?)", text)
    return float(found[1].replace(" ", "")) if found else None


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def rows_of(report):
    part, section, header = "", "", None
    for line in report.splitlines():
        if line.startswith("#"):
            section = line.lstrip("# ").strip()
        if section.startswith("./dev bench") and line.startswith("#"):
            part = section.removeprefix("./dev bench").strip()
        if not line.startswith("|"):
            header = None
            continue
        found = cells(line)
        if header is None:
            header = found
        elif not set("".join(found)) <= {"-"} and "met" in header and len(found) == len(header):
            cell = dict(zip(header, found))
            if cell["met"] not in ("yes", "NO"):
                continue
            peers = {}
            for each in re.finditer(r"(.+?) (\d[\d ]*(?:\.\d+)?)(?:, |$)", cell.get("peers", "")):
                peers[each[1]] = number(each[2])
            yield Row(part, section, found[0], cell.get("ours", ""), cell.get("takes") or cell.get("measured") or found[1],
                      cell.get("target", ""), cell["met"] == "yes", peers)


def failed_parts(report):
    """Returns the headings of parts that failed."""
    part = ""
    for line in report.splitlines():
        if line.startswith("# ./dev bench"):
            part = line[2:]
        elif line == "This part failed.":
            yield part


def slowest(missed):
    """Returns the rows furthest from their target, each operation once."""
    late = sorted((row for row in missed if row.times()), key=lambda row: -row.times())
    once = {}
    for row in late:
        once.setdefault((row.name, row.section), row)
    return list(once.values())[:SLOWEST]


def tree_of(section):
    """Returns the options of `bench substrate`, `bench growth` or `bench edits` that select the section's tree; None if the
    section is not part of them."""
    generated = re.match(r"(?:Substrate: ([\d ]+) generated|(?:Growth|Edits): ([\d ]+) small) files", section)
    if generated:
        return ["--sizes", re.sub(r"\D", "", generated[1] or generated[2])]
    return ["--sizes", "", "--linux"] if section.startswith("Substrate: Linux") else None


def again(row):
    """Returns the arguments that measure the row again, alone if possible, else in a short run of its part; None for the
    comparison of our servers with their peers."""
    tree = tree_of(row.section)
    if tree and row.section.startswith("Growth"):
        return ["growth.py", "--only", row.name.split(",")[0], "--rounds", "3", *tree]
    if tree and row.section.startswith("Edits"):
        return ["edits.py", "--only", row.name.split(",")[0], "--rounds", "3", *tree]
    if tree:
        return ["substrate.py", "--only", row.name, "--rounds", "3", *tree]
    if row.section.startswith("History: "):
        return ["history.py", "--quick", "--only", row.section.removeprefix("History: ")]
    return [f"{row.part}.py", "--quick"] if row.part in ("edits", "websocket", "wire", "bridge", "compiler") else None


# Names of threads; the kernel stores only fifteen characters.
OURS = "snapgen-server,restorer,fixture-server,websocket-echo,snap,codegen_bench,schema_bench"


def profile(row, build, node):
    """Returns where our programs spend time while the row runs, as lines; or a sentence with the reason why that is unknown."""
    words = again(row)
    if words is None:
        return "It is of a part that measures our servers and their peers together."
    if shutil.which("perf") is None:
        return "perf is not installed."
    with tempfile.TemporaryDirectory(prefix="profile-", dir=build) as folder:
        data = f"{folder}/perf.data"
        here = Path(__file__).parent
        bench = [sys.executable, "-B", here / words[0], "--build", build, *(["--node", node] if node else []), *words[1:]]
        ran = subprocess.run(["perf", "record", "-q", "-F", "499", "-o", data, "--", *map(str, bench)], capture_output=True, text=True,
                             cwd=here.parent.parent)
        if ran.returncode != 0:
            return f"perf could not count: {(ran.stderr.strip().splitlines() or ['it said nothing'])[-1][:200]}"
        report = subprocess.run(["perf", "report", "-i", data, "--stdio", "-q", "--sort", "symbol", "--comms", OURS, "--percentage", "relative"],
                              capture_output=True, text=True, env={**os.environ, "PAGER": "cat"}).stdout
    lines = [re.sub(r"\s+(-\s+-\s*)?$", "", line.strip()) for line in report.splitlines() if re.match(r"\s*\d+\.\d+%", line)]
    return lines[:8] or "perf saw nothing of the server."


def summary(report, build, node, with_profile):
    rows = list(rows_of(report))
    missed = [row for row in rows if not row.met]
    yield (f"# Targets\n\n{len(rows) - len(missed)} of {len(rows)} rows with a target meet it. "
           f"Load at the end: {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores.")
    parts = list(failed_parts(report))
    if parts:
        yield "Parts that failed: " + ", ".join(parts) + "."
    if missed:
        times = lambda row: "–" if row.times() is None else f"{amount(row.times())} ×"  # noqa: E731
        yield table(["not met", "ours", "where", "takes", "target", "that is", "why, and what was done"],
                    [[row.name, row.who, row.section, row.takes, row.target, times(row), row.why() or "not explained"] for row in missed])
    worst = slowest(missed)
    if worst:
        yield f"# Where the time goes in the {len(worst)} rows furthest from their targets"
    for row in worst:
        found = profile(row, build, node) if with_profile else "Not asked for."
        body = found if isinstance(found, str) else "```\n" + "\n".join(found) + "\n```"
        yield f"## {row.name}, {row.who or 'ours'}: {row.section}\n\n{body}\n\n{row.why()}".rstrip()


def main():
    parser = argparse.ArgumentParser(description="Targets met and missed in a report, and profiles of the worst rows.")
    parser.add_argument("report", type=Path)
    parser.add_argument("--build", type=Path, required=True)
    parser.add_argument("--node")
    parser.add_argument("--no-profile", action="store_true")
    arguments = parser.parse_args()
    for section in summary(arguments.report.read_text(encoding="utf-8"), arguments.build.absolute(), arguments.node, not arguments.no_profile):
        print(section + "\n", flush=True)


if __name__ == "__main__":
    main()
