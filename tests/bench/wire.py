#!/usr/bin/env python3
"""Tasks, memory, the facade and the import graph with the calls of a host: tables on the terminal and in
BUILD/bench-wire.md.

wire.py --build BUILD [--node NODE] [--quick]

The trees are generated: 10 000 files of C and text for tasks, 2 000 and 10 000 of TypeScript for imports (with --quick a few hundred).
"""
import argparse
import json
import os
import re
import shutil
import statistics
import subprocess
import time
from pathlib import Path

import trees
from stdio_server import Server
from tables import amount, machine, table

HERE = Path(__file__).parent
LEARNINGS = 100_000


def server_of(build, tree):
    return Server([build / "snapgen-server", "--stdio", "--workspace", tree, "--profile", "wire"])


def median_ms(rounds, sample):
    return 1000 * statistics.median(sample() for _ in range(rounds))


def forget(tree):
    shutil.rmtree(tree / ".git" / "snapgen", ignore_errors=True)
    shutil.rmtree(tree / ".snapback", ignore_errors=True)


def task_rows(build, cache, count, rounds):
    tree = trees.generated(cache, count)
    files = trees.files_of(tree)

    def start(server):
        """Starts one task and ends it immediately, so that open tasks do not accumulate."""
        seconds, answer = server.call("snap", mode="start", task=f"change {files[7]}", files=[files[7]], keywords=["lock"])
        task = re.search(r"id:(task_\w+)", answer["content"][0]["text"])[1]
        server.call("snap_end", taskId=task, outcome="abandoned")
        return seconds

    forget(tree)
    with server_of(build, tree) as server:
        first = 1000 * start(server)
        time.sleep(1.5)  # The watch starts after the first answers.
        start(server)
        unchanged = median_ms(rounds, lambda: start(server))
        context = median_ms(rounds, lambda: server.call("snap", mode="context")[0])
    learnings = tree / ".snapback" / "learnings"
    learnings.mkdir(parents=True, exist_ok=True)
    with open(learnings / "user-learnings.jsonl", "a", encoding="utf-8") as lines:
        words = ["cache", "retry", "token", "index", "parser", "socket", "buffer", "migration", "timeout", "encoding"]
        for i in range(LEARNINGS if count > 1000 else 1000):
            some = [words[(i * k + k) % len(words)] for k in (1, 3, 7)]
            lines.write(json.dumps({"action": f"look at {some[0]}{i % 997} before {some[1]}", "at": 1700000000000 + i,
                                    "id": f"learn_{i:08d}", "trigger": f"{some[2]} {i}", "type": "pattern"},
                                   separators=(",", ":")) + "\n")
    with server_of(build, tree) as server:
        start(server)
        time.sleep(1.5)
        start(server)
        taught = median_ms(rounds, lambda: start(server))
    forget(tree)
    yield ["snap start, first of a repository", amount(first), "", ""]
    yield ["snap start, nothing changed", amount(unchanged), "10", "yes" if unchanged <= 10 else "NO"]
    yield ["snap context", amount(context), "5", "yes" if context <= 5 else "NO"]
    yield ["snap start with 100 000 learnings, more than without", amount(taught - unchanged), "1",
           "yes" if taught - unchanged <= 1 else "NO"]


