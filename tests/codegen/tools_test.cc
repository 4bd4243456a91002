// All tools of a server, as generated from tests/codegen/golden.
#include "tests/codegen/golden/tools.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "runtime/json/details.h"
#include "runtime/json/document.h"
#include "runtime/json/writer.h"
#include "runtime/mcp/call.h"
#include "tests/codegen/golden/lines.h"
#include "tests/codegen/golden/tools/content_blocks.h"
#include "tests/codegen/golden/tools/find_things.h"
#include "tests/codegen/golden/tools/list_entries.h"
#include "tests/codegen/golden/tools/plain_text.h"
#include "tests/codegen/golden/tools/sheep_count.h"
#include "tests/codegen/golden/tools/weather_report.h"
#include "tests/codegen/reading.h"

namespace golden {

using snapgen::Error;
using snapgen::ErrorCode;
using snapgen::Result;
using snapgen::Unit;

// State that the handlers of this test share.
struct App {
  std::string said;
};

// ---- code that the author of a server writes by hand

Task<mcp::Text> plain_text(App& app, mcp::Call& call, const PlainTextInput& in) {
  static_cast<void>(call);
  if (in.text == "cancel") co_return Error(ErrorCode::cancelled, "cancelled");
  if (in.text == "fail") co_return Error(ErrorCode::not_found, "There is \"nothing\".");
  app.said = in.text;
  std::string all;
  for (std::int64_t i = 0; i < in.times; ++i) all += in.text;
  co_return mcp::Text{all};
}

Task<mcp::Content> content_blocks(App& app, mcp::Call& call, const ContentBlocksInput& in) {
  static_cast<void>(call);
  static_cast<void>(in);
  mcp::Content content;
  content.blocks = R"([{"text":"x","type":"text"}])";
  content.is_error = app.said == "broken";
  content.structured = snapgen::json::Raw{R"({ "n" : 1.0 })"};
  co_return content;
}

Task<ListEntriesOutput> list_entries(App& app, mcp::Call& call, const ListEntriesInput& in) {
  static_cast<void>(app);
  static_cast<void>(call);
  ListEntriesWorktree found;
  found.lease_id = in.lease_id.value_or("new");
  found.entries.push_back({.path = "a\"b", .type = ListEntriesEntriesItemType::file, .size = {}});
  co_return found;
}

Task<FindThingsOutput> find_things(App& app, mcp::Call& call, const FindThingsInput& in) {
  static_cast<void>(app);
  static_cast<void>(call);
  FindThingsOutput output;
  output.found = {in.query};
  co_return output;
}

Task<mcp::Summarized<SheepCountOutput>> sheep_count(App& app, mcp::Call& call, const SheepCountInput& in) {
  static_cast<void>(app);
  static_cast<void>(call);
  if (in.flock == "lost") co_return Error(ErrorCode::not_found, "There is no such flock.");
  SheepCountOutput output;
  output.sheep = 3;
  const std::string summary = in.flock == "silent" ? "" : "3 sheep.";
  co_return mcp::Summarized<SheepCountOutput>{.output = output, .summary = summary};
}

Task<mcp::Text> weather_report(App& app, mcp::Call& call, const WeatherReportInput& in) {
  static_cast<void>(app);
  static_cast<void>(call);
  const lines::ReportLine line{.place = in.place, .sky = lines::Sky::rain};
  co_return mcp::Text{lines::encode(line, snapgen::linefmt::Mode::labeled)};
}

void tools_error(std::string& text, const Error& error) {
  text =
      std::string(snapgen::text(error.code)) + "|" + error.message + "|" + json::object_text(error.details);
}

namespace {

// The handlers of this test never wait.
class NoPort final : public snapgen::Port {
 public:
  void wait() override { ADD_FAILURE(); }
  void submit(snapgen::Job&) override { ADD_FAILURE(); }
  void cancel(snapgen::Job&) override { ADD_FAILURE(); }
  void start(snapgen::Alarm&, snapgen::Millis) override { ADD_FAILURE(); }
  void cancel(snapgen::Alarm&) override { ADD_FAILURE(); }
};

class SilentCall final : public mcp::Call {
 public:
  using Call::Call;
  void progress(double, std::optional<double>, std::string_view) override {}
  void log(mcp::LogLevel, std::string_view, std::string_view) override {}
};

class ToolsTest : public testing::Test {
 protected:
  // Returns the members of the result, or the code of the task's error.
  std::string call(std::string_view name, std::string_view arguments) {
    const mcp::Tool* tool = tools_.find(name);
    if (!tool) return "no such tool";
    SilentCall call(loop_, *tool, mcp::Revision::v2025_11_25, {});
    call.set_error_rewriter(watch_);
    call.set_renderer(renderer_);
    std::string result;
    Task<Unit> task = tools_.call(*tool, call, arguments, result);
    EXPECT_TRUE(task.start());
    const Result<Unit>& outcome = *task.result();
    return outcome ? result : std::string(snapgen::text(outcome.error().code));
  }

