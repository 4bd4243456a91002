// The lines of the specification, and errors for invalid ones.
#include "runtime/linefmt/line.h"

#include <gtest/gtest.h>

#include "schemas/lines.h"

namespace snapgen::tools {
namespace {

using linefmt::Mode;

const lines::StartLine start{.id = "task_1",
                             .snap = "snap_a",
                             .risk = lines::Risk::medium,
                             .prot = 85,
                             .dirty = 2,
                             .status = lines::Capture::created,
                             .learn = "jwt validation"};

TEST(Fields, HiddenCharactersAreEscapedAndReadBack) {
  const std::string name = "esc\x1b[31m c1\xc2\x9b bidi\xe2\x80\xae del\x7f é";
  EXPECT_EQ(linefmt::escaped(name), "esc%1B[31m c1%C2%9B bidi%E2%80%AE del%7F é");
  EXPECT_EQ(*linefmt::unescaped(linefmt::escaped(name)), name);
  EXPECT_EQ(linefmt::spaces_to_arrows("a \x1b[31m"), "a→\\u001b[31m");
  EXPECT_EQ(linefmt::with_summary("line", "a\x1b\nb"), "line\n---\na\\u001b\nb");
}

TEST(Lines, MatchTheSpecification) {
  EXPECT_EQ(lines::encode(start, Mode::labeled),
            "🧢|S|id:task_1|snap:snap_a|risk:M|prot:85|dirty:2|status:created|learn:jwt→validation");
  EXPECT_EQ(lines::encode(start, Mode::compact), "🧢|S|task_1|snap_a|M|85|2|created|jwt→validation");
  const lines::CheckLine check{.status = lines::Mark::fail,
                               .err = 3,
                               .warn = 5,
                               .ts = lines::Mark::fail,
                               .lint = lines::Mark::fail,
                               .tests = lines::Mark::skipped,
                               .issues = "auth validation missing"};
  EXPECT_EQ(lines::encode(check, Mode::labeled),
            "🧢|C|status:✗|err:3E|warn:5W|ts:✗|lint:✗|tests:⏭️|issues:auth→validation→missing");
  const lines::EndLine end{.status = lines::Verdict::ok,
                           .learn = 2,
                           .files = 3,
                           .lines = {{.added = 45, .removed = 12}},
                           .summary = "auth pattern captured",
                           .survey = R"({"helpfulness":5,"patterns_used":2})"};
  EXPECT_EQ(lines::encode(end, Mode::labeled),
            "🧢|E|status:OK|learn:2L|files:3F|lines:+45-12|summary:auth→pattern→captured|"
            R"({"helpfulness":5,"patterns_used":2})");
  const lines::EndLine uncounted{.learn = 2, .summary = "x"};
  EXPECT_EQ(lines::encode(uncounted, Mode::labeled), "🧢|E|status:OK|learn:2L|summary:x");
  EXPECT_EQ(lines::encode(uncounted, Mode::compact), "🧢|E|OK|2L|||x|");
  const lines::SnapshotsLine list{
      .count = 2,
      .snapshots = {{.id = "snap_a", .age = "5m", .files = 3}, {.id = "snap_b", .age = "2h", .files = 14}}};
  EXPECT_EQ(lines::encode(list, Mode::labeled), "🧢|R|count:2|snap_a:5m:3f|snap_b:2h:14f");
  const lines::RestoreLine restore{.status = lines::Verdict::ok, .files = 1, .restored = {"a|b.ts"}};
  EXPECT_EQ(lines::encode(restore, Mode::labeled), "🧢|R|status:OK|files:1|a%7Cb.ts");
  const lines::DiffLine diff{.from = "snap_a", .to = "snap_b", .added = 1, .removed = 2, .changed = 3};
  EXPECT_EQ(lines::encode(diff, Mode::labeled), "🧢|D|from:snap_a|to:snap_b|added:+1|removed:-2|changed:~3");
  const lines::ViolationLine violation{.status = lines::Verdict::ok,
                                       .type = "silent_catch",
                                       .count = 3,
                                       .promote = lines::Promotion::promoted,
                                       .auto_ = lines::Automation::no};
  EXPECT_EQ(lines::encode(violation, Mode::labeled),
            "🧢|V|status:OK|type:silent_catch|count:3|promote:PROMOTED|auto:NO");
  const lines::FailureLine failure{.code = lines::Failure::no_task, .reason = "no open task"};
  EXPECT_EQ(lines::encode(failure, Mode::labeled), "🧢|!|code:NO_TASK|reason:no→open→task");
}

TEST(Lines, AnOptionalFieldWithoutAValueIsOmittedOrEmpty) {
  lines::StartLine line = start;
  line.learn = "";
  EXPECT_EQ(lines::encode(line, Mode::labeled),
            "🧢|S|id:task_1|snap:snap_a|risk:M|prot:85|dirty:2|status:created");
  EXPECT_EQ(lines::encode(line, Mode::compact), "🧢|S|task_1|snap_a|M|85|2|created|");
}

TEST(Lines, TwoKindsWithOneCodeAreDistinguishedInBothModes) {
  for (Mode mode : {Mode::labeled, Mode::compact}) {
    const lines::Line list =
        lines::SnapshotsLine{.count = 1, .snapshots = {{.id = "OK", .age = "1", .files = 0}}};
    const lines::Line restore =
        lines::RestoreLine{.status = lines::Verdict::ok, .files = 1, .restored = {"1"}};
    for (const lines::Line& each : {list, restore}) {
      Result<lines::Line> read = lines::decode(lines::encode(each, mode), mode);
      ASSERT_TRUE(read) << read.error().message;
      EXPECT_EQ(*read, each);
    }
  }
}

TEST(Lines, SkipsASummaryAfterTheLine) {
  Result<lines::Line> read = lines::decode(
      linefmt::with_summary(lines::encode(start, Mode::labeled), "Task|started."), Mode::labeled);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(std::get<lines::StartLine>(*read), start);
}

TEST(Lines, RejectsInvalidLinesWithAReason) {
  for (const char* text : {"",
                           "hello",
                           "🧢",
                           "🧢|",
                           "🧢|Q|a",
                           "|S|x",
                           "🧢|S",
                           "🧢|S|id:a|risk:M",
                           "🧢|X|risk:Z|prot:1|dirty:2",
                           "🧢|X|risk:L|prot:many|dirty:2",
                           "🧢|X|risk:L|prot:1|dirty:2|learn:a|more:b",
                           "🧢|X|risk:L|prot:1E|dirty:2",
                           "🧢|L|status:OK|id:a%zz|type:pattern",
                           "🧢|L|status:OK|id:a%4|type:pattern",
                           "🧢|R|count:1|snap_a:5m",
                           "🧢|R|count:1|snap_a:5m:3f:4",
                           "🧢|E|status:OK|learn:1L|files:1F|lines:+1|summary:x",
                           "🧢|E|status:OK|learn:1L|files:1F|lines:+1-1|summary:x|[1]",
                           "🧢|E|status:OK|learn:1L|files:1F|lines:+1-1|summary:x|{\"a\"",
                           "🧢|X|risk:L|prot:99999999999999999999|dirty:2"}) {
    Result<lines::Line> read = lines::decode(text, Mode::labeled);
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().code, ErrorCode::invalid_argument);
    EXPECT_TRUE(read.error().message.ends_with('.')) << read.error().message;
    EXPECT_EQ(read.error().message.find('\n'), std::string::npos);
  }
}

TEST(Lines, WhiteSpaceOfEveryScriptBecomesOneArrow) {
  EXPECT_EQ(linefmt::spaces_to_arrows("  a\t\r\n b\xe2\x80\xa8\xc2\xa0"
                                      "c | d "),
            "a→b→c→/→d");
  EXPECT_EQ(linefmt::spaces_to_arrows("a→b"), "a→b");
  EXPECT_EQ(linefmt::spaces_to_arrows(" \n"), "");
}

TEST(Help, EveryTopicHasATextAndAllHasEveryTopic) {
  const std::string_view all = lines::help("all");
  for (const char* topic : {"wire", "modes", "thresholds", "tools"}) {
    EXPECT_FALSE(lines::help(topic).empty()) << topic;
    EXPECT_NE(all.find(lines::help(topic)), std::string_view::npos) << topic;
  }
  EXPECT_TRUE(lines::help("weather").empty());
  const std::string_view wire = lines::help("wire");
  for (const char* said : {"S = Start task (snap, mode: start)",
                           "C = ", "X = ", "E = ", "R = ", "D = ", "L = ", "V = ", "! = Error (any tool)",
                           "S: id | snap | risk | prot | dirty | status | [learn~]", "SNAPSHOT_NOT_FOUND"})
    EXPECT_NE(wire.find(said), std::string_view::npos) << said;
  EXPECT_NE(lines::help("tools").find("snap_violation(type*, file, description*"), std::string_view::npos);
  EXPECT_NE(lines::help("thresholds").find("3x: promoted"), std::string_view::npos);
}

}  // namespace
}  // namespace snapgen::tools
