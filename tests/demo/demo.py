#!/usr/bin/env python3
"""Plays a session of an AI host against snapgen-server and shows every request and answer. ./dev demo runs it.

demo.py --server PATH [--workspace DIR]

One step edits a file without the server. All steps use a scratch clone of the repository, which is removed at the end:
nothing is written to the repository itself, neither to its files nor to its .git folder.
"""
import argparse
import difflib
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from host import DemoError, Host, Screen, clean_environment, pretty

EDIT = "one more line, written behind the server's back\n"


# ---- the repository to use -------------------------------------------------------------------------------------------


def git(*arguments, folder="."):
    """Returns the output of git; a DemoError with its own message if git fails."""
    # The user's hooks, templates and filters must not run.
    command = ["git", "-C", str(folder), "-c", "core.hooksPath=/dev/null", *arguments]
    done = subprocess.run(
        command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace", env=clean_environment()
    )
    if done.returncode != 0:
        raise DemoError(f"`git {shlex.join(arguments)}` failed in {folder}: {done.stderr.strip() or done.returncode}")
    return done.stdout.strip()


def find_source(asked):
    """Returns the root of the requested repository, or of the current one; None if the current folder is in no usable
    one."""
    try:
        source = Path(git("rev-parse", "--show-toplevel", folder=asked or "."))
    except DemoError:
        if asked is None:
            return None
        raise
    try:
        git("rev-parse", "--verify", "HEAD^{commit}", folder=source)
    except DemoError:
        if asked is None:
            return None
        raise DemoError(f"The repository {source} has no commit yet; the demo needs one to clone.") from None
    return source


def small_repository(folder):
    folder.mkdir()
    (folder / "src").mkdir()
    (folder / "README.md").write_text("# Greetings\n\nA small program that greets people by name.\n")
    (folder / "src" / "greet.py").write_text('def greet(name):\n    return f"Good morning, {name}!"\n')
    git("init", "--quiet", "--template=", folder=folder)
    git("add", ".", folder=folder)
    who = ["-c", "user.name=demo", "-c", "user.email=demo@localhost", "-c", "commit.gpgsign=false"]
    git(*who, "commit", "--quiet", "--no-verify", "--message", "first", folder=folder)


def scratch_copy(source, folder):
    if source is None:
        small_repository(folder)
    else:
        git("clone", "--quiet", "--local", "--no-tags", "--template=", str(source), str(folder))


def text_files(folder):
    """Returns tracked text files that are suitable for the demo, the most suitable first."""
    found = []
    for path in git("ls-files", "-z", folder=folder).split("\0"):
        file = folder / path
        if not path or file.is_symlink() or not file.is_file() or not 40 <= file.stat().st_size <= 65536:
            continue
        if any(ord(c) < 32 for c in path):
            continue
        readme = path.lower().startswith("readme")
        found.append((not readme, path.count("/"), path.startswith("."), path))
    for *_, path in sorted(found):
        try:
            text = (folder / path).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        if "\0" not in text and not text.startswith("base64:") and re.search("[A-Za-z]{5}", text):
            yield path


def choose_file(folder):
    for path in text_files(folder):
        return path
    (folder / "snapgen-demo.txt").write_text("This repository has no text file to show, so here is one.\n")
    return "snapgen-demo.txt"


# ---- the session -----------------------------------------------------------------------------------------------------