  mcp::ErrorRewriter* watch_ = nullptr;
  mcp::AnswerRenderer* renderer_ = nullptr;
  App app_;
  Tools tools_{app_};
  NoPort port_;
  snapgen::Loop loop_{port_};
};

TEST_F(ToolsTest, ToolsAreFoundByEitherSpellingOnly) {
  ASSERT_EQ(tools_.all().size(), 6U);
  for (const mcp::Tool& tool : tools_.all()) {
    EXPECT_EQ(tools_.find(tool.name), &tool);
    EXPECT_EQ(tools_.find(tool.safe_name), &tool);
  }
  for (std::string_view name :
       {"", "plain", "plain.tex", "plain.textx", "Plain.text", "plain-text", "content_blocks", "listentries"})
    EXPECT_EQ(tools_.find(name), nullptr) << name;
}

TEST_F(ToolsTest, ToolsAreSortedAndDescribedByTheirFiles) {
  EXPECT_TRUE(std::is_sorted(tools_.all().begin(), tools_.all().end(),
                             [](const mcp::Tool& a, const mcp::Tool& b) { return a.name < b.name; }));
  const mcp::Tool& tool = *tools_.find("plain_text");
  EXPECT_EQ(tool.name, "plain.text");
  EXPECT_EQ(tool.safe_name, "plain_text");
  EXPECT_EQ(tool.family, "tools");
  EXPECT_EQ(tool.deadline_ms, 1500U);
  EXPECT_EQ(tool.tier, "pro");
  EXPECT_EQ(tool.rate_per_minute, 60U);
  EXPECT_EQ(tool.rate_burst, 5U);
  EXPECT_EQ(tool.merged_output_schema, "");
  EXPECT_EQ(tools_.find("list_entries")->deadline_ms, 0U);
  EXPECT_FALSE(tool.needs_workspace);
  EXPECT_TRUE(tools_.find("sheep.count")->needs_workspace);
}

TEST_F(ToolsTest, ThereIsAFullProfileOnePerFamilyAndTheCustomOnes) {
  std::map<std::string, std::vector<std::string>> found;
  for (const mcp::Profile& profile : tools_.profiles())
    for (std::uint16_t index : profile.tools)
      found[std::string(profile.name)].emplace_back(tools_.all()[index].name);
  const std::vector<std::string> all = {"content-blocks", "find_things", "list.entries",
                                        "plain.text",     "sheep.count", "weather_report"};
  EXPECT_EQ(
      found,
      (std::map<std::string, std::vector<std::string>>{
          {"everything", all}, {"full", all}, {"small", {"content-blocks", "plain.text"}}, {"tools", all}}));
}

TEST_F(ToolsTest, AListingHasTheFieldsOfItsRevisionInCanonicalForm) {
  const std::vector<std::vector<std::string>> plain = {
      {"description", "inputSchema", "name"},
      {"annotations", "description", "inputSchema", "name"},
      {"_meta", "annotations", "description", "inputSchema", "name", "title"},
      {"_meta", "annotations", "description", "inputSchema", "name", "title"}};
  for (std::size_t form = 0; form < mcp::listing_form_count; ++form) {
    for (const mcp::Tool& tool : tools_.all()) {
      for (std::string_view listing : tool.listing[form]) {
        const auto canonical = snapgen::json::canonical(listing);
        ASSERT_TRUE(canonical) << listing;
        EXPECT_EQ(*canonical, listing);
      }
      const auto document = snapgen::json::parse_document(tool.listing[form][0]);
      EXPECT_EQ(document.root.find("name")->text, tool.safe_name);
      EXPECT_EQ(snapgen::json::parse_document(tool.listing[form][1]).root.find("name")->text, tool.name);
      std::vector<std::string> keys;
      for (const auto& member : document.root.members) keys.push_back(member.key);
      if (tool.name == "plain.text") {
        EXPECT_EQ(keys, plain[form]);
      }
      EXPECT_EQ(document.root.find("outputSchema") != nullptr,
                form >= 2 && !tool.merged_output_schema.empty())
          << tool.name << form;
    }
  }
}

// Expects none of the keywords that hosts reject (see "Host limits" in the schema compiler).
void expect_publishable(const snapgen::json::Node& schema, bool root) {
  for (const auto& member : schema.members) {
    EXPECT_NE(member.key, "$ref");
    EXPECT_NE(member.key, "$defs");
    EXPECT_NE(member.key, "$schema");
    if (root) {
      for (std::string_view refused : {"oneOf", "anyOf", "allOf", "not", "if", "dependentRequired"})
        EXPECT_NE(member.key, refused);
    }
    const bool holds_schemas = member.key == "properties";
    if (holds_schemas) {
      for (const auto& each : member.value.members) expect_publishable(each.value, false);
    } else if (member.key == "items" || member.key == "additionalProperties") {
      expect_publishable(member.value, false);
    }
    for (const auto& each : member.value.items) expect_publishable(each, false);
  }
  const snapgen::json::Node* type = schema.find("type");
  if (type && type->text == "array") {
    EXPECT_NE(schema.find("items"), nullptr);
  }
  if (type && type->text == "object" && !schema.find("oneOf") && !schema.find("anyOf")) {
    EXPECT_NE(schema.find("properties"), nullptr);
  }
}

TEST_F(ToolsTest, ListingsOmitKeywordsThatHostsReject) {
  for (const mcp::Tool& tool : tools_.all()) {
    if (tool.name == "content-blocks") continue;  // This tool's schema is listed as written.
    for (const auto& spellings : tool.listing) {
      const auto document = snapgen::json::parse_document(spellings[0]);
      const auto* input = document.root.find("inputSchema");
      EXPECT_EQ(input->find("type")->text, "object");
      EXPECT_FALSE(input->find("additionalProperties")->boolean)
          << "an input schema rejects unknown members unless it permits them";
      expect_publishable(*input, true);
      const auto* output = document.root.find("outputSchema");
      if (!output) continue;
      EXPECT_EQ(output->find("type")->text, "object");
      expect_publishable(*output, false);
    }
  }
}

TEST_F(ToolsTest, AListingIsValidJson) {
  for (const auto& spellings : tools_.find("content-blocks")->listing) {
    const auto document = snapgen::json::parse_document(spellings[0]);
    const auto* input = document.root.find("inputSchema");
    EXPECT_EQ(input->find("$schema")->text, "https://json-schema.org/draft/2020-12/schema");
    EXPECT_EQ(input->find("properties")->find("to")->find("$ref")->text, "#/$defs/place");
    const auto* definitions = input->find("$defs");
    EXPECT_TRUE(definitions->find("place"));
    EXPECT_TRUE(definitions->find("name")) << "a definition that another one refers to is included";
    EXPECT_FALSE(definitions->find("unused"));
  }
}

TEST_F(ToolsTest, TextIsOneBlock) {
  EXPECT_EQ(call("plain.text", R"({"text":"a\nb","times":2})"),
            R"("content":[{"text":"a\nba\nb","type":"text"}])");
  EXPECT_EQ(app_.said, "a\nb");
}

TEST_F(ToolsTest, AStructIsReturnedAsTextAndStructuredContent) {
  EXPECT_EQ(
      call("list_entries", "{}"),
      R"("content":[{"text":"{\"cache_hint\":\"until_dirty\",\"entries\":[{\"path\":\"a\\\"b\",\"type\":\"file\"}],\"lease_id\":\"new\"}","type":"text"}],)"
      R"("structuredContent":{"cache_hint":"until_dirty","entries":[{"path":"a\"b","type":"file"}],"lease_id":"new"})");
}

