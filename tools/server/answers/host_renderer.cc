#include "tools/server/answers/host_renderer.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "runtime/base/visible.h"
#include "runtime/json/members.h"
#include "runtime/json/reader.h"
#include "runtime/json/values.h"
#include "runtime/mcp/render.h"
#include "schemas/facade/next_action.h"
#include "tools/server/answers/error_text.h"
#include "tools/server/answers/host_text.h"
#include "tools/server/answers/outline.h"
#include "tools/server/answers/text_limit.h"

namespace snapgen::tools {
namespace {

// Members about the connection to the browser, which a model does not need.
constexpr std::array<std::string_view, 5> transport_members = {"attempts", "message_id", "payload",
                                                               "round_trip_ms", "status"};

// Each of the next functions takes the output of a tool as JSON, which was written once for the outline.

// Returns the summary, the other members, and the proposed calls of a facade tool.
std::string facade_text(std::string_view json, std::string_view summary) {
  std::string_view data;
  std::vector<NextAction> actions;
  const auto read_actions = [&](json::Reader& list) { json::read(list, actions); };
  json::Reader in(json);
  json::read_members(in, "data", data, "next_actions", read_actions);
  std::string text(summary);
  if (!text.empty()) text += "\n";
  append_outline(text, data, {}, summary);
  return visible(text + next_actions_text(actions));
}

// Returns the answer of the browser or of the bridge.
std::string bridge_text(std::string_view json) {
  std::string text;
  append_outline(text, json, transport_members);
  append_outline(text, json::member_json(json, "payload"));
  return visible(std::move(text));
}

// Returns all of the output, whatever its schema.
std::string plain_text(std::string_view json) {
  std::string text;
  append_outline(text, json);
  return visible(text.empty() ? std::string(json) : std::move(text));
}

// There is no limit if the call itself sets a maximum length.
template <class Input>
TextLimit limit_of(const HostTraits& host, const Input& in) {
  if constexpr (requires { in.max_bytes.has_value(); })
    if (in.max_bytes) return {};
  return TextLimit(host);
}

// Calls `use` with the input and the output if they have these types. Returns whether they do.
template <class Input, class Output, class Use>
bool use_if(const mcp::TypedAnswer& answer, const Use& use) {
  const Input* const in = answer.input_as<Input>();
  Output* const out = answer.output_as<Output>();
  if (in == nullptr || out == nullptr) return false;
  use(*in, *out);
  return true;
}

// Calls `use` with the typed input and output of a tool that has a host_text(). Returns whether it has one.
template <class Use>
bool use_typed(const mcp::TypedAnswer& answer, const Use& use) {
  return use_if<SnapshotFileInput, SnapshotFileOutput>(answer, use) ||
         use_if<SnapshotGrepInput, SnapshotGrepOutput>(answer, use) ||
         use_if<SnapshotListInput, SnapshotListOutput>(answer, use) ||
         use_if<SnapshotDiffInput, SnapshotDiffOutput>(answer, use) ||
         use_if<SnapshotChangesInput, SnapshotChangesOutput>(answer, use) ||
         use_if<SnapshotCreateInput, SnapshotCreateOutput>(answer, use) ||
         use_if<SnapshotInfoInput, SnapshotInfoOutput>(answer, use) ||
         use_if<SnapshotExportInput, SnapshotExportOutput>(answer, use) ||
         use_if<WorkspaceApplyPatchInput, WorkspaceApplyPatchOutput>(answer, use) ||
         use_if<WorkspaceEditInput, WorkspaceEditOutput>(answer, use) ||
         use_if<WorkspaceWriteFileInput, WorkspaceWriteFileOutput>(answer, use) ||
         use_if<WorkspaceDeleteInput, WorkspaceDeleteOutput>(answer, use) ||
         use_if<HistoryListInput, HistoryListOutput>(answer, use) ||
         use_if<HistoryRewindInput, HistoryRewindOutput>(answer, use) ||
         use_if<HistoryUndoInput, HistoryUndoOutput>(answer, use);
}

}  // namespace

std::optional<AnswerChoice> answer_choice_named(std::string_view name) {
  if (name == "auto") return AnswerChoice::by_host;
  if (name == "json") return AnswerChoice::json;
  if (name == "text") return AnswerChoice::text;
  return std::nullopt;
}

HostTraits traits_for(std::string_view client, AnswerChoice choice) {
  HostTraits host = host_traits(client);
  if (choice == AnswerChoice::json) {
    host.answer_form = AnswerForm::json;
    host.omitted_members = {};
  }
  if (choice == AnswerChoice::text) host.answer_form = AnswerForm::text;
  return host;
}

mcp::OutputSchemaForm output_schema_form_for(const HostTraits& host) {
  if (host.answer_form == AnswerForm::text) return {.detail = mcp::OutputSchemaDetail::none};
  if (!host.reads_output_schema) return {.detail = mcp::OutputSchemaDetail::brief};
  return {.detail = mcp::OutputSchemaDetail::merged, .omitted_members = host.omitted_members};
}

std::optional<std::size_t> HostRenderer::shown_bytes_max() const {
  if (host_.shown_bytes_max == 0) return std::nullopt;
  return std::max<std::size_t>(TextLimit(host_).bytes(), 1);
}

std::string HostRenderer::text_of_output(const mcp::TypedAnswer& answer) const {
  std::string text;
  const auto write_text = [&](const auto& in, auto& out) {
    text = host_text(in, out, {.limit = limit_of(host_, in), .summary = answer.summary()});
  };
  if (use_typed(answer, write_text)) return text;
  if (tool_.family == "facade") return facade_text(answer.json(), answer.summary());
  return tool_.family == "bridge" ? bridge_text(answer.json()) : plain_text(answer.json());
}

// If something is omitted, the summary and the links are too: they are about the whole output.
void HostRenderer::append_json(const mcp::TypedAnswer& answer, std::string& result) const {
  bool is_cut = false;
  const auto cut = [&](const auto& in, auto& out) {
    if constexpr (requires { fit_to_limit(in, out, TextLimit()); })
      is_cut = fit_to_limit(in, out, limit_of(host_, in));
  };
  use_typed(answer, cut);
  std::string json = answer.json();
  if (!host_.omitted_members.empty()) {
    // The generated writer writes all members, so these are taken out of its JSON.
    std::string rest = json::without_members(json, host_.omitted_members);
    is_cut = is_cut || rest.size() != json.size();
    json = std::move(rest);
  }
  if (is_cut)
    mcp::append_text_and_structured(result, json);
  else
    mcp::append_text_and_structured(result, json, answer.summary(), answer.links());
}

void HostRenderer::append_output(const mcp::TypedAnswer& answer, std::string& result) {
  if (shows_text()) return append_text(text_of_output(answer), result);
  append_json(answer, result);
}

void HostRenderer::append_structured(std::string_view structured, std::string& result) {
  if (shows_text()) return append_text(plain_text(structured), result);
  if (host_.omitted_members.empty()) return mcp::append_text_and_structured(result, structured);
  mcp::append_text_and_structured(result, json::without_members(structured, host_.omitted_members));
}

void HostRenderer::append_error(const Error& error, mcp::ErrorWriter write_error, std::string& result) {
  if (!shows_text()) return AnswerRenderer::append_error(error, write_error, result);
  mcp::append_error(result, error_text(tool_, error, write_error));
}

}  // namespace snapgen::tools
