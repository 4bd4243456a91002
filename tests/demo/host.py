"""Both sides of the demo: Host speaks MCP 2026-07-28 to a server on stdio, Screen shows the messages."""
import json
import os
import select
import shutil
import subprocess
import sys
import time

PATIENCE_S = 30


class DemoError(Exception):
    """A sentence with the reason why the demo cannot continue."""


class Screen:
    """Writes to stdout: on a terminal with colours and lines cut to its width, in a pipe without colours and 110 columns wide."""

    ANSWER_LINES_MAX = 14

    def __init__(self):
        self.colour = sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
        self.width = max(40, shutil.get_terminal_size((110, 24)).columns) if sys.stdout.isatty() else 110
        self.steps = 0
        sys.stdout.reconfigure(encoding="utf-8", errors="replace", line_buffering=True)

    def paint(self, code, text):
        return f"\x1b[{code}m{text}\x1b[0m" if self.colour else text

    def line(self, text, code=None):
        # Text of a repository may contain control sequences of terminals.
        text = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
        if len(text) > self.width:
            text = text[: self.width - 1] + "\N{HORIZONTAL ELLIPSIS}"
        print(self.paint(code, text) if code else text)

    def heading(self, text):
        print()
        print(self.paint("1", text))

    def say(self, text):
        print(text)

    def plain(self, title, block):
        """Shows a title and lines for copying."""
        print(f"\n{title}\n{self.paint('36', block)}")

    def step(self, text):
        self.steps += 1
        self.heading(f"{self.steps}. {text}")

    def note(self, text):
        self.line(f"   {text}", "32")

    def request(self, method, params):
        shown = {key: value for key, value in params.items() if key != "_meta"}
        if method == "tools/call":
            method, shown = f"tools/call {shown['name']}", shown["arguments"]
        lines = [""]
        if shown:
            lines = pretty(shown, self.width - len(method) - 4)
        self.line(f" \N{RIGHTWARDS ARROW} {method} {lines[0]}".rstrip(), "36")
        for text in lines[1:]:
            self.line("   " + text, "36")

    def answer(self, value, took_ms):
        print(self.paint("2", f" \N{LEFTWARDS ARROW} after {took_ms:.1f} ms"))
        lines = pretty(value, self.width - 3)
        shown = len(lines) if len(lines) <= self.ANSWER_LINES_MAX + 3 else self.ANSWER_LINES_MAX
        for text in lines[:shown]:
            self.line("   " + text, "2")
        if shown < len(lines):
            self.line(f"   \N{HORIZONTAL ELLIPSIS} {len(lines) - shown} more lines", "2")

    def diff(self, lines):
        colours = {"+": "32", "-": "31", "@": "36"}
        for text in lines:
            self.line("   " + text.rstrip("\n"), colours.get(text[0]))


def pretty(value, width, indent=""):
    """Formats JSON as lines: a value that fits on one line is not split."""
    flat = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(flat) < width or not isinstance(value, (dict, list)) or not value:
        return [indent + flat]
    lines = []
    for key in value:
        inner = pretty(value[key] if isinstance(value, dict) else key, width, indent + "  ")
        if isinstance(value, dict):
            inner[0] = f"{indent}  {json.dumps(key, ensure_ascii=False)}: {inner[0].lstrip()}"
        inner[-1] += ","
        lines += inner
    lines[-1] = lines[-1][:-1]
    return [indent + ("{" if isinstance(value, dict) else "["), *lines, indent + ("}" if isinstance(value, dict) else "]")]


def clean_environment():
    """Returns the environment without variables that name another repository."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return {**kept, "GIT_LFS_SKIP_SMUDGE": "1"}


class Host:
    """Runs the server, one request at a time. A context manager, which ends the server."""

    revision = "2026-07-28"

    def __init__(self, server, workspace, stderr_path, screen):
        self.screen = screen
        self.stderr_path = stderr_path
        self.last_id = 0
        self.rest = b""
        command = [str(server), "--stdio", "--workspace", str(workspace)]
        with open(stderr_path, "wb") as stderr:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=stderr,
                cwd=workspace,
                env=clean_environment(),
                bufsize=0,
            )

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def failed(self, sentence):
        said = self.stderr_path.read_text(encoding="utf-8", errors="replace").strip()
        return DemoError(sentence + (f" On stderr it said:\n{said[-2000:]}" if said else ""))

    def ended(self):
        return self.failed(f"The server ended with exit code {self.process.wait()} instead of answering.")

    def receive(self):
        """Returns the next message."""
        until = time.monotonic() + PATIENCE_S
        while b"\n" not in self.rest:
            if not select.select([self.process.stdout], [], [], max(0, until - time.monotonic()))[0]:
                raise self.failed(f"The server gave no answer within {PATIENCE_S} s.")
            more = os.read(self.process.stdout.fileno(), 1 << 20)
            if not more:
                raise self.ended()
            self.rest += more
        line, self.rest = self.rest.split(b"\n", 1)
        try:
            return json.loads(line)
        except ValueError:
            raise self.failed(f"The server wrote a line that is not JSON: {line[:200]!r}.") from None

    def exchange(self, method, params):
        """Returns the result of one request, and the milliseconds that it took."""
        self.last_id += 1
        meta = {
            "io.modelcontextprotocol/protocolVersion": self.revision,
            "io.modelcontextprotocol/clientCapabilities": {},
            "io.modelcontextprotocol/clientInfo": {"name": "snapgen-demo", "version": "1"},
        }
        params = {**params, "_meta": meta}
        self.screen.request(method, params)
        begin = time.monotonic()
        message = {"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params}
        try:
            self.process.stdin.write(json.dumps(message).encode() + b"\n")
        except BrokenPipeError:
            raise self.ended() from None
        while True:
            answer = self.receive()
            if answer.get("id") == self.last_id:
                break
        took_ms = 1000 * (time.monotonic() - begin)
        if "error" in answer:
            self.screen.answer(answer["error"], took_ms)
            raise self.failed(f"The server refused {method}: {answer['error'].get('message')}")
        return answer["result"], took_ms

    def request(self, method):
        result, took_ms = self.exchange(method, {})
        self.screen.answer({key: value for key, value in result.items() if key != "resultType"}, took_ms)
        return result

    def call(self, name, fails_with=None, **arguments):
        """Returns the structured content of a call that must succeed, or the error object of one that must fail."""
        result, took_ms = self.exchange("tools/call", {"name": name, "arguments": arguments})
        if result.get("isError"):
            text = result["content"][0]["text"]
            try:
                error = json.loads(text)["error"]
            except (ValueError, KeyError, TypeError):
                raise DemoError(f"{name} failed with an error in an unexpected form: {text[:300]}") from None
            self.screen.answer(error, took_ms)
            if error.get("code") != fails_with:
                raise DemoError(f"{name} failed: {error.get('code')}, {error.get('message')}")
            return error
        content = result["structuredContent"]
        self.screen.answer(content, took_ms)
        if fails_with:
            raise DemoError(f"{name} succeeded, but should have failed with {fails_with}.")
        return content

    def leave(self):
        """Closes stdin and returns the server's exit code."""
        self.process.stdin.close()
        try:
            return self.process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            raise self.failed(f"The server still runs {PATIENCE_S} s after its stdin was closed.") from None
