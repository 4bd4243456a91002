// An answer must be no longer than its host shows, as the host measures it, and must state how to get the
// rest.
#include <algorithm>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/server/answers/rendered.h"
#include "tools/engine/read/list.h"

namespace snapgen::tools {
namespace {

const std::vector<std::string_view> limited_hosts = {"claude-code", "codex-mcp-client",
                                                     "copilot-cli", "gemini-cli-mcp-client",
                                                     "opencode",    "qwen-cli-mcp-client-x"};

std::string six_digits(std::size_t number) {
  std::string digits = std::to_string(number);
  return std::string(6 - digits.size(), '0') + digits;
}

// Returns the part of a result that the host shows to its model: the text, or the structured content.
std::string shown_by(const HostTraits& host, const std::string& members) {
  if (host.answer_form == AnswerForm::text) return only_text(members);
  const json::Document document = json::parse_document("{" + members + "}");
  const json::Node* structured = document.root.find("structuredContent");
  EXPECT_NE(structured, nullptr);
  EXPECT_EQ(document.root.find("content")->items[0].find("text")->text, json::canonical_text(*structured))
      << "the text must equal the structured content";
  return json::canonical_text(*structured);
}

void expect_whole(const HostTraits& host, const std::string& shown) {
  EXPECT_LE(shown.size(), host.shown_bytes_max) << host.client_name;
  if (host.shown_lines_max != 0) {
    EXPECT_LE(static_cast<std::size_t>(std::count(shown.begin(), shown.end(), '\n')) + 1,
              host.shown_lines_max)
        << host.client_name;
  }
}

// Returns the answer to a read as the host shows it.
std::string shown_file(const HostTraits& host, std::string_view arguments, const std::string& answer) {
  return shown_by(
      host, rendered_members(host, {.tool = "snapshot.file", .arguments = arguments, .structured = answer}));
}

const std::string live_members =
    R"("fingerprint":{"head_oid":"96b5c0893afecee8b85ece82b1a82ce15fe5ec1b","index_oid":"f065f5b45ebfb7c38dc0d4b2feb8875d004c6dfb",)"
    R"("status_hash":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},"lease_id":"lease_4ui3dxo56tw7nuqm",)";

// Returns the number after a text; 0 if the text is missing.
std::int64_t number_after(std::string_view text, std::string_view before) {
  const std::size_t at = text.find(before);
  return at == std::string_view::npos ? 0 : std::atoll(std::string(text.substr(at + before.size())).c_str());
}

class LongFile {
 public:
  explicit LongFile(std::vector<std::string> lines) : lines_(std::move(lines)) {}

  // Returns the tool's answer to a read from this line on.
  std::string answer(std::size_t start_line, std::size_t bytes_max) const {
    std::string content;
    std::size_t size = 0;
    for (std::size_t i = 0; i < lines_.size(); ++i) {
      if (i + 1 >= start_line) content += lines_[i];
      size += lines_[i].size();
    }
    const bool is_cut = content.size() > bytes_max;
    if (is_cut) content.resize(bytes_max);
    return R"({"blob":"sha256:451c46988121760b265d0cd07a92954571956fc7c1662f54709c2bb3b7fd312f","cache_hint":"until_dirty",)"
           R"("content":)" +
           json::quoted(content) + "," + live_members + R"("path":"data/long.txt","size":)" +
           std::to_string(size) + R"(,"total_lines":)" + std::to_string(lines_.size()) + R"(,"truncated":)" +
           (is_cut ? "true" : "false") + "}";
  }

  std::size_t lines() const { return lines_.size(); }
  const std::string& line(std::size_t number) const { return lines_[number - 1]; }