def play(host, screen, folder, path):
    """Runs all steps, in order. Raises a DemoError at the first unexpected answer."""
    screen.step("Discover: who is there, and which protocol does it speak?")
    found = host.request("server/discover")
    versions = found.get("supportedVersions", [])
    if host.revision not in versions:
        raise DemoError(f"The server does not offer revision {host.revision} but {versions}.")
    server = found.get("_meta", {}).get("io.modelcontextprotocol/serverInfo", {})
    screen.note(f"{server.get('name')} {server.get('version')} speaks {', '.join(versions)}")

    screen.step("List the tools")
    tools = host.request("tools/list")["tools"]
    screen.note(f"{len(tools)} tools:")
    for tool in tools:
        screen.note(f"  {tool['name']:{max(len(one['name']) for one in tools)}}  {tool.get('description', '')}")
    missing = {"snapshot_list", "snapshot_grep", "snapshot_file", "snapshot_create"} - {tool["name"] for tool in tools}
    if missing:
        raise DemoError(f"The server does not list {', '.join(sorted(missing))}.")

    screen.step("List files. The first read of the work tree also issues a lease")
    listed = host.call("snapshot_list", recursive=True, max_entries=50)
    lease = listed["lease_id"]
    screen.note(f"{len(listed['entries'])} entries; lease {lease}")

    word = re.search("[A-Za-z]{5,}", (folder / path).read_text(encoding="utf-8")).group()
    screen.step(f"Search for '{word}' under the same lease")
    found = host.call("snapshot_grep", pattern=word, fixed=True, lease_id=lease, paths=[path], max_matches=5)
    first = found["matches"][0]
    screen.note(f"{len(found['matches'])} matches; the first is {first['path']}:{first['line']}:{first['col']}")

    screen.step(f"Read {path}")
    before = host.call("snapshot_file", path=path, lease_id=lease)
    screen.note(f"{before['size']} bytes, blob {before['blob']}")

    screen.step("Take a snapshot of the files that this lease has listed or read")
    snapshot = host.call("snapshot_create", lease_id=lease, message="before the edit")
    stats = snapshot["manifest_stats"]
    screen.note(f"{stats['files']} files, {stats['bytes']} bytes, now immutable as {snapshot['snapshot_id']}")

    screen.step(f"Someone edits {path} behind the server's back")
    with open(folder / path, "a", encoding="utf-8") as file:
        file.write(EDIT)
    screen.note(f"+ {EDIT.rstrip()}")

    screen.step("Read again under the old lease: the server must notice")
    error = host.call("snapshot_file", fails_with="STALE_LEASE", path=path, lease_id=lease)
    changed = error.get("details", {}).get("changed_paths", [])
    if path not in changed:
        raise DemoError(f"STALE_LEASE does not name {path} among the changed paths: {changed}")
    screen.note(f"STALE_LEASE, as it must be; changed: {', '.join(changed)}")

    screen.step("Retry as the error says: without the old lease")
    after = host.call("snapshot_file", path=path)
    if not after["content"].endswith(EDIT):
        raise DemoError(f"The answer does not end with the new line of {path}.")
    screen.note(f"the new content, under the new lease {after['lease_id']}")

    screen.step("Compare: the same file as the snapshot kept it, and as it is now")
    kept = host.call("snapshot_file", path=path, mode="snapshot", snapshot_id=snapshot["snapshot_id"])
    if kept["content"] != before["content"]:
        raise DemoError(f"The snapshot does not contain {path} as it was before the edit.")
    old, new = kept["content"].splitlines(keepends=True), after["content"].splitlines(keepends=True)
    screen.diff(difflib.unified_diff(old, new, f"snapshot/{path}", f"worktree/{path}", n=1))


# ---- configuration for real hosts ------------------------------------------------------------------------------------


def show_configuration(screen, server, workspace):
    def entry(folder, **extra):
        return {**extra, "command": str(server), "args": ["--stdio", "--profile", "first", *(["--workspace", folder] if folder else [])]}

    def block(title, value):
        screen.plain(title, value if isinstance(value, str) else "\n".join(pretty(value, 100)))

    here = str(workspace) if workspace else "/path/to/your/repository"
    screen.heading("To use it, paste into your host:")
    block("Claude Code, in the repository:", f"claude mcp add snapgen -- {shlex.quote(str(server))} --stdio --profile first")
    block("Claude Desktop, claude_desktop_config.json:", {"mcpServers": {"snapgen": entry(here)}})
    block("Cursor, .cursor/mcp.json:", {"mcpServers": {"snapgen": entry("${workspaceFolder}")}})
    block("VS Code, .vscode/mcp.json:", {"servers": {"snapgen": entry("${workspaceFolder}", type="stdio")}})


def main():
    parser = argparse.ArgumentParser(prog="./dev demo", description="An AI host's session against snapgen-server.")
    parser.add_argument("--server", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--workspace", metavar="DIR", help="the repository to play on (default: the current one)")
    arguments = parser.parse_args()
    server = Path(os.path.abspath(arguments.server))
    screen = Screen()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    scratch = Path(tempfile.mkdtemp(prefix="snapgen-demo-"))
    try:
        if not os.access(server, os.X_OK):
            raise DemoError(f"{server} is missing or cannot be run; ./dev build makes it.")
        source = find_source(arguments.workspace)
        folder = scratch / (source.name if source else "greetings")
        scratch_copy(source, folder)
        path = choose_file(folder)
        if source:
            screen.heading(f"A host's session with snapgen on {source}")
            screen.say(f"It plays on a scratch clone of the last commit, {folder}; your own files are not touched.")
        else:
            screen.heading("A host's session with snapgen on a small new repository")
            screen.say(f"The current folder is in no repository with a commit, so there is one in {folder}.")
        with Host(server, folder, scratch / "stderr", screen) as host:
            play(host, screen, folder, path)
            begin = time.monotonic()
            code = host.leave()
            if code != 0:
                raise DemoError(f"The server ended with exit code {code}.")
            screen.heading(f"stdin closed; the server was gone {1000 * (time.monotonic() - begin):.1f} ms later.")
        show_configuration(screen, server, source)
        return 0
    except BrokenPipeError:  # the reader has closed the pipe
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:
        return 130
    except (DemoError, KeyError, IndexError, TypeError) as error:
        sentence = error if isinstance(error, DemoError) else f"An answer lacks what it must have: {error!r}."
        sys.stdout.flush()
        print(f"demo: {sentence}", file=sys.stderr)
        return 1
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


if __name__ == "__main__":
    sys.exit(main())
