// The table of hosts: how a row is found by the client's name, which arguments it changes, and which results
// remain unchanged.
#include <gtest/gtest.h>

#include "tests/server/answers/shaped.h"

namespace snapgen::tools {
namespace {

constexpr std::string_view fingerprint =
    R"({"head_oid":"96b5c0893afecee8b85ece82b1a82ce15fe5ec1b","index_oid":"f065f5b45ebfb7c38dc0d4b2feb8875d004c6dfb",)"
    R"("status_hash":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"})";

std::string arguments_for(const HostTraits& host, std::string_view tool_name, std::string_view arguments) {
  const mcp::Tool tool = tool_of(tool_name, family_of(tool_name));
  return std::string(HostCall(host, tool, arguments).arguments());
}

TEST(HostTable, AHostIsFoundByTheNameOfItsClient) {
  EXPECT_EQ(host_traits("claude-code").answer_form, AnswerForm::text);
  EXPECT_EQ(host_traits("codex-mcp-client").answer_form, AnswerForm::json);
  EXPECT_TRUE(host_traits("codex-mcp-client").reads_output_schema);
  EXPECT_EQ(host_traits("qwen-cli-mcp-client-snapgen").client_name, "qwen-cli-mcp-client")
      << "this host appends the name that the user gave to the server";
  EXPECT_EQ(host_traits("opencode").client_name, "opencode");
  for (const std::string_view other : {"", "opencode2", "claude", "Visual Studio Code", "snapgen-clients"}) {
    EXPECT_EQ(host_traits(other).client_name, "") << other;
    EXPECT_EQ(host_traits(other).answer_form, AnswerForm::json) << other;
    EXPECT_EQ(host_traits(other).shown_bytes_max, 0U) << other;
  }
}

TEST(HostTable, AnswersOptionOverridesTheHost) {
  EXPECT_EQ(traits_for("opencode", AnswerChoice::by_host).answer_form, AnswerForm::text);
  EXPECT_EQ(traits_for("opencode", AnswerChoice::json).answer_form, AnswerForm::json);
  EXPECT_EQ(traits_for("opencode", AnswerChoice::json).shown_bytes_max,
            host_traits("opencode").shown_bytes_max);
  EXPECT_EQ(traits_for("unknown", AnswerChoice::text).answer_form, AnswerForm::text);
  EXPECT_EQ(output_schema_form_for(traits_for("opencode", AnswerChoice::by_host)).detail,
            mcp::OutputSchemaDetail::none);
  EXPECT_EQ(output_schema_form_for(traits_for("codex-mcp-client", AnswerChoice::by_host)).detail,
            mcp::OutputSchemaDetail::merged);
  EXPECT_EQ(output_schema_form_for(traits_for("codex-mcp-client", AnswerChoice::text)).detail,
            mcp::OutputSchemaDetail::none);
  EXPECT_EQ(output_schema_form_for(traits_for("unknown", AnswerChoice::by_host)).detail,
            mcp::OutputSchemaDetail::brief);
  EXPECT_EQ(answer_choice_named("auto"), AnswerChoice::by_host);
  EXPECT_EQ(answer_choice_named("json"), AnswerChoice::json);
  EXPECT_EQ(answer_choice_named("text"), AnswerChoice::text);
  EXPECT_EQ(answer_choice_named("xml"), std::nullopt);
}

TEST(HostTable, AnArgumentThatOnlyOneHostAddsIsDropped) {
  const HostTraits& gemini = host_traits("gemini-cli-mcp-client");
  EXPECT_EQ(arguments_for(gemini, "snapshot.info", R"({"snapshot_id":"snap_1","wait_for_previous":true})"),
            R"({"snapshot_id":"snap_1"})");
  EXPECT_EQ(arguments_for(gemini, "snap_help", R"({"wait_for_previous":false})"), "{}");
  EXPECT_EQ(arguments_for(gemini, "snap_help", R"({ "topic" : "all" })"), R"({ "topic" : "all" })")
      << "arguments without the addition are passed on unchanged";
  for (const std::string_view other : {"unknown", "claude-code", "opencode"})
    EXPECT_EQ(arguments_for(host_traits(other), "snap_help", R"({"wait_for_previous":true})"),
              R"({"wait_for_previous":true})")
        << other;
}

