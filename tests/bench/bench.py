#!/usr/bin/env python3
"""Our servers beside their peers, in one run on one machine: tables on the terminal and in BUILD/bench.md. First the echo
(in this file), then the operations of snapgen-server on a repository (substrate.py).

bench.py --build BUILD --node NODE [--quick] [options of substrate.py]

Every number is the median of several rounds. A round measures all peers one after the other, so that other load on the
machine affects all of them. load.cc describes the measurements.
"""
import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

import http_rows
import substrate
from tables import amount, machine, table

HERE = Path(__file__).parent
EMPTY = "an empty static program"
SERVER = "snapgen-server (process only)"


class Peer:
    def __init__(self, name, command, era="legacy", load=(), flood=100_000, ours=False, sdk=False, echoes=True, many=False):
        self.name = name
        self.command = [str(word) for word in command]
        self.era = era
        self.load = list(load)  # arguments of load.cc that select the tool; empty: echo
        self.flood = flood  # the number of calls of one flood: about a second's worth
        self.ours = ours
        # A call that takes minutes, to be interrupted when stdin closes; empty if the peer has none.
        self.endless = ["--tool", "slow", "--arguments", '{"duration_ms":600000}'] if ours else []
        self.sdk = sdk
        self.starts = 20 if ours or many else 3  # in one round
        self.echoes = echoes  # whether it has a tool that is cheap to call; otherwise only its process is measured


def all_peers(build, node):
    fixture = [build / "tests" / "fixture" / "fixture-server", "--stdio"]
    peer = lambda file: [node, HERE / "peers" / file]  # noqa: E731
    filesystem = HERE.parent / "clients/node_modules/@modelcontextprotocol/server-filesystem/dist/index.js"
    return [
        Peer("snapgen, initialize", fixture, flood=1_000_000, ours=True),
        Peer("snapgen, 2026-07-28", fixture, era="modern", flood=1_000_000, ours=True),
        Peer(SERVER, [build / "snapgen-server", "--stdio"], ours=True, echoes=False),
        Peer(EMPTY, [build / "tests" / "bench" / "one_answer"], echoes=False, many=True),
        Peer("Node, no SDK, one write a chunk", peer("bare.mjs"), flood=1_000_000),
        Peer("Node, no SDK, readline", peer("readline.mjs"), flood=500_000),
        Peer("TypeScript SDK v1, Server", peer("sdk_v1.mjs"), sdk=True),
        Peer("TypeScript SDK v1, McpServer", peer("sdk_v1_tools.mjs"), sdk=True),
        Peer("TypeScript SDK v2, initialize", peer("sdk_v2.mjs"), flood=60_000, sdk=True),
        Peer("TypeScript SDK v2, 2026-07-28", peer("sdk_v2.mjs"), era="modern", flood=40_000, sdk=True),
        Peer("server-filesystem (its cheapest tool)", [node, filesystem, "/tmp"], flood=50_000,
             load=["--tool", "list_allowed_directories"]),
    ]


