#!/usr/bin/env python3
"""Sends the calls in FOLDER/FAMILY/TOOL.json to a server on stdio and checks the results.

calls.py FOLDER -- SERVER ARGUMENT...      ({workspace} in an argument: a new git repository with one file)

A file:
  { "tool": "snapshot.info",
    "calls": [ { "says": "the tested behaviour", "arguments": {}, "result": { "text": "hello" } },
               { "says": "the rejected arguments", "arguments": {}, "error": "a part of the text" } ] }
`result` must be the structured content or a part of it: other members may have any value. `text` and `error` must be a
part of the first text block, or of a string in it if it is JSON: a message is written as people read it. Exit code 1 if
an answer differs.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

HANDSHAKE = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "calls", "version": "1"}}
KEYS = {"says", "arguments", "result", "error", "text"}


class Gone(Exception):
    pass


class BadFile(Exception):
    pass


class Server:
    """A server process on stdio. Requests are sent one after the other. Other tests use it too."""

    def __init__(self, command, **options):
        """`options` are passed to subprocess.Popen."""
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8", **options)
        self.last_id = 0
        self.opened = self.ask("initialize", HANDSHAKE)
        self.send({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def send(self, message):
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()

    def ask(self, method, params):
        self.last_id += 1
        self.send({"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params})
        while True:
            line = self.process.stdout.readline()
            if not line:
                raise Gone("the server has ended")
            answer = json.loads(line)
            if answer.get("id") == self.last_id:
                return answer

    def close(self):
        self.process.stdin.close()
        return self.process.wait(timeout=30)


def contains(whole, part, at=""):
    """Returns where `part` differs from `whole`; nothing if `whole` contains it."""
    if isinstance(part, dict) and isinstance(whole, dict):
        for key, value in part.items():
            if key not in whole:
                return f"{at}/{key} is missing"
            found = contains(whole[key], value, f"{at}/{key}")
            if found:
                return found
        return None
    same = whole == part and type(whole) is type(part)
    return None if same else f"{at or 'the result'} is {json.dumps(whole)}, not {json.dumps(part)}"


def strings_in(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, (dict, list)):
        for each in value.values() if isinstance(value, dict) else value:
            yield from strings_in(each)


def readings(text):
    """Returns the text, and the decoded strings in it if it is JSON."""
    try:
        return [text, *strings_in(json.loads(text))]
    except ValueError:
        return [text]


def fault_of(answer, call):
    """Returns the differences between the result and the expectations of the call; nothing if there are none."""
    unknown = set(call) - KEYS
    if unknown or "arguments" not in call or not {"result", "error", "text"} & set(call):
        return "a call has arguments and result, text or error" + "".join(f"; {key} is not known" for key in sorted(unknown))
    if "error" in answer:
        return f"it was refused: {answer['error']['message']}"
    result = answer["result"]
    text = next((block["text"] for block in result["content"] if block["type"] == "text"), "")
    if result.get("isError", False) != ("error" in call):
        return f"it {'failed' if 'error' not in call else 'did not fail'}: {text}"
    for key in ("error", "text"):
        if key in call and not any(call[key] in reading for reading in readings(text)):
            return f"{call[key]} is not in {text}"
    if "result" not in call:
        return None
    return contains(result.get("structuredContent"), call["result"])


def read_page(file):
    """Returns the tool and the calls of a file. Raises BadFile."""
    try:
        page = json.loads(file.read_text())
    except json.JSONDecodeError as fault:
        raise BadFile(f"{file}:{fault.lineno}:{fault.colno}: {fault.msg}") from fault
    except ValueError as fault:
        raise BadFile(f"{file}: it is not UTF-8") from fault
    if not isinstance(page, dict) or set(page) != {"tool", "calls"} or not isinstance(page["calls"], list):
        raise BadFile(f'{file}: the file has "tool" and "calls", a list, and nothing else')
    if not all(isinstance(call, dict) for call in page["calls"]):
        raise BadFile(f"{file}: each call is an object")
    return page


def play(folder, command):
    faults = count = 0
    pages = {file: read_page(file) for file in sorted(pathlib.Path(folder).glob("*/*.json"))}
    server = Server(command)
    for file, page in pages.items():
        for call in page["calls"]:
            answer = server.ask("tools/call", {"name": page["tool"], "arguments": call.get("arguments")})
            fault = fault_of(answer, call)
            count += 1
            if fault:
                faults += 1
                print(f"{file.parent.name}/{file.name}: {call.get('says', 'a call')}: {fault}")
    code = server.close()
    if code:
        print(f"the server ended with exit code {code}")
        faults += 1
    print(f"{count - faults} calls returned the expected result, {faults} did not")
    return 1 if faults or not count else 0


def main(folder, separator, *command):
    if separator != "--" or not command:
        raise SystemExit(__doc__)
    with tempfile.TemporaryDirectory() as workspace:
        subprocess.run(["git", "init", "-q", workspace], check=True)
        (pathlib.Path(workspace) / "hello.txt").write_text("hello\n")
        try:
            return play(folder, [word.replace("{workspace}", workspace) for word in command])
        except (Gone, BadFile) as fault:
            raise SystemExit(str(fault)) from fault
        except OSError as fault:
            raise SystemExit(f"{fault.filename or command[0]}: {fault.strerror}") from fault


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]) if len(sys.argv) > 3 else __doc__)
