// The verdicts of the languages' own parsers. A language whose parser is not installed is left out.
#include "tools/insight/syntax/parser_programs.h"

#include <gtest/gtest.h>

#include "runtime/base/environment.h"
#include "tests/engine/folder.h"

namespace snapgen::core {
namespace {

std::string path_variable() { return environment_variable("PATH").value_or(""); }

std::string shown(const ParserVerdict& verdict) {
  if (verdict.tool.empty()) return "not parsed";
  if (!verdict.doubt.empty()) return "doubt: " + std::string(verdict.doubt);
  if (!verdict.fault) return "accepted";
  return std::to_string(verdict.fault->line) + ":" + std::to_string(verdict.fault->column) + ": " +
         verdict.fault->message;
}

// Returns the verdict on one text: the line of the error, "accepted", "doubt" or "not parsed".
std::string verdict_on(const std::string& path, const std::string& text) {
  const std::vector<SourceText> texts = {{.path = path, .text = text}};
  const std::string all = shown(ParserPrograms("/nonexistent", path_variable()).parse(texts, {}).front());
  return all.substr(0, all.find(':'));
}

bool is_installed(const std::string& path) {
  return ParserPrograms("/nonexistent", path_variable()).has_parser(path, "");
}

TEST(ParserProgramsTest, FindErrorsThatBracketsDoNotShow) {
  struct Case {
    std::string path, right, wrong, line;
  };
  const Case cases[] = {
      {"a.py", "def f(a):\n    return a\n", "x = 1\ndef f(a)\n    return a\n", "2"},
      {"a.py", "\xEF\xBB\xBFx = 1\n", "def f(a):\n  x = 1\n    return a\n", "3"},
      {"a.py", "def f():\n\treturn 1\n", "def f(a):\n\tif a:\n        return a\n", "3"},
      {"a.py", "x = '''\n'''\n", "return 1\n", "1"},
      {"bin/tool", "#!/usr/bin/env python3\nx = 1\n", "#!/usr/bin/env python3\nx = = 1\n", "2"},
      {"a.js", "#!/usr/bin/env node\nreturn require('x');\n", "let a = 1;\nlet b = ;\n", "2"},
      {"a.mjs", "import a from './a.js';\nawait a();\n", "import a from './a.js';\nconst b;\n", "2"},
      {"a.go", "package a\n", "package a\n\nfunc f() {\n\tx := := 1\n}\n", "4"},
      {"a.sh", "if true; then echo; fi\n", "echo\nif true then\n  echo\nfi\n", "4"},
      {"a.sh", "shopt -s extglob\ncase $1 in @(a|b)) ;; esac\n", "case x in\nesac fi\n", "2"},
      {"a.rb", "def f\n  1\nend\n", "def f\n  1 +\nend\n", "3"},
      {"a.php", "<?php\necho 1;\n", "<?php\necho 1\necho 2;\n", "3"},
  };
  for (const Case& each : cases) {
    if (!is_installed(each.path) && each.path != "bin/tool") continue;
    EXPECT_EQ(verdict_on(each.path, each.right), "accepted") << each.right;
    EXPECT_EQ(verdict_on(each.path, each.wrong), each.line) << each.wrong;
  }
  EXPECT_EQ(verdict_on("a.zsh", "#!/bin/zsh\nif\n"), "not parsed");
  EXPECT_EQ(verdict_on("a.sh", "#!/bin/zsh\nif\n"), "not parsed");
}

TEST(ParserProgramsTest, ReadManyTextsAndNameTheError) {
  const std::vector<SourceText> texts = {{.path = "a.py", .text = "x = 1\n"},
                                         {.path = "b.js", .text = "const a = 1;\nconst a = 2;\n"},
                                         {.path = "c.py", .text = "if x\n"},
                                         {.path = "d.js", .text = ""}};
  const std::vector<ParserVerdict> verdicts = ParserPrograms("/x", path_variable()).parse(texts, {});
  EXPECT_EQ(shown(verdicts[0]), "accepted");
  EXPECT_EQ(shown(verdicts[1]), "2:7: Identifier 'a' has already been declared");
  EXPECT_EQ(shown(verdicts[2]), "1:5: expected ':'");
  EXPECT_EQ(shown(verdicts[3]), "accepted");
}

TEST(ParserProgramsTest, DoubtWhatAnotherVersionOrDialectMayAccept) {
  EXPECT_EQ(verdict_on("a.py", "print 'x'\n"), "doubt");
  EXPECT_EQ(verdict_on("a.js", "// @flow\nconst a: number = 1;\n"), "doubt");
  EXPECT_EQ(verdict_on("a.js", "@decorated\nclass A {}\n"), "doubt");
}

// A program in the folder of the workspace is code of the project, to which no user has consented.
TEST(ParserProgramsTest, UseNoProgramOfTheWorkspace) {
  Folder folder;
  folder.write("venv/bin/python3", "#!/bin/sh\ntouch ran\n");
  ASSERT_EQ(::chmod((folder / "venv/bin/python3").c_str(), 0755), 0);
  folder.link("other/python3", "../venv/bin/python3");
  for (const char* bin : {"venv/bin", "other"}) {
    const ParserPrograms programs(folder.path(), folder / bin);
    EXPECT_FALSE(programs.has_parser("a.py", ""));
    const std::vector<SourceText> texts = {{.path = "a.py", .text = "if\n"}};
    EXPECT_EQ(shown(programs.parse(texts, {}).front()), "not parsed");
  }
}

TEST(ParserProgramsTest, StopWhenTheCallIsCancelled) {
  std::stop_source source;
  source.request_stop();
  const std::vector<SourceText> texts = {{.path = "a.py", .text = "if\n"}};
  EXPECT_EQ(shown(ParserPrograms("/x", path_variable()).parse(texts, source.get_token()).front()),
            "not parsed");
}

}  // namespace
}  // namespace snapgen::core
