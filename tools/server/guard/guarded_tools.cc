#include "tools/server/guard/guarded_tools.h"

#include <algorithm>
#include <chrono>

#include "runtime/base/text.h"
#include "runtime/json/reader.h"
#include "runtime/json/writer.h"
#include "runtime/mcp/catalog.h"
#include "runtime/mcp/render.h"
#include "tools/app/error_with_hint.h"
#include "tools/app/next_actions.h"
#include "tools/engine/base/random.h"
#include "tools/engine/base/redact.h"
#include "tools/engine/base/utc.h"
#include "tools/engine/files/path.h"
#include "tools/server/answers/error_text.h"
#include "tools/server/guard/helpful_calls.h"
#include "tools/server/trees/relative_paths.h"
#include "tools/server/trees/served_trees.h"
#include "tools/server/trees/tree_chooser.h"

namespace snapgen::tools {
namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::string_view family_with_ids = "facade";
constexpr std::string_view family_of_browsers = "bridge";

// A log line of a facade tool creates the log folder; other lines are only written if it exists.
core::LogFolder log_folder(const mcp::Tool& tool) {
  return tool.family == family_with_ids ? core::LogFolder::create_if_missing
                                        : core::LogFolder::only_if_exists;
}

// Adds the calls that help after this failure to its details, unless the handler has named some.
void add_helpful_calls(Error& error, App& app, const mcp::Tool& tool, std::string_view arguments) {
  if (error.details.find(next_actions_key) == nullptr)
    add_next_actions(error.details, helpful_calls(app, {tool, error, arguments}));
}

std::string log_begin(std::string_view id, std::string_view tool) {
  std::string line = "{\"at\":";
  json::Writer out(line);
  out.string(core::iso_time(core::now_ms()));
  out.text(",\"id\":");
  out.string(id);
  out.text(",\"tool\":");
  out.string(tool);
  return line;
}

std::string error_line(const mcp::Tool& tool, std::string_view id, const Error& error) {
  std::string line = log_begin(id, tool.name);
  json::Writer out(line);
  out.text(",\"code\":");
  out.string(error_code_text(tool, error));
  out.text(",\"message\":");
  out.string(core::redact(error.message));
  if (!error.cause.empty()) {
    out.text(",\"cause\":");
    out.string(core::redact(error.cause));
  }
  out.text("}");
  return line;
}

void log_error(App& app, const mcp::Tool& tool, std::string_view id, const Error& error) {
  std::string line = error_line(tool, id, error);
  // Attempts to use forbidden paths or tiers are also logged in the security log.
  if (error.code == ErrorCode::permission_denied || error.cause == core::outside_workspace_cause)
    app.log_writer.add(core::LogKind::security, line, log_folder(tool));
  app.log_writer.add(core::LogKind::errors, std::move(line), log_folder(tool));
}

// Returns the error of a call whose client has no work tree. `error` has the reason.
Error without_tree(const Error& error) {
  const std::string_view hint = error.cause == unreachable_workspace_cause
                                    ? "Restart the server in that workspace, or start it with --no-confine."
                                    : "Name the workspace with --workspace DIR or SNAPBACK_WORKSPACE_ROOT or "
                                      "as a root of the client, or start the server in it.";
  return error_with_hint(error.code, "WORKSPACE_INVALID", error.message, hint, error.details);
}

// Returns the error of a call of a tool that only the settings of another tree define.
Error of_another_tree(const mcp::Tool& tool) {
  return error_with_hint(ErrorCode::not_found, "WORKSPACE_INVALID",
                         std::string(tool.name) + " is defined by the settings of another workspace.",
                         "Call it from a client that works there.");
}

// CallLog logs one call and its failures, and adds the id of the log line to errors.
class CallLog final : public mcp::ErrorRewriter {
 public:
  CallLog(App& app, const mcp::Tool& tool, std::string_view arguments, std::string id)
      : app_(app), tool_(tool), id_(std::move(id)) {
    // Copies the arguments, because their buffer may be reused before the call fails.
    if (tool.family == family_with_ids && arguments.size() <= repeated_bytes_max) arguments_ = arguments;
  }

