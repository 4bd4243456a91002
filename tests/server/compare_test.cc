// The tools that compare states, called by a host: their answers, and their errors for invalid arguments.
#include <gtest/gtest.h>

#include "runtime/json/writer.h"
#include "tests/engine/git/scratch.h"
#include "tests/server/host.h"

namespace snapgen::tools {
namespace {

class CompareTest : public testing::Test {
 protected:
  CompareTest() {
    scratch_.run("new; put a 'one'; put d/b 'two'; save");
    host_.emplace(
        Start{.arguments = {"--stdio", "--workspace", scratch_.repo()}, .folder = "/", .variables = {}});
    host_->initialize();
    first_ = created();
  }
  std::string created() { return host_->call("snapshot_create", R"({"paths":["."]})").string("snapshot_id"); }
  // `{}` in the arguments is replaced by the id of the first snapshot.
  Answer call(std::string_view tool, std::string arguments) {
    std::size_t at = arguments.find("\"{}\"");
    if (at != std::string::npos) arguments.replace(at + 1, 2, first_);
    return host_->call(tool, arguments);
  }
  // Makes a call that must fail. Returns the code and the message.
  std::string refused(std::string_view tool, std::string arguments) {
    Answer answer = call(tool, std::move(arguments));
    return answer.is_error ? answer.code() + ": " + answer.string("error/message") : answer.text;
  }

  core::Scratch scratch_;
  std::optional<Host> host_;
  std::string first_;
};

TEST_F(CompareTest, ChangesWorkInBothModes) {
  scratch_.run("put a 'other'; mv d/b d/c; mkfifo pipe");
  Answer live = call("snapshot_changes", R"({"snapshot_id":"{}","detect_renames":true})");
  EXPECT_EQ(live.string("changes/0/path"), "a");
  EXPECT_EQ(live.string("changes/0/status"), "modified");
  EXPECT_EQ(live.string("changes/1/path"), "d/c");
  EXPECT_EQ(live.string("changes/1/status"), "renamed");
  EXPECT_EQ(live.string("changes/1/from"), "d/b");
  EXPECT_EQ(live.integer("total"), 2);
  EXPECT_EQ(live.integer("skipped/not_a_file"), 1);
  EXPECT_EQ(live.string("cache_hint"), "until_dirty");
  std::string lease = R"(,"lease_id":")" + live.string("lease_id") + R"("})";
  EXPECT_EQ(call("snapshot_changes", R"({"snapshot_id":"{}")" + lease).string("lease_id"),
            live.string("lease_id"));

  Answer kept =
      call("snapshot_changes", R"({"snapshot_id":"{}","max_changes":1,"against":")" + created() + "\"}");
  EXPECT_EQ(kept.string("cache_hint"), "immutable");
  EXPECT_EQ(kept.at("changes").items.size(), 1u);
  EXPECT_EQ(kept.integer("total"), 3);
  EXPECT_TRUE(kept.at("truncated").boolean);
  scratch_.run("put a 'third'");
  EXPECT_EQ(call("snapshot_changes", R"({"snapshot_id":"{}")" + lease).code(), "STALE_LEASE");
}

TEST_F(CompareTest, ChangesReportInvalidArguments) {
  for (std::string_view arguments : {R"({"snapshot_id":"{}","mode":"snapshot"})",
                                     R"({"snapshot_id":"{}","against":"snap_00","mode":"worktree"})",
                                     R"({"snapshot_id":"{}","against":"snap_00","lease_id":"lease_x"})"}) {
    EXPECT_TRUE(refused("snapshot_changes", std::string(arguments)).starts_with("INVALID_ARGUMENT: "))
        << arguments;
  }
  for (std::string_view arguments :
       {R"({"snapshot_id":"snap_00"})", R"({"snapshot_id":"{}","against":"snap_00"})"}) {
    const std::string sentence = refused("snapshot_changes", std::string(arguments));
    EXPECT_TRUE(sentence.starts_with("NOT_FOUND: ")) << sentence;
    EXPECT_NE(sentence.find("\"snap_00\""), std::string::npos) << sentence;
  }
  EXPECT_NE(refused("snapshot_changes", R"({"snapshot_id":"{}","paths":["no/such"]})").find("NOT_FOUND"),
            std::string::npos);
  EXPECT_NE(refused("snapshot_changes", R"({"snapshot_id":"{}","paths":["../x"]})").find("INVALID_ARGUMENT"),
            std::string::npos);
  EXPECT_NE(refused("snapshot_changes", R"({"snapshot_id":"HEAD"})").find("INVALID_ARGUMENT"),
            std::string::npos);
  EXPECT_NE(refused("snapshot_changes", "{\"paths\":[\".\"]}").find("snapshot_id"), std::string::npos);
}

TEST_F(CompareTest, DiffsWorkInBothModes) {
  scratch_.run("put a 'other'; rm d/b; put new 1");
  constexpr std::string_view text =
      "diff --git a/a b/a\nindex 43dd47e..27fa349 100644\n--- a/a\n+++ b/a\n@@ -1 +1 @@\n-one\n\\ No newline "
      "at end of "
      "file\n+other\n\\ No newline at end of file\n"
      "diff --git a/d/b b/d/b\ndeleted file mode 100644\nindex 64c5e58..0000000\n--- a/d/b\n+++ "
      "/dev/null\n@@ -1 +0,0 "
      "@@\n-two\n\\ No newline at end of file\n";
  Answer live = call("snapshot_diff", "{}");
  EXPECT_EQ(live.string("diff"), text);
  EXPECT_EQ(live.string("cache_hint"), "until_dirty");
  EXPECT_EQ(live.integer("untracked"), 1);
  EXPECT_EQ(live.string("files/1/status"), "deleted");
  EXPECT_EQ(live.integer("files/1/removed"), 1);
  std::string lease = live.string("lease_id");
  Answer added = call("snapshot_diff", R"({"untracked":true,"paths":["new"],"lease_id":")" + lease + "\"}");
  EXPECT_EQ(added.string("files/0/status"), "added");
  EXPECT_EQ(added.string("lease_id"), lease);

