#!/usr/bin/env python3
"""The schema compiler beside its peers, in one run: generated readers and writers beside JSON.parse and Ajv, the generators
beside npm's, the official test suite, and generating and compiling all schemas of the server from clean.

compiler.py --build BUILD --node NODE [--quick]
"""
import argparse
import concurrent.futures
import json
import os
import re
import shlex
import subprocess
import tempfile
import time
from pathlib import Path

from tables import amount, machine, table, verdicts

HERE = Path(__file__).parent
ROOT = HERE.parent.parent


def spent(command, **options):
    """Runs a process, which must succeed. Returns its elapsed and CPU seconds."""
    start = time.monotonic()
    process = subprocess.Popen([str(word) for word in command], stdout=subprocess.DEVNULL, **options)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise subprocess.CalledProcessError(process.returncode, command)
    return time.monotonic() - start, usage.ru_utime + usage.ru_stime


def benchmarks(program, pattern, rounds):
    """Returns the best CPU time of each, in nanoseconds."""
    found = {}
    done = subprocess.run([program, f"--benchmark_filter={pattern}", f"--benchmark_repetitions={rounds}",
                           "--benchmark_min_time=0.1", "--benchmark_format=json"], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, check=True)
    for each in json.loads(done.stdout)["benchmarks"]:
        if each.get("run_type") == "iteration" and not each.get("error_occurred"):
            scale = {"ns": 1, "us": 1e3, "ms": 1e6}[each["time_unit"]]
            name = each["run_name"]
            found[name] = min(found.get(name, float("inf")), each["cpu_time"] * scale)
    return found


def texts(build, node, rounds):
    ours = benchmarks(build / "tests/bench/codegen_bench", "small_call|message", rounds)
    done = subprocess.run([node, HERE / "peers/ajv.mjs"], stdout=subprocess.PIPE, text=True, check=True)
    peers = {name: float(value) for name, value in (line.split() for line in done.stdout.splitlines())}
    rows = []
    for title, key, peer, unit, targets in [
            ("133-byte call, ns", "small_call", "small_call", 1, (170, 110)),
            (f"message of 100 objects, {peers['bytes'] / 1000:.0f} KB, µs", "message", "message", 1000, (22, 14))]:
        for how, target in zip(("fresh", "reused"), targets):
            mine = ours[f"read_{key}_{how}"]
            by_hand = ours.get(f"simdjson_{key}/{how}")
            rows.append([f"{title}, {how}", amount(mine / unit), amount((mine + ours[f"utf8_of_{key}"]) / unit),
                         amount(by_hand / unit) if by_hand else "–", amount(mine / by_hand) if by_hand else "–",
                         amount(peers[peer] / unit), amount(mine / peers[peer]), f"≤ {target}", "yes" if mine <= target * unit else "NO"])
    mine = ours["write_message"]
    rows.append(["writing it, canonical, µs", amount(mine / 1000), "–", "–", "–", amount(peers["stringify"] / 1000),
                 amount(mine / peers["stringify"]), "≤ 12", "yes" if mine <= 12_000 else "NO"])
    print(table(["CPU time, the best of many", "snapgen", "with the check of UTF-8", "simdjson On-Demand by hand, unchecked",
                 "ratio", "JSON.parse and Ajv, no struct; JSON.stringify", "ratio", "target", "met"], rows))
    print("\nThe targets are of a machine where simdjson takes 185 ns for the call by hand, and JSON.parse with Ajv 537.")