  Error rewrite(Error error) override {
    failed_ = true;
    log_error(app_, tool_, id_, error);
    // Errors of other families have no ids, so that equal states give equal bytes.
    if (tool_.family == family_with_ids) {
      error.details.add("correlation_id", id_);
      add_helpful_calls(error, app_, tool_, arguments_);
    }
    return error;
  }

  void note(const Error& error) override {
    app_.log_writer.add(core::LogKind::security, error_line(tool_, id_, error), log_folder(tool_));
  }

  void finished(bool cancelled, SteadyClock::duration took) const {
    std::string line = log_begin(id_, tool_.name);
    const auto us = std::chrono::duration_cast<std::chrono::microseconds>(took).count();
    line += cancelled ? ",\"outcome\":\"cancelled\""
            : failed_ ? ",\"outcome\":\"error\""
                      : ",\"outcome\":\"ok\"";
    line += ",\"us\":" + std::to_string(us) + "}";
    app_.log_writer.add(core::LogKind::calls, std::move(line), log_folder(tool_));
  }

 private:
  App& app_;
  const mcp::Tool& tool_;
  const std::string id_;
  std::string arguments_;  // A copy of the arguments; empty if they are too long to propose.
  bool failed_ = false;
};

}  // namespace

GuardedTools::GuardedTools(ServedTrees& trees, TreeChooser& chooser, const GuardOptions& options)
    : trees_(trees),
      chooser_(chooser),
      tools_(trees.start_tree()->tools()),
      profiles_(tools_.profiles().begin(), tools_.profiles().end()),
      answers_(options.answers),
      has_bridge_(options.has_bridge),
      has_tiers_(options.has_tiers),
      id_prefix_("call_" + core::random_name(8) + "_") {
  add_profile(std::string(default_profile), std::vector<bool>(tools_.all().size(), true));
  for (const auto& [name, profile] : options.profiles) add(name, profile);
  for (const mcp::Tool& tool : tools_.all()) {
    const std::size_t limits = tool.rate_per_minute > 0 ? tool.rate_values.size() + 1 : 0;
    buckets_.emplace_back(limits, core::TokenBucket(tool.rate_per_minute, tool.rate_burst));
  }
}

void GuardedTools::add(const std::string& name, const ProfileSettings& profile) {
  const std::span<const mcp::Tool> all = tools_.all();
  std::vector<bool> chosen(all.size());
  const std::string location = ".snapback/config.json: /profiles/" + name;
  const auto taken = [&](const mcp::Profile& each) { return each.name == name; };
  if (std::ranges::any_of(profiles_, taken))
    faults_.push_back(location + ": the server has a profile of this name itself.");
  std::vector<std::string_view> families;
  std::vector<const mcp::Tool*> known;
  for (const mcp::Tool& each : all) {
    families.push_back(each.family);
    known.push_back(&each);
  }
  const auto unknown = [&](const std::string& what, const std::string& wrong,
                           std::optional<std::string_view> meant) {
    faults_.push_back(location + ": there is no " + what + " " + json::quoted(wrong) + "." +
                      (meant ? " Did you mean " + json::quoted(*meant) + "?" : ""));
  };
  for (const std::string& family : profile.families.value_or(std::vector<std::string>())) {
    bool found = false;
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].family != family) continue;
      chosen[i] = found = true;
    }
    if (!found) unknown("family", family, nearest_name(family, families));
  }
  for (const std::string& each : profile.tools.value_or(std::vector<std::string>())) {
    const mcp::Tool* tool = tools_.find(each);
    if (tool) {
      chosen[static_cast<std::size_t>(tool - all.data())] = true;
      continue;
    }
    const mcp::Tool* meant = mcp::suggested_tool(each, known);
    unknown("tool", each, meant ? std::optional(meant->name) : std::nullopt);
  }
  add_profile(name, chosen);
}

