"""calls.py reports unexpected results."""
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

from calls import contains, fault_of


def answer(text="", structured=None, error=False):
    return {"result": {"content": [{"type": "text", "text": text}], "structuredContent": structured, "isError": error}}


class Calls(unittest.TestCase):
    def test_a_result_may_have_more_members_but_not_fewer(self):
        self.assertIsNone(contains({"a": 1, "b": {"c": [1, 2]}}, {"b": {"c": [1, 2]}}))
        self.assertEqual(contains({"a": 1}, {"b": 1}), "/b is missing")
        self.assertEqual(contains({"a": {"b": 1}}, {"a": {"b": 2}}), "/a/b is 1, not 2")
        self.assertEqual(contains({"a": True}, {"a": 1}), "/a is true, not 1")
        self.assertEqual(contains(None, {"a": 1}), 'the result is null, not {"a": 1}')

    def test_failures_and_successes_are_distinguished(self):
        self.assertIsNone(fault_of(answer("no such id", error=True), {"arguments": {}, "error": "no such"}))
        self.assertIn("did not fail", fault_of(answer("fine"), {"arguments": {}, "error": ""}))
        self.assertIn("it failed: no", fault_of(answer("no", error=True), {"arguments": {}, "result": {}}))
        self.assertIn("is not in", fault_of(answer("no", error=True), {"arguments": {}, "error": "yes"}))
        self.assertIn("is not in", fault_of(answer("no"), {"arguments": {}, "text": "yes"}))
        self.assertIn("refused", fault_of({"error": {"message": "Unknown tool"}}, {"arguments": {}, "result": {}}))

    def test_a_message_is_found_as_people_read_it(self):
        text = json.dumps({"error": {"code": "INVALID_ARGUMENT", "message": '"path" and "text" are not allowed together',
                                     "details": {"violations": ["/text"]}}})
        failed = answer(text, error=True)
        for part in ('"path" and "text" are not allowed together', "/text", '"code": "INVALID_ARGUMENT"'):
            self.assertIsNone(fault_of(failed, {"arguments": {}, "error": part}))
        self.assertIn('missing "path" is not in {"error"', fault_of(failed, {"arguments": {}, "error": 'missing "path"'}))
        self.assertIsNone(fault_of(answer("not { JSON"), {"arguments": {}, "text": "not {"}))

    def test_a_call_must_state_its_expectation(self):
        self.assertIn("result, text or error", fault_of(answer(), {"arguments": {}}))
        self.assertIn("reslt is not known", fault_of(answer(), {"arguments": {}, "reslt": {}}))

    def test_a_file_or_server_that_cannot_be_used_is_reported_in_one_line(self):
        with tempfile.TemporaryDirectory() as name:
            file = pathlib.Path(name) / "family/tool.json"
            file.parent.mkdir()
            for text, line in (('{"tool": "a.b", "call": []}', f'{file}: the file has "tool" and "calls", a list, and nothing else'),
                               ('{"tool": "a.b", "calls": [3]}', f"{file}: each call is an object"),
                               ('{"tool": "a.b"\n "calls": []}', f"{file}:2:2: Expecting ',' delimiter"),
                               ('{"tool": "a.b", "calls": []}', "./no-server: No such file or directory")):
                file.write_text(text)
                program = pathlib.Path(__file__).with_name("calls.py")
                run = subprocess.run([sys.executable, program, name, "--", "./no-server"], capture_output=True, text=True, check=False)
                self.assertEqual((run.returncode, run.stdout, run.stderr), (1, "", line + "\n"))


if __name__ == "__main__":
    unittest.main()
