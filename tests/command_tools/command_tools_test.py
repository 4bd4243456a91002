"""snapgen-server --tools: programs as tools, which are listed, validated, called and rejected like other tools."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "tools"))
import calls  # noqa: E402

SERVER, TOOLS, META = (pathlib.Path(sys.argv.pop(1)).resolve() for _ in range(3))

SHELL = {"$schema": f"{META}/tool.json", "name": "text.try", "description": "A try.",
         "inputSchema": {"type": "object", "properties": {"word": {"type": "string"}}}, "x-snapgen": {"family": "text"}}
NUMBER = {"type": "object", "additionalProperties": False, "required": ["n"], "properties": {"n": {"type": "integer"}}}


class Session(calls.Server):
    def __init__(self, *arguments, cwd, **environment):
        super().__init__([SERVER, "--stdio", *map(str, arguments)], cwd=cwd, stderr=subprocess.PIPE, env={**os.environ, **environment})

    def names(self):
        return [tool["name"] for tool in self.ask("tools/list", {})["result"]["tools"]]

    def call(self, name, **arguments):
        return self.ask("tools/call", {"name": name, "arguments": arguments})["result"]

    def drop(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.communicate()

    def end(self):
        _, errors = self.process.communicate(timeout=60)
        return self.process.returncode, errors


class Programs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name).resolve()
        self.tools = self.root / "tools"
        shutil.copytree(TOOLS, self.tools)
        for file in self.tools.glob("*/*.json"):
            file.write_text(file.read_text().replace("../../../../schemas/meta", str(META)))
        self.workspace = self.root / "workspace"
        subprocess.run(["git", "init", "-q", self.workspace], check=True)
        (self.workspace / "three.txt").write_text("one two three\n")

    def session(self, *arguments, **environment):
        session = Session(*(arguments or ["--tools", self.tools]), cwd=self.workspace, **environment)
        self.addCleanup(session.drop)
        return session

    def add(self, script, **more):
        """Writes a tool text.try that is a shell script."""
        tool = json.loads(json.dumps(SHELL))
        extension = more.pop("extension", {})
        tool.update(more)
        tool["x-snapgen"]["run"] = {"command": ["sh", "-c", script], **extension.pop("run", {})}
        tool["x-snapgen"].update(extension)
        (self.tools / "text/text_try.json").write_text(json.dumps(tool))

    def failure(self, script, **more):
        self.add(script, **more)
        result = self.session().call("text.try")
        self.assertTrue(result.get("isError"), result)
        self.assertNotIn("structuredContent", result)
        return json.loads(result["content"][0]["text"])["error"]["message"]

    def test_a_program_is_listed_and_called_in_both_spellings(self):
        session = self.session()
        tools = {tool["name"]: tool for tool in session.ask("tools/list", {})["result"]["tools"]}
        self.assertIn("snapshot_create", tools)
        tool = tools["text_count"]
        self.assertEqual(tool["inputSchema"]["properties"]["least"],
                         {"type": "integer", "minimum": 0, "maximum": 1000000, "title": "Amount", "default": 1,
                          "description": "Shorter words are not counted."})
        self.assertEqual(tool["title"], "Count words")
        self.assertNotIn("x-snapgen", tool)
        for name in ("text_count", "text.count"):
            result = session.call(name, text="a few words")
            self.assertEqual(result, {"content": [{"type": "text", "text": '{"words":3}'}], "structuredContent": {"words": 3}})
        self.assertEqual(session.call("text_count", text="a few words", least=5)["structuredContent"], {"words": 1})
        self.assertEqual(session.end(), (0, ""))

    def test_arguments_and_results_are_validated_by_every_keyword(self):
        self.add("""echo '{"found":["a"]}'""",
                 inputSchema={"type": "object", "required": ["query"], "properties": {
                     "query": {"type": "string", "not": {"pattern": "^ "}},
                     "area": {"type": "array", "prefixItems": [{"type": "integer"}, {"type": "integer"}], "items": False},
                     "tree": {"$ref": "#/$defs/tree"},
                     "either": {"anyOf": [{"type": "object", "required": ["a"], "properties": {"a": {}}},
                                          {"type": "object", "properties": {"a": {}, "b": {"type": "integer"}}}]}},
                     "dependentSchemas": {"area": {"properties": {"query": {"maxLength": 3}}}}},
                 outputSchema={"type": "object", "required": ["found"],
                               "properties": {"found": {"type": "array", "items": {"type": "string"}, "contains": {"const": "a"}}}},
                 **{"$defs": {"tree": {"$dynamicAnchor": "node", "type": "object", "properties": {
                     "value": {"type": "integer"}, "children": {"type": "array", "items": {"$dynamicRef": "#node"}}}}}})
        session = self.session()
        right = session.call("text.try", query="abc", area=[1, 2], either={"a": 1, "b": 2}, tree={"children": [{"value": 1}]})
        self.assertEqual(right.get("structuredContent"), {"found": ["a"]}, right)
        wrong = session.call("text.try", query=" abc", area=[1, "2", 3], either={"c": 1}, tree={"children": [{"value": "x"}]})
        self.assertTrue(wrong["isError"])
        found = {(each["pointer"], each["keyword"]) for each in json.loads(wrong["content"][0]["text"])["error"]["details"]["violations"]}
        self.assertEqual(found, {("/query", "not"), ("/query", "maxLength"), ("/area/1", "type"), ("/area/2", "items"),
                                 ("/either", "anyOf"), ("/tree/children/0/value", "type")})
        self.assertIn("does not match its outputSchema", self.failure("""echo '{"found":["b"]}'""", outputSchema={
            "type": "object", "required": ["found"],
            "properties": {"found": {"type": "array", "items": {"type": "string"}, "contains": {"const": "a"}}}}))

    def test_a_program_runs_in_the_workspace_and_is_found_beside_its_file(self):
        (self.workspace / "count.py").write_text("#!/bin/sh\necho '{\"words\":666}'\n")
        (self.workspace / "count.py").chmod(0o755)
        self.assertEqual(self.session().call("text_count", file="three.txt")["structuredContent"], {"words": 3})

    def test_compiled_tools_also_work(self):
        session = self.session()
        self.assertEqual(session.call("snapshot_create", paths=["three.txt"])["structuredContent"]["manifest_stats"]["files"], 1)
        self.assertIn("snapshot_id", session.call("snapshot_info")["content"][0]["text"])
        self.assertIn("Did you mean", session.ask("tools/call", {"name": "text_coun", "arguments": {}})["error"]["message"])

    def test_arguments_are_validated_by_the_same_rules(self):
        session = self.session()
        for arguments, word in (({"txt": "a"}, "text"), ({"text": 1}, "/text"), ({"text": "a", "least": -1}, "/least"),
                                ({"text": "a" * 1001}, "/text"), ({"text": "a", "file": "b"}, "file")):
            result = session.call("text_count", **arguments)
            self.assertTrue(result["isError"], arguments)
            error = json.loads(result["content"][0]["text"])["error"]
            self.assertEqual(error["code"], "INVALID_ARGUMENT")
            self.assertIn(word, error["message"])
            self.assertTrue(error["details"]["violations"])

    def test_a_program_receives_path_and_the_named_variables(self):
        self.add("env", extension={"run": {"environment": ["SHOWN", "UNSET"]}})
        text = self.session(SHOWN="yes", SECRET="no").call("text.try")["content"][0]["text"]
        names = {line.split("=")[0] for line in text.splitlines()} - {"PWD", "OLDPWD", "SHLVL", "_"}
        self.assertEqual(names, {"PATH", "SHOWN"})

    def test_without_an_output_schema_the_output_is_text(self):
        self.add("cat; echo; pwd", extension={"run": {"folder": "below"}})
        (self.workspace / "below").mkdir()
        result = self.session().call("text.try", word="ö")
        self.assertEqual(result, {"content": [{"type": "text", "text": f'{{"word":"ö"}}\n\n{self.workspace}/below'}]})

    def test_failures_of_a_program_are_reported(self):
        self.assertEqual(self.failure("echo first >&2; echo no such page >&2; exit 3"),
                         "The program of text.try ended with exit code 3: no such page.")
        self.assertEqual(self.failure("kill -9 $$"), "The program of text.try was ended by signal 9.")
        self.assertEqual(self.failure("echo '{\"n\":\"x\"}'", outputSchema=NUMBER).split(" at ")[0],
                         "The program of text.try returned a result that does not match its outputSchema:")
        self.assertIn("outputSchema", self.failure("echo not json", outputSchema=NUMBER))
        self.assertIn("outputSchema", self.failure("exit 0", outputSchema=NUMBER))
        self.assertIn("outputSchema", self.failure("echo '{\"n\":1,\"n\":2}'", outputSchema=NUMBER))
        self.assertEqual(self.failure("printf '\\377'"), "The program of text.try wrote invalid UTF-8. Its output must be UTF-8 text.")
        self.assertEqual(self.failure("yes", extension={"run": {"output_bytes_max": 100}}),
                         "The program of text.try wrote more than the limit.")

    def test_a_program_can_state_its_error(self):
        def stated(error, **more):
            self.add(f"echo tracing >&2; echo '{json.dumps({'error': error})}'; exit 1", **more)
            result = self.session().call("text.try")
            self.assertTrue(result["isError"])
            return json.loads(result["content"][0]["text"])["error"]

        self.assertEqual(stated({"code": "NOT_FOUND", "message": "There is no page 7"}),
                         {"code": "NOT_FOUND", "message": "There is no page 7."})
        self.assertEqual(stated({"code": "INVALID_ARGUMENT", "message": "Too long.", "details": {"most": 3}}),
                         {"code": "INVALID_ARGUMENT", "details": {"most": 3}, "message": "Too long."})
        self.assertEqual(stated({"code": "CLOSED", "message": "Closed today."}, extension={"errors": ["CLOSED"]}),
                         {"code": "CLOSED", "message": "Closed today."})
        self.assertEqual(stated({"code": "CLOSED", "message": "Closed today."}),
                         {"code": "INTERNAL", "message": "The program of text.try failed with the code CLOSED, which \"errors\" "
                                                         "in its schema does not have: Closed today."})
        for error, reason in (("no code", '"code" is missing'), ({"code": "NOT_FOUND"}, '"message" is missing'),
                              ({"code": "NOT_FOUND", "message": 3}, '"message" is not a text')):
            self.assertEqual(stated(error)["message"], "The program of text.try ended with exit code 1; its \"error\" was ignored, because "
                                                       f"{reason}: tracing.")

    def test_an_own_code_is_in_the_log(self):
        (self.workspace / ".snapback").mkdir()
        self.add("""echo '{"error":{"code":"CLOSED","message":"Closed today."}}'; exit 1""", extension={"errors": ["CLOSED"]})
        session = self.session()
        session.call("text.try")
        session.end()
        self.assertIn('"code":"CLOSED"', (self.workspace / ".snapback/logs/errors.jsonl").read_text())

    def test_a_traceback_is_in_the_answer_and_the_log(self):
        (self.workspace / ".snapback").mkdir()
        script = "def f():\n    return {}[7]\nf()\n"
        self.add("", extension={"run": {"command": ["python3", "-c", script]}})
        session = self.session()
        error = json.loads(session.call("text.try")["content"][0]["text"])["error"]
        self.assertEqual(error["message"], "The program of text.try ended with exit code 1: KeyError: 7.")
        self.assertIn('File "<string>", line 2, in f', error["details"]["stderr"])
        session.end()
        self.assertIn('line 2, in f', (self.workspace / ".snapback/logs/errors.jsonl").read_text())

    def test_output_that_is_no_json_is_shown(self):
        self.assertIn(r'it begins with "debug\n{\"n\":1}', self.failure("echo debug; echo '{\"n\":1}'", outputSchema=NUMBER))

    def test_programs_that_cannot_start_prevent_the_start(self):
        for command, sentence in ((["snapgen-no-such-program"], "the program snapgen-no-such-program is not on PATH"),
                                  (["./none.py"], "the program ./none.py does not exist"),
                                  (["./text_try.json"], "the program ./text_try.json cannot be executed (chmod +x)")):
            self.add("", extension={"run": {"command": command}})
            self.refused(f"{self.tools}/text/text_try.json: {sentence}")
        self.assertIn("does not exist", self.failure("true", extension={"run": {"folder": "gone"}}))

    def test_a_deadline_kills_the_whole_process_group(self):
        session_pid = self.workspace / "pid"
        message = self.failure("sleep 600 & echo $! > pid; wait", extension={"deadline_ms": 300})
        self.assertEqual(message, "text_try took longer than 300 ms and was stopped.")
        pid = int(session_pid.read_text())
        while True:  # Until the process has ended, or the time limit of the test.
            try:
                if (pathlib.Path("/proc") / str(pid) / "stat").read_text().rsplit(")", 1)[1].split()[0] == "Z":
                    break
            except FileNotFoundError:
                break

    def test_without_the_flag_no_command_tool_is_listed(self):
        self.assertNotIn("text_count", self.session("--log-level", "error").names())

    def test_the_settings_of_the_workspace_can_name_the_folder(self):
        (self.workspace / ".snapback").mkdir()
        (self.workspace / ".snapback/config.json").write_text('{"tools":"../tools"}')
        session = self.session("--log-level", "warning")
        self.assertNotIn("text_count", session.names(), "the user has not trusted the tools")
        self.assertIn("are not trusted as they are now", session.end()[1])
        called = subprocess.run([SERVER.with_name("snap"), "call", "text_count"], cwd=self.workspace, capture_output=True, text=True, check=False)
        self.assertEqual(called.returncode, 1)
        self.assertRegex(called.stderr, r'^Unknown tool "text_count"\. The server warns: The tools in .* are not trusted as they are now\. ')
        subprocess.run([SERVER.with_name("snap"), "trust", "--yes"], cwd=self.workspace, check=True, capture_output=True)
        session = self.session("--log-level", "error")
        self.assertEqual(session.call("text_count", text="a b")["structuredContent"], {"words": 2})
        (self.workspace / ".snapback/config.json").write_text('{"tools":"../none"}')
        session = self.session("--log-level", "warning")
        self.assertNotIn("text_count", session.names())
        self.assertIn("cannot be read", session.end()[1])

    def test_profiles_select_command_tools_by_family(self):
        self.assertEqual(self.session("--tools", self.tools, "--profile", "text").names(), ["text_count"])
        self.assertNotIn("text_count", self.session("--tools", self.tools, "--profile", "substrate").names())

    def test_without_a_workspace_every_call_fails(self):
        session = Session("--tools", self.tools, cwd="/", SNAPBACK_WORKSPACE_ROOT="")
        self.addCleanup(session.drop)
        result = session.call("text_count", text="a")
        self.assertTrue(result["isError"])
        self.assertIn("workspace", result["content"][0]["text"])
        session.end()

    def refused(self, sentence, folder=None):
        run = subprocess.run([SERVER, "--stdio", "--tools", folder or self.tools], cwd=self.workspace, stdin=subprocess.DEVNULL,
                             capture_output=True, text=True, check=False, timeout=60)
        self.assertEqual((run.returncode, run.stdout), (2, ""), run.stderr)
        self.assertIn(sentence, run.stderr)

    def test_errors_in_tool_files_prevent_the_start(self):
        file = self.tools / "text/text_count.json"
        text = file.read_text()
        for old, new, sentence in (
                ('"maxLength"', '"maxLenght"', 'did you mean "maxLength"?'),
                ('"command"', '"comand"', 'did you mean "command"?'),
                ('"run": {', '"rum": {', "run"),
                ('["./count.py", "--quiet"]', "[]", "a list of a program and its arguments"),
                ('["./count.py", "--quiet"]', '"./count.py"', '/x-snapgen/run/command: "command" is not a list of texts\n'),
                ('["COUNT_BY"]', '["COUNT_BY=1"]', "names of variables"),
                ('"environment"', '"folder": "a/../..", "environment"', "a path below the workspace"),
                ('"two words" }, "result": { "words": 2 }', '"two words" }, "result": { "words": "2" }', "text_count.json")):
            self.assertIn(old, text)
            file.write_text(text.replace(old, new))
            self.refused(sentence)
        file.unlink()
        self.add("true", name="snapshot.info")
        (self.tools / "text/text_try.json").rename(self.tools / "text/snapshot_info.json")
        self.refused("the server has a tool snapshot.info already")
        self.refused("cannot be read", self.root / "nothing")
        (self.tools / "text/snapshot_info.json").unlink()
        self.add("true", extension={"family": "substrate", "errors": ["NOT_FOUND", "TOO_DULL"]})
        (self.tools / "substrate").mkdir()
        (self.tools / "text/text_try.json").rename(self.tools / "substrate/text_try.json")
        self.refused('the code TOO_DULL in "errors" is none of the family substrate')


if __name__ == "__main__":
    unittest.main()
