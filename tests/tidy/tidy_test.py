#!/usr/bin/env python3
"""Each rule finds its violations and accepts all other code."""
import json
import tempfile
import unittest
from pathlib import Path

import commit_rule
import tidy
from clang_tidy import Lint
from source import Tree, bare

HEADER = "#pragma once\n// What it is for.\n"


class RuleTest(unittest.TestCase):

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def broken(self, rule, **files):
        """Returns the findings of a rule for a tree. In the names of files, `__` means `/`, and `_h` or `_cc` at the
        end means a suffix."""
        for name, text in files.items():
            path = name.replace("__", "/")
            stem, _, suffix = path.rpartition("_")
            self.write(f"{stem}.{suffix}", text)
        return sorted(set(tidy.RULES[rule](Tree(self.root))))

    def write(self, path, text):
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")

    def awaits(self, code):
        return self.broken("await", runtime__sample_cc=f"Task<int> f() {{\n  {code}\n  co_return 1;\n}}\n")

    def test_awaits_that_g_plus_plus_12_compiles_correctly_pass(self):
        for code in ("co_await g();", "Result<int> x = co_await g(a, b);", "x = co_await g();",
                     "const std::string text = co_await std::move(task);", "co_return co_await g();",
                     "int& x = co_await made;", "x.y = co_await g();", "list[i] = co_await g(list[i]);",
                     "Result<std::map<std::string, int>> x =\n      co_await call.offload(job);",
                     "if (a) {\n    co_await g();\n  }", "// if (co_await g())", 'log("co_await {} ? a : b");',
                     "co_await g(\"a ? b && c {}\");", "auto body = [](Loop& l) -> Task<int> { co_await l.g(); };",
                     "Unwrap<T> operator co_await(Result<T>& r);"):
            self.assertEqual(self.awaits(code), [], code)

    def test_awaits_that_g_plus_plus_12_miscompiles_are_found(self):
        for code in ("if (co_await g()) {}", "while (co_await g()) {}", "for (; co_await g();) {}",
                     "for (auto x : co_await g()) {}", "co_await g([s] { return s; });", "co_await g([&](int) {});",
                     "co_await g(Aggregate{1, 2});", "co_await g({.a = 1});", "co_await g(Options{});",
                     "auto x = Aggregate{co_await g(), 2};", "std::vector<int> v{co_await g(), co_await h()};",
                     "auto x = c ? co_await g() : co_await h();", "auto x = co_await (c ? g() : h());",
                     "auto x = co_await g() && h();", "auto x = a || co_await g();", "f(co_await g());",
                     "auto x = co_await g() + co_await h();", "return_it(1, co_await g());",
                     "if (a) co_await g();", "EXPECT_TRUE(co_await g());", "auto x = *co_await g();"):
            self.assertEqual(len(self.awaits(code)), 1, code)

    def test_the_position_of_an_await_is_reported(self):
        self.assertTrue(self.awaits("if (co_await g()) {}")[0].startswith("runtime/sample.cc:2: "))

    def test_includes_that_the_architecture_permits_pass(self):
        found = self.broken(
            "arrows", runtime__base__a_h=HEADER, runtime__json__a_h='#include "runtime/base/a.h"\n',
            runtime__async__task_h='#include "runtime/base/a.h"\n#include <vector>\n',
            runtime__transport__channel_h='#include "runtime/async/task.h"\n',
            runtime__mcp__call_h='#include "runtime/transport/channel.h"\n#include "runtime/json/a.h"\n',
            schemas__wire__x_h='#include "runtime/mcp/call.h"\n#include "runtime/async/task.h"\n',
            tools__engine__git__c_h='#include "runtime/json/a.h"\n',
            tools__wire__x_cc='#include "schemas/wire/x.h"\n#include "tools/engine/git/c.h"\n',
            tools__main_cc='#include "runtime/transport/channel.h"\n#include "tools/engine/git/c.h"\n')
        self.assertEqual(found, [])

    def test_other_includes_are_found(self):
        for path, header in (("runtime/base/x.h", "runtime/json/a.h"), ("runtime/json/x.h", "runtime/async/a.h"),
                             ("runtime/async/x.h", "runtime/uv/a.h"), ("runtime/transport/x.h", "runtime/uv/a.h"),
                             ("runtime/transport/x.h", "runtime/mcp/a.h"), ("runtime/mcp/x.h", "runtime/uv/a.h"),
                             ("runtime/mcp/x.h", "runtime/transport/a.h"), ("codegen/x.h", "runtime/async/a.h"),
                             ("tools/engine/git/x.h", "runtime/async/a.h"), ("tools/engine/git/x.h", "schemas/wire/a.h"),
                             ("tools/wire/x.h", "runtime/transport/a.h"), ("tools/wire/x.h", "runtime/uv/a.h"),
                             ("tools/cli/x.h", "runtime/transport/a.h"), ("schemas/wire/x.h", "runtime/uv/a.h")):
            with self.subTest(path=path, header=header):
                self.write(header, HEADER)
                self.write(path, f'{HEADER}#include "{header}"\n')
                found = self.broken("arrows")
                self.assertEqual([line for line in found if line.startswith(f"{path}:3: ")], found)
                self.assertEqual(len(found), 1)
                (self.root / path).unlink()

    def includes_one(self, path, header):
        """Returns the findings for a file that includes only this header."""
        self.write(header, HEADER)
        self.write(path, f'{HEADER}#include "{header}"\n')
        found = self.broken("arrows")
        (self.root / path).unlink()
        return found

    def test_levels_of_the_engine_may_include_lower_levels(self):
        levels = ["base", "files", "git", "store", "watch", "patch", "read", "write", "workspace", "operations"]
        for at, level in enumerate(levels):
            for lower in levels[:at]:
                self.assertEqual(self.includes_one(f"tools/engine/{level}/x.h", f"tools/engine/{lower}/a.h"), [])
                found = self.includes_one(f"tools/engine/{lower}/x.h", f"tools/engine/{level}/a.h")
                self.assertEqual(found, [f"tools/engine/{lower}/x.h:3: engine/{lower} may not include tools/engine/{level}/a.h"])

    def test_the_folders_of_tools_may_include_in_one_direction(self):
        for lower, upper in (("engine/operations/diff", "insight/check"), ("engine/base", "insight/risk"), ("insight/imports", "work/task"),
                             ("work/memory", "app"), ("app", "wire"), ("app", "shop"), ("substrate", "server/resources"), ("app", "server/answers"),
                             ("server/answers", "server/trees"), ("server/trees", "server/guard"), ("server/resources", "server/prompts"),
                             ("server/listeners", "server"), ("app", "cli"), ("cli/hosts", "cli"), ("engine/operations", "cli/hosts")):
            with self.subTest(lower=lower, upper=upper):
                self.assertEqual(self.includes_one(f"tools/{upper}/x.h", f"tools/{lower}/a.h"), [])
                self.assertEqual(len(self.includes_one(f"tools/{lower}/x.h", f"tools/{upper}/a.h")), 1)

    def test_folders_of_the_same_rank_do_not_include_each_other(self):
        for one, other in (("wire", "facade"), ("bridge", "substrate"), ("server/guard", "server/resources"), ("server/answers", "server/command_tools"),
                           ("cli/hosts", "app"), ("server", "cli")):
            with self.subTest(one=one, other=other):
                self.assertEqual(len(self.includes_one(f"tools/{one}/x.h", f"tools/{other}/a.h")), 1)

    def test_the_command_line_includes_only_the_assembly_of_the_server(self):
        for header in ("tools/server/assembly.h", "tools/server/serve.h", "tools/work/log/a.h"):
            self.assertEqual(self.includes_one("tools/cli/x.h", header), [])
        for header in ("tools/server/guard/a.h", "tools/wire/a.h"):
            self.assertEqual(len(self.includes_one("tools/cli/x.h", header)), 1)

    def test_a_level_of_the_engine_that_is_not_listed_is_found(self):
        found = self.broken("arrows", tools__engine__unknown__x_h=HEADER)
        self.assertEqual(found, ["tools/engine/unknown/x.h:1: the engine has no level unknown; tests/tidy/include_rules.py lists them"])

    def test_includes_are_written_from_the_root(self):
        found = self.broken("arrows", runtime__base__a_h=HEADER, runtime__base__b_h='#include "a.h"\n')
        self.assertEqual(len(found), 1)

    def test_headers_that_the_generator_will_write_count_as_existing(self):
        self.write("schemas/wire/x.json", "{}")
        self.write("tools/wire/x.cc", '#include "schemas/wire/x.h"\n#include "schemas/tools.h"\n#include "schemas/wire/y.h"\n')
        found = self.broken("arrows")
        self.assertEqual([line.partition(": ")[0] for line in found], ["tools/wire/x.cc:3"])

    def test_headers_of_a_library_are_included_only_by_its_owner(self):
        for path, header in (("runtime/uv/x.h", "uv.h"), ("runtime/json/x.cc", "unistr.h"),
                             ("runtime/json/x.cc", "re2/re2.h"), ("runtime/json/x.cc", "idn2.h"), ("tools/engine/git/x.cc", "git2.h"),
                             ("tools/engine/store/x.cc", "zstd.h"), ("tools/engine/store/x.cc", "lz4.h"),
                             ("tools/engine/base/toml_plus_plus.h", "toml++/toml.h"),
                             ("tools/engine/base/hash.cc", "openssl/evp.h"),
                             ("runtime/seal/x.cc", "sodium.h")):
            with self.subTest(header=header):
                self.write(path, f"#include <{header}>\n")
                self.assertEqual(self.broken("owners"), [])
                self.write("runtime/mcp/x.cc", f"#include <{header}>\n")
                self.assertTrue(any(line.startswith("runtime/mcp/x.cc:1: ") for line in self.broken("owners")))
                (self.root / path).unlink()
                (self.root / "runtime/mcp/x.cc").unlink()

    def test_tests_may_include_a_library_for_comparison(self):
        self.assertEqual(self.broken("owners", tests__json__x_cc="#include <unistr.h>\n#include <sodium.h>\n"), [])

    def test_a_cycle_of_headers_is_found(self):
        found = self.broken("cycles", runtime__a_h='#include "runtime/b.h"\n', runtime__b_h='#include "runtime/c.h"\n',
                            runtime__c_h='#include "runtime/a.h"\n')
        self.assertEqual(found, ["runtime/a.h -> runtime/b.h -> runtime/c.h -> runtime/a.h: a cycle"])

    def test_a_cycle_of_folders_is_found(self):
        found = self.broken("cycles", tools__work__log__a_h='#include "tools/work/task/b.h"\n', tools__work__log__d_h="",
                            tools__work__task__b_h="", tools__work__task__c_h='#include "tools/work/log/d.h"\n')
        self.assertEqual(found, ["tools/work/log -> tools/work/task -> tools/work/log: a cycle of folders: "
                                 "tools/work/log/a.h includes tools/work/task/b.h; tools/work/task/c.h includes tools/work/log/d.h"])

    def test_a_folder_and_its_subfolder_are_separate(self):
        found = self.broken("cycles", tools__cli__a_h='#include "tools/cli/doctor/b.h"\n', tools__cli__c_h="",
                            tools__cli__doctor__b_h='#include "tools/cli/c.h"\n')
        self.assertEqual([line.partition(": ")[0] for line in found], ["tools/cli -> tools/cli/doctor -> tools/cli"])

    def test_a_header_that_is_included_twice_is_not_a_cycle(self):
        self.assertEqual(self.broken("cycles", a_h='#include "b.h"\n#include "c.h"\n', b_h='#include "c.h"\n', c_h=""), [])

    def test_a_header_that_depends_on_an_earlier_one_is_found(self):
        found = self.broken("headers", a_h=HEADER + "#include <string>\nstd::string good();\n",
                            b_h=HEADER + "inline unknown_type bad();\n")
        self.assertEqual(len(found), 1)
        self.assertTrue(found[0].startswith("b.h: does not compile alone"))

    def test_a_header_needs_a_guard_and_a_comment(self):
        found = self.broken("headers", a_h="// What it is for.\n#pragma once\n", b_h="#pragma once\n#include <string>\n")
        self.assertEqual([line.partition(":")[0] for line in found], ["a.h", "a.h", "b.h"])

    def checks(self, *lines, head="Result<int> f()"):
        body = "".join(f"  {line}\n" for line in lines)
        return self.broken("try", tools__sample_cc=f"{head} {{\n{body}}}\n")

    def test_handwritten_checks_that_try_can_replace_are_found(self):
        check = "if (!x) return std::move(x).error();"
        for lines in (["Result<int> x = g();", check, "return *x;"], ["const Result<A> x = g();", "if (!x) return x.error();", "h(x->b);"],
                      ["Result<Unit> x = g();", check], ["Result<Unit> x = g();", "if (!x) return x;"],
                      ["Result<std::unique_ptr<A>> x =", "g(\"{\", '}');", "// Why.", "if (!x) {", "return x.error();", "}", "(*x)->h(**x);"],
                      ["auto x = g();", check, "h(*std::move(x), std::move(*x), [&] { return x->b; });", "return x;"],
                      ["Result<Unit> x = g();", "if (x) x = h();", "if (x && ready) x = i();", check],
                      ["Result<Unit> x = g();", check, "while (more()) {", "x = h();", check, "}", "return x;"],
                      ["if (Result<Unit> x = g(); !x) return std::move(x).error();"],
                      ["Result<int> x = g(a.x, b->x);", check, "return a.x + *x;"]):
            found = self.checks(*lines)
            self.assertEqual([line.partition(": ")[0] for line in found], ["tools/sample.cc:2"], lines)

    def test_checks_that_try_cannot_replace_pass(self):
        check = "if (!x) return std::move(x).error();"
        for lines in (["int x = TRY(g());", "return x;"], ["Result<int> x = g();", check, "return h(x);"],
                      ["Result<int> x = g();", check, "if (x) h();"], ["Result<int> x = g();", check, "h(x.error());"],
                      ["Result<int> x = g();", check, "x = h();", "return *x;"],
                      ["Result<int> x = g();", check, "x = h(*x);", check], ["Result<int> x = g();", "log(x);", check],
                      ["Result<int> x = g();", "if (!x && x.error().code == a) return 0;", check],
                      ["Result<int> x = g();", check, "else h();"], ["Result<int> x = g();", "if (!x) return failed(x.error());"],
                      ["const Result<int>& x = g();", check], ["auto x = g();", "if (!x) return x;"],
                      ["Result<Unit> x = g([] { return 1; });", check], ["Result<Unit> x = g();", "if (x && x) x = h();", check],
                      ["Result<Unit> x = g();", check, "{", "x = h();", check, "}", "log(x);"],
                      ["Result<int> x = g();", check, "co_return *x;"]):
            self.assertEqual(self.checks(*lines), [], lines)

    def test_a_closure_in_a_coroutine_may_use_try(self):
        lines = ["auto job = [&]() -> Result<int> {", "Result<int> x = g();", "if (!x) return x.error();", "return *x;", "};",
                 "co_return co_await offload(job);"]
        self.assertEqual(len(self.checks(*lines, head="Task<int> f()")), 1)

    def test_generated_code_needs_no_try(self):
        code = "Result<int> f() {\n  Result<int> x = g();\n  if (!x) return x.error();\n  return *x;\n}\n"
        self.assertEqual(self.broken("try", tests__codegen__golden__a_cc=code), [])

    def names(self, one, other):
        """Returns the findings for two sources of one library. A unity build puts the second into a separate file."""
        self.write("a.cc", one)
        self.write("b.cc", other)
        unity = self.root / "build/lib.p/lib-unity0.cpp"
        self.write("build/lib.p/lib-unity0.cpp", f"#include<{self.root}/b.cc>\n")
        parts = [{"sources": [str(self.root / "a.cc")], "generated_sources": [str(unity)]}, {"linker": ["ar"]}]
        self.write("build/meson-info/intro-targets.json", json.dumps([{"name": "lib", "target_sources": parts}]))
        return sorted(tidy.RULES["names"](Tree(self.root, self.root / "build")))

    def test_names_that_two_sources_of_a_library_share_are_found(self):
        for one, other in [("struct Part {\n  int x;\n};", "class Part final : public Base {\n};"),
                           ("constexpr int part = 1;", "bool part(const Map<int, int>& x) { return x == y; }"),
                           ("template <class T>\nResult<T> part(T x) {\n}", "const std::array<int, 2> part = {1, 2};"),
                           ("using part = int;", "using part = long;"), ("enum class Part : int { part };", "Part Part[2];")]:
            found = self.names(f"namespace a {{\nnamespace {{\n{one}\n}}\n}}", f"namespace a {{\nnamespace {{\n{other}\n}}\n}}")
            self.assertEqual(len(found), 1, found)
            self.assertTrue(found[0].lower().startswith("b.cc:3: part is in a.cc too, of the same library (lib)"), found)

    def test_names_of_different_libraries_pass(self):
        one = """#define EACH(x) \\
  x
namespace a {
namespace {
namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
int count(int x) { return part(x); }
int count(long x) {
  struct Part { int other; };
  return Part{1}.other;
}
bool operator==(const X& a, const X& b) { return true; }
TEST(Suite, works) {}
}
int Type::part() { return other; }
}
"""
        other = """namespace a {
namespace {
namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
bool operator==(const Y& a, const Y& b) { return true; }
TEST(Suite, fails) {}
}
namespace b {
namespace {
int count() { return 1; }
}
}
namespace {
class Part {};
}
void other() { int part = 2; }
}
"""
        self.assertEqual(self.names(one, other), [])

    def test_a_long_file_is_found(self):
        found = self.broken("size", a_cc="\n" * 600, b_cc="\n" * 601)
        self.assertEqual(len(found), 1)
        self.assertTrue(found[0].startswith("b.cc: 601 lines"))
        self.assertEqual(len(self.broken("size", tests__codegen__golden__c_cc="\n" * 601)), 1, "the limit applies to checked-in generated code")

    def test_a_long_function_is_found(self):
        lines = "".join(f"  step({i});\n" for i in range(68))
        short = f"int whole(int x) {{\n{lines}}}\n"
        long = f"class Thing {{\n  Thing() : x_(1) {{\n{lines}  step();\n  if (x) {{ y(); }}\n  }}\n  int x_;\n}};\n"
        self.assertEqual(self.broken("functions", tools__a_cc=short), [])
        self.assertEqual(self.broken("functions", tools__b_cc=short + long),
                         ["tools/b.cc:72: a function of 72 lines; 70 are enough for one step"])

    def test_variables_that_do_not_say_what_they_contain_are_found(self):
        for code in ("int f(const Text& said) {}", "void f() { auto place = g(); }", "for (const Path& kept : all) {}",
                     "struct Row { std::vector<int> look; };", "void f() { std::string came; }"):
            self.assertEqual(len(self.broken("variables", tools__a_cc=code)), 1, code)

    def test_other_variables_pass(self):
        self.assertEqual(self.broken("variables", tools__a_cc="return place;\nint place_count = 1;\n// int said = 1;\n"
                                     "const char* text = \"int said = 1;\";\nx.place = 2;\nvoid place(int line);\n"), [])

    def test_subjects_of_commits_have_one_area_and_an_imperative(self):
        for subject in ("store: reject a manifest that is not in order", "dev: read times of tests once", "Merge branch 'x'"):
            self.assertIsNone(commit_rule.fault_of(subject), subject)
        for subject in ("store, git: move files", "Store: move files", "store: moves files", "store: moved files",
                        "store: moving files", "store: move files.", "move files", "store: " + "a" * 80):
            self.assertIsNotNone(commit_rule.fault_of(subject), subject)

    def test_a_tree_without_history_has_no_subjects(self):
        self.assertEqual(self.broken("commits", tools__a_cc=""), [])

    def test_broken_links_of_pages_are_found(self):
        self.write("schemas/common/path.json", "{}")
        guide = "[a](use.md#x) [b](../schemas/common/path.json) [c](#here) [d](https://example.org/x) [e](use) [f](../NONE.md)\n```\n[g](no)\n```\n"
        found = self.broken("links", README_md="[a](docs/guide.md) [b](guide.md)\n", docs__use_md="# Use\n",
                            docs__guide_md=guide, tests__golden__page_md="[a](none)\n")
        self.assertEqual([line.rpartition(":")[0] for line in found],
                         ["README.md: guide.md", "docs/guide.md: ../NONE.md", "docs/guide.md: use"])

    def page(self, text, name="docs__page_md"):
        """Returns the lines of a page with a finding, with the finding."""
        return [line.partition(":")[2] for line in self.broken("pages", **{name: text})]

    def test_avoided_words_are_found_with_their_replacement(self):
        for words in ("The server is told.", "It says so.", "What stands there is read.", "The file stays.",
                      "Whoever asks.", "Nobody writes.", "What is not JSON is refused.", "It is made anew.",
                      "Read once more.", "The call goes on.", "It came back.", "It comes back.", "Both settle it.",
                      "It looks for files.", "Have a look.", "There is room.", "A folder of its own.",
                      "This holds true."):
            found = self.page(words + "\n")
            self.assertEqual(len(found), 1, words)
            self.assertRegex(found[0], '^1: ".+"; write: .+', words)

    def test_avoided_words_are_found_in_tables_and_across_lines(self):
        self.assertEqual([line.partition(":")[0] for line in self.page("# Page\n\nIt is\ntold.\n\n| a | it stays |\n")], ["3", "6"])

    def test_ordinary_technical_words_pass(self):
        for words in ("A stand-in model.", "It holds a lock.", "Keep standard input open.", "A line of text in place.",
                      "It comes from git.", "A bystander, a classroom, a household.", "The standard output.",
                      "Run `test_nobody_stays` [here](what_stands.md).", "```\nwhoever stands\n```"):
            self.assertEqual(self.page(words + "\n"), [], words)

    def test_long_lines_are_found_except_in_tables_and_links(self):
        long = "word " * 21
        self.assertEqual(self.page(f"# Page\n\n{long}\n"), ["3: 105 columns; at most 100, but for tables and links"])
        self.assertEqual(len(self.page(f"```\n{long}\n```\n")), 1, "lines of code are checked, too")
        self.assertEqual(self.page(f"| {long} |\n\n[{long}](a.md)\n\n{long} https://example.org\n"), [])
        self.assertEqual(self.page("\u00b5" * 100 + "\n"), [], "columns are characters")

    def test_long_paragraphs_and_items_are_found(self):
        lines = "some words\n" * 6
        self.assertEqual(self.page(f"# Page\n\n{lines}"), ["3: a paragraph of more than 5 lines"])
        self.assertEqual(self.page(f"- first\n- {lines}".replace("\nsome", "\n  some")), ["2: a paragraph of more than 5 lines"])
        self.assertEqual(self.page("some words\n" * 5 + "\n" + "- an item\n" * 6 + "| a |\n" * 6 + "```\n" + "code\n" * 6 + "```\n"), [])

    def test_a_long_readme_is_found(self):
        self.assertEqual(self.page("# Page\n\n" * 61), [])
        self.assertEqual(self.page("# Page\n\n" * 60, "README_md"), [])
        self.assertEqual(self.page("# Page\n\n" * 61, "README_md"), [" 122 lines; at most 120"])

    def test_avoided_words_are_found_in_descriptions_of_schemas(self):
        schema = """{
  "title": "Nobody",
  "description": "A call that \\"stays\\" open, `whoever` asks.",
  "properties": { "stays": { "description" : "The name.", "default": "it is told" },
                  "path": { "description": "It came last." } }
}
"""
        found = self.broken("pages", schemas__common__path_json=schema)
        self.assertEqual([line.partition(";")[0] for line in found],
                         ['schemas/common/path.json:2: "Nobody"', 'schemas/common/path.json:3: "stays"',
                          'schemas/common/path.json:5: "came"'])
        (self.root / "schemas/common/path.json").unlink()
        self.assertEqual(self.broken("pages", tests__fixture__schemas__path_json=schema), [], "test data")

    def test_pages_that_are_test_data_are_ignored(self):
        self.assertEqual(self.page("It stays.\n", "tests__golden__page_md"), [])
        for name in ("SECURITY_md", "CONTRIBUTING_md", "README_md"):
            self.assertEqual(len(self.page("It stays.\n", name)), 1, name)
            (self.root / f"{name.removesuffix('_md')}.md").unlink()

    def strings(self, code, name="tools__sample_cc"):
        return self.broken("strings", **{name: code})

    def test_avoided_words_are_found_in_strings_of_the_product(self):
        for name in ("runtime__base__a_h", "codegen__a_cc", "tools__cli__a_cc"):
            path = name.replace("__", "/").replace("_", ".")
            self.assertEqual(self.strings('// A comment.\nf("The file stays.");\n', name),
                             [f'{path}:2: "stays" in a string; write: is, exists, is unchanged'])
            (self.root / path).unlink()

    def test_avoided_words_are_found_in_joined_and_raw_strings(self):
        for code in ('f("The call goes "\n  "on.");', 'f("The call goes "  // Why.\n  "on.");', 'f("It goes\\non.");',
                     'f(R"(It goes\non.)");', 'f("name " + name + " goes on.");', 'f(\'"\', "It goes on.");'):
            self.assertEqual(len(self.strings(code)), 1, code)

    def test_strings_without_avoided_words_pass(self):
        for code in ('// It stays.\nf("It is unchanged.");', 'f("goes", "on");', 'f("goes " + on);', '#include "tools/room.h"\n',
                     'f("run `stays`");', 'f("A stand-in.");', "f('\"'); // goes on"):
            self.assertEqual(self.strings(code), [], code)
        self.assertEqual(self.strings('f("It stays.");', "tests__a_cc"), [], "strings of tests are not checked")

    def test_words_that_postpone_work_are_found(self):
        good = "// Methods to do; a fix me thought of; for nowhere; XXXL\n"
        bad = ("TO" + "DO", "FIX" + "ME: later", "for" + " now", "For" + " now it works", "XX" + "X")
        found = self.broken("words", good_cc=good, **{f"bad{i}_cc": f"// {words}\n" for i, words in enumerate(bad)})
        self.assertEqual([line.partition(":")[0] for line in found], [f"bad{i}.cc" for i in range(len(bad))])

    def test_paths_of_one_machine_are_found(self):
        good = "/workspace /work-dir tests/work/x ./work field\n"
        bad = ("/wor" + "k/main", "cd /wor" + "k", '"/wor' + 'k"', "far" + "m-run")
        found = self.broken("places", good_md=good, **{f"bad{i}_md": f"see {text}\n" for i, text in enumerate(bad)})
        self.assertEqual([line.partition(":")[0] for line in found], [f"bad{i}.md" for i in range(len(bad))])

    def test_comments_that_name_functions_that_do_not_exist_are_found(self):
        found = self.broken("calls", a_h="int f();  // As g(), but faster than h().\n",
                            b_cc="// Calls f().\nint h() { return 1; }\n")
        self.assertEqual(found, ["a.h:1: no source has the function g()"])

    def test_generated_and_foreign_folders_are_ignored(self):
        for path in ("build/a.cc", "build-x/a.cc", "subprojects/lib/a.cc", "tests/clients/node_modules/p/a.js",
                     "tests/fuzz/corpus/frames/a.json"):
            self.write(path, "TO" + "DO\n" * 601)
        self.assertEqual(self.broken("words"), [])
        self.assertEqual(self.broken("size"), [])


