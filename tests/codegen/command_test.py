"""The command line of the schema compiler: exit codes, standard output, standard error, and written files."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

SNAPGEN = pathlib.Path(sys.argv.pop(1)).resolve()

MESSAGE = '{ "$schema": "../meta/message.json", "description": "%s", "type": "object", "properties": {} }'
TOOL = ('{ "$schema": "../meta/tool.json", "name": "a.tool", "description": "A tool.", "inputSchema": { "type": "object" },'
        ' "x-snapgen": { "family": "family" } }')


class Command(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self.folder.name)
        self.write("schemas/common/thing.json", MESSAGE % "A thing.")
        self.write("schemas/family/a_tool.json", TOOL)
        self.write("schemas/meta/message.json", "not looked at")

    def tearDown(self):
        self.folder.cleanup()

    def write(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def run_it(self, *arguments):
        return subprocess.run([SNAPGEN, *arguments], cwd=self.root, capture_output=True, text=True, check=False, timeout=60)

    def generate(self, *more):
        return self.run_it("generate", "--out", "out", "--namespace", "server", *more)

    def written(self):
        return sorted(str(file.relative_to(self.root / "out")) for file in (self.root / "out").rglob("*") if file.is_file())

    def test_help_has_examples_and_version_a_number(self):
        for arguments in (["--help"], ["generate", "--help"], ["check", "--help"], ["new", "tool", "--help"], ["explain", "--help"],
                          ["diff", "--help"]):
            found = self.run_it(*arguments)
            self.assertEqual(found.returncode, 0)
            self.assertIn(f"  snapgen {arguments[0] if len(arguments) > 1 else 'generate'} ", found.stdout)
            self.assertIn("Exit codes", found.stdout)
        self.assertRegex(self.run_it("--version").stdout, r"^snapgen \d+\.\d+\.\d+\n$")

    def test_an_invalid_command_line_exits_with_2_and_a_reason(self):
        for arguments in ([], ["compile"], ["check", "--schema", "schemas"], ["generate", "--namespace", "server"], ["new"], ["new", "tool"],
                          ["explain"], ["diff", "schemas"], ["diff", "schemas", "nothing"], ["explain", "schemas/family/none.json"],
                          ["check", "--schemas", "nothing", "--namespace", "server"],
                          ["check", "--namespace", "server", "--include", "nothing"]):
            found = self.run_it(*arguments)
            self.assertEqual(found.returncode, 2, arguments)
            self.assertTrue(found.stderr.strip(), arguments)
            self.assertEqual(found.stdout, "", arguments)

    def test_errors_suggest_the_likely_name(self):
        for arguments, sentence in (
                (["new", "tol", "x"], "snapgen new has no command tol; did you mean tool? (snapgen new --help)"),
                (["chek"], "snapgen has no command chek; did you mean check? (snapgen --help)"),
                (["chek", "--help"], "snapgen has no command chek; did you mean check? (snapgen --help)"),
                (["check", "--jsn"], "snapgen check has no option --jsn; did you mean --json? (snapgen check --help)"),
                (["new"], "snapgen new is not complete: say which of tool, family. (snapgen new --help)"),
                (["structs", "x.json"], "snapgen structs: --namespace is required. (snapgen structs --help)")):
            self.assertEqual(self.run_it(*arguments).stderr, sentence + "\n")

    def test_valid_schemas_are_generated_without_output(self):
        found = self.generate()
        self.assertEqual((found.returncode, found.stdout, found.stderr), (0, "", ""))
        self.assertEqual(self.written(), ["common/thing.cc", "common/thing.h", "family/a_tool.cc", "family/a_tool.h", "listing.cc",
                                          "listing.h", "tool_names.h", "tools.cc", "tools.h"])

    def test_check_writes_nothing(self):
        found = self.run_it("check", "--namespace", "server")
        self.assertEqual((found.returncode, found.stdout, found.stderr), (0, "", ""))
        self.assertEqual(sorted(os.listdir(self.root)), ["schemas"])

    def test_all_errors_are_printed_and_nothing_is_written(self):
        self.write("schemas/common/a.json", '{\n  "$schema": "../meta/message.json",\n  "type": "strin"\n}')
        self.write("schemas/common/b.json", '{ "$schema": "../meta/message.json", "typ": "string" }')
        for found in (self.generate(), self.run_it("check", "--namespace", "server")):
            self.assertEqual(found.returncode, 1)
            self.assertEqual(found.stdout, "")
            lines = found.stderr.splitlines()
            self.assertTrue(lines[0].startswith("schemas/common/a.json:3:11: /type: "), lines)
            self.assertTrue(any(line.startswith("schemas/common/b.json:1:") for line in lines), lines)
        self.assertFalse((self.root / "out").exists())

    def test_only_changed_files_are_written(self):
        self.generate()
        before = {file: (self.root / "out" / file).stat().st_mtime_ns for file in self.written()}
        self.generate()
        self.assertEqual({file: (self.root / "out" / file).stat().st_mtime_ns for file in before}, before)
        for file in before:
            os.utime(self.root / "out" / file, ns=(1, 1))
        self.write("schemas/common/thing.json", MESSAGE % "Another thing.")
        self.generate()
        touched = [file for file in before if (self.root / "out" / file).stat().st_mtime_ns != 1]
        self.assertEqual(touched, ["common/thing.h"])

    def test_only_limits_the_generated_files(self):
        self.assertEqual(self.generate("--only", "common").returncode, 0)
        self.assertEqual(self.written(), ["common/thing.cc", "common/thing.h"])
        self.assertEqual(self.generate("--only", "tools", "--only", "family").returncode, 0)
        self.assertIn("tools.cc", self.written())
        found = self.generate("--only", "famly")
        self.assertEqual(found.returncode, 2)
        self.assertIn("famly", found.stderr)

    def test_a_folder_can_be_referenced_without_being_generated(self):
        self.write("more/one/user.json", '{ "$schema": "../meta/message.json", "type": "object", "properties": '
                   '{ "thing": { "$ref": "../../schemas/common/thing.json" } } }')
        arguments = ["generate", "--schemas", "more", "--out", "out", "--namespace", "mine", "--namespace", "schemas=theirs"]
        self.assertEqual(self.run_it(*arguments).returncode, 1)
        found = self.run_it(*arguments, "--include", "schemas")
        self.assertEqual((found.returncode, found.stderr), (0, ""))
        self.assertEqual(self.written(), ["one/user.cc", "one/user.h"])
        self.assertIn("::theirs::Thing", (self.root / "out/one/user.h").read_text())

    def test_an_output_folder_that_cannot_be_written_exits_with_2(self):
        self.write("out", "a file")
        found = self.generate()
        self.assertEqual(found.returncode, 2)
        self.assertIn("can't write", found.stderr)

    def test_the_project_root_can_be_another_folder(self):
        (self.root / "elsewhere").mkdir()
        found = subprocess.run([SNAPGEN, "check", "--root", "..", "--namespace", "server"], cwd=self.root / "elsewhere",
                               capture_output=True, text=True, check=False)
        self.assertEqual((found.returncode, found.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