void GuardedTools::add_profile(std::string name, const std::vector<bool>& chosen) {
  auto& [stored_name, indexes] = owned_profiles_.emplace_back(std::move(name), std::vector<std::uint16_t>());
  for (std::size_t i = 0; i < chosen.size(); ++i)
    if (chosen[i]) indexes.push_back(static_cast<std::uint16_t>(i));
  profiles_.push_back({.name = stored_name, .tools = indexes});
}

bool GuardedTools::can_work(const mcp::Tool& tool) const {
  if (tool.family == family_of_browsers) return has_bridge_;
  const App& app = trees_.start_tree()->app();
  return !has_tiers_ || !app.workspace_folder() || tier_allows(app.tier, tool.tier);
}

std::string GuardedTools::next_id() const { return id_prefix_ + std::to_string(++last_id_); }

std::optional<Error> GuardedTools::refusal(const mcp::Tool& tool, ServedTree& tree, const Error* no_tree,
                                           std::string_view arguments) {
  if (tool.needs_workspace && no_tree != nullptr) return without_tree(*no_tree);
  const Tier tier = tree.app().tier;
  if (has_tiers_ && !tier_allows(tier, tool.tier)) {
    const std::string needed(tool.tier);
    return error_with_hint(ErrorCode::permission_denied, "TIER_REQUIRED",
                           shown_name(tree.app(), tool) + " needs the tier " + needed +
                               "; the current tier is " + std::string(tools::text(tier)) + ".",
                           tier_hint(tree.app(), tool, tree.settings_fault()),
                           ErrorDetails().add("required_tier", needed));
  }
  return rate_refusal(tree.app(), tool, arguments);
}

std::optional<Error> GuardedTools::rate_refusal(const App& app, const mcp::Tool& tool,
                                                std::string_view arguments) {
  std::vector<core::TokenBucket>& buckets = buckets_[static_cast<std::size_t>(&tool - tools_.all().data())];
  if (buckets.empty()) return std::nullopt;
  const std::span<const std::string_view> values = tool.rate_values;
  std::string value;
  auto at = values.end();
  if (!values.empty() && json::Reader(arguments).peek_member(tool.rate_argument, value))
    at = std::ranges::find(values, value);
  core::TokenBucket& bucket = buckets[static_cast<std::size_t>(at - values.begin())];
  const core::TokenBucket::TakeResult taken = bucket.take(1, static_cast<std::int64_t>(core::steady_ms()));
  if (taken.ok) return std::nullopt;
  const std::int64_t wait_ms = taken.retry_after_ms.value_or(0);
  const std::string calls =
      at == values.end() ? "" : " with " + std::string(tool.rate_argument) + " " + value;
  return error_with_hint(ErrorCode::unavailable, "RATE_LIMITED",
                         shown_name(app, tool) + calls + " may be called " +
                             std::to_string(tool.rate_per_minute) + " times a minute, " +
                             std::to_string(tool.rate_burst) + " at once.",
                         "Call again after " + std::to_string(wait_ms) + " ms.",
                         ErrorDetails().add_number("retry_after_ms", wait_ms));
}

Task<Unit> GuardedTools::call(const mcp::Tool& tool, mcp::Call& call, std::string_view arguments,
                              std::string& result) {
  return run_guarded(nullptr, tool, call, arguments, nullptr, result);
}

Task<Unit> GuardedTools::call_for(mcp::AnswerRenderer& renderer, const mcp::Tool& tool, mcp::Call& call,
                                  std::string_view arguments, std::string& result) {
  return run_guarded(&renderer, tool, call, arguments, nullptr, result);
}

Task<Unit> GuardedTools::run_for(mcp::AnswerRenderer& renderer, const mcp::Tool& tool, mcp::Call& call,
                                 const Work& work, std::string& result) {
  return run_guarded(&renderer, tool, call, "{}", &work, result);
}

