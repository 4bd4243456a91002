"""Echo over HTTP with 64 reused connections, and the memory of an idle session, beside the TypeScript SDK v2."""
import json
import statistics
import subprocess
from pathlib import Path

from tables import amount, table, verdicts

HERE = Path(__file__).parent


def load(build, mode, command, *options):
    words = [build / "tests/bench/http_load", mode, *map(str, options), "--", *command]
    done = subprocess.run(list(map(str, words)), capture_output=True, text=True, timeout=600, check=False)
    if done.returncode:
        raise SystemExit(f"bench: {' '.join(map(str, words))}: {done.stderr}")
    return json.loads(done.stdout)


def run(build, node, quick):
    ours, sdk = "snapgen", "TypeScript SDK v2"
    servers = {ours: [build / "tests/fixture/fixture-server", "--http", "0"],
               sdk: [node, HERE / "peers/sdk_v2_http.mjs"]}
    counts = {ours: 200_000, sdk: 10_000}
    found = {name: [] for name in servers}
    # The servers take turns, so that other load on the machine affects all of them.
    for _ in range(1 if quick else 5):
        for name, command in servers.items():
            count = counts[name] // (20 if quick else 1)
            found[name].append(load(build, "flood", command, "--connections", 64, "--count", count))
    median = {name: {key: statistics.median(each[key] for each in runs) for key in runs[0]}
              for name, runs in found.items()}
    idle = load(build, "idle", servers[ours], "--count", 1000)["bytes_per_session"]
    crowd = load(build, "crowd", servers[ours], "--count", 5000)
    rows = [[name, amount(each["calls_per_s"]), amount(each["cpu_us_per_call"])] for name, each in median.items()]
    ratio = median[ours]["calls_per_s"] / median[sdk]["calls_per_s"]
    yield "Echo over HTTP, 64 connections, one call at a time on each (2026-07-28)", table(
        ["server", "calls/s", "CPU µs/call"], rows,
    ) + "\n\n" + verdicts([("calls over HTTP, times the SDK's", ratio, "≥", 10, ""), ("an idle session with its connection", idle / 1024, "≤", 20, "KB"),
                 ("a call on a new connection beside 5,000 on which nothing happens, the slowest of 50", crowd["longest_ms"], "≤", 1000, "ms")])
