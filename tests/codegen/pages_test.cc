// tests/codegen/pages/golden contains pages generated from the schemas in tests/codegen/golden and the
// Markdown in tests/codegen/pages/manual: one page of each kind.
#include <algorithm>

#include <gtest/gtest.h>

#include "codegen/emit/compile.h"
#include "codegen/pages/manual.h"
#include "codegen/pages/text.h"
#include "tests/codegen/expected.h"
#include "tests/codegen/files.h"

namespace snapgen::codegen {
namespace {

std::vector<SourceText> manual() {
  const std::string folder = "tests/codegen/pages/manual/";
  std::vector<SourceText> found;
  for (const std::string name : {"index.md", "tools.md", "use.md"})
    found.push_back({.path = folder + name, .text = file_text(source_root() / folder / name)});
  return found;
}

// Uses only a few of the schemas, because every page names all of them.
std::vector<SourceText> golden_schemas() {
  std::vector<SourceText> files = schema_files("tests/codegen/golden");
  std::erase_if(files, [](const SourceText& each) {
    const std::string name = each.path.substr(each.path.rfind('/') + 1);
    return name != "list_entries.json" && name != "tagged.json" && name != "limits.json" &&
           name != "conditions.json" && name != "point.json" && name != "weather_report.json";
  });
  return files;
}

CompiledFiles golden_pages() {
  const Settings settings = {.schemas = "tests/codegen/golden", .name_space = "golden", .namespaces = {}};
  return compile_pages(golden_schemas(), manual(), settings, "Golden");
}

CompiledFiles pages_of(std::vector<SourceText> texts, const std::vector<SourceText>& written = {}) {
  return compile_pages(std::move(texts), written, {.schemas = "s", .name_space = "n", .namespaces = {}}, "T");
}

TEST(Pages, GeneratedPagesMatchTheGoldenFiles) {
  const CompiledFiles compiled = golden_pages();
  ASSERT_EQ(compiled.findings, std::vector<std::string>());
  for (const std::string page : {"index", "use", "tools", "tools/list_entries", "tools/weather_report",
                                 "types/tagged", "types/limits", "types/conditions"}) {
    for (const std::string& path : {page + ".html", "markdown/" + page + ".md"}) {
      ASSERT_TRUE(compiled.files.count(path)) << path;
      compare_expected("tests/codegen/pages/golden/" + path, compiled.files.at(path));
    }
  }
}

TEST(Pages, OutputDoesNotDependOnFileOrder) {
  const Settings settings = {.schemas = "tests/codegen/golden", .name_space = "golden", .namespaces = {}};
  std::vector<SourceText> files = golden_schemas();
  std::vector<SourceText> written = manual();
  std::reverse(files.begin(), files.end());
  std::reverse(written.begin(), written.end());
  EXPECT_EQ(compile_pages(files, written, settings, "Golden").files, golden_pages().files);
}

TEST(Pages, SchemaErrorsAreReportedAndNothingIsWritten) {
  const CompiledFiles compiled = pages_of({message_file("s/a/b.json", R"("type": "text")")});
  EXPECT_FALSE(compiled.findings.empty());
  EXPECT_TRUE(compiled.files.empty());
}

TEST(Pages, SchemaTextIsEscapedInMarkdown) {
  const std::string evil = R"(<script>alert(1)</script> \"'&)";
  const CompiledFiles compiled = pages_of({message_file(
      "s/a/b.json", R"("description": ")" + evil + R"(", "type": "object", "properties": {)" +
                        R"("<b>": {"type": "string", "pattern": "<i>", "description": ")" + evil + R"("}, )" +
                        R"("c": {"type": "string", "default": "</code>"}}, )" +
                        R"("x-snapgen": {"examples": [{"c": "</code><img src=x>"}]})")});
  ASSERT_EQ(compiled.findings, std::vector<std::string>());
  const std::string& page = compiled.files.at("a/b.html");
  for (const char* tag : {"<script>", "<b>", "<i>", "<img", "</code></code>", "\"'&"})
    EXPECT_EQ(page.find(tag), std::string::npos) << tag << "\n" << page;
  EXPECT_NE(page.find("&lt;script&gt;alert(1)&lt;/script&gt; &quot;&#39;&amp;"), std::string::npos) << page;
  EXPECT_EQ(compiled.files.at("markdown/a/b.md").find("<script>"), std::string::npos);
}

TEST(Pages, LinksInDescriptionsAreEscaped) {
  const CompiledFiles compiled = pages_of({message_file(
      "s/a/b.json", R"("description": "Press [here](javascript:alert) or **not**.", "type": "string")")});
  EXPECT_TRUE(has_text(compiled, "a/b.html", "Press [here](javascript:alert) or **not**."))
      << compiled.files.at("a/b.html");
}

TEST(Pages, HandwrittenPagesMayShowImages) {
  const CompiledFiles compiled =
      pages_of({}, {{.path = "d/x.md", .text = "# X\n\nSee ![a popup](images/p_1.png)\n"}});
  EXPECT_TRUE(has_text(compiled, "x.html", R"(See <img src="images/p_1.png" alt="a popup">)"))
      << compiled.files.at("x.html");
  EXPECT_TRUE(has_text(compiled, "markdown/x.md", "See ![a popup](../images/p_1.png)"))
      << compiled.files.at("markdown/x.md");
}

TEST(Pages, HandwrittenPagesMayLinkOnlyToPagesAndUrls) {
  const CompiledFiles compiled = pages_of(
      {}, {{.path = "d/x.md",
            .text = "# X\n\n[a](y#z) [b](https://example.com/) [c](javascript:alert) [d](//evil)\n"}});
  EXPECT_TRUE(
      has_text(compiled, "x.html",
               R"(<a href="y.html#z">a</a> <a href="https://example.com/">b</a> [c](javascript:alert))"))
      << compiled.files.at("x.html");
  EXPECT_FALSE(has_text(compiled, "x.html", "href=\"//"));
}

TEST(Pages, HandwrittenPagesMayLinkToTheSourceOfAPage) {
  const CompiledFiles compiled =
      pages_of({message_file("s/a/b.json", R"("type": "string")")},
               {{.path = "d/x.md",
                 .text = "# X\n\n[a](y.md#z) [b](../a/b.json) [c](https://example.com/c.md) [d](#z)\n"}});
  EXPECT_TRUE(has_text(
      compiled, "x.html",
      R"(<a href="y.html#z">a</a> <a href="a/b.html">b</a> <a href="https://example.com/c.md">c</a>)"))
      << compiled.files.at("x.html");
  EXPECT_TRUE(
      has_text(compiled, "markdown/x.md", "[a](y.md#z) [b](a/b.md) [c](https://example.com/c.md) [d](#z)"))
      << compiled.files.at("markdown/x.md");
}

TEST(Pages, WordsThatAreNamesBecomeCodeAndLinks) {
  using namespace pages;
  const LinkedWords known = {{"check", "wire/check"}, {"snapshot.create", "substrate/snapshot_create"}};
  const Spans spans = spans_of(
      "Call snapshot.create, then lease_id. It isError; see e.g. this `a_b`. A check is no `check`.", known);
  std::vector<std::pair<Span::Kind, std::string>> found;
  for (const Span& each : spans) found.emplace_back(each.kind, each.text);
  using Kind = Span::Kind;
  const std::vector<std::pair<Kind, std::string>> expected = {{Kind::text, "Call "},
                                                              {Kind::code_link, "snapshot.create"},
                                                              {Kind::text, ", then "},
                                                              {Kind::code, "lease_id"},
                                                              {Kind::text, ". It "},
                                                              {Kind::code, "isError"},
                                                              {Kind::text, "; see e.g. this "},
                                                              {Kind::code, "a_b"},
                                                              {Kind::text, ". A check is no "},
                                                              {Kind::code_link, "check"},
                                                              {Kind::text, "."}};
  EXPECT_EQ(found, expected);
}

TEST(Pages, LinksAreRelativeToTheirPage) {
  using pages::relative_link;
  EXPECT_EQ(relative_link("a/b", "a/c", ".html"), "c.html");
  EXPECT_EQ(relative_link("a/b", "c/d#e", ".md"), "../c/d.md#e");
  EXPECT_EQ(relative_link("index", "a/b", ".html"), "a/b.html");
  EXPECT_EQ(relative_link("a/b", "a/b#c", ".html"), "#c");
  EXPECT_EQ(relative_link("ab/c", "a/b", ".html"), "../a/b.html");
  EXPECT_EQ(relative_link("a", "a/b", ".html"), "a/b.html");
}

TEST(Pages, LongTextsAreSplitIntoParagraphsWithoutLoss) {
  std::string text;
  for (int i = 0; i < 30; ++i) text += "Sentence number " + std::to_string(i) + " is here. ";
  text.pop_back();
  std::string joined;
  const std::vector<std::string> parts = pages::paragraphs(text);
  EXPECT_GT(parts.size(), 1U);
  for (const std::string& each : parts) joined += (joined.empty() ? "" : " ") + each;
  EXPECT_EQ(joined, text);
}

}  // namespace
}  // namespace snapgen::codegen
