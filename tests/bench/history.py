#!/usr/bin/env python3
"""The history: what it returns after accidents and faults, and what it costs; tables on the terminal and in
BUILD/bench-history.md.

history.py --build BUILD [--count N] [--seed N] [--only WORDS] [--quick]

accidents.py destroys files 200 times without hooks, and five times for each of seven hosts with their hooks.
history_costs.py measures on 30,000 small C files, history_faults.py kills servers and breaks stores. With --quick there are
35 accidents, one for each host, 3,000 files and a shorter day. The whole run takes about 50 minutes, because the history
waits for quiet before each moment.
"""
import argparse
import os
import shutil
import tempfile
from collections import Counter
from pathlib import Path

import accidents
import history_costs
import history_faults
import substrate
import trees
from ground import Ground
from tables import table, verdicts

SHOWN_FAILURES = 5
SHOWN_DIFFERENCES = 10
ROOT = Path(__file__).parent.parent.parent


# ---- accidents ---------------------------------------------------------------------------------------------------

def failures(outcomes):
    """Returns the differences of the first accidents that were not undone exactly, as lines of a list."""
    failed = [outcome for outcome in outcomes if outcome.problems]
    lines = []
    for outcome in failed[:SHOWN_FAILURES]:
        more = f", and {len(outcome.problems) - SHOWN_DIFFERENCES} more" if len(outcome.problems) > SHOWN_DIFFERENCES else ""
        lines.append(f"- `{outcome.command}`: {'; '.join(outcome.problems[:SHOWN_DIFFERENCES])}{more}")
    return "".join("\n" + line for line in lines)


def exact(outcomes):
    return sum(not outcome.problems for outcome in outcomes)


def accidents_section(arguments, scratch):
    outcomes = accidents.run_all(arguments.build, scratch, accidents.kinds_of(arguments.count, arguments.seed), arguments.seed)
    counts, bad = Counter(outcome.kind for outcome in outcomes), Counter(outcome.kind for outcome in outcomes if outcome.problems)
    kinds = table(["accident", "times", "undone exactly"], [[kind, counts[kind], counts[kind] - bad[kind]] for kind in sorted(counts)])
    rows = [(f"undone exactly, of {len(outcomes)} accidents of {len(counts)} kinds", exact(outcomes), "≥", len(outcomes), "")]
    return f"{verdicts(rows)}\n\n{kinds}\n{failures(outcomes)}"


def hooks_section(arguments, scratch):
    rows, all_outcomes = [], []
    count = 1 if arguments.quick else 5
    for host in accidents.HOSTS:
        outcomes = accidents.run_all(arguments.build, scratch, accidents.kinds_of(count, f"{arguments.seed} {host}"), arguments.seed, host)
        rows.append((f"{host}: undone exactly, of {count}", exact(outcomes), "≥", count, ""))
        rows.append((f"{host}: the history names the command, of {count}", sum(outcome.is_attributed for outcome in outcomes), "≥", count, ""))
        all_outcomes += outcomes
    at_once = accidents.run_all(arguments.build, scratch, accidents.kinds_of(2 * count, arguments.seed), arguments.seed, "claude", pause=0)
    rows.append((f"claude, right after the last change: undone exactly, of {2 * count}", exact(at_once), "", None, ""))
    return f"{verdicts(rows)}\n{failures(all_outcomes)}"


# ---- costs and faults --------------------------------------------------------------------------------------------

def faults_section(arguments, scratch):
    rows = []
    for name, is_met, note in history_faults.run(arguments.build, scratch, arguments.quick, arguments.seed):
        rows.append([name, {True: "nothing lost", False: "failed", None: "–"}[is_met], "nothing lost",
                     {True: "yes", False: "NO", None: ""}[is_met], note])
    return table(["fault", "measured", "target", "met", "note"], rows)


def costs(arguments):
    """Returns title -> function that receives the ground and yields rows."""
    rounds = 2 if arguments.quick else 10
    edits, builds = (60, 10) if arguments.quick else (2000, 300)
    return {"reads while files change": lambda ground: history_costs.added_latency(ground, rounds),
            "a hook": history_costs.hook_time,
            "a moment": lambda ground: history_costs.moment_cost(ground, 2 * rounds),
            "idle": history_costs.idle,
            "a day of work": lambda ground: history_costs.day(ground, edits, builds)}


def cost_section(arguments, scratch, measure):
    ground = Ground(arguments.tree(), arguments.build, None, scratch, arguments.quick)
    try:
        return verdicts(list(measure(ground)))
    finally:
        ground.close_servers()
        trees.settled(ground.tree)


def sections(arguments, scratch):
    parts = {"accidents": accidents_section, "accidents with hooks": hooks_section}
    for title, measure in costs(arguments).items():
        parts[title] = lambda arguments, scratch, measure=measure: cost_section(arguments, scratch, measure)
    parts["faults"] = faults_section
    for title, part in parts.items():
        if arguments.only and not any(word in title for word in arguments.only):
            continue
        substrate.progress(f"history: {title}")
        try:
            body = part(arguments, scratch)
        except (RuntimeError, OSError) as error:
            body = f"failed: {error}"
        substrate.progress("")
        yield f"History: {title}", body


def main():
    parser = argparse.ArgumentParser(prog="./dev bench history", description="What the history returns, and what it costs.")
    parser.add_argument("--build", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--node", default=shutil.which("node"), help=argparse.SUPPRESS)
    parser.add_argument("--count", type=int, help="the number of accidents without hooks (200; with --quick 35)")
    parser.add_argument("--seed", type=int, default=1, help="another number makes other accidents (1)")
    parser.add_argument("--cache", type=Path, help="the folder in which the tree is stored (build/bench-trees)")
    parser.add_argument("--only", type=lambda text: text.split(","), help="parts whose titles contain one of these words")
    parser.add_argument("--quick", action="store_true", help="fewer accidents, 3,000 files and a short day, to test the benchmark")
    arguments = parser.parse_args()
    arguments.count = (35 if arguments.quick else 200) if arguments.count is None else arguments.count
    arguments.build = arguments.build.absolute()
    os.chdir(ROOT)
    cache = (arguments.cache or arguments.build / "bench-trees").absolute()
    cache.mkdir(parents=True, exist_ok=True)
    arguments.tree = lambda: trees.small_files(cache, 3_000 if arguments.quick else 30_000)
    scratch = Path(tempfile.mkdtemp(prefix="scratch-", dir=cache))
    try:
        substrate.write_report(arguments.build / "bench-history.md", "Benchmarks of the history", arguments.node,
                               sections(arguments, scratch))
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


if __name__ == "__main__":
    main()