def generators(build, node, rounds):
    schema = Path(os.environ.get("SNAPGEN_SHARED", ROOT.parent / "shared")) / "mcp/schema/2026-07-28/schema.json"
    if not schema.exists():
        print("\nThe schema of MCP is missing, so the generators are not measured.")
        return
    with tempfile.TemporaryDirectory() as out:
        ours = [build / "snapgen", "structs", schema.name, "--root", schema.parent, "--out", out, "--namespace", "mcp"]
        peers = {name: [node, HERE / "peers/schema_generators.mjs", schema, name]
                 for name in ("json-schema-to-typescript", "quicktype (C++)")}
        found = {}
        for _ in range(rounds):
            for name, command in {"snapgen structs": ours, **peers}.items():
                try:
                    found.setdefault(name, []).append(spent(command, stderr=subprocess.DEVNULL))
                except subprocess.CalledProcessError:
                    found[name] = []
    base = min(cpu for _, cpu in found["snapgen structs"])
    rows = [[name, *([amount(min(wall for wall, _ in times) * 1000), amount(min(cpu for _, cpu in times) * 1000),
                      amount(min(cpu for _, cpu in times) / base, 1)] if times else ["fails", "–", "–"])]
            for name, times in found.items()]
    print("\nThe schema of MCP 2026-07-28, 155 definitions, to types (and readers and writers): whole processes, the best of "
          f"{rounds}; the target is ≤ 50 ms and 20 times:\n")
    print(table(["", "wall, ms", "CPU, ms", "times ours"], rows))
    nearest = min((min(cpu for _, cpu in times) for name, times in found.items() if times and name in peers), default=None)
    print("\n" + verdicts([("the schema of MCP, to types", min(wall for wall, _ in found["snapgen structs"]) * 1000, "≤", 50, "ms"),
                           *([("the same, times quicker than the best peer", nearest / base, "≥", 20, "")] if nearest else [])]))
    inside = benchmarks(build / "tests/bench/schema_bench", "generate_", rounds)
    print("\nInside of one process, ms of CPU: " +
          ", ".join(f"{name} {amount(nanoseconds / 1e6)}" for name, nanoseconds in inside.items()))
    done = subprocess.run([node, HERE / "peers/schema_generators.mjs", schema], stdout=subprocess.PIPE, text=True, check=True)
    print("Its peers, warmed up: " + "; ".join(done.stdout.splitlines()))


def suite(build):
    done = subprocess.run([build / "tests/schema_suite/schema-suite-test"], stdout=subprocess.PIPE, text=True, check=True)
    counted = re.findall(r"^\d+ of \d+ tests.*$", done.stdout, re.M)
    print("\nOfficial suite, draft 2020-12: " + ("; ".join(counted) or "not on this machine") +
          " (target: all required, 2 214 of 2 225)")


def from_clean(build):
    """Runs the generator, and the compiler on the files below BUILD/schemas, two at a time and without a cache."""
    with tempfile.TemporaryDirectory() as out:
        generated = spent([build / "snapgen", "generate", "--root", ROOT, "--schemas", "schemas", "--out", out, "--namespace",
                           "snapgen::tools", "--namespace", "schemas/mcp=snapgen::mcp"])
        commands = [each for each in json.loads((build / "compile_commands.json").read_text())
                    if (Path(each["directory"]) / each["file"]).resolve().is_relative_to(build / "schemas")]
        # The slowest files come first; otherwise one processor would be idle at the end.
        commands.sort(key=lambda each: not each["file"].endswith("tools.cc"))

        def compiled(index, each):
            words = [word for word in shlex.split(each["command"]) if not word.endswith("ccache")]
            words[words.index("-o") + 1] = words[words.index("-MF") + 1] = f"{out}/{index}.o"
            words[words.index("-MF") + 1] += ".d"
            return spent(words, cwd=each["directory"], env={**os.environ, "CCACHE_DISABLE": "1"})[1]

        start = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(2) as pool:
            cpu = sum(pool.map(compiled, range(len(commands)), commands))
        wall = time.monotonic() - start
    print(f"\nAll schemas of the server: generated with {amount(generated[1])} s of CPU, compiled as {len(commands)} sources, two at a time, "
          f"with {amount(cpu)} s of CPU.\n")
    print(verdicts([("generating all schemas", generated[0], "≤", 0.5, "s"), ("compiling them from clean", wall, "≤", 60, "s")]))


def main():
    parser = argparse.ArgumentParser(prog="./dev bench compiler", description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--build", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--node", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--quick", action="store_true", help="few rounds and no compilation, to test the benchmark")
    arguments = parser.parse_args()
    build = arguments.build.resolve()
    rounds = 1 if arguments.quick else 5
    print(machine(arguments.node) + f", load {os.getloadavg()[0]:.1f}\n")
    texts(build, arguments.node, 2 if arguments.quick else 20)
    generators(build, arguments.node, rounds)
    suite(build)
    if not arguments.quick:
        from_clean(build)


if __name__ == "__main__":
    main()
