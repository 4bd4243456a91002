#!/usr/bin/env python3
"""The operations of the substrate beside the best peers of each, in one run on one machine: tables on the terminal and in
BUILD/bench.md.

substrate.py --build BUILD [--node NODE] [--repo DIR] [--linux] [--sizes 1000,10000,100000] [--only WORDS] [--quick]

The trees are generated ones of 1 000, 10 000 and 100 000 files, a scratch clone of DIR, and Linux 6.1. They are created
once, in --cache (BUILD/bench-trees). The rows are in substrate_rows.py. A round takes one sample of each server and peer,
one after the other, each after all files were read once. The printed figure is the median of the rounds.
"""
import argparse
import math
import os
import shutil
import statistics
import sys
import tempfile
import traceback
from pathlib import Path

import trees
from ground import Ground
from substrate_rows import ROWS, Contest
from tables import amount, machine, table

LINUX_ARCHIVE = Path("/usr/src/linux-source-6.1.tar.xz")


def progress(text):
    if sys.stderr.isatty():
        print(f"\r\x1b[K{text}", end="", file=sys.stderr, flush=True)


def measure(ground, title, make, rounds):
    """Returns the contest and the median milliseconds for each name; or a sentence with the reason why there are none."""
    contest = make(ground)
    if isinstance(contest, str):
        return contest, {}
    times = {name: [] for name in [*contest.ours, *contest.peers]}
    try:
        for number in range(rounds):
            for name, sample in [*contest.ours.items(), *contest.peers.items()]:
                progress(f"{ground.tree.name}: {title}, round {number + 1} of {rounds}: {name}")
                if contest.preread:
                    ground.preread()
                times[name].append(1000 * sample())
        contest.figures = [figure() for figure in contest.figures]
        contest.notes = [note() for note in contest.notes]
    finally:
        if contest.after:
            contest.after()
    progress("")
    return contest, {name: statistics.median(values) for name, values in times.items()}


def rows_of(title, contest, found):
    if isinstance(contest, str):
        return [[title, "–", "", "", "", "", ""]]
    best = min(contest.peers, key=lambda name: found[name], default=None)
    rows = []
    for ours in contest.ours:
        goal = next((one for one in contest.goals if one.ours == ours), None)
        is_met = goal.is_met(found) if goal else None
        ratio = amount(found[ours] / found[best], 3) if best else ""
        peers = ", ".join(f"{name} {amount(found[name])}" for name in contest.peers)
        rows.append([title, ours, amount(found[ours], 3), peers, ratio, goal.text() if goal else "",
                     "" if is_met is None else "yes" if is_met else "NO"])
    return rows


def exponent(points):
    """Returns the slope of a line through log(files), log(value): 0 means independent of the tree's size, 1 proportional to it."""
    xs, ys = [math.log(files) for files, _ in points], [math.log(max(value, 1e-6)) for _, value in points]
    x, y = statistics.mean(xs), statistics.mean(ys)
    return sum((a - x) * (b - y) for a, b in zip(xs, ys)) / sum((a - x) ** 2 for a in xs)


def growth(results):
    """results: (files, title -> (contest, found)) of the generated trees."""
    rows = []
    for title in dict.fromkeys(title for _, taken in results for title in taken):
        series = {}
        for files, taken in results:
            contest, found = taken.get(title, ("", {}))
            for name, value in found.items():
                series.setdefault((name, name in contest.ours), []).append((files, value))
        for (name, ours), points in series.items():
            if len(points) > 1:
                by_size = dict(points)
                rows.append([title, name if ours else f"*{name}*",
                             *(amount(by_size[files], 3) if files in by_size else "–" for files, _ in results),
                             f"{exponent(points):.2f}"])
    header = ["operation, ms if nothing else is said", "who (peers in italics)", *(f"{files:,} files".replace(",", " ") for files, _ in results), "exponent"]
    return table(header, rows)


def wanted_trees(arguments, cache):
    """Returns the name, the function that creates the tree, and the number of generated files."""
    for count in arguments.sizes:
        yield f"{count:,} generated files".replace(",", " "), lambda count=count: trees.generated(cache, count), count
    if arguments.repo:
        yield f"a clone of {arguments.repo.absolute().name}", lambda: trees.clone_of(cache, arguments.repo), None
    if arguments.linux:
        yield "Linux 6.1 (Debian's linux-source-6.1)", lambda: trees.linux(cache, arguments.linux_archive), None


