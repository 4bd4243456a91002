"""The summary of `./dev bench --all`: the rows that it reads from a report, and the text that it prints."""
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
import summary  # noqa: E402

REPORT = """
# ./dev bench

## What it must reach

|                 | measured | target   | met |
|-----------------|----------|----------|-----|
| cold start      | 1.19 ms  | ≤ 3 ms   | yes |
| calls/s, 64 in  | 12       | ≥ 8 × 40 | NO  |

## Substrate: 10 000 generated files

| operation, ms | ours | takes | peers | ours : best peer | target | met |
|---|---|---|---|---|---|---|
| grep of the whole tree, literal | no lease | 90.5 | ripgrep 45, git grep 1 036 | 2.01 | ≤ 0.5 × ripgrep | NO |
| grep of the whole tree, literal | under a lease | 60.0 | ripgrep 45, git grep 1 036 | 1.33 | ≤ 0.5 × ripgrep | NO |
| read one file of 10 KB | watched | 0.19 | server-filesystem 0.52 | 0.37 | ≤ 0.1 ms | NO |
| restore 100 files, durable | core::restore | 1 036 | | | ≤ 20 ms | NO |
| a row of nothing | x | 5 | | | | |
| unheard of | x | 5 | | | ≤ 1 ms | NO |

# ./dev bench wire

This part failed.
"""


class Summary(unittest.TestCase):
    def setUp(self):
        self.rows = list(summary.rows_of(REPORT))

    def test_every_row_with_a_verdict_is_read(self):
        self.assertEqual([row.met for row in self.rows], [True, False, False, False, False, False, False])
        self.assertEqual(self.rows[2].peers, {"ripgrep": 45, "git grep": 1036})
        self.assertEqual(self.rows[2].section, "Substrate: 10 000 generated files")

    def test_the_distance_from_the_target_is_a_ratio(self):
        times = [row.times() for row in self.rows]
        self.assertAlmostEqual(times[0], 1.19 / 3)
        self.assertAlmostEqual(times[1], 320 / 12)  # a target that must be exceeded
        self.assertAlmostEqual(times[2], 90.5 / 22.5)
        self.assertAlmostEqual(times[4], 1.9)
        self.assertAlmostEqual(times[5], 51.8)

    def test_the_slowest_operations_are_named_once_and_the_worst_first(self):
        worst = summary.slowest([row for row in self.rows if not row.met])
        self.assertEqual([row.name.split()[0] for row in worst], ["restore", "calls/s,", "unheard", "grep", "read"])
        self.assertEqual(worst[3].who, "no lease")

    def test_the_summary_lists_misses_and_failures(self):
        said = "\n".join(summary.summary(REPORT, Path("."), None, False))
        self.assertIn("1 of 7 rows with a target meet it.", said)
        self.assertIn("Parts that failed: ./dev bench wire.", said)
        self.assertIn(summary.WHY["restore"], said)
        self.assertRegex(said, r"unheard of .* not explained")
        self.assertIn("rows furthest from their targets", said)

    def test_the_command_measures_a_row_again(self):
        self.assertEqual(summary.tree_of("Substrate: 10 000 generated files"), ["--sizes", "10000"])
        self.assertEqual(summary.tree_of("Substrate: Linux 6.1 (Debian's)")[-1], "--linux")
        self.assertIsNone(summary.tree_of("Tasks"))
        self.assertIn("and their peers together", summary.profile(self.rows[0], Path("."), None))
        self.assertEqual(summary.again(self.rows[2]), ["substrate.py", "--only", "grep of the whole tree, literal", "--rounds", "3", "--sizes", "10000"])
        (flood,) = summary.rows_of("# ./dev bench websocket\n\n| what | measured | target | met |\n|---|---|---|---|\n| 16 KB, messages/s | 9 | ≥ 60 000 | NO |\n")
        self.assertEqual(summary.again(flood), ["websocket.py", "--quick"])

    def test_a_row_of_growth_is_read_and_measured_again(self):
        (rate,) = summary.rows_of("""# ./dev bench growth

## Growth: 10 000 small files

| operation, ms | ours | takes | peers | ours : best peer | target | met |
|---|---|---|---|---|---|---|
| calls per second, mixed, of servers on one tree | 16 servers | 600 | one server 1 200 | 0.5 | ≥ 1 × one server | NO |
""")
        self.assertAlmostEqual(rate.times(), 2)  # a target that must be exceeded
        self.assertEqual(summary.again(rate),
                         ["growth.py", "--only", "calls per second", "--rounds", "3", "--sizes", "10000"])
        self.assertTrue(rate.why())

    def test_a_row_of_edits_is_read_and_measured_again(self):
        rate, speed = summary.rows_of("""# ./dev bench edits

## Edits: targets

| what it must reach | measured | target | met |
|---|---|---|---|
| edits of one meaning accepted at once | 98 % | ≥ 99 % | NO |

## Edits: 1 000 small files

| operation, ms | ours | takes | peers | ours : best peer | target | met |
|---|---|---|---|---|---|---|
| replace in a 10 KB file, durable | workspace_edit | 3 | write, fsync, rename 1 | 3 | ≤ 2 ms | NO |
""")
        self.assertEqual(summary.again(rate), ["edits.py", "--quick"])
        self.assertEqual(summary.again(speed),
                         ["edits.py", "--only", "replace in a 10 KB file", "--rounds", "3", "--sizes", "1000"])
        self.assertTrue(speed.why())

    def test_a_report_without_targets_has_no_summary(self):
        self.assertEqual(list(summary.rows_of("# nothing\n\n| a | b |\n|---|---|\n| 1 | 2 |\n")), [])
        (said,) = summary.summary("", Path("."), None, True)
        self.assertIn("0 of 0 rows with a target meet it.", said)


if __name__ == "__main__":
    unittest.main()
