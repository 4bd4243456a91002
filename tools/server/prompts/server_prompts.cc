#include "tools/server/prompts/server_prompts.h"

#include <algorithm>
#include <array>
#include <utility>

#include "tools/engine/base/utc.h"
#include "tools/engine/store/snapshots/snapshot_store.h"
#include "tools/engine/workspace/workspace_parts.h"
#include "tools/server/prompts/prompt_texts.h"
#include "tools/server/resources/completions.h"
#include "tools/server/resources/route.h"
#include "tools/server/trees/served_trees.h"
#include "tools/server/trees/tree_chooser.h"

namespace snapgen::tools {
namespace {

// Suggested values of the argument `focus` of a review. Any other value is valid, too.
constexpr std::array<std::string_view, 5> focuses = {"security", "errors", "speed", "tests", "style"};

const PromptKind* find_kind(std::string_view name) {
  const std::span<const PromptKind> kinds = prompt_kinds();
  const auto found = std::ranges::find(kinds, name, &PromptKind::name);
  return found == kinds.end() ? nullptr : &*found;
}

bool is_offered(const PromptKind& kind, const mcp::Server& server) {
  const auto is_listed = [&](std::string_view tool) { return !server.listed_name(tool).empty(); };
  return kind.needed_tools.empty() || std::ranges::any_of(kind.needed_tools, is_listed);
}

Error unknown_prompt(const std::string& name) {
  return Error(ErrorCode::not_found, "Unknown prompt " + name + ". prompts/list returns the known ones.");
}

// Describes a snapshot in words. Errors: as SnapshotStore::load().
Result<PromptSnapshot> prompt_snapshot(App& app, const std::string& id) {
  core::Workspace* workspace = TRY(app.workspace());
  core::SnapshotStore& store = snapshots_of(*workspace);
  std::shared_ptr<const core::Snapshot> snapshot = TRY(store.load(id));
  PromptSnapshot out{.id = snapshot->alias(), .about = snapshot->alias()};
  const std::optional<core::SnapshotNote> note = store.note(snapshot->hex);
  if (!note) return out;
  out.about += " (" + std::to_string(note->stats.file_count) + " files, " + core::iso_time(note->latest_ms);
  if (!note->message.empty()) out.about += ", \"" + note->message + "\"";
  out.about += ")";
  return out;
}

mcp::PromptMessage said_by_user(mcp::ContentBlock content) {
  mcp::PromptMessage message;
  message.content = std::move(content);
  return message;
}

mcp::ContentBlock link_to(const ResourceRoute& route) {
  mcp::ResourceLink link;
  link.uri = route.uri;
  link.name = route.name;
  link.title = route.title;
  link.description = route.description;
  link.mime_type = route.mime_type;
  return link;
}

Result<std::vector<std::string>> complete_argument(App& app, const std::string& name,
                                                   const std::string& typed, const std::string& snapshot_id,
                                                   const std::stop_token& stop) {
  if (name == "snapshot_id") return complete_snapshot(app, typed);
  if (name == "files") return complete_paths(app, {}, typed, stop);
  return complete_paths(app, snapshot_id, typed, stop);
}

// Returns whether the completions of this argument depend on the work tree.
bool depends_on_tree(std::string_view argument) {
  return argument == "snapshot_id" || argument == "files" || argument == "paths";
}

}  // namespace

std::vector<mcp::Prompt> ServerPrompts::prompts() {
  std::vector<mcp::Prompt> out;
  for (const PromptKind& kind : prompt_kinds()) {
    if (!is_offered(kind, *server_)) continue;
    mcp::Prompt& prompt = out.emplace_back();
    prompt.name = kind.name;
    prompt.title = kind.title;
    prompt.description = kind.description;
    std::vector<mcp::PromptArgument>& arguments = prompt.arguments.emplace();
    for (const PromptParameter& parameter : kind.parameters) {
      mcp::PromptArgument& argument = arguments.emplace_back();
      argument.name = parameter.name;
      argument.description = parameter.description;
      argument.required = parameter.required;
    }
  }
  return out;
}

Task<mcp::GetPromptResult> ServerPrompts::get(mcp::Context& context, mcp::GetPromptParams params) {
  const PromptKind* kind = find_kind(params.name);
  if (!kind || !is_offered(*kind, *server_)) co_return unknown_prompt(params.name);
  PromptArguments given;
  if (params.arguments) given = *params.arguments;
  for (const PromptParameter& parameter : kind->parameters) {
    const auto value = given.find(std::string(parameter.name));
    if (parameter.required && (value == given.end() || value->second.empty()))
      co_return Error(ErrorCode::invalid_argument, "The argument " + std::string(parameter.name) +
                                                       " is missing: " + std::string(parameter.description));
  }
  for (const auto& [name, value] : given)
    if (std::ranges::find(kind->parameters, name, &PromptParameter::name) == kind->parameters.end())
      co_return Error(ErrorCode::invalid_argument, "The prompt " + params.name + " has no argument " + name +
                                                       ". prompts/list returns its arguments.");
  std::optional<PromptSnapshot> snapshot;
  const auto id = given.find("snapshot_id");
  if (id != given.end() && !id->second.empty()) {
    Task<ChosenTree> choosing = chooser_.choose(context, {});
    Result<ChosenTree> chosen = co_await std::move(choosing);
    const ChosenTree tree = co_await chosen;
    auto job = [&] { return prompt_snapshot(tree->app(), id->second); };
    Result<PromptSnapshot> outcome = co_await context.offload(job);
    if (!outcome) co_return Error(ErrorCode::invalid_argument, outcome.error().message);
    snapshot = *std::move(outcome);
  }
  mcp::TextContent text;
  text.text = kind->write(*server_, given, snapshot ? &*snapshot : nullptr);
  mcp::GetPromptResult result;
  result.description = kind->description;
  result.messages.push_back(said_by_user(std::move(text)));
  const ResourceRoute* resource = route_of(kind->resource);
  if (resource) result.messages.push_back(said_by_user(link_to(*resource)));
  co_return result;
}

Task<mcp::Completion> ServerPrompts::complete(mcp::Context& context, const mcp::CompleteParams& params) {
  const std::string& name = std::get<mcp::PromptReference>(params.ref).name;
  const PromptKind* kind = find_kind(name);
  if (!kind || !is_offered(*kind, *server_)) co_return unknown_prompt(name);
  if (std::ranges::find(kind->parameters, params.argument.name, &PromptParameter::name) ==
      kind->parameters.end())
    co_return Error(ErrorCode::not_found, "The prompt " + name + " has no argument " + params.argument.name +
                                              ". prompts/list returns its arguments.");
  mcp::Completion completion;
  if (!depends_on_tree(params.argument.name)) {
    if (params.argument.name == "focus")
      for (const std::string_view focus : focuses)
        if (focus.starts_with(params.argument.value)) completion.values.emplace_back(focus);
    co_return completion;
  }
  const std::string snapshot_id = other_argument(params, "snapshot_id");
  Task<ChosenTree> choosing = chooser_.choose(context, {});
  Result<ChosenTree> chosen = co_await std::move(choosing);
  const ChosenTree tree = co_await chosen;
  auto job = [&] {
    return complete_argument(tree->app(), params.argument.name, params.argument.value, snapshot_id,
                             context.stop());
  };
  Result<std::vector<std::string>> outcome = co_await context.offload(job);
  completion.values = co_await outcome;
  co_return completion;
}

}  // namespace snapgen::tools