class Bench:
    def __init__(self, build, peers, rounds, scale):
        self.build = build
        self.load = build / "tests" / "bench" / "load"
        self.peers = peers
        self.rounds = rounds
        self.scale = scale
        self.found = {}  # (measurement, peer name) -> the median of each value

    def once(self, mode, peer, *options):
        command = [self.load, mode, "--era", peer.era, *map(str, options), *peer.load, "--", *peer.command]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        if done.returncode != 0:
            why = done.stderr.strip() or f"exit code {done.returncode}"
            print(f"\n{peer.name}, {mode}: {why}", file=sys.stderr)
            return None
        return json.loads(done.stdout)

    def measure(self, what, mode, options=lambda peer: [], rounds=None, only=lambda peer: True):
        """Runs one measurement of all peers that it applies to, and stores the medians."""
        rows = {}
        rounds = rounds or self.rounds
        for number in range(rounds):
            for peer in filter(only, self.peers):
                if sys.stderr.isatty():
                    print(f"\r\x1b[K{what}, round {number + 1} of {rounds}: {peer.name}", end="", file=sys.stderr)
                row = self.once(mode, peer, *options(peer))
                if row:
                    rows.setdefault(peer.name, []).append(row)
        if sys.stderr.isatty():
            print("\r\x1b[K", end="", file=sys.stderr)
        for name, taken in rows.items():
            values = {key: statistics.median(row[key] for row in taken) for key in taken[0]}
            self.found[what, name] = values

    def get(self, what, peer, key):
        return self.found.get((what, peer.name), {}).get(key)

    def run(self):
        echoes = lambda peer: peer.echoes  # noqa: E731
        texts = lambda peer: peer.echoes and not peer.load  # noqa: E731
        count = lambda peer: ["--count", max(1000, int(peer.flood * self.scale))]  # noqa: E731
        self.measure("flood", "flood", lambda peer: [*count(peer), "--wait", "spin"], only=echoes)
        self.measure("sleepy flood", "flood", count, only=echoes)
        self.measure("latency", "latency", lambda peer: ["--count", int(3000 * self.scale) + 100], only=echoes)
        self.measure("big", "flood", lambda peer: ["--window", 1, "--bytes", 75 * 1024,
                                                   "--count", int((2000 if peer.ours else 500) * self.scale) + 20],
                     only=texts)
        self.measure("start", "start", lambda peer: ["--count", peer.starts])
        self.measure("memory", "memory", rounds=3, only=echoes)
        self.measure("exit", "exit", lambda peer: ["--count", 5], rounds=1)
        self.measure("exit in flight", "exit", lambda peer: ["--count", 5, "--in-flight", 64, *peer.endless], rounds=1,
                     only=echoes)
        self.measure("exit on SIGTERM", "exit", lambda peer: ["--count", 5, "--signal", 15], rounds=1)


def stripped_bytes(program):
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "stripped"
        subprocess.run(["strip", "-o", copy, program], check=True)
        return copy.stat().st_size


def leaves(bench, what, peer):
    values = bench.found.get((what, peer.name))
    if values is None:
        return "–"
    if not values["by_itself"]:
        return "stays"
    return amount(values["p50_us"] / 1000) + (f" (exit code {values['code']:.0f})" if values["code"] else "")


def report(bench):
    get = bench.get
    callable_peers = [peer for peer in bench.peers if peer.echoes]
    ours = [peer for peer in callable_peers if peer.ours]
    fastest = max(get("flood", peer, "calls_per_s") or 0 for peer in ours)
    ratio = lambda value: "–" if not value else f"{fastest / value:.2f}"  # noqa: E731
    ms = lambda value, digits=2: None if value is None else value / 1000  # noqa: E731

    yield "Echo of a short text, 64 calls in flight", table(
        ["server", "calls/s", "snapgen : it", "CPU µs/call", "calls/s, client sleeps", "CPU µs/call, client sleeps"],
        [[p.name, amount(get("flood", p, "calls_per_s")), ratio(get("flood", p, "calls_per_s")),
          amount(get("flood", p, "cpu_us")), amount(get("sleepy flood", p, "calls_per_s")),
          amount(get("sleepy flood", p, "cpu_us"))] for p in callable_peers],
    ) + "\n\nThe client asks for the next bytes again and again, or sleeps until there are some, as a host does."
    yield "One call at a time", table(
        ["server", "p50 µs", "p99 µs", "CPU µs/call"],
        [[p.name, *(amount(get("latency", p, key)) for key in ("p50_us", "p99_us", "cpu_us"))] for p in callable_peers],
    )
    yield "Echo of 75 KB with escapes and emoji, one call at a time", table(
        ["server", "CPU ms/call", "calls/s"],
        [[p.name, amount(ms(get("big", p, "cpu_us")), 3), amount(get("big", p, "calls_per_s"))]
         for p in callable_peers if not p.load],
    )
    yield "Process", table(
        ["server", "cold start ms", "page faults", "RSS MB", "PSS MB", "gone after EOF ms", "with 64 in flight", "after SIGTERM ms"],
        [[p.name, amount(ms(get("start", p, "p50_us"))), amount(get("start", p, "page_faults"), 0), amount(ms(get("memory", p, "rss_kib")), 1),
          amount(ms(get("memory", p, "pss_kib")), 1), leaves(bench, "exit", p), leaves(bench, "exit in flight", p),
          leaves(bench, "exit on SIGTERM", p)] for p in bench.peers],
    ) + "\n\nCold start, and its page faults: from spawn to the answer to `initialize` or `server/discover`. *stays*: still there after 2 s."


