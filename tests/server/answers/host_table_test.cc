// The table of hosts: how a row is found by the client's name, what it says about arguments, and which
// members of answers it omits.
#include <gtest/gtest.h>

#include "tests/server/answers/rendered.h"

namespace snapgen::tools {
namespace {

constexpr std::string_view fingerprint =
    R"({"head_oid":"96b5c0893afecee8b85ece82b1a82ce15fe5ec1b","index_oid":"f065f5b45ebfb7c38dc0d4b2feb8875d004c6dfb",)"
    R"("status_hash":"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"})";

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

TEST(HostTable, OnlyOneHostAddsAnArgument) {
  const mcp::Tool tool = tool_of("snapshot.info");
  EXPECT_EQ(HostRenderer(host_traits("gemini-cli-mcp-client"), tool).added_argument(), "wait_for_previous");
  for (const std::string_view other : {"unknown", "claude-code", "opencode"})
    EXPECT_EQ(HostRenderer(host_traits(other), tool).added_argument(), "") << other;
}

TEST(HostTable, ReadsNoMoreThanTheHostShows) {
  const HostTraits host{.client_name = "h", .answer_form = AnswerForm::text, .shown_bytes_max = 20'000};
  const mcp::Tool tool = tool_of("snapshot.file");
  EXPECT_EQ(HostRenderer(host, tool).shown_bytes_max(), 19'000U);
  EXPECT_EQ(HostRenderer(text_host, tool).shown_bytes_max(), std::nullopt)
      << "the limit of this host is unknown";
}

const std::string read_answer =
    R"({"blob":"sha256:e6647d7bff33f8c7e24ea9beecf2dc4a2c6ebdd18bedf375fa39903cc4df8f80",)"
    R"("cache_hint":"until_dirty","content":"# Toy","fingerprint":)" +
    std::string(fingerprint) +
    R"(,"lease_id":"lease_4ui3dxo56tw7nuqm","path":"README.md","size":5,"total_lines":1,"truncated":false})";

std::string read_members(const HostTraits& host) {
  return rendered_members(
      host, {.tool = "snapshot.file", .arguments = R"({"path":"README.md"})", .structured = read_answer});
}

TEST(HostTable, AnswersToOtherClientsAreCanonicalJson) {
  std::string members;
  mcp::append_text_and_structured(members, read_answer);
  EXPECT_EQ(read_members(host_traits("unknown")), members);
  EXPECT_EQ(read_members(traits_for("codex-mcp-client", AnswerChoice::json)), members)
      << "a short result is unchanged, too";
  const mcp::ErrorWriter write_error = [](std::string& text, const Error& error) {
    text = "{\"error\":" + json::quoted(error.message) + "}";
  };
  const mcp::Tool tool = tool_of("snapshot.file");
  for (const std::string_view client : {"unknown", "codex-mcp-client"}) {
    std::string failed;
    HostRenderer(host_traits(client), tool)
        .append_error(Error(ErrorCode::not_found, "There is no a."), write_error, failed);
    EXPECT_EQ(failed, R"("content":[{"text":"{\"error\":\"There is no a.\"}","type":"text"}],"isError":true)")
        << client;
  }
}

TEST(HostTable, OmitsMembersThatTheModelOfTheHostDoesNotNeed) {
  const HostTraits codex = traits_for("codex-mcp-client", AnswerChoice::by_host);
  std::string expected;
  mcp::append_text_and_structured(
      expected,
      R"({"blob":"sha256:e6647d7bff33f8c7e24ea9beecf2dc4a2c6ebdd18bedf375fa39903cc4df8f80","content":"# Toy",)"
      R"("lease_id":"lease_4ui3dxo56tw7nuqm","path":"README.md","size":5,"total_lines":1,"truncated":false})");
  EXPECT_EQ(read_members(codex), expected);
  EXPECT_EQ(output_schema_form_for(codex).omitted_members.size(), 2U);
  EXPECT_TRUE(
      output_schema_form_for(traits_for("codex-mcp-client", AnswerChoice::json)).omitted_members.empty());
  const mcp::Tool tool = tool_of("shop.order");
  std::string program;
  HostRenderer(codex, tool).append_structured(R"({"fingerprint":1,"total":2})", program);
  EXPECT_TRUE(program.ends_with(R"("structuredContent":{"total":2})")) << program;
}

TEST(HostTable, OnlyAWholeOutputHasASummaryAndLinks) {
  const AnsweredCall whole{
      .tool = "snapback.meta", .arguments = "{}", .structured = R"({"data":{}})", .summary = "It is."};
  EXPECT_NE(rendered_members(host_traits("codex-mcp-client"), whole).find("It is."), std::string::npos);
  const AnsweredCall part{.tool = "snapshot.file",
                          .arguments = R"({"path":"a"})",
                          .structured = read_answer,
                          .summary = "It is."};
  EXPECT_EQ(rendered_members(host_traits("codex-mcp-client"), part).find("It is."), std::string::npos);
}

}  // namespace
}  // namespace snapgen::tools