TEST_F(ToolsTest, ContentIsPassedThroughAndErrorsHaveNoData) {
  EXPECT_EQ(call("content-blocks", "{}"),
            R"("content":[{"text":"x","type":"text"}],"structuredContent":{"n":1})");
  app_.said = "broken";
  EXPECT_EQ(call("content-blocks", "{}"), R"("content":[{"text":"x","type":"text"}],"isError":true)");
}

TEST_F(ToolsTest, AFailedHandlerRespondsInTheFormOfItsFamily) {
  EXPECT_EQ(call("plain.text", R"({"text":"fail"})"),
            R"("content":[{"text":"NOT_FOUND|There is \"nothing\".|","type":"text"}],"isError":true)");
}

TEST_F(ToolsTest, ACancelledHandlerSendsNoResponse) {
  EXPECT_EQ(call("plain.text", R"({"text":"cancel"})"), "CANCELLED");
}

TEST_F(ToolsTest, AllInvalidArgumentsAreReportedAndTheHandlerIsNotCalled) {
  const std::string result = call("plain.text", R"({"text":"","tims":3})");
  EXPECT_TRUE(result.starts_with(R"("content":[{"text":"INVALID_ARGUMENT|)")) << result;
  EXPECT_TRUE(result.ends_with(
      R"(|{\"violations\":[{\"keyword\":\"minLength\",\"message\":\"expected at least 1 character, found 0\",\"pointer\":\"/text\"},)"
      R"({\"keyword\":\"additionalProperties\",\"message\":\"unknown property \\\"tims\\\"; did you mean \\\"times\\\"?\",\"pointer\":\"/tims\"}]}","type":"text"}],"isError":true)"))
      << result;
  EXPECT_EQ(app_.said, "");
  EXPECT_NE(call("plain.text", "{").find("not JSON"), std::string::npos);
  EXPECT_NE(call("plain.text", "[]").find(R"(\"keyword\":\"type\")"), std::string::npos);
}