class LintTest(unittest.TestCase):
    """Replaces clang-tidy with a program that records the files it checks, and finds `bad` in a source."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        self.program = self.root / "program"
        self.program.write_text("""#!/bin/sh
[ "$1" != --version ] || exit 0
for source; do :; done
basename "$source" >> "$(dirname "$0")/looked"
grep -q bad "$source" || exit 0
echo "$source is bad"
exit 1
""", encoding="utf-8")
        self.program.chmod(0o755)
        self.write(".clang-tidy", "Checks: all\n")
        self.write("sub/one.h", "#include \"two.h\"\n")
        self.write("sub/two.h", "")
        self.write("a.cc", '#include "sub/one.h"\n')
        self.write("b.cc", "int b;\n")
        self.compile("c++ -Isub -c ../{0} -MD -MQ {0}.o -MF {0}.d -o {0}.o")

    def write(self, path, text):
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")

    def compile(self, command):
        folder = str(self.root / "build")
        self.write("build/compile_commands.json", json.dumps(
            [{"directory": folder, "file": f"../{name}", "command": command.format(name)} for name in ("a.cc", "b.cc")]))

    def looks(self, *names):
        """Runs clang_tidy.py on all sources or on these. Returns the checked files and the output."""
        lint = Lint(self.program, self.root / "build", self.root)
        said = "".join(lint.check(name) for name in names or ("a.cc", "b.cc"))
        looked = self.root / "looked"
        names = looked.read_text(encoding="utf-8").split() if looked.is_file() else []
        looked.unlink(missing_ok=True)
        return names, said

    def test_a_clean_source_is_checked_once(self):
        self.assertEqual(self.looks(), (["a.cc", "b.cc"], ""))
        self.assertEqual(self.looks(), ([], ""))

    def test_a_change_of_the_source_or_of_any_header_counts(self):
        self.looks()
        self.write("b.cc", "int c;\n")
        self.assertEqual(self.looks()[0], ["b.cc"])
        self.write("sub/two.h", "int two;\n")
        self.assertEqual(self.looks()[0], ["a.cc"])
        (self.root / "sub/two.h").rename(self.root / "sub/three.h")
        self.assertEqual(self.looks()[0], ["a.cc"])

    def test_a_change_of_the_rules_or_of_the_command_counts(self):
        self.looks()
        self.write(".clang-tidy", "Checks: more\n")
        self.assertEqual(self.looks()[0], ["a.cc", "b.cc"])
        self.compile("c++ -DX -c ../{0} -o {0}.o")
        self.assertEqual(self.looks()[0], ["a.cc", "b.cc"])
        self.assertEqual(self.looks()[0], [])

    def test_a_source_with_findings_is_checked_again(self):
        self.write("b.cc", "int bad;\n")
        for _ in range(2):
            names, said = self.looks("b.cc")
            self.assertEqual(names, ["b.cc"])
            self.assertIn("b.cc is bad", said)

    def test_a_damaged_record_is_ignored(self):
        self.looks()
        self.write("build/tidy/b.cc.json", "{")
        self.assertEqual(self.looks()[0], ["b.cc"])

    def test_a_source_without_a_build_target_is_reported(self):
        self.write("c.cc", "")
        names, said = self.looks("c.cc")
        self.assertEqual(names, [])
        self.assertTrue(said.startswith("c.cc: it is compiled by no target"))


class BareTest(unittest.TestCase):

    def test_comments_and_strings_are_removed_and_lines_remain(self):
        text = 'a("//x", \'"\', R"(b"\n)");  // "c"\n/* d\n */ e(1\'000);\n'
        self.assertEqual(bare(text), 'a("", \'\', ""\n);  \n\n e(1\'000);\n')


if __name__ == "__main__":
    unittest.main()
