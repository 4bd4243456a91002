"""The generator of `./dev bench edits`: what it expects is what git makes of the change, and slips are what they say."""
import random
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import edit_corpus  # noqa: E402
import edit_slips  # noqa: E402
import trees  # noqa: E402

PATH = "source{}"


def sources():
    """A few files of this repository, so that the test is the same on every machine."""
    paths = sorted((edit_corpus.ROOT / "tests" / "bench").glob("*.py"))
    found = [(path, edit_corpus.lines_of(path)) for path in paths]
    return [edit_corpus.Source("Python", path.suffix, lines) for path, lines in found if lines]


class Edits(unittest.TestCase):
    def apply(self, folder, case):
        path = folder / case.written.path
        path.write_bytes(case.change.before.encode())
        done = subprocess.run(["git", "apply", "--unidiff-zero"], cwd=folder, env=trees.PLAIN_GIT, input=case.written.patch().encode(),
                              stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 0, done.stderr.decode() + case.written.patch())
        return path.read_bytes().decode()

    def test_git_makes_the_expected_result_of_a_change_without_a_slip(self):
        chance, found, count = random.Random(1), sources(), 0
        with tempfile.TemporaryDirectory() as name:
            trees.git(name, "init", "-q")
            while count < 60:
                case = edit_slips.plain_case(chance, found, "unified", PATH)
                if case is None:
                    continue
                if count % 3 == 0:
                    case = without_final_newline(case)
                self.assertNotEqual(case.change.before, case.change.after)
                self.assertEqual(self.apply(Path(name), case), case.change.after)
                count += 1

    def test_replacing_the_old_texts_makes_the_expected_result(self):
        chance, found, checked = random.Random(2), sources(), 0
        for _ in range(100):
            case = edit_slips.plain_case(chance, found, "replace", PATH)
            if case is None or not edit_slips.means_one_place(case):
                continue
            text = case.change.before
            for old, new, _ in case.written.edits():
                text = text.replace(old, new, 1)
            self.assertEqual(text, case.change.after)
            checked += 1
        self.assertGreater(checked, 50)

    def test_a_seed_makes_the_same_cases_of_every_kind(self):
        def drawn(seed):
            return [(case.kind, case.is_unique, case.written.call(), case.change.after) for case in
                    edit_slips.cases(random.Random(seed), {"Python": sources()}, 3 * len(edit_slips.SLIPS), PATH, "/root")]

        cases = drawn(5)
        self.assertEqual(cases, drawn(5))
        self.assertNotEqual(cases, drawn(6))
        self.assertEqual({kind for kind, *_ in cases}, set(edit_slips.SLIPS))

    def test_a_text_that_is_nowhere_in_the_file_has_no_meaning(self):
        cases = list(edit_slips.cases(random.Random(7), {"Python": sources()}, 10 * len(edit_slips.SLIPS), PATH, "/root"))
        unique = {kind: [case.is_unique for case in cases if case.kind == kind] for kind in edit_slips.SLIPS}
        for kind in ("changed white space", "changed quotes", "truncated old lines", "escaped characters"):
            self.assertEqual(set(unique[kind]), {False}, kind)
        for kind in ("wrong count", "LF for CR LF", "absolute paths"):
            self.assertIn(True, unique[kind], kind)


def without_final_newline(case):
    case.change.ends_with_newline = False
    case.written.hunks = edit_slips.written_hunks(case.change)
    return case


if __name__ == "__main__":
    unittest.main()
