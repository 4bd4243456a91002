#!/usr/bin/env python3
"""Tests tests/affected.py on a small build."""
import os
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import affected

MANIFEST = """
rule cc
  command = echo $out: header.h > $out.d && cat $in > $out
  depfile = $out.d
  deps = gcc
rule link
  command = cat $in > $out
build one.o: cc ../one.cc
build two.o: cc ../two$ words.cc || generated
build generated: link ../schema.json
build one_test: link one.o | generated
build two_test: link two.o
"""


class Affected(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = folder.name
        self.build = os.path.join(self.root, "build")
        os.mkdir(self.build)
        for name in ("one.cc", "two words.cc", "schema.json", "build/header.h"):
            with open(os.path.join(self.root, name), "w", encoding="utf-8") as file:
                file.write("text\n")
        with open(os.path.join(self.build, "build.ninja"), "w", encoding="utf-8") as file:
            file.write(MANIFEST)
        subprocess.run(["ninja", "-C", self.build, "--quiet"], check=True)
        self.graph = affected.Graph(self.build)

    def rebuilt(self, name):
        return self.graph.reached({self.graph.name(os.path.join(self.root, name))}, self.graph.outputs)

    def test_a_source_and_a_reported_header_reach_the_programs_that_are_built_from_them(self):
        self.assertEqual(self.rebuilt("one.cc") & {"one_test", "two_test"}, {"one_test"})
        self.assertEqual(self.rebuilt("two words.cc") & {"one_test", "two_test"}, {"two_test"})
        self.assertEqual(self.rebuilt("build/header.h") & {"one_test", "two_test"}, {"one_test", "two_test"})

    def test_an_order_only_input_is_no_dependency(self):
        self.assertEqual(self.rebuilt("schema.json") & {"one_test", "two_test"}, {"one_test"})

    def test_the_nearest_tests_and_the_one_of_all_tools_are_selected_whatever_they_take(self):
        def test_of(name, seconds, target):
            return affected.Test("program", name, [target], "", seconds)

        near, slow, fast = test_of("near", 90, "one_test"), test_of("slow", 500, "one_test"), test_of("fast", 1, "one_test")
        every_tool = affected.Test("client", affected.EVERY_TOOL, ["two_test"], "", 30)
        found = [(near, 0), (fast, 1), (slow, 1)]
        chosen = affected.fitting(found, [near, slow, fast, every_tool], self.graph, self.rebuilt("one.cc"), 100)
        self.assertEqual([test.name for test in chosen], ["near", affected.EVERY_TOOL, "fast"])


if __name__ == "__main__":
    unittest.main()
