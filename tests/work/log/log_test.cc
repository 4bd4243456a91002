// The log files: which calls wait for a write, when files are rotated and deleted, and which texts are never
// logged.
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "runtime/json/document.h"
#include "tests/engine/git/scratch.h"
#include "tests/engine/no_threads.h"
#include "tools/engine/base/redact.h"
#include "tools/engine/base/utc.h"
#include "tools/work/log/audit_line.h"
#include "tools/work/log/log_writer.h"

namespace snapgen::core {
namespace {

namespace fs = std::filesystem;

class LogTest : public testing::Test {
 protected:
  LogTest() { scratch_.run("new; put a a; save"); }

  fs::path path(const std::string& name) const { return fs::path(scratch_.repo()) / ".snapback/logs" / name; }
  std::string read(const std::string& name) const {
    std::ifstream in(path(name));
    std::stringstream text;
    text << in.rdbuf();
    return text.str();
  }

  Scratch scratch_;
};

TEST_F(LogTest, LinesAreWrittenToTheirFilesInOrder) {
  {
    LogWriter log_writer(scratch_.repo());
    log_writer.add(LogKind::calls, "{\"n\":1}");
    log_writer.add(LogKind::errors, "{\"n\":2}");
    log_writer.add(LogKind::calls, "{\"n\":3}");
    log_writer.flush();
    EXPECT_EQ(read("mcp.jsonl"), "{\"n\":1}\n{\"n\":3}\n");
    log_writer.add(LogKind::security, "{\"n\":4}");
  }
  EXPECT_EQ(read("errors.jsonl"), "{\"n\":2}\n");
  EXPECT_EQ(read("security.jsonl"), "{\"n\":4}\n") << "queued lines are written at the end";
  EXPECT_EQ(scratch_.answer("git status --porcelain").output, "");
}

TEST_F(LogTest, WritesSynchronouslyWithoutAThread) {
  const std::optional<bool> written = without_threads([this] {
    LogWriter log_writer(scratch_.repo());
    log_writer.add(LogKind::calls, "{\"n\":1}");
    log_writer.add(LogKind::calls, "{\"n\":2}");
    log_writer.flush();
    return read("mcp.jsonl") == "{\"n\":1}\n{\"n\":2}\n";
  });
  if (!written) GTEST_SKIP() << "this system does not allow a seccomp filter";
  EXPECT_TRUE(*written);
}

TEST_F(LogTest, RotatesLargeFilesAndDeletesOldOnes) {
  {
    LogWriter log_writer(scratch_.repo(), {.file_bytes_max = 20, .rotated_files_max = 2});
    for (int i = 0; i < 9; ++i) {
      log_writer.add(LogKind::calls, "{\"n\":" + std::to_string(i) + "}");
      log_writer.flush();
    }
  }
  EXPECT_EQ(read("mcp.jsonl"), "{\"n\":8}\n");
  EXPECT_EQ(read("mcp.1.jsonl"), "{\"n\":6}\n{\"n\":7}\n");
  EXPECT_EQ(read("mcp.2.jsonl"), "{\"n\":4}\n{\"n\":5}\n");
  EXPECT_FALSE(fs::exists(path("mcp.3.jsonl")));
}

std::uintmax_t bytes_of(const fs::path& folder) {
  std::uintmax_t sum = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    std::error_code renamed;  // the error of the writing thread
    const std::uintmax_t bytes = entry.file_size(renamed);
    if (!renamed) sum += bytes;
  }
  return sum;
}

TEST_F(LogTest, RemainsBelowItsTotalLimit) {
  constexpr std::int64_t limit = 30'000;
  std::uintmax_t most = 0;
  {
    LogWriter log_writer(scratch_.repo(), LogLimits::of(limit));
    for (int i = 0; i < 400; ++i) {
      for (const LogKind page :
           {LogKind::calls, LogKind::errors, LogKind::audit, LogKind::security, LogKind::work})
        log_writer.add(page, "{\"n\":\"" + std::string(static_cast<std::size_t>(i % 90), 'x') + "\"}");
      // Some lines are written alone, and some batches are larger than a file.
      if (i < 100 || i % 100 == 0) log_writer.flush();
      most = std::max(most, fs::exists(path("")) ? bytes_of(path("")) : 0);
    }
  }
  most = std::max(most, bytes_of(path("")));
  EXPECT_LE(most, static_cast<std::uintmax_t>(limit));
  EXPECT_GT(most, static_cast<std::uintmax_t>(limit) / 2);
}

TEST_F(LogTest, AfterALowerLimitTheNextRotationDeletesOldCallLogsFirst) {
  fs::create_directories(path(""));
  for (const char* name : {"mcp.1.jsonl", "mcp.2.jsonl", "audit.1.jsonl", "audit.2.jsonl"}) {
    std::ofstream(path(name)) << "old\n";
    fs::resize_file(path(name), 8000);
  }
  LogWriter log_writer(scratch_.repo(), LogLimits::of(30'000));
  for (int i = 0; i < 300; ++i) log_writer.add(LogKind::errors, "{\"n\":12345}");
  log_writer.flush();
  EXPECT_FALSE(fs::exists(path("mcp.2.jsonl")));
  EXPECT_TRUE(fs::exists(path("audit.1.jsonl")));
  EXPECT_LE(bytes_of(path("")), 30'000U);
}

TEST_F(LogTest, SeveralServersLoseNoLine) {
  constexpr int servers = 4, lines = 200;
  {
    std::vector<std::thread> threads;
    for (int i = 0; i < servers; ++i)
      threads.emplace_back([&] {
        LogWriter log_writer(scratch_.repo(), {.file_bytes_max = 3000, .rotated_files_max = 50});
        for (int k = 0; k < lines; ++k) {
          log_writer.add(LogKind::calls, "{\"n\":12}");
          if (k % 7 == 0) log_writer.flush();
        }
      });
    for (std::thread& each : threads) each.join();
  }
  std::size_t found = 0;
  for (const auto& entry : fs::directory_iterator(path(""))) {
    const std::string text = read(entry.path().filename().string());
    std::stringstream in(text);
    for (std::string line; std::getline(in, line);) found += line == "{\"n\":12}" ? 1 : 0;
  }
  EXPECT_EQ(found, static_cast<std::size_t>(servers * lines));
}

TEST_F(LogTest, AuditLinesAreWrittenBeforeTheCallReturns) {
  LogWriter log_writer(scratch_.repo());
  EXPECT_TRUE(log_writer.write_durably(LogKind::audit, "{}"));
  EXPECT_EQ(read("audit.jsonl"), "{}\n");
}

TEST_F(LogTest, TerminatesALineThatACrashTruncated) {
  LogWriter log_writer(scratch_.repo());
  EXPECT_TRUE(log_writer.write_durably(LogKind::audit, "{\"n\":1}"));
  std::ofstream(path("audit.jsonl"), std::ios::app) << "{\"at\":";
  EXPECT_TRUE(log_writer.write_durably(LogKind::audit, "{\"n\":2}"));
  EXPECT_EQ(read("audit.jsonl"), "{\"n\":1}\n{\"at\":\n{\"n\":2}\n");
  std::ofstream(path("mcp.jsonl"), std::ios::app) << "{";
  log_writer.add(LogKind::calls, "{\"n\":3}");
  log_writer.flush();
  EXPECT_EQ(read("mcp.jsonl"), "{\n{\"n\":3}\n");
}

TEST_F(LogTest, WritesNothingWithoutAWritableWorkspace) {
  LogWriter none(std::nullopt);
  none.add(LogKind::calls, "{}");
  none.flush();
  EXPECT_FALSE(none.write_durably(LogKind::audit, "{}"));
  LogWriter log_writer(scratch_.repo());
  log_writer.add(LogKind::calls, "{}", LogFolder::only_if_exists);
  log_writer.flush();
  EXPECT_FALSE(fs::exists(fs::path(scratch_.repo()) / ".snapback"));
}

TEST_F(LogTest, NeverWritesThroughASymlink) {
  const fs::path outside = scratch_.outside("victim");
  std::ofstream(outside) << "mine\n";
  fs::create_directories(path(""));
  fs::create_symlink(outside, path("mcp.jsonl"));
  LogWriter log_writer(scratch_.repo());
  log_writer.add(LogKind::calls, "{}");
  log_writer.flush();
  EXPECT_EQ(log_writer.write_durably(LogKind::calls, "{}").error().code, ErrorCode::permission_denied);
  std::ifstream in(outside);
  std::string line;
  std::getline(in, line);
  EXPECT_EQ(line, "mine");
}

TEST(Redact, TextThatLooksLikeASecretIsOmitted) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"nothing to hide", "nothing to hide"},
      {"key sk-abcdefghij0123456789 used", "key [redacted] used"},
      {"ghp_abcdefghijklmnop1234", "[redacted]"},
      {"AKIAABCDEFGHIJKLMNOP.", "[redacted]."},
      {"Authorization: Bearer abc.def.ghi", "Authorization: Bearer [redacted]"},
      {"password=hunter2 next", "password=[redacted] next"},
      {"{\"api_key\": \"a b c\"}", "{\"api_key\": \"[redacted]\"}"},
      {"DB_PASSWORD='x y'", "DB_PASSWORD='[redacted]'"},
      {"https://user:pass@example.org/a", "https://[redacted]@example.org/a"},
      {"https://example.org/a@b", "https://example.org/a@b"},
      {"eyJhbGciOiJI.eyJzdWIiOiIx.SflKxwRJ", "[redacted]"},
      {"-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY----- end", "[redacted] end"},
      {"-----BEGIN PRIVATE KEY----- cut", "[redacted]"},
      {"the token is missing", "the token is missing"},
      {"src/tokens.ts: secret", "src/tokens.ts: secret"},
      {"token:", "token:"},
      {R"(was password = "a\"b" here)", R"(was password = "[redacted]" here)"},
      {R"({\"token\": \"abc\", \"n\": 1})", R"({\"token\": \"[redacted]\", \"n\": 1})"},
      {R"(password = \"abc\" here)", R"(password = \"[redacted]\" here)"},
      {R"(password = \"abc)", R"(password = \"[redacted])"},
      {"", ""}};
  for (const auto& [text, expected] : cases) EXPECT_EQ(redact(text), expected) << text;
}

TEST(AuditLine, AnyTextGivesAJsonLineWithoutSecrets) {
  for (const std::string text :
       {"harmless", R"(the old code used password = "abc" here)", "-----BEGIN x", R"(token="abc".txt)",
        R"(token=abc\)", R"(say "token": 'abc")", R"({\"secret\":\"abc\"})", "Bearer \"abc\\", "\n\t\x01\"",
        "//u:abc@h\"://u:abc@h"}) {
    const std::string line = audit_line("e", "audit_1",
                                        AuditMembers()
                                            .add("files", 1)
                                            .add("reason", text)
                                            .add("texts", std::vector<std::string>{text, "last"}));
    const json::Document read = json::parse_document(line);
    ASSERT_TRUE(read.ok()) << line;
    EXPECT_EQ(read.root.find("reason")->text, redact(text));
    EXPECT_EQ(read.root.find("texts")->items.back().text, "last") << line;
    EXPECT_EQ(line.find('\n'), std::string::npos);
    EXPECT_TRUE(text.starts_with("//") || line.find("abc") == std::string::npos) << line;
  }
}

TEST(Utc, TimesAreWrittenAsIso8601) {
  EXPECT_EQ(iso_time(0), "1970-01-01T00:00:00.000Z");
  EXPECT_EQ(iso_time(1763769600123), "2025-11-22T00:00:00.123Z");
  EXPECT_EQ(iso_time(-1), "1969-12-31T23:59:59.999Z");
}

}  // namespace
}  // namespace snapgen::core
