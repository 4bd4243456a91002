"""A hostile host: a session with the server, and repositories for its tests."""
import hashlib
import json
import os
import pathlib
import struct
import subprocess
import tempfile
import unittest

SERVER = None  # Each program sets it from its first argument.
SANITIZED = "SNAPGEN_SANITIZED" in os.environ  # AddressSanitizer reserves more memory than any limit of a test.

QUIET = {"GIT_CONFIG_NOSYSTEM": "1", "GIT_AUTHOR_NAME": "t", "GIT_AUTHOR_EMAIL": "t@example.com",
         "GIT_COMMITTER_NAME": "t", "GIT_COMMITTER_EMAIL": "t@example.com"}


class Session:
    """One server process on stdio. Requests are sent one after the other."""

    def __init__(self, workspace, *arguments, environment=None, **popen):
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen([SERVER, "--stdio", "--workspace", str(workspace), *map(str, arguments)],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.errors,
                                        env=environment or dict(os.environ), **popen)
        self.last_id = 0
        self.ask("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}})

    def send(self, line):
        self.process.stdin.write(line if isinstance(line, bytes) else line.encode())
        self.process.stdin.flush()

    def answer(self):
        line = self.process.stdout.readline()
        if not line:
            raise AssertionError(f"the server ended with {self.process.wait()}: {self.log()}")
        return json.loads(line)

    def ask(self, method, params):
        self.last_id += 1
        self.send(json.dumps({"jsonrpc": "2.0", "id": self.last_id, "method": method, "params": params}) + "\n")
        answer = self.answer()
        assert answer.get("id") == self.last_id, answer
        return answer

    def call(self, tool, **arguments):
        """Returns the result of a call, or the protocol error."""
        answer = self.ask("tools/call", {"name": tool, "arguments": arguments})
        return answer.get("result", answer)

    def log(self):
        self.errors.seek(0)
        return self.errors.read().decode(errors="replace")

    def end(self):
        """Closes standard input. Returns the exit code and the log."""
        if self.process.poll() is None:
            self.process.stdin.close()
            self.process.wait(60)
        self.process.stdout.close()
        log = self.log()
        self.errors.close()
        return self.process.returncode, log

    def drop(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        for stream in (self.process.stdin, self.process.stdout, self.errors):
            try:
                stream.close()
            except OSError:
                pass


def failed(result):
    return "error" in result or bool(result.get("isError"))


class Case(unittest.TestCase):
    """Each test has a separate folder with a home folder and a repository. Files outside of the repository must not be
    changed."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="snapgen-security-")
        self.addCleanup(folder.cleanup)
        self.top = pathlib.Path(folder.name).resolve()
        self.home = self.top / "home"
        self.home.mkdir()
        self.root = self.top / "repository"
        self.environment = {**{name: value for name, value in os.environ.items() if not name.startswith(("GIT_", "SNAP"))},
                            **QUIET, "HOME": str(self.home), "SNAPBACK_TIER": "enterprise"}
        self.environment.pop("XDG_CONFIG_HOME", None)
        self.git("init", "-q", str(self.root), at=self.top)

    def git(self, *words, at=None, **more):
        return subprocess.run(["git", *words], cwd=at or self.root, env=self.environment, check=True, capture_output=True, **more).stdout

    def write(self, path, content="text\n"):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content if isinstance(content, bytes) else content.encode())
        return file

    def commit(self, message="first"):
        self.git("add", "-A")
        self.git("commit", "-q", "--no-verify", "-m", message)

    def session(self, *arguments, environment=None, workspace=None, **popen):
        session = Session(workspace or self.root, *arguments, environment={**self.environment, **(environment or {})}, **popen)
        self.addCleanup(session.drop)
        return session

    def snap(self, *words, **environment):
        """Runs the command line. Returns exit code, output and errors."""
        ran = subprocess.run([str(pathlib.Path(SERVER).with_name("snap")), *words], cwd=self.root, capture_output=True,
                             stdin=subprocess.DEVNULL, env={**self.environment, **environment}, timeout=120, check=False)
        return ran.returncode, ran.stdout.decode(errors="replace"), ran.stderr.decode(errors="replace")

    def outside(self):
        """Returns all files outside the repository, with their contents, but not the folders that the server may write
        there: the user's decisions, and the copies of the history."""
        found = {}
        state = self.home / ".local/state/snapgen"
        for folder, folders, files in os.walk(self.top):
            if pathlib.Path(folder) == self.top:
                folders.remove("repository")
            if pathlib.Path(folder) == state and "copies" in folders:
                folders.remove("copies")
            for name in files:
                path = os.path.join(folder, name)
                found[path] = os.readlink(path) if os.path.islink(path) else pathlib.Path(path).read_bytes()
            for name in folders:
                path = os.path.join(folder, name)
                if not (state / "trust").is_relative_to(path):
                    found[path] = None
        return found


# Calls of every tool that by design runs no program, with arguments for which the tool does its work. SNAPSHOT stands
# for the id of the first snapshot.
CALLS = [
    ("snapshot_create", {"paths": ["."]}), ("snapshot_list", {"recursive": True}), ("snapshot_file", {"path": "a.txt"}),
    ("snapshot_grep", {"pattern": "e"}), ("snapshot_changes", {"snapshot_id": "SNAPSHOT"}), ("snapshot_diff", {}),
    ("snapshot_diff", {"against": "index"}), ("snapshot_diff", {"snapshot_id": "SNAPSHOT"}),
    ("snapshot_export", {}), ("snapshot_export", {"format": "tar", "snapshot_id": "SNAPSHOT"}), ("snapshot_info", {"snapshot_id": "SNAPSHOT"}),
    ("workspace_write_file", {"path": "new.txt", "content": "x\n"}), ("workspace_delete", {"path": "new.txt"}),
    ("workspace_apply_patch", {"patch": "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-text\n+other\n", "mode": "worktree"}),
    ("workspace_edit", {"edits": [{"path": "a.txt", "old": "other", "new": "text"}]}), ("history_list", {}),
    ("snap", {"mode": "start", "task": "try", "files": ["a.txt"]}), ("snap", {"mode": "context"}), ("snap", {"mode": "check"}),
    ("check", {"mode": "quick"}), ("check", {"mode": "patterns"}), ("check", {"mode": "impact"}), ("check", {"mode": "circular"}),
    ("check", {"mode": "docs"}), ("snap_fix", {"action": "list"}), ("snap_fix", {"action": "diff", "id": "SNAPSHOT"}),
    ("snap_fix", {"action": "restore", "id": "SNAPSHOT"}), ("snap_learn", {"trigger": "when", "action": "do", "type": "pattern"}),
    ("snap_violation", {"type": "T", "file": "a.txt", "description": "w"}), ("snap_help", {"topic": "all"}), ("snap_end", {"outcome": "completed"}),
    ("snapback_prepare_workspace", {"files": ["a.txt"]}), ("snapback_session", {"op": "start", "task": "t"}), ("snapback_session", {"op": "stats"}),
    ("snapback_session", {"op": "recommendations"}), ("snapback_session", {"op": "end"}),
    ("snapback_context", {"op": "init"}), ("snapback_context", {"op": "build"}), ("snapback_context", {"op": "check"}),
    ("snapback_context", {"op": "validate"}), ("snapback_context", {"op": "status"}), ("snapback_context", {"op": "blockers"}),
    ("snapback_analyze", {"type": "risk", "task": "t", "files": ["a.txt"]}), ("snapback_analyze", {"type": "package"}),
    ("snapback_validate", {"mode": "quick", "code": "let a = 1;", "file_path": "a.txt"}), ("snapback_learn", {"trigger": "w", "action": "a", "type": "pattern"}),
    ("snapback_snapshot_create", {"reason": "r"}), ("snapback_snapshot_list", {}), ("snapback_snapshot_restore", {"snapshot_id": "SNAPSHOT"}),
    ("snapback_acknowledge_risk", {"reason": "r"}), ("snapback_meta", {}), ("bridge_status", {}), ("bridge_pair", {}), ("bridge_events", {}),
]


def call_everything(session):
    """Sends every call of CALLS in order. Returns (tool, arguments, result) of each."""
    first = session.call("snapshot_create", paths=["."])
    snapshot = first.get("structuredContent", {}).get("snapshot_id", "sha256:" + "0" * 64)
    done = []
    for tool, arguments in CALLS:
        arguments = {name: snapshot if value == "SNAPSHOT" else value for name, value in arguments.items()}
        done.append((tool, arguments, session.call(tool, **arguments)))
    return done


def sha(data):
    return hashlib.sha256(data).digest()


class Store:
    """Writes a snapshot store as an attacker could who knows the format and owns the folder."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.records = b""

    def put(self, stored, codec=0, raw=None, name=None):
        """Writes a blob. Returns the digits of its name."""
        digest = name or sha(stored)
        header = struct.pack("<IIQQ", 0x31626C42, codec, len(stored) if raw is None else raw, len(stored)) + digest
        self.records += header + sha(header)[:8] + stored
        return digest.hex()

    def snapshot(self, entries):
        """Writes a snapshot of (path, content name, mode) with a matching manifest. Returns its id."""
        listed = ",".join('{"blob":"sha256:%s"%s,"path":%s}' % (blob, f',"mode":"{mode}"' if mode else "", json.dumps(path, ensure_ascii=False))
                          for path, blob, mode in entries)
        chunk = self.put(listed.encode())
        fingerprint = '{"head_oid":"x","index_oid":"y","status_hash":"z"}'
        digits = sha(f'{fingerprint}\n{{"entries":[{listed}]}}'.encode()).hex()
        folder = self.folder / "snapshots"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / digits).write_text(f'{{"chunks":["sha256:{chunk}"],"fingerprint":{fingerprint},"format":"snapgen-snapshot/1"}}')
        return "sha256:" + digits

    def save(self, name="0000poisoned"):
        folder = self.folder / "blobs"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.seg").write_bytes(b"snapgen segment1" + self.records)
        return folder


def batch(kind, payload):
    """Returns a batch as in file_record.h."""
    return struct.pack("<III", 0x31746142, ord(kind), len(payload)) + sha(payload)[:8] + payload
