#include "tools/server/resources/server_resources.h"

#include <algorithm>
#include <cstdint>
#include <utility>

#include <sys/eventfd.h>
#include <unistd.h>

#include "runtime/base/text.h"
#include "runtime/json/reader.h"
#include "runtime/json/writer.h"
#include "tools/engine/files/root.h"
#include "tools/engine/git/repository/repository.h"
#include "tools/engine/git/status/fingerprint.h"
#include "tools/engine/watch/live_tree.h"
#include "tools/engine/workspace/workspace_parts.h"
#include "tools/server/resources/completions.h"
#include "tools/server/trees/served_trees.h"

namespace snapgen::tools {
namespace {

// Changes are announced after this delay, because an editor saves a file in several steps.
constexpr Millis quiet_time{20};
constexpr Millis forever{std::int64_t{1} << 40};

template <class F>
void for_each_route(F take) {
  for (const std::span<const ResourceRoute> routes :
       {worktree_routes(), snapshot_routes(), work_routes(), reference_routes(), skill_routes()})
    for (const ResourceRoute& route : routes) take(route);
}

}  // namespace

const ResourceRoute* route_of(std::string_view uri) {
  const ResourceRoute* found = nullptr;
  for_each_route([&](const ResourceRoute& route) {
    if (route.uri == uri) found = &route;
  });
  return found;
}

namespace {

struct FoundRoute {
  const ResourceRoute* route = nullptr;
  mcp::UriVariables variables;
};

FoundRoute find_route(std::string_view uri) {
  FoundRoute found;
  for_each_route([&](const ResourceRoute& route) {
    if (found.route) return;
    std::optional<mcp::UriVariables> variables = mcp::match_uri(route.uri, uri);
    if (variables) found = {.route = &route, .variables = *std::move(variables)};
  });
  return found;
}

// Describes a resource or a template, as the protocol lists it.
template <class T>
T described(const ResourceRoute& route) {
  T out;
  out.name = route.name;
  out.title = route.title;
  out.description = route.description;
  if (!route.mime_type.empty()) out.mime_type = route.mime_type;
  return out;
}

mcp::ResourceContents contents_of(ResourceContent content, std::string uri) {
  mcp::ResourceContents out;
  out.uri = std::move(uri);
  out.mime_type = std::move(content.mime_type);
  if (json::valid_utf8(content.bytes)) {
    out.text = std::move(content.bytes);
  } else {
    if (out.mime_type == "text/plain") out.mime_type = "application/octet-stream";
    out.blob = base64(content.bytes);
  }
  return out;
}

constexpr mcp::BrandedArgument path_variable[] = {{.name = "path", .brand = "Path"}};

// Returns arguments as if a tool were called with the path in the URI, if there is one. The work tree is
// chosen by them.
std::string naming_paths(const mcp::UriVariables& variables) {
  const auto path = variables.find("path");
  return path == variables.end() ? std::string("{}") : "{\"path\":" + json::quoted(path->second) + "}";
}

// Registers a listener in each tree of `now`, which on a change writes to `changed`, an eventfd. Removes the
// listeners from the trees of `before`. Blocks.
Result<Unit> listen_to_trees(const std::vector<ChosenTree>& before, const std::vector<ChosenTree>& now,
                             int changed, const std::stop_token& stop) {
  for (const ChosenTree& tree : before) {
    Result<core::Workspace*> workspace = tree->app().workspace();
    if (workspace) live_tree_of(**workspace).set_listener({});
  }
  for (const ChosenTree& tree : now) {
    Result<core::Workspace*> workspace = tree->app().workspace();
    if (!workspace) continue;
    core::LiveTree& live = live_tree_of(**workspace);
    live.set_listener([changed] {
      const std::uint64_t one = 1;
      [[maybe_unused]] const ssize_t done = ::write(changed, &one, sizeof one);
    });
    // The first status call starts the watch of the tree. Its errors are reported to clients that read the
    // resource.
    static_cast<void>(status_of(**workspace, stop));
    live.wait_for_watch();
  }
  return Unit{};
}

// Completes the variable `name` of a URI template.
Result<std::vector<std::string>> complete_variable(App& app, const std::string& name,
                                                   const std::string& typed, const std::string& snapshot_id,
                                                   const std::stop_token& stop) {
  if (name == "snapshot_id") return complete_snapshot(app, typed);
  if (name == "task_id") return complete_task(app, typed);
  return complete_path(app, snapshot_id, typed, stop);
}

}  // namespace

std::vector<mcp::Resource> ServerResources::resources() {
  std::vector<mcp::Resource> out;
  for_each_route([&](const ResourceRoute& route) {
    if (route.is_template()) return;
    out.push_back(described<mcp::Resource>(route));
    out.back().uri = route.uri;
  });
  if (other_resources_)
    for (mcp::Resource& each : other_resources_->resources()) out.push_back(std::move(each));
  return out;
}

std::vector<mcp::ResourceTemplate> ServerResources::templates() {
  std::vector<mcp::ResourceTemplate> out;
  for_each_route([&](const ResourceRoute& route) {
    if (!route.is_template()) return;
    out.push_back(described<mcp::ResourceTemplate>(route));
    out.back().uri_template = route.uri;
  });
  return out;
}

std::vector<mcp::Skill> ServerResources::skills() { return tools::skills(); }

Task<mcp::ReadResourceResult> ServerResources::read(mcp::Context& context, std::string uri) {
  const FoundRoute found = find_route(uri);
  if (!found.route) {
    if (!other_resources_)
      co_return Error(ErrorCode::not_found,
                      "Unknown resource " + uri + ". resources/list returns the known ones.");
    Task<mcp::ReadResourceResult> reading = other_resources_->read(context, uri);
    Result<mcp::ReadResourceResult> other = co_await std::move(reading);
    co_return other;
  }
  mcp::ReadResourceResult result;
  if (!found.route->needs_worktree) {
    Result<ResourceContent> page =
        found.route->read(trees_.tree_without_workspace()->app(), found.variables, context.stop());
    ResourceContent content = co_await page;
    result.contents.push_back(contents_of(std::move(content), std::move(uri)));
    co_return result;
  }
  const std::string path = naming_paths(found.variables);
  const NamedArguments named{.json = path, .branded = path_variable};
  Task<ChosenTree> choosing = chooser_.choose(context, named);
  Result<ChosenTree> chosen = co_await std::move(choosing);
  const ChosenTree tree = co_await chosen;
  auto job = [&] { return found.route->read(tree->app(), found.variables, context.stop()); };
  Result<ResourceContent> outcome = co_await context.offload(job);
  ResourceContent content = co_await outcome;
  result.contents.push_back(contents_of(std::move(content), std::move(uri)));
  co_return result;
}

Task<mcp::Completion> ServerResources::complete(mcp::Context& context, const mcp::CompleteParams& params) {
  const std::string& uri = std::get<mcp::ResourceReference>(params.ref).uri;
  const bool has_variable = uri.find("{" + params.argument.name + "}") != std::string::npos ||
                            uri.find("{+" + params.argument.name + "}") != std::string::npos;
  const ResourceRoute* route = route_of(uri);
  if (!route || !has_variable)
    co_return Error(ErrorCode::not_found, "Unknown resource template " + uri + " with a variable " +
                                              params.argument.name +
                                              ". resources/templates/list returns the known ones.");
  mcp::Completion completion;
  if (!route->needs_worktree) {
    completion.values = complete_page(params.argument.value);
    co_return completion;
  }
  const std::string snapshot_id = other_argument(params, "snapshot_id");
  // The paths depend on the snapshot, which the client has not named.
  const bool in_unknown_snapshot =
      uri == snapshot_file_uri && params.argument.name == "path" && snapshot_id.empty();
  if (in_unknown_snapshot) co_return completion;
  Task<ChosenTree> choosing = chooser_.choose(context, {});
  Result<ChosenTree> chosen = co_await std::move(choosing);
  const ChosenTree tree = co_await chosen;
  auto job = [&] {
    return complete_variable(tree->app(), params.argument.name, params.argument.value, snapshot_id,
                             context.stop());
  };
  Result<std::vector<std::string>> outcome = co_await context.offload(job);
  completion.values = co_await outcome;
  co_return completion;
}

void ServerResources::on_subscribe(mcp::Context& context) {
  // If a client's roots are not known yet, its tree is watched from its first call on.
  const std::optional<Result<ChosenTree>> chosen = chooser_.try_choose(context, {});
  if (chosen && !*chosen)
    trees_.options().log.write(Severity::info, "No resource is watched: " + chosen->error().message);
}

void ServerResources::on_subscriptions_changed(const std::set<std::string>& uris) {
  subscribed_uris_ = uris;
  restart_watch();
}

void ServerResources::restart_watch() {
  std::vector<Watched> watched;
  std::vector<std::string> roots, paths;
  const std::vector<ChosenTree> trees = trees_.used_trees();
  std::vector<ChosenTree> watched_trees;
  notifying_trees_.clear();
  for (const ChosenTree& tree : trees) {
    if (subscribed_uris_.empty()) break;
    bool wants_tree = false;
    for (const std::string& uri : subscribed_uris_) {
      const FoundRoute found = find_route(uri);
      if (!found.route || !found.route->watched_paths) continue;
      Result<WatchedPaths> found_paths = found.route->watched_paths(tree->app(), found.variables);
      if (!found_paths) continue;
      wants_tree = wants_tree || found_paths->worktree;
      paths.insert(paths.end(), found_paths->paths.begin(), found_paths->paths.end());
      watched.push_back({.uri = uri, .paths = std::move(found_paths->paths)});
    }
    Result<core::Workspace*> workspace = tree->app().workspace();
    if (!workspace) continue;
    for (const std::string& each :
         {root_of(**workspace).folder(), store_folder_of(**workspace), repository_of(**workspace).git_dir()})
      if (!each.empty()) roots.push_back(each);
    watched_trees.push_back(tree);
    if (wants_tree) notifying_trees_.push_back(tree);
  }
  Result<core::PathWatch> watch = core::PathWatch::open(roots, std::move(paths));
  // Records changes that the old watch saw before the new one started.
  collect_changes();
  // Ends the wait on the old watch before its descriptor is closed.
  watch_restart_.request_stop();
  watched_resources_ = std::move(watched);
  watched_trees_ = std::move(watched_trees);
  watch_.reset();
  if (watch)
    watch_.emplace(*std::move(watch));
  else
    trees_.options().log.write(Severity::warning,
                               "Changes of resources are not announced: " + watch.error().message);
}

void ServerResources::collect_changes() {
  if (!watch_) return;
  const std::vector<std::string> changed = watch_->take_changed_paths();
  const auto has_changed = [&](const std::string& path) { return std::ranges::count(changed, path) > 0; };
  for (const Watched& each : watched_resources_)
    if (std::ranges::any_of(each.paths, has_changed)) changed_uris_.insert(each.uri);
}

// Announces the resource of the work tree whenever a listener has written to `changed`, an eventfd.
Task<Unit> ServerResources::announce_worktree(Loop& loop, mcp::Server& server, int changed,
                                              std::stop_token stop) {
  while (!stop.stop_requested()) {
    Result<Unit> done = co_await WaitReadable(loop, stop, changed);
    if (!done) break;
    std::uint64_t count = 0;
    [[maybe_unused]] const ssize_t got = ::read(changed, &count, sizeof count);
    server.announce_resource_changed(worktree_uri);
  }
  co_return Unit{};
}

Task<Unit> ServerResources::announce(Loop& loop, mcp::Server& server, std::stop_token stop) {
  const Fd changed(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (!changed)
    co_return Error(
        ErrorCode::unavailable,
        "The system does not allow more open files, so changes are not announced. Raise the limit "
        "(ulimit -n) and restart the server.");
  TaskScope scope(loop);
  Task<Unit> worktree = announce_worktree(loop, server, changed.get(), stop);
  scope.spawn(std::move(worktree));
  const auto end_turn = [this] { watch_restart_.request_stop(); };
  const std::stop_callback ending(stop, end_turn);
  trees_.set_change_listener([this] {
    if (!subscribed_uris_.empty()) restart_watch();
  });
  std::vector<ChosenTree> announced;  // The trees whose listeners write to `changed`.
  while (!stop.stop_requested()) {
    if (watch_restart_.stop_requested()) watch_restart_ = std::stop_source();
    for (const std::string& uri : std::exchange(changed_uris_, {})) server.announce_resource_changed(uri);
    if (notifying_trees_ != announced) {
      const std::vector<ChosenTree> before = std::exchange(announced, notifying_trees_);
      const std::vector<ChosenTree> now = announced;
      auto job = [&] { return listen_to_trees(before, now, changed.get(), stop); };
      Result<Unit> done = co_await Offload(loop, stop, job);
      // A change may have happened before the listener was registered.
      if (done && !now.empty()) server.announce_resource_changed(worktree_uri);
      continue;
    }
    const std::stop_token turn = watch_restart_.get_token();
    Result<Unit> done = Unit{};
    if (watch_) {
      Result<Unit> readable = co_await WaitReadable(loop, turn, watch_->fd());
      done = readable;
    } else {
      Result<Unit> slept = co_await Sleep(loop, turn, forever);
      done = slept;
    }
    if (!done) continue;
    Result<Unit> waited = co_await Sleep(loop, stop, quiet_time);
    if (waited) collect_changes();
  }
  trees_.set_change_listener({});
  co_await scope.join();
  static_cast<void>(listen_to_trees(announced, {}, -1, stop));
  co_return Unit{};
}

}  // namespace snapgen::tools
