// The generated readers accept every official example that a server may receive, and every part of the
// messages that it sends.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include "runtime/json/reader.h"
#include "runtime/json/writer.h"
#include "runtime/mcp/message.h"
#include "schemas/mcp/acknowledged_params.h"
#include "schemas/mcp/call_tool_params.h"
#include "schemas/mcp/call_tool_result.h"
#include "schemas/mcp/cancelled_params.h"
#include "schemas/mcp/complete_params.h"
#include "schemas/mcp/complete_result.h"
#include "schemas/mcp/discover_result.h"
#include "schemas/mcp/empty_params.h"
#include "schemas/mcp/get_prompt_params.h"
#include "schemas/mcp/get_prompt_result.h"
#include "schemas/mcp/list_changed_params.h"
#include "schemas/mcp/list_prompts_result.h"
#include "schemas/mcp/list_resource_templates_result.h"
#include "schemas/mcp/list_resources_result.h"
#include "schemas/mcp/list_tools_result.h"
#include "schemas/mcp/listen_params.h"
#include "schemas/mcp/listen_result.h"
#include "schemas/mcp/log_message_params.h"
#include "schemas/mcp/paginated_params.h"
#include "schemas/mcp/progress_params.h"
#include "schemas/mcp/read_resource_params.h"
#include "schemas/mcp/read_resource_result.h"
#include "schemas/mcp/resource_updated_params.h"
#include "schemas/mcp/rpc_error.h"
#include "schemas/mcp/unsupported_version_data.h"