Task<Unit> GuardedTools::run_instead_of_handler(const Work& work, App& app, mcp::Call& call,
                                                std::string& result) const {
  Task<Unit> running = work(app, call);
  Result<Unit> outcome = co_await std::move(running);
  if (!outcome && outcome.error().code == ErrorCode::cancelled) co_return std::move(outcome).error();
  if (!outcome)
    mcp::append_failure(call, tools_.error_writer(call.tool()), std::move(outcome).error(), result);
  co_return Unit{};
}

Task<Unit> GuardedTools::run_guarded(mcp::AnswerRenderer* renderer, const mcp::Tool& tool, mcp::Call& call,
                                     std::string_view arguments, const Work* work, std::string& result) {
  const SteadyClock::time_point began = SteadyClock::now();
  std::string kept_arguments;
  NamedArguments named{.json = arguments, .branded = tool.branded_arguments};
  std::optional<Result<ChosenTree>> chosen = chooser_.try_choose(call, named);
  if (!chosen) {
    kept_arguments = arguments;
    arguments = kept_arguments;
    named.json = arguments;
    Task<ChosenTree> choosing = chooser_.choose(call, named);
    Result<ChosenTree> chosen_tree = co_await std::move(choosing);
    if (!chosen_tree && chosen_tree.error().code == ErrorCode::cancelled)
      co_return std::move(chosen_tree).error();
    chosen.emplace(std::move(chosen_tree));
  }
  // Holding this reference prevents closing the tree during the call.
  const ChosenTree tree = *chosen ? **chosen : trees_.tree_without_workspace();
  const Error* no_tree = *chosen ? nullptr : &chosen->error();
  std::optional<HostRenderer> for_host;
  if (renderer == nullptr) renderer = &for_host.emplace(traits_for(call.client_name(), answers_), tool);
  std::optional<std::string> relative;
  if (*chosen && tree->app().workspace_folder())
    relative = with_relative_paths({.json = arguments, .branded = tool.branded_arguments},
                                   *tree->app().workspace_folder());
  if (relative) arguments = *relative;
  CallLog log(tree->app(), tool, arguments, next_id());
  const mcp::Tool* own = tree == trees_.start_tree() ? &tool : tree->tools().find(tool.name);
  std::optional<Error> refused = refusal(tool, *tree, no_tree, arguments);
  if (!refused && own == nullptr) refused = of_another_tree(tool);
  if (refused) {
    const Error shown = log.rewrite(*std::move(refused));
    renderer->append_error(shown, tools_.error_writer(tool), result);
    log.finished(false, SteadyClock::now() - began);
    co_return Unit{};
  }
  call.set_error_rewriter(&log);
  call.set_renderer(renderer);
  Task<Unit> running = work ? run_instead_of_handler(*work, tree->app(), call, result)
                            : tree->tools().call(*own, call, arguments, result);
  Result<Unit> outcome = co_await std::move(running);
  call.set_renderer(nullptr);
  call.set_error_rewriter(nullptr);
  log.finished(!outcome, SteadyClock::now() - began);
  co_return outcome;
}

void GuardedTools::append_unfinished_result(const mcp::Tool& tool, std::string_view client_name,
                                            const Error& error, std::string& result) const {
  HostRenderer(traits_for(client_name, answers_), tool)
      .append_error(unfinished_error(tool, error), tools_.error_writer(tool), result);
}

Error GuardedTools::unfinished_error(const mcp::Tool& tool, const Error& error) const {
  if (tool.family != family_with_ids) return error;
  const std::string id = next_id();
  // The tree of the call is not known here, unless only one tree is in use.
  const std::vector<ChosenTree> used = trees_.used_trees();
  if (used.size() == 1) log_error(used.front()->app(), tool, id, error);
  Error shown =
      error_with_hint(error.code, "DEADLINE_EXCEEDED", error.message, "Ask for less, or call again.");
  shown.details.add("correlation_id", id);
  if (used.size() == 1) add_helpful_calls(shown, used.front()->app(), tool, {});
  return shown;
}

}  // namespace snapgen::tools
