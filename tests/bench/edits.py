#!/usr/bin/env python3
"""Edits with the slips that models make, beside git apply, GNU patch and server-filesystem, and the time of edits: tables on
the terminal and in BUILD/bench-edits.md.

edits.py --build BUILD [--node NODE] [--count N] [--seed N] [--quick]

A case is a true change of a source file of this machine, written as a model writes it, with one slip (edit_slips.py). The
generator knows the right result, and whether the written text has only one meaning. 10,000 cases (--quick: 1,000) go to the
server; the peers get a sample of them. A refused edit is corrected once, by what the answer names (edit_corrections.py).
"""
import argparse
import json
import os
import random
import shutil
import tempfile
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

import edit_corrections
import edit_corpus
import edit_slips
import edit_speed
import substrate
from edit_peers import Peers, Tally
from stdio_server import Server, filesystem_server
from tables import amount, table, verdicts
from trees import git

PATH = "src/source{}"
MEMORY = "/dev/shm"  # The cases are about the results. The times are taken on the disk.
SAMPLE = 60  # cases of each kind that the peers get
EXAMPLES_MAX = 5
UNIQUE_GOAL = 99  # per cent


@dataclass
class Kind:
    """The results of one kind of slip."""
    cases: int = 0
    unique: int = 0
    right: int = 0
    unique_right: int = 0
    wrong: int = 0
    refused: int = 0
    corrected: int = 0
    words: Counter = field(default_factory=Counter)  # how the answers named the correction


def write(folder, case):
    path = folder / case.written.path
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(case.change.before.encode())
    return path


class Ours:
    """A server on a scratch repository, and what it makes of the cases."""

    def __init__(self, build, folder):
        self.folder, self.server = folder, Server([build / "snapgen-server", "--stdio", "--workspace", folder])
        self.kinds = {kind: Kind() for kind in edit_slips.SLIPS}
        self.sampled = {True: Tally(), False: Tally()}  # whether the form is a unified diff
        self.examples = []

    def call(self, edit):
        """Returns the answer, and the bytes of the arguments and of the answer."""
        tool, arguments = edit.call()
        answer = self.server.exchange("tools/call", {"name": tool, "arguments": arguments})[1]["result"]
        return answer, len(json.dumps(arguments)), len(json.dumps(answer))

    def run(self, case, is_sampled):
        kind, path = self.kinds[case.kind], write(self.folder, case)
        answer, sent, received = self.call(case.written)
        content = path.read_bytes()
        structured = answer.get("structuredContent") or {}
        is_accepted = bool(structured.get("applied"))
        is_right = is_accepted and content == case.change.after.encode()
        is_wrong = is_accepted and not is_right or not is_accepted and content != case.change.before.encode()
        if is_sampled and case.written.form != "v4a":
            self.sampled[case.written.form == "unified"].add(case, is_accepted, content, sent, received)
        kind.cases += 1
        kind.unique += case.is_unique
        kind.right += is_right
        kind.unique_right += is_right and case.is_unique
        kind.wrong += is_wrong
        kind.refused += not is_accepted
        if is_wrong or (case.is_unique and not is_right):
            self.add_example(case, "wrong" if is_wrong else "unique, refused", answer)
        if not is_accepted:
            self.correct(case, path, answer, structured)

    def correct(self, case, path, answer, structured):
        kind = self.kinds[case.kind]
        edit, word = None, answer["content"][0]["text"]
        if not answer.get("isError"):
            edit, word = edit_corrections.corrected(case, structured)
        if edit is not None:
            again, _, _ = self.call(edit)
            if path.read_bytes() == case.change.after.encode():
                kind.corrected += 1
            else:
                word += ", in vain"
                self.add_example(case, word, again)
        elif not answer.get("isError"):
            self.add_example(case, word, answer)
        kind.words[word.split(":")[0][:60]] += 1

    def add_example(self, case, what, answer):
        """Remembers a case for the report, some of each kind and result."""
        same = sum((case.kind, what) == example[:2] for example in self.examples)
        if same < EXAMPLES_MAX:
            self.examples.append((case.kind, what, case, answer))


def run_cases(arguments, scratch):
    chance = random.Random(arguments.seed)
    found = edit_corpus.sources(chance)
    tree, other = scratch / "tree", scratch / "peers"
    for folder in (tree, other):
        folder.mkdir()
        git(folder, "init", "-q")
    ours = Ours(arguments.build, tree)
    command = filesystem_server(arguments.build, arguments.node, other)
    peers = Peers(other, Server(command) if command else None)
    try:
        taken = Counter()
        for number, case in enumerate(edit_slips.cases(chance, found, arguments.count, PATH, str(tree))):
            if number % 100 == 0:
                substrate.progress(f"edits: {number} of {arguments.count}")
            is_sampled = taken[case.kind] < SAMPLE
            taken[case.kind] += 1
            ours.run(case, is_sampled)
            if is_sampled:
                if case.written.root:
                    case.written.root = str(other)
                peers.run(case)
    finally:
        substrate.progress("")
        ours.server.close()
        if peers.server:
            peers.server.close()
    return found, ours, peers


