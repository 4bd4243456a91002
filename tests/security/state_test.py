"""Poisoned state: an attacker who knows the formats wrote the files in `.snapback/` and in the store."""
import json
import os
import pathlib
import resource
import sqlite3
import struct
import subprocess
import sys
import unittest

import host
from host import Case, Store, batch, call_everything, failed, sha

SOAK = "SNAPGEN_SOAK" in os.environ  # See tests/soak/soak.h.
STATE = ("session", "session/tasks", "session/summaries", "learnings", "ctx", "logs")
# Contents of files outside of the repository that an attacker wants to read, in the formats of the server's files.
NEEDLES = {".ctx": "# context needle\n", "context.json": '{"version":1,"name":"needle","phase":"needle"}', "config.json": '{"profile":"needle"}',
           "user-learnings.jsonl": '{"action":"needle","at_ms":1,"id":"learn_aaaaaaaa","kind":"pattern","trigger":"try when words needle"}\n',
           "violations.jsonl": '{"at_ms":1,"description":"needle","file":"a.txt","prevention":"needle","type":"needle"}\n' * 3,
           "audit.jsonl": '{"at":"2025-01-01T00:00:00.000Z","event":"risk_acknowledged","files":[],"id":"audit_a","reason":"needle"}\n',
           "task_aaaaaaaa.json": '{"files":[],"id":"task_aaaaaaaa","keywords":[],"snapshot":"s","started_ms":1,"title":"needle"}'}


