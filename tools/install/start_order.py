"""Writes tools/install/start.ld: the functions that a server runs from its start to the answer to tools/list, for the linker.

    start_order.py BUILD

BUILD is a build folder of a static program for x86-64, such as build-package-x86_64. qemu-x86_64-static prints the address
of each block of code that it meets; the linker's map says in which section of which file it is. A function that is
missing in the list, or no longer exists, costs a page fault at most.
"""
import bisect
import json
import pathlib
import re
import subprocess
import sys
import tempfile

SCRIPT = pathlib.Path(__file__).resolve().with_name("start.ld")
# Larger sections are whole sources of libraries, of which a start runs a little.
BYTES_MAX = 32768
MESSAGES = [
    {"jsonrpc": "2.0", "id": 1, "method": "initialize",
     "params": {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "host", "version": "1"}}},
    {"jsonrpc": "2.0", "method": "notifications/initialized"},
    {"jsonrpc": "2.0", "id": 2, "method": "tools/list"},
]


def linked(build, folder):
    """Links the server again, with symbols and a map. Returns [(address, size, section, file)] of its code, sorted."""
    command = subprocess.run(["ninja", "-C", build, "-t", "commands", "-s", "snapgen-server"], check=True, capture_output=True, text=True).stdout
    command = command.strip().splitlines()[-1].replace("-o snapgen-server ", f"-o {folder}/server ")
    subprocess.run(f"{command} -Wl,-Map,{folder}/map", cwd=build, shell=True, check=True, capture_output=True)
    text = (folder / "map").read_text()
    text = text[text.index("Linker script and memory map"):]
    text = re.sub(r"\n( \.text\S+)\n", r"\n\1", text)  # A long name has a line of its own.
    found = re.findall(r"^ (\.text\S*) +0x([0-9a-f]+) +0x([0-9a-f]+) (\S+)$", text, re.M)
    return sorted((int(address, 16), int(size, 16), name, file) for name, address, size, file in found if int(size, 16))


def traced(folder):
    """Returns the addresses of all blocks of code that the server runs."""
    log = folder / "trace"
    repository = folder / "repository"
    subprocess.run(["git", "init", "-q", repository], check=True)
    with subprocess.Popen(["qemu-x86_64-static", "-d", "in_asm", "-D", log, folder / "server", "--stdio", "--workspace", repository],
                          stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        for message in MESSAGES:
            server.stdin.write(json.dumps(message) + "\n")
            server.stdin.flush()
            if "id" in message:
                server.stdout.readline()
        server.kill()
    return [int(each, 16) for each in re.findall(r"^IN:.*\n0x([0-9a-f]+)", log.read_text(), re.M)]


def pattern(size, name, file):
    """Returns the linker's pattern of a section, with the library and its member for one of Debian's; "" if it must stay."""
    # Static initializers stand together anyway, and the code of crt1.o must keep its place.
    if size > BYTES_MAX or name.startswith(".text.startup"):
        return ""
    if "/usr/lib/" not in file:
        return f"*({name})"
    member = re.search(r"/(lib[^/]+\.a)\((\S+)\)$", file)
    return f"*{member[1]}:{member[2]}({name})" if member else ""


def main():
    build = pathlib.Path(sys.argv[1]).resolve()
    with tempfile.TemporaryDirectory() as name:
        sections = linked(build, pathlib.Path(name))
        addresses = traced(pathlib.Path(name))
    starts = [section[0] for section in sections]
    hit = {sections[bisect.bisect(starts, address) - 1] for address in addresses if address >= starts[0]}
    lines = {pattern(*section[1:]) for section in hit} - {""}
    SCRIPT.write_text("/* Written by tools/install/start_order.py. */\nSECTIONS\n{\n  .text.start : {\n"
                      + "".join(f"    {line}\n" for line in sorted(lines)) + "  }\n}\nINSERT BEFORE .text;\n")
    print(f"{SCRIPT}: {len(lines)} sections")


if __name__ == "__main__":
    main()