# ---- tables ------------------------------------------------------------------------------------------------------

def corpus_section(found):
    rows = [[language, len(sources) or "none on this machine, so not measured", sum(len(source.lines) for source in sources)]
            for language, sources in found.items()]
    return "Edits: the source files", table(["language", "files", "lines"], rows)


def kinds_section(ours):
    rows = []
    for name, kind in ours.kinds.items():
        words = ", ".join(f"{word} {count}" for word, count in kind.words.most_common(4))
        rows.append([name, kind.cases, kind.unique, f"{kind.unique_right} of {kind.unique}", kind.right, kind.wrong, kind.refused,
                     f"{kind.corrected} of {kind.refused}", words])
    header = ["slip", "cases", "of one meaning", "of these at once", "right at once", "wrong", "refused", "right once corrected",
              "what the answers named"]
    return "Edits: by the kind of slip", table(header, rows)


def targets_section(ours):
    total = lambda name: sum(getattr(kind, name) for kind in ours.kinds.values())  # noqa: E731
    percent = lambda part, whole: 100 * part / whole if whole else 100  # noqa: E731
    return "Edits: targets", verdicts([
        ["edits applied in a wrong way", total("wrong"), "≤", 0, ""],
        ["edits of one meaning accepted at once", percent(total("unique_right"), total("unique")), "≥", UNIQUE_GOAL, "%"],
        ["refused edits that the named correction mends", percent(total("corrected"), total("refused")), "≥", 100, "%"]])


def tally_row(name, form, tally):
    cases = tally.right + tally.wrong + tally.refused
    return [name, form, cases, tally.right, tally.wrong, tally.refused, tally.left_changed, amount(tally.bytes_in / max(cases, 1), 0),
            amount(tally.bytes_out / max(cases, 1), 0)]


def peers_section(ours, peers):
    rows = [tally_row("snapgen", "unified diff", ours.sampled[True])]
    rows += [tally_row(name, "replace" if name == "server-filesystem" else "unified diff", tally) for name, tally in peers.tallies.items()]
    rows.append(tally_row("snapgen", "replace", ours.sampled[False]))
    header = ["program", "form", "cases", "right", "wrong", "refused", "refused, but the file changed", "bytes in", "bytes out"]
    note = f"The first {SAMPLE} cases of each kind, of each form. GNU patch runs with its default fuzz of 2."
    if "server-filesystem" not in peers.tallies:
        note += " server-filesystem is not installed in tests/clients."
    return "Edits: beside other programs", table(header, rows) + "\n\n" + note


def sections(arguments, scratch):
    found, ours, peers = run_cases(arguments, scratch)
    if arguments.examples:
        write_examples(arguments.examples, ours.examples)
    yield corpus_section(found)
    yield kinds_section(ours)
    yield targets_section(ours)
    yield peers_section(ours, peers)


def write_examples(path, examples):
    with open(path, "w", encoding="utf-8") as out:
        for kind, what, case, answer in examples:
            tool, call = case.written.call()
            out.write(f"==== {kind}: {what} ({tool})\n{call.get('patch') or json.dumps(call, indent=1)}\n"
                      f"---- answer\n{json.dumps(answer)[:3000]}\n---- file\n{case.change.before}\n")


def main():
    parser = argparse.ArgumentParser(prog="./dev bench edits", description="Edits with the slips that models make.")
    parser.add_argument("--build", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--node", default=shutil.which("node"), help=argparse.SUPPRESS)
    parser.add_argument("--count", type=int, help="the number of edits (10000; with --quick 1000)")
    parser.add_argument("--seed", type=int, default=1, help="another number makes other edits (1)")
    parser.add_argument("--examples", type=Path, help="write some edits that were applied wrongly or needlessly refused to this file")
    parser.add_argument("--quick", action="store_true", help="1,000 edits, and one round of times, to test the benchmark")
    substrate.add_common_arguments(parser, "1000", "5; with --quick 1")
    arguments = parser.parse_args()
    arguments.count = (1_000 if arguments.quick else 10_000) if arguments.count is None else arguments.count
    arguments.sizes = arguments.sizes or [1_000]
    arguments.build = arguments.build.absolute()
    os.chdir(edit_corpus.ROOT)
    cache = arguments.cache or arguments.build / "bench-trees"
    cache.mkdir(parents=True, exist_ok=True)
    scratch = Path(tempfile.mkdtemp(prefix="snapgen-edits-", dir=MEMORY if os.access(MEMORY, os.W_OK) else cache))
    try:
        def all_sections():
            if not arguments.only:
                yield from sections(arguments, scratch)
            yield from edit_speed.sections(arguments)
        substrate.write_report(arguments.build / "bench-edits.md", "Benchmarks of edits", arguments.node, all_sections())
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


if __name__ == "__main__":
    main()