def verdicts(bench):
    """Yields the targets beside the measured values: name, measured, target, whether it is met."""
    get = bench.get
    started = [peer for peer in bench.peers if peer.ours]
    ours = [peer for peer in started if peer.echoes]
    worst = lambda what, key, of=max, peers=ours: of(get(what, p, key) or float("nan") for p in peers)  # noqa: E731
    rate = worst("flood", "calls_per_s", min)
    bare = max(get("flood", p, "calls_per_s") or 0 for p in bench.peers if not p.ours and not p.sdk and not p.load)
    sdk = max(get("flood", p, "calls_per_s") or 0 for p in bench.peers if p.sdk)
    rows = []

    def row(what, measured, target, unit, met):
        rows.append([what, measured, f"{target} {unit}".strip(), "yes" if met else "NO"])

    row("calls/s, 64 in flight, against Node without an SDK", amount(rate), "≥ " + amount(bare), "", rate >= bare)
    row("calls/s, 64 in flight, against the best SDK", amount(rate), f"≥ 8 × {amount(sdk)}", "", rate >= 8 * sdk)
    cpu = worst("flood", "cpu_us")
    row("CPU per echo, the slower era", f"{cpu:.2f} µs", "≤ 2", "µs", cpu <= 2)
    start = worst("start", "p50_us", peers=started) / 1000
    row("cold start to first answer", f"{start:.2f} ms", "≤ 3", "ms", start <= 3)
    server, empty = (next(peer for peer in bench.peers if peer.name == name) for name in (SERVER, EMPTY))
    faults = get("start", server, "page_faults") or float("nan")
    row("snapgen-server: page faults until the first answer", f"{faults:.0f}", "≤ 120", "", faults <= 120)
    ratio = (get("start", server, "p50_us") or float("nan")) / (get("start", empty, "p50_us") or float("nan"))
    row("snapgen-server: cold start to first answer", f"{ratio:.1f}", "≤ 3", "× an empty static program", ratio <= 3)
    size = stripped_bytes(bench.build / "snapgen-server") / 1e6
    row("snapgen-server: size without symbols", f"{size:.1f} MB", "≤ 20", "MB", size <= 20)
    big = worst("big", "cpu_us") / 1000
    row("CPU per echo of 75 KB", f"{big:.3f} ms", "≤ 0.15", "ms", big <= 0.15)
    memory = worst("memory", "rss_kib") / 1024
    row("memory at rest (RSS)", f"{memory:.1f} MB", "≤ 6", "MB", memory <= 6)
    leave = max(worst(what, "p50_us") for what in ("exit", "exit in flight")) / 1000
    row("exit after EOF, also with 64 in flight", f"{leave:.2f} ms", "≤ 5", "ms", leave <= 5)
    return "What it must reach (the slower of our two eras)", table(["", "measured", "target", "met"], rows)


def main():
    parser = argparse.ArgumentParser(prog="./dev bench", description="Our servers beside their peers.")
    parser.add_argument("--build", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--node", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--quick", action="store_true", help="one short round, to test the benchmark; its figures are inaccurate")
    substrate.add_arguments(parser)
    arguments = parser.parse_args()
    if arguments.sizes is None:
        arguments.sizes = substrate.default_sizes(arguments.quick)
    build = arguments.build.absolute()
    text = f"# Benchmarks\n\n{machine(arguments.node)}\n"
    print(text)
    for title, body in sections(build, arguments):
        section = f"## {title}\n\n{body}\n"
        print(section, flush=True)
        text += "\n" + section
        (build / "bench.md").write_text(text, encoding="utf-8")
    print(f"The report is in {build / 'bench.md'}")


def sections(build, arguments):
    bench = Bench(build, all_peers(build, arguments.node), rounds=1 if arguments.quick else 5,
                  scale=0.05 if arguments.quick else 1)
    bench.run()
    yield from report(bench)
    yield verdicts(bench)
    yield from http_rows.run(build, arguments.node, arguments.quick)
    yield from substrate.run(arguments)


if __name__ == "__main__":
    main()
