#!/usr/bin/env python3
"""WebSocket beside npm's ws, Boost.Beast and libwebsockets, in one run, measured by ws_load.cc.

websocket.py --build BUILD --node NODE [--quick]
"""
import argparse
import json
import statistics
import subprocess
from pathlib import Path

from tables import amount, machine, table, verdicts

HERE = Path(__file__).parent


def main():
    parser = argparse.ArgumentParser(prog="./dev bench websocket", description=__doc__.split("\n")[0])
    parser.add_argument("--build", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--node", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--quick", action="store_true", help="one short round, to test the benchmark; its figures are inaccurate")
    arguments = parser.parse_args()
    build = arguments.build.absolute()
    seconds = 0.5 if arguments.quick else 2
    rounds = 1 if arguments.quick else 3
    servers = {
        "snapgen, echo": ([build / "tests/websocket/websocket-echo", "0"], []),
        "snapgen, MCP (a call of echo, validated)": ([build / "tests/fixture/fixture-server", "--ws", "0"], ["--mcp", "yes"]),
        "npm ws, echo": ([arguments.node, HERE / "peers/ws_echo.mjs"], []),
        "Boost.Beast, echo": ([build / "tests/bench/beast_echo"], []),
        "libwebsockets, echo": ([build / "tests/bench/lws_echo"], []),
    }
    if not (build / "tests/bench/lws_echo").exists():
        del servers["libwebsockets, echo"]
        print("libwebsockets is omitted, because libwebsockets-dev is not installed.\n")
    measurements = {
        "120": ("flood", ["--bytes", 120, "--seconds", seconds]),
        "16384": ("flood", ["--bytes", 16384, "--seconds", seconds]),
        "latency": ("latency", ["--count", 2000 if arguments.quick else 20000]),
        "idle": ("idle", ["--connections", 1000 if arguments.quick else 9000, "--seconds", 1]),
    }
    found = {}
    for _ in range(rounds):
        for name, (command, options) in servers.items():
            for what, (mode, words) in measurements.items():
                line = [build / "tests/bench/ws_load", mode, *words, *options, "--", *command]
                done = subprocess.run([str(word) for word in line], stdout=subprocess.PIPE, text=True, check=True)
                for key, value in json.loads(done.stdout).items():
                    found.setdefault((name, what, key), []).append(value)

    def median(name, what, key):
        return amount(statistics.median(found[name, what, key]))

    columns = [("120", "messages_per_s", "120 B, messages/s"), ("120", "cpu_us", "CPU µs each"),
               ("16384", "messages_per_s", "16 KB, messages/s"), ("16384", "cpu_us", "CPU µs each"),
               ("latency", "p50_us", "p50 µs, one at a time"), ("idle", "bytes_per_connection", "bytes for an idle connection")]
    held = 1000 if arguments.quick else 10_000
    line = [build / "tests/bench/ws_load", "hold", "--connections", held, "--seconds", 5 if arguments.quick else 20, "--",
            build / "tests/websocket/websocket-echo", "0", "--heartbeat", 1000 if arguments.quick else 5000]
    done = subprocess.run([str(word) for word in line], stdout=subprocess.PIPE, text=True, check=True)
    gaps = json.loads(done.stdout)

    rows = [[name, *(median(name, what, key) for what, key, _ in columns)] for name in servers]
    print(f"{machine(arguments.node)}\n\n64 connections, 16 messages in flight on each.\n")
    print(table(["server", *(title for _, _, title in columns)], rows))
    ours, mcp = "snapgen, echo", "snapgen, MCP (a call of echo, validated)"
    value = lambda name, what, key: statistics.median(found[name, what, key])  # noqa: E731
    print("\n" + verdicts([("120 B, messages/s", value(ours, "120", "messages_per_s"), "≥", 1_500_000, ""),
                           ("a validated call, messages/s", value(mcp, "120", "messages_per_s"), "≥", 800_000, ""),
                           ("16 KB, messages/s", value(ours, "16384", "messages_per_s"), "≥", 60_000, ""),
                           ("an idle connection", value(ours, "idle", "bytes_per_connection"), "≤", 2048, "bytes")]))
    print(f"\n{held} connections, a ping each every {1000 if arguments.quick else 5000} ms: {gaps['p50_ms']} ms apart in the median, "
          f"{gaps['p99_ms']} at the 99th percentile, {gaps['max_ms']} at most.")


if __name__ == "__main__":
    main()
