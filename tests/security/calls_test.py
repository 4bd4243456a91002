"""A hostile model: arbitrary arguments of calls, and arbitrary messages instead of calls."""
import json
import os
import pathlib
import resource
import select
import sys
import threading
import time
import unittest

import host
from host import Case, call_everything, failed

LEADING_OUT = ("../elsewhere/f", "..", "a/../../elsewhere/f", "/etc/passwd", "//etc/passwd", "~/f", "~root/f", "a\0b", "", ".git/config", ".GIT/config",
               ".git", "sub/.git/config", ".git/../.git/config", ".git/snapgen/x", "C:\\x", "..\\x", "base64:Li4vZg==", "base64:L2V0Yy9wYXNzd2Q=",
               "base64:LmdpdC9jb25maWc=", "link/f", "link/../../elsewhere/f", "file:///etc/passwd", "%2e%2e/f", "a/./../../elsewhere/f", ".git /config")


class Calls(Case):
    def setUp(self):
        super().setUp()
        self.write("a.txt")
        self.write("package.json", '{"name":"x","version":"1.0.0"}\n')
        self.elsewhere = self.top / "elsewhere"
        self.elsewhere.mkdir()
        (self.elsewhere / "f").write_text("needle\n")
        os.symlink(self.elsewhere, self.root / "link")
        self.commit()
        self.before = self.outside()

    def check_calm(self, session):
        self.assertFalse(failed(session.call("snapshot_file", path="a.txt")))
        code, log = session.end()
        self.assertEqual(code, 0, log)
        self.assertEqual(self.outside(), self.before)

    def test_no_path_argument_leads_outside_or_to_git(self):
        session = self.session()
        tools = session.ask("tools/list", {})["result"]["tools"]
        git = (self.root / ".git/config").read_bytes()
        # Every argument that is a path or a list of paths.
        fields = {"path", "paths", "files", "file", "folder", "file_path", "globs"}
        asked = set()
        rest = {"snapshot_grep": {"pattern": "needle"}, "workspace_write_file": {"content": "x"}, "snap": {"mode": "start"}, "check": {"mode": "quick"},
                "snap_violation": {"type": "T", "description": "d"}, "snapback_analyze": {"type": "package"}, "snapback_validate": {"mode": "quick", "code": "x"},
                "snapback_session": {"op": "start", "task": "t"}, "snapback_learn": {"type": "pattern", "trigger": "t", "action": "a"},
                "snapback_acknowledge_risk": {"reason": "r"}, "snapback_snapshot_restore": {}}
        snapshot = session.call("snapshot_create", paths=["."])["structuredContent"]["snapshot_id"]
        for tool in tools:
            properties = tool["inputSchema"].get("properties", {})
            for field in fields & properties.keys():
                asked.add((tool["name"], field))
                many = properties[field].get("type") == "array"
                for path in LEADING_OUT:
                    arguments = {**rest.get(tool["name"], {}), field: [path] if many else path}
                    if tool["name"] == "snapback_snapshot_restore":
                        arguments["snapshot_id"] = snapshot
                    result = session.call(tool["name"], **arguments)
                    self.assertNotIn("needle\\n", json.dumps(result).replace('pattern', ''), (tool["name"], arguments))
                    self.assertNotIn("root:x:0", json.dumps(result), (tool["name"], arguments))
                    self.assertNotIn("repositoryformatversion", json.dumps(result), (tool["name"], arguments))
        self.assertGreaterEqual(len(asked), 12, asked)
        for path in LEADING_OUT:
            for header in (f"--- a/{path}\n+++ b/{path}\n", f"--- /dev/null\n+++ b/{path}\n", f"diff --git a/a.txt b/{path}\nrename from a.txt\nrename to {path}\n",
                           f"diff --git a/{path} b/x.txt\ncopy from {path}\ncopy to x.txt\n", f'--- "a/{path}"\n+++ "b/{path}"\n'):
                patch = header + "@@ -0,0 +1 @@\n+evil\n"
                for mode in ({}, {"mode": "snapshot", "snapshot_id": snapshot}):
                    result = session.call("workspace_apply_patch", patch=patch, **mode)
                    parts = path.lower().split("/")
                    if ".." in parts or ".git" in parts or parts[0] == "link":
                        self.assertFalse(result.get("structuredContent", {}).get("applied", False), (path, header, result))
        self.assertEqual((self.root / ".git/config").read_bytes(), git)
        self.assertTrue((self.root / "link").is_symlink())
        self.check_calm(session)

    def test_no_resource_uri_leads_outside_or_to_git(self):
        session = self.session()
        for path in LEADING_OUT:
            for uri in (f"snapgen://files/{path}", f"snapgen://snapshots/{path}", f"snapgen://snapshots/x/files/{path}", f"snapgen://tasks/{path}",
                        f"snapgen://reference/{path}", f"snapgen://reference/../{path}", f"file://{path}"):
                answer = session.ask("resources/read", {"uri": uri})
                self.assertNotIn("needle", json.dumps(answer), uri)
                self.assertNotIn("root:x:0", json.dumps(answer), uri)
                self.assertNotIn("repositoryformatversion", json.dumps(answer), uri)
        self.check_calm(session)

    def test_a_regular_expression_takes_linear_time(self):
        self.write("long.txt", "a" * 200_000 + "\n")
        session = self.session(preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (300, 300)))
        for pattern in ("(a*)*b", "(a|a)*b", "(a+)+$", "(?:a?){500}a{500}", "((a{1,100}){1,100}){1,100}", "(" * 5000 + ")" * 5000, "[" * 100, "a{1000000}",
                        "\\C", "(?P<x>a)(?P<x>b)", "\\pN" * 1000, "(?i)" + "[^\\x00]" * 2000, ".*" * 200 + "b"):
            session.call("snapshot_grep", pattern=pattern)
        for glob in ("*" * 1000, "**/" * 500 + "x", "{a," * 500 + "}" * 500, "[" * 1000, "\\" * 999, "*a" * 200 + "b"):
            session.call("snapshot_grep", pattern="a", globs=[glob])
        self.check_calm(session)

    def test_any_patch_is_processed_with_limited_memory(self):
        session = self.session(preexec_fn=self.little_memory)
        zeros = "GIT binary patch\nliteral 99999999999\n" + "zcmZ?wbhEHbRAgXcXJTYvWME)m" * 100 + "\n\n"
        for patch in ("@@ -1,999999999999 +1,999999999999 @@\n", "--- a/a.txt\n+++ b/a.txt\n@@ -1,18446744073709551615 +1 @@\n-text\n+x\n",
                      "--- a/a.txt\n+++ b/a.txt\n" + "@@ -1 +1 @@\n-text\n+text\n" * 20_000, "diff --git a/x b/x\n" * 50_000,
                      "".join(f"--- /dev/null\n+++ b/n{i}\n@@ -0,0 +1 @@\n+x\n" for i in range(30_000)),
                      f"diff --git a/b.bin b/b.bin\nnew file mode 100644\nindex 0000000..1111111\n{zeros}",
                      "diff --git a/l b/l\nnew file mode 120000\n--- /dev/null\n+++ b/l\n@@ -0,0 +1 @@\n+/etc/passwd\n\\ No newline at end of file\n",
                      "--- a/" + "d/" * 3000 + "f\n+++ b/f\n@@ -1 +1 @@\n-a\n+b\n", "\0" * 100_000, "\n" * 1_000_000):
            session.call("workspace_apply_patch", patch=patch, dry_run=True)
        self.check_calm(session)

    @staticmethod
    def little_memory():
        if not host.SANITIZED:
            resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))

    def test_any_message_is_answered_or_rejected(self):
        session = self.session(preexec_fn=self.little_memory)
        deep = b"[" * 1_000_000 + b"]" * 1_000_000
        nested = b'{"a":' * 200_000 + b"1" + b"}" * 200_000
        call = b'{"jsonrpc":"2.0","id":900,"method":"tools/call","params":{"name":"snapshot_file","arguments":%s}}'
        for message in (deep, nested, call % deep, call % nested, call % (b'{"path":"' + b"x" * 10_000_000 + b'"}'), call % b'{"path":"a.txt","path":"b"}',
                        call % b'{"path":"\\ud800"}', call % b'{"path":1e999999}', b'{"jsonrpc":"2.0","id":' + b"9" * 100_000 + b',"method":"ping"}',
                        b"\xff\xfe\x00", b"{" * 100, b'"' + b"\\u0000" * 100_000 + b'"', b"[" + b"{}," * 100_000 + b"{}]", b"null", b"1", b""):
            session.send(message + b"\n")
        session.send(b'{"jsonrpc":"2.0","id":"last","method":"ping"}\n')
        while True:
            line = session.process.stdout.readline()
            self.assertTrue(line, "the server ended")
            if b'"id":"last"' in line:
                break
        self.check_calm(session)

    def test_texts_are_stored_without_interpretation(self):
        session = self.session(preexec_fn=self.little_memory)
        for text in ("x" * 1_000_000, "\0", "\x1b]0;evil\x07", "'; drop table x; --", "\" or \"\"=\"", "a* OR b NEAR/0 c", "\u202e", "$(touch x)", "{{7*7}}",
                     "\n".join(["{}"] * 1000), "\U0010ffff" * 1000):
            for tool, arguments in (("snap", {"mode": "start", "task": text, "keywords": [text]}), ("snap_learn", {"trigger": text, "action": text, "type": "pattern"}),
                                    ("snap_violation", {"type": text, "description": text, "prevention": text}), ("snap_end", {"learnings": [text]}),
                                    ("snapback_learn", {"trigger": text, "action": text, "type": "pattern"}), ("snapback_acknowledge_risk", {"reason": text}),
                                    ("snapback_validate", {"mode": "quick", "code": text, "file_path": "a.txt"}), ("snapshot_create", {"paths": ["."], "message": text}),
                                    ("snapback_snapshot_list", {"contains": text}), ("snapback_analyze", {"type": "package", "package": text, "version": text}),
                                    ("snapback_analyze", {"type": "risk", "task": text}), ("workspace_write_file", {"path": "n.txt", "content": text})):
                session.call(tool, **arguments)
        for line in (file for file in (self.root / ".snapback").rglob("*.jsonl")):
            for each in line.read_bytes().splitlines():
                json.loads(each)
        self.check_calm(session)

    def test_no_call_leaves_the_workspace_while_a_folder_is_swapped_for_a_symlink(self):
        (self.root / "folder").mkdir()
        self.write("folder/f", "inside\n")
        over = threading.Event()

        def swap():
            real, kept = self.root / "folder", self.root / "kept"
            while not over.is_set():
                try:
                    os.rename(real, kept)
                    os.symlink(self.elsewhere, real)
                    os.unlink(real)
                    os.rename(kept, real)
                except OSError:
                    pass

        thread = threading.Thread(target=swap)
        thread.start()
        try:
            session = self.session()
            for i in range(150):
                read = session.call("snapshot_file", path="folder/f")
                self.assertNotIn("needle", json.dumps(read))
                session.call("workspace_write_file", path="folder/f", content=f"inside {i}\n")
                session.call("workspace_delete", path="folder/g")
                session.call("snapshot_grep", pattern="inside", paths=["folder"])
                session.call("workspace_apply_patch", patch="--- /dev/null\n+++ b/folder/g\n@@ -0,0 +1 @@\n+inside\n", mode="worktree")
        finally:
            over.set()
            thread.join()
        self.check_calm(session)


    def test_the_server_ends_with_its_input_whatever_a_call_does(self):
        """Reading 20 GiB takes longer than the limit."""
        huge = self.write("huge.bin", "needle\n")
        os.truncate(huge, 20 << 30)
        self.git("update-index", "--add", "--cacheinfo", "100644,e69de29bb2d1d6434b8b29ae775ad8c2e48c5391,huge.bin")
        for tool, arguments in (("snapshot_create", {"paths": ["."]}), ("snapshot_grep", {"pattern": "absent"}),
                                ("snapshot_file", {"path": "huge.bin"}), ("snapshot_diff", {}), ("workspace_delete", {"path": "huge.bin"})):
            with self.subTest(tool=tool):
                session = self.session("--profile", "full")
                call = {"jsonrpc": "2.0", "id": 99, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
                session.send(json.dumps(call) + "\n")
                self.wait_until_open(session, huge)
                begun = time.monotonic()
                session.process.stdin.close()
                session.process.wait(60)
                self.assertLess(time.monotonic() - begun, 1 if not host.SANITIZED else 5)

    def wait_until_open(self, session, path):
        """Waits until the server reads the file, or has answered."""
        folder, deadline = f"/proc/{session.process.pid}/fd", time.monotonic() + 30
        while time.monotonic() < deadline and not select.select([session.process.stdout], [], [], 0)[0]:
            for name in os.listdir(folder):
                try:
                    if os.readlink(f"{folder}/{name}") == str(path):
                        return
                except FileNotFoundError:
                    pass
        self.assertTrue(select.select([session.process.stdout], [], [], 0)[0], "the call neither reads nor answers")

    def check_late_snapshot(self, session):
        """Waits for the snapshot of what an editor saved while its file was replaced."""
        late, deadline = [], time.monotonic() + 30
        while not late and time.monotonic() < deadline:
            listed = session.call("snapback_snapshot_list")["structuredContent"]["data"]["snapshots"]
            late = [each for each in listed if "saved to a.txt by another program" in each.get("message", "")]
            time.sleep(0.05)
        self.assertEqual(len(late), 1)
        read = session.call("snapshot_file", path="a.txt", snapshot_id=late[0]["snapshot_id"])
        self.assertEqual(read["structuredContent"]["content"], "saved by the editor\n")
        code, log = session.end()
        self.assertEqual(code, 0, log)
        self.assertIn("Another program saved a.txt while it was being replaced.", log)
        writes = next((self.root / ".git/snapgen/trees").glob("*/writes"))
        self.assertEqual([each.name for each in writes.iterdir()], ["lock"])

    def save_after_replacing(self, session):
        """This process is the editor. It yields when the server has replaced the file that is open."""
        with open(self.root / "a.txt", "r+b", buffering=0) as editor:
            self.assertFalse(failed(session.call("workspace_write_file", path="a.txt", content="of the server\n")))
            yield
            editor.truncate(0)
            editor.write(b"saved by the editor\n")
        self.assertEqual((self.root / "a.txt").read_text(), "of the server\n")

    def test_what_an_editor_saves_while_its_file_is_replaced_is_in_a_snapshot(self):
        session = self.session()
        for _ in self.save_after_replacing(session):
            pass
        self.check_late_snapshot(session)

    def test_what_an_editor_saves_after_the_server_ended_is_in_a_snapshot(self):
        session = self.session()
        for _ in self.save_after_replacing(session):
            self.assertEqual(session.end()[0], 0)
        self.check_late_snapshot(self.session())


if __name__ == "__main__":
    host.SERVER = os.path.abspath(sys.argv.pop(1))
    unittest.main()
