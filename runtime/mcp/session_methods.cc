// The part of Session that implements each method except tools/call.
#include <algorithm>
#include <string>
#include <utility>
#include <variant>

#include "runtime/base/sentences.h"
#include "runtime/json/reader.h"
#include "runtime/json/values.h"
#include "runtime/json/writer.h"
#include "runtime/mcp/page.h"
#include "runtime/mcp/quoted_name.h"
#include "runtime/mcp/session.h"
#include "schemas/mcp/initialize_params.h"
#include "schemas/mcp/listen_params.h"
#include "schemas/mcp/paginated_params.h"
#include "schemas/mcp/read_directory_params.h"
#include "schemas/mcp/read_resource_params.h"
#include "schemas/mcp/set_level_params.h"
#include "schemas/mcp/task_params.h"

namespace snapgen::mcp {

namespace {

// Every PendingRequest has a tool. This is that of requests other than tools/call.
constexpr Tool no_tool{};

// Returns the members of a struct, without the braces.
template <class T>
std::string members_of(const T& value) {
  std::string out = json::to_json(value);
  out.pop_back();
  out.erase(0, 1);
  return out;
}

// Returns the files and folders directly in a folder that a skill's file is in, as resources. Each file has
// the members of its entry in `listed`. Empty if there is no such folder.
std::vector<Resource> children_of(std::string_view folder, const std::vector<Skill>& skills,
                                  const std::vector<Resource>& listed) {
  std::vector<Resource> out;
  for (const Skill& skill : skills) {
    const std::string_view root = std::string_view(skill.uri).substr(0, skill.uri.rfind('/'));
    if (folder != root && !folder.starts_with(std::string(root) + "/")) continue;
    for (const SkillFile& file : skill.resources) {
      if (!file.uri.starts_with(std::string(folder) + "/")) continue;
      const std::size_t end = file.uri.find('/', folder.size() + 1);
      Resource child;
      child.uri = file.uri.substr(0, end);
      child.name = child.uri.substr(folder.size() + 1);
      if (end != std::string::npos) child.mime_type = "inode/directory";
      const auto known = std::ranges::find(listed, child.uri, &Resource::uri);
      if (known != listed.end()) child = *known;
      if (std::ranges::find(out, child.uri, &Resource::uri) == out.end()) out.push_back(std::move(child));
    }
  }
  return out;
}

}  // namespace

template <class T>
bool Session::read_params(const Request& request, T& out) {
  json::Reader in(message_.params);
  read(in, out);
  if (in.ok()) return true;
  send_violation(request, in.violations().front());
  return false;
}

template bool Session::read_params(const Request&, TaskParams&);  // Used by session_tasks.cc.

template <class T>
void Session::answer_list(const Request& request, std::string_view member, const std::vector<T>& values) {
  PaginatedParams params;
  if (!read_params(request, params)) return;
  send_page(request, member, values, params.cursor.value_or(""));
}

template <class T>
void Session::send_page(const Request& request, std::string_view member, const std::vector<T>& values,
                        std::string_view cursor) {
  std::vector<std::string> texts;
  for (const T& value : values) texts.push_back(json::to_json(value));
  const std::vector<std::string_view> entries(texts.begin(), texts.end());
  const std::optional<std::size_t> begin = page_begin(cursor, entries);
  if (!begin) return send_invalid_params(request, unknown_cursor_sentence);
  send_cacheable_result(request, page_members(member, entries, *begin, server_.parts_.options.page_size));
}

void Session::initialize(const Request& request) {
  if (request.batch)
    return outbox_.send_error(request.reply_to, RpcCode::invalid_request,
                              "An initialize request must not be part of a batch.");
  // Invalid params do not fail the request: the answer still contains the server's version. Only a duplicate
  // member is an error, because it is ambiguous.
  InitializeParams params;
  json::Reader in(message_.params);
  read(in, params);
  for (const json::Violation& each : in.violations())
    if (each.keyword == "duplicate") return send_violation(request, each);
  legacy_revision_ = negotiated_revision(params.protocol_version.value_or(""));
  legacy_client_abilities_ = abilities_of(params.capabilities, *legacy_revision_);
  legacy_client_name_ = params.client_info ? params.client_info->name : std::string();
  std::string members = "\"capabilities\":" + server_.capabilities_;
  const std::string& instructions = server_.parts_.instructions;
  if (!instructions.empty()) members += ",\"instructions\":" + json::quoted(instructions);
  members.append(",\"protocolVersion\":\"").append(text(*legacy_revision_)).append("\"");
  members.append(",\"serverInfo\":").append(server_.implementation_);
  send_result({.revision = *legacy_revision_, .batch = request.batch, .reply_to = request.reply_to}, members);
}

void Session::set_level(const Request& request) {
  if (!server_.parts_.options.logging) return send_unknown_method(request);
  SetLevelParams params;
  if (!read_params(request, params)) return;
  log_level_ = static_cast<LogLevel>(params.level);
  send_empty_result(request);
}

void Session::listen(const Request& request) {
  ListenParams params;
  if (!read_params(request, params)) return;
  if (clients_ == ClientCount::one && subscriptions_.size() >= limits_.subscriptions_max)
    return outbox_.send_error(request.reply_to, RpcCode::internal_error,
                              "There are " + std::to_string(limits_.subscriptions_max) +
                                  " subscriptions, which is the limit. End one first.");
  const SubscriptionFilter& filter = params.notifications;
  const Server::Parts& parts = server_.parts_;
  SubscriptionFilter granted;
  if (filter.tools_list_changed && parts.tools && parts.options.announced.tools)
    granted.tools_list_changed = filter.tools_list_changed;
  if (filter.prompts_list_changed && parts.prompts && parts.options.announced.prompts)
    granted.prompts_list_changed = filter.prompts_list_changed;
  if (filter.resources_list_changed && parts.resources && parts.options.announced.resources)
    granted.resources_list_changed = filter.resources_list_changed;
  if (filter.resource_subscriptions && parts.resources && parts.resources->announces_changes()) {
    begin_subscribing(request);
    granted.resource_subscriptions = filter.resource_subscriptions;
  }
  if (filter.task_ids && server_.tasks_ && abilities(request.revision).tasks)
    granted.task_ids = filter.task_ids;
  subscriptions_.open(request.reply_to, std::move(granted));
}

void Session::begin_subscribing(const Request& request) {
  PendingRequest& pending = begin_request(request, no_tool);
  server_.parts_.resources->on_subscribe(pending.call());
  pending_requests_.recycle(pending);
}

void Session::subscribe(const Request& request, bool on) {
  const ResourceSet* resources = server_.parts_.resources;
  if (!resources || !resources->announces_changes()) return send_unknown_method(request);
  ReadResourceParams params;
  if (!read_params(request, params)) return;
  if (on && subscriptions_.watched_count() >= limits_.subscribed_resources_max)
    return send_invalid_params(request,
                               "There are " + std::to_string(limits_.subscribed_resources_max) +
                                   " subscriptions, which is the limit. Unsubscribe from others first.");
  if (on) begin_subscribing(request);
  if (on) subscriptions_.watch_resource(std::move(params.uri));
  if (!on) subscriptions_.unwatch_resource(params.uri);
  send_empty_result(request);
}

void Session::list_tools(const Request& request) {
  if (!server_.parts_.tools) return answer_undeclared_list(request, "tools");
  PaginatedParams params;
  if (!read_params(request, params)) return;
  const auto& schemas_for = server_.parts_.options.output_schema_form;
  const OutputSchemaForm schemas =
      schemas_for ? schemas_for(client_name(request.revision)) : OutputSchemaForm();
  const std::optional<std::string_view> page =
      server_.catalog_.page(listing_form(request.revision), schemas, params.cursor.value_or(""));
  if (!page) return send_invalid_params(request, unknown_cursor_sentence);
  send_cacheable_result(request, *page);
}

void Session::list_resources(const Request& request) {
  ResourceSet* resources = server_.parts_.resources;
  if (!resources) return answer_undeclared_list(request, "resources");
  answer_list(request, "resources", resources->resources());
}

void Session::list_resource_templates(const Request& request) {
  ResourceSet* resources = server_.parts_.resources;
  if (!resources) return answer_undeclared_list(request, "resourceTemplates");
  answer_list(request, "resourceTemplates", resources->templates());
}

void Session::read_resource(const Request& request) {
  if (!server_.parts_.resources) return send_unknown_method(request);
  ReadResourceParams params;
  if (!read_params(request, params)) return;
  PendingRequest& pending = begin_request(request, no_tool);
  if (!is_modern(request.revision)) pending.not_found_code = RpcCode::resource_not_found;
  start_handler(pending, read_resource_task(pending, std::move(params.uri)));
}

Task<Unit> Session::read_resource_task(PendingRequest& pending, std::string uri) {
  Task<ReadResourceResult> reading = server_.parts_.resources->read(pending.call(), uri);
  Result<ReadResourceResult> outcome = co_await std::move(reading);
  const bool missing = outcome ? outcome->contents.empty() : outcome.error().code == ErrorCode::not_found;
  if (missing) {
    const std::string sentence =
        outcome ? "Unknown resource. resources/list returns the known ones." : outcome.error().message;
    co_return Error(ErrorCode::not_found, sentence, ErrorDetails().add("uri", uri));
  }
  ReadResourceResult found = co_await outcome;
  if (is_modern(pending.call().revision())) pending.result_members = server_.cache_hint_members_;
  pending.result_members += members_of(found);
  co_return Unit{};
}

void Session::list_skills(const Request& request) {
  if (!server_.has_skills()) return send_unknown_method(request);
  answer_list(request, "skills", server_.parts_.resources->skills());
}

void Session::get_skill(const Request& request) {
  if (!server_.has_skills()) return send_unknown_method(request);
  ReadResourceParams params;
  if (!read_params(request, params)) return;
  for (const Skill& skill : server_.parts_.resources->skills())
    if (skill.uri == params.uri) return send_cacheable_result(request, "\"skill\":" + json::to_json(skill));
  send_invalid_params(request, "There is no skill " + quoted_name(params.uri) + ". skills/list returns all.");
}

void Session::read_directory(const Request& request) {
  if (!server_.has_skills()) return send_unknown_method(request);
  ReadDirectoryParams params;
  if (!read_params(request, params)) return;
  ResourceSet& resources = *server_.parts_.resources;
  const std::vector<Resource> children = children_of(params.uri, resources.skills(), resources.resources());
  if (children.empty())
    return send_invalid_params(request,
                               "There is no folder " + quoted_name(params.uri) +
                                   ". A skill's folder is the URI of its SKILL.md without /SKILL.md.");
  send_page(request, "resources", children, params.cursor.value_or(""));
}

void Session::list_prompts(const Request& request) {
  PromptSet* prompts = server_.parts_.prompts;
  if (!prompts) return answer_undeclared_list(request, "prompts");
  answer_list(request, "prompts", prompts->prompts());
}

void Session::get_prompt(const Request& request) {
  if (!server_.parts_.prompts) return send_unknown_method(request);
  GetPromptParams params;
  if (!read_params(request, params)) return;
  PendingRequest& pending = begin_request(request, no_tool);
  start_handler(pending, get_prompt_task(pending, std::move(params)));
}

Task<Unit> Session::get_prompt_task(PendingRequest& pending, GetPromptParams params) {
  Task<GetPromptResult> getting = server_.parts_.prompts->get(pending.call(), std::move(params));
  Result<GetPromptResult> outcome = co_await std::move(getting);
  GetPromptResult prompt = co_await outcome;
  pending.result_members = members_of(prompt);
  co_return Unit{};
}

void Session::complete(const Request& request) {
  const Server::Parts& parts = server_.parts_;
  const bool of_prompts = parts.prompts && parts.prompts->has_completions();
  const bool of_resources = parts.resources && parts.resources->has_completions();
  if (!of_prompts && !of_resources) return send_unknown_method(request);
  CompleteParams params;
  if (!read_params(request, params)) return;
  PendingRequest& pending = begin_request(request, no_tool);
  start_handler(pending, answer_completion(pending, std::move(params)));
}

Task<Unit> Session::answer_completion(PendingRequest& pending, CompleteParams params) {
  const Server::Parts& parts = server_.parts_;
  Completion completion;
  if (std::holds_alternative<PromptReference>(params.ref)) {
    if (parts.prompts && parts.prompts->has_completions()) {
      Task<Completion> completing = parts.prompts->complete(pending.call(), params);
      Result<Completion> outcome = co_await std::move(completing);
      completion = co_await outcome;
    }
  } else if (parts.resources && parts.resources->has_completions()) {
    Task<Completion> completing = parts.resources->complete(pending.call(), params);
    Result<Completion> outcome = co_await std::move(completing);
    completion = co_await outcome;
  }
  constexpr std::size_t values_max = 100;
  if (completion.values.size() > values_max) {
    if (!completion.total) completion.total = static_cast<std::int64_t>(completion.values.size());
    completion.values.resize(values_max);
    completion.has_more = true;
  }
  pending.result_members = "\"completion\":" + json::to_json(completion);
  co_return Unit{};
}

}  // namespace snapgen::mcp