TEST(HostTable, RequestsNoMoreThanTheHostShows) {
  const HostTraits host{.client_name = "h", .answer_form = AnswerForm::text, .shown_bytes_max = 20'000};
  EXPECT_EQ(arguments_for(host, "snapshot.file", R"({"path":"a"})"), R"({"path":"a","max_bytes":19000})");
  EXPECT_EQ(arguments_for(host, "snapshot.diff", "{}"), R"({"max_bytes":19000})");
  EXPECT_EQ(arguments_for(host, "snapshot.file", R"({"max_bytes":900000,"path":"a"})"),
            R"({"max_bytes":900000,"path":"a"})")
      << "a length in the call overrides the limit of the host";
  EXPECT_EQ(arguments_for(host, "snapshot.grep", R"({"pattern":"a"})"), R"({"pattern":"a"})")
      << "the tool does not have this argument";
  EXPECT_EQ(arguments_for(text_host, "snapshot.file", R"({"path":"a"})"), R"({"path":"a"})")
      << "the limit of this host is unknown";
  for (const std::string_view broken : {"", "[]", "{", R"({"path":)", R"({"path":"a"} x)"})
    EXPECT_EQ(arguments_for(host, "snapshot.file", broken), broken)
        << "invalid JSON is passed on, so that the tool reports the error";
}

TEST(HostTable, ResultsOfOtherClientsAreUnchanged) {
  std::string members;
  mcp::append_text_and_structured(
      members, R"({"blob":"sha256:e6647d7bff33f8c7e24ea9beecf2dc4a2c6ebdd18bedf375fa39903cc4df8f80",)"
               R"("cache_hint":"until_dirty","content":"# Toy","fingerprint":)" +
                   std::string(fingerprint) +
                   R"(,"lease_id":"lease_4ui3dxo56tw7nuqm","path":"README.md","size":5,"total_lines":1,)"
                   R"("truncated":false})");
  EXPECT_EQ(shaped_members(host_traits("unknown"), "snapshot.file", R"({"path":"README.md"})", members),
            members);
  std::string failed;
  mcp::append_error(failed, R"({"error":{"code":"NOT_FOUND","message":"There is no a."}})");
  EXPECT_EQ(shaped_members(host_traits("unknown"), "snapshot.file", "{}", failed), failed);
  EXPECT_EQ(shaped_members(host_traits("codex-mcp-client"), "snapshot.file", "{}", failed), failed)
      << "the JSON form of an error is unchanged";
  const HostTraits codex = traits_for("codex-mcp-client", AnswerChoice::json);
  EXPECT_EQ(shaped_members(codex, "snapshot.file", R"({"path":"README.md"})", members), members)
      << "a short result is unchanged, too";
}

TEST(HostTable, OmitsMembersThatTheModelOfTheHostDoesNotNeed) {
  std::string members;
  mcp::append_text_and_structured(members, R"({"blob":"sha256:00","content":"# Toy","lease_id":"lease_1"})");
  std::string expected;
  mcp::append_text_and_structured(expected, R"({"content":"# Toy","lease_id":"lease_1"})");
  const HostTraits codex = traits_for("codex-mcp-client", AnswerChoice::by_host);
  EXPECT_EQ(shaped_members(codex, "workspace.write_file", "{}", members), expected);
  EXPECT_EQ(output_schema_form_for(codex).omitted_members.size(), 3U);
  EXPECT_TRUE(
      output_schema_form_for(traits_for("codex-mcp-client", AnswerChoice::json)).omitted_members.empty());
}

}  // namespace
}  // namespace snapgen::tools