def facade_rows(build, cache, count, rounds):
    """Measures every facade tool on an unchanged tree; the target is 5 ms."""
    tree = trees.generated(cache, count)
    some = trees.files_of(tree)[7]
    forget(tree)
    command = [build / "snapgen-server", "--stdio", "--workspace", tree, "--profile", "facade"]
    with Server(command, env={**os.environ, "SNAPBACK_TIER": "pro"}) as server:
        def ask(name, **arguments):
            return server.call(f"snapback_{name}", **arguments)[0]

        ask("snapshot_create")
        ask("context", op="init")
        ask("context", op="build")
        ask("session", op="start", task="measure", files=[some])
        time.sleep(1.5)  # The watch starts after the first answers.
        ask("prepare_workspace")
        calls = [("meta", {}), ("prepare_workspace", {"files": [some]}), ("analyze", {"type": "risk", "files": [some]}),
                 ("validate", {"mode": "quick"}), ("context", {"op": "status"}), ("context", {"op": "blockers"}),
                 ("session", {"op": "recommendations"}), ("session", {"op": "stats"}), ("snapshot_create", {}),
                 ("snapshot_list", {}), ("acknowledge_risk", {"reason": "measured"}),
                 ("learn", {"trigger": "measuring", "action": "repeat it"})]
        for name, arguments in calls:
            ask(name, **arguments)
            took = median_ms(rounds, lambda name=name, arguments=arguments: ask(name, **arguments))
            title = " ".join([name, *(str(value) for key, value in arguments.items() if key in ("op", "mode", "type"))])
            yield [title, amount(took), "5", "yes" if took <= 5 else "NO"]
    forget(tree)


def logging_rows(build, cache, count, rounds):
    """Measures the cost of a log line: the same calls of the same server, with and without .snapback/."""
    tree = trees.generated(cache, count)
    calls = 4000 if rounds > 3 else 200
    command = [build / "snapgen-server", "--stdio", "--workspace", tree, "--profile", "substrate"]
    forget(tree)

    def loop_us(server, snapshot):
        """Measures the CPU time of the answering thread for each call. The second figure includes the thread that writes the
        log."""
        def spent():
            pid = server.process.pid
            own = int(Path(f"/proc/{pid}/task/{pid}/schedstat").read_text().split()[0])
            return own, sum(int(each.read_text().split()[0]) for each in Path(f"/proc/{pid}/task").glob("*/schedstat"))

        begin = spent()
        for _ in range(calls):
            server.call("snapshot_info", snapshot_id=snapshot)
        return [(after - before) / 1000 / calls for before, after in zip(begin, spent())]

    with Server(command) as server:
        snapshot = server.call("snapshot_create", paths=[trees.files_of(tree)[7]])[1]["snapshot_id"]
    figures = {False: [], True: []}
    for _ in range(min(rounds, 7)):
        for logged in (False, True):
            shutil.rmtree(tree / ".snapback", ignore_errors=True)
            if logged:
                (tree / ".snapback").mkdir()
            with Server(command) as server:
                loop_us(server, snapshot)
                figures[logged].append(loop_us(server, snapshot))
    forget(tree)
    for title, which, goal in (("of the thread that answers", 0, 5), ("of all threads", 1, None)):
        without, logged = (statistics.median(each[which] for each in figures[kind]) for kind in (False, True))
        cost = logged - without
        yield [f"CPU of a call, {title}", amount(without), amount(logged), amount(cost), goal or "",
               ("yes" if cost <= goal else "NO") if goal else ""]


def seconds_of(command, folder, **options):
    begin = time.perf_counter()
    done = subprocess.run(list(map(str, command)), cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                          check=False, **options)
    if done.returncode not in (0, 1):  # 1: there are cycles
        raise SystemExit(f"bench: {command[1]} failed with {done.returncode}")
    return time.perf_counter() - begin


def command_rows(build, cache, count, rounds):
    """Measures whole processes of the command line, from start to end; the target is 10 ms."""
    tree = trees.generated(cache, count)
    forget(tree)
    for i in range(20):
        seconds_of([build / "snap", "snapshot", "create", "-m", f"number {i}", *trees.files_of(tree)[: i + 1]], tree)
    seconds_of([build / "snap", "snapshot", "create"], tree)
    for words in (["--help"], ["snapshot", "list"]):
        took = median_ms(rounds, lambda words=words: seconds_of([build / "snap", *words], tree))
        yield [" ".join(["snap", *words]), amount(took), "10", "yes" if took <= 10 else "NO"]
    forget(tree)


