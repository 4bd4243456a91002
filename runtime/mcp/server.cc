#include "runtime/mcp/server.h"

#include <algorithm>
#include <cassert>
#include <set>

#include "runtime/json/values.h"
#include "runtime/json/writer.h"
#include "runtime/mcp/session.h"
#include "runtime/mcp/tasks.h"

namespace snapgen::mcp {

namespace {

std::string capabilities_of(const Server::Parts& parts, bool has_tools) {
  const AnnouncedLists& announced = parts.options.announced;
  std::string out = "{";
  const auto add = [&](std::string_view name, std::string_view value) {
    if (out.size() > 1) out += ',';
    out.append("\"").append(name).append("\":").append(value);
  };
  const bool completes = (parts.prompts && parts.prompts->has_completions()) ||
                         (parts.resources && parts.resources->has_completions());
  const std::string_view changes = "{\"listChanged\":true}";
  if (completes) add("completions", "{}");
  if (parts.options.logging) add("logging", "{}");
  if (parts.prompts) add("prompts", announced.prompts ? changes : "{}");
  if (parts.resources) {
    const bool each = parts.resources->announces_changes();
    if (each)
      add("resources",
          announced.resources ? "{\"listChanged\":true,\"subscribe\":true}" : "{\"subscribe\":true}");
    if (!each) add("resources", announced.resources ? changes : "{}");
  }
  if (has_tools) add("tools", announced.tools ? changes : "{}");
  return out + "}";
}

// Adds the extensions to the capabilities for modern clients; legacy clients do not know extensions.
std::string modern_capabilities(const std::string& legacy, bool has_tasks, bool has_skills) {
  std::string members;
  if (has_skills) members += "\"io.modelcontextprotocol/skills\":{\"directoryRead\":true}";
  if (has_tasks) members.append(members.empty() ? "\"" : ",\"").append(tasks_extension).append("\":{}");
  if (members.empty()) return legacy;
  constexpr std::string_view completions = "{\"completions\":{}";
  std::string out = legacy;
  std::size_t at = out.starts_with(completions) ? completions.size() : 1;
  const std::string extensions = "\"extensions\":{" + members + "}";
  return out.insert(at, at == 1 ? extensions + "," : "," + extensions);
}

std::string names_of_modern_revisions() {
  std::string out = "[";
  for (const Revision revision : modern_revisions) {
    if (out.size() > 1) out += ',';
    out.append("\"").append(text(revision)).append("\"");
  }
  return out + "]";
}

}  // namespace

Server::Server(Parts parts)
    : parts_(std::move(parts)),
      catalog_(parts_.tools, parts_.options.spelling, parts_.options.page_size, parts_.options.renamed,
               parts_.options.profile),
      capabilities_(capabilities_of(parts_, parts_.tools != nullptr)),
      implementation_(json::to_json(parts_.info)),
      supported_revisions_(names_of_modern_revisions()) {
  const Options& options = parts_.options;
  const std::string meta =
      ",\"jsonrpc\":\"2.0\",\"result\":{\"_meta\":{\"io.modelcontextprotocol/serverInfo\":";
  modern_result_prefix_ = meta + implementation_ + "},\"resultType\":\"complete\",";
  subscription_end_prefix_ = meta + implementation_ + ",";
  input_required_prefix_ = meta + implementation_ + "},";
  cache_hint_members_ = "\"cacheScope\":\"private\",\"ttlMs\":" + std::to_string(options.ttl_ms) + ",";
  has_tasks_ = parts_.tools && std::ranges::any_of(parts_.tools->all(), [](const Tool& tool) {
                 return tool.task != TaskUse::never;
               });
  discover_members_ = cache_hint_members_ +
                      "\"capabilities\":" + modern_capabilities(capabilities_, has_tasks_, has_skills());
  if (!parts_.instructions.empty())
    discover_members_ += ",\"instructions\":" + json::quoted(parts_.instructions);
  discover_members_ += ",\"supportedVersions\":" + supported_revisions_;
}

Server::~Server() { assert(sessions_.empty() && "a server is destroyed after its connections"); }

void Server::announce_list_changed(ListKind change, bool is_announced) {
  if (!is_announced) return;
  for (Session* session : sessions_) session->announce_list_changed(change);
}

void Server::announce_resource_changed(std::string_view uri) {
  if (!parts_.resources || !parts_.resources->announces_changes()) return;
  for (Session* session : sessions_) session->subscriptions().announce_resource_changed(uri);
}

void Server::ensure_tasks(Loop& loop) {
  if (!has_tasks_ || tasks_) return;
  const auto changed = [this](std::string_view id, std::string_view members) {
    for (Session* session : sessions_) session->subscriptions().announce_task_changed(id, members);
  };
  tasks_ = std::make_unique<Tasks>(loop, parts_.options.limits, *parts_.tools, changed);
}

void Server::report_subscribed() {
  if (!parts_.resources || !parts_.resources->announces_changes()) return;
  std::set<std::string> uris;
  for (Session* session : sessions_) session->subscriptions().collect_watched_uris(uris);
  parts_.resources->on_subscriptions_changed(uris);
}

Task<Unit> serve(Loop& loop, Channel& channel, Server& server, std::stop_token stop) {
  return Session::serve(loop, channel, server, std::move(stop), ClientCount::one);
}

Task<Unit> serve_stateless(Loop& loop, Channel& channel, Server& server, std::stop_token stop) {
  return Session::serve(loop, channel, server, std::move(stop), ClientCount::many);
}

}  // namespace snapgen::mcp