namespace snapgen::mcp {
namespace {

using Check = std::function<std::string(std::string_view)>;

template <class T>
std::string text_of(const T& value) {
  std::string out;
  json::Writer writer(out);
  write(writer, value);
  return out;
}

// Reads `text` as a T, then writes it and reads it again. Returns the errors, empty if there are none.
template <class T>
std::string misfit(std::string_view text) {
  T value;
  json::Reader in(text);
  read(in, value);
  in.end();
  if (!in.syntax_ok()) return std::string(in.error_message());
  std::string out;
  for (const json::Violation& violation : in.violations())
    out += violation.pointer + ": " + violation.message + "\n";
  if (!out.empty()) return out;
  const std::string once = text_of(value);
  T again;
  json::Reader back(once);
  read(back, again);
  return back.ok() && text_of(again) == once ? "" : "read back as something else: " + once;
}

// The same for a whole message whose params are of type T.
template <class T>
std::string misfit_of_params(std::string_view text) {
  Message message;
  message.read(text);
  if (message.kind != Message::Kind::request && message.kind != Message::Kind::notification)
    return message.problem;
  if (!message.meta_problem.empty()) return message.meta_problem;
  return misfit<T>(message.params);
}

// The same for a whole response whose result is of type T.
template <class T>
std::string misfit_of_result(std::string_view text) {
  json::Reader in(text);
  std::string_view key;
  std::string_view result;
  if (!in.begin_object()) return "no object";
  while (in.next_key(key)) {
    if (key == "result") {
      in.raw(result);
    } else {
      in.skip();
    }
  }
  return misfit<T>(result);
}

const std::map<std::string, Check>& checks() {
  static const std::map<std::string, Check> all = {
      // Messages that a server receives.
      {"CallToolRequest", misfit_of_params<CallToolParams>},
      {"CallToolRequestParams", misfit<CallToolParams>},
      {"CancelledNotification", misfit_of_params<CancelledParams>},
      {"CancelledNotificationParams", misfit<CancelledParams>},
      {"ClientCapabilities", misfit<ClientCapabilities>},
      {"CompleteRequest", misfit_of_params<CompleteParams>},
      {"CompleteRequestParams", misfit<CompleteParams>},
      {"DiscoverRequest", misfit_of_params<EmptyParams>},
      {"GetPromptRequest", misfit_of_params<GetPromptParams>},
      {"GetPromptRequestParams", misfit<GetPromptParams>},
      {"ListPromptsRequest", misfit_of_params<PaginatedParams>},
      {"ListResourcesRequest", misfit_of_params<PaginatedParams>},
      {"ListResourceTemplatesRequest", misfit_of_params<PaginatedParams>},
      {"ListToolsRequest", misfit_of_params<PaginatedParams>},
      {"PaginatedRequestParams", misfit<PaginatedParams>},
      {"ReadResourceRequest", misfit_of_params<ReadResourceParams>},
      {"SubscriptionsListenRequest", misfit_of_params<ListenParams>},
      // Parts of messages that a server sends.
      {"AudioContent", misfit<AudioContent>},
      {"BlobResourceContents", misfit<ResourceContents>},
      {"CallToolResult", misfit<CallToolResult>},
      {"CallToolResultResponse", misfit_of_result<CallToolResult>},
      {"CompleteResult", misfit<CompleteResult>},
      {"CompleteResultResponse", misfit_of_result<CompleteResult>},
      {"DiscoverResult", misfit<DiscoverResult>},
      {"DiscoverResultResponse", misfit_of_result<DiscoverResult>},
      {"EmbeddedResource", misfit<EmbeddedResource>},
      {"GetPromptResult", misfit<GetPromptResult>},
      {"GetPromptResultResponse", misfit_of_result<GetPromptResult>},
      {"ImageContent", misfit<ImageContent>},
      {"InternalError", misfit<RpcError>},
      {"InvalidParamsError", misfit<RpcError>},
      {"ListPromptsResult", misfit<ListPromptsResult>},
      {"ListPromptsResultResponse", misfit_of_result<ListPromptsResult>},
      {"ListResourcesResult", misfit<ListResourcesResult>},
      {"ListResourcesResultResponse", misfit_of_result<ListResourcesResult>},
      {"ListResourceTemplatesResult", misfit<ListResourceTemplatesResult>},
      {"ListResourceTemplatesResultResponse", misfit_of_result<ListResourceTemplatesResult>},
      {"ListToolsResult", misfit<ListToolsResult>},
      {"ListToolsResultResponse", misfit_of_result<ListToolsResult>},
      {"LoggingMessageNotification", misfit_of_params<LogMessageParams>},
      {"LoggingMessageNotificationParams", misfit<LogMessageParams>},
      {"MethodNotFoundError", misfit<RpcError>},
      {"ParseError", misfit<RpcError>},
      {"ProgressNotification", misfit_of_params<ProgressParams>},
      {"ProgressNotificationParams", misfit<ProgressParams>},
      {"PromptListChangedNotification", misfit_of_params<ListChangedParams>},
      {"ReadResourceResult", misfit<ReadResourceResult>},
      {"ReadResourceResultResponse", misfit_of_result<ReadResourceResult>},
      {"Resource", misfit<Resource>},
      {"ResourceLink", misfit<ResourceLink>},
      {"ResourceListChangedNotification", misfit_of_params<ListChangedParams>},
      {"ResourceUpdatedNotification", misfit_of_params<ResourceUpdatedParams>},
      {"ResourceUpdatedNotificationParams", misfit<ResourceUpdatedParams>},
      {"ServerCapabilities", misfit<ServerCapabilities>},
      {"SubscriptionsAcknowledgedNotification", misfit_of_params<AcknowledgedParams>},
      {"SubscriptionsListenResult", misfit<ListenResult>},
      {"SubscriptionsListenResultResponse", misfit_of_result<ListenResult>},
      {"TextContent", misfit<TextContent>},
      {"TextResourceContents", misfit<ResourceContents>},
      {"ToolListChangedNotification", misfit_of_params<ListChangedParams>},
  };
  return all;
}

std::filesystem::path examples_folder() {
  const char* shared = std::getenv("SNAPGEN_SHARED");
  return std::filesystem::path(shared ? shared : SNAPGEN_SHARED_DEFAULT) / "mcp/examples";
}

TEST(Examples, ExamplesOfTheOfficialSpecificationAreRead) {
  const std::filesystem::path folder = examples_folder();
  if (!std::filesystem::exists(folder)) GTEST_SKIP() << "The official examples are not in " << folder << ".";
  std::size_t count = 0;
  for (const auto& [name, check] : checks()) {
    ASSERT_TRUE(std::filesystem::exists(folder / name)) << name;
    for (const auto& entry : std::filesystem::directory_iterator(folder / name)) {
      std::ifstream file(entry.path());
      const std::string text{std::istreambuf_iterator<char>(file), {}};
      EXPECT_EQ(check(text), "") << entry.path();
      ++count;
    }
  }
  EXPECT_GE(count, checks().size());
}

}  // namespace
}  // namespace snapgen::mcp