TEST_F(ToolsTest, ConditionsThatListingsOmitAreEnforced) {
  EXPECT_NE(call("list.entries", R"({"mode":"snapshot"})").find("snapshot_id is required when mode is"),
            std::string::npos);
  EXPECT_NE(
      call("plain.text", R"({"text":"a","options":{}})").find("times is required when options is given"),
      std::string::npos);
  EXPECT_EQ(call("plain.text", R"({"text":"a","options":{},"times":1})"),
            R"("content":[{"text":"a","type":"text"}])");
}

TEST_F(ToolsTest, AnErrorFromOutsideTheHandlerHasTheFormOfItsFamily) {
  std::string result;
  tools_.append_unfinished_result(*tools_.find("plain.text"), "", Error(ErrorCode::unavailable, "Too late."),
                                  result);
  EXPECT_EQ(result, R"("content":[{"text":"UNAVAILABLE|Too late.|","type":"text"}],"isError":true)");
}

TEST_F(ToolsTest, ASummaryIsASecondTextBlock) {
  EXPECT_EQ(call("sheep.count", "{}"),
            R"("content":[{"text":"{\"sheep\":3}","type":"text"},{"text":"3 sheep.","type":"text"}],)"
            R"("structuredContent":{"sheep":3})");
  EXPECT_EQ(call("sheep.count", R"({"flock":"silent"})"),
            R"("content":[{"text":"{\"sheep\":3}","type":"text"}],"structuredContent":{"sheep":3})");
}

template <class Input>
std::string call_of(const Input& input) {
  std::string text;
  json::Writer out(text);
  write_call(out, input);
  return std::string(tool_name(input)) + " " + text;
}

