"""The kernel confines the server to its workspace, but not the programs of checks."""
import ctypes
import json
import os
import pathlib
import sys
import unittest

import host
from host import Case, call_everything, failed

CREATE_RULESET, VERSION = 444, 1
ABI = ctypes.CDLL(None, use_errno=True).syscall(CREATE_RULESET, None, 0, VERSION)


class Confined(Case):
    def setUp(self):
        super().setUp()
        if ABI < 2:
            self.skipTest(f"SKIPPED: this kernel has no Landlock of ABI 2 or later (it says {ABI})")
        self.write("a.txt")
        self.write("package.json", '{"name":"x","version":"1.0.0","scripts":{"build":"echo out > \\"$HOME/by-a-check\\""}}\n')
        self.commit()

    def threads(self, session):
        """Returns for each thread of the server whether it may gain privileges; a confined thread may not."""
        found = []
        for task in pathlib.Path(f"/proc/{session.process.pid}/task").iterdir():
            status = (task / "status").read_text()
            found.append("NoNewPrivs:\t1" in status)
        return found

    def escape(self, *arguments):
        """Runs a filter of the user through the server's git. The filter tries to write into the home folder. Returns
        whether it could."""
        self.write(".gitattributes", "*.txt filter=out\n")
        self.git("config", "--global", "filter.out.clean", "echo out > \"$HOME/by-the-server\"; echo in > by-git; cat")
        # The modification time changes but the size does not, so git runs the filter to compare the contents.
        os.utime(self.root / "a.txt", (1, 1))
        session = self.session(*arguments, "--log-level", "info")
        call_everything(session)
        code, log = session.end()
        self.assertEqual(code, 0, log)
        self.assertTrue((self.root / "by-git").exists(), "the filter ran and could write in the work tree")
        return (self.home / "by-the-server").exists(), log

    def test_programs_that_the_server_runs_for_itself_write_nothing_outside(self):
        escaped, log = self.escape()
        self.assertFalse(escaped)
        self.assertIn("Confined by Landlock", log)
        self.assertIn(str(self.root), log)

    def test_no_confine_disables_it_and_is_logged(self):
        escaped, log = self.escape("--no-confine")
        self.assertTrue(escaped)
        self.assertIn("Not confined", log)

    def test_every_thread_is_confined_except_the_one_that_starts_programs(self):
        session = self.session()
        call_everything(session)
        threads = self.threads(session)
        self.assertEqual(threads.count(False), 1, threads)
        self.assertGreater(len(threads), 2, "the server used threads of the pool")

    def test_checks_may_write_outside_the_workspace(self):
        session = self.session()
        session.call("check", mode="build")  # The first call asks for consent, the next one gives it.
        result = session.call("check", mode="build")
        self.assertFalse(failed(result), result)
        self.assertTrue((self.home / "by-a-check").exists(), result)
        self.assertEqual(session.end()[0], 0)

    def test_tools_of_the_repository_write_only_in_the_workspace(self):
        tool = {"$schema": "../meta/tool.json", "name": "fam.look", "title": "Look", "description": "Looks.",
                "inputSchema": {"type": "object", "properties": {}, "additionalProperties": False},
                "x-snapgen": {"family": "fam", "run": {"command": ["sh", "-c", "echo out > $HOME/by-a-tool || echo denied; echo in > by-tool"],
                                                       "environment": ["HOME"]}}}
        self.write("t/fam/fam_look.json", json.dumps(tool))
        self.write(".snapback/config.json", '{"tools":"t"}\n')
        temporary = self.top / "temporary"  # The home folder is in the usual one, to which such tools may write.
        temporary.mkdir()
        self.assertEqual(self.snap("trust", "--yes")[0], 0)
        for arguments in ((), ("--no-confine",)):
            session = self.session(*arguments, environment={"TMPDIR": str(temporary)})
            result = session.call("fam_look")
            self.assertIn("denied", result["content"][0]["text"])
            self.assertFalse((self.home / "by-a-tool").exists())
            self.assertEqual((self.root / "by-tool").read_text(), "in\n")
            self.assertEqual(session.end()[0], 0)

    def test_every_tool_works_in_a_confined_server(self):
        tree = self.top / "linked"
        self.git("worktree", "add", "-q", str(tree))
        folder = self.root / "folder"
        folder.mkdir()
        (folder / "a.txt").write_text("text\n")
        (folder / "package.json").write_text('{"name":"y"}\n')
        for workspace in (self.root, tree, folder):
            session = self.session(workspace=workspace)
            for tool, arguments, result in call_everything(session):
                if tool.startswith("bridge_") or arguments.get("op") == "check":
                    continue
                self.assertFalse(failed(result), (workspace, tool, arguments, result))
            code, log = session.end()
            self.assertEqual((code, log), (0, ""))

    def test_the_doctor_reports_confinement(self):
        self.assertIn("Landlock, ABI", self.snap("doctor")[1])


if __name__ == "__main__":
    host.SERVER = os.path.abspath(sys.argv.pop(1))
    unittest.main()