def import_rows(build, node, cache, count, rounds, with_peers):
    tree = trees.typescript(cache, count)
    files = [name for name in trees.files_of(tree) if name.endswith(".ts")]
    changed = tree / files[len(files) // 2]
    cold, again, one_change = [], [], []
    for _ in range(rounds):
        forget(tree)
        with server_of(build, tree) as server:
            cold.append(server.call("check", mode="circular")[0])
        with server_of(build, tree) as server:
            again.append(server.call("check", mode="circular")[0])
            time.sleep(1.5)
            server.call("check", mode="circular")
            for i in range(5):
                with open(changed, "a", encoding="utf-8") as out:
                    out.write(f"// {i}\n")
                one_change.append(server.call("check", mode="circular")[0])
        trees.git(tree, "checkout", "-q", "--", files[len(files) // 2])
    forget(tree)
    found = {}
    if with_peers:
        tools = HERE / "graphs/node_modules/.bin"
        peers = {
            "madge": [node, (tools / "madge").resolve(), "--circular", "--extensions", "ts", "--ts-config", "tsconfig.json", "src"],
            "dependency-cruiser": [node, (tools / "depcruise").resolve(), "--no-config", "--ts-config", "tsconfig.json",
                                   "--ts-pre-compilation-deps", "-T", "err", "src"],
        }
        found = {name: 1000 * seconds_of(command, tree) for name, command in peers.items()}
    shown = ", ".join(f"{name} {amount(value)}" for name, value in found.items())
    of_10_000 = count == 10_000
    for title, values, goal in (("cold", cold, 1000), ("after a restart", again, None), ("after one change", one_change, 20)):
        ours = 1000 * statistics.median(values)
        yield [f"{count} files, {title}", amount(ours), goal if goal and of_10_000 else "",
               ("yes" if ours <= goal else "NO") if goal and of_10_000 else "", shown,
               f"{min(found.values()) / ours:.0f} ×" if found else ""]


def main():
    parser = argparse.ArgumentParser(prog="./dev bench wire", description="Tasks, memory and the import graph.")
    parser.add_argument("--build", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--node", default=shutil.which("node"), help=argparse.SUPPRESS)
    parser.add_argument("--quick", action="store_true", help="one round on small trees, to test the benchmark")
    arguments = parser.parse_args()
    os.chdir(HERE.parent.parent)
    build = arguments.build.absolute()
    cache = build / "bench-trees"
    cache.mkdir(parents=True, exist_ok=True)
    count, rounds = (500, 1) if arguments.quick else (10_000, 5)
    peers_count = 200 if arguments.quick else 2_000  # Fewer for peers, which need minutes for 10 000.
    text = f"# Benchmarks of tasks and imports\n\n{machine(arguments.node)}\n"
    sections = [(f"Tasks, {count} files, ms", ["call", "takes", "target", "met"],
                 task_rows(build, cache, count, 3 if arguments.quick else 21)),
                (f"The facade, {count} files, ms", ["call", "takes", "target", "met"],
                 facade_rows(build, cache, count, 3 if arguments.quick else 15)),  # Some have a limit of 20 calls.
                (f"The command line, {count} files, whole processes, ms", ["command", "takes", "target", "met"],
                 command_rows(build, cache, count, 3 if arguments.quick else 21)),
                ("The log, one call at a time, µs", ["what", "without .snapback/", "with it", "the log's part", "target", "met"],
                 logging_rows(build, cache, 500, 3 if arguments.quick else 21)),
                ("Imports of TypeScript, check circular, ms", ["tree", "takes", "target", "met", "peers", "best peer : ours"],
                 [*import_rows(build, arguments.node, cache, peers_count, rounds, True),
                  *import_rows(build, arguments.node, cache, count, rounds, False)])]
    for title, header, rows in sections:
        section = f"\n## {title}\n\n{table(header, list(rows))}\n"
        print(section, flush=True)
        text += section
    (build / "bench-wire.md").write_text(text, encoding="utf-8")
    print(f"The report is in {build / 'bench-wire.md'}")


if __name__ == "__main__":
    main()