TEST(Calls, HaveNoArgumentThatIsItsDefaultExceptAChoiceAtTheBeginning) {
  EXPECT_EQ(call_of(WeatherReportInput{.place = "here"}), R"(weather_report {"place":"here"})");
  EXPECT_EQ(call_of(WeatherReportInput{.place = "here", .compact = true}),
            R"(weather_report {"compact":true,"place":"here"})");
  EXPECT_EQ(call_of(ListEntriesInput{.lease_id = "l"}), R"(list.entries {"lease_id":"l","mode":"worktree"})");
}

TEST_F(ToolsTest, AnObserverOfACallReceivesItsErrorsFirst) {
  struct Watch final : mcp::ErrorRewriter {
    Error rewrite(Error error) override {
      seen += error.message + "|";
      return Error(error.code, error.message, snapgen::ErrorDetails().add_json("seen", "true"));
    }
    std::string seen;
  } watch;
  watch_ = &watch;
  EXPECT_EQ(
      call("sheep.count", R"({"flock":"lost"})"),
      R"("content":[{"text":"NOT_FOUND|There is no such flock.|{\"seen\":true}","type":"text"}],"isError":true)");
  EXPECT_NE(call("sheep.count", R"({"flock":1})").find(R"({\"seen\":true})"), std::string::npos);
  call("sheep.count", "{}");
  EXPECT_EQ(std::count(watch.seen.begin(), watch.seen.end(), '|'), 2);
}

TEST_F(ToolsTest, ARendererReceivesTheTypedInputAndOutput) {
  struct Counter final : mcp::AnswerRenderer {
    void append_output(const mcp::TypedAnswer& answer, std::string& result) override {
      EXPECT_EQ(answer.output_as<FindThingsOutput>(), nullptr) << "the output is of another type";
      const auto* input = answer.input_as<SheepCountInput>();
      auto* output = answer.output_as<SheepCountOutput>();
      ASSERT_TRUE(input && output);
      output->sheep += 2;
      result = std::string(answer.summary()) + answer.json();
    }
  } counter;
  renderer_ = &counter;
  EXPECT_EQ(call("sheep.count", "{}"), R"(3 sheep.{"sheep":5})");
  EXPECT_NE(call("plain.text", R"({"text":"a"})").find(R"("text":"a")"), std::string::npos)
      << "other answers have the usual form";
}

TEST_F(ToolsTest, AnArgumentThatTheClientAddsIsSkipped) {
  struct Adding final : mcp::AnswerRenderer {
    std::string_view added_argument() const override { return "wait"; }
  } adding;
  const std::string_view arguments = R"({"query":"a","area":[1,2],"wait":{"x":[true]}})";
  EXPECT_NE(call("find_things", arguments).find("/wait"), std::string::npos);
  renderer_ = &adding;
  EXPECT_NE(call("find_things", arguments).find(R"("found":["a"])"), std::string::npos)
      << "a schema that the struct cannot express is checked without it, too";
  EXPECT_NE(call("plain.text", R"({"wait":1,"text":"a","wait":2})").find(R"("text":"a")"), std::string::npos);
  EXPECT_NE(call("plain.text", R"({"wait":1,"text":""})").find("/text"), std::string::npos);
  EXPECT_NE(call("plain.text", R"({"text":"a","options":{"wait":1},"times":1})").find("wait"),
            std::string::npos)
      << "only the outermost object has it";
}

TEST_F(ToolsTest, ArgumentsAreCheckedBeyondTheStruct) {
  EXPECT_NE(
      call("find_things", R"({"query":"a","area":[1,2],"headers":{"x-a":"1"}})").find(R"("found":["a"])"),
      std::string::npos);
  const std::string wrong =
      call("find_things", R"({"query":" 0123456789","filter":{},"headers":{"y":"1"},"typo":1})");
  for (std::string_view part :
       {R"(/query)", R"(/filter)", R"(/headers/y)", R"(/typo)", R"(missing property \"area\")"})
    EXPECT_NE(wrong.find(part), std::string::npos) << part << " in " << wrong;
}

}  // namespace
}  // namespace golden
