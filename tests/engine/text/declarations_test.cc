// Declarations of encodings: in Python sources, .editorconfig and .gitattributes.
#include <map>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "tools/engine/text/editor_config.h"
#include "tools/engine/text/python_coding.h"
#include "tools/engine/text/text_encodings.h"

namespace snapgen::core {
namespace {

using Files = std::map<std::string, std::string, std::less<>>;

DeclarationReader reader_of(const Files& files) {
  return [files](const std::string& path) -> std::optional<std::string> {
    const auto found = files.find(path);
    if (found == files.end()) return std::nullopt;
    return found->second;
  };
}

// Returns the encoding of a file whose bytes fit Latin-1, Windows-1252 and UTF-16.
TextEncoding encoding_in(const Files& files, std::string_view path, std::string_view bytes = "\xe4\xe4") {
  TextEncodings encodings(reader_of(files));
  return encodings.text_of(path, std::string(bytes)).encoding.encoding;
}

TEST(PythonCoding, IsInACommentOfTheFirstTwoLines) {
  EXPECT_EQ(python_coding("a.py", "# -*- coding: latin-1 -*-\n"), TextEncoding::latin1);
  EXPECT_EQ(python_coding("a.pyi", "#!/bin/x\r\n# vim: set fileencoding=cp1252 :\r\n"),
            TextEncoding::windows1252);
  EXPECT_EQ(python_coding("a.py", "\n#coding:utf-8"), TextEncoding::utf8);
  for (const std::string_view bytes : {"x = 1\n# coding: latin-1\n", "\n\n# coding: latin-1\n", "# encoded\n",
                                       "s = '# coding: latin-1'\n", "# coding: shift_jis\n", ""})
    EXPECT_FALSE(python_coding("a.py", bytes)) << bytes;
  EXPECT_FALSE(python_coding("a.txt", "# coding: latin-1\n"));
}

TEST(EditorConfig, TheLastSectionThatMatchesDecides) {
  const EditorConfig config(
      "; comment\nROOT = True\n[*]\ncharset = utf-8\nindent_size = 4\n[*.{txt,md}]\r\ncharset = Latin1 # x\n"
      "[src/**.c]\ncharset: utf-16le\n");
  EXPECT_TRUE(config.is_root());
  EXPECT_EQ(config.charset("a.py"), "utf-8");
  EXPECT_EQ(config.charset("d/a.txt"), "latin1");
  EXPECT_EQ(config.charset("src/d/a.c"), "utf-16le");
  EXPECT_EQ(EditorConfig("[*.c]\ncharset = latin1\nroot = true\n").charset("a.h"), std::nullopt);
  EXPECT_FALSE(EditorConfig("[*]\nroot = true\n").is_root());
}

TEST(EditorConfig, GlobsAreThoseOfTheSpecification) {
  struct Case {
    std::string_view glob, path;
    bool matches;
  };
  for (const Case& one :
       {Case{"*.c", "d/a.c", true},    Case{"/*.c", "a.c", true},       Case{"/*.c", "d/a.c", false},
        Case{"d/*.c", "d/a.c", true},  Case{"d/*.c", "d/e/a.c", false}, Case{"d/**", "d/e/a.c", true},
        Case{"?.c", "a.c", true},      Case{"?.c", "ab.c", false},      Case{"[ab].c", "b.c", true},
        Case{"[!ab].c", "b.c", false}, Case{"[a-c].c", "b.c", true},    Case{"{a,b{c,d}}.c", "bd.c", true},
        Case{"{a,b}.c", "c.c", false}, Case{"a{1..12}", "a7", true},    Case{"a{1..12}", "a13", false},
        Case{"{a}", "{a}", true},      Case{"{a", "{a", true},          Case{"[a", "[a", true},
        Case{"\\*", "*", true},        Case{"\\*", "a", false}})
    EXPECT_EQ(EditorConfig("[" + std::string(one.glob) + "]\ncharset = latin1").charset(one.path).has_value(),
              one.matches)
        << one.glob << " " << one.path;
}

TEST(EditorConfig, HostileGlobsEnd) {
  // Without a limit this would take years.
  std::string glob, text;
  for (int i = 0; i < 150; ++i) glob += "{a,b}*";
  for (int i = 0; i < 1000; ++i) text += "[" + glob + "c]\ncharset = latin1\n";
  EXPECT_FALSE(EditorConfig(text).charset(std::string(60, 'a')));
}

TEST(TextEncodings, TheNearestDeclarationDecides) {
  const Files files = {{".editorconfig", "[*]\ncharset = windows-1252\n[d/e/*]\ncharset = latin1\n"},
                       {"d/.editorconfig", "[*.md]\ncharset = utf-16be\n"},
                       {"r/.editorconfig", "root = true\n"},
                       {".gitattributes", "*.git working-tree-encoding=UTF-16LE\n"},
                       {"r/.gitattributes", "*.txt working-tree-encoding=CP1252\n"}};
  EXPECT_EQ(encoding_in(files, "a.txt"), TextEncoding::windows1252);
  EXPECT_EQ(encoding_in(files, "d/e/a.txt"), TextEncoding::latin1);
  EXPECT_EQ(encoding_in(files, "d/e/a.md"), TextEncoding::utf16be);
  EXPECT_EQ(encoding_in(files, "r/a.txt"), TextEncoding::windows1252);
  EXPECT_EQ(encoding_in(files, "r/a.git"), TextEncoding::utf16le);
  EXPECT_EQ(encoding_in(files, "r/a.c"), TextEncoding::latin1);
  EXPECT_EQ(encoding_in(files, "a.py", "# coding: latin-1\n\xe4"), TextEncoding::latin1);
}

TEST(TextEncodings, Utf8NeedsNoDeclaration) {
  int reads = 0;
  TextEncodings encodings([&](const std::string&) -> std::optional<std::string> {
    ++reads;
    return "[*]\ncharset = latin1\n";
  });
  EXPECT_FALSE(encodings.decode("a.txt", "ä"));
  EXPECT_EQ(reads, 0);
  EXPECT_TRUE(encodings.decode("d/a.txt", "\xe4"));
  EXPECT_TRUE(encodings.decode("d/b.txt", "\xe4"));
  EXPECT_EQ(reads, 4);  // Each file of declarations is read once.
}

TEST(TextEncodings, AChangeIsWrittenInTheDeclaredEncoding) {
  const Files files = {{".editorconfig", "[*.txt]\ncharset = latin1\n"}};
  TextEncodings encodings(reader_of(files));
  const FileEncoding utf8, latin1{.encoding = TextEncoding::latin1};
  // A file with only ASCII characters has no encoding yet.
  EXPECT_EQ(encodings.encode("a.txt", "a", utf8, "ä").bytes, "\xe4");
  EXPECT_EQ(encodings.encode("a.md", "a", utf8, "ä").bytes, "ä");
  EXPECT_EQ(encodings.encode("a.txt", "ö", utf8, "ä").bytes, "ä");
  EXPECT_TRUE(encodings.encode("a.txt", "a", utf8, "€").missing);
  // Bytes are no text.
  EXPECT_EQ(encodings.encode("a.txt", "", utf8, "\xff").bytes, "\xff");
  // The change of a declaration changes the encoding.
  const std::string_view before = "# coding: latin-1\nä";
  EXPECT_EQ(encodings.encode("a.py", before, latin1, "# coding: latin-1\nö").bytes,
            "# coding: latin-1\n\xf6");
  EXPECT_EQ(encodings.encode("a.py", before, latin1, "# coding: utf-8\n€").bytes, "# coding: utf-8\n€");
  EXPECT_EQ(encodings.encode("a.py", before, latin1, "# coding: cp1252\n€").bytes, "# coding: cp1252\n\x80");
}

}  // namespace
}  // namespace snapgen::core
