"""The peers of a soak, on asyncio: MCP over standard input, over HTTP (both eras), over WebSocket, and a browser of the
bridge. Each has `call(tool, arguments)` and raises Gone when its server has ended."""
import asyncio
import base64
import itertools
import json
import os
import struct

MODERN = "2026-07-28"
STATEFUL = "2025-11-25"
META = {"io.modelcontextprotocol/protocolVersion": MODERN, "io.modelcontextprotocol/clientCapabilities": {},
        "io.modelcontextprotocol/clientInfo": {"name": "soak", "version": "1"}}
OPENING = {"protocolVersion": STATEFUL, "capabilities": {}, "clientInfo": {"name": "soak", "version": "1"}}
LINE_MAX = 64 << 20
ENDS = (ConnectionError, EOFError, BrokenPipeError, asyncio.IncompleteReadError, OSError)


class Gone(Exception):
    """The server has ended, and the outcome of the call is unknown."""


class Stdio:
    """A host with a separate server, which may be killed and started again."""

    def __init__(self, command, environment, log):
        self.command, self.environment, self.log = command, environment, log
        self.ids = itertools.count(1)
        self.process = None

    async def start(self):
        self.process = await asyncio.create_subprocess_exec(*self.command, env=self.environment, stdin=asyncio.subprocess.PIPE,
                                                            stdout=asyncio.subprocess.PIPE, stderr=self.log, limit=LINE_MAX)
        await self.ask("initialize", OPENING)

    async def ask(self, method, params):
        number = next(self.ids)
        try:
            self.process.stdin.write(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode() + b"\n")
            await self.process.stdin.drain()
            line = await self.process.stdout.readline()
        except ENDS as error:
            raise Gone from error
        if not line:
            raise Gone
        answer = json.loads(line)
        assert answer.get("id") == number, answer
        return answer

    async def call(self, tool, arguments):
        return await self.ask("tools/call", {"name": tool, "arguments": arguments})

    async def end(self):
        self.process.stdin.close()
        return await asyncio.wait_for(self.process.wait(), 60)


class Http:
    """A reused HTTP connection, which is opened again if it breaks. `modern`: every request is independent."""

    def __init__(self, place, modern):
        self.place, self.modern = place, modern  # place() returns the current port
        self.ids = itertools.count(1)
        self.reader = self.writer = self.session = None

    async def exchange(self, message, headers):
        body = json.dumps(message).encode()
        try:
            if self.writer is None:
                self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.place(), limit=LINE_MAX)
            port = self.place()
            head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
            self.writer.write((f"POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Type: application/json\r\n"
                               f"Accept: application/json, text/event-stream\r\nContent-Length: {len(body)}\r\n{head}\r\n").encode() + body)
            await self.writer.drain()
            return await self.answer()
        except ENDS as error:
            self.drop()
            raise Gone from error

    async def answer(self):
        head = (await self.reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
        status = int(head[0].split()[1])
        fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in head[1:])}
        body = b""
        if fields.get("transfer-encoding") == "chunked":
            while size := int(await self.reader.readline(), 16):
                body += await self.reader.readexactly(size)
                await self.reader.readexactly(2)
            await self.reader.readexactly(2)
        else:
            body = await self.reader.readexactly(int(fields.get("content-length", 0)))
        if fields.get("connection", "").lower() == "close":
            self.drop()
        if "event-stream" in fields.get("content-type", ""):
            lines = [line[5:] for line in body.decode().splitlines() if line.startswith("data:") and len(line) > 6]
            body = lines[-1].encode()
        return status, fields, body

    def drop(self):
        if self.writer is not None:
            self.writer.close()
        self.writer = None

    async def call(self, tool, arguments):
        number = next(self.ids)
        params = {"name": tool, "arguments": arguments}
        if self.modern:
            headers = {"MCP-Protocol-Version": MODERN, "Mcp-Method": "tools/call", "Mcp-Name": tool}
            params["_meta"] = META
        else:
            if self.session is None:
                status, fields, _ = await self.exchange({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": OPENING}, {})
                assert status == 200, status
                self.session = fields["mcp-session-id"]
            headers = {"Mcp-Session-Id": self.session, "MCP-Protocol-Version": STATEFUL}
        status, _, body = await self.exchange({"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}, headers)
        if status == 404:  # a new server does not know the session
            self.session = None
            raise Gone
        assert status == 200, (status, body)
        return json.loads(body)


class Socket:
    """A WebSocket client without a library."""

    def __init__(self, place, protocol=None):
        self.place, self.protocol = place, protocol
        self.reader = self.writer = None

    async def open(self):
        port = self.place()
        extra = f"Sec-WebSocket-Protocol: {self.protocol}\r\n" if self.protocol else ""
        try:
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", port, limit=LINE_MAX)
            self.writer.write((f"GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                               f"Sec-WebSocket-Key: {base64.b64encode(os.urandom(16)).decode()}\r\n{extra}\r\n").encode())
            head = await self.reader.readuntil(b"\r\n\r\n")
        except ENDS as error:
            raise Gone from error
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise Gone

    def frame(self, payload, first=0x81):
        size = len(payload)
        head = struct.pack("!B", 0x80 | size) if size < 126 else struct.pack("!BH", 0x80 | 126, size) if size < 65536 else struct.pack("!BQ", 0x80 | 127, size)
        return bytes([first]) + head + b"\0\0\0\0" + payload

    async def send(self, message):
        try:
            self.writer.write(self.frame(json.dumps(message).encode()))
            await self.writer.drain()
        except ENDS as error:
            raise Gone from error

    async def next(self):
        try:
            while True:
                first, size = await self.reader.readexactly(2)
                if size == 126:
                    size, = struct.unpack("!H", await self.reader.readexactly(2))
                elif size == 127:
                    size, = struct.unpack("!Q", await self.reader.readexactly(8))
                payload = await self.reader.readexactly(size)
                if first & 15 == 9:
                    self.writer.write(self.frame(payload, 0x8A))
                elif first & 15 == 8:
                    raise Gone
                elif first & 15 == 1:
                    return json.loads(payload)
        except ENDS as error:
            raise Gone from error

    def drop(self):
        if self.writer is not None:
            self.writer.close()
        self.writer = None


class WebSocketMcp(Socket):
    """A program that speaks MCP at the bridge's port."""

    def __init__(self, place):
        super().__init__(place, "mcp")
        self.ids = itertools.count(1)

    async def ask(self, method, params):
        number = next(self.ids)
        await self.send({"jsonrpc": "2.0", "id": number, "method": method, "params": params})
        while True:
            answer = await self.next()
            if answer.get("id") == number:
                return answer

    async def call(self, tool, arguments):
        try:
            if self.writer is None:
                await self.open()
                await self.ask("initialize", OPENING)
            return await self.ask("tools/call", {"name": tool, "arguments": arguments})
        except Gone:
            self.drop()
            raise


class Browser(Socket):
    """A browser with a project that never changes."""

    ANSWERS = {"read_project": {"project": {"name": "Jump", "sprites": [{"name": "Cat", "script_count": 3}]}}}

    async def serve(self, token):
        """Connects, and answers until the connection ends."""
        await self.open()
        await self.send({"type": "connect", "version": "1.0.0", "token": token})
        while True:
            message = await self.next()
            if message.get("type") == "command":
                await self.send({"type": "response", "message_id": message["message_id"], "status": "success",
                                 "payload": self.ANSWERS[message["command"]]})
