"""A hostile repository: everything in it that git would run, read from elsewhere, or follow."""
import os
import pathlib
import resource
import stat
import sys
import unittest

import host
from host import Case, call_everything, failed

HOOKS = ("applypatch-msg commit-msg fsmonitor-watchman post-applypatch post-checkout post-commit post-index-change post-merge "
         "post-rewrite pre-applypatch pre-auto-gc pre-commit pre-merge-commit pre-push pre-rebase prepare-commit-msg "
         "reference-transaction sendemail-validate update").split()
COMMANDS = {  # key -> whether git runs the value in a shell; each value is a program of this test
    "alias.diff": "!{}", "alias.ls-files": "!{}", "alias.status": "!{}", "alias.config": "!{}", "core.alternateRefsCommand": "{}", "core.askPass": "{}",
    "core.editor": "{}", "core.fsmonitor": "{}", "core.gitProxy": "{}", "core.pager": "{}", "core.sshCommand": "{}",
    "credential.helper": "!{}", "diff.evil.command": "{}", "diff.evil.textconv": "{}", "diff.external": "{}", "difftool.evil.cmd": "{}",
    "filter.evil.clean": "{}", "filter.evil.process": "{}", "filter.evil.smudge": "{}", "gpg.program": "{}", "gpg.ssh.program": "{}",
    "interactive.diffFilter": "{}", "merge.evil.driver": "{}", "mergetool.evil.cmd": "{}", "pager.diff": "{}", "pager.status": "{}",
    "sequence.editor": "{}", "submodule.sub.update": "!{}", "trailer.evil.command": "{}", "uploadpack.packObjectsHook": "{}",
    "remote.origin.uploadpack": "{}", "remote.origin.receivepack": "{}", "remote.origin.vcs": "evil", "log.showSignature": "true",
    "commit.gpgSign": "true", "diff.submodule": "log", "status.submoduleSummary": "true", "filter.evil.required": "true",
}


