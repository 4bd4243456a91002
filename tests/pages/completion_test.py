"""Compares completions and manual pages with their programs: shells propose the names that --help lists.

    completion_test.py BUILD
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

from shells import QUIET, SHELLS

BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
PAGES = BUILD / "runtime/install"
PROGRAMS = ("snap", "snapgen-server", "snapgen")


def run(*command, **more):
    return subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **more)


def help_of(path):
    done = run(BUILD / path[0], *path[1:], "--help")
    assert done.returncode == 0, (path, done.stderr)
    return done.stdout


def options_of(text):
    """Returns the names that --help lists as "-h, --help" or "-h,--help"."""
    names = set()
    for line in text.split("\nOptions:\n", 1)[1].split("\n\n")[0].splitlines():
        if re.match(r"  -", line):
            names |= set(re.findall(r"(?:^|[ ,])(--?[\w-]+)", line.strip().split("  ")[0]))
    return names


def commands_of(text):
    parts = re.split(r"\n(?:Commands|Subcommands):\n", text, maxsplit=1)
    return set(re.findall(r"^  (\w[\w-]*)", parts[1].split("\n\n")[0], re.MULTILINE)) if len(parts) == 2 else set()


class Completions(unittest.TestCase):
    def setUp(self):
        self.share = pathlib.Path(tempfile.mkdtemp(prefix="snapgen pages "))
        self.addCleanup(shutil.rmtree, self.share)
        for each in ("completions", "site-functions", "vendor_completions.d"):
            shutil.copytree(PAGES / each, self.share / each)

    def in_each_shell(self, program, check):
        for kind in SHELLS:
            with self.subTest(shell=kind.name, program=program):
                shell = kind(self.share, program)
                try:
                    check(shell)
                finally:
                    shell.stop()

    def walk(self, shell, path):
        text = help_of(path)
        commands = commands_of(text)
        line = " ".join(path)
        if commands:
            self.assertEqual(shell.propose(line + " "), commands, line)
        options = options_of(text)
        self.assertEqual({name for name in shell.propose(line + " --") if name.startswith("--")},
                         {name for name in options if name.startswith("--")}, line)
        for each in sorted(commands):
            self.walk(shell, [*path, each])

    def test_exactly_the_commands_and_options_of_help_are_proposed(self):
        for program in PROGRAMS:
            self.in_each_shell(program, lambda shell, name=program: self.walk(shell, [name]))

    def test_values_of_an_option_are_proposed(self):
        levels, shells = {"error", "warning", "info", "debug"}, {"bash", "zsh", "fish"}
        def check(shell):
            self.assertEqual(shell.propose("snap mcp --log-level "), levels)
            self.assertEqual(shell.propose("snap mcp --stdio --log-level "), levels)
            self.assertEqual(shell.propose("snap mcp --log-level="), levels)
            self.assertEqual(shell.propose("snap mcp --log-level=w"), {"warning"})
            self.assertEqual(shell.propose("snap mcp --tool-names d"), {"dotted"})
            self.assertEqual(shell.propose("snap completion "), shells)
            self.assertEqual(shell.propose("snap completion f"), {"fish"})
            # The value of an option is not part of the command's path.
            self.assertEqual(shell.propose("snap mcp --profile store --tool-names s"), {"safe"})
            self.assertEqual(shell.propose("snap store verify --workspace /usr --js"), {"--json"})

        self.in_each_shell("snap", check)

    def test_folders_are_proposed_for_a_folder(self):
        (self.share / "some/one").mkdir(parents=True)
        (self.share / "some/other").mkdir()
        (self.share / "some/one.txt").write_text("")
        link = self.share.with_name(self.share.name.replace(" ", "-"))
        link.symlink_to(self.share)
        self.addCleanup(link.unlink)

        def check(shell):
            found = shell.propose(f"snap store stats --workspace {link}/some/o")
            self.assertEqual({word.rstrip("/").split("/")[-1] for word in found}, {"one", "other"})

        self.in_each_shell("snap", check)

    def test_snapback_has_the_same_completions(self):
        def check(shell):
            self.assertEqual(shell.propose("snapback st"), {"store"})
            self.assertEqual(shell.propose("snapback store g"), {"gc"})

        self.in_each_shell("snapback", check)

    def test_unknown_commands_and_options_have_no_proposals(self):
        def check(shell):
            self.assertEqual(shell.propose("snap nothing-like-it"), set())
            self.assertEqual(shell.propose("snap store --no-such"), set())

        self.in_each_shell("snap", check)

    def test_the_program_prints_the_installed_completions(self):
        for program, file in (("snap", "snap"), ("snapgen", "snapgen")):
            for shell, path in (("bash", f"completions/{file}"), ("zsh", f"site-functions/_{file}"),
                                ("fish", f"vendor_completions.d/{file}.fish")):
                self.assertEqual(run(BUILD / program, "completion", shell).stdout, (PAGES / path).read_text(), path)

    def test_an_unknown_shell_exits_with_2(self):
        for program in ("snap", "snapgen"):
            done = run(BUILD / program, "completion", "tcsh")
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn("tcsh", done.stderr)

    def test_a_folder_that_cannot_be_written_is_an_error(self):
        for program in ("snap", "snapgen"):
            done = run(BUILD / program, "manual", "/proc/nowhere")
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("/proc/nowhere", done.stderr)


class Manual(unittest.TestCase):
    pages = sorted((PAGES / "man1").iterdir())

    def test_every_program_and_every_group_of_commands_has_a_page(self):
        names = {"snapback.1"}
        for program in PROGRAMS:
            names.add(f"{program}.1")
            for each in commands_of(help_of([program])):
                if commands_of(help_of([program, each])):
                    names.add(f"{program}-{each}.1")
        self.assertEqual({each.name for each in self.pages}, names)

    def test_man_reports_no_error(self):
        if not shutil.which("man"):
            self.skipTest("there is no man")
        for each in self.pages:
            done = run("man", "--warnings", "-E", "UTF-8", "-l", "-Tutf8", "-Z", each, env={**QUIET, "MANWIDTH": "80"})
            self.assertEqual((done.returncode, done.stderr), (0, ""), each.name)

    def test_mandoc_reports_no_error(self):
        if not shutil.which("mandoc"):
            self.skipTest("there is no mandoc")
        for each in self.pages:
            done = run("mandoc", "-T", "lint", "-W", "warning", each)
            self.assertEqual(done.stdout, "", each.name)

    def test_every_option_is_explained(self):
        if not shutil.which("man"):
            self.skipTest("there is no man")

        def walk(path, page):
            text = help_of(path)
            if len(path) == 1 or commands_of(text) and len(path) == 2:
                shown = run("man", "-l", PAGES / "man1" / ("-".join(path) + ".1"), env={**QUIET, "MANWIDTH": "200"}).stdout
                page = re.sub(r".\x08", "", shown)
            for name in options_of(text):
                self.assertRegex(page, rf"(?m)^ +(?:-\w, )?{re.escape(name)}\b", " ".join(path))
            if len(path) > 1:
                self.assertIn(" ".join(path), page)
            for each in commands_of(text):
                walk([*path, each], page)

        for program in PROGRAMS:
            walk([program], "")


if __name__ == "__main__":
    unittest.main()