class Poisoned(Case):
    def setUp(self):
        super().setUp()
        self.write("a.txt")
        self.write("src/b.ts", 'import "./c";\n')
        self.commit()
        self.store = self.root / ".git/snapgen"
        self.secret = self.top / "elsewhere"
        self.secret.mkdir()
        (self.secret / "kept").write_text("kept\n")
        self.needles = self.top / "others"
        self.needles.mkdir()
        (self.needles / "any").write_text("needle\n")
        for name, text in NEEDLES.items():
            (self.needles / name).write_text(text)

    def settle(self):
        """Returns a store as the server creates it, and the folder of this tree in it."""
        session = self.session()
        call_everything(session)
        self.assertEqual(session.end()[0], 0)
        (tree,) = (self.store / "trees").iterdir()
        return tree

    def survives(self, *arguments, commands=True, **more):
        """Calls every tool and, with `commands` or in `./dev soak`, runs those that read the state. The server must exit
        with 0, without changing or disclosing any file outside the repository or of git."""
        before, git = self.outside(), self.git_state()
        session = self.session(*arguments, **more)
        done = call_everything(session)
        code, log = session.end()
        self.assertEqual(code, 0, log)
        self.assertNotIn("needle", str(done) + log)
        reading = (["store", "verify"], ["store", "stats"], ["store", "gc"], ["snapshot", "list"], ["log"], ["doctor"], ["report", "--force", "r.html"])
        for words in reading if commands or SOAK else ():
            code, out, errors = self.snap(*words)
            self.assertIn(code, (0, 1), (words, out, errors))
            self.assertNotIn("needle", out + errors)
        self.assertEqual(self.outside(), before)
        self.assertEqual(self.git_state(), git)
        return done

    def git_state(self):
        found = {}
        for folder, folders, files in os.walk(self.root / ".git"):
            if "snapgen" in folders:
                folders.remove("snapgen")
            for name in files:
                path = pathlib.Path(folder, name)
                found[str(path)] = path.read_bytes()
        return found

    def test_symlinks_in_place_of_the_store_are_not_followed(self):
        for names in ("", "blobs", "snapshots", "trees"):
            with self.subTest(names=names):
                subprocess.run(["rm", "-rf", self.store], check=True)
                place = self.store / names if names else self.store
                place.parent.mkdir(exist_ok=True)
                os.symlink(self.secret, place)
                self.survives()

    def test_symlinks_in_place_of_the_state_are_not_followed(self):
        for name in ("", *STATE):
            with self.subTest(name=name):
                subprocess.run(["rm", "-rf", self.root / ".snapback"], check=True)
                place = self.root / ".snapback" / name if name else self.root / ".snapback"
                place.parent.mkdir(parents=True, exist_ok=True)
                os.symlink(self.needles, place)
                self.survives()

    def test_symlinks_in_place_of_files_are_not_followed(self):
        tree = self.settle()
        for path in [*tree.rglob("*"), *self.store.glob("*"), *(self.root / ".snapback").rglob("*")]:
            if path.is_file() and not path.is_symlink():
                path.unlink()
                os.symlink(self.secret / "kept", path)
        self.survives()

    def test_targets_of_symlinks_in_place_of_state_files_are_not_disclosed(self):
        self.settle()
        state = self.root / ".snapback"
        (state / "config.json").write_text("{}\n")
        (state / "session/tasks/task_aaaaaaaa.json").write_text("{}\n")
        for path in sorted(each for each in state.rglob("*") if each.is_file() and each.name != ".gitignore"):
            with self.subTest(path=str(path.relative_to(state))):
                kept = path.read_bytes()
                needle = self.needles / (path.name if path.name in NEEDLES else "any")
                path.unlink()
                os.symlink(needle, path)
                commands = path.suffix == ".jsonl" or path.name == "config.json"
                self.assertNotIn("needle", str([self.refused(path), self.survives(commands=commands)]))
                path.unlink(missing_ok=True)
                path.write_bytes(kept)

    def refused(self, path):
        """Returns the error about a symlink at this path, from a call that needs the file that should be there."""
        asked = {"context.json": ("snapback_context", {"op": "init", "force": True}), ".ctx": ("snapback_context", {"op": "validate"}),
                 "config.json": ("workspace_write_file", {"path": "n.txt", "content": "x"}),
                 "user-learnings.jsonl": ("snap", {"mode": "start", "task": "words"})}
        if path.name not in asked:
            return None
        tool, arguments = asked[path.name]
        session = self.session()
        result = session.call(tool, **arguments)
        self.assertEqual(session.end()[0], 0)
        self.assertIn(f"{path.relative_to(self.root)} is a symlink; nothing is read or written through it.", str(result))
        return result

    def test_no_symlink_can_be_created_below_the_state(self):
        self.settle()
        for path in (".snapback/ctx/.ctx", ".snapback/session/tasks/x", ".SNAPBACK", ".Snapback/x"):
            patch = (f"diff --git a/{path} b/{path}\nnew file mode 120000\n--- /dev/null\n+++ b/{path}\n@@ -0,0 +1 @@\n+{self.needles}/any\n"
                     "\\ No newline at end of file\n")
            (self.root / ".snapback/ctx/.ctx").unlink(missing_ok=True)
            session = self.session()
            result = session.call("workspace_apply_patch", patch=patch)
            self.assertIn("may not be a symlink", str(result), path)
            self.assertEqual(session.end()[0], 0)
            self.assertFalse((self.root / path).is_symlink())
        store = Store(self.store)
        snapshot = store.snapshot([(".snapback/ctx/.ctx", store.put(b"/etc/passwd"), "120000")])
        store.save()
        session = self.session()
        self.assertIn("may not be a symlink", str(session.call("snapback_snapshot_restore", snapshot_id=snapshot)))
        self.assertEqual(session.end()[0], 0)

    def test_huge_state_files_use_no_memory(self):
        self.settle()
        state = self.root / ".snapback"
        for name in ("config.json", "ctx/context.json", "ctx/.ctx", "learnings/user-learnings.jsonl", "learnings/violations.jsonl",
                     "learnings/reverts.jsonl", "session/tasks/task_aaaaaaaa.json", "session/summaries/task_bbbbbbbb.json", "logs/audit.jsonl"):
            with self.subTest(name=name):
                path = state / name
                kept = path.read_bytes() if path.exists() else None
                path.write_bytes(kept or b"{")
                os.truncate(path, 8 << 30)
                limit = 4 << 30
                session = self.session(preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)) if not host.SANITIZED else None)
                answers = str(call_everything(session))
                code, log = session.end()
                self.assertEqual(code, 0, log)
                if name.startswith(("config", "ctx/c", "learnings")):
                    self.assertIn(f".snapback/{name} has", answers)
                # The server renames a large log, and recreates the other file.
                if name not in ("logs/audit.jsonl", "ctx/.ctx"):
                    self.assertEqual(path.stat().st_size // (8 << 30), 1, "a large file of other state is unchanged")
                path.unlink()
                for old in (state / "logs").glob("*.1.jsonl"):
                    old.unlink()
                if kept is not None:
                    path.write_bytes(kept)

    def each_file_of_the_store(self, spoil, **more):
        """Calls every tool with one damaged file after the other. The server must exit with 0."""
        self.settle()
        for path in sorted(path for path in self.store.rglob("*") if path.is_file() and not path.is_symlink()):
            with self.subTest(path=str(path.relative_to(self.store))):
                kept = path.read_bytes()
                spoil(path)
                session = self.session(**more)
                answers = str(call_everything(session))
                code, log = session.end()
                self.assertEqual(code, 0, log)
                self.assertNotIn("Internal error", answers)
                path.unlink(missing_ok=True)
                path.write_bytes(kept)

    def test_a_fifo_in_the_store_does_not_block(self):
        def spoil(path):
            path.unlink()
            os.mkfifo(path)

        self.each_file_of_the_store(spoil)

    def test_a_fifo_in_place_of_a_git_file_is_reported(self):
        """Opening a FIFO waits for a writer. With filters the server runs git, which reads more files than the
        server."""
        self.write(".gitattributes", "*.txt filter=plain\n")
        self.write(".gitignore", "*.o\n")
        self.git("config", "--global", "filter.plain.clean", "cat")
        self.commit("second")
        self.git("gc", "-q")
        self.write("src/b.ts", "changed\n")
        self.git("add", "src/b.ts")
        git = self.root / ".git"
        (pack,) = git.glob("objects/pack/*.idx")
        (git / "info").mkdir(exist_ok=True)
        for path in (git / "index", git / "config", git / "packed-refs", git / "refs/heads" / self.git("branch", "--show-current").decode().strip(),
                     git / "info/exclude", git / "info/attributes", git / "objects/info/alternates", git / "shallow", pack, git / "commondir",
                     self.root / ".gitattributes", self.root / ".gitignore", self.root / "src/.gitignore", self.root / ".gitmodules", self.home / ".gitconfig"):
            with self.subTest(path=str(path.relative_to(self.top))):
                kept = path.read_bytes() if path.exists() else None
                path.unlink(missing_ok=True)
                os.mkfifo(path)
                session = self.session()
                answers = str(call_everything(session))
                code, log = session.end()
                self.assertEqual(code, 0, log)
                self.assertNotIn("took longer than", answers)
                if path in (git / "index", git / "config", git / "info/exclude", pack, git / "shallow", self.root / "src/.gitignore"):
                    self.assertIn(f"{path} is a FIFO, and git expects a regular file there.", answers)
                path.unlink()
                if kept is not None:
                    path.write_bytes(kept)

    def test_a_store_of_sparse_files_uses_no_memory(self):
        limit = 4 << 30
        self.each_file_of_the_store(lambda path: os.truncate(path, 8 << 30),
                                    preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)) if not host.SANITIZED else None)

    def test_a_reached_file_size_limit_is_reported(self):
        (self.root / "large").write_bytes(os.urandom(100_000))
        session = self.session(preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (8192, 8192)))
        self.assertIn("A limit on the size of files (ulimit -f) was reached and nothing was written.", str(session.call("snapshot_create", paths=["."])))
        self.assertIn("a.txt", str(session.call("snapshot_list")))
        self.assertEqual(session.end()[0], 0)
        session = self.session()
        self.assertIn("snapshot_id", str(session.call("snapshot_create", paths=["."])))
        self.assertEqual(session.end()[0], 0)

    def test_a_snapshot_with_paths_that_lead_outside_is_rejected(self):
        for path in ("../elsewhere/evil", "/etc/evil", ".git/hooks/pre-commit", ".GIT/config", "a/../../elsewhere/evil", ".git", "", ".",
                     ".snapback/config.json", "src/../.git/config", "base64:Li4vZXZpbA==", "b/.git/x", "sub/.Git/hooks/x"):
            with self.subTest(path=path):
                subprocess.run(["rm", "-rf", self.store], check=True)
                store = Store(self.store)
                evil = store.put(b"#!/bin/sh\nevil\n")
                snapshot = store.snapshot([(path, evil, "100755")])
                store.save()
                before, git = self.outside(), self.git_state()
                session = self.session()
                for tool, arguments in (("snapback_snapshot_restore", {}), ("snapback_snapshot_restore", {"files": [path or "x"]})):
                    session.call(tool, snapshot_id=snapshot, **arguments)
                session.call("snap_fix", action="restore", id=snapshot)
                session.call("snapshot_export", snapshot_id=snapshot)
                session.call("snapshot_diff", snapshot_id=snapshot)
                self.assertEqual(session.end()[0], 0)
                self.snap("snapshot", "restore", snapshot, "--yes")
                self.assertEqual(self.outside(), before)
                self.assertEqual(self.git_state(), git)

    def test_a_snapshot_that_writes_through_its_own_symlink_is_rejected(self):
        store = Store(self.store)
        evil, link = store.put(b"evil\n"), store.put(str(self.secret).encode())
        for entries in ([("link", link, "120000"), ("link/kept", evil, None)], [("link/kept", evil, None), ("link", link, "120000")],
                        [("link", link, "120000"), ("link", evil, None)]):
            snapshot = store.snapshot(entries)
            store.save()
            before = self.outside()
            session = self.session()
            answers = [session.call("snapback_snapshot_restore", snapshot_id=snapshot),
                       session.call("snapback_snapshot_restore", snapshot_id=snapshot),
                       session.call("snapshot_file", snapshot_id=snapshot, path="link/kept"),
                       session.call("snapshot_export", snapshot_id=snapshot, format="tar")]
            if [entry[0] for entry in entries] != sorted({entry[0] for entry in entries}):  # No server writes such a list.
                for answer in answers:
                    self.assertIn("damaged", str(answer))
            self.assertEqual(session.end()[0], 0)
            self.assertEqual(self.outside(), before)

    def test_a_blob_with_a_false_huge_size_uses_no_memory(self):
        store = Store(self.store)
        frame = b"\x28\xb5\x2f\xfd\xe0" + struct.pack("<Q", 1 << 50) + b"\x01\x00\x00"
        name = sha(b"never")
        evil = store.put(frame, codec=1, raw=1 << 50, name=name)
        small = store.put(frame, codec=1, raw=5, name=sha(b"small"))
        session_ids = [store.snapshot([("f", evil, None)]), store.snapshot([("f", small, None)]), store.snapshot([("f", evil, "120000")])]
        folder = store.save()
        chunk = '{"chunks":["sha256:%s"],"fingerprint":{"head_oid":"x","index_oid":"y","status_hash":"z"},"format":"snapgen-snapshot/1"}' % evil
        (self.store / "snapshots" / ("a" * 64)).write_text(chunk)
        limit = 4 << 30
        session = self.session(preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)) if not host.SANITIZED else None)
        for snapshot in [*session_ids, "sha256:" + "a" * 64]:
            for tool, arguments in (("snapshot_file", {"path": "f"}), ("snapshot_list", {}), ("snapshot_grep", {"pattern": "x"}), ("snapshot_diff", {}),
                                    ("snapshot_export", {}), ("snapshot_info", {})):
                session.call(tool, snapshot_id=snapshot, **arguments)
            session.call("snapback_snapshot_restore", snapshot_id=snapshot)
        self.assertFalse(failed(session.call("snapshot_file", path="a.txt")))
        self.assertEqual(session.end()[0], 0)
        self.assertTrue(folder.is_dir())
        self.survives()

    def test_indexes_with_false_values_are_detected(self):
        body = b"hello world"
        cases = ((1, None, 16, 11), (1 << 61, None, 16, 11), (1, 1 << 63, 1 << 62, 1 << 60), (1, None, 1 << 63, 11),
                 (1, None, 16, 1 << 40), ((1 << 64) - 1, None, 16, 11), (0x2492492492492493, None, 16, 11))
        for count, covered, offset, stored in cases:
            with self.subTest(count=count, covered=covered, offset=offset, stored=stored):
                subprocess.run(["rm", "-rf", self.store], check=True)
                store = Store(self.store)
                content = store.put(body)
                snapshot = store.snapshot([("f", content, None)])
                folder = store.save()
                begin = struct.pack("<QQ", covered or 16 + len(store.records), count)
                entries = sha(body) + struct.pack("<QQQ", offset, stored, 11)
                for head in (b"snapgen index 01" + begin, b"snapgen index 02" + begin + sha(entries)[:8]):
                    (folder / "0000poisoned.idx").write_bytes(head + sha(head)[:8] + entries)
                    session = self.session()
                    session.call("snapshot_file", snapshot_id=snapshot, path="f")
                    self.assertFalse(failed(session.call("snapshot_create", paths=["."])))
                    self.assertEqual(session.end()[0], 0)
                if SOAK or count in (1 << 61, (1 << 64) - 1):
                    self.survives()

    def test_a_journal_changes_nothing_outside(self):
        tree = self.settle()
        (tree / "writes/staged-1").write_text("evil\n")
        zero = "0 0 0 0 0 0 "
        stat = os.stat(tree / "writes/staged-1")
        after = f"{stat.st_size} {stat.st_mtime_ns} {stat.st_ctime_ns} {stat.st_ino} {stat.st_dev} {stat.st_mode} "

        def step(kind, path, staged="staged-1", beside=None, which=after):
            return (f"{kind} {len(path)} {path} {len(staged)} {staged} {int(beside is not None)} {len(beside or '')} {beside or ''} "
                    f"1 493 {which}0 \n")

        for path in ("../elsewhere/evil", "/etc/evil", ".git/hooks/pre-commit", "../elsewhere/kept"):
            for kind in "pstdmc":
                for staged, beside in (("staged-1", None), ("kept", "../elsewhere"), ("../../../config", None)):
                    payload = ("snapgen-write 1\n" + step(kind, path, staged, beside)).encode()
                    (tree / "writes/aaaaaaaaaaaa.journal").write_bytes(batch("T", payload))
                    (tree / "writes/aaaaaaaaaaaa.beside").write_bytes(batch("T", payload))
                    before, git = self.outside(), self.git_state()
                    session = self.session()
                    session.call("snapshot_file", path="a.txt")
                    session.call("workspace_write_file", path="n.txt", content="x")
                    self.assertEqual(session.end()[0], 0)
                    self.assertEqual(self.outside(), before, payload)
                    self.assertEqual(self.git_state(), git, payload)

    def test_invalid_state_records_are_ignored(self):
        self.settle()
        state = self.root / ".snapback"
        deep = b"[" * 100_000
        garbage = [b"", b"\x00" * 4096, b"\xff\xfe\n", b"{}\n" * 1000, b"null\n", deep, b'{"id":' + deep, b'{"id":"../../x","snapshot":"s"}',
                   b'{"files":["../../etc/passwd","/etc/passwd"],"id":"task_aaaaaaaa","keywords":[],"snapshot":"../../../x","started_ms":1e400,"title":"\\u0000"}',
                   json.dumps({"trigger": "x" * 1_000_000, "action": "y", "kind": "pattern", "id": "learn_aaaaaaaa"}).encode() + b"\n",
                   b'{"at_ms":99999999999999999999999}\n']
        for content in garbage:
            for path in [*state.rglob("*.json"), *state.rglob("*.jsonl"), state / "session/tasks/task_aaaaaaaa.json", state / "ctx/context.json"]:
                if path.name != "config.json":
                    path.write_bytes(content)
            session = self.session()
            call_everything(session)
            code, log = session.end()
            self.assertEqual(code, 0, log)
        self.survives()

    def test_ids_are_never_used_as_paths(self):
        self.settle()
        before, git = self.outside(), self.git_state()
        session = self.session()
        for evil in ("../../../elsewhere/kept", "/etc/passwd", "task_../../..", "..", "", "a\0b", "lease_../../../../..", "sha256:../../config", "snap_.."):
            for tool, arguments in (("snap_end", {"taskId": evil}), ("check", {"mode": "quick", "taskId": evil}), ("snap_fix", {"action": "restore", "id": evil}),
                                    ("snap_fix", {"action": "diff", "id": evil, "diffWith": evil}), ("snapshot_info", {"snapshot_id": evil}),
                                    ("snapshot_file", {"path": "a.txt", "snapshot_id": evil}), ("snapshot_file", {"path": "a.txt", "lease_id": evil}),
                                    ("workspace_write_file", {"path": "x", "content": "y", "lease_id": evil}),
                                    ("snapback_session", {"op": "end", "task_id": evil}), ("snapback_snapshot_restore", {"snapshot_id": evil}),
                                    ("snapshot_list", {"cursor": evil}), ("snapback_context", {"op": "init", "workspaceRoot": evil})):
                result = session.call(tool, **arguments)
                # An unknown lease is replaced by a new one; other families answer in lines.
                self.assertTrue(failed(result) or "lease_id" in arguments or tool in ("snapback_context", "snap_fix", "snapback_session"),
                                (tool, arguments, result))
                self.assertNotIn("kept", str(result.get("structuredContent", "")))
        self.assertEqual(session.end()[0], 0)
        self.assertEqual(self.outside(), before)
        self.assertEqual(self.git_state(), git)

    def test_a_damaged_or_hostile_memory_index_is_created_again(self):
        tree = self.settle()
        database = tree.parent.parent / "records/whole/memory.sqlite"
        good = database.read_bytes()
        evil = self.top / "evil.sqlite"
        with sqlite3.connect(evil) as connection:
            connection.execute("create table marks (x)")
        for content in (b"", b"SQLite format 3\0" + b"\xff" * 8192, good[:5000], good[:100] + os.urandom(4096) + good[4196:], b"x" * 100):
            database.write_bytes(content)
            session = self.session()
            result = session.call("snap_learn", trigger="when words", action="do", type="pattern")
            self.assertFalse(failed(result), result)
            self.assertFalse(failed(session.call("snap", mode="start", task="words")))
            self.assertEqual(session.end()[0], 0)
        database.unlink()
        os.symlink(evil, database)  # A database of another application.
        before = evil.read_bytes()
        session = self.session()
        self.assertFalse(failed(session.call("snap_learn", trigger="other words", action="do", type="pattern")))
        self.assertFalse(failed(session.call("snap", mode="start", task="words")))
        self.assertEqual(session.end()[0], 0)
        self.assertEqual(evil.read_bytes(), before)
        self.assertFalse(database.is_symlink())
        # The schema of a database defines code that runs on a write: a trigger, or a view in place of a table.
        with sqlite3.connect(database) as connection:
            tables = [name for (name,) in connection.execute("select name from sqlite_master where type = 'table'")]
            for name in tables:
                for event in ("insert", "update", "delete"):
                    try:
                        connection.execute(f"create trigger t_{name}_{event} after {event} on {name} begin select load_extension('/evil.so'); end")
                    except sqlite3.Error:
                        pass
        connection.close()
        self.survives()

    def test_unreadable_settings_disable_writing(self):
        (self.root / ".snapback").mkdir()
        for content in (b"[" * 200_000, b"\xff", b"{", b'{"writes":{"deny":["' + b"*" * 10_000 + b'"]}}', b'{"writes":{"deny":["' + b"{a," * 2000 + b'"]}}'):
            (self.root / ".snapback/config.json").write_bytes(content)
            session = self.session()
            result = session.call("workspace_write_file", path="n.txt", content="x")
            code, log = session.end()
            self.assertEqual(code, 0, log)
            if failed(result):
                self.assertFalse((self.root / "n.txt").exists())

    def test_checks_write_nothing_into_a_hostile_temporary_folder(self):
        self.write("package.json", '{"name":"x","version":"1.0.0","scripts":{"test":"node --test"}}\n')
        trap = self.top / "trap"
        os.symlink(self.secret, trap)
        for folder in (trap, self.top / "nowhere", self.secret / "kept", "", "relative"):
            session = self.session(environment={"TMPDIR": str(folder)})
            session.call("check", mode="test")
            call_everything(session)
            code, log = session.end()
            self.assertEqual(code, 0, log)
            self.assertEqual(sorted(path.name for path in self.secret.iterdir()), ["kept"])
            self.assertEqual((self.secret / "kept").read_text(), "kept\n")

    def test_created_files_are_private(self):
        session = self.session(preexec_fn=lambda: os.umask(0))
        call_everything(session)
        self.assertEqual(session.end()[0], 0)
        for top in (self.store, self.root / ".snapback"):
            for path in (top, *top.rglob("*")):
                mode = path.lstat().st_mode & 0o777
                self.assertEqual(mode & 0o022, 0, f"{path} can be written by others: {mode:o}")
                if top == self.store:
                    self.assertEqual(mode & 0o077, 0, f"{path} is open to others: {mode:o}")


if __name__ == "__main__":
    host.SERVER = os.path.abspath(sys.argv.pop(1))
    unittest.main()
