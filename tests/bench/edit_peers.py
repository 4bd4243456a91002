"""Programs that apply the same edits: git apply, GNU patch, and edit_file of npm's server-filesystem."""
import json
import subprocess
from dataclasses import dataclass, field

import trees

COMMANDS = {
    "git apply": ["git", "apply"],
    "git apply --recount": ["git", "apply", "--recount"],
    "GNU patch": ["patch", "--batch", "--no-backup-if-mismatch", "-p1"],
}


@dataclass
class Tally:
    """What one program made of the edits that it got."""
    right: int = 0
    wrong: int = 0
    refused: int = 0
    left_changed: int = 0  # refused, with a part of the change in the file
    bytes_in: int = 0
    bytes_out: int = 0
    by_kind: dict = field(default_factory=dict)  # kind -> [right, wrong, refused]

    def add(self, case, is_accepted, content, sent, received):
        is_right = is_accepted and content == case.change.after.encode()
        self.right += is_right
        self.wrong += is_accepted and not is_right
        self.refused += not is_accepted
        self.left_changed += not is_accepted and content != case.change.before.encode()
        self.bytes_in += sent
        self.bytes_out += received
        self.by_kind.setdefault(case.kind, [0, 0, 0])[0 if is_right else 1 if is_accepted else 2] += 1


class Peers:
    """Applies cases in a folder with a git repository. `server`: a Server of server-filesystem, or None."""

    def __init__(self, folder, server):
        self.folder, self.server = folder, server
        self.tallies = {name: Tally() for name in COMMANDS}
        if server:
            self.tallies["server-filesystem"] = Tally()

    def run(self, case):
        if case.written.form == "unified":
            for name, command in COMMANDS.items():
                self.run_command(case, name, command)
        elif case.written.form == "replace" and self.server:
            self.run_server(case)

    def prepared(self, case):
        path = self.folder / case.written.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(case.change.before.encode())
        return path

    def run_command(self, case, name, command):
        path = self.prepared(case)
        patch = case.written.patch().encode()
        done = subprocess.run(command, cwd=self.folder, input=patch, env=trees.PLAIN_GIT, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        content = path.read_bytes() if path.exists() else b""
        self.tallies[name].add(case, done.returncode == 0, content, len(patch), len(done.stdout))
        for rest in (*path.parent.glob("*.rej"), *path.parent.glob("*.orig")):
            rest.unlink()

    def run_server(self, case):
        path = self.prepared(case)
        edits = [{"oldText": old, "newText": new} for old, new, _ in case.written.edits()]
        arguments = {"path": str(path), "edits": edits}
        _, answer = self.server.exchange("tools/call", {"name": "edit_file", "arguments": arguments})
        result = answer["result"]
        self.tallies["server-filesystem"].add(case, not result.get("isError"), path.read_bytes(), len(json.dumps(arguments)),
                                              len(json.dumps(result)))