def run(arguments, heading="Substrate", rows=ROWS, wanted=wanted_trees, rounds=None):
    """Yields titles and bodies of sections. `rows`: title -> function, as ROWS. `rounds`: samples of each, unless the
    arguments have another number."""
    build = arguments.build.absolute()
    cache = (arguments.cache or build / "bench-trees").absolute()
    cache.mkdir(parents=True, exist_ok=True)
    rounds = arguments.rounds or rounds or (1 if arguments.quick else 5)
    results = []
    for name, make, generated in wanted(arguments, cache):
        progress(f"making {name}")
        tree = make()
        scratch = Path(tempfile.mkdtemp(prefix="scratch-", dir=cache))
        taken, lines, notes = {}, [], []
        try:
            ground = Ground(tree, build, arguments.node, scratch, arguments.quick)
            for title, row in rows.items():
                if arguments.only and not any(word in title for word in arguments.only):
                    continue
                try:
                    taken[title] = measure(ground, title, row, rounds)
                except (RuntimeError, OSError, KeyError) as error:
                    if arguments.verbose:
                        traceback.print_exc()
                    taken[title] = f"failed: {error}", {}
                finally:
                    ground.close_servers()
                contest, found = taken[title]
                lines += rows_of(title, contest, found)
                for figure in [] if isinstance(contest, str) else contest.figures:
                    values = {**figure.ours, **figure.peers}
                    taken[figure.title] = Contest(figure.ours, figure.peers, figure.goals), values
                    lines += rows_of(figure.title, *taken[figure.title])
                said = [contest] if isinstance(contest, str) else contest.notes
                notes += [f"- {title}: {note}" for note in said]
            ground.forget_store()
        finally:
            shutil.rmtree(scratch, ignore_errors=True)
        progress("")
        results.append((generated, taken))
        header = ["operation, ms if nothing else is said", "ours", "takes", "peers", "ours : best peer", "target", "met"]
        yield f"{heading}: {name}", table(header, lines) + ("\n\n" + "\n".join(notes) if notes else "")
    sizes = [(files, taken) for files, taken in results if files]
    if len(sizes) > 1:
        yield f"{heading}: growth with the tree", growth(sizes)


def add_arguments(parser):
    parser.add_argument("--repo", type=Path, help="measure on a scratch clone of this repository as well")
    parser.add_argument("--linux", action="store_true", help="measure on Linux 6.1 as well (Debian's linux-source-6.1)")
    parser.add_argument("--linux-archive", type=Path, default=LINUX_ARCHIVE, help=argparse.SUPPRESS)
    add_common_arguments(parser, "1000,10000,100000; with --quick 1000", "5; with --quick 1")


def add_common_arguments(parser, sizes, rounds):
    """Adds the options of each benchmark of generated trees. sizes, rounds: the defaults, as a text."""
    parser.add_argument("--cache", type=Path, help="the folder in which the trees are stored (build/bench-trees)")
    parser.add_argument("--sizes", type=lambda text: [int(one) for one in text.split(",") if one],
                        help=f"the sizes of the generated trees, in files ({sizes})")
    parser.add_argument("--only", type=lambda text: text.split(","), help="operations whose names contain one of these words")
    parser.add_argument("--rounds", type=int, help=f"the number of samples of each ({rounds})")
    parser.add_argument("--verbose", action="store_true", help="print the traceback of a row that failed")


def default_sizes(quick):
    return [1000] if quick else [1000, 10_000, 100_000]


def write_report(report, heading, node, sections):
    """Prints the sections, and writes them to a file as they are measured."""
    text = f"# {heading}\n\n{machine(node)}\n"
    for title, body in sections:
        section = f"\n## {title}\n\n{body}\n"
        print(section, flush=True)
        text += section
        report.write_text(text, encoding="utf-8")
    print(f"The report is in {report}")


def main():
    parser = argparse.ArgumentParser(prog="./dev bench substrate", description="The substrate beside its peers.")
    parser.add_argument("--build", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--node", default=shutil.which("node"), help=argparse.SUPPRESS)
    parser.add_argument("--quick", action="store_true", help="one round on the smallest tree, to test the benchmark")
    add_arguments(parser)
    arguments = parser.parse_args()
    if arguments.sizes is None:
        arguments.sizes = default_sizes(arguments.quick)
    os.chdir(Path(__file__).parent.parent.parent)
    write_report(arguments.build / "bench-substrate.md", "Benchmarks of the substrate", arguments.node, run(arguments))


if __name__ == "__main__":
    main()
