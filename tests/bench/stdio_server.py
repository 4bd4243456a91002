"""One long-lived MCP server that receives one call at a time over its pipes, and its CPU and memory use according to the
kernel."""
import json
import os
import subprocess
import time


def filesystem_server(build, node, tree):
    """Returns the command of npm's server-filesystem on a tree; None if it is not installed."""
    program = build.parent / "tests/clients/node_modules/@modelcontextprotocol/server-filesystem/dist/index.js"
    return [node, program, tree] if node and program.exists() else None


class Server:
    """Times are seconds from just before the request is written until the answer's last byte is read."""

    def __init__(self, command, log=subprocess.DEVNULL, roots=None, **options):
        """`roots`: the folders that the client reports when the server asks for them."""
        self.process = subprocess.Popen([str(word) for word in command], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=log, bufsize=0, **options)
        self.to, self.of = self.process.stdin.fileno(), self.process.stdout.fileno()
        self.rest = b""
        self.number = 0
        self.roots = [{"uri": f"file://{folder}"} for folder in roots or ()]
        self.exchange("initialize", {"capabilities": {"roots": {}} if roots else {}, "clientInfo": {"name": "bench", "version": "1"},
                                     "protocolVersion": "2025-11-25"})
        os.write(self.to, b'{"jsonrpc":"2.0","method":"notifications/initialized"}\n')
        self.tools = {tool["name"] for tool in self.exchange("tools/list", {})[1]["result"]["tools"]}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        self.process.stdin.close()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()

    def request(self, method, params):
        self.number += 1
        body = {"jsonrpc": "2.0", "id": self.number, "method": method, "params": params}
        return json.dumps(body, separators=(",", ":")).encode() + b"\n"

    def send_and_read(self, request):
        """Returns seconds and the answer's bytes."""
        begin = time.perf_counter()
        view = memoryview(request)
        while view:
            view = view[os.write(self.to, view):]
        pieces = [self.rest]
        while True:
            piece = os.read(self.of, 1 << 20)
            if not piece:
                raise RuntimeError(f"the server ended: {self.process.args}")
            pieces.append(piece)
            if b"\n" in piece:
                break
        seconds = time.perf_counter() - begin
        answer, self.rest = b"".join(pieces).split(b"\n", 1)
        return seconds, answer

    def exchange(self, method, params):
        request, total = self.request(method, params), 0
        while True:
            seconds, answer = self.send_and_read(request)
            total += seconds
            answer = json.loads(answer)
            if "id" in answer and "method" not in answer:
                break
            request = b""
            if answer.get("method") == "roots/list":
                request = json.dumps({"jsonrpc": "2.0", "id": answer["id"], "result": {"roots": self.roots}}).encode() + b"\n"
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return total, answer

    def call(self, tool, **arguments):
        """Returns seconds and the structured answer. Raises an error if the call fails, because measured calls must
        succeed."""
        seconds, answer = self.exchange("tools/call", {"name": tool, "arguments": arguments})
        result = answer["result"]
        if result.get("isError"):
            raise RuntimeError(f"{tool} {str(arguments)[:200]}: {result['content'][0]['text'][:500]}")
        return seconds, result.get("structuredContent", result)

    def cpu(self):
        """Returns the CPU seconds of all its threads so far."""
        return time.clock_gettime(((~self.process.pid) << 3) | 2)

    def memory(self, what="VmRSS"):
        """Returns MB. VmHWM is the highest value so far."""
        with open(f"/proc/{self.process.pid}/status", encoding="ascii") as status:
            return next(int(line.split()[1]) / 1024 for line in status if line.startswith(what + ":"))