class Hostile(Case):
    def setUp(self):
        super().setUp()
        self.marks = self.top / "marks"
        self.marks.mkdir()
        self.program = self.top / "evil program"
        # The program records its caller and then works as a filter.
        self.program.write_text(f"#!/bin/sh\nps -o args= -p $PPID > '{self.marks}'/ran.$$ 2>/dev/null || : > '{self.marks}'/ran.$$\ncat\n")
        self.program.chmod(0o755)
        self.quoted = f"'{self.program}'"

    def ran(self):
        return sorted(file.read_text().strip() for file in self.marks.iterdir())

    def calm(self, message):
        self.assertEqual(self.ran(), [], message)

    def fill(self):
        for name in ("a.txt", "b.txt", "src/c.ts", "image.bin"):
            self.write(name)
        self.write("package.json", '{"name":"x","version":"1.0.0","dependencies":{"y":"1"}}\n')
        self.write(".gitattributes", "* filter=evil diff=evil merge=evil text=auto\n")
        self.commit()

    def configure(self, path=None):
        for key, form in COMMANDS.items():
            words = ["config"] + (["-f", str(path)] if path else [])
            self.git(*words, key, form.format(self.quoted))

    def touch_all(self):
        """Changes the stat data, so that git or the server must read the contents."""
        for file in self.root.rglob("*.txt"):
            file.write_text(file.read_text() + "more\n")
            os.utime(file, (1, 1))

    def use_everything(self):
        session = self.session("--log-level", "info")
        done = call_everything(session)
        code, log = session.end()
        self.assertEqual(code, 0, log)
        for words in (["snapshot", "create"], ["snapshot", "list"], ["snapshot", "diff"], ["check", "quick"], ["doctor"], ["log"],
                      ["store", "verify"], ["store", "gc", "--dry-run"], ["session", "start", "t"], ["session", "end"], ["ctx", "init"]):
            self.snap(*words)
        return done

    def test_no_command_of_its_configuration_is_run(self):
        self.fill()
        self.configure()
        self.touch_all()
        self.use_everything()
        self.calm("a command of .git/config was run")

    def test_no_command_of_an_included_configuration_is_run(self):
        self.fill()
        self.configure(self.root / "more.config")
        self.git("config", "include.path", "../more.config")
        self.git("config", "includeIf.onbranch:**.path", "../more.config")
        self.touch_all()
        self.use_everything()
        self.calm("a command of an included file was run")

    def test_no_command_of_a_linked_work_trees_configuration_is_run(self):
        self.fill()
        self.git("config", "extensions.worktreeConfig", "true")
        tree = self.top / "linked"
        self.git("worktree", "add", "-q", str(tree))
        self.root = tree
        for key, form in COMMANDS.items():
            self.git("config", "--worktree", key, form.format(self.quoted))
        self.touch_all()
        self.use_everything()
        self.calm("a command of config.worktree was run")

    def test_filters_that_the_user_configured_are_run(self):
        self.fill()
        for key in ("clean", "smudge"):
            self.git("config", "--global", f"filter.evil.{key}", self.quoted)
            self.git("config", f"filter.evil.{key}", self.quoted)
        self.touch_all()
        self.use_everything()
        self.assertTrue(self.ran(), "a filter of the user's configuration runs, as in git")

    def test_filters_of_a_repository_are_run_where_the_user_allows_it(self):
        self.fill()
        self.git("config", "filter.evil.clean", self.quoted)
        self.git("config", "--global", "snapgen.repositoryFilters", "true")
        self.touch_all()
        self.use_everything()
        self.assertTrue(self.ran())

    def test_a_repository_cannot_allow_its_own_filters(self):
        self.fill()
        self.configure()
        self.git("config", "snapgen.repositoryFilters", "true")
        self.touch_all()
        self.use_everything()
        self.calm("a repository allowed itself to run filters")

    def test_no_hook_is_run(self):
        self.fill()
        hooks = self.root / ".git/hooks"
        elsewhere = self.root / "hooks"
        for folder in (hooks, elsewhere):
            folder.mkdir(exist_ok=True)
            for name in HOOKS:
                (folder / name).write_text(self.program.read_text())
                (folder / name).chmod(0o755)
        self.git("config", "core.hooksPath", "hooks")
        self.touch_all()
        self.use_everything()
        self.calm("a hook was run")

    def test_missing_objects_are_not_fetched(self):
        self.fill()
        self.touch_all()
        self.git("-c", "core.hooksPath=/dev/null", "commit", "-qam", "second")
        for key, value in (("extensions.partialClone", "origin"), ("remote.origin.promisor", "true"), ("remote.origin.partialclonefilter", "blob:none"),
                           ("remote.origin.url", "ssh://nowhere.invalid/x"), ("core.sshCommand", self.quoted),
                           ("remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*"), ("core.repositoryFormatVersion", "1"),
                           ("protocol.ext.allow", "always")):
            self.git("config", key, value)
        for name in ("a.txt", "b.txt"):
            for commit in ("HEAD", "HEAD~1"):
                digits = self.git("rev-parse", f"{commit}:{name}").decode().strip()
                (self.root / ".git/objects" / digits[:2] / digits[2:]).unlink(missing_ok=True)
        self.touch_all()
        self.use_everything()
        self.git("config", "remote.origin.url", f"ext::{self.quoted}")
        self.use_everything()
        self.calm("objects were fetched")

    def test_filters_of_a_submodule_are_not_run(self):
        self.fill()
        inner = self.root / "sub"
        self.git("init", "-q", str(inner))
        (inner / "f.txt").write_text("x\n")
        self.git("add", "-A", at=inner)
        self.git("commit", "-q", "-m", "inner", at=inner)
        self.write(".gitmodules", '[submodule "sub"]\n\tpath = sub\n\turl = ./sub\n')
        self.commit("with submodule")
        keep = self.root
        self.root = inner
        self.configure()
        self.write(".gitattributes", "* filter=evil diff=evil\n")
        self.touch_all()
        self.root = keep
        # A setting that only git supports, so that git itself inspects the submodule.
        self.git("config", "includeIf.hasconfig:remote.*.url:https://nowhere.invalid/**.path", "nothing")
        self.use_everything()
        self.calm("a command of a submodule's configuration was run")

    def test_no_program_of_the_repository_is_run_through_path(self):
        self.fill()
        for name in ("git", "sh", "node", "npm", "tsc"):
            self.write(name, self.program.read_text()).chmod(0o755)
        self.configure()
        session = self.session(environment={"PATH": f":.:{self.root}/nowhere:{os.environ['PATH']}"}, cwd=self.root)
        call_everything(session)
        self.assertEqual(session.end()[0], 0)
        self.calm("a program of the work tree was run")

    def test_git_variables_have_no_effect(self):
        self.fill()
        other = self.top / "other"
        self.git("init", "-q", str(other))
        (other / "of-another-repository").write_text("of-another-repository\n")
        config = self.top / "evil.config"
        config.write_text(f"[core]\n\tfsmonitor = {self.quoted}\n\tpager = {self.quoted}\n[diff]\n\texternal = {self.quoted}\n")
        before = self.outside()
        variables = {"GIT_DIR": str(other / ".git"), "GIT_WORK_TREE": str(other), "GIT_INDEX_FILE": str(other / "index"),
                     "GIT_OBJECT_DIRECTORY": str(other / "objects"), "GIT_COMMON_DIR": str(other / ".git"), "GIT_CONFIG": str(config),
                     "GIT_CONFIG_SYSTEM": str(config), "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "diff.external", "GIT_CONFIG_VALUE_0": self.quoted,
                     "GIT_CONFIG_PARAMETERS": f"'core.fsmonitor={self.program}'", "GIT_EXTERNAL_DIFF": self.quoted, "GIT_SSH": str(self.program),
                     "GIT_SSH_COMMAND": self.quoted, "GIT_EDITOR": self.quoted, "GIT_PAGER": self.quoted, "GIT_ASKPASS": str(self.program),
                     "GIT_EXEC_PATH": str(self.top), "GIT_TEMPLATE_DIR": str(self.top), "GIT_TRACE": str(self.top / "trace"),
                     "GIT_TRACE2": str(self.top / "trace2"), "GIT_NAMESPACE": "x", "GIT_CEILING_DIRECTORIES": "/", "GIT_ATTR_SOURCE": "HEAD",
                     "GIT_ALTERNATE_OBJECT_DIRECTORIES": str(other), "GIT_REPLACE_REF_BASE": "refs/evil/", "GIT_LITERAL_PATHSPECS": "0"}
        session = self.session(environment=variables)
        self.touch_all()
        done = call_everything(session)
        self.assertEqual(session.end()[0], 0)
        self.calm("a program that a variable names was run")
        self.assertNotIn("of-another-repository", str(done))
        self.assertEqual(self.outside(), before)

    def test_unusual_file_names_are_not_interpreted(self):
        names = [b"new\nline", b"tab\there", b"-rf", b"--upload-pack=x", b"$(touch x)", b"`id`", b";ls", b"a'b\"c", b"\xff\xfe", b"\xe2\x80\xae evil",
                 b"a" * 255, b"...", b"~", b"con", b":(glob)x", b"!x", b"#x", b"*", b"[x]", b"\\\\x", b"\x1b[2J", b"base64:eA=="]
        deep = b"/".join([b"d" * 100] * 30)
        os.makedirs(os.fsencode(self.root) + b"/" + deep)
        for name in names:
            with open(os.fsencode(self.root) + b"/" + name, "wb") as file:
                file.write(b"needle\n")
        with open(os.fsencode(self.root) + b"/" + deep + b"/f", "wb") as file:
            file.write(b"needle\n")
        self.write("a.txt")
        before = self.outside()
        session = self.session()
        found = session.call("snapshot_grep", pattern="needle")["structuredContent"]
        self.assertEqual(len(found["matches"]), len(names) + 1)
        for match in found["matches"]:
            read = session.call("snapshot_file", path=match["path"])
            self.assertEqual(read["structuredContent"]["content"], "needle\n", match["path"])
        done = call_everything(session)
        self.assertEqual(session.end()[0], 0)
        self.assertFalse(failed(done[0][2]), done[0])
        self.assertEqual(self.outside(), before)

    def test_symlinks_do_not_lead_outside(self):
        secret = self.top / "secret"
        secret.mkdir()
        (secret / "f").write_text("needle secret\n")
        self.write("a.txt")
        os.symlink(secret, self.root / "folder")
        os.symlink(secret / "f", self.root / "file")
        os.symlink("../secret/f", self.root / "relative")
        os.symlink("/proc/self/environ", self.root / "environ")
        os.symlink("loop", self.root / "loop")
        os.symlink(".git/config", self.root / "config")
        self.commit()
        before = self.outside()
        session = self.session()
        for path in ("folder", "folder/f", "file", "relative", "environ", "loop", "config", "folder/new"):
            self.assertTrue(failed(session.call("snapshot_file", path=path)), path)
            listed = session.call("snapshot_list", path=path, recursive=True)
            entries = listed.get("structuredContent", {}).get("entries", [])
            self.assertTrue(all(each["type"] == "symlink" for each in entries), (path, listed))
        for path in ("folder/f", "folder/new"):
            for tool, arguments in (("workspace_write_file", {"content": "x"}), ("workspace_delete", {})):
                self.assertTrue(failed(session.call(tool, path=path, **arguments)), (tool, path))
        found = session.call("snapshot_grep", pattern="needle")
        self.assertEqual(found["structuredContent"]["matches"], [])
        done = call_everything(session)
        self.assertNotIn("needle", str(done))
        self.assertEqual(session.end()[0], 0)
        self.assertEqual(self.outside(), before)

    def test_special_files_do_not_block(self):
        self.write("a.txt")
        os.mkfifo(self.root / "pipe")
        os.mkfifo(self.root / "package.json")
        session = self.session()
        for tool, arguments in (("snapshot_file", {"path": "pipe"}), ("snapback_analyze", {"type": "package"})):
            self.assertTrue(failed(session.call(tool, **arguments)))
        done = call_everything(session)
        self.assertFalse(failed(done[0][2]), done[0])
        self.assertEqual(session.end()[0], 0)

    def test_huge_git_files_use_no_memory(self):
        self.write("a.txt")
        self.commit()
        self.git("config", "include.path", "included")
        head = self.root / ".git/HEAD"
        for name in (".git/HEAD", ".git/config", ".git/included", ".git/index", ".git/packed-refs", ".git/refs/heads/huge",
                     ".git/info/exclude", ".git/commondir", ".gitignore", ".gitattributes"):
            with self.subTest(name=name):
                path = self.root / name
                kept = path.read_bytes() if path.exists() else None
                kept_head = head.read_bytes()
                if name in (".git/packed-refs", ".git/refs/heads/huge"):
                    head.write_text("ref: refs/heads/huge\n")
                path.touch()
                os.truncate(path, 20 << 30)
                limit = 2 << 30
                session = self.session(preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)) if not host.SANITIZED else None)
                listed = session.call("snapshot_list", path=".")
                # Git ignores huge attributes.
                self.assertEqual(failed(listed), name != ".gitattributes", listed)
                if failed(listed):
                    self.assertIn(f"{name} has 20.0 GiB", str(listed))
                code, log = session.end()
                self.assertEqual(code, 0, log)
                head.write_bytes(kept_head)
                path.unlink()
                if kept is not None:
                    path.write_bytes(kept)

    def test_a_repository_of_another_user_is_rejected(self):
        if os.geteuid() != 0:
            self.skipTest("only root can give a folder away")
        self.fill()
        os.chown(self.root, 12345, 12345)
        os.chown(self.root / ".git", 12345, 12345)
        session = self.session()
        self.assertTrue(failed(session.call("snapshot_create", paths=["."])))
        self.assertFalse((self.root / ".git/snapgen").exists())
        self.assertEqual(session.end()[0], 0)


if __name__ == "__main__":
    host.SERVER = os.path.abspath(sys.argv.pop(1))
    unittest.main()