  std::string second = created();
  Answer kept =
      call("snapshot_diff", R"({"against":"{}","paths":["a","d"],"snapshot_id":")" + second + "\"}");
  EXPECT_EQ(kept.string("diff"), text);
  EXPECT_EQ(kept.string("cache_hint"), "immutable");
  EXPECT_EQ(call("snapshot_diff", R"({"paths":["a","d"],"snapshot_id":")" + second + "\"}").string("diff"),
            text);
  Answer cut = call("snapshot_diff", R"({"against":"{}","max_bytes":200})");
  EXPECT_TRUE(cut.at("truncated").boolean);
  EXPECT_TRUE(cut.at("files/1/omitted").boolean);
  scratch_.run("put a 'again'");
  EXPECT_EQ(call("snapshot_diff", R"({"lease_id":")" + lease + "\"}").code(), "STALE_LEASE");
  scratch_.run("printf '\\377\\001\\n' > a");  // No text in any encoding.
  EXPECT_TRUE(call("snapshot_diff", "{\"paths\":[\"a\"]}").string("diff").starts_with("base64:"));
}

TEST_F(CompareTest, DiffsReportInvalidArguments) {
  for (std::string_view arguments :
       {R"({"against":"HEAD"})", R"({"against":"HEAD~1"})", R"({"against":"main"})", R"({"against":"snap_"})",
        R"({"context":-1})", R"({"paths":[]})", R"({"paths":["/etc"]})", R"({"paths":["../up"]})",
        R"({"mode":"snapshot"})", R"({"mode":"worktree","snapshot_id":"{}"})",
        R"({"lease_id":"lease_x","snapshot_id":"{}"})", R"({"snapshot_id":"HEAD"})",
        R"({"untracked":true,"against":"{}"})"}) {
    EXPECT_TRUE(refused("snapshot_diff", std::string(arguments)).starts_with("INVALID_ARGUMENT: "))
        << arguments;
  }
  const std::string unknown = refused("snapshot_diff", R"({"against":"snap_00"})");
  EXPECT_TRUE(unknown.starts_with("NOT_FOUND: ")) << unknown;
  EXPECT_NE(unknown.find("\"snap_00\""), std::string::npos) << unknown;
  EXPECT_TRUE(refused("snapshot_diff", R"({"paths":["no/such"]})").starts_with("NOT_FOUND: "));
  EXPECT_EQ(refused("snapshot_diff", R"({"paths":["no/such"],"snapshot_id":"{}"})"),
            "NOT_FOUND: Neither side has no/such.");
}

}  // namespace
}  // namespace snapgen::tools
