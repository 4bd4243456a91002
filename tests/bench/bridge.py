#!/usr/bin/env python3
"""The bridge: a tool call to a browser and back, and the effect of floods at its port on the host.

bridge.py --build BUILD [--node NODE] [--quick]

The browsers are sockets in this process that answer at once, so the round trip includes two hops through a Python program.
The bridge's share is the CPU time of the server's only busy thread for a call (/proc's schedstat, in nanoseconds).
"""
import argparse
import base64
import json
import multiprocessing
import os
import socket
import statistics
import struct
import subprocess
import tempfile
import time
from pathlib import Path

from tables import amount, machine, table, verdicts

SESSIONS = 16  # The bridge's limit; each session may have ten pending commands.
BURST = 10


class Browser:
    """A WebSocket client without a library: small frames, one at a time."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall((f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                             f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {key}\r\n\r\n").encode())
        self.held = b""
        while b"\r\n\r\n" not in self.held:
            self.held += self.socket.recv(65536)
        self.held = self.held.split(b"\r\n\r\n", 1)[1]

    def take(self, count):
        while len(self.held) < count:
            more = self.socket.recv(65536)
            if not more:
                raise EOFError
            self.held += more
        taken, self.held = self.held[:count], self.held[count:]
        return taken

    def frame(self, payload, first=0x81):
        size = struct.pack("!B", 0x80 | len(payload)) if len(payload) < 126 else struct.pack("!BH", 0x80 | 126, len(payload))
        return bytes([first]) + size + b"\0\0\0\0" + payload

    def send(self, message):
        self.socket.sendall(self.frame(json.dumps(message).encode()))

    def next(self):
        while True:
            first, size = self.take(2)
            if size == 126:
                size, = struct.unpack("!H", self.take(2))
            payload = self.take(size)
            if first & 15 == 1:
                return json.loads(payload)


class Host:
    """snapgen-server, started as a host does."""

    def __init__(self, program, folder):
        self.process = subprocess.Popen([program, "--stdio", "--ws", "0", "--workspace", folder], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE)
        self.ids = 0

    def send(self, name, arguments):
        self.ids += 1
        params = {"name": f"bridge_{name}", "arguments": arguments}
        line = json.dumps({"jsonrpc": "2.0", "id": self.ids, "method": "tools/call", "params": params})
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()

    def answer(self):
        result = json.loads(self.process.stdout.readline())["result"]
        assert not result.get("isError"), result
        return result["structuredContent"]

    def call(self, name, arguments=None):
        self.send(name, arguments or {})
        return self.answer()

    def cpu_ns(self):
        return int(Path(f"/proc/{self.process.pid}/task/{self.process.pid}/schedstat").read_text().split()[0])


def connections(port):
    while True:
        Browser(port).socket.close()


def pings(port):
    browser = Browser(port)
    burst = browser.frame(b"ping", 0x89) * 100
    browser.socket.setblocking(False)
    while True:
        try:
            browser.socket.send(burst)
            browser.socket.recv(1 << 20)
        except BlockingIOError:
            pass
        except OSError:
            browser = Browser(port)


def fragments(port):
    while True:
        browser = Browser(port)
        try:
            browser.socket.sendall(browser.frame(b"x", 0x01))
            while True:
                browser.socket.sendall(browser.frame(b"x", 0x00) * 100)
        except OSError:
            pass


def unread(port):
    while True:
        browser = Browser(port)
        try:
            while True:
                browser.socket.sendall(browser.frame(b"p" * 125, 0x89) * 50)  # The browser never reads the pongs.
        except OSError:
            pass


def latencies(host, count):
    found = []
    for _ in range(count):
        begin = time.perf_counter()
        host.call("status")
        found.append((time.perf_counter() - begin) * 1e6)
    found.sort()
    return statistics.median(found), found[int(len(found) * 0.99)]


def commands(host, port):
    """Returns the round trips in microseconds, and the server's CPU time for one."""
    browsers = []
    for _ in range(SESSIONS):
        pairing = host.call("pair")
        browser = Browser(port)
        browser.send({"type": "connect", "version": "1.0.0", "token": pairing["token"]})
        assert browser.next()["type"] == "connect_ack"
        browsers.append((pairing["session_id"], browser))
    trips = []
    begin_ns = host.cpu_ns()
    for session, browser in browsers:
        for _ in range(BURST):
            begin = time.perf_counter()
            host.send("read_project", {"session_id": session})
            message = browser.next()
            browser.send({"type": "response", "message_id": message["message_id"], "status": "success",
                          "payload": {"project": {"name": "Jump", "sprites": [{"name": "Cat", "script_count": 3}]}}})
            host.answer()
            trips.append((time.perf_counter() - begin) * 1e6)
    spent = (host.cpu_ns() - begin_ns) / 1000 / len(trips)
    return statistics.median(trips), spent


def main():
    parser = argparse.ArgumentParser(prog="./dev bench bridge", description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--build", type=Path, required=True, help=argparse.SUPPRESS)
    parser.add_argument("--node", default="node", help=argparse.SUPPRESS)
    parser.add_argument("--quick", action="store_true", help="one short round, to test the benchmark; its figures are inaccurate")
    arguments = parser.parse_args()
    count = 500 if arguments.quick else 5000
    with tempfile.TemporaryDirectory() as folder:
        host = Host(arguments.build.absolute() / "snapgen-server", folder)
        port = int(host.call("status")["url"].rsplit(":", 1)[1].rstrip("/"))
        trip, spent = commands(host, port)
        print(machine(arguments.node) + "\n")
        print(verdicts([("tool call → browser → answer: the bridge's share of CPU", spent, "≤", 100, "µs")]))
        print(f"\nA round trip with both ends in Python: {amount(trip)} µs in the median.\n")
        quiet = latencies(host, count)
        rows, flooded = [["nothing", *map(amount, quiet), "–"]], []
        for flood in [connections, pings, fragments, unread]:
            worker = multiprocessing.Process(target=flood, args=(port,), daemon=True)
            worker.start()
            p50, p99 = latencies(host, count)
            worker.terminate()
            worker.join()
            rows.append([flood.__name__, amount(p50), amount(p99), f"{p99 / quiet[1]:.2f} ×"])
            flooded.append((f"p99 of a host's call under a flood of {flood.__name__}, times p99 without", p99 / quiet[1], "≤", 2, ""))
        print(table(["a call of the host while the port is flooded with", "p50 µs", "p99 µs", "of p99 without"], rows))
        print("\n" + verdicts(flooded))
        host.process.stdin.close()
        host.process.wait()


if __name__ == "__main__":
    main()