 private:
  std::vector<std::string> lines_;
};

LongFile file_of(std::size_t lines, const std::string& tail) {
  std::vector<std::string> all;
  for (std::size_t i = 1; i <= lines; ++i) all.push_back("line " + six_digits(i) + tail + "\n");
  return LongFile(std::move(all));
}

// Reads as a model does: from the first line on, and continuing at the line that each answer names.
void read_to_the_end(const HostTraits& host, const LongFile& file) {
  std::int64_t next = 1;
  std::string all;
  for (int reads = 0; next != 0; ++reads) {
    ASSERT_LT(reads, 200) << host.client_name;
    const std::string arguments = R"({"path":"data/long.txt","start_line":)" + std::to_string(next) + "}";
    const mcp::Tool tool = tool_of("snapshot.file");
    const std::optional<std::size_t> bytes_max = HostRenderer(host, tool).shown_bytes_max();
    ASSERT_TRUE(bytes_max);
    const std::string shown =
        shown_file(host, arguments, file.answer(static_cast<std::size_t>(next), *bytes_max));
    expect_whole(host, shown);
    if (host.answer_form == AnswerForm::text) {
      all += shown.substr(shown.find('\n') + 1);
      const std::string head = shown.substr(0, shown.find('\n'));
      next = number_after(head, "continue with start_line ");
    } else {
      const json::Document document = json::parse_document(shown);
      all += document.root.find("content")->text;
      next = number_after(shown, "\"next_start_line\":");
    }
  }
  std::string whole;
  for (std::size_t i = 1; i <= file.lines(); ++i) whole += file.line(i);
  EXPECT_EQ(all, whole) << host.client_name;
}

TEST(Limits, ALongFileIsReadToItsEndInPiecesThatTheHostShowsCompletely) {
  for (const std::string_view client : limited_hosts) {
    const HostTraits& host = host_traits(client);
    read_to_the_end(host, file_of(6000, " of a long file, fifty bytes each....."));
    read_to_the_end(host, file_of(20'000, ""));
    // The JSON form of this content is more than twice as long.
    read_to_the_end(host, file_of(3000, R"( "\"\\"\\\\"\"\\"	" """""" \\\\)"));
  }
}

TEST(Limits, TruncatesALongLineAndReportsIt) {
  for (const std::string_view client : limited_hosts) {
    const HostTraits& host = host_traits(client);
    const LongFile file({std::string(200'000, '"') + "\n", "second\n"});
    const std::string shown = shown_file(host, R"({"path":"data/long.txt"})", file.answer(1, 100'000));
    expect_whole(host, shown);
    EXPECT_GT(shown.size(), host.shown_bytes_max / 2) << host.client_name;
    EXPECT_NE(shown.find(host.answer_form == AnswerForm::text ? "larger max_bytes" : "\"truncated\":true"),
              std::string::npos);
  }
}

TEST(Limits, AppliesALimitOfTheCall) {
  const LongFile file = file_of(3000, " of a long file, fifty bytes each.....");
  for (const std::string_view client : limited_hosts) {
    const HostTraits& host = host_traits(client);
    const std::string shown =
        shown_file(host, R"({"max_bytes":900000,"path":"data/long.txt"})", file.answer(1, 900'000));
    EXPECT_NE(shown.find("line 003000"), std::string::npos) << host.client_name;
  }
}

// Returns an array of `count` items, each made by `item(i)`.
std::string items(std::size_t count, const std::function<std::string(std::size_t)>& item) {
  std::string text = "[";
  for (std::size_t i = 0; i < count; ++i) text += (i == 0 ? "" : ",") + item(i);
  return text + "]";
}

std::string long_path(std::size_t i) { return "src/some/folder/with/files/number_" + six_digits(i) + ".txt"; }

// Returns the answer of a tool as the host shows it.
std::string shown_answer(const HostTraits& host, std::string_view tool, const std::string& structured) {
  const std::string shown =
      shown_by(host, rendered_members(host, {.tool = tool, .arguments = "{}", .structured = structured}));
  expect_whole(host, shown);
  EXPECT_GT(shown.size(), host.shown_bytes_max / 3) << host.client_name << " " << tool;
  return shown;
}

TEST(Limits, TruncatesASearchBetweenMatches) {
  const std::string found = R"({"cache_hint":"until_dirty","files_searched":2000,)" + live_members +
                            R"("matches":)" +
                            items(2000,
                                  [](std::size_t i) {
                                    return R"({"col":1,"line":3,"path":")" + long_path(i) +
                                           R"(","text":"a \"line\" that matches"})";
                                  }) +
                            R"(,"skipped":{},"truncated":false})";
  for (const std::string_view client : limited_hosts) {
    const HostTraits& host = host_traits(client);
    const std::string shown = shown_answer(host, "snapshot.grep", found);
    if (host.answer_form == AnswerForm::text) {
      EXPECT_TRUE(shown.starts_with("2000 matches in 2000 files searched lease_4ui3dxo56tw7nuqm\nfirst "));
      EXPECT_TRUE(shown.ends_with(" that matches\n"));
    } else {
      EXPECT_TRUE(shown.ends_with(R"("truncated":true})"));
    }
  }
}

TEST(Limits, ATruncatedListHasACursor) {
  const auto entry = [](std::size_t i) {
    return R"({"path":")" + long_path(i) + R"(","size":1,"type":"file"})";
  };
  const std::string page = R"({"cache_hint":"until_dirty","entries":)" + items(3000, entry) + "," +
                           live_members + R"("skipped":{},"truncated":false})";
  for (const std::string_view client : limited_hosts) {
    const HostTraits& host = host_traits(client);
    const std::string shown = shown_answer(host, "snapshot.list", page);
    const std::size_t last = shown.rfind("number_");
    const auto shown_entries = static_cast<std::size_t>(std::atoll(shown.substr(last + 7, 6).c_str())) + 1;
    EXPECT_LT(shown_entries, 3000U);
    EXPECT_NE(shown.find(core::cursor_after(long_path(shown_entries - 1))), std::string::npos)
        << "the cursor must continue after the last entry:  " << shown.substr(0, 200);
  }
}

TEST(Limits, TruncatedChangesReportTheTotal) {
  const auto change = [](std::size_t i) {
    return R"({"path":")" + long_path(i) + R"(","status":"modified"})";
  };
  const std::string changes = R"({"cache_hint":"until_dirty","changes":)" + items(3000, change) + "," +
                              live_members + R"("skipped":{},"total":3000,"truncated":false})";
  for (const std::string_view client : limited_hosts) {
    const HostTraits& host = host_traits(client);
    const std::string shown = shown_answer(host, "snapshot.changes", changes);
    EXPECT_NE(shown.find(host.answer_form == AnswerForm::text ? "3000 changes" : "\"total\":3000"),
              std::string::npos);
  }
}

TEST(Limits, ATruncatedDiffHasWholeFilesAndNamesTheOthers) {
  std::string diff;
  constexpr std::size_t files = 60;
  for (std::size_t i = 0; i < files; ++i) {
    diff += "diff --git a/" + long_path(i) + " b/" + long_path(i) + "\n--- a/" + long_path(i) + "\n+++ b/" +
            long_path(i) + "\n@@ -1 +1,20 @@\n";
    for (int line = 0; line < 40; ++line) diff += "+a line \"of\" the new file, diff --git it\n";
  }
  const auto file = [](std::size_t i) {
    return R"({"added":20,"binary":false,"path":")" + long_path(i) + R"(","removed":0,"status":"modified"})";
  };
  const std::string answer = R"({"cache_hint":"until_dirty","diff":)" + json::quoted(diff) + R"(,"files":)" +
                             items(files, file) + "," + live_members + R"("skipped":{},"truncated":false})";
  for (const std::string_view client : limited_hosts) {
    const HostTraits& host = host_traits(client);
    const std::string shown = shown_answer(host, "snapshot.diff", answer);
    if (host.answer_form == AnswerForm::text) {
      EXPECT_TRUE(shown.starts_with("60 files changed lease_4ui3dxo56tw7nuqm\nomitted "));
      EXPECT_NE(shown.find(" more files\nname only the omitted files with paths"), std::string::npos);
      EXPECT_TRUE(shown.ends_with("+a line \"of\" the new file, diff --git it\n"));
    } else {
      const json::Document document = json::parse_document(shown);
      std::size_t omitted = 0;
      for (const json::Node& each : document.root.find("files")->items)
        omitted += each.find("omitted") ? 1 : 0;
      const std::string& kept = document.root.find("diff")->text;
      std::size_t parts = 0;
      for (std::size_t at = kept.find("diff --git a/"); at != std::string::npos;
           at = kept.find("diff --git a/", at + 1))
        ++parts;
      EXPECT_EQ(parts + omitted, files);
      EXPECT_GT(omitted, 0U);
    }
  }
}

TEST(Limits, ALongListOfChangedFilesIsTruncatedToo) {
  const auto file = [](std::size_t i) {
    return R"({"added":20,"binary":false,"omitted":true,"path":")" + long_path(i) +
           R"(","removed":0,"status":"modified"})";
  };
  const std::string answer = R"({"cache_hint":"until_dirty","diff":"","files":)" + items(1000, file) + "," +
                             live_members + R"("skipped":{},"truncated":true})";
  for (const std::string_view client : limited_hosts) {
    const HostTraits& host = host_traits(client);
    const std::string shown = shown_by(
        host, rendered_members(host, {.tool = "snapshot.diff", .arguments = "{}", .structured = answer}));
    expect_whole(host, shown);
  }
}

}  // namespace
}  // namespace snapgen::tools
